package session

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"

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

func TestTheExtensionIsDeclaredWithEachRequest(t *testing.T) { // TSKX-01, TSKX-17, TSKX-19, HDR-04
	server := sessiontest.NewHTTP(t)
	server.ServeModern()
	server.On("POST server/discover", sessiontest.Result(strings.Replace(sessiontest.DiscoverResult, `"tools":{"listChanged":true}`, `"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}`, 1)))
	handle := strings.Replace(sessiontest.ModernHandle, `"pollIntervalMs":500`, `"pollIntervalMs":1`, 1)
	server.On("POST tools/call", sessiontest.Result(handle))
	server.On("POST tasks/get", sessiontest.Result(sessiontest.ModernTask("input_required", `,"inputRequests":{"a":{"method":"elicitation/create","params":{`+formParams+`}}}`)))
	server.On("POST tasks/update", sessiontest.Result(`{"resultType":"complete"}`))
	server.On("POST tasks/cancel", sessiontest.Result(`{"resultType":"complete"}`))
	s := connectReal(t, Target{URL: server.URL}, Options{Capabilities: taskable})
	call := callTask(t, s, "good", TaskOptions{})
	st := until(t, s, "the question", func(st State) bool { return len(st.Asks) > 0 })
	// Switched off meanwhile: the task is still one of the extension.
	if err := s.SetCapabilities(protocol.ClientCapabilities{}); err != nil {
		t.Fatal(err)
	}
	if err := s.Reply(t.Context(), st.Asks[0].Key, Reply{Action: ActionDecline}); err != nil {
		t.Fatal(err)
	}
	if err := s.CancelTask(t.Context(), call.State().Task); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, r := range server.Requests() {
		m := r.Message
		if m.Method != protocol.MethodToolsCall && !strings.HasPrefix(m.Method, "tasks/") {
			continue
		}
		seen[m.Method] = true
		meta, _, _ := protocol.Lookup(m.Params, "/_meta/io.modelcontextprotocol~1clientCapabilities")
		if !protocol.DeclaresTasks(meta) {
			t.Errorf("%s declares %s", m.Method, meta)
		}
		name := sessiontest.TaskID
		if m.Method == protocol.MethodToolsCall {
			name = "good"
		}
		if r.Header.Get("Mcp-Name") != name || r.Header.Get("Mcp-Method") != m.Method {
			t.Errorf("%s: Mcp-Method %q, Mcp-Name %q", m.Method, r.Header.Get("Mcp-Method"), r.Header.Get("Mcp-Name"))
		}
	}
	if len(seen) != 4 {
		t.Errorf("sent %v", seen)
	}
}

func TestTasksThatWereNotAgreedOn(t *testing.T) { // L-TSKX-01, L-TSKX-02, L-TSKX-11, L-TSKX-16, TSKX-03
	undeclaredCaps := protocol.ClientCapabilities{}
	for _, c := range []struct {
		name     string
		caps     protocol.ClientCapabilities
		discover func(string) string
		raw      string
		phase    CallPhase
		want     string
	}{
		{"not declared by this client", undeclaredCaps, nil, `tools/call {"name":"good"}`, CallInvalid, "L-TSKX-01"},
		{"of a method that has none", taskable, nil, `resources/read {"uri":"demo://a"}`, CallInvalid, "L-TSKX-01"},
		{"not declared by the server", taskable, func(d string) string {
			return strings.Replace(d, `"extensions":{"io.modelcontextprotocol/tasks":{}}`, `"x":{}`, 1)
		},
			`tools/call {"name":"good"}`, CallWorking, "L-TSKX-02"},
		{"the old capability", taskable, func(d string) string { return strings.Replace(d, `"tools":{}`, `"tools":{},"tasks":{}`, 1) },
			`tools/list {}`, CallOK, "L-TSKX-16"},
		{"asked for without the extension", undeclaredCaps, nil, `tasks/get {"taskId":"x"}`, CallOK, "L-TSKX-11"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				discover := strings.Replace(sessiontest.DiscoverResult, `"tools":{"listChanged":true}`, `"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}`, 1)
				if c.discover != nil {
					discover = c.discover(discover)
				}
				script := sessiontest.ModernTaskServer().With("server/discover", sessiontest.Reply(discover)).
					With("tools/call", sessiontest.Reply(sessiontest.ModernHandle)).
					With("resources/read", sessiontest.Reply(sessiontest.ModernHandle)).
					With("tasks/get", sessiontest.Reply(sessiontest.ModernTask("working", "")))
				s, done := openScript(t, script, Options{Capabilities: c.caps})
				defer done()
				method, params, _ := strings.Cut(c.raw, " ")
				call, err := s.Do(t.Context(), s.NewRequest(method, jsontext.Value(params)), CallOptions{})
				if err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				if st := call.State(); st.Phase != c.phase {
					t.Errorf("phase %d, want %d: %s", st.Phase, c.phase, st.Err)
				}
				if got := rules(s.State()); !strings.Contains(got, c.want) {
					t.Errorf("findings %q, want %s", got, c.want)
				}
			})
		})
	}
}

func TestIdsThatCountUp(t *testing.T) { // L-TASK-12, L-TSKX-17
	synctest.Test(t, func(t *testing.T) {
		n := 0
		s, _, done := ready(t, stdioTarget, Options{}, withTasks(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
			switch m.Method {
			case protocol.MethodToolsList:
				l.result(m, sessiontest.TaskTools)
			case protocol.MethodToolsCall:
				n++
				l.result(m, `{"task":`+strings.Replace(sessiontest.CoreTask("working"), sessiontest.TaskID, fmt.Sprintf("research-job-%04d", []int{41, 43, 44, 44}[n-1]), 1)+`}`)
			}
		}))
		defer done()
		_ = s.Refresh(t.Context(), Tools)
		for _, want := range []string{"", "", "L-TASK-12", "L-TASK-12 L-TASK-12"} {
			callTask(t, s, "good", TaskOptions{})
			if got := rules(s.State()); got != want {
				t.Errorf("after %d: findings %q, want %q", n, got, want)
			}
		}
	})
}

func TestToolsThatSpeakOfTasksInVain(t *testing.T) { // L-TASK-14, TASK-03
	synctest.Test(t, func(t *testing.T) {
		s, done := openScript(t, sessiontest.Server().With("tools/list", sessiontest.Reply(sessiontest.TaskTools)), Options{})
		defer done()
		if err := s.Refresh(t.Context(), Tools); err != nil {
			t.Fatal(err)
		}
		st := s.State()
		if got := rules(st); got != "L-TASK-14 L-TASK-14" || st.Findings[0].Severity != protocol.Info || st.TaskChoice("required") != TaskNever {
			t.Errorf("findings %s: %+v", got, st.Findings)
		}
	})
}

func TestAPollThatIsAnsweredWithAStream(t *testing.T) { // L-TASK-15
	server := sessiontest.NewHTTP(t)
	server.On("POST server/discover", sessiontest.Status(404, "text/plain", "no"))
	server.ServeMCP()
	server.On("POST initialize", sessiontest.Result(strings.Replace(sessiontest.InitializeResult, `"tools":{}`, `"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}`, 1)))
	server.On("POST tools/list", sessiontest.Result(sessiontest.TaskTools))
	server.On("POST tools/call", sessiontest.Result(`{"task":`+strings.Replace(sessiontest.CoreTask("working"), "500", "1", 1)+`}`))
	server.On("POST tasks/get", sessiontest.Stream(sessiontest.Piece{Bytes: `data: {"jsonrpc":"2.0","id":{{id}},"result":` + sessiontest.CoreTask("completed") + "}\n\n"}))
	server.On("POST tasks/result", sessiontest.Result(`{"content":[],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"`+sessiontest.TaskID+`"}}}`))
	s := connectReal(t, Target{URL: server.URL}, Options{})
	if err := s.Refresh(t.Context(), Tools); err != nil {
		t.Fatal(err)
	}
	if st := ended(t, callTask(t, s, "good", TaskOptions{})); st.Phase != CallOK {
		t.Errorf("%+v", st)
	}
	if got := rules(s.State()); !strings.Contains(got, "L-TASK-15") {
		t.Errorf("findings %s", got)
	}
}

func TestWhatTheServerSaysAtOnceIsKept(t *testing.T) { // TASK-21
	synctest.Test(t, func(t *testing.T) {
		script := sessiontest.TaskCase{Created: `{"task":` + sessiontest.CoreTask("working") + `,"_meta":{"io.modelcontextprotocol/model-immediate-response":"It will take a while."}}`,
			Gets: []string{sessiontest.CoreTask("working")}}.Script()
		s, done := openScript(t, script, Options{})
		defer done()
		_ = s.Refresh(t.Context(), Tools)
		call := callTask(t, s, "good", TaskOptions{})
		synctest.Wait()
		if got := call.State().Immediate; got != "It will take a while." {
			t.Errorf("%q", got)
		}
	})
}

func TestATaskHasNoTimeOutOfItsCall(t *testing.T) { // TSKX-15: its ttl is shown, and the server has the last word
	synctest.Test(t, func(t *testing.T) {
		script := sessiontest.TaskCase{Modern: true, Gets: []string{sessiontest.ModernTask("working", "")}}.Script()
		s, done := openScript(t, script, Options{Capabilities: taskable})
		defer done()
		call := callTask(t, s, "good", TaskOptions{})
		short, err := s.Do(t.Context(), s.NewRequest(protocol.MethodToolsCall, jsontext.Value(`{"name":"good"}`)), CallOptions{Maximum: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		task := s.State().Tasks[0]
		if left, ok := task.Left(time.Now()); !ok || left > -time.Hour || task.Age(time.Now()) < 2*time.Hour {
			t.Errorf("left %s, age %s", left, task.Age(time.Now()))
		}
		if st := call.State(); st.Phase != CallWorking || !task.Followed() {
			t.Errorf("%+v", st)
		}
		if st := short.State(); st.Phase != CallTimedOut {
			t.Errorf("the limit of its own: %+v", st)
		}
	})
}

func TestTasksAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{}, withTasks(func(*fakeLink, protocol.Message, link.SendOptions) {}))
		defer done()
		for i := range maxTasks + 100 {
			f.link().in(`{"jsonrpc":"2.0","method":"notifications/tasks/status","params":` +
				strings.Replace(sessiontest.CoreTask("working"), sessiontest.TaskID, fmt.Sprintf("stranger-%d", i), 1) + `}`)
		}
		st := s.State()
		if len(st.Tasks) != maxTasks || st.Tasks[0].ID != "stranger-100" || st.Tasks[0].Origin != TaskNotified {
			t.Errorf("%d tasks, the first is %+v", len(st.Tasks), st.Tasks[0])
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
