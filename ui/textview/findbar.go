package textview

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"mcploupe/ui/view/human"
)

// FindBar is a line above a View or an Editor to search it with: a field, the count, previous, next, close. It is
// hidden until Open, which Ctrl+F in the view calls.
type FindBar struct {
	view   *View
	field  *findField
	count  *widget.Label
	bar    *fyne.Container
	object *fyne.Container // the bar and the view
}

// findField is an entry that closes its bar with Esc and goes through the places with Enter.
type findField struct {
	widget.Entry
	bar   *FindBar
	shift bool
}

func (f *findField) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyEscape:
		f.bar.Close()
	case fyne.KeyReturn, fyne.KeyEnter:
		f.bar.view.Step(!f.shift)
	case fyne.KeyDown:
		f.bar.view.Step(true)
	case fyne.KeyUp:
		f.bar.view.Step(false)
	default:
		f.Entry.TypedKey(e)
	}
}

func (f *findField) KeyDown(e *fyne.KeyEvent) {
	f.shift = f.shift || isShift(e.Name)
	f.Entry.KeyDown(e)
}

func (f *findField) KeyUp(e *fyne.KeyEvent) {
	f.shift = f.shift && !isShift(e.Name)
	f.Entry.KeyUp(e)
}

func (f *findField) FocusLost() {
	f.shift = false
	f.Entry.FocusLost()
}

// NewFindBar returns a bar for v, which for an editor is its View; show its Object instead of the view. It takes
// v.OnFind and v.OnHits.
func NewFindBar(v *View) *FindBar {
	b := &FindBar{view: v, count: widget.NewLabel("")}
	b.field = &findField{bar: b}
	b.field.ExtendBaseWidget(b.field)
	b.field.PlaceHolder = "Find"
	b.field.OnChanged = v.Find
	button := func(icon fyne.Resource, f func()) *widget.Button {
		w := widget.NewButtonWithIcon("", icon, f)
		w.Importance = widget.LowImportance
		return w
	}
	b.bar = container.NewBorder(nil, nil, nil, container.NewHBox(b.count,
		button(theme.MoveUpIcon(), func() { v.Step(false) }),
		button(theme.MoveDownIcon(), func() { v.Step(true) }),
		button(theme.CancelIcon(), b.Close)), b.field)
	b.bar.Hide()
	b.object = container.NewBorder(b.bar, nil, nil, nil, v.Widget())
	v.OnFind, v.OnHits = b.Open, b.update
	return b
}

// Object returns the view with the bar above it.
func (b *FindBar) Object() fyne.CanvasObject { return b.object }

// Open shows the bar and gives it the keyboard; a selected word becomes what is searched.
func (b *FindBar) Open() {
	b.bar.Show()
	b.object.Refresh() // a container does not notice that a part of it has come
	const word = 200
	from, to := ordered(b.view.caret, b.view.anchor)
	if s := b.view.SelectedText(); from.row == to.row && s != "" && len(s) < word {
		b.field.SetText(s)
	}
	b.update()
	// The view's canvas: the toolkit does not know that of a field it has not drawn yet.
	if c := fyne.CurrentApp().Driver().CanvasForObject(b.view.Widget()); c != nil {
		c.Focus(b.field)
	}
}

// Close hides the bar, takes the marks away and gives the keyboard back.
func (b *FindBar) Close() {
	b.bar.Hide()
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
	b.bar.Refresh() // the count has another width
}
