package ui

import (
	"context"
	"errors"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/settings"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// versionField is one of the two servers of the dialog.
type versionField struct {
	form  *view.ConnectForm
	entry *escEntry
	note  *widget.Label
}

// compareVersions asks for two servers, to be started, listed and compared. They
// are filled in from the connection of a tab, or of the one in front.
func (u *UI) compareVersions(from *connPage) {
	if from == nil {
		from = u.currentConn()
	}
	var server settings.Server
	if from != nil && from.conn != nil {
		server = from.conn.Server()
	}
	var d *dialog.CustomDialog
	var fields [2]*versionField
	problem := widget.NewLabel("")
	problem.Wrapping, problem.Importance = fyne.TextWrapWord, widget.DangerImportance
	problem.Hide()
	calls, paths := u.callChoices(from)
	recorded := widget.NewSelect(calls, nil)
	recorded.SetSelectedIndex(0)
	destructive := widget.NewCheck("also calls of tools that may destroy something", nil)
	destructive.Disable()
	recorded.OnChanged = func(string) {
		if recorded.SelectedIndex() > 0 {
			destructive.Enable()
		} else {
			destructive.Disable()
		}
	}
	start := func() {
		var runs [2]view.VersionRun
		for i, f := range fields {
			got, err := f.form.Server()
			if err != nil {
				setOrHide(problem, string(rune('A'+i))+": "+safe.Text(err.Error(), 600))
				u.win.Canvas().Focus(f.entry)
				return
			}
			runs[i] = view.VersionRun{Server: got, Destructive: destructive.Checked}
			if at := recorded.SelectedIndex(); at > 0 {
				runs[i].Calls = paths[at-1]
			}
		}
		d.Hide()
		p := newComparePage(u)
		u.addPage(p)
		p.startVersions(runs)
	}
	form := container.NewVBox()
	for i, title := range []string{"A, the older", "B, the newer"} {
		f := &versionField{form: view.EditConnectForm(server), note: widget.NewLabel("")}
		f.form.ID = ""
		f.note.Importance, f.note.Truncation = widget.LowImportance, fyne.TextTruncateEllipsis
		f.entry = newEscEntry(func() { d.Hide() })
		f.entry.SetPlaceHolder("npx -y @scope/server@1.0.0     or     https://example.com/mcp")
		f.entry.SetText(f.form.Line)
		f.entry.OnChanged = func(text string) {
			if !dropSpace(&f.entry.Entry, text) {
				f.form.SetLine(text)
				f.tell()
			}
		}
		f.entry.OnSubmitted = func(string) {
			if i == 0 {
				u.win.Canvas().Focus(fields[1].entry)
				return
			}
			start()
		}
		saved := widget.NewButtonWithIcon("", fynetheme.MenuDropDownIcon(), nil)
		saved.OnTapped = func() { u.savedMenu(saved, f) }
		fields[i] = f
		f.tell()
		form.Add(heading(title))
		form.Add(widget.Border(nil, nil, nil, saved, f.entry))
		form.Add(f.note)
	}
	hint := widget.NewLabel("Both are started in sessions of their own, listed, and ended; the recordings are kept. Give the same server in two versions, for example two npm packages.")
	hint.Wrapping, hint.Importance = fyne.TextWrapWord, widget.LowImportance
	form.Objects = append([]fyne.CanvasObject{hint}, form.Objects...)
	form.Add(widget.Border(nil, nil, caption("Make the calls of"), nil, recorded))
	form.Add(destructive)
	form.Add(problem)
	ok := widget.NewButtonWithIcon("Start and compare", fynetheme.MediaPlayIcon(), start)
	ok.Importance = widget.HighImportance
	d = dialog.NewCustomWithoutButtons("Compare server versions", container.NewVScroll(form), u.win)
	d.SetButtons([]fyne.CanvasObject{widget.NewButton("Cancel", func() { d.Hide() }), ok})
	size := u.win.Canvas().Size()
	u.showDialog(d, fyne.NewSize(min(size.Width*0.85, theme.Scaled(820)), min(size.Height*0.85, theme.Scaled(520))))
	first := fields[0]
	if !first.form.Empty() {
		first = fields[1]
	}
	u.win.Canvas().Focus(first.entry)
	first.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
}

// tell says what was understood.
func (f *versionField) tell() {
	facts, problem := f.form.Understood()
	text := problem
	if text == "" {
		for i, fact := range facts {
			if i > 0 {
				text += "   "
			}
			text += fact.Label + " " + fact.Value
		}
	}
	if f.form.Empty() {
		text = ""
	}
	setText(f.note, safe.Line(text, 300))
}

// savedMenu offers the saved servers for a field.
func (u *UI) savedMenu(below fyne.CanvasObject, f *versionField) {
	var items []*fyne.MenuItem
	for _, s := range u.cfg.Settings.Get().Servers {
		items = append(items, fyne.NewMenuItem(view.TitleOf(s.Target), func() {
			f.form = view.EditConnectForm(s)
			f.form.ID = ""
			f.entry.SetText(f.form.Line)
			f.tell()
		}))
	}
	if len(items) == 0 {
		none := fyne.NewMenuItem("No servers are saved", nil)
		none.Disabled = true
		items = append(items, none)
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(below).AddXY(0, below.Size().Height)
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), u.win.Canvas(), at)
}

// maxCallChoices bounds the recordings whose calls are offered.
const maxCallChoices = 20

// callChoices are the recordings whose calls can be made on both servers; the
// first choice is none.
func (u *UI) callChoices(from *connPage) (titles, paths []string) {
	titles = []string{"no recording: only list what they offer"}
	add := func(path string) {
		for _, p := range paths {
			if p == path {
				return
			}
		}
		paths = append(paths, path)
		titles = append(titles, view.TitleOfFile(path))
	}
	if from != nil && from.conn != nil && from.conn.Path() != "" {
		add(from.conn.Path())
	}
	st := u.cfg.Settings.Get()
	for _, path := range view.RecordingPaths(st.Recent, st.Saved, maxCallChoices) {
		if !u.side.known[path].Gone {
			add(path)
		}
	}
	return titles, paths
}

// startVersions starts both servers, records what they offer, and compares the
// recordings.
func (p *comparePage) startVersions(runs [2]view.VersionRun) {
	p.stop()
	ctx, stop := context.WithCancel(p.ctx)
	p.stop = stop
	p.turn++
	turn := p.turn
	p.remake = func() { p.startVersions(runs) }
	p.busy = true
	p.wait.begin()
	p.wait.title.SetText("Starting two servers")
	p.wait.bar.Hide()
	p.showWait()
	var mu sync.Mutex
	words := [2]string{"waiting", "waiting"}
	say := func(i int) func(string) {
		return func(text string) {
			mu.Lock()
			words[i] = text
			both := words
			mu.Unlock()
			p.u.cfg.Do(func() {
				if turn == p.turn && p.busy {
					setOrHide(p.wait.why, "A  "+safe.Line(view.TitleOf(runs[0].Server.Target), 60)+": "+both[0]+"\nB  "+safe.Line(view.TitleOf(runs[1].Server.Target), 60)+": "+both[1])
				}
			})
		}
	}
	options := view.ConnOptions{
		RecordingDir: p.u.recordingDir(), App: p.u.cfg.app(), Client: p.u.cfg.Client, Capabilities: *p.u.cfg.Capabilities,
		Limits: p.u.cfg.Settings.Get().Limits, Now: p.u.cfg.now, Open: p.u.cfg.Open, Resolve: p.u.resolve,
	}
	p.work.Go(func() {
		defer stop()
		var made [2]string
		var errs [2]error
		var both sync.WaitGroup
		for i, r := range runs {
			both.Go(func() { made[i], errs[i] = view.RecordVersion(ctx, r, options, say(i)) })
		}
		both.Wait()
		err := errors.Join(errs[0], errs[1])
		p.u.cfg.Do(func() { p.versionsEnded(turn, made, err) })
	})
	p.u.refreshTabs()
}

// versionsEnded compares what was recorded.
func (p *comparePage) versionsEnded(turn int, made [2]string, err error) {
	for _, path := range made {
		if path != "" {
			p.u.kept(p.u.cfg.Settings.Remember(path))
		}
	}
	p.u.recordingsChanged()
	if turn != p.turn || p.ctx.Err() != nil {
		return
	}
	p.busy = false
	if err != nil {
		p.failed(err)
		return
	}
	p.remake = nil
	p.sides = [2]view.CompareSide{{Path: made[0]}, {Path: made[1]}}
	p.start()
}
