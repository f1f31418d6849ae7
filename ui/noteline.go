package ui

import (
	"time"

	"fyne.io/fyne/v2"

	"mcploupe/ui/pump"
	"mcploupe/ui/view/safe"
)

// noteLine is the line in the top bar that says what just happened, for a
// while.
type noteLine struct {
	label *cutLabel
	do    func(func())
	clock pump.Clock
	last  int // number of the note shown
}

// notesStay is how long a note stays.
const notesStay = 8 * time.Second

func newNoteLine(cfg Config, tip *hoverTip) *noteLine {
	f := &noteLine{label: newCutLabel(tip, ""), do: cfg.Do, clock: cfg.Clock}
	f.label.Alignment = fyne.TextAlignTrailing
	return f
}

func (f *noteLine) object() fyne.CanvasObject { return f.label }

// notify shows a line of plain text.
func (f *noteLine) notify(text string) {
	f.last++
	mine := f.last
	f.label.SetText(safe.Line(text, 300))
	over, _ := f.clock.NewTimer(notesStay)
	go func() { // ends by itself after notesStay
		<-over
		f.do(func() {
			if f.last == mine {
				f.label.SetText("")
			}
		})
	}()
}
