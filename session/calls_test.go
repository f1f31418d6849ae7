package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session/link"
)

// silent answers nothing, so that the test delivers answers by hand.
func silent(*fakeLink, protocol.Message, link.SendOptions) {}

// callTool sends tools/call with a fresh id.
func callTool(t *testing.T, s *Session, o CallOptions) *Call {
	t.Helper()
	c, err := s.Do(context.Background(), s.NewRequest(protocol.MethodToolsCall, jsontext.Value(`{"name":"good"}`)), o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// request is the message that c sent.
func request(c *Call) protocol.Message { return protocol.Parse(c.raw) }

func ended(t *testing.T, c *Call) CallState {
	t.Helper()
	st, err := c.Wait(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func TestCallsArePairedByDirectionAndID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{}, legacy(silent))
		defer done()
		l := f.link()
		a, b := callTool(t, s, CallOptions{}), callTool(t, s, CallOptions{})
		// A request of the server with the id of a pending call is no answer (P7).
		l.in(`{"jsonrpc":"2.0","id":` + a.State().ID.String() + `,"method":"ping"}`)
		synctest.Wait()
		if a.State().Phase != CallPending {
			t.Error("a request of the server ended a call")
		}
		l.result(request(b), `{"content":[],"n":2}`)
		l.result(request(a), `{"content":[],"n":1}`)
		for call, want := range map[*Call]string{a: `{"content":[],"n":1}`, b: `{"content":[],"n":2}`} {
			st := ended(t, call)
			if st.Phase != CallOK || string(st.Answer.Result) != want || st.AnswerSeq <= st.RequestSeq || st.RequestSeq == 0 {
				t.Errorf("got %+v, want result %s", st, want)
			}
			if h := s.log.current().Head(st.RequestSeq); h.Method != protocol.MethodToolsCall || h.Dir != recorder.Out {
				t.Errorf("event %d is %+v", st.RequestSeq, h)
			}
		}
	})
}

func TestTheSameIDTwiceIsAnsweredInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{}, legacy(silent))
		defer done()
		raw := []byte(`{"jsonrpc":"2.0","id":"x","method":"ping"}`)
		var calls []*Call
		for range 2 {
			c, err := s.Do(context.Background(), raw, CallOptions{})
			if err != nil {
				t.Fatal(err)
			}
			calls = append(calls, c)
		}
		if got := rules(s.State()); !strings.Contains(got, "BASE-05") {
			t.Errorf("findings %s", got)
		}
		l := f.link()
		l.in(`{"jsonrpc":"2.0","id":"x","result":{"n":1}}`)
		if calls[0].State().Phase != CallOK || calls[1].State().Phase != CallPending {
			t.Error("the first answer is not for the first request")
		}
		l.in(`{"jsonrpc":"2.0","id":"x","result":{"n":2}}`)
		if got := string(ended(t, calls[1]).Answer.Result); got != `{"n":2}` {
			t.Errorf("second answer %s", got)
		}
	})
}

func TestAnswersThatComeOddly(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer string // %s is the id of the call
		phase  CallPhase
		rule   string
		text   string
	}{
		{"string for number (L-RPC-02)", `{"jsonrpc":"2.0","id":"%s","result":{}}`, CallOK, "L-RPC-02", ""},
		{"fraction for integer", `{"jsonrpc":"2.0","id":%s.0,"result":{}}`, CallOK, "L-RPC-02", ""},
		{"unknown id", `{"jsonrpc":"2.0","id":12345,"result":{}}`, CallPending, "L-RPC-02", ""},
		{"no id", `{"jsonrpc":"2.0","error":{"code":1,"message":"x"}}`, CallPending, "L-RPC-08", ""},
		{"result without id (P5)", `{"jsonrpc":"2.0","result":{}}`, CallInvalid, "L-RPC-02", "it has no id"},
		{"null result (P5)", `{"jsonrpc":"2.0","id":%s,"result":null}`, CallInvalid, "L-RPC-03", "The result is null"},
		{"both members", `{"jsonrpc":"2.0","id":%s,"result":{},"error":{"code":1,"message":"x"}}`, CallInvalid, "L-RPC-03", "not both"},
		{"no member", `{"jsonrpc":"2.0","id":%s}`, CallInvalid, "jsonrpc.shape", "no result and no error"},
		{"null error", `{"jsonrpc":"2.0","id":%s,"error":null}`, CallInvalid, "L-RPC-04", "error is null"},
		{"missing jsonrpc", `{"id":%s,"result":{}}`, CallInvalid, "L-RPC-01", "missing"},
		{"result that is no object", `{"jsonrpc":"2.0","id":%s,"result":[1]}`, CallInvalid, "L-RPC-05", "not an object"},
		{"batch", `[{"jsonrpc":"2.0","id":%s,"result":{}}]`, CallInvalid, "L-RPC-09", "batch"},
		{"cut in the middle", `{"jsonrpc":"2.0","id":%s,"result":{"content":[`, CallInvalid, "json.syntax", ""},
		{"garbage after it (trap 25)", `{"jsonrpc":"2.0","id":%s,"result":{}} trailing`, CallOK, "json.trailing", ""},
		{"twice the same member", `{"jsonrpc":"2.0","id":%s,"result":{"a":1,"a":2}}`, CallOK, "json.duplicate", ""},
		{"text", `INFO all fine`, CallPending, "L-STD-01", ""},
		{"number", `17`, CallPending, "L-STD-01", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, f, done := ready(t, stdioTarget, Options{}, legacy(silent))
				defer done()
				call := callTool(t, s, CallOptions{})
				raw := c.answer
				if strings.Contains(raw, "%s") {
					raw = fmt.Sprintf(raw, call.State().ID)
				}
				f.link().in(raw)
				st := call.State()
				if st.Phase != c.phase || !strings.Contains(st.Err, c.text) {
					t.Errorf("phase %d, text %q, want %d with %q", st.Phase, st.Err, c.phase, c.text)
				}
				if got := rules(s.State()); !strings.Contains(got, c.rule) {
					t.Errorf("findings %s, want %s", got, c.rule)
				}
				if c.phase == CallInvalid && (string(st.Answer.Raw) != raw && c.name != "batch" || st.AnswerSeq == 0) {
					t.Errorf("answer %s at %d", st.Answer.Raw, st.AnswerSeq)
				}
				// The connection lives on.
				again := callTool(t, s, CallOptions{})
				f.link().result(request(again), `{"content":[]}`)
				if st := ended(t, again); st.Phase != CallOK {
					t.Errorf("the call after it: %+v", st)
				}
			})
		})
	}
}

func TestAnswersOverHTTPBelongToTheirExchange(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		answer string
		phase  CallPhase
		text   string
	}{
		{"error without id (trap 24)", 400, `{"jsonrpc":"2.0","error":{"code":-32600,"message":"bad"}}`, CallError, ""},
		{"error with null id", 200, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"bad"}}`, CallError, ""},
		{"result without id", 200, `{"jsonrpc":"2.0","result":{}}`, CallInvalid, "it has no id"},
		{"another id", 200, `{"jsonrpc":"2.0","id":99,"result":{}}`, CallInvalid, "it names the id 99"},
		{"no JSON-RPC", 200, `{"ok":true}`, CallInvalid, `"jsonrpc" is missing`},
		{"no JSON-RPC with a failure status", 503, `{"ok":false}`, CallLost, "HTTP 503"},
		{"JSON-RPC error with a failure status (HTTP-07)", 500, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"bad"}}`, CallError, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, _, done := ready(t, httpTarget, Options{}, legacy(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
					raw := c.answer
					if strings.Contains(raw, "%s") {
						raw = fmt.Sprintf(raw, m.ID)
					}
					l.answer(m, c.status, raw)
				}))
				defer done()
				st := ended(t, callTool(t, s, CallOptions{}))
				if st.Phase != c.phase || !strings.Contains(st.Err, c.text) {
					t.Errorf("phase %d, text %q, want %d with %q", st.Phase, st.Err, c.phase, c.text)
				}
			})
		})
	}
}

func TestAnAnswerMayComeInAnotherExchange(t *testing.T) { // HTTP-51, trap 48
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, httpTarget, Options{}, legacy(silent))
		defer done()
		call := callTool(t, s, CallOptions{})
		synctest.Wait()
		f.link().in(`{"jsonrpc":"2.0","id":` + call.State().ID.String() + `,"result":{}}`)
		if st := ended(t, call); st.Phase != CallOK {
			t.Errorf("%+v", st)
		}
	})
}

func TestLateAndRepeatedAnswers(t *testing.T) { // CAN-05, CAN-06, L-RPC-06, case 135
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{}, legacy(silent))
		defer done()
		l := f.link()
		cancelled, timedOut := callTool(t, s, CallOptions{}), callTool(t, s, CallOptions{Timeout: time.Second})
		cancelled.Cancel("no need")
		time.Sleep(3 * time.Second)
		for call, phase := range map[*Call]CallPhase{cancelled: CallCancelled, timedOut: CallTimedOut} {
			l.result(request(call), `{"content":[]}`)
			st := call.State()
			if st.Phase != phase || !st.Late || st.AnswerSeq == 0 || string(st.Answer.Result) != `{"content":[]}` {
				t.Errorf("after a late answer: %+v", st)
			}
		}
		if got := rules(s.State()); strings.Count(got, "L-CAN-01") != 2 {
			t.Errorf("findings %s", got)
		}
		l.result(request(cancelled), `{"content":[]}`)
		if got := rules(s.State()); !strings.Contains(got, "L-RPC-06") {
			t.Errorf("findings %s", got)
		}
	})
}

func TestTimeOuts(t *testing.T) { // BASE-35, BASE-36, cases 130, 133, 134
	progress := func(c *Call, n int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d,"total":10,"message":"half way"}}`, c.token, n)
	}
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{CallMaximum: 2 * time.Minute}, legacy(silent))
		defer done()
		l := f.link()
		f.links[0].log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindStderr, Data: []byte("connecting to db\nstill waiting\n")})
		began := time.Now()

		idle, own, none := callTool(t, s, CallOptions{}), callTool(t, s, CallOptions{Timeout: 10 * time.Second}), callTool(t, s, CallOptions{Timeout: -1, Maximum: -1})
		st := ended(t, own)
		if d := time.Since(began); d != 10*time.Second || st.Phase != CallTimedOut || st.Took != d {
			t.Errorf("own limit after %s: %+v", d, st)
		}
		for _, part := range []string{"within the limit of 10 s", "sent 10 s ago", "no progress report", "still waiting"} {
			if !strings.Contains(st.Err, part) {
				t.Errorf("%q is not in %q", part, st.Err)
			}
		}
		// Progress sets the idle clock back, the hard limit stays.
		for i := 1; i <= 3; i++ {
			time.Sleep(30 * time.Second)
			l.in(progress(idle, i))
		}
		st = ended(t, idle)
		if d := time.Since(began); d != 2*time.Minute || st.Phase != CallTimedOut {
			t.Errorf("hard limit after %s: %+v", d, st)
		}
		for _, part := range []string{"hard limit of 2 min", "last progress was 3 of 10 (half way), 20 s ago"} {
			if !strings.Contains(st.Err, part) {
				t.Errorf("%q is not in %q", part, st.Err)
			}
		}
		if st.Progress.Progress != "3" || st.Progress.Total != "10" {
			t.Errorf("progress %+v", st.Progress)
		}
		time.Sleep(24 * time.Hour)
		if st := none.State(); st.Phase != CallPending {
			t.Errorf("a call without limits ended: %+v", st)
		}
		if got := l.last(protocol.NotificationCancelled); !strings.Contains(string(got.Params), `"requestId":`+idle.State().ID.String()+`,"reason":`) {
			t.Errorf("last cancellation %s", got.Raw)
		}
		if n := strings.Count(l.methods(), protocol.NotificationCancelled); n != 2 {
			t.Errorf("%d cancellations in %s", n, l.methods())
		}
	})
}

func TestAnyNumberOfCallsInFlight(t *testing.T) { // P9
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{}, legacy(silent))
		defer done()
		var calls []*Call
		for range 3000 {
			calls = append(calls, callTool(t, s, CallOptions{}))
		}
		if n := len(s.State().Calls); n < 3000 {
			t.Fatalf("%d calls in the state", n)
		}
		for _, c := range slices.Backward(calls) {
			f.link().result(request(c), `{"content":[],"id":`+c.State().ID.String()+`}`)
		}
		for _, c := range calls {
			if st := ended(t, c); string(st.Answer.Result) != `{"content":[],"id":`+st.ID.String()+`}` {
				t.Fatalf("call %s has %s", st.ID, st.Answer.Result)
			}
		}
		if n := len(s.State().Calls); n != maxFinished {
			t.Errorf("%d ended calls are kept, want %d", n, maxFinished)
		}
		// Their ids are remembered as ours.
		f.link().result(request(calls[2999]), `{}`) // the first that ended
		st := s.State()
		if last := st.Findings[len(st.Findings)-1]; last.Rule != "L-RPC-02" || !strings.Contains(last.Text, "long ago") {
			t.Errorf("finding %+v", last)
		}
	})
}

func TestAnswersKeptAreBoundedInBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{}, legacy(silent))
		defer done()
		s.calls.most = 1 << 20
		big := `{"content":[],"x":"` + strings.Repeat("a", s.calls.most/4) + `"}`
		for range 8 {
			c := callTool(t, s, CallOptions{})
			f.link().result(request(c), big)
		}
		if n := len(s.State().Calls); n != 3 {
			t.Errorf("%d calls with a quarter of the limit each are kept", n)
		}
	})
}

func TestDoSendsExactlyWhatItIsGiven(t *testing.T) { // accept 4, case 65
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{}, legacy(silent))
		defer done()
		for _, raw := range []string{
			`{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"arguments":{"i":9007199254740993,"n":1.0,"e":1e400,"z":-0}}}`,
			` { "method":"ping", "id":"a" , "jsonrpc":"2.0" } `,
			`{"jsonrpc":"1.0","id":1.0,"method":"x","params":[1,2],"a":1,"a":2}`,
		} {
			call, err := s.Do(context.Background(), []byte(raw), CallOptions{})
			if err != nil {
				t.Errorf("%s: %v", raw, err)
				continue
			}
			l := f.link()
			if got := string(l.sent[len(l.sent)-1].Raw); got != raw {
				t.Errorf("sent %s", got)
			}
			e, err := s.log.current().Read(call.State().RequestSeq, 1<<20)
			if err != nil || string(e.Data) != raw {
				t.Errorf("recorded %s, %v", e.Data, err)
			}
		}
	})
}

func TestDoRefusesWhatCannotBePaired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{}, legacy(silent))
		before := f.link().methods()
		for _, raw := range []string{
			`{"jsonrpc":"2.0","method":"notifications/x"}`, `{"jsonrpc":"2.0","id":null,"method":"x"}`, `{"jsonrpc":"2.0","method":"ping"}`,
			`not JSON`, `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `{"jsonrpc":"2.0","id":1,"result":{}}`, "{\"jsonrpc\":\"2.0\",\n\"id\":1,\"method\":\"x\"}",
		} {
			if _, err := s.Do(context.Background(), []byte(raw), CallOptions{}); err == nil || !strings.Contains(err.Error(), "Write") {
				t.Errorf("%s: %v", raw, err)
			}
		}
		if got := f.link().methods(); got != before {
			t.Errorf("sent %s", got)
		}
		for _, raw := range []string{`not JSON`, "{\"a\":\n1}", `{"jsonrpc":"2.0","id":777,"method":"x"}`} {
			if err := s.Write(context.Background(), []byte(raw)); err != nil {
				t.Errorf("writing %q: %v", raw, err)
			}
			l := f.link()
			if got := string(l.sent[len(l.sent)-1].Raw); got != raw {
				t.Errorf("wrote %q, want %q", got, raw)
			}
		}
		f.link().in(`{"jsonrpc":"2.0","id":777,"result":{}}`)
		if got := rules(s.State()); got != "" {
			t.Errorf("the answer to a written request is flagged: %s", got)
		}
		done()
		if _, err := s.Do(context.Background(), []byte(`{"jsonrpc":"2.0","id":1,"method":"x"}`), CallOptions{}); !errors.Is(err, errClosed) {
			t.Errorf("after Close: %v", err)
		}
		if err := s.Write(context.Background(), []byte(`x`)); !errors.Is(err, errClosed) {
			t.Errorf("after Close: %v", err)
		}
	})
}

func TestNewRequestAddsOnlyWhatIsMissing(t *testing.T) { // META-01..05, PROG-01, case 131
	synctest.Test(t, func(t *testing.T) {
		old, _, doneOld := ready(t, stdioTarget, Options{}, legacy(nil))
		defer doneOld()
		raw := string(old.NewRequest("tools/call", jsontext.Value("{\"name\":\"x\",\n \"arguments\":{\"i\":9007199254740993,\"n\":1.0,\"s\":\"a\\nb\"}}")))
		m := protocol.Parse([]byte(raw))
		if strings.Contains(raw, "\n") || m.ID.IsZero() || !strings.Contains(raw, `"i":9007199254740993,"n":1.0,"s":"a\nb"`) {
			t.Errorf("built %s", raw)
		}
		if token, _, _ := protocol.Lookup(m.Params, "/_meta/progressToken"); string(token) != m.ID.String() {
			t.Errorf("token %s in %s", token, raw)
		}
		if strings.Contains(raw, "io.modelcontextprotocol") {
			t.Errorf("modern keys in %s (trap 15)", raw)
		}
		if again := old.NewRequest("ping", nil); protocol.Parse(again).ID == m.ID {
			t.Error("an id twice")
		}
		if got := string(old.NewRequest("x", jsontext.Value(`[1]`))); !strings.Contains(got, `"params":[1]`) {
			t.Errorf("params that are no object: %s", got)
		}

		s, _, done := ready(t, stdioTarget, Options{LogLevel: "debug"}, modern(nil))
		defer done()
		m = protocol.Parse(s.NewRequest("tools/call", jsontext.Value(`{"_meta":{"progressToken":"mine","io.modelcontextprotocol/protocolVersion":"x","a.b/c":1}}`)))
		for pointer, want := range map[string]string{
			"/_meta/progressToken":                               `"mine"`,
			"/_meta/io.modelcontextprotocol~1protocolVersion":    `"x"`,
			"/_meta/io.modelcontextprotocol~1logLevel":           `"debug"`,
			"/_meta/io.modelcontextprotocol~1clientCapabilities": `{}`,
			"/_meta/a.b~1c": `1`,
		} {
			if got, _, _ := protocol.Lookup(m.Params, pointer); string(got) != want {
				t.Errorf("%s is %s, want %s", pointer, got, want)
			}
		}
		if strings.Count(string(m.Raw), "protocolVersion") != 1 {
			t.Errorf("twice in %s", m.Raw)
		}
	})
}

func TestToolSchemasGoWithTheirCalls(t *testing.T) { // HDR-25
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, httpTarget, Options{}, modern(on(map[string]server{
			"tools/list": result(`{"resultType":"complete","tools":[{"name":"good","inputSchema":{"type":"object","a":1}}]}`)})))
		defer done()
		callTool(t, s, CallOptions{})
		synctest.Wait()
		l := f.link()
		if got := l.options[len(l.options)-1].InputSchema; got != nil {
			t.Errorf("schema of an unknown tool %s", got)
		}
		if err := s.Refresh(context.Background(), Tools); err != nil {
			t.Fatal(err)
		}
		callTool(t, s, CallOptions{})
		synctest.Wait()
		if got := string(l.options[len(l.options)-1].InputSchema); got != `{"type":"object","a":1}` {
			t.Errorf("schema %s", got)
		}
		callTool(t, s, CallOptions{InputSchema: jsontext.Value(`{}`), Headers: []protocol.HeaderField{{Name: "X", Value: "y"}}})
		synctest.Wait()
		if o := l.options[len(l.options)-1]; string(o.InputSchema) != `{}` || len(o.Headers) != 1 {
			t.Errorf("options %+v", o)
		}
	})
}

func TestDurationsAreSpoken(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 ms", 1499 * time.Microsecond: "1 ms", 250 * time.Millisecond: "250 ms", time.Second: "1 s", 3444 * time.Millisecond: "3.44 s",
		12345 * time.Millisecond: "12.3 s", 59940 * time.Millisecond: "59.9 s", 59960 * time.Millisecond: "1 min", 2 * time.Minute: "2 min",
		65300 * time.Millisecond: "1 min 5 s", 2 * time.Hour: "120 min",
	} {
		if got := spoken(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}
