package diff

// maxPairs bounds the pairs of a gap that are weighed.
const maxPairs = 4096

// pairGap pairs two short runs in order so that likeness is greatest; long runs
// are paired one after the other. flip says which side goes first, so that it
// is the same both ways.
func pairGap(n, m int, flip bool, like func(i, j int) int) (pairs [][2]int) {
	if n == 0 || m == 0 {
		return nil
	}
	if n*m > maxPairs {
		for i := range min(n, m) {
			if like(i, i) > 0 {
				pairs = append(pairs, [2]int{i, i})
			}
		}
		return pairs
	}
	if flip {
		for _, p := range pairGap(m, n, false, func(i, j int) int { return like(j, i) }) {
			pairs = append(pairs, [2]int{p[1], p[0]})
		}
		return pairs
	}
	score, best := make([]int, n*m), make([]int, (n+1)*(m+1))
	at := func(i, j int) *int { return &best[i*(m+1)+j] }
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			score[i*m+j] = like(i, j)
			*at(i, j) = max(*at(i+1, j), *at(i, j+1), *at(i+1, j+1)+score[i*m+j])
		}
	}
	for i, j := 0, 0; i < n && j < m; {
		switch s := score[i*m+j]; {
		case s > 0 && *at(i, j) == *at(i+1, j+1)+s:
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case *at(i, j) == *at(i+1, j):
			i++
		default:
			j++
		}
	}
	return pairs
}
