package session

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session/link"
	"mcploupe/session/sessiontest"
)

func TestChangesOfListings(t *testing.T) { // CACHE-13, RES-10
	tool := func(name, title string) string {
		return `{"name":"` + name + `","title":"` + title + `","inputSchema":{"type":"object"}}`
	}
	synctest.Test(t, func(t *testing.T) {
		var list atomic.Pointer[[]string]
		offer := func(tools ...string) { list.Store(&tools) }
		offer(tool("a", "A"), tool("b", "B"), tool("b", "B2"))
		s, f, done := ready(t, stdioTarget, Options{AutoReread: true}, declaring(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
			l.result(m, `{"tools":[`+strings.Join(*list.Load(), ",")+`]}`)
		}))
		defer done()
		l := f.link()
		if err := s.Refresh(t.Context(), Tools); err != nil {
			t.Fatal(err)
		}
		if got := s.State().Lists[Tools].Changes; len(got) != 0 {
			t.Errorf("the first listing changed: %+v", got)
		}
		offer(tool("c", "C"), tool("a", "A!"), tool("b", "B"))
		for range 7 {
			l.in(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		}
		time.Sleep(10 * time.Second)
		changes := func() string {
			var out []string
			for _, c := range s.State().Lists[Tools].Changes {
				out = append(out, fmt.Sprintf("%s %s#%d %t %t", c.Kind, c.Name, c.Ordinal, c.Before != nil, c.After != nil))
			}
			return strings.Join(out, ", ")
		}
		const want = "added c#0 false true, changed a#0 true true, removed b#1 true false"
		if got := changes(); got != want || strings.Count(f.methods(), "tools/list") != 2 || s.State().Lists[Tools].Status != ListComplete {
			t.Errorf("%s, sent %s", got, f.methods())
		}
		// Until they are seen they stay, and what went back to how it was is none.
		offer(tool("a", "A"), tool("b", "B"), tool("c", "C"), tool("b", "B2"))
		l.in(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		time.Sleep(10 * time.Second)
		if got := changes(); got != "added c#0 false true" {
			t.Errorf("%s", got)
		}
		s.SeenChanges(Tools)
		if got := changes(); got != "" {
			t.Errorf("seen: %s", got)
		}
		s.SetAutoReread(false)
		offer(tool("a", "A"))
		l.in(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		time.Sleep(time.Hour)
		if st := s.State(); changes() != "" || st.Lists[Tools].Status != ListStale || st.AutoReread {
			t.Errorf("%s, %+v", changes(), st.Lists[Tools].Status)
		}
		s.SetAutoReread(true)
		time.Sleep(time.Second)
		if got := changes(); got != "removed b#0 true false, removed c#0 true false, removed b#1 true false" {
			t.Errorf("%s", got)
		}
	})
}

func TestAListingThatAlwaysChangesIsNotReadAllTheTime(t *testing.T) { // CACHE-09
	synctest.Test(t, func(t *testing.T) {
		var at []time.Time
		s, _, done := ready(t, stdioTarget, Options{AutoReread: true}, declaring(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
			at = append(at, time.Now())
			l.in(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
			l.result(m, `{"tools":[]}`)
		}))
		defer done()
		if err := s.Refresh(t.Context(), Tools); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if n := len(at); n < 100 || n > 150 {
			t.Errorf("%d reads in an hour", n)
		}
		if last := at[len(at)-1].Sub(at[len(at)-2]); last != lastReread {
			t.Errorf("the last wait was %s", last)
		}
	})
}

func TestCacheHints(t *testing.T) { // CACHE-01, CACHE-02, CACHE-10, CACHE-05, CACHE-06, CACHE-07, CACHE-08, CACHE-14, CACHE-16, L-CACHE-01, L-CACHE-02, L-CACHE-05
	page := func(name, hints string) string {
		return `{"resultType":"complete","tools":[{"name":"` + name + `","inputSchema":{"type":"object"}}]` + hints + `}`
	}
	for _, c := range []struct {
		name, first, second string // second is nothing for one page
		left                time.Duration
		hinted              bool
		rules               string
	}{
		{"a minute", `,"ttlMs":60000,"cacheScope":"public"`, "", time.Minute, true, ""},
		{"the shorter page counts", `,"ttlMs":60000,"cacheScope":"public","nextCursor":"x"`, `,"ttlMs":1000,"cacheScope":"public"`, time.Second, true, ""},
		{"one page at once", `,"ttlMs":60000,"cacheScope":"public","nextCursor":"x"`, `,"ttlMs":0,"cacheScope":"public"`, 0, false, ""},
		{"zero", `,"ttlMs":0,"cacheScope":"private"`, "", 0, false, ""},
		{"absent", ``, "", 0, false, "L-CACHE-01"},
		{"negative", `,"ttlMs":-5,"cacheScope":"private"`, "", 0, false, "L-CACHE-01"},
		{"a fraction", `,"ttlMs":1.5,"cacheScope":"private"`, "", 0, false, "L-CACHE-01"},
		{"very long", `,"ttlMs":99999999999999999999,"cacheScope":"private"`, "", 365 * 24 * time.Hour, true, ""},
		{"a scope of its own", `,"ttlMs":0,"cacheScope":"shared"`, "", 0, false, "L-CACHE-01"},
		{"two scopes", `,"ttlMs":0,"cacheScope":"private","nextCursor":"x"`, `,"ttlMs":0,"cacheScope":"public"`, 0, false, "L-CACHE-02"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				name := "a"
				s, f, done := ready(t, stdioTarget, Options{AutoReread: true}, modern(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
					if _, _, more := protocol.Lookup(m.Params, "/cursor"); more {
						l.result(m, page("z", c.second))
						return
					}
					l.result(m, page(name, c.first))
				}))
				defer done()
				if err := s.Refresh(t.Context(), Tools); err != nil {
					t.Fatal(err)
				}
				list := s.State().Lists[Tools]
				left, hinted := list.Fresh(time.Now())
				if left != c.left || hinted != c.hinted || rules(s.State()) != c.rules || list.Age(time.Now()) != 0 {
					t.Errorf("left %s, %t, findings %q", left, hinted, rules(s.State()))
				}
				before := f.methods()
				time.Sleep(time.Hour)
				if f.methods() != before {
					t.Errorf("the time-to-live is no timer for polling: %s", f.methods())
				}
				if got := s.State().Lists[Tools].Age(time.Now()); got != time.Hour {
					t.Errorf("age %s", got)
				}
				// By hand it is read again whatever the hints say, and what came is new.
				name = "b"
				if err := s.Refresh(t.Context(), Tools); err != nil {
					t.Fatal(err)
				}
				early := c.left > time.Hour
				if got := strings.Contains(rules(s.State()), "L-CACHE-05"); got != early || s.Tools()[0].Name != "b" {
					t.Errorf("findings %q", rules(s.State()))
				}
			})
		})
	}
}

func TestInputRequiredIsNotCacheable(t *testing.T) { // CACHE-03, CACHE-04, L-CACHE-03
	synctest.Test(t, func(t *testing.T) {
		n := 0
		s, f, done := ready(t, httpTarget, Options{Capabilities: allCapabilities}, modern(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
			if n++; n%2 == 1 {
				l.result(m, `{"resultType":"input_required","requestState":"s","ttlMs":60000,"cacheScope":"public"}`)
				return
			}
			l.result(m, `{"resultType":"complete","contents":[],"ttlMs":60000,"cacheScope":"public"}`)
		}))
		defer done()
		for range 2 { // the second asks from the beginning: nothing of the first was kept
			call, err := s.Do(t.Context(), s.NewRequest("resources/read", jsontext.Value(`{"uri":"a:b"}`)), CallOptions{})
			if err != nil {
				t.Fatal(err)
			}
			ended(t, call)
		}
		if got := rules(s.State()); got != "L-CACHE-03 L-CACHE-03" || strings.Count(f.methods(), "resources/read") != 4 {
			t.Errorf("findings %s, sent %s", got, f.methods())
		}
	})
}

// A session keeps what it was answered itself: another one, with other
// credentials or none, asks the server (CACHE-11, CACHE-12).
func TestListingsAreOfOneSession(t *testing.T) {
	server := sessiontest.NewHTTP(t)
	server.ServeModern()
	for _, scope := range []string{"public", "private"} {
		server.On("POST tools/list", sessiontest.Result(`{"resultType":"complete","tools":[],"ttlMs":86400000,"cacheScope":"`+scope+`"}`))
		for i, token := range []string{"one", "two", ""} {
			s := connectReal(t, Target{URL: server.URL, Bearer: token}, Options{})
			if l := s.State().Lists[Tools]; l.Status != ListUnknown {
				t.Errorf("%s: a session begins with %+v", scope, l)
			}
			if err := s.Refresh(t.Context(), Tools); err != nil {
				t.Fatal(err)
			}
			want := i + 1
			if scope == "private" {
				want += 3
			}
			asked := server.Await(t.Context(), want, sessiontest.Is("POST", protocol.MethodToolsList))
			if len(asked) != want {
				t.Errorf("%s: %d requests for the list, want %d", scope, len(asked), want)
			}
			header := ""
			if token != "" {
				header = "Bearer " + token
			}
			if got := asked[len(asked)-1].Header.Get("Authorization"); got != header {
				t.Errorf("asked as %q, want %q", got, header)
			}
		}
	}
}
