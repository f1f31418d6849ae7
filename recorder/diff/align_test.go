package diff

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// lcs is the length of the longest common subsequence, the plain way.
func lcs(a, b []uint64) int {
	row := make([]int, len(b)+1)
	for i := range a {
		diagonal := 0
		for j := range b {
			above := row[j+1]
			if a[i] == b[j] {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(row[j+1], row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}

func checkAlignment(t *testing.T, a, b []uint64, match []int32) (pairs int) {
	t.Helper()
	last := int32(-1)
	for i, j := range match {
		if j < 0 {
			continue
		}
		if j <= last || a[i] != b[j] {
			t.Fatalf("%v and %v: %d stands with %d after %d", a, b, i, j, last)
		}
		last = j
		pairs++
	}
	return pairs
}

func TestAlignFindsTheLongestWithoutAnchors(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 3000 {
		a, b := make([]uint64, r.IntN(30)), make([]uint64, r.IntN(30))
		for _, s := range [][]uint64{a, b} {
			for i := range s {
				s[i] = r.Uint64N(4)
			}
		}
		al := aligner{a: a, b: b, match: slices.Repeat([]int32{-1}, len(a)), left: maxSteps}
		al.myers(0, len(a), 0, len(b))
		if got, want := checkAlignment(t, a, b, al.match), lcs(a, b); got != want {
			t.Fatalf("%v and %v: %d pairs, want %d", a, b, got, want)
		}
		there, _ := align(a, b)
		checkAlignment(t, a, b, there)
		back, _ := align(b, a)
		for i, j := range there {
			if j >= 0 && back[j] != int32(i) {
				t.Fatalf("%v and %v: not the same both ways", a, b)
			}
		}
	}
}

// When two long sequences share little, the search starts again and again, and
// finds the equal parts all the same.
func TestAlignBoundsItsWork(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	a, b := make([]uint64, 40_000), make([]uint64, 40_000)
	for i := range a {
		a[i], b[i] = r.Uint64N(50), r.Uint64N(50)
	}
	copy(b[20_000:], a[19_000:39_000])
	match, coarse := align(a, b)
	if pairs := checkAlignment(t, a, b, match); pairs < 20_000 || coarse {
		t.Errorf("%d pairs, coarse %v", pairs, coarse)
	}
}

func TestMovesAndGaps(t *testing.T) {
	a, b := []uint64{1, 2, 3, 9}, []uint64{2, 3, 8, 1}
	match, _ := align(a, b)
	moved, taken := moves(a, b, match)
	if moved[0] != 3 || taken[2] || !taken[3] {
		t.Errorf("moved %v, taken %v", moved, taken)
	}
	var got [][4]int
	gaps(match, len(b), func(a0, a1, b0, b1 int) { got = append(got, [4]int{a0, a1, b0, b1}) })
	if len(got) != 1 || got[0] != [4]int{3, 4, 2, 4} {
		t.Errorf("gaps %v", got)
	}
}
