package forms

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	look "mcploupe/ui/theme"
	"mcploupe/ui/view/fields"
)

// strip shows a few choices side by side, in as many rows as they need: one of
// them chosen, or any number.
type strip struct {
	stop
	several bool
	titles  []string
	on      []bool
	cursor  int
	pick    func(i int)

	items []stripItem
}

type stripItem struct {
	ground, square *canvas.Rectangle
	sign, label    *canvas.Text
	dot            *canvas.Circle
	x, y, w        float32
}

func newStrip(b *box, several bool, pick func(int)) *strip {
	s := &strip{several: several, pick: pick}
	s.init(b, s)
	return s
}

func (s *strip) set(titles []string, on []bool) {
	for len(s.items) < len(titles) {
		s.items = append(s.items, stripItem{ground: newRect(), square: newRect(), sign: &canvas.Text{}, label: &canvas.Text{}, dot: canvas.NewCircle(color.Transparent)})
	}
	s.items = s.items[:len(titles)]
	s.titles, s.on = titles, on
	s.cursor = min(s.cursor, max(0, len(titles)-1))
	s.Refresh()
}

const (
	stripSign = 15
	stripGap  = 14
)

// flow places the items in a width and returns the height.
func (s *strip) flow(width float32) float32 {
	f := fonts()
	row := f.low
	x, y := float32(4), float32(0)
	for i := range s.items {
		w := min(width-4, stripSign+6+f.plain.Width(s.titles[i]))
		if x > 4 && x+w > width {
			x, y = 4, y+row
		}
		s.items[i].x, s.items[i].y, s.items[i].w = x, y, w
		x += w + stripGap
	}
	return y + row
}

func (s *strip) arrange(size fyne.Size) {
	f := fonts()
	s.flow(size.Width)
	row := f.low
	for i := range s.items {
		it := &s.items[i]
		mid := it.y + row/2
		on := i < len(s.on) && s.on[i]
		it.dot.Hidden, it.square.Hidden, it.sign.Hidden = s.several, false, true
		if s.several {
			state := checkOff
			if on {
				state = checkOn
			}
			drawSquare(it.square, it.sign, state, it.x, mid-stripSign/2, stripSign)
		} else {
			it.square.CornerRadius, it.square.StrokeWidth = stripSign/2, 1.5
			it.square.FillColor, it.square.StrokeColor = color.Transparent, look.Color(lookMuted)
			it.dot.FillColor = color.Transparent
			if on {
				it.square.StrokeColor, it.dot.FillColor = look.Color(theme.ColorNamePrimary), look.Color(theme.ColorNamePrimary)
			}
			put(it.square, it.x, mid-stripSign/2, stripSign, stripSign)
			put(it.dot, it.x+4, mid-stripSign/2+4, stripSign-8, stripSign-8)
		}
		text := f.plain.Fit(s.titles[i], it.w-stripSign-6+1)
		setText(it.label, text, f.plain, theme.ColorNameForeground)
		h := it.label.MinSize().Height
		put(it.label, it.x+stripSign+6, mid-h/2, f.plain.Width(text), h)
		it.ground.FillColor = color.Transparent
		if s.focused && i == s.cursor {
			it.ground.FillColor = look.Color(theme.ColorNameFocus)
		}
		it.ground.CornerRadius = 4
		put(it.ground, it.x-3, mid-row/2+2, it.w+6, row-4)
	}
	s.ring.StrokeColor = color.Transparent
}

// MinSize is small: titles are cut.
func (s *strip) MinSize() fyne.Size { return fyne.NewSize(60, fonts().control) }

// CreateRenderer is for the toolkit.
func (s *strip) CreateRenderer() fyne.WidgetRenderer { return &stripRenderer{s} }

type stripRenderer struct{ s *strip }

func (r *stripRenderer) Layout(size fyne.Size) { r.s.arrange(size) }
func (r *stripRenderer) MinSize() fyne.Size    { return r.s.MinSize() }
func (r *stripRenderer) Destroy()              {}

// Refresh is for the toolkit.
func (r *stripRenderer) Refresh() {
	r.s.arrange(r.s.Size())
	canvas.Refresh(r.s.ring)
}

// Objects is for the toolkit.
func (r *stripRenderer) Objects() []fyne.CanvasObject {
	out := []fyne.CanvasObject{r.s.ring}
	for _, it := range r.s.items {
		out = append(out, it.ground, it.square, it.dot, it.sign, it.label)
	}
	return out
}

// Tapped chooses what is under the mouse.
func (s *strip) Tapped(e *fyne.PointEvent) {
	s.take()
	row := fonts().low
	for i, it := range s.items {
		if e.Position.X >= it.x-4 && e.Position.X < it.x+it.w+stripGap/2 && e.Position.Y >= it.y && e.Position.Y < it.y+row {
			s.cursor = i
			s.pick(i)
			return
		}
	}
}

// Cursor is a hand.
func (s *strip) Cursor() desktop.Cursor { return desktop.PointerCursor }

// TypedKey moves, and chooses.
func (s *strip) TypedKey(e *fyne.KeyEvent) {
	step := 0
	switch e.Name {
	case fyne.KeyLeft, fyne.KeyUp:
		step = -1
	case fyne.KeyRight, fyne.KeyDown:
		step = 1
	case fyne.KeyHome:
		step = -s.cursor
	case fyne.KeyEnd:
		step = len(s.titles) - 1 - s.cursor
	case fyne.KeySpace:
		if len(s.titles) > 0 {
			s.pick(s.cursor)
		}
		return
	default:
		s.b.keyed(e)
		return
	}
	to := s.cursor + step
	if to < 0 || to >= len(s.titles) {
		return
	}
	s.cursor = to
	if !s.several {
		s.pick(to)
	}
	s.Refresh()
}

// choiceStrip is a control of a few choices.
type choiceStrip struct {
	b     *box
	strip *strip
}

func newChoiceStrip(b *box, several bool) *choiceStrip {
	c := &choiceStrip{b: b}
	c.strip = newStrip(b, several, func(i int) {
		if several {
			b.node.SetChosen(i, !b.node.Chosen()[i])
		} else {
			b.node.SetChoice(i)
		}
		b.v.edited(b.node)
	})
	if i := b.node.Selected(); !several && i >= 0 {
		c.strip.cursor = i
	}
	c.update()
	return c
}

func (c *choiceStrip) object() fyne.CanvasObject    { return c.strip }
func (c *choiceStrip) stop() fyne.Focusable         { return c.strip }
func (c *choiceStrip) height(width float32) float32 { return c.strip.flow(width) }

func (c *choiceStrip) update() {
	choices := c.b.node.Choices()
	titles := make([]string, len(choices))
	for i, x := range choices {
		titles[i] = fields.Title(x, 80)
	}
	on := make([]bool, len(choices))
	if c.strip.several {
		on = c.b.node.Chosen()
	} else if i := c.b.node.Selected(); i >= 0 {
		on[i] = true
	}
	c.strip.set(titles, on)
}
