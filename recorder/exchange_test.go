package recorder

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// script writes events a millisecond apart, or as far as step says.
type script struct {
	l    *Log
	now  time.Duration
	step time.Duration
}

func newScript(t testing.TB) *script {
	l, err := Create(filepath.Join(t.TempDir(), "script"+Ext), Header{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return &script{l: l, step: time.Millisecond}
}

func (s *script) add(e Event) uint64 {
	s.now += s.step
	e.Time = s.now
	return s.l.Append(e)
}

func (s *script) out(msg string) uint64 {
	return s.add(Event{Kind: KindMessage, Dir: Out, Channel: "stdio", Data: []byte(msg)})
}

func (s *script) in(msg string) uint64 {
	return s.add(Event{Kind: KindMessage, Dir: In, Channel: "stdio", Data: []byte(msg)})
}

func (s *script) state(word, detail string) uint64 {
	return s.add(Event{Kind: KindState, Dir: Out, Fields: &StateChange{State: word, Detail: detail}})
}

// post writes the head and body of an HTTP request and returns both.
func (s *script) post(channel, body string) (head, sent uint64) {
	head = s.add(Event{Kind: KindHTTP, Dir: Out, Channel: channel, Fields: &HTTPHead{Method: "POST", URL: "http://h/mcp"}})
	return head, s.add(Event{Kind: KindMessage, Dir: Out, Channel: channel, Cause: head, Data: []byte(body)})
}

func (s *script) answerHead(channel string, head uint64, status int) uint64 {
	return s.add(Event{Kind: KindHTTP, Dir: In, Channel: channel, Cause: head, Fields: &HTTPHead{Status: status}})
}

func (s *script) on(channel string, cause uint64, msg string) uint64 {
	return s.add(Event{Kind: KindMessage, Dir: In, Channel: channel, Cause: cause, Data: []byte(msg)})
}

func (s *script) done(channel string, cause uint64, failure string) uint64 {
	return s.add(Event{Kind: KindHTTP, Dir: In, Channel: channel, Cause: cause, Fields: &HTTPHead{Done: true, Error: failure}})
}

// call is a request of the client.
func call(id int, tool string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"_meta":{"progressToken":%d}}}`, id, tool, id)
}

func ok(id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[]}}`, id)
}

func logged(text string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":%q}}`, text)
}

func progress(token int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%d,"progress":1}}`, token)
}

func cancel(id string) string {
	return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`
}

// summary says what the exchanges are: state, members, and what was waited.
func summary(x *Exchanges) []string {
	var out []string
	for i := range x.Len() {
		e := x.At(i)
		text := fmt.Sprintf("%s %s %v", e.Method, e.State, x.Members(i))
		if e.Took != 0 {
			text += fmt.Sprintf(" took %v", e.Took)
		}
		if e.Waited != 0 {
			text += fmt.Sprintf(" waited %v", e.Waited)
		}
		if e.Rounds != 0 {
			text += fmt.Sprintf(" rounds %d", e.Rounds)
		}
		if e.Problems {
			text += " problems"
		}
		out = append(out, text)
	}
	return out
}

func TestExchanges(t *testing.T) {
	elicit := func(id int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":{"message":"?","requestedSchema":{}}}`, id)
	}
	const listen = `{"jsonrpc":"2.0","id":70,"method":"subscriptions/listen","params":{"notifications":{}}}`
	for name, c := range map[string]struct {
		play func(s *script)
		want []string
	}{
		"ok, tool error and error": {func(s *script) {
			s.out(call(1, "a"))
			s.out(call(2, "b"))
			s.in(ok(1))
			s.in(`{"jsonrpc":"2.0","id":2,"result":{"content":[],"isError":true}}`)
			s.out(`{"jsonrpc":"2.0","id":3,"method":"ping"}`)
			s.in(`{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"no"}}`)
			s.out(`{"jsonrpc":"2.0","id":4,"method":"ping"}`)
		}, []string{"tools/call ok [1 3] took 2ms", "tools/call tool error [2 4] took 2ms", "ping error [5 6] took 1ms", "ping pending [7]"}},

		"progress goes by its token, log messages by being alone": {func(s *script) {
			s.out(call(1, "a"))
			s.in(logged("mine"))
			s.out(call(2, "b"))
			s.in(logged("whose?"))
			s.in(progress(1))
			s.in(progress(2))
			s.in(progress(3))
			s.in(ok(1))
			s.in(logged("of 2"))
			s.in(ok(2))
			s.in(progress(1))
		}, []string{"tools/call ok [1 2 5 8 11] took 7ms", "tools/call ok [3 6 9 10] took 7ms"}},

		"a question of the server belongs to the only call, and its time is taken out": {func(s *script) {
			s.out(call(1, "a"))
			s.in(elicit(1))
			s.step = time.Second
			s.out(`{"jsonrpc":"2.0","id":1,"result":{"action":"accept"}}`)
			s.step = time.Millisecond
			s.in(ok(1))
		}, []string{"tools/call ok [1 2 3 4] took 2ms waited 1s"}},

		"questions that overlap are waited for once": {func(s *script) {
			s.out(call(1, "a"))
			s.in(elicit(1))
			s.in(elicit(2))
			s.out(`{"jsonrpc":"2.0","id":1,"result":{"action":"accept"}}`)
			s.in(cancel("2"))
			s.in(ok(1))
		}, []string{"tools/call ok [1 2 3 4 5 6] took 2ms waited 3ms"}},

		"a question that is open when the answer comes": {func(s *script) {
			s.out(call(1, "a"))
			s.in(elicit(1))
			s.in(ok(1))
			s.out(`{"jsonrpc":"2.0","id":1,"result":{"action":"cancel"}}`)
		}, []string{"tools/call ok [1 2 3 4] took 1ms waited 1ms"}},

		"a question while two calls are open is an exchange of its own": {func(s *script) {
			s.out(call(1, "a"))
			s.out(call(2, "b"))
			s.in(elicit(1))
			s.out(`{"jsonrpc":"2.0","id":1,"result":{"action":"accept"}}`)
			s.in(ok(2))
			s.in(ok(1))
		}, []string{"tools/call ok [1 6] took 5ms", "tools/call ok [2 5] took 3ms", "elicitation/create ok [3 4] took 1ms"}},

		"a ping of the server is about no call": {func(s *script) {
			s.out(call(1, "a"))
			s.in(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
			s.out(`{"jsonrpc":"2.0","id":1,"result":{}}`)
			s.in(ok(1))
		}, []string{"tools/call ok [1 4] took 3ms", "ping ok [2 3] took 1ms"}},

		"cancelled, and late (L-CAN-01)": {func(s *script) {
			s.out(call(1, "a"))
			s.out(cancel("1"))
			s.out(call(2, "b"))
			s.out(cancel("2"))
			s.in(ok(2))
			s.out(cancel("77"))
		}, []string{"tools/call cancelled [1 2]", "tools/call late [3 4 5] took 2ms"}},

		"a cancellation after the answer changes nothing": {func(s *script) {
			s.out(call(1, "a"))
			s.in(ok(1))
			s.out(cancel("1"))
		}, []string{"tools/call ok [1 2 3] took 1ms"}},

		"timed out, and late": {func(s *script) {
			s.out(`{"jsonrpc":"2.0","id":"a: b","method":"tools/call","params":{"name":"x"}}`)
			s.state("timeout", `tools/call "a: b": No answer and no progress within the limit of 1s`)
			s.out(cancel(`"a: b"`))
			s.out(call(2, "b"))
			s.state("timeout", "tools/call 2: No answer")
			s.in(ok(2))
			s.state("timeout", "tools/call 99: No answer")
		}, []string{"tools/call timed out [1 2 3]", "tools/call late [4 5 6] took 2ms"}},

		"lost with the connection, answered after all": {func(s *script) {
			s.out(call(1, "a"))
			s.out(call(2, "b"))
			s.state("exited", "exit status 1")
			s.in(ok(2))
		}, []string{"tools/call lost [1]", "tools/call ok [2 4] took 2ms"}},

		"answered twice (L-RPC-06), and with an id of another type (L-RPC-02)": {func(s *script) {
			s.out(call(1, "a"))
			s.in(ok(1))
			s.in(`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"again"}}`)
			s.out(call(2, "b"))
			s.in(`{"jsonrpc":"2.0","id":"2","result":{}}`)
			s.in(ok(3))
		}, []string{"tools/call ok [1 2 3] took 1ms", "tools/call ok [4 5] took 1ms"}},

		"no valid answer (P5)": {func(s *script) {
			s.out(call(1, "a"))
			s.in(`{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}`)
			s.out(call(2, "b"))
			s.in(`{"jsonrpc":"2.0","id":2}`)
		}, []string{"tools/call invalid [1 2] took 1ms problems", "tools/call invalid [3 4] took 1ms problems"}},

		"rounds are one exchange (case 108)": {func(s *script) {
			s.out(call(1, "a"))
			s.in(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create"}},"requestState":"s1"}}`)
			s.out(call(2, "a"))
			s.step = time.Second
			s.out(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a","requestState":"s\u0031","inputResponses":{"k":{}},"_meta":{"progressToken":3}}}`)
			s.step = time.Millisecond
			s.in(progress(3))
			s.in(`{"jsonrpc":"2.0","id":3,"result":{"resultType":"input_required","requestState":"s2"}}`)
			s.out(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"a","requestState":"s2"}}`)
			s.in(`{"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","content":[]}}`)
			s.in(ok(2))
		}, []string{"tools/call ok [1 2 4 5 6 7 8] took 4ms waited 1.002s rounds 2", "tools/call ok [3 9] took 1.005s"}},

		"two calls wait for a round; the state says whose it is": {func(s *script) {
			s.out(call(1, "a"))
			s.out(call(2, "a"))
			s.in(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"one"}}`)
			s.in(`{"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","requestState":"two"}}`)
			s.out(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a","requestState":"two"}}`)
			s.out(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"a","requestState":"three"}}`)
			s.in(ok(3))
		}, []string{"tools/call pending [1 3] rounds 1", "tools/call ok [2 4 5 7] took 4ms waited 1ms rounds 1", "tools/call pending [6]"}},

		"a question of a task belongs to its call (TASK-11, TASK-15)": {func(s *script) {
			s.out(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","task":{}}}`)
			s.in(`{"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"T","status":"working"}}}`)
			s.out(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"b"}}`)
			s.in(`{"jsonrpc":"2.0","id":9,"method":"elicitation/create","params":{"message":"x","_meta":{"io.modelcontextprotocol/related-task":{"taskId":"T"}}}}`)
			s.out(`{"jsonrpc":"2.0","id":9,"result":{"action":"accept"}}`)
			s.in(`{"jsonrpc":"2.0","id":2,"result":{"content":[]}}`)
			s.out(`{"jsonrpc":"2.0","id":3,"method":"tasks/result","params":{"taskId":"T"}}`)
			s.in(`{"jsonrpc":"2.0","id":3,"result":{"content":[]}}`)
		}, []string{"tools/call ok [1 2 4 5 7 8] took 6ms waited 1ms", "tools/call ok [3 6] took 3ms"}},
		"polls of a task fold in (TASK-08, TASK-09)": {func(s *script) {
			s.out(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","task":{}}}`)
			s.in(`{"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"T","status":"working"}}}`)
			s.out(`{"jsonrpc":"2.0","id":2,"method":"tasks/get","params":{"taskId":"T"}}`)
			s.in(`{"jsonrpc":"2.0","id":2,"result":{"taskId":"T","status":"working"}}`)
			s.in(`{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"T","status":"completed"}}`)
			s.out(`{"jsonrpc":"2.0","id":3,"method":"tasks/result","params":{"taskId":"T"}}`)
			s.in(`{"jsonrpc":"2.0","id":3,"result":{"content":[],"isError":true}}`)
			s.out(`{"jsonrpc":"2.0","id":4,"method":"tasks/get","params":{"taskId":"U"}}`)
			s.in(`{"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"no such task"}}`)
		}, []string{"tools/call tool error [1 2 3 4 5 6 7] took 6ms", "tasks/get error [8 9] took 1ms"}},

		"a task of the extension (TSKX-07)": {func(s *script) {
			s.out(call(1, "a"))
			s.in(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"T","status":"working"}}`)
			s.out(`{"jsonrpc":"2.0","id":2,"method":"tasks/get","params":{"taskId":"T"}}`)
			s.in(`{"jsonrpc":"2.0","id":2,"result":{"taskId":"T","status":"input_required","inputRequests":{"k":{}}}}`)
			s.step = time.Second
			s.out(`{"jsonrpc":"2.0","id":3,"method":"tasks/update","params":{"taskId":"T"}}`)
			s.step = time.Millisecond
			s.in(`{"jsonrpc":"2.0","id":3,"result":{}}`)
			s.out(`{"jsonrpc":"2.0","id":4,"method":"tasks/get","params":{"taskId":"T"}}`)
			s.in(`{"jsonrpc":"2.0","id":4,"result":{"taskId":"T","status":"completed","result":{"content":[]}}}`)
		}, []string{"tools/call ok [1 2 3 4 5 6 7 8] took 6ms waited 1s"}},

		"a task that the server forgot": {func(s *script) {
			s.out(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","task":{}}}`)
			s.in(`{"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"T","status":"working"}}}`)
			s.out(`{"jsonrpc":"2.0","id":2,"method":"tasks/cancel","params":{"taskId":"T"}}`)
			s.in(`{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"not now"}}`)
			s.out(`{"jsonrpc":"2.0","id":3,"method":"tasks/get","params":{"taskId":"T"}}`)
			s.in(`{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"later"}}`)
			s.out(`{"jsonrpc":"2.0","id":4,"method":"tasks/get","params":{"taskId":"T"}}`)
			s.in(`{"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"no such task"}}`)
		}, []string{"tools/call lost [1 2 3 4 5 6 7 8] took 1ms"}},

		"a task that is pending, one that failed, one that was cancelled": {func(s *script) {
			for i, status := range []string{"working", "failed", "cancelled"} {
				s.out(call(10*i, "a"))
				s.in(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"resultType":"task","taskId":"T%d","status":"working"}}`, 10*i, i))
				s.out(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tasks/get","params":{"taskId":"T%d"}}`, 10*i+1, i))
				s.in(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"taskId":"T%d","status":%q}}`, 10*i+1, i, status))
			}
		}, []string{"tools/call pending [1 2 3 4]", "tools/call error [5 6 7 8] took 3ms", "tools/call cancelled [9 10 11 12] took 1ms"}},

		"the HTTP exchange that carried it": {func(s *script) {
			head, _ := s.post("post-1", call(1, "a"))
			other, _ := s.post("post-2", call(2, "b"))
			got := s.answerHead("post-1", head, 200)
			fields := s.add(Event{Kind: KindSSE, Dir: In, Channel: "post-1", Cause: got, Fields: &SSEFields{ID: "e1", HasID: true}})
			s.on("post-1", fields, logged("on its stream"))
			s.on("post-1", got, elicit(1))
			_, _ = s.post("post-3", `{"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}`)
			s.answerHead("post-3", 9, 202)
			s.done("post-3", 11, "")
			s.on("post-1", got, ok(1))
			s.done("post-1", got, "")
			got = s.answerHead("post-2", other, 200)
			s.on("post-2", got, ok(2))
			s.done("post-2", got, "")
		}, []string{"tools/call ok [1 2 5 6 7 8 9 10 11 12 13 14] took 9ms waited 2ms", "tools/call ok [3 4 15 16 17] took 12ms"}},

		"a GET stream is nobody's, what it brings is not": {func(s *script) {
			get := s.add(Event{Kind: KindHTTP, Dir: Out, Channel: "get-1", Fields: &HTTPHead{Method: "GET"}})
			got := s.answerHead("get-1", get, 200)
			s.post("post-1", call(1, "a"))
			fields := s.add(Event{Kind: KindSSE, Dir: In, Channel: "get-1", Cause: got, Fields: &SSEFields{ID: "e1", HasID: true}})
			s.on("get-1", fields, progress(1))
			s.on("get-1", got, logged("alone"))
			s.on("get-1", got, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		}, []string{"tools/call pending [3 4 5 6 7]"}},

		"HTTP exchanges that end without an answer": {func(s *script) {
			head, _ := s.post("post-1", call(1, "a"))
			s.done("post-1", head, GivenUp)
			head, _ = s.post("post-2", call(2, "a"))
			s.done("post-2", head, "connection reset by peer")
			head, _ = s.post("post-3", call(3, "a"))
			s.done("post-3", s.answerHead("post-3", head, 202), "")
			head, _ = s.post("post-4", call(4, "a"))
			got := s.answerHead("post-4", head, 200)
			s.add(Event{Kind: KindBad, Dir: In, Channel: "post-4", Cause: got, Data: []byte("<html>")})
			s.done("post-4", got, "")
			head, _ = s.post("post-5", call(5, "a"))
			got = s.answerHead("post-5", head, 404)
			s.done("post-5", got, "")
		}, []string{
			"tools/call cancelled [1 2 3] problems", "tools/call lost [4 5 6] problems", "tools/call pending [7 8 9 10]",
			"tools/call invalid [11 12 13 14 15] took 2ms problems", "tools/call lost [16 17 18 19]"}},

		"a stream that was resumed brings the answer": {func(s *script) {
			head, _ := s.post("post-1", call(1, "a"))
			got := s.answerHead("post-1", head, 200)
			s.done("post-1", got, "unexpected EOF")
			get := s.add(Event{Kind: KindHTTP, Dir: Out, Channel: "get-1", Fields: &HTTPHead{Method: "GET"}})
			got = s.answerHead("get-1", get, 200)
			s.add(Event{Kind: KindState, Dir: In, Channel: "get-1", Fields: &StateChange{State: "resumed", Detail: "the answer to request 1 after event e1"}})
			s.on("get-1", got, ok(1))
			s.done("get-1", got, "")
		}, []string{"tools/call ok [1 2 3 4 5 6 7 8 9] took 6ms problems"}},

		"redirects and what is said of an event": {func(s *script) {
			head, sent := s.post("post-1", call(1, "a"))
			got := s.answerHead("post-1", head, 307)
			s.done("post-1", got, "")
			head = s.add(Event{Kind: KindHTTP, Dir: Out, Channel: "post-1", Cause: got, Fields: &HTTPHead{Method: "POST"}})
			s.add(Event{Kind: KindNote, Dir: Out, Channel: "post-1", Cause: head, Data: []byte("the same body was sent again")})
			s.on("post-1", s.answerHead("post-1", head, 200), ok(1))
			stdio := s.out(call(2, "a"))
			s.add(Event{Kind: KindNote, Dir: Out, Channel: "stdio", Cause: stdio, Data: []byte("not written in full")})
			_ = s.l.SetMark(Mark{Seq: sent, Pinned: true})
		}, []string{"tools/call ok [1 2 3 4 5 6 7 8] took 6ms", "tools/call pending [9 10]"}},

		"a subscription has its notifications and is no work": {func(s *script) {
			s.out(listen)
			s.in(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":70}}}`)
			s.out(call(1, "a"))
			s.in(logged("of 1"))
			s.in(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":70}}}`)
			s.in(ok(1))
			s.in(cancel("70"))
		}, []string{"subscriptions/listen cancelled [1 2 5 7]", "tools/call ok [3 4 6] took 3ms"}},

		"a batch": {func(s *script) {
			s.out(`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":"b","method":"ping"}]`)
			s.in(`{"jsonrpc":"2.0","id":"b","error":{"code":1,"message":""}}`)
			s.in(ok(1))
			s.out(`[{"jsonrpc":"2.0","id":3,"method":"ping"},{"jsonrpc":"2.0","id":4,"method":"ping"}]`)
			s.in("[" + ok(4) + "," + ok(3) + "]")
			s.out(`[{"jsonrpc":"2.0","method":"notifications/initialized"}]`)
		}, []string{" error [1 2 3] took 2ms", " ok [4 5] took 1ms"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScript(t)
			c.play(s)
			x := NewExchanges(s.l)
			if !x.Take(t.Context()) && s.l.Len() > 0 || x.Take(t.Context()) {
				t.Error("Take does not know what is new")
			}
			if got := summary(x); !slices.Equal(got, c.want) {
				t.Errorf("\n got %s\nwant %s", strings.Join(got, "\n     "), strings.Join(c.want, "\n     "))
			}
			checkExchanges(t, x)
			checkSameLater(t, s.l, x)
		})
	}
}

// checkExchanges checks what must hold for any recording.
func checkExchanges(t testing.TB, x *Exchanges) {
	t.Helper()
	seen := map[uint64]int{}
	last := uint64(0)
	for i := range x.Len() {
		e, members := x.At(i), x.Members(i)
		if e.Request <= last {
			t.Errorf("exchange %d has request %d after %d", i, e.Request, last)
		}
		last = e.Request
		var bytes int64
		problems := false
		for k, seq := range members {
			if k > 0 && seq <= members[k-1] {
				t.Errorf("the members of exchange %d do not ascend: %v", i, members)
			}
			if other, ok := seen[seq]; ok {
				t.Errorf("event %d is in exchanges %d and %d", seq, other, i)
			}
			seen[seq] = i
			if of, ok := x.Of(seq); !ok || of != i {
				t.Errorf("event %d is of %d, %v and a member of %d", seq, of, ok, i)
			}
			h := x.log.Head(seq)
			bytes += int64(h.Size)
			problems = problems || h.Problems
		}
		if len(members) != e.Events || bytes != e.Bytes || problems != e.Problems {
			t.Errorf("exchange %d is %+v, its members %v have %d bytes, problems %v", i, e, members, bytes, problems)
		}
		if !slices.Contains(members, e.Request) || e.Answer != 0 && !slices.Contains(members, e.Answer) || e.First != members[0] || e.Last != members[len(members)-1] {
			t.Errorf("exchange %d is %+v, its members are %v", i, e, members)
		}
		if e.Took < 0 || e.Waited < 0 || e.State == 0 {
			t.Errorf("exchange %d is %+v", i, e)
		}
		if answered := e.State == ExchangeOK || e.State == ExchangeToolError || e.State == ExchangeError || e.State == ExchangeLate || e.State == ExchangeInvalid; answered && e.Answer == 0 {
			t.Errorf("exchange %d has no answer: %+v", i, e)
		}
	}
	for seq := uint64(1); seq <= x.log.Len(); seq++ {
		if _, ok := x.Of(seq); ok != (func() bool { _, ok := seen[seq]; return ok }()) {
			t.Errorf("event %d has an exchange that does not have it", seq)
		}
		if h := x.log.Head(seq); h.Kind == KindMessage && h.Message.String() == "request" {
			if _, ok := x.Of(seq); !ok {
				t.Errorf("request %d is in no exchange", seq)
			}
		}
	}
}

// checkSameLater checks that exchanges which are taken in bit by bit, and those
// of the reopened file, are the same.
func checkSameLater(t testing.TB, l *Log, want *Exchanges) {
	t.Helper()
	bits := &Log{index: index{}, tables: l.tables, store: l.store}
	bits.path.Store(new(string))
	x := NewExchanges(bits)
	for seq := uint64(1); seq <= l.Len(); seq++ {
		e := *l.index.at(seq)
		if uint64(e.answer()) > seq { // not known yet
			e.setAnswer(0)
		}
		bits.index.add(e)
		x.Take(context.Background())
	}
	if !reflect.DeepEqual(summary(x), summary(want)) {
		t.Errorf("bit by bit\n got %s\nwant %s", strings.Join(summary(x), "\n     "), strings.Join(summary(want), "\n     "))
	}
	if err := l.Sync(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(l.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close() }()
	x = NewExchanges(again)
	x.Take(context.Background())
	if !reflect.DeepEqual(summary(x), summary(want)) {
		t.Errorf("reopened\n got %s\nwant %s", strings.Join(summary(x), "\n     "), strings.Join(summary(want), "\n     "))
	}
}
