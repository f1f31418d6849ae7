package recorder

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

const (
	flushSize  = 256 << 10 // bytes that are written without waiting for more
	blockSize  = 512 << 10 // bytes that are written at once
	largeBody  = 1 << 20   // longer data goes to the file without being copied
	maxPending = 4 << 20   // bytes that may wait for the disk
	flushAfter = 100 * time.Millisecond
	retryAfter = time.Second
	lookAfter  = 2 * time.Second // between looks whether the file is where it belongs
)

// ErrLost says that an event is not in the file and no longer in memory,
// because the disk failed.
var ErrLost = errors.New("lost when the disk failed")

// file is what a store needs of an *os.File.
type file interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Sync() error
	Truncate(size int64) error
}

// block is a piece of the file that is not written yet.
type block struct {
	off  int64
	data []byte
	done int // bytes written
}

// store is the file and what is on its way to it. Offsets are those of the
// file. One goroutine of its own writes; what it has not written yet is read
// from memory.
//
// When the disk fails, writing is tried again every second until maxPending
// bytes wait; then the file ends where it is and only the latest events stay
// readable.
type store struct {
	name    string
	flushed atomic.Int64  // all before is in the file
	place   func() string // where the file belongs; nil when nobody puts it back
	moved   func(string)  // called when it was found under another name
	written bool          // by this process from its beginning, not opened later
	placing sync.Mutex    // held while the file's name is changed or looked at
	told    func()        // called when something went wrong or well again, may be nil

	mu      sync.Mutex
	f       file
	old     []io.Closer // that f has replaced
	changed *sync.Cond  // something was written, failed or closed
	blocks  []*block    // oldest first
	sealed  bool        // the newest block takes no more
	free    []*block
	pending int64 // bytes in blocks
	end     int64
	err     error  // the first
	failing bool   // the latest write failed
	writes  int    // done so far, well or not
	busy    *block // being written
	stopped bool   // the file has ended before end
	lostTo  int64
	closing bool

	goneErr    error // the file is not in its folder, and cannot be put back
	putBack    int
	turns      int           // for the better
	wasPutBack bool          // at the last of them
	movedFrom  string        // at the last of them, "" if it was not moved
	failedAt   time.Time     // since when writing fails, zero when it does not
	failedFor  time.Duration // how long it did

	dirty  chan struct{} // capacity 1: there is something to write
	urgent chan struct{} // capacity 1: write now
	done   chan struct{} // closed when the writer has ended; nil without one
}

func newStore(f file, name string, end int64) *store {
	s := &store{f: f, name: name, end: end, dirty: make(chan struct{}, 1), urgent: make(chan struct{}, 1)}
	s.changed = sync.NewCond(&s.mu)
	s.flushed.Store(end)
	return s
}

// file is the file in use.
func (s *store) file() file {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.f
}

// start begins to write what is added.
func (s *store) start() {
	s.done = make(chan struct{})
	go s.write()
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// waitForRoom returns when more may be added. s.mu is held.
func (s *store) waitForRoom() {
	for s.pending > maxPending && !s.failing && !s.closing {
		signal(s.urgent)
		s.changed.Wait()
	}
}

// tail is the block to add to. s.mu is held.
func (s *store) tail() *block {
	if n := len(s.blocks); n > 0 && !s.sealed && len(s.blocks[n-1].data) < blockSize {
		return s.blocks[n-1]
	}
	var b *block
	if n := len(s.free); n > 0 {
		b, s.free = s.free[n-1], s.free[:n-1]
	} else {
		b = &block{data: make([]byte, 0, blockSize+blockSize/4)}
	}
	b.off = s.end
	s.blocks, s.sealed = append(s.blocks, b), false
	return b
}

// added accounts for n bytes that were put in the tail. s.mu is held.
func (s *store) added(n int) {
	before := s.pending
	s.end += int64(n)
	s.pending += int64(n)
	if before == 0 {
		signal(s.dirty)
	}
	if before < flushSize && s.pending >= flushSize {
		signal(s.urgent)
	}
	if s.failing && s.pending > maxPending {
		s.drop()
	}
}

// lend adds a slice of the caller without copying it. s.mu is held; settle
// must follow.
func (s *store) lend(data []byte) *block {
	b := &block{off: s.end, data: data}
	s.blocks, s.sealed = append(s.blocks, b), true
	s.added(len(data))
	return b
}

// settle returns when a lent block is written, or copied because the disk
// failed. s.mu is held.
func (s *store) settle(b *block) {
	signal(s.urgent)
	end := b.off + int64(len(b.data))
	for s.busy == b || s.flushed.Load() < end && !s.failing {
		s.changed.Wait()
	}
	if s.flushed.Load() < end {
		b.data = bytes.Clone(b.data)
	}
}

// drop gives up the file and forgets the oldest bytes beyond maxPending. s.mu
// is held.
func (s *store) drop() {
	if !s.stopped {
		s.stopped = true
		s.err = fmt.Errorf("%w; the recording ends there", s.err)
	}
	for len(s.blocks) > 1 && s.pending > maxPending {
		s.pending -= int64(len(s.blocks[0].data))
		s.blocks = s.blocks[1:]
	}
	s.lostTo = s.blocks[0].off
}

// write is the goroutine that writes blocks.
func (s *store) write() {
	defer close(s.done)
	timer := time.NewTimer(flushAfter)
	pause := func(d time.Duration) {
		timer.Reset(d)
		select {
		case <-timer.C:
		case <-s.urgent:
		}
	}
	look := time.NewTicker(lookAfter)
	defer look.Stop()
	for !s.isClosing() {
		select {
		case <-s.dirty:
			pause(flushAfter)
		case <-s.urgent:
		case <-look.C:
			s.keepPlace()
		}
		for !s.drain() && !s.isClosing() {
			pause(retryAfter)
		}
	}
	s.drain()
	s.cutPartial()
	s.keepPlace()
}

func (s *store) isClosing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closing
}

// drain writes what waits and reports whether nothing is left to try.
func (s *store) drain() bool {
	for {
		s.mu.Lock()
		if len(s.blocks) == 0 || s.stopped {
			s.mu.Unlock()
			return true
		}
		b := s.blocks[0]
		if len(s.blocks) == 1 {
			s.sealed = true
		}
		data, off := b.data[b.done:], b.off+int64(b.done)
		s.busy = b
		f := s.f
		s.mu.Unlock()

		n, err := f.WriteAt(data, off)

		s.mu.Lock()
		s.busy, s.failing = nil, err != nil
		s.writes++
		if s.stopped { // given up meanwhile
			s.failing = true
			s.changed.Broadcast()
			s.mu.Unlock()
			return true
		}
		b.done += n
		s.flushed.Store(off + int64(n))
		if err != nil && s.err == nil {
			s.err = fmt.Errorf("write recording %s: %w", s.name, err)
		}
		turned := s.goneErr == nil && s.failedAt.IsZero() != (err == nil)
		switch {
		case err != nil:
			s.failed()
		case s.goneErr == nil:
			s.well()
		}
		if b.done == len(b.data) {
			s.pending -= int64(len(b.data))
			s.blocks = s.blocks[1:]
			s.recycle(b)
		}
		s.changed.Broadcast()
		s.mu.Unlock()
		if turned {
			s.tell()
		}
		if err != nil {
			return false
		}
	}
}

// recycle keeps a block of ours for later. s.mu is held.
func (s *store) recycle(b *block) {
	if len(s.free) < maxPending/blockSize && cap(b.data) >= blockSize && cap(b.data) <= 3*blockSize {
		b.data, b.done = b.data[:0], 0
		s.free = append(s.free, b)
	}
}

// cutPartial takes the beginning of a line that the disk had no room for off
// the end of the file.
func (s *store) cutPartial() {
	s.mu.Lock()
	defer s.mu.Unlock()
	end := s.flushed.Load()
	if end == s.end {
		return
	}
	buf := make([]byte, 64<<10)
	for at := end; at > 0; {
		n := min(int64(len(buf)), at)
		if _, err := s.f.ReadAt(buf[:n], at-n); err != nil {
			return
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			if err := s.f.Truncate(at - n + int64(i) + 1); err != nil && s.err == nil {
				s.err = fmt.Errorf("write recording %s: %w", s.name, err)
			}
			return
		}
		at -= n
	}
}

// ReadAt reads what was added, written or not.
func (s *store) ReadAt(p []byte, off int64) (int, error) {
	done := 0
	for done < len(p) {
		at := off + int64(done)
		if n := s.flushed.Load() - at; n > 0 {
			k, err := s.file().ReadAt(p[done:done+int(min(n, int64(len(p)-done)))], at)
			done += k
			if err != nil && (k == 0 || !errors.Is(err, io.EOF)) {
				return done, fmt.Errorf("read recording %s: %w", s.name, err)
			}
			continue
		}
		n, err := s.readPending(p[done:], at)
		done += n
		if err != nil {
			return done, err
		}
	}
	return done, nil
}

// readPending copies from the blocks, a little at a time so that Append is
// not kept waiting.
func (s *store) readPending(p []byte, off int64) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if off < s.flushed.Load() {
		return 0, nil // written meanwhile
	}
	if off >= s.end {
		return 0, io.EOF
	}
	if off < s.lostTo {
		return 0, fmt.Errorf("read recording %s: %w", s.name, ErrLost)
	}
	p = p[:min(len(p), 64<<10)]
	for _, b := range s.blocks {
		if off < b.off+int64(len(b.data)) {
			return copy(p, b.data[off-b.off:]), nil
		}
	}
	return 0, io.EOF
}

// sync writes what waits and asks the system to put it on the disk.
func (s *store) sync() error {
	s.mu.Lock()
	end, before := s.end, s.writes
	for s.flushed.Load() < end && !s.closing && !s.stopped && !(s.failing && s.writes > before) {
		signal(s.urgent)
		s.changed.Wait()
	}
	err := s.err
	s.mu.Unlock()
	if err != nil {
		return err
	}
	if err := s.file().Sync(); err != nil {
		return fmt.Errorf("sync recording %s: %w", s.name, err)
	}
	return nil
}

// close writes what waits, syncs and closes the file. Called once.
func (s *store) close() error {
	s.mu.Lock()
	s.closing = true
	s.changed.Broadcast()
	s.mu.Unlock()
	if s.done != nil {
		signal(s.urgent)
		<-s.done
	}
	err := s.firstError()
	if s.done != nil {
		if e := s.file().Sync(); e != nil && err == nil {
			err = fmt.Errorf("sync recording %s: %w", s.name, e)
		}
	}
	for _, f := range append(s.old, s.file()) {
		if e := f.Close(); e != nil && err == nil {
			err = fmt.Errorf("close recording %s: %w", s.name, e)
		}
	}
	return err
}

func (s *store) firstError() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		return s.goneErr
	}
	return s.err
}

// fail keeps an error that is not one of writing.
func (s *store) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
}

// setEnd says where the file ends, all of it written.
func (s *store) setEnd(end int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end = end
	s.flushed.Store(end)
}
