package session

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/protocol"
	"mcploupe/session/link"
	"mcploupe/session/sessiontest"
)

func TestWhatNobodySubscribedTo(t *testing.T) { // L-SUB-08, L-TOOL-21, L-RSRC-08, CACHE-13
	for _, c := range []struct {
		name   string
		server server
		target Target
		in     string
		want   string
	}{
		{"modern list change", modern(silent), stdioTarget, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`, "L-TOOL-21 L-SUB-08"},
		{"modern update", modern(silent), stdioTarget, `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"demo://a"}}`, "L-SUB-08"},
		{"modern acknowledgement", modern(silent), stdioTarget, `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":77},"notifications":{}}}`, "L-SUB-08"},
		{"legacy list change that is not declared", legacy(silent), stdioTarget, `{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}`, "L-TOOL-21"},
		{"legacy update", legacy(silent), stdioTarget, `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"demo://a"}}`, "L-RSRC-08 L-RSRC-08"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, f, done := ready(t, c.target, Options{}, c.server)
				defer done()
				f.link().in(c.in)
				if got := rules(s.State()); got != c.want {
					t.Errorf("findings %s, want %s", got, c.want)
				}
				for range 10_000 {
					f.link().in(c.in)
				}
				if st := s.State(); len(st.Findings) > 2*maxOften || st.FindingCount < 10_000 {
					t.Errorf("%d findings kept, %d counted", len(st.Findings), st.FindingCount)
				}
			})
		})
	}
}

func TestRawListenRequestsAreShownToo(t *testing.T) { // SUB-01, SUB-06
	synctest.Test(t, func(t *testing.T) {
		x := &listenServer{serve: func(l *fakeLink, m protocol.Message, _ context.Context) { l.acknowledge(m) }}
		s, f, done := ready(t, httpTarget, Options{}, x.server())
		defer done()
		raw := s.NewRequest(protocol.MethodSubscriptionsListen, []byte(`{"notifications":{"toolsListChanged":true}}`))
		call, err := s.Do(t.Context(), raw, CallOptions{})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		sub := s.State().Subscriptions[0]
		if !sub.Manual || sub.Phase != SubAcknowledged || !sub.Asked.Tools || sub.Call != call.State().Key || call.State().Subscription != sub.Key {
			t.Errorf("%+v", sub)
		}
		f.link().drop(request(call))
		time.Sleep(time.Hour)
		if sub := s.State().Subscriptions[0]; sub.Phase != SubEnded || sub.End != EndWithoutResult || len(x.at) != 1 {
			t.Errorf("%d requests, %+v", len(x.at), sub)
		}
	})
}

func TestListChangesAreListenedToFromTheStart(t *testing.T) { // SUB-16, case 123
	synctest.Test(t, func(t *testing.T) {
		x := &listenServer{serve: func(l *fakeLink, m protocol.Message, _ context.Context) { l.acknowledge(m) }}
		s, _, done := ready(t, httpTarget, Options{ListenToLists: true}, x.server())
		defer done()
		synctest.Wait()
		sub := s.State().Subscriptions[0]
		if !sub.Asked.Tools || !sub.Asked.Resources || sub.Asked.Prompts || sub.Phase != SubAcknowledged || len(sub.Missing) != 0 {
			t.Errorf("%+v", sub)
		}
	})
}

func TestTasksCanBeSubscribedTo(t *testing.T) { // SUB-15
	synctest.Test(t, func(t *testing.T) {
		var asked protocol.Message
		x := &listenServer{serve: func(l *fakeLink, m protocol.Message, _ context.Context) {
			asked = m
			l.acknowledge(m)
		}}
		extension := protocol.ClientCapabilities{Extensions: []byte(`{"io.modelcontextprotocol/tasks":{}}`)}
		s, f, done := ready(t, httpTarget, Options{Capabilities: extension}, x.server())
		defer done()
		if _, err := s.Subscribe(t.Context(), SubscriptionFilter{TaskIDs: []string{"t1"}}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if got := string(asked.Params); !strings.Contains(got, `"notifications":{"taskIds":["t1"]}`) || !strings.Contains(got, "io.modelcontextprotocol/tasks") {
			t.Errorf("asked with %s", got)
		}
		f.link().onListen(asked, protocol.NotificationTasks, `,"taskId":"t1","status":"working"`)
		if st := s.State(); st.Subscriptions[0].Count != 1 || strings.Contains(rules(st), "L-SUB") {
			t.Errorf("%+v, findings %s", st.Subscriptions[0], rules(st))
		}
		f.link().onListen(asked, protocol.NotificationTasks, `,"taskId":"t2","status":"working"`)
		if got := rules(s.State()); !strings.Contains(got, "L-SUB-03") {
			t.Errorf("findings %s", got)
		}
	})
}

func TestCovers(t *testing.T) { // RES-07
	for _, c := range []struct {
		subscribed, uri string
		want            bool
	}{
		{"a:b", "a:b", true}, {"a:b", "a:b/c", true}, {"a:b", "a:b?c", true}, {"a:b", "a:b#c", true},
		{"a:b/", "a:b/c", true}, {"a:b", "a:bc", false}, {"a:b/c", "a:b", false}, {"", "a:b", false}, {"a:b", "", false},
	} {
		if got := covers(c.subscribed, c.uri); got != c.want {
			t.Errorf("covers(%q, %q) is %v", c.subscribed, c.uri, got)
		}
	}
}

func FuzzDecodeFilter(f *testing.F) {
	f.Add([]byte(sessiontest.ListenFilter))
	f.Add([]byte(`{"toolsListChanged":null,"resourceSubscriptions":[1,"a"],"taskIds":{}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if !protocol.Valid(b) {
			return
		}
		one, _ := DecodeFilter(b)
		one.Raw = nil
		two, problems := DecodeFilter(one.wire())
		if len(problems) > 0 || len(one.lacks(two)) > 0 && !slices.Contains(one.URIs, "") || one.Tools != two.Tools || len(one.URIs) != len(two.URIs) {
			t.Errorf("%q became %s: %v", b, one.wire(), problems)
		}
	})
}

func TestWhatWasStoppedIsNotAskedForAgain(t *testing.T) { // SUB-07, SUB-09
	synctest.Test(t, func(t *testing.T) {
		x := &listenServer{serve: func(l *fakeLink, m protocol.Message, _ context.Context) { l.drop(m) }}
		s, _, done := ready(t, httpTarget, Options{}, x.server())
		defer done()
		key, err := s.Subscribe(t.Context(), SubscriptionFilter{Tools: true})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		s.mu.Lock() // its time has come, and the request is about to be sent
		sub := s.live.subs.byKey(key)
		broken := sub.Phase
		sub.Phase, sub.NextTry = SubRelistening, time.Time{}
		s.mu.Unlock()
		if err := s.Unsubscribe(t.Context(), key); err != nil {
			t.Fatal(err)
		}
		s.relisten(sub, 1)
		time.Sleep(time.Hour)
		synctest.Wait()
		if st := s.State().Subscriptions[0]; broken != SubBroken || len(x.at) != 1 || st.Phase != SubEnded || st.End != EndByUs || st.Err != "" {
			t.Errorf("%s, %d requests, %+v", broken, len(x.at), st)
		}
	})
}

// A session that is closed from this side lost nothing: its subscriptions end with
// it, and the next one asks for them again.
func TestClosingEndsSubscriptionsWithoutLoss(t *testing.T) { // SUB-11
	older := func(l *fakeLink, m protocol.Message, o link.SendOptions) {
		if m.Method == protocol.MethodInitialize {
			l.result(m, strings.Replace(initResult, `"resources":{}`, `"resources":{"subscribe":true}`, 1))
			return
		}
		legacy(func(l *fakeLink, m protocol.Message, _ link.SendOptions) { l.result(m, `{}`) })(l, m, o)
	}
	for name, c := range map[string]struct {
		target Target
		server server
	}{
		"listen":    {httpTarget, modern(silent)},
		"subscribe": {stdioTarget, older},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, _, done := ready(t, c.target, Options{}, c.server)
				if _, err := s.Subscribe(t.Context(), SubscriptionFilter{URIs: []string{"demo://a"}}); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				done()
				st := s.State()
				last := st.Subscriptions[len(st.Subscriptions)-1]
				if last.Phase != SubEnded || last.End != EndClosed || last.End.String() != "ended with the connection" || last.Err != "The session was closed." {
					t.Errorf("%+v", last)
				}
				if r := st.Restoration(); len(r.Subscriptions) != 1 {
					t.Errorf("restores %+v", r)
				}
			})
		})
	}
}
