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

// sharedSplit is one place for the bars of pages of a kind, of which one is in
// sight.
type sharedSplit struct {
	at, set float64 // where the bar is, 0 for where the page wants it; where it was put
	now     *container.Split
}

// share makes the place called name.
func (s *splits) share(name string) *sharedSplit {
	shared := &sharedSplit{}
	shared.at = s.place(name, 0, func() float64 {
		shared.take()
		return shared.at
	})
	return shared
}

// take notes where the bar in sight was moved to.
func (s *sharedSplit) take() {
	if s.now != nil && s.now.Offset != s.set {
		s.at, s.set = s.now.Offset, s.now.Offset
	}
}

// show puts the bar of the page that comes in sight where the others have it,
// or where the page wants it as long as none was moved.
func (s *sharedSplit) show(split *container.Split, def float64) {
	if s.now == split {
		return
	}
	s.take()
	s.now, s.set = split, def
	if s.at != 0 {
		s.set = s.at
	}
	split.SetOffset(s.set)
}
