package recorder

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// Fault is something that is wrong with the file of a recording.
type Fault struct {
	Line uint64 // of the file, counted from 1
	Seq  uint64 // the event that lists the line, 0 for none
	Text string // what is wrong, a sentence without its end
}

// maxFaults is how many faults of a file are described.
const maxFaults = 100

// maxForeignLine is up to which length a line is read that this program did not
// write.
const maxForeignLine = 256 << 20

// Faults returns what is wrong with the file, line by line: the first hundred.
func (l *Log) Faults() []Fault { return l.faults }

// whyNoEvent says why a line is no event.
func whyNoEvent(line []byte) string {
	nul := bytes.IndexByte(line, 0)
	if len(bytes.Trim(line, "\x00\r")) == 0 {
		return fmt.Sprintf("%d NUL bytes and nothing else: what was here is lost, as after a crash of the system", len(line))
	}
	if _, err := parseHeader(line); err == nil {
		return "the header of another recording: two files were put together here, and times begin anew"
	}
	start := bytes.TrimLeft(line, " \t\x00")
	switch {
	case nul >= 0:
		return fmt.Sprintf("a NUL byte at byte %d: it is no JSON", nul+1)
	case !utf8.Valid(line):
		return "bytes that are no UTF-8 text"
	case len(start) == 0 || start[0] != '{':
		return "no JSON object"
	}
	if why := whyNoJSON(line); why != "" {
		return why
	}
	if _, _, ok := protocol.Lookup(line, "/k"); ok {
		return "an event whose kind k is no text"
	}
	if _, _, ok := protocol.Lookup(line, "/jsonrpc"); ok {
		return "a JSON-RPC message without an envelope; a file of those can be imported"
	}
	return "a JSON object that is no event: it has no member k"
}

// whyNoJSON says where a line stops to be JSON, "" if it does not.
func whyNoJSON(line []byte) string {
	d := jsontext.NewDecoder(bytes.NewReader(line), tolerant...)
	_, err := d.ReadValue()
	if err == nil {
		if rest := bytes.TrimSpace(line[d.InputOffset():]); len(rest) > 0 {
			return fmt.Sprintf("something behind the end of the JSON object at byte %d", d.InputOffset()+1)
		}
		return ""
	}
	var syntax *jsontext.SyntacticError
	if !errors.As(err, &syntax) {
		return "no JSON: it ends too early"
	}
	text := syntax.Err.Error()
	if strings.Contains(text, "unexpected EOF") {
		return fmt.Sprintf("no JSON: it ends too early, after %d bytes", len(line))
	}
	return fmt.Sprintf("no JSON from byte %d on: %s", syntax.ByteOffset+1, text)
}

// validBeginning reports whether b is UTF-8 text, perhaps cut within a character.
func validBeginning(b []byte) bool {
	for n := range min(utf8.UTFMax, len(b)+1) {
		if utf8.Valid(b[:len(b)-n]) {
			return true
		}
	}
	return false
}

// signatures are the beginnings of files that people may take for recordings.
var signatures = []struct{ begin, what string }{
	{"\x1f\x8b", "it is compressed with gzip; unpack it first"},
	{"PK\x03\x04", "it is a ZIP archive; unpack it first"},
	{"\x28\xb5\x2f\xfd", "it is compressed with zstd; unpack it first"},
	{"BZh", "it is compressed with bzip2; unpack it first"},
	{"\xfd7zXZ\x00", "it is compressed with xz; unpack it first"},
	{"SQLite format 3\x00", "it is an SQLite database"},
	{"\x89PNG", "it is a picture"},
	{"\x7fELF", "it is a program"},
	{"%PDF", "it is a PDF document"},
	{"\xff\xfe", "it is UTF-16 text; a recording is UTF-8"},
	{"\xfe\xff", "it is UTF-16 text; a recording is UTF-8"},
}

// whyForeign says what a file is whose first line is no header, as far as that
// can be seen from its beginning.
func whyForeign(begin []byte) string {
	for _, s := range signatures {
		if bytes.HasPrefix(begin, []byte(s.begin)) {
			return s.what
		}
	}
	line, _, _ := bytes.Cut(begin, []byte("\n"))
	text := bytes.TrimLeft(begin, " \t\r\n")
	switch {
	case len(text) > 0 && len(bytes.TrimSpace(line)) == 0:
		return "the first line is empty"
	case len(bytes.Trim(begin, "\x00")) == 0:
		return "it begins with NUL bytes: what was there is lost, as after a crash of the system"
	case bytes.IndexByte(begin, 0) >= 0 || !validBeginning(begin):
		return "it is a binary file"
	case bytes.HasPrefix(text, []byte("{")) && bytes.Contains(begin, []byte(`"log"`)) && bytes.Contains(begin, []byte(`"entries"`)):
		return "it looks like a HAR file, which can be imported"
	case bytes.HasPrefix(text, []byte("[")):
		return "it begins with a JSON array; other tools' recordings can be imported"
	case !bytes.HasPrefix(text, []byte("{")):
		return "the first line is no JSON object"
	}
	if why := whyNoJSON(line); why != "" {
		return "the first line is " + why
	}
	if _, _, ok := protocol.Lookup(line, "/jsonrpc"); ok {
		return "the first line is a JSON-RPC message without an envelope; a file of those can be imported"
	}
	return fmt.Sprintf("the first line has no \"format\":%q", Format)
}
