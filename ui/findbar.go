package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// findBar finds a text in the events of a timeline and goes from one to the
// next; nothing is hidden by it.
type findBar struct {
	page *connPage
	time *timelinePane
	find *view.Find // nil before there is a recording

	root  *fyne.Container
	field *findEntry
	count *widget.Label
	next  *widget.Button
	prev  *widget.Button
	stop  *widget.Button
}

// findWidth is the width of the bar and of the room for the count in it.
const (
	findWidth      = 480
	findCountWidth = 190
)

func newFindBar(t *timelinePane) *findBar {
	b := &findBar{page: t.page, time: t}
	b.field = &findEntry{bar: b}
	b.field.ExtendBaseWidget(b.field)
	b.field.SetPlaceHolder("Find text")
	b.field.SetIcon(fynetheme.SearchIcon())
	b.field.OnChanged = func(string) { b.search() }
	b.count = widget.NewLabel("")
	b.count.Truncation = fyne.TextTruncateEllipsis
	b.prev = quiet("", fynetheme.MoveUpIcon(), func() { b.step(-1) })
	b.next = quiet("", fynetheme.MoveDownIcon(), func() { b.step(1) })
	b.stop = quiet("", fynetheme.MediaStopIcon(), b.stopOrGoOn)
	b.stop.Hide()
	b.root = container.New(&findLayout{}, b.field, b.count, container.NewHBox(container.New(keepRoom{}, b.stop), b.prev, b.next))
	b.said()
	return b
}

func (b *findBar) object() fyne.CanvasObject { return b.root }

// focus gives the field the keyboard, its text selected.
func (b *findBar) focus() {
	b.page.u.win.Canvas().Focus(b.field)
	b.field.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// search finds what the field holds among what the filter shows, and goes to
// the first place from the selected event on.
func (b *findBar) search() {
	if b.find == nil {
		return
	}
	if b.find.Set(b.field.Text, b.time.filter.text()) {
		b.time.detail.body.seek("") // until there is a match
		if b.find.Text() != "" && b.page.u.win.Canvas().Focused() == fyne.Focusable(b.field) {
			b.find.Step(b.time.line.Selected(), 0)
		}
		b.time.list.Invalidate()
	}
	b.take()
}

// refresh takes in what was found since, in the recording that is shown.
func (b *findBar) refresh() {
	if line := b.time.line; b.find == nil || b.find.Log() != line.Log() {
		if b.find != nil {
			b.find.Close()
		}
		b.find = view.NewFind(line.Log(), b.page.conn.Go, b.page.bulk.Mark)
		b.find.Reach = line.Stands
	}
	b.search()
}

func (b *findBar) take() {
	if b.find.Take() {
		b.time.list.Invalidate()
	}
	if seq, ok := b.find.Due(); ok {
		b.time.show(seq)
		b.time.detail.body.seek(b.find.Text())
	}
	b.said()
}

// has reports whether an event holds the text that is being found.
func (b *findBar) has(seq uint64) bool { return b.find != nil && b.find.Has(seq) }

// said brings the count and the buttons up to date.
func (b *findBar) said() {
	var text string
	if b.find != nil {
		text = b.find.Said(b.time.line.Selected())
		if b.find.Apart() {
			text += ", in no exchange"
		}
		showStop(b.stop, b.find.Searching(), b.find.Stopped())
	}
	setText(b.count, text)
	for _, button := range []*widget.Button{b.prev, b.next} {
		if can := b.find != nil && b.find.Text() != ""; can == button.Disabled() {
			if can {
				button.Enable()
			} else {
				button.Disable()
			}
		}
	}
}

// step goes to the next place, or the one before for -1.
func (b *findBar) step(by int) {
	if b.find == nil {
		return
	}
	if b.find.Text() == "" {
		b.focus()
		return
	}
	b.find.Step(b.time.line.Selected(), by)
	b.take()
}

// stopOrGoOn stops the search that is running, or goes on with it.
func (b *findBar) stopOrGoOn() {
	if b.find == nil {
		return
	}
	if b.find.Stopped() {
		b.find.Resume()
	} else {
		b.find.Stop()
	}
	b.take()
}

// key takes the keys for the next and the previous place, and reports whether k
// was one.
func (b *findBar) key(k *fyne.KeyEvent) bool {
	if k.Name != fyne.KeyF3 {
		return false
	}
	if shiftHeld() {
		b.step(-1)
	} else {
		b.step(1)
	}
	return true
}

// shiftHeld reports whether Shift is down, which key events do not tell.
func shiftHeld() bool {
	d, ok := fyne.CurrentApp().Driver().(desktop.Driver)
	return ok && d.CurrentKeyModifiers()&fyne.KeyModifierShift != 0
}

// findEntry is the field: Enter goes on, Shift+Enter goes back, Down goes to
// the rows, Escape empties it and then leaves it.
type findEntry struct {
	widget.Entry
	bar *findBar
}

// TypedKey implements fyne.Focusable.
func (e *findEntry) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		if shiftHeld() {
			e.bar.step(-1)
		} else {
			e.bar.step(1)
		}
	case fyne.KeyF3:
		e.bar.key(k)
	case fyne.KeyF5:
		e.bar.page.u.typedKey(k)
	case fyne.KeyDown:
		e.bar.page.u.win.Canvas().Focus(e.bar.time.list)
	case fyne.KeyEscape:
		if e.Text == "" {
			e.bar.page.u.win.Canvas().Focus(e.bar.time.list)
		} else {
			e.SetText("")
		}
	default:
		e.Entry.TypedKey(k)
	}
}

// findLayout sets field, count and buttons side by side; the count keeps its
// room, so that nothing moves while it grows.
type findLayout struct{}

// Layout implements fyne.Layout.
func (*findLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	buttons := objects[2].MinSize()
	right := size.Width - buttons.Width
	count := float32(findCountWidth)
	h := objects[0].MinSize().Height
	objects[0].Move(fyne.NewPos(0, (size.Height-h)/2))
	objects[0].Resize(fyne.NewSize(max(right-count, 80), h))
	objects[1].Move(fyne.NewPos(right-count, 0))
	objects[1].Resize(fyne.NewSize(count, size.Height))
	objects[2].Move(fyne.NewPos(right, 0))
	objects[2].Resize(fyne.NewSize(buttons.Width, size.Height))
}

// MinSize implements fyne.Layout.
func (*findLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(findWidth, max(objects[0].MinSize().Height, objects[2].MinSize().Height))
}
