package textview

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
)

func TestReplace(t *testing.T) {
	e := newEditor(t, `{"a": "cat", "b": "CAT", "c": "dog"}`)
	changes := 0
	e.OnChanged = func() { changes++ }
	e.Find("cat")
	if !e.ReplaceHit("horse") {
		t.Fatal("nothing was replaced")
	}
	if got := e.Text(); got != `{"a": "horse", "b": "CAT", "c": "dog"}` || changes != 1 {
		t.Errorf("%q after %d changes", got, changes)
	}
	if n, of := e.Hit(); n != 1 || of != 1 || e.SelectedText() != "" {
		t.Errorf("the search stands on %d of %d", n, of)
	}
	e.Undo()
	if n := e.ReplaceAll("a cat"); n != 2 { // what was put in is not replaced again
		t.Errorf("%d were replaced", n)
	}
	if got := e.Text(); got != `{"a": "a cat", "b": "a cat", "c": "dog"}` {
		t.Errorf("%q", got)
	}
	e.Undo()
	if got := e.Text(); got != `{"a": "cat", "b": "CAT", "c": "dog"}` {
		t.Errorf("%q: replacing all is one step to take back", got)
	}
	e.SetReadOnly(true)
	if e.ReplaceHit("x") || e.ReplaceAll("x") != 0 {
		t.Error("a text that cannot be edited was")
	}
}

func TestReplaceThroughTheBar(t *testing.T) {
	e := newEditor(t, "one two one")
	bar := NewFindBar(&e.View)
	c := fyne.CurrentApp().Driver().CanvasForObject(e)
	c.SetContent(bar.Object())
	ctrl(e, fyne.KeyH)
	if bar.replace.Hidden || bar.find.Hidden || c.Focused() != bar.field {
		t.Fatal("Ctrl+H shows no bar to replace with")
	}
	bar.field.SetText("one")
	bar.with.SetText("1")
	bar.with.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if got := e.Text(); got != "1 two one" {
		t.Errorf("%q", got)
	}
	bar.replaceAll()
	if got := e.Text(); got != "1 two 1" || bar.count.Text != "1 replaced" {
		t.Errorf("%q, %q", got, bar.count.Text)
	}
	bar.with.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if !bar.replace.Hidden || c.Focused() != e {
		t.Error("Esc does not close the bar")
	}
	ctrl(e, fyne.KeyL)
	bar.place.SetText("1:3")
	bar.place.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if _, col := e.Caret(); col != 3 || !bar.goTo.Hidden {
		t.Errorf("caret in column %d", col)
	}
	ctrl(e, fyne.KeyL)
	bar.place.SetText("7")
	bar.place.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if bar.goTo.Hidden || bar.said.Text != "no such line" {
		t.Errorf("a line that is not there: %q", bar.said.Text)
	}
}

func FuzzReplaceAll(f *testing.F) {
	f.Add("abcABC", "b", "bb")
	f.Add("aaaa", "aa", "a")
	f.Fuzz(func(t *testing.T, text, query, with string) {
		if query == "" || strings.ToLower(query) != query || !plainASCII(query) || !plainASCII(text) {
			return
		}
		got, n := replaceAll(text, query, with)
		want, at := "", 0
		for lower := strings.ToLower(text); ; {
			k := strings.Index(lower[at:], query)
			if k < 0 {
				break
			}
			want += text[at:at+k] + with
			at += k + len(query)
			n--
		}
		if want += text[at:]; got != want || n != 0 {
			t.Errorf("%q, %d too many, want %q", got, n, want)
		}
	})
}

func plainASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > 0x7e }) < 0
}

// A long text is checked elsewhere, one check at a time, and what is found is about the text as it is then.
func TestLongTextsAreCheckedElsewhere(t *testing.T) {
	good := `["` + strings.Repeat("x", checkedSize) + `",1]`
	e := newEditor(t, "")
	var queue []func() func()
	e.Run = func(work func() func()) { queue = append(queue, work) }
	said := 0
	e.OnChecked = func() { said++ }
	e.SetText(good)
	caretAt(e, "]")
	typeIn(e, ",,")
	if len(queue) != 1 || !e.Checking() {
		t.Fatalf("%d checks are under way, want 1", len(queue))
	}
	queue[0]()()
	if _, _, _, bad := e.SyntaxError(); bad || said != 0 || len(queue) != 2 {
		t.Fatalf("a check of an older text counts: %d, and %d checks", said, len(queue))
	}
	queue[1]()()
	line, col, _, bad := e.SyntaxError()
	if !bad || said != 1 || line != 1 || col != len(good)+1 || e.Checking() {
		t.Errorf("error %v at %d:%d after %d checks", bad, line, col, said)
	}
	e.SetText("{}")
	if _, _, _, bad := e.SyntaxError(); bad {
		t.Error("a short text has the fault of the long one")
	}
}
