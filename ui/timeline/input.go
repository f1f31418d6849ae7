package timeline

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// MouseDown takes the focus; what it means is known when the button goes up.
func (s *Strip) MouseDown(e *desktop.MouseEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(s); c != nil {
		c.Focus(s)
	}
	s.pressed = e.Button == desktop.MouseButtonPrimary
}

// MouseUp goes to the time of a click.
func (s *Strip) MouseUp(e *desktop.MouseEvent) {
	if s.pressed && !s.dragging && !s.data.Empty() && s.OnJump != nil {
		s.OnJump(s.at(e.Position.X))
	}
	s.pressed = false
}

// Dragged brushes a range.
func (s *Strip) Dragged(e *fyne.DragEvent) {
	if s.data.Empty() {
		return
	}
	if !s.dragging {
		s.dragging = true
		s.start = e.Position.X - e.Dragged.DX
	}
	s.mouse, s.mouseIn = min(max(0, e.Position.X), s.Size().Width), true
	s.place()
}

// DragEnd reports the range.
func (s *Strip) DragEnd() {
	if !s.dragging {
		return
	}
	d := s.dragged()
	s.dragging = false
	if d.to > d.from {
		s.brush = d
		if s.OnBrush != nil {
			s.OnBrush(d.from, d.to)
		}
	}
	s.place()
}

// DoubleTapped takes the brush away.
func (s *Strip) DoubleTapped(*fyne.PointEvent) { s.clear() }

func (s *Strip) clear() {
	if s.OnClear != nil {
		s.OnClear()
	}
}

// MouseIn follows the mouse.
func (s *Strip) MouseIn(e *desktop.MouseEvent) { s.MouseMoved(e) }

// MouseMoved follows the mouse.
func (s *Strip) MouseMoved(e *desktop.MouseEvent) {
	s.mouse, s.mouseIn = e.Position.X, true
	s.place()
}

// MouseOut follows the mouse.
func (s *Strip) MouseOut() {
	s.mouseIn = false
	s.place()
}

// Cursor shows that a range can be brushed.
func (s *Strip) Cursor() desktop.Cursor { return desktop.CrosshairCursor }

// FocusGained is for the toolkit.
func (s *Strip) FocusGained() { s.setFocused(true) }

// FocusLost is for the toolkit.
func (s *Strip) FocusLost() { s.setFocused(false) }

func (s *Strip) setFocused(on bool) {
	s.focused = on
	s.place()
}

// TypedRune is for the toolkit.
func (s *Strip) TypedRune(rune) {}

// stepShare is the part of the time that an arrow key moves.
const stepShare = 40

// TypedKey goes to an earlier or later time, and takes the brush away.
func (s *Strip) TypedKey(e *fyne.KeyEvent) {
	jump := func(at time.Duration) {
		if s.OnJump != nil && !s.data.Empty() {
			s.OnJump(min(max(s.data.From, at), s.data.To))
		}
	}
	middle := max(s.data.From, s.window.from) + max(0, s.window.to-s.window.from)/2
	switch e.Name {
	case fyne.KeyLeft:
		jump(middle - s.length()/stepShare)
	case fyne.KeyRight:
		jump(middle + s.length()/stepShare)
	case fyne.KeyHome:
		jump(s.data.From)
	case fyne.KeyEnd:
		jump(s.data.To)
	case fyne.KeyEscape:
		if s.brush.none() && s.OnKey != nil {
			s.OnKey(e)
			return
		}
		s.clear()
	default:
		if s.OnKey != nil {
			s.OnKey(e)
		}
	}
}
