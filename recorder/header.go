package recorder

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxHeader bounds the first line of a recording.
const maxHeader = 4 << 20

// ErrForeign says that a file is no recording of this program.
var ErrForeign = errors.New("not a recording")

type (
	plainHeader Header
	plainTarget Target
)

// Continues is what a recording that began in the middle of a connection has to
// know of the part before it.
type Continues struct {
	File     string         `json:"file,omitempty"`     // base name of the recording before
	Events   uint64         `json:"events,omitempty"`   // how many it had
	Revision string         `json:"revision,omitempty"` // that had been agreed on
	Method   string         `json:"method,omitempty"`   // initialize or server/discover
	Server   jsontext.Value `json:"server,omitempty"`   // the result of it
}

// MarshalJSON writes the header with the members that were not known.
func (h Header) MarshalJSON() ([]byte, error) { return marshalExtra(plainHeader(h), h.Extra) }

// MarshalJSON writes the target with the members that were not known.
func (t Target) MarshalJSON() ([]byte, error) { return marshalExtra(plainTarget(t), t.Extra) }

func marshalExtra(v any, extra []byte) ([]byte, error) {
	b, err := marshal(v)
	if err != nil {
		return nil, err
	}
	return append(appendExtra(b[:len(b)-1], extra), '}'), nil
}

// UnmarshalJSON reads a header and keeps members that it does not know.
func (h *Header) UnmarshalJSON(b []byte) (err error) {
	if err = json.Unmarshal(b, (*plainHeader)(h)); err == nil {
		h.Extra, err = otherMembers(b, " format created target app continues ")
	}
	return err
}

// UnmarshalJSON reads a target and keeps members that it does not know.
func (t *Target) UnmarshalJSON(b []byte) (err error) {
	if err = json.Unmarshal(b, (*plainTarget)(t)); err == nil {
		t.Extra, err = otherMembers(b, " name transport command args dir env url ")
	}
	return err
}

// appendHeader writes the first line.
func appendHeader(dst []byte, h Header) ([]byte, error) {
	b, err := marshal(h)
	if err != nil {
		return nil, fmt.Errorf("write header: %w", err)
	}
	if len(b) >= maxHeader {
		return nil, fmt.Errorf("write header: %d bytes are more than %d", len(b), maxHeader)
	}
	return append(append(dst, b...), '\n'), nil
}

// parseHeader reads the first line, without its line feed.
func parseHeader(line []byte) (Header, error) {
	var h Header
	line = bytes.TrimSuffix(line, []byte("\r"))
	if !jsontext.Value(line).IsValid(tolerant...) || len(line) == 0 || bytes.TrimSpace(line)[0] != '{' {
		return h, fmt.Errorf("%w: %s", ErrForeign, whyForeign(line))
	}
	var f struct {
		Format string `json:"format"`
	}
	if err := json.Unmarshal(line, &f); err != nil || !strings.HasPrefix(f.Format, formatName) {
		return h, fmt.Errorf("%w: %s", ErrForeign, whyForeign(line))
	}
	if f.Format != Format {
		return h, fmt.Errorf("%w that this version can read: its format is %q, this program reads %q", ErrForeign, f.Format, Format)
	}
	if err := json.Unmarshal(line, &h); err != nil {
		return h, fmt.Errorf("read header: %w", err)
	}
	return h, nil
}

// formatName is Format without its version.
const formatName = "mcploupe/"
