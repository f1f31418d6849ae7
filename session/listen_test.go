package session

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session/link"
	"mcploupe/session/sessiontest"
)

// openScript opens a session with a scripted peer in this process and
// negotiates. The caller closes it with the function, inside the bubble.
func openScript(t *testing.T, script sessiontest.Script, o Options) (*Session, func()) {
	t.Helper()
	o.Log = newLog(t)
	d := dialers{stdio: func(_ context.Context, st link.StdioTarget, log recorder.Appender, h link.Handler) (link.Link, error) {
		r, w := script.Pipe(t)
		return link.Attach(r, w, st, log, h), nil
	}}
	s, err := open(context.Background(), stdioTarget, o, d)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Negotiate(context.Background()); err != nil {
		t.Fatal(err)
	}
	return s, func() {
		if err := s.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
		if err := o.Log.Close(); err != nil {
			t.Errorf("closing the log: %v", err)
		}
	}
}

func filterOf(t *testing.T, text string) SubscriptionFilter {
	t.Helper()
	f, problems := DecodeFilter([]byte(text))
	if len(problems) > 0 {
		t.Fatalf("%s: %v", text, problems)
	}
	return f
}

// checkListenCase compares what became of the subscription with the case.
func checkListenCase(t *testing.T, c sessiontest.ListenCase, st State, over bool) {
	t.Helper()
	sub := st.Subscriptions[0]
	switch c.End {
	case sessiontest.ListenStays:
		if !sub.Phase.Live() && sub.Phase != SubAsked {
			t.Errorf("it is %s: %s", sub.Phase, sub.Err)
		}
	case sessiontest.ListenEnds:
		if sub.Phase != SubEnded || sub.End == EndNone || !sub.NextTry.IsZero() {
			t.Errorf("it is %s, end %q, next try %s", sub.Phase, sub.End, sub.NextTry)
		}
	case sessiontest.ListenBreaks:
		if sub.Phase != SubBroken || sub.NextTry.IsZero() || sub.Attempts != 1 {
			t.Errorf("it is %s after %d attempts", sub.Phase, sub.Attempts)
		}
	}
	if c.Rule != "" && !strings.Contains(rules(st), c.Rule) {
		t.Errorf("findings %q, want %s", rules(st), c.Rule)
	}
	if c.Rule == "" && rules(st) != "" {
		t.Errorf("findings %q for nothing wrong", rules(st))
	}
	if c.Rule != "" && c.Rule != "L-LOG-04" && !slices.ContainsFunc(sub.Problems, func(p protocol.Problem) bool { return p.Rule == c.Rule }) && over {
		t.Errorf("the subscription has the problems %v, not %s", sub.Problems, c.Rule)
	}
}

func TestMisbehavingListenersOverStdio(t *testing.T) { // SUB-01 to SUB-05, SUB-08, SUB-10, SUB-14, L-SUB-01 to L-SUB-10
	for _, c := range sessiontest.MisbehavingListen {
		if c.HTTP {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, done := openScript(t, c.Script(), Options{})
				defer done()
				key, err := s.Subscribe(t.Context(), filterOf(t, sessiontest.ListenFilter))
				if err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				if st := s.State().Subscriptions[0]; st.Key != key || c.Late && st.Phase != SubAsked {
					t.Errorf("before its time: %+v", st)
				}
				if c.Late {
					time.Sleep(DefaultAckTimeout)
					synctest.Wait()
				}
				checkListenCase(t, c, s.State(), false)
				call := callTool(t, s, CallOptions{})
				if st := ended(t, call); st.Phase != CallOK {
					t.Errorf("a call after it: %+v", st)
				}
			})
		})
	}
}

func TestMisbehavingListenersOverHTTP(t *testing.T) { // as above, and SUB-09
	for _, c := range sessiontest.MisbehavingListen {
		t.Run(c.Name, func(t *testing.T) {
			server := sessiontest.NewHTTP(t)
			c.Serve(server)
			s := connectReal(t, Target{URL: server.URL}, Options{AckTimeout: 300 * time.Millisecond})
			if _, err := s.Subscribe(t.Context(), filterOf(t, sessiontest.ListenFilter)); err != nil {
				t.Fatal(err)
			}
			st := until(t, s, "the end of the case", func(st State) bool {
				sub := st.Subscriptions[0]
				switch c.End {
				case sessiontest.ListenEnds:
					return sub.Phase == SubEnded && (c.Rule == "" || strings.Contains(rules(st), c.Rule))
				case sessiontest.ListenBreaks:
					return sub.Phase == SubBroken
				}
				return (sub.Phase.Live() || len(c.Lines) == 1) && (c.Rule == "" || strings.Contains(rules(st), c.Rule))
			})
			checkListenCase(t, c, st, true)
		})
	}
}

// listeners counts the listen requests among what was sent, and their times.
type listenServer struct {
	at    []time.Time
	serve func(l *fakeLink, m protocol.Message, ctx context.Context)
}

func (x *listenServer) server() server {
	return func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
		switch m.Method {
		case protocol.MethodDiscover:
			l.result(m, sessiontest.DiscoverResult)
		case protocol.MethodSubscriptionsListen:
			l.mu.Lock()
			x.at = append(x.at, time.Now())
			ctx := l.ctxs[len(l.ctxs)-1]
			l.mu.Unlock()
			x.serve(l, m, ctx)
		}
	}
}

// onListen delivers a message on the stream of the listen request m.
func (l *fakeLink) onListen(m protocol.Message, method, params string) {
	raw := fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%s}%s}}`, method, m.ID, params)
	seq := l.log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindMessage, Channel: "post", Data: []byte(raw)})
	in := link.Incoming{Seq: seq, Raw: []byte(raw), Channel: "post"}
	if l.name == "http" {
		in.For, in.Status = m.ID, 200
	}
	l.h.Receive(in)
}

func (l *fakeLink) acknowledge(m protocol.Message) {
	v, _, _ := protocol.Lookup(m.Params, "/notifications")
	l.onListen(m, protocol.NotificationSubscriptionAcknowledged, `,"notifications":`+string(v))
}

// drop ends the stream of m without a result.
func (l *fakeLink) drop(m protocol.Message) {
	l.h.Ended(link.Ended{Channel: "post", For: m.ID, Err: link.ErrNoAnswer, Answer: &link.Answer{Status: 200, ContentType: "text/event-stream"}})
}

// checkBackoff checks that the waits between listen requests grow to their
// limit, with chance in them.
func checkBackoff(t *testing.T, at []time.Time, life time.Duration) {
	t.Helper()
	for i := 1; i < len(at); i++ {
		wait := at[i].Sub(at[i-1]) - life
		full := min(firstRelisten<<min(i-1, 10), lastRelisten)
		if wait < full/2 || wait > full {
			t.Errorf("wait %d is %s, want from %s to %s", i, wait, full/2, full)
		}
	}
}

func TestListeningIsAskedForAgainWithoutAStorm(t *testing.T) { // SUB-09, CACHE-09, accept 2
	for _, c := range []struct {
		name      string
		transport Target
		life      time.Duration // of one attempt
		serve     func(l *fakeLink, m protocol.Message, ctx context.Context)
		rule      string
	}{
		{"the stream drops every 2 seconds", httpTarget, 2 * time.Second, func(l *fakeLink, m protocol.Message, _ context.Context) {
			l.acknowledge(m)
			time.Sleep(2 * time.Second)
			l.drop(m)
		}, "L-SUB-06"},
		{"the stream ends at once", httpTarget, 0, func(l *fakeLink, m protocol.Message, _ context.Context) { l.drop(m) }, "L-SUB-01"},
		{"the network fails", httpTarget, 0, func(l *fakeLink, m protocol.Message, _ context.Context) { l.broken(m, context.DeadlineExceeded) }, ""},
		{"503", httpTarget, 0, func(l *fakeLink, m protocol.Message, _ context.Context) { l.page(m, 503, "text/plain", "busy") }, ""},
		{"never acknowledged over HTTP", httpTarget, DefaultAckTimeout, func(l *fakeLink, m protocol.Message, ctx context.Context) {
			<-ctx.Done()
			l.broken(m, link.ErrCancelled)
		}, "L-SUB-01"},
		{"never acknowledged over stdio", stdioTarget, DefaultAckTimeout, func(*fakeLink, protocol.Message, context.Context) {}, "L-SUB-01"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				x := &listenServer{serve: c.serve}
				s, f, done := ready(t, c.transport, Options{}, x.server())
				defer done()
				if _, err := s.Subscribe(t.Context(), SubscriptionFilter{Tools: true}); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Hour)
				synctest.Wait()
				if n := len(x.at); n < 50 || n > 150 {
					t.Errorf("%d listen requests in an hour", n)
				}
				checkBackoff(t, x.at, c.life)
				if got := rules(s.State()); c.rule != "" && !strings.Contains(got, c.rule) {
					t.Errorf("findings %q", got)
				}
				told := strings.Count(f.methods(), protocol.NotificationCancelled)
				if stdio := c.transport.Command != ""; stdio && told < len(x.at)-1 || !stdio && told != 0 {
					t.Errorf("%d requests, %d cancellations", len(x.at), told)
				}
				if sub := s.State().Subscriptions[0]; sub.End == EndNone || sub.Err == "" {
					t.Errorf("%s, and nothing says after what: %+v", sub.Phase, sub)
				}
				if got := states(t, s); strings.Count(got, "relistening: ") < 10 || !strings.Contains(got, "broken: ") {
					t.Errorf("the log says %s", got)
				}
				calls := 0
				for _, call := range s.State().Calls {
					if call.Phase == CallPending {
						calls++
					}
				}
				if calls > 1 {
					t.Errorf("%d listen requests run at a time", calls)
				}
			})
		})
	}
}

func TestServersThatEndTheSubscriptionAreNotAskedAgain(t *testing.T) { // SUB-08, SUB-10
	for name, end := range map[string]func(l *fakeLink, m protocol.Message){
		"result": func(l *fakeLink, m protocol.Message) {
			l.result(m, `{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":`+m.ID.String()+`}}`)
		},
		"refusal":   func(l *fakeLink, m protocol.Message) { l.fail(m, "-32603", "") },
		"not found": func(l *fakeLink, m protocol.Message) { l.page(m, 404, "text/plain", "no") },
		"cancelled": func(l *fakeLink, m protocol.Message) {
			l.onListen(m, protocol.NotificationCancelled, `,"requestId":`+m.ID.String())
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				x := &listenServer{serve: func(l *fakeLink, m protocol.Message, _ context.Context) { end(l, m) }}
				s, _, done := ready(t, httpTarget, Options{}, x.server())
				defer done()
				if _, err := s.Subscribe(t.Context(), SubscriptionFilter{Tools: true}); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Hour)
				synctest.Wait()
				if sub := s.State().Subscriptions[0]; len(x.at) != 1 || sub.Phase != SubEnded || sub.End == EndByUs || sub.End == EndNone || sub.Err == "" {
					t.Errorf("%d requests, %+v", len(x.at), sub)
				}
			})
		})
	}
}

func TestTheDelayBeginsAnewAfterHealth(t *testing.T) { // SUB-09, SUB-13
	synctest.Test(t, func(t *testing.T) {
		n := 0
		x := &listenServer{serve: func(l *fakeLink, m protocol.Message, ctx context.Context) {
			if n++; n%6 == 0 {
				l.acknowledge(m)
				time.Sleep(listenHealthy)
			}
			l.drop(m)
		}}
		s, _, done := ready(t, httpTarget, Options{}, x.server())
		defer done()
		if _, err := s.Subscribe(t.Context(), SubscriptionFilter{Tools: true}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		checkBackoff(t, x.at[:6], 0)
		if wait := x.at[6].Sub(x.at[5]) - listenHealthy; wait > firstRelisten {
			t.Errorf("after a healthy stream it waits %s", wait)
		}
	})
}

func TestSeveralSubscriptionsAtOnce(t *testing.T) { // SUB-02, SUB-05, SUB-06, SUB-07, SUB-12
	for name, target := range map[string]Target{"stdio": stdioTarget, "http": httpTarget} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var asked []protocol.Message
				var ended [3]atomic.Bool
				x := &listenServer{serve: func(l *fakeLink, m protocol.Message, ctx context.Context) {
					i := len(asked)
					asked = append(asked, m)
					if l.name == "http" {
						go func() {
							<-ctx.Done()
							ended[i].Store(true)
							l.broken(m, link.ErrCancelled)
						}()
					}
				}}
				s, f, done := ready(t, target, Options{}, x.server())
				defer done()
				l := f.link()
				first, err := s.Subscribe(t.Context(), SubscriptionFilter{Tools: true, URIs: []string{"demo://a"}})
				if err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				second, err := s.Subscribe(t.Context(), SubscriptionFilter{Prompts: true, Resources: true})
				if err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				// No progress token and no log level on it (SUB-14); the filter is required (SUB-01).
				if got := string(asked[0].Params); !strings.HasPrefix(got, `{"notifications":{"toolsListChanged":true,"resourceSubscriptions":["demo://a"]}`) ||
					strings.Contains(got, "progressToken") || strings.Contains(got, "logLevel") || !strings.Contains(got, protocol.MetaProtocolVersion) {
					t.Errorf("asked with %s", got)
				}
				l.acknowledge(asked[1])
				l.onListen(asked[1], protocol.NotificationPromptsChanged, "") // before the first is acknowledged, which is fine
				l.acknowledge(asked[0])
				for range 3 {
					l.onListen(asked[0], protocol.NotificationResourceUpdated, `,"uri":"demo://a"`)
				}
				time.Sleep(2 * time.Hour) // no limit of time ends it
				st := s.State()
				a, b := st.Subscriptions[0], st.Subscriptions[1]
				if a.Phase != SubOpen || a.Count != 3 || a.ID != asked[0].ID || b.Phase != SubOpen || b.Count != 1 || b.ID != asked[1].ID || rules(st) != "L-SUB-09 L-TOOL-21" {
					t.Errorf("%+v\n%+v\n%s", a, b, rules(st))
				}
				if a.RequestSeq == 0 || a.AckSeq <= a.RequestSeq || a.LastSeq <= a.AckSeq {
					t.Errorf("events %d %d %d", a.RequestSeq, a.AckSeq, a.LastSeq)
				}
				if err := s.Unsubscribe(t.Context(), first); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				l.onListen(asked[0], protocol.NotificationToolsChanged, "") // was on its way
				st = s.State()
				if a := st.Subscriptions[0]; a.Phase != SubEnded || a.End != EndByUs || !st.Subscriptions[1].Phase.Live() || rules(st) != "L-SUB-09 L-TOOL-21" {
					t.Errorf("%+v, findings %s", a, rules(st))
				}
				cancel := l.last(protocol.NotificationCancelled)
				if name == "stdio" {
					if id, _ := protocol.DecodeCancelled(cancel.Params); id != asked[0].ID {
						t.Errorf("the cancellation is %s", cancel.Raw)
					}
				} else if cancel.Raw != nil || !ended[0].Load() || ended[1].Load() {
					t.Errorf("cancellation %s, streams ended %t %t", cancel.Raw, ended[0].Load(), ended[1].Load())
				}
				time.Sleep(time.Hour)
				l.onListen(asked[0], protocol.NotificationToolsChanged, "")
				if got := rules(s.State()); !strings.Contains(got, "L-SUB-07") {
					t.Errorf("long after its end: findings %s", got)
				}
				if err := s.EditSubscription(t.Context(), second, SubscriptionFilter{Tools: true}); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				if sub := s.State().Subscriptions[1]; sub.Key != second || sub.ID == asked[1].ID || !sub.Asked.Tools || sub.Asked.Prompts || sub.Phase != SubAsked || len(asked) != 3 {
					t.Errorf("edited: %+v", sub)
				}
			})
		})
	}
}
