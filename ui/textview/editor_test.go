package textview

import (
	"math/rand/v2"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"mcploupe/protocol"
	look "mcploupe/ui/theme"
	"mcploupe/ui/widget"
)

func newEditor(t testing.TB, text string) *Editor {
	t.Helper()
	test.NewTempApp(t)
	fyne.CurrentApp().Settings().SetTheme(look.New(look.Options{Mode: look.Light}))
	e := NewEditor()
	w := test.NewTempWindow(t, e)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(600, 18*20))
	e.SetText(text)
	e.Focus()
	return e
}

// typeIn types s as a keyboard does.
func typeIn(e *Editor, s string) {
	for _, r := range s {
		switch r {
		case '\n':
			keys(e, fyne.KeyReturn)
		case '\t':
			keys(e, fyne.KeyTab)
		case '\b':
			keys(e, fyne.KeyBackspace)
		default:
			e.TypedRune(r)
		}
	}
}

// caretAt puts the caret before the first sub in the text.
func caretAt(e *Editor, sub string) {
	e.moveCaret(e.lines().placeOf(e.spotAt(strings.Index(e.Text(), sub))), false)
}

func TestTyping(t *testing.T) {
	for _, tt := range []struct{ name, start, typed, want string }{
		{"plain", "", `{"a":1}`, `{"a":1}`},
		{"erase", "", "abc\b\bx", "ax"},
		{"erase a line end", "ab\ncd", "", "ab\ncd"},
		{"unicode", "", "é日🙂\b", "é日"},
		{"object", "", "{\n\"a\": [\n1\n]\n}", "{\n  \"a\": [\n    1\n  ]\n}"},
		{"tab", "", "\tx", "  x"},
		{"erase a level", "", "{\n1,\n\b}", "{\n  1,\n}"},
		{"blanks are kept", "", "a  ", "a  "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := newEditor(t, tt.start)
			typeIn(e, tt.typed)
			if got := e.Text(); got != tt.want {
				t.Errorf("text is %q, want %q", got, tt.want)
			}
		})
	}
}

func TestEnterBetweenBrackets(t *testing.T) {
	e := newEditor(t, `{"a":{}}`)
	caretAt(e, "}}")
	typeIn(e, "\n\"b\":1")
	if got, want := e.Text(), "{\"a\":{\n  \"b\":1\n}}"; got != want {
		t.Errorf("text is %q, want %q", got, want)
	}
}

func TestTextIsKeptExactly(t *testing.T) {
	for _, s := range []string{"", "\n", "a\r\nb", "{\"n\": 9007199254740993, \"x\": 1.0, \"y\": 1e400}", "\x00\xff\u202e\t", "{'bad':"} {
		e := newEditor(t, s)
		if e.Text() != s {
			t.Errorf("%q comes back as %q", s, e.Text())
		}
		ctrl(e, fyne.KeyEnd)
		typeIn(e, "x\b")
		if e.Text() != s {
			t.Errorf("%q is %q after typing and erasing a letter", s, e.Text())
		}
	}
}

func TestSelectionIsReplaced(t *testing.T) {
	e := newEditor(t, "one two\nthree")
	e.drag(e.at(0, 4), e.at(1, 3))
	typeIn(e, "X")
	if e.Text() != "one Xee" {
		t.Errorf("text is %q", e.Text())
	}
	e.TypedShortcut(&fyne.ShortcutUndo{})
	if e.Text() != "one two\nthree" {
		t.Errorf("undone to %q", e.Text())
	}
	e.TypedShortcut(&fyne.ShortcutRedo{})
	if e.Text() != "one Xee" {
		t.Errorf("redone to %q", e.Text())
	}
}

func TestUndoTakesBackRunsOfTyping(t *testing.T) {
	e := newEditor(t, "")
	typeIn(e, "abc")
	keys(e, fyne.KeyLeft)
	typeIn(e, "xy")
	e.Undo()
	if e.Text() != "abc" || e.caret != (pos{0, 2}) {
		t.Errorf("undone to %q with the caret at %v", e.Text(), e.caret)
	}
	e.Undo()
	if e.Text() != "" {
		t.Errorf("undone to %q", e.Text())
	}
	ctrlShift := &desktop.CustomShortcut{KeyName: fyne.KeyZ, Modifier: fyne.KeyModifierShortcutDefault | fyne.KeyModifierShift}
	e.TypedShortcut(ctrlShift)
	if e.Text() != "abc" {
		t.Errorf("redone to %q", e.Text())
	}
}

func TestClipboard(t *testing.T) {
	e := newEditor(t, "one two")
	e.drag(e.at(0, 0), e.at(0, 4))
	e.TypedShortcut(&fyne.ShortcutCut{})
	if e.Text() != "two" || fyne.CurrentApp().Clipboard().Content() != "one " {
		t.Errorf("after cutting %q, clipboard %q", e.Text(), fyne.CurrentApp().Clipboard().Content())
	}
	ctrl(e, fyne.KeyEnd)
	fyne.CurrentApp().Clipboard().SetContent(" a\r\nb")
	e.TypedShortcut(&fyne.ShortcutPaste{})
	if e.Text() != "two a\nb" {
		t.Errorf("after pasting %q", e.Text())
	}
	e.TypedShortcut(&fyne.ShortcutSelectAll{})
	e.TypedShortcut(&fyne.ShortcutCopy{})
	if got := fyne.CurrentApp().Clipboard().Content(); got != "two a\nb" {
		t.Errorf("clipboard holds %q", got)
	}
}

func TestWords(t *testing.T) {
	e := newEditor(t, `{"first name": true}`)
	ctrl(e, fyne.KeyRight)
	if e.caret.col != len(`{"first`) {
		t.Errorf("caret at %d", e.caret.col)
	}
	ctrl(e, fyne.KeyDelete)
	if e.Text() != `{"first": true}` {
		t.Errorf("text is %q", e.Text())
	}
	ctrl(e, fyne.KeyBackspace)
	if e.Text() != `{"": true}` {
		t.Errorf("text is %q", e.Text())
	}
	ctrl(e, fyne.KeyEnd)
	ctrl(e, fyne.KeyLeft)
	if e.caret.col != len(`{"": `) {
		t.Errorf("caret at %d", e.caret.col)
	}
}

func TestTabKeys(t *testing.T) {
	test.NewTempApp(t)
	before, after := widget.NewButton("before", nil), widget.NewButton("after", nil)
	e := NewEditor()
	w := test.NewTempWindow(t, container.NewVBox(before, e, after))
	w.Resize(fyne.NewSize(300, 300))
	e.SetText("a\nb\nc")
	focused := func() any { return w.Canvas().Focused() }
	e.Focus()
	e.drag(e.at(0, 0), e.at(1, 1))
	keys(e, fyne.KeyTab)
	if e.Text() != "  a\n  b\nc" || focused() != e {
		t.Errorf("Tab over two lines gives %q", e.Text())
	}
	withShift(e, fyne.KeyTab)
	if focused() != before {
		t.Error("Shift+Tab does not go to the widget before")
	}
	e.Focus()
	ctrl(e, fyne.KeyTab)
	if focused() != after {
		t.Error("Ctrl+Tab does not go to the widget after")
	}
	e.Focus()
	keys(e, fyne.KeyEscape)
	if focused() == e {
		t.Error("Esc does not leave")
	}
	e.Focus()
	escaped := false
	e.OnEscape = func() { escaped = true }
	keys(e, fyne.KeyEscape)
	if !escaped || focused() != e {
		t.Error("Esc does not ask the owner")
	}
}

func TestOnChanged(t *testing.T) {
	e := newEditor(t, "")
	n := 0
	e.OnChanged = func() { n++ }
	e.SetText("x")
	if n != 0 {
		t.Error("SetText calls back")
	}
	typeIn(e, "ab")
	keys(e, fyne.KeyRight)
	e.Undo()
	if n != 3 {
		t.Errorf("%d calls for two letters and an undo", n)
	}
	e.SetReadOnly(true)
	typeIn(e, "zz")
	e.Undo()
	e.Redo()
	if n != 3 || e.Text() != "x" {
		t.Errorf("a read-only editor changed to %q", e.Text())
	}
}

func TestSyntaxError(t *testing.T) {
	e := newEditor(t, "{\n  \"é\": 1,\n  \"b\" 2\n}")
	line, col, text, ok := e.SyntaxError()
	if !ok || line != 3 || col != 7 || text != "expected a colon" {
		t.Errorf("line %d, column %d: %s", line, col, text)
	}
	if p := slotOf(e, 2); p.remark.Text != "✖" || p.nOver == 0 {
		t.Error("the error is not marked")
	}
	caretAt(e, " 2")
	typeIn(e, ":")
	if _, _, _, ok := e.SyntaxError(); ok {
		t.Error("the error stays after it was mended")
	}
	if line, col := e.Caret(); line != 3 || col != 7 {
		t.Errorf("the caret is in line %d, column %d", line, col)
	}
	e.SetText("")
	if _, _, _, ok := e.SyntaxError(); ok {
		t.Error("an empty text is an error")
	}
	e.SetText("plain")
	e.SetJSON(false)
	if _, _, _, ok := e.SyntaxError(); ok {
		t.Error("text that is not meant to be JSON is an error")
	}
}

func TestProblemsMoveWithTheText(t *testing.T) {
	e := newEditor(t, `{"a":1,"b":2}`)
	e.SetProblems([]protocol.Problem{{Severity: protocol.Warning, Offset: strings.Index(e.Text(), "2"), Text: "two"}})
	typeIn(e, "\n\n")
	if got := e.problems[0].Offset; e.Text()[got] != '2' {
		t.Errorf("the mark is at %d of %q", got, e.Text())
	}
	e.Undo()
	e.Undo()
	if got := e.problems[0].Offset; e.Text()[got] != '2' {
		t.Errorf("after undo the mark is at %d of %q", got, e.Text())
	}
}

func TestBracketMatching(t *testing.T) {
	text := "{\"a\": [1, \"]}\", {\n}],\n\"b\": {}}"
	e := newEditor(t, text)
	for _, tt := range []struct{ at, partner int }{
		{0, len(text) - 1}, {len(text), 0}, {strings.Index(text, "["), strings.Index(text, "],")},
		{strings.Index(text, "],") + 1, strings.Index(text, "[")}, {strings.Index(text, `]}"`), -1},
	} {
		_, partner, ok := e.buf.match(e.spotAt(tt.at))
		if !ok && tt.partner >= 0 || ok && e.buf.offset(partner) != tt.partner {
			t.Errorf("at %d: partner %d %v, want %d", tt.at, e.buf.offset(partner), ok, tt.partner)
		}
	}
	ctrl(e, fyne.KeyHome)
	if p := slotOf(e, 0); p.nUnder != 1 {
		t.Errorf("%d marks on the first row", p.nUnder)
	}
	if p := slotOf(e, 2); p.nUnder != 1 {
		t.Errorf("%d marks on the last row", p.nUnder)
	}
	e.SetText("[[")
	if _, _, ok := e.buf.match(spot{}); ok {
		t.Error("a bracket without partner has one")
	}
}

func TestFindInTheEditor(t *testing.T) {
	e := newEditor(t, "one\ntwo one\nOne")
	e.Find("one")
	if n, of := e.Hit(); n != 1 || of != 3 {
		t.Fatalf("stands on %d of %d", n, of)
	}
	e.Step(true)
	if e.caret != (pos{1, 4}) {
		t.Errorf("the second place is %v", e.caret)
	}
	typeIn(e, "x\b")
	typeIn(e, "\none ")
	if _, of := e.Hit(); of != 4 {
		t.Errorf("%d places after one was typed", of)
	}
}

func TestFormat(t *testing.T) {
	e := newEditor(t, `{"b":1.0,"a":[9007199254740993,{}],"b":"\u00e9 1e400"}`)
	if !e.Format() {
		t.Fatal("valid JSON is not formatted")
	}
	want := "{\n  \"b\": 1.0,\n  \"a\": [\n    9007199254740993,\n    {}\n  ],\n  \"b\": \"\\u00e9 1e400\"\n}"
	if e.Text() != want {
		t.Errorf("formatted to\n%s\nwant\n%s", e.Text(), want)
	}
	e.Undo()
	if strings.Contains(e.Text(), "\n") {
		t.Error("formatting cannot be taken back")
	}
	e.SetText("{")
	if e.Format() {
		t.Error("what is not JSON is formatted")
	}
}

func TestPlaceholderOfTheEditor(t *testing.T) {
	e := newEditor(t, "")
	e.SetPlaceholder("arguments as JSON")
	if e.placeholder.Hidden {
		t.Error("an empty editor shows no placeholder")
	}
	typeIn(e, "x")
	if !e.placeholder.Hidden {
		t.Error("the placeholder stays")
	}
}

func TestEditorAsksForItsRows(t *testing.T) {
	e := newEditor(t, strings.Repeat("x\n", 1000))
	e.SetMinRows(6)
	if got, want := e.MinSize().Height, 6*e.RowHeight()+2*framePad; got != want {
		t.Errorf("least height %v, want %v", got, want)
	}
	if e.MinSize().Width > 200 {
		t.Errorf("least width %v", e.MinSize().Width)
	}
}

// Whatever is pressed, caret and text stay sound, and undo leads back to the start.
func TestEditorSurvivesAnyKeys(t *testing.T) {
	start := "{\n  \"a\": [1, 2],\n  \"日本\": \"" + strings.Repeat("long ", 60) + "\"\n}"
	e := newEditor(t, start)
	r := rand.New(rand.NewPCG(5, 6))
	names := []fyne.KeyName{fyne.KeyUp, fyne.KeyDown, fyne.KeyLeft, fyne.KeyRight, fyne.KeyHome, fyne.KeyEnd, fyne.KeyPageUp,
		fyne.KeyPageDown, fyne.KeyReturn, fyne.KeyBackspace, fyne.KeyDelete, fyne.KeyTab}
	for step := range 3000 {
		switch r.IntN(8) {
		case 0:
			e.TypedRune([]rune("{}[]\",:1aé日\u0301\u202e")[r.IntN(13)])
		case 1:
			ctrl(e, []fyne.KeyName{fyne.KeyLeft, fyne.KeyRight, fyne.KeyHome, fyne.KeyEnd, fyne.KeyBackspace, fyne.KeyDelete}[r.IntN(6)])
		case 2:
			withShift(e, names[r.IntN(8)])
		case 3:
			e.Resize(fyne.NewSize(200+r.Float32()*600, 100+r.Float32()*300))
		case 4:
			if r.IntN(10) == 0 {
				e.Undo()
			}
		default:
			keys(e, names[r.IntN(len(names))])
		}
		if e.caret.row < 0 || e.caret.row >= e.layout.rows() || e.Count() != e.layout.rows() {
			t.Fatalf("step %d: caret %v, %d rows, %d in the layout", step, e.caret, e.Count(), e.layout.rows())
		}
		var segs []segment
		if segs = e.layout.segments(e.caret.row, segs); e.caret.col > rowLen(segs) {
			t.Fatalf("step %d: caret %v in a row of %d", step, e.caret, rowLen(segs))
		}
		if got := text(e.layout); got != e.Text() {
			t.Fatalf("step %d: rows show %q of %q", step, got, e.Text())
		}
		if s := e.lines().spotOf(e.caret); e.lines().spotOf(e.lines().placeOf(s)) != s {
			t.Fatalf("step %d: spot %v is shown at %v", step, s, e.lines().placeOf(s))
		}
	}
	for n := len(e.buf.undo); n > 0; n-- {
		e.Undo()
	}
	if e.Text() != start && len(e.buf.redo) < undoEdits {
		t.Errorf("all undone is %q", e.Text())
	}
}
