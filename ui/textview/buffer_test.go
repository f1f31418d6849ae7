package textview

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestBufferKeepsTheText(t *testing.T) {
	for _, s := range []string{"", "a", "a\n", "\n\n", "a\r\nb\r\n", "a\xffb\x00"} {
		if b := newBuffer(s); b.text() != s || b.size != len(s) {
			t.Errorf("%q comes out as %q with %d bytes", s, b.text(), b.size)
		}
	}
}

func TestUndoAndRedo(t *testing.T) {
	b := newBuffer("one\ntwo")
	at := b.end()
	for _, r := range "three" { // typed in a row: one edit
		at = b.replace(at, at, string(r), at)
	}
	at = b.replace(at, at, "\n", at)
	b.replace(spot{0, 1}, spot{1, 1}, "X", at)
	for _, want := range []string{"one\ntwothree\n", "one\ntwothree", "one\ntwo"} {
		if _, ok := b.undoLast(); !ok || b.text() != want {
			t.Fatalf("undone to %q, want %q", b.text(), want)
		}
	}
	if _, ok := b.undoLast(); ok {
		t.Error("there is more to undo than was done")
	}
	for range 3 {
		b.redoLast()
	}
	if b.text() != "oXwothree\n" {
		t.Errorf("redone to %q", b.text())
	}
	b.undoLast()
	b.replace(spot{}, spot{}, "new ", spot{})
	if _, ok := b.redoLast(); ok {
		t.Error("a new change leaves something to redo")
	}
}

func TestErasingInARowIsOneEdit(t *testing.T) {
	b := newBuffer("abcdef")
	b.replace(spot{0, 5}, spot{0, 6}, "", spot{0, 6})
	b.replace(spot{0, 4}, spot{0, 5}, "", spot{0, 5}) // backwards
	b.seal()
	b.replace(spot{0, 0}, spot{0, 1}, "", spot{})
	b.replace(spot{0, 0}, spot{0, 1}, "", spot{}) // forwards
	if b.text() != "cd" {
		t.Fatalf("text is %q", b.text())
	}
	b.undoLast()
	if b.text() != "abcd" {
		t.Errorf("undone to %q", b.text())
	}
	if b.undoLast(); b.text() != "abcdef" {
		t.Errorf("undone to %q", b.text())
	}
}

func TestUndoIsBounded(t *testing.T) {
	b := newBuffer("")
	for range 3 * undoEdits {
		b.replace(spot{}, spot{}, "x", spot{})
		b.seal()
	}
	if len(b.undo) > undoEdits {
		t.Errorf("%d edits are kept", len(b.undo))
	}
	big := strings.Repeat("x", undoBytes/4)
	for range 10 {
		b.replace(spot{}, spot{0, len(b.lines[0])}, big, spot{})
		b.seal()
	}
	if b.kept > undoBytes {
		t.Errorf("%d bytes are kept", b.kept)
	}
}

// The buffer does what cutting and joining strings would do, and undo takes all of it back.
func TestBufferAgainstStrings(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	pieces := []string{"", "a", "\n", "é", "xyz\nuvw", "\n\n", " ", "{\"a\":1}"}
	start := "first\nsecond\nthird"
	b, model := newBuffer(start), start
	pick := func() spot {
		line := r.IntN(len(b.lines))
		return b.clip(spot{line, r.IntN(len(b.lines[line]) + 1)})
	}
	for step := range 5000 {
		from, to := pick(), pick()
		if to.before(from) {
			from, to = to, from
		}
		s := pieces[r.IntN(len(pieces))]
		lo, hi := b.offset(from), b.offset(to)
		if got := b.slice(from, to); got != model[lo:hi] {
			t.Fatalf("step %d: slice %q, want %q", step, got, model[lo:hi])
		}
		end := b.replace(from, to, s, from)
		model = model[:lo] + s + model[hi:]
		if b.text() != model || b.size != len(model) {
			t.Fatalf("step %d: %q with %d bytes, want %q", step, b.text(), b.size, model)
		}
		if b.offset(end) != lo+len(s) {
			t.Fatalf("step %d: ends at %d, want %d", step, b.offset(end), lo+len(s))
		}
		if len(model) > 2000 { // start over
			b, model = newBuffer(start), start
		}
		if r.IntN(10) == 0 {
			b.seal()
		}
		if r.IntN(20) == 0 {
			n := r.IntN(5)
			done := 0
			for range n {
				if _, ok := b.undoLast(); ok {
					done++
				}
			}
			for range done {
				b.redoLast()
			}
			if b.text() != model || b.size != len(model) {
				t.Fatalf("step %d: undo and redo give %q, want %q", step, b.text(), model)
			}
		}
	}
	for {
		if _, ok := b.undoLast(); !ok {
			break
		}
	}
	if len(b.undo) == 0 && b.text() != start && len(b.redo) < undoEdits {
		t.Errorf("all undone is %q", b.text())
	}
}
