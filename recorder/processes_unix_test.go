//go:build unix && !solaris && !aix

package recorder

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// trialEnv makes the test binary the process of a trial, in the folder that it
// names.
const trialEnv = "LOUPE_TEST_TRIAL"

// trial runs a test of this package once more as a process of its own and
// returns what that said. as is whom it runs as, nil for this user.
func trial(t *testing.T, dir string, as *syscall.Credential) string {
	t.Helper()
	cmd := exec.Command(readableCopy(t), "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), trialEnv+"="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: as}
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("the other process: %v\n%s", err, out)
	}
	return string(out)
}

// readableCopy is this program where every user may run it.
func readableCopy(t *testing.T) string {
	t.Helper()
	to := filepath.Join(openDir(t), "trial")
	from, err := os.Open(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = from.Close() }()
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.Copy(f, from)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	return to
}

// openDir is a folder that every user may look into.
func openDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := errors.Join(os.Chmod(dir, 0o755), os.Chmod(filepath.Dir(dir), 0o755)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A limit of the size of files (ulimit -f) ends neither the program nor what it
// has: writing fails as on a full disk, and goes on when the limit is lifted.
func TestFileSizeLimit(t *testing.T) {
	dir := os.Getenv(trialEnv)
	if dir == "" {
		dir = t.TempDir()
		said := trial(t, dir, nil)
		if !strings.Contains(said, "PASS") {
			t.Fatalf("the other process said %s", said)
		}
		l := mustOpen(t, filepath.Join(dir, "limited"+Ext))
		if got := l.Repaired(); len(got) > 0 {
			t.Errorf("repaired: %v", got)
		}
		checkCrashed(t, l, 400)
		return
	}
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	limited := was
	limited.Cur = 100_000
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limited); err != nil {
		t.Fatal(err)
	}
	l, err := Create(filepath.Join(dir, "limited"+Ext), Header{})
	if err != nil {
		t.Fatal(err)
	}
	for seq := uint64(1); seq <= 400; seq++ { // 300 kB
		l.Append(crashEvent(seq))
	}
	if err := l.Sync(); !errors.Is(err, syscall.EFBIG) {
		t.Errorf("Sync gave %v", err)
	}
	if got, ok := l.Trouble(); !ok || !got.Failing || got.Stopped || got.Waiting == 0 || got.Lost != 0 {
		t.Errorf("trouble %+v, %v", got, ok)
	}
	checkCrashed(t, l, 400)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	awaitTrouble(t, l, "writing that goes on", func(got Trouble, _ bool) bool { return !got.Failing && got.Turns == 1 })
	if err := l.Close(); !errors.Is(err, syscall.EFBIG) {
		t.Errorf("Close gave %v", err)
	}
}

// One process writes a recording, another one opens it: that follows and changes
// nothing, and may write when the first is gone.
func TestTwoProcessesOnOneRecording(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shared"+Ext)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), crashEnv+"="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }() // when the test ends before it is
	said := bufio.NewScanner(out)
	synced := func() uint64 {
		t.Helper()
		if !said.Scan() {
			t.Fatal("the writer ended by itself")
		}
		seq, err := strconv.ParseUint(said.Text(), 10, 64)
		if err != nil {
			t.Fatalf("the writer said %q", said.Text())
		}
		return seq
	}
	first := synced()
	l := mustOpen(t, path)
	if used, err := InUse(path); err != nil || !used || !l.Following() || l.Len() < first {
		t.Errorf("in use %v, following %v, %d of %d events, %v", used, l.Following(), l.Len(), first, err)
	}
	if seq := l.Append(crashEvent(1)); seq != 0 {
		t.Errorf("appended event %d to the file of another process", seq)
	}
	if _, err := Create(path, Header{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("created over the file of another process: %v", err)
	}
	wake, stop := l.Watch()
	defer stop()
	next := synced()
	late := time.After(30 * time.Second)
	for l.Len() < next {
		select {
		case <-wake:
		case <-late:
			t.Fatalf("%d of %d events came, %v", l.Len(), next, l.Err())
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	if err := l.Close(); err == nil || !strings.Contains(err.Error(), "can only be read") {
		t.Errorf("what was appended to the file of another process: %v", err)
	}
	l = mustOpen(t, path)
	if l.Following() {
		t.Fatal("it follows a process that is gone")
	}
	n := l.Len()
	if seq := l.Append(crashEvent(n + 1)); seq != n+1 {
		t.Errorf("event %d after %d", seq, n)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	checkCrashed(t, mustOpen(t, path), n+1)
}

// What a user may not write is said and left as it is; what may be read is read.
func TestMissingPermission(t *testing.T) {
	dir := os.Getenv(trialEnv)
	file := func() string { return filepath.Join(dir, "locked", "theirs"+Ext) }
	hidden := func() string { return filepath.Join(dir, "locked", "hidden"+Ext) }
	if dir == "" {
		dir = openDir(t)
		for _, path := range []string{file(), hidden()} {
			l, err := Create(path, Header{})
			if err != nil {
				t.Fatal(err)
			}
			l.Append(crashEvent(1))
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
		}
		f, err := os.OpenFile(file(), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteString(`{"q":2,"cut`)
		if err := errors.Join(err, f.Close(), os.Chmod(file(), 0o444), os.Chmod(hidden(), 0), os.Chmod(filepath.Dir(file()), 0o555)); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(filepath.Dir(file()), 0o755) }) // so that it can be removed
		before, err := os.ReadFile(file())
		if err != nil {
			t.Fatal(err)
		}
		var as *syscall.Credential
		if os.Getuid() == 0 {
			as = &syscall.Credential{Uid: 65534, Gid: 65534} // nobody
		}
		if said := trial(t, dir, as); !strings.Contains(said, "PASS") {
			t.Errorf("the other process said %s", said)
		}
		if after, err := os.ReadFile(file()); err != nil || string(after) != string(before) {
			t.Errorf("the file became %q, %v", after, err)
		}
		return
	}
	if os.Getuid() == 0 {
		t.Fatal("this user may do anything")
	}
	for _, path := range []string{filepath.Join(dir, "locked", "new"+Ext), filepath.Join(dir, "locked", "sub", "new"+Ext)} {
		if _, err := Create(path, Header{}); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "create recording") {
			t.Errorf("created %s: %v", path, err)
		}
	}
	if _, err := Open(hidden()); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "open recording") {
		t.Errorf("opened what may not be read: %v", err)
	}
	l, err := Open(file())
	if err != nil {
		t.Fatal(err)
	}
	if seq := l.Append(crashEvent(2)); seq != 0 || l.Following() || l.Len() != 1 || len(l.Repaired()) == 0 {
		t.Errorf("appended %d, following %v, %d events, repaired %v", seq, l.Following(), l.Len(), l.Repaired())
	}
	checkCrashed(t, l, 1)
	if err := l.Close(); err == nil || !strings.Contains(err.Error(), "can only be read") {
		t.Errorf("what was appended: %v", err)
	}
}
