package ui

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// factGrid shows labelled values in two columns. Values wrap and can be
// selected.
type factGrid struct {
	box   *fyne.Container
	shown []view.Fact
}

const factLabel = 150

func newFactGrid() *factGrid { return &factGrid{box: container.New(&factLayout{max: factLabel})} }

// set shows facts; widgets are kept as long as the labels stay.
func (g *factGrid) set(facts []view.Fact) {
	if slices.Equal(facts, g.shown) {
		return
	}
	same := len(facts) == len(g.shown)
	for i := 0; same && i < len(facts); i++ {
		same = facts[i].Label == g.shown[i].Label
	}
	if same {
		for i, f := range facts {
			if f.Value != g.shown[i].Value {
				g.box.Objects[2*i+1].(*widget.Label).SetText(f.Value)
			}
		}
	} else {
		g.box.Objects = g.box.Objects[:0]
		for _, f := range facts {
			label := widget.NewLabel(f.Label)
			label.Importance = widget.LowImportance
			label.Truncation = fyne.TextTruncateOff
			value := widget.NewLabel(f.Value)
			value.Wrapping, value.Selectable = fyne.TextWrapWord, true
			g.box.Objects = append(g.box.Objects, label, value)
		}
	}
	g.shown = slices.Clone(facts)
	g.box.Refresh()
}
