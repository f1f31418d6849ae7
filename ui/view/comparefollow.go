package view

import "mcploupe/recorder/diff"

// Of reports whether the comparison is of the same two sides, in whatever order.
func (c *Comparison) Of(a, b CompareSide) bool {
	return c.A.Same(a) && c.B.Same(b) || c.A.Same(b) && c.B.Same(a)
}

// Follow finds the change that ref is in an older comparison of the same sides,
// which may have stood the other way round or counted by other rules; NoChange
// when it is not there any more.
func (c *Comparison) Follow(old *Comparison, ref ChangeRef) ChangeRef {
	switch {
	case old == nil || !c.Of(old.A.CompareSide, old.B.CompareSide):
	case ref.Change >= 0:
		return c.followChange(old.Result.Interface.Changes[ref.Change])
	case ref.Rename >= 0:
		return c.followRename(old.Result.Interface.Renames[ref.Rename])
	case ref.Row >= 0:
		swapped := !c.A.Same(old.A.CompareSide) || !c.B.Same(old.B.CompareSide)
		return c.followRow(old.Result.Conversation.Rows[ref.Row], ref.Item, swapped)
	}
	return NoChange
}

func (c *Comparison) followChange(was diff.Change) ChangeRef {
	if c.Result.Interface == nil {
		return NoChange
	}
	for i, ch := range c.Result.Interface.Changes {
		if ch.Area == was.Area && ch.Name == was.Name && ch.Ordinal == was.Ordinal && ch.Pointer == was.Pointer {
			return ChangeRef{i, -1, -1, -1}
		}
	}
	return NoChange
}

func (c *Comparison) followRename(was diff.Rename) ChangeRef {
	if c.Result.Interface == nil {
		return NoChange
	}
	for i, n := range c.Result.Interface.Renames {
		if n.Area == was.Area && (n.From == was.From && n.To == was.To || n.From == was.To && n.To == was.From) {
			return ChangeRef{-1, i, -1, -1}
		}
	}
	return NoChange
}

func (c *Comparison) followRow(was diff.Row, item int, swapped bool) ChangeRef {
	if c.Result.Conversation == nil {
		return NoChange
	}
	seqA, seqB := was.SeqA, was.SeqB
	if swapped {
		seqA, seqB = seqB, seqA
	}
	for i, r := range c.Result.Conversation.Rows {
		if r.Lane != was.Lane || r.SeqA != seqA || r.SeqB != seqB {
			continue
		}
		if item < 0 {
			return ChangeRef{-1, -1, i, -1}
		}
		d := was.Differences[item]
		if swapped {
			d.PointerA, d.PointerB = d.PointerB, d.PointerA
		}
		for j, e := range r.Differences {
			if e.PointerA == d.PointerA && e.PointerB == d.PointerB && e.Class == d.Class && e.Inside == d.Inside {
				return ChangeRef{-1, -1, i, j}
			}
		}
		return NoChange
	}
	return NoChange
}
