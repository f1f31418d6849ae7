package forms

import (
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"mcploupe/protocol/schema"
	"mcploupe/ui/view/fields"
	"mcploupe/ui/view/human"
)

// fold opens and folds a section.
type fold struct {
	stop
	folded bool
	sign   *canvas.Text
}

func newFold(b *box) *fold {
	f := &fold{sign: &canvas.Text{}}
	f.init(b, f)
	return f
}

func (f *fold) update(folded bool) {
	if f.folded != folded {
		f.folded = folded
		f.Refresh()
	}
}

func (f *fold) arrange(size fyne.Size) {
	sign := "▾"
	if f.folded {
		sign = "▸"
	}
	setText(f.sign, sign, fonts().glyph, theme.ColorNameForeground)
	w, h := fonts().glyph.Width(sign), f.sign.MinSize().Height
	put(f.sign, (size.Width-w)/2, (size.Height-h)/2, w, h)
	f.frame(size, false)
}

// MinSize is that of the sign.
func (f *fold) MinSize() fyne.Size { return fyne.NewSize(20, 20) }

// CreateRenderer is for the toolkit.
func (f *fold) CreateRenderer() fyne.WidgetRenderer {
	return &painter{
		objects: []fyne.CanvasObject{f.ring, f.sign},
		arrange: f.arrange, min: f.MinSize, style: func() { f.arrange(f.Size()) },
	}
}

func (f *fold) toggle() { f.b.v.setFolded(f.b.node, !f.folded) }

// Tapped toggles.
func (f *fold) Tapped(*fyne.PointEvent) {
	f.take()
	f.toggle()
}

// Cursor is a hand.
func (f *fold) Cursor() desktop.Cursor { return desktop.PointerCursor }

// TypedKey folds to the left, opens to the right, toggles by Space and Enter.
func (f *fold) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		f.toggle()
	case fyne.KeyLeft:
		f.b.v.setFolded(f.b.node, true)
	case fyne.KeyRight:
		f.b.v.setFolded(f.b.node, false)
	default:
		f.b.keyed(e)
	}
}

// startField stands for an object or a list that is not there yet.
type startField struct {
	b    *box
	link *link
}

func newStartField(b *box) *startField {
	f := &startField{b: b}
	f.link = newLink(b, "", "+", f.start)
	f.update()
	return f
}

func (f *startField) start() {
	n := f.b.node
	f.b.v.folded[n] = false
	n.Enable()
	if n.Kind() == schema.KindArray && fields.Count(n) == 0 {
		n.AddItem()
	}
	f.b.v.edited(n)
	f.b.v.focusInside(n)
}

func (f *startField) object() fyne.CanvasObject { return f.link }
func (f *startField) stop() fyne.Focusable      { return f.link }
func (f *startField) height(float32) float32    { return fonts().low }

func (f *startField) update() {
	switch f.b.node.Kind() {
	case schema.KindArray:
		f.link.set("Add an item")
	case schema.KindMap:
		f.link.set("Add")
	default:
		f.link.set("Fill in")
	}
}

// focusInside gives the keyboard to the first field in a section, or to the line
// that adds to it.
func (v *View) focusInside(n *schema.Node) {
	var first *line
	for _, l := range v.area.lines {
		if l.Role == fields.Section || !within(l.Node, n) && !(l.Role == fields.Add && l.Node == n) {
			continue
		}
		if first == nil || first.Role != fields.Field {
			first = l
		}
	}
	if first != nil {
		v.show(first)
	}
}

// within reports that a node is somewhere in another.
func within(n, outer *schema.Node) bool {
	for p := n.Parent(); p != nil; p = p.Parent() {
		if p == outer {
			return true
		}
	}
	return false
}

// adder is the line that adds an item or a member.
type adder struct {
	b    *box
	link *link
}

func newAdder(b *box) *adder {
	a := &adder{b: b}
	a.link = newLink(b, "", "+", a.add)
	a.link.quiet = b.node.Kind() == schema.KindObject
	a.update()
	return a
}

func (a *adder) add() {
	n := a.b.node
	if k := n.Kind(); k == schema.KindObject || k == schema.KindMap {
		a.b.v.addMember(n, "")
		return
	}
	item := n.AddItem()
	if item == nil {
		return
	}
	a.b.v.folded[item] = false
	a.b.v.edited(n)
	a.b.v.focusNode(item)
}

func (a *adder) object() fyne.CanvasObject { return a.link }
func (a *adder) stop() fyne.Focusable      { return a.link }
func (a *adder) height(float32) float32    { return fonts().low }

func (a *adder) update() {
	switch a.b.node.Kind() {
	case schema.KindMap:
		a.link.set("Add a member")
	case schema.KindObject:
		a.link.set("Add a member that the schema does not name")
	default:
		a.link.set("Add an item")
	}
}

// addMember adds a member under a name that is free, for the person to rename.
func (v *View) addMember(n *schema.Node, name string) {
	if name == "" {
		name = "name"
	}
	c, err := n.AddMember(name)
	for i := 2; err != nil && i < 10_000; i++ {
		c, err = n.AddMember(name + strconv.Itoa(i))
	}
	if err != nil {
		return
	}
	v.folded[n], v.folded[c] = false, false
	v.edited(n)
	l := v.area.find(c)
	if l == nil {
		return
	}
	v.show(l)
	if k := l.box.key; k != nil {
		v.give(k)
		k.TypedShortcut(&fyne.ShortcutSelectAll{})
	}
}

// focusNode gives the keyboard to the field of a node, or the first in it.
func (v *View) focusNode(n *schema.Node) {
	l := v.area.find(n)
	switch {
	case l == nil:
	case l.Role == fields.Section:
		v.focusInside(n)
	default:
		v.show(l)
	}
}

// more says that a section has more than is shown.
type more struct {
	b    *box
	link *link
}

func newMore(b *box) *more {
	m := &more{b: b}
	m.link = newLink(b, "", "", func() {
		b.node.EditJSON(true)
		b.v.edited(b.node)
	})
	m.update()
	return m
}

func (m *more) object() fyne.CanvasObject { return m.link }
func (m *more) stop() fyne.Focusable      { return m.link }
func (m *more) height(float32) float32    { return fonts().control }

func (m *more) update() {
	m.link.set(human.Count(len(m.b.node.Children())-fields.MaxShown) + " more are not shown. Edit all as JSON")
}

// newControl makes the control of a kind for a field.
func newControl(b *box, kind fields.Control) control {
	switch kind {
	case fields.Check:
		return newBoolField(b)
	case fields.Strip:
		return newChoiceStrip(b, false)
	case fields.Checks:
		return newChoiceStrip(b, true)
	case fields.Pick:
		return newChoicePick(b, false)
	case fields.Picks:
		return newChoicePick(b, true)
	case fields.Fixed:
		return newFixedField(b)
	case fields.Start:
		return newStartField(b)
	case fields.JSON, fields.Long:
		return newEditField(b, kind)
	case fields.Date, fields.DateTime:
		return newDateField(b, kind)
	case fields.File:
		return newFileField(b)
	}
	return newTextField(b, kind)
}
