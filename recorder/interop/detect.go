package interop

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

var tolerant = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

var byteOrderMark = []byte("\xef\xbb\xbf")

// Detect tells the format of a file by its beginning: 64 KiB, or all of it
// when it is shorter.
func Detect(head []byte) Format {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, byteOrderMark), " \t\r\n")
	if len(head) == 0 {
		return Unknown
	}
	switch head[0] {
	case '{':
		return detectObject(head)
	case '[':
		return detectArray(head)
	}
	// A line that is no message may stand before those that are.
	for line := range bytes.Lines(head) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] == '{' {
			if f := detectObject(line); f == Lines || f == Snoop {
				return f
			}
		}
	}
	return Unknown
}

func detectObject(head []byte) Format {
	names := topNames(head)
	switch {
	case strings.HasPrefix(text(names["format"]), "mcploupe/"):
		return Recording
	case names["log"] != nil && names["jsonrpc"] == nil:
		return HAR
	case names["session_id"] != nil && names["direction"] != nil && (names["seq"] != nil || names["ts"] != nil):
		return Snoop
	case isMessage(names):
		return Lines
	}
	return Unknown
}

func detectArray(head []byte) Format {
	first := bytes.TrimLeft(head[1:], " \t\r\n")
	if len(first) == 0 || first[0] != '{' {
		return Unknown
	}
	names := topNames(first)
	switch {
	case isMessage(names):
		// An array of messages on the first of several lines is a batch.
		d := jsontext.NewDecoder(bytes.NewReader(head), tolerant...)
		if d.SkipValue() == nil {
			if rest := bytes.TrimLeft(head[d.InputOffset():], " \t\r\n"); len(rest) > 0 {
				return Lines
			}
		}
		return Array
	case inspectorKind(names) != 0:
		return Inspector
	}
	return Unknown
}

// isMessage reports whether an object with such members is meant for a
// JSON-RPC message.
func isMessage(names map[string]jsontext.Value) bool {
	return names["jsonrpc"] != nil || names["method"] != nil && names["url"] == nil || names["id"] != nil && (names["result"] != nil || names["error"] != nil)
}

// topNames are the members of the object that b starts with, up to where b is
// cut; a value that is cut, or begins an object or array, is not nil.
func topNames(b []byte) map[string]jsontext.Value {
	names := map[string]jsontext.Value{}
	d := jsontext.NewDecoder(bytes.NewReader(b), tolerant...)
	if tok, err := d.ReadToken(); err != nil || tok.Kind() != '{' {
		return names
	}
	for d.PeekKind() == '"' && len(names) < 1000 {
		tok, err := d.ReadToken()
		if err != nil {
			break
		}
		name := tok.String()
		names[name] = jsontext.Value("null")
		value, err := d.ReadValue()
		if err != nil {
			break
		}
		names[name] = value.Clone()
	}
	return names
}

// members are the members of an object; of duplicates the last one. The values
// are parts of v.
func members(v jsontext.Value) map[string]jsontext.Value {
	m := map[string]jsontext.Value{}
	for name, value := range protocol.Members(v) {
		m[name] = value
	}
	return m
}

// text is what a JSON string says, "" for anything else.
func text(v jsontext.Value) string {
	s, _ := protocol.StringValue(v)
	return s
}
