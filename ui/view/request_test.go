package view

import (
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/session/sessiontest"
)

func (h *harness) connected(t *testing.T) {
	t.Helper()
	h.Connect()
	h.awaitPhase(Connected)
}

// outcome sends a request and waits for its end.
func (h *harness) outcome(t *testing.T, r Request) Outcome {
	t.Helper()
	run, err := h.Send(r, func() { h.Conn.o.Changed() })
	if err != nil {
		t.Fatalf("Send: %v", err)
	}
	return h.end(run)
}

func (h *harness) end(run *Running) (out Outcome) {
	h.await("outcome", func() bool {
		var ok bool
		out, ok = run.Outcome()
		return ok
	})
	return out
}

func TestSendKeepsWhatWasFilledIn(t *testing.T) { // C65, C77, P16
	h := newHarness(t, peer(t, sessiontest.Server()))
	h.connected(t)
	run, err := h.Send(Request{
		Method: protocol.MethodToolsCall, Params: jsontext.Value(`{"name":"good","arguments":{"a":9007199254740993,"b":1.0}}`),
		Meta: jsontext.Value(`{"a.b/c":{"x":[1.0]}}`),
	}, h.Conn.o.Changed)
	if err != nil {
		t.Fatal(err)
	}
	out := h.end(run)
	if out.Tone != Good || len(out.Parts) == 0 || string(out.Parts[0].Body) != "fine" {
		t.Fatalf("outcome %+v", out)
	}
	e, err := h.Log().Read(run.State().RequestSeq, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`{"a":9007199254740993,"b":1.0}`, `"a.b/c":{"x":[1.0]}`, `"progressToken"`} {
		if !strings.Contains(string(e.Data), want) {
			t.Errorf("sent %s without %s", e.Data, want)
		}
	}
}

func TestMetaThatIsNoObjectIsNotSent(t *testing.T) {
	h := newHarness(t, peer(t, sessiontest.Server()))
	h.connected(t)
	before := h.Log().Len()
	for _, meta := range []string{"[]", "7", "{", `{"a":}`} {
		if _, err := h.Send(Request{Method: "ping", Meta: jsontext.Value(meta)}, func() {}); err == nil || !strings.Contains(err.Error(), "_meta") {
			t.Errorf("_meta %s: %v", meta, err)
		}
	}
	if n := h.Log().Len(); n < before || n > before+4 { // the listing may still be on its way
		t.Errorf("%d events, %d before", n, before)
	}
}

func TestDraftsStandInTheText(t *testing.T) {
	h := newHarness(t, peer(t, sessiontest.Server()))
	h.connected(t)
	r := Request{Method: protocol.MethodToolsCall, Params: jsontext.Value(`{"name":"good","arguments":` + Hole + `}`), Draft: `{"a": 12x`}
	text, err := r.Text(h.Session())
	if err != nil || !strings.Contains(text, `"arguments":{"a": 12x`) || strings.Contains(text, "draft") {
		t.Errorf("text %s, %v", text, err)
	}
}

func TestNothingIsSentWithoutAConnection(t *testing.T) {
	h := newHarness(t, peer(t, sessiontest.Server()))
	if _, err := h.Send(Request{Method: "ping"}, func() {}); err == nil {
		t.Error("sent without a connection")
	}
	done := make(chan error, 1)
	h.Write("x", func(err error) { done <- err })
	if err := <-done; err == nil {
		t.Error("wrote without a connection")
	}
}

func TestCancelAndLimits(t *testing.T) {
	h := newHarness(t, peer(t, sessiontest.Server().With("tools/call", sessiontest.Hang())))
	h.connected(t)
	run, err := h.Send(Request{Method: protocol.MethodToolsCall, Params: jsontext.Value(`{"name":"good"}`)}, h.Conn.o.Changed)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := run.Outcome(); ok {
		t.Error("an outcome before there is one")
	}
	run.Cancel("")
	if out := h.end(run); !strings.Contains(out.Head, "Cancelled") || out.Tone != Caution {
		t.Errorf("cancelled: %+v", out)
	}
	out := h.outcome(t, Request{Method: protocol.MethodToolsCall, Params: jsontext.Value(`{"name":"good"}`), Timeout: 30 * time.Millisecond})
	if !strings.Contains(out.Head, "Timed out") || out.Text == "" {
		t.Errorf("time-out: %+v", out)
	}
}

// modernServer answers without a handshake and asks for input before it goes
// on.
func modernServer() sessiontest.Script {
	return sessiontest.Server().
		With("server/discover", sessiontest.Reply(`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}`)).
		With("tools/list", sessiontest.Reply(`{"resultType":"complete","tools":[{"name":"good","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"private"}`)).
		With("tools/call", sessiontest.Reply(`{"resultType":"input_required","requestState":"s 1","inputRequests":{`+
			`"who":{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}},`+
			`"where":{"method":"roots/list"}}}`))
}

func TestQuestionsOfACallThatWaits(t *testing.T) {
	h := newHarness(t, peer(t, modernServer()))
	h.Conn.o.Capabilities = protocol.ClientCapabilities{Elicitation: true, Roots: true}
	h.connected(t)
	run, err := h.Send(Request{Method: protocol.MethodToolsCall, Params: jsontext.Value(`{"name":"good","arguments":{"n":1.0}}`)}, h.Conn.o.Changed)
	if err != nil {
		t.Fatal(err)
	}
	h.await("questions", func() bool { return Questions(run.State()) != "" })
	if got := Questions(run.State()); !strings.Contains(got, "elicitation/create  Who?") || !strings.Contains(got, "roots/list") {
		t.Errorf("questions %q", got)
	}
	if _, ok := run.Outcome(); ok {
		t.Error("a call that waits for answers has an outcome")
	}
	run.Cancel("")
	h.end(run)
	if got := Questions(run.State()); got != "" {
		t.Errorf("after the end it asks %q", got)
	}
}

func TestHeadersOfARequest(t *testing.T) {
	r := Request{
		Method: protocol.MethodToolsCall, Params: jsontext.Value(`{"name":"t","arguments":{"city":"Zürich"}}`),
		InputSchema: jsontext.Value(`{"type":"object","properties":{"city":{"type":"string","x-mcp-header":"City"}}}`),
	}
	st := session.State{Transport: string(session.HTTP), Revision: protocol.NewestModern()}
	fields, problems, ok := r.Headers(st)
	got := ""
	for _, f := range fields {
		got += f.Name + "=" + f.Value + " "
	}
	if !ok || len(problems) > 0 || !strings.Contains(got, "Mcp-Name=t") || !strings.Contains(got, "Mcp-Param-City==?base64?") {
		t.Errorf("headers %s, problems %v", got, problems)
	}
	for _, st := range []session.State{
		{}, {Transport: string(session.Stdio), Revision: protocol.NewestModern()}, {Transport: string(session.HTTP), Revision: protocol.NewestHandshake()},
	} {
		if _, _, ok := r.Headers(st); ok {
			t.Errorf("headers over %s %v", st.Transport, st.Revision)
		}
	}
}

func TestElapsedLeavesThePersonOut(t *testing.T) { // E104, E109
	began := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	c := session.CallState{Started: began}
	if got := elapsed(c, began.Add(2*time.Second), false); got != "2 s" {
		t.Errorf("without a question %q", got)
	}
	c.Waited = 61 * time.Second
	if got := elapsed(c, began.Add(63*time.Second), false); !strings.HasPrefix(got, "2 s, and ") || !strings.HasSuffix(got, " for you") {
		t.Errorf("with a question %q", got)
	}
	c.Waited, c.Took = 0, 2*time.Second // as it was when the question came
	if got := elapsed(c, began.Add(32*time.Second), true); got != "2 s, and 30 s for you" {
		t.Errorf("with a question that is open %q", got)
	}
}
