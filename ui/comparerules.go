package ui

import (
	"context"
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/rows"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/widget"
)

// compareRules is the dialog with the rules of a comparison.
type compareRules struct {
	p      *comparePage
	d      *dialog.CustomDialog
	list   *rows.View
	flip   *widget.Button
	remove *widget.Button
	save   *widget.Button
	dirty  bool // the comparison is not by these rules yet
}

// openRules shows the rules with how often each hid something.
func (p *comparePage) openRules() {
	r := &compareRules{p: p}
	r.list = rows.New(r.bind, nil)
	r.list.SetColumns(rows.Column{Title: "", Width: 34}, rows.Column{Title: "Rule", Width: 110}, rows.Column{Title: "Place", Min: 140},
		rows.Column{Title: "Of", Width: 190}, rows.Column{Title: "Effect", Width: 96, Align: fyne.TextAlignTrailing})
	r.list.ShowHeader(true)
	r.list.SetPlaceholder("No rules. Select a difference and choose what does not count.")
	r.list.OnSelect = func(int) { r.refresh() }
	r.list.OnActivate = r.toggle
	r.list.OnKey = func(k *fyne.KeyEvent) bool {
		switch k.Name {
		case fyne.KeySpace:
			r.toggle(r.list.Current())
		case fyne.KeyDelete:
			r.drop()
		case fyne.KeyEscape:
			r.d.Hide()
		default:
			return false
		}
		return true
	}
	r.flip = quiet("Switch on or off", fynetheme.CheckButtonCheckedIcon(), func() { r.toggle(r.list.Current()) })
	r.remove = quiet("Remove", fynetheme.DeleteIcon(), r.drop)
	r.save = quiet("Save as a file …", fynetheme.DocumentSaveIcon(), func() { p.u.saveFile(view.RulesName(), p.options.RulesText()) })
	load := quiet("Load a file …", fynetheme.FolderOpenIcon(), r.load)
	hint := widget.NewLabel("A rule keeps differences from counting; a * in its place is any one step, ** any number of them. Space switches a rule, Delete removes it. A saved file works with mcploupe diff --ignore too.")
	hint.Wrapping, hint.Importance = fyne.TextWrapWord, widget.LowImportance
	buttons := container.NewHBox(r.flip, r.remove, load, r.save)
	r.d = dialog.NewCustom("Rules", "Close", widget.Border(container.NewVBox(hint, buttons), nil, nil, nil, r.list), p.u.win)
	size := p.u.win.Canvas().Size()
	p.u.showDialogThen(r.d, fyne.NewSize(min(size.Width*0.85, theme.Scaled(980)), min(size.Height*0.75, theme.Scaled(560))), r.closed)
	r.list.Reset(len(p.options.Rules))
	r.refresh()
	p.u.win.Canvas().Focus(r.list)
	if len(p.options.Rules) > 0 {
		r.list.Choose(0)
	}
}

func (r *compareRules) bind(i int, row *rows.Row) {
	x := view.RuleRowOf(r.p.options.Rules[i])
	color, on := fyne.ThemeColorName(""), "✓"
	if !r.p.options.Rules[i].On {
		color, on = theme.ColorMuted, "–"
	}
	row.Cells[0] = rows.Cell{Glyph: on, GlyphColor: color}
	row.Cells[1] = rows.Cell{Glyph: x.Glyph, Text: x.Word, Color: color}
	row.Cells[2] = rows.Cell{Text: x.Place, Mono: true, Color: color, Detail: x.Note}
	row.Cells[3] = rows.Cell{Text: x.Of, Color: color}
	row.Cells[4] = rows.Cell{Text: x.Uses, Color: color}
	if r.dirty && r.p.options.Rules[i].On {
		row.Cells[4].Text = "on"
	}
}

func (r *compareRules) refresh() {
	at := r.list.Current()
	for _, b := range []*widget.Button{r.flip, r.remove} {
		if at >= 0 && at < len(r.p.options.Rules) {
			b.Enable()
		} else {
			b.Disable()
		}
	}
	if len(r.p.options.Rules) > 0 {
		r.save.Enable()
	} else {
		r.save.Disable()
	}
}

func (r *compareRules) changed() {
	r.dirty = true
	r.list.Invalidate()
	r.refresh()
	r.p.head.refresh()
}

// toggle switches a rule.
func (r *compareRules) toggle(i int) {
	if i >= 0 && i < len(r.p.options.Rules) {
		r.p.options.Rules[i].On = !r.p.options.Rules[i].On
		r.changed()
	}
}

// drop removes the selected rule.
func (r *compareRules) drop() {
	i := r.list.Current()
	if i < 0 || i >= len(r.p.options.Rules) {
		return
	}
	r.p.options.Rules = slices.Delete(r.p.options.Rules, i, i+1)
	r.list.Reset(len(r.p.options.Rules))
	if n := len(r.p.options.Rules); n > 0 {
		r.list.Select(min(i, n-1))
	}
	r.changed()
}

// load adds the rules of a file.
func (r *compareRules) load() {
	r.p.u.chooseFile(func(work func(context.Context)) { r.p.work.Go(func() { work(r.p.ctx) }) }, func(name string, data []byte) {
		added, err := r.p.options.LoadRules(data)
		if err != nil {
			r.p.u.fail("The rules cannot be read", fmt.Errorf("%s: %w", name, err))
			return
		}
		r.p.u.notes.notify(human.Plural(added, "rule", "rules") + " added")
		r.list.Reset(len(r.p.options.Rules))
		r.changed()
	})
}

// closed compares by the rules as they are now.
func (r *compareRules) closed() {
	if r.dirty {
		r.p.again()
	}
}
