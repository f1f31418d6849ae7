package textview

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	look "mcploupe/ui/theme"
)

func TestEditorColours(t *testing.T) {
	for _, tt := range []struct {
		line     string
		inString bool
		want     string
	}{
		{`{"a": "b",`, false, `{|p "a"|k :|p  | "b"|s ,|p`},
		{`  "k" : -1.5e3, true nul`, false, `  | "k"|k  | :|p  | -1.5e3|n ,|p  | true|l  | nul|`},
		{`rest of a string" : 1`, true, `rest of a string"|k  | :|p  | 1|n`},
		{`"esc \" quote`, false, `"esc \" quote|s`},
		{`"esc \`, false, `"esc \|s`},
		{"日本 \x00", false, "日本 \x00|"},
	} {
		var got []string
		names := map[fyne.ThemeColorName]string{"": "", look.ColorPunctuation: "p", look.ColorKey: "k", look.ColorString: "s", look.ColorNumber: "n", look.ColorLiteral: "l"}
		at := 5
		for _, s := range colourJSON(tt.line, 5, tt.inString, nil) {
			got = append(got, s.text+"|"+names[s.color])
			if s.src != at {
				t.Errorf("%q is at %d, want %d", s.text, s.src, at)
			}
			at += len(s.text)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q gives %q, want %q", tt.line, strings.Join(got, " "), tt.want)
		}
	}
}

// What is coloured is the line, in order, whatever it is.
func FuzzColourJSON(f *testing.F) {
	f.Add(`{"a": [1, true, "x\"`, false)
	f.Add(`\" rest": -`, true)
	f.Fuzz(func(t *testing.T, line string, inString bool) {
		at := 7
		var got strings.Builder
		for _, s := range colourJSON(line, at, inString, nil) {
			if s.src != at || s.text == "" {
				t.Fatalf("%q: segment %q is at %d, want %d", line, s.text, s.src, at)
			}
			at += len(s.text)
			got.WriteString(s.text)
		}
		if got.String() != line {
			t.Fatalf("%q is shown as %q", line, got.String())
		}
		brackets(line, func(col int, c byte) bool {
			if line[col] != c {
				t.Fatalf("%q: bracket %q at %d", line, c, col)
			}
			return true
		})
	})
}

// A long line is coloured in pieces; a piece inside a string knows it.
func TestLongLinesInTheEditor(t *testing.T) {
	e := newEditor(t, `{"a":"`+strings.Repeat("word ", 400)+`","n":12345}`)
	if e.Count() < 10 {
		t.Fatalf("%d rows", e.Count())
	}
	p := slotOf(e, 5)
	if len(p.segs) != 1 || p.segs[0].color != look.ColorString {
		t.Errorf("a piece inside a string has segments %v", p.segs)
	}
	ctrl(e, fyne.KeyEnd)
	last := slotOf(e, e.Count()-1).segs
	if !slices.ContainsFunc(last, func(s segment) bool { return strings.HasSuffix("12345", s.text) && s.color == look.ColorNumber }) {
		t.Errorf("after the string come %v", last)
	}
	typeIn(e, "\b!")
	if !strings.HasSuffix(e.Text(), "12345!") {
		t.Errorf("text ends with %q", e.Text()[len(e.Text())-10:])
	}
}

// Pieces are coloured alike whatever the order they are asked for.
func TestPiecesInsideStrings(t *testing.T) {
	line := `{"a":"` + strings.Repeat("word ", 50) + `","b":[` + strings.Repeat(`"x","y z",`, 40) + `1],"c":"` + strings.Repeat("é", 90) + `"}`
	inString := make([]bool, len(line)+1)
	for i, in := 0, false; i < len(line); i++ {
		inString[i] = in
		if line[i] == '"' {
			in = !in
		}
	}
	r := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		l := newEditLayout(newBuffer(line), 16+r.IntN(40), true)
		for range 200 {
			k := r.IntN(l.rows())
			if got, want := l.insideString(line, k), inString[l.cut(line, k)]; got != want {
				t.Fatalf("piece %d of %d begins inside a string: %v, want %v", k, l.wrap, got, want)
			}
		}
	}
}

func TestCaretCrossesPieces(t *testing.T) {
	e := newEditor(t, strings.Repeat("x", 500))
	width := e.lines().wrap
	for range width + 1 {
		keys(e, fyne.KeyRight)
	}
	if e.caret != (pos{1, 1}) {
		t.Errorf("%d steps to the right lead to %v", width+1, e.caret)
	}
	keys(e, fyne.KeyLeft, fyne.KeyLeft)
	if s := e.lines().spotOf(e.caret); s.col != width-1 {
		t.Errorf("two steps back lead to byte %d, want %d", s.col, width-1)
	}
}
