package forms

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"mcploupe/protocol/schema"
	look "mcploupe/ui/theme"
	"mcploupe/ui/view/fields"
)

// desk is a form in a window.
type desk struct {
	testing.TB
	v       *View
	f       *schema.Form
	w       fyne.Window
	changed int
	sent    int
}

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func open(t testing.TB, text string, width, height float32) *desk {
	t.Helper()
	test.NewTempApp(t)
	fyne.CurrentApp().Settings().SetTheme(look.New(look.Options{Mode: look.Light}))
	s, _ := schema.Compile([]byte(text))
	d := &desk{TB: t, f: schema.NewForm(s)}
	d.v = New(d.f, Options{
		Clipboard:  fyne.CurrentApp().Clipboard(),
		ChooseFile: func(done func(string, []byte)) { done("a.bin", []byte{1, 2, 3}) },
		Now:        func() time.Time { return noon },
	})
	d.v.OnChanged = func() { d.changed++ }
	d.v.OnSubmit = func() { d.sent++ }
	d.w = test.NewTempWindow(t, d.v.Object())
	d.w.SetPadded(false)
	d.w.Resize(fyne.NewSize(width, height))
	return d
}

// member opens a form of one optional member "x".
func member(t testing.TB, text string) *desk {
	t.Helper()
	return open(t, `{"type":"object","additionalProperties":false,"properties":{"x":`+text+`}}`, 600, 500)
}

func (d *desk) node(pointer string) *schema.Node {
	d.Helper()
	n := d.f.Root().At(pointer)
	if n == nil {
		d.Fatalf("no node %q in %s", pointer, d.f.Text())
	}
	return n
}

// box is the built line of a node, focused.
func (d *desk) box(pointer string) *box {
	d.Helper()
	d.v.Reveal(pointer)
	l := d.v.area.find(d.node(pointer))
	if l == nil || l.box == nil {
		d.Fatalf("no line for %q", pointer)
	}
	return l.box
}

func (d *desk) typing(text string) {
	d.Helper()
	for _, r := range text {
		f := d.w.Canvas().Focused()
		if f == nil {
			d.Fatalf("nothing has the keyboard while typing %q", text)
		}
		f.TypedRune(r)
	}
}

func (d *desk) key(name fyne.KeyName) {
	d.Helper()
	f := d.w.Canvas().Focused()
	if f == nil {
		d.Fatalf("nothing has the keyboard for %s", name)
	}
	f.TypedKey(&fyne.KeyEvent{Name: name})
}

func (d *desk) shortcut(s fyne.Shortcut) {
	d.Helper()
	d.w.Canvas().Focused().(fyne.Shortcutable).TypedShortcut(s)
}

func (d *desk) want(text string) {
	d.Helper()
	if got := d.f.Text(); got != text {
		d.Errorf("form is %s, want %s", got, text)
	}
}

// tap clicks the middle of an object where it stands in the window.
func (d *desk) tap(o fyne.CanvasObject) { d.tapAt(o, o.Size().Width/2, o.Size().Height/2) }

func (d *desk) tapAt(o fyne.CanvasObject, x, y float32) {
	d.Helper()
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(o)
	test.TapCanvas(d.w.Canvas(), at.AddXY(x, y))
}

// menu does what an entry of a field's menu says.
func (d *desk) menu(pointer string, verb fields.Verb) {
	d.Helper()
	b := d.box(pointer)
	for _, a := range fields.Actions(b.node) {
		if a.Verb == verb {
			b.do(a)
			return
		}
	}
	d.Fatalf("no action %d for %s", verb, pointer)
}

// find is the first object of a type in a tree.
func find[T fyne.CanvasObject](o fyne.CanvasObject) T {
	var found T
	walk(o, func(o fyne.CanvasObject, _ fyne.Position) bool {
		if x, ok := o.(T); ok {
			found = x
			return true
		}
		return false
	})
	return found
}

// walk visits the visible objects of a tree with their places, until f is true.
func walk(o fyne.CanvasObject, f func(fyne.CanvasObject, fyne.Position) bool) bool {
	return walkFrom(o, fyne.Position{}, f)
}

func walkFrom(o fyne.CanvasObject, at fyne.Position, f func(fyne.CanvasObject, fyne.Position) bool) bool {
	if o == nil || !o.Visible() {
		return false
	}
	at = at.Add(o.Position())
	if f(o, at) {
		return true
	}
	var inside []fyne.CanvasObject
	switch x := o.(type) {
	case *fyne.Container:
		inside = x.Objects
	case fyne.Widget:
		inside = test.WidgetRenderer(x).Objects()
	}
	for _, c := range inside {
		if walkFrom(c, at, f) {
			return true
		}
	}
	return false
}

// tapText clicks a text in a tree.
func tapText(d *desk, o fyne.CanvasObject, text string) {
	d.Helper()
	var at fyne.Position
	if !walk(o, func(o fyne.CanvasObject, p fyne.Position) bool {
		x, ok := o.(*canvas.Text)
		at = p
		return ok && x.Text == text
	}) {
		d.Fatalf("no text %q", text)
	}
	test.TapCanvas(d.w.Canvas(), at.AddXY(3, 3))
}

func enum(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"e%d",`, i)
	}
	return `[` + strings.TrimSuffix(b.String(), ",") + `]`
}
