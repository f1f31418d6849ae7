package session

import (
	"context"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session/demo"
)

// person answers what is asked by kind of question, until the test ends.
type person struct {
	asked []Ask // written by the goroutine that drive waits for
	reply func(Ask) Reply
}

// drive answers questions until the call has ended.
func (p *person) drive(t *testing.T, s *Session, call *Call) CallState {
	t.Helper()
	wake, stop := s.Watch()
	defer stop()
	limit := time.After(30 * time.Second)
	for {
		for _, a := range s.State().Asks {
			if a.State != AskOpen {
				continue
			}
			p.asked = append(p.asked, a)
			r := p.reply(a)
			preview := s.PreviewReply(a.Key, r)
			if err := s.Reply(t.Context(), a.Key, r); err != nil {
				t.Fatalf("answering %s: %v", a.Method, err)
			}
			if want := r.Content; a.Kind == AskForm && !strings.Contains(string(preview), string(want)) {
				t.Errorf("the preview %s does not hold %s", preview, want)
			}
		}
		select {
		case <-call.Done():
			return call.State()
		case <-wake:
		case <-limit:
			t.Fatalf("the call does not end: %+v, asks %+v", call.State(), s.State().Asks)
		}
	}
}

// helpful fills in every form with content, and the rest with something.
func helpful(content ...string) *person {
	forms := 0
	return &person{reply: func(a Ask) Reply {
		switch a.Kind {
		case AskForm:
			forms++
			return Reply{Action: ActionAccept, Content: jsontext.Value(content[min(forms, len(content))-1])}
		case AskURL:
			resp, err := http.Post(a.URL, "application/x-www-form-urlencoded", nil)
			if err != nil {
				return Reply{Action: ActionCancel}
			}
			_ = resp.Body.Close()
			return Reply{Action: ActionAccept}
		case AskSampling:
			return Reply{Action: ActionResult, Result: protocol.DecodeSampling(a.Params).Canned()[0].Result}
		}
		return Reply{Action: ActionReject}
	}}
}

func mustDo(t *testing.T, s *Session, method, params string) *Call {
	t.Helper()
	call, err := s.Do(context.Background(), s.NewRequest(method, jsontext.Value(params)), CallOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return call
}

// demoTargets is the demo in both eras over both transports.
func demoTargets(t *testing.T) map[string]Target {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	server, err := demo.ListenHTTP("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Errorf("closing the demo: %v", err)
		}
	})
	out := map[string]Target{}
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		out["stdio "+revision] = Target{Command: exe, Env: []EnvVar{{Name: demoVar, Value: "1"}}, Revision: revision}
		out["http "+revision] = Target{URL: server.URL(), Revision: revision}
	}
	return out
}

var everyCapability = protocol.ClientCapabilities{Roots: true, Sampling: true, SamplingTools: true, Elicitation: true, ElicitationURL: true}

// TestTheDemoAsks drives every question of the demo to its end (ELIC-06,
// ELIC-08, SAMP-11, ROOT-03, MRTR-02 to 09, MRTR-17).
func TestTheDemoAsks(t *testing.T) {
	const visitor = `{"name":"Ada","email":"ada@example.org","party":9007199254740993,"donation":1.50,"first_time":false,"telescope":"heron"}`
	for name, target := range demoTargets(t) {
		modern := strings.HasSuffix(name, "2026-07-28")
		t.Run(name, func(t *testing.T) {
			s := connectReal(t, target, Options{Capabilities: everyCapability, Roots: []Root{{URI: "file:///data", Name: "Data"}, {URI: "file:///x"}}})
			for _, c := range []struct {
				method, params string
				person         *person
				asks           []AskKind
				rounds         int // modern
				want           []string
			}{
				{"tools/call", `{"name":"visitor_form","arguments":{}}`, helpful(visitor), []AskKind{AskForm}, 1, []string{`"party":9007199254740993`, `1.50`, `"fits":true`}},
				{"tools/call", `{"name":"visitor_form","arguments":{}}`, helpful(`{"party":"many"}`), []AskKind{AskForm}, 1, []string{`"fits":false`}},
				{"tools/call", `{"name":"quick_question","arguments":{"field":"tea"}}`, helpful(`{}`), []AskKind{AskForm}, 1, []string{`"fits":true`}},
				{"tools/call", `{"name":"plan_night","arguments":{}}`, helpful(`{"target":"m51"}`, `{"minutes":45,"agreed":true}`),
					[]AskKind{AskForm, AskForm, AskSampling}, 2, []string{"45 minutes at", "Your model says: Yes.", "2 folders"}},
				{"tools/call", `{"name":"dome_access","arguments":{"wait_seconds":10}}`, helpful(""), []AskKind{AskURL}, 1, []string{`"access":"granted"`}},
				{"tools/call", `{"name":"ask_model","arguments":{"with_picture":true,"with_tools":true}}`, helpful(""), []AskKind{AskSampling}, 1, []string{`"text":"Yes."`}},
				{"tools/call", `{"name":"list_folders","arguments":{}}`, helpful(""), nil, 1, []string{"file:///data", "file:///x"}},
				{"tools/call", `{"name":"describe_client","arguments":{}}`, helpful(""), nil, 0, []string{"elicitation"}},
				{"prompts/get", `{"name":"tailored_tour"}`, helpful(`{"audience":"children","minutes":10}`), []AskKind{AskForm}, 1, []string{"children"}},
				{"resources/read", `{"uri":"kestrel://guest-book"}`, helpful(`{"name":"Ada"}`), []AskKind{AskForm}, 1, []string{"Ada"}},
			} {
				call := mustDo(t, s, c.method, c.params)
				st := c.person.drive(t, s, call)
				answer := string(st.Answer.Raw)
				for _, want := range c.want {
					if !strings.Contains(strings.ReplaceAll(answer, `": `, `":`), want) {
						t.Errorf("%s: no %s in %s", c.params, want, answer)
					}
				}
				kinds := map[AskKind]int{}
				for _, a := range c.person.asked {
					kinds[a.Kind]++
					if a.Legacy == modern || a.Cause != call.State().Key || a.CauseName != st.Name || a.Seq == 0 || modern == (a.InputKey == "") {
						t.Errorf("%s: ask %+v", c.params, a)
					}
				}
				for _, k := range c.asks {
					kinds[k]--
				}
				for k, n := range kinds {
					if n != 0 {
						t.Errorf("%s: %d asks of kind %d too many", c.params, n, k)
					}
				}
				if st.Phase != CallOK || modern && len(st.Rounds) != c.rounds || !modern && len(st.Rounds) != 0 {
					t.Errorf("%s: phase %d %s, %d rounds", c.params, st.Phase, st.Err, len(st.Rounds))
				}
				if len(c.asks) > 0 && st.Waited == 0 {
					t.Errorf("%s: the time of the person is not told apart", c.params)
				}
				for i, r := range st.Rounds {
					checkRoundOnTheWire(t, s, st, i, r)
				}
			}
			for _, f := range s.State().Findings {
				if f.Severity == protocol.Violation {
					t.Errorf("finding %+v", f)
				}
			}
			if n := len(s.State().Asks); n != 0 {
				t.Errorf("%d asks are left", n)
			}
		})
	}
}

// checkRoundOnTheWire compares what was recorded with what the round says.
func checkRoundOnTheWire(t *testing.T, s *Session, st CallState, i int, r Round) { // MRTR-06, MRTR-08, MRTR-09
	t.Helper()
	answer, err := s.log.current().Message(r.AnswerSeq)
	if err != nil {
		t.Fatal(err)
	}
	came, _, _ := protocol.Lookup(answer.Result, "/requestState")
	next := st.RequestSeq
	if i+1 < len(st.Rounds) {
		next = st.Rounds[i+1].RequestSeq
	}
	request, err := s.log.current().Message(next)
	if err != nil {
		t.Fatal(err)
	}
	went, _, _ := protocol.Lookup(request.Params, "/requestState")
	answers, _, _ := protocol.Lookup(request.Params, "/inputResponses")
	if string(came) != string(went) || string(came) != string(r.State) || string(answers) != string(r.Answers) || request.ID == r.ID || r.Sent.IsZero() {
		t.Errorf("round %d: state %s came and %s went; answers %s, recorded %s; ids %s and %s", i, came, went, answers, r.Answers, r.ID, request.ID)
	}
}

func TestDownloadsWaitForAPage(t *testing.T) { // ELIC-29 to ELIC-34
	for name, target := range demoTargets(t) {
		t.Run(name, func(t *testing.T) {
			s := connectReal(t, target, Options{Capabilities: everyCapability})
			night := "2026-12-09"
			if strings.HasSuffix(name, "2026-07-28") {
				night = "2026-12-10" // over HTTP both revisions have the same server, which remembers
			}
			call := mustDo(t, s, "tools/call", `{"name":"download_raw","arguments":{"night":"`+night+`"}}`)
			p := helpful("")
			if strings.HasSuffix(name, "2026-07-28") {
				st := p.drive(t, s, call)
				if st.Phase != CallOK || len(st.Rounds) != 1 || len(p.asked) != 1 || p.asked[0].FromError || len(s.State().Visits) != 0 {
					t.Errorf("%+v, asked %+v", st, p.asked)
				}
				return
			}
			st := ended(t, call)
			if st.Phase != CallError || !st.Retryable || len(s.State().Asks) != 1 {
				t.Fatalf("%+v, asks %+v", st, s.State().Asks)
			}
			a := s.State().Asks[0]
			if !a.FromError || a.Kind != AskURL || a.Cause != st.Key || a.ElicitationID == "" || s.PreviewReply(a.Key, Reply{Action: ActionAccept}) != nil {
				t.Errorf("ask %+v", a)
			}
			if err := s.Reply(t.Context(), a.Key, p.reply(a)); err != nil {
				t.Fatal(err)
			}
			state := until(t, s, "the completion", func(state State) bool {
				return len(state.Visits) == 1 && !state.Visits[0].Completed.IsZero()
			})
			if v := state.Visits[0]; !v.Accepted || v.URL != a.URL || v.Cause != st.Key || len(state.Asks) != 0 {
				t.Errorf("visit %+v, asks %+v", v, state.Asks)
			}
			again, err := s.RetryCall(t.Context(), st.Key)
			if err != nil {
				t.Fatal(err)
			}
			if now := ended(t, again); now.Phase != CallOK || now.RetryOf != st.Key || now.ID == st.ID {
				t.Errorf("retry %+v", now)
			}
		})
	}
}
