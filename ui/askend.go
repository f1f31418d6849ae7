package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"mcploupe/session"
	"mcploupe/ui/textview"
	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// askEndPage says how the question that was shown came to its end: what was
// answered, byte for byte, and what its call does.
type askEndPage struct {
	pane   *requestsPane
	root   *fyne.Container
	glyph  *glyph
	title  *widget.Label
	text   *widget.Label
	ask    session.Ask
	sent   *session.Reply
	bytes  *textBox
	about  *widget.Label
	answer *fyne.Container
	back   *widget.Button
	locate *widget.Button
}

func newAskEndPage(p *requestsPane) *askEndPage {
	e := &askEndPage{pane: p, glyph: newGlyph("", view.Muted), title: widget.NewLabel(""), text: widget.NewLabel("")}
	e.title.TextStyle.Bold = true
	e.title.Truncation, e.text.Truncation = fyne.TextTruncateEllipsis, fyne.TextTruncateEllipsis
	e.text.Importance = widget.LowImportance
	e.back = widget.NewButton("", func() { p.env.ShowCall(e.ask.CauseMethod, e.ask.CauseName) })
	e.locate = quiet("In timeline", nil, func() { p.env.ShowEvent(e.ask.Seq) })
	e.about = widget.NewLabel("")
	e.about.Importance, e.about.Truncation = widget.LowImportance, fyne.TextTruncateEllipsis
	e.bytes = newTextBox("", p.env)
	e.bytes.text.SetMode(textview.Raw)
	head := container.New(&tightLayout{}, widget.Border(nil, nil, e.glyph, container.NewHBox(e.back, e.locate), e.title), e.text)
	e.answer = widget.Border(container.NewVBox(widget.NewSeparator(), e.about), nil, nil, nil, e.bytes.view())
	e.root = widget.Border(head, nil, nil, nil, e.answer)
	return e
}

// set takes the question from the page that showed it, which may be nil.
func (e *askEndPage) set(page *askPage) {
	e.ask, e.sent = session.Ask{}, nil
	text := ""
	if page != nil {
		e.ask, e.sent, text = page.draft.Ask, page.reply, page.replied
	}
	e.bytes.set(text)
	e.about.SetText("What was answered")
	setHidden(e.answer, text == "")
	e.back.SetText(safe.Line("Go to "+view.CauseOf(e.ask), 60))
	setHidden(e.back, e.ask.Cause == 0)
	setHidden(e.locate, e.ask.Seq == 0)
	e.root.Refresh()
}

// refresh takes in what became of the call.
func (e *askEndPage) refresh() {
	phase, _ := e.pane.conn.Phase()
	end := view.AskEndOf(e.ask, e.sent, e.pane.conn.State(), phase.Live())
	e.glyph.set(end.Glyph, end.Tone)
	if e.title.Text != end.Title {
		e.title.SetText(end.Title)
	}
	say(e.text, end.Text)
}

func (e *askEndPage) object() fyne.CanvasObject { return e.root }

// focus gives the keyboard to the way back, unless the question went while the
// person was at it: what is typed then is meant for no button.
func (e *askEndPage) focus() {
	if e.sent != nil && e.back.Visible() {
		e.pane.env.Window.Canvas().Focus(e.back)
	}
}
