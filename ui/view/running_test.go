package view

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/session/sessiontest"
)

var runStart = time.Date(2026, 11, 30, 3, 12, 9, 0, time.UTC)

// runningState is a session with calls, in a revision.
func runningState(t *testing.T, revision string, calls ...session.CallState) session.State {
	t.Helper()
	r, ok := protocol.RevisionByName(revision)
	if !ok {
		t.Fatal(revision)
	}
	return session.State{Phase: session.Ready, Transport: string(session.Stdio), Revision: r, Calls: calls}
}

func titles(rows []RunRow) string {
	var b []string
	for _, r := range rows {
		b = append(b, r.Title)
	}
	return strings.Join(b, " ")
}

func TestRunningCallsAreListedAfterAWhile(t *testing.T) {
	call := func(key uint64, method, name string, phase session.CallPhase, age time.Duration) session.CallState {
		return session.CallState{Key: key, Method: method, Name: name, Phase: phase, Started: runStart.Add(-age)}
	}
	listen := call(9, protocol.MethodSubscriptionsListen, "", session.CallPending, time.Hour)
	listen.Subscription = 3
	st := runningState(t, "2025-11-25",
		call(1, "tools/call", "over", session.CallOK, time.Hour),
		call(2, "tools/call", "long", session.CallPending, 3*time.Second),
		call(3, "tools/call", "asks", session.CallWaiting, 2*time.Second),
		call(4, "tools/call", "task", session.CallWorking, time.Second),
		call(5, "tasks/get", "T", session.CallPending, time.Second),
		call(6, "ping", "", session.CallPending, time.Second),
		call(7, "resources/list", "", session.CallPending, time.Second),
		call(8, "tools/call", "new", session.CallPending, 200*time.Millisecond),
		listen)
	var runs Runs
	runs.Take(nil, st, runStart)
	if got := titles(runs.Rows()); got != "long asks task resources/list" {
		t.Errorf("listed: %s", got)
	}
	if next := runs.Next(); next != 100*time.Millisecond {
		t.Errorf("looks again after %s, want what the new call lacks", next)
	}
	runs.Take(nil, st, runStart.Add(runs.Next()))
	if got := titles(runs.Rows()); !strings.HasSuffix(got, " new") {
		t.Errorf("listed: %s", got)
	}
	st.Calls = st.Calls[:1]
	runs.Take(nil, st, runStart)
	if len(runs.Rows()) != 0 || runs.Next() != 0 {
		t.Errorf("nothing runs, and %d rows and a look after %s", len(runs.Rows()), runs.Next())
	}
	st.Calls = []session.CallState{call(2, "tools/call", "long", session.CallPending, 3*time.Second)}
	st.Phase = session.Failed
	runs.Take(nil, st, runStart)
	if len(runs.Rows()) != 0 {
		t.Error("calls of a lost session run")
	}
}

func TestRunRowsTellProgress(t *testing.T) { // PROG-02, PROG-07
	var runs Runs
	c := session.CallState{Key: 1, Method: "tools/call", Name: "x\u202ey", Phase: session.CallPending, Started: runStart}
	row := func(after time.Duration, progress, total string) RunRow {
		c.Progress = protocol.Progress{Progress: progress, Total: total, Message: "step"}
		runs.Take(nil, runningState(t, "2025-11-25", c), runStart.Add(after))
		return runs.Rows()[0]
	}
	r := row(time.Second, "0.5", "")
	if r.Total || r.Count != "0.5" || r.Rate != "" || r.Elapsed != "1 s" || strings.Contains(r.Title, "\u202e") {
		t.Errorf("%+v", r)
	}
	if r = row(3*time.Second, "1.5", "4"); !r.Total || r.Share != 0.375 || r.Count != "1.5 of 4" || r.Rate != "0.5/s" || r.Message != "step" {
		t.Errorf("%+v", r)
	}
	if r = row(20*time.Second, "1.5", "4"); r.Rate != "nothing for 17 s" {
		t.Errorf("a call that stands still: %q", r.Rate)
	}
	c.Reports = []session.Finding{{Seq: 7, Problem: protocol.Problem{Rule: "L-PROG-02"}}, {Seq: 8, Problem: protocol.Problem{Rule: "L-PROG-02"}}}
	if r = row(21*time.Second, "1", "4"); r.Rate != "" || r.Odd != "progress went back (2 findings)" || r.OddSeq != 7 || !slices.Contains(r.Words(), r.Odd) {
		t.Errorf("%+v", r)
	}
	if r = row(22*time.Second, "9007199254740993", ""); r.Count != "9007199254740993" {
		t.Errorf("count %s", r.Count)
	}
}

func TestRatesCanBeRead(t *testing.T) {
	for rate, want := range map[float64]string{2500: "2\u202f500/s", 48: "48/s", 0.5: "0.5/s", 0.02: "1.2/min", 0.0005: "1.8/h"} {
		got := perTime(rate)
		if strings.ReplaceAll(got, "\u2009", "\u202f") != want && got != want {
			t.Errorf("%g is %q, want %q", rate, got, want)
		}
	}
}

func TestTheWayOfACancellation(t *testing.T) { // CAN-03, CAN-07
	for _, c := range []struct {
		revision, transport string
		phase               session.CallPhase
		says                string
		reason              bool
	}{
		{"2025-11-25", "stdio", session.CallPending, "notifications/cancelled", true},
		{"2025-11-25", "http", session.CallPending, "notifications/cancelled", true},
		{"2026-07-28", "stdio", session.CallPending, "notifications/cancelled", true},
		{"2026-07-28", "http", session.CallPending, "stream of its answer is closed", false},
		{"2026-07-28", "http", session.CallWaiting, "Nothing goes out", false},
		{"2025-11-25", "stdio", session.CallWorking, "tasks/cancel", false},
	} {
		st := runningState(t, c.revision)
		st.Transport = c.transport
		var runs Runs
		r := runs.Row(session.CallState{Phase: c.phase}, st, runStart)
		if !strings.Contains(r.Way, c.says) || r.Reason != c.reason {
			t.Errorf("%+v: %q, reason %v", c, r.Way, r.Reason)
		}
	}
}

func TestALateAnswerIsShownWithItsContent(t *testing.T) { // CAN-05, case 135
	out := OutcomeOf(session.CallState{
		Method: "tools/call", Phase: session.CallCancelled, Err: "Cancelled: enough", Late: true, LateBy: 2100 * time.Millisecond, AnswerSeq: 9,
		Answer: protocol.Parse([]byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"after all"}]}}`)),
	}, nil)
	if !strings.Contains(out.Head, "Cancelled") || !strings.Contains(out.Head, "the answer came 2.10 s after it was cancelled") || out.Tone != Caution {
		t.Errorf("head %q, tone %v", out.Head, out.Tone)
	}
	if len(out.Parts) < 2 || string(out.Parts[0].Body) != "after all" || !strings.Contains(out.Text, "enough") {
		t.Errorf("%+v", out)
	}
	out = OutcomeOf(session.CallState{
		Method: "tools/call", Phase: session.CallTimedOut, Err: "No answer.", Late: true, LateBy: time.Second,
		Answer: protocol.Parse([]byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"too late"}}`)),
	}, nil)
	if !strings.Contains(out.Head, "after the time-out") || !strings.Contains(out.Text, "too late") || out.Tone != Bad {
		t.Errorf("%+v", out)
	}
}

func TestWhatComesAfterTheEndMakesAnotherOutcome(t *testing.T) { // CAN-05, CAN-06, PROG-07
	h := newHarness(t, peer(t, sessiontest.Server().With("tools/call",
		sessiontest.Delay(200*time.Millisecond), // it does not look whether it was cancelled
		sessiontest.Reply(`{"content":[{"type":"text","text":"after all"}]}`))))
	h.connected(t)
	run, err := h.Send(Request{Method: protocol.MethodToolsCall, Params: jsontext.Value(`{"name":"good"}`)}, h.Conn.o.Changed)
	if err != nil {
		t.Fatal(err)
	}
	run.Cancel("enough")
	h.end(run)
	h.await("the late answer", func() bool {
		out, ok := run.Outcome()
		return ok && strings.Contains(out.Head, "the answer came") && string(out.Parts[0].Body) == "after all"
	})
}
