package view

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"mcploupe/protocol"
	"mcploupe/session"
)

func methods(st session.State) string {
	var all []string
	for _, t := range RawTemplates(st) {
		all = append(all, t.Method)
		m := protocol.Parse([]byte(t.Text(nil)))
		if m.Kind == protocol.Invalid || m.Method != t.Method {
			all = append(all, "broken: "+t.Text(nil))
		}
	}
	return strings.Join(all, " ")
}

func TestTemplatesFollowTheRevision(t *testing.T) {
	modern, legacy := protocol.NewestModern(), protocol.NewestHandshake()
	got := methods(session.State{Revision: modern})
	if strings.Contains(got, "broken") || strings.Contains(got, "ping ") || !strings.Contains(got, "server/discover") || !strings.Contains(got, "subscriptions/listen") {
		t.Errorf("%s: %s", modern, got)
	}
	got = methods(session.State{Revision: legacy})
	if strings.Contains(got, "broken") || !strings.Contains(got, "ping") || !strings.Contains(got, "notifications/cancelled") || strings.Contains(got, "server/discover") {
		t.Errorf("%s: %s", legacy, got)
	}
	if methods(session.State{}) != got {
		t.Error("before a revision is agreed on there are other templates")
	}
}

func TestRawCheckBlocksNothingAndSaysWhatItIs(t *testing.T) {
	for _, c := range []struct {
		text   string
		lines  bool
		says   string
		tone   Tone
		paired bool
	}{
		{"", false, "", Plain, false},
		{`{"jsonrpc":"2.0","id":7,"method":"ping"}`, true, "request · ping · id 7", Good, true},
		{`{"jsonrpc":"2.0","method":"notifications/x"}`, true, "notification · notifications/x", Good, false},
		{`{"id":7,"method":"ping"}`, false, "jsonrpc", Bad, true},
		{`{"jsonrpc":`, false, "no valid message", Bad, false},
		{"{\"jsonrpc\":\"2.0\",\n\"id\":7,\"method\":\"ping\"}", true, "2 messages", Caution, false},
		{"{\"jsonrpc\":\"2.0\",\n\"id\":7,\"method\":\"ping\"}", false, "request", Good, true},
		{"hello", true, "no valid message", Bad, false},
	} {
		got := CheckRaw(c.text, c.lines)
		if !strings.Contains(got.Line, c.says) || got.Tone != c.tone || got.Paired != c.paired {
			t.Errorf("%q: %+v", c.text, got)
		}
	}
}

func TestOneLineKeepsTokens(t *testing.T) {
	got, ok := OneLine("{\n  \"a\" : 1.0,\n \"b\": \"x\\ny\"\n}")
	if !ok || got != `{"a":1.0,"b":"x\ny"}` {
		t.Errorf("%q %v", got, ok)
	}
	if got, ok := OneLine("{\n"); ok || got != "{\n" {
		t.Errorf("%q %v", got, ok)
	}
}

func TestRawHistoryIsBounded(t *testing.T) {
	var h RawHistory
	at := time.Date(2026, 11, 30, 9, 12, 3, 0, time.UTC)
	h.Add("  ", at, false)
	for i := range rawHistoryLen + 20 {
		h.Add(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"t"}}`, i), at, false)
	}
	if h.Len() != rawHistoryLen || h.At(0).Label != "tools/call t" || !strings.Contains(h.At(0).Text, fmt.Sprint(rawHistoryLen+19)) {
		t.Errorf("%d entries, newest %+v", h.Len(), h.At(0))
	}
	again := h.At(5).Text
	h.Add(again, at, true)
	if h.Len() != rawHistoryLen || h.At(0).Text != again || h.At(0).Draft {
		t.Errorf("the same text again: %d entries, newest %+v", h.Len(), h.At(0))
	}
	for i := range 4 {
		h.Add(strings.Repeat("x", 3<<20)+fmt.Sprint(i), at, false)
	}
	if h.Len() != 2 || h.size > rawHistoryBytes {
		t.Errorf("%d entries of %d bytes", h.Len(), h.size)
	}
}
