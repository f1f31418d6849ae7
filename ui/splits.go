package ui

import "fyne.io/fyne/v2/container"

// splits are the bars between the parts of the panes of one connection, which
// the person moves and finds again.
type splits struct {
	kept func(name string, def float64) float64
	all  []keptSplit
}

type keptSplit struct {
	name  string
	first float64
	now   func() float64
}

// add puts the bar of a split where it was left, or at def.
func (s *splits) add(name string, split *container.Split, def float64) {
	split.SetOffset(s.place(name, def, func() float64 { return split.Offset }))
}

// place is where the bar called name was left, or def. now is asked for the
// place to keep.
func (s *splits) place(name string, def float64, now func() float64) float64 {
	at := s.kept(name, def)
	s.all = append(s.all, keptSplit{name, at, now})
	return at
}

// save keeps the bars that were moved: those of another connection that were
// not do not undo it.
func (s *splits) save(into map[string]float64) {
	for _, k := range s.all {
		if at := k.now(); at != k.first {
			into[k.name] = at
		}
	}
}
