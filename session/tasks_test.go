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

// taskable declares what the cases are about; sampling is not among it.
var taskable = protocol.ClientCapabilities{Tasks: true, Elicitation: true}

// callTask calls a tool as a task.
func callTask(t *testing.T, s *Session, tool string, o TaskOptions) *Call {
	t.Helper()
	call, err := s.Do(t.Context(), s.NewRequest(protocol.MethodToolsCall, jsontext.Value(`{"name":"`+tool+`","arguments":{}}`)), CallOptions{Task: &o})
	if err != nil {
		t.Fatal(err)
	}
	return call
}

// playTaskCase does what the person does in a case and returns the call.
func playTaskCase(t *testing.T, s *Session, c sessiontest.TaskCase) *Call {
	t.Helper()
	if err := s.Refresh(t.Context(), Tools); err != nil {
		t.Fatal(err)
	}
	tool := c.Call
	if tool == "" {
		tool = "good"
	}
	raw := s.NewRequest(protocol.MethodToolsCall, jsontext.Value(`{"name":"`+tool+`","arguments":{}}`))
	var o CallOptions
	if !c.Plain {
		o.Task = &TaskOptions{Force: c.Force}
	}
	call, err := s.Do(t.Context(), raw, o)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
	if c.Cancel {
		if err := s.CancelTask(t.Context(), call.State().Task); err != nil {
			t.Errorf("cancelling: %v", err)
		}
	}
	time.Sleep(10 * time.Second)
	synctest.Wait()
	if c.List {
		if err := s.ListTasks(t.Context()); err != nil {
			t.Errorf("listing: %v", err)
		}
	}
	for _, text := range c.Raw {
		method, params, _ := strings.Cut(text, " ")
		raw := s.NewRequest(method, jsontext.Value(params))
		other, err := s.Do(t.Context(), raw, CallOptions{})
		if err != nil {
			t.Fatal(err)
		}
		<-other.Done()
	}
	synctest.Wait()
	return call
}

func TestMisbehavingTasks(t *testing.T) { // L-TASK-01 to L-TASK-16, L-TSKX-01 to L-TSKX-17 as far as one stream shows them
	for _, c := range sessiontest.MisbehavingTasks {
		name := "core, " + c.Name
		if c.Modern {
			name = "extension, " + c.Name
		}
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, done := openScript(t, c.Script(), Options{Capabilities: taskable})
				defer done()
				call := playTaskCase(t, s, c)
				st := call.State()
				want := map[sessiontest.TaskEnd]CallPhase{
					sessiontest.TaskBrings: CallOK, sessiontest.TaskErrs: CallError, sessiontest.TaskCancels: CallCancelled,
					sessiontest.TaskInvalid: CallInvalid, sessiontest.TaskVanishes: CallLost, sessiontest.TaskGoesOn: CallWorking, sessiontest.TaskIsSkipped: CallOK,
				}[c.End]
				if st.Phase != want || (st.Task == 0) != (c.End == sessiontest.TaskIsSkipped) {
					t.Errorf("the call is in phase %d, want %d: %s %s, task %d", st.Phase, want, st.Err, st.Answer.Raw, st.Task)
				}
				if c.End == sessiontest.TaskBrings && st.Answer.Result.Kind() != '{' {
					t.Errorf("answer %s", st.Answer.Raw)
				}
				got := rules(s.State())
				if c.Rule == "" && got != "" {
					t.Errorf("findings %q for nothing wrong: %+v", got, s.State().Findings)
				}
				if c.Rule != "" && !strings.Contains(" "+got+" ", " "+c.Rule+" ") {
					t.Errorf("findings %q, want %s", got, c.Rule)
				}
			})
		})
	}
}

// withTasks declares the tasks of either kind in the answer that begins a fake
// session.
func withTasks(next server) server {
	return func(l *fakeLink, m protocol.Message, o link.SendOptions) {
		switch m.Method {
		case protocol.MethodDiscover:
			l.fail(m, "-32601", "")
		case protocol.MethodInitialize:
			l.result(m, strings.Replace(initResult, `"tools":{}`, `"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}`, 1))
		case protocol.MethodInitialized:
		default:
			next(l, m, o)
		}
	}
}

func withExtension(next server) server {
	return func(l *fakeLink, m protocol.Message, o link.SendOptions) {
		if m.Method == protocol.MethodDiscover {
			l.result(m, strings.Replace(discoverResult, `"tools":{}`, `"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}`, 1))
			return
		}
		next(l, m, o)
	}
}

func TestAugmentation(t *testing.T) { // TASK-02 to TASK-06, TSKX-02, TSKX-19
	const none = ""
	for _, c := range []struct {
		name, tool string
		play       func(server) server
		o          *TaskOptions
		want       string
	}{
		{"optional, asked for", "good", withTasks, &TaskOptions{}, `{}`},
		{"optional, with a ttl", "good", withTasks, &TaskOptions{TTL: 90 * time.Second}, `{"ttl":90000}`},
		{"optional, not asked for", "good", withTasks, nil, none},
		{"required, not asked for", "must", withTasks, nil, `{}`},
		{"required, with a ttl", "must", withTasks, &TaskOptions{TTL: time.Second}, `{"ttl":1000}`},
		{"forbidden", "bad", withTasks, &TaskOptions{}, none},
		{"forbidden, forced", "bad", withTasks, &TaskOptions{Force: true}, `{}`},
		{"unknown", "other", withTasks, &TaskOptions{}, none},
		{"not declared by the server", "must", legacy, &TaskOptions{}, none},
		{"not declared by the server, forced", "good", legacy, &TaskOptions{Force: true}, `{}`},
		{"the extension", "must", withExtension, &TaskOptions{Force: true}, none},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &taskPolls{statuses: []string{"completed"}}
				s, f, done := ready(t, stdioTarget, Options{Capabilities: taskable}, c.play(p.serve))
				defer done()
				if err := s.Refresh(t.Context(), Tools); err != nil {
					t.Fatal(err)
				}
				if _, err := s.Do(t.Context(), s.NewRequest(protocol.MethodToolsCall, jsontext.Value(`{"name":"`+c.tool+`"}`)), CallOptions{Task: c.o}); err != nil {
					t.Fatal(err)
				}
				v, _, _ := protocol.Lookup(f.link().last(protocol.MethodToolsCall).Params, "/task")
				if string(v) != c.want {
					t.Errorf("task is %q, want %q", v, c.want)
				}
			})
		})
	}
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
