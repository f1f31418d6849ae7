package textview

import "bytes"

// rawLayout shows the bytes as lines, long lines in pieces. It keeps where each
// block of rows begins and finds the rows of a block when they are looked at:
// a text of line feeds alone has as many rows as bytes.
type rawLayout struct {
	raw    []byte
	wrap   int // bytes on a row at most
	blocks []rawBlock
	count  int  // of rows
	part   bool // only the beginning of a text whose rows are being found

	block  int // whose rows are in starts, -1 for none
	starts [rankBlock + 1]int
}

// rawBlock is where a block of rows begins, and how many lines began before it.
type rawBlock struct{ start, lines uint32 }

// newRawLayout cuts lines into pieces of at most wrap bytes.
func newRawLayout(raw []byte, wrap int) *rawLayout {
	l := &rawLayout{raw: raw, wrap: wrap, block: -1}
	lines := uint32(0)
	for i, fresh := 0, true; ; l.count++ {
		if l.count%rankBlock == 0 {
			l.blocks = append(l.blocks, rawBlock{uint32(i), lines})
		}
		if fresh {
			lines++
		}
		next, more := l.after(i)
		if !more {
			l.count++
			return l
		}
		i, fresh = next, raw[next-1] == '\n'
	}
}

// after returns where the row that follows the one at i begins, and whether there
// is one.
func (l *rawLayout) after(i int) (int, bool) {
	if k := bytes.IndexByte(l.raw[i:min(len(l.raw), i+l.wrap+1)], '\n'); k >= 0 {
		return i + k + 1, true
	}
	if len(l.raw)-i <= l.wrap {
		return len(l.raw), false
	}
	return cutBefore(l.raw, i, i+l.wrap), true
}

// cutBefore returns where a row that begins at from and may go up to stop ends: after a blank near its end, at least not
// inside a rune.
func cutBefore(raw []byte, from, stop int) int {
	near := max(from, stop-lookBack)
	if k := bytes.LastIndexByte(raw[near:stop], ' '); k >= 0 && near > from {
		return near + k + 1
	}
	if c := align(raw, stop); c > from {
		return c
	}
	return stop
}

// start returns where row i begins; the row after the last begins at the end.
func (l *rawLayout) start(i int) int {
	if i >= l.count {
		return len(l.raw)
	}
	if b := i / rankBlock; b != l.block {
		l.block = b
		at := int(l.blocks[b].start)
		for k := range l.starts {
			l.starts[k] = at
			at, _ = l.after(at)
		}
	}
	return l.starts[i%rankBlock]
}

// frozen is a copy for another goroutine.
func (l *rawLayout) frozen() *rawLayout {
	own := *l
	return &own
}

func (l *rawLayout) rows() int        { return l.count }
func (l *rawLayout) size() int        { return len(l.raw) }
func (l *rawLayout) offset(i int) int { return l.start(i) }

// end returns where row i ends, its line end not included.
func (l *rawLayout) end(i int) int {
	e := l.start(i + 1)
	if i+1 < l.count && l.raw[e-1] == '\n' {
		e--
	}
	return e
}

func (l *rawLayout) segments(i int, out []segment) []segment {
	from := l.start(i)
	return append(out, segment{text: string(l.raw[from:l.end(i)]), src: from})
}

func (l *rawLayout) soft(i int) bool {
	return i+1 < l.count && l.end(i) == l.start(i+1)
}

func (l *rawLayout) begins(i int) bool {
	from := l.start(i)
	return from == 0 || l.raw[from-1] == '\n'
}

func (l *rawLayout) number(i int) int {
	if !l.begins(i) {
		return 0
	}
	n := int(l.blocks[i/rankBlock].lines)
	for k := i / rankBlock * rankBlock; k <= i; k++ {
		if l.begins(k) {
			n++
		}
	}
	return n
}

const (
	// manyRows is from how many rows on finding them is felt.
	manyRows = 400_000
	// headBytes is how much of a text is shown before its rows are found.
	headBytes = 256 << 10
)

// plainLayout is the raw layout for the width of the window. One that would be
// felt is made elsewhere; until it is there the last one is shown, at first one of
// the beginning of the text.
func (v *View) plainLayout() *rawLayout {
	raw := v.index.raw
	slow := v.Run != nil && v.index.lines+len(raw)/v.cols > manyRows
	switch {
	case v.plain != nil && v.plain.wrap == v.cols && !v.plain.part:
		return v.plain
	case !slow:
		v.plain = newRawLayout(raw, v.cols)
	case v.plain == nil:
		v.plain = newRawLayout(raw[:min(len(raw), headBytes)], v.cols)
		v.plain.part = true
	}
	if slow && v.finding.cancel == nil {
		v.findRows()
	}
	return v.plain
}

// findRows makes the raw layout elsewhere, one at a time.
func (v *View) findRows() {
	ctx := v.finding.start()
	x, cols := v.index, v.cols
	v.Run(func() func() {
		l := newRawLayout(x.raw, cols)
		return func() {
			if ctx.Err() != nil || v.index != x {
				return
			}
			v.finding.stop()
			if v.Mode() != Raw {
				v.plain = l
				return
			}
			v.swapPlain(l)
			if l.wrap != v.cols {
				v.findRows()
			}
			if then := v.found; then != nil {
				v.found = nil
				then()
			}
		}
	})
}

// swapPlain shows another raw layout of the same text, with place, caret and
// selection kept.
func (v *View) swapPlain(l *rawLayout) {
	first, caret, anchor := v.firstOffset(), v.offsetOf(v.caret), v.offsetOf(v.anchor)
	v.plain, v.layout, v.wide = l, l, 0
	v.SetCount(l.rows())
	v.caret, v.anchor = v.placeOf(caret), v.placeOf(anchor)
	v.SetPlace(rowAt(l, first), 0)
	v.Redraw(true)
}

// whenFound calls do now, or again when all rows of the text are known.
func (v *View) whenFound(do func()) {
	do()
	if l, ok := v.layout.(*rawLayout); ok && l.part {
		v.found = do
	}
}
