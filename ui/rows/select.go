package rows

// Current returns the row the keyboard stands on, or -1. It is selected, except in a view with Multi after the person
// took it out.
func (v *View) Current() int { return v.current }

// Selected reports whether row i is selected.
func (v *View) Selected(i int) bool {
	if v.Multi {
		return v.picked.has(i)
	}
	return i >= 0 && i == v.current
}

// Selection calls f with the selected rows in order, until it returns false.
func (v *View) Selection(f func(row int) bool) {
	if !v.Multi {
		if v.current >= 0 {
			f(v.current)
		}
		return
	}
	for _, p := range v.picked.spans {
		for i := p.from; i < p.to; i++ {
			if !f(i) {
				return
			}
		}
	}
}

// SelectionCount returns how many rows are selected.
func (v *View) SelectionCount() int {
	if v.Multi {
		return v.picked.count()
	}
	if v.current >= 0 {
		return 1
	}
	return 0
}

// Select selects row i alone, or none for -1, without scrolling or calling back.
func (v *View) Select(i int) {
	if i < 0 || i >= v.Count() {
		i = -1
	}
	v.current, v.anchor = i, i
	v.picked.clear()
	if i >= 0 {
		v.picked.add(i, i+1)
	}
	v.Decorate()
}

// SelectAll selects every row of a view with Multi, as the person does.
func (v *View) SelectAll() {
	if !v.Multi || v.Count() == 0 {
		return
	}
	v.picked.add(0, v.Count())
	v.Decorate()
	v.reportSelection()
}

// Choose selects row i as the person does: it scrolls there and calls back.
func (v *View) Choose(i int) { v.choose(i, false, false) }

// choose moves the keyboard to row i: alone, as the end of a range, or in addition.
func (v *View) choose(i int, extend, toggle bool) {
	if i < 0 || i >= v.Count() {
		return
	}
	moved := i != v.current
	switch {
	case v.Multi && extend && v.anchor >= 0:
		v.picked.clear()
		v.picked.add(min(i, v.anchor), max(i, v.anchor)+1)
	case v.Multi && toggle:
		if v.picked.has(i) {
			v.picked.remove(i, i+1)
		} else {
			v.picked.add(i, i+1)
		}
		v.anchor = i
	default:
		v.picked.clear()
		v.picked.add(i, i+1)
		v.anchor = i
	}
	v.current = i
	if v.Following() && i < v.Count()-1 {
		v.Pause() // a chosen row must not run away
	}
	v.Reveal(i)
	v.Decorate()
	if moved && v.OnSelect != nil {
		v.OnSelect(i)
	}
	v.reportSelection()
}

func (v *View) reportSelection() {
	if v.Multi && v.OnSelection != nil {
		v.OnSelection()
	}
}

// step moves the keyboard by n rows; from nowhere it goes to the first or last visible row.
func (v *View) step(n int) {
	if v.Count() == 0 {
		return
	}
	i := v.current + n
	if v.current < 0 {
		i, _ = v.Place()
		if n < 0 {
			i = v.RowNear(v.bottom())
		}
	}
	v.choose(min(max(0, i), v.Count()-1), v.shift, false)
}
