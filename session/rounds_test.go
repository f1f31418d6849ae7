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

// rounds is a modern server that answers tools/call with each of the results in
// turn, and with the last one again.
func rounds(results ...string) server {
	n := 0
	return modern(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
		if m.Kind != protocol.Request {
			return
		}
		n++
		l.result(m, results[min(n, len(results))-1])
	})
}

const (
	done     = `{"resultType":"complete","content":[]}`
	formAsk  = `{"method":"elicitation/create","params":{"message":"who?","requestedSchema":{"type":"object","properties":{"i":{"type":"integer"}}}}}`
	urlAsk   = `{"method":"elicitation/create","params":{"mode":"url","message":"there","url":"https://a.example/"}}`
	modelAsk = `{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"hi"}}],"maxTokens":9}}`
	toolsAsk = `{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"hi"}}],"maxTokens":9,"tools":[]}}`
	rootsAsk = `{"method":"roots/list"}`
)

func asking(rest string) string { return `{"resultType":"input_required",` + rest + `}` }

func askOf(t *testing.T, s *Session, key string) Ask {
	t.Helper()
	for _, a := range s.State().Asks {
		if a.InputKey == key {
			return a
		}
	}
	t.Fatalf("no ask %q in %+v", key, s.State().Asks)
	return Ask{}
}

func mustReply(t *testing.T, s *Session, key uint64, r Reply) {
	t.Helper()
	if err := s.Reply(context.Background(), key, r); err != nil {
		t.Fatal(err)
	}
}

func TestARoundOfSeveralKindsGoesOutTogether(t *testing.T) { // MRTR-02, 04 to 09, 11, 13; case 108
	for _, target := range []Target{stdioTarget, httpTarget} {
		synctest.Test(t, func(t *testing.T) {
			o := Options{Capabilities: everyCapability, Roots: []Root{{URI: "file:///a"}}}
			s, f, end := ready(t, target, o, rounds(
				asking(`"inputRequests":{"a/b":`+formAsk+`,"r":`+rootsAsk+`,"m":`+modelAsk+`},"requestState":"s\u0031<\/"`),
				asking(`"inputRequests":{"u":`+urlAsk+`}`),
				done))
			defer end()
			call := callTool(t, s, CallOptions{})
			synctest.Wait()
			first := call.State()
			if st := call.State(); st.Phase != CallWaiting || len(st.Rounds) != 1 || st.Answer.Raw != nil || len(s.State().Asks) != 2 || len(s.State().Peers) != 0 {
				t.Fatalf("%+v, asks %+v", st, s.State().Asks)
			}
			a, m := askOf(t, s, "a/b"), askOf(t, s, "m")
			if a.Kind != AskForm || a.Message != "who?" || len(a.Schema) == 0 || a.Cause != first.Key || a.CauseName != "good" || a.Legacy || m.Kind != AskSampling {
				t.Errorf("asks %+v %+v", a, m)
			}
			time.Sleep(time.Hour)
			mustReply(t, s, a.Key, Reply{Action: ActionDecline})
			if got := askOf(t, s, "a/b"); got.State != AskAnswered || got.Reply == nil || got.Reply.Action != ActionDecline {
				t.Errorf("after the first answer %+v", got)
			}
			content := jsontext.Value("{\"i\":\n 9007199254740993.0}")
			r := Reply{Action: ActionAccept, Content: content}
			text := string(content)
			if target.Command != "" {
				text = strings.ReplaceAll(text, "\n", " ") // a line is a message there
			}
			if got, want := string(s.PreviewReply(a.Key, r)), `{"a/b":{"action":"accept","content":`+text+`}}`; got != want {
				t.Errorf("preview %s, want %s", got, want)
			}
			mustReply(t, s, a.Key, r) // changed before it went out
			mustReply(t, s, m.Key, Reply{Action: ActionResult, Result: jsontext.Value(`{"role":"assistant"}`)})
			synctest.Wait()
			sent := f.link().last("tools/call")
			want := `"inputResponses":{"a/b":{"action":"accept","content":` + text + `},"r":{"roots":[{"uri":"file:///a"}]},"m":{"role":"assistant"}},"requestState":"s\u0031<\/"}`
			if !strings.Contains(string(sent.Raw), want) || sent.ID == first.ID {
				t.Errorf("sent %s, want %s", sent.Raw, want)
			}
			if token, _, _ := protocol.Lookup(sent.Params, "/_meta/progressToken"); string(token) != sent.ID.String() {
				t.Errorf("progress token %s of request %s", token, sent.ID)
			}
			mustReply(t, s, askOf(t, s, "u").Key, Reply{Action: ActionAccept})
			st := ended(t, call)
			sent = f.link().last("tools/call")
			if got := string(sent.Params); strings.Contains(got, "requestState") || !strings.Contains(got, `"inputResponses":{"u":{"action":"accept"}}`) {
				t.Errorf("sent %s", got)
			}
			if st.Phase != CallOK || st.Key != first.Key || st.ID != sent.ID || len(st.Rounds) != 2 || st.ResultType != "complete" || st.Waited != time.Hour || st.Took != 0 {
				t.Errorf("at the end %+v", st)
			}
			if r := st.Rounds[0]; r.ID != first.ID || r.RequestSeq != first.RequestSeq || r.AnswerSeq == 0 || r.Sent.Sub(r.Asked) != time.Hour || len(r.InputRequests) != 3 {
				t.Errorf("round %+v", r)
			}
			if n := len(s.State().Calls); n != 2 { // the probe and the call
				t.Errorf("%d calls", n)
			}
			if got := rules(s.State()); got != "" {
				t.Errorf("findings %s", got)
			}
		})
	}
}

func TestTimeOutsLetThePersonThink(t *testing.T) { // case 104, case 109, P9
	synctest.Test(t, func(t *testing.T) {
		n := 0
		s, _, end := ready(t, stdioTarget, Options{Capabilities: everyCapability}, modern(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
			if n++; n == 1 && m.Kind == protocol.Request {
				l.result(m, asking(`"inputRequests":{"q":`+formAsk+`}`))
			}
		}))
		defer end()
		call := callTool(t, s, CallOptions{Timeout: 5 * time.Second, Maximum: 8 * time.Second})
		time.Sleep(10 * time.Hour)
		if st := call.State(); st.Phase != CallWaiting || st.Waited != 10*time.Hour || st.Took != 0 {
			t.Fatalf("%+v", st)
		}
		mustReply(t, s, askOf(t, s, "q").Key, Reply{Action: ActionCancel})
		time.Sleep(6 * time.Second)
		if st := call.State(); st.Phase != CallTimedOut || st.Took != 5*time.Second {
			t.Errorf("the next request has no limit: %+v", st)
		}
	})
}

func TestLoadSheddingIsRetriedWithBackOff(t *testing.T) { // MRTR-03, trap 61
	synctest.Test(t, func(t *testing.T) {
		var at []time.Time
		s, f, end := ready(t, httpTarget, Options{}, modern(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
			at = append(at, time.Now())
			if len(at) < 8 {
				l.result(m, asking(fmt.Sprintf(`"requestState":"%d"`, len(at))))
				return
			}
			l.result(m, done)
		}))
		defer end()
		st := ended(t, callTool(t, s, CallOptions{Timeout: time.Second}))
		var delays []time.Duration
		for i := 1; i < len(at); i++ {
			delays = append(delays, at[i].Sub(at[i-1]))
		}
		if got := fmt.Sprint(delays); got != "[500ms 1s 2s 4s 8s 10s 10s]" {
			t.Errorf("delays %s", got)
		}
		if st.Phase != CallOK || len(st.Rounds) != 7 || st.Rounds[6].Delay != 10*time.Second || st.Rounds[6].Answers != nil {
			t.Errorf("%+v", st)
		}
		if got := string(f.link().last("tools/call").Params); !strings.Contains(got, `"requestState":"7"`) || strings.Contains(got, "inputResponses") {
			t.Errorf("sent %s", got)
		}
	})
}

func TestRoundsAreBounded(t *testing.T) { // MRTR-12, L-MRTR-10
	synctest.Test(t, func(t *testing.T) {
		s, f, end := ready(t, httpTarget, Options{Capabilities: everyCapability}, rounds(asking(`"inputRequests":{"r":`+rootsAsk+`}`)))
		defer end()
		st := ended(t, callTool(t, s, CallOptions{}))
		if st.Phase != CallInvalid || !strings.Contains(st.Err, "more than 50 times") || len(st.Rounds) != 51 || st.Answer.Raw == nil {
			t.Errorf("%d rounds, %+v", len(st.Rounds), st.Err)
		}
		if n := strings.Count(f.methods(), "tools/call"); n != 51 {
			t.Errorf("%d requests", n)
		}
	})
}

func TestWhatCannotBeAnsweredEndsTheCall(t *testing.T) { // MRTR-14, MRTR-15, trap 31, trap 58, L-MRTR-02 to 06
	form := protocol.ClientCapabilities{Elicitation: true}
	for _, c := range []struct {
		name, result string
		caps         protocol.ClientCapabilities
		rules, err   string
	}{
		{"undeclared sampling", asking(`"inputRequests":{"a":` + formAsk + `,"m":` + modelAsk + `}`), form, "L-MRTR-04", "sampling/createMessage, though the client did not declare it"},
		{"undeclared roots", asking(`"inputRequests":{"r":` + rootsAsk + `}`), form, "L-MRTR-04", "roots/list"},
		{"undeclared mode", asking(`"inputRequests":{"u":` + urlAsk + `}`), form, "L-MRTR-04", "the mode url"},
		{"form when only url is declared", asking(`"inputRequests":{"q":` + formAsk + `}`), protocol.ClientCapabilities{ElicitationURL: true}, "L-MRTR-04", "the mode form"},
		{"undeclared tools", asking(`"inputRequests":{"m":` + toolsAsk + `}`), protocol.ClientCapabilities{Sampling: true}, "L-MRTR-04", "tools in sampling"},
		{"neither", asking(`"inputRequests":{}`), form, "L-MRTR-02", "neither requests nor a state"},
		{"no object", asking(`"inputRequests":[1]`), form, "L-MRTR-02 L-MRTR-03", "neither"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, f, end := ready(t, stdioTarget, Options{Capabilities: c.caps}, rounds(c.result, done))
				defer end()
				st := ended(t, callTool(t, s, CallOptions{}))
				if st.Phase != CallInvalid || !strings.Contains(st.Err, c.err) || string(st.Answer.Result) != c.result || rules(s.State()) != c.rules {
					t.Errorf("phase %d, %q, findings %s", st.Phase, st.Err, rules(s.State()))
				}
				if f.methods() != "server/discover tools/call" || len(s.State().Asks) != 0 {
					t.Errorf("sent %s, asks %+v", f.methods(), s.State().Asks)
				}
				if len(st.Rounds) == 0 {
					return
				}
				// The person may answer all the same, by hand.
				again, err := s.ResendRound(context.Background(), st.Key, 0, jsontext.Value(`{"a":{}}`))
				if err != nil {
					t.Fatal(err)
				}
				if now := ended(t, again); now.Phase != CallOK || now.Previous != st.Key || now.Round != 1 {
					t.Errorf("by hand %+v", now)
				}
			})
		})
	}
}

func TestFaultyRoundsAreFlaggedAndAnswered(t *testing.T) { // L-MRTR-03, 05, 06, 11, MRTR-06
	synctest.Test(t, func(t *testing.T) {
		s, f, end := ready(t, stdioTarget, Options{Capabilities: everyCapability}, rounds(
			asking(`"inputRequests":{"q":`+rootsAsk+`,"q":`+strings.Replace(formAsk, "{", `{"id":1,`, 1)+`,"x":{"method":"x/y"}},"requestState":{"a":1.0}`), done))
		defer end()
		call := callTool(t, s, CallOptions{})
		synctest.Wait()
		for _, rule := range []string{"L-MRTR-03", "L-MRTR-05", "L-MRTR-06", "L-MRTR-11"} {
			if !strings.Contains(rules(s.State()), rule) {
				t.Errorf("no %s in %s", rule, rules(s.State()))
			}
		}
		if a := askOf(t, s, "x"); a.Kind != AskOther || s.Reply(context.Background(), a.Key, Reply{Action: ActionAccept}) == nil {
			t.Errorf("ask %+v", a)
		}
		mustReply(t, s, askOf(t, s, "x").Key, Reply{Action: ActionResult, Result: jsontext.Value(`[]`)})
		mustReply(t, s, askOf(t, s, "q").Key, Reply{Action: ActionAccept})
		st := ended(t, call)
		if want := `"inputResponses":{"q":{"action":"accept","content":{}},"x":[]},"requestState":{"a":1.0}}`; st.Phase != CallOK || !strings.Contains(string(f.link().last("tools/call").Raw), want) {
			t.Errorf("%+v, sent %s", st, f.link().last("tools/call").Raw)
		}
	})
}

func TestRejectingARoundGivesTheCallUp(t *testing.T) { // MRTR-15, SAMP-05, ROOT-07
	synctest.Test(t, func(t *testing.T) {
		s, f, end := ready(t, stdioTarget, Options{Capabilities: everyCapability, AskRoots: true},
			rounds(asking(`"inputRequests":{"m":`+modelAsk+`,"r":`+rootsAsk+`}`)))
		defer end()
		call := callTool(t, s, CallOptions{})
		synctest.Wait()
		if len(s.State().Asks) != 2 || askOf(t, s, "r").Kind != AskRoots {
			t.Fatalf("asks %+v", s.State().Asks)
		}
		m := askOf(t, s, "m")
		if got := s.PreviewReply(m.Key, Reply{Action: ActionReject}); got != nil {
			t.Errorf("preview %s", got)
		}
		mustReply(t, s, m.Key, Reply{Action: ActionReject})
		st := ended(t, call)
		if st.Phase != CallCancelled || !strings.Contains(st.Err, "MRTR-15") || len(s.State().Asks) != 0 {
			t.Errorf("%+v, asks %+v", st, s.State().Asks)
		}
		synctest.Wait()
		if got := f.methods(); got != "server/discover tools/call" { // nothing runs that could be cancelled
			t.Errorf("sent %s", got)
		}
		if err := s.Reply(context.Background(), m.Key, Reply{Action: ActionReject}); !errors.Is(err, errNoAsk) {
			t.Errorf("once more: %v", err)
		}
	})
}

func TestACallThatWaitsCanBeCancelledAndAnswersAreFlagged(t *testing.T) { // L-MRTR-07, MRTR-19
	synctest.Test(t, func(t *testing.T) {
		s, f, end := ready(t, stdioTarget, Options{Capabilities: everyCapability},
			rounds(asking(`"inputRequests":{"q":`+formAsk+`}`), asking(`"inputRequests":{"q":`+formAsk+`}`)))
		defer end()
		call := callTool(t, s, CallOptions{})
		first := call.State().ID
		again := func() { f.link().in(`{"jsonrpc":"2.0","id":` + first.String() + `,"result":` + done + `}`) }
		again()
		mustReply(t, s, askOf(t, s, "q").Key, Reply{Action: ActionDecline})
		again()
		if st := call.State(); st.Phase != CallWaiting || len(st.Rounds) != 2 || rules(s.State()) != "L-MRTR-07 L-MRTR-07" {
			t.Errorf("%+v, findings %s", st, rules(s.State()))
		}
		call.Cancel("enough")
		synctest.Wait()
		if st := call.State(); st.Phase != CallCancelled || len(s.State().Asks) != 0 || strings.Contains(f.methods(), "cancelled") {
			t.Errorf("%+v, sent %s", st, f.methods())
		}
	})
}

func TestRoundsEndWithTheLinkAndTheSession(t *testing.T) {
	for _, how := range []string{"link", "session", "put off"} {
		synctest.Test(t, func(t *testing.T) {
			answer := asking(`"inputRequests":{"q":` + formAsk + `}`)
			if how == "put off" {
				answer = asking(`"requestState":"x"`)
			}
			s, f, end := ready(t, stdioTarget, Options{Capabilities: everyCapability}, rounds(answer))
			call := callTool(t, s, CallOptions{})
			if how == "link" {
				f.link().die(1)
				synctest.Wait()
				if st := call.State(); st.Phase != CallLost || len(s.State().Asks) != 0 {
					t.Errorf("%+v, asks %+v", st, s.State().Asks)
				}
			}
			end()
			if st := call.State(); st.Phase != CallLost || len(s.State().Asks) != 0 || strings.Count(f.methods(), "tools/call") != 1 {
				t.Errorf("%s: %+v, sent %s", how, st, f.methods())
			}
		})
	}
}

func TestManualRoundsLeaveTheCallToItsOwner(t *testing.T) { // MRTR-19
	synctest.Test(t, func(t *testing.T) {
		s, _, end := ready(t, stdioTarget, Options{Capabilities: everyCapability}, rounds(asking(`"inputRequests":{"q":`+formAsk+`}`), done))
		defer end()
		call := callTool(t, s, CallOptions{ManualRounds: true})
		if st := ended(t, call); st.Phase != CallOK || st.ResultType != "input_required" || len(st.Rounds) != 0 || len(s.State().Asks) != 0 {
			t.Errorf("%+v", st)
		}
	})
}

func TestResendingARound(t *testing.T) { // MRTR-10: on purpose only
	synctest.Test(t, func(t *testing.T) {
		s, f, end := ready(t, stdioTarget, Options{Capabilities: everyCapability},
			rounds(asking(`"inputRequests":{"q":`+formAsk+`},"requestState":"one"`), done))
		defer end()
		call := callTool(t, s, CallOptions{})
		mustReply(t, s, askOf(t, s, "q").Key, Reply{Action: ActionDecline})
		st := ended(t, call)
		again, err := s.ResendRound(context.Background(), st.Key, 0, jsontext.Value("{\"q\":{\"action\":\n\"cancel\"}}"))
		if err != nil {
			t.Fatal(err)
		}
		now := ended(t, again)
		sent := f.link().last("tools/call")
		if now.Previous != st.Key || now.Round != 1 || sent.ID == st.ID || !strings.HasSuffix(string(sent.Raw), `"inputResponses":{"q":{"action": "cancel"}},"requestState":"one"}}`) {
			t.Errorf("%+v, sent %s", now, sent.Raw)
		}
		for _, bad := range []struct {
			call  uint64
			round int
		}{{st.Key, 1}, {st.Key, -1}, {999, 0}} {
			if _, err := s.ResendRound(context.Background(), bad.call, bad.round, nil); err == nil {
				t.Errorf("round %d of call %d was sent", bad.round, bad.call)
			}
		}
		if _, err := s.RetryCall(context.Background(), 999); err == nil {
			t.Error("an unknown call was sent again")
		}
	})
}

func TestCapabilitiesOfTheNextRequest(t *testing.T) { // META-03, MRTR-20, trap 58
	synctest.Test(t, func(t *testing.T) {
		s, f, end := ready(t, stdioTarget, Options{Capabilities: everyCapability}, rounds(asking(`"inputRequests":{"q":`+formAsk+`}`)))
		defer end()
		before := callTool(t, s, CallOptions{})
		if err := s.SetCapabilities(protocol.ClientCapabilities{Roots: true}); err != nil {
			t.Fatal(err)
		}
		after := callTool(t, s, CallOptions{})
		if b, a := before.State(), after.State(); b.Phase != CallWaiting || a.Phase != CallInvalid {
			t.Errorf("phases %d and %d", b.Phase, a.Phase)
		}
		caps, _, _ := protocol.Lookup(f.link().last("tools/call").Params, "/_meta/io.modelcontextprotocol~1clientCapabilities")
		if st := s.State(); string(caps) != `{"roots":{}}` || string(st.ClientCapabilities) != string(caps) || st.Capabilities.Sampling {
			t.Errorf("declared %s, state %s", caps, st.ClientCapabilities)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		s, _, end := ready(t, stdioTarget, Options{Capabilities: everyCapability}, legacy(silent))
		defer end()
		if err := s.SetCapabilities(protocol.ClientCapabilities{}); !errors.Is(err, ErrReconnect) || !s.State().Capabilities.Roots {
			t.Errorf("after a handshake: %v", err)
		}
	})
}
