package ui

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/widget"
)

// timingView shows how the time of an exchange went: a bar for each phase, and
// the moments as a table.
type timingView struct {
	bars  *phaseBars
	room  *fyne.Container
	table *factTable
	root  *fyne.Container
}

func newTimingView(env *Env, show func(seq uint64)) *timingView {
	t := &timingView{bars: newPhaseBars(), table: newFactTable(env, show)}
	t.room = newClamp(t.bars, 8*phaseHeight)
	t.root = widget.Border(t.room, nil, nil, nil, t.table.object())
	t.set(view.Timing{})
	return t
}

func (t *timingView) object() fyne.CanvasObject { return t.root }

func (t *timingView) set(timing view.Timing) {
	t.bars.set(timing)
	t.table.set(timing.Rows)
	setHidden(t.room, len(timing.Parts) == 0)
	t.root.Refresh()
}

// phaseBars draws the phases of an exchange below each other, to scale.
type phaseBars struct {
	widget.BaseWidget
	timing view.Timing
	box    *fyne.Container
}

const (
	phaseHeight = 20
	phasePad    = 6
	phaseName   = 0.40 // of the width, at most phaseNameMax
	phaseTook   = 66   // room for the duration at the right
)

// phaseNameMax bounds the room for names.
const phaseNameMax float32 = 180

func newPhaseBars() *phaseBars {
	b := &phaseBars{box: container.NewWithoutLayout()}
	b.ExtendBaseWidget(b)
	return b
}

func (b *phaseBars) set(t view.Timing) {
	b.timing = t
	b.lay(b.Size())
	b.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (b *phaseBars) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(b.box) }

// MinSize implements fyne.CanvasObject.
func (b *phaseBars) MinSize() fyne.Size {
	return fyne.NewSize(60, float32(len(b.timing.Parts))*phaseHeight+2*phasePad)
}

// Resize implements fyne.CanvasObject.
func (b *phaseBars) Resize(size fyne.Size) {
	if size != b.Size() {
		b.lay(size)
	}
	b.BaseWidget.Resize(size)
}

// Refresh implements fyne.Widget: the colours are those of the theme in force.
func (b *phaseBars) Refresh() {
	b.lay(b.Size())
	b.BaseWidget.Refresh()
}

func phaseColor(k view.StretchKind) fyne.ThemeColorName {
	return [...]fyne.ThemeColorName{
		view.StretchSend: theme.ColorOut, view.StretchServer: theme.ColorPending, view.StretchStream: theme.ColorIn, view.StretchAsk: theme.ColorWarning,
	}[k]
}

// lay places everything for a width.
func (b *phaseBars) lay(size fyne.Size) {
	b.box.Objects = nil
	left := min(size.Width*phaseName, phaseNameMax) + 2*phasePad
	width := size.Width - left - phaseTook
	if width < 20 || b.timing.Total <= 0 {
		return
	}
	x := func(d time.Duration) float32 {
		share := min(1, max(0, float32(d)/float32(b.timing.Total)))
		return left + share*width
	}
	for i, p := range b.timing.Parts {
		y := phasePad + float32(i)*phaseHeight
		name := widget.NewLabel(p.Name)
		name.Truncation, name.SizeName = fyne.TextTruncateEllipsis, fynetheme.SizeNameCaptionText
		name.Move(fyne.NewPos(0, y-6))
		name.Resize(fyne.NewSize(left-phasePad, phaseHeight+8))
		track := canvas.NewRectangle(theme.Color(theme.ColorZebra))
		track.Move(fyne.NewPos(left, y+3))
		track.Resize(fyne.NewSize(width, phaseHeight-6))
		bar := canvas.NewRectangle(theme.Color(phaseColor(p.Kind)))
		bar.CornerRadius = 2
		bar.Move(fyne.NewPos(x(p.From), y+3))
		bar.Resize(fyne.NewSize(max(1.5, x(p.To)-x(p.From)), phaseHeight-6))
		took := canvas.NewText(human.Duration(p.To-p.From), theme.Color(fynetheme.ColorNameForeground))
		took.TextSize = theme.Size(fynetheme.SizeNameCaptionText)
		took.Alignment = fyne.TextAlignTrailing
		took.Move(fyne.NewPos(left+width, y))
		took.Resize(fyne.NewSize(phaseTook-phasePad, phaseHeight))
		b.box.Objects = append(b.box.Objects, name, track, bar, took)
	}
	for _, at := range b.timing.Ticks {
		tick := canvas.NewRectangle(theme.Color(fynetheme.ColorNameForeground))
		tick.Move(fyne.NewPos(x(at), phasePad))
		tick.Resize(fyne.NewSize(1, float32(len(b.timing.Parts))*phaseHeight))
		b.box.Objects = append(b.box.Objects, tick)
	}
}
