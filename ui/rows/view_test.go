package rows

import (
	"fmt"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	look "mcploupe/ui/theme"
)

// list is a view over numbered entries that counts how often it is asked to bind.
type list struct {
	*View
	binds int
	gen   uint64
	base  int // number of the first entry
}

func newList(t testing.TB, count int) *list {
	t.Helper()
	test.NewTempApp(t)
	fyne.CurrentApp().Settings().SetTheme(look.New(look.Options{Mode: look.Light}))
	l := &list{}
	l.View = New(func(i int, r *Row) {
		l.binds++
		r.Cells[0] = Cell{Text: fmt.Sprint(l.base + i), Mono: true}
		if len(r.Cells) > 1 {
			r.Cells[1] = Cell{Text: fmt.Sprint("entry ", l.base+i), Detail: "with a detail", Badges: []Badge{{Text: "ok", Color: look.ColorOK}}}
		}
	}, func(i int) uint64 { return l.gen<<32 + uint64(l.base+i) })
	l.SetColumns(Column{Title: "#", Width: 80, Align: fyne.TextAlignTrailing}, Column{Title: "what"})
	w := test.NewTempWindow(t, l.View)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(400, 21*20))
	l.SetCount(count)
	l.binds = 0
	return l
}

// shown returns the first cell of every row on the screen, from top to bottom.
func (l *list) shown() (out []string) {
	slots := slices.Clone(l.Slots())
	slices.SortFunc(slots, func(a, b *Slot) int { return a.Row() - b.Row() })
	for _, s := range slots {
		if s.Row() >= 0 {
			out = append(out, s.Data.(*rowObjects).cells[0].text.Text)
		}
	}
	return out
}

func (l *list) ground(row int) fyne.ThemeColorName {
	for _, s := range l.Slots() {
		if s.Row() == row {
			o := s.Data.(*rowObjects)
			if o.ground.Hidden {
				return ""
			}
			for _, n := range []fyne.ThemeColorName{look.ColorRowSelected, look.ColorRowChosen, look.ColorRowHover, look.ColorZebra} {
				if o.ground.FillColor == look.Color(n) {
					return n
				}
			}
		}
	}
	return "not shown"
}

func (l *list) at(row int) fyne.Position { return fyne.NewPos(100, l.RowTop(row)+3) }

func (l *list) click(row int, mod fyne.KeyModifier) {
	ev := &desktop.MouseEvent{Button: desktop.MouseButtonPrimary, Modifier: mod}
	ev.Position = l.at(row)
	l.MouseDown(ev)
	l.MouseUp(ev)
}

func (l *list) key(name fyne.KeyName) { l.TypedKey(&fyne.KeyEvent{Name: name}) }

func TestShowsTheVisibleRows(t *testing.T) {
	l := newList(t, 1000)
	if got := l.shown(); got[0] != "0" || len(got) != 20 {
		t.Errorf("%d rows from %q, want 20 from 0", len(got), got[0])
	}
	l.Reveal(500)
	if got := l.shown(); got[len(got)-1] != "500" {
		t.Errorf("last row is %q, want 500", got[len(got)-1])
	}
	l.SetCount(3)
	if got := l.shown(); !slices.Equal(got, []string{"0", "1", "2"}) {
		t.Errorf("rows %q", got)
	}
}

func TestKnownRowsAreNotBoundAgain(t *testing.T) {
	l := newList(t, 1000)
	l.Redraw(false)
	if l.binds != 0 {
		t.Errorf("%d binds for rows that are shown already", l.binds)
	}
	l.ScrollBy(21 * 3)
	if l.binds != 3 {
		t.Errorf("%d binds for three rows that came in", l.binds)
	}
	l.SetCount(2000)
	if l.binds != 3 {
		t.Errorf("%d binds after rows were appended out of sight", l.binds)
	}
	l.binds, l.gen = 0, 1
	l.Redraw(false)
	if l.binds != 20 {
		t.Errorf("%d binds after all entries changed, want 20", l.binds)
	}
}

func TestTenMillionRows(t *testing.T) {
	l := newList(t, 10*million)
	l.ScrollEnd()
	if got := l.shown(); got[len(got)-1] != "9999999" {
		t.Errorf("last row %q", got[len(got)-1])
	}
	y := l.RowTop(10*million - 1)
	test.Scroll(fyne.CurrentApp().Driver().CanvasForObject(l.View), fyne.NewPos(50, 50), 0, 0.4)
	if got := l.RowTop(10*million-1) - y; got < 0.99 || got > 1.01 {
		t.Errorf("a pixel at the end moved the row by %v", got)
	}
	l.click(10*million-5, 0)
	if l.Current() != 10*million-5 {
		t.Errorf("the click chose row %d", l.Current())
	}
}

func TestSelectionByMouse(t *testing.T) {
	l := newList(t, 100)
	var got []int
	l.OnSelect = func(i int) { got = append(got, i) }
	l.click(3, 0)
	l.click(3, 0)
	l.click(7, fyne.KeyModifierShift)
	if !slices.Equal(got, []int{3, 7}) || l.SelectionCount() != 1 {
		t.Errorf("selected %v, %d in all", got, l.SelectionCount())
	}
	if l.ground(7) != look.ColorRowSelected || l.ground(3) != "" {
		t.Errorf("row 7 is %q, row 3 %q", l.ground(7), l.ground(3))
	}
	fyne.CurrentApp().Driver().CanvasForObject(l.View).Unfocus()
	if l.ground(7) != look.ColorRowChosen {
		t.Errorf("without focus row 7 is %q", l.ground(7))
	}
	l.Select(2)
	if len(got) != 2 || l.Current() != 2 {
		t.Error("Select called back or did nothing")
	}
	l.Select(-1)
	if l.Current() != -1 || l.SelectionCount() != 0 {
		t.Error("Select(-1) leaves a row selected")
	}
}

func TestMultipleSelection(t *testing.T) {
	l := newList(t, 100)
	l.Multi = true
	calls := 0
	l.OnSelection = func() { calls++ }
	rows := func() (out []int) {
		l.Selection(func(i int) bool { out = append(out, i); return true })
		return out
	}
	l.click(3, 0)
	l.click(6, fyne.KeyModifierShift)
	if got := rows(); !slices.Equal(got, []int{3, 4, 5, 6}) {
		t.Errorf("range is %v", got)
	}
	l.click(5, fyne.KeyModifierShortcutDefault)
	l.click(9, fyne.KeyModifierShortcutDefault)
	if got := rows(); !slices.Equal(got, []int{3, 4, 6, 9}) || l.SelectionCount() != 4 {
		t.Errorf("set is %v", got)
	}
	l.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	l.key(fyne.KeyDown)
	l.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	if got := rows(); !slices.Equal(got, []int{9, 10}) {
		t.Errorf("after Shift+Down %v", got)
	}
	l.TypedShortcut(&fyne.ShortcutSelectAll{})
	if l.SelectionCount() != 100 || calls != 6 {
		t.Errorf("%d rows selected, %d calls", l.SelectionCount(), calls)
	}
	l.SetCount(50)
	if l.SelectionCount() != 50 {
		t.Errorf("%d rows selected of 50", l.SelectionCount())
	}
}

func TestKeyboard(t *testing.T) {
	l := newList(t, 100)
	activated, typed, keys := -1, "", 0
	l.OnActivate = func(i int) { activated = i }
	l.OnRune = func(r rune) { typed += string(r) }
	l.OnKey = func(e *fyne.KeyEvent) bool { keys++; return e.Name == fyne.KeyF5 }
	for _, step := range []struct {
		key  fyne.KeyName
		want int
	}{
		{fyne.KeyDown, 0}, {fyne.KeyDown, 1}, {fyne.KeyUp, 0}, {fyne.KeyPageDown, 19}, {fyne.KeyPageUp, 0},
		{fyne.KeyEnd, 99}, {fyne.KeyDown, 99}, {fyne.KeyHome, 0}, {fyne.KeyUp, 0}, {fyne.KeyF5, 0},
	} {
		l.key(step.key)
		if l.Current() != step.want {
			t.Fatalf("after %s row %d, want %d", step.key, l.Current(), step.want)
		}
		if y := l.RowTop(l.Current()); y < 0 || y+l.RowHeight() > l.Size().Height+0.5 {
			t.Fatalf("after %s row %d is at %v, not visible", step.key, l.Current(), y)
		}
	}
	l.key(fyne.KeyReturn)
	l.TypedRune('x')
	if activated != 0 || typed != "x" || keys != 11 {
		t.Errorf("activated %d, typed %q, %d keys seen", activated, typed, keys)
	}
}

func TestFollowsUntilThePersonScrolls(t *testing.T) {
	l := newList(t, 10)
	var follows []bool
	l.OnFollow = func(on bool) { follows = append(follows, on) }
	l.Follow(true)
	l.SetCount(500)
	if got := l.shown(); got[len(got)-1] != "499" {
		t.Fatalf("last row is %q", got[len(got)-1])
	}
	c := fyne.CurrentApp().Driver().CanvasForObject(l.View)
	test.Scroll(c, fyne.NewPos(50, 50), 0, 10)
	before := l.shown()
	l.SetCount(1000)
	if !slices.Equal(before, l.shown()) || l.Following() {
		t.Error("the place moved after the person scrolled up")
	}
	l.key(fyne.KeyEnd)
	l.SetCount(1100)
	if got := l.shown(); got[len(got)-1] != "1099" {
		t.Errorf("after End the last row is %q", got[len(got)-1])
	}
	l.click(1090, 0)
	l.SetCount(1200)
	if l.Current() != 1090 || l.RowTop(1090) < 0 {
		t.Error("a chosen row ran away")
	}
	for range 200 {
		test.Scroll(c, fyne.NewPos(50, 50), 0, -10)
	}
	if !l.Following() {
		t.Error("scrolling to the end does not resume")
	}
	if want := []bool{true, false, true, false, true}; !slices.Equal(follows, want) {
		t.Errorf("OnFollow got %v, want %v", follows, want)
	}
}

func TestScrollingShortListKeepsFollowing(t *testing.T) {
	l := newList(t, 3)
	l.Follow(true)
	test.Scroll(fyne.CurrentApp().Driver().CanvasForObject(l.View), fyne.NewPos(50, 50), 0, 10)
	if !l.Following() {
		t.Error("a wheel turn that moved nothing ended following")
	}
}

func TestSelectionAndPlaceStayWhenRowsComeAndGo(t *testing.T) {
	l := newList(t, 1000)
	l.ScrollBy(21*100 + 5)
	l.click(105, 0)
	place := l.RowTop(105)
	l.base = -7 // seven entries came above: entry 105 is now row 112
	l.Splice(0, 0, 7)
	if l.Current() != 112 || l.RowTop(112) != place {
		t.Errorf("row %d at %v, want 112 at %v", l.Current(), l.RowTop(112), place)
	}
	l.base = 13 // twenty went
	l.Splice(0, 20, 0)
	if l.Current() != 92 || l.RowTop(92) != place {
		t.Errorf("row %d at %v, want 92 at %v", l.Current(), l.RowTop(92), place)
	}
	l.SetCount(5000)
	if l.Current() != 92 || l.RowTop(92) != place {
		t.Error("appending moved the selected row")
	}
	l.Splice(90, 5, 0)
	if l.Current() != -1 {
		t.Errorf("the selected row went, but %d is selected", l.Current())
	}
}

func TestMenuAndDoubleClick(t *testing.T) {
	l := newList(t, 100)
	menu, activated := -1, -1
	l.OnMenu = func(i int, at fyne.Position) { menu = i }
	l.OnActivate = func(i int) { activated = i }
	l.TappedSecondary(&fyne.PointEvent{Position: l.at(5)})
	if menu != 5 || l.Current() != 5 {
		t.Errorf("menu for row %d, row %d selected", menu, l.Current())
	}
	l.DoubleTapped(&fyne.PointEvent{Position: l.at(6)})
	if activated != 6 {
		t.Errorf("activated row %d", activated)
	}
	menu = -1
	l.SetCount(2)
	l.TappedSecondary(&fyne.PointEvent{Position: fyne.NewPos(100, 300)})
	if menu != -1 {
		t.Error("a menu below the last row")
	}
}

func TestMenuByKey(t *testing.T) {
	l := newList(t, 100)
	var rows []int
	var at fyne.Position
	l.OnMenu = func(i int, p fyne.Position) { rows, at = append(rows, i), p }
	l.key(desktop.KeyMenu) // nothing is selected
	l.click(4, 0)
	l.key(desktop.KeyMenu)
	l.key(fyne.KeyF10)
	l.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftRight})
	l.key(fyne.KeyF10)
	if !slices.Equal(rows, []int{4, 4}) || at.Y != l.RowTop(5) {
		t.Errorf("menus for rows %v, the last at %v", rows, at)
	}
}

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

func TestTapSelects(t *testing.T) {
	l := newList(t, 100)
	test.TapCanvas(fyne.CurrentApp().Driver().CanvasForObject(l.View), l.at(4))
	if l.Current() != 4 || !l.Focused() {
		t.Errorf("row %d, focused %v", l.Current(), l.Focused())
	}
}

func TestScrollBar(t *testing.T) {
	l := newList(t, million)
	x := l.Size().Width - barWidth/2
	drag(l.View, fyne.NewPos(x, 10), fyne.NewDelta(0, 1000))
	if !l.AtEnd() {
		t.Error("dragging the thumb past the end does not show the end")
	}
	l.ScrollStart()
	l.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, 300)}, Button: desktop.MouseButtonPrimary})
	if i, _ := l.Place(); i != 20 {
		t.Errorf("a press below the thumb shows row %d, want a page", i)
	}
	if l.Current() != -1 {
		t.Error("a press on the scroll bar selected a row")
	}
}

// drag is the toolkit's order of events: a press, then moves.
func drag(v *View, from fyne.Position, steps ...fyne.Delta) {
	v.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: from}, Button: desktop.MouseButtonPrimary})
	pos := from
	for _, d := range steps {
		pos = pos.AddXY(d.DX, d.DY)
		v.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: pos}, Dragged: d})
	}
	v.DragEnd()
}

func TestThumbFollowsTheMouse(t *testing.T) {
	l := newList(t, million)
	x := l.Size().Width - barWidth/2
	var steps []fyne.Delta
	for range 50 {
		steps = append(steps, fyne.NewDelta(0, 2))
	}
	drag(l.View, fyne.NewPos(x, 10), steps...)
	if got, want := l.vthumb.Position().Y, float32(100+barInset); got < want-1 || got > want+1 {
		t.Errorf("the thumb is at %v, the mouse moved it to %v", got, want)
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

func TestWideColumnsScrollSideways(t *testing.T) {
	l := newList(t, 100)
	l.SetColumns(Column{Width: 300}, Column{Width: 500})
	test.Scroll(fyne.CurrentApp().Driver().CanvasForObject(l.View), fyne.NewPos(50, 50), -1000, 0)
	if got, want := l.OffsetX(), 800-l.viewWidth(); got != want {
		t.Errorf("scrolled to %v, want %v", got, want)
	}
	if box := l.Slots()[0].Box; box.Position().X != -l.OffsetX() {
		t.Errorf("rows are at %v", box.Position().X)
	}
	l.SetColumns(Column{Width: 100})
	if l.OffsetX() != 0 {
		t.Errorf("still scrolled to %v although all fits", l.OffsetX())
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

func TestPlaceholder(t *testing.T) {
	l := newList(t, 0)
	l.SetPlaceholder("No tools")
	if l.placeholder.Hidden {
		t.Error("an empty list says nothing")
	}
	l.SetCount(1)
	if !l.placeholder.Hidden {
		t.Error("the placeholder stays")
	}
}

func TestReset(t *testing.T) {
	l := newList(t, 1000)
	l.click(15, 0)
	l.ScrollBy(500)
	l.Reset(10)
	if i, _ := l.Place(); i != 0 || l.Current() != -1 {
		t.Errorf("row %d first, row %d selected", i, l.Current())
	}
}

// The toolkit grows windows to the least size of what they hold.
func TestMinSizeIsSmall(t *testing.T) {
	l := newList(t, million)
	l.SetColumns(Column{Width: 3000})
	if got := l.MinSize(); got.Width > 100 || got.Height > 100 {
		t.Errorf("least size %v", got)
	}
}

func TestUnknownShortcutsReachTheWindow(t *testing.T) {
	l := newList(t, 1)
	c := fyne.CurrentApp().Driver().CanvasForObject(l.View)
	s := &desktop.CustomShortcut{KeyName: fyne.KeyK, Modifier: fyne.KeyModifierControl}
	reached, copied := false, false
	c.AddShortcut(s, func(fyne.Shortcut) { reached = true })
	l.OnCopy = func() { copied = true }
	l.TypedShortcut(s)
	l.TypedShortcut(&fyne.ShortcutCopy{})
	if _, forwards := c.(fyne.Shortcutable); forwards && !reached {
		t.Error("the shortcut did not reach the window")
	}
	if !copied {
		t.Error("Ctrl+C does not copy")
	}
}

func TestSelectionSet(t *testing.T) {
	var s selection
	s.add(5, 10)
	s.add(10, 12)
	s.add(20, 30)
	s.remove(7, 8)
	if want := []span{{5, 7}, {8, 12}, {20, 30}}; !slices.Equal(s.spans, want) {
		t.Fatalf("%v, want %v", s.spans, want)
	}
	for i, want := range map[int]bool{4: false, 5: true, 7: false, 8: true, 11: true, 12: false, 29: true, 30: false} {
		if s.has(i) != want {
			t.Errorf("has(%d) = %v", i, !want)
		}
	}
	s.splice(9, 0, 3) // into a range
	if want := []span{{5, 7}, {8, 9}, {12, 15}, {23, 33}}; !slices.Equal(s.spans, want) {
		t.Fatalf("after an insertion %v, want %v", s.spans, want)
	}
	s.splice(6, 7, 0)
	if want := []span{{5, 8}, {16, 26}}; !slices.Equal(s.spans, want) {
		t.Fatalf("after a removal %v, want %v", s.spans, want)
	}
	if s.count() != 13 {
		t.Errorf("count %d", s.count())
	}
}

func bench(b *testing.B, count int) *list {
	l := newList(b, count)
	l.SetColumns(Column{Width: 60}, Column{}, Column{Width: 60}, Column{Width: 60}, Column{Width: 60})
	return l
}

func BenchmarkScroll(b *testing.B) {
	for _, n := range []int{100_000, 10 * million} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			l := bench(b, n)
			for b.Loop() {
				if l.AtEnd() {
					l.ScrollStart()
				}
				l.ScrollBy(75)
			}
		})
	}
}

func BenchmarkRefresh(b *testing.B) {
	l := bench(b, million)
	for b.Loop() {
		l.Redraw(false)
	}
}

func BenchmarkFollowTail(b *testing.B) {
	l := bench(b, million)
	l.Follow(true)
	n := million
	for b.Loop() {
		n += 1000
		l.SetCount(n) // every row is new
	}
}
