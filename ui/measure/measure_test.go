package measure

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
)

var mono = fyne.TextStyle{Monospace: true}

func TestWidthAgreesWithTheToolkit(t *testing.T) {
	test.NewTempApp(t)
	for _, style := range []fyne.TextStyle{{}, {Bold: true}, {Italic: true}, mono} {
		f := For(13, style)
		for _, s := range []string{"", "i", "tools/call get-sum", "The quick brown fox, 1 204 kB", "Größe – naïve", "AVATAR To Ty"} {
			real := fyne.MeasureText(s, 13, style).Width
			if got := f.Width(s); got < real-1 || got > real*1.06+1 {
				t.Errorf("%v %q: %v wide, the toolkit says %v", style, s, got, real)
			}
		}
	}
}

func TestFit(t *testing.T) {
	test.NewTempApp(t)
	f := For(12, mono)
	cell := f.Rune('x')
	for _, tt := range []struct {
		in    string
		cells float32
		want  string
	}{
		{"abcdef", 6, "abcdef"}, {"abcdefg", 6, "abcde…"}, {"abc", 1, "…"}, {"abc", 0.5, ""}, {"", 0, ""},
		{"a\u0301b\u0301c\u0301d", 3, "a\u0301b\u0301…"}, {"äöüß", 3, "äö…"}, {"a\xff\xff\xff\xff", 3, "a\xff…"},
	} {
		if got := f.Fit(tt.in, tt.cells*cell+0.01); got != tt.want {
			t.Errorf("Fit(%q, %v cells) = %q, want %q", tt.in, tt.cells, got, tt.want)
		}
	}
	if got := f.Fit(strings.Repeat("x", 1<<20), 20*cell); len(got) > 30 {
		t.Errorf("a long text fits with %d bytes", len(got))
	}
}

func TestFitNeverExceedsTheWidth(t *testing.T) {
	test.NewTempApp(t)
	f := For(13, fyne.TextStyle{})
	for w := float32(0); w < 200; w += 0.7 {
		s := f.Fit("Returns the sum of two numbers, whatever they are", w)
		if real := fyne.MeasureText(s, 13, fyne.TextStyle{}).Width; real > w+1 && s != "" {
			t.Fatalf("%q is %v wide, %v was asked for", s, real, w)
		}
	}
}

func TestIndex(t *testing.T) {
	test.NewTempApp(t)
	f := For(12, mono)
	cell := f.Rune('x')
	for x, want := range map[float32]int{-5: 0, 0: 0, 0.4: 0, 0.6: 1, 1.4: 1, 2.6: 3, 99: 3} {
		if got, edge := f.Index("abc", x*cell); got != want || edge != float32(want)*cell {
			t.Errorf("Index at %v cells = %d at %v, want %d", x, got, edge/cell, want)
		}
	}
	if got, _ := f.Index("äb", 0.9*cell); got != 2 {
		t.Errorf("Index after ä = %d bytes, want 2", got)
	}
}

// A theme with other fonts gets other widths.
func TestThemeChange(t *testing.T) {
	test.NewTempApp(t)
	size, style := float32(13), fyne.TextStyle{}
	test.ApplyTheme(t, theme.DefaultTheme())
	before := For(size, style).Width("width")
	test.ApplyTheme(t, swapped{theme.DefaultTheme()})
	if got := For(size, style).Width("width"); got == before {
		t.Errorf("the width stays %v with another font", got)
	}
	test.ApplyTheme(t, theme.DefaultTheme())
	if got := For(size, style).Width("width"); got != before {
		t.Errorf("back at the first font the width is %v, was %v", got, before)
	}
}

// swapped is a theme that draws everything in the monospace font.
type swapped struct{ fyne.Theme }

func (s swapped) Font(fyne.TextStyle) fyne.Resource { return s.Theme.Font(mono) }

func TestCachesAreBounded(t *testing.T) {
	test.NewTempApp(t)
	for i := range 3 * maxFonts {
		For(8+float32(i)/10, mono)
	}
	if len(fonts) > maxFonts {
		t.Errorf("%d fonts are remembered", len(fonts))
	}
	f := For(12, mono)
	f.other = make(map[rune]float32, maxRunes)
	for r := range rune(maxRunes) {
		f.other[0x20000+r] = 1
	}
	f.Rune('é')
	if len(f.other) > maxRunes {
		t.Errorf("%d runes are remembered", len(f.other))
	}
}

func BenchmarkFit(b *testing.B) {
	test.NewTempApp(b)
	f := For(13, fyne.TextStyle{})
	s := strings.Repeat("tools/call get-sum ", 20)
	for b.Loop() {
		f.Fit(s, 300)
	}
}
