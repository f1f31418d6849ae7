package forms

import (
	"maps"
	"slices"
)

// window builds the lines from the one at the top of the window to its end and
// some beyond, and returns which those are.
func (a *area) window(from int, off float64) (first, last int) {
	y := -off
	last = from
	for i := from; i < len(a.lines) && y < float64(a.Size().Height); i++ {
		y += float64(a.ready(a.lines[i]))
		last = i
	}
	for i, stops := from-1, 0; i >= 0 && stops < beyond && from-i < tabReach; i-- {
		a.ready(a.lines[i])
		first = i
		if a.lines[i].box.stop() != nil {
			stops++
		}
	}
	if from == 0 {
		first = 0
	} else {
		first = min(first, from)
	}
	for i, stops, end := last+1, 0, last; i < len(a.lines) && stops < beyond && i-end < tabReach; i++ {
		a.ready(a.lines[i])
		last = i
		if a.lines[i].box.stop() != nil {
			stops++
		}
	}
	return first, last
}

// build makes the widgets of a line.
func (a *area) build(l *line) {
	if l.box == nil {
		l.box = newBox(a.v, l)
	}
	l.box.update()
}

// ready builds a line or brings it up to date, and returns its height.
func (a *area) ready(l *line) float32 {
	a.build(l)
	l.h = l.box.arrange(a.width - barWidth)
	return l.h
}

// kept is the lines to keep among the objects, in order: those of the window,
// the first and the last that take the keyboard, and around the one that has it,
// wherever that is. With these, Tab goes from field to field in the form's order.
func (a *area) kept(first, last int) []*line {
	keep := make(map[int]bool, last-first+8)
	for i := first; i <= last; i++ {
		keep[i] = true
	}
	near := func(from, step int) {
		for i, n := from, 0; i >= 0 && i < len(a.lines) && n < tabReach; i, n = i+step, n+1 {
			if !keep[i] {
				a.ready(a.lines[i])
				keep[i] = true
			}
			if a.lines[i].box.stop() != nil {
				return
			}
		}
	}
	near(0, 1)
	near(len(a.lines)-1, -1)
	if f := a.v.focusedLine(); f != nil {
		near(f.at, 1)
		near(f.at-1, -1)
		near(f.at+1, 1)
	}
	out := make([]*line, 0, len(keep))
	for _, i := range slices.Sorted(maps.Keys(keep)) {
		out = append(out, a.lines[i])
	}
	return out
}
