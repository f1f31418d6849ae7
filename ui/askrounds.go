package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/session"
	"mcploupe/ui/rows"
	"mcploupe/ui/textview"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// roundsView shows the rounds of a call step by step, and sends one of them
// again with other answers.
type roundsView struct {
	pane *requestsPane
	root *fyne.Container

	split  *container.Split
	call   session.CallState
	shown  []view.RoundRow
	count  int // of shown, when it was last looked at
	at     int
	list   *rows.View
	text   *textBox
	edit   *textview.Editor
	again  *widget.Button
	locate *widget.Button
	goOn   *widget.Button // of a call that is continued by hand
	send   *widget.Button
	back   *widget.Button
	lower  *fyne.Container
	note   *widget.Label
	notes  *fyne.Container
	body   string

	editing bool
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
	r.edit.Run = p.env.run
	r.edit.OnEscape = func() { r.lay(false) }
	r.goOn = widget.NewButtonWithIcon("", fynetheme.MediaPlayIcon(), func() { r.resume("") })
	r.goOn.Importance = widget.HighImportance
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
	r.split = container.NewVSplit(r.list, r.lower)
	r.root = container.NewStack(r.split)
	r.lay(false)
	return r
}

func (r *roundsView) object() fyne.CanvasObject { return r.root }

// place puts the bar where that of other calls is.
func (r *roundsView) place() { r.pane.bars.rounds.show(r.split, 0.3) }

// lay shows the round, or the editor for other answers to it.
func (r *roundsView) lay(editing bool) {
	var o fyne.CanvasObject
	r.editing = editing
	if editing {
		note := caption("inputResponses, sent with the state of this round")
		note.Truncation = fyne.TextTruncateEllipsis
		o = widget.Border(widget.Border(nil, nil, r.back, r.send, note), nil, nil, nil, r.edit)
	} else {
		o = widget.Border(container.NewVBox(container.NewHBox(r.goOn, r.again, r.locate), r.notes), nil, nil, nil, r.text.view())
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
	if newest := len(r.shown) - 1; r.at < 0 || r.count != len(r.shown) && c.Held && !r.editing {
		r.at = newest
	}
	r.count = len(r.shown)
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
	r.offer()
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

// offer says what can be done with the round that is shown.
func (r *roundsView) offer() {
	held := view.HeldNewest(r.call, r.at)
	setHidden(r.goOn, !held)
	again, send, verb := "Answer again …", "Send as a call of its own", ""
	if held {
		verb = view.ContinueVerb(r.call, r.pane.inbox.Asks())
		again, send = "Edit the answers …", "Continue with these"
	}
	for _, b := range []struct {
		button *widget.Button
		text   string
	}{{r.goOn, verb}, {r.again, again}, {r.send, send}} {
		if b.button.Text != b.text {
			b.button.SetText(b.text)
		}
	}
}

// start opens the editor for other answers.
func (r *roundsView) start() {
	var given jsontext.Value
	if view.HeldNewest(r.call, r.at) {
		given = r.pane.inbox.Given(r.call.Key)
	}
	r.edit.SetText(view.AnswersToResend(r.call, r.at, given))
	r.lay(true)
	r.pane.env.Window.Canvas().Focus(r.edit)
}

// resend sends the answers that were edited: as the next request of a call that
// is continued by hand, else as a call of its own.
func (r *roundsView) resend() {
	if view.HeldNewest(r.call, r.at) {
		r.resume(r.edit.Text())
		return
	}
	r.pane.inbox.Resend(r.call.Key, r.at, r.edit.Text(), func(call *session.Call, err error) {
		if err == nil {
			r.pane.env.Do(func() { r.lay(false) })
		}
		r.pane.again("The round was not sent again", call, err)
	})
}

// resume continues a call that waits, with answers, or with those that are
// given when it is "".
func (r *roundsView) resume(answers string) {
	r.pane.inbox.Continue(r.call.Key, answers, func(err error) {
		r.pane.env.Do(func() {
			if err != nil {
				r.pane.env.Fail("The call does not go on", err)
				return
			}
			r.count = 0 // on to the round that comes of it
			r.lay(false)
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
	head := container.New(&tightLayout{}, widget.Border(nil, nil, nil, container.NewHBox(c.cause, c.retry), c.title), c.state)
	c.root = widget.Border(head, nil, nil, nil, c.rounds.object())
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
