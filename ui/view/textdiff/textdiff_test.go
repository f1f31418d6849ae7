package textdiff

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// show writes a diff as a person reads it, with marks in brackets.
func show(d *Diff) string {
	var b strings.Builder
	mark := func(l Line) string {
		text, out := l.Text, ""
		at := 0
		for _, m := range l.Marks {
			out += text[at:m.From] + "[" + text[m.From:m.To] + "]"
			at = m.To
		}
		return out + text[at:]
	}
	for _, r := range d.Rows {
		fmt.Fprintf(&b, "%s|%s|%s\n", [...]string{"=", "~", "-", "+"}[r.Op], mark(r.Left), mark(r.Right))
	}
	return b.String()
}

func TestTexts(t *testing.T) {
	for _, c := range []struct{ name, before, after, want string }{
		{"nothing", "", "", ""},
		{"equal", "a\nb\n", "a\nb\n", "=|a|a\n=|b|b\n"},
		{"a line came", "a\nc", "a\nb\nc", "=|a|a\n+||b\n=|c|c\n"},
		{"a line went", "a\nb\nc", "a\nc", "=|a|a\n-|b|\n=|c|c\n"},
		{"characters", "wind 12 m/s", "wind 14 m/s", "~|wind 1[2] m/s|wind 1[4] m/s\n"},
		{"from nothing", "", "x\ny", "+||x\n+||y\n"},
		{"wide characters", "grün 日本", "grau 日本", "~|gr[ün] 日本|gr[au] 日本\n"},
		{"the likest pair", "one: 1\nsame", "zero: 000000\none: 2\nsame", "+||zero: 000000\n~|one: [1]|one: [2]\n=|same|same\n"},
		{"no UTF-8", "a\xff", "b\xff", "~|[a]\xff|[b]\xff\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Texts(c.before, c.after)
			if got := show(d); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
			if d.Equal() != (c.before == c.after) {
				t.Errorf("equal is %v", d.Equal())
			}
		})
	}
}

// Numbers are text: what differs only in how it is written differs.
func TestJSONKeepsNumbersAndOrder(t *testing.T) {
	d := JSON([]byte(`{"b":1.0,"a":9007199254740993,"a":2}`), []byte(`{"b":1,"a":9007199254740993,"a":2}`))
	want := "=|{|{\n~|  \"b\": 1[.0],|  \"b\": 1,\n=|  \"a\": 9007199254740993,|  \"a\": 9007199254740993,\n=|  \"a\": 2|  \"a\": 2\n=|}|}\n"
	if got := show(d); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if d := JSON([]byte(`{`), []byte(`{`)); !d.Equal() || len(d.Rows) != 1 {
		t.Errorf("a text that is no JSON: %+v", d)
	}
}

// More than 55 296 distinct lines need runes beyond the surrogates.
func TestManyLines(t *testing.T) {
	var a strings.Builder
	for i := range 70_000 {
		fmt.Fprintf(&a, "line %d\n", i)
	}
	before := a.String()
	start := time.Now()
	d := Texts(before, strings.Replace(strings.Replace(before, "line 3\n", "line three\n", 1), "line 60000\n", "line sixty thousand\n", 1))
	if len(d.Rows) != 70_000 || len(d.Changes) != 2 || d.Changes[1] != (Range{60_000, 60_001}) {
		t.Errorf("%d rows, changes %v", len(d.Rows), d.Changes)
	}
	t.Logf("70,000 lines in %s", time.Since(start))
}

func TestBounds(t *testing.T) {
	long := strings.Repeat("x", maxLine*2+5)
	d := Texts(long+"a", long+"b")
	if len(d.Rows) != 3 || d.Rows[2].Op != Changed {
		t.Errorf("a long line became %d rows", len(d.Rows))
	}
	if d := Texts(strings.Repeat("y\n", MaxBytes), ""); d.Cut == "" || d.Removed != MaxLines {
		t.Errorf("cut %q, %d removed", d.Cut, d.Removed)
	}
	if d := Texts(strings.Repeat("p", maxChars)+"1q", strings.Repeat("p", maxChars)+"2q"); d.Cut == "" || d.Rows[0].Left.Marks[0] != (Span{maxChars, maxChars + 1}) {
		t.Errorf("a line too long for characters: %q %v", d.Cut, d.Rows[0].Left.Marks)
	}
}

func TestItemsFold(t *testing.T) {
	var a []string
	for i := range 20 {
		a = append(a, fmt.Sprint(i))
	}
	b := append([]string(nil), a...)
	b[10] = "ten"
	d := Texts(strings.Join(a, "\n"), strings.Join(b, "\n"))
	got := func(items []Item) string {
		var s []string
		for _, i := range items {
			text := fmt.Sprint(i.Row)
			if i.Fold > 0 {
				text += fmt.Sprintf("(%d)", i.Fold)
			}
			s = append(s, text+[...]string{"", "l", "r"}[i.Side])
		}
		return strings.Join(s, " ")
	}
	for _, c := range []struct {
		unified bool
		opened  Unfold
		want    string
	}{
		{false, nil, "0(8) 8 9 10 11 12 13(7)"},
		{true, nil, "0(8) 8 9 10l 10r 11 12 13(7)"},
		{false, Unfold{13: true}, "0(8) 8 9 10 11 12 13 14 15 16 17 18 19"},
	} {
		if s := got(d.Items(c.unified, 2, c.opened)); s != c.want {
			t.Errorf("unified %v, opened %v: %s, want %s", c.unified, c.opened, s, c.want)
		}
	}
	if s := got(Texts("a\nb\nc", "a\nb\nc").Items(false, 3, nil)); s != "0(3)" {
		t.Errorf("equal texts fold to %s", s)
	}
}

func FuzzTexts(f *testing.F) {
	f.Add("a\nb", "b\nc")
	f.Add("\xff\n日", "日\n\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		d := Texts(a, b)
		var left, right []string
		for _, r := range d.Rows {
			for _, side := range []struct {
				l    Line
				into *[]string
			}{{r.Left, &left}, {r.Right, &right}} {
				if side.l.Number == 0 {
					continue
				}
				*side.into = append(*side.into, side.l.Text)
				if side.l.Number != len(*side.into) {
					t.Fatalf("line %d has number %d", len(*side.into), side.l.Number)
				}
				for _, m := range side.l.Marks {
					if m.From < 0 || m.From >= m.To || m.To > len(side.l.Text) {
						t.Fatalf("mark %v in %q", m, side.l.Text)
					}
				}
			}
		}
		if want := lines(a); strings.Join(left, "\n") != strings.Join(want, "\n") {
			t.Fatalf("left %q, want %q", left, want)
		}
		if want := lines(b); strings.Join(right, "\n") != strings.Join(want, "\n") {
			t.Fatalf("right %q, want %q", right, want)
		}
	})
}
