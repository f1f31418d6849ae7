package view

import (
	"strings"
	"testing"
	"time"

	"mcploupe/protocol"
	"mcploupe/session"
)

// coreCan is a session with a server that has tasks of 2025-11-25.
func coreCan(t *testing.T, calls, list bool) session.State {
	t.Helper()
	st := runningState(t, "2025-11-25")
	st.TaskCapabilities = protocol.TaskCapabilities{Kind: protocol.TaskCore, Calls: calls, List: list}
	return st
}

func TestTasksOnTheBoard(t *testing.T) { // TASK-08, TASK-17, TASK-22
	now := runStart.Add(time.Minute)
	working := session.Task{
		Key: 1, ID: "77f9146594654cb9a266537db639efbd", Kind: protocol.TaskCore, Tool: "a\u202eb", Status: protocol.TaskWorking, Message: "busy",
		Since: runStart, Changed: runStart, TTL: "90000", Expires: runStart.Add(90 * time.Second), Polls: 3, NextPoll: now.Add(4500 * time.Millisecond),
	}
	with := func(change func(*session.Task)) session.Task {
		task := working
		change(&task)
		return task
	}
	for _, c := range []struct {
		task               session.Task
		state, glyph, life string
		polls, mark        string
	}{
		{working, "working", "◌", "30 s", "3 · in 4 s", ""},
		{with(func(t *session.Task) { t.Status = protocol.TaskInputRequired; t.Polling = true }), "asks for input", "?", "30 s", "3 · now", ""},
		{with(func(t *session.Task) { t.Status = protocol.TaskCompleted; t.NextPoll = time.Time{} }), "completed", "✓", "30 s", "3", ""},
		{with(func(t *session.Task) { t.Status = protocol.TaskFailed; t.TTL, t.Expires = "null", time.Time{} }), "failed", "✕", "unlimited", "3 · in 4 s", ""},
		{with(func(t *session.Task) { t.Status = protocol.TaskCancelled; t.Expires = runStart }), "cancelled", "■", "over", "3 · in 4 s", ""},
		{with(func(t *session.Task) { t.Cancelling = now }), "cancel asked", "◌", "30 s", "3 · in 4 s", ""},
		{with(func(t *session.Task) { t.Loss = session.TaskGone; t.Expires = runStart }), "gone", "!", "over for 1 min 00 s", "3 · in 4 s", ""},
		{with(func(t *session.Task) { t.Status = "thinking"; t.TTL = "" }), "thinking", "·", "not told", "3 · in 4 s", ""},
		{with(func(t *session.Task) { t.Origin = session.TaskListed; t.Status = "" }), "not told yet", "·", "30 s", "3 · in 4 s", "found in the list"},
	} {
		r := TaskRowOf(c.task, now)
		if r.State != c.state || r.Glyph != c.glyph || r.Life != c.life || r.Polls != c.polls || r.Mark != c.mark {
			t.Errorf("want %s %s %q %q %q, got %+v", c.state, c.glyph, c.life, c.polls, c.mark, r)
		}
		if strings.Contains(r.Tool, "\u202e") || r.Age != "1 min 00 s" || len([]rune(r.ID)) > 12 {
			t.Errorf("%+v", r)
		}
	}
	st := session.State{Tasks: []session.Task{working, with(func(t *session.Task) { t.Key, t.Status = 2, protocol.TaskCompleted }), with(func(t *session.Task) { t.Key, t.Loss = 3, session.TaskGone })}}
	if n := RunningTasks(st); n != 1 {
		t.Errorf("%d tasks run", n)
	}
	if rows := TaskRows(st, now); rows[0].Key != 3 || rows[2].Key != 1 {
		t.Error("the newest task is not first")
	}
}

func TestWhatCanBeDoneAboutATask(t *testing.T) { // TASK-17, TSKX-18
	now := runStart
	task := session.Task{Key: 4, ID: "T", Kind: protocol.TaskCore, Status: protocol.TaskWorking, Since: now, NextPoll: now, CreatedSeq: 3, StatusSeq: 5, Call: 9}
	st := session.State{
		Asks:  []session.Ask{{Key: 1, Task: 3}, {Key: 2, Task: 4, State: session.AskAnswered}, {Key: 3, Task: 4}},
		Calls: []session.CallState{{Key: 9, Method: "tools/call", Name: "x", Immediate: "patience"}},
	}
	d := TaskDetailOf(st, task, now)
	if !d.Cancel || !d.Poll || d.Fetch || d.Follow || d.Ask != 3 || d.Seq != 5 || d.Result != 0 || d.NoResult == "" {
		t.Errorf("a task that goes on: %+v", d)
	}
	text := ""
	for _, f := range d.Facts {
		text += f.Label + "=" + f.Value + "\n"
	}
	for _, want := range []string{"Id=T", "Call=tools/call x", "Meanwhile=patience", "Shape=2025-11-25"} {
		if !strings.Contains(text, want) {
			t.Errorf("the facts lack %q:\n%s", want, text)
		}
	}
	task.Status, task.NextPoll, task.Origin = protocol.TaskCompleted, time.Time{}, session.TaskListed
	if d = TaskDetailOf(st, task, now); d.Cancel || !d.Fetch {
		t.Errorf("a task of another that is over: %+v", d)
	}
	task.ResultSeq = 8
	if d = TaskDetailOf(st, task, now); d.Fetch || d.Result != 8 || d.Seq != 8 || d.NoResult != "" {
		t.Errorf("a task with its result: %+v", d)
	}
}

func TestWhenAToolIsCalledAsATask(t *testing.T) { // TASK-02 to TASK-06, TSKX-02, TSKX-19
	modern := runningState(t, "2026-07-28")
	extension := modern
	extension.TaskCapabilities = protocol.TaskCapabilities{Kind: protocol.TaskExtension, Calls: true, Cancel: true}
	for _, c := range []struct {
		name    string
		st      session.State
		support string
		want    TaskOffer // without Why
		why     string
	}{
		{"optional", coreCan(t, true, false), "optional", TaskOffer{Can: true, TTL: true}, ""},
		{"required", coreCan(t, true, false), "required", TaskOffer{On: true, TTL: true}, "TASK-06"},
		{"forbidden", coreCan(t, true, false), "forbidden", TaskOffer{Can: true, Force: true, TTL: true}, `"forbidden"`},
		{"says nothing", coreCan(t, true, false), "", TaskOffer{Can: true, Force: true, TTL: true}, "TASK-04"},
		{"not declared", coreCan(t, false, false), "required", TaskOffer{Can: true, Force: true, TTL: true}, "TASK-03"},
		{"older", runningState(t, "2025-06-18"), "required", TaskOffer{}, "2025-06-18 has no tasks"},
		{"extension", extension, "", TaskOffer{}, "TSKX-02"},
		{"modern without", modern, "required", TaskOffer{}, "does not declare the extension"},
	} {
		got := TaskOfferOf(c.st, c.support)
		why := got.Why
		got.Why = ""
		if got != c.want || !strings.Contains(why, c.why) || c.why == "" && why != "" {
			t.Errorf("%s: %+v, %q", c.name, got, why)
		}
	}
}

func TestWhetherTasksCanBeListed(t *testing.T) { // TASK-18, TSKX-18
	if ok, _ := CanListTasks(coreCan(t, true, true)); !ok {
		t.Error("a server that declares tasks.list")
	}
	if ok, why := CanListTasks(coreCan(t, true, false)); ok || !strings.Contains(why, "TASK-18") {
		t.Errorf("a server that does not: %q", why)
	}
	st := runningState(t, "2026-07-28")
	st.TaskCapabilities.Kind = protocol.TaskExtension
	if ok, why := CanListTasks(st); ok || !strings.Contains(why, "TSKX-18") {
		t.Errorf("the extension: %q", why)
	}
}

func TestHowATaskEnded(t *testing.T) { // TASK-09, TASK-23, TSKX-07
	result := `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"done"}]}}`
	told := `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","taskId":"T","status":"completed","result":{"content":[{"type":"text","text":"done"}]}}}`
	failed := `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"out of film"}}`
	for _, c := range []struct {
		kind protocol.TaskKind
		raw  string
		tone Tone
		body string
	}{{protocol.TaskCore, result, Good, "done"}, {protocol.TaskExtension, told, Good, "done"}, {protocol.TaskCore, failed, Bad, ""}} {
		out, ok := TaskOutcome(session.Task{Kind: c.kind, ResultSeq: 3, Since: runStart, Changed: runStart.Add(time.Second)}, protocol.Parse([]byte(c.raw)), nil)
		if !ok || out.Tone != c.tone || out.Seq != 3 || c.body != "" && string(out.Parts[0].Body) != c.body || c.body == "" && !strings.Contains(out.Text, "out of film") {
			t.Errorf("%s: %v %+v", c.raw, ok, out)
		}
	}
	if _, ok := TaskOutcome(session.Task{Kind: protocol.TaskExtension}, protocol.Parse([]byte(`{"jsonrpc":"2.0","id":1,"result":{"taskId":"T","status":"working"}}`)), nil); ok {
		t.Error("a task that goes on has an outcome")
	}
}
