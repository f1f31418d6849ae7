package forms

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"mcploupe/protocol/schema"
	look "mcploupe/ui/theme"
	"mcploupe/ui/view/fields"
	"mcploupe/ui/view/safe"
)

// check is a box with three states: on, off, and neither.
type check struct {
	stop
	state  checkState
	text   string
	onTap  func()
	square *canvas.Rectangle
	sign   *canvas.Text
	label  *canvas.Text
}

type checkState uint8

const (
	checkOff checkState = iota
	checkOn
	checkNeither
)

func newCheck(b *box, tap func()) *check {
	c := &check{onTap: tap, square: newRect(), sign: &canvas.Text{}, label: &canvas.Text{}}
	c.init(b, c)
	return c
}

func (c *check) set(s checkState, text string) {
	if c.state != s || c.text != text {
		c.state, c.text = s, text
		c.Refresh()
	}
}

// drawSquare draws the box of a check at a place.
func drawSquare(square *canvas.Rectangle, sign *canvas.Text, s checkState, x, y, size float32) {
	f := fonts()
	square.CornerRadius, square.StrokeWidth = 3, 1.5
	square.FillColor, square.StrokeColor = color.Transparent, look.Color(lookMuted)
	glyph, name := "", theme.ColorNameForegroundOnPrimary
	switch s {
	case checkOn:
		square.FillColor, square.StrokeColor, glyph = look.Color(theme.ColorNamePrimary), look.Color(theme.ColorNamePrimary), "✓"
	case checkNeither:
		glyph, name = "–", lookMuted
	}
	put(square, x, y, size, size)
	setText(sign, glyph, f.glyph, name)
	w, h := f.glyph.Width(glyph), sign.MinSize().Height
	put(sign, x+(size-w)/2, y+(size-h)/2, w, h)
}

const squareSize = 16

func (c *check) arrange(size fyne.Size) {
	f := fonts()
	drawSquare(c.square, c.sign, c.state, 4, (size.Height-squareSize)/2, squareSize)
	name := theme.ColorNameForeground
	if c.state == checkNeither {
		name = lookMuted
	}
	text := f.plain.Fit(c.text, size.Width-squareSize-18)
	setText(c.label, text, f.plain, name)
	h := c.label.MinSize().Height
	put(c.label, squareSize+12, (size.Height-h)/2, f.plain.Width(text), h)
	c.frame(fyne.NewSize(min(size.Width, squareSize+20+f.plain.Width(text)), size.Height), false)
}

// MinSize is small: the label is cut.
func (c *check) MinSize() fyne.Size { return fyne.NewSize(squareSize+8, fonts().control) }

// CreateRenderer is for the toolkit.
func (c *check) CreateRenderer() fyne.WidgetRenderer {
	return &painter{
		objects: []fyne.CanvasObject{c.ring, c.square, c.sign, c.label},
		arrange: c.arrange, min: c.MinSize, style: func() { c.arrange(c.Size()) },
	}
}

// Tapped changes it.
func (c *check) Tapped(*fyne.PointEvent) {
	c.take()
	c.onTap()
}

// Cursor is a hand.
func (c *check) Cursor() desktop.Cursor { return desktop.PointerCursor }

// TypedKey changes it with Space.
func (c *check) TypedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeySpace {
		c.onTap()
		return
	}
	c.b.keyed(e)
}

// boolField is a control for true and false: a click goes on to the next of the
// states that make sense.
type boolField struct {
	b     *box
	check *check
}

func newBoolField(b *box) *boolField {
	f := &boolField{b: b}
	f.check = newCheck(b, f.next)
	f.update()
	return f
}

func (f *boolField) next() {
	n := f.b.node
	switch on, ok := n.Bool(); {
	case ok && on:
		n.SetBool(false)
	case ok && !n.Required():
		n.Clear()
	default:
		n.SetBool(true)
	}
	f.b.v.edited(n)
}

func (f *boolField) object() fyne.CanvasObject { return f.check }
func (f *boolField) stop() fyne.Focusable      { return f.check }
func (f *boolField) height(float32) float32    { return fonts().low }

func (f *boolField) update() {
	n := f.b.node
	on, ok := n.Bool()
	switch {
	case ok && on:
		f.check.set(checkOn, "true")
	case ok:
		f.check.set(checkOff, "false")
	case n.State() == schema.StateDraft:
		f.check.set(checkNeither, safe.Line(n.Text(), 60))
	default:
		f.check.set(checkNeither, fields.StateWord(n))
	}
}

// fixedField shows the one value there can be; what is optional can be left out.
type fixedField struct {
	b     *box
	check *check
}

func newFixedField(b *box) *fixedField {
	f := &fixedField{b: b}
	f.check = newCheck(b, f.next)
	f.update()
	return f
}

func (f *fixedField) next() {
	n := f.b.node
	switch {
	case n.State() != schema.StateValue && n.State() != schema.StateNull:
		n.SetChoice(0)
	case !n.Required():
		n.Clear()
	default:
		return
	}
	f.b.v.edited(n)
}

func (f *fixedField) object() fyne.CanvasObject { return f.check }
func (f *fixedField) stop() fyne.Focusable      { return f.check }
func (f *fixedField) height(float32) float32    { return fonts().low }

func (f *fixedField) update() {
	n := f.b.node
	text := ""
	if c := n.Choices(); len(c) > 0 {
		text = fields.Title(c[0], 200)
	}
	state := checkNeither
	if n.State() == schema.StateValue || n.State() == schema.StateNull {
		state = checkOn
	}
	f.check.set(state, text)
}
