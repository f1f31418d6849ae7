package session

import (
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

func TestTheDemoIsWatched(t *testing.T) { // SUB-01, SUB-04, SUB-08, RES-05, RES-06, RES-10, PROG-02, CAN-03
	for name, target := range demoTargets(t) {
		t.Run(name, func(t *testing.T) {
			s := connectReal(t, target, Options{ListenToLists: true, AutoReread: true, ProbeTimeout: 30 * time.Second})
			if err := s.RefreshAll(t.Context()); err != nil {
				t.Fatal(err)
			}
			const uri = "kestrel://clock"
			key, err := s.Subscribe(t.Context(), SubscriptionFilter{URIs: []string{uri}})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.WatchResource(uri); err != nil {
				t.Fatal(err)
			}
			// Of three ticks, read each, the first and the last are not in one second.
			st := until(t, s, "three updates", func(st State) bool { return st.Watches[0].Updates >= 3 && len(st.Watches[0].Reads) >= 4 })
			reads := st.Watches[0].Reads
			if a, b := text(t, s, reads[0].AnswerSeq), text(t, s, reads[len(reads)-1].AnswerSeq); a == b || a == "" {
				t.Errorf("before %q, after %q", a, b)
			}
			// The lists change.
			if st := callNamed(t, s, `{"name":"toggle_workshop"}`); st.Phase != CallOK {
				t.Fatalf("%+v", st)
			}
			until(t, s, "the listings to be read again", func(st State) bool {
				return len(st.Lists[Tools].Changes) == 2 && len(st.Lists[Prompts].Changes) == 1 && st.Lists[Tools].Changes[0].Kind == EntryAdded
			})
			if st := callNamed(t, s, `{"name":"toggle_workshop"}`); st.Phase != CallOK {
				t.Fatalf("%+v", st)
			}
			until(t, s, "the changes to be undone", func(st State) bool { return len(st.Lists[Tools].Changes) == 0 && len(st.Lists[Prompts].Changes) == 0 })
			// Progress and a cancellation.
			call, err := s.Do(t.Context(), s.NewRequest(protocol.MethodToolsCall, jsontext.Value(`{"name":"expose","arguments":{"seconds":60}}`)), CallOptions{})
			if err != nil {
				t.Fatal(err)
			}
			until(t, s, "progress", func(State) bool { return call.State().Progress.Total == "60" })
			call.Cancel("clouds")
			if err := s.Unsubscribe(t.Context(), key); err != nil {
				t.Fatal(err)
			}
			if modern := s.State().Revision.Modern; modern {
				if st := callNamed(t, s, `{"name":"end_listening"}`); st.Phase != CallOK {
					t.Fatalf("%+v", st)
				}
				until(t, s, "the server's end", func(st State) bool {
					for _, sub := range st.Subscriptions {
						if sub.Kind == SubListen && sub.End == EndWithResult {
							return true
						}
					}
					return false
				})
			}
			if got := violations(s.State()); got != "" {
				t.Errorf("findings: %s", got)
			}
		})
	}
}

// text is the text of the first content of a read.
func text(t *testing.T, s *Session, seq uint64) string {
	t.Helper()
	m, err := s.log.current().Message(seq)
	if err != nil {
		t.Fatal(err)
	}
	contents := protocol.DecodeReadResult(m.Result).Contents
	if len(contents) == 0 {
		return ""
	}
	return string(contents[0].Text)
}

func TestAStormOfTheDemoIsRecordedWhole(t *testing.T) { // accept 3
	for name, target := range demoTargets(t) {
		if target.URL != "" {
			continue // one pipe carries all of it
		}
		t.Run(name, func(t *testing.T) {
			s := connectReal(t, target, Options{})
			const uri = "kestrel://weather/now"
			if _, err := s.Subscribe(t.Context(), SubscriptionFilter{URIs: []string{uri}}); err != nil {
				t.Fatal(err)
			}
			until(t, s, "the subscription", func(st State) bool { return st.Subscriptions[len(st.Subscriptions)-1].Phase.Live() })
			if _, err := s.WatchResource(uri); err != nil {
				t.Fatal(err)
			}
			var slowest time.Duration
			call, err := s.Do(t.Context(), s.NewRequest(protocol.MethodToolsCall, jsontext.Value(`{"name":"raise_wind","arguments":{"per_second":1000,"seconds":1}}`)), CallOptions{})
			if err != nil {
				t.Fatal(err)
			}
			tick := time.NewTicker(33 * time.Millisecond)
			defer tick.Stop()
			for done := false; !done; {
				select {
				case <-call.Done():
					done = true
				case <-tick.C:
				}
				before := time.Now()
				s.State()
				slowest = max(slowest, time.Since(before))
			}
			st := until(t, s, "the last read", func(st State) bool { return !st.Watches[0].Reading && !st.Watches[0].Stale })
			log, recorded := s.log.current(), uint64(0)
			for seq := uint64(1); seq <= log.Len(); seq++ {
				if h := log.Head(seq); h.Method == protocol.NotificationResourceUpdated {
					recorded++
				}
			}
			w := st.Watches[0]
			t.Logf("%d updates, %d recorded, %d reads, %d folded, slowest State %s", w.Updates, recorded, len(w.Reads), w.Folded, slowest)
			if recorded != w.Updates || w.Updates < 50 || w.Folded < w.Updates-uint64(w.Gone+len(w.Reads)) {
				t.Errorf("%d recorded, %+v", recorded, w)
			}
		})
	}
}
