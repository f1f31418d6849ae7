package rows

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
)

func TestTenMillionRows(t *testing.T) {
	l := newList(t, 10*million)
	l.ScrollEnd()
	if got := l.shown(); got[len(got)-1] != "9999999" {
		t.Errorf("last row %q", got[len(got)-1])
	}
	y := l.RowTop(10*million - 1)
	test.Scroll(fyne.CurrentApp().Driver().CanvasForObject(l.View), fyne.NewPos(50, 50), 0, 0.4)
	if got := l.RowTop(10*million-1) - y; got < 0.99 || got > 1.01 {
		t.Errorf("a pixel at the end moved the row by %v", got)
	}
	l.click(10*million-5, 0)
	if l.Current() != 10*million-5 {
		t.Errorf("the click chose row %d", l.Current())
	}
}

func TestFollowsUntilThePersonScrolls(t *testing.T) {
	l := newList(t, 10)
	var follows []bool
	l.OnFollow = func(on bool) { follows = append(follows, on) }
	l.Follow(true)
	l.SetCount(500)
	if got := l.shown(); got[len(got)-1] != "499" {
		t.Fatalf("last row is %q", got[len(got)-1])
	}
	c := fyne.CurrentApp().Driver().CanvasForObject(l.View)
	test.Scroll(c, fyne.NewPos(50, 50), 0, 10)
	before := l.shown()
	l.SetCount(1000)
	if !slices.Equal(before, l.shown()) || l.Following() {
		t.Error("the place moved after the person scrolled up")
	}
	l.key(fyne.KeyEnd)
	l.SetCount(1100)
	if got := l.shown(); got[len(got)-1] != "1099" {
		t.Errorf("after End the last row is %q", got[len(got)-1])
	}
	l.click(1090, 0)
	l.SetCount(1200)
	if l.Current() != 1090 || l.RowTop(1090) < 0 {
		t.Error("a chosen row ran away")
	}
	for range 200 {
		test.Scroll(c, fyne.NewPos(50, 50), 0, -10)
	}
	if !l.Following() {
		t.Error("scrolling to the end does not resume")
	}
	if want := []bool{true, false, true, false, true}; !slices.Equal(follows, want) {
		t.Errorf("OnFollow got %v, want %v", follows, want)
	}
}

func TestScrollingShortListKeepsFollowing(t *testing.T) {
	l := newList(t, 3)
	l.Follow(true)
	test.Scroll(fyne.CurrentApp().Driver().CanvasForObject(l.View), fyne.NewPos(50, 50), 0, 10)
	if !l.Following() {
		t.Error("a wheel turn that moved nothing ended following")
	}
}

func TestScrollBar(t *testing.T) {
	l := newList(t, million)
	x := l.Size().Width - barWidth/2
	drag(l.View, fyne.NewPos(x, 10), fyne.NewDelta(0, 1000))
	if !l.AtEnd() {
		t.Error("dragging the thumb past the end does not show the end")
	}
	l.ScrollStart()
	l.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, 300)}, Button: desktop.MouseButtonPrimary})
	if i, _ := l.Place(); i != 20 {
		t.Errorf("a press below the thumb shows row %d, want a page", i)
	}
	if l.Current() != -1 {
		t.Error("a press on the scroll bar selected a row")
	}
}

// drag is the toolkit's order of events: a press, then moves.
func drag(v *View, from fyne.Position, steps ...fyne.Delta) {
	v.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: from}, Button: desktop.MouseButtonPrimary})
	pos := from
	for _, d := range steps {
		pos = pos.AddXY(d.DX, d.DY)
		v.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: pos}, Dragged: d})
	}
	v.DragEnd()
}

func TestThumbFollowsTheMouse(t *testing.T) {
	l := newList(t, million)
	x := l.Size().Width - barWidth/2
	var steps []fyne.Delta
	for range 50 {
		steps = append(steps, fyne.NewDelta(0, 2))
	}
	drag(l.View, fyne.NewPos(x, 10), steps...)
	if got, want := l.vthumb.Position().Y, float32(100+barInset); got < want-1 || got > want+1 {
		t.Errorf("the thumb is at %v, the mouse moved it to %v", got, want)
	}
}

func TestWideColumnsScrollSideways(t *testing.T) {
	l := newList(t, 100)
	l.SetColumns(Column{Width: 300}, Column{Width: 500})
	test.Scroll(fyne.CurrentApp().Driver().CanvasForObject(l.View), fyne.NewPos(50, 50), -1000, 0)
	if got, want := l.OffsetX(), 800-l.viewWidth(); got != want {
		t.Errorf("scrolled to %v, want %v", got, want)
	}
	if box := l.Slots()[0].Box; box.Position().X != -l.OffsetX() {
		t.Errorf("rows are at %v", box.Position().X)
	}
	l.SetColumns(Column{Width: 100})
	if l.OffsetX() != 0 {
		t.Errorf("still scrolled to %v although all fits", l.OffsetX())
	}
}
