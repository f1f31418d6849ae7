package session

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

func TestLateAnswers(t *testing.T) { // CAN-04, CAN-05, CAN-06, CAN-11, L-CAN-01, case 135
	for _, c := range []struct {
		after time.Duration
		want  protocol.Severity
	}{{time.Second, protocol.Info}, {time.Minute, protocol.Warning}} {
		synctest.Test(t, func(t *testing.T) {
			s, f, done := ready(t, stdioTarget, Options{}, legacy(silent))
			defer done()
			call := callTool(t, s, CallOptions{})
			call.Cancel("not needed any more")
			synctest.Wait()
			if got := string(f.link().last(protocol.NotificationCancelled).Params); got != `{"requestId":`+call.State().ID.String()+`,"reason":"not needed any more"}` {
				t.Errorf("told %s", got)
			}
			time.Sleep(c.after)
			f.link().result(request(call), `{"content":[]}`)
			st := call.State()
			if !st.Late || st.LateBy != c.after || st.Phase != CallCancelled || st.AnswerSeq == 0 || !strings.Contains(st.Err, "not needed any more") {
				t.Errorf("%+v", st)
			}
			found := s.State().Findings
			if last := found[len(found)-1]; last.Rule != "L-CAN-01" || last.Severity != c.want {
				t.Errorf("after %s: %+v", c.after, last)
			}
		})
	}
}

func TestCancellationsOfTheServer(t *testing.T) { // CAN-09, CAN-10, L-CAN-02, L-CAN-03
	for rule, revision := range map[string]server{"L-CAN-02": legacy(silent), "L-CAN-03": modern(silent)} {
		synctest.Test(t, func(t *testing.T) {
			s, f, done := ready(t, stdioTarget, Options{}, revision)
			defer done()
			call := callTool(t, s, CallOptions{})
			for _, params := range []string{`{"requestId":` + call.State().ID.String() + `,"reason":"no"}`, `{"requestId":[]}`, `{}`, `null`, `{"requestId":"unknown"}`} {
				f.link().in(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":` + params + `}`)
			}
			st := s.State()
			if call.State().Phase != CallPending || st.Phase != Ready || !strings.Contains(rules(st), rule) {
				t.Errorf("%+v, findings %s", call.State(), rules(st))
			}
		})
	}
}

func TestACallAsATaskIsNotCancelledByNotification(t *testing.T) { // CAN-07
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{}, legacy(silent))
		defer done()
		call, err := s.Do(t.Context(), s.NewRequest("tools/call", jsontext.Value(`{"name":"good","task":{"ttl":1000}}`)), CallOptions{})
		if err != nil {
			t.Fatal(err)
		}
		call.Cancel("no")
		time.Sleep(time.Second)
		if strings.Contains(f.methods(), protocol.NotificationCancelled) {
			t.Errorf("sent %s", f.methods())
		}
	})
}

func TestCancellingCallsByKeyAndAll(t *testing.T) { // CAN-01, CAN-02, CAN-03
	synctest.Test(t, func(t *testing.T) {
		x := &listenServer{serve: func(l *fakeLink, m protocol.Message, _ context.Context) { l.acknowledge(m) }}
		s, f, done := ready(t, stdioTarget, Options{}, x.server())
		defer done()
		if _, err := s.Subscribe(t.Context(), SubscriptionFilter{Tools: true}); err != nil {
			t.Fatal(err)
		}
		var calls []*Call
		for range 4 {
			calls = append(calls, callTool(t, s, CallOptions{}))
		}
		f.link().result(request(calls[3]), `{"resultType":"complete","content":[]}`)
		if !s.CancelCall(calls[0].State().Key, "one") || s.CancelCall(calls[0].State().Key, "twice") || s.CancelCall(calls[3].State().Key, "over") || s.CancelCall(4711, "") {
			t.Error("what runs was not told from what does not")
		}
		if n := s.CancelAll("all"); n != 2 {
			t.Errorf("%d were cancelled", n)
		}
		synctest.Wait()
		if n := strings.Count(f.methods(), protocol.NotificationCancelled); n != 3 {
			t.Errorf("%d cancellations in %s", n, f.methods())
		}
		if sub := s.State().Subscriptions[0]; !sub.Phase.Live() {
			t.Errorf("the subscription is %s", sub.Phase)
		}
	})
}

func TestCancellationIsThatOfTheRevision(t *testing.T) { // CAN-03, HTTP-24, HTTP-45, trap 41
	for _, c := range []struct {
		name         string
		target       Target
		server       server
		notification bool
		closes       bool
	}{
		{"handshake, stdio", stdioTarget, legacy(silent), true, true},
		{"handshake, HTTP", httpTarget, legacy(silent), true, false},
		{"modern, stdio", stdioTarget, modern(silent), true, true},
		{"modern, HTTP", httpTarget, modern(silent), false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, f, done := ready(t, c.target, Options{}, c.server)
				defer done()
				call := callTool(t, s, CallOptions{})
				synctest.Wait()
				l := f.link()
				exchange := l.ctxs[len(l.ctxs)-1]
				call.Cancel("changed my mind")
				call.Cancel("once more")
				synctest.Wait()
				sent := l.last(protocol.NotificationCancelled)
				if (sent.Kind == protocol.Notification) != c.notification {
					t.Errorf("sent %s", l.methods())
				}
				if c.notification && string(sent.Params) != `{"requestId":`+call.State().ID.String()+`,"reason":"changed my mind"}` {
					t.Errorf("params %s", sent.Params)
				}
				if (exchange.Err() != nil) != c.closes {
					t.Errorf("exchange ended: %v", exchange.Err())
				}
				if st := call.State(); st.Phase != CallCancelled || st.Err != "Cancelled: changed my mind" {
					t.Errorf("%+v", st)
				}
				if !c.closes {
					time.Sleep(lingerLimit + time.Second)
					if exchange.Err() == nil {
						t.Error("the exchange is kept open for ever")
					}
				}
			})
		})
	}
}

func TestInitializeIsNeverCancelled(t *testing.T) { // VER-09
	synctest.Test(t, func(t *testing.T) {
		s, f, done := openFake(t, stdioTarget, Options{InitTimeout: time.Second}, on(nil))
		defer done()
		if err := s.Negotiate(context.Background()); err == nil {
			t.Fatal("negotiated with nobody")
		}
		if got := f.methods(); got != "server/discover initialize" {
			t.Errorf("sent %s", got)
		}
	})
}

func TestAContextEndsItsCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{}, legacy(silent))
		defer done()
		ctx, cancel := context.WithCancelCause(context.Background())
		call, err := s.Do(ctx, s.NewRequest(protocol.MethodPing, nil), CallOptions{})
		if err != nil {
			t.Fatal(err)
		}
		cancel(errors.New("window closed"))
		if st := ended(t, call); st.Phase != CallCancelled || !strings.Contains(st.Err, "window closed") {
			t.Errorf("%+v", st)
		}
		synctest.Wait()
		if f.link().last(protocol.NotificationCancelled).Kind != protocol.Notification {
			t.Error("the server was not told")
		}
	})
}
