package textview

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
)

func TestGoTo(t *testing.T) {
	v := newView(t, small)
	for _, tt := range []struct {
		mode  Mode
		place string
		want  string // the text at the caret, "" for none
	}{
		{Pretty, "1", small}, {Pretty, "2", `"name"`}, {Pretty, "/name", `"echo"`}, {Pretty, "@1", small[1:]}, {Pretty, "99", ""},
		{Pretty, "0", ""}, {Pretty, "/nothing", ""}, {Pretty, "x", ""}, {Pretty, "@99999", ""}, {Pretty, "1:", ""},
		{Raw, "1:3", small[2:]}, {Raw, "2", ""}, {Hex, "2", small[16:]}, {Raw, "/name", `"echo"`},
	} {
		v.SetMode(tt.mode)
		err := v.GoTo(tt.place)
		if (err != nil) != (tt.want == "") {
			t.Errorf("%s %s: %v", tt.mode, tt.place, err)
			continue
		}
		o := v.offsetOf(v.caret)
		if tt.want != "" && !strings.HasPrefix(small[o:], tt.want) {
			t.Errorf("%s %s leads to %q", tt.mode, tt.place, small[o:])
		}
	}
}

// Every line of the pretty layout is found under the number it shows.
func TestGoToEveryLine(t *testing.T) {
	v := newView(t, string(sample(5000)))
	for row := range v.layout.rows() {
		n := v.layout.number(row)
		if n == 0 {
			continue
		}
		if o, ok := v.index.lineStart(n); !ok || o != v.layout.offset(row) {
			t.Fatalf("line %d is at byte %d, want %d", n, o, v.layout.offset(row))
		}
	}
	if _, ok := v.index.lineStart(v.index.numbers() + 1); ok {
		t.Error("there is a line after the last")
	}
}

// A place that is folded away is opened, also in a string.
func TestGoToOpensFolds(t *testing.T) {
	raw := `{"a":{"b":["` + strings.Repeat("word ", 1000) + `",{"c/d":5}]}}`
	v := newView(t, raw)
	v.FoldTo(0)
	if err := v.GoTo("/a/b/1/c~1d"); err != nil {
		t.Fatal(err)
	}
	if o := v.offsetOf(v.caret); raw[o] != '5' {
		t.Errorf("caret at %q", raw[o:])
	}
	if err := v.GoTo("@2000"); err != nil {
		t.Fatal(err)
	}
	if o := v.offsetOf(v.caret); o != 2000 {
		t.Errorf("caret at byte %d", o)
	}
}

// Every node is found by its pointer, as far as its name is its own.
func FuzzPointer(f *testing.F) {
	f.Add([]byte(`{"a":{"b/c":[1,2,{"~":null}]},"":0}`))
	f.Add([]byte(`[[[]],{"é":"\u00e9"}]`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		x, err := Build(t.Context(), raw)
		if err != nil || !x.JSON() {
			return
		}
		for i := range x.nodes {
			p := x.pointer(i)
			found, ok := x.find(p)
			if !ok {
				t.Fatalf("%q of node %d is not found", p, i)
			}
			if found != i && x.pointer(found) != p {
				t.Errorf("%q leads to %q", p, x.pointer(found))
			}
		}
	})
}

func TestKeysOfTheView(t *testing.T) {
	v := newView(t, `{"a":{"b":{"c":{"d":1}}},"e":"`+strings.Repeat("x ", 500)+`"}`)
	var modes []Mode
	finds, goes := 0, 0
	v.OnMode = func(m Mode) { modes = append(modes, m) }
	v.OnFind, v.OnGoTo = func() { finds++ }, func() { goes++ }
	rows := func(r rune) int {
		v.TypedRune(r)
		return v.layout.rows()
	}
	all := rows('0')
	for r, want := range map[rune]int{'1': all - 6, '2': all - 4, '3': all - 2, '-': all - 6} {
		if got := rows(r); got != want {
			t.Errorf("%c leaves %d rows of %d, want %d", r, got, all, want)
		}
	}
	if got := rows('0'); got != all {
		t.Errorf("%d rows after all was opened", got)
	}
	if got := rows('w'); got >= all || v.Wrap() {
		t.Errorf("%d rows without wrapping, %d with", got, all)
	}
	wide := v.gutter
	v.TypedRune('n')
	if v.gutter >= wide || v.Numbers() {
		t.Errorf("the gutter is %v wide without numbers, %v with", v.gutter, wide)
	}
	for _, r := range "rhpp/g" {
		v.TypedRune(r)
	}
	if len(modes) != 3 || modes[0] != Raw || modes[1] != Hex || modes[2] != Pretty || finds != 1 || goes != 1 {
		t.Errorf("modes %v, %d finds, %d jumps", modes, finds, goes)
	}
}

// What the person chose stays when another text is shown: stepping through rows keeps the look.
func TestStateStays(t *testing.T) {
	v := newView(t, `{"a":{"b":1}}`)
	v.SetNumbers(false)
	v.SetWrap(false)
	v.FoldTo(1)
	v.Find("needle")
	v.SetIndex(build(t, `{"x":{"needle":1},"y":["needle","needle"]}`))
	if got := shown(v); len(got) != 4 || !strings.Contains(got[1], "1 member") {
		t.Errorf("rows %q", got)
	}
	if n, of := v.Hit(); of != 3 || n != 1 || v.Numbers() || v.Wrap() {
		t.Errorf("hit %d of %d, numbers %v, wrap %v", n, of, v.Numbers(), v.Wrap())
	}
	if v.caret != (pos{}) {
		t.Error("a search that was kept moves the caret")
	}
}

func TestCopyValue(t *testing.T) {
	raw := `{"a":{"n":9007199254740993,"e":1e400},"s":"x\n\u00e9"}`
	v := newView(t, raw)
	clip := func() string { return fyne.CurrentApp().Clipboard().Content() }
	a, _ := v.index.Value(strings.Index(raw, `{"n"`))
	s, _ := v.index.Value(strings.Index(raw, `"x`))
	for _, tt := range []struct {
		v        Value
		readable bool
		want     string
	}{
		{a, false, `{"n":9007199254740993,"e":1e400}`}, {a, true, "{\n  \"n\": 9007199254740993,\n  \"e\": 1e400\n}"},
		{s, false, `"x\n\u00e9"`}, {s, true, "x\né"},
	} {
		if v.CopyValue(tt.v, tt.readable); clip() != tt.want {
			t.Errorf("copied %q, want %q", clip(), tt.want)
		}
	}
}
