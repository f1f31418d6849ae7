package difftext

import (
	"strconv"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/rows"
	look "mcploupe/ui/theme"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/view/textdiff"
)

const (
	pad = 4
	gap = 7 // between the sides
)

// pane is where one side's number, sign and text stand.
type pane struct {
	x, w   float32
	number float32 // right end of the line number
	sign   float32
	text   float32
}

// panes are the two sides, the same one twice in a unified view. There the
// numbers of both stand beside each other.
func (v *View) panes() [2]pane {
	cell := v.font.Rune('0')
	numbers := float32(v.digits)*cell + pad
	side := func(x, w float32) pane {
		p := pane{x: x, w: w, number: x + numbers, sign: x + numbers + cell/2}
		p.text = p.sign + 1.75*cell
		return p
	}
	width := v.ViewWidth()
	if v.unified {
		left := side(0, width)
		right := left
		right.number += numbers
		left.sign, right.sign = left.sign+numbers, right.sign+numbers
		left.text, right.text = left.text+numbers, right.text+numbers
		return [2]pane{left, right}
	}
	half := (width - gap) / 2
	return [2]pane{side(0, half), side(half+gap, half)}
}

// columns is how many cells a side has room for, at least a few.
func (v *View) columns() int {
	p := v.panes()[1]
	return max(int((p.x+p.w-p.text-pad)/v.font.Rune('0')), 8)
}

// plain reports whether every byte of s takes one cell.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// glyph is one rune as it is drawn.
type glyph struct {
	at, size int
	w        float32
	mark     string // what is drawn instead
}

// glyphAt reads the rune of s at i, which stands in column x.
func (v *View) glyphAt(s string, i int, x float32) glyph {
	g := glyph{at: i, size: 1, w: v.font.Rune('0')}
	c := s[i]
	if c >= 0x20 && c < 0x7f {
		return g
	}
	if c == '\t' {
		const stop = 4
		cell := g.w
		g.mark, g.w = "⇥", cell*float32(stop-int(x/cell+0.01)%stop)
		return g
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	g.size = size
	switch {
	case r == utf8.RuneError && size == 1:
		g.mark = safe.MarkByte(c)
	case safe.Hidden(r) && r != safe.EmojiStyle:
		g.mark = safe.Mark(r)
	case r == safe.EmojiStyle:
		g.w = 0
		return g
	default:
		g.w = v.font.Rune(r)
		return g
	}
	g.w = v.font.Width(g.mark)
	return g
}

// parts is how many lines on the screen s takes.
func (v *View) parts(s string) int {
	if len(s) <= v.cols && plain(s) {
		return 1
	}
	if plain(s) {
		return (len(s) + v.cols - 1) / v.cols
	}
	n := 1
	v.walk(s, func(int, int) { n++ })
	return n
}

// walk calls cut with each place where s is broken, and the number of the part
// that begins there.
func (v *View) walk(s string, cut func(at, part int)) {
	width := float32(v.cols) * v.font.Rune('0')
	x, part := float32(0), 0
	for i := 0; i < len(s); {
		g := v.glyphAt(s, i, x)
		if x+g.w > width+0.5 && x > 0 {
			part++
			cut(i, part)
			x = 0
			g = v.glyphAt(s, i, 0)
		}
		x += g.w
		i += g.size
	}
}

// part returns where part n of s begins and ends; begin is len(s) when s has
// fewer.
func (v *View) part(s string, n int) (begin, end int) {
	if plain(s) {
		begin = min(n*v.cols, len(s))
		return begin, min(begin+v.cols, len(s))
	}
	begin, end = len(s), len(s)
	if n == 0 {
		begin = 0
	}
	v.walk(s, func(at, part int) {
		switch part {
		case n:
			begin = at
		case n + 1:
			end = at
		}
	})
	return begin, end
}

// DrawRow is for the area.
func (v *View) DrawRow(s *rows.Slot, i int) {
	sl, _ := s.Data.(*slot)
	if sl == nil {
		sl = &slot{edge: canvas.NewRectangle(nil)}
		s.Data = sl
	}
	sl.ng, sl.nm, sl.nt = 0, 0, 0
	height := v.RowHeight()
	p := v.pieces[i]
	item := v.items[p.item]
	panes := v.panes()
	if item.Fold > 0 {
		sl.ground(look.ColorPanel, 0, v.ViewWidth(), height)
		v.text(sl, "▸ "+human.Plural(item.Fold, "line", "lines")+" the same", look.ColorMuted, panes[0].text, height)
	} else {
		row := &v.diff.Rows[item.Row]
		if item.Side != textdiff.Right {
			v.side(sl, row.Op, row.Left, int(p.part), panes[0], true, height)
		}
		if v.unified && item.Side == textdiff.Both && row.Right.Number != 0 {
			v.number(sl, row.Right.Number, int(p.part), panes[1], height)
		}
		if item.Side == textdiff.Right || !v.unified {
			v.side(sl, row.Op, row.Right, int(p.part), panes[1], false, height)
		}
	}
	sl.show(s.Box)
}

func (v *View) number(sl *slot, n, part int, p pane, height float32) {
	if part == 0 && n > 0 {
		text := strconv.Itoa(n)
		v.text(sl, text, look.ColorMuted, p.number-v.font.Width(text), height)
	}
}

// side draws part of a line of one side.
func (v *View) side(sl *slot, op textdiff.Op, line textdiff.Line, part int, p pane, left bool, height float32) {
	if line.Number == 0 {
		if !v.unified {
			sl.ground(look.ColorPanel, p.x, p.w, height)
		}
		return
	}
	ground, sign, color := look.ColorAdded, "+", fyne.ThemeColorName(look.ColorOK)
	if left {
		ground, sign, color = look.ColorRemoved, "−", look.ColorFailed
	}
	begin, end := v.part(line.Text, part)
	if op != textdiff.Same {
		sl.ground(ground, p.x, p.w, height)
		if part == 0 {
			v.text(sl, sign, color, p.sign, height)
		}
	}
	v.number(sl, line.Number, part, p, height)
	if begin >= end {
		return
	}
	v.paint(sl, line, begin, end, p.text, height)
}

// paint draws bytes begin to end of a line, with what is marked in it.
func (v *View) paint(sl *slot, line textdiff.Line, begin, end int, x0, height float32) {
	marks := line.Marks
	x, run, runX, runPlain := x0, begin, x0, true
	flush := func(to int) {
		if to > run {
			v.text(sl, line.Text[run:to], fynetheme.ColorNameForeground, runX, height)
		}
	}
	var markFrom float32 = -1
	for i := begin; i < end; {
		for len(marks) > 0 && marks[0].To <= i {
			if markFrom >= 0 {
				sl.mark(markFrom, x, height)
				markFrom = -1
			}
			marks = marks[1:]
		}
		if len(marks) > 0 && marks[0].From <= i && markFrom < 0 {
			markFrom = x
		}
		g := v.glyphAt(line.Text, i, x-x0)
		isPlain := g.mark == "" && line.Text[i] < 0x80
		if g.mark != "" {
			flush(i)
			v.text(sl, g.mark, look.ColorWarning, x, height)
			run, runX, runPlain = i+g.size, x+g.w, true
		} else if isPlain != runPlain { // other fonts draw what is beyond ASCII
			flush(i)
			run, runX, runPlain = i, x, isPlain
		}
		x += g.w
		i += g.size
	}
	flush(end)
	if markFrom >= 0 {
		sl.mark(markFrom, x, height)
	}
}

// DecorateRow is for the area: it marks the change that is looked at.
func (v *View) DecorateRow(s *rows.Slot, i int) {
	sl, _ := s.Data.(*slot)
	if sl == nil || i >= len(v.pieces) {
		return
	}
	item := v.items[v.pieces[i].item]
	on := item.Fold == 0 && v.at >= 0 && v.at < len(v.diff.Changes)
	if on {
		c := v.diff.Changes[v.at]
		on = item.Row >= c.From && item.Row < c.To
	}
	sl.edge.Hidden = !on
	sl.edge.FillColor = look.Color(fynetheme.ColorNamePrimary)
	sl.edge.Resize(fyne.NewSize(3, v.RowHeight()))
}

func (s *slot) ground(color fyne.ThemeColorName, x, w, h float32) {
	place(&s.grounds, &s.ng, color, x, 0, w, h)
}

func (s *slot) mark(from, to, h float32) {
	r := place(&s.marks, &s.nm, look.ColorChanged, from, 1, to-from, h-2)
	r.CornerRadius = 2
}

func place(list *[]*canvas.Rectangle, n *int, color fyne.ThemeColorName, x, y, w, h float32) *canvas.Rectangle {
	if *n == len(*list) {
		*list = append(*list, canvas.NewRectangle(nil))
	}
	r := (*list)[*n]
	*n++
	r.Hidden, r.FillColor = false, look.Color(color)
	r.Move(fyne.NewPos(x, y))
	r.Resize(fyne.NewSize(w, h))
	return r
}

func (v *View) text(s *slot, text string, color fyne.ThemeColorName, x, height float32) {
	if s.nt == len(s.texts) {
		s.texts = append(s.texts, &canvas.Text{})
	}
	t := s.texts[s.nt]
	s.nt++
	t.Hidden, t.Text, t.TextSize, t.TextStyle, t.Color = false, text, v.font.Size(), v.font.Style(), look.Color(color)
	t.Move(fyne.NewPos(x, 0))
	t.Resize(fyne.NewSize(v.font.Width(text), height))
}

// show puts what was drawn into the box of a line and hides what is left over.
func (s *slot) show(box *fyne.Container) {
	objects := make([]fyne.CanvasObject, 0, s.ng+s.nm+s.nt+1)
	for _, r := range s.grounds[:s.ng] {
		objects = append(objects, r)
	}
	for _, r := range s.marks[:s.nm] {
		objects = append(objects, r)
	}
	for _, t := range s.texts[:s.nt] {
		objects = append(objects, t)
	}
	box.Objects = append(objects, s.edge)
}
