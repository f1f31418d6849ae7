package recorder

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Mark is what a person noted about an event.
type Mark struct {
	Seq    uint64 `json:"-"`
	Pinned bool   `json:"pinned,omitempty"`
	Color  string `json:"color,omitempty"` // one of MarkColors, "" for none
	Note   string `json:"note,omitempty"`  // at most MaxNote bytes
}

// MarkColors are the colours that a mark may have.
var MarkColors = []string{"red", "orange", "yellow", "green", "blue", "purple"}

const (
	// MaxNote is how long the note of a mark may be, in bytes.
	MaxNote = 4 << 10
	// maxMarks is how many events may be marked.
	maxMarks = 100_000
)

// ErrNotAMark says that a mark cannot be set because of what it says.
var ErrNotAMark = errors.New("no such mark")

// IsZero reports whether a mark says nothing, as one that is removed.
func (m Mark) IsZero() bool { return !m.Pinned && m.Color == "" && m.Note == "" }

// statusMark is the Head.Status of an event that sets a mark. Its Cause is the
// event that is marked.
const statusMark = "mark"

// isMark reports whether an event sets a mark.
func isMark(e *entry, t *tables) bool {
	s := e.status()
	return e.kind() == KindNote && s > firstStatusWord && s != statusInFile && t.statuses.word(s-firstStatusWord) == statusMark
}

// markTable has the marks of a recording.
type markTable struct {
	setting sync.Mutex // one SetMark at a time: the last in the file wins

	mu    sync.RWMutex
	marks map[uint64]Mark
}

// apply puts a mark in place of an earlier one.
func (t *markTable) apply(m Mark) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if m.IsZero() {
		delete(t.marks, m.Seq)
		return
	}
	if t.marks == nil {
		t.marks = map[uint64]Mark{}
	}
	if _, ok := t.marks[m.Seq]; ok || len(t.marks) < maxMarks {
		m.Note = string(cutBytes([]byte(m.Note), MaxNote))
		t.marks[m.Seq] = m
	}
}

// SetMark puts a mark on an event in place of the one that it has; one that
// says nothing removes it. It is kept in the file, as an event of its own. The
// error is ErrReadOnly when nothing can be written, ErrNoEvent when there is no
// such event, ErrNotAMark when the colour is not known or the note too long.
func (l *Log) SetMark(m Mark) error {
	l.marks.setting.Lock()
	defer l.marks.setting.Unlock()
	before, marked := l.Mark(m.Seq)
	switch {
	case m.Seq == 0 || m.Seq > l.Len():
		return fmt.Errorf("mark event %d: %w", m.Seq, ErrNoEvent)
	case m.Color != "" && !slices.Contains(MarkColors, m.Color):
		return fmt.Errorf("mark event %d: %w: the colour %q is not known", m.Seq, ErrNotAMark, m.Color)
	case len(m.Note) > MaxNote:
		return fmt.Errorf("mark event %d: %w: the note has %d bytes, %d is the most", m.Seq, ErrNotAMark, len(m.Note), MaxNote)
	case l.readOnly:
		return fmt.Errorf("mark event %d: %w", m.Seq, ErrReadOnly)
	case m == before || m.IsZero() && !marked:
		return nil
	case !marked && l.marks.len() >= maxMarks:
		return fmt.Errorf("mark event %d: %w: %d events are marked, which is the most", m.Seq, ErrNotAMark, maxMarks)
	}
	e := Event{Kind: KindNote, Cause: m.Seq, Fields: &m}
	if l.opened {
		// The clock of a recording that was opened stands still.
		e.Time = max(l.lastTime(), 1)
	}
	if l.Append(e) == 0 {
		if err := l.Err(); err != nil {
			return fmt.Errorf("mark event %d: %w", m.Seq, err)
		}
		return fmt.Errorf("mark event %d: the recording is closed", m.Seq)
	}
	return nil
}

func (l *Log) lastTime() time.Duration {
	if n := l.Len(); n > 0 {
		return l.index.at(n).since()
	}
	return 0
}

func (t *markTable) len() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return len(t.marks)
}

// Mark returns the mark of an event.
func (l *Log) Mark(seq uint64) (Mark, bool) {
	l.marks.mu.RLock()
	defer l.marks.mu.RUnlock()
	m, ok := l.marks.marks[seq]
	return m, ok
}

// Marks returns all marks, in the order of their events.
func (l *Log) Marks() []Mark {
	l.marks.mu.RLock()
	out := make([]Mark, 0, len(l.marks.marks))
	for _, m := range l.marks.marks {
		out = append(out, m)
	}
	l.marks.mu.RUnlock()
	slices.SortFunc(out, func(a, b Mark) int { return cmp.Compare(a.Seq, b.Seq) })
	return out
}

// loadMarks takes the marks that some events set, in their order. What cannot
// be read marks nothing.
func (l *Log) loadMarks(seqs []uint64) {
	for _, seq := range seqs {
		e, err := l.Read(seq, 0)
		if m, ok := e.Fields.(*Mark); ok && err == nil && m.Seq != 0 {
			if !slices.Contains(MarkColors, m.Color) {
				m.Color = ""
			}
			l.marks.apply(*m)
		}
	}
}
