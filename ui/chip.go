package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// chip is a small switch with three states: off, on and excluded. A word or a
// sign says which, not the colour alone.
type chip struct {
	widget.BaseWidget
	label   string
	toggle  func()
	exclude func()

	state   view.ChipState
	focused bool
	hovered bool
	ground  *canvas.Rectangle
	text    *canvas.Text
}

var (
	_ fyne.Tappable          = (*chip)(nil)
	_ fyne.SecondaryTappable = (*chip)(nil)
	_ fyne.Focusable         = (*chip)(nil)
	_ desktop.Hoverable      = (*chip)(nil)
	_ desktop.Cursorable     = (*chip)(nil)
)

func newChip(label string, toggle, exclude func()) *chip {
	c := &chip{label: label, toggle: toggle, exclude: exclude}
	c.ground = &canvas.Rectangle{StrokeWidth: 1, CornerRadius: theme.RadiusPill}
	c.text = &canvas.Text{Alignment: fyne.TextAlignCenter}
	c.ExtendBaseWidget(c)
	return c
}

func (c *chip) set(state view.ChipState) {
	if c.state != state {
		c.state = state
		c.Refresh()
	}
}

// CreateRenderer implements fyne.Widget.
func (c *chip) CreateRenderer() fyne.WidgetRenderer {
	r := &chipRenderer{c}
	r.Refresh()
	return r
}

// Tapped implements fyne.Tappable.
func (c *chip) Tapped(*fyne.PointEvent) { c.toggle() }

// TappedSecondary implements fyne.SecondaryTappable.
func (c *chip) TappedSecondary(*fyne.PointEvent) { c.exclude() }

// FocusGained implements fyne.Focusable.
func (c *chip) FocusGained() { c.focused = true; c.Refresh() }

// FocusLost implements fyne.Focusable.
func (c *chip) FocusLost() { c.focused = false; c.Refresh() }

// TypedRune implements fyne.Focusable: minus excludes.
func (c *chip) TypedRune(r rune) {
	if r == '-' {
		c.exclude()
	}
}

// TypedKey implements fyne.Focusable.
func (c *chip) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		c.toggle()
	default:
		widget.Leave(k)
	}
}

// MouseIn implements desktop.Hoverable.
func (c *chip) MouseIn(*desktop.MouseEvent) { c.hovered = true; c.Refresh() }

// MouseMoved implements desktop.Hoverable.
func (c *chip) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (c *chip) MouseOut() { c.hovered = false; c.Refresh() }

// Cursor implements desktop.Cursorable.
func (c *chip) Cursor() desktop.Cursor { return desktop.PointerCursor }

type chipRenderer struct{ c *chip }

func (r *chipRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.c.ground, r.c.text}
}
func (r *chipRenderer) Destroy() {}

// MinSize has room for the sign, so that a click moves nothing.
func (r *chipRenderer) MinSize() fyne.Size {
	size := fyne.MeasureText("✓ "+r.c.label, theme.Size(fynetheme.SizeNameCaptionText), fyne.TextStyle{})
	return fyne.NewSize(size.Width+2*theme.SpaceS, size.Height+theme.SpaceS)
}

func (r *chipRenderer) Layout(size fyne.Size) {
	h := r.MinSize().Height
	r.c.ground.Move(fyne.NewPos(0, (size.Height-h)/2))
	r.c.ground.Resize(fyne.NewSize(size.Width, h))
	r.c.text.Move(fyne.NewPos(0, (size.Height-h)/2))
	r.c.text.Resize(fyne.NewSize(size.Width, h))
}

func (r *chipRenderer) Refresh() {
	c := r.c
	c.text.TextSize, c.text.Color = theme.Size(fynetheme.SizeNameCaptionText), theme.Color(fynetheme.ColorNameForeground)
	c.text.Text = c.label
	fill, stroke := fynetheme.ColorNameBackground, fynetheme.ColorNameInputBorder
	switch c.state {
	case view.ChipOn:
		c.text.Text, fill, stroke = "✓ "+c.label, theme.ColorRowSelected, fynetheme.ColorNamePrimary
	case view.ChipExcluded:
		c.text.Text, stroke = "− "+c.label, theme.ColorFailed
	}
	switch {
	case c.focused:
		stroke = fynetheme.ColorNamePrimary
	case c.hovered && c.state != view.ChipOn:
		fill = theme.ColorRowHover
	}
	c.ground.FillColor, c.ground.StrokeColor = theme.Color(fill), theme.Color(stroke)
	c.ground.StrokeWidth, c.ground.CornerRadius = 1, theme.Scaled(theme.RadiusPill)
	if c.focused {
		c.ground.StrokeWidth = 2
	}
	c.ground.Refresh()
	c.text.Refresh()
}
