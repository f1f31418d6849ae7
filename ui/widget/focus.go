package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"mcploupe/ui/theme"
)

// Ring is the width of the ring around what has the keyboard.
const Ring = 2

// ringed draws a ring around a control while it has the keyboard.
type ringed struct {
	fyne.WidgetRenderer
	focused func() bool
	filled  func() bool // it is filled with the colour that rings have
	ring    *canvas.Rectangle
	own     []fyne.CanvasObject // of the control, as they were last
	all     []fyne.CanvasObject // with the ring
}

func withRing(r fyne.WidgetRenderer, focused, filled func() bool) fyne.WidgetRenderer {
	out := &ringed{WidgetRenderer: r, focused: focused, filled: filled, ring: canvas.NewRectangle(nil)}
	out.ring.StrokeWidth = Ring
	out.style()
	return out
}

func (r *ringed) style() {
	name := fynetheme.ColorNamePrimary
	if r.filled() {
		name = fynetheme.ColorNameForeground
	}
	r.ring.StrokeColor = theme.Color(name)
	r.ring.CornerRadius = theme.Size(fynetheme.SizeNameButtonRadius)
	r.ring.Hidden = !r.focused()
}

// Layout implements fyne.WidgetRenderer.
func (r *ringed) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	r.ring.Resize(size)
}

// Refresh implements fyne.WidgetRenderer.
func (r *ringed) Refresh() {
	r.style()
	r.WidgetRenderer.Refresh()
	canvas.Refresh(r.ring)
}

// Objects implements fyne.WidgetRenderer.
func (r *ringed) Objects() []fyne.CanvasObject {
	own := r.WidgetRenderer.Objects()
	if len(own) != len(r.own) || len(own) > 0 && &own[0] != &r.own[0] {
		r.own = own
		r.all = append(append(make([]fyne.CanvasObject, 0, len(own)+1), own...), r.ring)
	}
	return r.all
}

// Leave gives the window a key that what has the keyboard has no use for. The
// window itself gets keys only while nothing has the keyboard.
func Leave(k *fyne.KeyEvent) {
	if c, _ := focused(); c != nil {
		if do := c.OnTypedKey(); do != nil {
			do(k)
		}
	}
}

// focused is what has the keyboard, and the canvas that it is on.
func focused() (fyne.Canvas, fyne.CanvasObject) {
	for _, w := range fyne.CurrentApp().Driver().AllWindows() {
		if o, ok := w.Canvas().Focused().(fyne.CanvasObject); ok {
			return w.Canvas(), o
		}
	}
	return nil, nil
}

// RevealFocused scrolls what has the keyboard into view.
func RevealFocused() {
	if _, o := focused(); o != nil {
		Reveal(o)
	}
}

// Reveal scrolls the areas that o lies in so that it is seen.
func Reveal(o fyne.CanvasObject) {
	d := fyne.CurrentApp().Driver()
	c := d.CanvasForObject(o)
	if c == nil {
		return
	}
	var around []*container.Scroll
	if !enclosing(c.Content(), o, &around) {
		return
	}
	for i := len(around) - 1; i >= 0; i-- { // the innermost first
		s := around[i]
		at := d.AbsolutePositionForObject(o).Subtract(d.AbsolutePositionForObject(s))
		offset := s.Offset
		offset.X += shift(at.X, o.Size().Width, s.Size().Width)
		offset.Y += shift(at.Y, o.Size().Height, s.Size().Height)
		if offset != s.Offset {
			s.ScrollToOffset(offset)
		}
	}
}

// shift is how far to scroll so that what begins at from lies within room, its
// beginning if it is longer than that.
func shift(from, length, room float32) float32 {
	switch {
	case room <= 0:
		return 0
	case from < 0 || length > room:
		return from
	case from+length > room:
		return from + length - room
	}
	return 0
}

// enclosing collects the scrolled areas from root down to o, outermost first,
// and reports whether o is below root.
func enclosing(root, o fyne.CanvasObject, into *[]*container.Scroll) bool {
	if root == o {
		return true
	}
	if root == nil || !root.Visible() {
		return false
	}
	switch r := root.(type) {
	case *fyne.Container:
		for _, child := range r.Objects {
			if enclosing(child, o, into) {
				return true
			}
		}
	case *widget.RichText: // its links are within
		d := fyne.CurrentApp().Driver()
		at := d.AbsolutePositionForObject(o).Subtract(d.AbsolutePositionForObject(r))
		_, link := o.(*widget.Hyperlink)
		return link && at.X >= 0 && at.Y >= 0 && at.X < r.Size().Width && at.Y < r.Size().Height
	case *container.Split:
		return enclosing(r.Leading, o, into) || enclosing(r.Trailing, o, into)
	case *container.Scroll:
		n := len(*into)
		*into = append(*into, r)
		if enclosing(r.Content, o, into) {
			return true
		}
		*into = (*into)[:n]
	}
	return false
}

// Border lays objects out as the toolkit's container of that name does, and
// keeps them in the order in which they are read, which is the order in which
// the keyboard goes through them: top, left, the middle, right, bottom.
func Border(top, bottom, left, right fyne.CanvasObject, middle ...fyne.CanvasObject) *fyne.Container {
	var read []fyne.CanvasObject
	for _, o := range append(append([]fyne.CanvasObject{top, left}, middle...), right, bottom) {
		if o != nil {
			read = append(read, o)
		}
	}
	return container.New(layout.NewBorderLayout(top, bottom, left, right), read...)
}
