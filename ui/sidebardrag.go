package ui

import (
	"slices"

	"fyne.io/fyne/v2"
)

// itemUnder is the entry at a place of the window, -1 for none.
func (s *sidebar) itemUnder(at fyne.Position) int {
	driver := fyne.CurrentApp().Driver()
	return slices.IndexFunc(s.items, func(item *sideItem) bool {
		from, size := driver.AbsolutePositionForObject(item), item.Size()
		return at.X >= from.X && at.Y >= from.Y && at.X < from.X+size.Width && at.Y < from.Y+size.Height
	})
}

// A place that a dragged server would go to, as seen from an entry.
type dropPlace uint8

const (
	dropNone   dropPlace = iota
	dropInto             // the entry is a group, or a recording to be compared with
	dropBefore           // above the entry
	dropBehind           // below it, for a server that comes from above
)

// placeOf says where a server dragged from one entry to another would go.
func (s *sidebar) placeOf(from, to int) dropPlace {
	switch {
	case to < 0 || to == from || s.entries[to].IsUnsaved():
		return dropNone
	case s.entries[to].Heading:
		return dropInto
	case s.entries[to].Server.ServerID == "": // a server that is not saved
		return dropNone
	case to > from:
		return dropBehind
	}
	return dropBefore
}

// aim marks where a dragged server would go.
func (s *sidebar) aim(over, from int) {
	for i, item := range s.items {
		aimed := dropNone
		if i == over {
			aimed = s.placeOf(from, over)
		}
		if item.aimed != aimed {
			item.aimed = aimed
			item.Refresh()
		}
	}
}

// drop puts a server that was dragged where it was dropped.
func (s *sidebar) drop(id string, from int, at fyne.Position) {
	to := s.itemUnder(at)
	s.aim(-1, -1)
	place := s.placeOf(from, to)
	if place == dropNone {
		return
	}
	e := s.entries[to]
	before := ""
	switch {
	case place == dropBefore:
		before = e.Server.ServerID
	case place == dropBehind && to+1 < len(s.entries) && !s.entries[to+1].Heading:
		before = s.entries[to+1].Server.ServerID
	}
	s.u.kept(s.u.cfg.Settings.MoveServer(id, e.Group, before))
	s.refresh()
}
