package textview

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// AcceptsTab is for the toolkit: Tab is text, TypedKey sorts out Shift+Tab.
func (e *Editor) AcceptsTab() bool { return !e.readOnly }

// FocusGained is for the toolkit.
func (e *Editor) FocusGained() {
	e.View.FocusGained()
	if e.OnFocus != nil {
		e.OnFocus(true)
	}
}

// FocusLost is for the toolkit.
func (e *Editor) FocusLost() {
	e.View.FocusLost()
	if e.OnFocus != nil {
		e.OnFocus(false)
	}
}

// TypedRune types.
func (e *Editor) TypedRune(r rune) {
	if (r == '}' || r == ']') && e.caret == e.anchor {
		// A closing bracket at the start of a line stands one level to the left.
		s := e.lines().spotOf(e.caret)
		if head := e.buf.lines[s.line][:s.col]; len(head) >= 2 && strings.Trim(head, " ") == "" {
			e.replace(spot{s.line, s.col - 2}, s, string(r))
			return
		}
	}
	e.insert(string(r))
}

// TypedKey edits, moves the caret or leaves.
func (e *Editor) TypedKey(ev *fyne.KeyEvent) {
	if e.OnKey != nil && e.OnKey(ev) {
		return
	}
	switch ev.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		e.newLine()
	case fyne.KeyBackspace:
		e.erase(false, false)
	case fyne.KeyDelete:
		e.erase(true, false)
	case fyne.KeyTab:
		e.tab()
	case fyne.KeySpace: // comes as a rune too
	case fyne.KeyEscape:
		e.leave(true, e.OnEscape)
	case fyne.KeyHome:
		e.home()
	default:
		e.View.TypedKey(ev)
	}
}

// leave gives the focus to another widget, unless instead says what to do.
func (e *Editor) leave(forward bool, instead func()) {
	if instead != nil {
		instead()
		return
	}
	c := fyne.CurrentApp().Driver().CanvasForObject(e)
	switch {
	case c == nil:
	case forward:
		c.FocusNext()
	default:
		c.FocusPrevious()
	}
}

// tab inserts two blanks, or moves the selected lines to the right; with Shift it leaves.
func (e *Editor) tab() {
	if e.shift {
		e.leave(false, nil)
		return
	}
	from, to := e.selected()
	if from.line == to.line {
		e.insert("  ")
		return
	}
	lines := strings.Split(e.buf.slice(spot{from.line, 0}, to), "\n")
	for i, l := range lines {
		if l != "" {
			lines[i] = "  " + l
		}
	}
	e.buf.seal()
	e.replace(spot{from.line, 0}, to, strings.Join(lines, "\n"))
	e.anchor = e.lines().placeOf(spot{from.line, 0})
	e.Redraw(false)
}

// newLine begins a line with the indent of this one, one level deeper after an opening bracket; a closing bracket
// right behind the caret goes on a line of its own.
func (e *Editor) newLine() {
	from, to := e.selected()
	line := e.buf.lines[from.line]
	head := line[:from.col]
	lead := head[:len(head)-len(strings.TrimLeft(head, " \t"))]
	before, after := strings.TrimRight(head, " \t"), strings.TrimLeft(e.buf.lines[to.line][to.col:], " \t")
	e.buf.seal()
	if before != "" && strings.IndexByte("{[", before[len(before)-1]) >= 0 {
		inner := "\n" + lead + "  "
		if after != "" && after[0] == before[len(before)-1]+2 {
			e.replace(from, to, inner+"\n"+lead)
			caret := spot{from.line + 1, len(lead) + 2}
			e.moveCaret(e.lines().placeOf(e.buf.clip(caret)), false)
			return
		}
		e.replace(from, to, inner)
		return
	}
	e.replace(from, to, "\n"+lead)
}

// erase takes out the selection, or what is before or after the caret: a character, at the start of a line a level of
// its indent, or a word.
func (e *Editor) erase(forward, word bool) {
	from, to := e.selected()
	if from == to {
		switch {
		case forward && word:
			to = e.wordEnd(to)
		case forward:
			to = e.next(to)
		case word:
			from = e.wordStart(from)
		default:
			head := e.buf.lines[from.line][:from.col]
			if n := len(head); n >= 2 && n%2 == 0 && strings.Trim(head, " ") == "" {
				from.col -= 2
			} else {
				from = e.previous(from)
			}
		}
	}
	e.replace(from, to, "")
}

// next returns the spot after the character at s, marks that are drawn over it included.
func (e *Editor) next(s spot) spot {
	l := e.buf.lines[s.line]
	if s.col >= len(l) {
		if s.line+1 < len(e.buf.lines) {
			return spot{s.line + 1, 0}
		}
		return s
	}
	_, size := utf8.DecodeRuneInString(l[s.col:])
	s.col += size
	for s.col < len(l) {
		r, size := utf8.DecodeRuneInString(l[s.col:])
		if !unicode.In(r, unicode.Mn, unicode.Me) {
			break
		}
		s.col += size
	}
	return s
}

// previous returns the spot before the character that ends at s. A mark over a letter goes alone.
func (e *Editor) previous(s spot) spot {
	if s.col == 0 {
		if s.line > 0 {
			return spot{s.line - 1, len(e.buf.lines[s.line-1])}
		}
		return s
	}
	_, size := utf8.DecodeLastRuneInString(e.buf.lines[s.line][:s.col])
	return spot{s.line, s.col - size}
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// wordEnd returns the end of the word at or after s.
func (e *Editor) wordEnd(s spot) spot {
	l := e.buf.lines[s.line]
	if s.col == len(l) {
		return e.next(s)
	}
	i := s.col
	skip := func(in bool) {
		for i < len(l) {
			r, size := utf8.DecodeRuneInString(l[i:])
			if inWord(r) != in {
				return
			}
			i += size
		}
	}
	skip(false)
	skip(true)
	return spot{s.line, i}
}

// wordStart returns the start of the word at or before s.
func (e *Editor) wordStart(s spot) spot {
	if s.col == 0 {
		return e.previous(s)
	}
	l := e.buf.lines[s.line]
	i := s.col
	skip := func(in bool) {
		for i > 0 {
			r, size := utf8.DecodeLastRuneInString(l[:i])
			if inWord(r) != in {
				return
			}
			i -= size
		}
	}
	skip(false)
	skip(true)
	return spot{s.line, i}
}

// home goes to the first character of the row that is not blank, and from there to its start.
func (e *Editor) home() {
	e.segs = e.layout.segments(e.caret.row, e.segs[:0])
	text := ""
	for _, s := range e.segs {
		text += s.text
	}
	col := len(text) - len(strings.TrimLeft(text, " \t"))
	if e.caret.col == col {
		col = 0
	}
	e.moveCaret(pos{e.caret.row, col}, e.shift)
}

// TypedShortcut edits by the keys that every editor has; what it has no use for goes to the window.
func (e *Editor) TypedShortcut(s fyne.Shortcut) {
	if e.OnShortcut != nil && e.OnShortcut(s) {
		return
	}
	switch s := s.(type) {
	case *fyne.ShortcutCut:
		e.Cut()
	case *fyne.ShortcutCopy:
		e.Copy()
	case *fyne.ShortcutPaste:
		e.Paste()
	case *fyne.ShortcutUndo:
		e.Undo()
	case *fyne.ShortcutRedo:
		e.Redo()
	case *desktop.CustomShortcut:
		if !e.control(s) {
			e.View.TypedShortcut(s)
		}
	default:
		e.View.TypedShortcut(s)
	}
}

// control takes a key pressed with Ctrl.
func (e *Editor) control(s *desktop.CustomShortcut) bool {
	if s.Modifier&^fyne.KeyModifierShift != fyne.KeyModifierShortcutDefault {
		return false
	}
	shift := s.Modifier&fyne.KeyModifierShift != 0
	at := e.lines().spotOf(e.caret)
	switch {
	case s.KeyName == fyne.KeyTab:
		e.leave(!shift, nil)
	case s.KeyName == fyne.KeyZ && shift:
		e.Redo()
	case s.KeyName == fyne.KeyI && shift:
		e.Format()
	case s.KeyName == fyne.KeyH && !shift && e.OnReplace != nil:
		e.OnReplace()
	case s.KeyName == fyne.KeyLeft:
		e.moveCaret(e.lines().placeOf(e.wordStart(at)), shift)
	case s.KeyName == fyne.KeyRight:
		e.moveCaret(e.lines().placeOf(e.wordEnd(at)), shift)
	case s.KeyName == fyne.KeyBackspace:
		e.erase(false, true)
	case s.KeyName == fyne.KeyDelete:
		e.erase(true, true)
	default:
		return false
	}
	return true
}

// TappedSecondary shows the menu.
func (e *Editor) TappedSecondary(ev *fyne.PointEvent) {
	p := e.placeAt(ev.Position)
	if from, to := ordered(e.caret, e.anchor); from == to || p.before(from) || to.before(p) {
		e.moveCaret(p, false)
	}
	e.showMenu(e.menu(), ev.AbsolutePosition)
}

func (e *Editor) menu() *fyne.Menu {
	items := []*fyne.MenuItem{
		fyne.NewMenuItem("Cut", e.Cut), fyne.NewMenuItem("Copy", e.Copy), fyne.NewMenuItem("Paste", e.Paste),
		fyne.NewMenuItem("Select all", e.SelectAll), fyne.NewMenuItemSeparator(),
		fyne.NewMenuItem("Undo", e.Undo), fyne.NewMenuItem("Redo", e.Redo),
	}
	control := func(text string, key fyne.KeyName, do func()) {
		if do != nil {
			i := fyne.NewMenuItem(text, do)
			i.Shortcut = &desktop.CustomShortcut{KeyName: key, Modifier: fyne.KeyModifierShortcutDefault}
			items = append(items, i)
		}
	}
	if e.OnFind != nil {
		items = append(items, fyne.NewMenuItemSeparator())
	}
	control("Find …", fyne.KeyF, e.OnFind)
	control("Replace …", fyne.KeyH, e.OnReplace)
	control("Go to …", fyne.KeyL, e.OnGoTo)
	items = append(items, checked(e.numbers, fyne.NewMenuItem("Line numbers", e.toggleNumbers)),
		checked(e.wrap, fyne.NewMenuItem("Wrap lines", e.toggleWrap)))
	if e.json {
		format := fyne.NewMenuItem("Format", func() { e.Format() })
		format.Disabled = e.syntax != nil
		format.Shortcut = &desktop.CustomShortcut{KeyName: fyne.KeyI, Modifier: fyne.KeyModifierShortcutDefault | fyne.KeyModifierShift}
		items = append(items, fyne.NewMenuItemSeparator(), format)
	}
	if e.Menu != nil {
		value, _ := e.ValueAtCaret()
		if more := e.Menu(value); len(more) > 0 {
			items = append(append(items, fyne.NewMenuItemSeparator()), more...)
		}
	}
	return fyne.NewMenu("", items...)
}
