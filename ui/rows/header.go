package rows

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"mcploupe/ui/measure"
	look "mcploupe/ui/theme"
)

// header shows the titles of a view's columns.
type header struct {
	v            *View
	box          *fyne.Container
	ground, rule *canvas.Rectangle
	titles, ends []*canvas.Text
	edges        []*canvas.Rectangle
}

// grip is how near to a column's edge the mouse may be to drag it.
const grip = 5

func newHeader(v *View) *header {
	h := &header{v: v, ground: canvas.NewRectangle(nil), rule: canvas.NewRectangle(nil)}
	h.box = container.NewWithoutLayout()
	h.restyle()
	return h
}

func (h *header) height() float32 { return look.Size(look.SizeRow) + 2 }

func (h *header) restyle() {
	h.ground.FillColor = look.Color(look.ColorPanel)
	h.rule.FillColor = look.Color(theme.ColorNameSeparator)
	h.v.head = h.height()
}

// arrange puts the titles over their columns.
func (h *header) arrange() {
	v := h.v
	width, high := v.Size().Width, h.height()
	for len(h.titles) < len(v.cols) {
		h.titles = append(h.titles, &canvas.Text{})
		h.ends = append(h.ends, &canvas.Text{})
		h.edges = append(h.edges, canvas.NewRectangle(nil))
	}
	h.titles, h.ends, h.edges = h.titles[:len(v.cols)], h.ends[:len(v.cols)], h.edges[:len(v.cols)]
	h.box.Resize(fyne.NewSize(width, high))
	place(h.ground, 0, 0, width, high)
	place(h.rule, 0, high-1, width, 1)
	objects := []fyne.CanvasObject{h.ground, h.rule}
	font := measure.For(look.Size(theme.SizeNameCaptionText), fyne.TextStyle{Bold: true})
	for i, c := range v.cols {
		p := v.places[i]
		title := c.Title
		switch {
		case c.Sort > 0:
			title += " ↑"
		case c.Sort < 0:
			title += " ↓"
		}
		t := h.titles[i]
		t.Text = font.Fit(title, max(0, p.w-2*cellPad))
		t.TextSize, t.TextStyle, t.Color = font.Size(), font.Style(), look.Color(look.ColorMuted)
		w := font.Width(t.Text)
		x := p.x + cellPad
		switch c.Align {
		case fyne.TextAlignTrailing:
			x = p.x + p.w - cellPad - w
		case fyne.TextAlignCenter:
			x = p.x + (p.w-w)/2
		}
		t.Move(fyne.NewPos(x-v.x, 0))
		t.Resize(fyne.NewSize(w, high-1))
		e := h.edges[i]
		e.FillColor = h.rule.FillColor
		e.Hidden = i == len(v.cols)-1
		place(e, p.x+p.w-v.x-1, 4, 1, high-8)
		objects = append(objects, t, e)
		end := h.ends[i]
		end.Hidden = c.End == "" || font.Width(t.Text)+font.Width(c.End)+4*cellPad > p.w
		if !end.Hidden {
			end.Text, end.TextSize, end.TextStyle, end.Color = c.End, font.Size(), font.Style(), t.Color
			w := font.Width(c.End)
			end.Move(fyne.NewPos(p.x+p.w-cellPad-w-v.x, 0))
			end.Resize(fyne.NewSize(w, high-1))
			objects = append(objects, end)
		}
	}
	h.box.Objects = objects
}

// boundaryAt returns the column whose right edge is near x, or -1. The last column's edge does not move.
func (h *header) boundaryAt(x float32) int {
	for i, p := range h.v.places {
		if edge := p.x + p.w; i < len(h.v.places)-1 && x >= edge-grip && x <= edge+grip {
			return i
		}
	}
	return -1
}

// resize moves the edge between columns b and b+1 by dx. What is left of the flexible column grows with its right
// edge, what is right of it with its left edge.
func (h *header) resize(b int, dx float32) {
	cols := h.v.cols
	n := b
	for i := 0; i <= b; i++ {
		if cols[i].Width == 0 {
			n, dx = b+1, -dx
			break
		}
	}
	if cols[n].Width == 0 {
		return
	}
	cols[n].Width = max(cols[n].min(), cols[n].Width+dx/look.Zoom())
	h.v.Redraw(true)
}
