package rows

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// ringWidth is that of the focus ring: of a thinner one a side may fall between
// two pixels.
const ringWidth = 2

// placeBars puts the scroll bars and the focus ring in their places.
func (a *Area) placeBars() {
	size := a.Size()
	track := a.viewHeight()
	pos, length := a.vp.Thumb(float64(track))
	a.vtrack.Hidden = length == 0
	a.vthumb.Hidden = length == 0
	place(a.vtrack, size.Width-barWidth, a.head, barWidth, track)
	place(a.vthumb, size.Width-barWidth+barInset, a.head+float32(pos)+barInset,
		barWidth-2*barInset, max(0, float32(length)-2*barInset))

	hpos, hlength := a.horizontalThumb()
	a.htrack.Hidden = hlength == 0
	a.hthumb.Hidden = hlength == 0
	place(a.htrack, 0, size.Height-barWidth, a.viewWidth(), barWidth)
	place(a.hthumb, hpos+barInset, size.Height-barWidth+barInset, max(0, hlength-2*barInset), barWidth-2*barInset)

	place(a.ring[0], 0, 0, size.Width, ringWidth)
	place(a.ring[1], 0, size.Height-ringWidth, size.Width, ringWidth)
	place(a.ring[2], 0, 0, ringWidth, size.Height)
	place(a.ring[3], size.Width-ringWidth, 0, ringWidth, size.Height)
	place(a.ground, 0, 0, size.Width, size.Height)
}

func place(r *canvas.Rectangle, x, y, w, h float32) {
	r.Move(fyne.NewPos(x, y))
	r.Resize(fyne.NewSize(w, h))
}

func (a *Area) horizontalThumb() (pos, length float32) {
	view := a.viewWidth()
	if a.contentWidth <= view || view <= 0 {
		return 0, 0
	}
	length = min(view, max(minThumb, view*view/a.contentWidth))
	return (view - length) * a.x / (a.contentWidth - view), length
}

func (a *Area) overVertical(pos fyne.Position) bool {
	_, length := a.vp.Thumb(float64(a.viewHeight()))
	return length > 0 && pos.X >= a.Size().Width-barWidth && pos.Y >= a.head && pos.Y < a.head+a.viewHeight()
}

func (a *Area) overHorizontal(pos fyne.Position) bool {
	_, length := a.horizontalThumb()
	return length > 0 && pos.Y >= a.Size().Height-barWidth && pos.X < a.viewWidth()
}

// PressBar takes a press of the primary button. It reports whether that was on a scroll bar; beside the thumb it
// scrolls by a page.
func (a *Area) PressBar(pos fyne.Position) bool {
	switch {
	case a.overVertical(pos):
		start, length := a.vp.Thumb(float64(a.viewHeight()))
		switch y := float64(pos.Y - a.head); {
		case y < start:
			a.ScrollBy(-a.vp.Height())
		case y > start+length:
			a.ScrollBy(a.vp.Height())
		}
		return true
	case a.overHorizontal(pos):
		start, length := a.horizontalThumb()
		switch {
		case pos.X < start:
			a.ScrollX(a.x - a.viewWidth())
		case pos.X > start+length:
			a.ScrollX(a.x + a.viewWidth())
		}
		return true
	}
	return false
}

// DragBar takes a drag. It reports whether a scroll bar's thumb is being dragged, in which case it scrolls.
func (a *Area) DragBar(e *fyne.DragEvent) bool {
	track := float64(a.viewHeight())
	if a.drag == dragNone {
		start := e.Position.SubtractXY(e.Dragged.DX, e.Dragged.DY)
		switch {
		case a.overVertical(start):
			pos, _ := a.vp.Thumb(track)
			a.drag, a.dragOffset = dragVertical, start.Y-float32(pos)
		case a.overHorizontal(start):
			pos, _ := a.horizontalThumb()
			a.drag, a.dragOffset = dragHorizontal, start.X-pos
		default:
			return false
		}
	}
	switch a.drag {
	case dragVertical:
		a.scroll(func() {
			before := a.vp.Top()
			a.vp.DragThumb(track, float64(e.Position.Y-a.dragOffset))
			if a.tailable && a.vp.AtEnd() && a.vp.Top() >= before {
				a.vp.Follow(true)
			}
		})
	case dragHorizontal:
		if _, length := a.horizontalThumb(); a.viewWidth() > length {
			a.ScrollX((e.Position.X - a.dragOffset) * (a.contentWidth - a.viewWidth()) / (a.viewWidth() - length))
		}
	}
	return true
}

// EndDrag ends what DragBar began.
func (a *Area) EndDrag() { a.drag = dragNone }
