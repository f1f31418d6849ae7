// Package textdiff compares two texts line by line, and lines that changed
// character by character, for a view that shows them side by side or as one.
//
// Work is bounded: what is too long or too different to be compared in the time
// given is compared more coarsely, never wrongly, and the outcome says so. JSON
// is compared as it is written out line by line, number text and order of
// members as they came.
package textdiff

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// Op says what became of a line.
type Op uint8

// The kinds of a Row.
const (
	Same    Op = iota
	Changed    // both sides have a line, not the same one
	Removed    // left alone
	Added      // right alone
)

// Span is a stretch of bytes of a line.
type Span struct{ From, To int }

// Line is a line of one side.
type Line struct {
	Number int // from 1; 0 when the side has no line here
	Text   string
	Marks  []Span // what differs from the line of the other side
}

// Row is a pair of lines that stand beside each other.
type Row struct {
	Op          Op
	Left, Right Line
}

// Diff is the outcome. It does not change.
type Diff struct {
	Rows    []Row
	Changes []Range // runs of rows that are not the same, in order
	Added   int     // lines
	Removed int
	Cut     string // what was compared coarsely or left out, a sentence; "" if nothing
}

// Range is a run of rows, To not among them.
type Range struct{ From, To int }

// OneSided reports whether one side alone has lines.
func (d *Diff) OneSided() bool {
	return len(d.Rows) > 0 && (d.Added == len(d.Rows) || d.Removed == len(d.Rows))
}

// Equal reports whether nothing differs.
func (d *Diff) Equal() bool { return len(d.Changes) == 0 && d.Cut == "" }

const (
	// MaxBytes and MaxLines are how much of a text is compared.
	MaxBytes = 4 << 20
	MaxLines = 100_000

	maxLine  = 16 << 10 // longer lines are broken, in bytes
	maxChars = 4 << 10  // up to which length lines are compared by characters
	lineTime = 400 * time.Millisecond
	charTime = 20 * time.Millisecond // for one pair of lines
	allChars = 400 * time.Millisecond
)

// Texts compares two texts. It takes at most about a second.
func Texts(before, after string) *Diff {
	d := &Diff{}
	var cut [2]bool
	before, cut[0] = clip(before)
	after, cut[1] = clip(after)
	left, right := lines(before), lines(after)
	if cut[0] || cut[1] || len(left) > MaxLines || len(right) > MaxLines {
		d.Cut = "Only the first 4 MB and 100 000 lines of each text are compared."
		left, right = left[:min(len(left), MaxLines)], right[:min(len(right), MaxLines)]
	}
	d.Rows = make([]Row, 0, max(len(left), len(right)))
	d.compare(left, right)
	return d
}

func clip(s string) (string, bool) {
	if len(s) <= MaxBytes {
		return s, false
	}
	n := MaxBytes
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n], true
}

// lines breaks a text at its line ends, and lines that are too long.
func lines(s string) []string {
	if s == "" {
		return nil
	}
	var out []string
	for line := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
		if len(out) > MaxLines {
			break
		}
		for len(line) > maxLine {
			n := maxLine
			for n > 0 && !utf8.RuneStart(line[n]) {
				n--
			}
			if n == 0 {
				n = maxLine
			}
			out, line = append(out, line[:n]), line[n:]
		}
		out = append(out, line)
	}
	return out
}

// compare fills d with the rows of two lists of lines.
func (d *Diff) compare(left, right []string) {
	b := builder{d: d, left: left, right: right, deadline: time.Now().Add(allChars)}
	head := 0
	for head < min(len(left), len(right)) && left[head] == right[head] {
		head++
	}
	b.same(head)
	tail := 0
	for tail < min(len(left), len(right))-head && left[len(left)-1-tail] == right[len(right)-1-tail] {
		tail++
	}
	known := map[string]rune{}
	l, r := runesOf(left[head:len(left)-tail], known), runesOf(right[head:len(right)-tail], known)
	differ := diffmatchpatch.New()
	differ.DiffTimeout = lineTime
	start := time.Now()
	for _, part := range differ.DiffMainRunes(l, r, false) {
		n := utf8.RuneCountInString(part.Text)
		switch part.Type {
		case diffmatchpatch.DiffDelete:
			b.gone += n
		case diffmatchpatch.DiffInsert:
			b.came += n
		default:
			b.flush()
			b.same(n)
		}
	}
	b.flush()
	b.same(tail)
	if time.Since(start) > lineTime && d.Cut == "" {
		d.Cut = "The texts differ so much that some lines which are the same may stand as changed."
	}
	if b.coarse && d.Cut == "" {
		d.Cut = "Some lines are compared as a whole because they are long or many."
	}
}

// runesOf stands a rune for each distinct line, of which there are at most
// twice MaxLines. Surrogates are left out: no string can hold them.
func runesOf(lines []string, known map[string]rune) []rune {
	out := make([]rune, len(lines))
	for i, line := range lines {
		r, ok := known[line]
		if !ok {
			r = rune(len(known) + 1)
			if r >= 0xD800 {
				r += 0x800
			}
			known[line] = r
		}
		out[i] = r
	}
	return out
}

// builder turns runs of equal, removed and added lines into rows.
type builder struct {
	d           *Diff
	left, right []string
	l, r        int // lines that have rows
	gone, came  int // lines that wait for theirs
	deadline    time.Time
	coarse      bool
}

func (b *builder) same(n int) {
	for range n {
		b.d.Rows = append(b.d.Rows, Row{Op: Same, Left: b.takeLeft(), Right: b.takeRight()})
	}
}

func (b *builder) takeLeft() Line {
	b.l++
	return Line{Number: b.l, Text: b.left[b.l-1]}
}

func (b *builder) takeRight() Line {
	b.r++
	return Line{Number: b.r, Text: b.right[b.r-1]}
}

// flush makes rows of the lines that went and came at one place.
func (b *builder) flush() {
	if b.gone+b.came == 0 {
		return
	}
	from := len(b.d.Rows)
	b.d.Removed += b.gone
	b.d.Added += b.came
	for _, p := range pairs(b.left[b.l:b.l+b.gone], b.right[b.r:b.r+b.came]) {
		row := Row{Op: Changed}
		switch {
		case !p.right:
			row.Op, row.Left = Removed, b.takeLeft()
		case !p.left:
			row.Op, row.Right = Added, b.takeRight()
		default:
			row.Left, row.Right = b.takeLeft(), b.takeRight()
			row.Left.Marks, row.Right.Marks = b.marks(row.Left.Text, row.Right.Text)
		}
		b.d.Rows = append(b.d.Rows, row)
	}
	b.gone, b.came = 0, 0
	b.d.Changes = append(b.d.Changes, Range{from, len(b.d.Rows)})
}

// pair says which sides a row has.
type pair struct{ left, right bool }

// maxPairing bounds the lines of a change whose best pairs are looked for.
const maxPairing = 4096

// pairs puts lines that went beside those that came. When there are as many of
// both they stand in their order, else the likest ones beside each other.
func pairs(gone, came []string) []pair {
	out := make([]pair, 0, max(len(gone), len(came)))
	if len(gone) == len(came) || len(gone) == 0 || len(came) == 0 || len(gone)*len(came) > maxPairing {
		for i := range max(len(gone), len(came)) {
			out = append(out, pair{i < len(gone), i < len(came)})
		}
		return out
	}
	// best[i][j] is the most likeness of gone[i:] and came[j:].
	n, m := len(gone), len(came)
	best := make([]int, (n+1)*(m+1))
	at := func(i, j int) *int { return &best[i*(m+1)+j] }
	like := make([]int, n*m)
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			like[i*m+j] = likeness(gone[i], came[j])
			*at(i, j) = max(*at(i+1, j), *at(i, j+1), *at(i+1, j+1)+like[i*m+j])
		}
	}
	i, j := 0, 0
	for i < n || j < m {
		switch {
		case i < n && j < m && *at(i, j) == *at(i+1, j+1)+like[i*m+j] && like[i*m+j] > 0:
			out, i, j = append(out, pair{true, true}), i+1, j+1
		case i < n && (j == m || *at(i, j) == *at(i+1, j)):
			out, i = append(out, pair{left: true}), i+1
		default:
			out, j = append(out, pair{right: true}), j+1
		}
	}
	return out
}

// likeness is what share of the longer of two lines begins and ends as the
// other, in percent; 0 below a third.
func likeness(a, b string) int {
	prefix, suffix := common(a, b)
	longer := max(len(a), len(b))
	if longer == 0 {
		return 100
	}
	share := (prefix + suffix) * 100 / longer
	if share < 34 {
		return 0
	}
	return share
}

// common is how many bytes two lines have in common at the start and, of the
// rest, at the end, at whole runes.
func common(a, b string) (prefix, suffix int) {
	for prefix < min(len(a), len(b)) && a[prefix] == b[prefix] {
		prefix++
	}
	for prefix > 0 && (prefix < len(a) && !utf8.RuneStart(a[prefix]) || prefix < len(b) && !utf8.RuneStart(b[prefix])) {
		prefix--
	}
	a, b = a[prefix:], b[prefix:]
	for suffix < min(len(a), len(b)) && a[len(a)-1-suffix] == b[len(b)-1-suffix] {
		suffix++
	}
	for suffix > 0 && (!utf8.RuneStart(a[len(a)-suffix]) || !utf8.RuneStart(b[len(b)-suffix])) {
		suffix--
	}
	return prefix, suffix
}

// marks finds what differs between two lines.
func (b *builder) marks(left, right string) (l, r []Span) {
	if len(left) > maxChars || len(right) > maxChars || !time.Now().Before(b.deadline) || !utf8.ValidString(left) || !utf8.ValidString(right) {
		b.coarse = b.coarse || len(left) > maxChars || len(right) > maxChars
		prefix, suffix := common(left, right)
		return span(prefix, len(left)-suffix), span(prefix, len(right)-suffix)
	}
	differ := diffmatchpatch.New()
	differ.DiffTimeout = charTime
	parts := differ.DiffCleanupSemantic(differ.DiffMain(left, right, false))
	x, y := 0, 0
	for _, part := range parts {
		n := len(part.Text)
		switch part.Type {
		case diffmatchpatch.DiffDelete:
			l, x = append(l, Span{x, x + n}), x+n
		case diffmatchpatch.DiffInsert:
			r, y = append(r, Span{y, y + n}), y+n
		default:
			x, y = x+n, y+n
		}
	}
	return l, r
}

func span(from, to int) []Span {
	if from >= to {
		return nil
	}
	return []Span{{from, to}}
}
