package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"mcploupe/ui/widget"
)

// clampLayout shows one wrapping object, in a scroll, at its own height up to a
// bound: a long text of a peer never pushes anything off the screen.
type clampLayout struct{ max float32 }

// newClamp puts o, which wraps, into a scroll of at most max height.
func newClamp(o fyne.CanvasObject, max float32) *fyne.Container {
	scroll := container.NewVScroll(o)
	return container.New(&clampLayout{max: max}, scroll)
}

// Layout implements fyne.Layout.
func (l *clampLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.NewPos(0, 0))
		o.Resize(size)
	}
}

// MinSize implements fyne.Layout. The content has the width of the last layout.
func (l *clampLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var height float32
	for _, o := range objects {
		if scroll, ok := o.(*container.Scroll); ok {
			height = max(height, scroll.Content.MinSize().Height)
		}
	}
	return fyne.NewSize(40, min(height, l.max))
}

// room stacks a form and its result, or puts them beside each other where there
// is more width than height.
type room struct {
	widget.BaseWidget
	split  *container.Split
	slim   bool       // the form is next to nothing: the result gets the width and most of the height
	places [2]float64 // of the bar, by slim, as the person left it
}

// The form and the result go beside each other from this width on, when that
// leaves neither lower than wide.
const (
	roomWide  = 760
	roomRatio = 1.25
)

// newRoom makes the room of a form and its result. The places of its bar are
// kept under name.
func newRoom(kept *splits, name string, form, result fyne.CanvasObject) *room {
	r := &room{split: container.NewVSplit(form, result)}
	r.places[0] = kept.place(name, 0.5, func() float64 { return r.place(0) })
	r.places[1] = kept.place(name+" slim", 0.14, func() float64 { return r.place(1) })
	r.split.SetOffset(r.places[0])
	r.ExtendBaseWidget(r)
	return r
}

// CreateRenderer implements fyne.Widget.
func (r *room) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(r.split) }

// MinSize is small in both directions, so that turning the split never moves
// the window.
func (r *room) MinSize() fyne.Size { return fyne.NewSize(240, 120) }

// Resize implements fyne.CanvasObject.
func (r *room) Resize(size fyne.Size) {
	r.turn(size)
	r.BaseWidget.Resize(size)
}

func (r *room) turn(size fyne.Size) {
	beside := !r.slim && size.Width >= roomWide && size.Width >= roomRatio*size.Height
	if r.split.Horizontal != beside {
		r.split.Horizontal = beside
		r.split.Refresh()
	}
}

// setSlim says whether the form needs next to no room.
func (r *room) setSlim(slim bool) {
	if r.slim == slim {
		return
	}
	r.places[r.at()] = r.split.Offset
	r.slim = slim
	r.turn(r.Size())
	r.split.SetOffset(r.places[r.at()])
}

// at is which of the places is in force.
func (r *room) at() int {
	if r.slim {
		return 1
	}
	return 0
}

// place is where the person left the bar.
func (r *room) place(at int) float64 {
	if at == r.at() {
		return r.split.Offset
	}
	return r.places[at]
}

// say sets the text of a label, hidden while there is none. A label that shows
// it already is left alone.
func say(l *widget.Label, text string) {
	if l.Text != text {
		l.SetText(text)
	}
	if l.Hidden == (text != "") {
		setHidden(l, text == "")
	}
}
