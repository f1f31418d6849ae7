package recorder

import "context"

// Filter is a parsed filter text.
type Filter struct{}

// FilterError says what is wrong with a filter text and where.
type FilterError struct {
	Offset int // byte offset into the text
	Text   string
}

func (e *FilterError) Error() string { return e.Text }

// ParseFilter parses a filter text. An empty text matches every event. The
// error is a *FilterError.
func ParseFilter(s string) (*Filter, error) { return &Filter{}, nil }

// Match reports whether an event of l matches. It reads the file only for full
// text and rules.
func (f *Filter) Match(l *Log, h Head) bool { return true }

// Find gives the events from..to (1 and Len when 0) that match, in order, a
// few at a time, until emit returns false or ctx ends.
func (l *Log) Find(ctx context.Context, f *Filter, from, to uint64, emit func(seqs []uint64) bool) error {
	return nil
}

// Completion is one way to go on with a filter text.
type Completion struct {
	Text       string // the word to put in place of Start..End
	Start, End int    // byte offsets into the text
	Hint       string // what it means, in a few words
}

// FilterValues are the values that a recording offers for completion.
type FilterValues struct {
	Methods, Names, Channels, Statuses []string
}

// FilterValues returns the words of this recording.
func (l *Log) FilterValues() FilterValues { return FilterValues{} }

// CompleteFilter lists ways to complete the term at the cursor, best first.
func CompleteFilter(text string, cursor int, v FilterValues) []Completion { return nil }
