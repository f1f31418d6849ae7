package ui

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/settings"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// settingsPage shows what the person can choose. Every choice is in force as
// soon as it is made; a text, when it is left or Enter is pressed.
type settingsPage struct {
	u    *UI
	all  []view.Setting
	rows []*settingRow

	root   fyne.CanvasObject
	search *escEntry
	column *fyne.Container
	none   *widget.Label
	folder *folderRow
	clean  *retentionRow
	apply  *widget.Button // what new servers have, for those that are saved
}

const settingsWidth = 860

// openSettings shows the settings, in the tab that they have already if there is one.
func (u *UI) openSettings() {
	i := slices.IndexFunc(u.pages, func(p page) bool { _, ok := p.(*settingsPage); return ok })
	if i < 0 {
		u.addPage(newSettingsPage(u))
	} else {
		u.activate(i)
	}
	u.win.Canvas().Focus(u.current().(*settingsPage).search)
}

// openSetting shows the settings that have these words.
func (u *UI) openSetting(words string) {
	u.openSettings()
	search := u.current().(*settingsPage).search
	search.SetText(words)
	search.TypedShortcut(&fyne.ShortcutSelectAll{}) // what is typed next is another search
}

func newSettingsPage(u *UI) *settingsPage {
	p := &settingsPage{u: u, all: view.Settings(*u.cfg.Capabilities)}
	p.search = newEscEntry(func() {
		if p.search.Text == "" {
			u.closePage(p)
			return
		}
		p.search.SetText("")
	})
	p.search.SetPlaceHolder("Find a setting")
	p.search.OnChanged = func(string) { p.lay() }
	p.none = widget.NewLabel("No setting has these words.")
	p.none.Importance = widget.LowImportance
	for _, s := range p.all {
		p.rows = append(p.rows, newSettingRow(p, s))
	}
	p.folder, p.clean = newFolderRow(p), newRetentionRow(p)
	p.apply = widget.NewButton("Give all saved servers these …", p.applyToServers)
	p.column = container.NewVBox()
	where := widget.NewLabel("Kept in " + u.cfg.Settings.Path())
	where.Wrapping, where.Importance, where.Selectable = fyne.TextWrapBreak, widget.LowImportance, true
	head := container.New(&columnLayout{max: settingsWidth}, container.NewVBox(spacer(theme.SpaceM), heading("Settings"), p.search, where))
	p.root = widget.Border(head, nil, nil, nil, container.NewVScroll(container.New(&columnLayout{max: settingsWidth}, p.column)))
	p.lay()
	return p
}

func (p *settingsPage) tab() stripTab {
	return stripTab{Glyph: "⚙", Tone: view.Muted, Text: "Settings", Closes: true}
}

func (p *settingsPage) object() fyne.CanvasObject { return p.root }

func (p *settingsPage) shown() {
	p.refresh()
	p.clean.look()
}

func (p *settingsPage) hidden() {
	for _, r := range p.rows {
		r.commit()
	}
}

func (p *settingsPage) drop() error { return nil }

// lay shows the settings that are looked for, by group.
func (p *settingsPage) lay() {
	words := p.search.Text
	p.column.Objects = nil
	group := ""
	for i, s := range p.all {
		if !s.Matches(words) && !(s.Group == view.GroupRecordings && p.clean.matches(words)) {
			continue
		}
		if s.Group != group {
			group = s.Group
			p.column.Add(spacer(theme.SpaceM))
			p.column.Add(heading(group))
			if group == view.GroupRecordings {
				p.column.Add(p.folder.root)
				p.column.Add(p.clean.root)
			}
		}
		p.column.Add(p.rows[i].root)
		if last := i+1 == len(p.all) || p.all[i+1].Group != group; last && group == view.GroupServers && words == "" {
			p.column.Add(container.NewHBox(p.apply))
		}
	}
	if len(p.column.Objects) == 0 {
		p.column.Add(p.none)
	}
	p.column.Add(spacer(theme.SpaceL))
	p.column.Refresh()
}

// refresh shows what is set now, which another window may have changed.
func (p *settingsPage) refresh() {
	now := p.u.cfg.Settings.Get()
	for _, r := range p.rows {
		r.show(now)
	}
	p.folder.show()
	p.clean.show(now)
	setDisabled(p.apply, len(now.Servers) == 0)
}

// set makes a choice.
func (p *settingsPage) set(s view.Setting, text string) {
	p.u.changeSettings(func(x *settings.Settings) { s.Set(x, text) })
	p.refresh()
	if s.Group == view.GroupRecordings {
		p.clean.look()
	}
}

func (p *settingsPage) applyToServers() {
	n := len(p.u.cfg.Settings.Get().Servers)
	d := dialog.NewConfirm("Change all saved servers?", "What they declare and what goes on by itself becomes what is chosen here, for "+
		human.Plural(n, "server", "servers")+".\nA connection that is open keeps what it has until it is made again.", func(yes bool) {
		if !yes {
			return
		}
		p.u.changeSettings(func(x *settings.Settings) {
			for i := range x.Servers {
				x.Servers[i] = x.NewServers.Of(x.Servers[i])
			}
		})
		p.u.notes.notify("Changed " + human.Plural(n, "server", "servers"))
	}, p.u.win)
	destroys(d, "Change")
	p.u.showDialog(d, d.MinSize())
}

// settingRow is one setting: its name, the field, and a button that takes the
// choice back.
type settingRow struct {
	p       *settingsPage
	s       view.Setting
	root    *fyne.Container
	control fyne.CanvasObject
	reset   *widget.Button
	problem *widget.Label

	choose  *widget.Select
	check   *widget.Check
	entry   *settingEntry
	showing bool // the field is being set, which is no choice
}

func newSettingRow(p *settingsPage, s view.Setting) *settingRow {
	r := &settingRow{p: p, s: s}
	switch s.Kind {
	case view.SettingChoice:
		r.choose = widget.NewSelect(factLabels(s.Choices), func(string) {
			if i := r.choose.SelectedIndex(); !r.showing && i >= 0 {
				p.set(s, s.Choices[i].Value)
			}
		})
		r.control = r.choose
	case view.SettingSwitch:
		r.check = widget.NewCheck("", func(on bool) {
			if !r.showing {
				p.set(s, map[bool]string{true: view.SettingOn}[on])
			}
		})
		r.control = r.check
	case view.SettingText:
		r.entry = newSettingEntry(r)
		r.entry.SetPlaceHolder(s.Hint)
		r.control = r.entry
	}
	r.reset = widget.NewButtonWithIcon("", fynetheme.ContentUndoIcon(), func() { p.set(s, s.Default()); r.problem.Hide() })
	r.reset.Importance = widget.LowImportance
	r.problem = widget.NewLabel("")
	r.problem.Importance, r.problem.Wrapping = widget.DangerImportance, fyne.TextWrapWord
	r.problem.Hide()
	r.root = settingLine(s.Label, s.About, r.control, r.reset, r.problem)
	return r
}

// settingLine is a row of the page: the name and what it means at the left, the
// field at the right, and below what is wrong.
func settingLine(label, about string, control, right fyne.CanvasObject, problem *widget.Label) *fyne.Container {
	name := widget.NewLabel(label)
	name.Wrapping = fyne.TextWrapWord
	left := container.New(&tightLayout{}, name)
	if about != "" {
		note := widget.NewLabel(about)
		note.Wrapping, note.Importance, note.SizeName = fyne.TextWrapWord, widget.LowImportance, fynetheme.SizeNameCaptionText
		left.Add(note)
	}
	return container.NewVBox(container.New(&settingLayout{}, left, control, right), problem)
}

// show puts what is set into the field, unless the person is writing there.
func (r *settingRow) show(now settings.Settings) {
	value := r.s.Value(now)
	r.showing = true
	switch {
	case r.choose != nil:
		r.choose.SetSelectedIndex(slices.IndexFunc(r.s.Choices, func(f view.Fact) bool { return f.Value == value }))
	case r.check != nil:
		r.check.SetChecked(value == view.SettingOn)
	case !r.entry.focused:
		r.entry.SetText(value)
		r.problem.Hide()
	}
	r.showing = false
	if changed := r.s.Changed(now); r.reset.Visible() != changed {
		setHidden(r.reset, !changed)
		r.root.Refresh()
	}
}

// typed says what is wrong with the text in the field.
func (r *settingRow) typed(text string) {
	if r.showing {
		return
	}
	err := r.s.Check(text)
	hidden := err == nil
	if err != nil {
		r.problem.SetText(safe.Line(err.Error(), 200))
	}
	if r.problem.Hidden != hidden {
		setHidden(r.problem, hidden)
		r.p.column.Refresh()
	}
}

// commit makes the text in the field the choice, if nothing is wrong with it.
func (r *settingRow) commit() {
	if r.entry == nil || r.s.Check(r.entry.Text) != nil || r.entry.Text == r.s.Value(r.p.u.cfg.Settings.Get()) {
		return
	}
	r.p.set(r.s, r.entry.Text)
}

// settingEntry is a field whose text counts when it is left or Enter is pressed.
type settingEntry struct {
	widget.Entry
	row     *settingRow
	focused bool
}

func newSettingEntry(r *settingRow) *settingEntry {
	e := &settingEntry{row: r}
	e.ExtendBaseWidget(e)
	e.OnChanged = r.typed
	e.OnSubmitted = func(string) { e.done() }
	return e
}

// done takes the text over and shows it the way it is written.
func (e *settingEntry) done() {
	e.row.commit()
	if e.row.s.Check(e.Text) == nil {
		focused := e.focused
		e.focused = false
		e.row.show(e.row.p.u.cfg.Settings.Get())
		e.focused = focused
	}
}

// FocusGained implements fyne.Focusable.
func (e *settingEntry) FocusGained() {
	e.focused = true
	e.Entry.FocusGained()
}

// FocusLost implements fyne.Focusable.
func (e *settingEntry) FocusLost() {
	e.focused = false
	e.Entry.FocusLost()
	e.done()
}

// TypedKey implements fyne.Focusable: Escape gives up what was typed.
func (e *settingEntry) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyEscape {
		e.focused = false
		e.row.show(e.row.p.u.cfg.Settings.Get())
		e.row.p.u.win.Canvas().Unfocus()
		return
	}
	e.Entry.TypedKey(k)
}

// settingLayout gives the name a bit more than half of the width, the field the
// rest but for the button at the end, whose room is always kept.
type settingLayout struct{}

const settingShare = 0.55

// Layout implements fyne.Layout.
func (settingLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	// The button is hidden most of the time and does not know its size then.
	end := fyne.NewSquareSize(theme.Size(fynetheme.SizeNameInlineIcon) + 2*theme.Size(fynetheme.SizeNameInnerPadding))
	left := (size.Width - end.Width) * settingShare
	o[0].Resize(fyne.NewSize(left, o[0].MinSize().Height))
	o[0].Resize(fyne.NewSize(left, o[0].MinSize().Height)) // wrapping labels know their height once they have their width
	o[0].Move(fyne.NewPos(0, 0))
	high := o[1].MinSize().Height
	o[1].Resize(fyne.NewSize(size.Width-left-end.Width, high))
	o[1].Move(fyne.NewPos(left, 0))
	o[2].Resize(fyne.NewSize(end.Width, high))
	o[2].Move(fyne.NewPos(size.Width-end.Width, 0))
}

// MinSize implements fyne.Layout.
func (settingLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	left, control, end := o[0].MinSize(), o[1].MinSize(), o[2].MinSize()
	return fyne.NewSize(left.Width+control.Width+end.Width, max(left.Height, control.Height))
}

func factLabels(facts []view.Fact) []string {
	out := make([]string, len(facts))
	for i, f := range facts {
		out[i] = f.Label
	}
	return out
}

func setDisabled(o fyne.Disableable, disable bool) {
	if o.Disabled() == disable {
		return
	}
	if disable {
		o.Disable()
	} else {
		o.Enable()
	}
}
