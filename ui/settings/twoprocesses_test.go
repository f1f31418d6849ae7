package settings

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// writerEnv makes the test binary a program that changes the settings in the
// folder that it names, as "folder|name".
const writerEnv = "LOUPE_TEST_SETTINGS"

// writerRounds is how many changes of each kind such a program makes.
const writerRounds = 12

func TestMain(m *testing.M) {
	if dir, name, ok := strings.Cut(os.Getenv(writerEnv), "|"); ok {
		if err := writeAsProgram(dir, name); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// writeAsProgram changes settings and remembered calls when it is told to begin,
// and once more when it is told that the others are done, as a window does that
// is closed.
func writeAsProgram(dir, name string) error {
	s, err := Load(filepath.Join(dir, "settings.json"))
	if err != nil {
		return err
	}
	calls := s.Calls()
	turn := bufio.NewScanner(os.Stdin)
	fmt.Println("ready")
	turn.Scan()
	for i := range writerRounds {
		if err := s.SaveFilter(fmt.Sprintf("%s-%d", name, i), "is:bad"); err != nil {
			return err
		}
		key := CallKey{Server: name, Method: "tools/call", Name: "sum"}
		calls.Sent(key, fmt.Sprintf(`{"n":%d}`, i), time.Now())
		if err := calls.Save(key, fmt.Sprint("call ", i), "{}", time.Now()); err != nil {
			return err
		}
		if err := calls.Write(); err != nil {
			return err
		}
	}
	fmt.Println("done")
	turn.Scan()
	return s.Update(func(x *Settings) { x.Window.Pane++ })
}

// Two programs, each a process of its own, change one settings file and one file
// of remembered calls at the same time: nothing of either is lost.
func TestTwoProcessesLoseNothing(t *testing.T) {
	dir := t.TempDir()
	type program struct {
		name string
		cmd  *exec.Cmd
		tell func()
		said *bufio.Scanner
	}
	var programs []program
	for _, name := range []string{"first", "second"} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), writerEnv+"="+dir+"|"+name)
		cmd.Stderr = os.Stderr
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		programs = append(programs, program{name, cmd, func() {
			if _, err := fmt.Fprintln(in, "go"); err != nil {
				t.Error(err)
			}
		}, bufio.NewScanner(out)})
	}
	await := func(want string) {
		for _, p := range programs {
			if !p.said.Scan() || p.said.Text() != want {
				t.Errorf("the %s program said %q, want %q", p.name, p.said.Text(), want)
			}
		}
	}
	await("ready")
	for _, p := range programs {
		p.tell()
	}
	await("done")
	for _, p := range programs { // one after the other, so that each has its turn
		p.tell()
		if err := p.cmd.Wait(); err != nil {
			t.Errorf("the %s program: %v", p.name, err)
		}
	}
	s := mustLoad(t, filepath.Join(dir, "settings.json"))
	saved := map[string]bool{}
	for _, f := range s.Get().Filters.Saved {
		if saved[f.Name] {
			t.Errorf("the filter %s is there twice", f.Name)
		}
		saved[f.Name] = true
	}
	for _, p := range programs {
		for i := range writerRounds {
			if name := fmt.Sprintf("%s-%d", p.name, i); !saved[name] {
				t.Errorf("the filter %s is lost", name)
			}
		}
		key := CallKey{Server: p.name, Method: "tools/call", Name: "sum"}
		if got := s.Calls().Recent(key); len(got) != writerRounds {
			t.Errorf("%d recent calls of the %s program are left", len(got), p.name)
		}
		if got := s.Calls().Saved(key); len(got) != writerRounds {
			t.Errorf("%d saved calls of the %s program are left", len(got), p.name)
		}
	}
}

// Each window has its own calls, and those that the other has written.
func TestTwoWindowsKeepEachOthersCalls(t *testing.T) {
	dir := t.TempDir()
	a, b := callsAt(t, dir), callsAt(t, dir)
	now := time.Now()
	write := func(c *Calls) {
		t.Helper()
		if err := c.Write(); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Save(sumKey("sum"), "of a", `{"a":1}`, now); err != nil {
		t.Fatal(err)
	}
	write(a)
	b.Sent(sumKey("sum"), `{"b":1}`, now)
	write(b)
	if got := b.Saved(sumKey("sum")); len(got) != 1 || got[0].Title != "of a" {
		t.Errorf("the second window does not know what the first has saved: %v", got)
	}
	b.Delete(sumKey("sum"), "of a")
	write(b)
	a.Sent(sumKey("sum"), `{"a":2}`, now)
	if err := a.Rename(sumKey("sum"), "of a", "renamed"); err != nil {
		t.Fatal(err)
	}
	if err := a.Write(); err == nil || !strings.Contains(err.Error(), "of a") {
		t.Errorf("a call was renamed that another window has deleted: %v", err)
	}
	again := callsAt(t, dir)
	if got := again.Recent(sumKey("sum")); len(got) != 2 {
		t.Errorf("recent: %v", got)
	}
	if got := again.Saved(sumKey("sum")); len(got) != 0 {
		t.Errorf("a deleted call came back: %v", got)
	}
	if err := a.Write(); err != nil {
		t.Errorf("with nothing to write: %v", err)
	}
}

// More changes than are kept for merging: what this program holds is written.
func TestManyUnwrittenCallsAreWritten(t *testing.T) {
	dir := t.TempDir()
	c := callsAt(t, dir)
	for i := range maxCallsChanges + 20 {
		c.Sent(CallKey{Server: fmt.Sprint(i), Method: "tools/call", Name: "sum"}, "{}", time.Now())
	}
	if err := c.Write(); err != nil {
		t.Fatal(err)
	}
	for i := range maxCallsChanges + 20 {
		if got := callsAt(t, dir).Recent(CallKey{Server: fmt.Sprint(i), Method: "tools/call", Name: "sum"}); len(got) != 1 {
			t.Fatalf("call %d: %v", i, got)
		}
	}
	c.Sent(sumKey("after"), "{}", time.Now())
	if err := c.Write(); err != nil || len(c.changes) != 0 || c.over != 0 {
		t.Errorf("%v, %d changes and %d over are left", err, len(c.changes), c.over)
	}
}
