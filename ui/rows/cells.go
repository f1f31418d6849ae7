package rows

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"

	"mcploupe/ui/measure"
	look "mcploupe/ui/theme"
)

// rowObjects are the canvas objects of a slot in a View.
type rowObjects struct {
	ground, mark *canvas.Rectangle
	link         *canvas.Rectangle // a dot at the row's left edge: related to the row in question
	cells        []cellObjects
	row          Row // what is shown
	grown        bool
}

// cellObjects are the canvas objects of a cell; those a cell never needed are nil.
type cellObjects struct {
	icon                *canvas.Image
	fold                *canvas.Text
	glyph, text, detail *canvas.Text
	badges              []badgeObjects
	bars                []*canvas.Rectangle
	cut                 bool    // not all of the cell is shown
	foldEnd             float32 // where the triangle ends, 0 for none
}

type badgeObjects struct {
	ground *canvas.Rectangle
	text   *canvas.Text
}

const (
	gap      = 5 // between the parts of a cell
	badgePad = 5 // beside the text in a badge
	markW    = 3
	linkW    = 5
	foldW    = 14
	barMin   = 2 // a bar that is shorter is drawn this long
)

func newRowObjects() *rowObjects {
	o := &rowObjects{ground: canvas.NewRectangle(nil), mark: canvas.NewRectangle(nil), link: canvas.NewRectangle(nil), grown: true}
	o.link.CornerRadius = linkW / 2.0
	return o
}

// list returns the objects in drawing order.
func (o *rowObjects) list() []fyne.CanvasObject {
	out := []fyne.CanvasObject{o.ground, o.mark, o.link}
	for i := range o.cells {
		c := &o.cells[i]
		for _, b := range c.bars {
			out = append(out, b)
		}
		for _, b := range c.badges {
			out = append(out, b.ground, b.text)
		}
		if c.icon != nil {
			out = append(out, c.icon)
		}
		for _, t := range []*canvas.Text{c.fold, c.glyph, c.text, c.detail} {
			if t != nil {
				out = append(out, t)
			}
		}
	}
	return out
}

// setText shows s at x, making the object when it is needed for the first time.
func (o *rowObjects) setText(t **canvas.Text, s string, f *measure.Font, color fyne.ThemeColorName, x, w, h float32) {
	if s == "" {
		if *t != nil {
			(*t).Hidden = true
		}
		return
	}
	if *t == nil {
		*t = &canvas.Text{}
		o.grown = true
	}
	if color == "" {
		color = theme.ColorNameForeground
	}
	obj := *t
	obj.Hidden = false
	obj.Text, obj.TextSize, obj.TextStyle, obj.Color = s, f.Size(), f.Style(), look.Color(color)
	obj.Move(fyne.NewPos(x, 0))
	obj.Resize(fyne.NewSize(w, h))
}

// fonts are the fonts that cells use under the theme in use.
type fonts struct {
	plain, bold, italic, mono, monoBold, caption, glyph *measure.Font
}

func newFonts() fonts {
	text, mono, caption := look.Size(theme.SizeNameText), look.Size(look.SizeMono), look.Size(theme.SizeNameCaptionText)
	return fonts{
		plain:    measure.For(text, fyne.TextStyle{}),
		bold:     measure.For(text, fyne.TextStyle{Bold: true}),
		italic:   measure.For(text, fyne.TextStyle{Italic: true}),
		mono:     measure.For(mono, fyne.TextStyle{Monospace: true}),
		monoBold: measure.For(mono, fyne.TextStyle{Monospace: true, Bold: true}),
		caption:  measure.For(caption, fyne.TextStyle{}),
		glyph:    measure.For(text, fyne.TextStyle{Monospace: true}),
	}
}

func (f *fonts) of(c *Cell) *measure.Font {
	switch {
	case c.Mono && c.Bold:
		return f.monoBold
	case c.Mono:
		return f.mono
	case c.Bold:
		return f.bold
	case c.Italic:
		return f.italic
	}
	return f.plain
}

// draw shows cell in the column at p of a row of height h.
func (o *rowObjects) draw(n int, cell *Cell, p placement, align fyne.TextAlign, h float32, f *fonts) {
	c := &o.cells[n]
	left, right := p.x+cellPad+cell.Indent, p.x+p.w-cellPad
	c.cut, c.foldEnd = false, 0
	o.drawFold(c, cell.Fold, left, h, f)
	if cell.Fold != NoFold {
		left += look.Scaled(foldW)
		c.foldEnd = left
	}
	room := max(0, right-left)
	o.drawBars(c, cell.Bars, p, h)

	// Badges and symbols keep their room; the text gets the rest, the detail what the text leaves.
	font := f.of(cell)
	var lead, tail float32
	iconSize := min(look.Size(theme.SizeNameInlineIcon), h-4)
	if cell.Icon != nil {
		lead += iconSize + gap
	}
	glyphW := float32(0)
	if cell.Glyph != "" {
		glyphW = f.glyph.Width(cell.Glyph)
		lead += glyphW + gap
	}
	shown := len(cell.Badges)
	for i := range cell.Badges {
		w := f.caption.Width(cell.Badges[i].Text) + 2*badgePad + gap
		if lead+tail+w > room {
			shown, c.cut = i, true
			break
		}
		tail += w
	}
	text := font.Fit(cell.Text, max(0, room-lead-tail))
	textW := font.Width(text)
	detail := ""
	detailW := float32(0)
	if cell.Detail != "" {
		if left := room - lead - tail - textW - gap; left > 3*gap {
			detail = f.plain.Fit(cell.Detail, left)
			detailW = f.plain.Width(detail) + gap
		}
	}
	c.cut = c.cut || text != cell.Text || detail != cell.Detail

	x := left
	if used := lead + textW + detailW + tail; align == fyne.TextAlignTrailing {
		x = max(left, right-used)
	} else if align == fyne.TextAlignCenter {
		x = max(left, left+(room-used)/2)
	}
	if cell.Icon != nil {
		if c.icon == nil {
			c.icon = &canvas.Image{FillMode: canvas.ImageFillContain}
			o.grown = true
		}
		c.icon.Hidden = false
		c.icon.Move(fyne.NewPos(x, (h-iconSize)/2))
		c.icon.Resize(fyne.NewSize(iconSize, iconSize))
		if c.icon.Resource != cell.Icon {
			c.icon.Resource = cell.Icon
			c.icon.Refresh()
		}
		x += iconSize + gap
	} else if c.icon != nil {
		c.icon.Hidden = true
	}
	o.setText(&c.glyph, cell.Glyph, f.glyph, cell.GlyphColor, x, glyphW, h)
	if cell.Glyph != "" {
		x += glyphW + gap
	}
	o.setText(&c.text, text, font, cell.Color, x, textW, h)
	x += textW
	o.setText(&c.detail, detail, f.plain, look.ColorMuted, x+gap, detailW, h)
	x += detailW
	o.drawBadges(c, cell.Badges[:shown], x, h, f)
}

func (o *rowObjects) drawFold(c *cellObjects, fold Fold, x, h float32, f *fonts) {
	s := [...]string{NoFold: "", Closed: "▸", Opened: "▾", Unticked: "☐", Ticked: "☑"}[fold]
	color := look.ColorMuted
	if fold == Ticked {
		color = theme.ColorNameForeground
	}
	o.setText(&c.fold, s, f.glyph, color, x, look.Scaled(foldW), h)
}

func (o *rowObjects) drawBars(c *cellObjects, bars []Bar, p placement, h float32) {
	for len(c.bars) < len(bars) {
		c.bars = append(c.bars, canvas.NewRectangle(nil))
		o.grown = true
	}
	left, width := p.x+cellPad, max(0, p.w-2*cellPad)
	for i, r := range c.bars {
		r.Hidden = i >= len(bars) || bars[i].To < 0 || bars[i].From > 1
		if r.Hidden {
			continue
		}
		b := bars[i]
		from, to := max(0, b.From)*width, min(1, b.To)*width
		if to-from < barMin {
			from = min(from, max(0, width-barMin))
			to = from + barMin
		}
		color := look.Color(b.Color)
		r.FillColor, r.StrokeColor, r.StrokeWidth = color, nil, 0
		if b.Hollow {
			r.FillColor, r.StrokeColor, r.StrokeWidth = look.Color(theme.ColorNameBackground), color, 1
		}
		high := max(3, h*0.45)
		place(r, left+from, (h-high)/2, to-from, high)
	}
}

func (o *rowObjects) drawBadges(c *cellObjects, badges []Badge, x, h float32, f *fonts) {
	for len(c.badges) < len(badges) {
		c.badges = append(c.badges, badgeObjects{canvas.NewRectangle(nil), &canvas.Text{}})
		o.grown = true
	}
	for i := range c.badges {
		b := &c.badges[i]
		b.ground.Hidden = i >= len(badges)
		b.text.Hidden = b.ground.Hidden
		if b.ground.Hidden {
			continue
		}
		name := badges[i].Color
		if name == "" {
			name = look.ColorMuted
		}
		w := f.caption.Width(badges[i].Text)
		high := min(h-4, f.caption.Size()+6)
		x += gap
		b.ground.FillColor = look.Tint(look.Color(name))
		b.ground.CornerRadius = 3
		place(b.ground, x, (h-high)/2, w+2*badgePad, high)
		o.setText(&b.text, badges[i].Text, f.caption, name, x+badgePad, w, h)
		x += w + 2*badgePad
	}
}
