package textview

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"mcploupe/protocol"
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

// drawnTexts returns what the canvas draws for a row, left to right.
func drawnTexts(p *painted) (out []string) {
	for _, t := range p.texts {
		if !t.Hidden {
			out = append(out, t.Text)
		}
	}
	return out
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

func TestSelectionByMouseAcrossRows(t *testing.T) {
	v := newView(t, small)
	v.drag(v.at(1, 3), v.at(3, 5))
	if got, want := v.SelectedText(), "name\": \"echo\",\n  \"args\": [\n    1"; got != want {
		t.Errorf("selected %q, want %q", got, want)
	}
	v.TypedShortcut(&fyne.ShortcutCopy{})
	if got := fyne.CurrentApp().Clipboard().Content(); got != v.SelectedText() {
		t.Errorf("clipboard holds %q", got)
	}
	v.press(v.at(4, 0), fyne.KeyModifierShift)
	if got := v.SelectedText(); !strings.HasSuffix(got, "1.0,\n") {
		t.Errorf("Shift+click selects %q", got)
	}
	if p := slotOf(v, 2); p.nUnder != 1 || p.under[0].Hidden {
		t.Error("the selection is not drawn")
	}
	v.drag(v.at(3, 0), fyne.NewPos(v.textX()+1, -500)) // upwards, out of the window
	if v.caret.row != 0 {
		t.Errorf("dragging above the window selects to row %d", v.caret.row)
	}
}

func TestSelectAllInRawModeCopiesTheBytes(t *testing.T) {
	raw := "{\"a\" :\t1.0,\r\n \"b\":\"" + strings.Repeat("x\u202e", 900) + "\"}"
	v := newView(t, raw)
	v.SetMode(Raw)
	v.TypedShortcut(&fyne.ShortcutSelectAll{})
	if got := v.SelectedText(); got != raw {
		t.Errorf("selected %q", got)
	}
}

func TestClipboardTakesNoNUL(t *testing.T) {
	v := newView(t, "a\x00b\xff")
	v.SelectAll()
	v.Copy()
	if got := fyne.CurrentApp().Clipboard().Content(); got != "a␀b\ufffd" {
		t.Errorf("clipboard holds %q", got)
	}
}

func TestCopyWithoutSelectionCopiesTheValue(t *testing.T) {
	v := newView(t, small)
	v.press(v.at(2, 4), 0)
	v.Copy()
	if got := fyne.CurrentApp().Clipboard().Content(); got != "[1.0,9007199254740993]" {
		t.Errorf("clipboard holds %q", got)
	}
	if val, _ := v.ValueAtCaret(); val.Pointer != "/args" || val.Kind != "array" {
		t.Errorf("value is %+v", val)
	}
	v.press(v.at(4, 6), 0)
	if val, _ := v.ValueAtCaret(); val.Pointer != "/args/1" {
		t.Errorf("value is %+v", val)
	}
}

func TestPointerEscapes(t *testing.T) {
	raw := `{"a/b~c":{"é\n":1,"\/":2}}`
	x := build(t, raw)
	for text, want := range map[string]string{"1": "/a~1b~0c/é\n", "2": "/a~1b~0c/~1"} {
		if v, _ := x.Value(strings.LastIndex(raw, text)); v.Pointer != want {
			t.Errorf("pointer of %s is %q, want %q", text, v.Pointer, want)
		}
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

func TestKeyboardCaret(t *testing.T) {
	v := newView(t, small)
	v.Focus()
	keys(v, fyne.KeyDown, fyne.KeyEnd)
	withShift(v, fyne.KeyLeft, fyne.KeyLeft)
	if got := v.SelectedText(); got != `",` {
		t.Errorf("selected %q", got)
	}
	keys(v, fyne.KeyHome, fyne.KeyLeft)
	if v.caret != (pos{0, 1}) {
		t.Errorf("left of a line's start is %v", v.caret)
	}
	keys(v, fyne.KeyRight)
	if v.caret != (pos{1, 0}) {
		t.Errorf("right of a line's end is %v", v.caret)
	}
	ctrl(v, fyne.KeyEnd)
	if v.caret != (pos{7, 1}) {
		t.Errorf("Ctrl+End is %v", v.caret)
	}
	ctrl(v, fyne.KeyHome)
	keys(v, fyne.KeyPageDown)
	if v.caret.row != 7 {
		t.Errorf("a page below the start is %v", v.caret)
	}
	if v.caretRect.Hidden {
		t.Error("the caret is not drawn")
	}
	keys(v, fyne.KeyUp, fyne.KeyUp, fyne.KeyReturn)
	if got := shown(v); got[2] != `  "args": [ … 2 elements ],` {
		t.Errorf("Enter on the closing line does not fold: %q", got)
	}
}

func TestHiddenCharactersAreDrawnAsMarks(t *testing.T) {
	v := newView(t, "{\"a\":\"x\u202ey\u200b\x00\xff\"}")
	if got := strings.Join(drawnTexts(slotOf(v, 1)), "|"); got != `  "a"|: |"x|‹U+202E›|y|‹ZWSP›|‹NUL›|‹xFF›|"` && got != `"a"|: |"x|‹U+202E›|y|‹ZWSP›|‹NUL›|‹xFF›|"` {
		t.Errorf("drawn as %s", got)
	}
	v.SelectAll()
	if !strings.Contains(v.SelectedText(), "x\u202ey\u200b\x00\xff") {
		t.Error("what is copied is not what is in the text")
	}
}

func TestEmojiKeepTheirStyle(t *testing.T) {
	v := newView(t, "{\"a\":\"⚠\ufe0f x\ufe0f\"}")
	if got := strings.Join(drawnTexts(slotOf(v, 1)), "|"); !strings.HasSuffix(got, "|⚠\ufe0f| x|‹U+FE0F›|\"") {
		t.Errorf("drawn as %q", got)
	}
}

func TestWideRunesAreMeasured(t *testing.T) {
	v := newView(t, `["日本語abc","xyz"]`)
	p := slotOf(v, 1)
	cell := v.font.Rune('0')
	wide := v.font.Rune('日')
	if got, want := colX(p.segs, v.font, 3+9), 3*cell+3*wide; got < want-0.01 || got > want+0.01 {
		t.Errorf("after three wide runes x is %v, want %v", got, want)
	}
	for col := range len(`  "日本語abc"`) {
		if (col-3)%3 != 0 && col > 3 && col < 12 {
			continue // inside a rune
		}
		if got := xCol(p.segs, v.font, colX(p.segs, v.font, col)); got != col {
			t.Errorf("byte %d is found at byte %d", col, got)
		}
	}
	texts := drawnTexts(p)
	if !slices.Contains(texts, "日本語") {
		t.Errorf("drawn as %q, want the wide runes by themselves", texts)
	}
}

func TestFind(t *testing.T) {
	v := newView(t, `{"a":"One two","b":{"c":"one"},"one":1}`)
	calls := 0
	v.OnHits = func() { calls++ }
	v.Find("ONE")
	if n, of := v.Hit(); n != 1 || of != 3 {
		t.Errorf("stands on %d of %d", n, of)
	}
	v.FoldTo(1)
	v.Step(true)
	if got := shown(v); !slices.Contains(got, `    "c": "one"`) {
		t.Errorf("the second place is folded away: %q", got)
	}
	p := slotOf(v, v.caret.row)
	if p.nUnder != 1 || p.under[0].FillColor != look.Color(look.ColorHitCurrent) {
		t.Error("the place is not marked")
	}
	v.Step(true)
	v.Step(true)
	if n, _ := v.Hit(); n != 1 {
		t.Errorf("after the last place comes %d", n)
	}
	v.Step(false)
	if n, _ := v.Hit(); n != 3 {
		t.Errorf("before the first place comes %d", n)
	}
	v.SetMode(Raw)
	if p := slotOf(v, 0); p.nUnder != 3 {
		t.Errorf("%d places are marked in raw mode", p.nUnder)
	}
	v.Find("")
	if _, of := v.Hit(); of != 0 || calls == 0 {
		t.Errorf("%d places of nothing, %d calls", of, calls)
	}
	if p := slotOf(v, 0); p.nUnder != 0 {
		t.Error("marks stay")
	}
}

func TestSearch(t *testing.T) {
	for _, tt := range []struct {
		raw, query string
		want       string
	}{
		{"aAaA", "aa", "[0 2]"}, {"xx", "", "[]"}, {"", "x", "[]"}, {"ÉcolÉ", "É", "[0 5]"}, {"ab", "abc", "[]"},
		{"1 2 1", "1", "[0 4]"}, {"Tools/Call", "tools/c", "[0]"},
	} {
		h, err := Search(context.Background(), []byte(tt.raw), tt.query)
		if got := fmt.Sprint(h.starts); err != nil || got != tt.want {
			t.Errorf("%q in %q: %s, want %s", tt.query, tt.raw, got, tt.want)
		}
	}
	h, _ := Search(context.Background(), bytes.Repeat([]byte("a"), maxHits+10), "a")
	if h.Count != maxHits+10 || len(h.starts) != maxHits {
		t.Errorf("%d counted, %d kept", h.Count, len(h.starts))
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Search(ctx, []byte("x"), "x"); err == nil {
		t.Error("a cancelled search ends without an error")
	}
}

func TestProblems(t *testing.T) {
	v := newView(t, small)
	v.SetProblems([]protocol.Problem{
		{Severity: protocol.Violation, Offset: strings.Index(small, "9007"), Text: "too large"},
		{Severity: protocol.Warning, Offset: strings.Index(small, `"echo"`), Text: "odd"},
		{Severity: protocol.Info, Offset: -1, Text: "nowhere"},
	})
	p := slotOf(v, 4)
	if p.remark.Text != "✖" || p.nOver != 1 {
		t.Errorf("row with a violation has mark %q and %d lines", p.remark.Text, p.nOver)
	}
	if x, want := p.over[0].Position().X, v.textX()+4*v.font.Rune('0'); x < want-0.1 || x > want+0.1 {
		t.Errorf("the line is at %v, want %v", x, want)
	}
	var got []string
	for _, at := range []fyne.Position{v.at(4, 5), v.at(1, 12), v.at(0, 0)} {
		v.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}})
		if v.tip.box.Hidden {
			got = append(got, "-")
		} else {
			got = append(got, v.tip.lines[0].Text)
		}
	}
	if fmt.Sprint(got) != "[violation  too large warning  odd -]" {
		t.Errorf("problems under the mouse: %v", got)
	}
	var clicked protocol.Problem
	v.OnProblem = func(p protocol.Problem) { clicked = p }
	v.press(fyne.NewPos(v.font.Rune('0'), v.at(4, 0).Y), 0)
	if clicked.Text != "too large" {
		t.Errorf("a click on the mark reports %+v", clicked)
	}
	v.Toggle(2)
	if p := slotOf(v, 2); p.remark.Text != "✖" {
		t.Error("a folded violation is not marked")
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

func TestThemeChange(t *testing.T) {
	v := newView(t, small)
	before := slotOf(v, 1).texts[0].Color
	test.ApplyTheme(t, look.New(look.Options{Mode: look.Dark, Zoom: 1.5}))
	p := slotOf(v, 1)
	if p.texts[0].Color == before || p.texts[0].TextSize != look.Size(look.SizeMono) {
		t.Error("the text keeps the old look")
	}
	if v.RowHeight() != look.Size(look.SizeLine) {
		t.Errorf("rows are %v high", v.RowHeight())
	}
}

func TestMenu(t *testing.T) {
	v := newView(t, small)
	var asked Value
	v.Menu = func(val Value) []*fyne.MenuItem {
		asked = val
		return []*fyne.MenuItem{fyne.NewMenuItem("Open", nil)}
	}
	v.press(v.at(1, 12), 0)
	m := v.menu()
	if asked.Pointer != "/name" || m.Items[len(m.Items)-1].Label != "Open" {
		t.Errorf("menu for %+v", asked)
	}
	for _, item := range m.Items {
		if item.Label == "Copy pointer" {
			item.Action()
		}
	}
	if got := fyne.CurrentApp().Clipboard().Content(); got != "/name" {
		t.Errorf("clipboard holds %q", got)
	}
}

func TestMenuByKey(t *testing.T) {
	v := newView(t, small)
	c := fyne.CurrentApp().Driver().CanvasForObject(v)
	v.Focus()
	keys(v, desktop.KeyMenu)
	if c.Overlays().Top() == nil {
		t.Fatal("the menu key shows no menu")
	}
	c.Overlays().Remove(c.Overlays().Top())
	withShift(v, fyne.KeyF10)
	if c.Overlays().Top() == nil {
		t.Error("Shift+F10 shows no menu")
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

func BenchmarkScroll20MB(b *testing.B) {
	v := newView(b, string(sample(20_000_000)))
	for b.Loop() {
		if v.AtEnd() {
			v.ScrollStart()
		}
		v.ScrollBy(75)
	}
}

func BenchmarkPage20MB(b *testing.B) {
	v := newView(b, string(sample(20_000_000)))
	for b.Loop() {
		if v.AtEnd() {
			v.ScrollStart()
		}
		v.ScrollBy(360)
	}
}

func BenchmarkSetIndex20MB(b *testing.B) {
	v := newView(b, "{}")
	x := build(b, string(sample(20_000_000)))
	for b.Loop() {
		v.SetIndex(x)
	}
}

func BenchmarkSearch20MB(b *testing.B) {
	raw := sample(20_000_000)
	for _, q := range []string{"item 99", "zebra", "e"} {
		b.Run(q, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				if _, err := Search(context.Background(), raw, q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCopyAll20MB(b *testing.B) {
	v := newView(b, string(sample(20_000_000)))
	v.SelectAll()
	for b.Loop() {
		v.SelectedText()
	}
}

func TestLookIsTold(t *testing.T) {
	v := newView(t, `{"a":1}`)
	told := 0
	v.OnLook = func() { told++ }
	v.SetWrap(false)
	v.SetNumbers(false)
	if told != 0 {
		t.Error("what the program does is told as the person's doing")
	}
	v.TypedRune('w')
	v.TypedRune('n')
	if told != 2 || !v.Wrap() || !v.Numbers() {
		t.Errorf("told %d times, wraps %v, numbers %v", told, v.Wrap(), v.Numbers())
	}
}

// A text that is sought again in another index is shown there, too.
func TestSeekGoesToThePlaceAgain(t *testing.T) {
	long := strings.Repeat("hay\n", 500)
	v := newView(t, "x")
	for range 2 {
		if !v.SetBytes([]byte(long + "needle\n" + long)) {
			t.Fatal("not shown")
		}
		v.Seek("needle")
		if first, _ := v.Place(); first < 400 {
			t.Errorf("row %d is the first in sight", first)
		}
	}
}
