package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// floatLayer is what stands above everything else in the window without taking
// the keyboard, as a toolkit's pop-up does: offers for a field, a remark at its
// text. It takes no room of its own.
type floatLayer struct {
	box *fyne.Container
}

func newFloatLayer() *floatLayer { return &floatLayer{box: container.New(floating{})} }

// show puts o on the layer, once. Its owner gives it place and size.
func (f *floatLayer) show(o fyne.CanvasObject) {
	for _, there := range f.box.Objects {
		if there == o {
			return
		}
	}
	f.box.Objects = append(f.box.Objects, o)
	f.box.Refresh()
}

// hide takes o off the layer.
func (f *floatLayer) hide(o fyne.CanvasObject) {
	for i, there := range f.box.Objects {
		if there == o {
			f.box.Objects = append(f.box.Objects[:i:i], f.box.Objects[i+1:]...)
			f.box.Refresh()
			return
		}
	}
}

// beside gives the place for something of a size below what stands at a place,
// or above it where there is no room, so that it lies within the window.
func (f *floatLayer) beside(at fyne.Position, height float32, size fyne.Size) fyne.Position {
	room := f.box.Size()
	pos := fyne.NewPos(max(min(at.X, room.Width-size.Width), 0), at.Y+height)
	if pos.Y+size.Height > room.Height && at.Y-size.Height >= 0 {
		pos.Y = at.Y - size.Height
	}
	return pos
}

// origin is where the layer begins in the window.
func (f *floatLayer) origin() fyne.Position {
	return fyne.CurrentApp().Driver().AbsolutePositionForObject(f.box)
}

// floating leaves its objects where they are.
type floating struct{}

// Layout implements fyne.Layout.
func (floating) Layout([]fyne.CanvasObject, fyne.Size) {}

// MinSize implements fyne.Layout.
func (floating) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }
