package rows

import (
	"fmt"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

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

func TestTheRowOfTheKeyboardStaysInViewWhenTheListBecomesLower(t *testing.T) {
	l := newList(t, 100)
	l.Select(50)
	l.Reveal(50) // the last one in view
	l.Resize(fyne.NewSize(400, 21*10))
	if top := l.RowTop(50); top < 0 || top+l.RowHeight() > 21*10 {
		t.Errorf("the row stands at %v of %v", top, 21*10)
	}
	l.Resize(fyne.NewSize(400, 21*20))
	l.ScrollStart()
	l.Resize(fyne.NewSize(400, 21*10))
	if row, _ := l.Place(); row != 0 {
		t.Errorf("a row that was out of view is brought back: the first is %d", row)
	}
}

// What Decorate refreshes has to be drawn, or the toolkit does not know its
// canvas and the new rows are not seen until something else changes.
func TestRowsAreDrawnAnewWithoutTheKeyboard(t *testing.T) {
	l := newList(t, 10)
	l.SetFocused(false)
	l.SetCount(20)
	if l.touch.Hidden || !slices.Contains(test.WidgetRenderer(l.View).Objects(), fyne.CanvasObject(l.touch)) {
		t.Error("the object that marks the canvas as changed is not drawn")
	}
	l.SetFocused(true)
	l.SetFocused(false)
	if l.touch.Hidden {
		t.Error("the object is hidden once the keyboard has left")
	}
}
