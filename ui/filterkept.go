package ui

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"

	"mcploupe/ui/settings"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// filterLabelRunes bounds the text of a filter in a menu.
const filterLabelRunes = 60

// remember keeps the filter in the field among the recent ones, when it is one.
func (b *filterBar) remember() {
	if _, bad := b.model.Fault(); bad {
		return
	}
	if err := b.page.u.cfg.Settings.RememberFilter(b.text()); err != nil {
		b.page.u.notes.notify("The filter was not remembered: " + err.Error())
	}
}

// menu shows the filters that were kept, under their button.
func (b *filterBar) menu() {
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(b.kept)
	at.Y += b.kept.Size().Height
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", b.menuItems()...), b.page.u.win.Canvas(), at)
}

func (b *filterBar) menuItems() []*fyne.MenuItem {
	kept := b.page.u.cfg.Settings.Get().Filters
	_, bad := b.model.Fault()
	save := fyne.NewMenuItem("Save this filter …", b.save)
	save.Disabled = bad || b.text() == ""
	clearIt := fyne.NewMenuItem("Show everything", func() { b.setText("") })
	clearIt.Disabled = b.text() == ""
	items := []*fyne.MenuItem{save, clearIt}
	rename, remove := fyne.NewMenuItem("Rename", nil), fyne.NewMenuItem("Delete", nil)
	rename.ChildMenu, remove.ChildMenu = fyne.NewMenu(""), fyne.NewMenu("")
	for i, f := range kept.Saved {
		if i == 0 {
			items = append(items, fyne.NewMenuItemSeparator(), menuHeading("Saved"))
		}
		item := fyne.NewMenuItem(safe.Line(f.Name, filterLabelRunes), func() { b.use(f.Text) })
		item.Checked = f.Text == b.text()
		items = append(items, item)
		rename.ChildMenu.Items = append(rename.ChildMenu.Items, fyne.NewMenuItem(item.Label+" …", func() { b.rename(f) }))
		remove.ChildMenu.Items = append(remove.ChildMenu.Items, fyne.NewMenuItem(item.Label+" …", func() { b.remove(f) }))
	}
	if len(kept.Saved) > 0 {
		items = append(items, rename, remove)
	}
	for i, text := range kept.Recent {
		if i == 0 {
			items = append(items, fyne.NewMenuItemSeparator(), menuHeading("Recent"))
		}
		items = append(items, fyne.NewMenuItem(safe.Line(text, filterLabelRunes), func() { b.use(text) }))
	}
	if len(kept.Recent) > 0 {
		items = append(items, fyne.NewMenuItem("Forget the recent ones", func() { b.keep(b.page.u.cfg.Settings.ForgetRecentFilters()) }))
	}
	return append(items, fyne.NewMenuItemSeparator(), fyne.NewMenuItem("Filter language …", b.page.u.filterHelp))
}

// use puts a kept filter in force.
func (b *filterBar) use(text string) {
	b.setText(text)
	b.remember()
}

// keep says that a change was not kept.
func (b *filterBar) keep(err error) {
	if err != nil {
		b.page.u.fail("The filters were not kept", err)
	}
}

func (b *filterBar) save() {
	text, name := b.text(), ""
	for _, f := range b.page.u.cfg.Settings.Get().Filters.Saved {
		if f.Text == text {
			name = f.Name
		}
	}
	b.askName("Save this filter", "Save", name, func(name string) error { return b.page.u.cfg.Settings.SaveFilter(name, text) })
}

func (b *filterBar) rename(f settings.SavedFilter) {
	b.askName("Rename the saved filter", "Rename", f.Name, func(name string) error { return b.page.u.cfg.Settings.RenameFilter(f.Name, name) })
}

func (b *filterBar) remove(f settings.SavedFilter) {
	text := fmt.Sprintf("Delete “%s”?\n%s", safe.Line(f.Name, filterLabelRunes), safe.Line(f.Text, filterLabelRunes))
	d := dialog.NewConfirm("Delete the saved filter", text, func(yes bool) {
		if yes {
			b.keep(b.page.u.cfg.Settings.DeleteFilter(f.Name))
		}
	}, b.page.u.win)
	destroys(d, "Delete")
	b.page.u.showDialog(d, d.MinSize())
}

// askName asks for the name of a filter.
func (b *filterBar) askName(title, verb, name string, done func(name string) error) {
	var d *dialog.ConfirmDialog
	entry := newKeyedEntry(func(k *fyne.KeyEvent) bool {
		if k.Name == fyne.KeyEscape {
			d.Dismiss()
		}
		return k.Name == fyne.KeyEscape
	})
	entry.SetText(name)
	entry.SetPlaceHolder("Name")
	d = dialog.NewCustomConfirm(title, verb, "Cancel", container.NewVBox(entry), func(yes bool) {
		if yes {
			b.keep(done(entry.Text))
		}
	}, b.page.u.win)
	entry.OnSubmitted = func(string) { d.Confirm() }
	b.page.u.showDialog(d, fyne.NewSize(nameWidth, d.MinSize().Height))
	b.page.u.win.Canvas().Focus(entry)
}
