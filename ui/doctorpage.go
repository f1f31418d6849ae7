package ui

import (
	"reflect"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/pump"
	"mcploupe/ui/settings"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// doctorPage checks the way to a server and shows the table of its steps.
type doctorPage struct {
	u     *UI
	model *view.Doctor
	marks *pump.Pump
	over  *connPage    // the connection that is checked, nil for none
	form  *connectPage // what is checked is entered there, nil for a server that is not being edited

	root    *container.Scroll
	sign    *glyph
	title   *widget.Label
	line    *widget.Label
	found   *widget.Label
	said    *widget.Label
	cause   *widget.Label
	fix     *widget.Label
	busy    *busyBar
	again   *widget.Button
	stop    *widget.Button
	copy    *widget.Button
	connect *widget.Button
	facts   *factGrid
	steps   *stepList

	visible bool
}

// check shows the page that checks the way to server, and begins. over is the
// tab of its connection, nil for none.
func (u *UI) check(server settings.Server, over *connPage) { u.checkFor(server, over, nil) }

// checkForm checks what a form holds.
func (u *UI) checkForm(server settings.Server, form *connectPage) {
	u.checkFor(server, form.over, form)
}

func (u *UI) checkFor(server settings.Server, over *connPage, form *connectPage) {
	for _, p := range u.pages {
		d, ok := p.(*doctorPage)
		switch {
		case !ok || !d.same(server):
		case d.unchanged(server):
			d.over, d.form = over, form
			u.show(d)
			d.begin()
			return
		default:
			next := newDoctorPage(u, server, over)
			next.form = form
			u.replacePage(d, next)
			u.show(next)
			next.begin()
			return
		}
	}
	p := newDoctorPage(u, server, over)
	p.form = form
	u.addPage(p)
	p.begin()
}

func newDoctorPage(u *UI, server settings.Server, over *connPage) *doctorPage {
	p := &doctorPage{u: u, over: over, sign: newGlyph("", view.Muted), facts: newFactGrid(), steps: newStepList(nil), busy: newBusyBar()}
	p.marks = pump.New(u.cfg.Do, u.cfg.Clock, pump.FollowTail, p.flush)
	p.model = view.NewDoctor(server, view.DoctorOptions{
		App: u.cfg.app(), Client: u.cfg.Client, Capabilities: *u.cfg.Capabilities, Limits: u.cfg.Settings.Get().Limits,
		Resolve: u.resolve, Changed: p.marks.Mark,
	})
	p.title = heading(p.model.State().Title)
	p.line = widget.NewLabelWithStyle("", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	p.found, p.said, p.cause, p.fix = widget.NewLabel(""), widget.NewLabel(""), widget.NewLabel(""), widget.NewLabel("")
	for _, l := range []*widget.Label{p.line, p.found, p.said, p.cause, p.fix} {
		l.Wrapping, l.Selectable = fyne.TextWrapWord, true
	}
	p.said.Wrapping, p.said.TextStyle.Monospace = fyne.TextWrapBreak, true
	p.again = widget.NewButtonWithIcon("Check again", fynetheme.ViewRefreshIcon(), p.begin)
	p.stop = widget.NewButtonWithIcon("Stop", fynetheme.MediaStopIcon(), p.model.Stop)
	p.copy = widget.NewButtonWithIcon("Copy report", fynetheme.ContentCopyIcon(), func() { u.copyText(p.model.Markdown()) })
	p.connect = widget.NewButtonWithIcon("Connect", fynetheme.MediaPlayIcon(), p.connectNow)
	edit := widget.NewButtonWithIcon("Edit", fynetheme.DocumentCreateIcon(), p.edit)
	about := caption("The server is reached in the way that a connection takes, step by step. Nothing is called; the first list is read.")
	about.Wrapping = fyne.TextWrapWord
	column := container.NewVBox(spacer(10), p.title, about, widget.Border(nil, nil, p.sign, nil, p.line),
		container.New(&tightLayout{}, p.found, p.said, p.cause, p.fix), p.busy.box, container.NewHBox(p.stop, p.again, p.connect, edit, p.copy), p.facts.box, heading("Steps"), p.steps.box, spacer(20))
	p.root = container.NewVScroll(container.New(&columnLayout{max: 900}, column))
	p.flush()
	return p
}

// same reports whether the page checks that server.
func (p *doctorPage) same(s settings.Server) bool {
	mine := p.model.Server()
	return mine.ID == s.ID && (s.ID != "" || mine.Target.CommandLine() == s.Target.CommandLine() && mine.Target.Dir == s.Target.Dir)
}

// unchanged reports whether nothing was edited in the server since.
func (p *doctorPage) unchanged(s settings.Server) bool {
	mine := p.model.Server()
	mine.LastUsed = s.LastUsed
	return reflect.DeepEqual(mine, s)
}

// connection is the tab of the connection, nil when it is gone.
func (p *doctorPage) connection() *connPage {
	for _, other := range p.u.pages {
		if c, ok := other.(*connPage); ok && c == p.over {
			return c
		}
	}
	return nil
}

// edit goes back to the form, or opens one.
func (p *doctorPage) edit() {
	if f := p.form; f != nil && slices.Contains(p.u.pages, page(f)) {
		p.u.show(f)
		f.focus()
		return
	}
	p.u.edit(p.model.Server(), p.connection())
}

// connectNow connects: by the form while that holds what was checked, so that it
// is saved as the person wants.
func (p *doctorPage) connectNow() {
	if f := p.form; f != nil && slices.Contains(p.u.pages, page(f)) {
		if server, err := f.form.Server(); err == nil && p.same(server) && p.unchanged(server) {
			p.u.show(f)
			f.submit(true)
			return
		}
	}
	if c := p.connection(); c != nil {
		p.u.show(c)
		c.conn.Connect()
		c.flush()
		return
	}
	p.u.connect(p.model.Server())
}

func (p *doctorPage) begin() { p.model.Start() }

// Submit checks again.
func (p *doctorPage) Submit() { p.begin() }

func (p *doctorPage) object() fyne.CanvasObject { return p.root }

func (p *doctorPage) tab() stripTab {
	st := p.model.State()
	return stripTab{Glyph: st.Glyph, Tone: st.Tone, Text: st.Title, Closes: true}
}

func (p *doctorPage) shown() {
	p.visible = true
	p.flush()
}

func (p *doctorPage) hidden() {
	p.visible = false
	p.busy.set(false)
}

func (p *doctorPage) drop() error {
	err := p.model.Close()
	p.marks.Close()
	return err
}

// flush takes in what changed.
func (p *doctorPage) flush() {
	st := p.model.State()
	p.sign.set(st.Glyph, st.Tone)
	say(p.line, st.Line)
	say(p.found, st.Found)
	say(p.said, st.Said)
	say(p.cause, prefixed("Likely cause: ", st.Cause))
	say(p.fix, prefixed("What to try: ", st.Fix))
	p.busy.set(p.visible && st.Running)
	setHidden(p.stop, !st.Running)
	setHidden(p.again, st.Running)
	able(p.copy, st.Over)
	p.facts.set(st.Facts)
	p.steps.set(st.Steps)
	p.u.refreshTabs()
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}
