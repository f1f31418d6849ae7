package textview

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// GoTo goes to the place that a person names: a line "120", a line and a column in characters "120:7", a byte "@4096", or
// a JSON Pointer "/result/content/0". The error says in a few words why there is no such place.
func (v *View) GoTo(place string) error {
	place = strings.TrimSpace(place)
	switch {
	case place == "":
		return nil
	case place[0] == '@':
		n, err := strconv.Atoi(strings.ReplaceAll(place[1:], " ", ""))
		if err != nil || n < 0 || n >= max(1, v.layout.size()) {
			return fmt.Errorf("no such byte")
		}
		v.ShowOffset(n)
		return nil
	case place[0] == '/':
		x := v.index
		i, ok := x.find(place)
		if !ok {
			return fmt.Errorf("no such value")
		}
		v.ShowOffset(int(x.nodes[i].start))
		return nil
	}
	first, second, both := strings.Cut(place, ":")
	line, err := strconv.Atoi(strings.ReplaceAll(first, " ", ""))
	col := 1
	if err == nil && both {
		col, err = strconv.Atoi(strings.TrimSpace(second))
	}
	if err != nil {
		return fmt.Errorf("a line, @byte or /pointer")
	}
	offset, ok := v.lineOffset(line, col)
	if !ok {
		return fmt.Errorf("no such line")
	}
	v.ShowOffset(offset)
	return nil
}

// lineOffset returns the raw byte at a line and a column in characters, both from 1, as the view numbers its lines. A
// column past the end of a line is its end.
func (v *View) lineOffset(line, col int) (offset int, ok bool) {
	if line < 1 {
		return 0, false
	}
	switch mode := v.Mode(); {
	case v.editor != nil:
		return v.editor.lineOffset(line, col)
	case mode == Hex:
		return (line - 1) * hexWidth, (line-1)*hexWidth < max(1, len(v.index.raw))
	case mode == Pretty:
		return v.index.lineStart(line)
	}
	raw := v.index.raw
	if line > v.index.lines {
		return 0, false
	}
	at := 0
	for n := line; n > 1; n-- {
		at += bytes.IndexByte(raw[at:], '\n') + 1
	}
	end := len(raw)
	if k := bytes.IndexByte(raw[at:], '\n'); k >= 0 {
		end = at + k
	}
	return at + column(raw[at:end], col), true
}

// column returns which byte of a line the character at a column is.
func column(line []byte, col int) int {
	at := 0
	for ; col > 1 && at < len(line); col-- {
		_, size := utf8.DecodeRune(line[at:])
		at += size
	}
	return at
}

// lineStart returns the raw byte with which a line of the pretty layout begins, as lines are numbered when nothing is
// folded.
func (x *Index) lineStart(line int) (offset int, ok bool) {
	if line > x.numbers() {
		return 0, false
	}
	lo, hi := 0, len(x.nodes)-1 // the last node that begins at or before the line
	for lo < hi {
		if mid := (lo + hi + 1) / 2; x.number(mid) <= line {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	n := &x.nodes[lo]
	at := x.number(lo)
	if at == line {
		return int(n.first()), true
	}
	for i := int(n.end); i < len(x.raw); i++ { // the ends of containers follow, one a line
		if c := x.raw[i]; c == '}' || c == ']' {
			if at++; at == line {
				return i, true
			}
		}
	}
	return 0, false
}

// find returns the node at a JSON Pointer. Of members with the same name the first counts.
func (x *Index) find(pointer string) (i int, ok bool) {
	if !x.JSON() {
		return 0, false
	}
	for _, token := range strings.Split(pointer, "/")[1:] {
		if i, ok = x.child(i, token); !ok {
			return 0, false
		}
	}
	return i, true
}

// child returns the member or element of node n for a reference token.
func (x *Index) child(n int, token string) (int, bool) {
	nd := &x.nodes[n]
	if !nd.open() {
		return 0, false
	}
	element := -1
	if nd.kind == kindArray {
		var err error
		if element, err = strconv.Atoi(token); err != nil || element < 0 || element >= int(nd.children) {
			return 0, false
		}
	}
	for c, k := n+1, 0; c < int(nd.after); c, k = int(x.nodes[c].after), k+1 {
		if k == element || element < 0 && pointerToken(x.raw[x.nodes[c].keyStart:x.nodes[c].keyEnd]) == token {
			return c, true
		}
	}
	return 0, false
}
