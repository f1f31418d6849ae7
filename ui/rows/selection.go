package rows

import "slices"

// span is a range of rows, its end not included.
type span struct{ from, to int }

// selection is a set of rows, kept as sorted ranges that do not touch: all of ten million rows are one range.
type selection struct{ spans []span }

func (s *selection) clear() { s.spans = s.spans[:0] }

func (s *selection) has(i int) bool {
	_, found := slices.BinarySearchFunc(s.spans, i, func(p span, i int) int {
		switch {
		case p.to <= i:
			return -1
		case p.from > i:
			return 1
		}
		return 0
	})
	return found
}

func (s *selection) count() (n int) {
	for _, p := range s.spans {
		n += p.to - p.from
	}
	return n
}

// add puts the rows from..to-1 in.
func (s *selection) add(from, to int) {
	if from >= to {
		return
	}
	lo, _ := slices.BinarySearchFunc(s.spans, from, func(p span, i int) int { return cmpEnd(p.to, i) })
	hi := lo
	for hi < len(s.spans) && s.spans[hi].from <= to {
		from, to = min(from, s.spans[hi].from), max(to, s.spans[hi].to)
		hi++
	}
	s.spans = slices.Replace(s.spans, lo, hi, span{from, to})
}

// cmpEnd orders a range's end before i when the range does not even touch i.
func cmpEnd(end, i int) int {
	if end < i {
		return -1
	}
	return 1
}

// remove takes the rows from..to-1 out.
func (s *selection) remove(from, to int) {
	var out []span
	for _, p := range s.spans {
		if p.from < from {
			out = append(out, span{p.from, min(p.to, from)})
		}
		if p.to > to {
			out = append(out, span{max(p.from, to), p.to})
		}
	}
	s.spans = out
}

// splice takes in that at row `at`, removed rows went and added rows came; the new rows are not selected.
func (s *selection) splice(at, removed, added int) {
	if removed > 0 {
		s.remove(at, at+removed)
	}
	var out []span
	for _, p := range s.spans {
		switch {
		case p.from >= at:
			p.from += added - removed
			p.to += added - removed
		case p.to > at: // rows came into the middle of the range
			out = append(out, span{p.from, at})
			p = span{at + added, p.to + added - removed}
		}
		out = append(out, p)
	}
	s.spans = nil
	for _, p := range out {
		s.add(p.from, p.to)
	}
}

// limit drops rows from n on.
func (s *selection) limit(n int) { s.remove(n, int(^uint(0)>>1)) }
