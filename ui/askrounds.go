package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"mcploupe/session"
	"mcploupe/ui/rows"
	"mcploupe/ui/textview"
	"mcploupe/ui/view"
)

// roundsView shows the rounds of a call step by step, and sends one of them
// again with other answers.
type roundsView struct {
	pane *requestsPane
	root *fyne.Container

	call   session.CallState
	shown  []view.RoundRow
	at     int
	list   *rows.View
	text   *textBox
	edit   *textview.Editor
	again  *widget.Button
	locate *widget.Button
	send   *widget.Button
	back   *widget.Button
	lower  *fyne.Container
	note   *widget.Label
	notes  *fyne.Container
	body   string
}

func newRoundsView(p *requestsPane) *roundsView {
	r := &roundsView{pane: p, at: -1, text: newTextBox("", p.env)}
	r.list = rows.New(r.bind, nil)
	r.list.SetColumns(rows.Column{Title: "", Width: 88, Min: 60}, rows.Column{Title: "", Min: 80})
	r.list.SetPlaceholder("No rounds yet")
	r.list.OnSelect = func(i int) {
		if i >= 0 {
			r.showRound(i)
		}
	}
	r.text.text.SetMode(textview.Pretty)
	r.note = widget.NewLabel("")
	r.note.Wrapping, r.note.Importance, r.note.Selectable = fyne.TextWrapWord, widget.WarningImportance, true
	r.notes = newClamp(r.note, askNotesHeight)
	r.edit = textview.NewEditor()
	r.again = quiet("Answer again …", fynetheme.MailReplyIcon(), r.start)
	r.locate = quiet("In timeline", nil, func() {
		if r.at >= 0 && r.at < len(r.shown) {
			p.env.ShowEvent(r.shown[r.at].Seq)
		}
	})
	r.send = widget.NewButtonWithIcon("Send as a call of its own", fynetheme.MailSendIcon(), r.resend)
	r.send.Importance = widget.HighImportance
	r.back = quiet("Back", fynetheme.NavigateBackIcon(), func() { r.lay(false) })
	r.lower = container.NewStack()
	split := container.NewVSplit(r.list, r.lower)
	split.SetOffset(0.3)
	r.root = container.NewStack(split)
	r.lay(false)
	return r
}

func (r *roundsView) object() fyne.CanvasObject { return r.root }

// lay shows the round, or the editor for other answers to it.
func (r *roundsView) lay(editing bool) {
	var o fyne.CanvasObject
	if editing {
		o = container.NewBorder(
			container.NewBorder(nil, nil, r.back, r.send, caption("inputResponses, sent with the state of this round")), nil, nil, nil, r.edit)
	} else {
		o = container.NewBorder(container.NewVBox(container.NewHBox(r.again, r.locate), r.notes), nil, nil, nil, r.text.view())
	}
	r.lower.Objects = []fyne.CanvasObject{o}
	r.lower.Refresh()
}

// set shows the rounds of a call.
func (r *roundsView) set(c session.CallState) {
	if c.Key != r.call.Key {
		r.at = -1
		r.lay(false)
	}
	r.call = c
	r.shown = view.RoundRows(c)
	if r.list.Count() != len(r.shown) {
		r.list.Reset(len(r.shown))
	} else {
		r.list.Invalidate()
	}
	if r.at < 0 && len(r.shown) > 0 {
		r.at = len(r.shown) - 1
	}
	if r.at >= 0 && r.at < len(r.shown) {
		r.list.Select(r.at)
		r.showRound(r.at)
	}
}

func (r *roundsView) bind(i int, row *rows.Row) {
	x := r.shown[i]
	row.Cells[0] = rows.Cell{Glyph: x.Glyph, GlyphColor: toneName(x.Tone), Text: x.Title}
	row.Cells[1] = rows.Cell{Text: x.Answered, Detail: x.Asked + "  ·  " + x.State}
}

func (r *roundsView) showRound(i int) {
	if r.at != i {
		r.lay(false)
	}
	r.at = i
	x := r.shown[i]
	var lines []string
	for _, f := range x.Findings {
		lines = append(lines, strings.TrimSpace(f.Word+" "+f.Rule+": "+f.Text))
	}
	say(r.note, strings.Join(lines, "\n"))
	r.note.Show()
	setHidden(r.notes, len(lines) == 0)
	if x.Body != r.body {
		r.body = x.Body
		r.text.setBytes([]byte(x.Body), nil)
	}
}

// start opens the editor for other answers.
func (r *roundsView) start() {
	r.edit.SetText(view.AnswersToResend(r.call, r.at))
	r.lay(true)
	r.pane.env.Window.Canvas().Focus(r.edit)
}

func (r *roundsView) resend() {
	r.pane.inbox.Resend(r.call.Key, r.at, r.edit.Text(), func(err error) {
		r.pane.env.Do(func() {
			if err != nil {
				r.pane.env.Fail("The round was not sent again", err)
				return
			}
			r.lay(false)
			r.pane.env.Notify("Sent again, as a call of its own")
		})
		r.pane.env.Changed()
	})
}

// callPage shows a call of which the server wanted something.
type callPage struct {
	pane   *requestsPane
	root   fyne.CanvasObject
	title  *widget.Label
	state  *widget.Label
	cause  *widget.Button
	retry  *widget.Button
	rounds *roundsView
	call   session.CallState
}

func newCallPage(p *requestsPane) *callPage {
	c := &callPage{pane: p, rounds: newRoundsView(p)}
	c.title, c.state = widget.NewLabel(""), caption("")
	c.title.TextStyle.Bold, c.title.Truncation = true, fyne.TextTruncateEllipsis
	c.state.Truncation = fyne.TextTruncateEllipsis
	c.cause = quiet("Go to it", nil, func() { p.env.ShowCall(c.call.Method, c.call.Name) })
	c.retry = quiet("Send again", fynetheme.ViewRefreshIcon(), func() { p.retry(c.call.Key) })
	head := container.New(&tightLayout{}, container.NewBorder(nil, nil, nil, container.NewHBox(c.cause, c.retry), c.title), c.state)
	c.root = container.NewBorder(head, nil, nil, nil, c.rounds.object())
	return c
}

func (c *callPage) object() fyne.CanvasObject { return c.root }

// set shows a call.
func (c *callPage) set(call session.CallState) {
	c.call = call
	say(c.title, view.CallWord(call))
	say(c.state, view.CallState(call))
	setHidden(c.retry, call.Phase == session.CallPending || call.Phase == session.CallWaiting)
	c.rounds.set(call)
}
