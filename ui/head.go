package ui

import (
	"image/color"
	"reflect"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// headLine is the top line of a connection: who, state, revision, counts, and
// the button for what comes next.
type headLine struct {
	page   *connPage
	root   *fyne.Container
	name   *widget.Label
	sign   *glyph
	word   *widget.Label
	parts  *cutLabel
	rec    *widget.Button
	action *widget.Button
	more   *widget.Button

	shown view.Head
	phase view.Phase
	drawn bool
}

func newHeadLine(p *connPage) *headLine {
	h := &headLine{page: p, sign: newGlyph("", view.Muted)}
	h.name = widget.NewLabelWithStyle("", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	h.word = widget.NewLabel("")
	h.parts = newCutLabel(p.u.tip, "")
	h.parts.Importance = widget.LowImportance
	h.action = widget.NewButton("", h.act)
	h.more = widget.NewButtonWithIcon("", fynetheme.MoreVerticalIcon(), h.menu)
	h.more.Importance = widget.LowImportance
	h.rec = widget.NewButtonWithIcon("Recording", fynetheme.MediaRecordIcon(), h.recordingMenu)
	h.rec.Importance = widget.LowImportance
	left := container.NewHBox(h.name, h.sign, h.word)
	h.root = widget.Border(nil, nil, left, container.NewHBox(h.rec, h.action, h.more), h.parts)
	return h
}

func (h *headLine) object() fyne.CanvasObject { return h.root }

func (h *headLine) refresh() {
	head := view.HeadOf(h.page.conn)
	phase, _ := h.page.conn.Phase()
	if h.drawn && phase == h.phase && reflect.DeepEqual(head, h.shown) {
		return
	}
	h.drawn, h.shown, h.phase = true, head, phase
	setText(h.name, head.Name)
	setText(h.word, head.Word)
	setText(&h.parts.Label, strings.Join(head.Parts, "   ·   "))
	h.sign.set(head.Glyph, head.Tone)
	label := ""
	switch {
	case phase == view.File:
		if _, ok := h.page.u.recordedServer(h.page.conn.Server().Target); ok {
			label = "Connect …"
		}
	case phase == view.Closing:
	case phase.Live():
		label = "Disconnect"
	case phase == view.Connecting:
		label = "Cancel"
	case phase == view.Idle:
		label = "Connect"
	case phase == view.Failed && !h.page.everConnected:
		label = "Retry"
	default:
		label = "Reconnect"
	}
	h.action.Hidden = label == ""
	h.action.SetText(label)
	h.rec.Hidden = h.page.conn.Path() == ""
	icon := fynetheme.MediaRecordIcon()
	if h.page.time.still() {
		icon = fynetheme.DocumentIcon()
	}
	if h.rec.Icon.Name() != icon.Name() {
		h.rec.SetIcon(icon)
	}
	h.root.Refresh()
}

// act is the button's work.
func (h *headLine) act() {
	switch phase, _ := h.page.conn.Phase(); {
	case phase.Live() || phase == view.Connecting:
		h.page.conn.Disconnect()
	case phase == view.File:
		h.page.connectRecorded()
	default:
		h.page.connect()
	}
}

func (h *headLine) recordingMenu() {
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(h.rec)
	at.Y += h.rec.Size().Height
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", h.page.recordingItems()...), h.page.u.win.Canvas(), at)
}

func (h *headLine) menu() {
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(h.more)
	at.Y += h.more.Size().Height
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", h.page.menuItems()...), h.page.u.win.Canvas(), at)
}

// statusBar says what happened to a connection whose panes are still shown.
type statusBar struct {
	page   *connPage
	root   *fyne.Container
	back   *ground
	sign   *glyph
	tone   view.Tone
	text   *widget.Label
	detail *cutLabel
	action *widget.Button
	more   *widget.Button
	shown  *view.Bar
}

func newStatusBar(p *connPage) *statusBar {
	b := &statusBar{page: p, sign: newGlyph("", view.Muted)}
	b.back = newGround(func() color.Color { return theme.Tint(toneColor(b.tone)) })
	b.text = widget.NewLabelWithStyle("", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	b.text.Truncation = fyne.TextTruncateEllipsis
	b.detail = newCutLabel(p.u.tip, "")
	b.action = widget.NewButton("", b.act)
	b.action.Importance = widget.HighImportance
	b.more = widget.NewButton("Details", p.details)
	line := widget.Border(nil, nil, b.sign, container.NewHBox(b.more, b.action),
		container.New(&tightLayout{}, b.text, b.detail))
	b.root = container.NewStack(b.back, container.NewPadded(line))
	b.root.Hide()
	return b
}

func (b *statusBar) object() fyne.CanvasObject { return b.root }

func (b *statusBar) refresh() {
	bar := view.BarOf(b.page.conn)
	if b.page.reporting && !b.page.everConnected {
		bar = nil // the report says it all
	}
	if reflect.DeepEqual(bar, b.shown) {
		return
	}
	resized := (bar == nil) != (b.shown == nil)
	b.shown = bar
	b.root.Hidden = bar == nil
	if bar != nil {
		setText(b.text, bar.Text)
		setText(&b.detail.Label, bar.Detail)
		b.detail.Hidden = bar.Detail == ""
		b.action.SetText(bar.Action)
		b.action.Hidden = bar.Action == ""
		b.more.Hidden = !bar.Report
		b.tone = bar.Tone
		b.sign.set(bar.Glyph, bar.Tone)
		b.back.Refresh()
		resized = true
	}
	b.root.Refresh()
	if resized {
		b.page.root.Refresh()
	}
}

func (b *statusBar) act() {
	if phase, _ := b.page.conn.Phase(); phase == view.Connecting {
		b.page.conn.Disconnect()
		return
	}
	if b.shown != nil {
		switch b.shown.Does {
		case view.BarNewRecording:
			b.page.newRecording()
			return
		case view.BarCopyRecording:
			b.page.copyRecording()
			return
		}
	}
	b.page.connect()
}
