package textview

import (
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"mcploupe/protocol"
	"mcploupe/ui/widget"
)

// placeAt returns the place nearest to a position in the widget.
func (v *View) placeAt(at fyne.Position) pos {
	row := v.RowNear(at)
	if row < 0 {
		return pos{}
	}
	v.segs = v.layout.segments(row, v.segs[:0])
	return pos{row, xCol(v.segs, v.font, at.X+v.OffsetX()-v.textX())}
}

// MouseDown takes the focus, folds in the gutter, or begins a selection.
func (v *View) MouseDown(e *desktop.MouseEvent) {
	if v.OnPress != nil {
		v.OnPress(true)
	}
	v.Focus()
	if e.Button != desktop.MouseButtonPrimary || v.PressBar(e.Position) {
		return
	}
	if e.Position.X < v.gutter {
		v.pressGutter(e.Position)
		return
	}
	if v.linkAt(e.Position) {
		v.moveCaret(pos{v.RowAt(e.Position), 0}, false)
		v.openNode(v.pretty.lines[v.RowAt(e.Position)].node())
		return
	}
	v.moveCaret(v.placeAt(e.Position), e.Modifier&fyne.KeyModifierShift != 0)
	v.dragging = true
}

// pressGutter folds, or reports the problem whose mark is there.
func (v *View) pressGutter(at fyne.Position) {
	row := v.RowAt(at)
	if row < 0 {
		return
	}
	if from, to := v.problemsOf(row); from < to && v.OnProblem != nil && at.X < 2*v.font.Rune('0') {
		v.OnProblem(v.problems[from])
		return
	}
	v.Toggle(row)
}

// linkAt reports whether a link is at a position.
func (v *View) linkAt(at fyne.Position) bool {
	row := v.RowAt(at)
	if row < 0 || v.OnOpen == nil || v.Mode() != Pretty || at.X < v.gutter {
		return false
	}
	v.segs = v.layout.segments(row, v.segs[:0])
	x := at.X + v.OffsetX() - v.textX()
	col := 0
	for _, s := range v.segs {
		if s.link && s.text[0] == '[' && x >= colX(v.segs, v.font, col) && x < colX(v.segs, v.font, col+len(s.text)) {
			return true
		}
		col += len(s.text)
	}
	return false
}

// openNode opens what the string of a node holds, and reports whether there is something to open.
func (v *View) openNode(i int) bool {
	c := v.index.content(i)
	if v.OnOpen == nil || c.verb() == "" {
		return false
	}
	v.OnOpen(v.index.valueOf(i), c)
	return true
}

// Open opens what the string at the caret holds, and reports whether there is something to open.
func (v *View) Open() bool {
	if v.editor != nil || !v.index.JSON() {
		return false
	}
	if v.Mode() == Pretty {
		return v.openNode(v.pretty.lines[v.caret.row].node())
	}
	return v.openNode(v.index.at(max(0, v.offsetOf(v.caret))))
}

// MouseUp ends a selection.
func (v *View) MouseUp(*desktop.MouseEvent) {
	v.dragging = false
	if v.OnPress != nil {
		v.OnPress(false)
	}
}

// Dragged moves a scroll bar or the end of the selection.
func (v *View) Dragged(e *fyne.DragEvent) {
	if !v.dragging {
		v.DragBar(e)
		return
	}
	switch height := v.Size().Height; {
	case e.Position.Y < 0:
		v.ScrollBy(float64(e.Position.Y))
	case e.Position.Y > height:
		v.ScrollBy(float64(e.Position.Y - height))
	}
	v.caret = v.placeAt(e.Position)
	if v.editor != nil {
		v.editor.caretMoved()
	}
	v.Redraw(false)
}

// DragEnd ends it.
func (v *View) DragEnd() {
	v.dragging = false
	v.EndDrag()
}

// DoubleTapped opens what is folded, or selects a word.
func (v *View) DoubleTapped(e *fyne.PointEvent) {
	if e.Position.X < v.gutter {
		return
	}
	p := v.placeAt(e.Position)
	if v.Mode() == Pretty && v.pretty.folded(v.pretty.lines[p.row].node()) {
		v.Toggle(p.row)
		return
	}
	v.segs = v.layout.segments(p.row, v.segs[:0])
	from, to := wordAt(v.segs, p.col)
	v.moveCaret(pos{p.row, from}, false)
	v.moveCaret(pos{p.row, to}, true)
}

// wordAt returns the word around col of a row, or the character there.
func wordAt(segs []segment, col int) (from, to int) {
	var text string
	for _, s := range segs {
		text += s.text
	}
	inWord := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-' || r == '.'
	}
	from, to = min(col, len(text)), min(col, len(text))
	for from > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:from])
		if !inWord(r) {
			break
		}
		from -= size
	}
	for to < len(text) {
		r, size := utf8.DecodeRuneInString(text[to:])
		if !inWord(r) && to > from {
			break
		}
		if to += size; !inWord(r) {
			break
		}
	}
	return from, to
}

// TappedSecondary shows the menu.
func (v *View) TappedSecondary(e *fyne.PointEvent) {
	p := v.placeAt(e.Position)
	if from, to := ordered(v.caret, v.anchor); from == to || p.before(from) || to.before(p) {
		v.moveCaret(p, false)
	}
	v.showMenu(v.menu(), e.AbsolutePosition)
}

func (v *View) showMenu(m *fyne.Menu, at fyne.Position) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(v.Widget()); c != nil {
		widget.ShowPopUpMenuAtPosition(m, c, at)
	}
}

// menuByKey shows the menu below the caret.
func (v *View) menuByKey() {
	m := v.menu()
	if v.editor != nil {
		m = v.editor.menu()
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(v.Widget())
	v.showMenu(m, at.AddXY(v.textX()+v.xOf(v.caret)-v.OffsetX(), v.RowTop(v.caret.row)+v.RowHeight()))
}

// MouseIn follows the mouse.
func (v *View) MouseIn(e *desktop.MouseEvent) { v.MouseMoved(e) }

// MouseMoved says what the problems of the row are whose mark or text the mouse is on.
func (v *View) MouseMoved(e *desktop.MouseEvent) {
	v.mouse = e.Position
	v.hover(v.problemsAt(e.Position))
}

// problemsAt returns the problems at a position: all of the row in the gutter, in the text those that are marked there.
func (v *View) problemsAt(at fyne.Position) []protocol.Problem {
	row := v.RowAt(at)
	if row < 0 {
		return nil
	}
	from, to := v.problemsOf(row)
	if from == to || at.X < v.gutter {
		return v.problems[from:to]
	}
	v.segs = v.layout.segments(row, v.segs[:0])
	var found []protocol.Problem
	for _, p := range v.problems[from:to] {
		left, right := markSpan(v.segs, p.Offset)
		x := at.X + v.OffsetX() - v.textX()
		if x >= colX(v.segs, v.font, left) && x <= colX(v.segs, v.font, right) {
			found = append(found, p)
		}
	}
	return found
}

// MouseOut follows the mouse.
func (v *View) MouseOut() { v.hover(nil) }

// hover shows what some problems are beside the mouse, or nothing.
func (v *View) hover(problems []protocol.Problem) {
	if len(problems) == 0 {
		v.tip.hide()
		return
	}
	worst, _ := protocol.Worst(problems)
	v.tip.show(tipText(problems), worst, v.mouse, v.Size())
}

// Cursor is an I over text.
func (v *View) Cursor() desktop.Cursor {
	if v.mouse.X < v.gutter || v.mouse.X > v.ViewWidth() {
		return desktop.DefaultCursor
	}
	if v.linkAt(v.mouse) {
		return desktop.PointerCursor
	}
	return desktop.TextCursor
}

// FocusGained is for the toolkit.
func (v *View) FocusGained() { v.SetFocused(true) }

// FocusLost is for the toolkit.
func (v *View) FocusLost() {
	v.shift = false
	v.SetFocused(false)
}

// KeyDown remembers Shift, which key events do not carry.
func (v *View) KeyDown(e *fyne.KeyEvent) { v.shift = v.shift || isShift(e.Name) }

// KeyUp forgets it.
func (v *View) KeyUp(e *fyne.KeyEvent) { v.shift = v.shift && !isShift(e.Name) }

func isShift(k fyne.KeyName) bool { return k == desktop.KeyShiftLeft || k == desktop.KeyShiftRight }

// moveCaret puts the caret somewhere and shows it; extend keeps the other end of the selection.
func (v *View) moveCaret(p pos, extend bool) {
	v.caret = p
	if !extend {
		v.anchor = p
	}
	if v.editor != nil {
		v.editor.caretMoved()
	}
	v.showCaret()
}

// showCaret scrolls to the caret.
func (v *View) showCaret() {
	p := v.caret
	v.Reveal(p.row)
	x := v.xOf(p) + v.textX()
	switch {
	case x-v.textX() < v.OffsetX():
		v.ScrollX(x - v.textX() - 4*textPad)
	case x > v.OffsetX()+v.ViewWidth()-textPad:
		v.ScrollX(x - v.ViewWidth() + 4*textPad)
	}
	v.Redraw(false)
}

// TypedKey moves the caret.
func (v *View) TypedKey(e *fyne.KeyEvent) {
	p := v.caret
	last := v.layout.rows() - 1
	v.segs = v.layout.segments(min(p.row, last), v.segs[:0])
	switch e.Name {
	case fyne.KeyUp:
		p = v.vertical(-1)
	case fyne.KeyDown:
		p = v.vertical(1)
	case fyne.KeyPageUp:
		p = v.vertical(-v.Page())
	case fyne.KeyPageDown:
		p = v.vertical(v.Page())
	case fyne.KeyLeft:
		if p.col > 0 {
			p.col = stepCol(v.segs, v.font, p.col, false)
		} else if p.row > 0 {
			v.segs = v.layout.segments(p.row-1, v.segs[:0])
			p = pos{p.row - 1, rowLen(v.segs)}
			if v.layout.soft(p.row) { // the end of that row is where the caret was
				p.col = stepCol(v.segs, v.font, p.col, false)
			}
		}
	case fyne.KeyRight:
		if p.col < rowLen(v.segs) {
			p.col = stepCol(v.segs, v.font, p.col, true)
			if p.col == rowLen(v.segs) && p.row < last && v.layout.soft(p.row) {
				p = pos{p.row + 1, 0}
			}
		} else if p.row < last {
			p = pos{p.row + 1, 0}
		}
	case fyne.KeyHome:
		p.col = 0
	case fyne.KeyEnd:
		p.col = rowLen(v.segs)
	case fyne.KeyReturn, fyne.KeyEnter:
		if !v.Open() {
			v.Toggle(p.row)
		}
		return
	case fyne.KeySpace:
		v.Toggle(p.row)
		return
	case fyne.KeyEscape, fyne.KeyBackspace:
		if v.OnBack == nil {
			widget.Leave(e)
			return
		}
		v.OnBack()
		return
	case fyne.KeyF3:
		v.Step(!v.shift)
		return
	case desktop.KeyMenu:
		v.menuByKey()
		return
	case fyne.KeyF10:
		if v.shift {
			v.menuByKey()
		}
		return
	default:
		widget.Leave(e)
		return
	}
	v.moveCaret(p, v.shift)
}

// vertical returns the place n rows below the caret, in the same column of the screen.
func (v *View) vertical(n int) pos {
	row := min(max(0, v.caret.row+n), v.layout.rows()-1)
	x := v.xOf(v.caret)
	v.segs = v.layout.segments(row, v.segs[:0])
	return pos{row, xCol(v.segs, v.font, x)}
}

// TypedShortcut copies, selects, jumps and finds; everything else goes to the window.
func (v *View) TypedShortcut(s fyne.Shortcut) {
	switch s := s.(type) {
	case *fyne.ShortcutCopy:
		v.Copy()
		return
	case *fyne.ShortcutSelectAll:
		v.SelectAll()
		return
	case *desktop.CustomShortcut:
		if s.Modifier&^fyne.KeyModifierShift == fyne.KeyModifierShortcutDefault && v.jump(s) {
			return
		}
	}
	v.ForwardShortcut(s)
}

// jump takes a key pressed with Ctrl.
func (v *View) jump(s *desktop.CustomShortcut) bool {
	extend := s.Modifier&fyne.KeyModifierShift != 0
	last := v.layout.rows() - 1
	switch s.KeyName {
	case fyne.KeyHome:
		v.moveCaret(pos{}, extend)
	case fyne.KeyEnd:
		v.segs = v.layout.segments(last, v.segs[:0])
		v.moveCaret(pos{last, rowLen(v.segs)}, extend)
	case fyne.KeyF:
		if v.OnFind == nil {
			return false
		}
		v.OnFind()
	case fyne.KeyL:
		if v.OnGoTo == nil {
			return false
		}
		v.OnGoTo()
	case fyne.KeyG:
		v.Step(!extend)
	default:
		return false
	}
	return true
}

// Finder is a widget that can be searched while it has the keyboard: a View, an Editor, or a field of their FindBar. A
// window whose menu has the keys for finding asks it first.
type Finder interface {
	AskFind() bool              // as Ctrl+F; false when there is no bar to search with
	FindNext(forward bool) bool // as F3; false when nothing is searched
}

// AskFind opens the bar to search with.
func (v *View) AskFind() bool {
	if v.OnFind == nil {
		return false
	}
	v.OnFind()
	return true
}

// FindNext goes to another place that was found.
func (v *View) FindNext(forward bool) bool {
	if v.query == "" {
		return false
	}
	v.Step(forward)
	return true
}
