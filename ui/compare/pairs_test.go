package compare

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"mcploupe/ui/theme"
)

func newPairsWindow(t *testing.T, pairs []Pair) (*Pairs, fyne.Window) {
	t.Helper()
	app := test.NewTempApp(t)
	app.Settings().SetTheme(theme.New(theme.Options{}))
	p := New(func(i int) Pair { return pairs[i] })
	w := test.NewTempWindow(t, p.Object())
	w.SetPadded(false)
	w.Resize(fyne.NewSize(700, 300))
	p.Reset(len(pairs))
	return p, w
}

var some = []Pair{
	{Left: Side{Text: "a"}, Right: Side{Text: "a"}, Link: Same, Sign: "=", Other: -1},
	{Left: Side{Text: "b"}, Link: OnlyLeft, Sign: "−", Other: -1},
	{Right: Side{Text: "c"}, Link: OnlyRight, Sign: "+", Other: -1},
	{Right: Side{Text: "d"}, Link: Moved, Sign: "↶", Other: 5},
	{Left: Side{Text: "3 rows"}, Fold: true, Other: -1},
	{Left: Side{Text: "d"}, Link: Moved, Sign: "↷", Other: 3},
}

type segment struct{ x1, y1, x2, y2 float32 }

// segments are the lines that are drawn, as far as they go down or across.
func segments(p *Pairs) (across, down []segment, signs map[string]float32) {
	signs = map[string]float32{}
	for _, l := range p.links.lines {
		if l.Hidden {
			continue
		}
		s := segment{l.Position1.X, l.Position1.Y, l.Position2.X, l.Position2.Y}
		if s.y1 == s.y2 {
			across = append(across, s)
		} else {
			down = append(down, s)
		}
	}
	for _, s := range p.links.signs {
		if !s.Hidden {
			signs[s.Text] = s.Position().Y + s.Size().Height/2
		}
	}
	return across, down, signs
}

// The connectors say by their shape how the sides hang together.
func TestConnectorsTellTheKindsApart(t *testing.T) {
	p, _ := newPairsWindow(t, some)
	left, right := columnEdges(p.list)
	across, down, signs := segments(p)
	middle := func(row int) float32 { return p.list.RowTop(row) + p.list.RowHeight()/2 }
	at := func(row int) (out []segment) {
		for _, s := range across {
			if s.y1 == middle(row) {
				out = append(out, s)
			}
		}
		return out
	}
	if n := len(at(0)); n != 2 {
		t.Errorf("the same has %d lines", n)
	}
	if s := at(1); len(s) != 1 || s[0].x1 > left+inset+1 || s[0].x2 >= (left+right)/2 {
		t.Errorf("what the left side has alone: %v", s)
	}
	if s := at(2); len(s) != 1 || s[0].x1 <= (left+right)/2 || s[0].x2 < right-inset-1 {
		t.Errorf("what the right side has alone: %v", s)
	}
	if n := len(at(4)); n != 0 {
		t.Errorf("a fold has %d lines", n)
	}
	bends := 0
	for _, s := range down {
		if s.y1 == middle(5) && s.y2 == middle(3) {
			bends++
		}
	}
	if bends != 1 {
		t.Errorf("%d lines lead from one half of what moved to the other: %v", bends, down)
	}
	for sign, row := range map[string]int{"=": 0, "−": 1, "+": 2, "↶": 3, "↷": 5} {
		if y, ok := signs[sign]; !ok || y != middle(row) {
			t.Errorf("sign %s is at %v, its row at %v", sign, y, middle(row))
		}
	}
}

// A window that grows or turns narrow keeps the connectors between the columns.
func TestConnectorsFollowTheColumns(t *testing.T) {
	p, w := newPairsWindow(t, some)
	for _, width := range []float32{400, 900} {
		w.Resize(fyne.NewSize(width, 300))
		left, right := columnEdges(p.list)
		across, _, _ := segments(p)
		for _, s := range across {
			if s.x1 < left || s.x2 > right {
				t.Errorf("at %v a line goes from %v to %v, the column from %v to %v", width, s.x1, s.x2, left, right)
			}
		}
		if words := len(p.list.Columns()) == 4; words != (width >= wordLeast) {
			t.Errorf("at %v there are words: %t", width, words)
		}
	}
}

func TestFoldsOpenByKeyAndRowsAreChosen(t *testing.T) {
	p, w := newPairsWindow(t, some)
	var opened, chosen []int
	p.OnOpen = func(i int) { opened = append(opened, i) }
	p.OnSelect = func(i int) { chosen = append(chosen, i) }
	w.Canvas().Focus(p.list)
	for range 5 {
		p.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	}
	p.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	p.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	if p.Current() != 4 || len(chosen) != 5 {
		t.Errorf("after five keys down row %d is selected, %v were chosen", p.Current(), chosen)
	}
	if len(opened) != 2 || opened[0] != 4 {
		t.Errorf("Enter and Right opened %v", opened)
	}
	p.Select(5)
	if !p.list.Related(3) || p.list.Related(0) {
		t.Error("the other half of what moved is not marked")
	}
}
