package ui

import (
	"fyne.io/fyne/v2"

	"mcploupe/ui/rows"
	"mcploupe/ui/view"
)

// comparable lets two recordings of the list be compared: with Ctrl and a click
// on each, or by dragging one on the other.
func (s *sidebar) comparable(item *sideItem, row view.RecordingRow) {
	if row.Gone {
		return
	}
	if row.Path == s.picked {
		item.glyph, item.tone, item.sub = "⇄", view.Caution, "picked: Ctrl+click another to compare"
	}
	open := item.onTap
	item.onTap = func() {
		if rows.Modifiers()&fyne.KeyModifierShortcutDefault == 0 {
			open()
			return
		}
		s.pickOther(row.Path)
	}
	item.onDrop = func(at fyne.Position) {
		if target := s.fileAt(at); target != "" && target != row.Path {
			s.u.newComparison(s.u.sideOfFile(target), s.u.sideOfFile(row.Path))
		}
		s.target(nil)
	}
	item.onDrag = func(at fyne.Position) {
		over := s.itemAt(at)
		if over == item {
			over = nil
		}
		s.target(over)
	}
}

// pickOther picks a recording, or compares it with the one that was picked.
func (s *sidebar) pickOther(path string) {
	first := s.picked
	switch first {
	case "":
		s.pick(path)
	case path:
		s.pick("")
	default:
		s.pick("")
		s.u.newComparison(s.u.sideOfFile(first), s.u.sideOfFile(path))
	}
}

// pick remembers a recording that is to be compared with another, "" for none.
func (s *sidebar) pick(path string) {
	if s.picked == path {
		return
	}
	s.picked = path
	if path != "" {
		s.u.notes.notify("Picked " + view.TitleOfFile(path) + ": Ctrl+click another recording, or use its menu, to compare them")
	}
	s.setFiles(s.shown, s.file)
}

// itemAt is the recording at a place of the window, nil for none.
func (s *sidebar) itemAt(at fyne.Position) *sideItem {
	driver := fyne.CurrentApp().Driver()
	for _, o := range s.files.Objects {
		item, ok := o.(*sideItem)
		if !ok {
			continue
		}
		from, size := driver.AbsolutePositionForObject(item), item.Size()
		if at.X >= from.X && at.Y >= from.Y && at.X < from.X+size.Width && at.Y < from.Y+size.Height {
			return item
		}
	}
	return nil
}

// fileAt is the path of the recording at a place of the window, "" for none.
func (s *sidebar) fileAt(at fyne.Position) string {
	over := s.itemAt(at)
	for i, o := range s.files.Objects {
		if item, ok := o.(*sideItem); ok && item == over && i < len(s.shown) && !s.shown[i].Gone {
			return s.shown[i].Path
		}
	}
	return ""
}

// target marks what something would be dropped on.
func (s *sidebar) target(over *sideItem) {
	for _, o := range s.files.Objects {
		if item, ok := o.(*sideItem); ok && (item.aimed == dropInto) != (item == over) {
			item.aimed = dropNone
			if item == over {
				item.aimed = dropInto
			}
			item.Refresh()
		}
	}
}

// Dragged implements fyne.Draggable: a recording can be dropped on another.
func (i *sideItem) Dragged(e *fyne.DragEvent) {
	if i.onDrag == nil {
		return
	}
	i.dragged = e.AbsolutePosition
	i.onDrag(i.dragged)
}

// DragEnd implements fyne.Draggable.
func (i *sideItem) DragEnd() {
	if i.onDrop != nil {
		i.onDrop(i.dragged)
	}
}
