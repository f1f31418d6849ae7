package uritemplate

import (
	"fmt"
	"unicode/utf8"
)

// Value is what a variable stands for. The zero Value is an undefined one; an
// empty list or map is undefined too, an empty string is not: {?q} makes "?q="
// of it. To drop an expression leave its variables out.
type Value struct {
	Kind   Kind
	String string
	List   []string
	Map    []Pair // in the order in which they are written
}

// Kind says which member of a Value counts.
type Kind uint8

// The kinds of Value.
const (
	Undefined Kind = iota
	String
	List
	Map
)

// Pair is a member of a map.
type Pair struct{ Name, Value string }

// Of returns the Value of a string.
func Of(s string) Value { return Value{Kind: String, String: s} }

// ListOf returns the Value of a list.
func ListOf(items ...string) Value { return Value{Kind: List, List: items} }

// MapOf returns the Value of a map.
func MapOf(pairs ...Pair) Value { return Value{Kind: Map, Map: pairs} }

func (v Value) defined() bool {
	switch v.Kind {
	case String:
		return true
	case List:
		return len(v.List) > 0
	case Map:
		return len(v.Map) > 0
	}
	return false
}

// operator is a row of the table in appendix A of the RFC.
type operator struct {
	first    string // before the first defined variable
	sep      byte   // between variables
	named    bool   // name=value
	ifEmpty  string // after the name of an empty value
	reserved bool   // reserved characters and %XX pass
}

var operators = map[byte]operator{
	0:   {"", ',', false, "", false},
	'+': {"", ',', false, "", true},
	'#': {"#", ',', false, "", true},
	'.': {".", '.', false, "", false},
	'/': {"/", '/', false, "", false},
	';': {";", ';', true, "", false},
	'?': {"?", '&', true, "=", false},
	'&': {"&", '&', true, "=", false},
}

// Expand fills in values. Variables that are not in values, or undefined, are
// left out, and an expression without any value with them. It fails only for a
// prefix modifier on a list or a map (ErrPrefix).
func (t *Template) Expand(values map[string]Value) (string, error) {
	var out []byte
	for _, p := range t.parts {
		if p.expression == nil {
			out = append(out, p.literal...)
			continue
		}
		op := operators[p.expression.Operator]
		first := true
		for _, v := range p.expression.Variables {
			value := values[v.Name]
			if !value.defined() {
				continue
			}
			if v.Prefix > 0 && value.Kind != String {
				return "", fmt.Errorf("expanding %s: variable %s: %w", p.expression.Text, v.Name, ErrPrefix)
			}
			if first {
				out = append(out, op.first...)
				first = false
			} else {
				out = append(out, op.sep)
			}
			out = op.expand(out, v, value)
		}
	}
	return string(out), nil
}

func (op operator) expand(out []byte, v Variable, value Value) []byte {
	switch {
	case value.Kind == String:
		text := value.String
		if v.Prefix > 0 {
			text = firstRunes(text, v.Prefix)
		}
		if op.named {
			out = op.name(out, v.Name, text == "")
		}
		return encode(out, text, op.reserved)
	case !v.Explode:
		if op.named {
			out = op.name(out, v.Name, false)
		}
		for i, item := range value.List {
			out = encode(comma(out, i), item, op.reserved)
		}
		for i, pair := range value.Map {
			out = append(encode(comma(out, i), pair.Name, op.reserved), ',')
			out = encode(out, pair.Value, op.reserved)
		}
		return out
	}
	for i, item := range value.List {
		if i > 0 {
			out = append(out, op.sep)
		}
		if op.named {
			out = op.name(out, v.Name, item == "")
		}
		out = encode(out, item, op.reserved)
	}
	for i, pair := range value.Map {
		if i > 0 {
			out = append(out, op.sep)
		}
		out = encode(out, pair.Name, op.reserved)
		if op.named && pair.Value == "" {
			out = append(out, op.ifEmpty...)
			continue
		}
		out = encode(append(out, '='), pair.Value, op.reserved)
	}
	return out
}

// name writes the name of a variable and what comes between it and the value.
func (op operator) name(out []byte, name string, empty bool) []byte {
	out = append(out, name...)
	if empty {
		return append(out, op.ifEmpty...)
	}
	return append(out, '=')
}

func comma(out []byte, i int) []byte {
	if i > 0 {
		return append(out, ',')
	}
	return out
}

func firstRunes(s string, n int) string {
	i := 0
	for ; n > 0 && i < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return s[:i]
}

// encode appends s with all but unreserved characters percent-encoded as UTF-8.
// With reserved set, reserved characters and existing %XX pass too.
func encode(out []byte, s string, reserved bool) []byte {
	const hex = "0123456789ABCDEF"
	for i := 0; i < len(s); i++ {
		c := s[i]
		if isAlnum(c) || c == '-' || c == '.' || c == '_' || c == '~' || reserved && (isReserved(c) || isTriplet(s[i:])) {
			out = append(out, c)
			continue
		}
		out = append(out, '%', hex[c>>4], hex[c&15])
	}
	return out
}

func isReserved(c byte) bool {
	switch c {
	case ':', '/', '?', '#', '[', ']', '@', '!', '$', '&', '\'', '(', ')', '*', '+', ',', ';', '=':
		return true
	}
	return false
}
