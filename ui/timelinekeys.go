package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"

	"mcploupe/recorder"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// key takes the keys of the rows that a list has no use for.
func (t *timelinePane) key(e *fyne.KeyEvent) bool {
	switch e.Name {
	case fyne.KeyF3:
		return t.find.key(e)
	case fyne.KeyF5:
		t.page.u.typedKey(e)
		return true
	case fyne.KeyEscape:
		if t.sorted() {
			t.sort("", false)
		} else {
			t.page.u.typedKey(e)
		}
		return true
	case fyne.KeyRight:
		return t.unfold()
	case fyne.KeyLeft:
		return t.foldUp()
	}
	return false
}

// unfold opens the exchange of the row, or goes to the first of its events.
func (t *timelinePane) unfold() bool {
	row := t.list.Current()
	if t.mode != view.Exchanges || row < 0 || !t.line.ID(row).Whole {
		return false
	}
	if t.line.Open(row) {
		t.list.Choose(row + 1)
	} else {
		t.setOpen(row, true)
	}
	return true
}

// foldUp closes the exchange of the row, or goes from an event to it.
func (t *timelinePane) foldUp() bool {
	row := t.list.Current()
	if t.mode != view.Exchanges || row < 0 || !t.line.Open(row) {
		return false
	}
	if id := t.line.ID(row); !id.Whole {
		if e, ok := t.line.ExchangeOf(row); ok {
			if head, ok := t.line.RowOfID(view.RowID{Seq: e.Request, Whole: true}); ok {
				t.list.Choose(head)
			}
		}
		return true
	}
	t.setOpen(row, false)
	return true
}

// toggle opens or closes the exchange of a row.
func (t *timelinePane) toggle(row int) { t.setOpen(row, !t.line.Open(row)) }

func (t *timelinePane) setOpen(row int, open bool) {
	t.list.Pause()
	t.hold(func() {
		if !open { // what is selected below it goes with it
			if e, ok := t.line.ExchangeOf(row); ok {
				if now, ok := t.line.RowOfID(t.line.SelectedID()); ok && now != row {
					if of, _ := t.line.ExchangeOf(now); of.Request == e.Request {
						t.line.Select(row)
					}
				}
			}
		}
		t.line.SetOpen(row, open)
	})
	t.list.Invalidate()
}

func (t *timelinePane) openAll() {
	if t.line == nil || t.mode != view.Exchanges {
		return
	}
	t.hold(func() {
		if !t.line.OpenAll() {
			t.page.u.notes.notify("There are too many exchanges to open all of them: filter them first")
		}
	})
	t.list.Invalidate()
}

func (t *timelinePane) closeAll() {
	if t.line != nil && t.mode == view.Exchanges {
		t.hold(t.line.CloseAll)
		t.list.Invalidate()
	}
}

// rune takes the letters that mean something for the selected row.
func (t *timelinePane) rune(r rune) {
	switch {
	case t.line == nil:
	case r == '*':
		t.openAll()
	case r == '/':
		t.closeAll()
	case r == ']':
		t.nextMark(false)
	case r == '[':
		t.nextMark(true)
	case t.line.Selected() == 0:
	case r == 'm' || r == 'M':
		t.pin()
	case r == 'n' || r == 'N':
		t.askNote()
	case r == '0':
		t.color("")
	case r >= '1' && int(r-'1') < len(recorder.MarkColors):
		t.color(recorder.MarkColors[r-'1'])
	}
}

// setMark changes the mark of the selected event.
func (t *timelinePane) setMark(change func(*recorder.Mark)) {
	m := t.line.Mark(t.line.Selected())
	change(&m)
	if err := t.line.SetMark(m); err != nil {
		t.page.u.notes.notify(title(err.Error()))
		return
	}
	t.widen()
	t.list.Redraw(false)
	t.detail.marked(m.Seq)
}

func (t *timelinePane) pin() { t.setMark(func(m *recorder.Mark) { m.Pinned = !m.Pinned }) }

// color gives the mark a colour; the one that it has takes it away.
func (t *timelinePane) color(word string) {
	t.setMark(func(m *recorder.Mark) {
		if m.Color == word {
			word = ""
		}
		m.Color = word
	})
}

// askNote asks for the note of the selected event.
func (t *timelinePane) askNote() {
	var d *dialog.ConfirmDialog
	entry := newKeyedEntry(func(k *fyne.KeyEvent) bool {
		if k.Name == fyne.KeyEscape {
			d.Dismiss()
		}
		return k.Name == fyne.KeyEscape
	})
	seq := t.line.Selected()
	entry.SetText(t.line.Mark(seq).Note)
	entry.SetPlaceHolder("What to remember about it")
	d = dialog.NewCustomConfirm("Note", "Keep", "Cancel", container.NewVBox(entry), func(yes bool) {
		if yes && t.line.Selected() == seq {
			t.setMark(func(m *recorder.Mark) { m.Note = strings.TrimSpace(entry.Text) })
		}
		t.page.u.win.Canvas().Focus(t.list)
	}, t.page.u.win)
	entry.OnSubmitted = func(string) { d.Confirm() }
	t.page.env.Ask(d, fyne.NewSize(nameWidth, d.MinSize().Height))
	t.page.u.win.Canvas().Focus(entry)
}

// nextMark selects the next marked event, or the one before.
func (t *timelinePane) nextMark(back bool) {
	if t.line == nil {
		return
	}
	if seq := t.line.NextMark(t.line.Selected(), back); seq != 0 {
		t.show(seq)
		return
	}
	t.page.u.notes.notify("No other mark that way")
}

// markItems are the entries of a row's menu for its mark.
func (t *timelinePane) markItems(row int) []*fyne.MenuItem {
	m := t.line.Mark(t.line.Seq(row))
	keyed := func(label, key string, do func()) *fyne.MenuItem {
		item := fyne.NewMenuItem(label, do)
		item.Shortcut = widget.Keys(key)
		return item
	}
	pin, note := "Pin", "Note …"
	if m.Pinned {
		pin = "Unpin"
	}
	if m.Note != "" {
		note = "Change the note …"
	}
	colors := fyne.NewMenuItem("Colour", nil)
	colors.ChildMenu = fyne.NewMenu("")
	for i, word := range append([]string{""}, recorder.MarkColors...) {
		label := "None"
		if word != "" {
			label = title(word)
		}
		item := keyed(label, string(rune('0'+i)), func() { t.setMark(func(m *recorder.Mark) { m.Color = word }) })
		item.Checked = m.Color == word
		colors.ChildMenu.Items = append(colors.ChildMenu.Items, item)
	}
	items := []*fyne.MenuItem{fyne.NewMenuItemSeparator(), keyed(pin, "M", t.pin), keyed(note, "N", t.askNote), colors}
	if !m.IsZero() {
		items = append(items, fyne.NewMenuItem("Take the mark away", func() { t.setMark(func(m *recorder.Mark) { *m = recorder.Mark{Seq: m.Seq} }) }))
	}
	return items
}
