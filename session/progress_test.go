package session

import (
	"context"
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

func TestProgressFindings(t *testing.T) { // PROG-02, PROG-07, L-PROG-01..03
	note := func(token, progress string) string {
		return `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + token + `,"progress":` + progress + `}}`
	}
	long := "9007199254740993." + strings.Repeat("0", 100)
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
			{token, long + "1", "", long + "1"},
			{token, long + "2", "", long + "2"},
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
		var of []string // the call, not the token that none has
		for _, r := range call.State().Reports {
			of = append(of, r.Rule)
			if r.Seq == 0 {
				t.Errorf("%s has no place", r.Rule)
			}
		}
		if got := strings.Join(of, " "); got != "L-PROG-02 L-PROG-02 L-PROG-01 L-PROG-03" {
			t.Errorf("the call has %s", got)
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
		{"task with the extension and no id", "tools/call", `{"resultType":"task"}`, tasks, CallInvalid, "task"},
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
				got := rules(s.State())
				if found := strings.Contains(got, "L-RES-T02") || strings.Contains(got, "L-TSKX-0"); found != (c.phase == CallInvalid) {
					t.Errorf("findings %s", got)
				}
			})
		})
	}
}

func TestRefusedHeadersAreBuiltAnewOnce(t *testing.T) { // HDR-26, HTTP-27, trap 33
	tools := func(header string) string {
		return `{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[{"name":"good","inputSchema":{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"` + header + `"}}}}]}`
	}
	for _, c := range []struct {
		name     string
		refusals int // of the call
		fail     bool
		phase    CallPhase
		sent     string
		rule     protocol.Severity
	}{
		{"the new headers fit", 1, false, CallOK, "tools/list tools/call tools/list tools/call", protocol.Info},
		{"they do not either", 9, false, CallError, "tools/list tools/call tools/list tools/call", protocol.Warning},
		{"the tools cannot be listed", 9, true, CallError, "tools/list tools/call tools/list", protocol.Warning},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				calls, lists := 0, 0
				s, f, done := ready(t, httpTarget, Options{}, modern(func(l *fakeLink, m protocol.Message, o link.SendOptions) {
					switch m.Method {
					case protocol.MethodToolsList:
						if lists++; lists > 1 && c.fail {
							l.fail(m, "-32603", "")
							return
						}
						l.result(m, tools([]string{"", "Old", "New"}[min(lists, 2)]))
					case protocol.MethodToolsCall:
						if calls++; calls <= c.refusals {
							l.answer(m, 400, errorText(m, "-32020", ""))
							return
						}
						l.result(m, `{"resultType":"complete","content":[]}`)
					}
				}))
				defer done()
				if err := s.Refresh(context.Background(), Tools); err != nil {
					t.Fatal(err)
				}
				raw := s.NewRequest("tools/call", jsontext.Value(`{"name":"good","arguments":{"a":"x"}}`))
				call, err := s.Do(context.Background(), raw, CallOptions{})
				if err != nil {
					t.Fatal(err)
				}
				st := ended(t, call)
				if st.Phase != c.phase || !st.Relisted || len(st.Problems) == 0 || st.Problems[len(st.Problems)-1].Rule != "HDR-26" || st.Problems[len(st.Problems)-1].Severity != c.rule {
					t.Errorf("%+v", st)
				}
				if st.AnswerSeq == 0 || st.RequestSeq == 0 || st.AnswerSeq < st.RequestSeq {
					t.Errorf("request %d, answer %d", st.RequestSeq, st.AnswerSeq)
				}
				if got := strings.TrimPrefix(f.methods(), "server/discover "); got != c.sent {
					t.Errorf("sent %s", got)
				}
				if c.fail {
					return
				}
				l := f.link()
				last := l.sent[len(l.sent)-1]
				if token, _, _ := protocol.Lookup(last.Params, "/_meta/progressToken"); last.ID == protocol.Parse(raw).ID || string(token) != last.ID.String() || !strings.Contains(string(last.Params), `"arguments":{"a":"x"}`) {
					t.Errorf("sent again: %s", last.Raw)
				}
				if schema := string(l.options[len(l.options)-1].InputSchema); !strings.Contains(schema, "New") {
					t.Errorf("with the headers of %s", schema)
				}
				if !strings.Contains(states(t, s), "relisting") {
					t.Error("the log does not say so")
				}
			})
		})
	}
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

func TestProgressThatFloodsOrOvershoots(t *testing.T) { // PROG-03, PROG-07, L-PROG-01, L-PROG-04, L-PROG-05, CAN-06
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{}, legacy(silent))
		defer done()
		l := f.link()
		call := callTool(t, s, CallOptions{})
		token := call.token.String()
		report := func(progress, total string) string {
			l.in(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + token + `,"progress":` + progress + `,"total":` + total + `}}`)
			return rules(s.State())
		}
		if got := report("1", "10") + report("2", "9") + report("11", "9"); got != "L-PROG-04L-PROG-04 L-PROG-04" {
			t.Errorf("findings %s", got)
		}
		before := s.State().FindingCount
		for i := range 1000 {
			report(fmt.Sprint(20+i), "2000")
		}
		if st := s.State(); st.FindingCount != before+1 || st.Findings[len(st.Findings)-1].Rule != "L-PROG-05" {
			t.Errorf("findings %s", rules(st))
		}
		before = s.State().FindingCount
		call.Cancel("enough")
		report("5000", "5000") // the server does not know yet
		if st := s.State(); st.FindingCount != before {
			t.Errorf("findings %s", rules(st))
		}
		time.Sleep(time.Minute)
		report("5001", "5001")
		if st := s.State(); st.FindingCount != before+1 || st.Findings[len(st.Findings)-1].Rule != "L-PROG-03" {
			t.Errorf("findings %s", rules(st))
		}
	})
}

func TestTheTokenOfATaskIsValidUntilItsEnd(t *testing.T) { // PROG-06, L-PROG-03
	synctest.Test(t, func(t *testing.T) {
		p := &taskPolls{statuses: []string{"working", "completed"}, interval: "10000"}
		s, f, done := ready(t, stdioTarget, Options{Capabilities: taskable}, withTasks(p.serve))
		defer done()
		_ = s.Refresh(t.Context(), Tools)
		call := callTask(t, s, "good", TaskOptions{})
		report := func(progress string) {
			f.link().in(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + call.token.String() + `,"progress":` + progress +
				`,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"` + sessiontest.TaskID + `"}}}}`)
		}
		for _, progress := range []string{"1", "2.5"} {
			report(progress)
			if st := call.State(); st.Phase != CallWorking || st.Progress.Progress != progress || rules(s.State()) != "" {
				t.Errorf("phase %d, progress %s, findings %s", st.Phase, st.Progress.Progress, rules(s.State()))
			}
			time.Sleep(11 * time.Second)
			synctest.Wait()
		}
		if st := ended(t, call); st.Phase != CallOK || rules(s.State()) != "" {
			t.Errorf("%+v, findings %s", st, rules(s.State()))
		}
		report("3")
		if got := rules(s.State()); got != "L-PROG-03" {
			t.Errorf("after the end: findings %s", got)
		}
	})
}
