package ui

import (
	"os"
	"strconv"
	"testing"

	"fyne.io/fyne/v2"

	"mcploupe/ui/view"
)

// benchEvents is the size of the recording that the timeline is measured on.
func benchEvents(b *testing.B) int {
	text := os.Getenv("LOUPE_BENCH_EVENTS")
	if text == "" {
		return 1_000_000
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1000 {
		b.Fatalf("LOUPE_BENCH_EVENTS=%q is no number of events, or too small", text)
	}
	return n
}

// BenchmarkTimeline is what the timeline costs at a million events: a frame of
// scrolling, a jump from one end to the other, an event that is found again in
// another order, and the switch to exchanges.
func BenchmarkTimeline(b *testing.B) {
	d, line := recorded(b, benchEvents(b))
	p := d.currentConn()
	p.setWhole(true)
	x := line.line.Log().Exchanges()
	d.await("the exchanges", func() bool { return x.Taken() == line.line.Log().Len() })
	scroll := func(b *testing.B) {
		line.list.ScrollStart()
		for b.Loop() {
			if line.list.AtEnd() {
				line.list.ScrollStart()
			}
			line.list.ScrollBy(75)
		}
	}
	jump := func(b *testing.B) {
		for end := false; b.Loop(); end = !end {
			if end {
				line.list.ScrollEnd()
			} else {
				line.list.ScrollStart()
			}
		}
	}
	b.Run("scroll a frame", scroll)
	b.Run("jump to the end", jump)
	b.Run("flush", func(b *testing.B) {
		for b.Loop() {
			line.refresh()
		}
	})
	b.Run("switch to exchanges and back", func(b *testing.B) {
		for b.Loop() {
			line.setMode(view.Exchanges)
			line.setMode(view.Events)
		}
	})
	line.setMode(view.Exchanges)
	line.refresh()
	b.Run("scroll a frame of exchanges", scroll)
	line.list.Choose(0)
	line.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	b.Run("scroll a frame of exchanges, one open", scroll)
	b.Run("jump to the end of exchanges", jump)
	line.showColumn(view.ColumnWaterfall, true)
	b.Run("scroll a frame of the waterfall", scroll)
	line.setMode(view.Events)
	b.Run("sort by duration", func(b *testing.B) {
		for b.Loop() {
			line.sort(view.ColumnTook, true)
			d.await("the order", func() bool { return !line.line.Sorting() })
			b.StopTimer()
			line.sort("", false)
			b.StartTimer()
		}
	})
}
