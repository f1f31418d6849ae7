package ui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	fynetheme "fyne.io/fyne/v2/theme"
	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// asker fills in what one request is about: the arguments of a tool or a
// prompt, the variables of a template.
type asker interface {
	pages() []formPage
	filling() view.Filling
	slim() bool     // there is next to nothing to fill in
	explains() bool // the page in sight says itself what is wrong
	hides() bool    // something wrong may not be marked yet
	reveal()        // marks all that is wrong and goes to the first of it
	refresh()       // something changed elsewhere
	focus()         // the first thing to fill in
}

// formPage is one way to fill in the same.
type formPage struct {
	title string
	page  fyne.CanvasObject
	shown func()
}

// subject is the entry that a panel sends requests about.
type subject struct {
	entry      view.Entry
	about      string // whole description
	method     string
	verb       string // on the button
	definition []byte
	findings   []protocol.Problem // in the definition
	searched   bool               // for findings
	ask        asker
	input      jsontext.Value // schemas of a tool
	output     jsontext.Value
	tool       *protocol.Tool // nil for what is no tool
	book       *view.CallBook // nil when no calls are remembered

	// What the person has done with it so far.
	run      *view.Running
	taken    bool // the outcome is on the screen
	turn     int  // the outcome that is: more may come after the end
	page     string
	metaText string
	timeout  string
	asTask   bool   // the call is to become a task
	taskTTL  string // as typed
	from     string // where what is filled in comes from, "" for the person
	chosen   string // name of the call that was saved last
}

// requestPanel is the right side of a pane: an entry, its form, and the result
// below or beside it, both visible at once.
type requestPanel struct {
	env   *Env
	conn  *view.Conn
	idle  string          // stands where the result will
	below *fyne.Container // what is wrong, and what can be done about it

	root   *fyne.Container
	empty  *widget.Label
	title  *widget.Label
	badges *badgeRow
	about  *widget.Label
	reason *widget.Label
	strip  *tabStrip
	pages  []formPage
	page   *fyne.Container
	def    *textBox
	odd    *widget.Label // what there is to say about the definition
	oddAt  *fyne.Container

	defPage *fyne.Container
	more    *requestOptions
	send    *widget.Button
	toRaw   *widget.Button
	copies  *widget.Button
	calls   *widget.Button
	watch   *widget.Button
	changes *changesPage
	laid    *view.EntryChange // that the tabs were made for
	from    *widget.Label
	fromAt  *fyne.Container
	form    *fyne.Container
	why     *widget.Label
	result  *resultView
	head    *fyne.Container
	room    *room
	whole   *fyne.Container

	now *subject
}

// The pages that every subject has.
const (
	pageOptions    = "Options"
	pageDefinition = "Definition"
	pageChanges    = "Changes" // of one that changed
)

// aboutHeight bounds the description above a form to some three lines; the
// whole of it scrolls.
const aboutHeight = 62

// panelMargin keeps buttons off the edge of the window.
const panelMargin = 4

func newRequestPanel(conn *view.Conn, env *Env, hint string) *requestPanel {
	p := &requestPanel{conn: conn, env: env, idle: "The result will be shown here."}
	p.empty = widget.NewLabel(hint)
	p.empty.Importance, p.empty.Alignment = widget.LowImportance, fyne.TextAlignCenter
	p.title = widget.NewLabel("")
	p.title.TextStyle.Bold = true
	p.title.Truncation = fyne.TextTruncateEllipsis
	p.badges = newBadgeRow()
	p.about, p.reason, p.why = widget.NewLabel(""), widget.NewLabel(""), widget.NewLabel("")
	p.reason.Importance, p.why.Importance = widget.WarningImportance, widget.WarningImportance
	p.about.Wrapping, p.reason.Wrapping = fyne.TextWrapWord, fyne.TextWrapWord
	p.about.Selectable, p.reason.Selectable = true, true
	p.why.Truncation = fyne.TextTruncateEllipsis
	p.def = newTextBox("", env)
	p.odd = widget.NewLabel("")
	p.odd.Wrapping, p.odd.Selectable = fyne.TextWrapWord, true
	p.oddAt = newClamp(p.odd, aboutHeight)
	p.defPage = widget.Border(p.oddAt, nil, nil, nil, p.def.view())
	p.more = newRequestOptions(conn, env, p.edited)
	p.strip = newTabStrip(func(i int) { p.showPage(p.pages[i].title) }, nil)
	p.page = container.NewStack()
	p.send = widget.NewButtonWithIcon("", fynetheme.MediaPlayIcon(), p.submit)
	p.send.Importance = widget.HighImportance
	p.copies = widget.NewButtonWithIcon("Copy as", fynetheme.ContentCopyIcon(), p.copyMenu)
	p.calls = widget.NewButtonWithIcon("Calls", fynetheme.HistoryIcon(), p.callMenu)
	p.calls.Importance = widget.LowImportance
	p.from = widget.NewLabel("")
	p.from.Importance, p.from.Truncation = widget.LowImportance, fyne.TextTruncateEllipsis
	p.fromAt = widget.Border(nil, nil, nil, quiet("Defaults", fynetheme.ContentUndoIcon(), p.defaults), p.from)
	p.toRaw = widget.NewButtonWithIcon("Edit as raw", fynetheme.DocumentCreateIcon(), p.editRaw)
	p.copies.Importance, p.toRaw.Importance = widget.LowImportance, widget.LowImportance
	p.watch = quiet("Watch", fynetheme.VisibilityIcon(), p.toWatch)
	p.watch.Hide()
	p.changes = newChangesPage(env)
	p.result = newResultView(env)
	head := container.NewVBox(
		widget.Border(nil, nil, nil, p.badges, p.title),
		newClamp(p.about, aboutHeight), newClamp(p.reason, aboutHeight),
		widget.Border(nil, nil, nil, container.NewHBox(p.watch, p.calls, p.toRaw, p.copies, p.send), p.strip),
		widget.NewSeparator())
	p.below = widget.Border(nil, nil, nil, nil, p.why)
	p.form = widget.Border(p.fromAt, p.below, nil, nil, p.page)
	p.head = head
	p.room = newRoom(env.splits, "form", p.form, p.result.object())
	p.whole = container.New(layout.NewCustomPaddedLayout(0, 0, 2, panelMargin), widget.Border(head, nil, nil, nil, p.room))
	p.root = container.NewStack(container.NewCenter(p.empty))
	return p
}

func (p *requestPanel) object() fyne.CanvasObject { return p.root }

// aboutBytes bounds the description above a form; the whole of it is in the
// definition.
const aboutBytes = 4 << 10

// show shows an entry with what was done with it so far.
func (p *requestPanel) show(s *subject) {
	p.recorded()
	if p.now == s {
		if s != nil && p.laid != s.entry.Change { // seen, or changed again
			p.badges.set(s.entry.Badges)
			p.layPages()
		}
		return
	}
	p.now = s
	if s == nil {
		p.root.Objects = []fyne.CanvasObject{container.NewCenter(p.empty)}
		p.root.Refresh()
		return
	}
	title := s.entry.Name
	if s.entry.Label != "" {
		title += "  ·  " + s.entry.Label
	}
	say(p.title, title)
	p.badges.set(s.entry.Badges)
	p.sayClamped(p.about, safe.Text(strings.TrimSpace(s.about), aboutBytes))
	p.sayClamped(p.reason, s.entry.Reason)
	p.def.setBytes(s.definition, s.findings)
	p.def.text.SetMode(textviewPretty)
	p.tellFindings()
	p.more.load(s)
	p.layPages()
	p.root.Objects = []fyne.CanvasObject{p.whole}
	p.root.Refresh()
	s.taken = false
	p.refresh()
}

// sayClamped sets a label inside a clamp, which goes when it is empty.
func (p *requestPanel) sayClamped(l *widget.Label, text string) {
	say(l, text)
	l.Show()
	for _, o := range p.headClamps() {
		if scroll := o.Objects[0].(*container.Scroll); scroll.Content == fyne.CanvasObject(l) {
			scroll.ScrollToTop()
			setHidden(o, text == "")
		}
	}
}

func (p *requestPanel) headClamps() []*fyne.Container {
	return []*fyne.Container{p.head.Objects[1].(*fyne.Container), p.head.Objects[2].(*fyne.Container)}
}

// layPages makes the tabs of the subject and returns to the one it was left on.
func (p *requestPanel) layPages() {
	s := p.now
	p.laid = s.entry.Change
	p.pages = slices.Clone(s.ask.pages())
	if change := s.entry.Change; change != nil && change.Kind == session.EntryChanged {
		p.pages = append(p.pages, formPage{title: pageChanges, page: p.changes.box.Object(), shown: func() { p.changes.show(change) }})
	}
	p.pages = append(p.pages,
		formPage{title: pageOptions, page: p.more.object(), shown: func() { p.more.refresh(p.conn, p.now, p.request) }},
		formPage{title: pageDefinition, page: p.defPage, shown: p.findIn})
	p.showFrom()
	p.showPage(s.page)
}

// showPage shows the page with that title, else the first.
func (p *requestPanel) showPage(title string) {
	at := max(slices.IndexFunc(p.pages, func(a formPage) bool { return a.title == title }), 0)
	tabs := make([]stripTab, len(p.pages))
	for i, page := range p.pages {
		tabs[i] = stripTab{Text: page.title}
	}
	p.strip.Set(tabs, at)
	page := p.pages[at]
	p.now.page = page.title
	p.room.setSlim(at == 0 && p.now.ask.slim())
	p.check()
	if page.shown != nil {
		page.shown()
	}
	if len(p.page.Objects) != 1 || p.page.Objects[0] != page.page {
		p.page.Objects = []fyne.CanvasObject{page.page}
		p.page.Refresh()
	}
}

// refresh brings the result and the button up to date.
func (p *requestPanel) refresh() {
	if p.now == nil {
		return
	}
	p.now.ask.refresh()
	p.showWatch()
	p.check()
	run := p.now.run
	if run == nil {
		if !p.now.taken {
			p.now.taken = true
			p.result.setEmpty(p.idle)
		}
		return
	}
	if !p.now.taken {
		p.now.turn = 0
	}
	p.now.turn = p.result.showRun(run, p.now.turn)
	p.now.taken = p.now.turn > 0
}

// edited is called after each change of what would be sent.
func (p *requestPanel) edited() {
	p.check()
	p.showWatch()
	if p.now != nil && p.now.page == pageOptions {
		p.more.refresh(p.conn, p.now, p.request)
	}
}

// check says what is wrong, and whether the button can be pressed.
func (p *requestPanel) check() {
	if p.now == nil {
		return
	}
	_, reason, sendable := p.request()
	verb := p.now.verb
	if reason != "" && sendable && !p.now.ask.hides() {
		verb += " anyway"
	}
	if p.now.ask.explains() {
		reason = ""
	}
	if phase, _ := p.conn.Phase(); !phase.Live() {
		reason, sendable = whyNot(phase), false
	}
	say(p.why, safe.Line(reason, 300))
	if p.send.Text != verb {
		p.send.SetText(verb)
	}
	if p.send.Disabled() == sendable {
		if sendable {
			p.send.Enable()
		} else {
			p.send.Disable()
		}
	}
}

// request is what would be sent now. reason says what is wrong with it.
func (p *requestPanel) request() (r view.Request, reason string, sendable bool) {
	s := p.now
	f := s.ask.filling()
	r = view.Request{Method: s.method, Params: f.Params, Draft: f.Draft, InputSchema: s.input, OutputSchema: s.output}
	if text := strings.TrimSpace(s.metaText); text != "" {
		r.Meta = jsontext.Value(text)
		if !view.IsObject(r.Meta) {
			r.Meta = nil
			return r, "Options: _meta is not a JSON object.", false
		}
	}
	if text := strings.TrimSpace(s.timeout); text != "" {
		limit, err := parseLimit(text)
		if err != nil {
			return r, "Options: " + err.Error(), false
		}
		r.Timeout = limit
	}
	task, why := taskOf(s, p.conn.State())
	if why != "" {
		return r, why, false
	}
	r.Task = task
	return r, f.Reason, f.Sendable
}

// parseLimit reads a time limit: a number of seconds, or a duration with its
// unit.
func parseLimit(text string) (time.Duration, error) {
	compact := strings.ReplaceAll(text, " ", "")
	if d, err := time.ParseDuration(compact); err == nil && d > 0 {
		return d, nil
	}
	if d, err := time.ParseDuration(compact + "s"); err == nil && d > 0 {
		return d, nil
	}
	return 0, fmt.Errorf("the time-out %q cannot be read: write 30 s, 500ms or 2m", safe.Line(text, 30))
}

// submit sends the request.
func (p *requestPanel) submit() {
	if p.now == nil {
		return
	}
	p.check()
	r, reason, _ := p.request()
	if reason != "" && p.now.ask.hides() {
		p.now.ask.reveal() // and who wants can send it all the same
		p.check()
		return
	}
	if p.send.Disabled() {
		return
	}
	run, err := p.conn.Send(r, p.env.Changed)
	if err == nil {
		p.remember()
	}
	p.sent(run, err)
}

// take shows a call of the subject that was sent elsewhere, with its result.
func (p *requestPanel) take(call *session.Call) bool {
	if p.now == nil || p.now.method != call.State().Method {
		return false
	}
	r := view.Request{Method: p.now.method, InputSchema: p.now.input, OutputSchema: p.now.output}
	p.sent(p.conn.Follow(call, r, p.env.Changed), nil)
	return true
}

func (p *requestPanel) sent(run *view.Running, err error) {
	if err != nil {
		p.env.Fail("The request was not sent", err)
		return
	}
	p.now.run, p.now.taken = run, false
	p.refresh()
}

// build is the message as it would go out, drafts included.
func (p *requestPanel) build() (string, bool) {
	if p.now == nil {
		return "", false
	}
	r, _, _ := p.request()
	text, err := r.Text(p.conn)
	if err != nil {
		p.env.Fail("The request cannot be built", err)
		return "", false
	}
	return text, true
}

func (p *requestPanel) editRaw() {
	if text, ok := p.build(); ok {
		p.env.SendRaw(text)
	}
}
