package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"mcploupe/ui/widget"
)

// busyBar is a thin bar that moves while it is set. The toolkit's bar starts to
// move when it is first drawn and goes on when something covers it, which draws
// the whole window sixty times a second; so there is one only while it is
// wanted.
type busyBar struct {
	box *fyne.Container
	bar *widget.ProgressBarInfinite
}

func newBusyBar() *busyBar {
	b := &busyBar{box: container.New(&fixedHeight{4})}
	b.box.Hide()
	return b
}

func (b *busyBar) set(on bool) {
	if on == (b.bar != nil) {
		return
	}
	if on {
		b.bar = widget.NewProgressBarInfinite()
		b.box.Objects = []fyne.CanvasObject{b.bar}
	} else {
		b.bar.Stop()
		b.bar, b.box.Objects = nil, nil
	}
	setHidden(b.box, !on)
	b.box.Refresh()
}
