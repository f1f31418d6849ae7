package view

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"mcploupe/recorder"
	"mcploupe/recorder/interop"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
)

// OpenRecording returns a connection without a server whose recording is the
// file at path. progress, unless nil, is told how far it is, in bytes. The
// error is an *OpenError unless ctx has ended.
func OpenRecording(ctx context.Context, path string, progress func(done, total int64), o ConnOptions) (*Conn, error) {
	log, err := recorder.OpenContext(ctx, path, progress)
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, openError(path, err)
	}
	return recordedConn(log, nil, o), nil
}

func recordedConn(log *recorder.Log, report *ImportReport, o ConnOptions) *Conn {
	c := newConn(o)
	c.phase = File
	c.report = report
	c.server.Target = targetOf(log.Header().Target)
	c.state.Target = c.server.Target
	c.setLog(log)
	c.Go(c.scan)
	return c
}

// OpenError says what is wrong with a file that was not opened.
type OpenError struct {
	Path   string
	Title  string         // in a few words
	Why    string         // a sentence or two, with the line where there is one
	Advice string         // what to do
	Format interop.Format // what the file can be imported as, Unknown for nothing
	Name   string         // of the format
	Head   []byte         // beginning of the file, nil when it cannot be read
	Cut    bool           // Head is not all of it
	err    error
}

func (e *OpenError) Error() string { return e.Title + ": " + e.Why }

// Unwrap is what the system or the recorder said.
func (e *OpenError) Unwrap() error { return e.err }

// openHead is how much of a file that is no recording is shown, in bytes.
const openHead = 256 << 10

// openError finds out what is wrong with a file.
func openError(path string, err error) *OpenError {
	e := &OpenError{Path: path, err: err}
	info, statErr := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Title, e.Why = "There is no such file", "It may have been moved, renamed or deleted."
		e.Advice = "Open it from where it is now."
		return e
	case errors.Is(err, fs.ErrPermission):
		e.Title, e.Why = "The file may not be read", safe.Text(err.Error(), 1000)
		e.Advice = "Change its permissions, or open a copy that you may read."
		return e
	case statErr == nil && info.IsDir():
		e.Title, e.Why = "This is a folder", "A recording is a file."
		e.Advice = "Open one of the files in it."
		return e
	case !errors.Is(err, recorder.ErrForeign):
		e.Title, e.Why = "The file cannot be read", safe.Text(err.Error(), 1000)
		e.Advice = "Try again, or open a copy on another disk."
		return e
	case statErr == nil && info.Size() == 0:
		e.Title, e.Why = "The file is empty", "There is not one line in it."
		e.Advice = "Look for a copy, or for a file whose name ends in .cut beside it."
		return e
	}
	e.Head, e.Cut = readHead(path)
	e.Format = interop.Detect(e.Head)
	for _, f := range interop.Formats() {
		if f.Format == e.Format && f.Import && f.Format != interop.Recording {
			e.Name = f.Name
		}
	}
	if e.Name != "" {
		e.Title = "This is a file of another program"
		e.Why = "It looks like this format: " + e.Name + "."
		e.Advice = "Import it: a recording is made of it, and the file itself stays as it is."
		return e
	}
	e.Format = interop.Unknown
	e.Title = "This is not a recording"
	e.Why = "Line 1 is not the header of a recording" + why(err) + ". It begins with " + beginning(e.Head) + "."
	e.Advice = "The file is shown below as it is. A recording begins with a line such as {\"format\":\"mcploupe/1\", … }; if that line was lost, put it back."
	return e
}

// why is what the recorder said beyond ErrForeign.
func why(err error) string {
	_, text, ok := strings.Cut(err.Error(), recorder.ErrForeign.Error()+": ")
	if !ok {
		return ""
	}
	return ": " + line(text, 300)
}

// beginning shows the first few characters of a file.
func beginning(head []byte) string {
	first, _, _ := bytes.Cut(head, []byte("\n"))
	if !isText(first) {
		return "bytes that are no text"
	}
	return "“" + line(string(first[:min(len(first), 400)]), 60) + "”"
}

func isText(b []byte) bool {
	return !bytes.ContainsFunc(b, func(r rune) bool { return r == 0 || r == 0xfffd })
}

func readHead(path string) (head []byte, cut bool) {
	f, err := os.Open(path)
	if err != nil {
		return nil, false
	}
	defer func() { _ = f.Close() }() // it was only read
	head, _ = io.ReadAll(io.LimitReader(f, openHead+1))
	if len(head) > openHead {
		return head[:openHead], true
	}
	return head, false
}

// ImportReport says how a recording came out of a file of another program.
type ImportReport struct {
	From   string // path
	Format string // name
	interop.Report
}

// Imported says how the recording came about, nil when it was recorded.
func (c *Conn) Imported() *ImportReport { return c.report }

// Summary is the report in one line.
func (r *ImportReport) Summary() string {
	text := "Imported from " + line(filepath.Base(r.From), 60) + " (" + r.Format + "): " + human.Plural(r.Messages, "message", "messages")
	if r.SkippedN > 0 {
		text += "; " + human.Plural(r.SkippedN, "part", "parts") + " of the file could not be read"
	}
	return text + "."
}

// Text is the whole report.
func (r *ImportReport) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s became %s.\n", r.Summary(), r.From, human.Plural(r.Events, "event", "events"))
	if len(r.Rules) > 0 {
		b.WriteString("\nWhat the file does not say was derived so:\n")
		for _, rule := range r.Rules {
			b.WriteString("  - " + safe.Text(rule, 1000) + "\n")
		}
	}
	if r.SkippedN == 0 {
		b.WriteString("\nAll of the file could be read.\n")
		return b.String()
	}
	b.WriteString("\nWhat could not be read; it is in the recording as it was, as notes or as events that are no messages:\n")
	for _, s := range r.Skipped {
		fmt.Fprintf(&b, "  - %s: %s\n", safe.Text(s.Where, 200), safe.Text(s.Text, 1000))
	}
	if more := r.SkippedN - len(r.Skipped); more > 0 {
		fmt.Fprintf(&b, "  and %s more\n", human.Count(more))
	}
	return b.String()
}

// ImportRecording makes a recording of a file of another program, in the folder
// for recordings, and opens it. When it fails or ctx ends nothing stays.
func ImportRecording(ctx context.Context, path string, progress func(done, total int64), o ConnOptions) (*Conn, error) {
	if err := os.MkdirAll(o.RecordingDir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder for recordings: %w", err)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("import: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("import %s: %w", path, err)
	}
	base := filepath.Base(path)
	file := FreeFile(o.RecordingDir, strings.TrimSuffix(base, filepath.Ext(base)), recorder.Ext)
	log, err := recorder.Create(file, recorder.Header{App: o.App, Target: recorder.Target{Name: base}})
	if err != nil {
		return nil, err
	}
	report, err := interop.Import(ctx, &countingReader{ctx: ctx, r: f, total: info.Size(), progress: progress}, base, log)
	if err == nil {
		err = log.Sync()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("import %s: %w", path, err), log.Close(), os.Remove(file))
	}
	return recordedConn(log, &ImportReport{From: path, Format: formatName(report.Format), Report: report}, o), nil
}

func formatName(f interop.Format) string {
	for _, info := range interop.Formats() {
		if info.Format == f {
			return info.Name
		}
	}
	return "an unknown format"
}

// countingReader tells how much of a file was read, and ends with ctx.
type countingReader struct {
	ctx      context.Context
	r        io.Reader
	done     int64
	total    int64
	progress func(done, total int64)
}

func (c *countingReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, context.Cause(c.ctx)
	}
	n, err := c.r.Read(p)
	c.done += int64(n)
	if c.progress != nil {
		c.progress(c.done, c.total)
	}
	return n, err
}

// followedWord tells that a recording grows.
const followedWord = "open in another program, followed"

// Followed reports whether another program writes the recording.
func (c *Conn) Followed() bool {
	log := c.Log()
	return log != nil && log.Following()
}

// fileBar says what is to be known of a recording without a server: that it was
// imported, damaged, or could not be read to its end.
func fileBar(c *Conn) *Bar {
	log := c.Log()
	b := &Bar{Glyph: "!", Tone: Caution}
	if err := log.Err(); err != nil {
		b.Text = line("Not all of the file can be read: "+err.Error(), 300)
		b.Detail = "What was read until then is shown."
		return b
	}
	if said := log.Repaired(); said != "" {
		b.Text = line("This recording is damaged: "+said+".", 300)
		b.Detail = "Everything else is shown. Lines that are no events are in the timeline as they are; the filter is:bad finds them."
		return b
	}
	if r := c.Imported(); r != nil {
		b.Glyph, b.Tone, b.Text, b.Report = "▤", Muted, r.Summary(), true
		if r.SkippedN > 0 {
			b.Glyph, b.Tone = "!", Caution
		}
		return b
	}
	return nil
}
