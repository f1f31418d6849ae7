package session

import (
	"context"
	"errors"
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

func logMessage(level, data string) string {
	return `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"` + level + `","data":` + data + `}}`
}

func TestLogLevelOfTheHandshakeRevisions(t *testing.T) { // LOG-01, LOG-02, LOG-05, LOG-07, L-LOG-01, L-LOG-02, L-LOG-06, L-LOG-07, case 126
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{}, declaring(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
			if protocol.NameOf(m.Method, m.Params) == "alert" {
				l.fail(m, "-32603", "")
				return
			}
			l.result(m, `{}`)
		}))
		defer done()
		l := f.link()
		l.in(logMessage("debug", `{"free":["form",1e400]}`)) // the server's choice until then
		if err := s.SetLogLevel(t.Context(), "warning"); err != nil {
			t.Fatal(err)
		}
		if st := s.State().Logging; st.Level != "warning" || st.By != LogBySetLevel || st.Levels["debug"] != 1 || st.Count != 1 {
			t.Errorf("%+v", st)
		}
		if err := s.SetLogLevel(t.Context(), "alert"); err == nil || s.State().Logging.Level != "warning" || s.State().Phase != Ready {
			t.Errorf("a refused level: %v, %+v", err, s.State().Logging)
		}
		if s.SetLogLevel(t.Context(), "") == nil {
			t.Error("no level at all can be set")
		}
		l.in(logMessage("info", "1")) // was on its way
		if got := rules(s.State()); got != "" {
			t.Errorf("findings %s", got)
		}
		time.Sleep(time.Minute)
		for _, c := range []struct{ level, data, rule string }{
			{"warning", "null", ""}, {"emergency", `"x"`, ""}, {"notice", "1", "L-LOG-02"}, {"loud", "1", "L-LOG-07"},
			{"error", `{"header":"Bearer abcdefghijklmnopqrstuvwxyz"}`, "L-LOG-06"},
			{"error", `"postgres://u:secret@db/x"`, "L-LOG-06"}, {"error", `"http://db:80/x user@host"`, ""},
		} {
			before := s.State().FindingCount
			l.in(logMessage(c.level, c.data))
			st := s.State()
			if found := st.FindingCount > before; found != (c.rule != "") || found && st.Findings[len(st.Findings)-1].Rule != c.rule {
				t.Errorf("%+v: findings %s", c, rules(st))
			}
		}
		if st := s.State().Logging; st.Levels["other"] != 1 || st.Levels["error"] != 3 || st.Count != 9 || st.Last == 0 {
			t.Errorf("%+v", st)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{}, legacy(silent))
		defer done()
		if s.SetLogLevel(t.Context(), "info") == nil || strings.Contains(f.methods(), "setLevel") {
			t.Error("a level was set that the server does not declare")
		}
		f.link().in(logMessage("info", "1"))
		if got := rules(s.State()); got != "L-LOG-01" {
			t.Errorf("findings %s", got)
		}
	})
}

func TestLogLevelOfTheModernRevision(t *testing.T) { // LOG-03, LOG-04, L-LOG-02, L-LOG-03, L-LOG-04
	discover := strings.Replace(discoverResult, `"tools":{}`, `"tools":{},"logging":{}`, 1)
	for name, target := range map[string]Target{"stdio": stdioTarget, "http": httpTarget} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, f, done := ready(t, target, Options{}, func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
					if m.Method == protocol.MethodDiscover {
						l.result(m, discover)
					}
				})
				defer done()
				l := f.link()
				message := func(m protocol.Message, level string) string {
					in := link.Incoming{Seq: 1, Raw: []byte(logMessage(level, "1")), Channel: "x"}
					if name == "http" {
						in.For, in.Status = m.ID, 200
					}
					before := s.State().FindingCount
					l.h.Receive(in)
					if st := s.State(); st.FindingCount > before {
						return st.Findings[len(st.Findings)-1].Rule
					}
					return ""
				}
				quiet := callTool(t, s, CallOptions{})
				synctest.Wait()
				if got := message(request(quiet), "info"); got != "L-LOG-03" {
					t.Errorf("not asked for: %s", got)
				}
				quiet.Cancel("")
				if err := s.SetLogLevel(t.Context(), "warning"); err != nil {
					t.Fatal(err)
				}
				if st := s.State().Logging; st.Level != "warning" || st.By != LogByMeta || strings.Contains(f.methods(), "setLevel") {
					t.Errorf("%+v, sent %s", st, f.methods())
				}
				call := callTool(t, s, CallOptions{})
				synctest.Wait()
				if got := string(request(call).Params); !strings.Contains(got, `"io.modelcontextprotocol/logLevel":"warning"`) {
					t.Errorf("sent %s", got)
				}
				if got := message(request(call), "error"); got != "" {
					t.Errorf("as asked for: %s", got)
				}
				if got := message(request(call), "info"); got != "L-LOG-02" {
					t.Errorf("below the level: %s", got)
				}
				m := request(call)
				l.result(m, `{"resultType":"complete","content":[]}`)
				if got := message(m, "error"); got != "L-LOG-04" {
					t.Errorf("after the answer: %s", got)
				}
				if err := s.SetLogLevel(t.Context(), ""); err != nil || s.State().Logging.By != LogUnset {
					t.Errorf("%v, %+v", err, s.State().Logging)
				}
				if got := string(s.NewRequest("tools/list", nil)); strings.Contains(got, "logLevel") {
					t.Errorf("sent %s", got)
				}
			})
		})
	}
}

func TestPings(t *testing.T) { // PING-02, PING-03, L-INIT-07
	synctest.Test(t, func(t *testing.T) {
		var silence, odd atomic.Bool
		s, f, done := ready(t, stdioTarget, Options{KeepAlive: time.Millisecond}, legacy(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
			switch {
			case m.Method != protocol.MethodPing || silence.Load():
			case odd.Load():
				l.fail(m, "-32601", "")
			default:
				time.Sleep(3 * time.Millisecond)
				l.result(m, `{}`)
			}
		}))
		defer done()
		if got := s.State().KeepAlive; got != minKeepAlive {
			t.Errorf("pings every %s", got)
		}
		s.SetKeepAlive(20 * time.Second)
		time.Sleep(time.Minute + time.Second)
		st := s.State()
		if len(st.Pings) != 3 || st.Pings[0].Took != 3*time.Millisecond || st.Pings[0].Seq == 0 || st.RoundTrip != 3*time.Millisecond || !st.Unresponsive.IsZero() {
			t.Errorf("%+v", st.Pings)
		}
		silence.Store(true)
		time.Sleep(2 * time.Minute)
		st = s.State()
		if last := st.Pings[len(st.Pings)-1]; st.Unresponsive.IsZero() || last.Err == "" || rules(st) != "PING-03" || st.Phase != Ready {
			t.Errorf("without answers: %+v, since %s, findings %s", last, st.Unresponsive, rules(st))
		}
		silence.Store(false)
		odd.Store(true)
		time.Sleep(time.Minute)
		if st := s.State(); !st.Unresponsive.IsZero() || !strings.Contains(rules(st), "L-INIT-07") {
			t.Errorf("since %s, findings %s", st.Unresponsive, rules(st))
		}
		odd.Store(false)
		if took, err := s.Ping(t.Context()); err != nil || took != 3*time.Millisecond {
			t.Errorf("%s, %v", took, err)
		}
		if got := states(t, s); strings.Count(got, "unresponsive: ") != 1 || strings.Count(got, "\nresponsive: ") != 1 {
			t.Errorf("the log says %s", got)
		}
		time.Sleep(3 * time.Hour)
		if st := s.State(); len(st.Pings) != maxPings || len(st.Calls) > 2*maxBriefs {
			t.Errorf("%d pings and %d calls kept", len(st.Pings), len(st.Calls))
		}
		s.SetKeepAlive(0)
		before := strings.Count(f.methods(), "ping")
		time.Sleep(time.Hour)
		if n := strings.Count(f.methods(), "ping") - before; n > 0 || s.State().KeepAlive != 0 {
			t.Errorf("%d pings after they were switched off", n)
		}
	})
}

func TestTheModernRevisionHasNoPing(t *testing.T) { // PING-04
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{KeepAlive: time.Second}, modern(silent))
		defer done()
		if _, err := s.Ping(t.Context()); !errors.Is(err, errNoPing) {
			t.Errorf("%v", err)
		}
		time.Sleep(time.Hour)
		if strings.Contains(f.methods(), "ping") {
			t.Errorf("sent %s", f.methods())
		}
	})
}

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

func TestProgressThatFloodsOrOvershoots(t *testing.T) { // PROG-03, PROG-07, L-PROG-01, L-PROG-04, L-PROG-05, CAN-06
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{}, legacy(silent))
		defer done()
		l := f.link()
		call := callTool(t, s, CallOptions{})
		token := call.token.String()
		report := func(progress, total string) string {
			l.in(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + token + `,"progress":` + progress + `,"total":` + total + `}}`)
			return rules(s.State())
		}
		if got := report("1", "10") + report("2", "9") + report("11", "9"); got != "L-PROG-04L-PROG-04 L-PROG-04" {
			t.Errorf("findings %s", got)
		}
		before := s.State().FindingCount
		for i := range 1000 {
			report(fmt.Sprint(20+i), "2000")
		}
		if st := s.State(); st.FindingCount != before+1 || st.Findings[len(st.Findings)-1].Rule != "L-PROG-05" {
			t.Errorf("findings %s", rules(st))
		}
		before = s.State().FindingCount
		call.Cancel("enough")
		report("5000", "5000") // the server does not know yet
		if st := s.State(); st.FindingCount != before {
			t.Errorf("findings %s", rules(st))
		}
		time.Sleep(time.Minute)
		report("5001", "5001")
		if st := s.State(); st.FindingCount != before+1 || st.Findings[len(st.Findings)-1].Rule != "L-PROG-03" {
			t.Errorf("findings %s", rules(st))
		}
	})
}

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

func TestTheStreamOfTheServerIsShown(t *testing.T) { // HTTP-40 to HTTP-46, SUB-13
	server := sessiontest.NewHTTP(t)
	server.ServeMCP()
	server.On("POST initialize", sessiontest.Result(subscribeInit, "Mcp-Session-Id: session-1"))
	server.On("POST tools/list", sessiontest.Result(sessiontest.ToolsResult))
	drop := make(chan struct{})
	event := func(id string) string {
		return "id: " + id + "\nretry: 10\ndata: " + `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}` + "\n\n"
	}
	open := sessiontest.Head(200, "text/event-stream")
	server.On("GET", sessiontest.InTurn(
		sessiontest.Pieces(sessiontest.Piece{Bytes: open + event("e1")}, sessiontest.Piece{Wait: drop}),
		sessiontest.Pieces(sessiontest.Piece{Bytes: open + event("e2")}, sessiontest.Piece{Hang: true}),
	))
	s := connectReal(t, Target{URL: server.URL}, Options{})
	stream := func(st State) Subscription {
		for _, sub := range st.Subscriptions {
			if sub.Kind == SubStream {
				return sub
			}
		}
		return Subscription{}
	}
	st := until(t, s, "the first event", func(st State) bool { return stream(st).Count == 1 })
	if sub := stream(st); sub.Phase != SubOpen || sub.Channel == "" || sub.AckSeq == 0 {
		t.Errorf("%+v", sub)
	}
	close(drop)
	st = until(t, s, "the event after the stream was resumed", func(st State) bool { return stream(st).Count == 2 })
	gets := server.Await(t.Context(), 2, sessiontest.Is("GET", ""))
	if got := gets[1].Header.Get("Last-Event-Id"); got != "e1" || !strings.Contains(states(t, s), "resumed: the standalone stream after event e1") {
		t.Errorf("resumed after %q; the log says %s", got, states(t, s))
	}
	if sub := stream(st); sub.Phase != SubOpen || sub.Attempts != 0 {
		t.Errorf("%+v", sub)
	}
	if err := s.Unsubscribe(t.Context(), stream(st).Key); err != nil {
		t.Fatal(err)
	}
	st = until(t, s, "the end of the stream", func(st State) bool { return stream(st).Phase == SubEnded })
	if stream(st).End != EndByUs {
		t.Errorf("%+v", stream(st))
	}
	if err := s.Relisten(t.Context(), stream(st).Key); err != nil {
		t.Fatal(err)
	}
	until(t, s, "a new stream", func(st State) bool { return stream(st).Phase == SubOpen })
}

func TestARefusedStreamIsShown(t *testing.T) { // HTTP-42
	server := sessiontest.NewHTTP(t)
	server.ServeMCP()
	s := connectReal(t, Target{URL: server.URL}, Options{})
	until(t, s, "the refusal", func(st State) bool {
		return len(st.Subscriptions) == 1 && st.Subscriptions[0].Kind == SubStream && st.Subscriptions[0].End == EndRefused
	})
}
