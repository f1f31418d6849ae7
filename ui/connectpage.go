package ui

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// connectPage is the form for a server.
type connectPage struct {
	u    *UI
	form *view.ConnectForm
	over *connPage // the tab that the connection replaces, nil for a new one

	root    fyne.CanvasObject
	line    *escEntry
	facts   *factGrid
	problem *widget.Label
	env     *pairRows
	headers *pairRows
	more    *widget.Accordion

	clearToken *widget.Button
}

func newConnectPage(u *UI, form *view.ConnectForm, over *connPage) *connectPage {
	p := &connectPage{u: u, form: form, over: over, facts: newFactGrid()}
	p.line = newEscEntry(p.close)
	p.line.SetPlaceHolder("npx -y @modelcontextprotocol/server-everything     or     https://example.com/mcp")
	p.line.Text = form.Line
	p.line.OnChanged = func(text string) {
		form.SetLine(text)
		p.understand()
	}
	p.line.OnSubmitted = func(string) { p.submit(true) }
	p.problem = widget.NewLabel("")
	p.problem.Wrapping, p.problem.Importance = fyne.TextWrapWord, widget.DangerImportance

	title := "Connect to a server"
	if form.ID != "" {
		title = "Edit " + form.Title()
	}
	connect := widget.NewButtonWithIcon("Connect", fynetheme.MediaPlayIcon(), func() { p.submit(true) })
	connect.Importance = widget.HighImportance
	cancel := widget.NewButton("Cancel", p.close)
	keep := widget.NewCheck("Save in the list of servers", func(on bool) { form.Save = on })
	keep.SetChecked(form.Save)
	buttons := container.NewHBox(connect)
	if form.ID != "" {
		keep.Disable()
		buttons.Add(widget.NewButtonWithIcon("Save only", fynetheme.DocumentSaveIcon(), func() { p.submit(false) }))
	}
	buttons.Add(widget.NewButtonWithIcon("Check", fynetheme.SearchIcon(), p.check))
	buttons.Add(cancel)
	buttons.Add(layout.NewSpacer())
	buttons.Add(keep)

	p.more = widget.NewAccordion(
		widget.NewAccordionItem("Details: name, transport, revision, folder, time limits", p.details()),
		widget.NewAccordionItem("Environment", p.envRows()),
		widget.NewAccordionItem("HTTP: headers, token, certificate", p.httpRows()),
	)
	p.more.MultiOpen = true
	if form.ID != "" {
		p.more.Open(0)
		if len(form.Env) > 0 || form.EnvFile != "" {
			p.more.Open(1)
		}
		if len(form.Headers) > 0 || form.Bearer != "" || form.KeptBearer() || form.CAFile != "" {
			p.more.Open(2)
		}
	}
	hint := widget.NewLabel("A command line starts a program and talks over its standard input and output. " +
		"No shell is involved. NAME=value words before the command set its environment.")
	hint.Wrapping, hint.Importance = fyne.TextWrapWord, widget.LowImportance
	column := container.NewVBox(spacer(10), heading(title), p.line, hint, buttons, p.problem, p.facts.box, spacer(4), p.more, spacer(20))
	p.root = container.NewVScroll(container.New(&columnLayout{max: 900}, column))
	p.understand()
	return p
}

func (p *connectPage) tab() stripTab {
	text := "Connect"
	if p.form.ID != "" || p.over != nil {
		text = "Edit server"
	}
	return stripTab{Glyph: "+", Tone: view.Muted, Text: text, Closes: true}
}

func (p *connectPage) object() fyne.CanvasObject { return p.root }
func (p *connectPage) shown()                    {}
func (p *connectPage) hidden()                   {}
func (p *connectPage) drop() error               { return nil }

func (p *connectPage) focus() { p.u.win.Canvas().Focus(p.line) }

func (p *connectPage) close() { p.u.closeTab(slices.Index(p.u.pages, page(p))) }

// leaveForm closes the form in front, as Escape in its fields does.
func (u *UI) leaveForm() bool {
	p, ok := u.current().(*connectPage)
	if ok {
		p.close()
	}
	return ok
}

// understand shows what the line says.
func (p *connectPage) understand() {
	facts, problem := p.form.Understood()
	p.facts.set(facts)
	p.problem.SetText(problem)
	p.problem.Hidden = problem == ""
	p.problem.Refresh()
}

// check looks step by step how far one gets on the way to what was entered.
func (p *connectPage) check() {
	server, err := p.form.Server()
	if err != nil {
		p.problem.SetText(safe.Text(err.Error(), 1000))
		p.problem.Show()
		p.focus()
		return
	}
	p.u.checkForm(server, p)
}

// Submit connects, wherever the keyboard is.
func (p *connectPage) Submit() { p.submit(true) }

// submit saves and connects; what is wrong is said where the person looks.
func (p *connectPage) submit(connect bool) {
	server, err := p.form.Server()
	if err != nil {
		p.problem.SetText(safe.Text(err.Error(), 1000))
		p.problem.Show()
		p.focus()
		return
	}
	if p.form.ID == "" {
		server = p.u.cfg.Settings.Get().NewServers.Of(server)
	}
	if p.form.Save || p.form.ID != "" {
		server = p.u.save(server)
	}
	switch {
	case !connect:
		p.close()
	case p.over != nil && slices.Contains(p.u.pages, page(p.over)):
		over := p.over
		p.close()
		over.conn.SetServer(server)
		p.u.show(over)
		over.connect()
	default:
		next := newConnPage(p.u, server)
		p.u.replacePage(p, next)
		next.connect()
	}
}

// details is the part of the form for any kind of server.
func (p *connectPage) details() fyne.CanvasObject {
	f := p.form
	name := p.entry(&f.Name, "what to call it")
	folder := p.entry(&f.Dir, "working folder of the program")
	choose := widget.NewButtonWithIcon("", fynetheme.FolderOpenIcon(), func() { p.u.chooseFolder(folder.SetText) })
	dir := container.NewBorder(nil, nil, nil, choose, folder)
	transport := widget.NewSelect(view.Transports(), func(v string) {
		f.Transport = v
		p.understand()
	})
	transport.Selected = f.Transport
	revision := widget.NewSelect(view.Revisions(), func(v string) { f.Revision = v })
	revision.Selected = f.Revision
	syntax := widget.NewSelect(view.Syntaxes(), func(v string) { f.Syntax = v })
	syntax.Selected = f.Syntax
	workspace := p.entry(&f.Workspace, "what ${workspaceFolder} stands for")
	grid := container.New(layout.NewFormLayout(),
		formLabel("Name"), name, formLabel("Transport"), transport, formLabel("Revision"), revision, formLabel("Folder"), dir,
		formLabel("Replaced in values"), syntax, formLabel("Project"), workspace)
	for i := range f.Limits {
		grid.Add(formLabel("Limit: " + view.LimitNames[i]))
		grid.Add(p.entry(&f.Limits[i], view.LimitHints[i]))
	}
	return grid
}

func (p *connectPage) envRows() fyne.CanvasObject {
	p.env = newPairRows(p, &p.form.Env, "NAME", "value", true)
	note := widget.NewLabel("These win over those of the file, and both over what the program inherits. Values marked secret are masked on screen and in recordings.")
	note.Wrapping, note.Importance = fyne.TextWrapWord, widget.LowImportance
	file := p.entry(&p.form.EnvFile, "a .env file: NAME=value, one a line; read when connecting")
	choose := widget.NewButtonWithIcon("", fynetheme.FolderOpenIcon(), func() { p.u.choosePath("Choose an environment file", file.SetText) })
	return container.NewVBox(note, p.env.box, container.NewBorder(nil, nil, formLabel("From a file"), choose, file), p.keepBox())
}

func (p *connectPage) httpRows() fyne.CanvasObject {
	f := p.form
	p.headers = newPairRows(p, &f.Headers, "Header", "value", false)
	token := widget.NewPasswordEntry()
	token.SetPlaceHolder(bearerHint)
	if f.KeptBearer() {
		token.SetPlaceHolder(keptHint)
	}
	token.Text = f.Bearer
	token.OnChanged = func(s string) { f.Bearer = s }
	p.clearToken = widget.NewButtonWithIcon("", fynetheme.DeleteIcon(), func() {
		f.ClearBearer()
		token.SetPlaceHolder(bearerHint)
		token.SetText("")
		p.clearToken.Hide()
	})
	p.clearToken.Importance = widget.LowImportance
	setHidden(p.clearToken, !f.KeptBearer() && f.Bearer == "")
	trust := p.entry(&f.CAFile, "PEM file that vouches for the server, besides the system's")
	choose := widget.NewButtonWithIcon("", fynetheme.FolderOpenIcon(), func() { p.u.choosePath("Choose certificates", trust.SetText) })
	return container.NewVBox(p.headers.box,
		container.New(layout.NewFormLayout(), formLabel("Bearer token"), widget.Border(nil, nil, nil, p.clearToken, token),
			formLabel("CA certificates"), container.NewBorder(nil, nil, nil, choose, trust)))
}

// bearerHint stands in the field for a token.
const bearerHint = "sent as Authorization: Bearer …"

// entry is a one-line field bound to a string.
func (p *connectPage) entry(to *string, hint string) *escEntry {
	e := newEscEntry(p.close)
	e.SetPlaceHolder(hint)
	e.Text = *to
	e.OnChanged = func(s string) { *to = s }
	e.OnSubmitted = func(string) { p.submit(true) }
	return e
}

func formLabel(text string) *widget.Label {
	l := widget.NewLabel(text)
	l.Importance = widget.LowImportance
	return l
}

// escEntry is a field in which Escape means what it means on the page.
type escEntry struct {
	widget.Entry
	escape func()
}

func newEscEntry(escape func()) *escEntry {
	e := &escEntry{escape: escape}
	e.ExtendBaseWidget(e)
	return e
}

// TypedKey implements fyne.Focusable.
func (e *escEntry) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyEscape && e.escape != nil {
		e.escape()
		return
	}
	e.Entry.TypedKey(k)
}
