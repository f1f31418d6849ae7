package recorder

import (
	"sync"
	"sync/atomic"
)

// words keeps strings that repeat once each and gives them small numbers,
// starting at 1. It is bounded: what no longer fits has no number.
type words struct {
	max, maxBytes int

	mu    sync.Mutex
	ids   map[string]uint32
	bytes int
	list  atomic.Pointer[[]string] // grows only; read without the lock
}

func newWords(max, maxBytes int) *words {
	w := &words{max: max, maxBytes: maxBytes, ids: map[string]uint32{}}
	w.list.Store(&[]string{""})
	return w
}

// number gives the number of a string, 0 if it has none and there is no room.
func (w *words) number(b []byte) uint32 {
	w.mu.Lock()
	defer w.mu.Unlock()
	if n, ok := w.ids[string(b)]; ok {
		return n
	}
	list := *w.list.Load()
	if len(list) > w.max || w.bytes+len(b) > w.maxBytes {
		return 0
	}
	s := string(b)
	n := uint32(len(list))
	list = append(list, s)
	w.ids[s], w.bytes = n, w.bytes+len(s)
	w.list.Store(&list)
	return n
}

// find gives the number of a string that is kept, 0 for another.
func (w *words) find(b []byte) uint32 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ids[string(b)]
}

// word gives the string of a number.
func (w *words) word(n uint32) string { return (*w.list.Load())[n] }

// all gives every string.
func (w *words) all() []string { return (*w.list.Load())[1:] }

// numberer finds the numbers of strings. One goroutine uses it; many may share
// the words behind it.
type numberer struct {
	words *words
	local map[string]uint32
	last  [16]string // most strings are among the last few of their length
	nums  [16]uint32
}

func newNumberer(w *words) *numberer { return &numberer{words: w, local: map[string]uint32{}} }

func (r *numberer) number(b []byte) uint32 {
	h := (len(b)*31 + int(b[len(b)-1])) % len(r.last)
	if r.last[h] == string(b) {
		return r.nums[h]
	}
	n, ok := r.local[string(b)]
	if !ok {
		if n = r.words.number(b); n == 0 {
			return 0
		}
		r.local[r.words.word(n)] = n
	}
	r.last[h], r.nums[h] = r.words.word(n), n
	return n
}
