// Package theme is the look of the program: a calm, dense, professional tool with one accent colour.
//
// A [Theme] wraps Fyne's own: it replaces the colours of both variants, makes sizes compact, and adds colour names for
// what this program shows (direction, status, JSON, rows, search hits). Colours are never the only carrier of a
// meaning. Every pair of text and background that occurs has a contrast of at least 4.5:1, which a test measures.
//
// Fyne's regular font has few symbols. Glyphs such as ● ▸ ✓ ⚠ are in the bundled monospace font, so draw them with
// fyne.TextStyle{Monospace: true}; arrows are in both.
package theme

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// Mode says which variant is shown.
type Mode uint8

// The modes a person chooses from.
const (
	System Mode = iota // as the desktop says
	Light
	Dark
)

// String returns the mode's name as kept in settings.
func (m Mode) String() string {
	switch m {
	case Light:
		return "light"
	case Dark:
		return "dark"
	}
	return "system"
}

// ParseDensity finds a density by its name in settings; unknown names are Compact.
func ParseDensity(s string) Density {
	if s == "comfortable" {
		return Comfortable
	}
	return Compact
}

// ParseMode is the opposite of String; unknown names are System.
func ParseMode(s string) Mode {
	switch s {
	case "light":
		return Light
	case "dark":
		return Dark
	}
	return System
}

// Density says how close rows stand.
type Density uint8

// The densities a person chooses from.
const (
	Compact Density = iota // 30 rows of a timeline on a laptop's screen
	Comfortable
)

// Options are what a person can set about the look.
type Options struct {
	Mode    Mode
	Density Density
	// Zoom scales texts and what holds them; 0 means 1. It is kept between 0.7 and 2.
	Zoom float32
}

// Theme implements fyne.Theme. It does not change after New: to change the look, set another one.
type Theme struct {
	options Options
	base    fyne.Theme
}

var _ fyne.Theme = (*Theme)(nil)

// New returns the program's theme.
func New(o Options) *Theme {
	if o.Zoom == 0 {
		o.Zoom = 1
	}
	o.Zoom = min(max(o.Zoom, 0.7), 2)
	return &Theme{options: o, base: theme.DefaultTheme()}
}

// Options returns what the theme was made with, zoom within its bounds.
func (t *Theme) Options() Options { return t.options }

// Variant returns the variant that is shown when the desktop asks for system.
func (t *Theme) Variant(system fyne.ThemeVariant) fyne.ThemeVariant {
	switch t.options.Mode {
	case Light:
		return theme.VariantLight
	case Dark:
		return theme.VariantDark
	}
	return system
}

// Color returns a colour of ours, or Fyne's for the names we leave alone.
func (t *Theme) Color(name fyne.ThemeColorName, variant fyne.ThemeVariant) color.Color {
	variant = t.Variant(variant)
	if c, ok := lookup(name, variant); ok {
		return c
	}
	return t.base.Color(name, variant)
}

// Font returns Fyne's bundled fonts.
func (t *Theme) Font(style fyne.TextStyle) fyne.Resource { return t.base.Font(style) }

// Icon returns Fyne's bundled icons.
func (t *Theme) Icon(name fyne.ThemeIconName) fyne.Resource { return t.base.Icon(name) }

// Size names of our own.
const (
	// SizeRow is the height of a row in a list or timeline.
	SizeRow fyne.ThemeSizeName = "mcploupe.row"
	// SizeLine is the height of a line of monospace text.
	SizeLine fyne.ThemeSizeName = "mcploupe.line"
	// SizeMono is the text size of monospace text.
	SizeMono fyne.ThemeSizeName = "mcploupe.mono"
)

// sizes holds the compact and the comfortable size, and whether zoom scales it.
var sizes = map[fyne.ThemeSizeName]struct {
	compact, comfortable float32
	zooms                bool
}{
	SizeRow:                       {21, 26, true},
	SizeLine:                      {18, 20, true},
	SizeMono:                      {12, 12.5, true},
	theme.SizeNameText:            {13, 13.5, true},
	theme.SizeNameCaptionText:     {11, 11.5, true},
	theme.SizeNameSubHeadingText:  {15, 16, true},
	theme.SizeNameHeadingText:     {19, 21, true},
	theme.SizeNameInlineIcon:      {16, 18, true},
	theme.SizeNamePadding:         {3, 4, false},
	theme.SizeNameInnerPadding:    {6, 8, false},
	theme.SizeNameLineSpacing:     {3, 4, false},
	theme.SizeNameScrollBar:       {10, 12, false},
	theme.SizeNameScrollBarSmall:  {4, 4, false},
	theme.SizeNameScrollBarRadius: {4, 4, false},
	theme.SizeNameInputBorder:     {1, 1, false},
	theme.SizeNameInputRadius:     {4, 5, false},
	theme.SizeNameButtonRadius:    {4, 5, false},
	theme.SizeNameSelectionRadius: {3, 3, false},
}

// Size returns a size of ours, or Fyne's for the names we leave alone.
func (t *Theme) Size(name fyne.ThemeSizeName) float32 {
	s, ok := sizes[name]
	if !ok {
		return t.base.Size(name)
	}
	v := s.compact
	if t.options.Density == Comfortable {
		v = s.comfortable
	}
	if s.zooms {
		v *= t.options.Zoom
	}
	return v
}

// Color returns a colour of the theme in use, ours or Fyne's. Under a theme that is not ours, as in tests, our own
// names still have their colours.
func Color(name fyne.ThemeColorName) color.Color {
	app := fyne.CurrentApp()
	system := app.Settings().ThemeVariant()
	if t, ok := app.Settings().Theme().(*Theme); ok {
		return t.Color(name, system)
	}
	if _, ours := own[name]; ours {
		c, _ := lookup(name, system)
		return c
	}
	return theme.Color(name)
}

// Size returns a size of the theme in use, with the compact sizes for our own names under a theme that is not ours.
func Size(name fyne.ThemeSizeName) float32 {
	if t, ok := fyne.CurrentApp().Settings().Theme().(*Theme); ok {
		return t.Size(name)
	}
	switch name {
	case SizeRow, SizeLine, SizeMono:
		return sizes[name].compact
	}
	return theme.Size(name)
}

// Tint returns c, thin enough to stand behind a text of the same colour: the ground of a badge.
func Tint(c color.Color) color.Color {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	n.A = 0x22
	return n
}
