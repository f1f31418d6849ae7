package ui

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/recorder/interop"
	"mcploupe/ui/pump"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// openRecording shows the tab of a file, which it opens when there is none.
func (u *UI) openRecording(path string) {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	for _, p := range u.pages {
		switch p := p.(type) {
		case *connPage:
			if p.conn != nil && view.SameFile(p.conn.Path(), path) {
				u.show(p)
				return
			}
		case *openingPage:
			if view.SameFile(p.path, path) || p.path == path {
				u.show(p)
				p.retry()
				return
			}
		}
	}
	p := newOpeningPage(u, path)
	u.addPage(p)
	p.open()
}

// keyboardTo gives the keyboard to a part of a page that came in front, unless the
// person has put it elsewhere meanwhile.
func (u *UI) keyboardTo(p page, part fyne.Focusable) {
	if c := u.win.Canvas(); u.current() == p && len(u.dialogs) == 0 && c.Focused() == nil {
		c.Focus(part)
	}
}

// chooseRecording asks for a file to open.
func (u *UI) chooseRecording() {
	d := dialog.NewFileOpen(func(file fyne.URIReadCloser, err error) {
		if err != nil {
			u.fail("The file cannot be opened", err)
			return
		}
		if file == nil {
			return
		}
		path := file.URI().Path()
		if err := file.Close(); err != nil {
			u.notes.notify("While closing " + path + ": " + err.Error())
		}
		u.openRecording(path)
	}, u.win)
	d.SetTitleText("Open recording")
	d.SetView(dialog.ListView)
	d.SetFilter(storage.NewExtensionFileFilter(openEndings()))
	if dir := u.openDir(); dir != nil {
		d.SetLocation(dir)
	}
	u.showDialog(d, u.dialogSize())
}

// openDir is where recordings are looked for: beside the one in front, where
// they are kept, beside the latest. It is nil when there is no such folder.
func (u *UI) openDir() fyne.ListableURI {
	var dirs []string
	if c := u.currentConn(); c != nil && c.conn != nil && c.conn.Path() != "" {
		dirs = append(dirs, filepath.Dir(c.conn.Path()))
	}
	if dir, err := u.cfg.Settings.RecordingDir(); err == nil {
		dirs = append(dirs, dir)
	}
	if recent := u.cfg.Settings.Get().Recent; len(recent) > 0 {
		dirs = append(dirs, filepath.Dir(recent[0]))
	}
	for _, dir := range dirs {
		if lister, err := storage.ListerForURI(storage.NewFileURI(dir)); err == nil {
			return lister
		}
	}
	return nil
}

// openEndings are the endings of files that can be opened or imported.
func openEndings() []string {
	all := []string{".jsonl"}
	for _, f := range interop.Formats() {
		if !f.Import {
			continue
		}
		for _, ext := range f.Ext {
			if ext = filepath.Ext("x" + ext); ext != "" && !slices.Contains(all, ext) {
				all = append(all, ext)
			}
		}
	}
	return all
}

// dropped opens what was dropped on the window.
func (u *UI) dropped(_ fyne.Position, files []fyne.URI) {
	for _, f := range files {
		if f.Scheme() == "file" {
			u.dropServers(f.Path())
		}
	}
}

// openingPage is the tab of a file that is being opened or imported, or that is
// no recording. The recording takes its place.
type openingPage struct {
	u    *UI
	path string
	env  *Env // for the text view alone

	root    *fyne.Container
	title   *widget.Label
	where   *widget.Label
	why     *widget.Label
	advice  *widget.Label
	bar     *widget.ProgressBar
	amount  *widget.Label
	buttons *fyne.Container
	head    *textBox
	headAt  *fyne.Container

	marks  *pump.Pump // of the progress
	ctx    context.Context
	cancel context.CancelFunc // of all that the page does
	stop   context.CancelFunc // of the attempt
	work   sync.WaitGroup
	failed *view.OpenError // nil while it works, or for a failure without a form

	mu          sync.Mutex
	busy        bool
	done, total int64
	came        *opened // of an attempt that has ended, until somebody takes it
}

// opened is what an attempt to open a file came to.
type opened struct {
	shell *connPage
	conn  *view.Conn // nil when there is an error
	err   error
}

func newOpeningPage(u *UI, path string) *openingPage {
	p := &openingPage{u: u, path: path, stop: func() {}}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	p.marks = pump.New(u.cfg.Do, u.cfg.Clock, pump.FollowTail, p.progress)
	p.env = &Env{Window: u.win, Do: u.cfg.Do, Clipboard: u.app.Clipboard(), Go: p.start}
	p.title, p.where = heading(""), widget.NewLabel(safe.Line(path, 400))
	p.where.Truncation, p.where.Importance = fyne.TextTruncateEllipsis, widget.LowImportance
	p.why, p.advice, p.amount = widget.NewLabel(""), widget.NewLabel(""), widget.NewLabel("")
	for _, l := range []*widget.Label{p.why, p.advice} {
		l.Wrapping, l.Selectable = fyne.TextWrapWord, true
	}
	p.amount.Importance = widget.LowImportance
	p.bar = widget.NewProgressBar()
	p.buttons = container.NewHBox()
	p.head = newTextBox("", p.env)
	p.headAt = widget.Border(heading("What is in the file"), nil, nil, nil, p.head.view())
	p.headAt.Hide()
	top := container.NewVBox(spacer(10), p.title, p.where, p.why, p.advice, p.bar, p.amount, p.buttons, spacer(6))
	p.root = container.New(&columnLayout{max: 900}, widget.Border(top, nil, nil, nil, p.headAt))
	return p
}

// start runs f in a goroutine that the end of the page waits for.
func (p *openingPage) start(f func(context.Context)) { p.work.Go(func() { f(p.ctx) }) }

func (p *openingPage) tab() stripTab {
	tab := stripTab{Glyph: view.Connecting.Glyph(), Tone: view.Muted, Text: view.TitleOfFile(p.path), Closes: true}
	if p.failed != nil || !p.isBusy() {
		tab.Glyph, tab.Tone = view.Failed.Glyph(), view.Bad
		if p.failed != nil && p.failed.Format != interop.Unknown {
			tab.Glyph, tab.Tone = "?", view.Caution
		}
	}
	return tab
}

func (p *openingPage) object() fyne.CanvasObject { return p.root }

func (p *openingPage) shown() {}

func (p *openingPage) hidden() {}

// drop gives up what is on its way.
func (p *openingPage) drop() error {
	p.cancel()
	p.work.Wait()
	p.marks.Close()
	if o := p.take(); o != nil {
		o.shell.conn = o.conn
		return o.shell.drop()
	}
	return nil
}

// take is the outcome of the attempt, once.
func (p *openingPage) take() *opened {
	p.mu.Lock()
	defer p.mu.Unlock()
	o := p.came
	p.came = nil
	if o != nil {
		p.busy = false
	}
	return o
}

func (p *openingPage) isBusy() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.busy
}

// open reads the recording.
func (p *openingPage) open() {
	p.attempt("Opening "+view.TitleOfFile(p.path), func(ctx context.Context, o view.ConnOptions) (*view.Conn, error) {
		return view.OpenRecording(ctx, p.path, p.at, o)
	})
}

// importFile makes a recording of the file of another program.
func (p *openingPage) importFile() {
	p.attempt("Importing "+view.TitleOfFile(p.path), func(ctx context.Context, o view.ConnOptions) (*view.Conn, error) {
		return view.ImportRecording(ctx, p.path, p.at, o)
	})
}

// retry opens once more what could not be opened.
func (p *openingPage) retry() {
	if !p.isBusy() {
		p.open()
	}
}

// at takes how far the work is; any goroutine.
func (p *openingPage) at(done, total int64) {
	p.mu.Lock()
	p.done, p.total = done, total
	p.mu.Unlock()
	p.marks.Mark()
}

// progress shows how far the work is.
func (p *openingPage) progress() {
	p.mu.Lock()
	done, total, busy := p.done, p.total, p.busy
	p.mu.Unlock()
	if !busy || total <= 0 {
		return
	}
	p.bar.SetValue(float64(done) / float64(total))
	setText(p.amount, human.Bytes(done)+" of "+human.Bytes(total))
}

// attempt does the work in the background and puts the tab of what comes of it
// in the place of this one.
func (p *openingPage) attempt(title string, work func(ctx context.Context, o view.ConnOptions) (*view.Conn, error)) {
	ctx, stop := context.WithCancel(p.ctx)
	p.stop, p.failed = stop, nil
	p.mu.Lock()
	p.busy, p.done, p.total = true, 0, 0
	p.mu.Unlock()
	p.title.SetText(safe.Line(title, 100))
	setOrHide(p.why, "")
	setOrHide(p.advice, "")
	setHidden(p.headAt, true)
	p.bar.SetValue(0)
	p.amount.SetText("")
	setHidden(p.bar, false)
	setHidden(p.amount, false)
	p.setButtons(pageButton{"Cancel", fynetheme.CancelIcon(), p.stop})
	shell := newConnShell(p.u)
	options := shell.options()
	p.work.Go(func() {
		defer stop()
		conn, err := work(ctx, options)
		p.mu.Lock()
		p.came = &opened{shell, conn, err}
		p.mu.Unlock()
		p.u.cfg.Do(p.ended)
	})
	p.u.refreshTabs()
}

// ended shows the outcome of an attempt.
func (p *openingPage) ended() {
	o := p.take()
	if o == nil {
		return // the page was closed
	}
	if o.conn != nil && slices.Contains(p.u.pages, page(p)) {
		o.shell.build(o.conn, recordingPanes())
		o.shell.layout()
		p.u.replacePage(p, o.shell)
		p.u.keyboardTo(o.shell, o.shell.time.list)
		return
	}
	o.shell.conn = o.conn
	p.u.dropLater(o.shell)
	if o.conn == nil {
		p.fail(o.err)
	}
}

// fail says what is wrong and what can be done.
func (p *openingPage) fail(err error) {
	again := pageButton{"Try again", fynetheme.ViewRefreshIcon(), p.open}
	other := pageButton{"Open another file", fynetheme.FolderOpenIcon(), p.u.chooseRecording}
	setHidden(p.bar, true)
	setHidden(p.amount, true)
	var wrong *view.OpenError
	switch {
	case errors.As(err, &wrong):
		p.failed = wrong
		p.title.SetText(safe.Line(wrong.Title, 100))
		setOrHide(p.why, wrong.Why)
		setOrHide(p.advice, wrong.Advice)
		if wrong.Format != interop.Unknown {
			p.setButtons(pageButton{"Import", fynetheme.DownloadIcon(), p.importFile}, other)
		} else {
			p.setButtons(again, other)
		}
		setHidden(p.headAt, len(wrong.Head) == 0)
		if len(wrong.Head) > 0 {
			p.head.setBytes(wrong.Head, nil)
		}
	case errors.Is(err, context.Canceled):
		p.title.SetText("Cancelled")
		setOrHide(p.why, "The file was not opened.")
		p.setButtons(again, other)
	default:
		p.title.SetText("This did not work")
		setOrHide(p.why, safe.Text(err.Error(), 4<<10))
		p.setButtons(again, other)
	}
	p.root.Refresh()
	p.u.refreshTabs()
}

// pageButton is a button of a page, the first of them the one to press.
type pageButton struct {
	text string
	icon fyne.Resource
	do   func()
}

func (p *openingPage) setButtons(buttons ...pageButton) {
	p.buttons.RemoveAll()
	for i, b := range buttons {
		button := widget.NewButtonWithIcon(b.text, b.icon, b.do)
		if i == 0 && len(buttons) > 1 {
			button.Importance = widget.HighImportance
		}
		p.buttons.Add(button)
	}
	p.buttons.Refresh()
}
