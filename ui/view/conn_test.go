package view

import (
	"context"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mcploupe/session"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/settings"
)

func TestConnectListsAndRecords(t *testing.T) {
	h := newHarness(t, peer(t, sessiontest.Server()))
	if p, _ := h.Phase(); p != Idle || h.Log() != nil {
		t.Fatalf("a new connection is %s and has recorded something", p.Word())
	}
	h.Connect()
	h.awaitPhase(Connected)
	h.await("tools", func() bool { return h.State().Lists[session.Tools].Status == session.ListComplete })
	if n := h.State().Lists[session.Tools].Count; n != 2 {
		t.Errorf("%d tools, want 2", n)
	}
	head := HeadOf(h.Conn)
	if head.Name != "sessiontest 1" || head.Word != "connected" || !strings.Contains(strings.Join(head.Parts, " "), "2025-11-25 stdio") {
		t.Errorf("head %+v", head)
	}
	if BarOf(h.Conn) != nil {
		t.Error("a bar although all is well")
	}
	name := filepath.Base(h.Path())
	if !strings.HasPrefix(name, "peer-2") || !strings.HasSuffix(name, RecordingExt) {
		t.Errorf("recording %q is not named by server and time", name)
	}
	path := h.Path()
	h.Disconnect()
	h.awaitPhase(Disconnected)
	if bar := BarOf(h.Conn); bar == nil || bar.Action != "Reconnect" {
		t.Errorf("bar after a disconnect: %+v", bar)
	}
	before := h.Log().Len()
	h.Reconnect()
	h.awaitPhase(Connected)
	if h.Path() != path || h.Log().Len() <= before {
		t.Errorf("reconnecting went to %s with %d events after %d", h.Path(), h.Log().Len(), before)
	}
}

// STDIO: a server that ends at once is told by its exit code and last words.
func TestFailedConnectSaysWhy(t *testing.T) {
	h := newHarness(t, peer(t, sessiontest.Script{Steps: []sessiontest.Step{
		sessiontest.Stderr("cannot open database\n"), sessiontest.Exit(3),
	}}))
	h.Connect()
	h.awaitPhase(Failed)
	r := ReportOf(h.Conn)
	if !strings.Contains(r.Exit, "exit code 3") {
		t.Errorf("exit %q", r.Exit)
	}
	if !strings.Contains(r.Stderr, "cannot open database") {
		t.Errorf("stderr %q", r.Stderr)
	}
	if len(r.Steps) == 0 || len(r.Advice) == 0 {
		t.Errorf("%d steps, advice %q", len(r.Steps), r.Advice)
	}
	text := r.Text()
	for _, want := range []string{"Could not connect to peer", "exit code 3", "cannot open database", "Try: "} {
		if !strings.Contains(text, want) {
			t.Errorf("the copied report lacks %q:\n%s", want, text)
		}
	}
}

func TestCommandThatIsNotThere(t *testing.T) {
	server := peer(t, sessiontest.Server())
	server.Target.Command = filepath.Join(t.TempDir(), "no-such-program")
	h := newHarness(t, server)
	h.Connect()
	h.awaitPhase(Failed)
	if r := ReportOf(h.Conn); !strings.Contains(r.Text(), "no-such-program") || r.Reason == "" {
		t.Errorf("report:\n%s", r.Text())
	}
	h.Reconnect()
	h.awaitPhase(Failed)
}

func TestLostConnectionKeepsEverything(t *testing.T) {
	h := newHarness(t, peer(t, sessiontest.Server().With("tools/call", sessiontest.Stderr("out of memory\n"), sessiontest.Exit(137))))
	h.Connect()
	h.awaitPhase(Connected)
	h.await("tools", func() bool { return h.State().Lists[session.Tools].Status == session.ListComplete })
	sess := h.Session()
	call, err := sess.Do(h.Context(), sess.NewRequest("tools/call", []byte(`{"name":"good"}`)), session.CallOptions{})
	if err != nil {
		t.Fatal(err)
	}
	h.awaitPhase(Lost)
	if _, err := call.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	bar := BarOf(h.Conn)
	if bar == nil || bar.Action != "Reconnect" || !strings.Contains(bar.Text, "exit code 137") {
		t.Fatalf("bar %+v", bar)
	}
	h.await("last words", func() bool { return strings.Contains(BarOf(h.Conn).Detail, "out of memory") })
	if h.State().Lists[session.Tools].Count != 2 || h.State().Server.Name != "sessiontest" {
		t.Error("what was known of the server is gone")
	}
	events := h.Log().Len()
	h.Reconnect()
	h.awaitPhase(Connected)
	if h.Log().Len() <= events {
		t.Error("the recording did not go on")
	}
}

func TestCancelConnecting(t *testing.T) {
	h := newHarness(t, peer(t, sessiontest.Script{Steps: []sessiontest.Step{sessiontest.Hang()}}))
	h.Connect()
	h.await("a step", func() bool { return len(h.State().Steps) > 0 })
	if p, _ := h.Phase(); p != Connecting {
		t.Fatalf("phase %s", p.Word())
	}
	h.Disconnect()
	h.awaitPhase(Disconnected)
}

func TestCloseWhileConnecting(t *testing.T) {
	h := newHarness(t, peer(t, sessiontest.Script{Steps: []sessiontest.Step{sessiontest.Hang()}}))
	h.Connect()
	h.await("a step", func() bool { return len(h.State().Steps) > 0 })
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	h.Connect()
	if p, _ := h.Phase(); p == Connected {
		t.Error("connected after Close")
	}
}

func TestOpenRecording(t *testing.T) {
	h := newHarness(t, peer(t, sessiontest.Server()))
	h.Connect()
	h.awaitPhase(Connected)
	h.await("tools", func() bool { return h.State().Lists[session.Tools].Status == session.ListComplete })
	path, events := h.Path(), h.Log().Len()
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	c, err := OpenRecording(t.Context(), path, nil, ConnOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}()
	if p, _ := c.Phase(); p != File || c.Log().Len() < events {
		t.Errorf("phase %s, %d events, want %d", p.Word(), c.Log().Len(), events)
	}
	c.Connect()
	c.Reconnect()
	if p, _ := c.Phase(); p != File {
		t.Error("a recording connected to its server")
	}
	if o := OverviewOf(c); len(o.Recording) == 0 || !strings.Contains(facts(o.Connection).text(), "stdio") {
		t.Errorf("overview %+v", o)
	}
	if _, err := OpenRecording(t.Context(), filepath.Join(t.TempDir(), "none"), nil, ConnOptions{}); err == nil {
		t.Error("a file that is not there was opened")
	}
}

// A recording tells the same of a server as the session did.
func TestRecordingKnowsItsServer(t *testing.T) {
	h := newHarness(t, peer(t, sessiontest.Server().With("tools/list", sessiontest.Stderr("one\ntwo\n"), sessiontest.Line("INFO stray"), sessiontest.Reply(sessiontest.ToolsResult))))
	h.Connect()
	h.awaitPhase(Connected)
	h.await("tools", func() bool { return h.State().Lists[session.Tools].Status == session.ListComplete })
	h.await("stderr", func() bool { return strings.Contains(h.State().StderrTail, "two") })
	want, path := h.State(), h.Path()
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	changed := make(chan struct{}, 1)
	c, err := OpenRecording(t.Context(), path, nil, ConnOptions{Changed: func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}()
	select {
	case <-changed:
	case <-time.After(20 * time.Second):
		t.Fatal("the recording was not searched")
	}
	got := c.State()
	if got.Server.Name != want.Server.Name || got.Revision != want.Revision || got.StderrTail != want.StderrTail ||
		string(got.ClientCapabilities) != string(want.ClientCapabilities) || !got.ServerCapabilities.Tools {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	if len(got.Findings) == 0 || got.Findings[0].Rule != want.Findings[0].Rule {
		t.Errorf("findings %+v, want %+v", got.Findings, want.Findings)
	}
}

func (f facts) text() string {
	var b strings.Builder
	for _, x := range f {
		b.WriteString(x.Label + "=" + x.Value + "\n")
	}
	return b.String()
}

func TestAnotherTargetStartsAnotherRecording(t *testing.T) {
	h := newHarness(t, peer(t, sessiontest.Server()))
	h.Connect()
	h.awaitPhase(Connected)
	first := h.Path()
	h.Disconnect()
	h.awaitPhase(Disconnected)
	other := peer(t, sessiontest.Server())
	other.Target.Args = append(other.Target.Args, "-test.v")
	h.SetServer(other)
	h.Connect()
	h.awaitPhase(Connected)
	if h.Path() == first {
		t.Error("another server is recorded in the same file")
	}
}

// Not giving the values that a server needs is no failure of it.
func TestValuesThatAreNotGiven(t *testing.T) {
	h := newHarness(t, peer(t, sessiontest.Server()))
	var given atomic.Bool
	h.o.Resolve = func(_ context.Context, s settings.Server) (session.Target, error) {
		if !given.Load() {
			return session.Target{}, ErrNotGiven
		}
		return s.Target, nil
	}
	why := func() string { _, why := h.Phase(); return why }
	h.Connect()
	h.await("the end of the attempt", func() bool { return why() != "" })
	if p, _ := h.Phase(); p != Idle || !strings.Contains(why(), "values that were not given") || h.Log() != nil {
		t.Errorf("%s: %q", p.Word(), why())
	}
	given.Store(true)
	h.Connect()
	h.awaitPhase(Connected)
	given.Store(false)
	h.Reconnect()
	h.awaitPhase(Disconnected)
}
