package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// datum is a JSON value that remembers how it was written: member order,
// duplicate names, number text and string escapes.
type datum struct {
	kind    jsontext.Kind // 'n', 'f', 't', '"', '0', '{' or '['
	off     int           // byte offset in the text it was read from
	lit     string        // a scalar exactly as written
	str     string        // a string decoded
	members []member
	items   []*datum
}

// member is one name and value of an object.
type member struct {
	name string
	lit  string // the name exactly as written
	val  *datum
}

// tolerant accepts what an inspector must be able to show: duplicate names and
// strings that are not valid UTF-8.
var tolerant = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// parseDatum reads one JSON value and nothing after it.
func parseDatum(text []byte) (*datum, error) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(text), tolerant...)
	d, err := readDatum(dec)
	if err != nil {
		return nil, fmt.Errorf("reading JSON: %w", err)
	}
	if k := dec.PeekKind(); k != jsontext.KindInvalid {
		return nil, &jsontext.SyntacticError{ByteOffset: dec.InputOffset(), Err: fmt.Errorf("more text after the value")}
	}
	if rest := bytes.TrimLeft(text[dec.InputOffset():], " \t\r\n"); len(rest) > 0 {
		return nil, &jsontext.SyntacticError{ByteOffset: int64(len(text) - len(rest)), Err: fmt.Errorf("more text after the value")}
	}
	return d, nil
}

func readDatum(dec *jsontext.Decoder) (*datum, error) {
	switch dec.PeekKind() {
	case '{':
		if _, err := dec.ReadToken(); err != nil {
			return nil, err
		}
		d := &datum{kind: '{', off: int(dec.InputOffset()) - 1}
		for dec.PeekKind() != '}' {
			name, err := dec.ReadValue()
			if err != nil {
				return nil, err
			}
			m := member{lit: string(name)}
			m.name = unquote(m.lit)
			if m.val, err = readDatum(dec); err != nil {
				return nil, err
			}
			d.members = append(d.members, m)
		}
		_, err := dec.ReadToken()
		return d, err
	case '[':
		if _, err := dec.ReadToken(); err != nil {
			return nil, err
		}
		d := &datum{kind: '[', off: int(dec.InputOffset()) - 1}
		for dec.PeekKind() != ']' {
			item, err := readDatum(dec)
			if err != nil {
				return nil, err
			}
			d.items = append(d.items, item)
		}
		_, err := dec.ReadToken()
		return d, err
	}
	v, err := dec.ReadValue()
	if err != nil {
		return nil, err
	}
	d := &datum{kind: v.Kind(), off: int(dec.InputOffset()) - len(v), lit: string(v)}
	if d.kind == '"' {
		d.str = unquote(d.lit)
	}
	return d, nil
}

// unquote decodes a JSON string literal; what is not valid Unicode in it
// becomes U+FFFD.
func unquote(lit string) string {
	if len(lit) >= 2 && strings.IndexByte(lit, '\\') < 0 && utf8.ValidString(lit) {
		return lit[1 : len(lit)-1]
	}
	b, _ := jsontext.AppendUnquote(nil, lit)
	return string(b)
}

// quote encodes a string as JSON.
func quote(s string) string {
	b, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		b, _ = jsontext.AppendQuote(nil, strings.ToValidUTF8(s, "\ufffd"))
	}
	return string(b)
}

func stringDatum(s string) *datum { return &datum{kind: '"', lit: quote(s), str: s} }
func nullDatum() *datum           { return &datum{kind: 'n', lit: "null"} }
func numberDatum(lit string) *datum {
	return &datum{kind: '0', lit: lit}
}

func boolDatum(b bool) *datum {
	if b {
		return &datum{kind: 't', lit: "true"}
	}
	return &datum{kind: 'f', lit: "false"}
}

// get returns the member's value; of duplicates the last, as most readers do.
func (d *datum) get(name string) *datum {
	if d == nil || d.kind != '{' {
		return nil
	}
	for i := len(d.members) - 1; i >= 0; i-- {
		if d.members[i].name == name {
			return d.members[i].val
		}
	}
	return nil
}

// last maps each member's name to its last value.
func (d *datum) last() map[string]*datum {
	m := make(map[string]*datum, len(d.members))
	for _, e := range d.members {
		m[e.name] = e.val
	}
	return m
}

// at follows a JSON Pointer (RFC 6901); nil when it leads nowhere.
func (d *datum) at(pointer string) *datum {
	if pointer == "" {
		return d
	}
	if pointer[0] != '/' {
		return nil
	}
	for tok := range strings.SplitSeq(pointer[1:], "/") {
		if d == nil {
			return nil
		}
		tok = unescapeToken(tok)
		switch d.kind {
		case '{':
			d = d.get(tok)
		case '[':
			i, err := strconv.Atoi(tok)
			if err != nil || i < 0 || i >= len(d.items) || strconv.Itoa(i) != tok {
				return nil
			}
			d = d.items[i]
		default:
			return nil
		}
	}
	return d
}

// appendTo writes the value without insignificant white space.
func (d *datum) appendTo(b []byte) []byte {
	switch d.kind {
	case '{':
		b = append(b, '{')
		for i, m := range d.members {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(append(b, m.lit...), ':')
			b = m.val.appendTo(b)
		}
		return append(b, '}')
	case '[':
		b = append(b, '[')
		for i, it := range d.items {
			if i > 0 {
				b = append(b, ',')
			}
			b = it.appendTo(b)
		}
		return append(b, ']')
	}
	return append(b, d.lit...)
}

func (d *datum) text() string { return string(d.appendTo(nil)) }

// size counts the values in d and its greatest depth.
func (d *datum) size() (nodes, depth int) {
	nodes = 1
	visit := func(c *datum) {
		n, dp := c.size()
		nodes += n
		depth = max(depth, dp+1)
	}
	for _, m := range d.members {
		visit(m.val)
	}
	for _, it := range d.items {
		visit(it)
	}
	return nodes, depth
}

// plain converts to the types the validator reads. Numbers stay text:
// json.Number is only a name for a string here.
func (d *datum) plain() any {
	switch d.kind {
	case '{':
		m := make(map[string]any, len(d.members))
		for _, e := range d.members {
			m[e.name] = e.val.plain()
		}
		return m
	case '[':
		a := make([]any, len(d.items))
		for i, it := range d.items {
			a[i] = it.plain()
		}
		return a
	case '"':
		return d.str
	case '0':
		return json.Number(d.lit)
	case 't':
		return true
	case 'f':
		return false
	}
	return nil
}

// key is a text that two values share exactly when JSON Schema calls them equal.
func (d *datum) key() string { return string(appendKey(nil, d.plain())) }

// escapeToken and unescapeToken encode one step of a JSON Pointer.
func escapeToken(s string) string {
	if strings.ContainsAny(s, "~/") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "~", "~0"), "/", "~1")
	}
	return s
}

func unescapeToken(s string) string {
	if strings.Contains(s, "~") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "~1", "/"), "~0", "~")
	}
	return s
}

// child extends a JSON Pointer by one step.
func child(pointer, token string) string { return pointer + "/" + escapeToken(token) }

func childIndex(pointer string, i int) string { return pointer + "/" + strconv.Itoa(i) }
