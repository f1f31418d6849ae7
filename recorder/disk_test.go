package recorder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestFilesAreForTheUserAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "deep", "a"+Ext)
	l, err := Create(path, Header{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	for name, want := range map[string]fs.FileMode{path: 0o600, filepath.Dir(path): 0o700 | fs.ModeDir, filepath.Dir(filepath.Dir(path)): 0o700 | fs.ModeDir} {
		info, err := os.Stat(name)
		if err != nil || info.Mode() != want {
			t.Errorf("%s has mode %v, %v, want %v", name, info.Mode(), err, want)
		}
	}
	if _, err := Create(path, Header{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a recording was overwritten: %v", err)
	}
}

func TestCreateSaysWhyItCannot(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(filepath.Join(file, "a"+Ext), Header{}); err == nil || !strings.Contains(err.Error(), "create recording") {
		t.Errorf("a folder that is a file: %v", err)
	}
	for _, m := range []*memFile{{limit: 10}, {fail: fs.ErrPermission}} {
		if _, err := create(m, "disk", Header{}); err == nil || !strings.Contains(err.Error(), "disk") {
			t.Errorf("a disk that takes no header: %v", err)
		}
	}
	if _, err := Open(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err := Open(dir); err == nil {
		t.Error("a folder was opened")
	}
}

// When the disk is full the session goes on: the first error is kept, what
// fits in memory stays readable, heads of all events too, and the file ends
// with a whole line.
func TestFullDisk(t *testing.T) {
	m := &memFile{limit: 300_000}
	l := newMemLog(t, m)
	const n = 9000 // 6.6 MB
	var first error
	for seq := uint64(1); seq <= n; seq++ {
		if got := l.Append(crashEvent(seq)); got != seq {
			t.Fatalf("Append gave %d for event %d", got, seq)
		}
		if err := l.Err(); err != nil && first == nil {
			first = err
		}
	}
	if err := l.Sync(); !errors.Is(err, errFull) {
		t.Errorf("Sync gave %v", err)
	}
	if !errors.Is(l.Err(), errFull) || !strings.Contains(l.Err().Error(), "the recording ends there") {
		t.Errorf("Err is %v", l.Err())
	}
	if l.Len() != n || l.Head(n).Seq != n {
		t.Errorf("%d events", l.Len())
	}
	if e, err := l.Read(n, 0); err != nil || string(e.Data) != string(crashEvent(n).Data) {
		t.Errorf("the newest event: %v", err)
	}
	if e, err := l.Read(1, 0); err != nil || string(e.Data) != string(crashEvent(1).Data) {
		t.Errorf("an event in the file: %v", err)
	}
	if _, err := l.Read(n/4, 0); !errors.Is(err, ErrLost) {
		t.Errorf("an event that is lost: %v", err)
	}
	l.store.mu.Lock()
	pending := l.store.pending
	l.store.mu.Unlock()
	if pending > maxPending+blockSize {
		t.Errorf("%d bytes are kept in memory", pending)
	}
	if err := l.Close(); !errors.Is(err, errFull) {
		t.Errorf("Close gave %v", err)
	}
	file := m.bytes()
	if file[len(file)-1] != '\n' {
		t.Error("the file does not end with a whole line")
	}
	r := openMem(t, file)
	checkCrashed(t, r, 300)
}

// When there is room again before too much waits, nothing is lost.
func TestDiskThatRecovers(t *testing.T) {
	m := &memFile{limit: 50_000}
	l := newMemLog(t, m)
	const n = 200
	for seq := uint64(1); seq <= n; seq++ {
		l.Append(crashEvent(seq))
	}
	if err := l.Sync(); !errors.Is(err, errFull) {
		t.Fatalf("Sync gave %v", err)
	}
	checkCrashed(t, l, n) // from memory
	m.setLimit(0)
	for l.store.flushed.Load() < l.store.size() {
		_ = l.Sync() // makes it try at once; gives the error until it has
	}
	if err := l.Close(); !errors.Is(err, errFull) {
		t.Errorf("Close gave %v, want the first error", err)
	}
	checkCrashed(t, openMem(t, m.bytes()), n)
}

// A large body is not copied while it is written, and is safe when it could
// not be.
func TestLargeBodies(t *testing.T) {
	big := func(seq uint64) Event {
		return message(In, `{"jsonrpc":"2.0","method":"m","params":"`+strings.Repeat(string(rune('a'+seq)), 2*largeBody)+`"}`)
	}
	m := &memFile{}
	l := newMemLog(t, m)
	for seq := uint64(1); seq <= 3; seq++ {
		e := big(seq)
		l.Append(e)
		clear(e.Data) // the caller owns it
	}
	m.setFail(errFull)
	e := big(4)
	l.Append(e)
	clear(e.Data)
	for seq := uint64(1); seq <= 4; seq++ {
		e, err := l.Read(seq, 0)
		if err != nil || string(e.Data) != string(big(seq).Data) {
			t.Fatalf("event %d: %v", seq, err)
		}
		body, err := l.Body(seq)
		if err != nil {
			t.Fatal(err)
		}
		part := make([]byte, 100)
		if _, err := body.ReadAt(part, largeBody); err != nil || string(part) != string(e.Data[largeBody:largeBody+100]) {
			t.Errorf("a piece of body %d is %q, %v", seq, part, err)
		}
		if body.Size() != int64(len(e.Data)) {
			t.Errorf("body %d has %d bytes", seq, body.Size())
		}
	}
	m.setFail(nil)
	for l.store.flushed.Load() < l.store.size() {
		_ = l.Sync()
	}
	_ = l.Close() // the first error is known
	if got := openMem(t, m.bytes()); got.Len() != 4 || got.Head(4).Size != len(e.Data) {
		t.Errorf("%d events", got.Len())
	}
}

// Append waits for a slow disk only when megabytes wait, and never for readers.
func TestSlowDiskHoldsAppendBack(t *testing.T) {
	m := &memFile{}
	l := newMemLog(t, m)
	gate := make(chan struct{})
	m.mu.Lock()
	m.wait = gate
	m.mu.Unlock()
	done := make(chan uint64)
	go func() {
		var seq uint64
		for seq < 12_000 { // 9 MB
			seq = l.Append(crashEvent(seq + 1))
		}
		done <- seq
	}()
	for l.store.waiting() <= maxPending {
		select {
		case <-done:
			t.Fatal("Append did not wait for the disk")
		case <-time.After(time.Millisecond):
		}
	}
	e, err := l.Read(l.Len(), 0)
	if err != nil || e.Kind == 0 {
		t.Errorf("reading while the disk is slow: %v", err)
	}
	close(gate)
	if seq := <-done; seq != 12_000 {
		t.Errorf("the last event is %d", seq)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	checkCrashed(t, openMem(t, m.bytes()), 12_000)
}
