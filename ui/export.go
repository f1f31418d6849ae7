package ui

import (
	"context"
	"errors"
	"io"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/layout"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/recorder"
	"mcploupe/recorder/interop"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// export asks for what of the recording goes into which file. Events that are
// selected in the timeline are offered, and proposed when they are several.
func (p *connPage) export() {
	if p.time.line == nil || p.time.line.Selected() == 0 {
		p.exportEvents(nil)
		return
	}
	p.askExport(p.time.chosen(), p.time.list.SelectionCount() > 1)
}

// exportEvents proposes to export some events, all for nil.
func (p *connPage) exportEvents(seqs []uint64) { p.askExport(seqs, true) }

func (p *connPage) askExport(seqs []uint64, propose bool) {
	log := p.conn.Log()
	if log == nil {
		return
	}
	filter := ""
	if p.time.line != nil {
		filter = p.time.line.Filter()
	}
	model := view.NewExport(log, p.u.cfg.app(), filter, seqs)
	if !propose {
		model.ProposeWhole()
	}
	newExportDialog(p, model).show()
}

// exportDialog asks what is exported, to which file, and what is masked.
type exportDialog struct {
	u     *UI
	model *view.Export
	from  string // path of the recording

	dialog   *dialog.CustomDialog
	scope    *widget.RadioGroup
	format   *widget.Select
	path     *pathEntry
	named    string // the path that the dialog gave, "" once the person has another
	mask     *maskList
	forecast *widget.Label
	busy     *busyBar
	button   *widget.Button

	ctx  context.Context // ends with the dialog
	end  context.CancelFunc
	stop context.CancelFunc // of the search or trial that runs
	turn int                // of searches and trials, so that a late one is dropped
}

func newExportDialog(p *connPage, model *view.Export) *exportDialog {
	d := &exportDialog{u: p.u, model: model, from: p.conn.Path(), stop: func() {}}
	d.ctx, d.end = context.WithCancel(p.u.ctx)
	scopes, formats := model.Scopes(), model.Formats()
	d.scope = widget.NewRadioGroup(labels(scopes), nil)
	d.scope.Required = true
	for _, c := range scopes {
		if c.Value == model.Scope {
			d.scope.SetSelected(c.Label)
		}
	}
	d.scope.OnChanged = func(label string) {
		for _, c := range scopes {
			if c.Label == label {
				model.Scope = c.Value
			}
		}
		d.try()
	}
	d.format = widget.NewSelect(labels(formats), nil)
	for _, c := range formats {
		if c.Value == model.Format {
			d.format.SetSelected(c.Label)
		}
	}
	d.format.OnChanged = func(label string) {
		for _, c := range formats {
			if c.Label == label {
				model.Format = c.Value
			}
		}
		d.rename()
		d.try()
	}
	d.named = model.Path()
	d.path = newPathEntry(p.u, d.named, func() { d.dialog.Hide() })
	d.path.entry.OnSubmitted = func(string) { d.write() }
	d.mask = newMaskList(d)
	d.forecast = widget.NewLabel("")
	d.forecast.Wrapping = fyne.TextWrapWord
	d.busy = newBusyBar()
	d.button = widget.NewButtonWithIcon("Export", fynetheme.UploadIcon(), d.write)
	d.button.Importance = widget.HighImportance
	return d
}

func labels[T any](choices []view.ExportChoice[T]) []string {
	out := make([]string, len(choices))
	for i, c := range choices {
		out[i] = c.Label
	}
	return out
}

// exportWidth is the most that the dialog takes of a wide window.
const exportWidth = 1000

func (d *exportDialog) show() {
	cancel := widget.NewButtonWithIcon("Cancel", fynetheme.CancelIcon(), func() { d.dialog.Hide() })
	form := container.New(layout.NewFormLayout(),
		caption("Events"), d.scope, caption("Format"), d.format, caption("File"), d.path.root)
	bottom := container.NewVBox(d.busy.box, d.forecast)
	d.dialog = dialog.NewCustomWithoutButtons("Export", widget.Border(container.NewVBox(form, widget.NewSeparator()), bottom, nil, nil, d.mask.root), d.u.win)
	d.dialog.SetButtons([]fyne.CanvasObject{cancel, d.button})
	size := d.u.win.Canvas().Size()
	d.u.showDialogThen(d.dialog, fyne.NewSize(min(size.Width*0.9, exportWidth), size.Height*0.9), d.end)
	d.u.win.Canvas().Focus(d.path.entry) // Enter exports
	d.search()
}

// rename gives the file the ending of the format, and the name of the dialog
// unless the person has chosen another.
func (d *exportDialog) rename() {
	if d.path.entry.Text == d.named {
		d.named = d.model.Path()
		d.path.entry.SetText(d.named)
		return
	}
	d.path.entry.SetText(d.model.WithExt(d.path.entry.Text))
}

// background does work with the dialog in front; a later call ends it. show
// follows on the UI goroutine unless it was ended.
func (d *exportDialog) background(what string, work func(ctx context.Context, progress func(done, total uint64)) (show func())) {
	d.stop()
	ctx, stop := context.WithCancel(d.ctx)
	d.stop = stop
	d.turn++
	turn := d.turn
	d.busy.set(true)
	d.forecast.SetText(what + " …")
	d.button.Disable()
	here := func(f func()) {
		d.u.cfg.Do(func() {
			if turn == d.turn && d.ctx.Err() == nil {
				f()
			}
		})
	}
	m := d.u.newMeter(func(share float64) {
		if turn == d.turn && d.busy.bar != nil {
			d.forecast.SetText(what + " … " + human.Count(int(100*share)) + " %")
		}
	})
	d.u.work.Go(func() {
		defer stop()
		show := work(ctx, m.at)
		m.close()
		here(func() {
			d.busy.set(false)
			show()
		})
	})
}

// search looks for what is to be masked, and then tries the export.
func (d *exportDialog) search() {
	plan := d.model.Plan()
	d.mask.wait()
	d.background("Looking for secrets", func(ctx context.Context, progress func(done, total uint64)) func() {
		found, err := plan(ctx, progress)
		return func() {
			if err != nil {
				d.forecast.SetText(safe.Text("The recording could not be searched for secrets: "+err.Error(), 1000))
				return
			}
			d.model.SetPlan(found)
			d.mask.show()
			d.try()
		}
	})
}

// try writes the export to nowhere, to say what would be in it and what not.
func (d *exportDialog) try() {
	if d.mask.waiting {
		return // the search will
	}
	run := d.model.Run()
	d.background("Trying it", func(ctx context.Context, progress func(done, total uint64)) func() {
		report, err := run(ctx, io.Discard, progress)
		return func() {
			if err != nil {
				d.forecast.SetText(view.WhyNot(err))
				return
			}
			d.forecast.SetText(view.Forecast(report))
			d.button.Enable()
		}
	})
}

// write writes the file and says what came of it.
func (d *exportDialog) write() {
	path := d.path.path()
	if path == "" || d.button.Disabled() {
		return
	}
	if view.SameFile(path, d.from) {
		d.u.fail("The export was not written", errors.New("this is the file of the recording itself"))
		return
	}
	d.u.withFile(path, func() {
		run := d.model.Run()
		d.dialog.Hide()
		var report recorder.ExportReport
		d.u.runTask("Exporting", func(ctx context.Context, at func(done, total int64)) error {
			return view.WriteFile(path, func(w io.Writer) (err error) {
				report, err = run(ctx, w, func(done, total uint64) { at(int64(done), int64(total)) })
				return err
			})
		}, func(err error) {
			if err != nil {
				d.u.failTask("The export was not written", err)
				return
			}
			d.u.exported(d.model, path, report)
		})
	})
}

// exported says what was written, and what is not in it.
func (u *UI) exported(model *view.Export, path string, report recorder.ExportReport) {
	label := widget.NewLabel(safe.Text(model.Outcome(path, report), 8<<10))
	label.Wrapping, label.Selectable = fyne.TextWrapWord, true
	buttons := container.NewHBox(
		widget.NewButtonWithIcon("Show in folder", fynetheme.FolderOpenIcon(), func() { u.openFolder(filepath.Dir(path)) }),
		widget.NewButtonWithIcon("Copy path", fynetheme.ContentCopyIcon(), func() { u.copyText(path) }))
	if model.Format == interop.Recording {
		buttons.Add(widget.NewButtonWithIcon("Open it", fynetheme.FolderOpenIcon(), func() {
			u.closeDialog()
			u.openRecording(path)
		}))
	}
	d := dialog.NewCustom("Exported", "Close", widget.Border(nil, buttons, nil, nil, container.NewVScroll(label)), u.win)
	u.showDialog(d, fyne.NewSize(min(u.win.Canvas().Size().Width*0.8, 640), 280))
}
