package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/widget"
)

// offerRows is how many offers are shown at once, offerWidth how wide they are.
const (
	offerRows  = 9
	offerWidth = 420
)

// offerList shows the offers of a filter bar below its field. The keyboard
// stays in the field.
type offerList struct {
	widget.BaseWidget
	bar    *view.FilterBar
	take   func(i int) // an offer was clicked
	after  func()      // the click is over
	first  int         // the offer in the first row
	hover  int
	ground *canvas.Rectangle
	mark   *canvas.Rectangle
	over   *canvas.Rectangle
	texts  []*canvas.Text
	hints  []*canvas.Text
	foot   *canvas.Text
}

var (
	_ desktop.Mouseable = (*offerList)(nil)
	_ desktop.Hoverable = (*offerList)(nil)
	_ fyne.Tappable     = (*offerList)(nil)
	_ fyne.Scrollable   = (*offerList)(nil)
)

func newOfferList(bar *view.FilterBar, take func(i int), after func()) *offerList {
	l := &offerList{bar: bar, take: take, after: after, hover: -1}
	l.ground, l.mark, l.over = &canvas.Rectangle{StrokeWidth: 1, CornerRadius: 4}, &canvas.Rectangle{}, &canvas.Rectangle{}
	for range offerRows {
		l.texts = append(l.texts, &canvas.Text{})
		l.hints = append(l.hints, &canvas.Text{})
	}
	l.foot = &canvas.Text{}
	l.ExtendBaseWidget(l)
	return l
}

// CreateRenderer implements fyne.Widget.
func (l *offerList) CreateRenderer() fyne.WidgetRenderer {
	objects := []fyne.CanvasObject{l.ground, l.over, l.mark}
	for i := range l.texts {
		objects = append(objects, l.texts[i], l.hints[i])
	}
	return &offerRenderer{l, append(objects, l.foot)}
}

func (l *offerList) rowHeight() float32 { return theme.Size(theme.SizeRow) }

func (l *offerList) shown() int { return min(l.bar.Offers(), offerRows) }

// reset shows the list from its start.
func (l *offerList) reset() { l.first, l.hover = 0, -1 }

// reveal brings the chosen offer into view.
func (l *offerList) reveal() {
	if at := l.bar.Chosen(); at >= 0 {
		l.first = min(max(l.first, at-offerRows+1), at)
	}
	l.first = max(min(l.first, l.bar.Offers()-l.shown()), 0)
}

func (l *offerList) at(pos fyne.Position) int {
	i := int((pos.Y - offerPad) / l.rowHeight())
	if pos.Y < offerPad || i >= l.shown() || pos.X < 0 || pos.X > l.Size().Width {
		return -1
	}
	return l.first + i
}

// MouseDown takes the offer under the mouse. The field loses the keyboard
// after it.
func (l *offerList) MouseDown(e *desktop.MouseEvent) {
	if i := l.at(e.Position); i >= 0 && e.Button == desktop.MouseButtonPrimary {
		l.take(i)
	}
}

// MouseUp implements desktop.Mouseable.
func (l *offerList) MouseUp(*desktop.MouseEvent) { l.after() }

// Tapped implements fyne.Tappable; the press has done it.
func (l *offerList) Tapped(*fyne.PointEvent) { l.after() }

// MouseIn implements desktop.Hoverable.
func (l *offerList) MouseIn(e *desktop.MouseEvent) { l.MouseMoved(e) }

// MouseMoved implements desktop.Hoverable.
func (l *offerList) MouseMoved(e *desktop.MouseEvent) {
	if i := l.at(e.Position); i != l.hover {
		l.hover = i
		l.Refresh()
	}
}

// MouseOut implements desktop.Hoverable.
func (l *offerList) MouseOut() {
	l.hover = -1
	l.Refresh()
}

// Scrolled implements fyne.Scrollable.
func (l *offerList) Scrolled(e *fyne.ScrollEvent) {
	step := 1
	if e.Scrolled.DY > 0 {
		step = -1
	}
	l.first = max(min(l.first+step, l.bar.Offers()-l.shown()), 0)
	l.Refresh()
}

const offerPad = 4

type offerRenderer struct {
	l       *offerList
	objects []fyne.CanvasObject
}

func (r *offerRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *offerRenderer) Destroy()                     {}

func (r *offerRenderer) MinSize() fyne.Size {
	return fyne.NewSize(offerWidth, float32(r.l.shown()+1)*r.l.rowHeight()+2*offerPad)
}

func (r *offerRenderer) Layout(size fyne.Size) {
	r.l.ground.Resize(size)
	r.Refresh()
}

func (r *offerRenderer) Refresh() {
	l, h := r.l, r.l.rowHeight()
	text := theme.Size(fynetheme.SizeNameText)
	width := l.Size().Width
	l.ground.FillColor, l.ground.StrokeColor = theme.Color(fynetheme.ColorNameMenuBackground), theme.Color(fynetheme.ColorNameInputBorder)
	l.mark.FillColor, l.over.FillColor = theme.Color(theme.ColorRowSelected), theme.Color(theme.ColorRowHover)
	l.mark.Hide()
	l.over.Hide()
	row := func(o fyne.CanvasObject, i int) {
		o.Move(fyne.NewPos(1, offerPad+float32(i)*h))
		o.Resize(fyne.NewSize(width-2, h))
		o.Show()
	}
	for i := range l.texts {
		t, hint := l.texts[i], l.hints[i]
		t.Hidden, hint.Hidden = i >= l.shown(), i >= l.shown()
		if t.Hidden {
			continue
		}
		n := l.first + i
		if n == l.bar.Chosen() {
			row(l.mark, i)
		} else if n == l.hover {
			row(l.over, i)
		}
		o := l.bar.Offer(n)
		t.Text, t.TextSize, t.Color = fitText(o.Text, text, width-2*theme.Size(fynetheme.SizeNameInnerPadding)), text, theme.Color(fynetheme.ColorNameForeground)
		hint.Text, hint.TextSize, hint.Color = o.Hint, text, theme.Color(theme.ColorMuted)
		y := offerPad + float32(i)*h + (h-t.MinSize().Height)/2
		x := theme.Size(fynetheme.SizeNameInnerPadding)
		t.Move(fyne.NewPos(x, y))
		hint.Move(fyne.NewPos(max(x+110, x+t.MinSize().Width+12), y))
		t.Refresh()
		hint.Refresh()
	}
	l.foot.Text = "Tab takes one, arrows choose, Esc closes"
	if n := l.bar.Offers(); n > offerRows {
		l.foot.Text = human.Count(n) + " offers. " + l.foot.Text
	}
	l.foot.TextSize, l.foot.Color = theme.Size(fynetheme.SizeNameCaptionText), theme.Color(theme.ColorMuted)
	l.foot.Move(fyne.NewPos(theme.Size(fynetheme.SizeNameInnerPadding), offerPad+float32(l.shown())*h+(h-l.foot.MinSize().Height)/2))
	l.foot.Refresh()
	for _, rect := range []*canvas.Rectangle{l.ground, l.mark, l.over} {
		rect.Refresh()
	}
}

// fitText cuts a text that is wider than room, with an ellipsis.
func fitText(text string, size, room float32) string {
	wide := func(s string) bool { return fyne.MeasureText(s, size, fyne.TextStyle{}).Width > room }
	if !wide(text) {
		return text
	}
	runes := []rune(text)
	low, high := 0, len(runes)
	for low < high {
		if mid := (low + high + 1) / 2; wide(string(runes[:mid]) + "…") {
			high = mid - 1
		} else {
			low = mid
		}
	}
	return string(runes[:low]) + "…"
}
