package textview

import (
	"fmt"
	"sort"

	"fyne.io/fyne/v2"

	look "mcploupe/ui/theme"
)

// segment is a part of a row in one colour.
type segment struct {
	text  string // as in the source; what is hidden in it is drawn as marks
	color fyne.ThemeColorName
	src   int  // where it stands in the raw bytes, -1 for what the layout added
	link  bool // opens what the value holds; it is not text and not copied
}

// layout is a way to show an index as rows. The raw offsets of its rows never decrease.
type layout interface {
	rows() int
	// size returns how many bytes the text has.
	size() int
	// offset returns where in the raw bytes row i begins.
	offset(i int) int
	// segments appends the text of row i.
	segments(i int, out []segment) []segment
	// soft reports whether the text of row i goes on in the next row without a line end.
	soft(i int) bool
	// number returns the number of the line that begins with row i, or 0.
	number(i int) int
}

// rowAt returns the row that shows the raw byte at offset, or the one that holds it folded.
func rowAt(l layout, offset int) int {
	i := sort.Search(l.rows(), func(i int) bool { return l.offset(i) > offset }) - 1
	return max(0, i)
}

// align moves a cut at offset back to the start of a rune.
func align(raw []byte, offset int) int {
	for n := 0; n < 3 && offset > 0 && offset < len(raw) && raw[offset]&0xc0 == 0x80; n++ {
		offset--
	}
	return offset
}

// hexWidth is how many bytes a row of a hex dump shows.
const hexWidth = 16

// hexLayout shows the bytes as a hex dump.
type hexLayout struct{ raw []byte }

func (l hexLayout) rows() int        { return max(1, (len(l.raw)+hexWidth-1)/hexWidth) }
func (l hexLayout) size() int        { return len(l.raw) }
func (l hexLayout) offset(i int) int { return i * hexWidth }
func (l hexLayout) soft(int) bool    { return false }
func (l hexLayout) number(int) int   { return 0 }

func (l hexLayout) segments(i int, out []segment) []segment {
	at := i * hexWidth
	part := l.raw[at:min(len(l.raw), at+hexWidth)]
	var hex, text [4 * hexWidth]byte
	h := hex[:0]
	for k := range hexWidth {
		if k == hexWidth/2 {
			h = append(h, ' ')
		}
		if k < len(part) {
			h = fmt.Appendf(h, "%02x ", part[k])
		} else {
			h = append(h, "   "...)
		}
	}
	t := text[:0]
	for _, c := range part {
		if c < 0x20 || c > 0x7e {
			c = '.'
		}
		t = append(t, c)
	}
	return append(out,
		segment{text: fmt.Sprintf("%08x  ", at), color: look.ColorMuted, src: -1},
		segment{text: string(h) + " ", src: -1},
		segment{text: string(t), color: look.ColorString, src: at})
}
