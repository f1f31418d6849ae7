package forms

import (
	"fyne.io/fyne/v2"

	"mcploupe/ui/widget"
)

// wheelCatcher lies over the lines and takes the wheel, which an entry under the
// mouse would keep for itself.
type wheelCatcher struct {
	widget.BaseWidget
	a *area
}

// Scrolled scrolls the form, or the editor under the mouse while it has the
// keyboard and can still move.
func (w *wheelCatcher) Scrolled(e *fyne.ScrollEvent) {
	if w.a.v.inner(e) {
		return
	}
	const notch = 2.5
	w.a.scrollBy(float64(-e.Scrolled.DY * notch))
}

// CreateRenderer is for the toolkit.
func (w *wheelCatcher) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(newRect())
}

// bar takes what is done to the scroll bar.
type bar struct {
	widget.BaseWidget
	a    *area
	grip float64
	held bool
}

// CreateRenderer is for the toolkit.
func (b *bar) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(newRect())
}

// Tapped scrolls by a page.
func (b *bar) Tapped(e *fyne.PointEvent) {
	page := float64(b.a.Size().Height) * 0.9
	switch y := float64(e.Position.Y); {
	case y < b.a.thumbTop():
		b.a.scrollBy(-page)
	case y > b.a.thumbTop()+b.a.thumbLength():
		b.a.scrollBy(page)
	}
}

// Dragged moves the thumb.
func (b *bar) Dragged(e *fyne.DragEvent) {
	if !b.held {
		b.held = true
		b.grip = float64(e.Position.Y-e.Dragged.DY) - b.a.thumbTop()
	}
	room := float64(b.a.Size().Height) - b.a.thumbLength()
	if room > 0 {
		to := (float64(e.Position.Y) - b.grip) * b.a.maxTop() / room
		b.a.scrollBy(to - b.a.top)
	}
}

// DragEnd lets the thumb go.
func (b *bar) DragEnd() { b.held = false }

// put places an object.
func put(o fyne.CanvasObject, x, y, w, h float32) {
	o.Move(fyne.NewPos(x, y))
	o.Resize(fyne.NewSize(w, h))
}
