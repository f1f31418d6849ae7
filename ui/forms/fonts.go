package forms

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"mcploupe/ui/measure"
	look "mcploupe/ui/theme"
	"mcploupe/ui/widget"
)

// fontSet are the fonts and heights under the theme in use.
type fontSet struct {
	plain, bold, caption, mono, glyph *measure.Font
	control                           float32 // height of an entry
	low                               float32 // height of a row of checks
	captionLine                       float32
}

// style remembers for which theme the fonts were made.
type style struct {
	theme   fyne.Theme
	variant fyne.ThemeVariant
}

var (
	fontsNow fontSet
	fontsFor style
)

func styleNow() style {
	s := fyne.CurrentApp().Settings()
	return style{s.Theme(), s.ThemeVariant()}
}

// fonts are those of the theme in use.
func fonts() *fontSet {
	if now := styleNow(); fontsFor != now || fontsNow.plain == nil {
		text, caption := look.Size(theme.SizeNameText), look.Size(theme.SizeNameCaptionText)
		fontsNow = fontSet{
			plain:   measure.For(text, fyne.TextStyle{}),
			bold:    measure.For(text, fyne.TextStyle{Bold: true}),
			caption: measure.For(caption, fyne.TextStyle{}),
			mono:    measure.For(look.Size(look.SizeMono), fyne.TextStyle{Monospace: true}),
			glyph:   measure.For(text, fyne.TextStyle{Monospace: true}),
		}
		fontsNow.control = widget.NewEntry().MinSize().Height
		fontsNow.low = fontsNow.plain.Height() + 8
		fontsNow.captionLine = fontsNow.caption.Height()
		fontsFor = now
	}
	return &fontsNow
}

// wrap breaks a text into lines of a width, at most so many; what is left over
// is cut with an ellipsis. It breaks at blanks, and words that are too long
// anywhere.
func wrap(f *measure.Font, text string, width float32, most int) []string {
	width = max(width, 20)
	var out []string
	for para := range strings.SplitSeq(text, "\n") {
		for more := true; more; more = para != "" {
			if len(out) == most {
				out[most-1] = f.Fit(out[most-1]+" …", width)
				return out
			}
			n := breakAt(f, para, width)
			out = append(out, strings.TrimRight(para[:n], " "))
			para = strings.TrimLeft(para[n:], " ")
		}
	}
	return out
}

// breakAt is how many bytes of s go on a line, at least one rune.
func breakAt(f *measure.Font, s string, width float32) int {
	var w float32
	blank := 0
	for i, r := range s {
		w += f.Rune(r)
		if w > width && i > 0 {
			if blank > 0 {
				return blank
			}
			return i
		}
		if r == ' ' {
			blank = i + 1
		}
	}
	return len(s)
}
