package forms

import (
	"math"
	"sort"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"

	"mcploupe/protocol/schema"
	look "mcploupe/ui/theme"
	"mcploupe/ui/view/fields"
	"mcploupe/ui/widget"
)

const (
	barWidth = 12
	barInset = 3
	minThumb = 24
	// beyond is how many lines with a tab stop are kept outside the window at each end, so that Tab finds them.
	beyond = 2
	// tabReach is how many lines without a tab stop are passed to find one.
	tabReach = 40
	// maxBuilt is from how many built lines on those out of sight are dropped.
	maxBuilt = 240
	// outOfSight is where lines are kept that are in no window.
	outOfSight = -100_000
)

// area is a widget that shows the lines in its window and builds no others.
// Lines have heights of their own: guessed until they have been seen.
type area struct {
	widget.BaseWidget
	v *View

	lines []*line
	known map[fields.Line]*line
	tops  []float64 // of each line, and the end
	top   float64   // what is scrolled away

	objects      []fyne.CanvasObject
	track, thumb *canvas.Rectangle
	target       *canvas.Rectangle // where an item that is dragged would go
	aim          aim
	wheel        *wheelCatcher
	bar          *bar
	width        float32 // for which heights were measured
	busy         bool
	again        bool // something changed while drawing
	late         bool // so did the lines
	scratch      []fields.Line
}

// line is a line of the form, built when it is first seen.
type line struct {
	fields.Line
	at  int
	h   float32 // 0 while it has never been measured
	box *box
}

func newArea(v *View) *area {
	a := &area{v: v, known: map[fields.Line]*line{}, track: canvas.NewRectangle(nil), thumb: canvas.NewRectangle(nil), target: newRect()}
	a.wheel = &wheelCatcher{a: a}
	a.wheel.ExtendBaseWidget(a.wheel)
	a.bar = &bar{a: a}
	a.bar.ExtendBaseWidget(a.bar)
	a.ExtendBaseWidget(a)
	return a
}

// take makes the area show the lines that the form has now, keeping those it
// knows and what stands at the top of the window.
func (a *area) take() {
	if a.busy {
		a.late, a.again = true, true
		return
	}
	a.scratch = fields.Lines(a.v.form, a.v.isFolded, a.scratch)
	anchor, off := a.anchor()
	same := len(a.scratch) == len(a.lines)
	for i := 0; same && i < len(a.scratch); i++ {
		same = a.lines[i].Line == a.scratch[i]
	}
	if same {
		return
	}
	known := make(map[fields.Line]*line, len(a.scratch))
	a.lines = a.lines[:0:0]
	for i, l := range a.scratch {
		x := a.known[l]
		if x == nil {
			x = &line{Line: l}
		}
		x.at = i
		known[l] = x
		a.lines = append(a.lines, x)
	}
	for l, x := range a.known {
		if known[l] == nil {
			a.v.unfocus(x)
		}
	}
	a.known = known
	a.place()
	if anchor != nil && known[anchor.Line] == anchor {
		a.top = a.tops[anchor.at] + off
	}
}

// anchor is the first line in the window, and how much of it is scrolled away.
func (a *area) anchor() (*line, float64) {
	if len(a.lines) == 0 {
		return nil, 0
	}
	i := a.lineAt(a.top)
	return a.lines[i], a.top - a.tops[i]
}

// lineAt is the line at a height of the whole form.
func (a *area) lineAt(y float64) int {
	i := sort.Search(len(a.lines), func(i int) bool { return a.tops[i+1] > y })
	return min(i, len(a.lines)-1)
}

// place sums up the heights.
func (a *area) place() {
	if cap(a.tops) < len(a.lines)+1 {
		a.tops = make([]float64, len(a.lines)+1)
	}
	a.tops = a.tops[:len(a.lines)+1]
	y := float64(topPad)
	for i, l := range a.lines {
		a.tops[i] = y
		h := l.h
		if h == 0 {
			h = guess(l)
		}
		y += float64(h)
	}
	a.tops[len(a.lines)] = y
}

func (a *area) total() float64 {
	if len(a.tops) == 0 {
		return 0
	}
	return a.tops[len(a.tops)-1] + bottomPad
}

func (a *area) maxTop() float64 { return max(0, a.total()-float64(a.Size().Height)) }

// draw builds and places what is in the window.
func (a *area) draw() {
	if a.busy {
		a.again = true
		return
	}
	a.busy = true
	for range 4 { // building a field may focus another, which asks to draw again
		a.again = false
		if a.late {
			a.late, a.busy = false, false
			a.take()
			a.busy = true
		}
		a.pass()
		if !a.again {
			break
		}
	}
	a.busy = false
	if l := a.v.wanted; l != nil && a.Size().Height > 0 {
		a.v.show(l)
	}
	canvas.Refresh(a.wheel) // marks the whole canvas as changed; it is never hidden, so the toolkit knows its canvas
}

func (a *area) pass() {
	size := a.Size()
	if size.Width <= 0 || size.Height <= 0 {
		return
	}
	if size.Width != a.width {
		a.width = size.Width
		for _, l := range a.lines {
			if l.box != nil {
				l.box.stale = true
			}
		}
	}
	if len(a.lines) == 0 {
		a.show(nil)
		return
	}
	a.top = min(max(0, a.top), a.maxTop())
	anchor, off := a.anchor()
	first, last := a.window(anchor.at, off)
	a.place()
	a.top = a.tops[anchor.at] + off
	if top := min(max(0, a.top), a.maxTop()); top != a.top {
		a.top = top
		anchor, off = a.anchor()
		first, last = a.window(anchor.at, off)
		a.place()
	}
	shown := a.kept(first, last)
	for _, l := range shown {
		y := a.tops[l.at] - a.top
		if y >= float64(size.Height) || a.tops[l.at+1]-a.top <= 0 {
			// Kept for the Tab key alone. The toolkit clips what scrolls in it to
			// itself and not to the form, so it must not lie over other widgets.
			y = outOfSight
		}
		l.box.object.Move(fyne.NewPos(0, float32(y)))
	}
	a.show(shown)
	a.forget(shown)
}

// show puts the objects of lines on the screen.
func (a *area) show(lines []*line) {
	a.objects = a.objects[:0]
	for _, l := range lines {
		a.objects = append(a.objects, l.box.object)
	}
	size := a.Size()
	length := a.thumbLength()
	for _, o := range []fyne.CanvasObject{a.track, a.thumb, a.bar} {
		if length == 0 {
			o.Hide()
		} else {
			o.Show()
		}
	}
	a.track.FillColor, a.thumb.FillColor = look.Color(theme.ColorNameScrollBarBackground), look.Color(theme.ColorNameScrollBar)
	a.thumb.CornerRadius = (barWidth - 2*barInset) / 2
	put(a.track, size.Width-barWidth, 0, barWidth, size.Height)
	put(a.bar, size.Width-barWidth, 0, barWidth, size.Height)
	put(a.thumb, size.Width-barWidth+barInset, float32(a.thumbTop())+barInset, barWidth-2*barInset, max(0, float32(length)-2*barInset))
	put(a.wheel, 0, 0, size.Width, size.Height)
	a.showAim()
	a.objects = append(a.objects, a.target, a.track, a.thumb, a.bar, a.wheel)
}

// forget drops the widgets of lines out of sight when there are many.
func (a *area) forget(shown []*line) {
	built := 0
	for _, l := range a.lines {
		if l.box != nil {
			built++
		}
	}
	if built <= maxBuilt {
		return
	}
	keep := make(map[*line]bool, len(shown))
	for _, l := range shown {
		keep[l] = true
	}
	for _, l := range a.lines {
		if !keep[l] {
			l.box = nil
		}
	}
}

func (a *area) thumbLength() float64 {
	view, total := float64(a.Size().Height), a.total()
	if view <= 0 || total <= view {
		return 0
	}
	return min(view, max(minThumb, view*view/total))
}

func (a *area) thumbTop() float64 {
	if a.maxTop() == 0 {
		return 0
	}
	return (float64(a.Size().Height) - a.thumbLength()) * a.top / a.maxTop()
}

// scrollBy moves the window.
func (a *area) scrollBy(dy float64) {
	top := min(max(0, a.top+dy), a.maxTop())
	if top != a.top {
		a.top = top
		a.draw()
	}
}

// reveal scrolls as little as needed to show a line.
func (a *area) reveal(l *line) {
	if a.Size().Height <= 0 || a.known[l.Line] != l {
		return
	}
	if a.busy {
		a.again = true
	}
	if l.h == 0 && a.width > 0 {
		anchor, off := a.anchor()
		a.ready(l)
		a.place()
		a.top = a.tops[anchor.at] + off
	}
	from, to := a.tops[l.at], a.tops[l.at+1]
	top := a.top
	if to > top+float64(a.Size().Height) {
		top = to - float64(a.Size().Height)
	}
	top = min(top, from)
	if math.Abs(top-a.top) > 0.5 {
		a.top = top
		a.draw()
	}
}

// find is the line of a node, nil when it is folded away.
func (a *area) find(n *schema.Node) *line {
	for _, l := range a.lines {
		if l.Node == n && (l.Role == fields.Field || l.Role == fields.Section) {
			return l
		}
	}
	return nil
}

// Scrolled takes the wheel, and lets the toolkit clip what is outside.
func (a *area) Scrolled(e *fyne.ScrollEvent) { a.wheel.Scrolled(e) }

// MinSize is small: lines scroll.
func (a *area) MinSize() fyne.Size { return fyne.NewSize(120, 60) }

// Refresh draws what has changed; after a change of theme, everything.
func (a *area) Refresh() {
	if a.v.restyle() {
		for _, l := range a.lines {
			l.h = 0
			if l.box != nil {
				l.box.restyle()
			}
		}
	}
	a.draw()
}

// CreateRenderer is for the toolkit.
func (a *area) CreateRenderer() fyne.WidgetRenderer { return &areaRenderer{a} }

type areaRenderer struct{ a *area }

func (r *areaRenderer) Layout(fyne.Size)             { r.a.draw() }
func (r *areaRenderer) MinSize() fyne.Size           { return r.a.MinSize() }
func (r *areaRenderer) Refresh()                     { r.a.Refresh() }
func (r *areaRenderer) Destroy()                     {}
func (r *areaRenderer) Objects() []fyne.CanvasObject { return r.a.objects }
