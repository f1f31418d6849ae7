package ui

import (
	"time"

	"fyne.io/fyne/v2"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/rows"
	"mcploupe/ui/timeline"
	"mcploupe/ui/view"
)

// draw brings the strip over the whole time up to date, and the axis of the
// waterfall with it.
func (t *timelinePane) draw() {
	t.measureStrip()
	d, turn := t.line.Density()
	if turn != t.drawn {
		t.drawn = turn
		t.strip.Set(d)
	}
	from, to, brushed := view.RangeOf(t.line.Filter(), d)
	if !brushed {
		from, to = 0, 0
	}
	t.strip.SetBrush(from, to)
	t.frame()
}

// measureStrip has the time counted in as many parts as the strip has room for.
func (t *timelinePane) measureStrip() {
	switch {
	case t.line == nil:
	case t.strip.Visible():
		t.line.SetBuckets(t.strip.Buckets())
	default:
		t.line.SetBuckets(1) // the axis of the waterfall still needs the ends
	}
}

// frame shows in the strip which part of the time the rows in sight are.
func (t *timelinePane) frame() {
	if t.line == nil {
		t.strip.SetWindow(0, 0, false)
		return
	}
	first, _ := t.list.Place()
	last := min(first+t.list.Page(), t.line.Rows()-1)
	if t.shows(view.ColumnWaterfall) {
		if axis := t.line.AxisOf(first, last); axis != t.axis {
			t.axis = axis
			t.layColumns()
		}
	}
	if t.sorted() || t.line.Rows() == 0 {
		t.strip.SetWindow(0, 0, false)
		return
	}
	log := t.line.Log()
	t.strip.SetWindow(log.Head(t.line.Seq(first)).Time, log.Head(t.line.Seq(last)).Time, true)
}

// jumpTo brings the rows of a time into view.
func (t *timelinePane) jumpTo(at time.Duration) {
	if t.line == nil {
		return
	}
	row, ok := t.line.RowNear(at)
	if !ok {
		return
	}
	t.list.Pause()
	t.list.SetPlace(max(0, row-t.list.Page()/2), 0)
	t.frame()
}

// brush lets the filter pass a range of time only; nothing between the ends
// takes that away.
func (t *timelinePane) brush(from, to time.Duration) {
	if text := view.WithRange(t.filter.text(), from, to); text != t.filter.text() {
		t.filter.setText(text)
	}
}

// hovered marks what belongs to the row under the mouse.
func (t *timelinePane) hovered(h rows.Hover) {
	if t.line != nil && t.line.Relate(h.Row) {
		t.list.Decorate()
	}
}

// setWhole says that the timeline has the page, or not.
func (t *timelinePane) setWhole(on bool) {
	if on {
		t.whole.SetIcon(fynetheme.ViewRestoreIcon())
	} else {
		t.whole.SetIcon(fynetheme.ViewFullScreenIcon())
	}
}

// toggleWhole gives the timeline the page, or the panes their part of it.
func (p *connPage) toggleWhole() { p.setWhole(!p.whole) }

func (p *connPage) setWhole(on bool) {
	if p.whole == on {
		return
	}
	p.whole = on
	p.time.setWhole(on)
	setHidden(p.head.object(), on)
	setHidden(p.strip, on || p.reporting && !p.everConnected)
	if on {
		p.u.foldTimeline(false)
	}
	p.layTimeline()
	p.root.Refresh()
	p.u.menus.refresh()
}

// timelineLayout sets the header, the strip and the rows below each other. The
// strip goes when the rows have little room.
type timelineLayout struct{ t *timelinePane }

// The strip is low while the rows have less than the first height without it,
// and gone below the second.
const rowsBeforeHigh, rowsBeforeLow = 300, 130

// Layout implements fyne.Layout.
func (l *timelineLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	head, rest := objects[0], objects[2]
	gap := fynetheme.Padding()
	y := head.MinSize().Height
	head.Move(fyne.NewPos(0, 0))
	head.Resize(fyne.NewSize(size.Width, y))
	left := size.Height - y
	l.t.strip.Hidden = l.t.noStrip || l.t.folded || left < rowsBeforeLow
	if !l.t.strip.Hidden {
		high := float32(timeline.Height)
		if left < rowsBeforeHigh {
			high = timeline.LowHeight
		}
		l.t.strip.Move(fyne.NewPos(0, y))
		l.t.strip.Resize(fyne.NewSize(size.Width, high))
		y += high
	}
	rest.Move(fyne.NewPos(0, y+gap))
	rest.Resize(fyne.NewSize(size.Width, max(0, size.Height-y-gap)))
	l.t.measureStrip()
	l.t.frame() // more or fewer rows are in sight
}

// MinSize implements fyne.Layout.
func (l *timelineLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	least := objects[0].MinSize()
	if l.t.folded {
		return least
	}
	rest := objects[2].MinSize()
	return fyne.NewSize(max(least.Width, rest.Width), least.Height+fynetheme.Padding()+rest.Height)
}
