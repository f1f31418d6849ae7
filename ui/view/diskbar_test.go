package view

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcploupe/session"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/settings"
)

// The folder of the recording goes away and something is in its place: the bar
// says so as long as it lasts, the session goes on, and afterwards all is in the
// file.
func TestBarTellsThatTheRecordingIsGone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "recordings")
	command, args, env := sessiontest.Server().Command(t)
	target := session.Target{Name: "good", Command: command, Args: args}
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		target.Env = append(target.Env, session.EnvVar{Name: name, Value: value})
	}
	changed := make(chan struct{}, 1)
	c := NewConn(settings.Server{Target: target}, ConnOptions{RecordingDir: dir, App: "test", Changed: func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}})
	defer func() { _ = c.Close() }() // closed below when all goes well
	await := func(what string, ok func() bool) {
		t.Helper()
		for c.Take(); !ok(); c.Take() {
			select {
			case <-changed:
			case <-t.Context().Done():
				t.Fatalf("no %s", what)
			}
		}
	}
	c.Connect()
	await("connection", func() bool { phase, _ := c.Phase(); return phase == Connected })
	if b := BarOf(c); b != nil {
		t.Errorf("a connection that is well has the bar %+v", b)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	await("bar", func() bool { return BarOf(c) != nil })
	b := BarOf(c)
	if !strings.Contains(b.Text, "removed from its folder and cannot be put back") || !strings.Contains(b.Detail, "nothing is lost") || b.Does != BarCopyRecording {
		t.Errorf("the bar is %+v", b)
	}
	if err := c.Session().Refresh(t.Context(), session.Tools); err != nil {
		t.Errorf("the session does not go on: %v", err)
	}
	copied := filepath.Join(t.TempDir(), "copy.mcp.jsonl")
	if err := c.CopyRecording(t.Context(), copied, nil); err != nil {
		t.Errorf("what is recorded cannot be saved: %v", err)
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	await("recovery", func() bool { _, n := c.Recovered(); return n > 0 })
	if text, _ := c.Recovered(); !strings.Contains(text, "put back with all it held") || BarOf(c) != nil {
		t.Errorf("afterwards %q, %+v", text, BarOf(c))
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(c.Path())
	if err != nil {
		t.Fatal(err)
	}
	part, err := os.ReadFile(copied)
	if err != nil || len(part) == 0 || !strings.HasPrefix(string(whole), string(part)) {
		t.Errorf("%d bytes were copied of %d, %v", len(part), len(whole), err)
	}
}

// Over HTTP a server can go without the session ending: the bar says that the
// last request was lost, until one is answered.
func TestBarTellsThatTheServerIsNotReached(t *testing.T) {
	lost := session.CallState{Phase: session.CallLost, Err: "Nothing listens at 127.0.0.1:7300."}
	fine := session.CallState{Phase: session.CallOK}
	for name, c := range map[string]struct {
		st    session.State
		shown bool
	}{
		"lost":          {session.State{Transport: "http", Calls: []session.CallState{fine, lost}}, true},
		"while waiting": {session.State{Transport: "http", Calls: []session.CallState{lost, {Phase: session.CallPending}}}, true},
		"answered":      {session.State{Transport: "http", Calls: []session.CallState{lost, fine}}, false},
		"over stdio":    {session.State{Transport: "stdio", Calls: []session.CallState{lost}}, false},
		"subscription":  {session.State{Transport: "http", Calls: []session.CallState{fine, {Phase: session.CallLost, Subscription: 1}}}, false},
		"no call":       {session.State{Transport: "http"}, false},
	} {
		b := unreachedBar(c.st)
		if (b != nil) != c.shown || b != nil && (b.Text != "The last request was lost: Nothing listens at 127.0.0.1:7300." || b.Action != "Reconnect") {
			t.Errorf("%s: %+v", name, b)
		}
	}
}

// A folder where nothing can be written is named, with the reason and without the
// steps that led to it.
func TestBarTellsWhyARecordingIsElsewhere(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	in := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(in, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	h := newHarness(t, saved(peer(t, sessiontest.Server()), "s"))
	h.o.RecordingDir = filepath.Join(in, "recordings")
	h.Connect()
	h.awaitPhase(Connected)
	b := BarOf(h.Conn)
	if b == nil || !strings.Contains(b.Text, "nothing can be written in "+h.o.RecordingDir+", not a directory") || !strings.HasPrefix(b.Detail, "Save a copy") || !strings.HasSuffix(b.Detail, h.Path()) {
		t.Errorf("the bar is %+v", b)
	}
}
