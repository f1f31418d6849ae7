package recorder

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// awaitTrouble waits until the trouble of a log is as ok wants it.
func awaitTrouble(t *testing.T, l *Log, what string, ok func(Trouble, bool) bool) Trouble {
	t.Helper()
	wake, stop := l.Watch()
	defer stop()
	late := time.After(30 * time.Second)
	for {
		got, any := l.Trouble()
		if ok(got, any) {
			return got
		}
		select {
		case <-wake:
		case <-late:
			t.Fatalf("%s: %+v", what, got)
		}
	}
}

// A full disk is told as soon as it is known, with what waits, and so is that
// there is room again.
func TestTroubleIsToldWithCounts(t *testing.T) {
	m := &memFile{limit: 20_000}
	l := newMemLog(t, m)
	if got, ok := l.Trouble(); ok {
		t.Fatalf("a healthy log has %+v", got)
	}
	const n = 100
	for seq := uint64(1); seq <= n; seq++ {
		l.Append(crashEvent(seq))
	}
	got := awaitTrouble(t, l, "the disk is not full", func(tr Trouble, ok bool) bool { return ok && tr.Failing })
	inFile := strings.Count(string(m.bytes()), "\n") - 1 // the header
	if !errors.Is(got.Err, errFull) || got.Stopped || got.Lost != 0 || got.Bytes == 0 {
		t.Errorf("%+v", got)
	}
	// The event that the disk had room for in part counts as in the file.
	if d := n - inFile - got.Waiting; d != 0 && d != 1 {
		t.Errorf("%d events are in the file, %d wait", inFile, got.Waiting)
	}
	m.setLimit(0)
	well := awaitTrouble(t, l, "the disk is still full", func(tr Trouble, ok bool) bool { return ok && !tr.Failing })
	if well.Waiting != 0 || well.Lost != 0 || well.For <= 0 {
		t.Errorf("afterwards %+v", well)
	}
	_ = l.Close() // the first error is known
	checkCrashed(t, openMem(t, m.bytes()), n)
}

// What does not fit in memory is counted as lost.
func TestTroubleCountsWhatIsLost(t *testing.T) {
	m := &memFile{limit: 300_000}
	l := newMemLog(t, m)
	const n = 9000 // 6.6 MB
	for seq := uint64(1); seq <= n; seq++ {
		l.Append(crashEvent(seq))
	}
	got := awaitTrouble(t, l, "the recording goes on", func(tr Trouble, ok bool) bool { return ok && tr.Stopped })
	inFile := strings.Count(string(m.bytes()), "\n") - 1
	if d := n - inFile - got.Waiting - got.Lost; got.Lost == 0 || got.Waiting == 0 || d < 0 || d > 1 {
		t.Errorf("%d events in the file, %+v", inFile, got)
	}
	if _, err := l.Read(n-uint64(got.Waiting)+1, 0); err != nil {
		t.Errorf("the oldest that waits: %v", err)
	}
	if _, err := l.Read(n-uint64(got.Waiting)-1, 0); !errors.Is(err, ErrLost) {
		t.Errorf("the newest that is lost: %v", err)
	}
	// What is there is saved: the file up to its end, and all that is in memory.
	var copied bytes.Buffer
	if err := l.CopyTo(t.Context(), &copied, nil); err != nil {
		t.Fatal(err)
	}
	last, _ := l.Trouble()
	r := openMem(t, copied.Bytes())
	if want := uint64(inFile + last.Waiting); r.Len() != want && r.Len() != want+1 || r.Repaired() != "" {
		t.Errorf("%d events were copied of %d in the file and %d in memory, repaired: %q", r.Len(), inFile, last.Waiting, r.Repaired())
	}
	for copySeq, seq := range map[uint64]uint64{1: 1, r.Len(): n} {
		if e, err := r.Read(copySeq, 0); err != nil || string(e.Data) != string(crashEvent(seq).Data) {
			t.Errorf("event %d of the copy is not event %d: %v", copySeq, seq, err)
		}
	}
	_ = l.Close()
}

// A recording whose folder is removed while it is written is put back whole.
func TestRemovedFolderIsPutBack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "recordings")
	path := filepath.Join(dir, "a"+Ext)
	l, err := Create(path, Header{App: "gone"})
	if err != nil {
		t.Fatal(err)
	}
	l.Append(crashEvent(1))
	if err := l.Sync(); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	l.Append(crashEvent(2))
	awaitTrouble(t, l, "nobody noticed", func(tr Trouble, ok bool) bool { return ok && tr.PutBack == 1 && !tr.Failing })
	l.Append(crashEvent(3))
	for seq := uint64(1); seq <= 3; seq++ {
		if e, err := l.Read(seq, 0); err != nil || string(e.Data) != string(crashEvent(seq).Data) {
			t.Errorf("event %d: %v", seq, err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	r := mustOpen(t, path)
	checkCrashed(t, r, 3)
}

// It is put back at the end too, when nobody looked in between.
func TestRemovedFileIsPutBackAtTheEnd(t *testing.T) {
	l := newTestLog(t)
	l.Append(crashEvent(1))
	if err := l.Sync(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(l.Path()); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	checkCrashed(t, mustOpen(t, l.Path()), 1)
}

// One that the person deletes stays deleted, also while it is still open.
func TestFileThatIsLetGoIsNotPutBack(t *testing.T) {
	l := newTestLog(t)
	l.Append(crashEvent(1))
	if err := l.Sync(); err != nil {
		t.Fatal(err)
	}
	l.LetGo()
	if err := os.Remove(l.Path()); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(l.Path()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file was put back: %v", err)
	}
}

// Where it cannot be put back that is said, and it is done when it can.
func TestRemovedFolderThatCannotBeMade(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "recordings")
	l, err := Create(filepath.Join(dir, "a"+Ext), Header{})
	if err != nil {
		t.Fatal(err)
	}
	l.Append(crashEvent(1))
	if err := l.Sync(); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir, nil, 0o600); err != nil { // in the way of the folder
		t.Fatal(err)
	}
	awaitTrouble(t, l, "nobody noticed", func(tr Trouble, ok bool) bool {
		return ok && tr.Failing && strings.Contains(tr.Err.Error(), "cannot be put back")
	})
	l.Append(crashEvent(2))
	if e, err := l.Read(2, 0); err != nil || string(e.Data) != string(crashEvent(2).Data) {
		t.Errorf("the session does not go on: %v", err)
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	awaitTrouble(t, l, "it was not put back", func(tr Trouble, ok bool) bool { return ok && tr.PutBack == 1 && !tr.Failing })
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	checkCrashed(t, mustOpen(t, l.Path()), 2)
}

// /dev/full refuses every write as a full disk does.
func TestDeviceThatIsFull(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		return // there is no such device on this system
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = full.Close() }()
	if _, err := create(full, "/dev/full", Header{}); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("a full disk takes a header: %v", err)
	}
}

// A recording that is moved while it is written, with its folder or alone, goes
// on where it is now: its name may be changed at will.
func TestMovedRecordingGoesOnWhereItIs(t *testing.T) {
	if pathOf(os.Stdin) == "" {
		return // this system does not say where an open file is: see the next test
	}
	for name, move := range map[string]func(t *testing.T, dir, path string) (to string){
		"folder": func(t *testing.T, dir, path string) string {
			other := dir + "-elsewhere"
			if err := os.Rename(dir, other); err != nil {
				t.Fatal(err)
			}
			return filepath.Join(other, filepath.Base(path))
		},
		"file": func(t *testing.T, dir, path string) string {
			other := filepath.Join(dir, "b"+Ext)
			if err := os.Rename(path, other); err != nil {
				t.Fatal(err)
			}
			return other
		},
		"file, with another in its place": func(t *testing.T, dir, path string) string {
			other := filepath.Join(dir, "b"+Ext)
			if err := os.Rename(path, other); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte("not a recording"), 0o600); err != nil {
				t.Fatal(err)
			}
			return other
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "recordings")
			path := filepath.Join(dir, "a"+Ext)
			l, err := Create(path, Header{})
			if err != nil {
				t.Fatal(err)
			}
			l.Append(crashEvent(1))
			if err := l.Sync(); err != nil {
				t.Fatal(err)
			}
			to := move(t, dir, path)
			l.Append(crashEvent(2))
			got := awaitTrouble(t, l, "nobody noticed", func(tr Trouble, ok bool) bool { return ok && tr.MovedFrom == path })
			if got.Failing || got.PutBack != 0 || got.Turns != 1 || l.Path() != to || l.Err() != nil {
				t.Errorf("%+v, the path is %s", got, l.Path())
			}
			l.Append(crashEvent(3))
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(dir); name == "folder" && !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the folder was made again: %v", err)
			}
			checkCrashed(t, mustOpen(t, to), 3)
		})
	}
}

// One that was put into the trash is put back: what is there goes when the trash
// is emptied.
func TestTrashedRecordingIsPutBack(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, "recordings", "a"+Ext)
	l, err := Create(path, Header{})
	if err != nil {
		t.Fatal(err)
	}
	l.Append(crashEvent(1))
	if err := l.Sync(); err != nil {
		t.Fatal(err)
	}
	trash := filepath.Join(home, ".local", "share", "Trash", "files")
	if err := os.MkdirAll(trash, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path, filepath.Join(trash, "a"+Ext)); err != nil {
		t.Fatal(err)
	}
	awaitTrouble(t, l, "nobody noticed", func(tr Trouble, ok bool) bool { return ok && tr.PutBack == 1 && tr.Back && !tr.Failing })
	l.Append(crashEvent(2))
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	checkCrashed(t, mustOpen(t, path), 2)
}

// A recording that was opened for reading is not made again where it was: its
// file is elsewhere, and whole.
func TestOpenedRecordingFollowsItsFile(t *testing.T) {
	l := newTestLog(t)
	l.Append(crashEvent(1))
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	r := mustOpen(t, l.Path())
	trash := filepath.Join(filepath.Dir(l.Path()), ".Trash-1000", "files")
	if err := os.MkdirAll(trash, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(l.Path(), filepath.Join(trash, "a"+Ext)); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(l.Path()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file was made again: %v", err)
	}
}
