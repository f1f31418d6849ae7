package recorder

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// ExportFormat is what Export can write.
type ExportFormat uint8

// The formats of this package; others are in recorder/interop.
const (
	ExportRecording ExportFormat = iota + 1 // a recording, as Open reads it
	ExportMessages                          // the bytes of messages, one a line
	ExportMarkdown                          // a transcript to read
)

// Progress is told how much of something is done; it is called from one
// goroutine, at most a few hundred times.
type Progress func(done, total uint64)

// Selection says which events are meant; all when it is zero. What is given
// must hold together.
type Selection struct {
	Filter   *Filter
	From, To uint64   // Seq of the first and the last; 0 for the ends
	Seqs     []uint64 // exactly these, in ascending order; From and To are not looked at
}

// ExportOptions say what is written and how.
type ExportOptions struct {
	Selection
	Format   ExportFormat
	Mask     *MaskPlan // nil masks nothing
	App      string    // program and version, for formats that name their maker
	Progress Progress  // may be nil
}

// ExportReport says what was written and what was not.
type ExportReport struct {
	Events   int    // written
	Messages int    // of them
	Bytes    int64  // written
	Masked   int    // places where something was masked
	Lost     []Loss // what was selected and has no place in the format
}

// Loss counts what a format could not carry.
type Loss struct {
	What  string // "stderr line", "connection change", ...: one of them
	Count int
}

// Export writes the events that o selects to w. It ends early with the error of
// w or of ctx; what was written until then is not complete.
func Export(ctx context.Context, w io.Writer, l *Log, o ExportOptions) (ExportReport, error) {
	return ExportReport{}, fmt.Errorf("export: %w", errors.ErrUnsupported)
}

// Losses is the report in one sentence, "" if nothing was lost.
func (r ExportReport) Losses() string { return "" }
