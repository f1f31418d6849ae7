package protocol

import (
	"bytes"
	"iter"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// member is a member of an object or an element of an array with its place.
type member struct {
	nameAt int // offset of the name's quote, -1 in an array
	nameTo int // offset after the name's closing quote
	at, to int // the value is [at:to]
}

func (m member) value(b []byte) jsontext.Value { return jsontext.Value(b[m.at:m.to:m.to]) }

func (m member) name(b []byte) string {
	return string(unescape(nil, b[m.nameAt+1:m.nameTo-1]))
}

func (m member) named(b []byte, name string) bool {
	raw := b[m.nameAt+1 : m.nameTo-1]
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw) == name
	}
	return string(unescape(nil, raw)) == name
}

// children yields the members of the object or the elements of the array that
// starts at or after i, with offsets into b. It stops at the first break of the
// grammar.
func children(b []byte, i int) iter.Seq[member] {
	return func(yield func(member) bool) {
		i := skipBlanks(b, i)
		if i >= len(b) || b[i] != '{' && b[i] != '[' {
			return
		}
		object := b[i] == '{'
		i = skipBlanks(b, i+1)
		if i < len(b) && (b[i] == '}' || b[i] == ']') {
			return
		}
		for {
			m := member{nameAt: -1}
			if object {
				s := scanner{b: b}
				if i >= len(b) || b[i] != '"' {
					return
				}
				end, _, ok := s.str(i)
				if !ok {
					return
				}
				m.nameAt, m.nameTo = i, end
				i = skipBlanks(b, end)
				if i >= len(b) || b[i] != ':' {
					return
				}
				i++
			}
			m.at = skipBlanks(b, i)
			end, ok := skipValue(b, m.at)
			if !ok {
				return
			}
			m.to = end
			if !yield(m) {
				return
			}
			i = skipBlanks(b, end)
			if i >= len(b) || b[i] != ',' {
				return
			}
			i = skipBlanks(b, i+1)
		}
	}
}

// Members yields the members of an object in order, duplicates included: the
// last one does not win. Names are decoded, values are sub-slices of v. It
// yields nothing for a value that is not an object and stops where v stops
// being JSON.
func Members(v jsontext.Value) iter.Seq2[string, jsontext.Value] {
	return func(yield func(string, jsontext.Value) bool) {
		if kindOf(v) != '{' {
			return
		}
		for m := range children(v, 0) {
			if !yield(m.name(v), m.value(v)) {
				return
			}
		}
	}
}

// Elements yields the elements of an array as sub-slices of v, under the same
// terms as Members.
func Elements(v jsontext.Value) iter.Seq2[int, jsontext.Value] {
	return func(yield func(int, jsontext.Value) bool) {
		if kindOf(v) != '[' {
			return
		}
		n := 0
		for m := range children(v, 0) {
			if !yield(n, m.value(v)) {
				return
			}
			n++
		}
	}
}

// kindOf tells the kind of a value by its first byte, as jsontext does: one of
// { [ " 0 t f n, or 0.
func kindOf(v []byte) byte {
	i := skipBlanks(v, 0)
	if i >= len(v) {
		return 0
	}
	switch c := v[i]; c {
	case '{', '[', '"', 't', 'f', 'n':
		return c
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return '0'
	}
	return 0
}

// Lookup finds the value at a JSON Pointer (RFC 6901) and its byte offset in v.
// Of duplicate members it takes the last, as most readers do. value is a
// sub-slice of v.
func Lookup(v jsontext.Value, pointer string) (value jsontext.Value, offset int, ok bool) {
	at := skipBlanks(v, 0)
	to, valid := skipValue(v, at)
	if !valid || pointer != "" && pointer[0] != '/' {
		return nil, -1, false
	}
	for pointer != "" {
		step, rest := pointer[1:], ""
		if i := strings.IndexByte(step, '/'); i >= 0 {
			step, rest = step[:i], step[i:]
		}
		m, found := child(v[:to], at, pointerUnescape.Replace(step))
		if !found {
			return nil, -1, false
		}
		at, to, pointer = m.at, m.to, rest
	}
	return jsontext.Value(v[at:to:to]), at, true
}

var pointerUnescape = strings.NewReplacer("~1", "/", "~0", "~")

// child finds one step below the container at b[at:].
func child(b []byte, at int, step string) (found member, ok bool) {
	if b[at] == '[' {
		want, err := strconv.Atoi(step)
		if err != nil || want < 0 || strconv.Itoa(want) != step {
			return member{}, false
		}
		for m := range children(b, at) {
			if want == 0 {
				return m, true
			}
			want--
		}
		return member{}, false
	}
	for m := range children(b, at) {
		if m.named(b, step) {
			found, ok = m, true
		}
	}
	return found, ok
}

// Valid reports whether v is one JSON value. It is as tolerant as Parse: of
// any depth, of duplicate members, of raw control characters and bytes that are
// not UTF-8 inside strings.
func Valid(v []byte) bool {
	end, ok := skipValue(v, 0)
	return ok && skipBlanks(v, end) == len(v)
}
