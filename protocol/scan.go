package protocol

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf8"
)

// scanner checks JSON text in one pass without recursion, for any depth. It
// takes raw control characters and broken UTF-8 inside strings, which it
// reports; any other break of the grammar stops it.
type scanner struct {
	b     []byte
	level int      // open objects and arrays
	near  uint64   // one bit a level, 1 for an object: the first 64 levels
	far   []uint64 // the levels below

	// The rest is only used when findings are wanted.
	report   *findings
	frames   []frame // the first frameDepth levels
	names    []nameRef
	table    []int32
	deepSeen bool

	errOffset int
	errText   string
}

type frame struct {
	names         int // names of this object start here
	nameAt, index int // where the current name begins (its quote), or the current index
}

type nameRef struct {
	hash uint64
	at   int // of the opening quote
}

var nameSeed = maphash.MakeSeed()

func (s *scanner) fail(at int, text string) (int, bool) {
	s.errOffset, s.errText = at, text
	return at, false
}

func (s *scanner) unexpected(i int, want string) (int, bool) {
	if i >= len(s.b) {
		return s.fail(i, "The text ends where "+want+" was expected.")
	}
	return s.fail(i, quoteByte(s.b[i:])+" stands where "+want+" was expected.")
}

func quoteByte(b []byte) string {
	r, n := utf8.DecodeRune(b)
	if r == utf8.RuneError && n <= 1 {
		return "Byte 0x" + strconv.FormatUint(uint64(b[0]), 16)
	}
	return strconv.QuoteRune(r)
}

func (s *scanner) push(object bool) {
	bit := uint64(1) << (s.level % 64)
	word := &s.near
	if s.level >= 64 {
		if s.level/64 > len(s.far) {
			s.far = append(s.far, 0)
		}
		word = &s.far[s.level/64-1]
	}
	*word &^= bit
	if object {
		*word |= bit
	}
	s.level++
	if s.report != nil && s.level <= frameDepth {
		s.frames = append(s.frames, frame{names: len(s.names), nameAt: -1})
	}
}

func (s *scanner) pop() {
	if s.report != nil && s.level <= frameDepth {
		last := len(s.frames) - 1
		start := s.frames[last].names
		s.frames = s.frames[:last]
		if len(s.names)-start > 1 {
			s.duplicates(s.names[start:])
		}
		s.names = s.names[:start]
	}
	s.level--
}

func (s *scanner) inObject() bool {
	return s.isObject(s.level - 1)
}

func (s *scanner) isObject(level int) bool {
	if level < 64 {
		return s.near>>level&1 == 1
	}
	return s.far[level/64-1]>>(level%64)&1 == 1
}

// value reads the value at or after i and returns the offset after it.
func (s *scanner) value(i int) (int, bool) {
	base := s.level
	ok := true
next:
	for {
		i = skipBlanks(s.b, i)
		if i >= len(s.b) {
			return s.unexpected(i, "a value")
		}
		switch c := s.b[i]; {
		case c == '{':
			s.push(true)
			s.checkDepth(i)
			i = skipBlanks(s.b, i+1)
			if i < len(s.b) && s.b[i] == '}' {
				i++
				s.pop()
				break
			}
			if i, ok = s.name(i); !ok {
				return i, false
			}
			continue next
		case c == '[':
			s.push(false)
			s.checkDepth(i)
			i = skipBlanks(s.b, i+1)
			if i < len(s.b) && s.b[i] == ']' {
				i++
				s.pop()
				break
			}
			continue next
		case c == '"':
			if i, _, ok = s.str(i); !ok {
				return i, false
			}
		case c == '-' || c >= '0' && c <= '9':
			if i, ok = s.number(i); !ok {
				return i, false
			}
		default:
			if i, ok = s.literal(i); !ok {
				return i, false
			}
		}
		for {
			if s.level == base {
				return i, true
			}
			i = skipBlanks(s.b, i)
			if s.inObject() {
				switch {
				case i < len(s.b) && s.b[i] == ',':
					if i, ok = s.name(skipBlanks(s.b, i+1)); !ok {
						return i, false
					}
					continue next
				case i < len(s.b) && s.b[i] == '}':
					i++
					s.pop()
				default:
					return s.unexpected(i, "',' or '}'")
				}
				continue
			}
			switch {
			case i < len(s.b) && s.b[i] == ',':
				i++
				if n := len(s.frames); n == s.level && n > 0 {
					s.frames[n-1].index++
				}
				continue next
			case i < len(s.b) && s.b[i] == ']':
				i++
				s.pop()
			default:
				return s.unexpected(i, "',' or ']'")
			}
		}
	}
}

// name reads a member name and the colon after it and returns the offset after
// the colon.
func (s *scanner) name(i int) (int, bool) {
	if i >= len(s.b) || s.b[i] != '"' {
		return s.unexpected(i, "a member name in double quotes")
	}
	if n := len(s.frames); n == s.level && n > 0 {
		s.frames[n-1].nameAt = i
	}
	end, escaped, ok := s.str(i)
	if !ok {
		return end, false
	}
	if s.report != nil && len(s.frames) == s.level {
		text := s.b[i+1 : end-1]
		if escaped {
			text = unescape(nil, text)
		}
		s.names = append(s.names, nameRef{maphash.Bytes(nameSeed, text), i})
	}
	end = skipBlanks(s.b, end)
	if end >= len(s.b) || s.b[end] != ':' {
		return s.unexpected(end, "':' after the member name")
	}
	return end + 1, true
}

// str reads the string whose quote is at i, returns the offset after it and
// whether it has escapes.
func (s *scanner) str(i int) (end int, escaped, ok bool) {
	b, start := s.b, i
	var seenControl, seenUTF8, seenLone, seenNUL bool
	i++
	for {
		i = skipPlain(b, i)
		if i >= len(b) {
			i, ok = s.fail(start, "A string has no closing quote.")
			return i, escaped, ok
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1, escaped, true
		case c == '\\':
			escaped = true
			if i+1 >= len(b) {
				i, ok = s.fail(start, "A string has no closing quote.")
				return i, escaped, ok
			}
			switch b[i+1] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
				i += 2
				continue
			case 'u':
			default:
				i, ok = s.fail(i, "A string has an escape that JSON does not know: \\"+strings.Trim(quoteByte(b[i+1:]), "'")+".")
				return i, escaped, ok
			}
			r, n := hex4(b, i+2)
			if !n {
				i, ok = s.fail(i, "A \\u escape needs four hexadecimal digits.")
				return i, escaped, ok
			}
			at := i
			i += 6
			switch {
			case r == 0:
				if !seenNUL {
					seenNUL = true
					s.find("json.nul", Warning, at, "A string holds the character NUL, which some programs cut the text at.")
				}
			case r >= 0xD800 && r < 0xDC00:
				if i+1 < len(b) && b[i] == '\\' && b[i+1] == 'u' {
					if low, isHex := hex4(b, i+2); isHex && low >= 0xDC00 && low < 0xE000 {
						i += 6
						continue
					}
				}
				fallthrough
			case r >= 0xDC00 && r < 0xE000:
				if !seenLone {
					seenLone = true
					s.find("json.surrogate", Warning, at, "A string holds half of a surrogate pair, which is no character.")
				}
			}
		case c < ' ':
			if !seenControl {
				seenControl = true
				s.find("json.control", Violation, i, "A string holds the control character 0x"+strconv.FormatUint(uint64(c), 16)+" unescaped.")
			}
			i++
		default:
			for i < len(b) && b[i] >= utf8.RuneSelf {
				r, n := utf8.DecodeRune(b[i:])
				if r == utf8.RuneError && n == 1 && !seenUTF8 {
					seenUTF8 = true
					s.find("L-RPC-12", Violation, i, "A string holds bytes that are not UTF-8.")
				}
				i += n
			}
		}
	}
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// skipPlain skips the characters of a string that need no look: printable
// ASCII without quote and backslash.
func skipPlain(b []byte, i int) int {
	for i+8 <= len(b) {
		w := binary.LittleEndian.Uint64(b[i:])
		q := w ^ ones*'"'
		e := w ^ ones*'\\'
		m := (w | (w - ones*0x20) | (q - ones) | (e - ones)) & highs
		if m != 0 {
			// A borrow can only mark bytes after the first true hit, so the
			// first mark is exact.
			return i + bits.TrailingZeros64(m)/8
		}
		i += 8
	}
	for i < len(b) && b[i] >= 0x20 && b[i] < 0x80 && b[i] != '"' && b[i] != '\\' {
		i++
	}
	return i
}

func skipBlanks(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
		i++
	}
	return i
}

func hex4(b []byte, i int) (rune, bool) {
	if i+4 > len(b) {
		return 0, false
	}
	var r rune
	for _, c := range b[i : i+4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

func (s *scanner) number(i int) (int, bool) {
	b := s.b
	if b[i] == '-' {
		i++
	}
	switch {
	case i < len(b) && b[i] == '0':
		i++
	case i < len(b) && b[i] >= '1' && b[i] <= '9':
		i = skipDigits(b, i)
	default:
		return s.unexpected(i, "a digit")
	}
	if i < len(b) && b[i] == '.' {
		end := skipDigits(b, i+1)
		if end == i+1 {
			return s.unexpected(end, "a digit")
		}
		i = end
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		end := skipDigits(b, i)
		if end == i {
			return s.unexpected(end, "a digit")
		}
		i = end
	}
	return i, true
}

func skipDigits(b []byte, i int) int {
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	return i
}

func (s *scanner) literal(i int) (int, bool) {
	for _, word := range [...]string{"true", "false", "null"} {
		if bytes.HasPrefix(s.b[i:], []byte(word)) {
			return i + len(word), true
		}
	}
	for _, word := range [...]string{"NaN", "Infinity", "undefined", "None", "True", "False"} {
		if bytes.HasPrefix(s.b[i:], []byte(word)) {
			return s.fail(i, word+" is not a JSON value.")
		}
	}
	return s.unexpected(i, "a value")
}

// skipValue returns the offset after the value at or after i.
func skipValue(b []byte, i int) (int, bool) {
	s := scanner{b: b}
	return s.value(i)
}
