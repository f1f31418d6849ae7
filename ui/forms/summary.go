package forms

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"mcploupe/ui/rows"
	look "mcploupe/ui/theme"
	"mcploupe/ui/view/fields"
)

// summary is the strip above the fields: how many problems there are, the first
// of them, and all when it is opened. It has the same height whatever it says,
// unless it is open.
type summary struct {
	v    *View
	now  fields.Summary
	open bool
	box  *fyne.Container
	head *flat // the count; opens
	text *flat // the first problem; goes there
	line *canvas.Rectangle
	back *canvas.Rectangle
	list *rows.View
	turn uint64
	laid float32 // height when it was laid out last
}

const (
	summaryRows = 6
	// withoutSummary is how many lines a form has at most that needs no summary.
	withoutSummary = 1
)

func newSummary(v *View) *summary {
	s := &summary{v: v, line: newRect(), back: newRect()}
	s.head = newFlat("", "", lookMuted, func() {
		s.open = !s.open && len(s.now.Issues) > 0
		s.turn++
		s.take()
	})
	s.text = newFlat("", "", lookMuted, func() {
		if len(s.now.Issues) > 0 {
			v.Reveal(s.now.Issues[0].Pointer)
		}
	})
	s.list = rows.New(s.bind, func(i int) uint64 { return s.turn<<16 | uint64(i) })
	s.list.OnActivate = s.jump
	s.list.OnSelect = s.jump
	s.list.OnKey = func(e *fyne.KeyEvent) bool {
		if e.Name != fyne.KeyEscape {
			return false
		}
		s.open = false
		s.take()
		return true
	}
	s.box = container.New(s, s.back, s.head, s.text, s.list, s.line)
	return s
}

func (s *summary) jump(row int) {
	if row >= 0 && row < len(s.now.Issues) {
		s.v.Reveal(s.now.Issues[row].Pointer)
	}
}

func (s *summary) object() fyne.CanvasObject { return s.box }

func (s *summary) bind(i int, r *rows.Row) {
	x := s.now.Issues[i]
	glyph, name := "✗", look.ColorFailed
	if x.Warns {
		glyph, name = "⚠", look.ColorWarning
	}
	r.Cells[0] = rows.Cell{Glyph: glyph, GlyphColor: name, Text: x.Where, Bold: true, Detail: x.Text}
}

// rowsOpen is how many rows the open list shows.
func (s *summary) rowsOpen() int {
	if !s.open {
		return 0
	}
	return min(len(s.now.Issues), summaryRows)
}

func (s *summary) height() float32 {
	if len(s.v.area.lines) <= withoutSummary {
		return 0
	}
	h := fonts().captionLine + 8
	if n := s.rowsOpen(); n > 0 {
		h += float32(n)*look.Size(look.SizeRow) + 2
	}
	return h
}

// take brings it up to date with the form.
func (s *summary) take() {
	s.now = fields.Summarise(s.v.form, s.v.seen)
	if len(s.now.Issues) == 0 {
		s.open = false
	}
	glyph, name := "✓", look.ColorOK
	switch s.now.Level {
	case fields.Missing:
		glyph, name = "○", lookMuted
	case fields.Warned:
		glyph, name = "⚠", look.ColorWarning
	case fields.Wrong:
		glyph, name = "✗", look.ColorFailed
	}
	s.head.set(s.now.Text, glyph, name)
	first := ""
	if len(s.now.Issues) > 0 && !s.open {
		first = s.now.Issues[0].Where + ": " + s.now.Issues[0].Text
	}
	s.text.set(first, "", lookMuted)
	s.turn++
	s.list.SetCount(len(s.now.Issues))
	if s.height() != s.laid {
		s.v.root.Refresh()
	} else if size := s.box.Size(); size.Width > 0 {
		s.Layout(s.box.Objects, size)
	}
}

// Layout implements fyne.Layout.
func (s *summary) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	shown := s.height() > 0
	for _, o := range []fyne.CanvasObject{s.back, s.head, s.text, s.line} {
		if shown {
			o.Show()
		} else {
			o.Hide()
		}
	}
	s.list.Hidden = s.rowsOpen() == 0
	if !shown {
		return
	}
	row := fonts().captionLine + 8
	s.back.FillColor = look.Color(theme.ColorNameBackground)
	put(s.back, 0, 0, size.Width, size.Height)
	w := min(s.head.wide()+4, size.Width)
	put(s.head, edge-2, 1, w, row-4)
	put(s.text, edge+w, 1, max(0, size.Width-w-2*edge), row-4)
	put(s.list, edge, row-1, max(0, size.Width-2*edge), max(0, size.Height-row))
	s.line.FillColor = look.Color(theme.ColorNameSeparator)
	put(s.line, 0, size.Height-1, size.Width, 1)
}

// MinSize implements fyne.Layout.
func (s *summary) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(100, s.height()) }
