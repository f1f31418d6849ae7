package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"mcploupe/ui/view/safe"
)

// textBox shows a text that came from a peer.
type textBox struct {
	label *widget.Label
	root  *fyne.Container
	shown string
}

func newTextBox(title string, env *Env) *textBox {
	b := &textBox{label: widget.NewLabelWithStyle("", fyne.TextAlignLeading, fyne.TextStyle{Monospace: true})}
	b.label.Wrapping = fyne.TextWrapWord
	b.root = container.NewBorder(heading(title), nil, nil, nil, b.label)
	return b
}

func (b *textBox) object() fyne.CanvasObject { return b.root }
func (b *textBox) view() fyne.CanvasObject   { return container.NewVScroll(b.label) }
func (b *textBox) set(text string) {
	if b.shown == text {
		return
	}
	b.shown = text
	b.label.SetText(safe.Text(text, 4000))
	b.root.Hidden = text == ""
}
func (b *textBox) setOr(text, empty string) {
	if text == "" {
		text = empty
	}
	b.set(text)
}
func (b *textBox) setBytes(text []byte) { b.set(string(text)) }
func (b *textBox) setJSON(text []byte)  { b.set(string(text)) }
