package session

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// TestPeersOfTheGoSDKAskInRounds drives the MRTR tools of a server that others
// wrote (MRTR-02 to 09).
func TestPeersOfTheGoSDKAskInRounds(t *testing.T) {
	for _, p := range realPeers() {
		if !strings.HasPrefix(p.name, "Go SDK") || p.revision != "2026-07-28" {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			s := connectReal(t, p.target(t), Options{Capabilities: everyCapability, Roots: []Root{{URI: "file:///r"}, {URI: "file:///s"}}})
			for _, c := range []struct {
				tool   string
				person *person
				rounds int
				want   string
			}{
				{"test_input_required_result_multiple_inputs", helpful(`{"name":"Ada"}`), 1, "Yes. Ada — 2 root(s) visible"},
				{"test_input_required_result_multi_round", helpful(`{"name":"Ada"}`, `{"color":"blue"}`), 2, "Ada likes blue"},
				{"test_input_required_result_request_state", helpful(`{"ok":true}`), 1, "state-ok"},
				{"test_input_required_result_capabilities", helpful(`{"name":"Ada"}`), 1, "fulfilled"},
				{"test_input_required_result_list_roots", helpful(""), 1, "file:///r, file:///s"},
			} {
				st := c.person.drive(t, s, mustDo(t, s, protocol.MethodToolsCall, `{"name":"`+c.tool+`","arguments":{}}`))
				if st.Phase != CallOK || len(st.Rounds) != c.rounds || !strings.Contains(string(st.Answer.Raw), c.want) {
					t.Errorf("%s: phase %d %s, %d rounds, answer %s", c.tool, st.Phase, st.Err, len(st.Rounds), st.Answer.Raw)
				}
				for i, r := range st.Rounds {
					checkRoundOnTheWire(t, s, st, i, r)
				}
			}
		})
	}
}

// TestPeersRefuseATamperedState sends a state that is not the server's, which a
// person may do by hand (L-MRTR-08).
func TestPeersRefuseATamperedState(t *testing.T) {
	if peersDir == "" {
		return
	}
	s := connectReal(t, Target{Command: filepath.Join(peersDir, "gosdk-everything")}, Options{Capabilities: everyCapability})
	st := helpful(`{"ok":true}`).drive(t, s, mustDo(t, s, protocol.MethodToolsCall, `{"name":"test_input_required_result_tampered_state","arguments":{}}`))
	if st.Phase != CallOK || len(st.Rounds) != 1 {
		t.Fatalf("%+v", st)
	}
	m, err := s.log.current().Message(st.RequestSeq)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := protocol.SetParam(m.Raw, "requestState", jsontext.Value(`"tampered_state-TAMPERED"`))
	if err == nil {
		raw, err = protocol.SetID(raw, protocol.StringID("forged"))
	}
	if err != nil {
		t.Fatal(err)
	}
	call, err := s.Do(t.Context(), raw, CallOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if now := ended(t, call); now.Phase != CallError || !strings.Contains(string(now.Answer.Raw), "-32602") {
		t.Errorf("%+v %s", now, now.Answer.Raw)
	}
	again, err := s.ResendRound(t.Context(), st.Key, 0, jsontext.Value(`{"confirm":{"action":"accept","content":{"ok":false}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if now := ended(t, again); now.Phase != CallOK || !strings.Contains(string(now.Answer.Raw), "state-ok") {
		t.Errorf("%+v %s", now, now.Answer.Raw)
	}
}
