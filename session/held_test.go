package session

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

func TestHeldRoundsGoStepByStep(t *testing.T) { // MRTR-02, 03, 06, 19; case 108
	synctest.Test(t, func(t *testing.T) {
		o := Options{Capabilities: everyCapability, Roots: []Root{{URI: "file:///a"}}}
		s, f, end := ready(t, stdioTarget, o, rounds(
			asking(`"inputRequests":{"q":`+formAsk+`,"r":`+rootsAsk+`},"requestState":"s\u0031"`),
			asking(`"requestState":"busy"`),
			asking(`"inputRequests":{"q":`+formAsk+`,"m":`+modelAsk+`}`),
			done))
		defer end()
		call := callTool(t, s, CallOptions{HoldRounds: true})
		key := call.State().Key
		sends := func() int { return strings.Count(f.methods(), "tools/call") }
		held := func(round int) {
			t.Helper()
			time.Sleep(time.Hour)
			if st := call.State(); !st.Held || st.Phase != CallWaiting || len(st.Rounds) != round || sends() != round {
				t.Fatalf("in round %d: %+v, sent %s", round, st, f.methods())
			}
		}
		held(1)
		if got := string(s.RoundAnswers(key)); got != `{"r":{"roots":[{"uri":"file:///a"}]}}` {
			t.Errorf("before an answer %s", got)
		}
		mustReply(t, s, askOf(t, s, "q").Key, Reply{Action: ActionAccept, Content: jsontext.Value(`{"i":1.0}`)})
		held(1) // all of it is answered, and still nothing goes out
		answers := s.RoundAnswers(key)
		if got := string(answers); got != `{"q":{"action":"accept","content":{"i":1.0}},"r":{"roots":[{"uri":"file:///a"}]}}` {
			t.Errorf("answers %s", got)
		}
		if err := s.ContinueRound(key, answers); err != nil {
			t.Fatal(err)
		}
		if got := string(f.link().last("tools/call").Params); !strings.Contains(got, `"inputResponses":`+string(answers)+`,"requestState":"s\u0031"`) {
			t.Errorf("sent %s", got)
		}
		held(2) // put off, and not sent again by itself
		if err := s.ContinueRound(key, nil); err != nil {
			t.Fatal(err)
		}
		if got := string(f.link().last("tools/call").Params); !strings.Contains(got, `"requestState":"busy"`) || strings.Contains(got, "inputResponses") {
			t.Errorf("sent %s", got)
		}
		held(3)
		if s.ContinueRound(key, jsontext.Value(`{"q"`)) == nil {
			t.Error("half a JSON text was sent")
		}
		if err := s.ContinueRound(key, jsontext.Value("{\"x\":\n1}")); err != nil { // on purpose: the wrong key, and too few
			t.Fatal(err)
		}
		st := ended(t, call)
		if got := string(f.link().last("tools/call").Params); !strings.Contains(got, `"inputResponses":{"x": 1}}`) {
			t.Errorf("sent %s", got)
		}
		if st.Phase != CallOK || st.Held || len(st.Rounds) != 3 || len(s.State().Asks) != 0 || st.Took != 0 || st.Waited != 4*time.Hour {
			t.Errorf("at the end %+v, asks %+v", st, s.State().Asks)
		}
		for _, key := range []uint64{key, 999} {
			if err := s.ContinueRound(key, nil); !errors.Is(err, errNotHeld) {
				t.Errorf("once more: %v", err)
			}
		}
		if s.RoundAnswers(key) != nil {
			t.Error("answers of a call that is over")
		}
	})
}

func TestHeldCallsEnd(t *testing.T) { // MRTR-12
	synctest.Test(t, func(t *testing.T) {
		s, f, end := ready(t, httpTarget, Options{Capabilities: everyCapability}, rounds(asking(`"requestState":"busy"`)))
		call := callTool(t, s, CallOptions{HoldRounds: true})
		synctest.Wait()
		call.Cancel("enough")
		synctest.Wait()
		if st := call.State(); st.Phase != CallCancelled || st.Held || strings.Contains(f.methods(), "cancelled") {
			t.Errorf("%+v, sent %s", st, f.methods())
		}
		other := callTool(t, s, CallOptions{HoldRounds: true})
		synctest.Wait()
		end()
		if st := other.State(); st.Phase != CallLost || st.Held {
			t.Errorf("%+v", st)
		}
	})
}

func TestRootsAreAskedForFromNowOn(t *testing.T) { // ROOT-07
	synctest.Test(t, func(t *testing.T) {
		s, f, end := ready(t, httpTarget, Options{Capabilities: everyCapability}, legacy(silent))
		defer end()
		ask := func(id string) { f.link().in(`{"jsonrpc":"2.0","id":"` + id + `","method":"roots/list"}`) }
		ask("a")
		s.SetAskRoots(true)
		ask("b")
		if asks := s.State().Asks; len(asks) != 1 || asks[0].Kind != AskRoots {
			t.Fatalf("asks %+v", asks)
		}
		mustReply(t, s, s.State().Asks[0].Key, Reply{Action: ActionResult, Result: jsontext.Value(`{"roots":[]}`)})
		s.SetAskRoots(false)
		ask("c")
		if len(s.State().Asks) != 0 {
			t.Errorf("asks %+v", s.State().Asks)
		}
	})
}

func TestContextThatWasNotDeclaredIsFlagged(t *testing.T) { // L-SAMP-05
	ask := func(context string) string {
		return `{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"hi"}}],"includeContext":"` + context + `","maxTokens":9}}`
	}
	with := everyCapability
	with.SamplingContext = true
	for _, c := range []struct {
		name, context, want string
		with                bool
	}{
		{"this server", "thisServer", "L-SAMP-05", false},
		{"all servers", "allServers", "L-SAMP-05", false},
		{"none", "none", "", false},
		{"declared", "thisServer", "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := Options{Capabilities: everyCapability}
				o.Capabilities.SamplingContext = false
				if c.with {
					o.Capabilities = with
				}
				s, _, end := ready(t, stdioTarget, o, rounds(asking(`"inputRequests":{"m":`+ask(c.context)+`}`)))
				defer end()
				callTool(t, s, CallOptions{})
				synctest.Wait()
				if rules(s.State()) != c.want || len(s.State().Asks) != 1 {
					t.Errorf("findings %q, asks %+v", rules(s.State()), s.State().Asks)
				}
				if c.want == "" {
					return
				}
				found := s.State().Findings[0]
				answer, err := s.o.Log.Read(found.Seq, 1<<16)
				if err != nil {
					t.Fatal(err)
				}
				if found.Pointer != "/result/inputRequests/m/params/includeContext" || !strings.HasPrefix(string(answer.Data[found.Offset:]), `"`+c.context) {
					t.Errorf("at %s, %d", found.Pointer, found.Offset)
				}
				if a := askOf(t, s, "m"); len(a.Problems) != 1 || a.Problems[0].Rule != c.want {
					t.Errorf("the question has %+v", a.Problems)
				}
				if err := s.Reply(context.Background(), askOf(t, s, "m").Key, Reply{Action: ActionResult, Result: jsontext.Value(`{}`)}); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
