package forms

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"mcploupe/protocol/schema"
	look "mcploupe/ui/theme"
	"mcploupe/ui/view/fields"
	"mcploupe/ui/view/safe"
)

// pick looks like an entry and opens a list to choose from.
type pick struct {
	stop
	text  string
	muted bool
	open  func(typed string)

	ground       *canvas.Rectangle
	label, arrow *canvas.Text
}

func newPick(b *box, open func(typed string)) *pick {
	p := &pick{open: open, ground: newRect(), label: &canvas.Text{}, arrow: &canvas.Text{}}
	p.init(b, p)
	return p
}

func (p *pick) set(text string, muted bool) {
	if p.text != text || p.muted != muted {
		p.text, p.muted = text, muted
		p.Refresh()
	}
}

func (p *pick) wide() float32 { return fonts().plain.Width(p.text) + 40 }

func (p *pick) arrange(size fyne.Size) {
	f := fonts()
	p.ground.FillColor = look.Color(theme.ColorNameInputBackground)
	p.ground.CornerRadius = look.Size(theme.SizeNameInputRadius)
	put(p.ground, 0, 0, size.Width, size.Height)
	p.frame(size, true)
	name := theme.ColorNameForeground
	if p.muted {
		name = theme.ColorNamePlaceHolder
	}
	pad := look.Size(theme.SizeNameInnerPadding)
	text := f.plain.Fit(p.text, size.Width-2*pad-18)
	setText(p.label, text, f.plain, name)
	h := p.label.MinSize().Height
	put(p.label, pad+1, (size.Height-h)/2, f.plain.Width(text), h)
	setText(p.arrow, "▾", f.glyph, lookMuted)
	w, h := f.glyph.Width("▾"), p.arrow.MinSize().Height
	put(p.arrow, size.Width-pad-w, (size.Height-h)/2, w, h)
}

// MinSize is small: the text is cut.
func (p *pick) MinSize() fyne.Size { return fyne.NewSize(50, fonts().control) }

// CreateRenderer is for the toolkit.
func (p *pick) CreateRenderer() fyne.WidgetRenderer {
	return &painter{
		objects: []fyne.CanvasObject{p.ground, p.ring, p.label, p.arrow},
		arrange: p.arrange, min: p.MinSize, style: func() { p.arrange(p.Size()) },
	}
}

// Tapped opens the list.
func (p *pick) Tapped(*fyne.PointEvent) {
	p.take()
	p.open("")
}

// Cursor is a hand.
func (p *pick) Cursor() desktop.Cursor { return desktop.PointerCursor }

// TypedRune opens the list with what is typed as filter.
func (p *pick) TypedRune(r rune) {
	if r != ' ' {
		p.open(string(r))
	}
}

// TypedKey opens the list.
func (p *pick) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter, fyne.KeyDown:
		p.open("")
	default:
		p.b.keyed(e)
	}
}

// newVariantPick is the picker of one of several forms of a value.
func newVariantPick(b *box, at int, p schema.Picker) *pick {
	var out *pick
	out = newPick(b, func(typed string) {
		groups := b.node.Pickers()
		if at >= len(groups) {
			return
		}
		g := groups[at]
		options := make([]option, len(g.Titles))
		for i, t := range g.Titles {
			options[i] = option{title: safe.Line(t, 200), on: i == g.Picked}
			if i < len(g.Says) {
				options[i].detail = safe.Line(g.Says[i], 200)
			}
		}
		b.v.openList(out, listOf{options: options, typed: typed, pick: func(i int) {
			b.node.SetVariant(at, i)
			b.v.edited(b.node)
		}})
	})
	out.setVariants(p)
	return out
}

func (p *pick) setVariants(g schema.Picker) {
	if g.Picked < len(g.Titles) {
		p.set(safe.Line(g.Titles[g.Picked], 200), false)
	}
}

// choicePick is a control that chooses from a list: one, or any number.
type choicePick struct {
	b       *box
	several bool
	pick    *pick
}

func newChoicePick(b *box, several bool) *choicePick {
	c := &choicePick{b: b, several: several}
	c.pick = newPick(b, c.open)
	c.update()
	return c
}

func (c *choicePick) object() fyne.CanvasObject { return c.pick }
func (c *choicePick) stop() fyne.Focusable      { return c.pick }
func (c *choicePick) height(float32) float32    { return fonts().control }

func (c *choicePick) update() {
	n := c.b.node
	if c.several {
		text := fields.Chosen(n)
		if text == "" {
			c.pick.set("choose any", true)
			return
		}
		c.pick.set(text, false)
		return
	}
	choices, i := n.Choices(), n.Selected()
	switch {
	case i >= 0:
		c.pick.set(fields.Title(choices[i], 200), false)
	case n.State() == schema.StateDraft || n.State() == schema.StateValue:
		c.pick.set(safe.Line(n.Text(), 200), false)
	case n.State() == schema.StateNull:
		c.pick.set("null", true)
	default:
		c.pick.set("choose", true)
	}
}

func (c *choicePick) open(typed string) {
	n := c.b.node
	choices := n.Choices()
	options := make([]option, len(choices))
	chosen := n.Selected()
	var on []bool
	if c.several {
		on = n.Chosen()
	}
	for i, x := range choices {
		o := option{title: fields.Title(x, 200), on: i == chosen}
		if c.several {
			o.on = on[i]
		}
		if value := fields.Value([]byte(x.JSON())); value != o.title && strings.Trim(value, `"`) != o.title {
			o.detail = value
		}
		options[i] = o
	}
	list := listOf{options: options, several: c.several, typed: typed}
	list.pick = func(i int) {
		if c.several {
			n.SetChosen(i, !n.Chosen()[i])
		} else {
			n.SetChoice(i)
		}
		c.b.v.edited(n)
	}
	if c.several {
		list.note = func() string { return fields.ChosenNote(n) }
	}
	c.b.v.openList(c.pick, list)
}
