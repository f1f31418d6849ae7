package textview

import (
	"context"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"mcploupe/protocol"
	look "mcploupe/ui/theme"
)

var (
	_ fyne.Widget       = (*Editor)(nil)
	_ fyne.Focusable    = (*Editor)(nil)
	_ fyne.Tabbable     = (*Editor)(nil)
	_ fyne.Shortcutable = (*Editor)(nil)
	_ desktop.Mouseable = (*Editor)(nil)
)

// Editor is a View that a person writes in: JSON, coloured, with undo, bracket matching and marks where it is not
// JSON. It keeps and returns exactly what was typed, valid or not. Tab inserts two blanks; Shift+Tab, Ctrl+Tab and Esc
// leave. Set the callbacks before it is shown; any may be nil.
type Editor struct {
	View

	// OnChanged is called after the person changed the text, not after SetText.
	OnChanged func()
	// OnReplace is called for Ctrl+H, to ask what to replace.
	OnReplace func()
	// OnChecked is called when a text too long to be checked at once has been checked; SyntaxError says the outcome.
	OnChecked func()
	// OnEscape is called for Esc instead of leaving the editor.
	OnEscape func()
	// OnKey is asked first about every key, OnShortcut about every shortcut: true if that was all.
	OnKey      func(e *fyne.KeyEvent) bool
	OnShortcut func(s fyne.Shortcut) bool
	// OnFocus is called when the editor got or lost the keyboard.
	OnFocus func(focused bool)

	buf      *buffer
	json     bool
	readOnly bool
	minRows  int

	given    []protocol.Problem // by SetProblems
	syntax   *SyntaxError
	checking bool // elsewhere
	edits    int  // counts the changes of the text

	self, partner spot // brackets that match at the caret
	matched       bool
	placeholder   *canvas.Text
}

// framePad is the room between the frame and the first row.
const framePad = 3

// checkedSize is up to which size the text is checked on every change: a millisecond or two.
const checkedSize = 128 << 10

// NewEditor returns an empty editor for JSON.
func NewEditor() *Editor {
	e := &Editor{buf: newBuffer(""), json: true, minRows: 3, placeholder: &canvas.Text{}}
	e.editor = e
	e.init(e)
	e.want = Raw
	e.ground = theme.ColorNameInputBackground
	e.SetAbove(framePad, e.placeholder, e.caretRect, e.tip.box)
	e.SetFrame(theme.ColorNameInputBackground)
	e.restylePlaceholder()
	e.changed(0)
	return e
}

// SetJSON switches colouring and checking as JSON.
func (e *Editor) SetJSON(on bool) {
	e.json = on
	e.changed(0)
}

// SetReadOnly keeps the person from changing the text.
func (e *Editor) SetReadOnly(on bool) { e.readOnly = on }

// SetMinRows sets how many rows the editor asks for at least.
func (e *Editor) SetMinRows(n int) { e.minRows = n }

// SetPlaceholder sets the line shown while there is no text.
func (e *Editor) SetPlaceholder(s string) {
	e.placeholder.Text = s
	e.Redraw(false)
}

func (e *Editor) restylePlaceholder() {
	e.placeholder.Color = look.Color(look.ColorMuted)
	e.placeholder.TextSize = look.Size(look.SizeMono)
	e.placeholder.TextStyle = fyne.TextStyle{Monospace: true}
}

// Refresh draws what has changed; after a change of theme, everything.
func (e *Editor) Refresh() {
	e.restylePlaceholder()
	e.View.Refresh()
}

// MinSize asks for the rows of SetMinRows.
func (e *Editor) MinSize() fyne.Size {
	return fyne.NewSize(120, float32(e.minRows)*e.RowHeight()+2*framePad)
}

// Text returns the text exactly as it stands.
func (e *Editor) Text() string { return e.buf.text() }

// SetText replaces the text and forgets what could be undone. The caret goes to the start.
func (e *Editor) SetText(s string) {
	e.buf = newBuffer(s)
	e.given, e.caret, e.anchor, e.wide = nil, pos{}, pos{}, 0
	e.setHits("", Hits{}, false)
	e.SetPlace(0, 0)
	e.changed(0)
}

// lines returns the layout of the text.
func (e *Editor) lines() *editLayout { return e.layout.(*editLayout) }

// changed brings layout, checks and screen up to date after the lines from `from` on have changed.
func (e *Editor) changed(from int) {
	l, ok := e.layout.(*editLayout)
	if gutter := e.gutterWidth(); !ok || l.b != e.buf || l.json != e.json || gutter != e.gutter {
		first, _ := e.Place()
		e.fit(0)
		e.Recount(e.layout.rows(), first)
		l = e.lines()
	}
	l.update(from)
	e.check()
	e.mergeProblems()
	if e.query != "" {
		e.refind()
	}
	e.findBrackets()
	e.placeholder.Hidden = e.buf.size > 0
	e.SetCount(l.rows())
	e.Redraw(true)
}

// check looks whether the text is JSON: at once, or a long one through Run. Until that has an answer, the last one
// stands.
func (e *Editor) check() {
	e.edits++
	if !e.json || e.buf.size == 0 {
		e.checked(nil, nil)
		return
	}
	if e.buf.size > checkedSize {
		if e.Run == nil {
			e.checked(nil, nil)
			return
		}
		e.index = &Index{lines: len(e.buf.lines), err: &SyntaxError{}}
		e.checkLater()
		return
	}
	e.checked(Build(context.Background(), []byte(e.Text())))
}

func (e *Editor) checked(x *Index, err error) {
	e.syntax = nil
	e.index = &Index{lines: len(e.buf.lines), err: &SyntaxError{}}
	if x != nil && err == nil {
		e.index, e.syntax = x, x.Err()
	}
}

// checkLater checks the text elsewhere, and once more when it has changed meanwhile: typing never makes more than one
// check run.
func (e *Editor) checkLater() {
	if e.checking {
		return
	}
	e.checking = true
	edits, lines := e.edits, slices.Clone(e.buf.lines)
	e.Run(func() func() {
		x, err := Build(context.Background(), []byte(strings.Join(lines, "\n")))
		return func() {
			e.checking = false
			switch {
			case e.edits == edits:
				e.checked(x, err)
				e.mergeProblems()
				e.Redraw(true)
				if e.OnChecked != nil {
					e.OnChecked()
				}
			case e.json && e.buf.size > checkedSize:
				e.checkLater()
			}
		}
	})
}

// Checking reports whether a long text is being checked: SyntaxError is about the text as it was.
func (e *Editor) Checking() bool { return e.checking }

// SyntaxError returns where and why the text is not JSON: line and column in characters, counted from 1. An empty text
// is no error. Text beyond 128 KiB is checked through Run; OnChecked says when.
func (e *Editor) SyntaxError() (line, col int, text string, ok bool) {
	if e.syntax == nil {
		return 0, 0, "", false
	}
	line, col = e.position(e.syntax.Offset)
	return line, col, e.syntax.Text, true
}

// Caret returns the line and column of the caret, in characters, counted from 1.
func (e *Editor) Caret() (line, col int) { return e.position(e.buf.offset(e.lines().spotOf(e.caret))) }

// position returns line and column of a byte of the text, in characters, counted from 1.
func (e *Editor) position(offset int) (line, col int) {
	s := e.spotAt(offset)
	return s.line + 1, utf8.RuneCountInString(e.buf.lines[s.line][:s.col]) + 1
}

// spotAt returns the spot of a byte of the text.
func (e *Editor) spotAt(offset int) spot {
	offs := e.lines().offs
	line := min(sort.SearchInts(offs, offset+1)-1, len(e.buf.lines)-1)
	return e.buf.clip(spot{max(0, line), offset - offs[max(0, line)]})
}

// lineOffset returns the byte at a line and a column in characters, both from 1.
func (e *Editor) lineOffset(line, col int) (offset int, ok bool) {
	if line < 1 || line > len(e.buf.lines) {
		return 0, false
	}
	return e.lines().offs[line-1] + column([]byte(e.buf.lines[line-1]), col), true
}

// SetProblems marks findings at their byte offsets in the text, beside the editor's own mark for broken JSON. They
// move with the text until they are set again.
func (e *Editor) SetProblems(problems []protocol.Problem) {
	e.given = append(e.given[:0:0], problems...)
	e.mergeProblems()
	e.Redraw(true)
}

func (e *Editor) mergeProblems() {
	all := e.given
	if e.syntax != nil {
		all = append(all[:len(all):len(all)], protocol.Problem{
			Rule: "json.syntax", Severity: protocol.Violation, Offset: e.syntax.Offset, Text: e.syntax.Text,
		})
	}
	e.View.keepProblems(all)
}

// moveProblems moves the given problems with the text after a change.
func (e *Editor) moveProblems(at, removed, added int) {
	if s := e.syntax; s != nil {
		moved := *s
		if moved.Offset >= at+removed {
			moved.Offset += added - removed
		} else if moved.Offset > at {
			moved.Offset = at
		}
		e.syntax = &moved
	}
	for i := range e.given {
		if p := &e.given[i]; p.Offset >= at+removed {
			p.Offset += added - removed
		} else if p.Offset > at {
			p.Offset = at
		}
	}
}

// refind repeats the search after a change, without moving the caret.
func (e *Editor) refind() {
	hits, err := Search(context.Background(), []byte(e.Text()), e.query)
	if err != nil {
		return
	}
	e.hits = hits
	e.hit = min(e.hit, len(hits.starts)-1)
	e.reportHits()
}

// replace puts s in place of the text between two spots, as the person does, and the caret after it.
func (e *Editor) replace(from, to spot, s string) {
	if e.readOnly || from == to && s == "" {
		return
	}
	l := e.lines()
	at, removed := e.buf.offset(from), e.buf.length(from, to)
	end := e.buf.replace(from, to, s, l.spotOf(e.caret))
	e.moveProblems(at, removed, len(s))
	e.afterEdit(from.line, end)
}

// afterEdit shows a change of the lines from `from` on, with the caret at a spot.
func (e *Editor) afterEdit(from int, caret spot) {
	l := e.lines()
	l.update(from)
	e.caret = l.placeOf(e.buf.clip(caret))
	e.anchor = e.caret
	e.changed(from)
	e.caret = e.lines().placeOf(e.buf.clip(caret)) // the gutter may have grown
	e.anchor = e.caret
	e.showCaret()
	if e.OnChanged != nil {
		e.OnChanged()
	}
}

// selected returns the selected spots in order.
func (e *Editor) selected() (from, to spot) {
	a, b := ordered(e.caret, e.anchor)
	return e.lines().spotOf(a), e.lines().spotOf(b)
}

// insert puts s in place of the selection.
func (e *Editor) insert(s string) {
	from, to := e.selected()
	e.replace(from, to, s)
}

// Undo takes back the last change.
func (e *Editor) Undo() {
	if e.readOnly {
		return
	}
	if d, ok := e.buf.undoLast(); ok {
		e.moveProblems(e.buf.offset(d.at), len(d.inserted), len(d.removed))
		e.afterEdit(d.at.line, d.caret)
		e.buf.seal()
	}
}

// Redo does again what Undo took back.
func (e *Editor) Redo() {
	if e.readOnly {
		return
	}
	if d, ok := e.buf.redoLast(); ok {
		e.moveProblems(e.buf.offset(d.at), len(d.removed), len(d.inserted))
		e.afterEdit(d.at.line, e.buf.after(d.at, d.inserted))
		e.buf.seal()
	}
}

// Cut puts the selected text on the clipboard and takes it out.
func (e *Editor) Cut() {
	if s := e.SelectedText(); s != "" {
		setClipboard(s)
		e.insert("")
	}
}

// Copy puts the selected text on the clipboard.
func (e *Editor) Copy() { setClipboard(e.SelectedText()) }

// Paste puts the clipboard's text in place of the selection, with line ends as the editor writes them.
func (e *Editor) Paste() {
	e.buf.seal()
	e.insert(strings.ReplaceAll(clipboard(), "\r\n", "\n"))
	e.buf.seal()
}

// Format lays JSON out anew with a value on a line, two blanks a level; strings and numbers stay as they are. It
// reports whether the text is JSON. It is one change for Undo.
func (e *Editor) Format() bool {
	s, ok := indented(e.Text())
	if !ok {
		return false
	}
	if s != e.Text() {
		e.buf.seal()
		e.replace(spot{}, e.buf.end(), s)
		e.moveCaret(pos{}, false)
	}
	return true
}

// caretMoved ends the run of typing that undo takes back at once, and looks for brackets.
func (e *Editor) caretMoved() {
	e.buf.seal()
	e.findBrackets()
}

func (e *Editor) findBrackets() {
	e.self, e.partner, e.matched = e.buf.match(e.lines().spotOf(e.caret))
}

// decorateBrackets marks the bracket at the caret and its partner.
func (e *Editor) decorateBrackets(p *painted, row int, x0, height float32) {
	if !e.matched || !e.Focused() {
		return
	}
	for _, s := range [2]spot{e.self, e.partner} {
		at := e.lines().placeOf(s)
		if at.row != row {
			continue
		}
		x := colX(p.segs, e.font, at.col)
		r := p.rect(&p.under, &p.nUnder, look.ColorRowMarked, x0+x, 1, e.font.Rune('{'), height-2)
		r.StrokeWidth, r.StrokeColor, r.CornerRadius = 1, look.Color(look.ColorMuted), 2
	}
}

// AfterRows is for the area: it places caret and placeholder.
func (e *Editor) AfterRows() {
	e.View.AfterRows()
	e.placeholder.Hidden = e.buf.size > 0 || e.placeholder.Text == ""
	e.placeholder.Move(fyne.NewPos(e.textX(), framePad))
	e.placeholder.Resize(fyne.NewSize(max(0, e.ViewWidth()-e.textX()), e.RowHeight()))
}
