package theme

import (
	"image/color"
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
)

// luminance is the relative luminance of WCAG 2.
func luminance(c color.NRGBA) float64 {
	f := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*f(c.R) + 0.7152*f(c.G) + 0.0722*f(c.B)
}

func contrast(a, b color.NRGBA) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// over paints top on bottom.
func over(top, bottom color.NRGBA) color.NRGBA {
	mix := func(a, b uint8) uint8 { return uint8((int(a)*int(top.A) + int(b)*(255-int(top.A)) + 127) / 255) }
	return color.NRGBA{R: mix(top.R, bottom.R), G: mix(top.G, bottom.G), B: mix(top.B, bottom.B), A: 255}
}

func TestContrast(t *testing.T) {
	texts := []fyne.ThemeColorName{
		theme.ColorNameForeground, theme.ColorNamePlaceHolder, theme.ColorNamePrimary, theme.ColorNameHyperlink,
		theme.ColorNameError, theme.ColorNameSuccess, theme.ColorNameWarning,
		ColorOut, ColorIn, ColorOK, ColorFailed, ColorPending, ColorWarning, ColorLate, ColorCancelled, ColorMuted,
		ColorKey, ColorString, ColorNumber, ColorLiteral, ColorPunctuation,
	}
	grounds := []fyne.ThemeColorName{
		theme.ColorNameBackground, theme.ColorNameInputBackground, theme.ColorNameHeaderBackground,
		theme.ColorNameMenuBackground, theme.ColorNameOverlayBackground, theme.ColorNameButton,
		ColorPanel, ColorZebra, ColorRowHover, ColorRowSelected, ColorRowChosen, ColorRowMarked,
		ColorSelection, ColorHit, ColorHitCurrent, ColorAdded, ColorRemoved, ColorChanged,
	}
	pairs := [][2]fyne.ThemeColorName{
		{theme.ColorNameForegroundOnPrimary, theme.ColorNamePrimary},
		{theme.ColorNameForegroundOnError, theme.ColorNameError},
		{theme.ColorNameForegroundOnSuccess, theme.ColorNameSuccess},
		{theme.ColorNameForegroundOnWarning, theme.ColorNameWarning},
	}
	badges := []fyne.ThemeColorName{
		theme.ColorNamePrimary, ColorOut, ColorIn, ColorOK, ColorFailed, ColorPending, ColorWarning, ColorLate,
		ColorCancelled, ColorMuted,
	}
	shapes := []fyne.ThemeColorName{
		theme.ColorNamePrimary, theme.ColorNameInputBorder, ColorOut, ColorIn, ColorOK, ColorFailed, ColorPending, ColorWarning,
		ColorLate, ColorCancelled, ColorMuted,
	}
	shapeGrounds := []fyne.ThemeColorName{
		theme.ColorNameBackground, theme.ColorNameInputBackground, theme.ColorNameMenuBackground, theme.ColorNameOverlayBackground, ColorPanel,
	}
	marks := []fyne.ThemeColorName{theme.ColorNamePrimary, ColorFailed, ColorLate, ColorWarning, ColorOK, ColorOut, ColorPending, ColorMuted}
	test.NewTempApp(t)
	th := New(Options{})
	for name, variant := range map[string]fyne.ThemeVariant{"dark": theme.VariantDark, "light": theme.VariantLight} {
		get := func(n fyne.ThemeColorName) color.NRGBA {
			return color.NRGBAModel.Convert(th.Color(n, variant)).(color.NRGBA)
		}
		background := get(theme.ColorNameBackground)
		want := func(what string, text, ground color.NRGBA, least float64) {
			t.Helper()
			if c := contrast(text, ground); c < least {
				t.Errorf("%s: %s has a contrast of %.2f, want at least %.1f", name, what, c, least)
			}
		}
		for _, text := range texts {
			for _, ground := range grounds {
				want(string(text+" on "+ground), get(text), over(get(ground), background), 4.5)
			}
			for _, veil := range []fyne.ThemeColorName{theme.ColorNameHover, theme.ColorNameSelection} {
				want(string(text+" under "+veil), get(text), over(get(veil), background), 4.5)
			}
		}
		for _, p := range pairs {
			want(string(p[0]), get(p[0]), get(p[1]), 4.5)
		}
		for _, b := range badges {
			for _, ground := range []fyne.ThemeColorName{theme.ColorNameBackground, ColorZebra, ColorPanel, ColorRowHover} {
				tint := color.NRGBAModel.Convert(Tint(get(b))).(color.NRGBA)
				want("badge "+string(b+" on "+ground), get(b), over(tint, get(ground)), 4.5)
			}
		}
		// Shapes that tell something, and the edges of what can be used, by WCAG 1.4.11.
		for _, shape := range shapes {
			for _, ground := range shapeGrounds {
				want(string(shape+" as a shape on "+ground), get(shape), get(ground), 3)
			}
		}
		for _, ground := range shapeGrounds {
			want(string("scroll bar on "+ground), over(get(theme.ColorNameScrollBar), get(ground)), get(ground), 3)
		}
		// Disabled text is exempt, but should be legible.
		for _, ground := range []fyne.ThemeColorName{
			theme.ColorNameBackground, theme.ColorNameInputBackground, theme.ColorNameDisabledButton, theme.ColorNameMenuBackground,
			theme.ColorNameOverlayBackground, ColorPanel,
		} {
			want(string("disabled text on "+ground), get(theme.ColorNameDisabled), get(ground), 3)
		}
		// Rows change their ground under the mouse and when they are selected: it must
		// not hide the marks beside and below them.
		for _, mark := range marks {
			for _, ground := range []fyne.ThemeColorName{ColorZebra, ColorRowHover, ColorRowSelected, ColorRowChosen, ColorRowMarked} {
				want(string(mark+" as a mark on "+ground), get(mark), over(get(ground), background), 3)
			}
		}
		// Added, removed and changed lines are told apart by signs, which are text.
		for _, ground := range []fyne.ThemeColorName{ColorAdded, ColorRemoved, ColorChanged} {
			for _, sign := range []fyne.ThemeColorName{ColorOK, ColorFailed, ColorWarning, theme.ColorNameForeground} {
				want(string("sign "+sign+" on "+ground), get(sign), get(ground), 4.5)
			}
		}
	}
}

func TestEveryNameHasBothVariants(t *testing.T) {
	for _, table := range []map[fyne.ThemeColorName]pair{own, stock} {
		for name, p := range table {
			if p.dark.A == 0 || p.light.A == 0 {
				t.Errorf("%s is transparent", name)
			}
			if p.dark == p.light {
				t.Errorf("%s is the same in both variants", name)
			}
		}
	}
}

func TestModeForcesVariant(t *testing.T) {
	test.NewTempApp(t)
	dark, light := own[ColorKey].dark, own[ColorKey].light
	for _, tt := range []struct {
		mode            Mode
		inDark, inLight color.Color
	}{{System, dark, light}, {Dark, dark, dark}, {Light, light, light}} {
		th := New(Options{Mode: tt.mode})
		if got := th.Color(ColorKey, theme.VariantDark); got != tt.inDark {
			t.Errorf("%v in a dark desktop: %v", tt.mode, got)
		}
		if got := th.Color(ColorKey, theme.VariantLight); got != tt.inLight {
			t.Errorf("%v in a light desktop: %v", tt.mode, got)
		}
		if ParseMode(tt.mode.String()) != tt.mode {
			t.Errorf("%v does not survive its name", tt.mode)
		}
	}
}

// A laptop's screen of 1440x900 shows 30 rows of a timeline or 25 tools below the bars of the window.
func TestDensity(t *testing.T) {
	test.NewTempApp(t)
	compact, comfortable := New(Options{}), New(Options{Density: Comfortable})
	const below = 900 - 240 // menu, toolbar, header, tabs, filter and status bar
	if rows := below / compact.Size(SizeRow); rows < 30 {
		t.Errorf("%.1f rows fit", rows)
	}
	if rows := below / comfortable.Size(SizeRow); rows < 25 {
		t.Errorf("%.1f comfortable rows fit", rows)
	}
	text := fyne.MeasureText("Ág", compact.Size(theme.SizeNameText), fyne.TextStyle{})
	if text.Height > compact.Size(SizeRow) {
		t.Errorf("text is %v high, a row %v", text.Height, compact.Size(SizeRow))
	}
}

func TestZoom(t *testing.T) {
	test.NewTempApp(t)
	for zoom, want := range map[float32]float32{0: 13, 1: 13, 1.5: 19.5, 9: 26, 0.1: 13 * float32(0.7)} {
		if got := New(Options{Zoom: zoom}).Size(theme.SizeNameText); got != want {
			t.Errorf("zoom %v: text size %v, want %v", zoom, got, want)
		}
	}
	if got := New(Options{Zoom: 2}).Size(theme.SizeNameInputBorder); got != 1 {
		t.Errorf("zoom changes borders: %v", got)
	}
}

func TestColorOfCurrentTheme(t *testing.T) {
	test.NewTempApp(t)
	if got := Color(ColorKey); got != own[ColorKey].light && got != own[ColorKey].dark {
		t.Errorf("under another theme our name has colour %v", got)
	}
	test.ApplyTheme(t, New(Options{Mode: Light}))
	if got := Color(ColorKey); got != own[ColorKey].light {
		t.Errorf("colour %v, want the light one", got)
	}
	if got := Color(theme.ColorNameBackground); got != stock[theme.ColorNameBackground].light {
		t.Errorf("background %v, want ours", got)
	}
	if got := Size(SizeRow); got != sizes[SizeRow].compact {
		t.Errorf("row %v", got)
	}
}

// What has to hold a text grows with it, what stands between things does not.
func TestScaledFollowsTheZoom(t *testing.T) {
	test.NewTempApp(t)
	if Zoom() != 1 || Scaled(10) != 10 {
		t.Errorf("under another theme lengths are scaled by %v", Zoom())
	}
	test.ApplyTheme(t, New(Options{Zoom: 1.5}))
	if Zoom() != 1.5 || Scaled(10) != 15 || Size(theme.SizeNamePadding) != sizes[theme.SizeNamePadding].compact {
		t.Errorf("zoom %v, ten are %v, the padding %v", Zoom(), Scaled(10), Size(theme.SizeNamePadding))
	}
}

// Compact rows and paddings are smaller, all of them.
func TestCompactIsSmaller(t *testing.T) {
	compact, comfortable := New(Options{}), New(Options{Density: ParseDensity("comfortable")})
	for _, name := range []fyne.ThemeSizeName{SizeRow, SizeLine, theme.SizeNamePadding, theme.SizeNameInnerPadding, theme.SizeNameText, theme.SizeNameLineSpacing} {
		if a, b := compact.Size(name), comfortable.Size(name); a >= b {
			t.Errorf("%s is %v compact and %v comfortable", name, a, b)
		}
	}
	if ParseDensity("compact") != Compact || ParseDensity("") != Compact {
		t.Error("compact is not found by its name")
	}
}
