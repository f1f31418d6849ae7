package difftext

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/view/human"
	"mcploupe/ui/view/textdiff"
	"mcploupe/ui/widget"
)

// Box is a View with a line above it: what is compared, how much changed, and
// the buttons.
type Box struct {
	View *View

	root   *fyne.Container
	title  *widget.Label
	place  *widget.Label
	note   *widget.Label
	back   *widget.Button
	next   *widget.Button
	layout *widget.Button
}

// NewBox returns a box that shows nothing.
func NewBox() *Box {
	b := &Box{View: NewView(), title: widget.NewLabel(""), place: widget.NewLabel(""), note: widget.NewLabel("")}
	b.title.Truncation = fyne.TextTruncateEllipsis
	b.place.Importance, b.note.Importance = widget.LowImportance, widget.WarningImportance
	b.note.Truncation = fyne.TextTruncateEllipsis
	button := func(text string, icon fyne.Resource, do func()) *widget.Button {
		button := widget.NewButtonWithIcon(text, icon, do)
		button.Importance = widget.LowImportance
		return button
	}
	b.back = button("", fynetheme.MoveUpIcon(), func() { b.View.Step(false) })
	b.next = button("", fynetheme.MoveDownIcon(), func() { b.View.Step(true) })
	b.layout = button("One column", nil, func() { b.View.SetUnified(!b.View.Unified()) })
	b.View.OnMoved = b.said
	b.root = widget.Border(
		container.NewVBox(widget.Border(nil, nil, nil, container.NewHBox(b.place, b.back, b.next, b.layout), b.title), b.note),
		nil, nil, nil, b.View)
	b.Set("", &textdiff.Diff{})
	return b
}

// Object is the box.
func (b *Box) Object() fyne.CanvasObject { return b.root }

// Set shows a diff. title says what is compared; it must have passed package
// safe.
func (b *Box) Set(title string, d *textdiff.Diff) {
	b.title.SetText(title)
	b.note.SetText(d.Cut)
	b.note.Hidden = d.Cut == ""
	b.View.Set(d)
	b.said()
	b.root.Refresh()
}

// said shows which change is looked at and what the button would do.
func (b *Box) said() {
	d := b.View.Diff()
	text := "no difference"
	if n := len(d.Changes); n > 0 {
		text = human.Plural(n, "change", "changes")
		if at := b.View.At(); at >= 0 {
			text = "change " + human.Count(at+1) + " of " + human.Count(n)
		}
		text += "  +" + human.Count(d.Added) + " −" + human.Count(d.Removed)
	}
	if b.place.Text != text {
		b.place.SetText(text)
	}
	word := "One column"
	if b.View.Unified() {
		word = "Side by side"
	}
	if b.layout.Text != word {
		b.layout.SetText(word)
	}
	enable(b.back, b.View.At() > 0)
	enable(b.next, b.View.At()+1 < len(d.Changes))
}

func enable(b *widget.Button, on bool) {
	switch {
	case on && b.Disabled():
		b.Enable()
	case !on && !b.Disabled():
		b.Disable()
	}
}
