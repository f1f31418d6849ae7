package recorder

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
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
	Seqs     []uint64 // exactly these, in ascending order; From and To are not looked at; empty for all
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
	Events   int    // of those that are selected, written
	Messages int    // of them
	Marks    int    // written besides: they were set by events that are not selected
	Bytes    int64  // written
	Masked   int    // places where something was masked
	Lost     []Loss // what was selected and has no place in the format
}

// Loss counts what a format could not carry.
type Loss struct {
	One, Many string // what it is: "stderr line", "stderr lines"
	Count     int
}

// String is the count with its words: "14 stderr lines".
func (l Loss) String() string {
	if l.Count == 1 {
		return "1 " + l.One
	}
	return fmt.Sprintf("%d %s", l.Count, l.Many)
}

// Export writes the events that o selects to w. It ends early with the error of
// w or of ctx; what was written until then is not complete.
//
// In a recording the events are numbered anew: causes and answers still name
// the events that they named, or none if those were not selected. Marks of
// selected events are kept, as are members that this program does not know.
func Export(ctx context.Context, w io.Writer, l *Log, o ExportOptions) (ExportReport, error) {
	x, err := NewExporter(ctx, w, l, o)
	if err != nil {
		return ExportReport{}, err
	}
	switch o.Format {
	case ExportRecording:
		err = x.recording(ctx)
	case ExportMessages:
		err = x.messages(ctx)
	case ExportMarkdown:
		err = x.markdown(ctx)
	default:
		err = fmt.Errorf("export: %w", errors.ErrUnsupported)
	}
	if err != nil {
		return x.Report(), err
	}
	return x.Report(), x.Flush()
}

// Exporter is what exports of any format have in common: the selected events
// with their secrets masked, and the report. One goroutine uses it.
type Exporter struct {
	Log *Log

	out    *bufio.Writer
	count  countingWriter
	seqs   []uint64 // the selected ones; nil for from..to
	from   uint64
	to     uint64
	mask   *masking
	meter  *meter
	report ExportReport
	lost   []Loss
}

// NewExporter selects the events. It reads the recording if o has a filter
// that needs it.
func NewExporter(ctx context.Context, w io.Writer, l *Log, o ExportOptions) (*Exporter, error) {
	x := &Exporter{Log: l, from: max(o.From, 1), to: l.Len(), mask: newMasking(o.Mask)}
	x.count.w = w
	x.out = bufio.NewWriterSize(&x.count, 64<<10)
	x.mask.hit = func(int32, string) { x.report.Masked++ }
	if o.To != 0 {
		x.to = min(x.to, o.To)
	}
	if err := x.pick(ctx, o.Selection); err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	x.meter = newMeter(o.Progress, x.Len())
	return x, nil
}

func (x *Exporter) pick(ctx context.Context, s Selection) error {
	switch {
	case len(s.Seqs) > 0:
		x.seqs = make([]uint64, 0, len(s.Seqs))
		for i, seq := range s.Seqs {
			if seq == 0 || seq > x.Log.Len() || i > 0 && seq <= s.Seqs[i-1] {
				return fmt.Errorf("event %d: %w, or it is not in order", seq, ErrNoEvent)
			}
			if s.Filter == nil || s.Filter.Match(x.Log, x.Log.Head(seq)) {
				x.seqs = append(x.seqs, seq)
			}
		}
	case s.Filter != nil && x.from <= x.to:
		x.seqs = []uint64{}
		return x.Log.Find(ctx, s.Filter, x.from, x.to, func(seqs []uint64) bool {
			x.seqs = append(x.seqs, seqs...)
			return true
		})
	}
	return nil
}

// Len is how many events are selected.
func (x *Exporter) Len() uint64 {
	if x.seqs != nil {
		return uint64(len(x.seqs))
	}
	return x.to + 1 - min(x.from, x.to+1)
}

// At is the number in Log of selected event i, counted from 0.
func (x *Exporter) At(i uint64) uint64 {
	if x.seqs != nil {
		return x.seqs[i]
	}
	return x.from + i
}

// Place is the place of an event among the selected ones, counted from 1; 0 if
// it is not selected.
func (x *Exporter) Place(seq uint64) uint64 {
	if x.seqs == nil {
		if seq < x.from || seq > x.to {
			return 0
		}
		return seq - x.from + 1
	}
	i := sort.Search(len(x.seqs), func(i int) bool { return x.seqs[i] >= seq })
	if i == len(x.seqs) || x.seqs[i] != seq {
		return 0
	}
	return uint64(i) + 1
}

// Read returns an event with its secrets masked.
func (x *Exporter) Read(seq uint64) (Event, error) {
	e, err := x.Log.Read(seq, 0)
	if err != nil {
		return e, fmt.Errorf("export: %w", err)
	}
	x.mask.event(&e)
	return e, nil
}

// Header returns the header with its secrets masked.
func (x *Exporter) Header() Header { return x.mask.header(x.Log.Header()) }

// Text masks secrets in what is shown of an event besides its data.
func (x *Exporter) Text(s string) string { return x.mask.text(s) }

// Did says that i+1 events are done; it gives the error of ctx.
func (x *Exporter) Did(ctx context.Context, i uint64) error {
	x.meter.at(i + 1)
	return ctx.Err()
}

// Wrote counts an event that the format carries.
func (x *Exporter) Wrote(kind EventKind) {
	x.report.Events++
	if kind == KindMessage {
		x.report.Messages++
	}
}

// Lose counts something that the format cannot carry.
func (x *Exporter) Lose(one, many string, n int) {
	if n <= 0 {
		return
	}
	i := slices.IndexFunc(x.lost, func(l Loss) bool { return l.One == one })
	if i < 0 {
		i, x.lost = len(x.lost), append(x.lost, Loss{One: one, Many: many})
	}
	x.lost[i].Count += n
}

// LoseEvent counts an event that the format cannot carry.
func (x *Exporter) LoseEvent(h Head) {
	kind := h.Kind
	if kind == KindNote && h.Status == statusMark {
		x.Lose("mark", "marks", 1)
		return
	}
	words := lossWords[0]
	if int(kind) < len(lossWords) {
		words = lossWords[kind]
	}
	x.Lose(words[0], words[1], 1)
}

var lossWords = [...][2]string{
	0:           {"line that is no event", "lines that are no events"},
	KindMessage: {"message", "messages"},
	KindBad:     {"piece of bytes that are no message", "pieces of bytes that are no message"},
	KindStderr:  {"piece of stderr", "pieces of stderr"},
	KindHTTP:    {"HTTP head", "HTTP heads"},
	KindSSE:     {"event stream event's own fields", "event stream events' own fields"},
	KindState:   {"connection change", "connection changes"},
	KindNote:    {"note", "notes"},
}

// Write and WriteString buffer what is written.
func (x *Exporter) Write(b []byte) (int, error)       { return x.out.Write(b) }
func (x *Exporter) WriteString(s string) (int, error) { return x.out.WriteString(s) }

// Flush writes what is buffered.
func (x *Exporter) Flush() error {
	if err := x.out.Flush(); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

// Report is what happened so far.
func (x *Exporter) Report() ExportReport {
	r := x.report
	r.Bytes = x.count.n + int64(x.out.Buffered())
	r.Lost = slices.Clone(x.lost)
	return r
}

// Losses is what was lost in one sentence, "" if nothing was.
func (r ExportReport) Losses() string {
	if len(r.Lost) == 0 {
		return ""
	}
	words := make([]string, len(r.Lost))
	for i, l := range r.Lost {
		words[i] = l.String()
	}
	list := words[0]
	if n := len(words) - 1; n > 0 {
		list = strings.Join(words[:n], ", ") + " and " + words[n]
	}
	if len(r.Lost) == 1 && r.Lost[0].Count == 1 {
		return list + " is not in this format"
	}
	return list + " are not in this format"
}

type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}
