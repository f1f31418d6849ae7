package ui

import (
	"fmt"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/ui/textview"
	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
)

// asker fills in what one request is about: the arguments of a tool or a
// prompt, the variables of a template.
type asker interface {
	object() fyne.CanvasObject
	// params are the request's params without _meta. reason says why they cannot
	// be sent, or what is wrong with them although they can.
	params() (v jsontext.Value, reason string, sendable bool)
	refresh()
}

// subject is the entry that a panel sends requests about.
type subject struct {
	entry      view.Entry
	name       string // as sent, not cut
	about      string // whole description
	method     string
	verb       string // on the button
	definition []byte
	ask        asker
	input      jsontext.Value // schemas of a tool
	output     jsontext.Value

	// What the person has done with it so far.
	run      *view.Running
	taken    bool // the outcome is on the screen
	metaText string
	timeout  string
}

// requestPanel is the right side of a pane: an entry, its form, and below it
// the result, both visible at once.
type requestPanel struct {
	env  *Env
	conn *view.Conn

	root    *fyne.Container
	empty   *widget.Label
	title   *widget.Label
	badges  *widget.Label
	about   *widget.Label
	reason  *widget.Label
	strip   *tabStrip
	at      int
	page    *fyne.Container
	def     *textBox
	meta    *textview.Editor
	timeout *widget.Entry
	more    *fyne.Container
	send    *widget.Button
	why     *widget.Label
	result  *resultView
	split   *container.Split
	whole   *fyne.Container

	now *subject
}

// The pages of a panel.
const (
	pageForm = iota
	pageOptions
	pageDefinition
)

func newRequestPanel(conn *view.Conn, env *Env, hint string, read func(uri string)) *requestPanel {
	p := &requestPanel{conn: conn, env: env}
	p.empty = widget.NewLabel(hint)
	p.empty.Importance, p.empty.Alignment, p.empty.Wrapping = widget.LowImportance, fyne.TextAlignCenter, fyne.TextWrapWord
	p.title = widget.NewLabel("")
	p.title.TextStyle.Bold = true
	p.title.Truncation = fyne.TextTruncateEllipsis
	p.badges, p.about, p.reason, p.why = widget.NewLabel(""), widget.NewLabel(""), widget.NewLabel(""), widget.NewLabel("")
	p.badges.Importance, p.reason.Importance, p.why.Importance = widget.LowImportance, widget.WarningImportance, widget.WarningImportance
	p.about.Wrapping, p.reason.Wrapping = fyne.TextWrapWord, fyne.TextWrapWord
	p.about.Selectable = true
	p.why.Truncation = fyne.TextTruncateEllipsis
	p.def = newTextBox("", env)
	p.meta = textview.NewEditor()
	p.meta.SetPlaceholder(`Members to add to params._meta, e.g. {"com.example/trace": "a1"}`)
	p.meta.OnChanged = func() { p.now.metaText = p.meta.Text(); p.check() }
	p.timeout = widget.NewEntry()
	p.timeout.SetPlaceHolder("60 s without an answer or progress")
	p.timeout.OnChanged = func(text string) { p.now.timeout = text; p.check() }
	p.more = container.NewBorder(widget.NewForm(widget.NewFormItem("Time-out", p.timeout)), nil, nil, nil,
		container.NewBorder(heading("_meta"), nil, nil, nil, p.meta))
	p.strip = newTabStrip(p.showPage, nil)
	p.page = container.NewStack()
	p.send = widget.NewButtonWithIcon("", fynetheme.MediaPlayIcon(), p.call)
	p.send.Importance = widget.HighImportance
	copyJSON := widget.NewButtonWithIcon("Copy request", fynetheme.ContentCopyIcon(), p.copyRequest)
	toRaw := widget.NewButtonWithIcon("Edit as raw", fynetheme.DocumentCreateIcon(), p.editRaw)
	copyJSON.Importance, toRaw.Importance = widget.LowImportance, widget.LowImportance
	p.result = newResultView(env, read)
	head := container.NewVBox(container.NewBorder(nil, nil, nil, p.badges, p.title), p.about, p.reason, p.strip)
	foot := container.NewBorder(nil, nil, nil, container.NewHBox(toRaw, copyJSON, p.send), p.why)
	p.split = container.NewVSplit(container.NewBorder(nil, foot, nil, nil, p.page), p.result.object())
	p.split.SetOffset(0.5)
	p.whole = container.NewBorder(head, nil, nil, nil, p.split)
	p.root = container.NewStack(container.NewCenter(p.empty))
	return p
}

func (p *requestPanel) object() fyne.CanvasObject { return p.root }

// aboutBytes bounds the description above a form; the whole of it is in the
// definition.
const aboutBytes = 400

// show shows an entry with what was done with it so far.
func (p *requestPanel) show(s *subject) {
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
	p.title.SetText(title)
	var words []string
	for _, b := range s.entry.Badges {
		words = append(words, b.Text)
	}
	p.badges.SetText(strings.Join(words, "  "))
	p.about.SetText(safe.Text(strings.TrimSpace(s.about), aboutBytes))
	setHidden(p.about, strings.TrimSpace(s.about) == "")
	p.reason.SetText(s.entry.Reason)
	setHidden(p.reason, s.entry.Reason == "")
	p.send.SetText(s.verb)
	p.def.setBytes(s.definition, nil)
	p.def.text.SetMode(textview.Pretty)
	p.meta.SetText(s.metaText)
	p.timeout.SetText(s.timeout)
	p.showPage(p.at)
	p.root.Objects = []fyne.CanvasObject{p.whole}
	p.root.Refresh()
	s.taken = false
	p.refresh()
}

func (p *requestPanel) showPage(i int) {
	p.at = i
	p.strip.Set([]stripTab{{Text: "Arguments"}, {Text: "Options"}, {Text: "Definition"}}, i)
	var o fyne.CanvasObject
	switch i {
	case pageForm:
		if p.now == nil {
			return
		}
		o = p.now.ask.object()
	case pageOptions:
		o = p.more
	case pageDefinition:
		o = p.def.view()
	}
	if len(p.page.Objects) != 1 || p.page.Objects[0] != o {
		p.page.Objects = []fyne.CanvasObject{o}
		p.page.Refresh()
	}
}

// refresh brings the result and the button up to date.
func (p *requestPanel) refresh() {
	if p.now == nil {
		return
	}
	p.now.ask.refresh()
	p.check()
	run := p.now.run
	switch {
	case run == nil:
		if !p.now.taken {
			p.now.taken = true
			p.result.setEmpty("The result will be shown here.")
		}
	default:
		if out, ok := run.Outcome(); !ok {
			p.result.setPending(run.State(), run.Elapsed(p.env.Now()), run.Cancel)
		} else if !p.now.taken {
			p.now.taken = true
			p.result.setOutcome(out)
		}
	}
}

// check says beside the button what is wrong, and whether it can be pressed.
func (p *requestPanel) check() {
	if p.now == nil {
		return
	}
	_, reason, sendable := p.request()
	if phase, _ := p.conn.Phase(); !phase.Live() {
		reason, sendable = "Not connected.", false
	}
	p.why.SetText(safe.Line(reason, 300))
	verb := p.now.verb
	if reason != "" && sendable {
		verb += " anyway"
	}
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
	params, reason, sendable := s.ask.params()
	r = view.Request{Method: s.method, Params: params, InputSchema: s.input, OutputSchema: s.output}
	if text := strings.TrimSpace(s.metaText); text != "" {
		r.Meta = jsontext.Value(text)
		if r.Meta.Kind() != '{' || !r.Meta.IsValid(jsontext.AllowDuplicateNames(true)) {
			return r, "_meta is not a JSON object.", false
		}
	}
	if text := strings.TrimSpace(s.timeout); text != "" {
		limit, err := parseLimit(text)
		if err != nil {
			return r, err.Error(), false
		}
		r.Timeout = limit
	}
	return r, reason, sendable
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
	return 0, fmt.Errorf("the time-out %q is none: write 30 s, 500ms or 2m", safe.Line(text, 30))
}

// call sends the request.
func (p *requestPanel) call() {
	if p.now == nil || p.send.Disabled() {
		return
	}
	r, _, _ := p.request()
	run, err := p.conn.Send(r, p.env.Changed)
	if err != nil {
		p.env.Fail("The request was not sent", err)
		return
	}
	p.now.run, p.now.taken = run, false
	p.refresh()
}

// build is the message as it would go out.
func (p *requestPanel) build() (string, bool) {
	sess := p.conn.Session()
	if p.now == nil || sess == nil {
		return "", false
	}
	r, _, _ := p.request()
	raw, err := r.Build(sess)
	if err != nil {
		p.env.Fail("The request cannot be built", err)
		return "", false
	}
	return string(raw), true
}

func (p *requestPanel) copyRequest() {
	if text, ok := p.build(); ok {
		p.env.Clipboard.SetContent(text)
		p.env.Notify("Copied the request")
	}
}

func (p *requestPanel) editRaw() {
	if text, ok := p.build(); ok {
		p.env.SendRaw(text)
	}
}
