package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"mcploupe/ui/view"
)

// filterBar is the line with the filter of a timeline: the field, what was used
// before, and how many events are shown.
type filterBar struct {
	page *connPage
	set  func(text string) // puts a filter in force
	line *view.Timeline    // as of the last said, nil before there is one

	row    *fyne.Container
	field  *filterEntry
	kept   *widget.Button
	counts *widget.Label
	stop   *widget.Button
}

// newFilterBar makes the bar of a page. set puts a text in force, leave gives
// the keyboard to the rows.
func newFilterBar(p *connPage, set func(string), leave func()) *filterBar {
	b := &filterBar{page: p, set: set}
	b.field = newFilterEntry(set, leave)
	b.field.other = p.u.typedKey
	b.counts = widget.NewLabel("")
	b.stop = widget.NewButtonWithIcon("", fynetheme.MediaStopIcon(), b.stopOrGoOn)
	b.stop.Importance = widget.LowImportance
	b.stop.Hide()
	b.kept = widget.NewButtonWithIcon("", fynetheme.MenuDropDownIcon(), b.choose)
	b.kept.Importance = widget.LowImportance
	b.row = container.NewBorder(nil, nil, nil, container.NewHBox(b.kept, b.counts, b.stop), b.field)
	return b
}

// object is the line itself.
func (b *filterBar) object() fyne.CanvasObject { return b.row }

// text is what the field holds.
func (b *filterBar) text() string { return b.field.Text }

// setText puts another filter into the field and in force.
func (b *filterBar) setText(text string) { b.field.SetText(text) }

// focus gives the field the keyboard, its text selected.
func (b *filterBar) focus() {
	b.page.u.win.Canvas().Focus(b.field)
	b.field.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// said brings the counts up to date. The timeline has taken in what is new.
func (b *filterBar) said(line *view.Timeline) {
	b.line = line
	setText(b.counts, line.Counts())
	searching, stopped := line.Searching(), line.Stopped()
	if stopped {
		b.stop.SetIcon(fynetheme.MediaPlayIcon())
	} else {
		b.stop.SetIcon(fynetheme.MediaStopIcon())
	}
	setHidden(b.stop, !searching && !stopped)
}

// stopOrGoOn stops the search that is running, or goes on with it.
func (b *filterBar) stopOrGoOn() {
	if b.line == nil {
		return
	}
	if b.line.Stopped() {
		b.line.ResumeSearch()
	} else {
		b.line.StopSearch()
	}
	b.said(b.line)
}

// choose offers filters that are wanted often.
func (b *filterBar) choose() {
	var items []*fyne.MenuItem
	for _, p := range view.FilterPresets() {
		item := fyne.NewMenuItem(p.Label, func() { b.setText(p.Value) })
		item.Checked = p.Value == b.text()
		items = append(items, item)
	}
	items = append(items, fyne.NewMenuItemSeparator(), fyne.NewMenuItem("Filter language …", b.page.u.filterHelp))
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(b.kept)
	at.Y += b.kept.Size().Height
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), b.page.u.win.Canvas(), at)
}
