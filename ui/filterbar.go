package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/recorder"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// filterBar is the filter of a timeline: the field with its offers, what was
// used before, how many events are shown, and the chips below, in whose place a
// fault of the text is explained.
type filterBar struct {
	page  *connPage
	set   func(text string) // puts a filter in force
	model *view.FilterBar
	line  *view.Timeline // as of the last said, nil before there is one
	ill   string         // what went wrong with the search itself

	row    *fyne.Container
	field  *filterEntry
	under  *canvas.Rectangle // below what is wrong
	offers *offerList
	kept   *widget.Button
	counts *widget.Label
	room   *widest // of the counts
	stop   *widget.Button

	below *fyne.Container
	strip *container.Scroll
	kinds []view.FilterChip
	chips []*chip
	fault *canvas.Text
}

// newFilterBar makes the bar of a page. set puts a text in force, leave gives
// the keyboard to the rows.
func newFilterBar(p *connPage, set func(string), leave func()) *filterBar {
	b := &filterBar{page: p, set: set, kinds: view.FilterChips()}
	b.model = view.NewFilterBar(b.values)
	b.field = newFilterEntry(b.model)
	b.field.other = p.u.typedKey
	b.field.changed = b.changed
	b.field.leave = func(submitted bool) {
		if submitted {
			b.remember()
		}
		leave()
	}
	b.offers = newOfferList(b.model, func(i int) {
		b.field.accept(i)
		b.changed()
	}, func() { p.u.win.Canvas().Focus(b.field) })
	b.under = canvas.NewRectangle(theme.Color(theme.ColorFailed))
	b.counts = widget.NewLabel("")
	b.room = &widest{roomy: func() bool { return b.row != nil && b.row.Size().Width > roomyFilter }}
	b.stop = quiet("", fynetheme.MediaStopIcon(), b.stopOrGoOn)
	b.stop.Hide()
	b.kept = quiet("", fynetheme.MenuDropDownIcon(), b.menu)
	b.row = widget.Border(nil, nil, nil, container.NewHBox(b.kept, container.New(b.room, b.counts), container.New(keepRoom{}, b.stop)),
		container.New(&faultLayout{b}, b.field, b.under))
	chips := container.NewHBox()
	for _, kind := range b.kinds {
		c := newChip(kind.Label, func() { b.setText(kind.Toggle(b.text())) }, func() { b.setText(kind.Exclude(b.text())) })
		b.chips = append(b.chips, c)
		chips.Add(c)
	}
	b.strip = container.NewHScroll(chips)
	b.fault = &canvas.Text{}
	b.below = container.New(&faultLayout{b}, b.strip, b.fault)
	b.show()
	return b
}

// values are the words that the recording offers.
func (b *filterBar) values() recorder.FilterValues {
	if b.line == nil {
		return recorder.FilterValues{}
	}
	return b.line.Log().FilterValues()
}

// object is the line itself, second what stands below it.
func (b *filterBar) object() fyne.CanvasObject { return b.row }

func (b *filterBar) second() fyne.CanvasObject { return b.below }

// text is what the field holds.
func (b *filterBar) text() string { return b.field.Text }

// setText puts another filter into the field and in force.
func (b *filterBar) setText(text string) {
	b.model.Set(text)
	b.field.put(text, len(text))
	b.changed()
}

// changed puts the text in force, unless it is on its way to a value that is
// offered, and shows what is to be said of it.
func (b *filterBar) changed() {
	if !b.model.Unfinished() {
		b.set(b.model.Text())
	}
	b.show()
}

// focus gives the field the keyboard, its text selected.
func (b *filterBar) focus() {
	b.page.u.win.Canvas().Focus(b.field)
	b.field.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// show brings offers, fault and chips up to date with the text.
func (b *filterBar) show() {
	for i, kind := range b.kinds {
		b.chips[i].set(kind.State(b.text()))
	}
	_, bad := b.model.Fault()
	setHidden(b.under, !bad)
	setHidden(b.fault, !bad && b.ill == "")
	setHidden(b.strip, bad || b.ill != "")
	b.row.Refresh()
	b.below.Refresh()
	b.placeFault()
	b.float()
}

// float shows the offers below the field, or takes them away.
func (b *filterBar) float() {
	layer := b.page.u.floats
	if !b.model.Open() {
		b.offers.reset()
		layer.hide(b.offers)
		return
	}
	b.offers.reveal()
	size := b.offers.MinSize()
	word, _ := b.field.place(b.model.Start())
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(b.field).Subtract(layer.origin())
	at.X += min(max(word-theme.Size(fynetheme.SizeNameInnerPadding), 0), max(b.field.Size().Width-size.Width, 0))
	b.offers.Resize(size)
	b.offers.Move(layer.beside(at, b.field.Size().Height, size))
	layer.show(b.offers)
	b.offers.Refresh()
}

// placeFault puts the line under what is wrong, and the sentence below it.
func (b *filterBar) placeFault() {
	f, bad := b.model.Fault()
	if !bad {
		b.explain(b.ill, theme.Size(fynetheme.SizeNameInnerPadding))
		return
	}
	from, ok := b.field.place(f.Start)
	to, _ := b.field.place(f.End)
	driver := fyne.CurrentApp().Driver()
	shift := driver.AbsolutePositionForObject(b.field).X - driver.AbsolutePositionForObject(b.below).X
	b.under.FillColor = theme.Color(theme.ColorFailed)
	b.under.Resize(fyne.NewSize(max(to-from, 7), 2))
	b.under.Move(fyne.NewPos(from, b.field.Size().Height-7))
	b.under.Hidden = !ok
	b.under.Refresh()
	words := "▲ " + f.Text
	from += shift
	if !ok { // the field may have been scrolled: the place is named
		from, words = theme.Size(fynetheme.SizeNameInnerPadding), b.text()[f.Start:f.End]+": "+f.Text
	}
	b.explain(words, from)
}

// explain writes a sentence below the field, from a place on as far as it fits.
func (b *filterBar) explain(words string, from float32) {
	room, text := b.below.Size(), theme.Size(fynetheme.SizeNameText)
	b.fault.Text, b.fault.TextSize, b.fault.Color = fitText(words, text, room.Width), text, theme.Color(theme.ColorFailed)
	size := b.fault.MinSize()
	b.fault.Resize(size)
	b.fault.Move(fyne.NewPos(max(min(from, room.Width-size.Width), 0), (room.Height-size.Height)/2))
	b.fault.Refresh()
}

// said brings the counts up to date. The timeline has taken in what is new.
func (b *filterBar) said(line *view.Timeline) {
	b.line = line
	setText(b.counts, line.Counts())
	if most := line.MostCounts(); most != b.room.least {
		b.room.least = most
		b.row.Refresh()
	}
	ill := ""
	if b.model.Valid() {
		ill = line.Problem()
	}
	if ill != b.ill {
		b.ill = ill
		b.show()
	}
	showStop(b.stop, line.Searching(), line.Stopped())
}

// showStop makes a button stop a search or go on with it.
func showStop(b *widget.Button, searching, stopped bool) {
	icon := fynetheme.MediaStopIcon()
	if stopped {
		icon = fynetheme.MediaPlayIcon()
	}
	if b.Icon.Name() != icon.Name() {
		b.SetIcon(icon)
	}
	setHidden(b, !searching && !stopped)
}

// keepRoom keeps the room of its one object while that is hidden.
type keepRoom struct{}

// Layout implements fyne.Layout.
func (keepRoom) Layout(objects []fyne.CanvasObject, size fyne.Size) { objects[0].Resize(size) }

// MinSize implements fyne.Layout.
func (keepRoom) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }

// roomyFilter is the width of the bar from which on the counts have room for more
// than they say.
const roomyFilter = 640

// widest keeps for its one object the most room that it has needed: what stands
// beside it does not move with every count.
type widest struct {
	least string // what there is room for in any case, as long as it is roomy
	roomy func() bool
	width float32
}

// Layout implements fyne.Layout.
func (*widest) Layout(objects []fyne.CanvasObject, size fyne.Size) { objects[0].Resize(size) }

// MinSize implements fyne.Layout.
func (w *widest) MinSize(objects []fyne.CanvasObject) fyne.Size {
	least := objects[0].MinSize()
	w.width = max(w.width, least.Width)
	if !w.roomy() {
		return fyne.NewSize(w.width, least.Height)
	}
	pad := 2 * theme.Size(fynetheme.SizeNameInnerPadding)
	text := fyne.MeasureText(w.least, theme.Size(fynetheme.SizeNameText), fyne.TextStyle{}).Width
	return fyne.NewSize(max(w.width, pad+text), least.Height)
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

// faultLayout gives its first object all the room; what belongs to a fault
// takes its place in it by itself.
type faultLayout struct{ bar *filterBar }

// Layout implements fyne.Layout.
func (l *faultLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	h := objects[0].MinSize().Height
	objects[0].Move(fyne.NewPos(0, (size.Height-h)/2))
	objects[0].Resize(fyne.NewSize(size.Width, h))
	if l.bar.fault != nil {
		l.bar.placeFault()
	}
}

// MinSize implements fyne.Layout.
func (l *faultLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(160, objects[0].MinSize().Height)
}
