package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/measure"
	"mcploupe/ui/rows"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
)

// paletteRows shows the entries of the palette. The keyboard is in the field
// above; the mouse can be used.
type paletteRows struct {
	rows.Area
	model  *view.Palette
	take   func(i int)
	onMove func() // another entry is chosen

	turn  uint64 // counts what all rows are drawn anew for
	hover int
	fonts paletteFonts
}

type paletteFonts struct{ plain, bold, caption *measure.Font }

var (
	_ fyne.Tappable     = (*paletteRows)(nil)
	_ fyne.Scrollable   = (*paletteRows)(nil)
	_ fyne.Draggable    = (*paletteRows)(nil)
	_ desktop.Mouseable = (*paletteRows)(nil)
	_ desktop.Hoverable = (*paletteRows)(nil)
)

func newPaletteRows(model *view.Palette, take func(i int)) *paletteRows {
	l := &paletteRows{model: model, take: take, hover: -1, onMove: func() {}}
	l.Extend(l, l, theme.SizeRow)
	return l
}

// reset shows other entries, from their start.
func (l *paletteRows) reset() {
	l.turn++
	l.hover = -1
	l.SetPlace(0, 0)
	l.SetCount(l.model.Len())
	l.Redraw(true)
}

// follow shows the entry that is chosen.
func (l *paletteRows) follow() {
	if at := l.model.Chosen(); at >= 0 {
		l.Reveal(at)
	}
	l.Decorate()
}

// BeforeRows implements rows.Drawer.
func (l *paletteRows) BeforeRows() bool {
	size := theme.Size(fynetheme.SizeNameText)
	now := paletteFonts{
		measure.For(size, fyne.TextStyle{}), measure.For(size, fyne.TextStyle{Bold: true}),
		measure.For(theme.Size(fynetheme.SizeNameCaptionText), fyne.TextStyle{}),
	}
	changed := now != l.fonts
	l.fonts = now
	return changed
}

// AfterRows implements rows.Drawer.
func (l *paletteRows) AfterRows() {}

// RowKey implements rows.Drawer.
func (l *paletteRows) RowKey(i int) uint64 { return l.turn<<24 | uint64(i) }

// paletteRow is what a row is drawn with.
type paletteRow struct {
	ground *canvas.Rectangle
	texts  []*canvas.Text
	used   int
}

const (
	paletteKind = 78 // room for what an entry is, at no zoom
	palettePad  = 8
	paletteGap  = 12
)

// DrawRow implements rows.Drawer.
func (l *paletteRows) DrawRow(s *rows.Slot, i int) {
	r, ok := s.Data.(*paletteRow)
	if !ok {
		r = &paletteRow{ground: &canvas.Rectangle{CornerRadius: 4}}
		s.Data = r
		s.Box.Add(r.ground)
	}
	e := l.model.At(i)
	width, height := s.Box.Size().Width, s.Box.Size().Height
	r.ground.Resize(s.Box.Size())
	r.used = 0
	text, muted := fynetheme.ColorNameForeground, theme.ColorMuted
	if e.Why != "" {
		text = theme.ColorMuted
	}
	right := width - palettePad
	kind := theme.Scaled(paletteKind)
	end := e.Shortcut
	if e.Why != "" {
		end = e.Why
	} else if end == "" && l.model.Recent(i) {
		end = "chosen lately"
	}
	if end != "" {
		end = l.fonts.caption.Fit(end, (width-kind)/2)
		w := l.fonts.caption.Width(end)
		right -= w
		l.put(s, r, end, l.fonts.caption, muted, right, height)
		right -= paletteGap
	}
	l.put(s, r, e.Kind.Word(), l.fonts.caption, muted, palettePad, height)
	x := l.title(s, r, e.Title, l.model.Marks(i), text, palettePad+kind, right, height)
	if room := right - x - paletteGap; e.Detail != "" && room > 40 {
		l.put(s, r, l.fonts.plain.Fit(e.Detail, room), l.fonts.plain, muted, x+paletteGap, height)
	}
	for _, t := range r.texts[r.used:] {
		t.Hidden = true
	}
}

// title draws a name with the letters that were typed bold, and returns where it
// ends.
func (l *paletteRows) title(s *rows.Slot, r *paletteRow, title string, marks []bool, color fyne.ThemeColorName, x, right, height float32) float32 {
	if marks == nil {
		fit := l.fonts.plain.Fit(title, right-x)
		l.put(s, r, fit, l.fonts.plain, color, x, height)
		return x + l.fonts.plain.Width(fit)
	}
	runes := []rune(title)
	for i := 0; i < len(runes) && x < right; {
		end := i + 1
		for end < len(runes) && marks[end] == marks[i] {
			end++
		}
		font, name := l.fonts.plain, color
		if marks[i] {
			font, name = l.fonts.bold, fynetheme.ColorNamePrimary
		}
		piece := font.Fit(string(runes[i:end]), right-x)
		l.put(s, r, piece, font, name, x, height)
		x += font.Width(piece)
		if piece != string(runes[i:end]) {
			return x
		}
		i = end
	}
	return x
}

// put draws a text.
func (l *paletteRows) put(s *rows.Slot, r *paletteRow, text string, font *measure.Font, color fyne.ThemeColorName, x, height float32) {
	if r.used == len(r.texts) {
		t := &canvas.Text{}
		r.texts = append(r.texts, t)
		s.Box.Add(t)
	}
	t := r.texts[r.used]
	r.used++
	t.Hidden = false
	t.Text, t.TextSize, t.TextStyle, t.Color = text, font.Size(), font.Style(), theme.Color(color)
	high := font.Height()
	t.Move(fyne.NewPos(x, (height-high)/2))
	t.Resize(fyne.NewSize(font.Width(text), high))
	t.Refresh()
}

// DecorateRow implements rows.Drawer.
func (l *paletteRows) DecorateRow(s *rows.Slot, i int) {
	r, ok := s.Data.(*paletteRow)
	if !ok {
		return
	}
	r.ground.Hidden = i != l.model.Chosen() && i != l.hover
	r.ground.FillColor = theme.Color(theme.ColorRowHover)
	if i == l.model.Chosen() {
		r.ground.FillColor = theme.Color(theme.ColorRowSelected)
	}
	r.ground.Refresh()
}

// Tapped implements fyne.Tappable.
func (l *paletteRows) Tapped(e *fyne.PointEvent) {
	if i := l.RowAt(e.Position); i >= 0 {
		l.take(i)
	}
}

// MouseDown implements desktop.Mouseable.
func (l *paletteRows) MouseDown(e *desktop.MouseEvent) { l.PressBar(e.Position) }

// MouseUp implements desktop.Mouseable.
func (l *paletteRows) MouseUp(*desktop.MouseEvent) {}

// Dragged implements fyne.Draggable.
func (l *paletteRows) Dragged(e *fyne.DragEvent) { l.DragBar(e) }

// DragEnd implements fyne.Draggable.
func (l *paletteRows) DragEnd() { l.EndDrag() }

// MouseIn implements desktop.Hoverable.
func (l *paletteRows) MouseIn(e *desktop.MouseEvent) { l.MouseMoved(e) }

// MouseMoved implements desktop.Hoverable.
func (l *paletteRows) MouseMoved(e *desktop.MouseEvent) {
	if i := l.RowAt(e.Position); i != l.hover {
		l.hover = i
		l.Decorate()
	}
}

// MouseOut implements desktop.Hoverable.
func (l *paletteRows) MouseOut() {
	l.hover = -1
	l.Decorate()
}
