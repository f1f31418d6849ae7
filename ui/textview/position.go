package textview

import "strings"

// pos is a place in a layout: a row and a byte of its text.
type pos struct{ row, col int }

func (p pos) before(q pos) bool { return p.row < q.row || p.row == q.row && p.col < q.col }

// ordered returns two places, the earlier first.
func ordered(a, b pos) (from, to pos) {
	if b.before(a) {
		return b, a
	}
	return a, b
}

// copyText returns the text of a layout from one place to another, at most limit bytes of it.
func copyText(l layout, from, to pos, limit int) string {
	var b strings.Builder
	var segs []segment
	for i := from.row; i <= to.row && i < l.rows() && b.Len() < limit; i++ {
		segs = l.segments(i, segs[:0])
		start, end := 0, rowLen(segs)
		if i == from.row {
			start = min(from.col, end)
		}
		if i == to.row {
			end = min(to.col, end)
		}
		at := 0
		for _, s := range segs {
			lo, hi := max(start-at, 0), min(end-at, len(s.text))
			if lo < hi && !s.link {
				b.WriteString(s.text[lo:hi])
			}
			at += len(s.text)
		}
		if i < to.row && !l.soft(i) {
			b.WriteByte('\n')
		}
	}
	return b.String()
}
