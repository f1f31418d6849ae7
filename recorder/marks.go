package recorder

// Mark is what a person noted about an event.
type Mark struct {
	Seq    uint64
	Pinned bool
	Color  string // one of MarkColors, "" for none
	Note   string
}

// MarkColors are the colours that a mark may have.
var MarkColors = []string{"red", "orange", "yellow", "green", "blue", "purple"}

// IsZero reports whether a mark says nothing, as one that is removed.
func (m Mark) IsZero() bool { return !m.Pinned && m.Color == "" && m.Note == "" }

// SetMark puts a mark on an event in place of the one that it has; one that
// says nothing removes it. It is kept in the file. The error is ErrReadOnly when
// nothing can be written, ErrNoEvent when there is no such event.
func (l *Log) SetMark(m Mark) error { return ErrReadOnly }

// Mark returns the mark of an event.
func (l *Log) Mark(seq uint64) (Mark, bool) { return Mark{}, false }

// Marks returns all marks, in the order of their events.
func (l *Log) Marks() []Mark { return nil }
