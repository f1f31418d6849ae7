package rows

import (
	"fmt"
	"testing"
)

func bench(b *testing.B, count int) *list {
	l := newList(b, count)
	l.SetColumns(Column{Width: 60}, Column{}, Column{Width: 60}, Column{Width: 60}, Column{Width: 60})
	return l
}

func BenchmarkScroll(b *testing.B) {
	for _, n := range []int{100_000, 10 * million} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			l := bench(b, n)
			for b.Loop() {
				if l.AtEnd() {
					l.ScrollStart()
				}
				l.ScrollBy(75)
			}
		})
	}
}

func BenchmarkRefresh(b *testing.B) {
	l := bench(b, million)
	for b.Loop() {
		l.Redraw(false)
	}
}

func BenchmarkFollowTail(b *testing.B) {
	l := bench(b, million)
	l.Follow(true)
	n := million
	for b.Loop() {
		n += 1000
		l.SetCount(n) // every row is new
	}
}
