package ui

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime/debug"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/crash"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// guard runs f and keeps a panic in it from ending the program, and with it the
// sessions: a report is written, and a bar says so. p is the page that f draws,
// nil when that is not known. Without reports to write (in tests) a panic goes
// its way.
func (u *UI) guard(p page, what string, f func()) {
	if u.cfg.Crash == nil {
		f()
		return
	}
	defer func() {
		if value := recover(); value != nil {
			u.survived(p, what, value, debug.Stack())
		}
	}()
	f()
}

// drawing makes of what a page draws with something that is guarded, and left
// out from a panic on until the person loads the view again: it would only fail
// again.
func (u *UI) drawing(p page, f func()) func() {
	return func() {
		if !u.broken[p] {
			u.guard(p, "drawing a page", f)
		}
	}
}

// Guarded runs what the toolkit calls back for.
func (u *UI) Guarded(f func()) { u.guard(nil, "handling what the person did", f) }

// survived tells of a panic.
func (u *UI) survived(p page, what string, value any, stack []byte) {
	if p != nil {
		u.broken[p] = true
	}
	path, err := u.cfg.Crash.Panic(what, value, stack)
	u.panics++
	text := "This view failed; the session goes on."
	if u.panics > 1 {
		text = fmt.Sprintf("This view failed; the session goes on. It is the %d. time.", u.panics)
	}
	detail := "It is a fault of this program: " + crash.Value(value) + ". A report was written to " + path
	if err != nil {
		detail = "It is a fault of this program: " + crash.Value(value) + ". No report could be written: " + err.Error()
	}
	n := notice{glyph: "✕", tone: view.Bad, text: text, detail: safe.Line(detail, 400)}
	n.actions = []noticeAction{{"Load the view again", func() { u.reloadView(p) }}}
	if err == nil {
		n.actions = append(n.actions, noticeAction{"Show the report", func() { u.showReport(path) }})
	}
	u.trouble.show(n)
}

// reloader is a page that can make its widgets anew.
type reloader interface{ rebuild() }

// reloadView shows a page once more, drawn from its model. Without one it is the
// page in front.
func (u *UI) reloadView(p page) {
	u.trouble.hide()
	if p == nil {
		p = u.current()
	}
	if p == nil {
		return
	}
	delete(u.broken, p)
	u.guard(p, "loading a page again", func() {
		if r, ok := p.(reloader); ok {
			r.rebuild()
		}
		if p == u.current() {
			u.body.Objects = []fyne.CanvasObject{p.object()}
			u.body.Refresh()
			p.shown()
		}
	})
}

// showReport shows the text of a report.
func (u *UI) showReport(path string) {
	text, err := crash.Read(path)
	if err != nil {
		u.fail("The report cannot be shown", err)
		return
	}
	u.showText("Report", path, text)
}

// tellLeft says what earlier runs of the program left that did not end in order.
func (u *UI) tellLeft() {
	left := u.cfg.Left
	if len(left) == 0 {
		return
	}
	r := left[0]
	n := notice{glyph: "!", tone: view.Caution}
	n.text = "The program did not end in order the last time, " + human.Ago(r.Ended, u.cfg.now()) + "."
	n.detail = "It ended without a word, as when it is killed or the computer loses power."
	if r.Reason != "" {
		n.detail = "The report says: " + r.Reason + "."
	}
	if k := len(r.Recordings); k > 0 {
		n.detail += " " + human.Plural(k, "recording was", "recordings were") + " being written; what was recorded is there."
		label := "Open the recording"
		if k > 1 {
			label = fmt.Sprintf("Open the %d recordings", k)
		}
		n.actions = append(n.actions, noticeAction{label, func() {
			u.forgetLeft()
			for _, path := range r.Recordings {
				u.openRecording(path)
			}
		}})
	}
	n.detail = safe.Line(n.detail, 400)
	n.actions = append(n.actions, noticeAction{"Show the report", func() { u.showText("Report", r.Path, r.Text) }})
	n.closed = u.forgetLeft
	u.trouble.show(n)
}

// forgetLeft takes it that the person has seen what was left: the files go.
func (u *UI) forgetLeft() {
	u.trouble.hide()
	for _, r := range u.cfg.Left {
		if err := r.Forget(); err != nil {
			u.notes.notify(err.Error())
		}
	}
	u.cfg.Left = nil
}

// showText shows the text of a file in a dialog, to be read and copied.
func (u *UI) showText(title, path, text string) {
	env := &Env{Window: u.win, Do: u.cfg.Do, Clipboard: u.app.Clipboard(), Go: func(f func(context.Context)) { u.work.Go(func() { f(u.ctx) }) }}
	box := newTextBox("", env)
	box.set(safe.Text(text, 64<<10))
	where := caption(safe.Line(path, 200))
	where.Truncation = fyne.TextTruncateEllipsis
	copyIt := widget.NewButtonWithIcon("Copy", fynetheme.ContentCopyIcon(), func() { u.copyText(text) })
	folder := widget.NewButtonWithIcon("Show in folder", fynetheme.FolderOpenIcon(), func() { u.openFolder(filepath.Dir(path)) })
	d := dialog.NewCustom(title, "Close", container.NewBorder(where, container.NewHBox(copyIt, folder), nil, nil, box.view()), u.win)
	u.showDialog(d, u.dialogSize())
}
