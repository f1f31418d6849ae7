package ui

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/recorder"
	"mcploupe/session"
	"mcploupe/ui/settings"
	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// recordingItems are the actions for the recording of this page.
func (p *connPage) recordingItems() []*fyne.MenuItem {
	if p.conn.Path() == "" {
		return nil
	}
	with := func(label string, icon fyne.Resource, do func()) *fyne.MenuItem {
		return fyne.NewMenuItemWithIcon(label, icon, do)
	}
	items := []*fyne.MenuItem{
		with("Save recording as …", fynetheme.DocumentSaveIcon(), p.saveRecording),
		with("Save a copy …", fynetheme.ContentCopyIcon(), p.copyRecording),
		with("Export …", fynetheme.UploadIcon(), p.export),
	}
	items = append(items, p.u.replayItems(p.conn.Path())...)
	if phase, _ := p.conn.Phase(); phase.Live() {
		items = append(items, with("New recording from here", fynetheme.MediaRecordIcon(), p.newRecording))
	}
	items = append(items, with("Open in the editor", fynetheme.DocumentCreateIcon(), func() { p.u.editFile(p.conn.Path()) }))
	return append(items, with("Show in folder", fynetheme.FolderOpenIcon(), func() { p.u.openFolder(filepath.Dir(p.conn.Path())) }),
		with("Copy path of the recording", fynetheme.ContentPasteIcon(), func() { p.u.copyText(p.conn.Path()) }))
}

// askPath asks for the path of a file to write.
func (u *UI) askPath(title, hint, verb, path string, done func(path string)) {
	var d *dialog.ConfirmDialog
	entry := newPathEntry(u, path, func() { d.Dismiss() })
	note := widget.NewLabel(hint)
	note.Wrapping, note.Importance = fyne.TextWrapWord, widget.LowImportance
	d = dialog.NewCustomConfirm(title, verb, "Cancel", container.NewVBox(entry.root, note), func(yes bool) {
		if path := entry.path(); yes && path != "" {
			done(path)
		}
	}, u.win)
	entry.entry.OnSubmitted = func(string) { d.Confirm() }
	size := fyne.NewSize(min(u.win.Canvas().Size().Width*0.8, 860), 180)
	u.showDialog(d, size)
	d.Resize(size) // the hint knows its height only since it has its width
	u.win.Canvas().Focus(entry.entry)
	entry.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
}

// saveRecording gives the recording a name, under which it goes on.
func (p *connPage) saveRecording() {
	from := p.conn.Path()
	if from == "" {
		return
	}
	p.u.askPath("Save recording as", "The file moves there"+p.goesOn()+". Saved recordings are marked with "+view.SavedGlyph+" and never deleted by the program.",
		"Save", from, func(to string) { p.saveTo(from, view.WithRecordingExt(to)) })
}

// goesOn says that a recording is still written.
func (p *connPage) goesOn() string {
	if phase, _ := p.conn.Phase(); phase.Live() {
		return " and goes on being written"
	}
	return ""
}

func (p *connPage) saveTo(from, to string) {
	if view.SameFile(from, to) {
		p.saved(from, to, false, nil) // its name is good enough
		return
	}
	copied := false
	p.u.withFile(to, func() {
		p.u.runTask("Saving the recording", func(ctx context.Context, at func(done, total int64)) (err error) {
			if err := os.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("replace the file: %w", err)
			}
			copied, err = p.conn.MoveRecording(ctx, to, at)
			return err
		}, func(err error) { p.saved(from, to, copied, err) })
	})
}

// saved tells what came of saving a recording.
func (p *connPage) saved(from, to string, copied bool, err error) {
	u := p.u
	if err != nil {
		u.failTask("The recording was not saved", err)
		return
	}
	if !copied {
		p.remembered = to
		u.kept(u.cfg.Settings.RenameRecording(from, to))
	}
	u.kept(u.cfg.Settings.SaveRecording(to))
	if copied {
		u.notes.notify("A copy was saved, for the file cannot be moved there. The recording goes on in " + from)
	} else {
		u.notes.notify("Saved as " + to)
	}
	u.recordingsChanged()
	p.flush()
}

// listed puts the recording at path among the recent ones, in the place of the
// one that it was until something else moved its file.
func (p *connPage) listed(path string) {
	was := p.remembered
	p.remembered = path
	if was != "" && was == p.conn.MovedFrom() {
		p.u.kept(p.u.cfg.Settings.RenameRecording(was, path)) // a saved one stays saved
	}
	p.u.kept(p.u.cfg.Settings.Remember(path))
	p.u.recordingsChanged()
}

// failTask shows the error of a task, unless the person has cancelled it.
func (u *UI) failTask(title string, err error) {
	if errors.Is(err, context.Canceled) {
		u.notes.notify("Cancelled")
		return
	}
	u.fail(title, err)
}

// kept says that the settings could not be written.
func (u *UI) kept(err error) {
	if err != nil {
		u.notes.notify("Settings were not saved: " + err.Error())
	}
}

// recordingsChanged brings the lists of recordings up to date.
func (u *UI) recordingsChanged() {
	u.side.forget()
	u.side.refresh()
	u.start.refresh()
	u.refreshTabs()
}

// copyRecording writes what is recorded up to now to another file.
func (p *connPage) copyRecording() {
	from := p.conn.Path()
	if from == "" {
		return
	}
	path := view.FreeFile(filepath.Dir(from), view.TitleOfFile(from)+"-copy", recorder.Ext)
	p.u.askPath("Save a copy", "What is recorded up to now is written to the file, as it is. To leave secrets out, export it instead.", "Save", path, func(to string) {
		to = view.WithRecordingExt(to)
		if view.SameFile(from, to) {
			p.u.fail("The copy was not saved", errors.New("this is the file of the recording itself"))
			return
		}
		p.u.withFile(to, func() {
			p.u.runTask("Saving a copy", func(ctx context.Context, at func(done, total int64)) error {
				return p.conn.CopyRecording(ctx, to, at)
			}, func(err error) {
				if err != nil {
					p.u.failTask("The copy was not saved", err)
					return
				}
				p.u.kept(p.u.cfg.Settings.SaveRecording(to))
				p.u.notes.notify("A copy was saved as " + to)
				p.u.recordingsChanged()
			})
		})
	})
}

// newRecording lets the connection go on in a fresh file.
func (p *connPage) newRecording() {
	p.conn.Go(func(context.Context) {
		old, err := p.conn.NewRecording()
		p.u.cfg.Do(func() {
			switch {
			case err != nil && old == "":
				p.u.fail("No new recording was started", err)
				return
			case err != nil:
				p.u.fail("The recording before is not whole", err)
			}
			p.remember()
			p.flush()
			p.flushRows()
			p.u.recordingsChanged()
			p.u.notes.notify("New recording. The one up to now is " + old)
		})
	})
}

// pageOfFile is the tab of a recording, nil if there is none.
func (u *UI) pageOfFile(path string) *connPage {
	for _, p := range u.pages {
		if c, ok := p.(*connPage); ok && c.conn != nil && view.SameFile(c.conn.Path(), path) {
			return c
		}
	}
	return nil
}

// renameRecording gives a recording another name in its folder.
func (u *UI) renameRecording(path string) {
	var d *dialog.ConfirmDialog
	entry := newEscEntry(func() { d.Dismiss() })
	entry.SetText(view.TitleOfFile(path))
	d = dialog.NewCustomConfirm("Rename recording", "Rename", "Cancel", entry, func(yes bool) {
		if !yes {
			return
		}
		to, ok := view.RenamedPath(path, entry.Text)
		if !ok {
			u.fail("The recording was not renamed", fmt.Errorf("%q is no name for a file", safe.Line(entry.Text, 100)))
			return
		}
		if to == path {
			return
		}
		u.withFile(to, func() { u.rename(path, to) })
	}, u.win)
	entry.OnSubmitted = func(string) { d.Confirm() }
	u.showDialog(d, fyne.NewSize(nameWidth, d.MinSize().Height))
	u.win.Canvas().Focus(entry)
}

func (u *UI) rename(from, to string) {
	if p := u.pageOfFile(to); p != nil {
		u.fail("The recording was not renamed", errors.New("a recording of that name is open"))
		return
	}
	page := u.pageOfFile(from)
	err := os.Remove(to)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err == nil && page != nil {
		err = page.conn.Log().Rename(to)
		page.remembered = to
	} else if err == nil {
		err = os.Rename(from, to)
	}
	if err != nil {
		u.fail("The recording was not renamed", err)
		return
	}
	u.kept(u.cfg.Settings.RenameRecording(from, to))
	u.recordingsChanged()
	if page != nil {
		page.flush()
	}
}

// deleteRecording asks and deletes a file, with what was put aside of it.
func (u *UI) deleteRecording(path string) {
	if p := u.pageOfFile(path); p != nil {
		if phase, _ := p.conn.Phase(); phase != view.File {
			u.fail("The recording was not deleted", errors.New("it is the one of an open connection: close its tab first, or begin a new recording"))
			return
		}
	}
	d := dialog.NewConfirm("Delete recording?", "The file is deleted for good:\n"+safe.Line(path, 120), func(yes bool) {
		if yes {
			u.remove(path)
		}
	}, u.win)
	destroys(d, "Delete")
	u.showDialog(d, d.MinSize())
}

func (u *UI) remove(path string) {
	if p := u.pageOfFile(path); p != nil {
		p.conn.Log().LetGo() // it is closed in the background
		u.closePage(p)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		u.fail("The recording was not deleted", err)
		return
	}
	u.kept(u.cfg.Settings.ForgetRecording(path))
	u.recordingsChanged()
	u.notes.notify("Deleted " + path)
}

// saveRecordingMark marks a recording as saved, or no longer.
func (u *UI) saveRecordingMark(path string, on bool) {
	if on {
		u.kept(u.cfg.Settings.SaveRecording(path))
	} else {
		u.update(func(s *settings.Settings) {
			s.Saved = slices.DeleteFunc(s.Saved, func(p string) bool { return p == path })
		})
	}
	u.recordingsChanged()
}

// recordedServer is what a recording was made of, with what is known of it among
// the saved servers. ok is false when the recording does not say.
func (u *UI) recordedServer(t session.Target) (s settings.Server, ok bool) {
	if t.Command == "" && t.URL == "" {
		return settings.Server{}, false
	}
	for _, kept := range u.cfg.Settings.Get().Servers {
		if view.SameServer(kept.Target, t) {
			return kept, true
		}
	}
	return settings.Server{Target: view.OwnProgram(t, u.cfg.Executable)}, true
}

// connectRecorded shows what the recording was made of, to be connected to: the
// person sees the command line or the address before anything is started.
func (p *connPage) connectRecorded() {
	if server, ok := p.u.recordedServer(p.conn.Server().Target); ok {
		p.u.edit(server, nil)
	}
}
