package protocol

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// StringValue decodes a JSON string. What is no character (half a surrogate
// pair, a byte that is not UTF-8) becomes U+FFFD.
func StringValue(v jsontext.Value) (string, bool) {
	raw, plain, ok := stringBody(v)
	if plain {
		return string(raw), ok
	}
	return string(unescape(make([]byte, 0, len(raw)), raw)), ok
}

// stringBytes is StringValue for what may be long: the bytes are not copied once
// more. They are those of v when they stand there as they are.
func stringBytes(v jsontext.Value) ([]byte, bool) {
	raw, plain, ok := stringBody(v)
	if plain {
		return raw[:len(raw):len(raw)], ok
	}
	return unescape(make([]byte, 0, len(raw)), raw), ok
}

// stringBody returns what stands between the quotes of a JSON string, and
// whether that is its text as it is.
func stringBody(v jsontext.Value) (raw []byte, plain, ok bool) {
	i := skipBlanks(v, 0)
	if i >= len(v) || v[i] != '"' {
		return nil, true, false
	}
	s := scanner{b: v}
	end, _, ok := s.str(i)
	if !ok || skipBlanks(v, end) != len(v) {
		return nil, true, false
	}
	raw = v[i+1 : end-1]
	return raw, bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw), true
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
			end := i + 1 // of the plain characters, which are many
			for end < len(raw) && raw[end] != '\\' && raw[end] < utf8.RuneSelf {
				end++
			}
			dst = append(dst, raw[i:end]...)
			i = end
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
