package session

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session/link"
	"mcploupe/session/sessiontest"
)

const formParams = `"message":"How many?","requestedSchema":{"type":"object","properties":{"n":{"type":"integer"}}}`

// askingTask is a server of 2025-11-25 whose task asks the person something when
// tasks/result is called, and is over when that has its answer.
type askingTask struct {
	status  string
	gets    atomic.Int32
	result  protocol.Message // the tasks/result that waits
	results atomic.Int32
	answer  protocol.Message
}

func (a *askingTask) serve(l *fakeLink, m protocol.Message, _ link.SendOptions) {
	related := `"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"` + sessiontest.TaskID + `"}}`
	switch {
	case m.Kind == protocol.Result && m.ID.String() == `"ask"`:
		a.answer, a.status = m, "completed"
		l.result(a.result, `{"content":[{"type":"text","text":"thanks"}],`+related+`}`)
	case m.Method == protocol.MethodToolsList:
		l.result(m, sessiontest.TaskTools)
	case m.Method == protocol.MethodToolsCall:
		a.status = "working"
		l.result(m, `{"task":`+sessiontest.CoreTask("working")+`}`)
	case m.Method == protocol.MethodTasksGet:
		if a.gets.Add(1) == 2 {
			a.status = "input_required"
		}
		l.result(m, sessiontest.CoreTask(a.status))
	case m.Method == protocol.MethodTasksResult:
		a.results.Add(1)
		a.result = m
		l.in(`{"jsonrpc":"2.0","id":"ask","method":"elicitation/create","params":{` + formParams + `,` + related + `}}`)
	}
}

func TestATaskAsksThroughItsResult(t *testing.T) { // TASK-10, TASK-11, TASK-14, TASK-15, TASK-16
	synctest.Test(t, func(t *testing.T) {
		var a askingTask
		s, f, done := ready(t, stdioTarget, Options{Capabilities: taskable}, withTasks(a.serve))
		defer done()
		_ = s.Refresh(t.Context(), Tools)
		call := callTask(t, s, "good", TaskOptions{})
		time.Sleep(2 * time.Second)
		synctest.Wait()
		st := s.State()
		if len(st.Asks) != 1 || st.Asks[0].Cause != call.State().Key || st.Asks[0].Task != st.Tasks[0].Key || st.Tasks[0].Waiting != 1 || a.results.Load() != 1 {
			t.Fatalf("asks %+v, %d requests for the result, task %+v", st.Asks, a.results.Load(), st.Tasks)
		}
		polled, waited := a.gets.Load(), time.Minute
		time.Sleep(waited)
		synctest.Wait()
		if a.gets.Load() < polled+100 || a.results.Load() != 1 {
			t.Errorf("%d polls while the result is waited for, then %d; %d requests for the result", polled, a.gets.Load(), a.results.Load())
		}
		if err := s.Reply(t.Context(), st.Asks[0].Key, Reply{Action: ActionAccept, Content: jsontext.Value(`{"n":9007199254740993}`)}); err != nil {
			t.Fatal(err)
		}
		end := ended(t, call)
		if end.Phase != CallOK || !strings.Contains(string(end.Answer.Result), "thanks") || end.Waited < waited {
			t.Errorf("%+v", end)
		}
		if got, want := string(a.answer.Result), `{"action":"accept","content":{"n":9007199254740993},"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"`+sessiontest.TaskID+`"}}}`; got != want {
			t.Errorf("the answer is %s", sessiontest.Diff(want, got))
		}
		for _, m := range f.link().sent {
			if strings.HasPrefix(m.Method, "tasks/") && strings.Contains(string(m.Raw), "related-task") {
				t.Errorf("%s names a related task", m.Raw)
			}
		}
		if got := rules(s.State()); got != "" {
			t.Errorf("findings %s", got)
		}
	})
}

func TestAnAnswerThatIsAResultNamesItsTask(t *testing.T) { // TASK-15
	core := &task{Task: Task{ID: "T", Kind: protocol.TaskCore}}
	const related = `"io.modelcontextprotocol/related-task":{"taskId":"T"}`
	for _, c := range []struct {
		result, want string
		of           *task
	}{
		{`{}`, `{"_meta":{` + related + `}}`, core},
		{`{"roots":[] }`, `{"roots":[],"_meta":{` + related + `} }`, core},
		{`{"_meta":{"a":1.0}}`, `{"_meta":{"a":1.0,` + related + `}}`, core},
		{`{"_meta":{` + related + `}}`, `{"_meta":{` + related + `}}`, core},
		{`[]`, `[]`, core},
		{`{}`, `{}`, nil},
		{`{}`, `{}`, &task{Task: Task{ID: "T", Kind: protocol.TaskExtension}}},
	} {
		if got := string(relatedReply(jsontext.Value(c.result), c.of)); got != c.want {
			t.Errorf("%s: %s, want %s", c.result, got, c.want)
		}
	}
}

// wantingTask is a server of the extension: its task wants two inputs, the second
// when the first is there, and tells of them for some polls after it has them.
type wantingTask struct {
	updates []string
	lag     int
}

func (w *wantingTask) serve(l *fakeLink, m protocol.Message, _ link.SendOptions) {
	ask := func(key string) string {
		return `"` + key + `":{"method":"elicitation/create","params":{"mode":"form",` + formParams + `}}`
	}
	switch m.Method {
	case protocol.MethodToolsCall:
		l.result(m, sessiontest.ModernHandle)
	case protocol.MethodTasksGet:
		switch n := len(w.updates); {
		case n == 0:
			l.result(m, sessiontest.ModernTask("input_required", `,"inputRequests":{`+ask("a")+`}`))
		case w.lag > 0:
			w.lag--
			l.result(m, sessiontest.ModernTask("input_required", `,"inputRequests":{`+ask("a")+`}`))
		case n == 1:
			l.result(m, sessiontest.ModernTask("input_required", `,"inputRequests":{`+ask("b")+`}`))
		default:
			l.result(m, sessiontest.ModernTask("completed", `,"result":`+sessiontest.CallResult))
		}
	case protocol.MethodTasksUpdate:
		w.updates = append(w.updates, string(m.Params))
		l.result(m, `{"resultType":"complete"}`)
	}
}

func TestATaskOfTheExtensionAsks(t *testing.T) { // TSKX-07 to TSKX-12
	synctest.Test(t, func(t *testing.T) {
		w := &wantingTask{lag: 3}
		s, _, done := ready(t, stdioTarget, Options{Capabilities: taskable}, withExtension(w.serve))
		defer done()
		call := callTask(t, s, "good", TaskOptions{})
		for i, key := range []string{"a", "b"} {
			time.Sleep(10 * time.Second)
			synctest.Wait()
			st := s.State()
			if len(st.Asks) != 1 || st.Asks[0].InputKey != key || st.Asks[0].Task == 0 || st.Asks[0].Message != "How many?" || st.Calls[0].Phase != CallWorking && call.State().Phase != CallWorking {
				t.Fatalf("asks %+v", st.Asks)
			}
			if got, want := string(s.PreviewReply(st.Asks[0].Key, Reply{Action: ActionDecline})), `{"`+key+`":{"action":"decline"}}`; got != want {
				t.Errorf("preview %s", got)
			}
			if err := s.Reply(t.Context(), st.Asks[0].Key, Reply{Action: ActionAccept, Content: jsontext.Value(`{"n":1.0}`)}); err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(w.updates[i], `{"taskId":"`+sessiontest.TaskID+`","inputResponses":{"`+key+`":{"action":"accept","content":{"n":1.0}}}`) ||
				!strings.Contains(w.updates[i], "io.modelcontextprotocol/tasks") {
				t.Errorf("update %s", w.updates[i])
			}
			if st := s.State(); len(st.Asks) != 0 || !slices.Equal(st.Tasks[0].Answered, []string{"a", "b"}[:i+1]) {
				t.Errorf("after the answer: %+v", st.Tasks)
			}
		}
		end := ended(t, call)
		if end.Phase != CallOK || len(w.updates) != 2 || end.Waited == 0 || string(end.Answer.Result) != sessiontest.CallResult || end.ResultType != "complete" {
			t.Errorf("%d updates, %+v", len(w.updates), end)
		}
		if got := rules(s.State()); got != "" {
			t.Errorf("findings %s", got)
		}
	})
}

func TestAQuestionThatIsTakenBackIsNotAnswered(t *testing.T) { // TSKX-09
	synctest.Test(t, func(t *testing.T) {
		script := sessiontest.TaskCase{Modern: true, Gets: []string{
			sessiontest.ModernTask("input_required", `,"inputRequests":{"a":{"method":"elicitation/create","params":{`+formParams+`}}}`),
			sessiontest.ModernTask("working", ""),
		}}.Script()
		s, done := openScript(t, script, Options{Capabilities: taskable})
		defer done()
		callTask(t, s, "good", TaskOptions{})
		time.Sleep(600 * time.Millisecond)
		synctest.Wait()
		asks := s.State().Asks
		if len(asks) != 1 {
			t.Fatalf("asks %+v", asks)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if st := s.State(); len(st.Asks) != 0 {
			t.Errorf("it is still asked: %+v", st.Asks)
		}
		if err := s.Reply(t.Context(), asks[0].Key, Reply{Action: ActionCancel}); err == nil {
			t.Error("it was answered")
		}
	})
}

func TestRejectingATasksQuestionGivesTheTaskUp(t *testing.T) { // TSKX-11, TSKX-13
	synctest.Test(t, func(t *testing.T) {
		var w wantingTask
		s, f, done := ready(t, stdioTarget, Options{Capabilities: taskable}, withExtension(w.serve))
		defer done()
		call := callTask(t, s, "good", TaskOptions{})
		time.Sleep(time.Second)
		synctest.Wait()
		if err := s.Reply(t.Context(), s.State().Asks[0].Key, Reply{Action: ActionReject, Message: "no"}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if st := call.State(); st.Phase != CallCancelled || len(w.updates) != 0 || !strings.Contains(f.link().methods(), "tasks/cancel") || len(s.State().Asks) != 0 {
			t.Errorf("%+v; sent %s; asks %+v", st, f.link().methods(), s.State().Asks)
		}
	})
}

func TestRootsAreGivenToATaskByItself(t *testing.T) { // TSKX-08, ROOT-03
	synctest.Test(t, func(t *testing.T) {
		script := sessiontest.TaskCase{Modern: true, Gets: []string{
			sessiontest.ModernTask("input_required", `,"inputRequests":{"r":{"method":"roots/list"}}`),
			sessiontest.ModernTask("completed", `,"result":`+sessiontest.CallResult),
		}}.Script()
		caps := taskable
		caps.Roots = true
		s, done := openScript(t, script, Options{Capabilities: caps, Roots: []Root{{URI: "file:///a"}}})
		defer done()
		if st := ended(t, callTask(t, s, "good", TaskOptions{})); st.Phase != CallOK {
			t.Errorf("%+v", st)
		}
		log, sent := s.log.current(), ""
		for seq := uint64(1); seq <= log.Len(); seq++ {
			if log.Head(seq).Method == protocol.MethodTasksUpdate {
				m, _ := log.Message(seq)
				sent += string(m.Params)
			}
		}
		if !strings.Contains(sent, `"inputResponses":{"r":{"roots":[{"uri":"file:///a"}]}}`) {
			t.Errorf("updates: %s", sent)
		}
	})
}

func TestInputBeforeATask(t *testing.T) { // TSKX-10, TSKX-20: rounds may come before a task, with keys of their own
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		w := &wantingTask{}
		s, _, done := ready(t, stdioTarget, Options{Capabilities: taskable}, withExtension(func(l *fakeLink, m protocol.Message, o link.SendOptions) {
			if m.Method == protocol.MethodToolsCall {
				if calls++; calls == 1 {
					l.result(m, `{"resultType":"input_required","requestState":"s","inputRequests":{"a":{"method":"elicitation/create","params":{`+formParams+`}}}}`)
					return
				}
			}
			w.serve(l, m, o)
		}))
		defer done()
		call := callTask(t, s, "good", TaskOptions{})
		for range 3 {
			time.Sleep(5 * time.Second)
			synctest.Wait()
			asks := s.State().Asks
			if len(asks) != 1 {
				t.Fatalf("asks %+v", asks)
			}
			if err := s.Reply(t.Context(), asks[0].Key, Reply{Action: ActionAccept, Content: jsontext.Value(`{}`)}); err != nil {
				t.Fatal(err)
			}
		}
		if st := ended(t, call); st.Phase != CallOK || len(st.Rounds) != 1 || len(w.updates) != 2 || calls != 2 {
			t.Errorf("%d calls, %d updates, %+v", calls, len(w.updates), st)
		}
	})
}

func TestTasksForThisSideAreIgnored(t *testing.T) { // TASK-01, TASK-19, TASK-20: not declared, so it is answered as any request
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{Capabilities: allCapabilities}, withTasks(func(*fakeLink, protocol.Message, link.SendOptions) {}))
		defer done()
		if caps := string(f.link().last(protocol.MethodInitialize).Params); strings.Contains(caps, "tasks") {
			t.Errorf("declared: %s", caps)
		}
		for i, text := range []string{
			`"method":"elicitation/create","params":{"task":{"ttl":1000},` + formParams + `}`,
			`"method":"sampling/createMessage","params":{"task":{},"messages":[],"maxTokens":5}`,
		} {
			f.link().in(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%s}`, i+100, text))
			asks := s.State().Asks
			if len(asks) != 1 {
				t.Fatalf("asks %+v", asks)
			}
			if err := s.Reply(t.Context(), asks[0].Key, Reply{Action: ActionResult, Result: jsontext.Value(`{"action":"cancel"}`)}); err != nil {
				t.Fatal(err)
			}
			f.link().mu.Lock()
			last := f.link().sent[len(f.link().sent)-1]
			f.link().mu.Unlock()
			if string(last.Result) != `{"action":"cancel"}` || last.ID.String() != fmt.Sprint(i+100) {
				t.Errorf("answered with %s", last.Raw)
			}
		}
		// And nobody gets a task of ours.
		f.link().in(`{"jsonrpc":"2.0","id":200,"method":"tasks/get","params":{"taskId":"x"}}`)
		synctest.Wait()
		f.link().mu.Lock()
		last := f.link().sent[len(f.link().sent)-1]
		f.link().mu.Unlock()
		if !strings.Contains(string(last.Raw), "-32601") {
			t.Errorf("tasks/get: %s", last.Raw)
		}
	})
}
