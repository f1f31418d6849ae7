package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// glyph is a symbol beside a label, in the colour of its tone. It stands as
// high as the first line of the label.
type glyph struct {
	widget.BaseWidget
	text *canvas.Text
	tone view.Tone
}

func newGlyph(s string, tone view.Tone) *glyph {
	g := &glyph{text: canvas.NewText(s, color.Transparent), tone: tone}
	g.text.TextStyle.Monospace = true
	g.ExtendBaseWidget(g)
	g.restyle()
	return g
}

// set shows another symbol.
func (g *glyph) set(s string, tone view.Tone) {
	if g.text.Text == s && g.tone == tone {
		return
	}
	g.text.Text, g.tone = s, tone
	g.Refresh()
}

func (g *glyph) restyle() {
	g.text.Color, g.text.TextSize = toneColor(g.tone), theme.Size(fynetheme.SizeNameText)
}

// Refresh takes colour and size from the theme again.
func (g *glyph) Refresh() {
	g.restyle()
	g.BaseWidget.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (g *glyph) CreateRenderer() fyne.WidgetRenderer { return &glyphRenderer{g} }

type glyphRenderer struct{ g *glyph }

func (r *glyphRenderer) Destroy() {}

func (r *glyphRenderer) Layout(fyne.Size) {
	r.g.text.Resize(r.g.text.MinSize())
	r.g.text.Move(fyne.NewPos(theme.SpaceS, theme.Size(fynetheme.SizeNameInnerPadding)))
}

// glyphRoom is the width of a glyph with the space beside it.
const glyphRoom = 22

func (r *glyphRenderer) MinSize() fyne.Size {
	return fyne.NewSize(theme.Scaled(glyphRoom), theme.SpaceM)
}

func (r *glyphRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.g.text} }

func (r *glyphRenderer) Refresh() { canvas.Refresh(r.g.text) }

// ground is a coloured area behind other objects.
type ground struct {
	widget.BaseWidget
	rect *canvas.Rectangle
	pick func() color.Color
}

func newGround(pick func() color.Color) *ground {
	g := &ground{rect: canvas.NewRectangle(pick()), pick: pick}
	g.ExtendBaseWidget(g)
	return g
}

// Refresh takes the colour from the theme again.
func (g *ground) Refresh() {
	g.rect.FillColor = g.pick()
	g.rect.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (g *ground) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(g.rect) }
