package textview

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"mcploupe/ui/rows"
	look "mcploupe/ui/theme"
)

func newView(t testing.TB, raw string) *View {
	t.Helper()
	test.NewTempApp(t)
	fyne.CurrentApp().Settings().SetTheme(look.New(look.Options{Mode: look.Light}))
	v := New()
	w := test.NewTempWindow(t, v)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(600, 18*20))
	v.SetIndex(build(t, raw))
	return v
}

// shown returns the rows on the screen.
func shown(v interface{ Slots() []*rows.Slot }) (out []string) {
	slots := slices.Clone(v.Slots())
	slices.SortFunc(slots, func(a, b *rows.Slot) int { return a.Row() - b.Row() })
	for _, s := range slots {
		if s.Row() < 0 {
			continue
		}
		var b strings.Builder
		for _, seg := range s.Data.(*painted).segs {
			b.WriteString(seg.text)
		}
		out = append(out, b.String())
	}
	return out
}

// slotOf returns the painted row.
func slotOf(v interface{ Slots() []*rows.Slot }, row int) *painted {
	for _, s := range v.Slots() {
		if s.Row() == row {
			return s.Data.(*painted)
		}
	}
	return nil
}

// at is the position of a byte of a row.
func (v *View) at(row, col int) fyne.Position {
	return fyne.NewPos(v.textX()+v.xOf(pos{row, col})-v.OffsetX()+0.5, v.RowTop(row)+4)
}

func (v *View) press(at fyne.Position, mod fyne.KeyModifier) {
	v.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}, Button: desktop.MouseButtonPrimary, Modifier: mod})
}

func (v *View) drag(from, to fyne.Position) {
	v.press(from, 0)
	v.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: to}, Dragged: fyne.NewDelta(to.X-from.X, to.Y-from.Y)})
	v.DragEnd()
	v.MouseUp(nil)
}

func keys(w fyne.Focusable, names ...fyne.KeyName) {
	for _, n := range names {
		w.TypedKey(&fyne.KeyEvent{Name: n})
	}
}

func withShift(w desktop.Keyable, names ...fyne.KeyName) {
	w.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	keys(w, names...)
	w.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
}

func ctrl(w fyne.Shortcutable, key fyne.KeyName) {
	w.TypedShortcut(&desktop.CustomShortcut{KeyName: key, Modifier: fyne.KeyModifierShortcutDefault})
}

const small = `{"name":"echo","args":[1.0,9007199254740993],"ok":true}`

func TestModes(t *testing.T) {
	v := newView(t, small)
	if got := shown(v); got[1] != `  "name": "echo",` || got[3] != "    1.0," {
		t.Errorf("pretty shows %q", got)
	}
	v.SetMode(Raw)
	if got := shown(v); len(got) != 1 || got[0] != small {
		t.Errorf("raw shows %q", got)
	}
	v.SetMode(Hex)
	if got := shown(v); !strings.HasPrefix(got[0], "00000000  7b 22 6e 61") || len(got) != 4 {
		t.Errorf("hex shows %q", got)
	}
	v.SetMode(Pretty)
	v.SetIndex(build(t, "not JSON\nat all"))
	if got := shown(v); v.Mode() != Raw || !slices.Equal(got, []string{"not JSON", "at all"}) {
		t.Errorf("%v shows %q", v.Mode(), got)
	}
}

func TestFoldInTheGutter(t *testing.T) {
	v := newView(t, small)
	if p := slotOf(v, 2); p.fold.Text != "▾" || p.fold.Hidden {
		t.Errorf("an open array has the mark %q", p.fold.Text)
	}
	v.press(fyne.NewPos(5, v.RowTop(2)+4), 0)
	if got := shown(v); got[2] != `  "args": [ … 2 elements ],` {
		t.Errorf("rows %q", got)
	}
	if p := slotOf(v, 2); p.fold.Text != "▸" {
		t.Errorf("a folded array has the mark %q", p.fold.Text)
	}
	v.DoubleTapped(&fyne.PointEvent{Position: v.at(2, 5)})
	if got := shown(v); got[3] != "    1.0," {
		t.Errorf("a double click does not open: %q", got)
	}
	v.FoldTo(0)
	if got := shown(v); len(got) != 1 {
		t.Errorf("folded to nothing: %q", got)
	}
	v.FoldTo(99)
	if got := shown(v); len(got) != 8 {
		t.Errorf("unfolded: %q", got)
	}
}

// A single line of 5 MB opens at once, and all of it can be reached.
func TestLongSingleLine(t *testing.T) {
	raw := strings.Repeat("x123456789", 500_000)
	v := newView(t, raw)
	if n := v.Count(); n < 50_000 {
		t.Errorf("%d rows", n)
	}
	ctrl(v, fyne.KeyEnd)
	got := shown(v)
	if !strings.HasSuffix(got[len(got)-1], "56789") {
		t.Errorf("the end shows %q", got[len(got)-1])
	}
	for _, s := range v.Slots() {
		if s.Row() >= 0 && rowLen(s.Data.(*painted).segs) > piece {
			t.Fatal("a row is longer than a piece")
		}
	}
	if p := slotOf(v, v.Count()-1); !p.number.Hidden {
		t.Error("a piece has a line number")
	}
	v.SetWrap(false)
	if v.Count() != len(raw)/piece {
		t.Errorf("unwrapped it has %d rows", v.Count())
	}
}

func TestWrapFollowsTheWidth(t *testing.T) {
	v := newView(t, `["`+strings.Repeat("abcdefgh ", 50)+`"]`)
	before := v.Count()
	v.Resize(fyne.NewSize(300, 360))
	if v.Count() <= before {
		t.Errorf("%d rows in a narrow window, %d in a wide one", v.Count(), before)
	}
	v.Resize(fyne.NewSize(600, 360))
	if v.Count() != before {
		t.Errorf("%d rows back in the wide window, want %d", v.Count(), before)
	}
	v.SetWrap(false)
	if v.Count() != 3 {
		t.Errorf("unwrapped %d rows", v.Count())
	}
	v.ScrollX(1e6)
	if v.OffsetX() == 0 {
		t.Error("an unwrapped line does not scroll sideways")
	}
}

func TestPlaceStaysWhenTheModeChanges(t *testing.T) {
	v := newView(t, string(sample(200_000)))
	v.ShowOffset(100_000)
	v.SetMode(Raw)
	if lo, hi := v.rawRange(v.caret.row); 100_000 < lo || 100_000 >= hi {
		t.Errorf("the caret's row shows %d to %d", lo, hi)
	}
	first := v.firstOffset()
	v.SetMode(Hex)
	if got := v.firstOffset(); got < first-hexWidth || got > first {
		t.Errorf("the window begins at %d, was %d", got, first)
	}
}

func TestEmptyView(t *testing.T) {
	test.NewTempApp(t)
	v := New()
	w := test.NewTempWindow(t, v)
	w.Resize(fyne.NewSize(300, 200))
	v.Focus()
	keys(v, fyne.KeyDown, fyne.KeyEnd, fyne.KeyPageUp, fyne.KeyLeft, fyne.KeyRight, fyne.KeyReturn, fyne.KeyF3)
	v.DoubleTapped(&fyne.PointEvent{Position: fyne.NewPos(100, 5)})
	v.SelectAll()
	v.FoldTo(1)
	v.ShowOffset(10)
	v.Find("x")
	if _, n := v.Hit(); v.SelectedText() != "" || n != 0 {
		t.Error("an empty view holds something")
	}
	if !v.SetBytes([]byte("[1]")) || v.SetBytes(make([]byte, smallText+1)) {
		t.Error("SetBytes takes what it should not, or not what it should")
	}
}

// Big texts are searched and copied elsewhere, and what comes too late is dropped.
func TestBigTextsGoThroughRun(t *testing.T) {
	v := newView(t, string(sample(bigText+1)))
	var queue []func() func()
	v.Run = func(work func() func()) { queue = append(queue, work) }
	v.Find("item 1")
	v.Find("item 77")
	v.SelectAll()
	v.Copy()
	if len(queue) != 3 {
		t.Fatalf("%d things to run, want 3", len(queue))
	}
	v.FoldTo(0)
	for _, work := range queue {
		work()()
	}
	if _, n := v.Hit(); v.query != "item 77" || n == 0 {
		t.Errorf("%d places of %q", n, v.query)
	}
	if got := fyne.CurrentApp().Clipboard().Content(); len(got) < bigText {
		t.Errorf("%d bytes were copied", len(got))
	}
}
