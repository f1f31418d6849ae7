package view

import (
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"mcploupe/recorder"
	"mcploupe/session"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/settings"
)

func TestMain(m *testing.M) {
	sessiontest.Main()
	goleak.VerifyTestMain(m)
}

// peer is a server that runs script.
func peer(t *testing.T, script sessiontest.Script) settings.Server {
	t.Helper()
	command, args, env := script.Command(t)
	target := session.Target{Name: "peer", Transport: session.Stdio, Command: command, Args: args}
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		target.Env = append(target.Env, session.EnvVar{Name: name, Value: value})
	}
	return settings.Server{ID: "1", Target: target}
}

// harness is a connection whose changes a test can wait for.
type harness struct {
	*Conn
	t       *testing.T
	changed chan struct{}
}

func newHarness(t *testing.T, server settings.Server) *harness {
	t.Helper()
	h := &harness{t: t, changed: make(chan struct{}, 1)}
	mark := func() {
		select {
		case h.changed <- struct{}{}:
		default:
		}
	}
	h.Conn = NewConn(server, ConnOptions{RecordingDir: t.TempDir(), App: "test", Changed: mark, Grown: mark})
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return h
}

// await returns when ok does, looking whenever something changed.
func (h *harness) await(what string, ok func() bool) {
	h.t.Helper()
	late := time.NewTimer(20 * time.Second)
	defer late.Stop()
	for {
		h.Take()
		if ok() {
			return
		}
		select {
		case <-h.changed:
		case <-late.C:
			phase, why := h.Phase()
			h.t.Fatalf("no %s: phase %s %s, steps %+v", what, phase.Word(), why, h.State().Steps)
		}
	}
}

func (h *harness) awaitPhase(want Phase) {
	h.t.Helper()
	h.await(want.Word(), func() bool { p, _ := h.Phase(); return p == want })
}

// newLog is a recording to append to.
func newLog(t *testing.T) *recorder.Log {
	t.Helper()
	log, err := recorder.Create(t.TempDir()+string(os.PathSeparator)+"x"+RecordingExt, recorder.Header{
		Format: recorder.Format, Created: time.Date(2026, 11, 30, 3, 12, 9, 0, time.UTC), App: "test",
		Target: recorder.Target{Name: "x", Transport: "stdio", Command: "x"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := log.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return log
}

func message(log *recorder.Log, dir recorder.Direction, at time.Duration, text string) uint64 {
	return log.Append(recorder.Event{Dir: dir, Kind: recorder.KindMessage, Channel: "stdio", Time: at, Data: []byte(text)})
}
