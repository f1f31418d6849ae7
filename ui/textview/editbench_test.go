package textview

import (
	"fmt"
	"testing"

	"fyne.io/fyne/v2"
)

func BenchmarkKeyPress(b *testing.B) {
	pretty := func() string {
		x := build(b, string(sample(600_000)))
		return text(newPrettyLayout(x, 1000))
	}()
	for _, bb := range []struct{ name, text string }{
		{"1MB pretty", pretty}, {"1MB one line", string(sample(1_000_000))}, {"100KB", string(sample(100_000))},
	} {
		b.Run(fmt.Sprintf("%s, %d bytes", bb.name, len(bb.text)), func(b *testing.B) {
			e := newEditor(b, bb.text)
			e.OnChanged = func() { e.Text() }
			e.moveCaret(e.lines().placeOf(e.spotAt(len(bb.text)/2)), false)
			for b.Loop() {
				e.TypedRune('x')
			}
		})
	}
}

func BenchmarkCaretMove1MB(b *testing.B) {
	e := newEditor(b, string(sample(1_000_000)))
	e.moveCaret(e.lines().placeOf(e.spotAt(500_000)), false)
	for b.Loop() {
		keys(e, fyne.KeyRight)
	}
}
