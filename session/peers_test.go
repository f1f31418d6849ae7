package session

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session/link"
)

var allCapabilities = protocol.ClientCapabilities{Roots: true, Sampling: true, Elicitation: true}

func TestRequestsOfTheServerAreAnswered(t *testing.T) { // PING-01, BASE-22, ROOT-03, ROOT-06, L-RPC-15
	for _, c := range []struct {
		name, request string
		caps          protocol.ClientCapabilities
		want, rule    string
	}{
		{"ping", `{"jsonrpc":"2.0","id":"p-1","method":"ping"}`, protocol.ClientCapabilities{}, `{"jsonrpc":"2.0","id":"p-1","result":{}}`, ""},
		{"big id", `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, protocol.ClientCapabilities{}, `{"jsonrpc":"2.0","id":9007199254740993,"result":{}}`, ""},
		{"unknown", `{"jsonrpc":"2.0","id":1,"method":"x/y"}`, protocol.ClientCapabilities{}, `"code":-32601`, "BASE-22"},
		{"roots declared", `{"jsonrpc":"2.0","id":1,"method":"roots/list"}`, allCapabilities, `{"jsonrpc":"2.0","id":1,"result":{"roots":[{"uri":"file:///a","name":"A \"x\""},{"uri":"file:///b"}]}}`, ""},
		{"roots undeclared", `{"jsonrpc":"2.0","id":1,"method":"roots/list"}`, protocol.ClientCapabilities{}, `"code":-32601`, "L-RPC-15"},
		{"sampling undeclared", `{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}`, protocol.ClientCapabilities{}, `"code":-32601`, "L-RPC-15"},
		{"elicitation undeclared", `{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{}}`, protocol.ClientCapabilities{}, `"code":-32601`, "L-RPC-15"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := Options{Capabilities: c.caps, Roots: []Root{{URI: "file:///a", Name: `A "x"`}, {URI: "file:///b"}}}
				s, f, done := ready(t, stdioTarget, o, legacy(silent))
				defer done()
				f.link().in(c.request)
				synctest.Wait()
				l := f.link()
				if got := string(l.sent[len(l.sent)-1].Raw); !strings.Contains(got, c.want) {
					t.Errorf("answered %s, want %s", got, c.want)
				}
				if got := rules(s.State()); got != c.rule {
					t.Errorf("findings %q, want %q", got, c.rule)
				}
			})
		})
	}
}

func TestAModernServerIsNeverAnswered(t *testing.T) { // BASE-09, HTTP-21, L-RPC-14
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{Capabilities: allCapabilities}, modern(silent))
		defer done()
		for _, method := range []string{"ping", "elicitation/create", "x"} {
			f.link().in(`{"jsonrpc":"2.0","id":1,"method":"` + method + `"}`)
		}
		synctest.Wait()
		if got := f.methods(); got != "server/discover" {
			t.Errorf("sent %s", got)
		}
		st := s.State()
		if rules(st) != "L-RPC-14 L-RPC-14 L-RPC-14" || len(st.Peers) != 0 {
			t.Errorf("findings %s, peers %+v", rules(st), st.Peers)
		}
	})
}

func TestAFloodOfPingsIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		block := make(chan struct{})
		s, f, done := ready(t, stdioTarget, Options{}, func(l *fakeLink, m protocol.Message, o link.SendOptions) {
			if m.Kind == protocol.Result {
				<-block
				return
			}
			legacy(silent)(l, m, o)
		})
		defer done()
		for i := range maxReplies + 100 {
			f.link().h.Receive(link.Incoming{Seq: uint64(i), Channel: "stdio", Raw: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"ping"}`, i)})
		}
		if n := s.State().FindingCount; n < 99 || n > 100 {
			t.Errorf("%d pings were left out", n)
		}
		close(block)
	})
}

const elicit = `{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":{"message":"who?","requestedSchema":{"type":"object","properties":{}}}}`

func TestQuestionsWaitForThePersonAndStopTheClock(t *testing.T) { // case 104, P9
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{Capabilities: allCapabilities}, legacy(silent))
		defer done()
		l := f.link()
		call := callTool(t, s, CallOptions{Timeout: 10 * time.Second, Maximum: 20 * time.Second})
		time.Sleep(5 * time.Second)
		// The id of the question equals that of the call (P7).
		l.in(strings.Replace(elicit, "%d", call.State().ID.String(), 1))
		st := s.State()
		if len(st.Peers) != 1 || st.Peers[0].Cause != call.State().Key || st.Peers[0].Message.Method != protocol.MethodElicit || st.Peers[0].Seq == 0 {
			t.Fatalf("peers %+v", st.Peers)
		}
		time.Sleep(time.Hour)
		if st := call.State(); st.Phase != CallPending || st.Took != 5*time.Second || st.Waited != time.Hour {
			t.Fatalf("while the person thinks: %+v", st)
		}
		answer := `{"jsonrpc":"2.0","id":` + call.State().ID.String() + `,"result":{"action":"accept","content":{"i":9007199254740993}}}`
		if err := s.Answer(context.Background(), st.Peers[0].Key, []byte(answer)); err != nil {
			t.Fatal(err)
		}
		if got := string(l.sent[len(l.sent)-1].Raw); got != answer || len(s.State().Peers) != 0 {
			t.Errorf("sent %s, peers %+v", got, s.State().Peers)
		}
		if err := s.Answer(context.Background(), st.Peers[0].Key, []byte(answer)); err == nil {
			t.Error("answered twice")
		}
		time.Sleep(9 * time.Second)
		if st := call.State(); st.Phase != CallPending {
			t.Errorf("the idle clock was not set back: %+v", st)
		}
		time.Sleep(2 * time.Second)
		if st := call.State(); st.Phase != CallTimedOut || st.Waited != time.Hour || st.Took != 15*time.Second || !strings.Contains(st.Err, "60 min of it spent waiting for you") {
			t.Errorf("after the limit: %+v", st)
		}
	})
}

func TestAQuestionOfNoKnownCallStopsAllClocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{Capabilities: allCapabilities}, legacy(silent))
		defer done()
		a, b := callTool(t, s, CallOptions{Timeout: time.Second}), callTool(t, s, CallOptions{Timeout: time.Second})
		f.link().in(strings.Replace(elicit, "%d", "500", 1))
		time.Sleep(time.Minute)
		if a.State().Phase != CallPending || b.State().Phase != CallPending || s.State().Peers[0].Cause != 0 {
			t.Errorf("%+v %+v", a.State(), b.State())
		}
		// The server withdraws its question (CAN-08).
		f.link().in(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":500,"reason":"too slow"}}`)
		st := s.State()
		if len(st.Peers) != 0 || rules(st) != "CAN-11" {
			t.Errorf("peers %+v, findings %s", st.Peers, rules(st))
		}
		time.Sleep(2 * time.Second)
		if a.State().Phase != CallTimedOut {
			t.Errorf("%+v", a.State())
		}
		f.link().in(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":501}}`)
		if got := rules(s.State()); !strings.HasSuffix(got, "L-CAN-02") {
			t.Errorf("findings %s", got)
		}
	})
}

func TestCloseCancelsOpenQuestions(t *testing.T) { // SAMP-05
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{Capabilities: allCapabilities}, legacy(silent))
		l := f.link()
		l.in(strings.Replace(elicit, "%d", "1", 1))
		l.in(`{"jsonrpc":"2.0","id":2,"method":"sampling/createMessage","params":{}}`)
		call := callTool(t, s, CallOptions{})
		done()
		n := len(l.sent)
		if got := string(l.sent[n-2].Raw); got != `{"jsonrpc":"2.0","id":1,"result":{"action":"cancel"}}` {
			t.Errorf("the elicitation was answered %s", got)
		}
		if got := string(l.sent[n-1].Raw); !strings.Contains(got, `"id":2,"error":{"code":-1,`) {
			t.Errorf("the sampling was answered %s", got)
		}
		if st := call.State(); st.Phase != CallLost || !strings.Contains(st.Err, "session was closed") {
			t.Errorf("%+v", st)
		}
		st := s.State()
		if st.Phase != Closed || len(st.Peers) != 0 {
			t.Errorf("phase %d, peers %+v", st.Phase, st.Peers)
		}
		if err := s.Close(); err != nil {
			t.Errorf("closing again: %v", err)
		}
	})
}

func TestOpenQuestionsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{Capabilities: allCapabilities}, legacy(silent))
		defer done()
		for i := range maxAsks + 1 {
			f.link().in(fmt.Sprintf(elicit, i+1))
		}
		synctest.Wait()
		if n := len(s.State().Peers); n != maxAsks || f.link().sent[len(f.link().sent)-1].Kind != protocol.Error {
			t.Errorf("%d questions are open", n)
		}
	})
}

func TestALostProcessLeavesEverything(t *testing.T) { // P8, accept 3
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{Capabilities: allCapabilities}, legacy(silent))
		defer done()
		call := callTool(t, s, CallOptions{})
		l := f.link()
		l.in(strings.Replace(elicit, "%d", "1", 1))
		l.log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindStderr, Data: []byte("out of memory\n")})
		l.exit = &link.Exit{Code: -1, Signal: "killed", After: 90 * time.Second}
		l.h.Down(link.Down{Exit: l.exit})
		st := s.State()
		if st.Phase != Failed || !strings.Contains(st.Err, "signal (killed) after 1 min 30 s") || st.Exit == nil || st.Exit.Signal != "killed" {
			t.Errorf("phase %d, error %q, exit %+v", st.Phase, st.Err, st.Exit)
		}
		if st.StderrTail != "out of memory\n" || st.Server.Name != "fake" || len(st.Peers) != 0 || len(st.Steps) == 0 {
			t.Errorf("state %+v", st)
		}
		if cs := ended(t, call); cs.Phase != CallLost || !strings.Contains(cs.Err, "killed") || cs.RequestSeq == 0 {
			t.Errorf("call %+v", cs)
		}
		if _, err := s.Do(context.Background(), s.NewRequest("ping", nil), CallOptions{}); err == nil || !strings.Contains(err.Error(), "connect again") {
			t.Errorf("a request on a lost link: %v", err)
		}
		if s.log.current().Len() == 0 || s.State().Phase != Failed {
			t.Error("the log is gone")
		}
	})
}

func TestALostSessionIsBegunAgain(t *testing.T) { // HTTP-54, traps 37 and 49
	synctest.Test(t, func(t *testing.T) {
		lose := false
		s, f, done := ready(t, httpTarget, Options{}, legacy(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
			switch {
			case m.Method == protocol.MethodToolsList:
				l.result(m, `{"tools":[]}`)
			case lose:
				lose = false
				l.h.Ended(link.Ended{For: m.ID, Err: fmt.Errorf("posting: %w", link.ErrSessionLost), Answer: &link.Answer{Status: 404, Body: "Session not found"}})
			}
		}))
		defer done()
		if err := s.Refresh(context.Background(), Tools); err != nil {
			t.Fatal(err)
		}
		waiting := callTool(t, s, CallOptions{})
		synctest.Wait()
		lose = true
		dead := callTool(t, s, CallOptions{})
		for _, call := range []*Call{dead, waiting} {
			if st := ended(t, call); st.Phase != CallLost || !strings.Contains(st.Err, "session") {
				t.Errorf("%+v", st)
			}
		}
		synctest.Wait()
		st := s.State()
		if st.Phase != Ready || f.link().resets != 1 || f.link().streams != 2 || st.Lists[Tools].Status != ListStale {
			t.Errorf("phase %d, %d resets, list %+v", st.Phase, f.link().resets, st.Lists[Tools])
		}
		if !strings.HasSuffix(f.methods(), "tools/call tools/call initialize notifications/initialized") || !strings.Contains(rules(st), "HTTP-54") {
			t.Errorf("sent %s, findings %s", f.methods(), rules(st))
		}
		again := callTool(t, s, CallOptions{})
		synctest.Wait()
		f.link().result(request(again), `{}`)
		if st := ended(t, again); st.Phase != CallOK {
			t.Errorf("%+v", st)
		}
	})
}

func TestAStreamThatIsNotThereIsNoLostSession(t *testing.T) { // HTTP-42, trap 50, case 26
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, httpTarget, Options{}, legacy(silent))
		defer done()
		f.link().h.Ended(link.Ended{Seq: 1, Channel: "get-1", Err: link.ErrSessionLost, Answer: &link.Answer{Status: 404}})
		f.link().h.Ended(link.Ended{Seq: 1, Channel: "get-1", Answer: &link.Answer{Status: 405}})
		synctest.Wait()
		if st := s.State(); st.Phase != Ready || f.link().resets != 0 || rules(st) != "HTTP-43" || st.LastAnswer != nil && st.LastAnswer.Status != 200 {
			t.Errorf("phase %d, %d resets, findings %s, answer %+v", st.Phase, f.link().resets, rules(st), st.LastAnswer)
		}
	})
}

func TestASessionThatCannotBeBegunAgainFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lost := false
		s, _, done := ready(t, httpTarget, Options{}, func(l *fakeLink, m protocol.Message, o link.SendOptions) {
			switch {
			case m.Method == protocol.MethodToolsCall:
				lost = true
				l.h.Ended(link.Ended{For: m.ID, Err: link.ErrSessionLost, Answer: &link.Answer{Status: 404}})
			case lost:
				l.page(m, 500, "text/plain", "gone for good")
			default:
				legacy(nil)(l, m, o)
			}
		})
		defer done()
		callTool(t, s, CallOptions{})
		synctest.Wait()
		if st := s.State(); st.Phase != Failed || !strings.Contains(st.Err, "HTTP 500") {
			t.Errorf("phase %d, error %q", st.Phase, st.Err)
		}
	})
}
