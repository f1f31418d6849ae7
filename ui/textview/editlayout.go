package textview

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// editLayout shows a buffer as rows: lines, long ones in pieces.
type editLayout struct {
	b    *buffer
	wrap int
	json bool
	// starts and offs hold the first row and the first byte of every line, and those of the line after the last.
	starts, offs []int

	// For the last long line that was coloured: its text, and whether each piece begins inside a string.
	longLine string
	inString []bool
	read     int // how far the line has been looked at
}

func newEditLayout(b *buffer, wrap int, json bool) *editLayout {
	l := &editLayout{b: b, wrap: wrap, json: json}
	l.update(0)
	return l
}

// update takes in that lines from `from` on have changed.
func (l *editLayout) update(from int) {
	n := len(l.b.lines) + 1
	for len(l.starts) < n {
		l.starts, l.offs = append(l.starts, 0), append(l.offs, 0)
	}
	l.starts, l.offs = l.starts[:n], l.offs[:n]
	for i := from; i < n-1; i++ {
		size := len(l.b.lines[i])
		l.starts[i+1] = l.starts[i] + max(1, (size+l.wrap-1)/l.wrap)
		l.offs[i+1] = l.offs[i] + size + 1
	}
}

func (l *editLayout) rows() int { return l.starts[len(l.b.lines)] }
func (l *editLayout) size() int { return l.b.size }

// at returns the line of a row and which bytes of it the row shows.
func (l *editLayout) at(row int) (line, from, to int) {
	line = sort.SearchInts(l.starts, row+1) - 1
	s := l.b.lines[line]
	k := row - l.starts[line]
	return line, l.cut(s, k), l.cut(s, k+1)
}

// cut returns where piece k of a line begins.
func (l *editLayout) cut(s string, k int) int {
	c := min(k*l.wrap, len(s))
	for n := 0; n < 3 && c > 0 && c < len(s) && !utf8.RuneStart(s[c]); n++ {
		c--
	}
	return c
}

func (l *editLayout) offset(i int) int {
	line, from, _ := l.at(i)
	return l.offs[line] + from
}

func (l *editLayout) soft(i int) bool {
	line, _, to := l.at(i)
	return to < len(l.b.lines[line])
}

func (l *editLayout) number(i int) int {
	if line, from, _ := l.at(i); from == 0 {
		return line + 1
	}
	return 0
}

func (l *editLayout) segments(i int, out []segment) []segment {
	line, from, to := l.at(i)
	s := l.b.lines[line]
	src := l.offs[line] + from
	if !l.json {
		return append(out, segment{text: s[from:to], src: src})
	}
	return colourJSON(s[from:to], src, from > 0 && l.insideString(s, i-l.starts[line]), out)
}

// insideString reports whether piece k of a line begins inside a string. It looks at the line no further than that.
func (l *editLayout) insideString(s string, k int) bool {
	if l.longLine != s {
		l.longLine, l.inString, l.read = s, l.inString[:0], 0
	}
	// known adds the pieces that begin before byte `to`.
	known := func(to int, in bool) {
		for n := len(l.inString); n*l.wrap <= len(s) && l.cut(s, n) < to; n++ {
			l.inString = append(l.inString, in)
		}
	}
	for len(l.inString) <= k && l.read < len(s) {
		q := strings.IndexByte(s[l.read:], '"')
		if q < 0 {
			l.read = len(s)
			known(len(s)+1, false)
			break
		}
		open := l.read + q
		l.read = stringEnd(s, open+1)
		known(open+1, false)
		known(l.read, true)
	}
	return k < len(l.inString) && l.inString[k]
}

// spotOf returns what stands at a place.
func (l *editLayout) spotOf(p pos) spot {
	line, from, to := l.at(min(p.row, l.rows()-1))
	return l.b.clip(spot{line, min(from+p.col, to)})
}

// placeOf returns where a spot is shown. A spot between two pieces of a line is at the start of the second.
func (l *editLayout) placeOf(s spot) pos {
	text := l.b.lines[s.line]
	pieces := l.starts[s.line+1] - l.starts[s.line]
	k := min(s.col/l.wrap, pieces-1)
	if k+1 < pieces && l.cut(text, k+1) <= s.col {
		k++
	}
	return pos{l.starts[s.line] + k, s.col - l.cut(text, k)}
}
