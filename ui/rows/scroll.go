package rows

import "fyne.io/fyne/v2"

// Recount changes the number of rows and the first visible one. It is for a drawer whose rows depend on the width, to
// be called from BeforeRows only: it does not draw.
func (a *Area) Recount(n, first int) {
	a.vp.SetCount(n)
	if !a.vp.Following() {
		a.vp.ScrollTo(float64(first) * a.vp.RowHeight())
	}
}

// Place returns the first visible row and how much of it is scrolled away.
func (a *Area) Place() (row int, hidden float64) {
	i, y := a.vp.First()
	return i, -y
}

// SetPlace scrolls so that row is the first visible one with that much of it scrolled away. It ends following.
func (a *Area) SetPlace(row int, hidden float64) {
	a.scroll(func() { a.vp.ScrollTo(float64(row)*a.vp.RowHeight() + hidden) })
}

// Reveal scrolls as little as needed to show row i. It ends following if it has to scroll.
func (a *Area) Reveal(i int) { a.scroll(func() { a.vp.Reveal(i) }) }

// Center scrolls so that row i is in the middle, unless it is visible.
func (a *Area) Center(i int) { a.scroll(func() { a.vp.Center(i) }) }

// Follow makes the area show the last row as rows are appended, until the person scrolls away from it; scrolling back
// to the end or the End key resumes. False ends that, and resuming with it.
func (a *Area) Follow(on bool) {
	a.tailable = on
	a.scroll(func() { a.vp.Follow(on) })
}

// Resume follows the last row again, for an area on which Follow was called.
func (a *Area) Resume() {
	if a.tailable {
		a.scroll(func() { a.vp.Follow(true) })
	}
}

// Pause stays where it is until the person scrolls to the end.
func (a *Area) Pause() { a.scroll(func() { a.vp.Follow(false) }) }

// Following reports whether the area is following the last row.
func (a *Area) Following() bool { return a.vp.Following() }

// AtEnd reports whether the last row is visible.
func (a *Area) AtEnd() bool { return a.vp.AtEnd() }

// Page returns how many rows a page key moves.
func (a *Area) Page() int { return a.vp.Page() }

// Slots returns the slots on the screen, in no order; those that show no row have Row() -1.
func (a *Area) Slots() []*Slot { return a.slots }

// scroll runs move, then draws and reports what it did.
func (a *Area) scroll(move func()) {
	top, following := a.vp.Top(), a.vp.Following()
	move()
	if a.vp.Top() != top {
		a.Redraw(false)
		a.scrolled()
	}
	if now := a.vp.Following(); now != following && a.OnFollow != nil {
		a.OnFollow(now)
	}
}

func (a *Area) scrolled() {
	if a.OnScrolled != nil {
		a.OnScrolled()
	}
}

// ScrollBy scrolls as the person does: away from the end it ends following, and back at the end it resumes.
func (a *Area) ScrollBy(dy float64) {
	a.scroll(func() {
		moved := a.vp.ScrollBy(dy)
		if a.tailable && a.vp.AtEnd() && (dy > 0 || !moved) {
			a.vp.Follow(true)
		}
	})
}

// ScrollStart scrolls to the first row, as the person does.
func (a *Area) ScrollStart() { a.ScrollBy(-a.vp.Top() - 1) }

// ScrollEnd scrolls to the last row, as the person does.
func (a *Area) ScrollEnd() { a.ScrollBy(a.vp.MaxTop() - a.vp.Top() + 1) }

// wheel makes a notch of a wheel worth about three rows.
const wheel = 2.5

// Scrolled takes the wheel.
func (a *Area) Scrolled(e *fyne.ScrollEvent) {
	dx, dy := e.Scrolled.DX, e.Scrolled.DY
	if dx == 0 && Modifiers()&fyne.KeyModifierShift != 0 {
		dx, dy = dy, 0
	}
	if dx != 0 {
		a.ScrollX(a.x - dx*wheel)
	}
	if dy != 0 {
		a.ScrollBy(float64(-dy * wheel))
	}
}
