package textview

import (
	"context"
	"testing"
)

func BenchmarkScroll20MB(b *testing.B) {
	v := newView(b, string(sample(20_000_000)))
	for b.Loop() {
		if v.AtEnd() {
			v.ScrollStart()
		}
		v.ScrollBy(75)
	}
}

func BenchmarkPage20MB(b *testing.B) {
	v := newView(b, string(sample(20_000_000)))
	for b.Loop() {
		if v.AtEnd() {
			v.ScrollStart()
		}
		v.ScrollBy(360)
	}
}

func BenchmarkSetIndex20MB(b *testing.B) {
	v := newView(b, "{}")
	x := build(b, string(sample(20_000_000)))
	for b.Loop() {
		v.SetIndex(x)
	}
}

func BenchmarkSearch20MB(b *testing.B) {
	raw := sample(20_000_000)
	for _, q := range []string{"item 99", "zebra", "e"} {
		b.Run(q, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				if _, err := Search(context.Background(), raw, q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCopyAll20MB(b *testing.B) {
	v := newView(b, string(sample(20_000_000)))
	v.SelectAll()
	for b.Loop() {
		v.SelectedText()
	}
}
