package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/recorder/replay"
	"mcploupe/session/link"
)

// recordDemo plays a person with the demo and returns the recording.
func recordDemo(t *testing.T, target Target) *recorder.Log {
	t.Helper()
	s := connectReal(t, target, Options{Capabilities: everyCapability, Roots: []Root{{URI: "file:///data", Name: "Data"}}})
	for _, c := range []struct {
		method, params string
		person         *person
	}{
		{"tools/list", `{}`, helpful("")},
		{"tools/call", `{"name":"visitor_form","arguments":{}}`, helpful(`{"name":"Ada","party":9007199254740993,"donation":1.50}`)},
		{"tools/call", `{"name":"plan_night","arguments":{}}`, helpful(`{"target":"m51"}`, `{"minutes":45,"agreed":true}`)},
		{"tools/call", `{"name":"list_folders","arguments":{}}`, helpful("")},
		{"tools/call", `{"name":"count_photons","arguments":{"photons":9007199254740993}}`, helpful("")},
		{"prompts/get", `{"name":"tailored_tour"}`, helpful(`{"audience":"children","minutes":10}`)},
		{"resources/read", `{"uri":"kestrel://about"}`, helpful("")},
		{"tools/call", `{"name":"no_such_tool","arguments":{}}`, helpful("")},
	} {
		c.person.drive(t, s, mustDo(t, s, c.method, c.params))
	}
	if err := s.RefreshAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Subscribe(t.Context(), SubscriptionFilter{URIs: []string{"kestrel://clock"}}); err != nil {
		t.Fatal(err)
	}
	until(t, s, "an update", func(State) bool { return counted(s.log.current(), protocol.NotificationResourceUpdated) > 0 })
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return s.log.current()
}

// TestTheDemoIsReplayed plays recordings of the demo against it in both eras and
// across them: only ids and the like are bound, questions are answered from the
// recording, and nothing differs.
func TestTheDemoIsReplayed(t *testing.T) { // cases 178, 179
	targets := demoTargets(t)
	for _, from := range []string{"stdio 2025-11-25", "http 2026-07-28"} {
		recorded := recordDemo(t, targets[from])
		for _, to := range []string{"http 2025-11-25", "http 2026-07-28", "stdio 2025-11-25", "stdio 2026-07-28"} {
			t.Run(from+" on "+to, func(t *testing.T) {
				plan, sum, log := replayed(t, recorded, targets[to], replay.RunOptions{})
				for _, r := range sum.Results {
					if r.Outcome.Differs() {
						t.Errorf("%s %s: %s %s %+v", plan.Calls[r.Call].Method, plan.Calls[r.Call].Name, r.Outcome, r.Text, r.Differences)
					}
				}
				if len(sum.Unasked) != 0 || sum.Count(replay.Same) < 10 {
					t.Errorf("%d same, %v\n%s", sum.Count(replay.Same), sum.Unasked, listResults(plan, sum))
				}
				if across := from[len(from)-10:] != to[len(to)-10:]; across == (sum.Conversation != nil) {
					t.Errorf("conversation compared: %v", sum.Conversation != nil)
				}
				if counted(log, protocol.NotificationResourceUpdated) == 0 {
					t.Error("no update came")
				}
			})
		}
	}
}

// TestTheDemoIsServed plays a recording of the demo against the same recording
// as a server, in both eras and across them, with nobody but the recording to
// answer.
func TestTheDemoIsServed(t *testing.T) {
	for _, from := range []string{"stdio 2025-11-25", "http 2026-07-28"} {
		recorded := recordDemo(t, demoTargets(t)[from])
		for _, revision := range []string{"2025-11-25", "2025-06-18", "2026-07-28"} {
			t.Run(from+" to "+revision, func(t *testing.T) {
				server, target := serveHTTP(t, recorded, replay.ServerOptions{Modern: true})
				target.Revision = revision
				plan, sum, _ := replayed(t, recorded, target, replay.RunOptions{})
				for _, r := range sum.Results {
					if r.Outcome.Differs() {
						t.Errorf("%s %s: %s %s %+v", plan.Calls[r.Call].Method, plan.Calls[r.Call].Name, r.Outcome, r.Text, r.Differences)
					}
				}
				if report := server.Report(); report.Count(replay.Refused)+report.Count(replay.OtherWise) != 0 || report.Answered < 10 {
					t.Errorf("%+v", report)
				}
			})
		}
	}
}

// recordFake records calls of a fake server that answers with what it was sent.
func recordFake(t *testing.T, serve server, calls ...string) *recorder.Log {
	t.Helper()
	s, _, done := ready(t, Target{Command: "x"}, Options{}, legacy(serve))
	for _, params := range calls {
		mustCall(t, s, protocol.MethodToolsCall, params, CallOptions{})
	}
	path := s.log.current().Path()
	done()
	return reopened(t, path)
}

// reopened is a recording that was closed.
func reopened(t *testing.T, path string) *recorder.Log {
	t.Helper()
	log, err := recorder.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	return log
}

// again plays a recording against a fake server.
func again(t *testing.T, recorded *recorder.Log, serve server, prepare func(*replay.Plan), o replay.RunOptions) (*replay.Summary, *fakes) {
	t.Helper()
	plan, err := replay.NewPlan(t.Context(), recorded)
	if err != nil {
		t.Fatal(err)
	}
	if prepare != nil {
		prepare(plan)
	}
	s, fakes, done := ready(t, Target{Command: "x"}, Options{}, legacy(serve))
	defer done()
	sum, err := replay.Run(t.Context(), plan, s.ReplayTarget(), o)
	if err != nil {
		t.Fatal(err)
	}
	return sum, fakes
}

func echoing(change string) server {
	return func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
		if m.Method == protocol.MethodToolsCall {
			arguments, _, _ := protocol.Lookup(m.Params, "/arguments")
			l.result(m, `{"content":[{"type":"text","text":`+string(protocol.QuoteString(string(arguments)+change))+`}]}`)
		}
	}
}

func outcomes(sum *replay.Summary) string {
	var out []string
	for _, r := range sum.Results {
		out = append(out, r.Outcome.String())
	}
	return strings.Join(out, " ")
}

const aCall = `{"name":"a","arguments":{"x":1.50,"y":null},"_meta":{"progressToken":"old"}}`

func TestReplaySendsTheBytesAndBindsIDs(t *testing.T) { // case 152
	recorded := recordFake(t, echoing(""), aCall)
	sum, fakes := again(t, recorded, echoing(""), nil, replay.RunOptions{})
	sent := fakes.link().last(protocol.MethodToolsCall)
	if arguments, _, _ := protocol.Lookup(sent.Params, "/arguments"); string(arguments) != `{"x":1.50,"y":null}` {
		t.Errorf("sent %s", sent.Raw)
	}
	last := sum.Results[len(sum.Results)-1]
	if last.Outcome != replay.Same || len(last.Bindings) == 0 || last.Bindings[len(last.Bindings)-1].Kind != replay.BindToken {
		t.Errorf("%+v", last)
	}
}

func TestReplayFindsWhatChanged(t *testing.T) { // case 186
	recorded := recordFake(t, echoing(""), aCall, `{"name":"b","arguments":{}}`)
	changed := func(l *fakeLink, m protocol.Message, o link.SendOptions) {
		if protocol.NameOf(m.Method, m.Params) == "b" {
			l.fail(m, "-32602", "")
			return
		}
		echoing("!")(l, m, o)
	}
	for _, stop := range []bool{false, true} {
		sum, _ := again(t, recorded, changed, nil, replay.RunOptions{StopAtDifference: stop})
		want := "same same different error"
		if stop {
			want = "same same different"
		}
		if got := outcomes(sum); got != want || !sum.Differs() || (sum.Stopped != "") != stop {
			t.Errorf("%q, want %q; %q", got, want, sum.Stopped)
		}
	}
}

func TestReplayLeavesOutWhatIsDestructive(t *testing.T) { // TOOL-02
	recorded := recordFake(t, echoing(""), `{"name":"drop","arguments":{}}`, `{"name":"look","arguments":{}}`)
	tools := protocol.DecodeTools(jsontext.Value(`{"tools":[{"name":"drop","annotations":{"destructiveHint":true}},{"name":"look","annotations":{"readOnlyHint":true}}]}`)).Items
	for _, allow := range []bool{false, true} {
		sum, _ := again(t, recorded, echoing(""), func(p *replay.Plan) { p.Judge(tools, allow) }, replay.RunOptions{})
		want := "same same skipped same"
		if allow {
			want = "same same same same"
		}
		if got := outcomes(sum); got != want {
			t.Errorf("allowed %v: %q", allow, got)
		}
	}
}

func TestReplayStepByStep(t *testing.T) { // a step is edited, one skipped, and the third stops it
	recorded := recordFake(t, echoing(""), `{"name":"a","arguments":{}}`, `{"name":"b","arguments":{}}`, `{"name":"c","arguments":{}}`)
	n := 0
	sum, fakes := again(t, recorded, echoing(""), nil, replay.RunOptions{Next: func(_ context.Context, st replay.Step) (replay.Decision, error) {
		n++
		switch n {
		case 1:
			edited, err := protocol.SetParam(st.Raw, "arguments", jsontext.Value(`{"edited":1.0}`))
			return replay.Decision{Raw: edited}, err
		case 2:
			return replay.Decision{Verdict: replay.Skip}, nil
		}
		return replay.Decision{Verdict: replay.Stop}, nil
	}})
	if got := outcomes(sum); got != "same same different skipped" || sum.Stopped == "" {
		t.Errorf("%q %q", got, sum.Stopped)
	}
	if sent := fakes.link().last(protocol.MethodToolsCall); !strings.Contains(string(sent.Raw), `{"edited":1.0}`) {
		t.Errorf("sent %s", sent.Raw)
	}
}

// At the recorded pace the gaps between the client's messages are kept; else a
// message is sent as soon as the one before it is answered.
func TestReplayAtThePaceOfTheRecording(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const gap = 3 * time.Second
		s, _, done := ready(t, Target{Command: "x"}, Options{}, legacy(echoing("")))
		for range 3 {
			time.Sleep(gap)
			mustCall(t, s, protocol.MethodToolsCall, aCall, CallOptions{})
		}
		path := s.log.current().Path()
		done()
		recorded := reopened(t, path)
		for pace, least := range map[replay.Pace]time.Duration{replay.AsAnswered: 0, replay.AsRecorded: 3 * gap} {
			began := time.Now()
			sum, _ := again(t, recorded, echoing(""), nil, replay.RunOptions{Pace: pace})
			if took := time.Since(began); took < least || took > least+gap || sum.Differs() {
				t.Errorf("pace %d took %s, not about %s: %s", pace, took, least, outcomes(sum))
			}
		}
	})
}

// A server may answer what was given up (CAN-05): whether it does is up to the
// clock, so a replay gives the request up and misses no answer.
func TestReplayGivesUpWhatWasGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{}, legacy(silent))
		call := callTool(t, s, CallOptions{})
		call.Cancel("not needed any more")
		synctest.Wait()
		f.link().result(request(call), `{"content":[]}`)
		path := s.log.current().Path()
		done()
		sum, fakes := again(t, reopened(t, path), legacy(silent), nil, replay.RunOptions{})
		last := sum.Results[len(sum.Results)-1]
		if last.Outcome != replay.Same || last.Text != "given up, as it was" || fakes.link().last(protocol.NotificationCancelled).Kind != protocol.Notification {
			t.Errorf("%s %q, sent %s", last.Outcome, last.Text, fakes.methods())
		}
	})
}

func TestReplayEndsWithItsContext(t *testing.T) {
	recorded := recordFake(t, echoing(""), aCall)
	plan, err := replay.NewPlan(t.Context(), recorded)
	if err != nil {
		t.Fatal(err)
	}
	silent := func(*fakeLink, protocol.Message, link.SendOptions) {}
	s, fakes, done := ready(t, Target{Command: "x"}, Options{}, legacy(silent))
	defer done()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for !strings.Contains(fakes.methods(), protocol.MethodToolsCall) {
			wake, stop := s.Watch()
			<-wake
			stop()
		}
		cancel()
	}()
	if _, err := replay.Run(ctx, plan, s.ReplayTarget(), replay.RunOptions{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestReplayBindsCursors(t *testing.T) { // PAGE-02
	pages := func(prefix string) server {
		return func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
			cursor, _, ok := protocol.Lookup(m.Params, "/cursor")
			switch {
			case m.Method != protocol.MethodPromptsList:
			case !ok:
				l.result(m, fmt.Sprintf(`{"prompts":[{"name":"a"}],"nextCursor":"%s-1"}`, prefix))
			case string(cursor) == fmt.Sprintf("%q", prefix+"-1"):
				l.result(m, `{"prompts":[{"name":"b"}]}`)
			default:
				l.fail(m, "-32602", "")
			}
		}
	}
	s, _, done := ready(t, Target{Command: "x"}, Options{AskAll: true}, legacy(pages("old")))
	if err := s.Refresh(t.Context(), Prompts); err != nil {
		t.Fatal(err)
	}
	path := s.log.current().Path()
	done()
	recorded := reopened(t, path)
	sum, _ := again(t, recorded, pages("new"), nil, replay.RunOptions{})
	if got := outcomes(sum); got != "same same same same" {
		t.Errorf("%q", got)
	}
	last := sum.Results[len(sum.Results)-1]
	for _, b := range last.Bindings {
		if b.Kind == replay.BindCursor && b.From == `"old-1"` && b.To == `"new-1"` && b.Where == "/params/cursor" {
			return
		}
	}
	t.Errorf("%+v", last.Bindings)
}
