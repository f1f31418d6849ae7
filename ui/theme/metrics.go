package theme

import "fyne.io/fyne/v2"

// The steps between things. They stay as they are when the text is zoomed, so
// that a zoomed window has room for the text.
const (
	SpaceXS float32 = 4
	SpaceS  float32 = 6
	SpaceM  float32 = 10
	SpaceL  float32 = 16
	SpaceXL float32 = 32
)

// The corners of small things: of a box, and of a chip or badge that is round at
// its ends.
const (
	RadiusSmall float32 = 4
	RadiusPill  float32 = 9
)

// The widths up to which text is set: of a page that is read, of one with two
// lists beside each other.
const (
	PageWidth float32 = 900
	WideWidth float32 = 1200
)

// Zoom is the factor by which the theme in use scales texts.
func Zoom() float32 {
	if t, ok := fyne.CurrentApp().Settings().Theme().(*Theme); ok {
		return t.options.Zoom
	}
	return 1
}

// Scaled is a length that must grow with the text it is made for.
func Scaled(length float32) float32 { return length * Zoom() }
