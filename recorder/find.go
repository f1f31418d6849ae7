package recorder

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"runtime"
	"slices"
	"sync"
)

const (
	columnChunk = 16 << 10 // events that are looked at between two looks at the context
	textChunk   = 2 << 10
	textWindow  = 512 << 10 // bytes that are read at once
	textGap     = 16 << 10  // bytes that are read over rather than skipped
)

// Match reports whether an event of l matches. It reads the file only for full
// text and rules, and does not match what cannot be read.
func (f *Filter) Match(l *Log, h Head) bool {
	if f.exchanges {
		l.Exchanges().Take(context.Background())
	}
	if !f.matchColumns(l, &h) {
		return false
	}
	if len(f.reading) == 0 {
		return true
	}
	line, _, err := l.readLine(h.Seq, 0)
	return err == nil && f.matchReading(l, &lineReader{head: &h, line: line})
}

func (f *Filter) matchColumns(l *Log, h *Head) bool {
	for i := range f.columns {
		if t := &f.columns[i]; t.head(l, h) == t.negate {
			return false
		}
	}
	return true
}

func (f *Filter) matchReading(l *Log, r *lineReader) bool {
	for i := range f.reading {
		if t := &f.reading[i]; t.read(l, r) == t.negate {
			return false
		}
	}
	return true
}

// search is one chunk of a Find.
type search struct {
	from, to uint64
	found    chan []uint64 // capacity 1
}

// Find gives the events from..to (1 and Len when 0) that match f, in order, a
// few at a time and as soon as they are found, until emit returns false or ctx
// ends; the error is then nil or the context's. emit runs on the caller's
// goroutine and may keep the slice.
func (l *Log) Find(ctx context.Context, f *Filter, from, to uint64, emit func(seqs []uint64) bool) error {
	return l.find(ctx, f, from, to, false, func(found []uint64, _ uint64) bool {
		return len(found) == 0 || emit(found)
	})
}

// FindBack is Find from the end: the latest event comes first.
func (l *Log) FindBack(ctx context.Context, f *Filter, from, to uint64, emit func(seqs []uint64) bool) error {
	return l.find(ctx, f, from, to, true, func(found []uint64, _ uint64) bool {
		return len(found) == 0 || emit(found)
	})
}

// find is Find in either direction. emit is told of each chunk, found or not,
// and up to which event everything was looked at.
func (l *Log) find(ctx context.Context, f *Filter, from, to uint64, back bool, emit func(found []uint64, looked uint64) bool) error {
	from = max(from, 1)
	if n := l.Len(); to == 0 || to > n {
		to = n
	}
	if f.exchanges {
		l.Exchanges().Take(ctx)
	}
	workers := runtime.GOMAXPROCS(0)
	todo := make(chan *search)
	order := make(chan *search, 4*workers)
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	defer group.Wait()
	defer cancel()
	for range workers {
		group.Go(func() {
			fd := newFinder(l, f)
			for s := range todo {
				s.found <- fd.find(ctx, s.from, s.to)
			}
		})
	}
	group.Go(func() {
		defer close(order)
		defer close(todo)
		for s := range f.chunks(from, to, back) {
			select {
			case order <- s:
			case <-ctx.Done():
				return
			}
			select {
			case todo <- s:
			case <-ctx.Done():
				return
			}
		}
	})
	for s := range order {
		select {
		case found := <-s.found:
			looked := s.to
			if back {
				looked = s.from
				slices.Reverse(found)
			}
			if ctx.Err() == nil && !emit(found, looked) {
				return nil
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return ctx.Err()
}

// chunks divides events into what is looked through at a time.
func (f *Filter) chunks(from, to uint64, back bool) iter.Seq[*search] {
	chunk := uint64(columnChunk)
	if len(f.reading) > 0 {
		chunk = textChunk
	}
	return func(yield func(*search) bool) {
		for from <= to {
			s := &search{from, min(from+chunk-1, to), make(chan []uint64, 1)}
			if back {
				s.from, s.to = to-min(chunk, to-from+1)+1, to
				to = s.from - 1
			} else {
				from = s.to + 1
			}
			if !yield(s) {
				return
			}
		}
	}
}

// finder looks through chunks; one goroutine uses it.
type finder struct {
	l    *Log
	f    *Filter
	buf  []byte
	base int64 // of buf in the file
	read func(h *Head, seq uint64, need headStrings)
}

func newFinder(l *Log, f *Filter) *finder {
	d := &finder{l: l, f: f}
	d.read = d.fillFromWindow
	return d
}

func (d *finder) find(ctx context.Context, from, to uint64) []uint64 {
	var found []uint64
	var h Head
	for seq := from; seq <= to; seq++ {
		if seq%textChunk == 0 && ctx.Err() != nil {
			return nil
		}
		d.l.fillHeadFrom(&h, seq, d.f.need, d.read)
		if d.f.matchColumns(d.l, &h) {
			found = append(found, seq)
		}
	}
	if len(d.f.reading) == 0 || len(found) == 0 {
		return found
	}
	kept := found[:0]
	for len(found) > 0 && ctx.Err() == nil {
		n := d.window(found)
		for _, seq := range found[:n] {
			line := d.buf[min(d.l.index.at(seq).offset()-d.base, int64(len(d.buf))):]
			if i := bytes.IndexByte(line, '\n'); i >= 0 {
				line = line[:i]
			}
			d.l.fillHeadFrom(&h, seq, 0, d.read)
			if len(line) > 0 && d.f.matchReading(d.l, &lineReader{head: &h, line: line}) {
				kept = append(kept, seq)
			}
		}
		found = found[n:]
	}
	return kept
}

// window reads the lines of the first of some events into buf and returns of
// how many.
func (d *finder) window(seqs []uint64) int {
	start, length := d.l.span(seqs[0])
	end := start + length
	n := 1
	for ; n < len(seqs); n++ {
		offset, length := d.l.span(seqs[n])
		if offset-end > textGap || offset+length-start > textWindow {
			break
		}
		end = offset + length
	}
	d.load(start, int(end-start))
	return n
}

// load reads a part of the file into buf.
func (d *finder) load(start int64, size int) {
	if cap(d.buf) < size || cap(d.buf) > 4*textWindow {
		d.buf = make([]byte, max(size, textWindow))
	}
	got, err := d.l.store.ReadAt(d.buf[:size], start)
	if err != nil && !errors.Is(err, io.EOF) {
		got = 0
	}
	d.buf, d.base = d.buf[:got], start
}

// fillFromWindow is fillFromFile with lines that are mostly in buf already,
// which moves on through the file.
func (d *finder) fillFromWindow(h *Head, seq uint64, need headStrings) {
	var v envelope
	if !d.envelope(seq, &v) {
		d.l.fillFromFile(h, seq, need)
		return
	}
	h.setStrings(&v, need)
}

// envelope reads the envelope of an event as this program writes it, if it is
// in buf or further on in the file.
func (d *finder) envelope(seq uint64, v *envelope) bool {
	offset := d.l.index.at(seq).offset()
	if offset < d.base {
		return false // the partner of a line that is in buf
	}
	for {
		line := d.buf[min(offset-d.base, int64(len(d.buf))):]
		end := bytes.IndexByte(line[:min(len(line), headRoom)], '\n')
		if end >= 0 {
			line = line[:end]
		}
		if _, _, ok := parsePrefix(line, v); ok && (v.kind != KindMessage || v.hasMsg) {
			return true
		}
		if end >= 0 || d.base == offset && len(d.buf) > 0 {
			return false
		}
		if d.load(offset, textWindow); len(d.buf) == 0 {
			return false
		}
	}
}
