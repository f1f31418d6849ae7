package difftext

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"mcploupe/ui/view/textdiff"
)

// shown is a box in a window.
func shown(t *testing.T, before, after string, size fyne.Size) *Box {
	t.Helper()
	test.NewTempApp(t)
	b := NewBox()
	w := test.NewTempWindow(t, b.Object())
	w.Resize(size)
	b.Set("before and after", textdiff.Texts(before, after))
	return b
}

// lines are the texts of the rows on the screen, from the top, and the grounds
// of marks as brackets.
func lines(b *Box) []string {
	type drawn struct {
		row  int
		text string
	}
	var all []drawn
	for _, s := range b.View.Slots() {
		if s.Row() < 0 {
			continue
		}
		var texts []*canvas.Text
		for _, o := range s.Box.Objects {
			if text, ok := o.(*canvas.Text); ok && text.Visible() {
				texts = append(texts, text)
			}
		}
		slices.SortFunc(texts, func(a, b *canvas.Text) int { return int(a.Position().X - b.Position().X) })
		var words []string
		for _, t := range texts {
			words = append(words, t.Text)
		}
		all = append(all, drawn{s.Row(), strings.Join(words, " ")})
	}
	slices.SortFunc(all, func(a, b drawn) int { return a.row - b.row })
	var out []string
	for _, d := range all {
		out = append(out, d.text)
	}
	return out
}

func numbered(n int, change map[int]string) string {
	var b strings.Builder
	for i := range n {
		if text, ok := change[i]; ok {
			b.WriteString(text + "\n")
		} else {
			fmt.Fprintf(&b, "line %d\n", i)
		}
	}
	return b.String()
}

func TestSideBySideAndUnified(t *testing.T) {
	b := shown(t, numbered(30, nil), numbered(30, map[int]string{10: "line ten", 20: "line twenty"}), fyne.NewSize(800, 600))
	want := []string{
		"▸ 7 lines the same", "8 line 7 8 line 7", "9 line 8 9 line 8", "10 line 9 10 line 9", "11 − line 10 11 + line ten",
		"12 line 11 12 line 11", "13 line 12 13 line 12", "14 line 13 14 line 13", "▸ 3 lines the same", "18 line 17 18 line 17",
	}
	if got := lines(b); !slices.Equal(got[:len(want)], want) {
		t.Errorf("side by side:\n%s", strings.Join(got, "\n"))
	}
	if b.place.Text != "change 1 of 2  +2 −2" {
		t.Errorf("it says %q", b.place.Text)
	}
	b.View.TypedRune('u')
	want = []string{"▸ 7 lines the same", "8 8 line 7", "9 9 line 8", "10 10 line 9", "11 − line 10", "11 + line ten", "12 12 line 11"}
	if got := lines(b); !slices.Equal(got[:len(want)], want) {
		t.Errorf("unified:\n%s", strings.Join(got, "\n"))
	}
	if b.layout.Text != "Side by side" {
		t.Errorf("the button says %q", b.layout.Text)
	}
}

func TestStepsAndFolds(t *testing.T) {
	b := shown(t, numbered(4000, nil), numbered(4000, map[int]string{100: "a", 2000: "b", 3900: "c"}), fyne.NewSize(800, 300))
	v := b.View
	for _, want := range []int{1, 2, 2} {
		v.TypedRune('n')
		if v.At() != want {
			t.Errorf("looking at change %d, want %d", v.At(), want)
		}
	}
	if got := strings.Join(lines(b), "\n"); !strings.Contains(got, "3901 − line 3900 3901 + c") {
		t.Errorf("the last change is not in view:\n%s", got)
	}
	if !b.next.Disabled() || b.back.Disabled() {
		t.Error("the buttons offer what there is not")
	}
	v.KeyDown(&fyne.KeyEvent{Name: "LeftShift"})
	v.TypedKey(&fyne.KeyEvent{Name: fyne.KeyF8})
	if v.At() != 1 {
		t.Errorf("Shift+F8 leads to %d", v.At())
	}
	if text := v.Text(); text != "-line 2000\n+b\n" {
		t.Errorf("copied %q", text)
	}
	before := v.Count()
	v.ScrollStart()
	v.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if v.Count() <= before {
		t.Errorf("%d rows after unfolding, %d before", v.Count(), before)
	}
	v.TypedRune('a')
	if v.Count() != 4000 {
		t.Errorf("%d rows with nothing folded", v.Count())
	}
}

func TestLongLinesAreBroken(t *testing.T) {
	long := strings.Repeat("0123456789", 50)
	b := shown(t, long+"a日本", long+"b日本\t\u202e", fyne.NewSize(700, 400))
	got := lines(b)
	if len(got) < 10 {
		t.Fatalf("%d lines for 500 characters in half of 700 pixels", len(got))
	}
	joined := strings.Join(got, "\n")
	if !strings.Contains(joined, "‹U+202E›") || strings.Contains(joined, "\u202e") || !strings.Contains(joined, "⇥") {
		t.Errorf("what is hidden is drawn as it is:\n%s", joined)
	}
	rows := b.View.Count()
	b.View.SetUnified(true)
	if b.View.Count() >= rows+rows/2 {
		t.Errorf("unified takes %d rows, side by side %d", b.View.Count(), rows)
	}
}

// What is drawn does not depend on how long the texts are.
func TestOnlyTheWindowIsDrawn(t *testing.T) {
	b := shown(t, numbered(50_000, nil), numbered(50_000, map[int]string{49_000: "x"}), fyne.NewSize(800, 400))
	if n := len(b.View.Slots()); n > 60 {
		t.Errorf("%d lines are drawn", n)
	}
	b.View.UnfoldAll()
	if n := len(b.View.Slots()); n > 60 || b.View.Count() != 50_000 {
		t.Errorf("%d lines of %d are drawn", n, b.View.Count())
	}
}
