package recorder

import "time"

// Bucket counts what happened in a span of time.
type Bucket struct {
	In, Out  int // messages and the like, by direction
	Errors   int
	Problems int
	Marks    int
	Bytes    int64
}

// Overview counts the events of a recording by time. Its methods may be called
// from any goroutine.
type Overview struct{ log *Log }

// NewOverview returns the overview of l. It is empty until Take.
func NewOverview(l *Log) *Overview { return &Overview{log: l} }

// Take takes in the events that are new and reports whether there were any.
func (o *Overview) Take() (changed bool) { return false }

// Span is the time of the first and of the last event.
func (o *Overview) Span() (from, to time.Duration) { return 0, 0 }

// Buckets divides from..to in n spans of equal length and counts their events.
func (o *Overview) Buckets(from, to time.Duration, n int) []Bucket { return make([]Bucket, n) }

// SeqAt returns the first event at t or later, Len+1 if there is none.
func (l *Log) SeqAt(t time.Duration) uint64 { return l.Len() + 1 }
