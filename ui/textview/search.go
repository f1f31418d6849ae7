package textview

import (
	"bytes"
	"context"
	"sort"
)

// maxHits bounds the places a search remembers; it counts all of them.
const maxHits = 200_000

// Hits are the places where a text was found, in order.
type Hits struct {
	Count  int // all of them
	Length int // of each, in bytes
	starts []uint32
}

// Search finds query in raw without regard to the case of ASCII letters. Places do not overlap. It fails only when
// ctx ends. An empty query is found nowhere.
func Search(ctx context.Context, raw []byte, query string) (Hits, error) {
	h := Hits{Length: len(query)}
	if query == "" {
		return h, nil
	}
	q := []byte(query)
	for i, c := range q {
		if c >= 'A' && c <= 'Z' {
			q[i] = c + 'a' - 'A'
		}
	}
	lower, upper := q[0], q[0]
	if lower >= 'a' && lower <= 'z' {
		upper = lower - 'a' + 'A'
	}
	const chunk = 1 << 20
	nextLower, nextUpper := -1, -1
	find := func(c byte, from int) int {
		if i := bytes.IndexByte(raw[from:], c); i >= 0 {
			return from + i
		}
		return len(raw)
	}
	checked := 0
	for i := 0; i+len(q) <= len(raw); {
		if i-checked >= chunk {
			if err := ctx.Err(); err != nil {
				return h, err
			}
			checked = i
		}
		if nextLower < i {
			nextLower = find(lower, i)
		}
		if upper == lower {
			nextUpper = nextLower
		} else if nextUpper < i {
			nextUpper = find(upper, i)
		}
		i = min(nextLower, nextUpper)
		if i+len(q) > len(raw) {
			break
		}
		if !equalFold(raw[i:i+len(q)], q) {
			i++
			continue
		}
		if h.Count++; len(h.starts) < maxHits {
			h.starts = append(h.starts, uint32(i))
		}
		i += len(q)
	}
	return h, ctx.Err()
}

// equalFold compares s to q, which is in small letters, without regard to the case of ASCII letters.
func equalFold(s, q []byte) bool {
	for i, c := range s {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != q[i] {
			return false
		}
	}
	return true
}

// from returns the index of the first hit that ends after offset.
func (h *Hits) from(offset int) int {
	return sort.Search(len(h.starts), func(i int) bool { return int(h.starts[i])+h.Length > offset })
}
