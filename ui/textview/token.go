package textview

import (
	"strings"

	look "mcploupe/ui/theme"
)

// colourJSON appends s, a line of JSON or a piece of one, as coloured segments. src is where s stands in the text,
// inString says that it begins inside a string; JSON's strings do not go over lines, so nothing else has to be known.
func colourJSON(s string, src int, inString bool, out []segment) []segment {
	add := func(from, to int, seg segment) {
		if to > from {
			seg.text, seg.src = s[from:to], src+from
			out = append(out, seg)
		}
	}
	for i := 0; i < len(s); {
		from := i
		c := s[i]
		switch {
		case inString || c == '"':
			if !inString {
				i++
			}
			i = stringEnd(s, i)
			inString = false
			color := look.ColorString
			if rest := strings.TrimLeft(s[i:], " \t"); strings.HasPrefix(rest, ":") {
				color = look.ColorKey
			}
			add(from, i, segment{color: color})
		case numeric(c) && (c == '-' || c >= '0' && c <= '9'):
			for i < len(s) && numeric(s[i]) {
				i++
			}
			add(from, i, segment{color: look.ColorNumber})
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			for i < len(s) && (s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z') {
				i++
			}
			seg := segment{}
			switch s[from:i] {
			case "true", "false", "null":
				seg.color = look.ColorLiteral
			}
			add(from, i, seg)
		case strings.IndexByte("{}[],:", c) >= 0:
			for i < len(s) && strings.IndexByte("{}[],:", s[i]) >= 0 {
				i++
			}
			add(from, i, segment{color: look.ColorPunctuation})
		default:
			for i < len(s) && strings.IndexByte("{}[],:\"", s[i]) < 0 && !wordByte(s[i]) {
				i++
			}
			add(from, i, segment{})
		}
	}
	return out
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c >= '0' && c <= '9'
}

// stringEnd returns where the string ends in which s[i] stands, after its closing quote.
func stringEnd(s string, i int) int {
	for i < len(s) {
		k := strings.IndexAny(s[i:], `"\`)
		if k < 0 {
			return len(s)
		}
		i += k
		if s[i] == '"' {
			return i + 1
		}
		i += 2
	}
	return len(s)
}

// brackets calls f with the brackets of a line that stand outside its strings until f returns false.
func brackets(line string, f func(col int, c byte) bool) {
	for i := 0; i < len(line); {
		k := strings.IndexAny(line[i:], `"{}[]`)
		if k < 0 {
			return
		}
		i += k
		if line[i] == '"' {
			i = stringEnd(line, i+1)
			continue
		}
		if !f(i, line[i]) {
			return
		}
		i++
	}
}

// matchBytes bounds how far the partner of a bracket is looked for.
const matchBytes = 1 << 20

// match returns the bracket at or before a spot and its partner.
func (b *buffer) match(at spot) (self, partner spot, ok bool) {
	line := b.lines[at.line]
	beside := func(col int) bool { return col >= 0 && col < len(line) && strings.IndexByte("{}[]", line[col]) >= 0 }
	if !beside(at.col-1) && !beside(at.col) {
		return spot{}, spot{}, false // spares reading a long line for nothing
	}
	var c byte
	brackets(line, func(col int, found byte) bool {
		if col == at.col || col == at.col-1 {
			self, c = spot{at.line, col}, found
		}
		return col < at.col
	})
	switch c {
	case '{', '[':
		partner, ok = b.matchForward(self)
	case '}', ']':
		partner, ok = b.matchBack(self)
	}
	return self, partner, ok
}

func (b *buffer) matchForward(self spot) (partner spot, ok bool) {
	depth, left := 0, matchBytes
	for line := self.line; line < len(b.lines) && left > 0 && !ok; line++ {
		left -= len(b.lines[line])
		brackets(b.lines[line], func(col int, c byte) bool {
			if line == self.line && col < self.col {
				return true
			}
			if c == '{' || c == '[' {
				depth++
			} else if depth--; depth == 0 {
				partner, ok = spot{line, col}, true
			}
			return !ok
		})
	}
	return partner, ok
}

func (b *buffer) matchBack(self spot) (partner spot, ok bool) {
	type bracket struct {
		col int
		c   byte
	}
	var found []bracket
	depth, left := 0, matchBytes
	for line := self.line; line >= 0 && left > 0; line-- {
		left -= len(b.lines[line])
		found = found[:0]
		brackets(b.lines[line], func(col int, c byte) bool {
			if line == self.line && col > self.col {
				return false
			}
			found = append(found, bracket{col, c})
			return true
		})
		for i := len(found) - 1; i >= 0; i-- {
			if c := found[i].c; c == '}' || c == ']' {
				depth++
			} else if depth--; depth == 0 {
				return spot{line, found[i].col}, true
			}
		}
	}
	return spot{}, false
}
