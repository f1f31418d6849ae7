package textview

import (
	"runtime"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
)

// later collects what a view gives away and runs it when the test says so.
type later []func() func()

func (l *later) run(work func() func()) { *l = append(*l, work) }

func (l *later) finish() {
	for len(*l) > 0 {
		work := (*l)[0]
		*l = (*l)[1:]
		work()()
	}
}

// allocated is how many bytes f takes from the heap: a measure of the work it does that, other than time, is the same
// on every machine.
func allocated(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// A 20 MB result and a 5 MB string on one line (P3, D93): nothing that is done on the drawing goroutine goes through
// the text. Laying 20 MB out takes 20 MB or more, one screen some hundred kilobytes.
func TestWorkOnTheDrawingGoroutine(t *testing.T) {
	const most = 4 << 20
	for name, raw := range map[string]string{
		"20 MB of JSON":            string(sample(20_000_000)),
		"a string of 5 MB":         `{"content":[{"type":"text","text":"` + strings.Repeat(`line of a text\n`, 5_000_000/16) + `"}]}`,
		"a word of 5 MB":           `{"data":"` + strings.Repeat("QUJD", 1_250_000) + `"}`,
		"16 MB of line feeds":      strings.Repeat("\n", 16_000_000),
		"5 MB of text on one line": strings.Repeat("0123456789", 500_000),
	} {
		t.Run(name, func(t *testing.T) {
			v := newView(t, "{}")
			var queue later
			v.Run = queue.run
			v.OnOpen = func(Value, Content) {}
			x := build(t, raw)
			within := func(what string, f func()) {
				t.Helper()
				if n := allocated(f); n > most {
					t.Errorf("%s takes %d bytes", what, n)
				}
				queue.finish()
			}
			within("showing it", func() { v.SetIndex(x) })
			within("another width", func() { v.Resize(fyne.NewSize(500, 300)) })
			within("scrolling", func() {
				for range 20 {
					v.ScrollBy(3000)
				}
			})
			within("the end", v.ScrollEnd)
			within("fold all", func() { v.FoldTo(1) })
			within("unfold all", func() { v.FoldTo(unfolded) })
			within("folding the top", func() { v.Toggle(0) })
			within("opening the top", func() { v.Toggle(0) })
			within("going to a place that is folded", func() { v.ShowOffset(len(raw) / 2) })
			within("raw", func() { v.SetMode(Raw) })
			within("hex", func() { v.SetMode(Hex) })
			within("pretty", func() { v.SetMode(Pretty) })
			within("without wrapping", func() { v.SetWrap(false) })
			within("with wrapping", func() { v.SetWrap(true) })
			within("finding", func() { v.Find("99") })
			within("the next place", func() { v.Step(true) })
			within("a line", func() {
				if err := v.GoTo("3"); err != nil && !strings.Contains(name, "one line") {
					t.Error(err)
				}
			})
		})
	}
}

// A big text is wrapped too: rows get the window's width when the layout for it has been made.
func TestBigTextsWrap(t *testing.T) {
	v := newView(t, "{}")
	var queue later
	v.Run = queue.run
	raw := `["` + strings.Repeat("x", 400) + `",` + string(sample(bigText)) + `]`
	v.SetIndex(build(t, raw))
	if got := shown(v)[1]; len(got) < 400 {
		t.Fatal("the first look is wrapped: it was made here")
	}
	queue.finish()
	first := shown(v)[1]
	if len(first) >= 400 || v.wide > v.ViewWidth() {
		t.Errorf("a row of %d bytes, %v wide", len(first), v.wide)
	}
	v.Resize(fyne.NewSize(300, 300))
	v.Resize(fyne.NewSize(330, 300))
	v.Resize(fyne.NewSize(360, 300))
	if len(queue) != 1 {
		t.Errorf("%d layouts are being made, want 1", len(queue))
	}
	queue.finish()
	if v.pretty.wrap != v.columns() {
		t.Errorf("rows of %d bytes, want %d", v.pretty.wrap, v.columns())
	}
}

// What is folded while a layout is being made is folded in it.
func TestFoldingWhileALayoutIsMade(t *testing.T) {
	v := newView(t, "{}")
	var queue later
	v.Run = queue.run
	v.SetIndex(build(t, string(sample(bigText))))
	queue.finish()
	v.Resize(fyne.NewSize(333, 300))
	node := v.pretty.lines[1].node()
	v.Toggle(1)
	queue.finish()
	if !v.pretty.folded(node) || v.pretty.wrap != v.columns() {
		t.Errorf("folded %v, rows of %d bytes, want %d", v.pretty.folded(node), v.pretty.wrap, v.columns())
	}
	v.FoldTo(1)
	v.SetIndex(build(t, "{}"))
	queue.finish()
	if v.layout.rows() != 1 {
		t.Error("a layout of the text before is shown")
	}
}

func BenchmarkBigText(b *testing.B) {
	long := `{"a":"` + strings.Repeat(`line of a text\n`, 5_000_000/16) + `","b":1}`
	for name, raw := range map[string]string{"JSON_20MB": string(sample(20_000_000)), "string_5MB": long} {
		x := build(b, raw)
		v := newView(b, "{}")
		var queue later
		v.Run = queue.run
		v.OnOpen = func(Value, Content) {}
		step := func(what string, f func()) {
			b.Run(name+"/"+what, func(b *testing.B) {
				for b.Loop() {
					f()
					b.StopTimer()
					queue.finish()
					b.StartTimer()
				}
			})
		}
		step("show", func() { v.SetIndex(x) })
		step("toggle_a_node", func() { v.Toggle(1) })
		step("raw_and_back", func() { v.SetMode(Raw); v.SetMode(Pretty) })
		step("goto", func() { v.ShowOffset(len(raw) - 4); v.ShowOffset(4) })
		step("fold_all", func() { v.FoldTo(1); v.FoldTo(unfolded) })
		step("swap", func() { v.swap(v.pretty) })
		step("resize", func() {
			v.Resize(fyne.NewSize(500, 300))
			v.Resize(fyne.NewSize(600, 300))
		})
	}
}
