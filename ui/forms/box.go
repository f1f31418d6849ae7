package forms

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"mcploupe/protocol/schema"
	"mcploupe/ui/view/fields"
)

// control edits the value of a node.
type control interface {
	object() fyne.CanvasObject
	// update shows what the node holds now. It does not touch what the person is
	// typing.
	update()
	height(width float32) float32
	stop() fyne.Focusable // nil when it takes no keyboard
}

// box is a line's widgets.
type box struct {
	v      *View
	l      *line
	node   *schema.Node
	object *fyne.Container

	kind    fields.Control
	control control
	pickers []*pick
	key     *entry // the name of a member that the schema does not name
	fold    *fold
	menu    *flat
	up, dn  *flat
	grip    *grip
	rm      *flat
	caption *caption

	ground *canvas.Rectangle
	guides []*canvas.Rectangle
	label  *canvas.Text
	star   *canvas.Text
	word   *canvas.Text
	note   *canvas.Text // of a section: what is in it

	labelText, wordText, noteText string

	rev, parentRev uint64
	seen, folded   bool
	stale          bool
	width, h       float32
}

func newBox(v *View, l *line) *box {
	b := &box{v: v, l: l, node: l.Node, object: container.NewWithoutLayout(), stale: true,
		ground: newRect(), label: &canvas.Text{}, star: &canvas.Text{}, word: &canvas.Text{}, note: &canvas.Text{}}
	for range l.Depth {
		b.guides = append(b.guides, newRect())
	}
	switch l.Role {
	case fields.Field, fields.Section:
		b.caption = newCaption(b)
		b.menu = newFlat("", "▾", "", b.showMenu)
		b.menu.right = true
		if l.Role == fields.Section {
			b.fold = newFold(b)
		}
		if !l.Node.Declared() && l.Node.CanRemove() && fields.Place(l.Node) < 0 {
			b.key = newKey(b)
		}
		if fields.Movable(l.Node) {
			b.grip = newGrip(b)
			b.up = newFlat("", "↑", theme.ColorNameForeground, func() { b.move(-1) })
			b.dn = newFlat("", "↓", theme.ColorNameForeground, func() { b.move(1) })
		}
		if l.Node.CanRemove() {
			b.rm = newFlat("", "×", theme.ColorNameForeground, func() { b.do(fields.Action{Verb: fields.Remove}) })
		}
	case fields.Add:
		b.control = newAdder(b)
	case fields.More:
		b.control = newMore(b)
	}
	b.gather()
	return b
}

// gather lists the objects in the order of drawing and of the Tab key.
func (b *box) gather() {
	out := []fyne.CanvasObject{b.ground}
	for _, g := range b.guides {
		out = append(out, g)
	}
	out = append(out, b.label, b.star, b.word, b.note)
	if b.fold != nil {
		out = append(out, b.fold)
	}
	if b.key != nil {
		out = append(out, b.key)
	}
	for _, p := range b.pickers {
		out = append(out, p)
	}
	if b.control != nil {
		out = append(out, b.control.object())
	}
	for _, f := range []*flat{b.menu, b.up, b.dn, b.rm} {
		if f != nil {
			out = append(out, f)
		}
	}
	if b.grip != nil {
		out = append(out, b.grip)
	}
	if b.caption != nil {
		out = append(out, b.caption.objects()...)
	}
	b.object.Objects = out
}

// stop is what takes the keyboard first in the line, nil when nothing does.
func (b *box) stop() fyne.Focusable {
	switch {
	case b.fold != nil:
		return b.fold
	case b.control != nil && b.control.stop() != nil:
		return b.control.stop()
	case b.key != nil:
		return b.key
	case len(b.pickers) > 0:
		return b.pickers[0]
	}
	return nil
}

// update takes in what has changed in the node.
func (b *box) update() {
	if b.l.Role == fields.Add || b.l.Role == fields.More {
		b.control.update()
		b.stale = true
		return
	}
	n := b.node
	rev, parentRev := n.Revision(), uint64(0)
	if p := n.Parent(); p != nil && fields.Place(n) >= 0 {
		parentRev = p.Revision()
	}
	seen := b.v.seen(n)
	folded := b.fold != nil && b.v.isFolded(n)
	if !b.stale && rev == b.rev && parentRev == b.parentRev && seen == b.seen && folded == b.folded && b.settled() {
		return
	}
	b.rev, b.parentRev, b.seen, b.folded, b.stale = rev, parentRev, seen, folded, true
	b.labelText, b.wordText = b.v.label(n), fields.TypeWord(n)
	if b.key != nil {
		b.key.update()
	}
	b.updatePickers()
	if b.l.Role == fields.Section {
		b.noteText = fields.Size(n)
		if brief := fields.Brief(n); folded && brief != "" {
			b.noteText += ":  " + brief
		}
		b.fold.update(folded)
	} else {
		b.updateControl()
	}
	word := fields.StateWord(n)
	b.menu.set(word, "▾", lookMuted)
	if b.up != nil {
		b.up.Hidden, b.dn.Hidden = fields.Place(n) == 0, fields.Place(n) == fields.Siblings(n)-1
		b.grip.Hidden = fields.Siblings(n) < 2
	}
	b.caption.update()
	if b.v.now == b.l && !b.has(b.v.holder) {
		b.v.give(b.stop()) // what had the keyboard has been exchanged
	}
}

// settled reports that the control is the one that the node asks for, which can
// change with what is typed; it is not exchanged while it has the keyboard.
func (b *box) settled() bool {
	return b.l.Role != fields.Field || b.v.now == b.l || b.kind == fields.ControlOf(b.node)
}

func (b *box) updateControl() {
	kind := fields.ControlOf(b.node)
	if b.control == nil || kind != b.kind && !b.typing() {
		b.kind = kind
		b.control = newControl(b, kind)
		b.gather()
		return
	}
	b.control.update()
}

// typing reports that the control has the keyboard, and holds what was typed.
func (b *box) typing() bool { return b.v.now == b.l && b.v.holder == b.control.stop() }

// exchange puts in the control that the node asks for now, whether or not the
// present one has the keyboard.
func (b *box) exchange() {
	if kind := fields.ControlOf(b.node); kind != b.kind {
		b.kind, b.control = kind, newControl(b, kind)
		b.gather()
	}
	b.stale = true
}

// has reports whether a widget is one of the line's.
func (b *box) has(f fyne.Focusable) bool {
	switch {
	case b.fold != nil && f == fyne.Focusable(b.fold), b.key != nil && f == fyne.Focusable(b.key):
		return true
	case b.control != nil && f == b.control.stop():
		return true
	}
	for _, p := range b.pickers {
		if f == fyne.Focusable(p) {
			return true
		}
	}
	return false
}

func (b *box) updatePickers() {
	groups := b.node.Pickers()
	if len(groups) == len(b.pickers) {
		for i, p := range b.pickers {
			p.setVariants(groups[i])
		}
		return
	}
	b.pickers = nil
	for i := range groups {
		b.pickers = append(b.pickers, newVariantPick(b, i, groups[i]))
	}
	b.gather()
}

// restyle draws the line in the colours of another theme.
func (b *box) restyle() {
	b.stale = true
	for _, o := range b.object.Objects {
		if w, ok := o.(fyne.Widget); ok {
			w.Refresh()
		}
	}
}

// gained is called when a widget of the line gets the keyboard, and brings the
// line in sight if that is to be now.
func (b *box) gained(f fyne.Focusable, reveal bool) {
	b.v.now, b.v.holder = b.l, f
	if reveal {
		b.v.area.reveal(b.l)
	}
}

// lost is called when it loses it.
func (b *box) lost(f fyne.Focusable) {
	if b.v.holder != f {
		return
	}
	b.v.now, b.v.holder = nil, nil
	b.stale = true
	if !b.v.touched[b.node] && b.l.Role == fields.Field {
		b.v.touch(b.node)
		return
	}
	b.v.area.draw()
}

// keyed takes the keys that mean the same in every field.
func (b *box) keyed(e *fyne.KeyEvent) bool {
	switch e.Name {
	case fyne.KeyF8:
		b.v.nextProblem()
	case desktop.KeyMenu:
		if b.menu == nil {
			return false
		}
		b.showMenu()
	case fyne.KeyEscape:
		if b.v.OnEscape == nil {
			return false
		}
		b.v.OnEscape()
	default:
		return false
	}
	return true
}

// shortcut takes the shortcuts that mean the same in every field.
func (b *box) shortcut(s fyne.Shortcut) bool {
	if isSubmit(s) {
		if b.v.OnSubmit == nil {
			return false
		}
		b.v.OnSubmit()
		return true
	}
	c, ok := s.(*desktop.CustomShortcut)
	if !ok || b.menu == nil {
		return false
	}
	switch {
	case c.KeyName == fyne.KeyPeriod && c.Modifier == fyne.KeyModifierShortcutDefault:
		b.showMenu()
	case c.KeyName == fyne.KeyUp && c.Modifier == fyne.KeyModifierAlt && b.up != nil:
		b.move(-1)
	case c.KeyName == fyne.KeyDown && c.Modifier == fyne.KeyModifierAlt && b.up != nil:
		b.move(1)
	default:
		return false
	}
	return true
}

// move moves an item of a list.
func (b *box) move(by int) {
	b.node.Move(fields.Place(b.node) + by)
	b.v.edited(b.node.Parent())
}
