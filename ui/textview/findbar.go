package textview

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"mcploupe/ui/view/human"
	"mcploupe/ui/widget"
)

// FindBar is a line above a View or an Editor: to search it, with a field, the count, previous, next, close; to go to a
// line or a pointer; and in an editor to replace what is found. It is hidden until Ctrl+F, Ctrl+L or Ctrl+H.
type FindBar struct {
	view    *View
	field   *barField
	count   *widget.Label
	find    *fyne.Container
	with    *barField // what is put in place of what is found; nil where nothing can be
	replace *fyne.Container
	place   *barField
	said    *widget.Label
	goTo    *fyne.Container
	bars    *fyne.Container
	object  *fyne.Container // the bars and the view
}

// barField is an entry that closes its bar with Esc; keys takes other keys first.
type barField struct {
	widget.Entry
	bar   *FindBar
	keys  func(e *fyne.KeyEvent) bool
	shift bool
}

func newBarField(b *FindBar, placeholder string, keys func(e *fyne.KeyEvent) bool) *barField {
	f := &barField{bar: b, keys: keys}
	f.ExtendBaseWidget(f)
	f.PlaceHolder = placeholder
	return f
}

// TypedKey is for the toolkit.
func (f *barField) TypedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeyEscape {
		f.bar.Close()
	} else if !f.keys(e) {
		f.Entry.TypedKey(e)
	}
}

// TypedShortcut is for the toolkit: the keys that open a bar open it from another too.
func (f *barField) TypedShortcut(s fyne.Shortcut) {
	if c, ok := s.(*desktop.CustomShortcut); ok && c.Modifier == fyne.KeyModifierShortcutDefault {
		switch c.KeyName {
		case fyne.KeyF:
			f.bar.Open()
			return
		case fyne.KeyL:
			f.bar.OpenGoTo()
			return
		case fyne.KeyH:
			f.bar.OpenReplace()
			return
		}
	}
	f.Entry.TypedShortcut(s)
}

// AskFind goes back to what is searched.
func (f *barField) AskFind() bool {
	f.bar.Open()
	return true
}

// FindNext goes to another place that was found.
func (f *barField) FindNext(forward bool) bool {
	f.bar.view.Step(forward)
	return true
}

// KeyDown is for the toolkit.
func (f *barField) KeyDown(e *fyne.KeyEvent) {
	f.shift = f.shift || isShift(e.Name)
	f.Entry.KeyDown(e)
}

// KeyUp is for the toolkit.
func (f *barField) KeyUp(e *fyne.KeyEvent) {
	f.shift = f.shift && !isShift(e.Name)
	f.Entry.KeyUp(e)
}

// FocusLost is for the toolkit.
func (f *barField) FocusLost() {
	f.shift = false
	f.Entry.FocusLost()
}

// NewFindBar returns a bar for v, which for an editor is its View; show its Object instead of the view. It takes
// v.OnFind, v.OnGoTo and v.OnHits.
func NewFindBar(v *View) *FindBar {
	b := &FindBar{view: v, count: widget.NewLabel(""), said: widget.NewLabel("")}
	b.field = newBarField(b, "Find", b.findKey)
	b.field.OnChanged = v.Find
	b.find = widget.Border(nil, nil, nil, container.NewHBox(b.count,
		barButton(theme.MoveUpIcon(), func() { v.Step(false) }),
		barButton(theme.MoveDownIcon(), func() { v.Step(true) }),
		barButton(theme.CancelIcon(), b.Close)), b.field)
	b.place = newBarField(b, "Line, line:column, @byte or /pointer", b.placeKey)
	b.goTo = widget.Border(nil, nil, nil, container.NewHBox(b.said, barButton(theme.CancelIcon(), b.Close)), b.place)
	b.bars = container.NewVBox(b.find)
	if e := v.editor; e != nil {
		b.with = newBarField(b, "Replace with", b.withKey)
		one := widget.NewButton("Replace", b.replaceOne)
		all := widget.NewButton("Replace all", b.replaceAll)
		one.Importance, all.Importance = widget.LowImportance, widget.LowImportance
		b.replace = widget.Border(nil, nil, nil, container.NewHBox(one, all), b.with)
		b.bars.Add(b.replace)
		e.OnReplace = b.OpenReplace
	}
	b.bars.Add(b.goTo)
	for _, o := range b.bars.Objects {
		o.Hide()
	}
	b.object = widget.Border(b.bars, nil, nil, nil, v.Widget())
	v.OnFind, v.OnGoTo, v.OnHits = b.Open, b.OpenGoTo, b.update
	return b
}

// Searching reports whether the person is searching the text.
func (b *FindBar) Searching() bool { return b.find.Visible() && b.field.Text != "" }

func barButton(icon fyne.Resource, f func()) *widget.Button {
	w := widget.NewButtonWithIcon("", icon, f)
	w.Importance = widget.LowImportance
	return w
}

func (b *FindBar) findKey(e *fyne.KeyEvent) bool {
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		b.view.Step(!b.field.shift)
	case fyne.KeyDown:
		b.view.Step(true)
	case fyne.KeyUp:
		b.view.Step(false)
	default:
		return false
	}
	return true
}

func (b *FindBar) withKey(e *fyne.KeyEvent) bool {
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		b.replaceOne()
	case fyne.KeyDown:
		b.view.Step(true)
	case fyne.KeyUp:
		b.view.Step(false)
	default:
		return false
	}
	return true
}

func (b *FindBar) placeKey(e *fyne.KeyEvent) bool {
	if e.Name != fyne.KeyReturn && e.Name != fyne.KeyEnter {
		return false
	}
	if err := b.view.GoTo(b.place.Text); err != nil {
		b.said.SetText(err.Error())
		b.bars.Refresh()
		return true
	}
	b.Close()
	return true
}

func (b *FindBar) replaceOne() { b.view.editor.ReplaceHit(b.with.Text) }

func (b *FindBar) replaceAll() {
	n := b.view.editor.ReplaceAll(b.with.Text)
	b.count.SetText(human.Count(n) + " replaced")
	b.bars.Refresh()
}

// Object returns the view with the bars above it.
func (b *FindBar) Object() fyne.CanvasObject { return b.object }

// Open shows the bar to search with and gives it the keyboard; a selected word becomes what is searched.
func (b *FindBar) Open() { b.open(b.field, b.find) }

// OpenReplace shows the bars to search and to replace with, where the text can be edited.
func (b *FindBar) OpenReplace() {
	if b.replace != nil && !b.view.editor.readOnly {
		b.open(b.field, b.find, b.replace)
	}
}

// OpenGoTo shows the bar that asks for a place.
func (b *FindBar) OpenGoTo() {
	b.said.SetText("")
	b.place.SetText("")
	b.open(b.place, b.goTo)
}

// open shows some of the bars and gives the keyboard to a field.
func (b *FindBar) open(field *barField, bars ...*fyne.Container) {
	for _, o := range b.bars.Objects {
		o.Hide()
	}
	for _, o := range bars {
		o.Show()
	}
	b.bars.Refresh()
	b.object.Refresh() // a container does not notice that a part of it has come
	if field == b.field {
		const word = 200
		from, to := ordered(b.view.caret, b.view.anchor)
		if s := b.view.SelectedText(); from.row == to.row && s != "" && len(s) < word {
			b.field.SetText(s)
		}
		b.update()
	}
	// The view's canvas: the toolkit does not know that of a field it has not drawn yet.
	if c := fyne.CurrentApp().Driver().CanvasForObject(b.view.Widget()); c != nil {
		c.Focus(field)
	}
}

// Close hides the bars, takes the marks away and gives the keyboard back.
func (b *FindBar) Close() {
	for _, o := range b.bars.Objects {
		o.Hide()
	}
	b.bars.Refresh()
	b.object.Refresh()
	b.field.SetText("")
	b.view.Focus()
}

func (b *FindBar) update() {
	n, of := b.view.Hit()
	switch {
	case b.field.Text == "":
		b.count.SetText("")
	case of == 0:
		b.count.SetText("not found")
	default:
		b.count.SetText(human.Count(n) + " of " + human.Count(of))
	}
	b.bars.Refresh() // the count has another width
}
