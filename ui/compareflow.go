package ui

import "fyne.io/fyne/v2"

// flowLayout sets objects in rows, as many in each as there is room for.
type flowLayout struct {
	gap   float32
	width float32 // of the last layout
}

func (l *flowLayout) place(objects []fyne.CanvasObject, width float32, move func(o fyne.CanvasObject, x, y float32)) float32 {
	var x, y, high float32
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		size := o.MinSize()
		if x > 0 && x+size.Width > width {
			x, y, high = 0, y+high+l.gap, 0
		}
		move(o, x, y)
		x, high = x+size.Width+l.gap, max(high, size.Height)
	}
	return y + high
}

// Layout implements fyne.Layout.
func (l *flowLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.width = size.Width
	l.place(objects, size.Width, func(o fyne.CanvasObject, x, y float32) {
		o.Resize(o.MinSize())
		o.Move(fyne.NewPos(x, y))
	})
}

// MinSize implements fyne.Layout. The height is that of the last width.
func (l *flowLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	width := l.width
	if width == 0 {
		width = 280
	}
	return fyne.NewSize(60, l.place(objects, width, func(fyne.CanvasObject, float32, float32) {}))
}
