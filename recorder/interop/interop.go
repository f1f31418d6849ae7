// Package interop reads and writes the recordings of other programs.
//
// Every reader tells its format by the content, not by the name of the file,
// streams files of any size and holds a bounded part of them in memory. What it
// cannot read is in the report and, as far as bounds allow, in the recording,
// as bytes that are no message with a note beside them. Messages come out as
// they stand in the file; how times and directions were found is said in the
// report.
package interop

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"mcploupe/recorder"
)

// Format is a format of recordings.
type Format uint8

// The formats.
const (
	Unknown   Format = iota
	Recording        // of this program
	HAR              // HTTP Archive 1.2, as browsers and proxies write it
	Inspector        // JSON that the official MCP Inspector exports
	Snoop            // JSON Lines of mcpsnoop
	Lines            // JSON-RPC messages, one a line
	Array            // a JSON array of JSON-RPC messages
	Markdown         // a transcript to read
)

// Info describes a format.
type Info struct {
	Format Format
	Name   string   // for people: "HTTP Archive (HAR 1.2)"
	Key    string   // for a command line: "har"
	Ext    []string // endings of files, the usual one first
	Import bool     // Import reads it
	Export bool     // Export writes it
}

var formats = []Info{
	{Recording, "MCP Loupe recording", "recording", []string{recorder.Ext}, true, true},
	{HAR, "HTTP Archive (HAR 1.2)", "har", []string{".har"}, true, true},
	{Markdown, "Markdown transcript", "markdown", []string{".md", ".markdown"}, false, true},
	{Lines, "JSON Lines of messages", "jsonl", []string{".jsonl", ".ndjson"}, true, true},
	{Snoop, "mcpsnoop log", "mcpsnoop", []string{".mcpsnoop.jsonl"}, true, true},
	{Inspector, "MCP Inspector export", "inspector", []string{".json"}, true, false},
	{Array, "JSON array of messages", "array", []string{".json"}, true, false},
}

// Formats lists all formats.
func Formats() []Info { return append([]Info(nil), formats...) }

// String returns the key of the format, "" for none.
func (f Format) String() string {
	for _, info := range formats {
		if info.Format == f {
			return info.Key
		}
	}
	return ""
}

// ByKey finds a format by its key.
func ByKey(key string) (Info, bool) {
	for _, info := range formats {
		if info.Key == strings.ToLower(key) {
			return info, true
		}
	}
	return Info{}, false
}

// ForExport finds the format that a file is to be written in by the ending of
// its name; the longest ending decides.
func ForExport(name string) (best Info, ok bool) {
	name = strings.ToLower(name)
	longest := 0
	for _, info := range formats {
		for _, ext := range info.Ext {
			if info.Export && len(ext) > longest && strings.HasSuffix(name, ext) {
				best, longest = info, len(ext)
			}
		}
	}
	return best, longest > 0
}

// Report says what Import took in.
type Report struct {
	Format   Format
	Events   int      // appended
	Messages int      // of them
	SkippedN int      // how many things could not be read; all are in the recording, as far as the bounds allow
	Skipped  []Remark // the first of them
	Rules    []string // how times, directions and the like were derived, a sentence each
}

// Remark is one thing that could not be read.
type Remark struct {
	Where string // "line 7", "entry 3"
	Text  string
}

// Options say how to import.
type Options struct {
	Format   Format           // Unknown finds it out
	App      string           // program and version, for the header of a new recording
	Progress func(read int64) // told now and then of the bytes that were read; may be nil
}

// ErrUnknown says that a file is of no format that can be imported.
var ErrUnknown = errors.New("no format that can be imported")

// detectSize is how much Detect is given.
const detectSize = 64 << 10

// Import reads a file of any format into dst, which is new. name is the file's
// name, for messages. Times count from dst's beginning, or from the first event
// if that is earlier.
func Import(ctx context.Context, r io.Reader, name string, dst *recorder.Log) (Report, error) {
	return ImportWith(ctx, r, name, dst, Options{})
}

// ImportWith is Import with options.
func ImportWith(ctx context.Context, r io.Reader, name string, dst *recorder.Log, o Options) (Report, error) {
	s := newSink(ctx, name, o)
	s.log = dst
	return s.run(r)
}

// Create reads a file of any format into a new recording at path, whose header
// tells of the server and the beginning what the file tells. When it fails
// there is no recording.
func Create(ctx context.Context, r io.Reader, name, path string, o Options) (*recorder.Log, Report, error) {
	s := newSink(ctx, name, o)
	s.create = func(h recorder.Header) (*recorder.Log, error) { return recorder.Create(path, h) }
	report, err := s.run(r)
	if err == nil && s.log == nil {
		err = s.open()
	}
	if err != nil {
		return nil, report, errors.Join(err, s.discard(path))
	}
	return s.log, report, nil
}

// run imports what r holds.
func (s *sink) run(r io.Reader) (Report, error) {
	metered := &meteredReader{r: r, tell: s.o.Progress, ctx: s.ctx}
	in := bufio.NewReaderSize(metered, detectSize)
	head, err := in.Peek(detectSize)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
		return s.report, fmt.Errorf("import %s: %w", s.name, err)
	}
	if s.report.Format = s.o.Format; s.report.Format == Unknown {
		s.report.Format = Detect(head)
	}
	switch s.report.Format {
	case Recording:
		err = s.copyRecording(in)
	case HAR:
		err = s.har(in)
	case Inspector:
		err = s.inspector(in)
	case Snoop:
		err = s.snoop(in)
	case Lines:
		err = s.lines(in)
	case Array:
		err = s.array(in)
	default:
		err = ErrUnknown
	}
	if err == nil {
		err = s.finish()
	}
	if s.o.Progress != nil {
		s.o.Progress(metered.n)
	}
	if err != nil {
		return s.report, fmt.Errorf("import %s: %w", s.name, err)
	}
	return s.report, nil
}

// meteredReader tells how far it is and ends with its context.
type meteredReader struct {
	r    io.Reader
	tell func(int64)
	ctx  context.Context
	n    int64
	next int64
}

func (m *meteredReader) Read(b []byte) (int, error) {
	if err := m.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := m.r.Read(b)
	if m.n += int64(n); m.tell != nil && (m.n >= m.next || err != nil) {
		m.next = m.n + 1<<20
		m.tell(m.n)
	}
	return n, err
}

// Export writes the events that o selects in a format; o.Format is not looked
// at.
func Export(ctx context.Context, w io.Writer, l *recorder.Log, f Format, o recorder.ExportOptions) (recorder.ExportReport, error) {
	switch f {
	case Recording:
		o.Format = recorder.ExportRecording
	case Lines:
		o.Format = recorder.ExportMessages
	case Markdown:
		o.Format = recorder.ExportMarkdown
	case HAR:
		return exportHAR(ctx, w, l, o)
	case Snoop:
		return exportSnoop(ctx, w, l, o)
	default:
		return recorder.ExportReport{}, fmt.Errorf("export as %s: %w", f, errors.ErrUnsupported)
	}
	return recorder.Export(ctx, w, l, o)
}
