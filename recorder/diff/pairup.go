package diff

import "slices"

// sequence is what is aligned: by what it says exactly, then by what it is.
type sequence struct{ exact, loose []uint64 }

// pairing is an alignment of two sequences: the partner of each of a, -1 for
// none.
type pairing struct {
	pair   []int32
	moved  []bool
	taken  []bool // of b
	coarse bool
}

// pairUp aligns two sequences: equal ones first, in order and then moved, then
// within the gaps those of one kind, the likest ones. like is in percent; below
// -10 two do not go together.
func pairUp(a, b sequence, like func(i, j int) int) pairing {
	if slices.Equal(a.exact, b.exact) {
		p := pairing{pair: make([]int32, len(a.loose)), moved: make([]bool, len(a.loose)), taken: slices.Repeat([]bool{true}, len(b.loose))}
		for i := range p.pair {
			p.pair[i] = int32(i)
		}
		return p
	}
	match, coarse := align(a.exact, b.exact)
	if n, m := len(a.exact), len(b.exact); n*m > maxPairs && pairsOf(match)*10 < min(n, m) {
		// What little is equal is so by chance, and would tear apart what belongs together.
		p := pairing{pair: slices.Repeat([]int32{-1}, n), moved: make([]bool, n), taken: make([]bool, m), coarse: coarse}
		p.byKind(a, b, free(0, n, func(int) bool { return true }), free(0, m, func(int) bool { return true }))
		p.changedAndMoved(a, b, like)
		return p
	}
	moved, taken := moves(a.exact, b.exact, match)
	p := pairing{pair: slices.Clone(match), moved: make([]bool, len(match)), taken: taken, coarse: coarse}
	for i, j := range moved {
		if j >= 0 {
			p.pair[i], p.moved[i] = j, true
		}
	}
	flip := slices.Compare(b.exact, a.exact) < 0
	gaps(match, len(b.exact), func(a0, a1, b0, b1 int) {
		as, bs := free(a0, a1, func(i int) bool { return p.pair[i] < 0 }), free(b0, b1, func(j int) bool { return !taken[j] })
		if len(as)*len(bs) > maxPairs {
			p.byKind(a, b, as, bs)
			return
		}
		for _, q := range pairGap(len(as), len(bs), flip, func(i, j int) int {
			if a.loose[as[i]] != b.loose[bs[j]] {
				return 0
			}
			return max(0, 10+like(as[i], bs[j]))
		}) {
			p.pair[as[q[0]]], taken[bs[q[1]]] = int32(bs[q[1]]), true
		}
	})
	p.changedAndMoved(a, b, like)
	return p
}

// byKind aligns a long gap by what its members are.
func (p *pairing) byKind(a, b sequence, as, bs []int) {
	la, lb := make([]uint64, len(as)), make([]uint64, len(bs))
	for i, x := range as {
		la[i] = a.loose[x]
	}
	for j, x := range bs {
		lb[j] = b.loose[x]
	}
	match, coarse := align(la, lb)
	p.coarse = p.coarse || coarse
	for i, j := range match {
		if j >= 0 {
			p.pair[as[i]], p.taken[bs[j]] = int32(bs[j]), true
		}
	}
}

// changedAndMoved pairs what is left, the only one of its kind on both sides
// and alike.
func (p *pairing) changedAndMoved(a, b sequence, like func(i, j int) int) {
	left := map[uint64]int{} // by kind: the place, -1 for several
	for j, taken := range p.taken {
		if !taken {
			if _, has := left[b.loose[j]]; has {
				left[b.loose[j]] = -1
			} else {
				left[b.loose[j]] = j
			}
		}
	}
	times := map[uint64]int{}
	for i, j := range p.pair {
		if j < 0 {
			times[a.loose[i]]++
		}
	}
	for i, j := range p.pair {
		if j >= 0 || times[a.loose[i]] != 1 {
			continue
		}
		if at, has := left[a.loose[i]]; has && at >= 0 && like(i, at) >= 50 {
			p.pair[i], p.moved[i], p.taken[at] = int32(at), true, true
		}
	}
}

func pairsOf(match []int32) (n int) {
	for _, j := range match {
		if j >= 0 {
			n++
		}
	}
	return n
}
