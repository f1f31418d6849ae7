package ui

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/pump"
	"mcploupe/ui/rows"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/widget"
)

// servePage lets a recording stand in for its server.
type servePage struct {
	u     *UI
	path  string
	model *view.Serve
	marks *pump.Pump
	env   *Env

	root    fyne.CanvasObject
	sign    *glyph
	line    *widget.Label
	detail  *widget.Label
	port    *escEntry
	latency *widget.Check
	nearest *widget.Check
	start   *widget.Button
	stop    *widget.Button
	url     *widget.Label
	copyURL *widget.Button
	list    *rows.View
	remarks *rows.View
	count   *widget.Label
	said    *widget.Label // the selected remark or request in whole
	saids   *fyne.Container
	split   *container.Split

	state   view.ServeState
	visible bool
}

// serveRecording shows the page that serves the recording at path, and starts.
func (u *UI) serveRecording(path string) {
	for _, p := range u.pages {
		if s, ok := p.(*servePage); ok && view.SameFile(s.path, path) {
			u.show(s)
			return
		}
	}
	p := newServePage(u, path)
	u.addPage(p)
	u.keyboardTo(p, p.list)
	p.begin()
}

func newServePage(u *UI, path string) *servePage {
	p := &servePage{u: u, path: path, sign: newGlyph("", view.Muted)}
	p.marks = pump.New(u.cfg.Do, u.cfg.Clock, pump.FollowTail, p.flush)
	p.model = view.NewServe(path, view.ServeOptions{Command: u.cfg.Executable, Now: u.cfg.now, Changed: p.marks.Mark})
	p.env = &Env{splits: &splits{kept: u.splitOffset}}
	p.line = widget.NewLabelWithStyle("", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	p.line.Truncation = fyne.TextTruncateEllipsis
	p.detail = widget.NewLabel("")
	p.detail.Truncation = fyne.TextTruncateEllipsis
	p.port = newEscEntry(p.focusList)
	p.port.SetPlaceHolder("127.0.0.1:0, a free port")
	p.port.OnSubmitted = func(string) { p.begin() }
	p.latency = widget.NewCheck("As slow as recorded", p.model.SetLatency)
	p.nearest = widget.NewCheck("To other arguments give the nearest answer", p.model.SetNearest)
	p.start = widget.NewButtonWithIcon("Serve", fynetheme.MediaPlayIcon(), p.begin)
	p.start.Importance = widget.HighImportance
	p.stop = widget.NewButtonWithIcon("Stop", fynetheme.MediaStopIcon(), func() { p.model.Stop() })
	p.url = widget.NewLabelWithStyle("", fyne.TextAlignLeading, fyne.TextStyle{Monospace: true})
	p.url.Truncation, p.url.Selectable = fyne.TextTruncateEllipsis, false
	p.copyURL = quiet("Copy", fynetheme.ContentCopyIcon(), func() { u.copyText(p.state.URL) })
	command := widget.NewLabelWithStyle(p.model.Command(), fyne.TextAlignLeading, fyne.TextStyle{Monospace: true})
	command.Truncation = fyne.TextTruncateEllipsis
	copyCommand := quiet("Copy", fynetheme.ContentCopyIcon(), func() { u.copyText(p.model.Command()) })
	p.list = rows.New(p.bind, nil)
	p.list.SetColumns(rows.Column{Title: "At", Width: 110}, rows.Column{Title: "Client", Width: 62}, rows.Column{Title: "Request", Min: 160},
		rows.Column{Title: "Outcome", Width: 104}, rows.Column{Title: "Took", Width: 84})
	p.list.ShowHeader(true)
	p.list.SetPlaceholder("No request has come yet. Connect a client to the address, or give it the command.")
	p.list.Follow(true)
	p.remarks = rows.New(p.bindRemark, nil)
	p.remarks.SetColumns(rows.Column{Title: "Kind", Width: 110}, rows.Column{Title: "What was not as recorded", Min: 200}, rows.Column{Title: "Times", Width: 62, Align: fyne.TextAlignTrailing})
	p.remarks.ShowHeader(true)
	p.remarks.SetPlaceholder("Nothing was refused, and nothing answered otherwise than recorded")
	p.list.OnSelect = func(i int) {
		if i >= 0 && i < len(p.state.Requests) {
			p.remarks.Select(-1)
			r := p.state.Requests[i]
			p.tell(strings.TrimSpace(r.Method+" "+r.Name), r.Note)
		}
	}
	p.remarks.OnSelect = func(i int) {
		if i >= 0 && i < len(p.state.Remarks) {
			p.list.Select(-1)
			r := p.state.Remarks[i]
			p.tell(r.What, r.Text)
		}
	}
	p.said = widget.NewLabel("")
	p.said.Wrapping, p.said.Selectable = fyne.TextWrapWord, true
	p.saids = newClamp(p.said, valueHeight)
	p.saids.Hide()
	p.count = caption("")
	labelled := func(label string, o fyne.CanvasObject, right fyne.CanvasObject) fyne.CanvasObject {
		return widget.Border(nil, nil, container.New(&fixedWidth{110}, caption(label)), right, o)
	}
	head := container.NewVBox(
		container.NewPadded(widget.Border(nil, nil, p.sign, container.NewHBox(p.stop, p.start), p.line)), p.detail,
		labelled("Address", p.url, p.copyURL),
		labelled("Over stdio", command, copyCommand),
		labelled("Listen at", container.New(&flowLayout{gap: 4}, container.New(&fixedWidth{220}, p.port), p.latency, p.nearest), nil),
		widget.NewSeparator())
	below := widget.Border(p.count, p.saids, nil, nil, p.remarks)
	p.split = container.NewVSplit(p.list, below)
	p.env.splits.add("serve", p.split, 0.6)
	p.root = widget.Border(head, nil, nil, nil, p.split)
	p.flush()
	return p
}

// tell shows in whole what is said of a request, as it has no room in its row.
func (p *servePage) tell(what, text string) {
	if text != "" {
		text = what + ": " + text
	}
	setText(p.said, text)
	setHidden(p.saids, text == "")
}

func (p *servePage) focusList() { p.u.win.Canvas().Focus(p.list) }

func (p *servePage) object() fyne.CanvasObject { return p.root }

func (p *servePage) tab() stripTab {
	st := p.model.State()
	return stripTab{Glyph: st.Glyph, Tone: st.Tone, Text: "Serve " + p.model.Title(), Closes: true}
}

func (p *servePage) shown() {
	p.visible = true
	p.flush()
}

func (p *servePage) hidden() { p.visible = false }

func (p *servePage) drop() error {
	err := p.model.Close()
	p.marks.Close()
	return err
}

func (p *servePage) begin() { p.model.Start(p.port.Text) }

// Submit begins to serve.
func (p *servePage) Submit() { p.begin() }

// flush takes in what changed.
func (p *servePage) flush() {
	st := p.model.State()
	p.state = st
	if n := len(st.Requests); n < p.list.Count() {
		p.list.Reset(n)
		p.tell("", "")
	} else if n > p.list.Count() {
		p.list.SetCount(n)
	}
	p.list.Invalidate()
	recount(p.remarks, len(st.Remarks))
	p.u.refreshTabs()
	p.sign.set(st.Glyph, st.Tone)
	setText(p.line, st.Line)
	say(p.detail, st.Detail)
	address := st.URL
	if address == "" {
		address = "none"
	}
	setText(p.url, address)
	able(p.copyURL, st.URL != "")
	busy := st.Serving || st.Starting
	setHidden(p.start, busy)
	setHidden(p.stop, !st.Serving)
	for _, w := range []fyne.Disableable{p.port, p.latency, p.nearest} {
		if busy != w.Disabled() {
			if busy {
				w.Disable()
			} else {
				w.Enable()
			}
		}
	}
	text := human.Plural(len(st.Remarks), "remark", "remarks")
	if st.Left > 0 {
		text += fmt.Sprintf(", %s more are not kept", human.Count(st.Left))
	}
	if st.Dropped > 0 {
		text += fmt.Sprintf("; the oldest %s requests are not kept", human.Count(st.Dropped))
	}
	setText(p.count, text)
}

func (p *servePage) bind(i int, row *rows.Row) {
	r := p.state.Requests[i]
	row.Cells[0] = rows.Cell{Text: r.At, Mono: true, Color: theme.ColorMuted}
	row.Cells[1] = rows.Cell{Text: r.Client}
	row.Cells[2] = rows.Cell{Text: r.Method + " " + r.Name, Detail: r.Note}
	row.Cells[3] = rows.Cell{Glyph: r.Glyph, GlyphColor: toneName(r.Tone), Text: r.Word}
	row.Cells[4] = rows.Cell{Text: r.Took, Color: theme.ColorMuted}
}

func (p *servePage) bindRemark(i int, row *rows.Row) {
	r := p.state.Remarks[i]
	row.Cells[0] = rows.Cell{Glyph: r.Glyph, GlyphColor: toneName(r.Tone), Text: r.Kind}
	row.Cells[1] = rows.Cell{Text: r.What, Detail: r.Text}
	row.Cells[2] = rows.Cell{Text: r.Times}
}
