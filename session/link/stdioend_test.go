//go:build unix

package link

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"mcploupe/recorder"
	peer "mcploupe/session/sessiontest"
)

// What a server wrote before it died is all there before its end is told.
func TestStdioOutputBeforeTheExitIsComplete_P8(t *testing.T) {
	const n = 20_000
	w := newWitness()
	start(t, quick(t, peer.Script{Steps: []peer.Step{peer.Flood(n), peer.Stderr("bye"), peer.Exit(1)}}), w)
	w.await(t, "Down", func() bool {
		if len(w.downs) == 1 && len(w.ins) != n {
			t.Fatalf("Down after %d of %d messages", len(w.ins), n)
		}
		return len(w.downs) == 1
	})
	events := w.log()
	if s, ok := events[len(events)-1].Fields.(*recorder.StateChange); !ok || s.State != "exited" || w.stderr() != "bye" {
		t.Errorf("last event %+v, stderr %q", events[len(events)-1], w.stderr())
	}
}

func TestStdioExitCodeSignalAndStderr_P8(t *testing.T) {
	for _, tc := range []struct {
		name string
		step peer.Step
		code int
		sig  string
		says string
	}{
		{"code", peer.Exit(3), 3, "", "exited with code 3"},
		{"zero", peer.Exit(0), 0, "", "exited with code 0"},
		{"killed", peer.Kill(9), -1, "killed", "by a signal (killed)"},
		{"terminated", peer.Kill(15), -1, "terminated", "by a signal (terminated)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWitness()
			l := start(t, quick(t, peer.Script{Steps: []peer.Step{peer.Expect("*"), peer.Stderr("last words"), peer.Raw("half a line"), tc.step}}), w)
			if err := l.Send(ctxFor(t), call(1, "x"), SendOptions{}); err != nil {
				t.Fatal(err)
			}
			w.await(t, "Down", func() bool { return len(w.downs) == 1 })
			d := w.down()[0]
			if d.Exit == nil || d.Exit.Code != tc.code || d.Exit.Signal != tc.sig || d.Exit.After <= 0 {
				t.Errorf("exit %+v", d.Exit)
			}
			if !strings.Contains(d.Err.Error(), tc.says) {
				t.Errorf("err %v", d.Err)
			}
			if !strings.HasPrefix(w.stderr(), "last words") || !strings.HasPrefix(l.StderrTail(), "last words") {
				t.Errorf("stderr %q, tail %q", w.stderr(), l.StderrTail())
			}
			if len(w.in()) != 1 || string(w.in()[0].Raw) != "half a line" {
				t.Errorf("in %+v", w.in())
			}
			exits := w.states("exited")
			if len(exits) != 1 || exits[0].Signal != tc.sig || (exits[0].ExitCode != nil) != (tc.code >= 0) {
				t.Fatalf("exits %+v", exits)
			}
			if err := l.Send(ctxFor(t), call(2, "x"), SendOptions{}); !errors.Is(err, ErrClosed) {
				t.Errorf("Send: %v", err)
			}
			if err := l.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestStdioStdoutClosedButAlive_STD11(t *testing.T) {
	w := newWitness()
	target := quick(t, peer.Script{Steps: []peer.Step{peer.CloseStdout(), peer.IgnoreEOF()}})
	target.StopGrace = 50 * time.Millisecond
	l := start(t, target, w)
	w.await(t, "Down", func() bool { return len(w.downs) == 1 })
	if d := w.down()[0]; d.Exit != nil || !strings.Contains(d.Err.Error(), "closed its standard output") {
		t.Errorf("down %+v", d)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if e := l.Exit(); e == nil || e.Signal != "terminated" {
		t.Errorf("exit %+v", e)
	}
	if len(w.down()) != 1 {
		t.Errorf("%d Downs", len(w.down()))
	}
}

func TestStdioTermThenKill_STD10(t *testing.T) {
	for _, tc := range []struct {
		name  string
		steps []peer.Step
		sig   string
		asked []string
	}{
		{"deaf to the end of input", []peer.Step{peer.IgnoreEOF()}, "terminated", []string{"SIGTERM"}},
		{"deaf to SIGTERM too", []peer.Step{peer.IgnoreEOF(), peer.IgnoreTerm()}, "killed", []string{"SIGTERM", "SIGKILL"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWitness()
			target := quick(t, peer.Script{Steps: append(tc.steps, peer.Line(`{"jsonrpc":"2.0","method":"up"}`))})
			target.StopGrace, target.KillGrace = 20*time.Millisecond, 20*time.Millisecond
			l := start(t, target, w)
			w.await(t, "the peer", func() bool { return len(w.ins) == 1 })
			if err := l.Close(); err != nil {
				t.Error(err)
			}
			if e := l.Exit(); e == nil || e.Signal != tc.sig {
				t.Errorf("exit %+v", e)
			}
			var asked []string
			for _, s := range w.states("closing") {
				asked = append(asked, s.Detail[strings.LastIndex(s.Detail, " ")+1:])
			}
			if strings.Join(asked, " ") != strings.Join(tc.asked, " ") {
				t.Errorf("asked %q", asked)
			}
			if len(w.down()) != 0 {
				t.Errorf("downs %+v", w.down())
			}
		})
	}
}

// running reports whether a process is there and not a zombie.
func running(pid int) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return syscall.Kill(pid, 0) == nil && !os.IsNotExist(err)
	}
	_, rest, _ := strings.Cut(string(b), ") ")
	return !strings.HasPrefix(rest, "Z") && !strings.HasPrefix(rest, "X")
}

// gone waits until a process that is not a child of ours has ended.
func gone(t *testing.T, pid int) {
	t.Helper()
	for limit := time.Now().Add(testTimeout); running(pid); runtime.Gosched() {
		if time.Now().After(limit) {
			t.Fatalf("process %d is still there", pid)
		}
	}
}

func TestStdioLeavesNoGrandchild_P19(t *testing.T) {
	for _, tc := range []struct {
		name string
		end  func(t *testing.T, w *witness, l *StdioLink)
	}{
		{"at Close", func(t *testing.T, w *witness, l *StdioLink) {}},
		{"when the server dies", func(t *testing.T, w *witness, l *StdioLink) {
			if err := l.Send(ctxFor(t), request(1, "die", "{}"), SendOptions{}); err != nil {
				t.Fatal(err)
			}
			w.await(t, "Down", func() bool { return len(w.downs) == 1 })
			if w.down()[0].Exit == nil || w.down()[0].Exit.Signal != "killed" {
				t.Errorf("down %+v", w.down()[0])
			}
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWitness()
			target := quick(t, peer.Script{Steps: []peer.Step{peer.Grandchild()}, On: map[string][]peer.Step{"die": {peer.Kill(9)}}})
			target.KillGrace = 50 * time.Millisecond
			l := start(t, target, w)
			var pid int
			w.await(t, "the grandchild", func() bool {
				for _, e := range w.events {
					if e.Kind == recorder.KindStderr {
						_, err := fmt.Sscanf(string(e.Data), "grandchild %d\n", &pid)
						return err == nil
					}
				}
				return false
			})
			if !running(pid) {
				t.Fatal("no grandchild")
			}
			tc.end(t, w, l)
			if err := l.Close(); err != nil {
				t.Error(err)
			}
			gone(t, pid)
		})
	}
}
