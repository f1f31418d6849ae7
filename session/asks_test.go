package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session/link"
)

// peerAsk is a request of the server.
func peerAsk(id int, inner string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,`, id) + strings.TrimPrefix(inner, "{")
}

const legacyURLAsk = `{"method":"elicitation/create","params":{"mode":"url","message":"there","url":"https://a.example/","elicitationId":"e-1"}}`

func lastSent(f *fakes) string {
	l := f.link()
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.sent[len(l.sent)-1].Raw)
}

func TestRepliesToRequestsOfTheServer(t *testing.T) { // ELIC-05, ELIC-08, SAMP-05, SAMP-11, ROOT-06, cases 97 and 106
	for _, c := range []struct {
		name, ask string
		kind      AskKind
		reply     Reply
		want      string // result or error, "" when it is refused
	}{
		{"form", formAsk, AskForm, Reply{Action: ActionAccept, Content: jsontext.Value(`{"i": 9007199254740993.0}`)}, `"result":{"action":"accept","content":{"i": 9007199254740993.0}}}`},
		{"form, empty", formAsk, AskForm, Reply{Action: ActionAccept}, `"result":{"action":"accept","content":{}}}`},
		{"form, invalid on purpose", formAsk, AskForm, Reply{Action: ActionAccept, Content: jsontext.Value(`[1]`)}, `"result":{"action":"accept","content":[1]}}`},
		{"form, no JSON", formAsk, AskForm, Reply{Action: ActionAccept, Content: jsontext.Value(`{"i":`)}, ""},
		{"form, declined", formAsk, AskForm, Reply{Action: ActionDecline, Content: jsontext.Value(`{"i":1}`)}, `"result":{"action":"decline"}}`},
		{"form, cancelled", formAsk, AskForm, Reply{Action: ActionCancel, Content: jsontext.Value(`{"i":1}`)}, `"result":{"action":"cancel"}}`},
		{"form, raw", formAsk, AskForm, Reply{Action: ActionResult, Result: jsontext.Value(`{"action":"maybe"}`)}, `"result":{"action":"maybe"}}`},
		{"form, rejected", formAsk, AskForm, Reply{Action: ActionReject, Code: -32602, Message: "no"}, `"error":{"code":-32602,"message":"no"}}`},
		{"url", legacyURLAsk, AskURL, Reply{Action: ActionAccept}, `"result":{"action":"accept"}}`},
		{"url with content", legacyURLAsk, AskURL, Reply{Action: ActionAccept, Content: jsontext.Value(`{}`)}, ""},
		{"url, cancelled", legacyURLAsk, AskURL, Reply{Action: ActionCancel}, `"result":{"action":"cancel"}}`},
		{"sampling", modelAsk, AskSampling, Reply{Action: ActionResult, Result: protocol.SamplingText("assistant", "m", "hi", "endTurn")},
			`"result":{"role":"assistant","content":{"type":"text","text":"hi"},"model":"m","stopReason":"endTurn"}}`},
		{"sampling, rejected", modelAsk, AskSampling, Reply{Action: ActionReject}, `"error":{"code":-1,"message":"The user rejected sampling/createMessage"}}`},
		{"sampling is not accepted", modelAsk, AskSampling, Reply{Action: ActionAccept}, ""},
		{"roots", rootsAsk, AskRoots, Reply{Action: ActionResult, Result: jsontext.Value(`{"roots":[]}`)}, `"result":{"roots":[]}}`},
		{"nothing", formAsk, AskForm, Reply{}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, f, end := ready(t, httpTarget, Options{Capabilities: everyCapability, AskRoots: true}, legacy(silent))
				defer end()
				call := callTool(t, s, CallOptions{})
				synctest.Wait()
				f.link().in(peerAsk(7, c.ask))
				if n := len(s.State().Asks); n != 1 {
					t.Fatalf("%d asks", n)
				}
				a := s.State().Asks[0]
				if a.Kind != c.kind || !a.Legacy || a.Cause != call.State().Key || a.CauseMethod != "tools/call" || a.CauseName != "good" || a.InputKey != "" {
					t.Errorf("ask %+v", a)
				}
				before := f.methods()
				preview := string(s.PreviewReply(a.Key, c.reply))
				if f.methods() != before {
					t.Errorf("the preview was sent: %s", f.methods())
				}
				err := s.Reply(context.Background(), a.Key, c.reply)
				if c.want == "" {
					if err == nil || preview != "" || len(s.State().Asks) != 1 || s.State().Asks[0].State != AskOpen {
						t.Errorf("taken: %v, preview %s, asks %+v", err, preview, s.State().Asks)
					}
					return
				}
				want := `{"jsonrpc":"2.0","id":7,` + c.want
				if got := lastSent(f); err != nil || got != want || preview != want || len(s.State().Asks) != 0 {
					t.Errorf("%v, sent %s, preview %s, want %s", err, got, preview, want)
				}
				if err := s.Reply(context.Background(), a.Key, c.reply); !errors.Is(err, errNoAsk) {
					t.Errorf("once more: %v", err)
				}
			})
		})
	}
}

func TestWhatWasNotDeclaredIsRefused(t *testing.T) { // ELIC-02, ELIC-15, SAMP-04, SAMP-06, L-RPC-15
	for _, c := range []struct {
		name, ask  string
		caps       protocol.ClientCapabilities
		code, rule string
	}{
		{"url", legacyURLAsk, protocol.ClientCapabilities{Elicitation: true}, "-32602", "L-ELIC-01"},
		{"form", formAsk, protocol.ClientCapabilities{ElicitationURL: true}, "-32602", "L-ELIC-01"},
		{"another mode", strings.Replace(legacyURLAsk, `"url"`, `"voice"`, 1), everyCapability, "-32602", "L-ELIC-01"},
		{"tools", toolsAsk, protocol.ClientCapabilities{Sampling: true}, "-32602", "L-SAMP-02"},
		{"choice of tools", strings.Replace(toolsAsk, `"tools":[]`, `"toolChoice":{}`, 1), protocol.ClientCapabilities{Sampling: true}, "-32602", "L-SAMP-02"},
		{"sampling", modelAsk, protocol.ClientCapabilities{}, "-32601", "L-RPC-15"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, f, end := ready(t, stdioTarget, Options{Capabilities: c.caps}, legacy(silent))
				defer end()
				f.link().in(peerAsk(7, c.ask))
				synctest.Wait()
				if got := lastSent(f); !strings.Contains(got, `"id":7,"error":{"code":`+c.code) || rules(s.State()) != c.rule || len(s.State().Asks) != 0 {
					t.Errorf("sent %s, findings %s", got, rules(s.State()))
				}
			})
		})
	}
}

func TestFaultyQuestionsAreAskedAllTheSame(t *testing.T) { // L-ELIC-02, 03, 06, 08, SAMP-13, L-SAMP-06, case 101
	for _, c := range []struct{ name, ask, rules string }{
		{"nested", strings.Replace(formAsk, `{"type":"integer"}`, `{"type":"object","properties":{}}`, 1), "L-ELIC-03"},
		{"no message", strings.Replace(formAsk, `"message":"who?",`, "", 1), "L-ELIC-02"},
		{"no id, another scheme", strings.Replace(strings.Replace(legacyURLAsk, `,"elicitationId":"e-1"`, "", 1), "https:", "ftp:", 1), "L-ELIC-08 L-ELIC-06"},
		{"a result without a use", strings.Replace(modelAsk, `{"type":"text","text":"hi"}`, `{"type":"tool_result","toolUseId":"x","content":[]}`, 1), "L-SAMP-04"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, f, end := ready(t, stdioTarget, Options{Capabilities: everyCapability}, legacy(silent))
				defer end()
				callTool(t, s, CallOptions{})
				f.link().in(peerAsk(7, c.ask))
				st := s.State()
				if rules(st) != c.rules || len(st.Asks) != 1 || len(st.Asks[0].Problems) == 0 {
					t.Fatalf("findings %s, asks %+v", rules(st), st.Asks)
				}
				p := st.Findings[0]
				if v, at, ok := protocol.Lookup([]byte(peerAsk(7, c.ask)), p.Pointer); !ok || p.Offset != at {
					t.Errorf("the finding is at %s, %d; there is %s at %d", p.Pointer, p.Offset, v, at)
				}
			})
		})
	}
}

func TestUnsolicitedQuestions(t *testing.T) { // BASE-40, trap 83
	for _, refuse := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s, f, end := ready(t, stdioTarget, Options{Capabilities: everyCapability, RefuseUnsolicited: refuse}, legacy(silent))
			defer end()
			f.link().in(peerAsk(7, formAsk))
			synctest.Wait()
			st := s.State()
			if refuse && (!strings.Contains(lastSent(f), `"error":{"code":-32602`) || rules(st) != "BASE-40" || len(st.Asks) != 0) {
				t.Errorf("sent %s, findings %s", lastSent(f), rules(st))
			}
			if !refuse && (len(st.Asks) != 1 || st.Asks[0].Problems[0].Rule != "BASE-40" || st.Asks[0].Cause != 0) {
				t.Errorf("asks %+v", st.Asks)
			}
		})
	}
}

func TestTheCauseIsThatOfTheExchange(t *testing.T) { // case 107, case 110
	synctest.Test(t, func(t *testing.T) {
		s, f, end := ready(t, httpTarget, Options{Capabilities: everyCapability}, legacy(silent))
		defer end()
		a, b := callTool(t, s, CallOptions{}), callTool(t, s, CallOptions{})
		synctest.Wait()
		raw := []byte(peerAsk(1, formAsk))
		f.link().h.Receive(link.Incoming{Seq: 1, Raw: raw, Channel: "post", For: b.State().ID, Status: 200})
		f.link().in(peerAsk(2, formAsk))
		time.Sleep(time.Minute)
		asks := s.State().Asks
		if len(asks) != 2 || asks[0].Cause != b.State().Key || asks[1].Cause != 0 || asks[0].Key == asks[1].Key {
			t.Fatalf("asks %+v", asks)
		}
		mustReply(t, s, asks[1].Key, Reply{Action: ActionCancel})
		time.Sleep(time.Second)
		if a.State().Waited != time.Minute || b.State().Waited != time.Minute+time.Second {
			t.Errorf("waited %s and %s", a.State().Waited, b.State().Waited)
		}
	})
}

func TestAnAnswerThatCannotBeSentLeavesTheQuestionOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f, end := ready(t, httpTarget, Options{Capabilities: everyCapability}, legacy(silent))
		defer end()
		f.link().in(peerAsk(1, formAsk))
		l := f.link()
		l.mu.Lock()
		l.sendErr = errors.New("no route")
		l.mu.Unlock()
		a := s.State().Asks[0]
		err := s.Reply(context.Background(), a.Key, Reply{Action: ActionDecline})
		if got := s.State().Asks; err == nil || len(got) != 1 || got[0].State != AskOpen || got[0].Reply != nil {
			t.Fatalf("%v, asks %+v", err, got)
		}
		l.mu.Lock()
		l.sendErr = nil
		l.mu.Unlock()
		mustReply(t, s, a.Key, Reply{Action: ActionDecline})
	})
}

// An answer that may have gone out is not followed by another, at the close of
// the session neither.
func TestARequestHasOneAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f, end := ready(t, stdioTarget, Options{Capabilities: everyCapability}, legacy(silent))
		f.link().in(peerAsk(1, formAsk))
		l := f.link()
		l.mu.Lock()
		l.sendErr = fmt.Errorf("stuck: %w", link.ErrUnsure)
		l.mu.Unlock()
		before := len(l.sent)
		err := s.Reply(context.Background(), s.State().Asks[0].Key, Reply{Action: ActionDecline})
		if got := s.State().Asks; !errors.Is(err, link.ErrUnsure) || len(got) != 0 {
			t.Errorf("%v, asks %+v", err, got)
		}
		l.mu.Lock()
		l.sendErr = nil
		l.mu.Unlock()
		end()
		if sent := l.sent[before:]; len(sent) != 1 {
			t.Errorf("%d answers were sent", len(sent))
		}
	})
}

func TestClosingAnswersWhatIsOpen(t *testing.T) { // CAN-08: nothing is left without an answer
	synctest.Test(t, func(t *testing.T) {
		s, f, end := ready(t, stdioTarget, Options{Capabilities: everyCapability, AskRoots: true}, legacy(silent))
		for i, ask := range []string{formAsk, legacyURLAsk, modelAsk, rootsAsk} {
			f.link().in(peerAsk(i, ask))
		}
		end()
		var answers []string
		for _, m := range f.link().sent[3:] {
			v := m.Result
			if m.Kind == protocol.Error {
				v, _, _ = protocol.Lookup(m.Error, "/code")
			}
			answers = append(answers, m.ID.String()+string(v))
		}
		if got := strings.Join(answers, " "); got != `0{"action":"cancel"} 1{"action":"cancel"} 2-1 3-1` {
			t.Errorf("answered %s", got)
		}
		if st := s.State(); len(st.Asks)+len(st.Peers) != 0 {
			t.Errorf("left %+v", st.Asks)
		}
	})
}

func TestURLElicitationByError(t *testing.T) { // ELIC-29 to 33, L-ELIC-10, L-ELIC-11; E102
	entry := func(id string) string {
		return `{"mode":"url","message":"m","url":"https://a.example/` + id + `","elicitationId":"` + id + `"}`
	}
	synctest.Test(t, func(t *testing.T) {
		n := 0
		s, f, end := ready(t, httpTarget, Options{Capabilities: everyCapability}, legacy(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
			if n++; n == 1 {
				l.fail(m, "-32042", `,"data":{"elicitations":[`+entry("x")+`,`+entry("y")+`,{"message":"a form"}]}`)
				return
			}
			l.result(m, done)
		}))
		defer end()
		st := ended(t, callTool(t, s, CallOptions{}))
		asks := s.State().Asks
		if st.Phase != CallError || !st.Retryable || len(asks) != 2 || asks[0].Cause != st.Key || !asks[0].FromError || !strings.Contains(rules(s.State()), "L-ELIC-10") {
			t.Fatalf("%+v, asks %+v, findings %s", st, asks, rules(s.State()))
		}
		if len(s.State().Peers) != 0 || s.Answer(context.Background(), asks[0].Key, []byte(`{}`)) == nil {
			t.Errorf("it is taken for a request: %+v", s.State().Peers)
		}
		complete := func(id string) {
			f.link().in(`{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"` + id + `"}}`)
		}
		sent := f.methods()
		complete("y")
		mustReply(t, s, asks[0].Key, Reply{Action: ActionAccept})
		time.Sleep(time.Second)
		complete("x")
		at := s.State().Visits[0].Completed
		time.Sleep(time.Second)
		complete("x") // done already
		complete("z") // never begun
		state := s.State()
		if v := state.Visits; len(v) != 2 || !v[0].Accepted || v[0].Completed != at || v[1].Accepted || v[1].Completed.IsZero() {
			t.Errorf("visits %+v", v)
		}
		if len(state.Asks) != 1 || !state.Asks[0].Completed || strings.Count(rules(state), "L-ELIC-11") != 1 || f.methods() != sent {
			t.Errorf("asks %+v, findings %s, sent %s", state.Asks, rules(state), f.methods())
		}
		again, err := s.RetryCall(context.Background(), st.Key)
		if err != nil {
			t.Fatal(err)
		}
		if now := ended(t, again); now.Phase != CallOK || now.RetryOf != st.Key || now.ID == st.ID || now.Retryable {
			t.Errorf("retry %+v", now)
		}
		sentNow := f.link().last("tools/call")
		if token, _, _ := protocol.Lookup(sentNow.Params, "/_meta/progressToken"); string(token) != sentNow.ID.String() {
			t.Errorf("progress token %s of request %s", token, sentNow.ID)
		}
	})
	for _, c := range []struct {
		name, data, rule string
		caps             protocol.ClientCapabilities
	}{
		{"undeclared", `,"data":{"elicitations":[` + entry("x") + `]}`, "L-ELIC-01", protocol.ClientCapabilities{Elicitation: true}},
		{"none", `,"data":{"elicitations":[]}`, "L-ELIC-10", everyCapability},
		{"no data", ``, "L-ELIC-10", everyCapability},
	} {
		synctest.Test(t, func(t *testing.T) {
			s, _, end := ready(t, httpTarget, Options{Capabilities: c.caps}, legacy(func(l *fakeLink, m protocol.Message, _ link.SendOptions) { l.fail(m, "-32042", c.data) }))
			defer end()
			if st := ended(t, callTool(t, s, CallOptions{})); st.Retryable || len(s.State().Asks) != 0 || !strings.Contains(rules(s.State()), c.rule) {
				t.Errorf("%s: %+v, findings %s", c.name, st, rules(s.State()))
			}
		})
	}
	synctest.Test(t, func(t *testing.T) { // ELIC-34
		s, _, end := ready(t, httpTarget, Options{Capabilities: everyCapability}, modern(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
			l.fail(m, "-32042", `,"data":{"elicitations":[`+entry("x")+`]}`)
		}))
		defer end()
		if st := ended(t, callTool(t, s, CallOptions{})); st.Retryable || len(s.State().Asks) != 0 || !strings.Contains(rules(s.State()), "L-RPC-17") {
			t.Errorf("%+v, findings %s", st, rules(s.State()))
		}
	})
}

func TestRootsCanBeChanged(t *testing.T) { // ROOT-02, ROOT-03
	roots := []Root{{URI: "file:///b", Name: "B"}}
	for _, c := range []struct {
		name   string
		server server
		caps   protocol.ClientCapabilities
		told   bool
	}{
		{"legacy", legacy(silent), everyCapability, true},
		{"undeclared", legacy(silent), protocol.ClientCapabilities{}, false},
		{"modern", modern(silent), everyCapability, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			s, f, end := ready(t, stdioTarget, Options{Capabilities: c.caps, Roots: []Root{{URI: "file:///a"}}}, c.server)
			defer end()
			for range 2 { // the second time nothing has changed
				if err := s.SetRoots(context.Background(), roots); err != nil {
					t.Fatal(err)
				}
			}
			if got := strings.Count(f.methods(), protocol.NotificationRootsChanged); got == 1 != c.told || got > 1 {
				t.Errorf("%s: sent %s", c.name, f.methods())
			}
			if st := s.State(); len(st.Roots) != 1 || st.Roots[0] != roots[0] {
				t.Errorf("%s: roots %+v", c.name, st.Roots)
			}
			if c.told {
				f.link().in(peerAsk(5, rootsAsk))
				synctest.Wait()
				if got := lastSent(f); !strings.Contains(got, `"result":{"roots":[{"uri":"file:///b","name":"B"}]}`) {
					t.Errorf("answered %s", got)
				}
			}
		})
	}
}
