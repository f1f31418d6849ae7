package recorder

import (
	"errors"
	"io"
	"sync"
	"testing"
)

// memFile is a disk of limited size in memory.
type memFile struct {
	mu     sync.Mutex
	b      []byte
	limit  int   // bytes, 0 for none
	fail   error // what every write gives
	writes int
	wait   chan struct{} // a write waits until this is closed, if not nil
}

var errFull = errors.New("no space left")

func (m *memFile) ReadAt(p []byte, off int64) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if off >= int64(len(m.b)) {
		return 0, io.EOF
	}
	n := copy(p, m.b[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (m *memFile) WriteAt(p []byte, off int64) (int, error) {
	m.mu.Lock()
	wait := m.wait
	m.mu.Unlock()
	if wait != nil {
		<-wait
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.writes++
	if m.fail != nil {
		return 0, m.fail
	}
	n := len(p)
	if m.limit > 0 {
		n = max(0, min(n, m.limit-int(off)))
	}
	if grow := int(off) + n - len(m.b); grow > 0 {
		m.b = append(m.b, make([]byte, grow)...)
	}
	copy(m.b[off:], p[:n])
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

func (m *memFile) Truncate(size int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.b = m.b[:size]
	return nil
}

func (m *memFile) Sync() error  { return nil }
func (m *memFile) Close() error { return nil }

func (m *memFile) setLimit(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.limit = n
}

func (m *memFile) setFail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fail = err
}

func (m *memFile) bytes() []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]byte{}, m.b...)
}

func newMemLog(t testing.TB, m *memFile) *Log {
	t.Helper()
	l, err := create(m, "memory", Header{App: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// openMem indexes the bytes of a recording.
func openMem(t testing.TB, b []byte) *Log {
	t.Helper()
	m := &memFile{b: b}
	size := int64(len(b))
	h, start, _, err := readHeader(m, size)
	if err != nil {
		t.Fatal(err)
	}
	l := newLog(m, "memory", h, size)
	l.opened = true
	x := newIndexer(l)
	end, err := x.index(t.Context(), m, start, size, nil)
	if err != nil {
		t.Fatal(err)
	}
	if end != size {
		t.Fatalf("the last line is cut: %d of %d bytes", end, size)
	}
	if err := x.link(t.Context()); err != nil {
		t.Fatal(err)
	}
	l.loadMarks(x.takeMarks())
	return l
}

func (s *store) size() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.end
}

func (s *store) waiting() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pending
}
