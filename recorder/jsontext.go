package recorder

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// What scanString says of a string.
const (
	escaped uint8 = 1 << iota // it has escapes
	odd                       // one of them may stand for half a character or NUL
)

// scanString returns the offset after the string that starts at p, -1 if it is
// none, and what was met in it.
func scanString(b []byte, p int) (end int, met uint8) {
	p++
	for {
		p += spanPlain(b[p:])
		if p >= len(b) {
			return -1, 0
		}
		switch c := b[p]; {
		case c == '"':
			return p + 1, met
		case c == '\\':
			if p+1 >= len(b) {
				return -1, 0
			}
			met |= escaped
			switch b[p+1] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
				p += 2
			case 'u':
				if p+6 > len(b) || !isHex(b[p+2]) || !isHex(b[p+3]) || !isHex(b[p+4]) || !isHex(b[p+5]) {
					return -1, 0
				}
				if b[p+2]|0x20 == 'd' || string(b[p+2:p+6]) == "0000" {
					met |= odd
				}
				p += 6
			default:
				return -1, 0
			}
		case c < 0x20:
			return -1, 0
		default:
			r, n := utf8.DecodeRune(b[p:])
			if r == utf8.RuneError && n == 1 {
				return -1, 0
			}
			p += n
		}
	}
}

// spanPlain counts the bytes up to the first quote, backslash, control
// character or byte of a multi-byte character, sixteen at a time.
func spanPlain(b []byte) int {
	n := 0
	for len(b)-n >= 16 {
		p := b[n : n+16 : n+16]
		first := stops(binary.LittleEndian.Uint64(p))
		second := stops(binary.LittleEndian.Uint64(p[8:]))
		if first|second != 0 {
			if first != 0 {
				return n + bits.TrailingZeros64(first)/8
			}
			return n + 8 + bits.TrailingZeros64(second)/8
		}
		n += 16
	}
	for n < len(b) && b[n] >= 0x20 && b[n] < 0x80 && b[n] != '"' && b[n] != '\\' {
		n++
	}
	return n
}

// stops sets the high bit of the first byte of w at which spanPlain stops; what
// is set above that means nothing.
func stops(w uint64) uint64 {
	const lo, hi = 0x0101010101010101, 0x8080808080808080
	quote, backslash := w^(lo*'"'), w^(lo*'\\')
	return ((quote-lo)&^quote | (backslash-lo)&^backslash | (w-lo*0x20)&^w | w) & hi
}

// scanNumber returns the offset after the number that starts at p, -1 if it is
// none.
func scanNumber(b []byte, p int) int {
	if b[p] == '-' {
		p++
	}
	switch {
	case p < len(b) && b[p] == '0':
		p++
	case p < len(b) && b[p]-'1' < 9:
		p = digits(b, p)
	default:
		return -1
	}
	if p < len(b) && b[p] == '.' {
		q := digits(b, p+1)
		if q == p+1 {
			return -1
		}
		p = q
	}
	if p < len(b) && b[p]|0x20 == 'e' {
		p++
		if p < len(b) && (b[p] == '+' || b[p] == '-') {
			p++
		}
		q := digits(b, p)
		if q == p {
			return -1
		}
		p = q
	}
	return p
}

func digits(b []byte, p int) int {
	for p < len(b) && b[p]-'0' < 10 {
		p++
	}
	return p
}

func skipBlanks(b []byte, p int) int {
	for p < len(b) && isBlank(b[p]) {
		p++
	}
	return p
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func isHex(c byte) bool { return c-'0' < 10 || (c|0x20)-'a' < 6 }

func hasPrefix(b []byte, s string) bool { return len(b) >= len(s) && string(b[:len(s)]) == s }

func isInteger(v []byte) bool {
	if v[0] == '-' {
		v = v[1:]
	}
	return len(v) > 0 && digits(v, 0) == len(v)
}

// nameHash maps a member name to a number; equal names are equal, others
// almost never.
func nameHash(name []byte) uint32 {
	h := uint32(2166136261)
	for _, c := range name {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}

func hasBackslash(b []byte) bool { return bytes.IndexByte(b, '\\') >= 0 }

func hasNewline(b []byte) bool { return bytes.IndexByte(b, '\n') >= 0 }
