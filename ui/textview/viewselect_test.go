package textview

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
)

func TestSelectionByMouseAcrossRows(t *testing.T) {
	v := newView(t, small)
	v.drag(v.at(1, 3), v.at(3, 5))
	if got, want := v.SelectedText(), "name\": \"echo\",\n  \"args\": [\n    1"; got != want {
		t.Errorf("selected %q, want %q", got, want)
	}
	v.TypedShortcut(&fyne.ShortcutCopy{})
	if got := fyne.CurrentApp().Clipboard().Content(); got != v.SelectedText() {
		t.Errorf("clipboard holds %q", got)
	}
	v.press(v.at(4, 0), fyne.KeyModifierShift)
	if got := v.SelectedText(); !strings.HasSuffix(got, "1.0,\n") {
		t.Errorf("Shift+click selects %q", got)
	}
	if p := slotOf(v, 2); p.nUnder != 1 || p.under[0].Hidden {
		t.Error("the selection is not drawn")
	}
	v.drag(v.at(3, 0), fyne.NewPos(v.textX()+1, -500)) // upwards, out of the window
	if v.caret.row != 0 {
		t.Errorf("dragging above the window selects to row %d", v.caret.row)
	}
}

func TestSelectAllInRawModeCopiesTheBytes(t *testing.T) {
	raw := "{\"a\" :\t1.0,\r\n \"b\":\"" + strings.Repeat("x\u202e", 900) + "\"}"
	v := newView(t, raw)
	v.SetMode(Raw)
	v.TypedShortcut(&fyne.ShortcutSelectAll{})
	if got := v.SelectedText(); got != raw {
		t.Errorf("selected %q", got)
	}
}

func TestClipboardTakesNoNUL(t *testing.T) {
	v := newView(t, "a\x00b\xff")
	v.SelectAll()
	v.Copy()
	if got := fyne.CurrentApp().Clipboard().Content(); got != "a␀b\ufffd" {
		t.Errorf("clipboard holds %q", got)
	}
}

func TestCopyWithoutSelectionCopiesTheValue(t *testing.T) {
	v := newView(t, small)
	v.press(v.at(2, 4), 0)
	v.Copy()
	if got := fyne.CurrentApp().Clipboard().Content(); got != "[1.0,9007199254740993]" {
		t.Errorf("clipboard holds %q", got)
	}
	if val, _ := v.ValueAtCaret(); val.Pointer != "/args" || val.Kind != "array" {
		t.Errorf("value is %+v", val)
	}
	v.press(v.at(4, 6), 0)
	if val, _ := v.ValueAtCaret(); val.Pointer != "/args/1" {
		t.Errorf("value is %+v", val)
	}
}

func TestPointerEscapes(t *testing.T) {
	raw := `{"a/b~c":{"é\n":1,"\/":2}}`
	x := build(t, raw)
	for text, want := range map[string]string{"1": "/a~1b~0c/é\n", "2": "/a~1b~0c/~1"} {
		if v, _ := x.Value(strings.LastIndex(raw, text)); v.Pointer != want {
			t.Errorf("pointer of %s is %q, want %q", text, v.Pointer, want)
		}
	}
}

func TestKeyboardCaret(t *testing.T) {
	v := newView(t, small)
	v.Focus()
	keys(v, fyne.KeyDown, fyne.KeyEnd)
	withShift(v, fyne.KeyLeft, fyne.KeyLeft)
	if got := v.SelectedText(); got != `",` {
		t.Errorf("selected %q", got)
	}
	keys(v, fyne.KeyHome, fyne.KeyLeft)
	if v.caret != (pos{0, 1}) {
		t.Errorf("left of a line's start is %v", v.caret)
	}
	keys(v, fyne.KeyRight)
	if v.caret != (pos{1, 0}) {
		t.Errorf("right of a line's end is %v", v.caret)
	}
	ctrl(v, fyne.KeyEnd)
	if v.caret != (pos{7, 1}) {
		t.Errorf("Ctrl+End is %v", v.caret)
	}
	ctrl(v, fyne.KeyHome)
	keys(v, fyne.KeyPageDown)
	if v.caret.row != 7 {
		t.Errorf("a page below the start is %v", v.caret)
	}
	if v.caretRect.Hidden {
		t.Error("the caret is not drawn")
	}
	keys(v, fyne.KeyUp, fyne.KeyUp, fyne.KeyReturn)
	if got := shown(v); got[2] != `  "args": [ … 2 elements ],` {
		t.Errorf("Enter on the closing line does not fold: %q", got)
	}
}
