package session

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/protocol"
	"mcploupe/session/link"
)

func TestRestoration(t *testing.T) { // SUB-11, SUB-13
	for name, c := range map[string]struct {
		server func(*listenServer) server
		want   string
	}{
		"modern": {func(x *listenServer) server { return x.server() }, "subscriptions/listen resources/read"},
		"legacy": {func(*listenServer) server {
			return declaring(func(l *fakeLink, m protocol.Message, _ link.SendOptions) { l.result(m, `{"contents":[]}`) })
		}, "logging/setLevel resources/subscribe resources/read"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				x := &listenServer{serve: func(l *fakeLink, m protocol.Message, _ context.Context) { l.acknowledge(m) }}
				roots := []Root{{URI: "file:///r"}}
				s, f, done := ready(t, stdioTarget, Options{Roots: roots, KeepAlive: time.Hour, AutoReread: true}, c.server(x))
				defer done()
				key, err := s.Subscribe(t.Context(), SubscriptionFilter{URIs: []string{"demo://stopped"}})
				if err != nil {
					t.Fatal(err)
				}
				if err := s.Unsubscribe(t.Context(), key); err != nil {
					t.Fatal(err)
				}
				if _, err := s.Subscribe(t.Context(), SubscriptionFilter{URIs: []string{"demo://a"}}); err != nil {
					t.Fatal(err)
				}
				if _, err := s.WatchResource("demo://a"); err != nil {
					t.Fatal(err)
				}
				if err := s.SetLogLevel(t.Context(), "notice"); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				f.link().die(1)
				st := s.State()
				if st.Phase != Failed || st.Subscriptions[len(st.Subscriptions)-1].End != EndLost {
					t.Errorf("%+v", st.Subscriptions)
				}
				if err := s.Close(); err != nil { // what was lost stays lost
					t.Error(err)
				}
				if st := s.State(); st.Subscriptions[len(st.Subscriptions)-1].End != EndLost {
					t.Errorf("after closing %+v", st.Subscriptions)
				}
				r := st.Restoration()
				if len(r.Subscriptions) != 1 || r.LogLevel != "notice" || len(r.Watches) != 1 || len(r.Roots) != 1 || r.KeepAlive != time.Hour || !r.AutoReread || r.IsEmpty() {
					t.Errorf("%+v", r)
				}
				next, g, over := ready(t, stdioTarget, Options{Restore: &r}, c.server(x))
				defer over()
				time.Sleep(time.Second)
				got := g.methods()
				for _, method := range strings.Fields(c.want) {
					if !strings.Contains(got, method) {
						t.Errorf("%s is not in %s", method, got)
					}
				}
				st = next.State()
				if sub := st.Subscriptions[len(st.Subscriptions)-1]; !sub.Phase.Live() || sub.Asked.URIs[0] != "demo://a" || st.Logging.Level != "notice" ||
					len(st.Watches) != 1 || st.Roots[0] != roots[0] || st.KeepAlive != time.Hour || !st.AutoReread {
					t.Errorf("%+v", st)
				}
				if got := states(t, next); !strings.Contains(got, "restored: 1 of 1 subscriptions, 1 watches") {
					t.Errorf("the log says %s", got)
				}
			})
		})
	}
}

func TestAnEndedHTTPSessionGetsItsSubscriptionsBack(t *testing.T) { // HTTP-54, trap 49
	synctest.Test(t, func(t *testing.T) {
		lost := false
		s, f, done := ready(t, httpTarget, Options{}, declaring(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
			if m.Method == protocol.MethodToolsCall && !lost {
				lost = true
				l.h.Ended(link.Ended{Channel: "post", For: m.ID, Err: link.ErrSessionLost, Answer: &link.Answer{Status: 404}})
				return
			}
			l.result(m, `{}`)
		}))
		defer done()
		if _, err := s.Subscribe(t.Context(), SubscriptionFilter{URIs: []string{"demo://a"}}); err != nil {
			t.Fatal(err)
		}
		if err := s.SetLogLevel(t.Context(), "info"); err != nil {
			t.Fatal(err)
		}
		ended(t, callTool(t, s, CallOptions{}))
		time.Sleep(time.Second)
		got := f.methods()
		if _, after, _ := strings.Cut(got, "tools/call"); !strings.Contains(after, "logging/setLevel resources/subscribe") {
			t.Errorf("sent %s", got)
		}
		if sub := s.State().Subscriptions[1]; sub.Phase != SubAcknowledged {
			t.Errorf("%+v", sub)
		}
	})
}
