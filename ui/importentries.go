package ui

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/session/mcpjson"
	"mcploupe/ui/rows"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// importFilePane shows the servers of one file, each with a box to tick, and what
// is known of the one that is selected.
type importFilePane struct {
	page *importPage
	root *fyne.Container
	path string
	file *view.ImportFile
	turn int // of reading

	title   *widget.Label
	where   *widget.Label
	dialect *widget.Select
	faults  *widget.Label
	faulty  *fyne.Container // what holds faults
	summary *widget.Label
	list    *rows.View
	facts   *factGrid
	group   *escEntry
	watch   *widget.Check
	take    *widget.Button
	content *fyne.Container
	empty   *widget.Label
	setting bool // the program sets the widgets
}

func newImportFilePane(p *importPage) *importFilePane {
	f := &importFilePane{page: p, facts: newFactGrid()}
	f.title = heading("")
	f.where = widget.NewLabel("")
	f.where.Truncation, f.where.Importance = fyne.TextTruncateEllipsis, widget.LowImportance
	var titles []string
	for _, d := range mcpjson.Dialects() {
		titles = append(titles, d.Title())
	}
	f.dialect = widget.NewSelect(titles, func(title string) {
		if !f.setting && f.file != nil {
			f.open(f.path, mcpjson.DialectByTitle(title))
		}
	})
	f.faults, f.summary = widget.NewLabel(""), widget.NewLabel("")
	f.faults.Wrapping, f.faults.Selectable, f.faults.Importance = fyne.TextWrapWord, true, widget.WarningImportance
	f.summary.Truncation, f.summary.Importance = fyne.TextTruncateEllipsis, widget.LowImportance
	f.list = rows.New(f.bind, nil)
	f.list.SetColumns(rows.Column{Title: "Server", Width: 190}, rows.Column{Title: "What it is", Min: 160}, rows.Column{Title: "State", Width: 130})
	f.list.ShowHeader(true)
	f.list.SetPlaceholder("No servers in this file")
	f.list.OnSelect = f.describe
	f.list.OnFold, f.list.OnActivate = f.toggle, f.toggle
	f.list.OnKey = func(k *fyne.KeyEvent) bool {
		if k.Name != fyne.KeySpace {
			return false
		}
		f.toggle(f.list.Current())
		return true
	}
	all := quiet("All", nil, func() { f.tickAll(true) })
	none := quiet("None", nil, func() { f.tickAll(false) })
	again := quiet("Read again", fynetheme.ViewRefreshIcon(), func() { f.open(f.path, f.chosen()) })
	f.group = newEscEntry(nil)
	f.group.SetPlaceHolder("no group")
	f.watch = widget.NewCheck("Watch this file for changes", func(bool) {
		if f.file != nil && !f.setting {
			f.tell()
		}
	})
	f.take = widget.NewButtonWithIcon("Import", fynetheme.DownloadIcon(), f.apply)
	f.take.Importance = widget.HighImportance
	f.faulty = newClamp(f.faults, 110)
	head := container.NewVBox(container.NewBorder(nil, nil, nil, container.NewHBox(caption("as"), container.NewGridWrap(fyne.NewSize(150, f.dialect.MinSize().Height), f.dialect), again), f.title),
		f.where, f.faulty, container.NewBorder(nil, nil, nil, container.NewHBox(all, none), f.summary))
	foot := container.NewVBox(widget.NewSeparator(), container.NewBorder(nil, nil, caption("Into the group"), container.NewHBox(f.watch, f.take), f.group))
	body := container.NewVSplit(f.list, container.NewVScroll(f.facts.box))
	body.SetOffset(0.6)
	f.content = container.NewBorder(head, foot, nil, nil, body)
	f.content.Hide()
	f.empty = widget.NewLabel("Choose a file. Nothing is changed in it, and nothing is started: servers are copied into the list on the left.")
	f.empty.Wrapping, f.empty.Alignment, f.empty.Importance = fyne.TextWrapWord, fyne.TextAlignCenter, widget.LowImportance
	f.root = container.NewStack(f.content, container.NewVBox(spacer(60), f.empty))
	return f
}

func (f *importFilePane) chosen() mcpjson.Dialect { return mcpjson.DialectByTitle(f.dialect.Selected) }

// open reads a file in the background; as is its dialect, "" to tell it by the
// file.
func (f *importFilePane) open(path string, as mcpjson.Dialect) {
	f.turn++
	turn := f.turn
	other := path != f.path
	f.path = path
	st := f.page.u.cfg.Settings.Get()
	if i := slices.IndexFunc(st.Imports, func(x importedFile) bool { return x.File == path }); as == "" && i >= 0 {
		as = st.Imports[i].Dialect
	}
	f.page.work.Go(func() {
		file, err := view.ReadImport(path, as, st)
		f.page.u.cfg.Do(func() {
			if turn == f.turn {
				f.fill(file, err, other)
			}
		})
	})
	f.page.mark()
}

// compare brings the states of the servers up to date.
func (f *importFilePane) compare() {
	if f.file != nil {
		f.open(f.path, f.file.Read.Dialect)
	}
}

func (f *importFilePane) fill(file *view.ImportFile, err error, other bool) {
	f.file = file
	if err != nil {
		f.content.Hide()
		f.empty.SetText(safe.Text("The file cannot be read: "+err.Error(), 1000))
		f.empty.Show()
		return
	}
	f.setting = true
	f.dialect.SetSelected(file.Read.Dialect.Title())
	if other {
		f.group.SetText("")
		f.watch.SetChecked(file.Watch)
	}
	f.setting = false
	f.title.SetText(file.Read.Dialect.Title())
	f.where.SetText(safe.Line(f.path, 400))
	faults := file.Faults()
	text := ""
	for i, line := range faults[:min(len(faults), 12)] {
		if i > 0 {
			text += "\n"
		}
		text += line
	}
	if more := len(faults) - 12; more > 0 {
		text += fmt.Sprintf("\nand %d more", more)
	}
	setOrHide(f.faults, text)
	setHidden(f.faulty, text == "")
	f.list.Reset(len(file.Entries))
	if len(file.Entries) > 0 {
		f.list.Select(0)
	}
	f.describe(min(0, len(file.Entries)-1))
	f.tell()
	f.empty.Hide()
	f.content.Show()
	f.root.Refresh()
}

// tell says what would be done.
func (f *importFilePane) tell() {
	f.list.Invalidate()
	f.summary.SetText(f.file.Summary())
	n := f.file.Ticked()
	f.take.SetText("Import " + human.Plural(n, "server", "servers"))
	if changed := slices.ContainsFunc(f.file.Entries, func(e view.ImportEntry) bool { return e.Tick && e.State != view.EntryNew }); changed {
		f.take.SetText("Take over " + human.Plural(n, "change", "changes"))
	}
	watch := f.watch.Checked != f.file.Watch
	switch {
	case n > 0:
	case watch && f.watch.Checked:
		f.take.SetText("Watch the file")
	case watch:
		f.take.SetText("Do not watch it any more")
	default:
		f.take.SetText("Nothing to import")
	}
	able(f.take, n > 0 || watch)
}

func (f *importFilePane) bind(i int, r *rows.Row) {
	e := f.file.Entries[i]
	r.Cells[0] = rows.Cell{Fold: rows.Unticked, Text: e.Title()}
	if e.Tick {
		r.Cells[0].Fold = rows.Ticked
	}
	if !e.Usable() {
		r.Cells[0].Fold, r.Cells[0].Indent, r.Cells[0].Color = rows.NoFold, 19, theme.ColorMuted
	}
	if e.Project != "" {
		r.Cells[0].Detail = safe.Line(e.Project, 120)
	}
	r.Cells[1] = rows.Cell{Text: e.What(), Mono: true, Color: theme.ColorMuted}
	r.Cells[2].Badges = []rows.Badge{{Text: e.State.Word(), Color: toneName(e.State.Tone())}}
	if e.Disabled {
		r.Cells[2].Badges = append(r.Cells[2].Badges, rows.Badge{Text: "off", Color: theme.ColorMuted})
	}
	if mcpjson.Faulty(e.Faults) && e.State != view.EntryBroken {
		r.Cells[2].Badges = append(r.Cells[2].Badges, rows.Badge{Text: "mistake", Color: theme.ColorWarning})
	}
}

func (f *importFilePane) describe(i int) {
	if f.file == nil || i < 0 || i >= len(f.file.Entries) {
		f.facts.set(nil)
		return
	}
	f.facts.set(f.file.Facts(i))
}

func (f *importFilePane) toggle(i int) {
	if i >= 0 && f.file.Entries[i].Usable() {
		f.file.Entries[i].Tick = !f.file.Entries[i].Tick
		f.tell()
	}
}

func (f *importFilePane) tickAll(on bool) {
	f.file.TickAll(on)
	f.tell()
}

// apply takes over what is ticked, after a question when servers would go.
func (f *importFilePane) apply() {
	gone := 0
	for _, e := range f.file.Entries {
		if e.Tick && e.State == view.EntryRemoved {
			gone++
		}
	}
	if gone == 0 {
		f.applyNow()
		return
	}
	d := dialog.NewConfirm("Remove servers?", human.Plural(gone, "server is", "servers are")+" gone from the file and will be removed from your list.\nRecordings are kept.", func(yes bool) {
		if yes {
			f.applyNow()
		}
	}, f.page.u.win)
	destroys(d, "Remove")
	f.page.u.showDialog(d, d.MinSize())
}

func (f *importFilePane) applyNow() {
	u := f.page.u
	applied, err := f.file.Apply(u.cfg.Settings, f.group.Text, f.watch.Checked)
	u.kept(err)
	for _, x := range slices.Concat(applied.Added, applied.Changed) {
		u.keepSecrets(x, secretsFor(applied.Secrets, x.ID))
		u.retarget(x)
	}
	for _, x := range applied.Removed {
		u.forgetServer(x)
	}
	if err == nil {
		u.notes.notify(applied.Text())
	}
	u.serversChanged()
	f.tell()
	f.describe(f.list.Current())
	f.page.look()
}
