package forms

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"mcploupe/ui/view/fields"
	"mcploupe/ui/widget"
)

// dateField is an entry with a calendar beside it.
type dateField struct {
	textField
	box    *fyne.Container
	button *flat
	clock  bool
}

func newDateField(b *box, kind fields.Control) *dateField {
	d := &dateField{textField: *newTextField(b, fields.Entry), clock: kind == fields.DateTime}
	d.button = newFlat("", "", lookMuted, d.open)
	d.button.icon = theme.CalendarIcon()
	d.entry.keys = d.key
	d.box = container.New(&withButtons{[]*flat{d.button}}, d.entry, d.button)
	d.update()
	return d
}

func (d *dateField) object() fyne.CanvasObject { return d.box }

func (d *dateField) update() {
	d.textField.update()
	if d.entry.PlaceHolder == "" {
		if d.clock {
			d.entry.placeholder("2026-11-30T15:04:05Z")
		} else {
			d.entry.placeholder("2026-11-30")
		}
	}
}

// set puts a text in as if it had been typed.
func (d *dateField) set(text string) {
	d.b.node.SetText(text)
	d.b.v.edited(d.b.node)
}

// key opens the calendar by F4 and moves the date by arrows and page keys. What
// is half written stays as it is.
func (d *dateField) key(k *fyne.KeyEvent) bool {
	days, months := 0, 0
	switch k.Name {
	case fyne.KeyF4:
		d.open()
		return true
	case fyne.KeyUp:
		days = 1
	case fyne.KeyDown:
		days = -1
	case fyne.KeyPageUp:
		months = 1
	case fyne.KeyPageDown:
		months = -1
	default:
		return false
	}
	if text, ok := fields.MoveDate(d.b.node.Text(), d.clock, days, months, d.b.v.opt.Now()); ok {
		d.set(text)
	}
	return true
}

// open shows the calendar.
func (d *dateField) open() {
	v := d.b.v
	c := v.canvas()
	if c == nil {
		return
	}
	now := v.opt.Now()
	text := d.b.node.Text()
	if !d.clock {
		calendar := widget.NewCalendar(fields.Day(text, now), func(t time.Time) {
			v.closePopup()
			d.set(t.Format(time.DateOnly))
			v.give(d.entry)
		})
		d.popUp(calendar)
		return
	}
	m := fields.ReadMoment(text, now)
	clock := widget.NewEntry()
	clock.SetText(m.Time)
	offsets, titles := fields.Zones(now)
	zone := widget.NewSelect(titles, nil)
	at := -1
	for i, o := range offsets {
		if o == m.Zone {
			at = i
		}
	}
	if at < 0 {
		offsets, titles = append(offsets, m.Zone), append(titles, m.Zone)
		at = len(offsets) - 1
		zone.Options = titles
	}
	zone.SetSelectedIndex(at)
	put := func() { d.set(m.String()) }
	clock.OnChanged = func(s string) { m.Time = s; put() }
	zone.OnChanged = func(string) { m.Zone = offsets[zone.SelectedIndex()]; put() }
	calendar := widget.NewCalendar(fields.Day(m.Date, now), func(t time.Time) {
		m.Date = t.Format(time.DateOnly)
		put()
	})
	this := widget.NewButton("Now", func() {
		v.closePopup()
		d.set(v.opt.Now().Format(time.RFC3339))
		v.give(d.entry)
	})
	done := widget.NewButton("Done", func() {
		v.closePopup()
		put()
		v.give(d.entry)
	})
	done.Importance = widget.HighImportance
	content := container.NewVBox(calendar, container.NewGridWithColumns(2, clock, zone), container.NewGridWithColumns(2, this, done))
	d.popUp(content)
}

// popUp shows something below the entry and gives it the keyboard.
func (d *dateField) popUp(content fyne.CanvasObject) {
	v := d.b.v
	v.closePopup()
	keys := &popupKeys{d: d}
	keys.ExtendBaseWidget(keys)
	v.popup = widget.NewPopUp(container.NewStack(keys, content), v.canvas())
	v.place(d.entry, v.popup.MinSize())
	v.give(keys)
}

// popupKeys takes the keys while a calendar is open.
type popupKeys struct {
	widget.BaseWidget
	d *dateField
}

// CreateRenderer is for the toolkit.
func (p *popupKeys) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(newRect()) }

// FocusGained is for the toolkit.
func (p *popupKeys) FocusGained() {}

// FocusLost is for the toolkit.
func (p *popupKeys) FocusLost() {}

// TypedRune does nothing.
func (p *popupKeys) TypedRune(rune) {}

// TypedKey closes the calendar or moves the date.
func (p *popupKeys) TypedKey(k *fyne.KeyEvent) {
	v := p.d.b.v
	switch k.Name {
	case fyne.KeyEscape, fyne.KeyReturn, fyne.KeyEnter, fyne.KeyF4:
		v.closePopup()
		v.give(p.d.entry)
	default:
		if p.d.key(k) {
			p.d.open() // on the month of the date
		}
	}
}

// withButtons lays buttons out to the right of the first object.
type withButtons struct{ buttons []*flat }

// Layout implements fyne.Layout.
func (w *withButtons) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	x := size.Width
	for i := len(w.buttons) - 1; i >= 0; i-- {
		b := w.buttons[i]
		if b.Hidden {
			continue
		}
		width := b.wide() + 4
		x -= width
		put(b, x, 0, width, size.Height)
	}
	put(objects[0], 0, 0, max(20, x-3), size.Height)
}

// MinSize implements fyne.Layout.
func (w *withButtons) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(60, fonts().control)
}
