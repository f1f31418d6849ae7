package session

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session/link"
	"mcploupe/session/sessiontest"
)

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

// statusAt is a status of a task of the extension, as of some second.
func statusAt(status, second string) string {
	rest := ""
	if status == "completed" {
		rest = `,"result":` + sessiontest.CallResult
	}
	text := strings.Replace(sessiontest.ModernTask(status, rest), "10:00:01Z", "10:00:0"+second+"Z", 1)
	return strings.Replace(text, `"pollIntervalMs":500`, `"pollIntervalMs":3600000`, 1)
}

func TestStatusesThatOvertakeEachOther(t *testing.T) { // L-TSKX-13, TASK-13, TSKX-16: what came on its way too late is no fault
	for _, c := range []struct {
		target Target
		steps  string // ask, answer and told (a notification), each with the status and the second of lastUpdatedAt
		rules  string
		last   string // second of the newest status that counts
	}{
		{httpTarget, "told working 2, told working 3", "", "3"},
		{httpTarget, "told working 3, told working 2", "L-TSKX-13", "2"},
		{stdioTarget, "told working 3, told working 2", "L-TSKX-13", "2"},
		{httpTarget, "ask, answer working 3, told working 2", "", "3"},
		{stdioTarget, "ask, answer working 3, told working 2", "L-TSKX-13", "2"},
		{httpTarget, "ask, told working 3, answer working 2", "", "3"},
		{stdioTarget, "ask, told working 3, answer working 2", "", "3"},
		{httpTarget, "told working 3, ask, answer working 2", "L-TSKX-13", "2"},
		{httpTarget, "ask, answer working 3, ask, answer working 2", "L-TSKX-13", "2"},
		{httpTarget, "ask, ask, second working 3, answer working 2", "", "3"},
		{httpTarget, "ask, told completed 3, answer working 3", "", "3"},
		{httpTarget, "ask, told completed 3, answer working 4", "L-TSKX-13", "3"},
		{httpTarget, "told completed 3, ask, answer working 3", "L-TSKX-13", "3"},
		{httpTarget, "ask, answer completed 3, told working 3", "", "3"},
		{httpTarget, "ask, answer completed 3, told working 4", "L-TSKX-13", "3"},
	} {
		t.Run(c.target.String()+" "+c.steps, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var listened protocol.Message
				var asked []protocol.Message
				s, f, done := ready(t, c.target, Options{Capabilities: taskable}, withExtension(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
					switch m.Method {
					case protocol.MethodToolsCall:
						l.result(m, strings.Replace(sessiontest.ModernHandle, `"pollIntervalMs":500`, `"pollIntervalMs":3600000`, 1))
					case protocol.MethodSubscriptionsListen:
						listened = m
						l.acknowledge(m)
					case protocol.MethodTasksGet:
						asked = append(asked, m)
					}
				}))
				defer done()
				callTask(t, s, "good", TaskOptions{})
				if _, err := s.Subscribe(t.Context(), SubscriptionFilter{TaskIDs: []string{sessiontest.TaskID}}); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				l := f.link()
				deliver := func(channel, raw string, of protocol.Message) {
					in := link.Incoming{Seq: l.log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindMessage, Channel: channel, Data: []byte(raw)}), Raw: []byte(raw), Channel: "stdio"}
					if l.name == "http" {
						in.Channel, in.For, in.Status = channel, of.ID, 200
					}
					l.h.Receive(in)
				}
				for step := range strings.SplitSeq(c.steps, ", ") {
					what := strings.Fields(step)
					switch what[0] {
					case "ask":
						if _, err := s.Do(t.Context(), s.NewRequest(protocol.MethodTasksGet, protocol.TaskParams(sessiontest.TaskID)), CallOptions{}); err != nil {
							t.Fatal(err)
						}
					case "told":
						params := strings.Replace(statusAt(what[1], what[2]), `"resultType":"complete"`, `"_meta":{"io.modelcontextprotocol/subscriptionId":`+listened.ID.String()+`}`, 1)
						deliver("listen", `{"jsonrpc":"2.0","method":"notifications/tasks","params":`+params+`}`, listened)
					default: // an answer to the first that waits, or to the second
						i := 0
						if what[0] == "second" {
							i = 1
						}
						m := asked[i]
						asked = append(asked[:i:i], asked[i+1:]...)
						deliver("get"+m.ID.String(), `{"jsonrpc":"2.0","id":`+m.ID.String()+`,"result":`+statusAt(what[1], what[2])+`}`, m)
					}
					synctest.Wait()
				}
				st := s.State()
				if got := rules(st); got != c.rules {
					t.Errorf("findings %q, want %q: %+v", got, c.rules, st.Findings)
				}
				if got := st.Tasks[0].UpdatedAt; got != "2026-11-30T10:00:0"+c.last+"Z" {
					t.Errorf("the status is that of %s", got)
				}
			})
		})
	}
}

func TestATaskThatIsOverBeforeItsCallIsAnswered(t *testing.T) { // TASK-13: the answer was overtaken
	synctest.Test(t, func(t *testing.T) {
		p := &taskPolls{statuses: []string{"completed"}}
		s, f, done := ready(t, httpTarget, Options{Capabilities: taskable}, withTasks(func(l *fakeLink, m protocol.Message, o link.SendOptions) {
			if m.Method == protocol.MethodToolsCall {
				raw := `{"jsonrpc":"2.0","method":"notifications/tasks/status","params":` + sessiontest.CoreTask("completed") + `}`
				l.h.Receive(link.Incoming{Seq: l.log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindMessage, Channel: "get", Data: []byte(raw)}), Raw: []byte(raw), Channel: "get"})
			}
			p.serve(l, m, o)
		}))
		defer done()
		_ = s.Refresh(t.Context(), Tools)
		call := callTask(t, s, "good", TaskOptions{})
		time.Sleep(time.Minute)
		synctest.Wait()
		if st := call.State(); st.Phase != CallOK || st.AnswerSeq == 0 || rules(s.State()) != "" {
			t.Errorf("%+v, findings %s", st, rules(s.State()))
		}
		if got := strings.Count(f.methods(), protocol.MethodTasksResult); got != 1 {
			t.Errorf("the result was asked for %d times", got)
		}
	})
}
