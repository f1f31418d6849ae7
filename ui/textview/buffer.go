package textview

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// spot is a place in a buffer: a line and a byte of it.
type spot struct{ line, col int }

func (a spot) before(b spot) bool { return a.line < b.line || a.line == b.line && a.col < b.col }

// edit is a change that can be undone: at a spot, removed went and inserted came.
type edit struct {
	at                spot
	removed, inserted string
	caret             spot // where the caret was before
}

const (
	// undoBytes bounds the text kept for undo, undoEdits the number of changes.
	undoBytes = 16 << 20
	undoEdits = 2000
)

// buffer is a text that is being edited: lines without their line ends, never none. A carriage return is a character
// of its line, so that the text comes out as it went in.
type buffer struct {
	lines      []string
	size       int // of the text in bytes
	undo, redo []edit
	kept       int  // bytes in undo
	sealed     bool // the next change starts a new edit
}

func newBuffer(s string) *buffer { return &buffer{lines: strings.Split(s, "\n"), size: len(s)} }

// text returns the whole text.
func (b *buffer) text() string { return strings.Join(b.lines, "\n") }

// end returns the spot after the last character.
func (b *buffer) end() spot {
	last := len(b.lines) - 1
	return spot{last, len(b.lines[last])}
}

// slice returns the text between two spots.
func (b *buffer) slice(from, to spot) string {
	if from.line == to.line {
		return b.lines[from.line][from.col:to.col]
	}
	var s strings.Builder
	s.WriteString(b.lines[from.line][from.col:])
	for _, l := range b.lines[from.line+1 : to.line] {
		s.WriteByte('\n')
		s.WriteString(l)
	}
	s.WriteByte('\n')
	s.WriteString(b.lines[to.line][:to.col])
	return s.String()
}

// apply puts s in place of the text between two spots and returns the spot after it.
func (b *buffer) apply(from, to spot, s string) spot {
	b.size += len(s) - b.length(from, to)
	head, tail := b.lines[from.line][:from.col], b.lines[to.line][to.col:]
	if !strings.Contains(s, "\n") {
		b.lines[from.line] = head + s + tail
		b.lines = slices.Delete(b.lines, from.line+1, to.line+1)
		return spot{from.line, from.col + len(s)}
	}
	lines := strings.Split(s, "\n")
	end := spot{from.line + len(lines) - 1, len(lines[len(lines)-1])}
	lines[0] = head + lines[0]
	lines[len(lines)-1] += tail
	b.lines = slices.Replace(b.lines, from.line, to.line+1, lines...)
	return end
}

// length returns how many bytes stand between two spots.
func (b *buffer) length(from, to spot) int {
	if from.line == to.line {
		return to.col - from.col
	}
	n := len(b.lines[from.line]) - from.col + 1 + to.col
	for _, l := range b.lines[from.line+1 : to.line] {
		n += len(l) + 1
	}
	return n
}

// replace puts s in place of the text between two spots, so that it can be undone; caret is where the caret was. It
// returns the spot after s.
func (b *buffer) replace(from, to spot, s string, caret spot) spot {
	e := edit{at: from, removed: b.slice(from, to), inserted: s, caret: caret}
	end := b.apply(from, to, s)
	b.redo = nil
	b.record(e)
	return end
}

// record keeps e for undo; typing and erasing in a row are one edit.
func (b *buffer) record(e edit) {
	b.kept += len(e.removed) + len(e.inserted)
	if n := len(b.undo); n > 0 && !b.sealed {
		last := &b.undo[n-1]
		switch {
		case e.removed == "" && !strings.ContainsAny(e.inserted, " \n") && last.inserted != "" && e.at == b.after(last.at, last.inserted):
			last.inserted += e.inserted
			return
		case e.inserted == "" && last.inserted == "" && b.after(e.at, e.removed) == last.at:
			last.removed = e.removed + last.removed
			last.at = e.at
			return
		case e.inserted == "" && last.inserted == "" && e.at == last.at:
			last.removed += e.removed
			return
		}
	}
	b.sealed = false
	b.undo = append(b.undo, e)
	for len(b.undo) > 1 && (b.kept > undoBytes || len(b.undo) > undoEdits) {
		b.kept -= len(b.undo[0].removed) + len(b.undo[0].inserted)
		b.undo = slices.Delete(b.undo, 0, 1)
	}
}

// after returns the spot at the end of s when it stands at a spot.
func (b *buffer) after(at spot, s string) spot {
	if n := strings.Count(s, "\n"); n > 0 {
		return spot{at.line + n, len(s) - strings.LastIndexByte(s, '\n') - 1}
	}
	return spot{at.line, at.col + len(s)}
}

// seal ends an edit: the caret has moved.
func (b *buffer) seal() { b.sealed = true }

// undoLast takes the last edit back. It returns the edit and whether there was one.
func (b *buffer) undoLast() (edit, bool) {
	n := len(b.undo)
	if n == 0 {
		return edit{}, false
	}
	e := b.undo[n-1]
	b.undo = b.undo[:n-1]
	b.kept -= len(e.removed) + len(e.inserted)
	b.apply(e.at, b.after(e.at, e.inserted), e.removed)
	b.redo = append(b.redo, e)
	b.sealed = true
	return e, true
}

// redoLast does again what was taken back last. It returns the edit and whether there was one.
func (b *buffer) redoLast() (edit, bool) {
	n := len(b.redo)
	if n == 0 {
		return edit{}, false
	}
	e := b.redo[n-1]
	b.redo = b.redo[:n-1]
	b.apply(e.at, b.after(e.at, e.removed), e.inserted)
	b.kept += len(e.removed) + len(e.inserted)
	b.undo = append(b.undo, e)
	b.sealed = true
	return e, true
}

// clip returns the nearest spot that exists and does not stand inside a rune.
func (b *buffer) clip(s spot) spot {
	if s.line < 0 {
		return spot{}
	}
	if s.line >= len(b.lines) {
		return b.end()
	}
	l := b.lines[s.line]
	s.col = min(max(0, s.col), len(l))
	for n := 0; n < 3 && s.col > 0 && s.col < len(l) && !utf8.RuneStart(l[s.col]); n++ {
		s.col--
	}
	return s
}

// offset returns which byte of the text a spot is.
func (b *buffer) offset(s spot) int { return b.length(spot{}, s) }
