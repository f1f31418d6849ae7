package recorder

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// crashEnv makes the test binary write the recording that it names until it is
// killed.
const crashEnv = "LOUPE_TEST_CRASH"

func helperMain() bool {
	path := os.Getenv(crashEnv)
	if path == "" {
		return false
	}
	l, err := Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		l, err = Create(path, Header{App: "crash"})
	}
	if err != nil {
		fmt.Println(err)
		return true
	}
	for l.Err() == nil {
		seq := l.Append(crashEvent(l.Len() + 1))
		if seq%2000 == 0 {
			if err := l.Sync(); err != nil {
				break
			}
			fmt.Println(seq)
		}
	}
	fmt.Println(l.Err())
	return true
}

// crashEvent is what the helper writes as event seq.
func crashEvent(seq uint64) Event {
	pad := strings.Repeat("x", int(seq*7919%1500))
	switch seq % 4 {
	case 0:
		return Event{Kind: KindStderr, Dir: In, Data: []byte("line\n" + pad + strconv.FormatUint(seq, 10))}
	case 1:
		return Event{Kind: KindBad, Dir: In, Data: []byte("\xff" + pad + strconv.FormatUint(seq, 10))}
	}
	return message(In, fmt.Sprintf(`{"jsonrpc":"2.0","method":"m","params":{"n":%d,"pad":"%s"}}`, seq, pad))
}

func checkCrashed(t *testing.T, l *Log, atLeast uint64) {
	t.Helper()
	if l.Len() < atLeast {
		t.Fatalf("%d events, %d were on the disk", l.Len(), atLeast)
	}
	for seq := uint64(1); seq <= l.Len(); seq++ {
		e, err := l.Read(seq, 0)
		if err != nil {
			t.Fatal(err)
		}
		if want := crashEvent(seq); !bytes.Equal(e.Data, want.Data) || e.Kind != want.Kind {
			t.Fatalf("event %d of %d is %.60q, want %.60q", seq, l.Len(), e.Data, want.Data)
		}
	}
}

// A recorder that is killed with SIGKILL while it writes loses no event that
// was handed to the system, and its file goes on afterwards.
func TestKilledWriterLosesNothingThatWasWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "killed"+Ext)
	var before uint64
	for round := range 4 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), crashEnv+"="+path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var synced uint64
		lines := bufio.NewScanner(out)
		for range 1 + round%3 {
			if !lines.Scan() {
				t.Fatal("the writer ended by itself")
			}
			if synced, err = strconv.ParseUint(lines.Text(), 10, 64); err != nil {
				t.Fatalf("the writer said %q", lines.Text())
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it was killed

		if round%2 == 0 {
			continue // the next writer repairs it
		}
		l := mustOpen(t, path)
		checkCrashed(t, l, synced)
		if l.Len() <= before {
			t.Errorf("round %d added nothing to %d events", round, before)
		}
		before = l.Len()
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// Wherever the file is cut, all whole lines are there, the rest is kept aside,
// and more can be written.
func TestCutAnywhereIsRepaired(t *testing.T) {
	l := newTestLog(t)
	var ends []int
	for seq := uint64(1); seq <= 5; seq++ {
		l.Append(crashEvent(seq))
		if err := l.Sync(); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(l.Path())
		if err != nil {
			t.Fatal(err)
		}
		ends = append(ends, int(info.Size()))
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(l.Path())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	step := 1
	for cut := ends[2]; cut <= len(file); cut += step {
		path := filepath.Join(dir, "cut"+Ext)
		_ = os.Remove(path + ".cut")
		if err := os.WriteFile(path, file[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		whole := 0
		for whole < len(ends) && ends[whole] <= cut+1 { // the line feed may be missing
			whole++
		}
		cutLine := ""
		if whole < len(ends) && cut > ends[whole-1] {
			cutLine = string(file[ends[whole-1]:cut])
		}
		l := mustOpen(t, path)
		checkCrashed(t, l, uint64(whole))
		if l.Len() != uint64(whole) {
			t.Fatalf("cut at %d: %d events, want %d", cut, l.Len(), whole)
		}
		repaired := cutLine != "" || ends[whole-1] == cut+1
		if (l.Repaired() != "") != repaired {
			t.Fatalf("cut at %d: Repaired says %q", cut, l.Repaired())
		}
		aside, err := os.ReadFile(path + ".cut")
		if cutLine != "" && (err != nil || string(aside) != cutLine+"\n") {
			t.Fatalf("cut at %d: aside is %q, %v, want %q", cut, aside, err, cutLine)
		}
		l.Append(crashEvent(uint64(whole + 1)))
		l = reopen(t, l)
		checkCrashed(t, l, uint64(whole+1))
		if l.Repaired() != "" {
			t.Fatalf("cut at %d: repaired twice: %s", cut, l.Repaired())
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		if cut > ends[2]+40 && cut < len(file)-40 {
			step = 37
		} else {
			step = 1
		}
	}
}

func TestReadOnlyFileIsReadAndNotRepaired(t *testing.T) {
	l := newTestLog(t)
	l.Append(crashEvent(1))
	l.Append(crashEvent(2))
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(l.Path())
	if err != nil {
		t.Fatal(err)
	}
	cut := file[:len(file)-9]
	if err := os.WriteFile(l.Path(), cut, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(l.Path())
	if err != nil {
		t.Fatal(err)
	}
	r, err := open(t.Context(), f, l.Path(), true, lockFile(f), nil)
	if err != nil {
		t.Fatal(err)
	}
	checkCrashed(t, r, 1)
	if r.Len() != 1 || !strings.Contains(r.Repaired(), "left out") {
		t.Errorf("%d events, Repaired says %q", r.Len(), r.Repaired())
	}
	if seq := r.Append(crashEvent(2)); seq != 0 || r.Err() == nil || !strings.Contains(r.Err().Error(), ErrReadOnly.Error()) {
		t.Errorf("Append gave %d, Err %v", seq, r.Err())
	}
	_ = r.Close() // gives the error above
	if after, err := os.ReadFile(l.Path()); err != nil || !bytes.Equal(after, cut) {
		t.Errorf("the file was changed, %v", err)
	}
}

// A file that another writer has open is followed and never repaired.
func TestFollowsAFileThatIsBeingWritten(t *testing.T) {
	w := newTestLog(t)
	w.Append(crashEvent(1))
	if err := w.Sync(); err != nil {
		t.Fatal(err)
	}
	r := mustOpen(t, w.Path())
	if !r.Following() || r.Len() != 1 {
		t.Fatalf("following %v, %d events", r.Following(), r.Len())
	}
	wake, stop := r.Watch()
	defer stop()
	const n = 3000
	for seq := uint64(2); seq <= n; seq++ {
		w.Append(crashEvent(seq))
	}
	w.Append(message(Out, `{"jsonrpc":"2.0","id":5,"method":"ping"}`))
	w.Append(message(In, `{"jsonrpc":"2.0","id":5,"result":{}}`))
	deadline := time.After(30 * time.Second)
	for r.Len() < n+2 {
		select {
		case <-wake:
		case <-deadline:
			t.Fatalf("only %d events came, %v", r.Len(), r.Err())
		}
	}
	if h := r.Head(n + 2); h.Partner != n+1 || r.Head(n+1).Partner != n+2 {
		t.Errorf("the answer has partner %d", h.Partner)
	}
	if seq := r.Append(crashEvent(1)); seq != 0 {
		t.Errorf("appended event %d to a file of another writer", seq)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}
