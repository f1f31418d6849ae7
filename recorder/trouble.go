package recorder

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"time"
)

// Trouble is what is wrong with writing a recording.
type Trouble struct {
	Err     error         // the first error
	Failing bool          // the latest write failed, and is tried again
	Stopped bool          // nothing is written any more: the file ends before events that are lost
	Waiting int           // events that are in memory and not in the file
	Bytes   int64         // that they take
	Lost    int           // events that are in neither
	For     time.Duration // how long it has been failing, or was

	// PutBack counts how often the file was removed from its folder by something
	// else and was made again with all that it held.
	PutBack int

	Turns int  // how often it became well again
	Back  bool // the last time by putting the file back
}

// Trouble tells how it is with the disk; ok is false as long as nothing ever
// went wrong. With neither Failing nor Stopped all is well again.
func (l *Log) Trouble() (t Trouble, ok bool) {
	s := l.store
	s.mu.Lock()
	t = Trouble{Err: s.err, Failing: s.failing || s.goneErr != nil, Stopped: s.stopped, For: s.failedFor, PutBack: s.putBack, Turns: s.turns, Back: s.wasPutBack}
	if t.Err == nil {
		t.Err = s.goneErr
	}
	if !s.failedAt.IsZero() {
		t.For = time.Since(s.failedAt)
	}
	flushed, lostTo := s.flushed.Load(), s.lostTo
	if t.Failing || t.Stopped {
		t.Bytes = s.pending
	}
	s.mu.Unlock()
	if t.Err == nil && t.PutBack == 0 || l.readOnly {
		return t, false
	}
	if !t.Failing && !t.Stopped {
		return t, true
	}
	n := int(l.index.len())
	after := func(offset int64) int {
		return sort.Search(n, func(i int) bool { return l.index.at(uint64(i+1)).offset() >= offset })
	}
	first := after(flushed)
	t.Waiting = n - first
	if lostTo > flushed {
		t.Lost = after(lostTo) - first
		t.Waiting -= t.Lost
	}
	return t, true
}

// failed keeps when writing began to fail. mu is held.
func (s *store) failed() {
	if s.failedAt.IsZero() {
		s.failedAt = time.Now()
	}
}

// well keeps that writing fails no more. mu is held.
func (s *store) well() {
	if !s.failedAt.IsZero() {
		s.failedFor, s.failedAt = time.Since(s.failedAt), time.Time{}
		s.turns++
		s.wasPutBack = false
	}
}

// keepPlace puts the file back when something else has removed it from its
// folder, which the system allows while it is open: what it holds would be gone
// with it. It is called from the goroutine that writes, and from close.
func (s *store) keepPlace() {
	f, ok := s.file().(*os.File)
	if !ok || s.place == nil || !unlinked(f) {
		return
	}
	fresh, err := s.remake(f, s.place())
	s.mu.Lock()
	told := s.goneErr != nil
	if err != nil {
		s.goneErr = fmt.Errorf("the recording was removed from its folder and cannot be put back: %w", err)
		s.failed()
	} else {
		s.f, s.old = fresh, append(s.old, f)
		s.goneErr = nil
		s.well()
		s.putBack++
		s.turns++
		s.wasPutBack = true
	}
	s.changed.Broadcast()
	s.mu.Unlock()
	if err == nil || !told {
		s.tell()
	}
}

// remake writes all that a removed file holds to a new one at path, which must
// not be there.
func (s *store) remake(from *os.File, path string) (file, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	lockFile(f) // the file is new: nobody else has it
	_, err = io.Copy(f, io.NewSectionReader(from, 0, s.flushed.Load()))
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(path))
	}
	return f, nil
}

// tell wakes whoever watches the recording.
func (s *store) tell() {
	if s.told != nil {
		s.told()
	}
}
