package session

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/recorder/replay"
)

// everythingCalls are calls of server-everything whose answers do not depend on
// the moment.
var everythingCalls = []struct{ method, params string }{
	{protocol.MethodToolsCall, `{"name":"echo","arguments":{"message":"one"}}`},
	{protocol.MethodToolsCall, `{"name":"echo","arguments":{"message":"two"}}`},
	{protocol.MethodToolsCall, `{"name":"get-sum","arguments":{"a":9007199254740993,"b":1}}`},
	{protocol.MethodToolsCall, `{"name":"get-sum","arguments":{"a":1.50,"b":2}}`},
	{protocol.MethodToolsCall, `{"name":"get-tiny-image","arguments":{}}`},
	{protocol.MethodToolsCall, `{"name":"get-annotated-message","arguments":{"messageType":"error","includeImage":true}}`},
	{protocol.MethodToolsCall, `{"name":"get-annotated-message","arguments":{"messageType":"success"}}`},
	{protocol.MethodToolsCall, `{"name":"get-structured-content","arguments":{"location":"Chicago"}}`},
	{protocol.MethodToolsCall, `{"name":"get-structured-content","arguments":{"location":"New York"}}`},
	{protocol.MethodToolsCall, `{"name":"get-resource-links","arguments":{"count":3}}`},
	{protocol.MethodToolsCall, `{"name":"get-resource-reference","arguments":{"resourceType":"Text","resourceId":2}}`},
	{protocol.MethodToolsCall, `{"name":"no-such-tool","arguments":{}}`},
	{protocol.MethodToolsCall, `{"name":"echo","arguments":{"message":7}}`},
	{protocol.MethodToolsCall, `{"name":"trigger-long-running-operation","arguments":{"duration":1,"steps":4}}`},
	{protocol.MethodToolsCall, `{"name":"trigger-elicitation-request","arguments":{}}`},
	{protocol.MethodToolsCall, `{"name":"trigger-elicitation-request","arguments":{}}`},
	{protocol.MethodToolsCall, `{"name":"trigger-sampling-request","arguments":{"prompt":"What is a kestrel?","maxTokens":20}}`},
	{protocol.MethodToolsCall, `{"name":"get-roots-list","arguments":{}}`},
	{protocol.MethodPromptsGet, `{"name":"simple-prompt"}`},
	{protocol.MethodPromptsGet, `{"name":"args-prompt","arguments":{"city":"Paris","state":"Texas"}}`},
	{protocol.MethodPromptsGet, `{"name":"completable-prompt","arguments":{"department":"Sales","name":"David"}}`},
	{protocol.MethodComplete, `{"ref":{"type":"ref/prompt","name":"completable-prompt"},"argument":{"name":"department","value":"S"}}`},
	{protocol.MethodComplete, `{"ref":{"type":"ref/prompt","name":"completable-prompt"},"argument":{"name":"department","value":"M"}}`},
	{protocol.MethodSetLevel, `{"level":"debug"}`},
	{protocol.MethodSetLevel, `{"level":"error"}`},
	{protocol.MethodPing, `{}`},
	{protocol.MethodResourcesRead, `{"uri":"demo://resource/static/document/architecture.md"}`},
	{protocol.MethodResourcesRead, `{"uri":"demo://resource/static/document/features.md"}`},
	{protocol.MethodResourcesRead, `{"uri":"demo://no/such"}`},
	{protocol.MethodResourcesRead, `{"uri":"demo://resource/dynamic/text/1"}`},
	{"no/such-method", `{}`},
	{protocol.MethodToolsList, `{}`},
	{protocol.MethodPromptsList, `{}`},
	{protocol.MethodResourcesList, `{}`},
	{protocol.MethodResourceTemplatesList, `{}`},
	{protocol.MethodResourcesSubscribe, `{"uri":"demo://resource/dynamic/text/1"}`},
	{protocol.MethodToolsCall, `{"name":"toggle-subscriber-updates","arguments":{}}`},
}

// recordEverything plays a person with server-everything and returns the
// recording.
func recordEverything(t *testing.T, target Target) *recorder.Log {
	t.Helper()
	s := connectReal(t, target, Options{ProbeTimeout: 20 * time.Second, Capabilities: everyCapability, Roots: []Root{{URI: "file:///tmp/r", Name: "r"}}})
	who := helpful(`{"name":"Ada","check":true,"email":"ada@example.com","homepage":"https://example.com","integer":7,"number":2.50}`, `{"name":"Bo"}`)
	for _, c := range everythingCalls {
		who.drive(t, s, mustDo(t, s, c.method, c.params))
	}
	until(t, s, "an update", func(State) bool { return counted(s.log.current(), protocol.NotificationResourceUpdated) > 0 })
	for _, c := range []struct{ method, params string }{
		{protocol.MethodToolsCall, `{"name":"toggle-subscriber-updates","arguments":{}}`},
		{protocol.MethodResourcesUnsubscribe, `{"uri":"demo://resource/dynamic/text/1"}`},
		{protocol.MethodToolsCall, `{"name":"echo","arguments":{"message":"three"}}`},
	} {
		who.drive(t, s, mustDo(t, s, c.method, c.params))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return s.log.current()
}

// counted is how many messages of a method a recording has.
func counted(l *recorder.Log, method string) (n int) {
	for seq := uint64(1); seq <= l.Len(); seq++ {
		if h := l.Head(seq); h.Method == method && h.Message != protocol.Result && h.Message != protocol.Error {
			n++
		}
	}
	return n
}

// replayed plays a recording against a target.
func replayed(t *testing.T, recorded *recorder.Log, target Target, o replay.RunOptions) (*replay.Plan, *replay.Summary, *recorder.Log) {
	t.Helper()
	plan, err := replay.NewPlan(t.Context(), recorded)
	if err != nil {
		t.Fatal(err)
	}
	log, err := recorder.Create(filepath.Join(t.TempDir(), "again"+recorder.Ext), target.RecordingHeader("test"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	s, err := OpenReplay(ctx, target, plan, Options{Log: log, ProbeTimeout: 20 * time.Second})
	t.Cleanup(func() { _, _ = s.Close(), log.Close() })
	if err != nil {
		t.Fatal(err)
	}
	sum, err := replay.Run(ctx, plan, s.ReplayTarget(), o)
	if err != nil {
		t.Fatal(err)
	}
	return plan, sum, log
}

func listResults(plan *replay.Plan, sum *replay.Summary) string {
	var b strings.Builder
	for _, r := range sum.Results {
		c := plan.Calls[r.Call]
		b.WriteString(r.Outcome.String() + " " + c.Method + " " + c.Name + " " + r.Text + "\n")
		for _, d := range r.Differences {
			b.WriteString("    " + d.Severity.String() + ": " + d.Pointer() + " " + d.Text + "\n")
		}
	}
	return b.String()
}

func TestPeerEverythingReplays(t *testing.T) { // the same server again: only what truly changed is reported
	for _, p := range realPeers() {
		if p.name != "everything, stdio" && p.name != "everything, HTTP" {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			target := p.target(t)
			recorded := recordEverything(t, target)
			ex := recorded.Exchanges()
			ex.Take(t.Context())
			plan, sum, log := replayed(t, recorded, target, replay.RunOptions{})
			t.Logf("%d exchanges, %d events; again %d events\n%s%v %v", ex.Len(), recorded.Len(), log.Len(), listResults(plan, sum), sum.Unasked, sum.Unmapped)
			if ex.Len() < 40 {
				t.Errorf("only %d exchanges", ex.Len())
			}
			for _, r := range sum.Results {
				if r.Outcome.Differs() && plan.Calls[r.Call].Name != "demo://resource/dynamic/text/1" {
					t.Errorf("%s %s: %s %s", plan.Calls[r.Call].Method, plan.Calls[r.Call].Name, r.Outcome, r.Text)
				}
			}
			for _, row := range sum.Conversation.Rows {
				if row.Kind != 0 && row.Name != "demo://resource/dynamic/text/1" {
					t.Logf("row %s %s %s %s", row.Kind, row.Lane, row.Method, row.Name)
				}
			}
		})
	}
}
