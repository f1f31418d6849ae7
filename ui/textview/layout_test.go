package textview

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
)

// text returns the rows of a layout as they are copied.
func text(l layout) string {
	var b strings.Builder
	for i := range l.rows() {
		for _, s := range l.segments(i, nil) {
			b.WriteString(s.text)
		}
		if i+1 < l.rows() && !l.soft(i) {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func TestPretty(t *testing.T) {
	p := newPrettyLayout(build(t, `{"b":1.0,"a":[1,{"x":"y"},[],{}],"b":9007199254740993, "e":null}`), 100)
	want := `{
  "b": 1.0,
  "a": [
    1,
    {
      "x": "y"
    },
    [],
    {}
  ],
  "b": 9007199254740993,
  "e": null
}`
	if got := text(p); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for i, line := range strings.Split(want, "\n") {
		if p.number(i) != i+1 {
			t.Errorf("%q has number %d, want %d", line, p.number(i), i+1)
		}
	}
	if p.x.numbers() != 13 {
		t.Errorf("%d lines", p.x.numbers())
	}
}

func TestFold(t *testing.T) {
	p := newPrettyLayout(build(t, `{"a":[1,{"x":"y"},3],"b":{"c":1},"d":2}`), 100)
	whole := text(p)
	if !p.toggle(1) {
		t.Fatal("a container does not fold")
	}
	want := "{\n  \"a\": [ … 3 elements ],\n  \"b\": {\n    \"c\": 1\n  },\n  \"d\": 2\n}"
	if got := text(p); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := []int{p.number(1), p.number(2), p.number(4), p.number(6)}; fmt.Sprint(got) != "[2 9 11 13]" {
		t.Errorf("line numbers %v keep no count of what is folded", got)
	}
	p.toggle(4) // from the closing line
	if got := text(p); !strings.Contains(got, `"b": { … 1 member },`) {
		t.Errorf("got\n%s", got)
	}
	p.toggle(1)
	p.toggle(rowAt(p, bytes.IndexByte(p.x.raw, 'b')))
	if got := text(p); got != whole {
		t.Errorf("opening again gives\n%s", got)
	}
	if p.toggle(2) {
		t.Error("a number folds")
	}
	p.foldTo(0)
	if got := text(p); got != "{ … 3 members }" {
		t.Errorf("folded to the top: %s", got)
	}
	p.foldTo(2)
	if got := text(p); !strings.Contains(got, `{ … 1 member }`) || !strings.Contains(got, `"c": 1`) {
		t.Errorf("folded to depth 2:\n%s", got)
	}
	p.foldTo(1)
	p.reveal(bytes.IndexByte(p.x.raw, 'y'))
	if got := text(p); !strings.Contains(got, `"x": "y"`) || !strings.Contains(got, `"b": { … 1 member }`) {
		t.Errorf("after revealing a value:\n%s", got)
	}
}

// Views of one big index fold without minding each other.
func TestFoldingLeavesTheIndexAlone(t *testing.T) {
	x := build(t, string(sample(bigText)))
	if x.first == nil {
		t.Fatal("a big index has no first layout")
	}
	p, q := newPrettyLayout(x, piece), newPrettyLayout(x, piece)
	n := p.rows()
	p.toggle(2)
	if p.rows() >= n {
		t.Error("nothing was folded")
	}
	q.foldTo(2)
	fresh := newPrettyLayout(x, piece)
	if fresh.rows() != n || fresh.offset(n-1) != len(x.raw)-1 || fresh.offset(3) != newPrettyLayout(x, piece+1).offset(3) {
		t.Error("folding in one view changes the next")
	}
}

func TestLongStrings(t *testing.T) {
	value := strings.Repeat("lorem ipsum ", 1000)
	p := newPrettyLayout(build(t, `{"t":"`+value+`","n":1}`), 80)
	if got := text(p); !strings.Contains(got, "… 12 kB, text,") || len(got) > 200 {
		t.Errorf("a long string is shown as %q", got)
	}
	p.toggle(1)
	if got := text(p); !strings.Contains(strings.ReplaceAll(got, "\n", ""), "lorem") || p.rows() < 100 {
		t.Errorf("opened, it takes %d rows", p.rows())
	}
	var joined strings.Builder
	for i := 1; i < p.rows()-2; i++ {
		for _, s := range p.segments(i, nil) {
			if s.src >= 0 && s.color != "" && !strings.HasPrefix(s.text, `"t"`) {
				joined.WriteString(s.text)
			}
		}
	}
	if joined.String() != `"`+value+`"` {
		t.Error("the pieces do not make up the string")
	}
	p.toggle(50) // from the middle
	if p.rows() != 4 {
		t.Errorf("%d rows after folding again", p.rows())
	}
}

func TestMiddlingStringsAreShownInPieces(t *testing.T) {
	value := strings.Repeat("日本語", 60)
	p := newPrettyLayout(build(t, `["`+value+`"]`), 80)
	if p.rows() < 4 {
		t.Fatalf("%d rows", p.rows())
	}
	var got string
	for i := range p.rows() {
		for _, s := range p.segments(i, nil) {
			if s.src >= 0 {
				got += s.text
			}
		}
	}
	if got != `["`+value+`"]` {
		t.Errorf("pieces cut runes: %q", got)
	}
}

func TestStringsBreakAtLineEndsAndBlanks(t *testing.T) {
	raw := `{"k":"first line\nsecond line\\not a line end, but a long sentence that goes on\n"}`
	p := newPrettyLayout(build(t, raw), 48)
	var got []string
	for i := range p.rows() {
		var row string
		for _, s := range p.segments(i, nil) {
			row += s.text
		}
		got = append(got, row)
	}
	want := []string{"{", `  "k": "first line\n`, `    second line\\not a line end, but a long `, `    sentence that goes on\n"`, "}"}
	if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestRaw(t *testing.T) {
	for _, tt := range []struct {
		raw     string
		rows    []string
		numbers []int
	}{
		{"", []string{""}, []int{1}},
		{"a\nb", []string{"a", "b"}, []int{1, 2}},
		{"a\r\n\n", []string{"a\r", "", ""}, []int{1, 2, 3}},
		{"0123456789abc\nx", []string{"01234567", "89abc", "x"}, []int{1, 0, 2}},
		{"01234567\n", []string{"01234567", ""}, []int{1, 2}},
		{"日本語x", []string{"日本", "語x"}, []int{1, 0}},
		{"\xbf\xbf\xbf\xbf\xbf\xbf\xbf\xbf\xbf\xbf", []string{"\xbf\xbf\xbf\xbf\xbf", "\xbf\xbf\xbf\xbf\xbf"}, []int{1, 0}},
	} {
		l := newRawLayout([]byte(tt.raw), 8)
		var rows []string
		var numbers []int
		for i := range l.rows() {
			rows = append(rows, l.segments(i, nil)[0].text)
			numbers = append(numbers, l.number(i))
		}
		if fmt.Sprintf("%q", rows) != fmt.Sprintf("%q", tt.rows) || fmt.Sprint(numbers) != fmt.Sprint(tt.numbers) {
			t.Errorf("%q gives %q %v, want %q %v", tt.raw, rows, numbers, tt.rows, tt.numbers)
		}
		if got := text(l); got != tt.raw {
			t.Errorf("%q is copied as %q", tt.raw, got)
		}
	}
}

func TestHex(t *testing.T) {
	l := hexLayout{[]byte("0123456789abcdef\x00\xffz")}
	want := "00000000  30 31 32 33 34 35 36 37  38 39 61 62 63 64 65 66  0123456789abcdef\n" +
		"00000010  00 ff 7a                                          ..z"
	if got := text(l); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if (hexLayout{}).rows() != 1 {
		t.Error("nothing has no row")
	}
}

// Every layout shows all bytes, in order; raw shows them as they are.
func FuzzLayouts(f *testing.F) {
	f.Add([]byte(`{"a":[1,"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"]}`), 8)
	f.Add([]byte("a\nb\xff\xe6\x97"), 3)
	f.Fuzz(func(t *testing.T, raw []byte, wrap int) {
		wrap = min(max(wrap, 4), 500)
		x, err := Build(context.Background(), raw)
		if err != nil {
			t.Fatal(err)
		}
		l := newRawLayout(raw, wrap)
		if got := text(l); got != string(raw) {
			t.Fatalf("raw shows %q as %q", raw, got)
		}
		layouts := []layout{l, hexLayout{raw}}
		if x.JSON() {
			p := newPrettyLayout(x, wrap)
			layouts = append(layouts, p)
			before := text(p)
			for i := 0; i < min(p.rows(), 60); i += 3 {
				row := rowOfNode(p, p.lines[i].node())
				if p.toggle(i) {
					p.toggle(row)
				}
				if text(p) != before {
					t.Fatalf("folding and opening row %d of %q changes it", i, raw)
				}
			}
			squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
			if y, _ := Build(context.Background(), []byte(before)); len(raw) < foldedOver && wrap > 400 && !y.JSON() {
				t.Fatalf("%q is shown as %q, which is not JSON", raw, squeeze(before))
			}
		}
		for _, l := range layouts {
			last := 0
			for i := range l.rows() {
				if o := l.offset(i); o < last || o > len(raw) {
					t.Fatalf("%T row %d of %q is at %d after %d", l, i, raw, o, last)
				} else {
					last = o
				}
				for _, s := range l.segments(i, nil) {
					if s.src < 0 {
						continue
					}
					if _, hex := l.(hexLayout); !hex && string(raw[s.src:s.src+len(s.text)]) != s.text {
						t.Fatalf("%T row %d shows %q, not in the text at %d", l, i, s.text, s.src)
					}
				}
			}
		}
	})
}

func BenchmarkPrettyLayout20MB(b *testing.B) {
	x, err := Build(context.Background(), sample(20_000_000))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("all", func(b *testing.B) {
		for b.Loop() {
			newPrettyLayout(x, 120)
		}
	})
	p := newPrettyLayout(x, 120)
	b.Run("fold", func(b *testing.B) {
		for b.Loop() {
			p.toggle(1)
		}
	})
	b.Run("row", func(b *testing.B) {
		var segs []segment
		i := 0
		for b.Loop() {
			segs = p.segments(i, segs[:0])
			i = (i + 12345) % p.rows()
		}
	})
}

// What is found in the name of a long string does not open the string.
func TestNamesOfFoldedStringsAreShownAlready(t *testing.T) {
	long := strings.Repeat("x", foldedOver+1)
	x, err := Build(t.Context(), []byte(`{"data":"`+long+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	p := newPrettyLayout(x, 80)
	if hidden, _ := p.hides(2); hidden {
		t.Error("the name is taken for hidden")
	}
	if hidden, _ := p.hides(20); !hidden {
		t.Error("the value is not taken for hidden")
	}
}
