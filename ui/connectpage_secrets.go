package ui

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/layout"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/session/secret"
	"mcploupe/ui/settings"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// askValues asks the person for values that a server needs. It waits for the
// answers and is called off the UI goroutine.
func (u *UI) askValues(ctx context.Context, x settings.Server, questions []settings.Question) ([]settings.Answer, error) {
	noRing := u.cfg.Secrets.Usable(ctx)
	type outcome struct {
		answers []settings.Answer
		ok      bool
	}
	came := make(chan outcome, 1)
	var shown *valuesDialog // on the UI goroutine
	u.cfg.Do(func() {
		if u.closing || ctx.Err() != nil {
			came <- outcome{}
			return
		}
		shown = u.newValuesDialog(x, questions, noRing, func(answers []settings.Answer, ok bool) { came <- outcome{answers, ok} })
	})
	select {
	case o := <-came:
		if !o.ok {
			return nil, view.ErrNotGiven
		}
		return o.answers, nil
	case <-ctx.Done():
		u.cfg.Do(func() {
			if shown != nil {
				shown.d.Hide()
			}
		})
		return nil, ctx.Err()
	}
}

// valuesDialog asks for the values that a server needs to be connected to.
type valuesDialog struct {
	u     *UI
	d     *dialog.CustomDialog
	x     settings.Server
	asked []settings.Question
	text  []func() string // what was given for each
	keep  *widget.Check
	done  func([]settings.Answer, bool)
	given bool
}

func (u *UI) newValuesDialog(x settings.Server, questions []settings.Question, noRing error, done func([]settings.Answer, bool)) *valuesDialog {
	v := &valuesDialog{u: u, x: x, asked: questions, done: done}
	rows := container.NewVBox()
	var first fyne.Focusable
	for _, q := range questions {
		label := widget.NewLabelWithStyle(safe.Line(q.Label, 80), fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
		label.Truncation = fyne.TextTruncateEllipsis
		rows.Add(label)
		field, focus := v.field(q)
		if first == nil {
			first = focus
		}
		rows.Add(field)
		if q.Text != "" {
			note := widget.NewLabel(safe.Text(q.Text, 600))
			note.Wrapping, note.Importance, note.SizeName = fyne.TextWrapWord, widget.LowImportance, fynetheme.SizeNameCaptionText
			rows.Add(note)
		}
	}
	v.keep = widget.NewCheck("Keep "+itOrThem(len(questions))+" in the system's keyring", nil)
	v.keep.SetChecked(!x.NotKept && noRing == nil)
	note := widget.NewLabel("Secrets are never written to the settings or to recordings.")
	note.Wrapping, note.Importance = fyne.TextWrapWord, widget.LowImportance
	if noRing != nil {
		v.keep.Disable()
		note.SetText(view.NoKeyring(noRing) + ".")
		note.Importance = widget.WarningImportance
	}
	connect := widget.NewButtonWithIcon("Connect", fynetheme.MediaPlayIcon(), v.submit)
	connect.Importance = widget.HighImportance
	body := container.NewBorder(nil, container.NewVBox(v.keep, note), nil, nil, container.NewVScroll(rows))
	v.d = dialog.NewCustomWithoutButtons(safe.Line(view.TitleOf(x.Target)+" needs "+valuesWord(len(questions)), 60), body, u.win)
	v.d.SetButtons([]fyne.CanvasObject{widget.NewButton("Cancel", v.d.Dismiss), connect})
	size := u.dialogSize()
	u.showDialogThen(v.d, fyne.NewSize(min(size.Width, theme.Scaled(560)), min(size.Height, theme.Scaled(240+96*float32(len(questions))))), v.closed)
	if first != nil {
		u.win.Canvas().Focus(first)
	}
	return v
}

func valuesWord(n int) string {
	if n == 1 {
		return "a value"
	}
	return "values"
}

func itOrThem(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

// field is what a value is typed into, or chosen from.
func (v *valuesDialog) field(q settings.Question) (fyne.CanvasObject, fyne.Focusable) {
	if len(q.Options) > 0 {
		options := widget.NewSelect(safeLines(q.Options), nil)
		options.SetSelectedIndex(0)
		for i, o := range q.Options {
			if o == q.Default {
				options.SetSelectedIndex(i)
			}
		}
		v.text = append(v.text, func() string { return q.Options[max(options.SelectedIndex(), 0)] })
		return options, nil // a choice that has the keyboard keeps Escape
	}
	entry := newKeyedEntry(func(e *fyne.KeyEvent) bool {
		switch e.Name {
		case fyne.KeyEscape:
			v.d.Dismiss()
		case fyne.KeyReturn, fyne.KeyEnter:
			v.submit()
		default:
			return false
		}
		return true
	})
	entry.Password = q.Secret
	entry.SetText(q.Default)
	v.text = append(v.text, func() string { return entry.Text })
	return entry, entry
}

func safeLines(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = safe.Line(s, 80)
	}
	return out
}

func (v *valuesDialog) submit() {
	v.given = true
	v.d.Hide()
}

// closed gives the answers to whoever waits; those of a saved server are kept
// for the run, and in the keyring when the person wants that.
func (v *valuesDialog) closed() {
	if !v.given {
		v.done(nil, false)
		return
	}
	var answers []settings.Answer
	var keys []secret.Key
	for i, q := range v.asked {
		a := settings.Answer{Key: q.Key, Value: v.text[i]()}
		answers = append(answers, a)
		if v.x.ID != "" {
			v.u.cfg.Secrets.Put(a.Key, a.Value)
		}
		keys = append(keys, a.Key)
	}
	if v.keep.Checked && v.x.ID != "" {
		v.u.storeSecrets(keys)
	}
	v.done(answers, true)
}

// secretsOf shows where the secrets of a server are, and forgets them on demand.
func (u *UI) secretsOf(x settings.Server) {
	id := x.ID
	list := container.NewVBox(widget.NewLabel("Asking the keyring …"))
	note := widget.NewLabel("A secret that is forgotten is asked for when the server is connected to.")
	note.Wrapping, note.Importance = fyne.TextWrapWord, widget.LowImportance
	scroll := container.NewVScroll(list)
	d := dialog.NewCustomWithoutButtons(safe.Line("Secrets of "+view.TitleOf(x.Target), 60), container.NewBorder(nil, note, nil, nil, scroll), u.win)
	d.SetButtons([]fyne.CanvasObject{widget.NewButton("Close", d.Dismiss)})
	var show func()
	show = func() {
		u.work.Go(func() {
			ctx, stop := context.WithTimeout(u.ctx, keyringTime)
			defer stop()
			x, _ := u.cfg.Settings.Server(id)
			rows, trouble := view.SecretRows(ctx, u.cfg.Secrets, x)
			noRing := u.cfg.Secrets.Usable(ctx)
			u.cfg.Do(func() {
				list.RemoveAll()
				if text := view.PlainSecretsText(x); text != "" {
					list.Add(u.plainSecrets(id, text, noRing, show))
				}
				for _, r := range rows {
					list.Add(u.secretRow(r, show))
				}
				if len(rows) == 0 && len(list.Objects) == 0 {
					list.Add(sideNote("It has none. Mark values as secret when you edit it."))
				}
				if trouble != nil {
					note.SetText(view.NoKeyring(trouble) + ".")
				}
				scroll.Refresh() // a box draws nothing by itself when something is put into it
			})
		})
	}
	size := u.dialogSize()
	u.showDialog(d, fyne.NewSize(min(size.Width, theme.Scaled(560)), min(size.Height, theme.Scaled(320))))
	show()
}

// plainSecrets says that secrets stand in the settings file and offers to move
// them, where there is a keyring.
func (u *UI) plainSecrets(id, text string, noRing error, changed func()) fyne.CanvasObject {
	label := widget.NewLabel(text)
	label.Wrapping, label.Importance = fyne.TextWrapWord, widget.WarningImportance
	move := widget.NewButtonWithIcon("Move to the keyring", fynetheme.StorageIcon(), nil)
	move.OnTapped = func() {
		move.Disable()
		u.work.Go(func() {
			ctx, stop := context.WithTimeout(u.ctx, keyringTime)
			defer stop()
			err := view.MoveSecrets(ctx, u.cfg.Secrets, u.cfg.Settings, id)
			u.cfg.Do(func() {
				if err != nil {
					u.notes.notify(err.Error())
				}
				changed()
			})
		})
	}
	if noRing != nil {
		move.Disable()
		label.SetText(text + " There is no keyring to move them to: " + safe.Line(noRing.Error(), 160) + ".")
	}
	return container.NewVBox(label, container.NewHBox(move), widget.NewSeparator())
}

func (u *UI) secretRow(r view.SecretRow, changed func()) fyne.CanvasObject {
	title := widget.NewLabel(r.Title)
	title.Truncation = fyne.TextTruncateEllipsis
	where := widget.NewLabel(r.Where)
	where.Importance = widget.LowImportance
	value := widget.NewPasswordEntry()
	value.SetPlaceHolder("another value")
	set := widget.NewButton("Set", func() {
		if value.Text != "" {
			u.cfg.Secrets.Put(r.Key, value.Text)
			u.storeSecrets([]secret.Key{r.Key})
			changed()
		}
	})
	value.OnSubmitted = func(string) { set.OnTapped() }
	forget := widget.NewButton("Forget", func() {
		u.work.Go(func() {
			ctx, stop := context.WithTimeout(u.ctx, keyringTime)
			defer stop()
			err := u.cfg.Secrets.Forget(ctx, r.Key)
			noRing := u.cfg.Secrets.Usable(ctx)
			u.cfg.Do(func() {
				if err != nil && noRing == nil {
					u.notes.notify(err.Error())
				}
				changed()
			})
		})
	})
	if r.Source != secret.Memory && r.Source != secret.Stored {
		forget.Disable()
	}
	return container.NewVBox(container.NewBorder(nil, nil, nil, where, title), container.New(layout.NewFormLayout(), container.NewHBox(forget), container.NewBorder(nil, nil, nil, set, value)))
}

// keptHint stands in a field whose value is kept elsewhere.
const keptHint = "kept already; type to replace it"

// keepBox is the choice of where secrets are kept, with what that means here.
func (p *connectPage) keepBox() fyne.CanvasObject {
	keep := widget.NewCheck("Keep secrets of saved servers in the system's keyring", func(on bool) { p.form.Keep = on })
	keep.SetChecked(p.form.Keep)
	note := widget.NewLabel("Else they are asked for once in each run. They are never written to the settings.")
	note.Wrapping, note.Importance = fyne.TextWrapWord, widget.LowImportance
	p.u.work.Go(func() {
		ctx, stop := context.WithTimeout(p.u.ctx, keyringTime)
		defer stop()
		if err := p.u.cfg.Secrets.Usable(ctx); err != nil && p.u.ctx.Err() == nil {
			p.u.cfg.Do(func() {
				note.SetText(view.NoKeyring(err) + ".")
				note.Importance = widget.WarningImportance
				note.Refresh()
			})
		}
	})
	return container.NewVBox(keep, note)
}

// choosePath asks for a file and gives its path.
func (u *UI) choosePath(title string, done func(path string)) {
	d := dialog.NewFileOpen(func(file fyne.URIReadCloser, err error) {
		if err != nil {
			u.fail("The file cannot be opened", err)
			return
		}
		if file == nil {
			return
		}
		path := file.URI().Path()
		_ = file.Close() // it is read by its path, when it is needed
		done(path)
	}, u.win)
	d.SetTitleText(title)
	d.SetView(dialog.ListView)
	u.showDialog(d, u.dialogSize())
}
