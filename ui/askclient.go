package ui

import (
	"os"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/session"
	"mcploupe/ui/settings"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/widget"
)

// clientPage is what this client declares to a server, with switches, and the
// roots that it may know of.
type clientPage struct {
	conn *view.Conn
	env  *Env
	root fyne.CanvasObject

	waiting  *widget.Label
	switches *fyne.Container
	checks   map[string]*widget.Check
	manners  *fyne.Container
	note     *widget.Label
	again    *widget.Button
	roots    *rootsEditor
	setting  bool
}

func newClientPage(c *view.Conn, env *Env) *clientPage {
	p := &clientPage{conn: c, env: env, checks: map[string]*widget.Check{}, switches: container.NewVBox(), manners: container.NewVBox()}
	p.note = widget.NewLabel("")
	p.note.Wrapping = fyne.TextWrapWord
	p.again = quiet("Reconnect", fynetheme.ViewRefreshIcon(), c.Reconnect)
	p.roots = newRootsEditor(c, env, p.keep)
	p.waiting = widget.NewLabel("")
	p.waiting.Wrapping, p.waiting.Importance = fyne.TextWrapWord, widget.LowImportance
	p.root = widget.Border(p.waiting, nil, nil, nil, container.NewGridWithColumns(2,
		container.NewVScroll(container.NewVBox(heading("This client declares"), p.switches, p.note, container.NewHBox(p.again),
			heading("When the server asks"), p.manners)),
		container.NewVScroll(container.NewVBox(heading("Roots"), p.roots.object()))))
	return p
}

func (p *clientPage) object() fyne.CanvasObject { return p.root }

// refresh brings the switches up to date.
func (p *clientPage) refresh() {
	st := p.conn.State()
	phase, _ := p.conn.Phase()
	text := "Nothing is asked. What the server asks, while it works on a call or on its own, waits here until you answer."
	if bar, asks := view.AskBarOf(st); asks && phase.Live() {
		text = human.Plural(bar.Count, "question waits", "questions wait") + " for you in the list."
	}
	p.waiting.Importance = widget.LowImportance
	if reach := view.ReachNote(st); reach != "" && phase.Live() {
		text, p.waiting.Importance = text+"\n"+reach, widget.WarningImportance
	}
	say(p.waiting, text)
	list := view.FeatureSwitches(p.conn.Capabilities(), p.conn.Server().Off, st)
	p.setting = true
	for _, s := range list {
		p.set(p.switches, s.Key, s.Label, s.About, s.On, s.Enabled, p.conn.Switch)
	}
	for _, m := range view.MannerSwitches(p.conn.Server(), st) {
		p.set(p.manners, m.Key, m.Label, m.About, m.On, m.Enabled, p.conn.SetManner)
	}
	p.setting = false
	note, tone := view.SwitchNote(list, phase, st)
	p.note.Importance = widget.LowImportance
	if tone == view.Caution {
		p.note.Importance = widget.WarningImportance
	}
	say(p.note, note)
	setHidden(p.again, tone != view.Caution)
	p.roots.refresh()
}

// set makes a switch, or brings it up to date.
func (p *clientPage) set(into *fyne.Container, key, label, about string, on, enabled bool, flip func(key string, on bool) settings.Server) {
	check := p.checks[key]
	if check == nil {
		check = widget.NewCheck(label, func(on bool) {
			if !p.setting {
				p.keep(flip(key, on))
				p.refresh()
			}
		})
		p.checks[key] = check
		says := newCutLabel(p.env.tip, about) // in the check it would widen the window
		says.Importance = widget.LowImportance
		into.Add(widget.Border(nil, nil, check, nil, says))
	}
	if check.Checked != on {
		check.SetChecked(on)
	}
	if check.Disabled() == enabled {
		if enabled {
			check.Enable()
		} else {
			check.Disable()
		}
	}
}

func (p *clientPage) keep(server settings.Server) { p.env.keepServer(server) }

// keepServer writes how a saved server is to be treated into the settings.
func (e *Env) keepServer(server settings.Server) {
	if server.ID == "" {
		return
	}
	err := e.Settings.Update(func(s *settings.Settings) {
		for i := range s.Servers {
			if to := &s.Servers[i]; to.ID == server.ID {
				to.Roots, to.Off, to.AskRoots, to.HoldRounds, to.Live = server.Roots, server.Off, server.AskRoots, server.HoldRounds, server.Live
			}
		}
	})
	if err != nil {
		e.Notify("Settings were not saved: " + err.Error())
	}
}

// rootsEditor edits the roots of a server. What is typed goes out when Enter is
// pressed or the field is left, and with every folder added or taken away.
type rootsEditor struct {
	conn  *view.Conn
	env   *Env
	keep  func(settings.Server)
	roots *view.Roots
	of    string // server and connection that the list is of
	rows  []*rootRow
	box   *fyne.Container
	none  *widget.Label
	show  *widget.Label
	root  fyne.CanvasObject
	sent  uint64 // turn of the roots that the session has
}

// rootRow is one root.
type rootRow struct {
	uri, name *rootEntry
	note      *widget.Label
	object    *fyne.Container
}

// rootEntry is an entry that says when it is left.
type rootEntry struct {
	widget.Entry
	left func()
}

// FocusLost implements fyne.Focusable.
func (e *rootEntry) FocusLost() {
	e.Entry.FocusLost()
	e.left()
}

func newRootsEditor(c *view.Conn, env *Env, keep func(settings.Server)) *rootsEditor {
	r := &rootsEditor{conn: c, env: env, keep: keep, box: container.NewVBox()}
	r.none = caption("No roots: a server that asks gets an empty list.")
	r.show = widget.NewLabel("")
	r.show.Wrapping, r.show.Selectable = fyne.TextWrapBreak, true
	r.show.TextStyle.Monospace = true
	about := widget.NewLabel("Folders that the server may know of. When it asks for them it is given this list, unless you answer that yourself; a server that listens is told of changes.")
	about.Wrapping, about.Importance = fyne.TextWrapWord, widget.LowImportance
	folder := widget.NewButtonWithIcon("Add folder …", fynetheme.FolderNewIcon(), r.pick)
	other := quiet("Add URI", fynetheme.ContentAddIcon(), func() {
		r.roots.Add()
		r.lay()
		r.send()
		last := r.rows[len(r.rows)-1].uri
		last.CursorColumn = len(last.Text)
		env.Window.Canvas().Focus(last)
	})
	r.root = container.NewVBox(about, r.box, container.NewHBox(folder, other), caption("The answer to roots/list"), r.show)
	r.roots = view.NewRoots(nil)
	return r
}

func (r *rootsEditor) object() fyne.CanvasObject { return r.root }

// refresh takes in the roots of another server.
func (r *rootsEditor) refresh() {
	server := r.conn.Server()
	if of := server.ID + "\x00" + r.conn.Title(); of != r.of {
		r.of = of
		r.roots = view.NewRoots(server.Roots)
		r.sent = r.roots.Turn()
		r.lay()
	}
}

// lay makes the rows.
func (r *rootsEditor) lay() {
	r.rows, r.box.Objects = nil, nil
	for i, root := range r.roots.List() {
		row := &rootRow{uri: r.entry(root.URI, "file:///home/me/project"), name: r.entry(root.Name, "name, optional"), note: widget.NewLabel("")}
		row.note.Importance, row.note.Truncation = widget.WarningImportance, fyne.TextTruncateEllipsis
		take := func(string) {
			r.roots.Set(i, session.Root{URI: row.uri.Text, Name: row.name.Text})
			r.tell()
		}
		row.uri.OnChanged, row.name.OnChanged = take, take
		remove := widget.NewButtonWithIcon("", fynetheme.DeleteIcon(), func() {
			r.roots.Remove(i)
			r.lay()
			r.send()
		})
		remove.Importance = widget.LowImportance
		fields := container.New(&shareLayout{0.62}, row.uri, row.name)
		row.object = container.NewVBox(widget.Border(nil, nil, nil, remove, fields), row.note)
		r.rows = append(r.rows, row)
		r.box.Add(row.object)
	}
	if len(r.rows) == 0 {
		r.box.Add(r.none)
	}
	r.box.Refresh()
	r.tell()
}

func (r *rootsEditor) entry(text, holder string) *rootEntry {
	e := &rootEntry{left: r.send}
	e.ExtendBaseWidget(e)
	e.SetPlaceHolder(holder)
	e.SetText(text)
	e.OnSubmitted = func(string) { r.send() }
	return e
}

// tell says what is odd about the roots, and what the server gets.
func (r *rootsEditor) tell() {
	for i, row := range r.rows {
		say(row.note, r.roots.Note(i, folderThere))
	}
	r.show.SetText(r.roots.Preview())
}

func folderThere(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// send gives the server the roots when they have changed.
func (r *rootsEditor) send() {
	if r.sent == r.roots.Turn() {
		return
	}
	r.sent = r.roots.Turn()
	r.keep(r.conn.SetRoots(r.roots.List(), func(err error) {
		if err != nil {
			r.env.Do(func() { r.env.Fail("The server was not told of the roots", err) })
		}
	}))
}

// pick adds a folder.
func (r *rootsEditor) pick() {
	r.env.ChooseFolder(func(path string) {
		r.roots.AddFolder(path)
		r.lay()
		r.send()
	})
}

// chooseFolder asks for a folder.
func (u *UI) chooseFolder(done func(path string)) {
	d := dialog.NewFolderOpen(func(folder fyne.ListableURI, err error) {
		if err != nil {
			u.fail("The folder cannot be used", err)
		} else if folder != nil {
			done(folder.Path())
		}
	}, u.win)
	d.SetTitleText("Choose a folder")
	d.SetView(dialog.ListView)
	if home, err := os.UserHomeDir(); err == nil {
		if lister, err := storage.ListerForURI(storage.NewFileURI(home)); err == nil {
			d.SetLocation(lister)
		}
	}
	u.showDialog(d, u.dialogSize())
}

// shareLayout sets two objects side by side; the first gets a share of the
// width.
type shareLayout struct{ share float32 }

// Layout implements fyne.Layout.
func (l *shareLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	const gap = 4
	first := (size.Width - gap) * l.share
	objects[0].Resize(fyne.NewSize(first, size.Height))
	objects[0].Move(fyne.NewPos(0, 0))
	objects[1].Resize(fyne.NewSize(size.Width-gap-first, size.Height))
	objects[1].Move(fyne.NewPos(first+gap, 0))
}

// MinSize implements fyne.Layout.
func (l *shareLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(160, objects[0].MinSize().Max(objects[1].MinSize()).Height)
}
