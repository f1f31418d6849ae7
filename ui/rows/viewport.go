package rows

import "math"

// Viewport is the arithmetic of a window over many rows of one height. Positions are float64, so that a pixel counts
// at row 10,000,000 as it does at row 1. It knows no widget. The zero value has no rows and no height.
type Viewport struct {
	count  int
	row    float64 // height of a row
	height float64 // height of the window
	top    float64 // what is scrolled away above
	tail   bool    // follows the last row
}

// Count returns the number of rows.
func (v *Viewport) Count() int { return v.count }

// RowHeight returns the height of a row.
func (v *Viewport) RowHeight() float64 { return v.row }

// Height returns the height of the window.
func (v *Viewport) Height() float64 { return v.height }

// Top returns how much is scrolled away above the window.
func (v *Viewport) Top() float64 { return v.top }

// MaxTop returns the Top at which the last row touches the window's end.
func (v *Viewport) MaxTop() float64 { return max(0, float64(v.count)*v.row-v.height) }

// AtEnd reports whether the last row is wholly visible.
func (v *Viewport) AtEnd() bool { return v.top >= v.MaxTop()-0.5 }

// Following reports whether the window stays at the end as rows are appended.
func (v *Viewport) Following() bool { return v.tail }

// Follow makes the window stay at the end, or where it is.
func (v *Viewport) Follow(on bool) {
	v.tail = on
	v.settle()
}

func (v *Viewport) settle() {
	if v.tail {
		v.top = v.MaxTop()
		return
	}
	v.top = min(max(0, v.top), v.MaxTop())
}

// SetCount changes the number of rows at the end: what is visible stays in place, or the end when following.
func (v *Viewport) SetCount(n int) {
	v.count = max(0, n)
	v.settle()
}

// SetHeight changes the window's height and keeps its first row, or the end when following.
func (v *Viewport) SetHeight(h float64) {
	v.height = max(0, h)
	v.settle()
}

// SetRowHeight changes the height of rows and keeps the first row of the window.
func (v *Viewport) SetRowHeight(h float64) {
	if h <= 0 || h == v.row {
		return
	}
	if v.row > 0 {
		v.top *= h / v.row
	}
	v.row = h
	v.settle()
}

// Splice takes in that at row `at`, removed rows went and added rows came. Rows that are visible and still exist stay
// where they are on the screen.
func (v *Viewport) Splice(at, removed, added int) {
	at = min(max(0, at), v.count)
	removed = min(max(0, removed), v.count-at)
	added = max(0, added)
	if v.row > 0 {
		first := int(v.top / v.row)
		switch {
		case at+removed <= first, at == first && removed == 0:
			v.top += float64(added-removed) * v.row
		case at < first:
			v.top = float64(at) * v.row // the first visible row went
		}
	}
	v.count += added - removed
	v.settle()
}

// ScrollTo moves the window's top to y and reports whether it moved.
func (v *Viewport) ScrollTo(y float64) bool {
	before := v.top
	if math.IsNaN(y) {
		return false
	}
	v.tail = false
	v.top = y
	v.settle()
	return v.top != before
}

// ScrollBy moves the window by dy, down when positive, and reports whether it moved.
func (v *Viewport) ScrollBy(dy float64) bool { return v.ScrollTo(v.top + dy) }

// Reveal moves the window as little as needed to show row i whole, and reports whether it moved.
func (v *Viewport) Reveal(i int) bool {
	y := float64(i) * v.row
	switch {
	case y < v.top:
		return v.ScrollTo(y)
	case y+v.row > v.top+v.height:
		return v.ScrollTo(min(y, y+v.row-v.height))
	}
	return false
}

// Center moves the window so that row i is in its middle, unless it is wholly visible.
func (v *Viewport) Center(i int) bool {
	y := float64(i) * v.row
	if y >= v.top && y+v.row <= v.top+v.height {
		return false
	}
	return v.ScrollTo(y - (v.height-v.row)/2)
}

// First returns the first row in the window and where its top is, at or above 0.
func (v *Viewport) First() (i int, y float64) {
	if v.row <= 0 {
		return 0, 0
	}
	i = int(v.top / v.row)
	return i, min(0, float64(i)*v.row-v.top) // rounding may leave a trace above 0
}

// Slots returns how many rows can be visible at once, parts of rows included.
func (v *Viewport) Slots() int {
	if v.row <= 0 || v.height <= 0 {
		return 0
	}
	return int(math.Ceil(v.height/v.row)) + 1
}

// Page returns how many rows a page key moves.
func (v *Viewport) Page() int {
	if v.row <= 0 {
		return 1
	}
	return max(1, int(v.height/v.row)-1)
}

// RowAt returns the row at y in the window, or -1 where there is none.
func (v *Viewport) RowAt(y float64) int {
	if v.row <= 0 || y < 0 || y >= v.height {
		return -1
	}
	if i := int((v.top + y) / v.row); i < v.count {
		return i
	}
	return -1
}

// RowNear returns the row nearest to y, also above and below the window, or -1 when there are no rows.
func (v *Viewport) RowNear(y float64) int {
	if v.row <= 0 || v.count == 0 {
		return -1
	}
	return int(min(max(0, math.Floor((v.top+y)/v.row)), float64(v.count-1)))
}

// minThumb keeps a scroll bar's thumb large enough to grab.
const minThumb = 24

// Thumb returns where the thumb of a scroll bar of the given length stands and how long it is; its length is 0 when
// everything is visible.
func (v *Viewport) Thumb(track float64) (pos, length float64) {
	total := float64(v.count) * v.row
	if total <= v.height || track <= 0 {
		return 0, 0
	}
	length = min(track, max(minThumb, track*v.height/total))
	return (track - length) * v.top / v.MaxTop(), length
}

// DragThumb moves the window so that the thumb stands at pos.
func (v *Viewport) DragThumb(track, pos float64) bool {
	_, length := v.Thumb(track)
	if length == 0 || track <= length {
		return false
	}
	return v.ScrollTo(v.MaxTop() * pos / (track - length))
}
