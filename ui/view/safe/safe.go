// Package safe makes text that came from a peer fit to be shown.
//
// A peer may send anything: control characters that draw as boxes, bidirectional overrides that reorder what a
// person reads, zero-width characters that hide in a name, bytes that are not UTF-8, and words of a megabyte that
// grow a window or stall a layout. Every string of a peer passes [Line] or [Text] before a widget sees it.
//
// Guarantees, for any input: the result is valid UTF-8, holds no rune for which [Hidden] is true (an emoji keeps its
// presentation selector), and is no longer than asked for. Work is bounded by the length of the result, not of the
// input. What was hidden is shown as a mark in single guillemets, such as ‹U+202E› or ‹ESC›.
package safe

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	ellipsis = "…"
	// wordRunes is the longest run without a blank that Text leaves whole: wrapping labels break longer ones
	// letter by letter, which costs time that grows with the square of the length.
	wordRunes = 96
	// textLines bounds the height of what Text returns: each line is an object on the canvas.
	textLines = 500
	// stacked is how many combining marks may follow one another; more would draw over the neighbouring rows.
	stacked = 6
	// tab is what a tab becomes in Text.
	tab = "    "
)

// Line returns s as one line of at most maxRunes runes, the ellipsis of a cut included.
// Line breaks become ↵ and tabs ⇥; maxRunes below 1 gives "".
func Line(s string, maxRunes int) string {
	if maxRunes < 1 {
		return ""
	}
	if len(s) <= maxRunes && plain(s) {
		return s
	}
	var b strings.Builder
	b.Grow(min(len(s), maxRunes) + utf8.UTFMax)
	n := 0    // runes written
	keep := 0 // bytes to keep, should an ellipsis have to be added
	var prev state
	for i := 0; i < len(s); {
		mark, size := prev.next(s[i:])
		runes := 1
		if mark == "" {
			mark = s[i : i+size]
		} else {
			switch mark {
			case "\n":
				mark = "↵"
			case "\t":
				mark = "⇥"
			}
			runes = utf8.RuneCountInString(mark)
		}
		if n+runes > maxRunes {
			return b.String()[:keep] + ellipsis
		}
		b.WriteString(mark)
		n += runes
		if n < maxRunes {
			keep = b.Len()
		}
		i += size
	}
	return b.String()
}

// Text returns s for a wrapping label: lines stay lines (CR LF and CR count as one line end), tabs become blanks,
// words of more than 96 runes are broken by a line end so that they wrap, and what exceeds maxBytes bytes or 500
// lines is cut with an ellipsis. maxBytes below 3, the room of the ellipsis, gives "".
func Text(s string, maxBytes int) string {
	if maxBytes < len(ellipsis) {
		return ""
	}
	var b strings.Builder
	b.Grow(min(len(s), maxBytes) + utf8.UTFMax)
	keep, word, lines := 0, 0, 1
	var prev state
	for i := 0; i < len(s); {
		mark, size := prev.next(s[i:])
		runes := 1
		switch mark {
		case "":
			mark = s[i : i+size]
			if r, _ := utf8.DecodeRuneInString(mark); unicode.IsSpace(r) {
				word, runes = 0, 0
			}
		case "\n":
			word, runes = 0, 0
			lines++
		case "\t":
			mark, word, runes = tab, 0, 0
		default:
			runes = utf8.RuneCountInString(mark)
		}
		if word += runes; word > wordRunes && !prev.joins {
			mark, word = "\n"+mark, runes
			lines++
		}
		if b.Len()+len(mark) > maxBytes || lines > textLines {
			return b.String()[:keep] + ellipsis
		}
		b.WriteString(mark)
		if b.Len()+len(ellipsis) <= maxBytes {
			keep = b.Len()
		}
		i += size
	}
	return b.String()
}

// plain reports whether s is printable ASCII.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

// state is what the reading of a string has to remember.
type state struct {
	emoji bool // the rune before can take a presentation selector
	joins bool // the rune just read is drawn as part of the one before
	marks int  // combining marks in a row
}

// next reads one unit of s, which must not be empty. It returns the number of bytes read and the mark to show instead,
// or "" for those bytes as they are. Line ends are "\n" whatever their spelling, a tab is "\t".
func (p *state) next(s string) (mark string, size int) {
	was := *p
	*p = state{}
	c := s[0]
	switch {
	case c == '\r' && len(s) > 1 && s[1] == '\n':
		return "\n", 2
	case c == '\n' || c == '\r':
		return "\n", 1
	case c == '\t':
		return "\t", 1
	case c >= 0x20 && c < 0x7f:
		p.emoji = c >= '0' && c <= '9' || c == '#' || c == '*'
		return "", 1
	}
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && size == 1:
		if r, ok := surrogate(s); ok {
			return Mark(r), 3
		}
		return MarkByte(c), 1
	case r == EmojiStyle && was.emoji:
		p.joins = true
		return "", size
	case Hidden(r):
		return Mark(r), size
	case unicode.Is(unicode.M, r):
		p.joins = true
		if p.marks = was.marks + 1; p.marks > stacked {
			p.joins = false
			return Mark(r), size
		}
		return "", size
	}
	p.emoji = TakesEmojiStyle(r)
	return "", size
}

// EmojiStyle is the variation selector that asks for the coloured form of the symbol before it. Hidden is true for it,
// but after a symbol it hides nothing.
const EmojiStyle = '\uFE0F'

// TakesEmojiStyle reports whether r is a symbol that EmojiStyle may follow.
func TakesEmojiStyle(r rune) bool {
	return unicode.In(r, unicode.So, unicode.Sm, unicode.Po, unicode.Pd) && r > 0x7f
}

// surrogate reads a surrogate that was written as three bytes, as some encoders do with a lone one.
func surrogate(s string) (rune, bool) {
	if len(s) < 3 || s[0] != 0xed || s[1] < 0xa0 || s[1] > 0xbf || s[2] < 0x80 || s[2] > 0xbf {
		return 0, false
	}
	return 0xd000 | rune(s[1]&0x3f)<<6 | rune(s[2]&0x3f), true
}
