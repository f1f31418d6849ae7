package view

import (
	"strings"
	"time"

	"mcploupe/recorder"
	"mcploupe/ui/view/human"
)

// Density is what happened when, over the whole time of a recording.
type Density struct {
	From, To time.Duration // since the start of the recording
	Buckets  []recorder.Bucket
	Marks    []MarkAt
}

// MarkAt is a mark with the time of its event.
type MarkAt struct {
	recorder.Mark
	At time.Duration
}

// Empty reports whether nothing has happened.
func (d Density) Empty() bool { return len(d.Buckets) == 0 }

// FromText is when the first event was.
func (d Density) FromText() string { return human.Offset(d.From) }

// ToText is when the last event was.
func (d Density) ToText() string { return human.Offset(d.To) }

// HintText says when t is and what happened around it.
func (d Density) HintText(t time.Duration) string {
	if d.Empty() {
		return ""
	}
	n := len(d.Buckets)
	i := min(int(float64(t-d.From)/float64(max(1, d.To-d.From))*float64(n)), n-1)
	b := d.Buckets[max(i, 0)]
	parts := []string{human.Offset(t)}
	add := func(n int, one, many string) {
		if n > 0 {
			parts = append(parts, human.Plural(n, one, many))
		}
	}
	add(b.Out, "out", "out")
	add(b.In, "in", "in")
	add(b.Errors, "error", "errors")
	add(b.Problems, "problem", "problems")
	add(b.Marks, "mark", "marks")
	return strings.Join(parts, " · ")
}

// RangeText says from when to when a range goes and how long it is.
func (d Density) RangeText(from, to time.Duration) string {
	return human.Offset(from) + " to " + human.Offset(to) + " · " + human.Duration(to-from)
}
