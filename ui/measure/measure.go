// Package measure tells how wide a text is drawn, fast enough to ask for every cell of every row of every frame.
//
// It adds up the advances of runes, each measured once: no shaping, no cache of strings. Kerning makes what is drawn a
// little narrower, never wider by more than a pixel or so; scripts whose letters join are measured a little wide.
// Everything here is for the drawing goroutine alone.
package measure

import (
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// maxRunes bounds the runes remembered for a font beyond ASCII.
const maxRunes = 1 << 14

const ellipsis = "…"

// Font measures texts of one size and style. Get one with For.
type Font struct {
	size  float32
	style fyne.TextStyle
	ascii [utf8.RuneSelf]float32
	other map[rune]float32
}

type key struct {
	size  float32
	style fyne.TextStyle
	font  fyne.Resource // another theme may have another one
}

var fonts = map[key]*Font{}

// maxFonts bounds the fonts remembered; a zoom that moves makes new ones.
const maxFonts = 64

// For returns the font of a size and style of the theme in use.
func For(size float32, style fyne.TextStyle) *Font {
	k := key{size, style, theme.Current().Font(style)}
	f, ok := fonts[k]
	if !ok {
		if len(fonts) >= maxFonts {
			clear(fonts)
		}
		f = &Font{size: size, style: style, other: map[rune]float32{}}
		for r := range f.ascii {
			f.ascii[r] = unknown
		}
		fonts[k] = f
	}
	return f
}

// unknown is the width of an ASCII rune that has not been measured yet.
const unknown = -1

func (f *Font) measure(r rune) float32 {
	return fyne.MeasureText(string(r), f.size, f.style).Width
}

// Size returns the text size.
func (f *Font) Size() float32 { return f.size }

// Style returns the text style.
func (f *Font) Style() fyne.TextStyle { return f.style }

// Height returns the height of a line.
func (f *Font) Height() float32 { return fyne.MeasureText("M", f.size, f.style).Height }

// Rune returns the advance of r; marks that are drawn over the rune before them have none.
func (f *Font) Rune(r rune) float32 {
	if r < utf8.RuneSelf && r >= 0 {
		if f.ascii[r] == unknown {
			f.ascii[r] = f.measure(r)
		}
		return f.ascii[r]
	}
	w, ok := f.other[r]
	if !ok {
		if unicode.In(r, unicode.Mn, unicode.Me) {
			w = 0
		} else {
			w = f.measure(r)
		}
		if len(f.other) >= maxRunes {
			clear(f.other)
		}
		f.other[r] = w
	}
	return w
}

// Width returns how wide s is drawn.
func (f *Font) Width(s string) float32 {
	var w float32
	for _, r := range s {
		w += f.Rune(r)
	}
	return w
}

// Fit returns s if it is at most width wide, or else as much of its beginning as fits with an ellipsis. It reads no
// more of s than fits. Where not even the ellipsis fits it returns "".
func (f *Font) Fit(s string, width float32) string {
	var w float32
	dots := f.Rune('…')
	cut := -1 // bytes that fit together with an ellipsis
	if dots <= width {
		cut = 0
	}
	for i, r := range s {
		w += f.Rune(r)
		if w > width {
			if cut < 0 {
				return ""
			}
			return s[:cut] + ellipsis
		}
		if w+dots <= width {
			cut = i + utf8.RuneLen(r)
			if r == utf8.RuneError { // a broken byte counts as one
				_, n := utf8.DecodeRuneInString(s[i:])
				cut = i + n
			}
		}
	}
	return s
}

// Index returns how many bytes of s lie left of x, with the nearer edge of the rune at x, and where that edge is.
func (f *Font) Index(s string, x float32) (bytes int, edge float32) {
	var w float32
	for i, r := range s {
		a := f.Rune(r)
		if a > 0 && x < w+a/2 {
			return i, w
		}
		w += a
	}
	return len(s), w
}
