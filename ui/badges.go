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

// badgeRow is a row of short words, each on a ground of its own.
type badgeRow struct {
	widget.BaseWidget
	shows   []view.Badge
	grounds []*canvas.Rectangle
	texts   []*canvas.Text
}

const (
	badgePad = theme.SpaceS
	badgeGap = theme.SpaceXS
)

// badgeHigh is the height of a badge, whose ends are round.
func badgeHigh() float32 { return theme.Scaled(2 * theme.RadiusPill) }

func newBadgeRow() *badgeRow {
	b := &badgeRow{}
	b.ExtendBaseWidget(b)
	return b
}

// set shows other badges.
func (b *badgeRow) set(badges []view.Badge) {
	b.shows, b.grounds, b.texts = badges, nil, nil
	for _, badge := range badges {
		ground := canvas.NewRectangle(color.Transparent)
		ground.StrokeWidth = 1
		text := canvas.NewText(badge.Text, color.Transparent)
		b.grounds, b.texts = append(b.grounds, ground), append(b.texts, text)
	}
	b.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (b *badgeRow) CreateRenderer() fyne.WidgetRenderer {
	r := &badgeRenderer{b}
	r.Refresh()
	return r
}

type badgeRenderer struct{ b *badgeRow }

func (r *badgeRenderer) Destroy() {}

func (r *badgeRenderer) Objects() []fyne.CanvasObject {
	var all []fyne.CanvasObject
	for i := range r.b.texts {
		all = append(all, r.b.grounds[i], r.b.texts[i])
	}
	return all
}

func (r *badgeRenderer) MinSize() fyne.Size {
	var w float32
	for _, t := range r.b.texts {
		w += t.MinSize().Width + 2*badgePad + badgeGap
	}
	return fyne.NewSize(w, badgeHigh())
}

func (r *badgeRenderer) Layout(size fyne.Size) {
	var x float32
	for i, t := range r.b.texts {
		min := t.MinSize()
		top := (size.Height - badgeHigh()) / 2
		r.b.grounds[i].Move(fyne.NewPos(x, top))
		r.b.grounds[i].Resize(fyne.NewSize(min.Width+2*badgePad, badgeHigh()))
		t.Move(fyne.NewPos(x+badgePad, (size.Height-min.Height)/2))
		t.Resize(min)
		x += min.Width + 2*badgePad + badgeGap
	}
}

func (r *badgeRenderer) Refresh() {
	for i, badge := range r.b.shows {
		text, ground := r.b.texts[i], r.b.grounds[i]
		text.TextSize = theme.Size(fynetheme.SizeNameCaptionText)
		text.Color, ground.StrokeColor = toneColor(badge.Tone), toneColor(badge.Tone)
		ground.FillColor = theme.Color(theme.ColorPanel)
		ground.CornerRadius = badgeHigh() / 2
	}
	r.Layout(r.b.Size())
	canvas.Refresh(r.b)
}
