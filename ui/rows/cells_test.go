package rows

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	look "mcploupe/ui/theme"
)

func TestPartsOfACell(t *testing.T) {
	l := newList(t, 1)
	l.SetColumns(Column{Width: 200, Align: fyne.TextAlignTrailing}, Column{})
	cell := Cell{Icon: theme.WarningIcon(), Glyph: "✓", Text: "text", Detail: "detail", Badges: []Badge{{Text: "late", Color: look.ColorLate}}}
	l.bind = func(_ int, r *Row) { r.Cells[0] = cell }
	l.Invalidate()
	c := &l.Slots()[0].Data.(*rowObjects).cells[0]
	var last float32
	for i, o := range []fyne.CanvasObject{c.icon, c.glyph, c.text, c.detail, c.badges[0].ground} {
		if !o.Visible() || o.Position().X <= last {
			t.Errorf("part %d is at %v after %v, visible: %v", i, o.Position().X, last, o.Visible())
		}
		last = o.Position().X
	}
	if end := last + c.badges[0].ground.Size().Width; end < 200-cellPad-0.5 || end > 200-cellPad+0.5 {
		t.Errorf("the cell ends at %v in a column of 200", end)
	}
	if c.cut {
		t.Error("a cell that fits counts as cut")
	}
	cell.Text, cell.Detail = "a text that leaves no room for any detail", "detail"
	l.Invalidate()
	if !c.detail.Hidden || c.text.Text == cell.Text || !c.cut {
		t.Errorf("text %q, detail hidden: %v", c.text.Text, c.detail.Hidden)
	}
	cell = Cell{Text: "plain"}
	l.Invalidate()
	if c.icon.Visible() || c.glyph.Visible() || c.detail.Visible() || c.badges[0].text.Visible() {
		t.Error("parts of another entry stay")
	}
}

func TestRowGrounds(t *testing.T) {
	l := newList(t, 10)
	l.Zebra = true
	l.bind = func(i int, r *Row) {
		if i == 2 {
			r.Ground, r.Mark = look.ColorRowMarked, look.ColorFailed
		}
	}
	l.Invalidate()
	if l.ground(1) != look.ColorZebra || l.ground(4) != "" {
		t.Errorf("row 1 is %q, row 4 %q", l.ground(1), l.ground(4))
	}
	for _, s := range l.Slots() {
		if o, _ := s.Data.(*rowObjects); s.Row() == 2 && (o.ground.FillColor != look.Color(look.ColorRowMarked) || o.mark.Hidden) {
			t.Error("the row's own ground or mark is not drawn")
		}
	}
}

func TestColumnsResize(t *testing.T) {
	l := newList(t, 100)
	l.SetColumns(Column{Title: "#", Width: 80}, Column{Title: "what"}, Column{Title: "size", Width: 60})
	l.ShowHeader(true)
	var got []Column
	l.OnColumns = func(c []Column) { got = c }
	drag(l.View, fyne.NewPos(80, 5), fyne.NewDelta(20, 0), fyne.NewDelta(10, 0))
	if len(got) != 3 || got[0].Width != 110 {
		t.Fatalf("columns %v", got)
	}
	drag(l.View, fyne.NewPos(l.viewWidth()-60, 5), fyne.NewDelta(-15, 0)) // right of the flexible column
	if got[2].Width != 75 {
		t.Errorf("last column is %v wide, want 75", got[2].Width)
	}
	drag(l.View, fyne.NewPos(110, 5), fyne.NewDelta(-500, 0))
	if got[0].Width != minWidth {
		t.Errorf("first column is %v wide, want the least", got[0].Width)
	}
	clicked := -1
	l.OnHeader = func(i int) { clicked = i }
	l.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(100, 5)}, Button: desktop.MouseButtonPrimary})
	if clicked != 1 || l.Current() != -1 {
		t.Errorf("header click on column %d, row %d", clicked, l.Current())
	}
}

func TestTextsAreCutToTheirColumn(t *testing.T) {
	l := newList(t, 10)
	l.bind = func(i int, r *Row) {
		r.Cells[0] = Cell{Text: "a text that is much too long for its column"}
		r.Cells[1] = Cell{Text: "short", Detail: "detail"}
	}
	var hovers []Hover
	l.OnHover = func(h Hover) { hovers = append(hovers, h) }
	l.Invalidate()
	c := fyne.CurrentApp().Driver().CanvasForObject(l.View)
	for _, x := range []float32{10, 200} {
		test.MoveMouse(c, fyne.NewPos(x, 5))
	}
	l.MouseOut()
	want := []Hover{{Row: 0, Col: 0, Cut: true, At: fyne.NewPos(10, 5)}, {Row: 0, Col: 1, At: fyne.NewPos(200, 5)}, {Row: -1, Col: -1}}
	if !slices.Equal(hovers, want) {
		t.Errorf("hovers %v, want %v", hovers, want)
	}
	text := l.Slots()[0].Data.(*rowObjects).cells[0].text
	if w := text.MinSize().Width; w > 80-2*cellPad+1 {
		t.Errorf("the text is %v wide in a column of 80", w)
	}
}

func TestHover(t *testing.T) {
	l := newList(t, 100)
	c := fyne.CurrentApp().Driver().CanvasForObject(l.View)
	test.MoveMouse(c, l.at(3))
	if l.ground(3) != look.ColorRowHover {
		t.Errorf("row under the mouse is %q", l.ground(3))
	}
	l.ScrollBy(21 * 5)
	if l.ground(8) != look.ColorRowHover || l.ground(3) != "not shown" {
		t.Errorf("after scrolling row 8 is %q", l.ground(8))
	}
	l.MouseOut()
	if l.ground(8) != "" {
		t.Errorf("without the mouse row 8 is %q", l.ground(8))
	}
}

func TestThemeChangeRecolours(t *testing.T) {
	l := newList(t, 10)
	text := func() *canvas.Text { return l.Slots()[0].Data.(*rowObjects).cells[0].text }
	light := text().Color
	test.ApplyTheme(t, look.New(look.Options{Mode: look.Dark, Density: look.Comfortable}))
	if text().Color == light {
		t.Error("the text keeps the light colour")
	}
	if l.RowHeight() != look.Size(look.SizeRow) {
		t.Errorf("rows are %v high, the theme says %v", l.RowHeight(), look.Size(look.SizeRow))
	}
	if got, want := text().TextSize, look.Size(look.SizeMono); got != want {
		t.Errorf("text size %v, want %v", got, want)
	}
}
