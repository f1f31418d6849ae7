package session

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session/link"
)

const subscribeInit = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"logging":{}},"serverInfo":{"name":"fake","version":"1"}}`

// declaring is a server of 2025-11-25 that declares what there is to watch.
func declaring(next server) server {
	return func(l *fakeLink, m protocol.Message, o link.SendOptions) {
		if m.Method == protocol.MethodInitialize {
			l.result(m, subscribeInit)
			return
		}
		legacy(next)(l, m, o)
	}
}

func update(uri string) string {
	return `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"` + uri + `"}}`
}

func TestResourceSubscriptions(t *testing.T) { // RES-05, RES-07, L-RSRC-08, SUB-03
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{}, declaring(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
			if protocol.NameOf(m.Method, m.Params) == "demo://refused" {
				l.fail(m, "-32602", "")
				return
			}
			l.result(m, `{}`)
		}))
		defer done()
		l := f.link()
		if _, err := s.Subscribe(t.Context(), SubscriptionFilter{URIs: []string{"demo://refused"}}); err == nil {
			t.Error("a refusal is no error")
		}
		key, err := s.Subscribe(t.Context(), SubscriptionFilter{URIs: []string{"demo://dir", "demo://dir/a"}})
		if err != nil {
			t.Fatal(err)
		}
		lists, err := s.Subscribe(t.Context(), SubscriptionFilter{Tools: true})
		if err != nil {
			t.Fatal(err)
		}
		l.in(update("demo://dir/a/b"))
		l.in(update("demo://dir/c"))
		l.in(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		subs := s.State().Subscriptions
		counts := map[string]uint64{}
		for _, sub := range subs {
			counts[fmt.Sprintf("%s%v%s", sub.Kind, sub.Asked.URIs, sub.Phase)] = sub.Count
		}
		want := fmt.Sprint(map[string]uint64{
			"list changes[]open": 1, "resource subscription[demo://dir/a]open": 1,
			"resource subscription[demo://dir]open": 1, "resource subscription[demo://refused]ended": 0})
		if got := fmt.Sprint(counts); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if got := rules(s.State()); got != "" {
			t.Errorf("findings %s", got)
		}
		if err := s.Unsubscribe(t.Context(), key); err != nil {
			t.Fatal(err)
		}
		if err := s.Unsubscribe(t.Context(), lists); err == nil {
			t.Error("list changes of this revision cannot be stopped")
		}
		l.in(update("demo://dir/c")) // was on its way
		if got := rules(s.State()); got != "" {
			t.Errorf("findings %s", got)
		}
		time.Sleep(time.Minute)
		l.in(update("demo://dir/c"))
		if got := rules(s.State()); got != "L-RSRC-08" {
			t.Errorf("findings %s", got)
		}
		if !strings.HasSuffix(f.methods(), "resources/subscribe resources/subscribe resources/subscribe resources/unsubscribe") {
			t.Errorf("sent %s", f.methods())
		}
		if err := s.Relisten(t.Context(), key); err != nil {
			t.Fatal(err)
		}
		l.in(update("demo://dir/c"))
		for _, sub := range s.State().Subscriptions {
			if sub.Key == key && (sub.Phase != SubOpen || sub.Count != 2) {
				t.Errorf("asked for again: %+v", sub)
			}
		}
	})
}

func TestOnlyDeclaredSubscriptionsAreAskedFor(t *testing.T) { // RES-05, SUB-16
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{}, legacy(silent))
		defer done()
		for _, filter := range []SubscriptionFilter{{URIs: []string{"a:b"}}, {Tools: true}, {Raw: []byte(`[]`)}} {
			if _, err := s.Subscribe(t.Context(), filter); err == nil {
				t.Errorf("%+v", filter)
			}
		}
		if got := f.methods(); strings.Contains(got, "subscribe") {
			t.Errorf("sent %s", got)
		}
		if s.State().Offered().Tools {
			t.Error("offered what is not declared")
		}
	})
}

func TestAWatchedResourceIsReadAfterUpdates(t *testing.T) { // RES-06, RES-07, case 127, case 129
	synctest.Test(t, func(t *testing.T) {
		var running, most, reads int
		release := make(chan struct{})
		s, f, done := ready(t, stdioTarget, Options{}, declaring(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
			if m.Method != protocol.MethodResourcesRead {
				l.result(m, `{}`)
				return
			}
			reads++
			n := reads
			running++
			most = max(most, running)
			go func() {
				<-release
				running--
				if n == 4 {
					l.fail(m, "-32002", "")
					return
				}
				l.result(m, fmt.Sprintf(`{"contents":[{"uri":"demo://a","text":"%d"}]}`, n))
			}()
		}))
		defer done()
		key, err := s.WatchResource("demo://a")
		if err != nil {
			t.Fatal(err)
		}
		if again, err := s.WatchResource("demo://a"); again != key || err != nil {
			t.Errorf("the same watch once more: %d, %v", again, err)
		}
		synctest.Wait()
		l := f.link()
		for range 1000 {
			l.in(update("demo://a"))
		}
		l.in(update("demo://b"))
		if w := s.State().Watches[0]; !w.Reading || !w.Stale || w.Updates != 1000 {
			t.Errorf("%+v", w)
		}
		release <- struct{}{}
		synctest.Wait()
		time.Sleep(watchPause)
		release <- struct{}{}
		synctest.Wait()
		w := s.State().Watches[0]
		if len(w.Reads) != 2 || w.Folded != 999 || w.Reads[1].Updates != 1000 || w.Reads[0].Updates != 0 || w.Reading || w.Stale || w.Reads[1].Update == 0 {
			t.Errorf("%+v", w)
		}
		for i, read := range w.Reads {
			m, err := s.log.current().Message(read.AnswerSeq)
			if err != nil || !strings.Contains(string(m.Result), fmt.Sprintf(`"text":"%d"`, i+1)) || read.RequestSeq == 0 {
				t.Errorf("read %d is event %d: %s, %v", i, read.AnswerSeq, m.Raw, err)
			}
		}
		l.in(update("demo://a/part"))
		time.Sleep(watchPause)
		release <- struct{}{}
		synctest.Wait()
		if err := s.ReadWatch(key); err != nil {
			t.Fatal(err)
		}
		time.Sleep(watchPause)
		release <- struct{}{}
		synctest.Wait()
		w = s.State().Watches[0]
		if len(w.Reads) != 4 || w.Reads[2].URI != "demo://a/part" || w.Reads[3].Err == "" || w.Reads[3].Updates != 0 {
			t.Errorf("%+v", w.Reads)
		}
		if most != 1 {
			t.Errorf("%d reads at a time", most)
		}
		s.StopWatch(key)
		l.in(update("demo://a"))
		time.Sleep(time.Minute)
		if reads != 4 || len(s.State().Watches) != 0 || s.ReadWatch(key) == nil {
			t.Errorf("%d reads after the end of the watch", reads)
		}
	})
}

func TestAThousandUpdatesASecond(t *testing.T) { // accept 3, case 129
	const seconds, each = 60, 1000
	synctest.Test(t, func(t *testing.T) {
		reads := 0
		s, f, done := ready(t, stdioTarget, Options{}, declaring(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
			if m.Method == protocol.MethodResourcesRead {
				reads++
				l.result(m, `{"contents":[{"uri":"demo://a","text":"x"}]}`)
				return
			}
			l.result(m, `{}`)
		}))
		defer done()
		key, err := s.Subscribe(t.Context(), SubscriptionFilter{URIs: []string{"demo://a"}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.WatchResource("demo://a"); err != nil {
			t.Fatal(err)
		}
		person := callTool(t, s, CallOptions{Timeout: time.Hour, Maximum: time.Hour})
		before := s.log.current().Len()
		l := f.link()
		for range seconds * each {
			l.in(update("demo://a"))
			time.Sleep(time.Second / each)
		}
		time.Sleep(time.Second)
		st := s.State()
		var sub Subscription
		for _, one := range st.Subscriptions {
			if one.Key == key {
				sub = one
			}
		}
		w := st.Watches[0]
		if sub.Count != seconds*each || w.Updates != seconds*each {
			t.Errorf("%d and %d updates counted", sub.Count, w.Updates)
		}
		if rate := sub.Rate(sub.Last); rate < 9*each || rate > 10*each {
			t.Errorf("%d in the last %s", rate, RateWindow)
		}
		if sub.Rate(time.Now().Add(RateWindow)) != 0 {
			t.Error("the rate does not fall")
		}
		if reads > seconds*6 || reads < seconds*4 {
			t.Errorf("%d reads in %d seconds", reads, seconds)
		}
		folded := uint64(0)
		for _, read := range w.Reads {
			if read.Updates > 0 {
				folded += read.Updates - 1
			}
		}
		if len(w.Reads) > maxWatchReads || w.Gone+len(w.Reads) != reads || w.Folded < seconds*each-uint64(reads) || folded > w.Folded {
			t.Errorf("%d reads kept, %d gone, %d folded of %d", len(w.Reads), w.Gone, w.Folded, w.Updates)
		}
		// All are in the recording.
		updates := 0
		for seq := before + 1; seq <= s.log.current().Len(); seq++ {
			if s.log.current().Head(seq).Method == protocol.NotificationResourceUpdated {
				updates++
			}
		}
		if updates != seconds*each {
			t.Errorf("%d updates in the recording", updates)
		}
		// The session's own reads have not pushed the person's calls out.
		if got := len(st.Calls); got > 2*maxBriefs || st.Calls[len(st.Calls)-1].Key < person.State().Key {
			t.Errorf("%d calls kept", got)
		}
		person.Cancel("")
	})
}

func BenchmarkUpdates(b *testing.B) { // 1,000 a second is to be nothing
	log, err := recorder.Create(filepath.Join(b.TempDir(), "bench.mcp.jsonl"), Target{Command: "srv"}.RecordingHeader("test"))
	if err != nil {
		b.Fatal(err)
	}
	defer log.Close()
	f := &fakes{servers: []server{declaring(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
		if m.Method == protocol.MethodResourcesRead {
			l.result(m, `{"contents":[{"uri":"demo://a","text":"x"}]}`)
		} else {
			l.result(m, `{}`)
		}
	})}}
	s, err := open(b.Context(), stdioTarget, Options{Log: log}, f.dialers())
	if err == nil {
		err = s.Negotiate(b.Context())
	}
	if err == nil {
		_, err = s.Subscribe(b.Context(), SubscriptionFilter{URIs: []string{"demo://a"}})
	}
	if err == nil {
		_, err = s.WatchResource("demo://a")
	}
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	l, text := f.link(), update("demo://a")
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		l.in(text)
		if n%33 == 0 { // a window that draws at 30 Hz while 1,000 come a second
			s.State()
		}
	}
}

func TestAnHourOfATickingResourceStaysSmall(t *testing.T) { // accept 1, PING-02
	synctest.Test(t, func(t *testing.T) {
		var ticks atomic.Int64
		s, f, done := ready(t, stdioTarget, Options{KeepAlive: 10 * time.Second, AutoReread: true}, declaring(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
			switch m.Method {
			case protocol.MethodResourcesRead:
				l.result(m, fmt.Sprintf(`{"contents":[{"uri":"demo://a","text":%q}]}`, strings.Repeat("x", 4000)+fmt.Sprint(ticks.Load())))
			case protocol.MethodToolsList:
				l.result(m, fmt.Sprintf(`{"tools":[{"name":"t","description":%q,"inputSchema":{"type":"object"}}]}`, strings.Repeat("y", 4000)+fmt.Sprint(ticks.Load())))
			default:
				l.result(m, `{}`)
			}
			l.mu.Lock()
			l.sent, l.options, l.ctxs = nil, nil, nil
			l.mu.Unlock()
		}))
		defer done()
		if err := s.Refresh(t.Context(), Tools); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Subscribe(t.Context(), SubscriptionFilter{URIs: []string{"demo://a"}}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.WatchResource("demo://a"); err != nil {
			t.Fatal(err)
		}
		heap := func() int64 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return int64(m.HeapAlloc)
		}
		var before int64
		for i := range 3600 {
			if i == 600 {
				before = heap()
			}
			ticks.Add(1)
			f.link().in(update("demo://a"))
			if i%30 == 0 {
				f.link().in(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
			}
			time.Sleep(time.Second)
			s.State()
		}
		grown := heap() - before
		st := s.State()
		w := st.Watches[0]
		if w.Gone+len(w.Reads) < 3600 || len(w.Reads) != maxWatchReads || len(st.Lists[Tools].Changes) != 1 || len(st.Pings) != maxPings {
			t.Errorf("%d reads kept, %d gone, %d changes, %d pings", len(w.Reads), w.Gone, len(st.Lists[Tools].Changes), len(st.Pings))
		}
		if len(st.Calls) > maxFinished || grown > 8<<20 {
			t.Errorf("%d calls kept, the heap has grown by %d bytes in 50 minutes", len(st.Calls), grown)
		}
	})
}
