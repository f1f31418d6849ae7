package view

import "mcploupe/recorder"

// folding says which exchanges are open and how many rows are below them.
type folding struct {
	size  []uint32 // by exchange: rows below it, 0 while it is closed
	open  int      // how many are open
	all   bool     // what comes is opened too
	extra []int32  // by row of the base: rows below those before it; nil when nothing is open
	total int
}

func (f *folding) isOpen(i int) bool { return i < len(f.size) && f.size[i] > 0 }

// rows is the number of rows below an exchange.
func (f *folding) rows(i int) int {
	if i < len(f.size) {
		return int(f.size[i])
	}
	return 0
}

func (f *folding) set(x *recorder.Exchanges, i int, open bool) {
	for len(f.size) <= i {
		f.size = append(f.size, 0)
	}
	if f.size[i] > 0 {
		f.open--
	}
	f.size[i] = 0
	if open {
		f.size[i] = uint32(x.At(i).Events)
		f.open++
	}
}

// take takes in that exchanges were added and that some have more events.
func (f *folding) take(x *recorder.Exchanges, touched []uint32, length int) {
	for _, i := range touched {
		if f.isOpen(int(i)) {
			f.size[i] = uint32(x.At(int(i)).Events)
		}
	}
	if !f.all {
		return
	}
	for i := len(f.size); i < length; i++ {
		f.set(x, i, true)
	}
}

// lay counts the rows below the open exchanges anew.
func (t *Timeline) lay() {
	f := &t.fold
	before := f.total
	f.total = 0
	if f.open == 0 || t.mode != Exchanges {
		f.extra = nil
		return
	}
	n := t.base()
	if cap(f.extra) < n {
		f.extra = make([]int32, n, n+n/4)
	}
	f.extra = f.extra[:n]
	for p := range n {
		f.extra[p] = int32(f.total)
		f.total += f.rows(int(t.baseAt(p)))
	}
	if f.total != before {
		t.moved++
	}
}

// Open reports whether the exchange of a row is open.
func (t *Timeline) Open(row int) bool {
	if t.mode != Exchanges || row < 0 || row >= t.Rows() {
		return false
	}
	return t.fold.isOpen(t.exchangeIndex(row))
}

// SetOpen shows the events of a row's exchange, or hides them. It reports
// whether that changed anything.
func (t *Timeline) SetOpen(row int, open bool) bool {
	if t.mode != Exchanges || row < 0 || row >= t.Rows() || t.Open(row) == open {
		return false
	}
	t.fold.set(t.ex, t.exchangeIndex(row), open)
	t.watch.wantTouched(t.fold.open > 0)
	t.lay()
	t.moved++
	return true
}

// maxOpenAll is how many exchanges are opened at once: beyond that nobody
// reads them, and counting their events takes long.
const maxOpenAll = 100_000

// OpenAll opens every exchange, also those that come; false when there are too
// many.
func (t *Timeline) OpenAll() bool {
	if t.exLen > maxOpenAll {
		return false
	}
	t.fold = folding{all: true}
	t.fold.take(t.ex, nil, t.exLen)
	t.watch.wantTouched(true)
	t.lay()
	t.moved++
	return true
}

// CloseAll closes every exchange.
func (t *Timeline) CloseAll() {
	t.fold = folding{}
	t.watch.wantTouched(false)
	t.moved++
}

// Moved changes whenever rows came or went between others.
func (t *Timeline) Moved() int { return t.moved }
