package forms

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"mcploupe/protocol/schema"
	"mcploupe/ui/textview"
	"mcploupe/ui/view/safe"
)

// Options are what a View needs from outside; any may be nil.
type Options struct {
	Clipboard  fyne.Clipboard
	ChooseFile func(done func(name string, data []byte)) // asks for a file and reads it; done is called on the drawing goroutine
	Now        func() time.Time
}

// View shows a schema.Form. It belongs to the drawing goroutine.
type View struct {
	OnChanged func() // after each edit by the person
	OnSubmit  func() // for Ctrl+Enter

	form   *schema.Form
	opt    Options
	scroll *container.Scroll
	box    *fyne.Container
	shown  uint64
	first  fyne.Focusable
	fields map[string]fyne.Focusable
}

// New returns a view of a form.
func New(f *schema.Form, o Options) *View {
	v := &View{form: f, opt: o, box: container.NewVBox()}
	v.scroll = container.NewVScroll(v.box)
	v.build()
	return v
}

// Object is what to put into a window: the same at each call, with its own scroll.
func (v *View) Object() fyne.CanvasObject { return v.scroll }

// Refresh takes in changes that were made to the form elsewhere.
func (v *View) Refresh() {
	if v.form.Revision() != v.shown {
		v.build()
	}
}

func (v *View) edited() {
	v.shown = v.form.Revision()
	if v.OnChanged != nil {
		v.OnChanged()
	}
}

func (v *View) build() {
	v.shown, v.first, v.fields = v.form.Revision(), nil, map[string]fyne.Focusable{}
	v.box.Objects = nil
	root := v.form.Root()
	if kids := root.Children(); root.Kind() == schema.KindObject && len(kids) > 0 {
		for _, n := range kids {
			v.add(n)
		}
	} else {
		v.add(root)
	}
	v.box.Refresh()
}

func (v *View) add(n *schema.Node) {
	mark := ""
	if n.Required() {
		mark = " *"
	}
	label := widget.NewLabel(safe.Line(n.Label(), 60) + mark)
	label.Truncation = fyne.TextTruncateEllipsis
	var o fyne.CanvasObject
	switch n.Kind() {
	case schema.KindText, schema.KindNumber, schema.KindInteger:
		e := widget.NewEntry()
		e.SetText(n.Text())
		e.OnChanged = func(s string) { n.SetText(s); v.edited() }
		o = e
	case schema.KindBoolean:
		c := widget.NewCheck("", func(on bool) { n.SetBool(on); v.edited() })
		c.Checked, _ = n.Bool()
		o = c
	case schema.KindSelect:
		var titles []string
		for _, c := range n.Choices() {
			titles = append(titles, safe.Line(c.Title, 60))
		}
		s := widget.NewSelect(titles, nil)
		if i := n.Selected(); i >= 0 {
			s.SetSelectedIndex(i)
		}
		s.OnChanged = func(string) { n.SetChoice(s.SelectedIndex()); v.edited() }
		o = s
	default:
		e := textview.NewEditor()
		e.SetText(n.Text())
		e.OnChanged = func() { n.SetText(e.Text()); v.edited() }
		o = e
	}
	if f, ok := o.(fyne.Focusable); ok {
		v.fields[n.Pointer()] = f
		if v.first == nil {
			v.first = f
		}
	}
	v.box.Add(container.NewBorder(label, nil, nil, nil, o))
}

// FocusFirst focuses the first field.
func (v *View) FocusFirst() { v.focus(v.first) }

// Reveal scrolls to the field of a problem and focuses it.
func (v *View) Reveal(pointer string) { v.focus(v.fields[pointer]) }

func (v *View) focus(f fyne.Focusable) {
	if f == nil {
		return
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(v.scroll); c != nil {
		c.Focus(f)
	}
}
