// Package interop reads and writes the recordings of other programs.
package interop

import (
	"context"
	"errors"
	"fmt"
	"io"

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

// Formats lists all formats.
func Formats() []Info { return nil }

// Detect tells the format of a file by its beginning: a few kilobytes, or all
// of it when it is shorter.
func Detect(head []byte) Format { return Unknown }

// Report says what Import took in.
type Report struct {
	Format   Format
	Events   int      // appended
	Messages int      // of them
	Skipped  []Remark // what could not be read, the first of it; all of it is in the recording as notes or bad events
	SkippedN int      // how many there were
	Rules    []string // how times, directions and the like were derived, a sentence each
}

// Remark is one thing that could not be read.
type Remark struct {
	Where string // "line 7", "entry 3"
	Text  string
}

// Import reads a file of any format into dst, which is new. name is the file's
// name, for messages. A recording of this program is copied.
func Import(ctx context.Context, r io.Reader, name string, dst *recorder.Log) (Report, error) {
	return Report{}, fmt.Errorf("import %s: %w", name, errors.ErrUnsupported)
}

// Export writes the events that o selects in a format; o.Format is not looked
// at.
func Export(ctx context.Context, w io.Writer, l *recorder.Log, f Format, o recorder.ExportOptions) (recorder.ExportReport, error) {
	return recorder.ExportReport{}, fmt.Errorf("export: %w", errors.ErrUnsupported)
}
