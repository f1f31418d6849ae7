package jsonvalue

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Value is a JSON value that remembers how it was written: member order,
// duplicate names, number text and string escapes.
type Value struct {
	Kind    jsontext.Kind // 'n', 'f', 't', '"', '0', '{' or '['
	Offset  int           // byte offset in the text it was read from
	Lit     string        // a scalar exactly as written
	Str     string        // a string decoded
	Members []Member
	Items   []*Value
}

// Member is one name and value of an object.
type Member struct {
	Name  string
	Lit   string // the name exactly as written
	Value *Value
}

// Tolerant accepts what an inspector must be able to show: duplicate names and
// strings that are not valid UTF-8.
var Tolerant = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// Parse reads one JSON value and nothing after it.
func Parse(text []byte) (*Value, error) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(text), Tolerant...)
	d, err := read(dec)
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

func read(dec *jsontext.Decoder) (*Value, error) {
	switch dec.PeekKind() {
	case '{':
		if _, err := dec.ReadToken(); err != nil {
			return nil, err
		}
		d := &Value{Kind: '{', Offset: int(dec.InputOffset()) - 1}
		for dec.PeekKind() != '}' {
			name, err := dec.ReadValue()
			if err != nil {
				return nil, err
			}
			m := Member{Lit: string(name)}
			m.Name = Unquote(m.Lit)
			if m.Value, err = read(dec); err != nil {
				return nil, err
			}
			d.Members = append(d.Members, m)
		}
		_, err := dec.ReadToken()
		return d, err
	case '[':
		if _, err := dec.ReadToken(); err != nil {
			return nil, err
		}
		d := &Value{Kind: '[', Offset: int(dec.InputOffset()) - 1}
		for dec.PeekKind() != ']' {
			item, err := read(dec)
			if err != nil {
				return nil, err
			}
			d.Items = append(d.Items, item)
		}
		_, err := dec.ReadToken()
		return d, err
	}
	v, err := dec.ReadValue()
	if err != nil {
		return nil, err
	}
	d := &Value{Kind: v.Kind(), Offset: int(dec.InputOffset()) - len(v), Lit: string(v)}
	if d.Kind == '"' {
		d.Str = Unquote(d.Lit)
	}
	return d, nil
}

// Unquote decodes a JSON string literal; what is not valid Unicode in it
// becomes U+FFFD.
func Unquote(lit string) string {
	if len(lit) >= 2 && strings.IndexByte(lit, '\\') < 0 && utf8.ValidString(lit) {
		return lit[1 : len(lit)-1]
	}
	b, _ := jsontext.AppendUnquote(nil, lit)
	return string(b)
}

// Quote encodes a string as JSON.
func Quote(s string) string {
	b, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		b, _ = jsontext.AppendQuote(nil, strings.ToValidUTF8(s, "\ufffd"))
	}
	return string(b)
}

// String makes a string.
func String(s string) *Value { return &Value{Kind: '"', Lit: Quote(s), Str: s} }

// Null makes a null.
func Null() *Value { return &Value{Kind: 'n', Lit: "null"} }

// Number makes a number; lit is one in JSON.
func Number(lit string) *Value { return &Value{Kind: '0', Lit: lit} }

// Bool makes a boolean.
func Bool(b bool) *Value {
	if b {
		return &Value{Kind: 't', Lit: "true"}
	}
	return &Value{Kind: 'f', Lit: "false"}
}

// Type is the name that JSON Schema has for the type of the value; whole numbers
// are integers.
func (d *Value) Type() string {
	switch d.Kind {
	case 'n':
		return "null"
	case 't', 'f':
		return "boolean"
	case '"':
		return "string"
	case '[':
		return "array"
	case '{':
		return "object"
	}
	if n, _ := ParseDecimal(d.Lit); n.Whole() {
		return "integer"
	}
	return "number"
}

// Get returns the member's value; of duplicates the last, as most readers do.
func (d *Value) Get(name string) *Value {
	if d == nil || d.Kind != '{' {
		return nil
	}
	for i := len(d.Members) - 1; i >= 0; i-- {
		if d.Members[i].Name == name {
			return d.Members[i].Value
		}
	}
	return nil
}

// Last maps each member's name to its last value.
func (d *Value) Last() map[string]*Value {
	m := make(map[string]*Value, len(d.Members))
	for _, e := range d.Members {
		m[e.Name] = e.Value
	}
	return m
}

// At follows a JSON Pointer (RFC 6901); nil when it leads nowhere.
func (d *Value) At(pointer string) *Value {
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
		tok = UnescapeToken(tok)
		switch d.Kind {
		case '{':
			d = d.Get(tok)
		case '[':
			i, err := strconv.Atoi(tok)
			if err != nil || i < 0 || i >= len(d.Items) || strconv.Itoa(i) != tok {
				return nil
			}
			d = d.Items[i]
		default:
			return nil
		}
	}
	return d
}

// AppendTo writes the value without insignificant white space.
func (d *Value) AppendTo(b []byte) []byte {
	switch d.Kind {
	case '{':
		b = append(b, '{')
		for i, m := range d.Members {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(append(b, m.Lit...), ':')
			b = m.Value.AppendTo(b)
		}
		return append(b, '}')
	case '[':
		b = append(b, '[')
		for i, it := range d.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = it.AppendTo(b)
		}
		return append(b, ']')
	}
	return append(b, d.Lit...)
}

// Text is the value without insignificant white space.
func (d *Value) Text() string { return string(d.AppendTo(nil)) }

// Count counts the values in d and its greatest depth.
func (d *Value) Count() (nodes, depth int) {
	nodes = 1
	visit := func(c *Value) {
		n, dp := c.Count()
		nodes += n
		depth = max(depth, dp+1)
	}
	for _, m := range d.Members {
		visit(m.Value)
	}
	for _, it := range d.Items {
		visit(it)
	}
	return nodes, depth
}

// Plain converts to the types the validator reads. Numbers stay text:
// json.Number is only a name for a string here.
func (d *Value) Plain() any {
	switch d.Kind {
	case '{':
		m := make(map[string]any, len(d.Members))
		for _, e := range d.Members {
			m[e.Name] = e.Value.Plain()
		}
		return m
	case '[':
		a := make([]any, len(d.Items))
		for i, it := range d.Items {
			a[i] = it.Plain()
		}
		return a
	case '"':
		return d.Str
	case '0':
		return json.Number(d.Lit)
	case 't':
		return true
	case 'f':
		return false
	}
	return nil
}

// Key is a text that two values share exactly when JSON Schema calls them equal.
func (d *Value) Key() string { return string(AppendKey(nil, d.Plain())) }

// EscapeToken encodes one step of a JSON Pointer.
func EscapeToken(s string) string {
	if strings.ContainsAny(s, "~/") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "~", "~0"), "/", "~1")
	}
	return s
}

// UnescapeToken decodes one step of a JSON Pointer.
func UnescapeToken(s string) string {
	if strings.Contains(s, "~") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "~1", "/"), "~0", "~")
	}
	return s
}

// Child extends a JSON Pointer by one step.
func Child(pointer, token string) string { return pointer + "/" + EscapeToken(token) }

// ChildIndex extends a JSON Pointer by a place in an array.
func ChildIndex(pointer string, i int) string { return pointer + "/" + strconv.Itoa(i) }
