package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/session"
	"mcploupe/ui/textview"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// askBody is the part of a page for one kind of question.
type askBody interface {
	// object is the left side: what is asked.
	object() fyne.CanvasObject
	// pages are tabs for the right side, before the preview.
	pages() []askTab
	refresh()
	focus()
}

// askTab is a tab of the right side.
type askTab struct {
	title string
	page  fyne.CanvasObject
	shown func()
}

// askPage shows one question: whose it is, what it says, what can be answered,
// and the exact bytes of the answer.
type askPage struct {
	pane  *requestsPane
	env   *Env
	draft *view.AskDraft
	body  askBody

	root    *fyne.Container
	title   *widget.Label
	facts   *widget.Label
	cause   *widget.Button
	locate  *widget.Button
	message *proseBox
	notes   *widget.Label
	strip   *tabStrip
	tabs    []askTab
	tab     int
	right   *fyne.Container
	split   *container.Split
	preview *textBox
	about   *widget.Label
	why     *widget.Label
	round   *widget.Label
	yes     *widget.Button
	no      *widget.Button
	away    *widget.Button
	rounds  *roundsView

	last    string // the preview that is shown
	sent    bool   // an answer is on its way
	reply   *session.Reply
	replied string // its bytes
	shows   bool   // what is wrong is marked at every field
	touched bool   // the person has filled in something
	leaving bool   // Esc was pressed, and once more puts the question away
}

// Heights of what stands above the form, so that a long text never pushes it
// off the screen.
const (
	askMessageHeight = 64
	askNotesHeight   = 44
	askFormLeast     = 130
)

func newAskPage(p *requestsPane, d *view.AskDraft) *askPage {
	a := &askPage{pane: p, env: p.env, draft: d}
	a.title = widget.NewLabel("")
	a.title.TextStyle.Bold, a.title.Truncation = true, fyne.TextTruncateEllipsis
	a.facts = widget.NewLabel("")
	a.facts.Importance, a.facts.Truncation = widget.LowImportance, fyne.TextTruncateEllipsis
	a.cause = quiet("", nil, func() { a.env.ShowCall(a.draft.Ask.CauseMethod, a.draft.Ask.CauseName) })
	a.locate = quiet("In timeline", nil, func() { a.env.ShowEvent(a.draft.Ask.Seq) })
	a.message = newProseBox(a.env)
	a.notes = widget.NewLabel("")
	a.notes.Wrapping, a.notes.Importance, a.notes.Selectable = fyne.TextWrapWord, widget.WarningImportance, true
	a.preview = newTextBox("", a.env)
	a.preview.text.SetMode(textview.Raw)
	a.about = widget.NewLabel("")
	a.about.Importance, a.about.Truncation = widget.LowImportance, fyne.TextTruncateEllipsis
	a.why, a.round = widget.NewLabel(""), widget.NewLabel("")
	a.why.Importance, a.why.Truncation = widget.WarningImportance, fyne.TextTruncateEllipsis
	a.round.Importance, a.round.Truncation = widget.LowImportance, fyne.TextTruncateEllipsis
	a.yes = widget.NewButtonWithIcon("", fynetheme.ConfirmIcon(), a.accept)
	a.yes.Importance = widget.HighImportance
	a.no = widget.NewButton("Decline", func() { a.send(a.draft.Decline()) })
	verb, _ := d.DismissVerb()
	a.away = widget.NewButton(verb+"  Esc", a.dismiss)
	a.right = container.NewStack()
	a.strip = newTabStrip(a.showTab, nil)
	a.body = a.newBody()
	a.build()
	return a
}

func (a *askPage) newBody() askBody {
	switch a.draft.Ask.Kind {
	case session.AskForm:
		if a.draft.Form == nil {
			return newReadingBody()
		}
		return newFormBody(a)
	case session.AskURL:
		return newAddressBody(a)
	case session.AskSampling:
		return newSamplingBody(a)
	}
	return newJSONBody(a)
}

// stale reports that the schema of the form has been read since the page was
// made.
func (a *askPage) stale() bool {
	_, reading := a.body.(*readingBody)
	return reading && a.pane.inbox.Draft(a.draft.Ask.Key) != nil && a.draft.Form != nil
}

func (a *askPage) build() {
	head := view.AskHeadOf(a.draft.Ask, a.pane.conn.State())
	a.title.SetText(head.Title)
	var words []string
	for _, f := range head.Facts[:2] {
		words = append(words, f.Value)
	}
	if a.draft.Ask.Cause == 0 {
		words = append(words, "caused by "+head.Facts[2].Value)
	}
	a.facts.SetText(strings.Join(words, "   ·   "))
	a.cause.SetText(safe.Line("Go to "+view.CauseOf(a.draft.Ask), 60))
	setHidden(a.cause, a.draft.Ask.Cause == 0)
	top := container.NewVBox(
		container.New(&tightLayout{},
			widget.Border(nil, nil, nil, container.NewHBox(a.cause, a.locate), a.title), a.facts))
	if a.draft.Ask.Message != "" {
		a.message.set(a.draft.Ask.Message, "")
		height := theme.Scaled(askMessageHeight)
		if strings.Count(a.draft.Ask.Message, "\n") == 0 && len(a.draft.Ask.Message) < 100 {
			height = a.message.label.MinSize().Height
		}
		top.Add(container.New(&fixedHeight{height}, a.message.root))
	}
	if len(head.Notes) > 0 {
		var lines []string
		for _, n := range head.Notes {
			lines = append(lines, strings.TrimSpace(n.Word+" "+n.Rule+": "+n.Text+" "+n.Place))
		}
		a.notes.SetText(strings.Join(lines, "\n"))
		top.Add(newClamp(a.notes, theme.Scaled(askNotesHeight)))
	}
	exact := askTab{title: "Exact answer", page: widget.Border(a.about, nil, nil, nil, a.preview.view())}
	a.tabs = a.body.pages()
	if a.draft.Ask.Kind == session.AskSampling { // the answer itself is on the right
		a.tabs = append(a.tabs, exact)
	} else {
		a.tabs = append([]askTab{exact}, a.tabs...)
	}
	if !a.draft.Ask.Legacy {
		a.rounds = newRoundsView(a.pane)
		a.tabs = append(a.tabs, askTab{title: "Rounds", page: a.rounds.object(), shown: a.showRounds})
	}
	setHidden(a.no, !a.draft.Declines())
	buttons := widget.Border(nil, nil, nil, container.NewCenter(container.NewHBox(a.away, a.no, a.yes)),
		container.NewStack(container.New(&tightLayout{}, a.why, a.round)))
	side := widget.Border(a.strip, nil, nil, nil, a.right)
	a.split = container.NewHSplit(a.body.object(), side)
	page := newYield(top, widget.Border(widget.NewSeparator(), nil, nil, nil, a.split), container.NewVBox(widget.NewSeparator(), buttons), askFormLeast)
	a.root = container.New(layout.NewCustomPaddedLayout(0, 0, 0, panelMargin), page)
	a.showTab(0)
	a.check()
}

func (a *askPage) object() fyne.CanvasObject { return a.root }

// place puts the bars where those of other questions are.
func (a *askPage) place() {
	a.pane.bars.page.show(a.split, 0.5)
	if b, ok := a.body.(*samplingBody); ok {
		a.pane.bars.sampling.show(b.split, b.share)
	}
	if a.rounds != nil && a.tabShown("Rounds") {
		a.rounds.place()
	}
}

// showTab shows a tab of the right side.
func (a *askPage) showTab(i int) {
	a.tab = i
	tabs := make([]stripTab, len(a.tabs))
	for n, t := range a.tabs {
		tabs[n] = stripTab{Text: t.title}
	}
	a.strip.Set(tabs, i)
	if a.tabs[i].shown != nil {
		a.tabs[i].shown()
	}
	a.right.Objects = []fyne.CanvasObject{a.tabs[i].page}
	a.right.Refresh()
}

// tabShown reports whether the tab with that title is in front.
func (a *askPage) tabShown(title string) bool { return a.tabs[a.tab].title == title }

func (a *askPage) showRounds() {
	a.rounds.place()
	if c, ok := view.CallOf(a.pane.conn.State(), a.draft.Ask.Cause); ok {
		a.rounds.set(c)
	}
}

// refresh takes in what happened to the question.
func (a *askPage) refresh() {
	if d := a.pane.inbox.Draft(a.draft.Ask.Key); d != nil {
		a.draft = d
	}
	a.body.refresh()
	if a.rounds != nil && a.tabShown("Rounds") {
		a.showRounds()
	}
	a.check()
}

// edited is called after each change of the answer.
func (a *askPage) edited() {
	a.touched, a.leaving = true, false
	a.check()
}

// check says what is wrong with the answer and shows its bytes.
func (a *askPage) check() {
	c := a.draft.Accept()
	ask := a.draft.Ask
	verb, reason := c.Verb, c.Reason
	if a.hides(c) {
		verb = "Accept"
	}
	if form, ok := a.body.(*formBody); ok && c.Sendable && form.marks() {
		reason = "" // the form says it
	}
	if ask.State == session.AskAnswered {
		verb = "Change the answer"
	}
	if text := verb + "  Ctrl+Enter"; a.yes.Text != text {
		a.yes.SetText(text)
	}
	busy := a.sent || ask.State == session.AskSending
	for _, b := range []*widget.Button{a.no, a.away} {
		setEnabled(b, !busy)
	}
	setEnabled(a.yes, c.Sendable && !busy)
	say(a.why, safe.Line(reason, 300))
	round := view.RoundProgress(ask, a.pane.inbox.Asks(), a.pane.held(ask))
	if busy {
		round = "The answer is on its way …"
	} else if a.leaving {
		round = "Esc once more sends " + string(a.draft.Dismiss().Action) + "; what you filled in is lost then."
	}
	say(a.round, round)
	text := ""
	if c.Sendable {
		text = a.pane.inbox.Preview(ask.Key, c.Reply)
	}
	say(a.about, view.PreviewNote(ask, text))
	if !c.Sendable {
		say(a.about, "Nothing can be sent yet: "+safe.Line(c.Reason, 200))
	}
	if text != a.last || a.preview.empty {
		a.last = text
		a.preview.set(text)
	}
}

// setEnabled enables a button or not.
func setEnabled(b *widget.Button, on bool) {
	if b.Disabled() == on {
		if on {
			b.Enable()
		} else {
			b.Disable()
		}
	}
}

// accept sends what is filled in. The first attempt with an answer that does not
// fit shows what is wrong with it instead.
func (a *askPage) accept() {
	c := a.draft.Accept()
	switch {
	case !c.Sendable || a.sent:
	case a.hides(c):
		a.shows = true
		a.body.(*formBody).reveal()
		a.check()
	default:
		a.send(c.Reply)
	}
}

// hides reports whether something is wrong with the answer that may not be
// marked yet.
func (a *askPage) hides(c view.Choice) bool {
	form, ok := a.body.(*formBody)
	return ok && !a.shows && c.Sendable && c.Reason != "" && form.marks()
}

// escape puts the question away for Esc, which is easily pressed: when something
// was filled in it takes two.
func (a *askPage) escape() {
	if a.touched && !a.leaving && !a.sent {
		a.leaving = true
		a.check()
		return
	}
	a.dismiss()
}

// dismiss puts the question away, with an answer that says so.
func (a *askPage) dismiss() {
	if !a.sent {
		a.send(a.draft.Dismiss())
	}
}

func (a *askPage) send(r session.Reply) {
	a.sent = true
	a.reply, a.replied = &r, a.pane.inbox.Preview(a.draft.Ask.Key, r)
	a.check()
	a.pane.inbox.Send(a.draft.Ask.Key, r, func(err error) {
		a.env.Do(func() {
			a.sent = false
			if err != nil {
				a.reply, a.replied = nil, ""
				a.env.Fail("The answer was not sent", err)
			}
			a.pane.answered(a.draft.Ask.Key, err == nil)
		})
		a.env.Changed()
	})
}

// focus gives the keyboard to the first thing to fill in.
func (a *askPage) focus() { a.body.focus() }
