package ui

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// stepList shows the connection checklist. A step with an event in the
// timeline has a link to it.
type stepList struct {
	box   *fyne.Container
	jump  func(seq uint64)
	shown []view.Step
}

func newStepList(jump func(seq uint64)) *stepList {
	return &stepList{box: container.NewVBox(), jump: jump}
}

func (l *stepList) set(steps []view.Step) {
	if slices.Equal(steps, l.shown) {
		return
	}
	l.shown = slices.Clone(steps)
	l.box.RemoveAll()
	for _, s := range steps {
		l.box.Add(l.row(s))
	}
}

func (l *stepList) row(s view.Step) fyne.CanvasObject {
	title := widget.NewLabelWithStyle(s.Title, fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	title.Truncation = fyne.TextTruncateEllipsis
	tail := s.Word
	if s.Took != "" {
		tail += "  " + s.Took
	}
	word := widget.NewLabel(tail)
	word.Importance = widget.LowImportance
	right := container.NewHBox(word)
	if s.Seq != 0 {
		link := widget.NewButton("show", func() { l.jump(s.Seq) })
		link.Importance = widget.LowImportance
		right.Add(link)
	}
	lines := container.New(&tightLayout{}, widget.Border(nil, nil, nil, right, title))
	if s.Detail != "" {
		detail := widget.NewLabel(s.Detail)
		detail.Wrapping, detail.Selectable = fyne.TextWrapWord, true
		detail.Importance = widget.LowImportance
		lines.Add(detail)
	}
	if s.Said != "" {
		said := widget.NewLabelWithStyle(s.Said, fyne.TextAlignLeading, fyne.TextStyle{Monospace: true})
		said.Wrapping, said.Selectable = fyne.TextWrapBreak, true
		lines.Add(said)
	}
	if s.Cause != "" {
		cause := widget.NewLabel("Likely cause: " + s.Cause)
		cause.Wrapping, cause.Selectable = fyne.TextWrapWord, true
		lines.Add(cause)
	}
	if s.Advice != "" {
		advice := widget.NewLabel("Try: " + s.Advice)
		advice.Wrapping, advice.Selectable = fyne.TextWrapWord, true
		lines.Add(advice)
	}
	return widget.Border(nil, nil, newGlyph(s.Glyph, s.Tone), nil, lines)
}

// tightLayout is a column of labels without the space that their paddings make
// between them.
type tightLayout struct{}

// Layout implements fyne.Layout.
func (*tightLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	var y float32
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		o.Resize(fyne.NewSize(size.Width, o.MinSize().Height))
		h := o.MinSize().Height
		o.Resize(fyne.NewSize(size.Width, h))
		o.Move(fyne.NewPos(0, y))
		y += h - factTuck()
	}
}

// MinSize implements fyne.Layout.
func (*tightLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var w, h float32
	for _, o := range objects {
		if o.Visible() {
			w = max(w, o.MinSize().Width)
			h += o.MinSize().Height - factTuck()
		}
	}
	return fyne.NewSize(w, h+factTuck())
}
