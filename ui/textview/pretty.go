package textview

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	look "mcploupe/ui/theme"
	"mcploupe/ui/view/human"
)

const (
	// foldedOver is the size in bytes beyond which a string is folded until it is opened.
	foldedOver = 2 << 10
	// foldedShown is how much of a folded string is shown, and foldedLeast how much where there is little room.
	foldedShown, foldedLeast = 72, 6
	// keyShown is how much of a member name is shown.
	keyShown = 256
	// maxIndent bounds how far nested values move to the right.
	maxIndent = 40
)

// closing marks a line that closes a container; other lines count the pieces of a value from 0.
const closing = 1<<32 - 1

// line is a row of the pretty layout: a node in the upper half, a piece of it or closing in the lower.
type line uint64

func newLine(n uint32, part uint32) line { return line(n)<<32 | line(part) }
func (l line) node() int                 { return int(l >> 32) }
func (l line) part() uint32              { return uint32(l) }

// prettyLayout shows JSON with a value on a line. Its order, names and numbers are those of the text.
type prettyLayout struct {
	x     *Index
	wrap  int
	lines []line
	owned bool     // lines is not the index's own
	flips []uint64 // a bit a node: containers that are folded, long strings that are not

	links bool // strings that hold more than a line of text end in a link

	pieced [4]pieced // of the values that were cut last
	next   int       // which of them is replaced next
}

// pieced is a value on several rows.
type pieced struct {
	node int      // -1 for none
	cuts []uint32 // where the pieces after the first begin
}

func newPrettyLayout(x *Index, wrap int) *prettyLayout {
	p := &prettyLayout{x: x, wrap: wrap, flips: make([]uint64, len(x.nodes)/64+1)}
	p.forget()
	if x.first != nil && wrap == piece {
		p.lines = x.first // until something is folded
		return p
	}
	p.rebuild()
	return p
}

// forget drops what was cut for another width.
func (p *prettyLayout) forget() {
	for i := range p.pieced {
		p.pieced[i] = pieced{node: -1}
	}
}

func (p *prettyLayout) flipped(n int) bool { return p.flips[n/64]&(1<<(n%64)) != 0 }
func (p *prettyLayout) flip(n int)         { p.flips[n/64] ^= 1 << (n % 64) }

func long(n *node) bool { return n.kind == kindString && n.end-n.start > foldedOver }

// folded reports whether node n shows less than it holds.
func (p *prettyLayout) folded(n int) bool {
	nd := &p.x.nodes[n]
	return nd.open() && p.flipped(n) || long(nd) && !p.flipped(n)
}

// foldable reports whether node n can be folded and opened.
func (p *prettyLayout) foldable(n int) bool {
	nd := &p.x.nodes[n]
	return nd.open() || long(nd)
}

// rebuild makes all lines anew.
func (p *prettyLayout) rebuild() {
	p.forget()
	if !p.owned {
		p.owned = true
		p.lines = make([]line, 0, len(p.x.nodes)+p.x.opened(len(p.x.nodes)))
	}
	p.lines = p.emit(p.lines[:0], 0, uint32(len(p.x.nodes)))
}

// emit appends the lines of the nodes from..to-1, which are whole subtrees.
func (p *prettyLayout) emit(out []line, from, to uint32) []line {
	var stack []uint32
	for i := from; i < to; {
		n := &p.x.nodes[i]
		if n.open() && !p.flipped(int(i)) {
			out = append(out, newLine(i, 0))
			stack = append(stack, i)
			i++
			continue
		}
		for k := range p.pieces(int(i)) {
			out = append(out, newLine(i, k))
		}
		i = n.after
		for len(stack) > 0 && p.x.nodes[stack[len(stack)-1]].after == i {
			out = append(out, newLine(stack[len(stack)-1], closing))
			stack = stack[:len(stack)-1]
		}
	}
	return out
}

// toggle folds or opens what row i shows and reports whether there was something to fold.
func (p *prettyLayout) toggle(i int) bool {
	n := p.lines[i].node()
	if !p.foldable(n) {
		return false
	}
	from := rowOfNode(p, n)
	to := from + 1
	if nd := &p.x.nodes[n]; nd.open() && !p.flipped(n) {
		to = rowAt(p, int(nd.end)-1) + 1
	} else {
		for to < len(p.lines) && p.lines[to].node() == n {
			to++
		}
	}
	p.flip(n)
	added := p.emit(nil, uint32(n), p.x.nodes[n].after)
	if !p.owned {
		p.owned, p.lines = true, slices.Clone(p.lines)
	}
	p.lines = slices.Replace(p.lines, from, to, added...)
	return true
}

// rowOfNode returns the row on which node n begins, or the one that holds it folded.
func rowOfNode(p *prettyLayout, n int) int { return rowAt(p, int(p.x.nodes[n].first())) }

// foldTo folds the containers at depth and deeper, opens those above.
func (p *prettyLayout) foldTo(depth int) {
	for i := range p.x.nodes {
		if n := &p.x.nodes[i]; n.open() && p.flipped(i) != (int(n.depth) >= depth) {
			p.flip(i)
		}
	}
	p.rebuild()
}

// hides reports whether something is folded that keeps the byte at offset from being shown, and whether opening it is
// felt.
func (p *prettyLayout) hides(offset int) (hidden, much bool) {
	p.path(offset, func(n int) bool {
		hidden = true
		much = much || p.x.much(n)
		return true
	})
	return hidden, much
}

// reveal opens what keeps the byte at offset from being shown.
func (p *prettyLayout) reveal(offset int) {
	p.path(offset, func(n int) bool {
		p.toggle(rowOfNode(p, n))
		return true
	})
}

// path calls f, from the outside in, with the values that are folded and hold the byte at offset, until it returns
// false.
func (p *prettyLayout) path(offset int, f func(n int) bool) {
	target := p.x.at(offset)
	for n := 0; ; {
		nd := &p.x.nodes[n]
		if n != target && nd.open() && p.flipped(n) || n == target && long(nd) && !p.flipped(n) && offset >= int(nd.start) {
			if !f(n) {
				return
			}
		}
		if n == target {
			return
		}
		c := n + 1
		for int(p.x.nodes[c].after) <= target {
			c = int(p.x.nodes[c].after)
		}
		n = c
	}
}

func indent(n *node) int { return 2 * min(int(n.depth), maxIndent) }

// room returns how many bytes of a value the first and each further piece hold.
func (p *prettyLayout) room(n *node) (first, more int) {
	key := 0
	if n.keyEnd > n.keyStart {
		key = int(min(n.keyEnd-n.keyStart, keyShown)) + 2
	}
	wrap := p.wrap - p.linkRoom(n)
	return max(24, wrap-indent(n)-key), max(32, wrap-indent(n)-2)
}

// linkRoom returns what the rows of a string leave free for a link, by a glance at its beginning: this is asked for
// every string of a text.
func (p *prettyLayout) linkRoom(n *node) int {
	const room = len("  [show picture]")
	if n.kind != kindString || n.end-n.start < 10 {
		return 0
	}
	head := p.x.raw[n.start+1 : min(n.end-1, n.start+40)]
	if c := head[0]; c == '{' || c == '[' || bytes.IndexByte(head, ' ') < 0 {
		return room
	}
	return 0
}

// pieces returns on how many rows the value of node i is shown.
func (p *prettyLayout) pieces(i int) uint32 {
	n := &p.x.nodes[i]
	size := int(n.end - n.start)
	if n.container() || long(n) && !p.flipped(i) || size <= 24 {
		return 1
	}
	if first, _ := p.room(n); size <= first {
		return 1
	}
	return uint32(len(p.cut(i)) + 1)
}

// cut returns where the pieces of node i's value begin, but for the first: after line ends of the text where there are
// some, else after blanks. The last few values are remembered: cutting megabytes for every row would be felt.
func (p *prettyLayout) cut(i int) []uint32 {
	for k := range p.pieced {
		if p.pieced[k].node == i {
			return p.pieced[k].cuts
		}
	}
	n := &p.x.nodes[i]
	c := &p.pieced[p.next]
	p.next = (p.next + 1) % len(p.pieced)
	c.node, c.cuts = i, c.cuts[:0]
	room, more := p.room(n)
	for at := int(n.start); ; room = more {
		if at = p.breakAt(at, min(int(n.end), at+room), int(n.end)); at >= int(n.end) {
			return c.cuts
		}
		c.cuts = append(c.cuts, uint32(at))
	}
}

// lookBack is how far before the end of a row a blank is looked for.
const lookBack = 24

// breakAt returns where a row that begins at from and has room up to stop ends, in a value that ends at end.
func (p *prettyLayout) breakAt(from, stop, end int) int {
	row := p.x.raw[from:stop]
	for i := 0; ; {
		k := bytes.Index(row[i:], []byte(`\n`))
		if k < 0 {
			break
		}
		i += k + 2
		if k == 0 || row[i-3] != '\\' {
			if from+i+1 >= end { // nothing but the closing quote would follow
				break
			}
			return from + i
		}
	}
	if stop >= end {
		return end
	}
	if k := bytes.LastIndexByte(row[max(0, len(row)-lookBack):], ' '); k >= 0 {
		return max(stop-lookBack, from) + k + 1
	}
	if k := bytes.LastIndexByte(row[max(0, len(row)-5):], '\\'); k >= 0 && len(row) > lookBack { // keep escapes whole
		if c := max(stop-5, from) + k; c > from && p.x.raw[c-1] != '\\' {
			return c
		}
	}
	if c := align(p.x.raw, stop); c > from {
		return c
	}
	return stop
}

// piece returns the bytes of piece k of node i's value.
func (p *prettyLayout) piece(i, k int) (from, to int) {
	n := &p.x.nodes[i]
	from, to = int(n.start), int(n.end)
	if p.pieces(i) == 1 {
		return from, to
	}
	cuts := p.cut(i)
	if k > 0 {
		from = int(cuts[k-1])
	}
	if k < len(cuts) {
		to = int(cuts[k])
	}
	return from, to
}

func (p *prettyLayout) rows() int { return len(p.lines) }
func (p *prettyLayout) size() int { return len(p.x.raw) }

func (p *prettyLayout) offset(i int) int {
	l := p.lines[i]
	n := &p.x.nodes[l.node()]
	switch l.part() {
	case 0:
		return int(n.first())
	case closing:
		return int(n.end) - 1
	}
	from, _ := p.piece(l.node(), int(l.part()))
	return from
}

func (p *prettyLayout) soft(i int) bool {
	l := p.lines[i]
	return l.part() != closing && l.part()+1 < p.pieces(l.node())
}

func (p *prettyLayout) number(i int) int {
	l := p.lines[i]
	switch l.part() {
	case 0:
		return p.x.number(l.node())
	case closing:
		return p.x.closingNumber(l.node())
	}
	return 0
}

var kindColors = [...]fyne.ThemeColorName{
	kindObject: look.ColorPunctuation, kindArray: look.ColorPunctuation, kindString: look.ColorString,
	kindNumber: look.ColorNumber, kindLiteral: look.ColorLiteral,
}

// blanks is cut to the indent of a row.
var blanks = strings.Repeat(" ", 2*maxIndent+2)

func (p *prettyLayout) segments(i int, out []segment) []segment {
	l := p.lines[i]
	n := &p.x.nodes[l.node()]
	raw := p.x.raw
	note := func(s string) { out = append(out, segment{text: s, color: look.ColorMuted, src: -1}) }
	show := func(from, to int, c fyne.ThemeColorName) {
		out = append(out, segment{text: string(raw[from:to]), color: c, src: from})
	}
	comma := func() {
		if !p.x.last(l.node()) {
			out = append(out, segment{text: ",", color: look.ColorPunctuation, src: -1})
		}
	}
	if l.part() == closing {
		note(blanks[:indent(n)])
		show(int(n.end)-1, int(n.end), look.ColorPunctuation)
		comma()
		return out
	}
	if l.part() > 0 {
		from, to := p.piece(l.node(), int(l.part()))
		note(blanks[:indent(n)+2])
		show(from, to, kindColors[n.kind])
		if to == int(n.end) {
			comma()
			return p.link(l.node(), out, 0)
		}
		return out
	}
	if d := indent(n); d > 0 {
		note(blanks[:d])
	}
	if n.keyEnd > n.keyStart {
		from, to := int(n.keyStart), int(n.keyEnd)
		if to-from > keyShown {
			cut := align(raw, from+keyShown)
			show(from, cut, look.ColorKey)
			note("… " + human.Bytes(int64(to-from)))
		} else {
			show(from, to, look.ColorKey)
		}
		out = append(out, segment{text: ": ", color: look.ColorPunctuation, src: -1})
	}
	start, end := int(n.start), int(n.end)
	value := len(out)
	switch {
	case n.open():
		show(start, start+1, look.ColorPunctuation)
		if !p.flipped(l.node()) {
			return out
		}
		what := [2]string{"member", "members"}
		if n.kind == kindArray {
			what = [2]string{"element", "elements"}
		}
		note(" … " + human.Plural(int(n.children), what[0], what[1]) + " ")
		show(end-1, end, look.ColorPunctuation)
	case n.container():
		out = append(out, segment{text: string(raw[start]) + string(raw[end-1]), color: look.ColorPunctuation, src: -1})
	case long(n) && !p.flipped(l.node()):
		shown, about := p.gist(l.node(), columnsOf(out))
		show(start, align(raw, start+shown), look.ColorString)
		note(about)
	default:
		from, to := p.piece(l.node(), 0)
		show(from, to, kindColors[n.kind])
		if to < end {
			return out
		}
	}
	comma()
	return p.link(l.node(), out, value)
}

// gist returns how many bytes of a folded string are shown after what stands in used columns already, and the note on
// its size and kind: on size alone where both have no room.
func (p *prettyLayout) gist(i, used int) (shown int, note string) {
	n := &p.x.nodes[i]
	c := p.x.content(i)
	if verb := c.verb(); p.links && verb != "" {
		used += len(verb) + len("  []")
	}
	used += len(",")
	size := "… " + human.Bytes(int64(n.end-n.start-2))
	note = size + ", " + c.Name
	left := p.wrap - used - utf8.RuneCountInString(note)
	if left < foldedLeast {
		note = size
		left = p.wrap - used - utf8.RuneCountInString(note)
	}
	return min(foldedShown, max(foldedLeast, left)), note
}

// link adds what opens the content of a string, when the string is folded or there is room for it: behind the string, or
// where its value begins when it would be out of sight there.
func (p *prettyLayout) link(i int, out []segment, value int) []segment {
	if !p.links || p.x.nodes[i].kind != kindString {
		return out
	}
	verb := p.x.content(i).verb()
	if verb == "" || !p.folded(i) && rowLen(out)+len(verb)+3 > p.wrap {
		return out
	}
	opens := segment{text: "[" + verb + "]", color: theme.ColorNameHyperlink, src: -1, link: true}
	if p.folded(i) && columnsOf(out)+len(verb)+4 > p.wrap {
		return slices.Insert(out, value, opens, segment{text: " ", src: -1, link: true})
	}
	return append(out, segment{text: "  ", src: -1, link: true}, opens)
}

// columnsOf is how many characters the segments have.
func columnsOf(segs []segment) int {
	n := 0
	for _, s := range segs {
		n += utf8.RuneCountInString(s.text)
	}
	return n
}
