package session

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/protocol"
	"mcploupe/session/link"
)

// emptyLists answers listings and reads with nothing in them; read counts them by
// method and URI.
func emptyLists(read map[string]int, next server) server {
	return func(l *fakeLink, m protocol.Message, o link.SendOptions) {
		result := map[string]string{
			protocol.MethodToolsList: `"tools":[]`, protocol.MethodPromptsList: `"prompts":[]`, protocol.MethodResourcesList: `"resources":[]`,
			protocol.MethodResourceTemplatesList: `"resourceTemplates":[]`, protocol.MethodResourcesRead: `"contents":[]`,
		}[m.Method]
		if result == "" {
			next(l, m, o)
			return
		}
		l.mu.Lock()
		read[m.Method+protocol.NameOf(m.Method, m.Params)]++
		l.mu.Unlock()
		l.result(m, `{"resultType":"complete",`+result+`,"ttlMs":86400000,"cacheScope":"private"}`)
	}
}

func staleLists(st State) string {
	var out []string
	for k := range numLists {
		if st.Lists[k].Status == ListStale {
			out = append(out, k.String())
		}
	}
	return strings.Join(out, ", ")
}

// watchBoth watches a resource that is subscribed to and one that is not, when
// all listings are there.
func watchBoth(t *testing.T, s *Session) {
	t.Helper()
	for k := range numLists {
		if err := s.Refresh(t.Context(), k); err != nil {
			t.Fatal(err)
		}
	}
	for _, uri := range []string{"demo://dir/part", "demo://other"} {
		if _, err := s.WatchResource(uri); err != nil {
			t.Fatal(err)
		}
	}
	synctest.Wait()
}

func TestAfterAGapTheListsAreStaleAndTheResourcesAreReadAgain(t *testing.T) { // SUB-13
	discover := strings.Replace(discoverResult, `"tools":{}`, `"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true}`, 1)
	for _, c := range []struct {
		name   string
		filter SubscriptionFilter
		stale  string
		reads  int // of the watched resource that the filter covers
	}{
		{"tools", SubscriptionFilter{Tools: true}, "tools", 1},
		{"prompts", SubscriptionFilter{Prompts: true}, "prompts", 1},
		{"resources", SubscriptionFilter{Resources: true}, "resources, resource templates", 1},
		{"a folder", SubscriptionFilter{URIs: []string{"demo://dir"}}, "", 2},
		{"all", SubscriptionFilter{Tools: true, Prompts: true, Resources: true, URIs: []string{"demo://dir/part"}}, "tools, resources, resource templates, prompts", 2},
	} {
		for _, auto := range []bool{false, true} {
			t.Run(c.name+map[bool]string{true: ", read again"}[auto], func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					read := map[string]int{}
					var listened []protocol.Message
					s, f, done := ready(t, httpTarget, Options{AutoReread: auto}, emptyLists(read, func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
						switch m.Method {
						case protocol.MethodDiscover:
							l.result(m, discover)
						case protocol.MethodSubscriptionsListen:
							listened = append(listened, m)
							if len(listened) != 2 { // the second one breaks before it is acknowledged
								l.acknowledge(m)
							} else {
								l.page(m, 503, "text/plain", "busy")
							}
						}
					}))
					defer done()
					watchBoth(t, s)
					if _, err := s.Subscribe(t.Context(), c.filter); err != nil {
						t.Fatal(err)
					}
					time.Sleep(time.Minute)
					synctest.Wait()
					if got := staleLists(s.State()); got != "" || read["resources/readdemo://dir/part"] != 1 {
						t.Errorf("without a gap %q is stale, read %v", got, read)
					}
					f.link().drop(listened[0])
					synctest.Wait()
					if got := staleLists(s.State()); got != "" || s.State().Subscriptions[0].Phase != SubBroken {
						t.Errorf("while nothing can be asked %q is stale: %+v", got, s.State().Subscriptions[0])
					}
					time.Sleep(time.Minute)
					synctest.Wait()
					if len(listened) != 3 || !s.State().Subscriptions[0].Phase.Live() {
						t.Fatalf("%d listen requests, %+v", len(listened), s.State().Subscriptions)
					}
					want := c.stale
					if auto {
						want = ""
					}
					if got := staleLists(s.State()); got != want {
						t.Errorf("after the gap %q is stale, want %q", got, want)
					}
					for k, method := range map[ListKind]string{Tools: protocol.MethodToolsList, Prompts: protocol.MethodPromptsList, Resources: protocol.MethodResourcesList, ResourceTemplates: protocol.MethodResourceTemplatesList} {
						want := 1
						if auto && strings.Contains(c.stale+",", k.String()+",") {
							want = 2
						}
						if read[method] != want {
							t.Errorf("%s was sent %d times, want %d", method, read[method], want)
						}
					}
					if got, other := read["resources/readdemo://dir/part"], read["resources/readdemo://other"]; got != c.reads || other != 1 {
						t.Errorf("the resource was read %d times, want %d; the other one %d times", got, c.reads, other)
					}
					for _, w := range s.State().Watches {
						if w.Updates != 0 || w.Stale {
							t.Errorf("%+v", w)
						}
					}
				})
			})
		}
	}
}

func TestAStreamThatIsNotResumedLeavesAGap(t *testing.T) { // SUB-13, HTTP-46
	synctest.Test(t, func(t *testing.T) {
		read := map[string]int{}
		s, f, done := ready(t, httpTarget, Options{}, declaring(emptyLists(read, func(l *fakeLink, m protocol.Message, _ link.SendOptions) { l.result(m, `{}`) })))
		defer done()
		watchBoth(t, s)
		if _, err := s.Subscribe(t.Context(), SubscriptionFilter{URIs: []string{"demo://dir"}}); err != nil {
			t.Fatal(err)
		}
		stream := f.link().h.(link.StreamHandler)
		row := func() Subscription {
			synctest.Wait()
			for _, sub := range s.State().Subscriptions {
				if sub.Kind == SubStream {
					return sub
				}
			}
			return Subscription{}
		}
		open := func(channel string, resumed bool) {
			stream.Stream(link.StreamChange{State: link.StreamConnecting, Channel: channel})
			stream.Stream(link.StreamChange{State: link.StreamOpen, Channel: channel, Resumed: resumed})
			time.Sleep(time.Second)
		}
		for _, c := range []struct {
			channel string
			resumed bool
			stale   string
			reads   int
		}{
			{"get1", false, "", 1}, // the first one
			{"get2", true, "", 1},
			{"get3", false, "tools, resources, resource templates", 2},
		} {
			open(c.channel, c.resumed)
			if sub := row(); sub.Phase != SubAcknowledged || sub.Channel != c.channel {
				t.Errorf("%+v", sub)
			}
			if got := staleLists(s.State()); got != c.stale || read["resources/readdemo://dir/part"] != c.reads || read["resources/readdemo://other"] != 1 {
				t.Errorf("%s: %q is stale, read %v", c.channel, got, read)
			}
			stream.Stream(link.StreamChange{State: link.StreamBroken, Channel: c.channel, Retry: time.Second})
			if sub := row(); sub.Phase != SubBroken || sub.NextTry.IsZero() {
				t.Errorf("%+v", sub)
			}
		}
	})
}
