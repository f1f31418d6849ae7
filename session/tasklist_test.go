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

func TestTasksAreListedInPages(t *testing.T) { // TASK-18: opaque cursors; tasks of others are not polled by themselves
	synctest.Test(t, func(t *testing.T) {
		var cursors []string
		polls := 0
		other := strings.Replace(sessiontest.CoreTask("working"), sessiontest.TaskID, "other-5e6f7a8b9c0d", 1)
		s, f, done := ready(t, stdioTarget, Options{}, withTasks(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
			switch m.Method {
			case protocol.MethodTasksList:
				v, _, _ := protocol.Lookup(m.Params, "/cursor")
				cursors = append(cursors, string(v))
				if len(cursors) == 1 {
					l.result(m, `{"tasks":[`+sessiontest.CoreTask("working")+`],"nextCursor":" \u0022x/"}`)
					return
				}
				l.result(m, `{"tasks":[`+other+`]}`)
			case protocol.MethodTasksGet:
				polls++
				l.result(m, sessiontest.CoreTask("completed"))
			case protocol.MethodTasksResult:
				l.result(m, `{"content":[],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"`+sessiontest.TaskID+`"}}}`)
			}
		}))
		defer done()
		if err := s.ListTasks(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		st := s.State()
		if len(st.Tasks) != 2 || st.Tasks[0].Origin != TaskListed || st.Tasks[1].ID != "other-5e6f7a8b9c0d" || polls != 0 || st.Tasks[0].Followed() {
			t.Fatalf("%d polls, %+v", polls, st.Tasks)
		}
		if got := fmt.Sprint(cursors); got != `[ " \"x/"]` {
			t.Errorf("cursors %s", got)
		}
		if len(st.Restoration().Tasks) != 0 {
			t.Errorf("restored: %+v", st.Restoration().Tasks)
		}
		// Once, by hand.
		if err := s.PollTask(st.Tasks[0].Key); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if st := s.State().Tasks[0]; polls != 1 || st.Status != protocol.TaskCompleted || st.Followed() {
			t.Errorf("%d polls, %+v", polls, st)
		}
		if err := s.TaskResult(t.Context(), st.Tasks[0].Key); err != nil {
			t.Error(err)
		}
		if st := s.State().Tasks[0]; st.ResultSeq == 0 {
			t.Errorf("%+v", st)
		}
		if got := rules(s.State()); got != "" || strings.Contains(f.link().methods(), "cancel") {
			t.Errorf("findings %s", got)
		}
		s.ForgetTask(st.Tasks[1].Key)
		if len(s.State().Tasks) != 1 {
			t.Errorf("%+v", s.State().Tasks)
		}
	})
}

func TestPagesOfTasksThatGoInACircle(t *testing.T) { // TASK-18
	synctest.Test(t, func(t *testing.T) {
		script := sessiontest.CoreTaskServer().With("tasks/list", sessiontest.Reply(`{"tasks":[],"nextCursor":"a"}`))
		s, done := openScript(t, script, Options{})
		defer done()
		if err := s.ListTasks(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := rules(s.State()); got != "L-PAGE-02" {
			t.Errorf("findings %s", got)
		}
	})
}
