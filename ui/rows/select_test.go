package rows

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	look "mcploupe/ui/theme"
)

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

func TestTapSelects(t *testing.T) {
	l := newList(t, 100)
	test.TapCanvas(fyne.CurrentApp().Driver().CanvasForObject(l.View), l.at(4))
	if l.Current() != 4 || !l.Focused() {
		t.Errorf("row %d, focused %v", l.Current(), l.Focused())
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
