//go:build unix

package crash

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	dirVar = "CRASH_TEST_DIR"
	howVar = "CRASH_TEST_HOW"
)

// secret stands for what a server has sent.
const secret = `{"token":"hunter2"}`

// TestMain runs the program that ends in the way that a test wants.
func TestMain(m *testing.M) {
	dir := os.Getenv(dirVar)
	if dir == "" {
		m.Run()
		return
	}
	w, err := Begin(dir, "1.2.3 (abc)")
	if err != nil {
		panic(err)
	}
	w.Recording("/tmp/first.mcp.jsonl")
	w.Recording("/tmp/second.mcp.jsonl")
	w.Closed("/tmp/first.mcp.jsonl")
	switch os.Getenv(howVar) {
	case "index":
		_ = secret[len(os.Args)+100]
	case "text":
		panic("cannot handle " + secret + "\nand more of " + secret)
	case "goroutine":
		go func() { panic(errors.New(secret)) }()
		select {}
	case "killed":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	case "orderly":
		if err := w.Close(); err != nil {
			panic(err)
		}
	case "waits":
		_, _ = os.Stdin.Read(make([]byte, 1))
		_ = w.Close()
	}
}

func program(t *testing.T, dir, how string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), dirVar+"="+dir, howVar+"="+how)
	return cmd
}

func left(t *testing.T, dir string) []Report {
	t.Helper()
	out, err := Left(dir)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestProgramsThatEndAsTheyShouldNot(t *testing.T) {
	for how, says := range map[string][]string{
		"index":     {"panic: runtime error: index out of range", "goroutine 1 "},
		"text":      {"panic: (its text is left out", "goroutine 1 "},
		"goroutine": {"panic: (its text is left out", "goroutine "},
		"killed":    nil,
	} {
		dir := filepath.Join(t.TempDir(), "state")
		if err := program(t, dir, how).Run(); err == nil {
			t.Errorf("%s ended well", how)
		}
		reports := left(t, dir)
		if len(reports) != 1 {
			t.Fatalf("%s left %d reports", how, len(reports))
		}
		r := reports[0]
		if r.Version != "1.2.3 (abc)" || time.Since(r.Started) > time.Minute || !slices.Equal(r.Recordings, []string{"/tmp/second.mcp.jsonl"}) {
			t.Errorf("%s: %+v", how, r)
		}
		if (r.Reason == "") != (says == nil) {
			t.Errorf("%s: the reason is %q", how, r.Reason)
		}
		file, err := os.ReadFile(r.Path)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{r.Text, string(file)} {
			for _, want := range append(says, "go: go1.", "system: ") {
				if !strings.Contains(text, want) {
					t.Errorf("%s: no %q in %.600s", how, want, text)
				}
			}
			if strings.Contains(text, "hunter2") {
				t.Errorf("%s: the report holds what a server sent: %.600s", how, text)
			}
		}
		if info, err := os.Stat(r.Path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: mode %v, %v", how, info.Mode(), err)
		}
		if again := left(t, dir); len(again) != 1 || again[0].Reason != r.Reason {
			t.Errorf("%s: read again it is %+v", how, again)
		}
		if err := r.Forget(); err != nil {
			t.Error(err)
		}
		if len(left(t, dir)) != 0 {
			t.Errorf("%s: the report is still there", how)
		}
	}
}

func TestOrderlyEndLeavesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	if out, err := program(t, dir, "orderly").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("%d files, %v", len(entries), err)
	}
}

// A program that runs beside this one has not crashed.
func TestProgramThatRunsIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	cmd := program(t, dir, "waits")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.After(20 * time.Second)
	for {
		names, err := reports(dir, prefixRun)
		if err != nil {
			t.Fatal(err)
		}
		if len(names) == 1 {
			if b, err := os.ReadFile(names[0]); err == nil && strings.Contains(string(b), "second") {
				break
			}
		}
		select {
		case <-late:
			t.Fatal("the program made no file")
		case <-time.After(10 * time.Millisecond):
		}
	}
	if got := left(t, dir); len(got) != 0 {
		t.Errorf("a running program is taken for %+v", got)
	}
	if err := in.Close(); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

func TestPanicThatIsOutlived(t *testing.T) {
	dir := t.TempDir()
	w, err := Begin(dir, "1")
	if err != nil {
		t.Fatal(err)
	}
	for range maxReports + 5 {
		path, err := w.Panic("drawing", secret, []byte("goroutine 1 [running]:\nmain.f(0x1)\n"))
		if err != nil {
			t.Fatal(err)
		}
		text, err := Read(path)
		if err != nil || !strings.Contains(text, "while: drawing") || !strings.Contains(text, "a value of type string") || !strings.Contains(text, "main.f") || strings.Contains(text, "hunter2") {
			t.Fatalf("the report is %q, %v", text, err)
		}
	}
	if names, err := reports(dir, prefixPanic); err != nil || len(names) > maxReports {
		t.Errorf("%d reports are kept, %v", len(names), err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if len(left(t, dir)) != 0 {
		t.Error("a panic that was outlived counts as a crash")
	}
}

func TestNoReportsAreKept(t *testing.T) {
	var w *Watch
	w.Recording("x")
	w.Closed("x")
	if _, err := w.Panic("x", 1, nil); err == nil {
		t.Error("a report was written nowhere")
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Begin(filepath.Join(file, "state"), "1"); err == nil {
		t.Error("a report was begun in a file")
	}
	if got, err := Left(filepath.Join(t.TempDir(), "none")); err != nil || got != nil {
		t.Errorf("a folder that is not there has %v, %v", got, err)
	}
}

func TestDir(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", "/x/state")
	if dir, err := Dir(); err != nil || dir != filepath.FromSlash("/x/state/mcploupe") {
		t.Errorf("%q, %v", dir, err)
	}
	t.Setenv("XDG_STATE_HOME", "relative")
	if dir, err := Dir(); err != nil || !strings.Contains(dir, "mcploupe") || strings.Contains(dir, "relative") {
		t.Errorf("%q, %v", dir, err)
	}
}
