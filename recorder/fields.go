package recorder

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// fieldsKey is the member that holds the Fields of a kind, "" if it has none.
func fieldsKey(k EventKind) string {
	switch k {
	case KindHTTP, KindSSE, KindState:
		return k.String()
	case KindNote:
		return statusMark
	}
	return ""
}

// textForm is how data that is no message on one line is written.
func textForm(b []byte) form {
	if utf8.Valid(b) {
		return formText
	}
	return formBase64
}

// appendFields writes the Fields of an event as an object, with the members
// that were not known when they were read. A nil pointer is an empty object.
func appendFields(dst []byte, fields any) ([]byte, error) {
	var extra jsontext.Value
	switch f := fields.(type) {
	case *HTTPHead:
		if f != nil {
			extra = f.Extra
		}
	case *SSEFields:
		if f != nil {
			extra = f.Extra
		}
	case *StateChange:
		if f != nil {
			extra = f.Extra
		}
	case *Mark:
	default:
		return dst, fmt.Errorf("fields of type %T", fields)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(fields); err != nil {
		return dst, err
	}
	object := bytes.TrimSpace(b.Bytes())
	if string(object) == "null" {
		object = []byte("{}")
	}
	dst = append(dst, object[:len(object)-1]...)
	return append(appendExtra(dst, extra), '}'), nil
}

// parseFields reads what appendFields wrote.
func parseFields(k EventKind, object []byte) (any, error) {
	var fields any
	var extra *jsontext.Value
	var known string
	switch k {
	case KindHTTP:
		h := &HTTPHead{}
		fields, extra, known = h, &h.Extra, " method url status reason proto headers error body bodyB64 done bytes "
	case KindSSE:
		s := &SSEFields{}
		fields, extra, known = s, &s.Extra, " event id hasId retry comment bytes "
	case KindState:
		s := &StateChange{}
		fields, extra, known = s, &s.Extra, " state detail pid exitCode signal "
	case KindNote:
		fields, extra, known = &Mark{}, new(jsontext.Value), " pinned color note "
	default:
		return nil, nil
	}
	if err := json.Unmarshal(object, fields); err != nil {
		return nil, fmt.Errorf("%s: %w", k, err)
	}
	rest, err := otherMembers(object, known)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k, err)
	}
	*extra = rest
	return fields, nil
}

// otherMembers returns the members of an object whose names are not among the
// known ones, as an object, nil if there are none.
func otherMembers(object []byte, known string) (jsontext.Value, error) {
	var extra []byte
	d := jsontext.NewDecoder(bytes.NewReader(object), tolerant...)
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	for d.PeekKind() == '"' {
		tok, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		name := tok.String()
		value, err := d.ReadValue()
		if err != nil {
			return nil, err
		}
		if !strings.Contains(known, " "+name+" ") {
			extra = appendMember(extra, name, value)
		}
	}
	return extra, nil
}

// MarshalJSON keeps a value that is not UTF-8 as base64.
func (f HeaderField) MarshalJSON() ([]byte, error) {
	type plain HeaderField
	if utf8.ValidString(f.Value) {
		return marshal(plain(f))
	}
	return marshal(struct {
		Name string `json:"name"`
		B64  []byte `json:"b64"`
	}{f.Name, []byte(f.Value)})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (f *HeaderField) UnmarshalJSON(b []byte) error {
	var v struct {
		Name  string `json:"name"`
		Value string `json:"value"`
		B64   []byte `json:"b64"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	*f = HeaderField{v.Name, v.Value}
	if v.B64 != nil {
		f.Value = string(v.B64)
	}
	return nil
}

type plainHTTPHead HTTPHead

type storedHTTPHead struct {
	*plainHTTPHead
	BodyB64 []byte `json:"bodyB64,omitempty"`
}

// MarshalJSON keeps a body that is not UTF-8 as base64.
func (h *HTTPHead) MarshalJSON() ([]byte, error) {
	if h == nil {
		return []byte("{}"), nil
	}
	p := plainHTTPHead(*h)
	s := storedHTTPHead{plainHTTPHead: &p}
	if !utf8.ValidString(h.Body) {
		s.BodyB64, p.Body = []byte(h.Body), ""
	}
	return marshal(s)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (h *HTTPHead) UnmarshalJSON(b []byte) error {
	s := storedHTTPHead{plainHTTPHead: (*plainHTTPHead)(h)}
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	if s.BodyB64 != nil {
		h.Body = string(s.BodyB64)
	}
	return nil
}

// marshal is json.Marshal that leaves <, > and & as they are.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}
