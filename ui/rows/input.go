package rows

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"mcploupe/ui/widget"
)

func (v *View) bottom() fyne.Position { return fyne.NewPos(0, v.Size().Height-1) }

// MouseDown takes the focus and selects.
func (v *View) MouseDown(e *desktop.MouseEvent) {
	v.pressed = true
	v.Focus()
	v.press(e.Position, e.Button, e.Modifier)
}

func (v *View) press(pos fyne.Position, button desktop.MouseButton, mod fyne.KeyModifier) {
	if button == desktop.MouseButtonPrimary && v.PressBar(pos) {
		return
	}
	if v.header != nil && pos.Y < v.head {
		if button == desktop.MouseButtonPrimary && v.header.boundaryAt(pos.X+v.x) < 0 {
			if col := v.columnAt(pos.X + v.x); col >= 0 && v.OnHeader != nil {
				v.OnHeader(col)
			}
		}
		return
	}
	i := v.RowAt(pos)
	if i < 0 || button == desktop.MouseButtonSecondary && v.Selected(i) {
		return
	}
	primary := button == desktop.MouseButtonPrimary
	if primary && v.OnFold != nil && v.onFold(i, pos.X+v.x) {
		v.OnFold(i)
		return
	}
	v.choose(i, primary && mod&fyne.KeyModifierShift != 0, primary && mod&fyne.KeyModifierShortcutDefault != 0)
}

// onFold reports whether x in the rows is on the triangle of row i.
func (v *View) onFold(i int, x float32) bool {
	for _, s := range v.slots {
		o, ok := s.Data.(*rowObjects)
		if !ok || s.row != i {
			continue
		}
		for n := range o.cells {
			if end := o.cells[n].foldEnd; end > 0 && x >= end-foldW-gap && x < end {
				return true
			}
		}
	}
	return false
}

// MouseUp does nothing: the press has done it.
func (v *View) MouseUp(*desktop.MouseEvent) {}

// Tapped selects where there is no mouse.
func (v *View) Tapped(e *fyne.PointEvent) {
	if v.pressed {
		v.pressed = false
		return
	}
	v.Focus()
	v.press(e.Position, desktop.MouseButtonPrimary, 0)
}

// DoubleTapped activates a row.
func (v *View) DoubleTapped(e *fyne.PointEvent) {
	v.pressed = false
	i := v.RowAt(e.Position)
	if i < 0 || v.OnActivate == nil || v.OnFold != nil && v.onFold(i, e.Position.X+v.x) {
		return
	}
	v.OnActivate(i)
}

// TappedSecondary asks for a row's menu.
func (v *View) TappedSecondary(e *fyne.PointEvent) {
	if v.header != nil && e.Position.Y < v.head {
		if v.OnHeaderMenu != nil {
			v.OnHeaderMenu(v.columnAt(e.Position.X+v.x), e.AbsolutePosition)
		}
		return
	}
	i := v.RowAt(e.Position)
	if i < 0 {
		return
	}
	if !v.Selected(i) {
		v.choose(i, false, false)
	}
	if v.OnMenu != nil {
		v.OnMenu(i, e.AbsolutePosition)
	}
}

// Dragged moves a scroll bar's thumb or a column's edge.
func (v *View) Dragged(e *fyne.DragEvent) {
	if v.resizing >= 0 {
		v.header.resize(v.resizing, e.Dragged.DX)
		return
	}
	start := e.Position.SubtractXY(e.Dragged.DX, e.Dragged.DY)
	if v.drag == dragNone && v.header != nil && start.Y < v.head {
		if v.resizing = v.header.boundaryAt(start.X + v.x); v.resizing >= 0 {
			v.header.resize(v.resizing, e.Dragged.DX)
			return
		}
	}
	v.DragBar(e)
}

// DragEnd ends it.
func (v *View) DragEnd() {
	v.EndDrag()
	if v.resizing >= 0 {
		v.resizing = -1
		if v.OnColumns != nil {
			v.OnColumns(v.Columns())
		}
	}
}

// MouseIn follows the mouse.
func (v *View) MouseIn(e *desktop.MouseEvent) { v.MouseMoved(e) }

// MouseMoved follows the mouse.
func (v *View) MouseMoved(e *desktop.MouseEvent) {
	v.mouse, v.mouseIn = e.Position, true
	v.setHover(e.AbsolutePosition)
}

// MouseOut follows the mouse.
func (v *View) MouseOut() {
	v.mouseIn = false
	v.setHover(fyne.Position{})
}

// moveHover follows rows that move below a mouse that does not.
func (v *View) moveHover() {
	if v.mouseIn {
		v.setHover(v.hover.At)
	}
}

func (v *View) setHover(at fyne.Position) {
	now := Hover{Row: -1, Col: -1, At: at}
	if v.mouseIn && v.InWindow(v.mouse) {
		now.Row = v.RowAt(v.mouse)
	}
	if now.Row >= 0 {
		now.Col = v.columnAt(v.mouse.X + v.x)
		for _, s := range v.slots {
			if o, ok := s.Data.(*rowObjects); ok && s.row == now.Row && now.Col >= 0 && now.Col < len(o.cells) {
				now.Cut = o.cells[now.Col].cut
			}
		}
	}
	was := v.hover
	v.hover = now
	if was.Row != now.Row {
		v.Decorate()
	}
	if was.Row == now.Row && was.Col == now.Col {
		return
	}
	if v.OnHover != nil {
		v.OnHover(now)
	}
	if OnAnyHover != nil {
		OnAnyHover(v, now)
	}
}

func (v *View) columnAt(x float32) int {
	for i, p := range v.places {
		if x >= p.x && x < p.x+p.w {
			return i
		}
	}
	return -1
}

// Cursor shows where a column can be resized.
func (v *View) Cursor() desktop.Cursor {
	if v.header != nil && v.mouseIn && v.mouse.Y < v.head && v.header.boundaryAt(v.mouse.X+v.x) >= 0 {
		return desktop.HResizeCursor
	}
	return desktop.DefaultCursor
}

// FocusGained is for the toolkit.
func (v *View) FocusGained() { v.setFocused(true) }

// FocusLost is for the toolkit.
func (v *View) FocusLost() {
	v.shift = false
	v.setFocused(false)
}

func (v *View) setFocused(on bool) {
	v.SetFocused(on)
	if v.OnFocus != nil {
		v.OnFocus(on)
	}
}

// KeyDown remembers Shift, which key events do not carry.
func (v *View) KeyDown(e *fyne.KeyEvent) { v.shift = v.shift || isShift(e.Name) }

// KeyUp forgets it.
func (v *View) KeyUp(e *fyne.KeyEvent) { v.shift = v.shift && !isShift(e.Name) }

func isShift(k fyne.KeyName) bool { return k == desktop.KeyShiftLeft || k == desktop.KeyShiftRight }

// TypedRune passes on what the person types.
func (v *View) TypedRune(r rune) {
	if v.OnRune != nil {
		v.OnRune(r)
	}
}

// TypedKey moves through the rows.
func (v *View) TypedKey(e *fyne.KeyEvent) {
	if v.OnKey != nil && v.OnKey(e) {
		return
	}
	switch e.Name {
	case fyne.KeyUp:
		v.step(-1)
	case fyne.KeyDown:
		v.step(1)
	case fyne.KeyPageUp:
		v.step(-v.Page())
	case fyne.KeyPageDown:
		v.step(v.Page())
	case fyne.KeyHome:
		v.choose(0, v.shift, false)
		v.ScrollStart()
	case fyne.KeyEnd:
		v.choose(v.Count()-1, v.shift, false)
		v.ScrollEnd()
	case fyne.KeyLeft:
		v.ScrollX(v.x - 40)
	case fyne.KeyRight:
		v.ScrollX(v.x + 40)
	case desktop.KeyMenu:
		v.menuByKey()
	case fyne.KeyF10:
		if v.shift {
			v.menuByKey()
		}
	case fyne.KeyReturn, fyne.KeyEnter:
		if v.current >= 0 && v.OnActivate != nil {
			v.OnActivate(v.current)
		}
	default:
		widget.Leave(e)
	}
}

// menuByKey asks for the menu of the row the keyboard stands on, below that row.
func (v *View) menuByKey() {
	if v.current < 0 || v.OnMenu == nil {
		return
	}
	v.Reveal(v.current)
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(v)
	v.OnMenu(v.current, at.AddXY(4*cellPad, v.RowTop(v.current)+v.RowHeight()))
}

// TypedShortcut selects all and copies; everything else goes to the window.
func (v *View) TypedShortcut(s fyne.Shortcut) {
	switch s.(type) {
	case *fyne.ShortcutSelectAll:
		v.SelectAll()
	case *fyne.ShortcutCopy:
		if v.OnCopy != nil {
			v.OnCopy()
		}
	default:
		v.ForwardShortcut(s)
	}
}
