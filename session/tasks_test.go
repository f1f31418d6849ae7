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

// taskPolls answers tasks/get from statuses, the last one again and again, and
// keeps the times.
type taskPolls struct {
	statuses []string
	at       []time.Time
	interval string
	modern   bool
	fail     func(n int) bool
}

func (p *taskPolls) serve(l *fakeLink, m protocol.Message, _ link.SendOptions) {
	text := func(status, rest string) string {
		interval := ""
		if p.interval != "" {
			interval = `,"pollInterval":` + p.interval
			if p.modern {
				interval = `,"pollIntervalMs":` + p.interval
			}
		}
		ttl := "ttl"
		if p.modern {
			ttl = "ttlMs"
		}
		return `"taskId":"` + sessiontest.TaskID + `","status":"` + status + `","createdAt":"2026-11-30T10:00:00Z","lastUpdatedAt":"2026-11-30T10:00:01Z","` + ttl + `":null` + interval + rest
	}
	switch m.Method {
	case protocol.MethodToolsList:
		l.result(m, sessiontest.TaskTools)
	case protocol.MethodToolsCall:
		if p.modern {
			l.result(m, `{"resultType":"task",`+text("working", "")+`}`)
			return
		}
		l.result(m, `{"task":{`+text("working", "")+`}}`)
	case protocol.MethodTasksGet:
		p.at = append(p.at, time.Now())
		if p.fail != nil && p.fail(len(p.at)) {
			l.fail(m, "-32603", "")
			return
		}
		status := p.statuses[min(len(p.at), len(p.statuses))-1]
		rest := ""
		if status == "completed" && p.modern {
			rest = `,"result":` + sessiontest.CallResult
		}
		l.result(m, `{"resultType":"complete",`+text(status, rest)+`}`)
	case protocol.MethodTasksResult:
		l.result(m, `{"content":[],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"`+sessiontest.TaskID+`"}}}`)
	case protocol.MethodTasksCancel, protocol.MethodTasksUpdate:
		l.result(m, `{"resultType":"complete"}`)
	}
}

// gaps are the times between polls.
func (p *taskPolls) gaps() []time.Duration {
	var out []time.Duration
	for i := 1; i < len(p.at); i++ {
		out = append(out, p.at[i].Sub(p.at[i-1]))
	}
	return out
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

func TestTasksArePolledAtTheIntervalGiven(t *testing.T) { // TASK-08, TSKX-05
	for _, c := range []struct {
		interval string
		want     time.Duration
	}{
		{"3000", 3 * time.Second}, {"", defaultPoll}, {"0", leastPoll}, {"1", leastPoll}, {"-5", leastPoll},
		{"1e3", defaultPoll}, {"1500.5", 1500 * time.Millisecond}, {"99999999999999999999999", mostPoll}, {"100000000", mostPoll},
	} {
		for _, modern := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s %v", c.interval, modern), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					p := &taskPolls{statuses: []string{"working", "working", "working", "completed"}, interval: c.interval, modern: modern}
					play := withTasks(p.serve)
					if modern {
						play = withExtension(p.serve)
					}
					s, _, done := ready(t, stdioTarget, Options{Capabilities: taskable}, play)
					defer done()
					_ = s.Refresh(t.Context(), Tools)
					began := time.Now()
					call := callTask(t, s, "good", TaskOptions{})
					if st := ended(t, call); st.Phase != CallOK {
						t.Fatalf("%+v", st)
					}
					if len(p.at) != 4 || p.at[0].Sub(began) != c.want {
						t.Fatalf("%d polls, the first after %s", len(p.at), p.at[0].Sub(began))
					}
					for _, gap := range p.gaps() {
						if gap != c.want {
							t.Errorf("gaps %v, want %s", p.gaps(), c.want)
						}
					}
				})
			})
		}
	}
}

func TestPollsThatFailBackOff(t *testing.T) { // TASK-08, TSKX-05: never a storm
	synctest.Test(t, func(t *testing.T) {
		p := &taskPolls{statuses: []string{"working", "completed"}, interval: "200", modern: true, fail: func(n int) bool { return n >= 2 && n <= 7 }}
		s, _, done := ready(t, stdioTarget, Options{Capabilities: taskable}, withExtension(p.serve))
		defer done()
		if st := ended(t, callTask(t, s, "good", TaskOptions{})); st.Phase != CallOK {
			t.Fatalf("%+v", st)
		}
		got := fmt.Sprint(p.gaps())
		if got != "[200ms 1s 2s 4s 8s 16s 32s]" {
			t.Errorf("gaps %s", got)
		}
	})
}

func TestPollsEndThatNeverSucceed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &taskPolls{statuses: []string{"working"}, modern: true, fail: func(int) bool { return true }}
		s, _, done := ready(t, stdioTarget, Options{Capabilities: taskable}, withExtension(p.serve))
		defer done()
		call := callTask(t, s, "good", TaskOptions{})
		st := ended(t, call)
		task := s.State().Tasks[0]
		if st.Phase != CallLost || task.Loss != TaskUnreachable || len(p.at) != maxPollFailures || task.Followed() || !strings.Contains(st.Err, "10 polls") {
			t.Errorf("%s, %d polls, %+v", st.Err, len(p.at), task)
		}
		for _, gap := range p.gaps() {
			if gap > lastRetry || gap < firstRetry {
				t.Errorf("gaps %v", p.gaps())
			}
		}
		// The person may try once more.
		p.fail, p.statuses = nil, []string{"completed"}
		if err := s.FollowTask(task.Key, true); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if task := s.State().Tasks[0]; task.Status != protocol.TaskCompleted || task.ResultSeq == 0 || task.Loss != TaskKept {
			t.Errorf("%+v", task)
		}
		if st := call.State(); !st.Late || st.AnswerSeq == 0 {
			t.Errorf("the outcome is not shown as late: %+v", st)
		}
	})
}

func TestStatusNotificationsShortenAPollAndNothingDependsOnThem(t *testing.T) { // TASK-13
	synctest.Test(t, func(t *testing.T) {
		p := &taskPolls{statuses: []string{"completed"}, interval: "60000"}
		s, f, done := ready(t, stdioTarget, Options{Capabilities: taskable}, withTasks(p.serve))
		defer done()
		_ = s.Refresh(t.Context(), Tools)
		began := time.Now()
		call := callTask(t, s, "good", TaskOptions{})
		time.Sleep(time.Second)
		for range 1000 { // also a flood of them is no storm of polls
			f.link().in(`{"jsonrpc":"2.0","method":"notifications/tasks/status","params":` + strings.Replace(sessiontest.CoreTask("completed"), `"ttl":60000`, `"ttl":null`, 1) + `}`)
		}
		st := ended(t, call)
		if st.Phase != CallOK || len(p.at) > 1 || time.Since(began) > 5*time.Second {
			t.Errorf("%d polls, %s later: %+v", len(p.at), time.Since(began), st)
		}
	})
}

func TestAFloodOfStatusesIsNoStormOfPolls(t *testing.T) { // TASK-13
	synctest.Test(t, func(t *testing.T) {
		p := &taskPolls{statuses: []string{"working"}, interval: "60000"}
		s, f, done := ready(t, stdioTarget, Options{Capabilities: taskable}, withTasks(p.serve))
		defer done()
		_ = s.Refresh(t.Context(), Tools)
		callTask(t, s, "good", TaskOptions{})
		for i := range 1000 {
			status := []string{"working", "input_required"}[i%2]
			f.link().in(`{"jsonrpc":"2.0","method":"notifications/tasks/status","params":` + sessiontest.CoreTask(status) + `}`)
			time.Sleep(10 * time.Millisecond)
		}
		synctest.Wait()
		if n := len(p.at); n < 2 || n > 55 { // ten seconds at five a second
			t.Errorf("%d polls", n)
		}
	})
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
