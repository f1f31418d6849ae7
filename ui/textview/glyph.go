package textview

import (
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"mcploupe/ui/measure"
	look "mcploupe/ui/theme"
	"mcploupe/ui/view/safe"
)

// tabCells is how far apart tab stops are.
const tabCells = 4

// glyph is a rune of a row where it is drawn.
type glyph struct {
	col, size int     // its bytes in the row
	x, w      float32 // its place
	mark      string  // what is drawn instead, "" for the rune itself
	plain     bool    // printable ASCII
	color     fyne.ThemeColorName
	seg       int
}

// walk calls fn for the runes of a row from left to right until it returns false. It returns the bytes and the width
// of what it went through.
func walk(segs []segment, f *measure.Font, fn func(g *glyph) bool) (col int, x float32) {
	cell := f.Rune('0')
	var g glyph
	var prev rune
	for n := range segs {
		s := segs[n].text
		for i := 0; i < len(s); {
			g = glyph{col: col, size: 1, x: x, seg: n, color: segs[n].color}
			if c := s[i]; c >= 0x20 && c < 0x7f {
				g.plain, g.w = true, cell
				prev = rune(c)
			} else if c == '\t' {
				g.mark, g.color = "⇥", look.ColorMuted
				g.w = cell * float32(tabCells-int(x/cell+0.01)%tabCells)
			} else {
				r, size := utf8.DecodeRuneInString(s[i:])
				g.size = size
				last := prev
				prev = r
				switch {
				case r == safe.EmojiStyle && safe.TakesEmojiStyle(last):
					// drawn with the symbol before it
				case r == utf8.RuneError && size == 1:
					g.mark, g.color = safe.MarkByte(c), look.ColorWarning
					g.w = f.Width(g.mark)
				case safe.Hidden(r):
					g.mark, g.color = safe.Mark(r), look.ColorWarning
					g.w = f.Width(g.mark)
				default:
					g.w = f.Rune(r)
				}
			}
			if !fn(&g) {
				return col, x
			}
			i += g.size
			col += g.size
			x += g.w
		}
	}
	return col, x
}

// rowLen returns how many bytes a row has.
func rowLen(segs []segment) (n int) {
	for i := range segs {
		n += len(segs[i].text)
	}
	return n
}

// colX returns where the byte at col of a row is drawn.
func colX(segs []segment, f *measure.Font, col int) float32 {
	_, x := walk(segs, f, func(g *glyph) bool { return g.col < col })
	return x
}

// xCol returns the byte of a row whose left edge is nearest to x.
func xCol(segs []segment, f *measure.Font, x float32) int {
	col, _ := walk(segs, f, func(g *glyph) bool { return g.x+g.w/2 <= x })
	return col
}

// colOf returns the byte of a row that shows the raw byte at offset, or -1 when the row does not show it.
func colOf(segs []segment, offset int) int {
	col := 0
	for i := range segs {
		s := &segs[i]
		if s.src >= 0 && offset >= s.src && offset < s.src+len(s.text) {
			return col + offset - s.src
		}
		col += len(s.text)
	}
	return -1
}

// rawOf returns the raw byte that a row shows at col, or the next one it shows, or -1.
func rawOf(segs []segment, col int) int {
	at := 0
	for i := range segs {
		s := &segs[i]
		if s.src >= 0 && col < at+len(s.text) {
			return s.src + max(0, col-at)
		}
		at += len(s.text)
	}
	return -1
}

// stepCol moves col by one rune to the right or left within a row, over marks that are drawn with the rune before
// them.
func stepCol(segs []segment, f *measure.Font, col int, right bool) int {
	prev, next := 0, -1
	walk(segs, f, func(g *glyph) bool {
		if g.w == 0 {
			return true
		}
		if g.col < col {
			prev = g.col
		}
		if g.col > col {
			next = g.col
			return false
		}
		return true
	})
	if !right {
		return prev
	}
	if next < 0 {
		return rowLen(segs)
	}
	return next
}
