package ui

import (
	"slices"

	"fyne.io/fyne/v2"

	"mcploupe/ui/view"
)

// newComparison shows the choice of two sides; those that are given are chosen
// already, and both are compared at once.
func (u *UI) newComparison(sides ...view.CompareSide) *comparePage {
	if len(sides) == 0 {
		front := u.currentConn()
		for _, p := range u.pages {
			if c, ok := p.(*comparePage); ok && c.choosing() {
				if c.sides[0].IsZero() && c.sides[1].IsZero() && front != nil && front.conn != nil && front.conn.Path() != "" {
					c.sides[0] = u.sideOf(front)
				}
				u.show(c)
				c.pick.focus()
				return c
			}
		}
		if front != nil && front.conn != nil && front.conn.Path() != "" {
			sides = append(sides, u.sideOf(front))
		}
	}
	p := newComparePage(u)
	copy(p.sides[:], sides)
	u.addPage(p)
	p.start()
	return p
}

// sideOf is the tab of a connection or recording as a side of a comparison.
func (u *UI) sideOf(c *connPage) view.CompareSide {
	if phase, _ := c.conn.Phase(); phase == view.File {
		return view.CompareSide{Path: c.conn.Path()}
	}
	return view.CompareSide{Conn: c.conn}
}

// sideOfFile is a recording as a side; one that is being recorded is its
// connection.
func (u *UI) sideOfFile(path string) view.CompareSide {
	if p := u.pageOfFile(path); p != nil {
		return u.sideOf(p)
	}
	return view.CompareSide{Path: path}
}

// compareItems are the entries of a menu for comparing a side.
func (u *UI) compareItems(s view.CompareSide) []*fyne.MenuItem {
	items := []*fyne.MenuItem{fyne.NewMenuItem("Compare with …", func() { u.newComparison(s) })}
	if c := u.currentConn(); c != nil && c.conn != nil && c.conn.Path() != "" {
		if open := u.sideOf(c); !open.Same(s) && !view.SameFile(c.conn.Path(), s.Path) {
			items = append(items, fyne.NewMenuItem("Compare with the open one", func() { u.newComparison(s, open) }))
		}
	}
	if path := u.side.picked; path != "" && !view.SameFile(path, s.Path) {
		items = append(items, fyne.NewMenuItem("Compare with "+view.TitleOfFile(path), func() {
			u.side.pick("")
			u.newComparison(u.sideOfFile(path), s)
		}))
	}
	if s.Path != "" && u.side.picked != s.Path {
		items = append(items, fyne.NewMenuItem("Pick for comparing", func() { u.side.pick(s.Path) }))
	}
	return items
}

// currentComparison is the comparison in front, nil when another page is.
func (u *UI) currentComparison() *comparePage {
	p, _ := u.current().(*comparePage)
	return p
}

// comparing makes a menu's action of one for the comparison in front.
func (u *UI) comparing(do func(*comparePage)) func() {
	return func() {
		if p := u.currentComparison(); p != nil && p.result != nil {
			do(p)
		}
	}
}

// compareMenu is the menu of the window for comparisons.
func (u *UI) compareMenu() *action {
	with := func(label string, shortcut fyne.Shortcut, do func(*comparePage)) *action {
		return item(label, shortcut, u.comparing(do)).when(func() string {
			if p := u.currentComparison(); p == nil || p.result == nil {
				return "no comparison is in front"
			}
			return ""
		})
	}
	return menu("Compare",
		item("Compare …", key(fyne.KeyD, ctrl), func() { u.newComparison() }).named("Compare two recordings, connections or catalogues …"),
		item("Compare server versions …", nil, func() { u.compareVersions(nil) }),
		separator(),
		with("Next change", key(fyne.KeyDown, fyne.KeyModifierAlt), func(p *comparePage) { p.body.step(true) }),
		with("Previous change", key(fyne.KeyUp, fyne.KeyModifierAlt), func(p *comparePage) { p.body.step(false) }),
		with("Swap the sides", nil, (*comparePage).swap).named("Swap the sides of the comparison"),
		with("Read both sides again", nil, (*comparePage).reload),
		with("Copy the report as Markdown", nil, (*comparePage).copyReport).named("Copy the report of the comparison as Markdown"),
		with("Rules …", nil, (*comparePage).openRules).named("Rules of the comparison …"))
}

// compareConnItems are the entries of the menu of a connection's tab.
func (p *connPage) compareItems() []*fyne.MenuItem {
	if p.conn.Path() == "" {
		return nil
	}
	side := p.u.sideOf(p)
	items := []*fyne.MenuItem{fyne.NewMenuItem("Compare with …", func() { p.u.newComparison(side) })}
	if other := p.u.side.picked; other != "" && !view.SameFile(other, p.conn.Path()) {
		items = append(items, fyne.NewMenuItem("Compare with "+view.TitleOfFile(other), func() {
			p.u.side.pick("")
			p.u.newComparison(p.u.sideOfFile(other), side)
		}))
	}
	if phase, _ := p.conn.Phase(); phase != view.File {
		items = append(items, fyne.NewMenuItem("Compare with another version …", func() { p.u.compareVersions(p) }))
	}
	return slices.Clip(items)
}
