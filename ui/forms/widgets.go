package forms

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"mcploupe/ui/measure"
	look "mcploupe/ui/theme"
	"mcploupe/ui/widget"
)

// painter is the renderer of the small widgets here: they place their objects
// themselves.
type painter struct {
	objects []fyne.CanvasObject
	arrange func(fyne.Size)
	min     func() fyne.Size
	style   func()
}

func (p *painter) Layout(size fyne.Size)        { p.arrange(size) }
func (p *painter) MinSize() fyne.Size           { return p.min() }
func (p *painter) Objects() []fyne.CanvasObject { return p.objects }
func (p *painter) Destroy()                     {}

// Refresh is for the toolkit.
func (p *painter) Refresh() {
	p.style()
	for _, o := range p.objects {
		canvas.Refresh(o)
	}
}

func newRect() *canvas.Rectangle { return canvas.NewRectangle(color.Transparent) }

// style sets text, font and colour, and the size to what it needs at most.
func setText(t *canvas.Text, s string, f *measure.Font, name fyne.ThemeColorName) {
	t.Text, t.TextSize, t.TextStyle, t.Color = s, f.Size(), f.Style(), look.Color(name)
	t.Hidden = s == ""
}

// flat is a button without a frame: a word or a glyph. It takes no keyboard, so
// what it does has to have a key elsewhere.
type flat struct {
	widget.BaseWidget
	text, glyph string
	icon        fyne.Resource
	color       fyne.ThemeColorName
	right       bool // the text stands at the right
	onTap       func()

	image   *canvas.Image
	hovered bool
	ground  *canvas.Rectangle
	label   *canvas.Text
	mark    *canvas.Text
}

func newFlat(text, glyph string, name fyne.ThemeColorName, tap func()) *flat {
	f := &flat{}
	f.init(f, text, glyph, name, tap)
	return f
}

func (f *flat) init(self fyne.Widget, text, glyph string, name fyne.ThemeColorName, tap func()) {
	f.text, f.glyph, f.color, f.onTap = text, glyph, name, tap
	f.ground, f.label, f.mark = newRect(), &canvas.Text{}, &canvas.Text{}
	f.ExtendBaseWidget(self)
}

// set changes what it says.
func (f *flat) set(text, glyph string, name fyne.ThemeColorName) {
	if f.text == text && f.glyph == glyph && f.color == name {
		return
	}
	f.text, f.glyph, f.color = text, glyph, name
	f.Refresh()
}

func (f *flat) style() {
	setText(f.label, f.text, fonts().caption, f.color)
	setText(f.mark, f.glyph, fonts().glyph, f.color)
	f.ground.FillColor = color.Transparent
	if f.hovered {
		f.ground.FillColor = look.Color(theme.ColorNameHover)
	}
	f.ground.CornerRadius = look.Size(theme.SizeNameButtonRadius)
}

const flatPad = 4

func (f *flat) wide() float32 {
	w := float32(2 * flatPad)
	if f.icon != nil {
		w += look.Size(theme.SizeNameInlineIcon)
	}
	if f.text != "" {
		w += fonts().caption.Width(f.text)
	}
	if f.glyph != "" {
		w += fonts().glyph.Width(f.glyph)
	}
	if f.text != "" && f.glyph != "" {
		w += 3
	}
	return w
}

func (f *flat) arrange(size fyne.Size) {
	f.style()
	put(f.ground, 0, 0, size.Width, size.Height)
	if f.icon != nil {
		f.image.Resource = theme.NewThemedResource(f.icon)
		s := look.Size(theme.SizeNameInlineIcon)
		put(f.image, (size.Width-s)/2, (size.Height-s)/2, s, s)
	}
	text := fonts().caption.Fit(f.text, size.Width-2*flatPad)
	f.label.Text = text
	tw, th := fonts().caption.Width(text), f.label.MinSize().Height
	gw, gh := fonts().glyph.Width(f.glyph), f.mark.MinSize().Height
	x := float32(flatPad)
	if f.right {
		x = size.Width - flatPad - gw
		if text != "" {
			x -= tw + 3
		}
	}
	if f.right && text != "" { // the glyph comes last
		put(f.label, x, (size.Height-th)/2, tw, th)
		put(f.mark, x+tw+3, (size.Height-gh)/2, gw, gh)
		return
	}
	put(f.mark, x, (size.Height-gh)/2, gw, gh)
	if f.glyph != "" {
		x += gw + 3
	}
	put(f.label, x, (size.Height-th)/2, tw, th)
}

// MinSize is what the words need.
func (f *flat) MinSize() fyne.Size { return fyne.NewSize(f.wide(), fonts().caption.Height()+2) }

// CreateRenderer is for the toolkit.
func (f *flat) CreateRenderer() fyne.WidgetRenderer {
	objects := []fyne.CanvasObject{f.ground, f.label, f.mark}
	if f.icon != nil {
		f.image = canvas.NewImageFromResource(f.icon)
		f.image.FillMode = canvas.ImageFillContain
		objects = append(objects, f.image)
	}
	return &painter{objects: objects, arrange: f.arrange, min: f.MinSize, style: func() { f.arrange(f.Size()) }}
}

// Tapped does it.
func (f *flat) Tapped(*fyne.PointEvent) {
	if f.onTap != nil {
		f.onTap()
	}
}

// Cursor is a hand.
func (f *flat) Cursor() desktop.Cursor { return desktop.PointerCursor }

// MouseIn lights it up.
func (f *flat) MouseIn(*desktop.MouseEvent) { f.hovered = true; f.Refresh() }

// MouseMoved does nothing.
func (f *flat) MouseMoved(*desktop.MouseEvent) {}

// MouseOut puts it out.
func (f *flat) MouseOut() { f.hovered = false; f.Refresh() }

// hit is a place that can be clicked and shows nothing.
type hit struct {
	widget.BaseWidget
	onTap func()
}

func newHit(tap func()) *hit {
	h := &hit{onTap: tap}
	h.ExtendBaseWidget(h)
	return h
}

// CreateRenderer is for the toolkit.
func (h *hit) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(newRect()) }

// Tapped does it.
func (h *hit) Tapped(*fyne.PointEvent) { h.onTap() }

// Cursor is a hand.
func (h *hit) Cursor() desktop.Cursor { return desktop.PointerCursor }

// stop is what the widgets that take the keyboard share.
type stop struct {
	widget.BaseWidget
	b       *box
	focused bool
	ring    *canvas.Rectangle
	self    interface {
		fyne.Widget
		fyne.Focusable
	}
}

func (s *stop) init(b *box, self interface {
	fyne.Widget
	fyne.Focusable
}) {
	s.b, s.self, s.ring = b, self, newRect()
	s.ExtendBaseWidget(self)
}

// FocusGained is for the toolkit.
func (s *stop) FocusGained() {
	s.focused = true
	s.self.Refresh()
	s.b.gained(s.self, true)
}

// FocusLost is for the toolkit.
func (s *stop) FocusLost() {
	s.focused = false
	s.self.Refresh()
	s.b.lost(s.self)
}

// TypedRune does nothing.
func (s *stop) TypedRune(rune) {}

// TypedShortcut takes the keys of every field and gives the others to the window.
func (s *stop) TypedShortcut(k fyne.Shortcut) {
	if !s.b.shortcut(k) {
		s.b.v.forward(k)
	}
}

// take gives it the keyboard.
func (s *stop) take() { s.b.v.give(s.self) }

// frame draws the ring around size.
func (s *stop) frame(size fyne.Size, always bool) {
	s.ring.CornerRadius = look.Size(theme.SizeNameInputRadius)
	s.ring.StrokeWidth = 1
	switch {
	case s.focused:
		s.ring.StrokeColor = look.Color(theme.ColorNamePrimary)
	case always:
		s.ring.StrokeColor = look.Color(theme.ColorNameInputBorder)
	default:
		s.ring.StrokeColor = color.Transparent
	}
	put(s.ring, 0, 0, size.Width, size.Height)
}

// link is a flat button that takes the keyboard.
type link struct {
	stop
	text, glyph string
	quiet       bool // drawn as secondary
	onTap       func()
	hovered     bool
	label, mark *canvas.Text
}

func newLink(b *box, text, glyph string, tap func()) *link {
	l := &link{text: text, glyph: glyph, onTap: tap, label: &canvas.Text{}, mark: &canvas.Text{}}
	l.init(b, l)
	return l
}

func (l *link) set(text string) {
	if l.text != text {
		l.text = text
		l.Refresh()
	}
}

func (l *link) arrange(size fyne.Size) {
	name := theme.ColorNamePrimary
	if l.quiet {
		name = lookMuted
	}
	setText(l.mark, l.glyph, fonts().glyph, name)
	x := float32(flatPad)
	if l.glyph != "" {
		w, h := fonts().glyph.Width(l.glyph), l.mark.MinSize().Height
		put(l.mark, x, (size.Height-h)/2, w, h)
		x += w + 4
	}
	text := fonts().plain.Fit(l.text, size.Width-x-flatPad)
	setText(l.label, text, fonts().plain, name)
	h := l.label.MinSize().Height
	put(l.label, x, (size.Height-h)/2, fonts().plain.Width(text), h)
	l.frame(size, false)
	l.ring.FillColor = color.Transparent
	if l.hovered {
		l.ring.FillColor = look.Color(theme.ColorNameHover)
	}
}

// MinSize is what the words need.
func (l *link) MinSize() fyne.Size {
	w := float32(2*flatPad) + fonts().plain.Width(l.text)
	if l.glyph != "" {
		w += fonts().glyph.Width(l.glyph) + 4
	}
	return fyne.NewSize(w, fonts().plain.Height()+4)
}

// CreateRenderer is for the toolkit.
func (l *link) CreateRenderer() fyne.WidgetRenderer {
	return &painter{
		objects: []fyne.CanvasObject{l.ring, l.label, l.mark},
		arrange: l.arrange, min: l.MinSize, style: func() { l.arrange(l.Size()) },
	}
}

// Tapped does it.
func (l *link) Tapped(*fyne.PointEvent) { l.onTap() }

// Cursor is a hand.
func (l *link) Cursor() desktop.Cursor { return desktop.PointerCursor }

// MouseIn lights it up.
func (l *link) MouseIn(*desktop.MouseEvent) { l.hovered = true; l.Refresh() }

// MouseMoved does nothing.
func (l *link) MouseMoved(*desktop.MouseEvent) {}

// MouseOut puts it out.
func (l *link) MouseOut() { l.hovered = false; l.Refresh() }

// TypedKey does it for Enter and Space.
func (l *link) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		l.onTap()
	default:
		l.b.keyed(e)
	}
}
