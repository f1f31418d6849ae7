package textview

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"mcploupe/protocol"
	"mcploupe/ui/measure"
	look "mcploupe/ui/theme"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
)

const (
	tipRunes  = 64 // of a line
	tipLines  = 6
	tipPad    = 6
	tipBeside = 14 // below the mouse
)

// tip says beside the mouse what the problems under it are. It takes no clicks.
type tip struct {
	box    *fyne.Container
	ground *canvas.Rectangle
	lines  []*canvas.Text
}

func newTip() *tip {
	t := &tip{ground: canvas.NewRectangle(nil)}
	t.ground.StrokeWidth, t.ground.CornerRadius = 1, 4
	t.box = container.NewWithoutLayout(t.ground)
	for range tipLines {
		line := &canvas.Text{}
		t.lines = append(t.lines, line)
		t.box.Add(line)
	}
	t.box.Hide()
	return t
}

// tipText says in a few short lines what the problems are.
func tipText(problems []protocol.Problem) (lines []string) {
	for i, p := range problems {
		text := strings.ToLower(p.Severity.String()) + "  " + safe.Line(strings.TrimSpace(p.Rule+"  "+p.Text), 3*tipRunes)
		more := breakText(text, tipRunes)
		if len(lines)+len(more) > tipLines-1 && i > 0 {
			return append(lines, "and "+human.Plural(len(problems)-i, "more problem", "more problems"))
		}
		lines = append(lines, more[:min(len(more), tipLines-1)]...)
	}
	return lines
}

// breakText breaks a line after blanks, or anywhere in a long word.
func breakText(s string, most int) (lines []string) {
	for runes := []rune(s); len(runes) > 0; {
		n := min(most, len(runes))
		if n < len(runes) {
			for k := n; k > most/2; k-- {
				if runes[k] == ' ' {
					n = k
					break
				}
			}
		}
		lines = append(lines, strings.TrimSpace(string(runes[:n])))
		runes = runes[n:]
	}
	return lines
}

// show shows lines beside a place in a view of a size.
func (t *tip) show(lines []string, worst protocol.Severity, at fyne.Position, in fyne.Size) {
	size := look.Size(theme.SizeNameCaptionText)
	font := measure.For(size, fyne.TextStyle{})
	height, width := size*1.5, float32(0)
	for i, line := range t.lines {
		line.Hidden = i >= len(lines)
		if line.Hidden {
			continue
		}
		line.Text, line.TextSize, line.Color = lines[i], size, look.Color(theme.ColorNameForeground)
		w := font.Width(lines[i])
		line.Move(fyne.NewPos(tipPad, tipPad/2+float32(i)*height))
		line.Resize(fyne.NewSize(w, height))
		width = max(width, w)
	}
	_, color := severityMark(worst)
	t.ground.FillColor, t.ground.StrokeColor = look.Color(theme.ColorNameOverlayBackground), look.Color(color)
	whole := fyne.NewSize(width+2*tipPad, float32(len(lines))*height+tipPad)
	t.ground.Resize(whole)
	t.box.Resize(whole)
	x, y := at.X+tipBeside, at.Y+tipBeside
	if y+whole.Height > in.Height {
		y = at.Y - tipBeside/2 - whole.Height
	}
	t.box.Move(fyne.NewPos(max(0, min(x, in.Width-whole.Width)), max(0, y)))
	t.box.Show()
	t.box.Refresh()
}

func (t *tip) hide() {
	if !t.box.Hidden {
		t.box.Hide()
		t.box.Refresh()
	}
}
