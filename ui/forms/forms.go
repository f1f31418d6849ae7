package forms

import (
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"

	"mcploupe/protocol/schema"
	"mcploupe/ui/rows"
	"mcploupe/ui/view/fields"
	"mcploupe/ui/widget"
)

// Options are what a View needs from outside; any may be nil.
type Options struct {
	Clipboard fyne.Clipboard
	// ChooseFile asks for a file and reads it; done is called on the drawing
	// goroutine, or not at all. Without it there are no buttons for files.
	ChooseFile func(done func(name string, data []byte))
	Now        func() time.Time
	// Run is that of the editors of the form, see textview.View: without it long
	// JSON is not checked.
	Run func(work func() (show func()))
	// Root names the whole value where its schema gives it no name.
	Root string
}

// View shows a schema.Form. It belongs to the drawing goroutine. Set the
// callbacks before it is shown; any may be nil.
type View struct {
	OnChanged func() // after each edit by the person
	OnSubmit  func() // for Ctrl+Enter
	OnEscape  func() // for Esc

	form    *schema.Form
	opt     Options
	area    *area
	summary *summary
	root    *fyne.Container
	popup   *widget.PopUp

	taken   uint64 // revision of the form that is shown
	look    style
	now     *line // that has the keyboard
	wanted  *line // that gets it once there is room for the form
	holder  fyne.Focusable
	folded  map[*schema.Node]bool
	wide    map[*schema.Node]bool // help shown in full
	touched map[*schema.Node]bool
	showAll bool
	forward func(fyne.Shortcut) // gives a shortcut to the window
}

// New returns a view of a form.
func New(f *schema.Form, o Options) *View {
	if o.Now == nil {
		o.Now = time.Now
	}
	v := &View{
		form: f, opt: o,
		folded: map[*schema.Node]bool{}, wide: map[*schema.Node]bool{}, touched: map[*schema.Node]bool{},
		look: styleNow(),
	}
	v.forward = v.toWindow
	v.area = newArea(v)
	v.summary = newSummary(v)
	v.root = container.New(&stack{v}, v.area, v.summary.object())
	v.take()
	return v
}

// Object is what to put into a window: the same at each call, with its own
// scroll.
func (v *View) Object() fyne.CanvasObject { return v.root }

// Refresh takes in changes that were made to the form elsewhere. It costs
// nothing when there are none.
func (v *View) Refresh() {
	if v.form.Revision() != v.taken {
		v.take()
	}
}

// ShowAll shows problems also at fields that the person has not touched yet, as
// after an attempt to send.
func (v *View) ShowAll(on bool) {
	if v.showAll != on {
		v.showAll = on
		v.take()
	}
}

// take brings everything that is shown up to date with the form.
func (v *View) take() {
	v.form.Problems() // settles the revisions of the nodes
	v.taken = v.form.Revision()
	v.prune()
	v.area.take()
	v.summary.take()
	v.area.draw()
}

// edited is called after the person has changed a node.
func (v *View) edited(n *schema.Node) {
	for ; n != nil; n = n.Parent() {
		v.touched[n] = true
	}
	v.take()
	if v.OnChanged != nil {
		v.OnChanged()
	}
}

// label is the name of a node for its field.
func (v *View) label(n *schema.Node) string {
	if n.Parent() == nil && v.opt.Root != "" && strings.TrimSpace(n.Label()) == "" {
		return v.opt.Root
	}
	return fields.Label(n)
}

// touch notes that the person has been at a node.
func (v *View) touch(n *schema.Node) {
	if !v.touched[n] {
		v.touched[n] = true
		v.take()
	}
}

// seen reports whether problems of a node are shown: those of a field that holds
// something always, wherever that came from.
func (v *View) seen(n *schema.Node) bool {
	return v.showAll || v.touched[n] || n.State() == schema.StateDraft || holds(n)
}

// holds reports whether a field has a value of its own; that of an object or a
// list is what lies in it.
func holds(n *schema.Node) bool {
	switch n.Kind() {
	case schema.KindObject, schema.KindMap, schema.KindArray, schema.KindTuple, schema.KindMultiSelect:
		return false
	}
	return n.State() != schema.StateAbsent
}

// pruneFrom is from how many notes about nodes on those of gone nodes are dropped.
const pruneFrom = 512

func (v *View) prune() {
	for _, m := range []map[*schema.Node]bool{v.folded, v.wide, v.touched} {
		if len(m) < pruneFrom {
			continue
		}
		for n := range m {
			if n.Detached() {
				delete(m, n)
			}
		}
	}
}

func (v *View) isFolded(n *schema.Node) bool {
	on, said := v.folded[n]
	if !said {
		on = fields.FoldedAtFirst(n)
		v.folded[n] = on
	}
	return on
}

func (v *View) setFolded(n *schema.Node, on bool) {
	v.folded[n] = on
	v.take()
}

// restyle reports whether the theme has changed since it was asked last.
func (v *View) restyle() bool {
	now := styleNow()
	changed := now != v.look
	v.look = now
	return changed
}

// FocusFirst gives the keyboard to the first field.
func (v *View) FocusFirst() {
	for _, l := range v.area.lines {
		v.area.build(l)
		if s := l.box.stop(); s != nil {
			v.show(l)
			return
		}
	}
}

// Reveal opens the sections around the place of a problem, scrolls to it and
// gives it the keyboard.
func (v *View) Reveal(pointer string) {
	n := fields.Nearest(v.form, pointer)
	for p := n.Parent(); p != nil; p = p.Parent() {
		v.folded[p] = false
	}
	v.touch(n)
	v.area.take()
	for n != nil {
		if l := v.area.find(n); l != nil {
			v.show(l)
			return
		}
		n = n.Parent()
	}
}

// show scrolls to a line and focuses it.
func (v *View) show(l *line) {
	if v.area.Size().Height <= 0 {
		v.wanted = l
		return
	}
	v.wanted = nil
	v.area.reveal(l)
	v.area.draw()
	if l.box == nil {
		return
	}
	if s := l.box.stop(); s != nil {
		v.give(s)
	}
}

// nextProblem goes to the first problem after the line that has the keyboard.
func (v *View) nextProblem() {
	problems := v.form.Problems()
	if len(problems) == 0 {
		return
	}
	at := -1
	if v.now != nil {
		at = v.now.at
	}
	for _, p := range problems {
		if l := v.area.find(fields.Nearest(v.form, p.Pointer)); l == nil || l.at > at {
			v.Reveal(p.Pointer)
			return
		}
	}
	v.Reveal(problems[0].Pointer)
}

// canvas is that of the window the form is in; nil while it is in none.
func (v *View) canvas() fyne.Canvas {
	d := fyne.CurrentApp().Driver()
	if c := d.CanvasForObject(v.area); c != nil {
		return c
	}
	// The toolkit does not know the canvas of what has never been painted.
	if w := d.AllWindows(); len(w) == 1 {
		return w[0].Canvas()
	}
	return nil
}

// give gives the keyboard to a widget.
func (v *View) give(f fyne.Focusable) {
	if c := v.canvas(); c != nil {
		c.Focus(f)
	}
}

// leave moves the keyboard on.
func (v *View) leave(back bool) {
	c := v.canvas()
	switch {
	case c == nil:
	case back:
		c.FocusPrevious()
	default:
		c.FocusNext()
	}
}

// toWindow gives a shortcut that a focused widget has no use for to the window,
// which would not get it.
func (v *View) toWindow(s fyne.Shortcut) {
	if c, ok := v.canvas().(fyne.Shortcutable); ok {
		c.TypedShortcut(s)
	}
}

// unfocus takes the keyboard from a line that goes.
func (v *View) unfocus(l *line) {
	if v.now != l {
		return
	}
	v.now, v.holder = nil, nil
	if c := v.canvas(); c != nil {
		c.Unfocus()
	}
}

// focusedLine is the line that has the keyboard, nil when none has.
func (v *View) focusedLine() *line {
	if v.now == nil || v.area.known[v.now.Line] != v.now {
		return nil
	}
	return v.now
}

// inner lets the editor that has the keyboard scroll, when the mouse is over it.
func (v *View) inner(e *fyne.ScrollEvent) bool {
	l := v.focusedLine()
	if l == nil || l.box == nil {
		return false
	}
	s, ok := l.box.control.(interface{ scroll(*fyne.ScrollEvent) bool })
	if !ok {
		return false
	}
	d := fyne.CurrentApp().Driver()
	o := l.box.control.object()
	at := e.AbsolutePosition.Subtract(d.AbsolutePositionForObject(o))
	size := o.Size()
	return at.X >= 0 && at.Y >= 0 && at.X < size.Width && at.Y < size.Height && s.scroll(e)
}

// isSubmit reports whether a shortcut is Ctrl+Enter.
func isSubmit(s fyne.Shortcut) bool {
	c, ok := s.(*desktop.CustomShortcut)
	return ok && c.Modifier == fyne.KeyModifierShortcutDefault && (c.KeyName == fyne.KeyReturn || c.KeyName == fyne.KeyEnter)
}

func shiftDown() bool { return rows.Modifiers()&fyne.KeyModifierShift != 0 }

// stack sets the summary above the lines.
type stack struct{ v *View }

// Layout implements fyne.Layout.
func (s *stack) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	h := s.v.summary.height()
	s.v.summary.laid = h
	put(objects[0], 0, h, size.Width, max(0, size.Height-h))
	put(objects[1], 0, 0, size.Width, h)
}

// MinSize implements fyne.Layout.
func (s *stack) MinSize([]fyne.CanvasObject) fyne.Size {
	return s.v.area.MinSize().AddWidthHeight(0, s.v.summary.height())
}
