package forms

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	look "mcploupe/ui/theme"
	"mcploupe/ui/view/fields"
)

const lookMuted = look.ColorMuted

const (
	edge      = 6  // left of a form
	indent    = 14 // for each depth
	lineGap   = 6  // below a line
	bottomPad = 10 // below the last line
	topPad    = 5  // above the first line
	menuWidth = 66 // of a field's menu button
	toolGap   = 4  // before it
	maxWidth  = 1000
	toolWidth = 20 // of the buttons of an item
	stackFrom = 460
	labelGap  = 10 // between label and control
	// pickerRoom is the least width of a picker of variants.
	pickerRoom = 160
)

// rowHeight is the height of a control of one row.
func rowHeight(kind fields.Control) float32 {
	switch kind {
	case fields.Check, fields.Strip, fields.Checks, fields.Fixed, fields.Start:
		return fonts().low
	}
	return fonts().control
}

// guess is the height of a line that has never been measured.
func guess(l *line) float32 {
	f := fonts()
	if l.Role != fields.Field {
		return f.control + lineGap
	}
	return f.control + f.captionLine + lineGap
}

// columns is where the parts of a line stand in a width.
type columns struct {
	stacked      bool
	left         float32 // of the label
	control, end float32 // of the control
	tools        float32 // width of the buttons at the right
}

func (b *box) columns(width float32) columns {
	c := columns{stacked: width < stackFrom, left: edge + float32(b.l.Depth)*indent}
	if b.menu != nil {
		c.tools = look.Scaled(menuWidth)
	}
	for _, f := range []*flat{b.up, b.dn, b.rm} {
		if f != nil {
			c.tools += look.Scaled(toolWidth)
		}
	}
	if b.grip != nil {
		c.tools += look.Scaled(toolWidth)
	}
	if c.stacked {
		c.control, c.end = c.left, width-edge
		return c
	}
	c.control = max(min(0.34*width, 290), c.left+90)
	c.control = min(c.control, 0.6*width)
	c.end = width - edge - c.tools - toolGap
	return c
}

// arrange places the line's parts in a width and returns its height.
func (b *box) arrange(width float32) float32 {
	width = min(width, maxWidth)
	if !b.stale && width == b.width {
		return b.h
	}
	b.stale, b.width = false, width
	switch b.l.Role {
	case fields.Section:
		b.h = b.arrangeSection(width)
	case fields.Field:
		b.h = b.arrangeField(width)
	default:
		b.h = b.arrangePlain(width)
	}
	for i, g := range b.guides {
		g.FillColor = look.Color(theme.ColorNameSeparator)
		put(g, edge+float32(i)*indent+6, 0, 1, b.h)
	}
	b.object.Resize(fyne.NewSize(width, b.h))
	return b.h
}

// placeTools puts the buttons at the right end of a row and returns where they
// begin.
func (b *box) placeTools(width, y, h float32) float32 {
	x, tool, menu := width-edge, look.Scaled(toolWidth), look.Scaled(menuWidth)
	for _, f := range []*flat{b.rm, b.dn, b.up} {
		if f == nil {
			continue
		}
		x -= tool
		put(f, x, y+(h-tool)/2, tool, tool)
	}
	if b.grip != nil {
		x -= tool
		put(b.grip, x, y+(h-tool)/2, tool, tool)
	}
	x -= menu
	put(b.menu, x, y+(h-tool)/2, menu, tool)
	return x
}

// placeLabel puts label, star and type between two places.
func (b *box) placeLabel(x, y, end, h float32, word bool) (wordFits bool) {
	f := fonts()
	star := ""
	if b.node.Required() && fields.Place(b.node) < 0 && b.node.Parent() != nil {
		star = "*"
	}
	setText(b.star, star, f.bold, theme.ColorNameError)
	starW := f.bold.Width(star)
	room := end - x
	font := f.plain
	if b.l.Role == fields.Section {
		font = f.bold
	}
	setText(b.label, "", font, theme.ColorNameForeground)
	if b.key == nil {
		text := font.Fit(b.labelText, room-starW-2)
		setText(b.label, text, font, theme.ColorNameForeground)
		th := b.label.MinSize().Height
		put(b.label, x, y+(h-th)/2, font.Width(text), th)
		put(b.star, x+font.Width(text)+2, y+(h-th)/2, starW, th)
		x += font.Width(text) + 2 + starW
	} else {
		b.star.Hidden = true
		put(b.key, x, y+(h-f.control)/2, min(max(60, room*0.75), 180), f.control)
		x += b.key.Size().Width
	}
	setText(b.word, "", f.caption, lookMuted)
	w := f.caption.Width(b.wordText)
	if !word || b.wordText == "" || x+8+w > end {
		return false
	}
	setText(b.word, b.wordText, f.caption, lookMuted)
	wh := b.word.MinSize().Height
	put(b.word, end-w, y+(h-wh)/2, w, wh)
	return true
}

func (b *box) arrangeField(width float32) float32 {
	f := fonts()
	c := b.columns(width)
	y := float32(0)
	row := rowHeight(b.kind)
	if len(b.pickers) == 1 && b.inlinePicker() {
		row = f.control
	}
	var wordFits bool
	if c.stacked {
		row = max(20, f.plain.Height()+2)
		if b.key != nil {
			row = f.control
		}
		end := b.placeTools(width, 0, row)
		wordFits = b.placeLabel(c.left, 0, end, row, true)
		y = row + 1
	} else {
		b.placeTools(width, 0, row)
		wordFits = b.placeLabel(c.left, 0, c.control-labelGap, row, true)
	}
	b.note.Hidden, b.ground.Hidden = true, true
	x, end := c.control, c.end
	inline := len(b.pickers) == 1 && b.inlinePicker()
	for _, p := range b.pickers {
		if inline {
			w := min(0.4*(end-x), p.wide())
			put(p, x, y, w, f.control)
			x += w + 4
			break
		}
		put(p, x, y, min(end-x, max(pickerRoom, p.wide())), f.control)
		y += f.control + 3
	}
	w := max(40, end-x)
	h := b.control.height(w)
	off := float32(0)
	if inline {
		off = (f.control - h) / 2
		h = f.control - off
	}
	put(b.control.object(), x, y+off, b.controlWidth(w), h-off)
	y += h
	b.caption.word = ""
	if !wordFits {
		b.caption.word = b.wordText
	}
	y = b.caption.arrange(c.control, y+1, c.end-c.control)
	return y + lineGap
}

// inlinePicker reports that the picker of variants fits beside the control.
func (b *box) inlinePicker() bool {
	switch b.kind {
	case fields.Entry, fields.Number, fields.Pick, fields.Check, fields.Date, fields.Start, fields.Password, fields.Fixed:
		return true
	}
	return false
}

func (b *box) arrangeSection(width float32) float32 {
	f := fonts()
	c := b.columns(width)
	row := f.control
	b.ground.Hidden = false
	b.ground.FillColor = look.Color(look.ColorPanel)
	b.ground.CornerRadius = look.Size(theme.SizeNameInputRadius)
	put(b.ground, c.left, 0, width-edge-c.left, row)
	put(b.fold, c.left+2, (row-22)/2, 22, 22)
	end := b.placeTools(width, 0, row)
	labelEnd := end - 8
	note := b.wordText + " · " + b.noteText
	b.caption.inHead = true
	if hint := b.caption.hint; hint != "" {
		says := c.left + 26 + f.bold.Width(b.labelText) + 12 + f.bold.Width("*") + f.caption.Width(note+" · "+hint)
		if b.caption.inHead = says <= labelEnd; b.caption.inHead {
			note += " · " + hint
		}
	}
	beside := float32(0) // where the first picker stands in the head; 0 when there is no room for it
	if len(b.pickers) > 0 && !c.stacked && b.key == nil {
		says := c.left + 26 + f.bold.Width(b.labelText) + 12 + f.bold.Width("*") + f.caption.Width(note)
		at := max(c.control, says+labelGap)
		if at+max(pickerRoom, b.pickers[0].wide()) <= end {
			beside, labelEnd = at, at-labelGap
		}
	}
	b.placeLabel(c.left+26, 0, labelEnd, row, false)
	x := c.left + 26 + f.bold.Width(b.label.Text) + 2 + f.bold.Width(b.star.Text) + 10
	if b.key != nil {
		x = b.key.Position().X + b.key.Size().Width + 10
	}
	setText(b.note, f.caption.Fit(note, max(0, labelEnd-x)), f.caption, lookMuted)
	nh := b.note.MinSize().Height
	put(b.note, x, (row-nh)/2, f.caption.Width(b.note.Text), nh)
	y := row
	for i, p := range b.pickers {
		switch {
		case c.stacked:
			put(p, c.left+26, y+2, c.end-c.left-26, f.control)
			y += f.control + 2
		case i == 0 && beside > 0:
			put(p, beside, 2, max(pickerRoom, p.wide()), row-4)
		default:
			put(p, c.control, y+2, min(c.end-c.control, max(pickerRoom, p.wide())), f.control)
			y += f.control + 2
		}
	}
	b.word.Hidden = true
	b.caption.word = ""
	y = b.caption.arrange(c.left+26, y+1, width-edge-c.left-26)
	return y + lineGap
}

// arrangePlain is for lines that are but a control.
func (b *box) arrangePlain(width float32) float32 {
	c := b.columns(width)
	x := c.control
	if c.stacked {
		x = c.left
	}
	for _, t := range []fyne.CanvasObject{b.label, b.star, b.word, b.note, b.ground} {
		t.Hide()
	}
	w := max(40, c.end-x)
	h := b.control.height(w)
	put(b.control.object(), x, 0, b.controlWidth(w), h)
	return h + lineGap
}

// controlWidth is how much of the room a control takes: links no more than they
// need, so that a click beside one does nothing.
func (b *box) controlWidth(room float32) float32 {
	if l, ok := b.control.object().(*link); ok {
		return min(room, l.MinSize().Width)
	}
	return room
}
