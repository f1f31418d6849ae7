package forms

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"

	"mcploupe/ui/view/fields"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// entry is a text entry that leaves by Tab, sends nothing by Enter, and keeps
// what was typed.
type entry struct {
	widget.Entry
	b       *box
	setting bool
	typed   func(text string)
	keys    func(*fyne.KeyEvent) bool // asked first about every key
	inside  *container.Scroll         // of several lines
	pressed bool                      // by the pointer, which holds it still
}

func newEntry(b *box, several bool, typed func(string)) *entry {
	e := &entry{b: b, typed: typed}
	e.Wrapping = fyne.TextWrap(fyne.TextTruncateClip)
	if several {
		e.MultiLine, e.Wrapping = true, fyne.TextWrapWord
	}
	e.ExtendBaseWidget(e)
	e.OnChanged = func(text string) {
		if !e.setting {
			e.typed(text)
		}
	}
	return e
}

// show sets the text, unless it is there already.
func (e *entry) show(text string) {
	if e.Text == text {
		return
	}
	e.setting = true
	e.SetText(text)
	e.setting = false
}

func (e *entry) placeholder(text string) {
	if e.PlaceHolder != text {
		e.SetPlaceHolder(text)
	}
}

// CreateRenderer is for the toolkit.
func (e *entry) CreateRenderer() fyne.WidgetRenderer {
	r := e.Entry.CreateRenderer()
	for _, o := range r.Objects() {
		if s, ok := o.(*container.Scroll); ok {
			e.inside = s
		}
	}
	return r
}

// AcceptsTab is for the toolkit: Tab leaves.
func (e *entry) AcceptsTab() bool { return false }

// FocusGained is for the toolkit.
func (e *entry) FocusGained() {
	e.Entry.FocusGained()
	e.b.gained(e, !e.pressed)
}

// MouseDown takes the keyboard. The form stays where it is until the button is
// let go: moved from under the pointer the entry would lose the keyboard again.
func (e *entry) MouseDown(m *desktop.MouseEvent) {
	e.pressed = true
	e.Entry.MouseDown(m)
}

// MouseUp brings the whole line in sight.
func (e *entry) MouseUp(m *desktop.MouseEvent) {
	e.Entry.MouseUp(m)
	if e.pressed {
		e.pressed = false
		e.b.v.area.reveal(e.b.l)
	}
}

// FocusLost is for the toolkit.
func (e *entry) FocusLost() {
	e.pressed = false
	e.Entry.FocusLost()
	e.b.lost(e)
}

// TypedKey edits.
func (e *entry) TypedKey(k *fyne.KeyEvent) {
	switch {
	case e.keys != nil && e.keys(k), e.b.keyed(k):
		return
	case !e.MultiLine && (k.Name == fyne.KeyReturn || k.Name == fyne.KeyEnter):
		return
	}
	e.Entry.TypedKey(k)
}

// TypedShortcut edits by the keys that every entry has; what it has no use for
// goes to the window.
func (e *entry) TypedShortcut(s fyne.Shortcut) {
	if e.b.shortcut(s) {
		return
	}
	switch s := s.(type) {
	case *fyne.ShortcutPaste:
		if e.pasteMuch(s.Clipboard) {
			return
		}
	case *desktop.CustomShortcut:
		switch s.KeyName {
		case fyne.KeyLeft, fyne.KeyRight, fyne.KeyBackspace, fyne.KeyDelete:
		default:
			e.b.v.forward(s)
			return
		}
	}
	e.Entry.TypedShortcut(s)
}

// pasteMuch takes in what an entry of this kind would change or choke on: line
// ends in one line, hidden characters, very long texts. The field then gets a
// control that can show it.
func (e *entry) pasteMuch(c fyne.Clipboard) bool {
	text, ok := e.b.control.(*textField)
	if !ok || text.entry != e || c == nil {
		return false
	}
	pasted := c.Content()
	lines := !e.MultiLine && strings.ContainsAny(strings.TrimRight(pasted, "\r\n"), "\r\n")
	if !lines && !fields.Hides(pasted) && len(pasted)+len(e.Text) <= fields.EntryBytes {
		return false
	}
	e.setting = true
	e.Entry.TypedShortcut(&fyne.ShortcutCut{Clipboard: &pad{}}) // takes the selection out
	e.setting = false
	runes := []rune(e.Text)
	at := min(e.CursorTextOffset(), len(runes))
	e.b.node.SetText(string(runes[:at]) + strings.ReplaceAll(pasted, "\r\n", "\n") + string(runes[at:]))
	e.b.exchange()
	e.b.v.edited(e.b.node)
	e.b.v.give(e.b.control.stop())
	return true
}

// pad is a clipboard that nobody else sees.
type pad struct{ text string }

func (p *pad) Content() string     { return p.text }
func (p *pad) SetContent(s string) { p.text = s }

// textField is a control that is an entry: text and numbers.
type textField struct {
	b     *box
	entry *entry
}

func newTextField(b *box, kind fields.Control) *textField {
	t := &textField{b: b}
	t.entry = newEntry(b, kind == fields.Multiline, func(text string) {
		b.node.SetText(text)
		b.v.edited(b.node)
	})
	t.entry.Password = kind == fields.Password
	t.update()
	return t
}

func (t *textField) object() fyne.CanvasObject { return t.entry }
func (t *textField) stop() fyne.Focusable      { return t.entry }

func (t *textField) update() {
	n := t.b.node
	t.entry.show(n.Text())
	t.entry.placeholder(placeholder(t.b))
}

// placeholder is what an entry shows while it is empty.
func placeholder(b *box) string {
	switch fields.StateWord(b.node) {
	case "null":
		return "null"
	case "empty":
		return "empty text"
	}
	return fields.Example(b.node)
}

const (
	leastRows = 3
	mostRows  = 8
)

func (t *textField) height(width float32) float32 {
	f := fonts()
	if !t.entry.MultiLine {
		return f.control
	}
	lines := 0
	for l := range strings.SplitSeq(t.entry.Text, "\n") {
		lines += 1 + int(f.plain.Width(l)/max(40, width-24))
		if lines > mostRows {
			break
		}
	}
	lines = min(max(leastRows, lines), mostRows)
	return f.control + float32(lines-1)*f.plain.Height()
}

// scroll gives the wheel to an entry of several lines; it reports false where
// the text does not move, be it at an end or shorter than the entry.
func (t *textField) scroll(e *fyne.ScrollEvent) bool {
	if !t.entry.MultiLine || t.entry.inside == nil {
		return false
	}
	was := t.entry.inside.Offset
	t.entry.inside.Scrolled(e)
	return t.entry.inside.Offset != was
}

// newKey is the entry for the name of a member that the schema does not name.
func newKey(b *box) *entry {
	return newEntry(b, false, func(text string) {
		if b.caption.taken = b.node.Rename(text) != nil; b.caption.taken {
			b.stale = true
			b.v.area.draw()
			return
		}
		b.v.edited(b.node)
	})
}

// update shows the member's name, unless another is being typed.
func (e *entry) update() {
	if e.b.v.holder != fyne.Focusable(e) {
		e.b.caption.taken = false
		e.show(safe.Line(e.b.node.Name(), fields.EntryBytes))
	}
}
