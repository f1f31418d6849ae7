package session

import (
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// callNamed calls a tool and waits for its end.
func callNamed(t *testing.T, s *Session, params string) CallState {
	t.Helper()
	call, err := s.Do(t.Context(), s.NewRequest(protocol.MethodToolsCall, jsontext.Value(params)), CallOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return ended(t, call)
}

// violations lists the findings that say that the peer broke a rule.
func violations(st State) string {
	var out []string
	for _, f := range st.Findings {
		if f.Severity == protocol.Violation {
			out = append(out, f.Rule+" "+f.Text)
		}
	}
	return strings.Join(out, "; ")
}

func TestPeerEverythingLive(t *testing.T) { // accept 1: updates, simulated logging, progress, cancellation, pings
	if peersDir == "" {
		return
	}
	for _, p := range realPeers() {
		if !strings.HasPrefix(p.name, "everything,") {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			s := connectReal(t, p.target(t), Options{ProbeTimeout: 20 * time.Second, Capabilities: allCapabilities, AutoReread: true})
			const uri = "demo://resource/dynamic/text/1"
			if _, err := s.Subscribe(t.Context(), SubscriptionFilter{URIs: []string{uri}}); err != nil {
				t.Fatal(err)
			}
			if _, err := s.WatchResource(uri); err != nil {
				t.Fatal(err)
			}
			if st := callNamed(t, s, `{"name":"toggle-subscriber-updates","arguments":{}}`); st.Phase != CallOK {
				t.Fatalf("%+v", st)
			}
			st := until(t, s, "an update and the read after it", func(st State) bool {
				return len(st.Watches) == 1 && st.Watches[0].Updates > 0 && len(st.Watches[0].Reads) > 1
			})
			last := st.Watches[0].Reads[len(st.Watches[0].Reads)-1]
			m, err := s.log.current().Message(last.AnswerSeq)
			if err != nil || !strings.Contains(string(m.Result), uri) || last.Updates == 0 {
				t.Errorf("%+v is %s, %v", last, m.Raw, err)
			}
			if err := s.SetLogLevel(t.Context(), "debug"); err != nil {
				t.Error(err)
			}
			if st := callNamed(t, s, `{"name":"toggle-simulated-logging","arguments":{}}`); st.Phase != CallOK {
				t.Fatalf("%+v", st)
			}
			until(t, s, "a log message", func(st State) bool { return st.Logging.Count > 0 })
			if took, err := s.Ping(t.Context()); err != nil || took <= 0 {
				t.Errorf("ping %s, %v", took, err)
			}
			call, err := s.Do(t.Context(), s.NewRequest(protocol.MethodToolsCall,
				jsontext.Value(`{"name":"trigger-long-running-operation","arguments":{"duration":60,"steps":120}}`)), CallOptions{})
			if err != nil {
				t.Fatal(err)
			}
			until(t, s, "progress", func(State) bool { return call.State().Progress.Total == "120" })
			if n := s.CancelAll("seen enough"); n != 1 {
				t.Errorf("%d calls were cancelled", n)
			}
			if st := ended(t, call); st.Phase != CallCancelled {
				t.Errorf("%+v", st)
			}
			if got := violations(s.State()); got != "" {
				t.Errorf("findings: %s", got)
			}
		})
	}
}

// ts2 is the TypeScript SDK v2 with a counter, see testdata/ts2-peer.mjs, which
// stands among the modules it imports.
func ts2(http bool) realPeer {
	file := module("../ts2-peer.mjs")
	if http {
		return realPeer{name: "TypeScript v2, HTTP", serve: []string{"node", file, "{port}"}, path: "/mcp"}
	}
	return realPeer{name: "TypeScript v2, stdio", command: []string{"node", file}}
}

func TestPeerListen(t *testing.T) { // accept 1: two subscriptions at once, teardown from either side
	if peersDir == "" {
		return
	}
	for _, p := range []realPeer{ts2(false), ts2(true)} {
		t.Run(p.name, func(t *testing.T) {
			s := connectReal(t, p.target(t), Options{ProbeTimeout: 20 * time.Second, ListenToLists: true})
			if _, err := s.WatchResource("peer://counter"); err != nil {
				t.Fatal(err)
			}
			key, err := s.Subscribe(t.Context(), SubscriptionFilter{URIs: []string{"peer://counter"}})
			if err != nil {
				t.Fatal(err)
			}
			st := until(t, s, "both to be acknowledged", func(st State) bool {
				return len(st.Subscriptions) == 2 && st.Subscriptions[0].Phase.Live() && st.Subscriptions[1].Phase.Live()
			})
			if st.Subscriptions[0].ID == st.Subscriptions[1].ID || len(st.Subscriptions[1].Missing) > 0 {
				t.Errorf("%+v", st.Subscriptions)
			}
			if st := callNamed(t, s, `{"name":"bump","arguments":{}}`); st.Phase != CallOK {
				t.Fatalf("%+v", st)
			}
			until(t, s, "the update", func(st State) bool {
				return st.Watches[0].Updates > 0 && st.Watches[0].Reads[len(st.Watches[0].Reads)-1].Updates > 0
			})
			if err := s.Unsubscribe(t.Context(), key); err != nil {
				t.Fatal(err)
			}
			st = until(t, s, "the end", func(st State) bool {
				return st.Subscriptions[0].Key == key && st.Subscriptions[0].Phase == SubEnded || st.Subscriptions[1].Key == key && st.Subscriptions[1].Phase == SubEnded
			})
			// The server ends the other one.
			if st := callNamed(t, s, `{"name":"teardown","arguments":{}}`); st.Phase != CallOK {
				t.Logf("the call that ends the server: %+v", st)
			}
			st = until(t, s, "the server's end of it", func(st State) bool {
				n := 0
				for _, sub := range st.Subscriptions {
					if !sub.Phase.Live() {
						n++
					}
				}
				return n == 2
			})
			for _, sub := range st.Subscriptions {
				t.Logf("%s: %s, %s, %d messages, %v", sub.Asked.wire(), sub.Phase, sub.End, sub.Count, sub.Problems)
			}
			if got := violations(s.State()); got != "" {
				t.Errorf("findings: %s", got)
			}
		})
	}
}

func TestPeerGoListen(t *testing.T) { // accept 1: the Go SDK's stateless server
	for _, p := range realPeers() {
		if p.name != "Go SDK, stdio" && p.name != "Go SDK, stateless HTTP" {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			s := connectReal(t, p.target(t), Options{})
			offered := s.State().Offered()
			if _, err := s.Subscribe(t.Context(), offered); err != nil {
				t.Fatal(err)
			}
			st := until(t, s, "an acknowledgement or an end", func(st State) bool {
				return st.Subscriptions[0].Phase.Live() || st.Subscriptions[0].Phase == SubEnded
			})
			sub := st.Subscriptions[0]
			t.Logf("asked %s, agreed %s, %s %s %q, findings %s", sub.Asked.wire(), sub.Agreed.Raw, sub.Phase, sub.End, sub.Err, rules(st))
			if !sub.Phase.Live() && sub.End != EndWithResult {
				t.Errorf("%+v", sub)
			}
		})
	}
}
