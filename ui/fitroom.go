package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"mcploupe/ui/theme"
)

// fitLayout bounds the height that its one object asks for: what is inside never
// makes the window taller than the screen.
type fitLayout struct{ most float32 }

// newFit gives o the room there is, and a scroll when that is less than o needs.
// It asks for no more than most, at the zoom that is set.
func newFit(o fyne.CanvasObject, most float32) *fyne.Container {
	return container.New(&fitLayout{most}, container.NewVScroll(o))
}

// Layout implements fyne.Layout.
func (l *fitLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.NewPos(0, 0))
		o.Resize(size)
	}
}

// MinSize implements fyne.Layout.
func (l *fitLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var least fyne.Size
	for _, o := range objects {
		size := o.MinSize()
		if scroll, ok := o.(*container.Scroll); ok {
			size = scroll.Content.MinSize()
		}
		least = least.Max(size)
	}
	return fyne.NewSize(least.Width, min(least.Height, theme.Scaled(l.most)))
}

// What the parts of a connection ask for at most, and all of it: where a window
// is low or its texts are large, the panes scroll and the timeline has few rows.
const (
	panesLeast    = 200
	timelineLeast = 84
	pageLeast     = 160
)

// yieldLayout stacks a head, a body and a foot. Where there is little height the
// head scrolls, so that the body keeps its least and the foot is always in sight.
type yieldLayout struct{ body float32 }

// newYield makes a page of a head that may be cut, a body that has at least the
// height body at the zoom that is set, and a foot.
func newYield(head, body, foot fyne.CanvasObject, least float32) *fyne.Container {
	return container.New(&yieldLayout{least}, container.NewVScroll(head), body, foot)
}

// headLeast is what stays of a head that is cut: its first line.
const headLeast = 32

// Layout implements fyne.Layout.
func (l *yieldLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	head, body, foot := objects[0].(*container.Scroll), objects[1], objects[2]
	low := foot.MinSize().Height
	left := max(size.Height-low, 0)
	// A wrapping text knows its height only once it has its width.
	head.Resize(fyne.NewSize(size.Width, head.Content.MinSize().Height))
	high := min(head.Content.MinSize().Height, max(left-theme.Scaled(l.body), theme.Scaled(headLeast)))
	head.Move(fyne.NewPos(0, 0))
	head.Resize(fyne.NewSize(size.Width, high))
	body.Move(fyne.NewPos(0, high))
	body.Resize(fyne.NewSize(size.Width, max(left-high, 0)))
	foot.Move(fyne.NewPos(0, left))
	foot.Resize(fyne.NewSize(size.Width, low))
}

// MinSize implements fyne.Layout.
func (l *yieldLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	head, body, foot := objects[0].(*container.Scroll), objects[1], objects[2]
	low := foot.MinSize()
	width := max(head.Content.MinSize().Width, body.MinSize().Width, low.Width)
	return fyne.NewSize(width, theme.Scaled(headLeast)+min(body.MinSize().Height, theme.Scaled(l.body))+low.Height)
}
