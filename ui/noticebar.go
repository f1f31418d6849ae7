package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// notice is something about the program itself that stays in sight until the
// person has seen it.
type notice struct {
	glyph        string
	tone         view.Tone
	text, detail string
	actions      []noticeAction // the first is the one to press
	closed       func()         // the person has put it away; may be nil
}

type noticeAction struct {
	label string
	do    func()
}

// noticeBar is a strip above the tabs of the window.
type noticeBar struct {
	root    *fyne.Container
	back    *ground
	sign    *glyph
	tone    view.Tone
	text    *widget.Label
	detail  *widget.Label
	buttons *fyne.Container
	moved   func() // what is below gets another place
}

func newNoticeBar(moved func()) *noticeBar {
	b := &noticeBar{sign: newGlyph("", view.Muted), buttons: container.NewHBox(), moved: moved}
	b.back = newGround(func() color.Color { return theme.Tint(toneColor(b.tone)) })
	b.text = widget.NewLabelWithStyle("", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	b.detail = widget.NewLabel("")
	for _, l := range []*widget.Label{b.text, b.detail} {
		l.Truncation = fyne.TextTruncateEllipsis
	}
	b.root = container.NewStack(b.back, container.NewPadded(container.NewBorder(nil, nil, b.sign, container.NewCenter(b.buttons),
		container.New(&tightLayout{}, b.text, b.detail))))
	b.root.Hide()
	return b
}

func (b *noticeBar) show(n notice) {
	b.tone = n.tone
	b.sign.set(n.glyph, n.tone)
	setText(b.text, n.text)
	setText(b.detail, n.detail)
	b.buttons.RemoveAll()
	for i, a := range n.actions {
		button := widget.NewButton(a.label, a.do)
		if i == 0 {
			button.Importance = widget.HighImportance
		}
		b.buttons.Add(button)
	}
	put := widget.NewButtonWithIcon("", fynetheme.CancelIcon(), func() {
		b.hide()
		if n.closed != nil {
			n.closed()
		}
	})
	put.Importance = widget.LowImportance
	b.buttons.Add(put)
	b.back.Refresh()
	b.root.Show()
	b.root.Refresh()
	b.moved()
}

func (b *noticeBar) hide() {
	b.root.Hide()
	b.moved()
}

// layFrame gives what is below the bar its place, which the toolkit does not do by
// itself. The bar may tell of a page that fails: what that does when it is laid
// out once more is known already.
func (u *UI) layFrame() {
	if u.frame == nil {
		return
	}
	defer func() { _ = recover() }()
	u.frame.Layout.Layout(u.frame.Objects, u.frame.Size())
}
