package rows

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	look "mcploupe/ui/theme"
)

// newTree is a list whose even rows can be folded.
func newTree(t *testing.T) (*list, *[]int) {
	l := newList(t, 20)
	folded := &[]int{}
	l.bind = func(i int, r *Row) {
		r.Cells[1].Text = "entry"
		if i%2 == 0 {
			r.Cells[1].Fold = Closed
		} else {
			r.Cells[1].Indent = 20
		}
	}
	l.OnFold = func(row int) { *folded = append(*folded, row) }
	l.Invalidate()
	return l, folded
}

func (l *list) objects(row int) *rowObjects {
	for _, s := range l.Slots() {
		if s.Row() == row {
			return s.Data.(*rowObjects)
		}
	}
	return nil
}

func TestTriangleFoldsWithoutSelecting(t *testing.T) {
	l, folded := newTree(t)
	activated := 0
	l.OnActivate = func(int) { activated++ }
	press := func(row int, x float32) {
		e := &desktop.MouseEvent{Button: desktop.MouseButtonPrimary}
		e.Position = fyne.NewPos(x, l.RowTop(row)+5)
		l.MouseDown(e)
	}
	left := l.places[1].x + cellPad
	press(4, left+foldW/2)
	l.DoubleTapped(&fyne.PointEvent{Position: fyne.NewPos(left+foldW/2, l.RowTop(4)+5)})
	if !slices.Equal(*folded, []int{4}) || l.Current() != -1 || activated != 0 {
		t.Errorf("folded %v, row %d selected, %d activated", *folded, l.Current(), activated)
	}
	press(5, left+foldW/2) // a row without a triangle
	press(6, left+foldW+20)
	if !slices.Equal(*folded, []int{4}) || l.Current() != 6 {
		t.Errorf("folded %v, row %d selected", *folded, l.Current())
	}
	if a, b := l.objects(4).cells[1].text.Position().X, l.objects(5).cells[1].text.Position().X; b <= a {
		t.Errorf("the member's text stands at %v, the head's at %v", b, a)
	}
}

func TestRelatedRowsHaveADotAndAGround(t *testing.T) {
	l := newList(t, 20)
	l.Related = func(row int) bool { return row == 3 || row == 5 }
	l.Select(5)
	for row, want := range map[int]bool{2: false, 3: true, 5: false} {
		o := l.objects(row)
		if o.link.Hidden == want {
			t.Errorf("row %d: dot %v, want %v", row, !o.link.Hidden, want)
		}
	}
	if got := l.objects(3).ground.FillColor; got != look.Color(look.ColorRowMarked) {
		t.Errorf("ground %v", got)
	}
	l.objects(3).row.Ground = look.ColorHit // a text was found in it
	if l.Decorate(); l.objects(3).ground.FillColor != look.Color(look.ColorHit) || l.objects(3).link.Hidden {
		t.Error("the relation hides the ground that the row has of its own")
	}
	l.objects(3).row.Ground = ""
	l.Related = nil
	l.Decorate()
	if !l.objects(3).link.Hidden || !l.objects(3).ground.Hidden {
		t.Error("the dot stays")
	}
}

func TestBarsShareAScale(t *testing.T) {
	l := newList(t, 3)
	l.bind = func(i int, r *Row) {
		r.Cells[1].Bars = [][]Bar{
			{{From: 0.25, To: 0.75}, {From: 0.5, To: 0.6, Hollow: true}}, {{From: -1, To: 2}}, {{From: 1, To: 1}},
		}[i]
	}
	l.Invalidate()
	left, width := l.places[1].x+cellPad, l.places[1].w-2*cellPad
	for row, want := range [][2]float32{{0.25, 0.5}, {0, 1}, {1 - barMin/width, barMin / width}} {
		bar := l.objects(row).cells[1].bars[0]
		x, w := (bar.Position().X-left)/width, bar.Size().Width/width
		if d := x - want[0] + w - want[1]; d > 0.01 || d < -0.01 || bar.Hidden {
			t.Errorf("row %d: from %v, %v long, want %v", row, x, w, want)
		}
	}
	if solid, hollow := l.objects(0).cells[1].bars[0], l.objects(0).cells[1].bars[1]; solid.StrokeWidth != 0 || hollow.StrokeWidth == 0 {
		t.Error("work and waiting look the same")
	}
	if l.objects(2).cells[1].bars[0].Hidden {
		t.Error("a moment at the end is not shown")
	}
}

func TestHeaderHasAMenu(t *testing.T) {
	l := newList(t, 20)
	l.ShowHeader(true)
	var got []int
	l.OnHeaderMenu = func(col int, _ fyne.Position) { got = append(got, col) }
	l.OnMenu = func(int, fyne.Position) { t.Error("the menu of a row") }
	for _, x := range []float32{10, 200} {
		l.TappedSecondary(&fyne.PointEvent{Position: fyne.NewPos(x, 5)})
	}
	if !slices.Equal(got, []int{0, 1}) {
		t.Errorf("menus of columns %v", got)
	}
}

// A box is clicked like a triangle, and its shape says whether it is ticked.
func TestTickBoxes(t *testing.T) {
	l := newList(t, 4)
	ticked := map[int]bool{1: true}
	l.bind = func(i int, r *Row) {
		r.Cells[0].Fold = Unticked
		if ticked[i] {
			r.Cells[0].Fold = Ticked
		}
	}
	l.OnFold = func(row int) { ticked[row] = !ticked[row] }
	l.Invalidate()
	if a, b := l.objects(0).cells[0].fold.Text, l.objects(1).cells[0].fold.Text; a != "☐" || b != "☑" {
		t.Errorf("the boxes are %q and %q", a, b)
	}
	e := &desktop.MouseEvent{Button: desktop.MouseButtonPrimary}
	e.Position = fyne.NewPos(l.places[0].x+cellPad+foldW/2, l.RowTop(2)+5)
	l.MouseDown(e)
	if !ticked[2] || l.Current() != -1 {
		t.Errorf("ticked %v, row %d selected", ticked, l.Current())
	}
}
