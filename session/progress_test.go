package session

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session/link"
)

func TestProgressFindings(t *testing.T) { // PROG-02, PROG-07, L-PROG-01..03
	note := func(token, progress string) string {
		return `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + token + `,"progress":` + progress + `}}`
	}
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{}, legacy(silent))
		defer done()
		l := f.link()
		call := callTool(t, s, CallOptions{})
		token := call.token.String()
		for _, step := range []struct{ token, progress, rule, now string }{
			{token, "0.5", "", "0.5"},
			{token, "9007199254740993", "", "9007199254740993"},
			{token, "9007199254740992", "L-PROG-02", "9007199254740992"},
			{token, "9007199254740992.0", "L-PROG-02", "9007199254740992.0"},
			{`"` + token + `"`, "1e400", "L-PROG-01", "1e400"},
			{"4711", "1", "L-PROG-01", "1e400"},
		} {
			before := s.State().FindingCount
			l.in(note(step.token, step.progress))
			st := s.State()
			if got := call.State().Progress.Progress; got != step.now {
				t.Errorf("%v: progress %s", step, got)
			}
			if found := st.FindingCount > before; found != (step.rule != "") || found && st.Findings[len(st.Findings)-1].Rule != step.rule {
				t.Errorf("%v: findings %s", step, rules(st))
			}
		}
		l.result(request(call), `{"content":[]}`)
		l.in(note(token, "2e400"))
		if got := rules(s.State()); !strings.HasSuffix(got, "L-PROG-03") {
			t.Errorf("findings %s", got)
		}
	})
}

func TestResultTypes(t *testing.T) { // BASE-14 to BASE-17, MRTR-01
	tasks := protocol.ClientCapabilities{Extensions: jsontext.Value(`{"io.modelcontextprotocol/tasks":{}}`)}
	for _, c := range []struct {
		name, method, result string
		caps                 protocol.ClientCapabilities
		phase                CallPhase
		kind                 string
	}{
		{"absent is complete", "tools/call", `{"content":[]}`, protocol.ClientCapabilities{}, CallOK, "complete"},
		{"complete", "tools/list", `{"resultType":"complete"}`, protocol.ClientCapabilities{}, CallOK, "complete"},
		{"input required of a tool", "tools/call", `{"resultType":"input_required","content":null}`, protocol.ClientCapabilities{}, CallOK, "input_required"},
		{"input required of a resource", "resources/read", `{"resultType":"input_required"}`, protocol.ClientCapabilities{}, CallOK, "input_required"},
		{"input required of a list", "tools/list", `{"resultType":"input_required"}`, protocol.ClientCapabilities{}, CallInvalid, "input_required"},
		{"unknown", "tools/call", `{"resultType":"maybe"}`, protocol.ClientCapabilities{}, CallInvalid, "maybe"},
		{"no string", "tools/call", `{"resultType":1}`, protocol.ClientCapabilities{}, CallInvalid, "1"},
		{"task without the extension", "tools/call", `{"resultType":"task"}`, protocol.ClientCapabilities{}, CallInvalid, "task"},
		{"task with the extension", "tools/call", `{"resultType":"task"}`, tasks, CallOK, "task"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, _, done := ready(t, stdioTarget, Options{Capabilities: c.caps}, modern(result(c.result)))
				defer done()
				call, err := s.Do(context.Background(), s.NewRequest(c.method, jsontext.Value(`{"name":"x"}`)), CallOptions{ManualRounds: true})
				if err != nil {
					t.Fatal(err)
				}
				st := ended(t, call)
				if st.Phase != c.phase || st.ResultType != c.kind || string(st.Answer.Result) != c.result {
					t.Errorf("%+v", st)
				}
				if found := strings.Contains(rules(s.State()), "L-RES-T02"); found != (c.phase == CallInvalid) {
					t.Errorf("findings %s", rules(s.State()))
				}
			})
		})
	}
}

func TestMismatchedHeadersAreExplained(t *testing.T) { // HDR-26, trap 33
	synctest.Test(t, func(t *testing.T) {
		s, _, done := ready(t, httpTarget, Options{}, modern(on(map[string]server{
			"tools/list": result(`{"resultType":"complete","tools":[]}`), "tools/call": refuseWith(400, "-32020", "")})))
		defer done()
		if err := s.Refresh(context.Background(), Tools); err != nil {
			t.Fatal(err)
		}
		st := ended(t, callTool(t, s, CallOptions{}))
		if st.Phase != CallError || s.State().Lists[Tools].Status != ListStale || len(st.Problems) != 1 || st.Problems[0].Rule != "HDR-26" {
			t.Errorf("%+v, list %+v", st, s.State().Lists[Tools])
		}
	})
}

func TestContinueSendsTheRequestAgain(t *testing.T) { // MRTR-04 to MRTR-11
	synctest.Test(t, func(t *testing.T) {
		round := 0
		s, f, done := ready(t, httpTarget, Options{}, modern(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
			round++
			switch round {
			case 1:
				l.result(m, `{"resultType":"input_required","inputRequests":{"q":{}},"requestState":"s\u0031<"}`)
			case 2:
				l.result(m, `{"resultType":"input_required","inputRequests":{"r":{}}}`)
			default:
				l.result(m, `{"resultType":"complete","content":[]}`)
			}
		}))
		defer done()
		ctx := context.Background()
		first, err := s.Do(ctx, s.NewRequest("tools/call", jsontext.Value(`{"name":"x","arguments":{"n":1.0}}`)), CallOptions{ManualRounds: true})
		if err != nil {
			t.Fatal(err)
		}
		ended(t, first)
		second, err := s.Continue(ctx, first, jsontext.Value(`{"q":{"action":"accept","content":{"i":9007199254740993}}}`))
		if err != nil {
			t.Fatal(err)
		}
		st := ended(t, second)
		sent := string(f.link().last("tools/call").Params)
		for _, part := range []string{`"arguments":{"n":1.0}`, `"i":9007199254740993`, `"requestState":"s\u0031<"`} {
			if !strings.Contains(sent, part) {
				t.Errorf("%s is not in %s", part, sent)
			}
		}
		if st.Round != 1 || st.Previous != first.State().Key || st.ID == first.State().ID {
			t.Errorf("%+v", st)
		}
		if token, _, _ := protocol.Lookup(jsontext.Value(sent), "/_meta/progressToken"); string(token) != st.ID.String() {
			t.Errorf("token %s, id %s", token, st.ID)
		}
		third, err := s.Continue(ctx, second, jsontext.Value(`{"r":{}}`))
		if err != nil {
			t.Fatal(err)
		}
		if st := ended(t, third); st.Round != 2 || st.Phase != CallOK {
			t.Errorf("%+v", st)
		}
		sent = string(f.link().last("tools/call").Params)
		if strings.Contains(sent, "requestState") || strings.Contains(sent, `"q"`) {
			t.Errorf("an old round is in %s (MRTR-08, MRTR-11)", sent)
		}
		if _, err := s.Continue(ctx, third, nil); err == nil {
			t.Error("a finished call was continued")
		}
	})
}
