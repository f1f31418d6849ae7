package ui

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/recorder"
	"mcploupe/ui/settings"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// folderRow chooses where recordings go.
type folderRow struct {
	p       *settingsPage
	root    *fyne.Container
	path    *widget.Label
	problem *widget.Label
	reset   *widget.Button
	turn    int // of checking, so that a late answer is dropped
}

func newFolderRow(p *settingsPage) *folderRow {
	r := &folderRow{p: p, path: widget.NewLabel(""), problem: widget.NewLabel("")}
	r.path.Wrapping, r.path.Selectable = fyne.TextWrapBreak, true
	r.problem.Wrapping, r.problem.Importance = fyne.TextWrapWord, widget.DangerImportance
	r.problem.Hide()
	choose := widget.NewButton("Choose …", func() { p.u.chooseFolder(r.take) })
	open := widget.NewButton("Show", func() { p.u.openFolder(p.u.recordingDir()) })
	r.reset = widget.NewButton("Default", func() { r.take("") })
	r.root = container.NewVBox(widget.Border(nil, nil, nil, container.NewVBox(container.NewHBox(choose, open, r.reset)),
		container.New(&tightLayout{}, widget.NewLabel("Folder for recordings"), r.path)), r.problem)
	return r
}

func (r *folderRow) show() {
	setText(r.path, safe.Line(r.p.u.recordingDir(), 1000))
	setDisabled(r.reset, r.p.u.cfg.Settings.Get().RecordingDir == "")
}

// take checks a folder, "" for the default, and asks what becomes of the
// recordings there are.
func (r *folderRow) take(dir string) {
	u := r.p.u
	from := u.recordingDir()
	to := dir
	if to == "" {
		def, err := settings.DefaultRecordingDir()
		if err != nil {
			u.fail("The folder cannot be used", err)
			return
		}
		to = def
	}
	r.turn++
	turn := r.turn
	u.work.Go(func() {
		err := view.CheckFolder(to)
		n, bytes, countErr := view.FolderRecordings(u.ctx, from)
		err = errors.Join(err, countErr)
		u.cfg.Do(func() {
			switch {
			case turn != r.turn:
			case err != nil:
				r.problem.SetText("Not changed: " + safe.Line(err.Error(), 300))
				r.problem.Show()
				r.root.Refresh()
			case n == 0 || view.SameFile(from, to):
				r.use(dir)
			default:
				r.ask(dir, from, to, human.Plural(n, "recording", "recordings")+", "+human.Bytes(bytes))
			}
		})
	})
}

func (r *folderRow) ask(dir, from, to, what string) {
	u := r.p.u
	text := widget.NewLabel("There are " + what + " in " + safe.Line(from, 300) + ".\nThey can move to the new folder, or stay where they are: the lists find them in either place.")
	text.Wrapping = fyne.TextWrapWord
	var d *dialog.CustomDialog
	button := func(label string, do func()) *widget.Button {
		return widget.NewButton(label, func() { d.Hide(); do() })
	}
	d = dialog.NewCustomWithoutButtons("Move the recordings?", text, u.win)
	move := button("Move", func() { r.use(dir); r.move(from, to) })
	move.Importance = widget.HighImportance
	d.SetButtons([]fyne.CanvasObject{button("Cancel", func() {}), button("Leave them", func() { r.use(dir) }), move})
	u.showDialog(d, fyne.NewSize(min(u.win.Canvas().Size().Width*0.8, 560), 220))
}

func (r *folderRow) use(dir string) {
	r.p.u.changeSettings(func(s *settings.Settings) { s.RecordingDir = dir })
	r.problem.Hide()
	r.p.refresh()
	r.p.clean.look()
}

func (r *folderRow) move(from, to string) {
	u := r.p.u
	left := 0
	var moved [][2]string
	u.runTask("Moving the recordings", func(ctx context.Context, at func(done, total int64)) (err error) {
		left, err = view.MoveRecordings(ctx, from, to, func(a, b string) { moved = append(moved, [2]string{a, b}) }, at)
		return err
	}, func(err error) {
		u.changeSettings(func(s *settings.Settings) {
			for _, m := range moved {
				s.RenameRecording(m[0], m[1])
			}
		})
		u.recordingsChanged()
		r.p.clean.look()
		switch {
		case err != nil:
			u.failTask("Not all recordings were moved", err)
		case left > 0:
			u.notes.notify("Moved " + human.Plural(len(moved), "recording", "recordings") + "; " + human.Plural(left, "is", "are") + " open or has a namesake there, and stays")
		default:
			u.notes.notify("Moved " + human.Plural(len(moved), "recording", "recordings"))
		}
	})
}

// retentionRow switches the deletion of old recordings on, after a look at what
// would be deleted, and says what is due.
type retentionRow struct {
	p       *settingsPage
	root    *fyne.Container
	check   *widget.Check
	due     *widget.Label
	preview *widget.Button
	showing bool
	turn    int
	plan    recorder.RetentionPlan
}

const retentionAbout = "Recordings that are saved, were given a name, are open, or have a mark or a note are never deleted, and none of the last day. It is done at the start and once a day."

func newRetentionRow(p *settingsPage) *retentionRow {
	r := &retentionRow{p: p, due: widget.NewLabel("")}
	r.due.Wrapping, r.due.Importance = fyne.TextWrapWord, widget.LowImportance
	r.check = widget.NewCheck("Delete old recordings", func(on bool) {
		if !r.showing {
			r.toggle(on)
		}
	})
	r.preview = widget.NewButton("What would be deleted …", func() { r.explain("Recordings that are due", "", nil) })
	about := widget.NewLabel(retentionAbout)
	about.Wrapping, about.Importance, about.SizeName = fyne.TextWrapWord, widget.LowImportance, fynetheme.SizeNameCaptionText
	r.root = container.NewVBox(container.New(&tightLayout{}, widget.Border(nil, nil, nil, r.preview, r.check), about, r.due))
	return r
}

func (r *retentionRow) matches(words string) bool {
	s := view.Setting{Group: view.GroupRecordings, Label: "Delete old recordings, folder for recordings, retention", About: retentionAbout}
	return strings.TrimSpace(words) != "" && s.Matches(words)
}

func (r *retentionRow) show(now settings.Settings) {
	r.showing = true
	r.check.SetChecked(now.Retention.On)
	r.showing = false
	limits := now.Retention.Days > 0 || now.Retention.Bytes > 0
	setDisabled(r.check, !limits)
	setDisabled(r.preview, len(r.plan.Delete) == 0)
	if !limits {
		setText(r.due, "Give an age or a size first.")
	}
}

// look finds out in the background what is due.
func (r *retentionRow) look() {
	u := r.p.u
	now := u.cfg.Settings.Get()
	r.turn++
	turn := r.turn
	r.plan = recorder.RetentionPlan{}
	dir, at, open := u.recordingDir(), u.cfg.now(), u.openFiles()
	u.work.Go(func() {
		plan, err := view.RetentionOf(now, open).Plan(u.ctx, dir, at)
		u.cfg.Do(func() {
			if turn != r.turn {
				return
			}
			r.plan = plan
			text, _ := view.RetentionPreview(plan, at)
			if err != nil {
				text = safe.Line(err.Error(), 300)
			}
			setText(r.due, text)
			r.show(u.cfg.Settings.Get())
		})
	})
}

// toggle switches it off, or asks and switches it on.
func (r *retentionRow) toggle(on bool) {
	set := func(on bool) {
		r.p.u.changeSettings(func(s *settings.Settings) { s.Retention.On = on })
		r.p.refresh()
	}
	switch {
	case !on:
		set(false)
	case len(r.plan.Delete) == 0:
		set(true)
		r.p.u.notes.notify("Switched on; nothing is due now")
	default:
		r.p.refresh() // not yet
		r.explain("Delete these recordings, and old ones from now on?", "Delete and switch on", func() {
			set(true)
			r.p.u.retain()
		})
	}
}

// explain shows what is due. yes is what is done when the person agrees, nil when
// there is nothing to agree to.
func (r *retentionRow) explain(title, verb string, yes func()) {
	u := r.p.u
	text, files := view.RetentionPreview(r.plan, u.cfg.now())
	summary := widget.NewLabel(text)
	summary.Wrapping = fyne.TextWrapWord
	list := widget.NewLabel(strings.Join(files, "\n"))
	list.Selectable = true
	content := widget.Border(summary, nil, nil, nil, container.NewScroll(list))
	if yes == nil {
		u.showDialog(dialog.NewCustom(title, "Close", content, u.win), u.dialogSize())
		return
	}
	d := dialog.NewCustomConfirm(title, verb, "Cancel", content, func(agreed bool) {
		if agreed {
			yes()
		}
	}, u.win)
	d.SetConfirmImportance(widget.DangerImportance)
	u.showDialog(d, u.dialogSize())
}

// openFiles are the recordings that have a tab.
func (u *UI) openFiles() []string {
	var out []string
	for _, c := range u.conns() {
		if path := c.Path(); path != "" {
			out = append(out, filepath.Clean(path))
		}
	}
	return out
}
