package forms

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	look "mcploupe/ui/theme"
	"mcploupe/ui/view/fields"
)

// caption is what stands below a control: marks, and the error or else the hint
// and the help, which a click opens.
type caption struct {
	b     *box
	marks []fields.Mark
	error string
	warns bool
	hint  string
	help  string
	taken bool   // another member has the name that is being typed
	word  string // the type, when there is no room for it beside the label

	inHead bool // of a section: the hint stands in its head

	lines  []*canvas.Text
	glyph  *canvas.Text
	badges []badge
	hit    *hit
	more   *canvas.Text
}

type badge struct {
	ground *canvas.Rectangle
	text   *canvas.Text
}

const (
	maxError = 4   // lines of an error
	maxHelp  = 200 // lines of a help text
	// leastRoom is how much of a line the text after the marks needs to begin there.
	leastRoom = 100
)

func newCaption(b *box) *caption {
	c := &caption{b: b, glyph: &canvas.Text{}, more: &canvas.Text{}}
	c.hit = newHit(func() {
		if b.v.wide[b.node] {
			delete(b.v.wide, b.node)
		} else {
			b.v.wide[b.node] = true
		}
		b.stale = true
		b.v.area.draw()
	})
	return c
}

func (c *caption) objects() []fyne.CanvasObject {
	out := []fyne.CanvasObject{c.glyph, c.more}
	for _, x := range c.badges {
		out = append(out, x.ground, x.text)
	}
	for _, t := range c.lines {
		out = append(out, t)
	}
	return append(out, c.hit)
}

func (c *caption) update() {
	n := c.b.node
	c.error, c.warns = "", false
	if c.b.seen {
		c.error, c.warns = fields.Error(n.Problems())
	}
	if c.taken {
		c.error, c.warns = "another member has this name", false
	}
	c.marks, c.hint, c.help = fields.Marks(n), fields.Hint(n), fields.Help(n)
}

// arrange places the caption at a place and returns where it ends; with nothing
// to say it takes no room.
func (c *caption) arrange(x, y, width float32) float32 {
	f := fonts()
	hadLines, hadBadges := len(c.lines), len(c.badges)
	count, top, end := 0, y, x+width
	line := func(text string, at float32, name fyne.ThemeColorName) {
		if count == len(c.lines) {
			c.lines = append(c.lines, &canvas.Text{})
		}
		t := c.lines[count]
		count++
		setText(t, text, f.caption, name)
		put(t, at, y, f.caption.Width(text), f.captionLine)
		y += f.captionLine
	}
	c.glyph.Hidden, c.more.Hidden, c.hit.Hidden = true, true, true
	at := c.placeMarks(x, y, end)
	wide := c.b.v.wide[c.b.node]
	short, several := c.short()
	if c.error != "" {
		if end-at < leastRoom {
			y += f.captionLine
			at = x
		}
		at = c.placeGlyph(at, y)
		name := c.errorColor()
		for _, text := range wrap(f.caption, c.error, end-at, maxError) {
			line(text, at, name)
		}
	} else if at > x && (wide || short == "" || end-at < leastRoom) {
		y += f.captionLine // the marks take the line
		at = x
	}
	switch {
	case wide:
		for _, text := range []string{c.rules(), c.help} {
			if text == "" {
				continue
			}
			for _, s := range wrap(f.caption, text, width, maxHelp) {
				line(s, x, lookMuted)
			}
		}
	case c.error == "" && short != "":
		room := end - at
		if several || f.caption.Width(short) > room {
			const more = "more"
			w := f.caption.Width(more)
			text := f.caption.Fit(short, room-w-8)
			setText(c.more, more, f.caption, look.ColorOut)
			put(c.more, at+f.caption.Width(text)+6, y, w, f.captionLine)
			short = text
		}
		line(short, at, lookMuted)
	}
	if wide || !c.more.Hidden || c.error != "" && short != "" {
		c.hit.Hidden = false
		put(c.hit, x, top, width, y-top)
	}
	for _, t := range c.lines[count:] {
		t.Hidden = true
	}
	if hadLines != len(c.lines) || hadBadges != len(c.badges) {
		c.b.gather()
	}
	return y
}

func (c *caption) errorColor() fyne.ThemeColorName {
	if c.warns {
		return look.ColorWarning
	}
	return look.ColorFailed
}

// placeGlyph draws the sign before an error and returns where the text begins.
func (c *caption) placeGlyph(x, y float32) float32 {
	f := fonts()
	mark := "✗"
	if c.warns {
		mark = "⚠"
	}
	setText(c.glyph, mark, f.mono, c.errorColor())
	h := c.glyph.MinSize().Height
	put(c.glyph, x, y+(f.captionLine-h)/2, f.mono.Width(mark), h)
	return x + f.mono.Width(mark) + 4
}

// rules are the type, when it is not beside the label, and the hint.
func (c *caption) rules() string {
	if c.b.l.Role == fields.Section && c.inHead {
		return ""
	}
	if c.word != "" && c.hint != "" {
		return c.word + " · " + c.hint
	}
	return c.word + c.hint
}

// short is the caption in one line; several says that there is more.
func (c *caption) short() (text string, several bool) {
	text = c.rules()
	if c.help == "" {
		return text, false
	}
	help, _, several := strings.Cut(c.help, "\n")
	if text != "" {
		text += " — "
	}
	return text + help, several
}

// placeMarks draws the marks as badges and returns where they end.
func (c *caption) placeMarks(x, y, end float32) float32 {
	f := fonts()
	for len(c.badges) < len(c.marks) {
		c.badges = append(c.badges, badge{newRect(), &canvas.Text{}})
	}
	for i, b := range c.badges {
		b.ground.Hidden, b.text.Hidden = true, true
		if i >= len(c.marks) {
			continue
		}
		m := c.marks[i]
		name := look.ColorOut
		if m.Warn {
			name = look.ColorWarning
		}
		text := f.caption.Fit(m.Text, end-x-10)
		if text == "" {
			continue
		}
		setText(b.text, text, f.caption, name)
		b.ground.Hidden = false
		b.ground.FillColor = look.Tint(look.Color(name))
		b.ground.CornerRadius = 3
		w := f.caption.Width(text) + 8
		put(b.ground, x, y+1, w, f.captionLine)
		put(b.text, x+4, y+1, w-8, f.captionLine)
		x += w + 6
	}
	return x
}
