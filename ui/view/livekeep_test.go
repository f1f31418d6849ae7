package view

import (
	"fmt"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/settings"
)

// The tasks of a server that are not over are followed again by the next run of
// the program, until they are over (TSKX-06, TASK-22).
func TestUnfinishedTasksOutliveTheProgram(t *testing.T) {
	h := newHarness(t, peer(t, sessiontest.CoreTaskServer().
		With("tools/call", sessiontest.Reply(`{"task":`+sessiontest.CoreTask("working")+`}`)).
		With("tasks/get", sessiontest.Reply(sessiontest.CoreTask("working"))).
		With("tasks/cancel", sessiontest.Reply(sessiontest.CoreTask("cancelled")))))
	h.Connect()
	h.await("the tools", func() bool { return h.State().Lists[session.Tools].Status == session.ListComplete })
	if _, changed := h.KeepTasks(); changed {
		t.Error("there is something to keep before there is a task")
	}
	if _, err := h.Send(Request{Method: protocol.MethodToolsCall, Params: jsontext.Value(`{"name":"must"}`)}, func() {}); err != nil {
		t.Fatal(err)
	}
	h.await("the task", func() bool { return len(h.State().Tasks) == 1 })
	kept, changed := h.KeepTasks()
	if want := (session.TaskRef{ID: sessiontest.TaskID, Kind: protocol.TaskCore, Tool: "must"}); !changed || len(kept.Tasks.Refs) != 1 || kept.Tasks.Refs[0] != want {
		t.Fatalf("kept %+v", kept.Tasks)
	}
	if _, changed := h.KeepTasks(); changed {
		t.Error("the same is kept again")
	}
	h.Disconnect()
	h.awaitPhase(Disconnected)
	if again, changed := h.KeepTasks(); changed || len(again.Tasks.Refs) != 1 {
		t.Errorf("after the end of the connection %+v is kept", again.Tasks)
	}

	for name, change := range map[string]func(s *settings.Server){
		"another server": func(s *settings.Server) { s.Target.Args = append(s.Target.Args[:1:1], "-test.v") },
		"a switch":       func(s *settings.Server) { s.Live.Forget = true },
	} {
		other := kept
		change(&other)
		if r := newHarness(t, other).takeUp(other); r != nil {
			t.Errorf("%s: %+v is taken up", name, r)
		}
	}

	next := newHarness(t, kept)
	next.Connect()
	next.await("the task of the earlier run", func() bool {
		return len(next.State().Tasks) == 1 && next.State().Tasks[0].Polls > 0
	})
	if task := next.State().Tasks[0]; task.Origin != session.TaskRestored || task.Tool != "must" || !task.Followed() {
		t.Errorf("%+v", task)
	}
	if text, _ := next.Restored(); text != "Asked for again: 1 task." {
		t.Errorf("it says %q", text)
	}
	if _, changed := next.KeepTasks(); changed {
		t.Error("a task that is taken up is kept anew")
	}
	if err := next.Session().CancelTask(t.Context(), next.State().Tasks[0].Key); err != nil {
		t.Fatal(err)
	}
	next.await("its end", func() bool { return next.State().Tasks[0].Over() })
	if over, changed := next.KeepTasks(); !changed || over.Tasks.Of != "" || len(over.Tasks.Refs) != 0 {
		t.Errorf("a task that is over is kept: %+v", over.Tasks)
	}
}

func TestKeptTasksAreBounded(t *testing.T) {
	kept := settings.Tasks{Of: "here"}
	for i := range maxKeptTasks + 5 {
		kept.Refs = append(kept.Refs, session.TaskRef{ID: fmt.Sprint(i), Kind: protocol.TaskCore})
	}
	if got := unfinished(session.State{}, kept, "here"); len(got) != maxKeptTasks || got[len(got)-1].ID != fmt.Sprint(maxKeptTasks+4) {
		t.Errorf("%d are kept, the last is %v", len(got), got[len(got)-1])
	}
	if got := unfinished(session.State{}, kept, "elsewhere"); len(got) != 0 {
		t.Errorf("%d of another server are kept", len(got))
	}
}
