package ui

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"mcploupe/ui/pump"
	"mcploupe/ui/view/safe"
)

// footer is the line at the foot of the window: what just happened, for a
// while.
type footer struct {
	label *widget.Label
	do    func(func())
	clock pump.Clock
	last  int // number of the note shown
}

// noteTime is how long a note stays.
const noteTime = 8 * time.Second

func newFooter(cfg Config) *footer {
	f := &footer{label: widget.NewLabel(""), do: cfg.Do, clock: cfg.Clock}
	f.label.Truncation = fyne.TextTruncateEllipsis
	f.label.Importance = widget.LowImportance
	return f
}

func (f *footer) object() fyne.CanvasObject { return f.label }

// notify shows a line of plain text.
func (f *footer) notify(text string) {
	f.last++
	mine := f.last
	f.label.SetText(safe.Line(text, 300))
	over, _ := f.clock.NewTimer(noteTime)
	go func() { // ends by itself after noteTime
		<-over
		f.do(func() {
			if f.last == mine {
				f.label.SetText("")
			}
		})
	}()
}
