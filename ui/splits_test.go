package ui

import (
	"testing"

	"fyne.io/fyne/v2/container"

	"mcploupe/ui/widget"
)

func TestPagesOfAKindShareABar(t *testing.T) {
	newDesk(t)
	split := func() *container.Split { return container.NewHSplit(widget.NewLabel("a"), widget.NewLabel("b")) }
	kept := map[string]float64{}
	s := &splits{kept: func(name string, def float64) float64 {
		if at, ok := kept[name]; ok {
			return at
		}
		return def
	}}
	bar := s.share("ask")
	first, second, third := split(), split(), split()
	bar.show(first, 0.5)
	bar.show(second, 0.4)
	if first.Offset != 0.5 || second.Offset != 0.4 {
		t.Errorf("at first %v and %v", first.Offset, second.Offset)
	}
	s.save(kept)
	if len(kept) != 0 {
		t.Errorf("without a move %v is kept", kept)
	}
	second.SetOffset(0.7) // as the person does
	bar.show(third, 0.5)
	bar.show(first, 0.5)
	if third.Offset != 0.7 || first.Offset != 0.7 {
		t.Errorf("after a move %v and %v", third.Offset, first.Offset)
	}
	s.save(kept)
	if kept["ask"] != 0.7 {
		t.Errorf("kept %v", kept)
	}
	next := split()
	s.share("ask").show(next, 0.5)
	if next.Offset != 0.7 {
		t.Errorf("the next connection begins at %v", next.Offset)
	}
}
