package link

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/windows"

	peer "mcploupe/session/sessiontest"
)

// echoVar makes the test binary a server that says its own command line and
// ends with its input.
const echoVar = "LINK_TEST_ECHO"

func init() { asHost = runEcho }

func runEcho() {
	if os.Getenv(echoVar) == "" {
		return
	}
	line, err := json.Marshal(windows.UTF16PtrToString(windows.GetCommandLine()))
	if err != nil {
		os.Exit(1)
	}
	fmt.Printf("{\"jsonrpc\":\"2.0\",\"method\":\"echo\",\"params\":{\"line\":%s}}\n", line)
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}

func TestStdioServerRunsAndEndsInItsJob(t *testing.T) {
	w := newWitness()
	command, args, env := peer.Script{Steps: []peer.Step{peer.Grandchild(), peer.IgnoreEOF()}}.Command(t)
	l, err := StartStdio(ctxFor(t), StdioTarget{Command: command, Args: args, Env: env, StopGrace: 200 * time.Millisecond, KillGrace: 200 * time.Millisecond}, w, w)
	if err != nil {
		t.Fatal(err)
	}
	group := l.(*StdioLink).proc.group
	if !group.alive() {
		t.Error("the job is empty while the server runs")
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if e := l.(*StdioLink).Exit(); e == nil || e.Code == 0 {
		t.Errorf("exit %+v of a server that does not end by itself", e)
	}
}

// What a batch file is given arrives as it was, and nothing else runs.
func TestBatchFileGetsItsArguments(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "50% & more")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "echo.cmd"), []byte("@\"%LINK_TEST_SELF%\" %*\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"-y", "@scope/server", "stdio"}, {"two words", ""}, {`a"b`, `"&echo harm`, `x" & echo harm & "`}, {`%PATH%`, `100%`}, {`C:\dir\`, `\"`}, {"a&b", "a|b", "a^b", "(a)", "!x!"},
	} {
		w := newWitness()
		l, err := StartStdio(ctxFor(t), StdioTarget{Command: filepath.Join(dir, "echo"), Args: args,
			Env: []string{echoVar + "=1", "LINK_TEST_SELF=" + self}}, w, w)
		if err != nil {
			t.Errorf("%q: %v", args, err)
			continue
		}
		w.await(t, fmt.Sprintf("line of a batch file that gets %q", args), func() bool { return len(w.ins) > 0 })
		var said struct{ Params struct{ Line string } }
		if err := json.Unmarshal(w.in()[0].Raw, &said); err != nil {
			t.Errorf("%q: %v in %s", args, err, w.in()[0].Raw)
		} else if got := cArguments(said.Params.Line); len(got) == 0 || !slices.Equal(got[1:], args) {
			t.Errorf("%q arrives as %q of %s", args, got, said.Params.Line)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		if n := len(w.in()); n != 1 || strings.Contains(string(w.in()[0].Raw), "harm\r") {
			t.Errorf("%q: %d lines came", args, n)
		}
	}
}
