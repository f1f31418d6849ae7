package compare

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/rows"
	"mcploupe/ui/theme"
	"mcploupe/ui/widget"
)

// connectors draws what is between the columns, over the list. It takes no
// input.
type connectors struct {
	widget.BaseWidget
	p     *Pairs
	lines []*canvas.Line
	signs []*canvas.Text
}

func newConnectors(p *Pairs) *connectors {
	c := &connectors{p: p}
	c.ExtendBaseWidget(c)
	return c
}

// CreateRenderer implements fyne.Widget.
func (c *connectors) CreateRenderer() fyne.WidgetRenderer { return &connectorRenderer{c: c} }

type connectorRenderer struct {
	c       *connectors
	objects []fyne.CanvasObject
	line    int // used ones
	sign    int
}

func (r *connectorRenderer) Destroy()                     {}
func (r *connectorRenderer) Layout(fyne.Size)             { r.Refresh() }
func (r *connectorRenderer) MinSize() fyne.Size           { return fyne.NewSize(1, 1) }
func (r *connectorRenderer) Objects() []fyne.CanvasObject { return r.objects }

// ends of a connector: what one side has alone ends in the middle, with a stop.
const (
	inset = 5
	stop  = 4
)

// Refresh draws the connectors of the visible rows.
func (r *connectorRenderer) Refresh() {
	list := r.c.p.list
	r.line, r.sign = 0, 0
	left, right := columnEdges(list)
	left, right = left+inset-list.OffsetX(), right-inset-list.OffsetX()
	middle := (left + right) / 2
	visible := map[int]bool{}
	for _, s := range list.Slots() {
		if i := s.Row(); i >= 0 && i < list.Count() {
			visible[i] = true
		}
	}
	for i := range visible {
		x := r.c.p.bind(i)
		if x.Link == None {
			continue
		}
		y := list.RowTop(i) + list.RowHeight()/2
		if y < headHeight() {
			continue
		}
		color := x.Color
		if color == "" {
			color = theme.ColorMuted
		}
		half := list.RowHeight() / 2
		width := float32(1)
		if i == list.Current() {
			width = 2
		}
		const room = 9 // for the sign
		switch x.Link {
		case Same, Changed, Unread:
			r.draw(left, y, middle-room, y, color, width)
			r.draw(middle+room, y, right, y, color, width)
			r.put(x.Sign, middle, y, color)
		case OnlyLeft:
			r.draw(left, y, middle-room, y, color, width)
			r.draw(middle-room, y-stop, middle-room, y+stop, color, width)
			r.put(x.Sign, middle+2, y, color)
		case OnlyRight:
			r.draw(middle+room, y, right, y, color, width)
			r.draw(middle+room, y-stop, middle+room, y+stop, color, width)
			r.put(x.Sign, middle-2, y, color)
		case Moved:
			// The line goes beside the signs of the rows between, and lines of neighbours apart.
			bend := middle + room + 4 + float32(min(i, max(x.Other, 0))%3)*4
			if x.Left.Text != "" {
				r.draw(left, y, middle-room, y, color, width)
				r.draw(middle+room, y, bend, y, color, width)
			} else {
				r.draw(bend, y, right, y, color, width)
			}
			r.put(x.Sign, middle, y, color)
			if x.Other < 0 || visible[x.Other] && x.Left.Text == "" {
				continue // the left half draws the line
			}
			end := list.RowTop(x.Other) + half
			r.draw(bend, y, bend, min(max(end, headHeight()), list.Size().Height), color, width)
		}
	}
	for _, l := range r.c.lines[r.line:] {
		l.Hidden = true
	}
	for _, s := range r.c.signs[r.sign:] {
		s.Hidden = true
	}
	canvas.Refresh(r.c)
}

// columnEdges are the left and the right end of the column between the sides.
func columnEdges(list *rows.View) (left, right float32) {
	cols := list.Columns()
	rest := list.RowWidth()
	flex := 0
	for _, c := range cols {
		if c.Width == 0 {
			flex++
		}
		rest -= c.Width
	}
	width := max(rest/float32(max(flex, 1)), cols[0].Min)
	if cols[0].Width > 0 {
		width = cols[0].Width
	}
	return width, width + cols[1].Width
}

// headHeight is the room of the titles above the rows.
func headHeight() float32 { return theme.Size(theme.SizeRow) }

func (r *connectorRenderer) draw(x1, y1, x2, y2 float32, color fyne.ThemeColorName, width float32) {
	if r.line == len(r.c.lines) {
		l := canvas.NewLine(nil)
		r.c.lines = append(r.c.lines, l)
		r.objects = append(r.objects, l)
	}
	l := r.c.lines[r.line]
	r.line++
	l.Hidden, l.StrokeColor, l.StrokeWidth = false, theme.Color(color), width
	l.Position1, l.Position2 = fyne.NewPos(x1, y1), fyne.NewPos(x2, y2)
}

func (r *connectorRenderer) put(sign string, x, y float32, color fyne.ThemeColorName) {
	if sign == "" {
		return
	}
	if r.sign == len(r.c.signs) {
		s := canvas.NewText("", nil)
		s.TextStyle.Monospace = true
		r.c.signs = append(r.c.signs, s)
		r.objects = append(r.objects, s)
	}
	s := r.c.signs[r.sign]
	r.sign++
	s.Hidden, s.Text, s.Color, s.TextSize = false, sign, theme.Color(color), theme.Size(fynetheme.SizeNameText)
	size := s.MinSize()
	s.Resize(size)
	s.Move(fyne.NewPos(x-size.Width/2, y-size.Height/2))
}
