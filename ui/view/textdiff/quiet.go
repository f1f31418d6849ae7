package textdiff

// Quiet is the diff with only those changed lines marked that count. Lines of
// which one side has nothing stay as they are.
func (d *Diff) Quiet(counts func(Row) bool) *Diff {
	out := &Diff{Cut: d.Cut, Rows: make([]Row, len(d.Rows))}
	open := false
	for i, r := range d.Rows {
		if r.Op == Changed && !counts(r) {
			r.Op, r.Left.Marks, r.Right.Marks = Same, nil, nil
		}
		out.Rows[i] = r
		if r.Op == Same {
			open = false
			continue
		}
		if !open {
			out.Changes = append(out.Changes, Range{From: i})
			open = true
		}
		out.Changes[len(out.Changes)-1].To = i + 1
		if r.Op != Added {
			out.Removed++
		}
		if r.Op != Removed {
			out.Added++
		}
	}
	return out
}

// ChangeAt is the change that has one of the lines given, 0 for none, or the
// first one after them; the last one when there is none after, -1 when nothing
// changed.
func (d *Diff) ChangeAt(left, right int) int {
	for i, c := range d.Changes {
		for _, r := range d.Rows[c.From:c.To] {
			if left > 0 && r.Left.Number >= left || right > 0 && r.Right.Number >= right {
				return i
			}
		}
	}
	return len(d.Changes) - 1
}
