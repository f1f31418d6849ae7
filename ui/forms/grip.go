package forms

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"mcploupe/protocol/schema"
	look "mcploupe/ui/theme"
	"mcploupe/ui/view/fields"
)

// grip is where an item of a list is taken hold of and moved with the pointer.
// The arrows beside it and Alt+Up and Alt+Down do the same a step at a time.
type grip struct {
	flat
	b    *box
	held bool
	y    float64 // of the pointer, in the window of the form
}

func newGrip(b *box) *grip {
	g := &grip{b: b}
	g.init(g, "", "≡", lookMuted, nil)
	return g
}

// Cursor shows that it moves up and down.
func (g *grip) Cursor() desktop.Cursor { return desktop.VResizeCursor }

// Dragged follows the pointer. At the edges of its window the form scrolls.
func (g *grip) Dragged(e *fyne.DragEvent) {
	a := g.b.v.area
	if !g.held {
		g.held = true
		g.y = float64(g.b.object.Position().Y + g.Position().Y + e.Position.Y - e.Dragged.DY)
	}
	g.y += float64(e.Dragged.DY)
	const step = 12
	switch {
	case g.y < 0:
		a.scrollBy(-step)
	case g.y > float64(a.Size().Height):
		a.scrollBy(step)
	}
	a.aim = a.aimAt(g.b.node, g.y+a.top)
	a.draw()
}

// DragEnd puts the item where it was dragged to.
func (g *grip) DragEnd() {
	if !g.held {
		return
	}
	g.held = false
	a := g.b.v.area
	to, moves := a.aim.to, a.aim.on
	a.aim = aim{}
	if n := g.b.node; moves && !n.Detached() {
		n.Move(to)
		g.b.v.edited(n.Parent())
		return
	}
	a.draw()
}

// aim is where an item that is being dragged would be put.
type aim struct {
	on bool
	to int     // its place in the list
	at float64 // where that is in the whole form
}

// aimAt is the place in its list for an item that is dragged to a height of the
// whole form; it is off where the item is already.
func (a *area) aimAt(n *schema.Node, y float64) aim {
	from := fields.Place(n)
	to, at := 0, 0.0
	for i, item := range n.Parent().Children() {
		l := a.find(item)
		if l == nil {
			break // further ones are not shown
		}
		top, bottom := a.tops[l.at], a.tops[a.lastIn(l)+1]
		if i == 0 {
			at = top
		}
		if y < (top+bottom)/2 {
			break
		}
		at = bottom
		if i != from {
			to++
		}
	}
	return aim{on: to != from, to: to, at: at}
}

// lastIn is the last line of what stands in a line: of a section that is open,
// the last one in it.
func (a *area) lastIn(l *line) int {
	at := l.at
	for at+1 < len(a.lines) {
		next := a.lines[at+1]
		adds := next.Role == fields.Add || next.Role == fields.More
		if !within(next.Node, l.Node) && !(adds && next.Node == l.Node) {
			break
		}
		at++
	}
	return at
}

// showAim draws where the item would go.
func (a *area) showAim() {
	const thick = 3
	a.target.Hidden = !a.aim.on
	a.target.FillColor = look.Color(theme.ColorNamePrimary)
	put(a.target, edge, float32(a.aim.at-a.top)-lineGap/2-thick/2, max(0, a.Size().Width-barWidth-2*edge), thick)
}
