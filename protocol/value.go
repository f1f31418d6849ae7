package protocol

import (
	"bytes"
	"iter"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

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

// StringValue decodes a JSON string. What is no character (half a surrogate
// pair, a byte that is not UTF-8) becomes U+FFFD.
func StringValue(v jsontext.Value) (string, bool) {
	i := skipBlanks(v, 0)
	if i >= len(v) || v[i] != '"' {
		return "", false
	}
	s := scanner{b: v}
	end, _, ok := s.str(i)
	if !ok || skipBlanks(v, end) != len(v) {
		return "", false
	}
	raw := v[i+1 : end-1]
	if bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return string(raw), true
	}
	return string(unescape(nil, raw)), true
}

// unescape appends the text of the string body raw to dst.
func unescape(dst, raw []byte) []byte {
	for i := 0; i < len(raw); {
		c := raw[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRune(raw[i:])
			dst = utf8.AppendRune(dst, r)
			i += n
			continue
		}
		if c != '\\' || i+1 >= len(raw) {
			dst = append(dst, c)
			i++
			continue
		}
		switch e := raw[i+1]; e {
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			r, _ := hex4(raw, i+2)
			i += 6
			if utf16.IsSurrogate(r) {
				low, isHex := rune(0), false
				if i+1 < len(raw) && raw[i] == '\\' && raw[i+1] == 'u' {
					low, isHex = hex4(raw, i+2)
				}
				if r = utf16.DecodeRune(r, low); isHex && r != utf8.RuneError {
					i += 6
				}
			}
			dst = utf8.AppendRune(dst, r)
			continue
		default:
			dst = append(dst, e)
		}
		i += 2
	}
	return dst
}

// QuoteString encodes s as a JSON string with as few escapes as possible.
// Bytes that are not UTF-8 become U+FFFD.
func QuoteString(s string) jsontext.Value {
	return appendQuoted(make([]byte, 0, len(s)+2), s)
}

func appendQuoted(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, '\\', 'n')
		case r == '\r':
			b = append(b, '\\', 'r')
		case r == '\t':
			b = append(b, '\\', 't')
		case r < 0x20:
			b = append(b, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}

// Valid reports whether v is one JSON value. It is as tolerant as Parse: of
// any depth, of duplicate members, of raw control characters and bytes that are
// not UTF-8 inside strings.
func Valid(v []byte) bool {
	end, ok := skipValue(v, 0)
	return ok && skipBlanks(v, end) == len(v)
}

// Compact returns v without blanks between tokens; the tokens stay as they are.
// What is not JSON comes back unchanged.
func Compact(v jsontext.Value) jsontext.Value {
	if !Valid(v) {
		return v
	}
	out := make([]byte, 0, len(v))
	for i := 0; i < len(v); {
		if v[i] == '"' {
			end := stringEnd(v, i)
			out = append(out, v[i:end]...)
			i = end
			continue
		}
		if !isBlank(v[i]) {
			out = append(out, v[i])
		}
		i++
	}
	return out
}

// indentMax is how many levels Indent still moves to the right. Without it a
// deep value would grow with the square of its depth.
const indentMax = 100

// Indent returns v with one member or element a line, two blanks a level; the
// tokens stay as they are. What is not JSON comes back unchanged.
func Indent(v jsontext.Value) jsontext.Value {
	if !Valid(v) {
		return v
	}
	out := make([]byte, 0, len(v)+len(v)/2)
	level := 0
	line := func() {
		out = append(out, '\n')
		for range min(level, indentMax) {
			out = append(out, ' ', ' ')
		}
	}
	for i := skipBlanks(v, 0); i < len(v); i = skipBlanks(v, i) {
		switch c := v[i]; c {
		case '"':
			end := stringEnd(v, i)
			out = append(out, v[i:end]...)
			i = end
			continue
		case '{', '[':
			out = append(out, c)
			if j := skipBlanks(v, i+1); v[j] == '}' || v[j] == ']' {
				out = append(out, v[j])
				i = j + 1
				continue
			}
			level++
			line()
		case '}', ']':
			level--
			line()
			out = append(out, c)
		case ',':
			out = append(out, c)
			line()
		case ':':
			out = append(out, ':', ' ')
		default:
			out = append(out, c)
		}
		i++
	}
	return out
}

// stringEnd returns the offset after the string at i of valid JSON.
func stringEnd(v []byte, i int) int {
	s := scanner{b: v}
	end, _, _ := s.str(i)
	return end
}

// decimal takes a JSON number apart: its value is 0.DIGITS times ten to the
// power of point, with digits that begin and end with no zero; "" for zero. It
// gives up on exponents beyond a million.
func decimal(number string) (digits string, point int, negative, ok bool) {
	number, negative = strings.CutPrefix(number, "-")
	mantissa, exponent := number, 0
	if i := strings.IndexAny(number, "eE"); i >= 0 {
		mantissa = number[:i]
		exponent, ok = smallInt(number[i+1:])
	} else {
		ok = true
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits = strings.TrimRight(whole+fraction, "0")
	point = len(whole) + exponent
	trimmed := strings.TrimLeft(digits, "0")
	point -= len(digits) - len(trimmed)
	switch {
	case whole == "" || strings.Trim(trimmed, "0123456789") != "":
		return "", 0, false, false
	case trimmed == "":
		return "", 0, negative, true
	}
	return trimmed, point, negative, ok
}

func smallInt(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n <= 1_000_000 && n >= -1_000_000
}

// integerText gives the plain decimal text of a JSON number that is an integer
// of at most 40 digits, however it is written: 42, 42.0, 4.2e1.
func integerText(number string) (string, bool) {
	digits, point, negative, ok := decimal(number)
	switch {
	case !ok || point < len(digits) || point > 40:
		return "", false
	case digits == "":
		return "0", true
	case negative:
		return "-" + digits + strings.Repeat("0", point-len(digits)), true
	}
	return digits + strings.Repeat("0", point-len(digits)), true
}
