package session

import (
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// taskDemo opens the demo with tasks declared and its tools listed.
func taskDemo(t *testing.T, target Target) *Session {
	t.Helper()
	caps := everyCapability
	caps.Tasks = true
	s := connectReal(t, target, Options{Capabilities: caps})
	if err := s.Refresh(t.Context(), Tools); err != nil {
		t.Fatal(err)
	}
	return s
}

// surveyed calls a tool of the demo as a task.
func surveyed(t *testing.T, s *Session, params string, o TaskOptions) *Call {
	t.Helper()
	call, err := s.Do(t.Context(), s.NewRequest(protocol.MethodToolsCall, jsontext.Value(params)), CallOptions{Task: &o})
	if err != nil {
		t.Fatal(err)
	}
	return call
}

func TestTheDemoRunsTasks(t *testing.T) { // TASK-02 to TASK-18, TSKX-01 to TSKX-17, and that it keeps L-TASK-* and L-TSKX-*
	for name, target := range demoTargets(t) {
		modern := strings.HasSuffix(name, "2026-07-28")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := taskDemo(t, target)
			st := s.State()
			if want := map[bool]TaskChoice{false: TaskAlways, true: TaskByServer}[modern]; st.TaskChoice("required") != want || !st.TaskCapabilities.Calls {
				t.Fatalf("capabilities %+v", st.TaskCapabilities)
			}
			// All at once, as the observatory's clock is a real one.
			well := surveyed(t, s, `{"name":"survey_sky","arguments":{"seconds":1}}`, TaskOptions{TTL: time.Minute})
			clouds := surveyed(t, s, `{"name":"survey_sky","arguments":{"seconds":1,"ends":"clouds"}}`, TaskOptions{})
			fault := surveyed(t, s, `{"name":"survey_sky","arguments":{"seconds":1,"ends":"fault"}}`, TaskOptions{})
			stopped := surveyed(t, s, `{"name":"survey_sky","arguments":{"seconds":600}}`, TaskOptions{})
			brief := surveyed(t, s, `{"name":"survey_sky","arguments":{"seconds":600,"keep_seconds":2}}`, TaskOptions{})
			guided := surveyed(t, s, `{"name":"guided_survey","arguments":{"seconds":1}}`, TaskOptions{})

			until(t, s, "the tasks to be known", func(st State) bool { return len(st.Tasks) == 6 && stopped.State().Task != 0 })
			if err := s.CancelTask(t.Context(), stopped.State().Task); err != nil {
				t.Error(err)
			}
			asks := until(t, s, "the question", func(st State) bool { return len(st.Asks) > 0 }).Asks
			if asks[0].Cause != guided.State().Key || asks[0].Task != guided.State().Task {
				t.Errorf("the question is %+v", asks[0])
			}
			if err := s.Reply(t.Context(), asks[0].Key, Reply{Action: ActionAccept, Content: jsontext.Value(`{"field":"south"}`)}); err != nil {
				t.Fatal(err)
			}
			for _, c := range []struct {
				name  string
				call  *Call
				phase CallPhase
				part  string
			}{
				{"well", well, CallOK, `"plates":4`}, {"clouds", clouds, CallOK, `"isError":true`}, {"fault", fault, CallError, "stuck"},
				{"stopped", stopped, CallCancelled, ""}, {"brief", brief, CallLost, ""}, {"guided", guided, CallOK, `"field":"south"`},
			} {
				if st := ended(t, c.call); st.Phase != c.phase || !strings.Contains(string(st.Answer.Result)+string(st.Answer.Error), c.part) {
					t.Errorf("%s: phase %d %s %s", c.name, st.Phase, st.Err, st.Answer.Raw)
				}
				checkFolded(t, s, c.call.State().RequestSeq)
			}
			if !modern {
				if err := s.ListTasks(t.Context()); err != nil {
					t.Error(err)
				}
			}
			if got := rules(s.State()); got != "" {
				t.Errorf("findings %+v", s.State().Findings)
			}
		})
	}
}

func TestTheDemoTellsOfItsTasks(t *testing.T) { // TASK-13, TSKX-16, SUB-15, L-TSKX-14
	for name, target := range demoTargets(t) {
		modern := strings.HasSuffix(name, "2026-07-28")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := taskDemo(t, target)
			call := surveyed(t, s, `{"name":"survey_sky","arguments":{"seconds":2}}`, TaskOptions{})
			st := until(t, s, "the task", func(st State) bool { return len(st.Tasks) == 1 && call.State().Task != 0 })
			told := protocol.NotificationTasksStatus
			if modern {
				told = protocol.NotificationTasks
				if _, err := s.Subscribe(t.Context(), SubscriptionFilter{TaskIDs: []string{st.Tasks[0].ID, "nobody's"}}); err != nil {
					t.Fatal(err)
				}
				sub := until(t, s, "the acknowledgement", func(st State) bool { return st.Subscriptions[0].Phase.Live() }).Subscriptions[0]
				if len(sub.Agreed.TaskIDs) != 1 || len(sub.Missing) != 1 {
					t.Errorf("agreed to %+v, missing %v", sub.Agreed, sub.Missing)
				}
			}
			if st := ended(t, call); st.Phase != CallOK {
				t.Errorf("%+v", st)
			}
			log, heard := s.log.current(), 0
			for seq := uint64(1); seq <= log.Len(); seq++ {
				if log.Head(seq).Method == told {
					heard++
				}
			}
			if heard < 3 {
				t.Errorf("%d notifications", heard)
			}
			if got := rules(s.State()); got != "" {
				t.Errorf("findings %+v", s.State().Findings)
			}
		})
	}
}

func TestTheDemoRefusesByTheRules(t *testing.T) { // L-TASK-09, L-TASK-11, L-TSKX-11, L-TSKX-12
	for name, target := range demoTargets(t) {
		modern := strings.HasSuffix(name, "2026-07-28")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := taskDemo(t, target)
			for _, c := range []struct {
				method, params string
				core, ext      string // codes
			}{
				{"tasks/get", `{"taskId":"nobody's"}`, "-32602", "-32602"},
				{"tasks/cancel", `{"taskId":"nobody's"}`, "-32602", "-32602"},
				{"tasks/update", `{"taskId":"nobody's","inputResponses":{}}`, "-32601", "-32602"},
				{"tasks/result", `{"taskId":"nobody's"}`, "-32602", "-32601"},
				{"tasks/list", `{"cursor":"nonsense"}`, "-32602", "-32601"},
				{"tools/call", `{"name":"find_target","arguments":{"name":"m51"},"task":{}}`, "-32601", ""},
				{"tools/call", `{"name":"guided_survey","arguments":{"seconds":0.1},"task":{"ttl":"long"}}`, "-32602", ""},
			} {
				want := c.core
				if modern {
					want = c.ext
				}
				if modern && strings.Contains(c.params, "guided") {
					continue // params.task is ignored, and it asks
				}
				st := mustCall(t, s, c.method, c.params, CallOptions{})
				e, _ := protocol.DecodeError(st.Answer.Error)
				if e.Code != want {
					t.Errorf("%s %s: %s %s, want %s", c.method, c.params, e.Code, st.Answer.Raw, want)
				}
			}
			if !modern {
				return
			}
			if err := s.SetCapabilities(everyCapability); err != nil {
				t.Fatal(err)
			}
			st := mustCall(t, s, "tasks/get", `{"taskId":"x"}`, CallOptions{})
			if e, _ := protocol.DecodeError(st.Answer.Error); e.Code != "-32021" {
				t.Errorf("undeclared: %s", st.Answer.Raw)
			}
			if _, err := s.Subscribe(t.Context(), SubscriptionFilter{TaskIDs: []string{"x"}}); err != nil {
				t.Fatal(err)
			}
			sub := until(t, s, "the refusal", func(st State) bool { return st.Subscriptions[0].Phase == SubEnded }).Subscriptions[0]
			if sub.End != EndRefused || !strings.Contains(sub.Err, "-32021") {
				t.Errorf("%+v", sub)
			}
			if got := rules(s.State()); strings.Contains(got, "TSKX") {
				t.Errorf("findings %+v", s.State().Findings)
			}
		})
	}
}
