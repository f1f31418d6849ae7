package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/theme"
	"mcploupe/ui/widget"
)

// columnLayout centres its one object and keeps it from growing too wide to be
// read.
type columnLayout struct{ max float32 }

// Layout implements fyne.Layout.
func (l *columnLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	width := min(size.Width-2*theme.SpaceL, theme.Scaled(l.max))
	for _, o := range objects {
		o.Resize(fyne.NewSize(width, size.Height))
		o.Move(fyne.NewPos((size.Width-width)/2, 0))
	}
}

// MinSize implements fyne.Layout.
func (l *columnLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var min fyne.Size
	for _, o := range objects {
		min = min.Max(o.MinSize())
	}
	return min
}

// spacer is an empty space of a height.
func spacer(height float32) fyne.CanvasObject {
	r := canvas.NewRectangle(color.Transparent)
	r.SetMinSize(fyne.NewSize(1, height))
	return r
}

// heading is the title of a section.
func heading(text string) *widget.Label {
	l := widget.NewLabelWithStyle(text, fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	l.SizeName = fynetheme.SizeNameSubHeadingText
	l.Truncation = fyne.TextTruncateEllipsis
	return l
}

// factLayout sets pairs of a label and a value in two columns, the first as
// wide as its widest label up to a bound.
type factLayout struct{ max float32 }

func (l *factLayout) widths(objects []fyne.CanvasObject, width float32) (label, value float32) {
	for i := 0; i < len(objects); i += 2 {
		label = max(label, objects[i].MinSize().Width)
	}
	label = min(label, theme.Scaled(l.max))
	return label, max(width-label, 1)
}

// Layout implements fyne.Layout.
func (l *factLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	label, value := l.widths(objects, size.Width)
	var y float32
	for i := 0; i+1 < len(objects); i += 2 {
		// A wrapping label knows its height only once it has its width.
		objects[i+1].Resize(fyne.NewSize(value, objects[i+1].MinSize().Height))
		h := max(objects[i].MinSize().Height, objects[i+1].MinSize().Height)
		objects[i].Move(fyne.NewPos(0, y))
		objects[i].Resize(fyne.NewSize(label, objects[i].MinSize().Height))
		objects[i+1].Move(fyne.NewPos(label, y))
		objects[i+1].Resize(fyne.NewSize(value, h))
		y += h - factTuck()
	}
}

// MinSize implements fyne.Layout.
func (l *factLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var w, h float32
	for i := 0; i+1 < len(objects); i += 2 {
		w = max(w, objects[i+1].MinSize().Width)
		h += max(objects[i].MinSize().Height, objects[i+1].MinSize().Height) - factTuck()
	}
	label, _ := l.widths(objects, 0)
	return fyne.NewSize(label+w, h+factTuck())
}

// factTuck is what the padding of two labels below each other is too much.
func factTuck() float32 { return fynetheme.InnerPadding() }
