package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// proseBytes is up to which size a text is set as prose; wrapping labels take
// long for more, so longer texts go to the text view.
const proseBytes = 4 << 10

// proseBox shows a text of a peer that people are meant to read.
type proseBox struct {
	label *widget.Label
	long  *textBox
	root  *fyne.Container
	shown string // "" before the first set
}

func newProseBox(env *Env) *proseBox {
	b := &proseBox{label: widget.NewLabel(""), long: newTextBox("", env)}
	b.label.Wrapping, b.label.Selectable = fyne.TextWrapWord, true
	b.root = container.NewStack()
	return b
}

// set shows text, or empty when there is none.
func (b *proseBox) set(text, empty string) {
	if text == "" {
		text = empty
	}
	if b.shown == text {
		return
	}
	b.shown = text
	if len(text) <= proseBytes {
		b.label.SetText(safe.Text(text, proseBytes))
		b.root.Objects = []fyne.CanvasObject{container.NewVScroll(b.label)}
	} else {
		b.long.set(text)
		b.root.Objects = []fyne.CanvasObject{b.long.view()}
	}
	b.root.Refresh()
}
