package session

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/protocol"
	"mcploupe/session/link"
	"mcploupe/session/sessiontest"
)

func TestALaterSessionGoesOnWithTheTasks(t *testing.T) { // TSKX-06, TASK-22
	for _, modern := range []bool{false, true} {
		t.Run(fmt.Sprint(modern), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := sessiontest.TaskCase{Modern: modern, Gets: []string{sessiontest.CoreTask("working")}}
				if modern {
					c.Gets = []string{sessiontest.ModernTask("working", "")}
				}
				s, done := openScript(t, c.Script(), Options{Capabilities: taskable})
				_ = s.Refresh(t.Context(), Tools)
				call := callTask(t, s, "good", TaskOptions{})
				time.Sleep(5 * time.Second)
				synctest.Wait()
				kept := states(t, s)
				done()
				if st := call.State(); st.Phase != CallLost {
					t.Errorf("%+v", st)
				}
				if !strings.Contains(kept, "task: tools/call good became the task "+sessiontest.TaskID) {
					t.Errorf("the log says %s", kept)
				}
				r := s.State().Restoration()
				if r.IsEmpty() || len(r.Tasks) != 1 || r.Tasks[0].ID != sessiontest.TaskID || r.Tasks[0].Tool != "good" {
					t.Fatalf("%+v", r)
				}

				c.Gets = []string{sessiontest.CoreTask("working"), sessiontest.CoreTask("completed")}
				if modern {
					c.Gets = []string{sessiontest.ModernTask("working", ""), sessiontest.ModernTask("completed", `,"result":`+sessiontest.CallResult)}
				}
				again, done := openScript(t, c.Script(), Options{Capabilities: taskable, Restore: &r})
				defer done()
				time.Sleep(5 * time.Second)
				synctest.Wait()
				st := again.State()
				if len(st.Tasks) != 1 || st.Tasks[0].Origin != TaskRestored || st.Tasks[0].Status != protocol.TaskCompleted || st.Tasks[0].ResultSeq == 0 || st.Tasks[0].Tool != "good" {
					t.Fatalf("%+v", st.Tasks)
				}
				m, err := again.log.current().Message(st.Tasks[0].ResultSeq)
				if err != nil {
					t.Fatal(err)
				}
				if end, ok := protocol.TaskOutcome(m, st.Tasks[0].Kind); !ok || !strings.Contains(string(end.Result), "fine") {
					t.Errorf("outcome %s", m.Raw)
				}
				if kept := states(t, again); !strings.Contains(kept, "1 of 1 tasks") || !strings.Contains(kept, "ended: completed") || rules(st) != "" {
					t.Errorf("the log says %s; findings %s", kept, rules(st))
				}
				if r := st.Restoration(); len(r.Tasks) != 0 {
					t.Errorf("what is over is restored: %+v", r)
				}
			})
		})
	}
}

func TestTasksOfTheOtherKindAreNotRestored(t *testing.T) { // TSKX-19
	synctest.Test(t, func(t *testing.T) {
		r := Restoration{Tasks: []TaskRef{{ID: "x", Kind: protocol.TaskExtension}}}
		s, done := openScript(t, sessiontest.CoreTaskServer(), Options{Restore: &r, Capabilities: taskable})
		defer done()
		synctest.Wait()
		if st := s.State(); len(st.Tasks) != 0 {
			t.Errorf("%+v", st.Tasks)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		old := sessiontest.Server().With("initialize", sessiontest.Reply(strings.Replace(sessiontest.InitializeResult, "2025-11-25", "2025-06-18", 1)))
		s, done := openScript(t, old, Options{})
		defer done()
		if _, err := s.AddTask(TaskRef{ID: "x"}); err == nil {
			t.Error("a revision without tasks followed one")
		}
	})
}

func TestALostLinkKeepsTheTasks(t *testing.T) { // TSKX-06
	synctest.Test(t, func(t *testing.T) {
		w := &wantingTask{}
		s, f, done := ready(t, stdioTarget, Options{Capabilities: taskable}, withExtension(w.serve))
		defer done()
		call := callTask(t, s, "good", TaskOptions{})
		time.Sleep(5 * time.Second)
		synctest.Wait()
		f.link().die(1)
		synctest.Wait()
		st := s.State()
		if call.State().Phase != CallLost || len(st.Asks) != 0 || len(st.Restoration().Tasks) != 1 {
			t.Errorf("%+v, asks %+v, %+v", call.State(), st.Asks, st.Restoration())
		}
	})
}

func TestTheAgeOfATaskThatWasNotCalledHere(t *testing.T) { // TSKX-15
	synctest.Test(t, func(t *testing.T) {
		updated := "10:00:01Z"
		s, _, done := ready(t, httpTarget, Options{Capabilities: taskable}, withExtension(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
			if m.Method == protocol.MethodTasksGet {
				l.result(m, strings.Replace(sessiontest.ModernTask("working", ""), "10:00:01Z", updated, 1))
			}
		}))
		defer done()
		key, err := s.AddTask(TaskRef{ID: sessiontest.TaskID})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if got := s.State().Tasks[0].Age(time.Now()); got < time.Second || got > 3*time.Second {
			t.Errorf("at first its age is %s", got)
		}
		time.Sleep(10 * time.Minute)
		synctest.Wait() // a poll may be under way
		updated = "10:20:00Z"
		if err := s.PollTask(key); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if task := s.State().Tasks[0]; task.Age(time.Now()) < 20*time.Minute || task.Age(time.Now()) > 20*time.Minute+2*time.Second || task.Expires.After(time.Now()) {
			t.Errorf("its age is %s, it expires %s", task.Age(time.Now()), task.Expires)
		}
	})
}
