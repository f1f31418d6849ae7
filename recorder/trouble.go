package recorder

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
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

	// MovedFrom is where the file was before something else gave it another name,
	// if that is what it recovered from the last time: it goes on at Log.Path.
	MovedFrom string
}

// Trouble tells how it is with the disk; ok is false as long as nothing ever
// went wrong. With neither Failing nor Stopped all is well again.
func (l *Log) Trouble() (t Trouble, ok bool) {
	s := l.store
	s.mu.Lock()
	t = Trouble{Err: s.err, Failing: s.failing || s.goneErr != nil, Stopped: s.stopped, For: s.failedFor, PutBack: s.putBack, Turns: s.turns, Back: s.wasPutBack, MovedFrom: s.movedFrom}
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
	if t.Err == nil && t.Turns == 0 || l.readOnly {
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
		s.turned(false, "")
	}
}

// turned keeps that it became well again, and how. mu is held.
func (s *store) turned(putBack bool, movedFrom string) {
	s.turns++
	s.wasPutBack, s.movedFrom = putBack, movedFrom
	if putBack {
		s.putBack++
	}
}

// keepPlace looks whether the file is still in its folder, which the system lets
// anybody change while it is open. One that was moved goes on under its new name.
// One that was removed is put back, or what it holds would be gone with it, and so
// is one that was put into the trash. It is called from the goroutine that writes,
// and from close.
func (s *store) keepPlace() {
	f, ok := s.file().(*os.File)
	if !ok {
		return
	}
	s.placing.Lock()
	defer s.placing.Unlock()
	if s.place == nil {
		return
	}
	at := s.place()
	switch {
	case unlinked(f):
		s.putFileBack(f, at, "removed from its folder")
	case isAt(f, at):
	default:
		to := pathOf(f)
		switch _, err := os.Lstat(at); {
		case to != "" && isAt(f, to) && !inTrash(to):
			s.goOnAt(at, to)
		case errors.Is(err, fs.ErrNotExist) && s.written:
			s.putFileBack(f, at, "moved out of its folder")
		}
	}
}

// isAt reports whether an open file is the one at path.
func isAt(f *os.File, path string) bool {
	there, err := os.Stat(path)
	if err != nil {
		return false
	}
	here, err := f.Stat()
	return err == nil && os.SameFile(here, there)
}

// inTrash reports whether a path is in a trash folder, whose files are as good as
// removed.
func inTrash(path string) bool {
	parts := strings.Split(filepath.ToSlash(path), "/")
	for i, p := range parts {
		if p == ".Trash" || strings.HasPrefix(p, ".Trash-") || p == "Trash" && i+1 < len(parts) && parts[i+1] == "files" {
			return true
		}
	}
	return false
}

// goOnAt takes in that the file has another name now.
func (s *store) goOnAt(from, to string) {
	s.moved(to)
	s.mu.Lock()
	s.goneErr = nil
	s.well()
	s.turned(false, from)
	s.mu.Unlock()
	s.tell()
}

// putFileBack makes the file again at its place; how says what happened to it.
func (s *store) putFileBack(f *os.File, at, how string) {
	fresh, err := s.remake(f, at)
	s.mu.Lock()
	told := s.goneErr != nil
	if err != nil {
		s.goneErr = fmt.Errorf("the recording was %s and cannot be put back: %w", how, err)
		s.failed()
	} else {
		s.f, s.old = fresh, append(s.old, f)
		s.goneErr = nil
		s.well()
		s.turned(true, "")
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
