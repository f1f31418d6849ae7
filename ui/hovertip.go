package ui

import (
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/measure"
	"mcploupe/ui/rows"
	"mcploupe/ui/theme"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// hoverTip shows all of a text that is cut where it stands, beside the mouse, when
// that rests on it. There is one for the window; it takes no clicks. A nil one, as of a
// part that is shown by itself, shows nothing.
type hoverTip struct {
	u      *UI
	box    *fyne.Container
	ground *canvas.Rectangle
	turn   int // of what the mouse is over
	shown  string
}

const (
	tipAfter = 500 * time.Millisecond // of rest
	tipRunes = 1200
	tipLines = 14
	tipWidth = 460
)

func newHoverTip(u *UI) *hoverTip {
	t := &hoverTip{u: u, ground: canvas.NewRectangle(nil)}
	t.ground.StrokeWidth, t.ground.CornerRadius = 1, theme.RadiusSmall
	t.box = container.NewWithoutLayout()
	return t
}

// over is told that the mouse is over a text that is cut, at a place in the
// window.
func (t *hoverTip) over(text string, at fyne.Position) {
	if t == nil {
		return
	}
	if strings.TrimSpace(text) == "" {
		t.out()
		return
	}
	t.turn++
	mine := t.turn
	t.hide()
	rested, stop := t.u.cfg.Clock.NewTimer(tipAfter)
	t.u.work.Go(func() {
		defer stop()
		select {
		case <-rested:
			t.u.cfg.Do(func() {
				if t.turn == mine {
					t.show(text, at)
				}
			})
		case <-t.u.ctx.Done():
		}
	})
}

// out is told that the mouse is over no such text any more.
func (t *hoverTip) out() {
	if t == nil {
		return
	}
	t.turn++
	t.hide()
}

func (t *hoverTip) hide() {
	if t.shown != "" {
		t.shown = ""
		t.u.floats.hide(t.box)
	}
}

func (t *hoverTip) show(text string, at fyne.Position) {
	font := measure.For(theme.Size(fynetheme.SizeNameCaptionText), fyne.TextStyle{})
	width := min(theme.Scaled(tipWidth), t.u.win.Canvas().Size().Width-2*theme.SpaceL)
	lines := tipBreak(safe.Text(text, tipRunes), font, width)
	high := font.Size() * 1.5
	t.ground.FillColor, t.ground.StrokeColor = theme.Color(fynetheme.ColorNameOverlayBackground), theme.Color(fynetheme.ColorNameInputBorder)
	t.box.Objects = []fyne.CanvasObject{t.ground}
	widest := float32(0)
	for i, line := range lines {
		o := canvas.NewText(line, theme.Color(fynetheme.ColorNameForeground))
		o.TextSize = font.Size()
		w := font.Width(line)
		widest = max(widest, w)
		o.Move(fyne.NewPos(theme.SpaceM, theme.SpaceXS+float32(i)*high))
		o.Resize(fyne.NewSize(w, high))
		t.box.Objects = append(t.box.Objects, o)
	}
	size := fyne.NewSize(widest+2*theme.SpaceM, float32(len(lines))*high+2*theme.SpaceXS)
	t.ground.Resize(size)
	t.box.Resize(size)
	t.box.Move(t.u.floats.beside(at.Subtract(t.u.floats.origin()).AddXY(theme.SpaceM, 0), theme.SpaceL, size))
	t.shown = text
	t.u.floats.show(t.box)
	t.box.Refresh()
}

// tipBreak breaks a text into lines of a width, after blanks or anywhere in a
// long word, at most tipLines of them.
func tipBreak(text string, font *measure.Font, width float32) (lines []string) {
	for _, rest := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		for {
			if len(lines) == tipLines {
				lines[tipLines-1] = font.Fit(lines[tipLines-1]+" …", width)
				return lines
			}
			fit := rest
			if font.Width(rest) > width {
				fit = strings.TrimSuffix(font.Fit(rest, width), "…")
				if i := strings.LastIndexByte(fit, ' '); i > len(fit)/2 {
					fit = fit[:i+1]
				}
			}
			lines = append(lines, strings.TrimRight(fit, " "))
			if fit == rest || fit == "" {
				break
			}
			rest = rest[len(fit):]
		}
	}
	return lines
}

// cell shows what a cell of a list leaves out.
func (t *hoverTip) cell(v *rows.View, h rows.Hover) {
	if !h.Cut {
		t.out()
		return
	}
	t.over(v.CellText(h.Row, h.Col), h.At)
}

// cutLabel is a label that ends in an ellipsis where it has no room, and shows
// all of it when the mouse rests on it.
type cutLabel struct {
	widget.Label
	tip *hoverTip
}

var _ desktop.Hoverable = (*cutLabel)(nil)

func newCutLabel(tip *hoverTip, text string) *cutLabel {
	l := &cutLabel{tip: tip}
	l.Text, l.Truncation = text, fyne.TextTruncateEllipsis
	l.ExtendBaseWidget(l)
	return l
}

// MouseIn implements desktop.Hoverable.
func (l *cutLabel) MouseIn(e *desktop.MouseEvent) {
	if isCut(&l.Label) {
		l.tip.over(l.Text, e.AbsolutePosition)
	}
}

// isCut reports whether a label of one line has no room for its text.
func isCut(l *widget.Label) bool {
	size := theme.Size(fynetheme.SizeNameText)
	if l.SizeName != "" {
		size = theme.Size(l.SizeName)
	}
	return measure.For(size, l.TextStyle).Width(l.Text) > l.Size().Width-2*theme.Size(fynetheme.SizeNameInnerPadding)
}

// MouseMoved implements desktop.Hoverable.
func (l *cutLabel) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (l *cutLabel) MouseOut() { l.tip.out() }
