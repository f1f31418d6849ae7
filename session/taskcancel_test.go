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

func TestAGivenUpTaskIsCancelledAndItsOutcomeIsLate(t *testing.T) { // TASK-17, TSKX-12 to TSKX-14, CAN-07
	for _, modern := range []bool{false, true} {
		for _, outcome := range []string{"cancelled", "completed", "gone"} {
			t.Run(fmt.Sprintf("%v %s", modern, outcome), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					c := sessiontest.TaskCase{Modern: modern, Gets: []string{sessiontest.CoreTask("working"), sessiontest.CoreTask(outcome)},
						On: map[string][]sessiontest.Step{"tasks/cancel": {sessiontest.Reply(sessiontest.CoreTask("cancelled"))}}}
					if outcome == "completed" {
						c.On = map[string][]sessiontest.Step{"tasks/cancel": {sessiontest.ReplyError("-32603", "not now")}}
					}
					if modern {
						c.On = nil
						rest := ""
						if outcome == "completed" {
							rest = `,"result":` + sessiontest.CallResult
						}
						c.Gets = []string{sessiontest.ModernTask("working", ""), sessiontest.ModernTask(outcome, rest)}
					}
					if outcome == "gone" {
						c.Gets = c.Gets[:1]
						c.On = map[string][]sessiontest.Step{"tasks/get": {sessiontest.ReplyError("-32602", "Unknown task")}, "tasks/cancel": {sessiontest.Reply(`{"resultType":"complete"}`)}}
						if !modern {
							c.On["tasks/cancel"] = []sessiontest.Step{sessiontest.Reply(sessiontest.CoreTask("cancelled"))}
						}
					}
					s, done := openScript(t, c.Script(), Options{Capabilities: taskable})
					defer done()
					_ = s.Refresh(t.Context(), Tools)
					call := callTask(t, s, "good", TaskOptions{})
					time.Sleep(700 * time.Millisecond)
					synctest.Wait()
					call.Cancel("clouds")
					if st := ended(t, call); st.Phase != CallCancelled || !strings.Contains(st.Err, "clouds") {
						t.Errorf("%+v", st)
					}
					time.Sleep(10 * time.Second)
					synctest.Wait()
					st, task := call.State(), s.State().Tasks[0]
					if st.Phase != CallCancelled || st.Late != (outcome == "completed") || task.Followed() || task.Cancelling.IsZero() {
						t.Errorf("late %v, task %+v", st.Late, task)
					}
					if log := s.log.current(); strings.Contains(methodsOf(log.Len(), func(seq uint64) string { return log.Head(seq).Method }), protocol.NotificationCancelled) {
						t.Error("notifications/cancelled was sent for a task")
					}
				})
			})
		}
	}
}

func methodsOf(n uint64, of func(uint64) string) string {
	var b strings.Builder
	for seq := uint64(1); seq <= n; seq++ {
		b.WriteString(of(seq) + " ")
	}
	return b.String()
}

func TestACallGivenUpBeforeItsTaskIsKnown(t *testing.T) { // CAN-07: the task is cancelled when its id comes
	for _, target := range []Target{stdioTarget, httpTarget} {
		t.Run(target.URL, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var waiting protocol.Message
				s, f, done := ready(t, target, Options{Capabilities: taskable}, withTasks(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
					switch m.Method {
					case protocol.MethodToolsList:
						l.result(m, sessiontest.TaskTools)
					case protocol.MethodToolsCall:
						waiting = m
					case protocol.MethodTasksCancel, protocol.MethodTasksGet:
						l.result(m, sessiontest.CoreTask("cancelled"))
					}
				}))
				defer done()
				_ = s.Refresh(t.Context(), Tools)
				call := callTask(t, s, "good", TaskOptions{})
				synctest.Wait()
				call.Cancel("")
				synctest.Wait()
				f.link().result(waiting, `{"task":`+sessiontest.CoreTask("working")+`}`)
				time.Sleep(5 * time.Second)
				synctest.Wait()
				if sent := f.link().methods(); strings.Contains(sent, "notifications/cancelled") || strings.Count(sent, "tasks/cancel") != 1 {
					t.Errorf("sent %s", sent)
				}
				st := s.State()
				if len(st.Tasks) != 1 || st.Tasks[0].Status != protocol.TaskCancelled || call.State().Task != st.Tasks[0].Key || call.State().Late {
					t.Errorf("%+v, %+v", st.Tasks, call.State())
				}
			})
		})
	}
}

func TestCancellingNeedsTheCapability(t *testing.T) { // TASK-17
	synctest.Test(t, func(t *testing.T) {
		script := sessiontest.TaskCase{Gets: []string{sessiontest.CoreTask("working")}}.Script().
			With("initialize", sessiontest.Reply(strings.Replace(sessiontest.InitializeResult, `"tools":{}`, `"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}`, 1)))
		s, done := openScript(t, script, Options{})
		defer done()
		_ = s.Refresh(t.Context(), Tools)
		call := callTask(t, s, "good", TaskOptions{})
		synctest.Wait()
		if err := s.CancelTask(t.Context(), call.State().Task); err == nil || !strings.Contains(err.Error(), "tasks.cancel") {
			t.Errorf("error %v", err)
		}
		if err := s.ListTasks(t.Context()); err == nil || !strings.Contains(err.Error(), "TASK-18") {
			t.Errorf("error %v", err)
		}
		if caps := s.State().TaskCapabilities; caps != (protocol.TaskCapabilities{Kind: protocol.TaskCore, Calls: true}) {
			t.Errorf("%+v", caps)
		}
	})
}
