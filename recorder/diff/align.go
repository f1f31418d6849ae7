package diff

import "slices"

// Alignment is near-linear: equal ends are cut off, keys that both sides have
// once are anchors (patience), and what is between them is aligned by a longest
// common subsequence whose work is bounded (Myers, started again where it has
// come furthest). Sides are put in a fixed order first, so that the alignment
// of B and A is that of A and B read the other way round.

const (
	maxEdits = 1024      // after which the search starts again where it is
	maxSteps = 400 << 20 // of one alignment
)

// align pairs equal keys of two sequences in order: match[i] is the partner of
// a[i], -1 for none. coarse reports that not all work that it takes was done.
func align(a, b []uint64) (match []int32, coarse bool) {
	if slices.Compare(b, a) < 0 {
		back, coarse := align(b, a)
		match = make([]int32, len(a))
		for i := range match {
			match[i] = -1
		}
		for j, i := range back {
			if i >= 0 {
				match[i] = int32(j)
			}
		}
		return match, coarse
	}
	al := aligner{a: a, b: b, match: make([]int32, len(a)), left: maxSteps}
	for i := range al.match {
		al.match[i] = -1
	}
	al.region(0, len(a), 0, len(b), 0)
	return al.match, al.left <= 0
}

type aligner struct {
	a, b  []uint64
	match []int32
	left  int
	v     []int32
}

func (al *aligner) region(a0, a1, b0, b1, depth int) {
	for a0 < a1 && b0 < b1 && al.a[a0] == al.b[b0] {
		al.match[a0] = int32(b0)
		a0, b0 = a0+1, b0+1
	}
	for a0 < a1 && b0 < b1 && al.a[a1-1] == al.b[b1-1] {
		a1, b1 = a1-1, b1-1
		al.match[a1] = int32(b1)
	}
	if a0 == a1 || b0 == b1 {
		return
	}
	anchors := al.anchors(a0, a1, b0, b1)
	if len(anchors) == 0 || depth == 8 {
		al.myers(a0, a1, b0, b1)
		return
	}
	for _, p := range anchors {
		al.match[p[0]] = int32(p[1])
		al.region(a0, p[0], b0, p[1], depth+1)
		a0, b0 = p[0]+1, p[1]+1
	}
	al.region(a0, a1, b0, b1, depth+1)
}

// anchors are the pairs of keys that are there once on both sides, the longest
// list of them that keeps the order.
func (al *aligner) anchors(a0, a1, b0, b1 int) [][2]int {
	type place struct{ a, b, times int }
	places := make(map[uint64]place, a1-a0)
	for i := a0; i < a1; i++ {
		p := places[al.a[i]]
		places[al.a[i]] = place{i, -1, p.times + 1}
	}
	for j := b0; j < b1; j++ {
		if p, ok := places[al.b[j]]; ok {
			if p.b >= 0 {
				p.times = 2
			}
			p.b = j
			places[al.b[j]] = p
		}
	}
	var pairs [][2]int
	for i := a0; i < a1; i++ {
		if p := places[al.a[i]]; p.times == 1 && p.b >= 0 {
			pairs = append(pairs, [2]int{i, p.b})
		}
	}
	// Longest increasing subsequence of the places in b.
	var tails []int // index into pairs of the last one of the best list of each length
	before := make([]int, len(pairs))
	for i, p := range pairs {
		n, _ := slices.BinarySearchFunc(tails, p[1], func(t, at int) int { return pairs[t][1] - at })
		before[i] = -1
		if n > 0 {
			before[i] = tails[n-1]
		}
		if n == len(tails) {
			tails = append(tails, i)
		} else {
			tails[n] = i
		}
	}
	out := make([][2]int, len(tails))
	if len(tails) > 0 {
		for i, n := tails[len(tails)-1], len(tails)-1; i >= 0; i, n = before[i], n-1 {
			out[n] = pairs[i]
		}
	}
	return out
}

// myers aligns a region. What only one side has is left out first: it can
// match nothing.
func (al *aligner) myers(a0, a1, b0, b1 int) {
	inA := make(map[uint64]bool, a1-a0)
	for i := a0; i < a1; i++ {
		inA[al.a[i]] = true
	}
	var bs []int32
	inB := map[uint64]bool{}
	for j := b0; j < b1; j++ {
		if inA[al.b[j]] {
			bs = append(bs, int32(j))
			inB[al.b[j]] = true
		}
	}
	var as []int32
	for i := a0; i < a1; i++ {
		if inB[al.a[i]] {
			as = append(as, int32(i))
		}
	}
	for len(as) > 0 && len(bs) > 0 && al.left > 0 {
		n, m := al.advance(as, bs)
		as, bs = as[n:], bs[m:]
	}
}

// advance aligns the beginning of two lists of places, all of them if at most
// maxEdits are needed, and returns how much of both it took.
func (al *aligner) advance(as, bs []int32) (n, m int) {
	most := min(maxEdits, len(as)+len(bs))
	al.v = slices.Grow(al.v[:0], 2*most+2)[:2*most+2]
	v, mid := al.v, most
	v[mid+1] = 0
	var trace [][]int32 // by number of edits: how far each diagonal had come before it
	for d := 0; ; d++ {
		trace = append(trace, slices.Clone(v[mid-d:mid+d+2]))
		best, bestK := -1, 0
		for k := -d; k <= d; k += 2 {
			var x int
			if k == -d || k != d && v[mid+k-1] < v[mid+k+1] {
				x = int(v[mid+k+1])
			} else {
				x = int(v[mid+k-1]) + 1
			}
			y := x - k
			for x < len(as) && y >= 0 && y < len(bs) && al.a[as[x]] == al.b[bs[y]] {
				x, y = x+1, y+1
				al.left--
			}
			al.left--
			v[mid+k] = int32(x)
			if x >= len(as) && y >= len(bs) {
				al.walk(as, bs, trace, d, len(as), len(bs))
				return len(as), len(bs)
			}
			if x <= len(as) && y <= len(bs) && x+y > best {
				best, bestK = x+y, k
			}
		}
		if d == most-1 || al.left <= 0 {
			x := int(v[mid+bestK])
			y := x - bestK
			al.walk(as, bs, trace, d, x, y)
			if x+y == 0 { // no work left at all
				return len(as), len(bs)
			}
			return x, y
		}
	}
}

// walk goes back from a place and notes the pairs on the way.
func (al *aligner) walk(as, bs []int32, trace [][]int32, d, x, y int) {
	for ; d >= 0; d-- {
		v := func(k int) int { return int(trace[d][k+d]) }
		k := x - y
		prev := k - 1
		if k == -d || k != d && v(k-1) < v(k+1) {
			prev = k + 1
		}
		px := 0
		if d > 0 {
			px = v(prev)
		}
		py := px - prev
		if d == 0 {
			py = 0
		}
		for x > px && y > py && x > 0 && y > 0 && al.a[as[x-1]] == al.b[bs[y-1]] {
			x, y = x-1, y-1
			al.match[as[x]] = bs[y]
		}
		x, y = px, py
	}
}

// moves pairs what an alignment left alone and is equal: the first with the
// first. It takes those of b into taken.
func moves(a, b []uint64, match []int32) (moved []int32, taken []bool) {
	taken = make([]bool, len(b))
	moved = make([]int32, len(a))
	for _, j := range match {
		if j >= 0 {
			taken[j] = true
		}
	}
	free := map[uint64][]int32{}
	for j := range b {
		if !taken[j] {
			free[b[j]] = append(free[b[j]], int32(j))
		}
	}
	for i := range a {
		moved[i] = -1
		if match[i] >= 0 {
			continue
		}
		if js := free[a[i]]; len(js) > 0 {
			moved[i], free[a[i]] = js[0], js[1:]
			taken[js[0]] = true
		}
	}
	return moved, taken
}

// gaps calls fn with each pair of runs between matches that both have something
// that is free in them.
func gaps(match []int32, lenB int, fn func(a0, a1, b0, b1 int)) {
	a0, b0 := 0, 0
	for i := 0; i <= len(match); i++ {
		j := lenB
		if i < len(match) {
			if match[i] < 0 {
				continue
			}
			j = int(match[i])
		}
		if i > a0 && j > b0 {
			fn(a0, i, b0, j)
		}
		a0, b0 = i+1, j+1
	}
}
