package session

import (
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/recorder/replay"
)

// recordTasks plays a person whose calls of the demo become tasks, one of which
// asks something.
func recordTasks(t *testing.T, target Target) *recorder.Log {
	t.Helper()
	s := taskDemo(t, target)
	well := surveyed(t, s, `{"name":"survey_sky","arguments":{"seconds":1}}`, TaskOptions{TTL: time.Minute})
	guided := surveyed(t, s, `{"name":"guided_survey","arguments":{"seconds":1}}`, TaskOptions{})
	asks := until(t, s, "the question", func(st State) bool { return len(st.Asks) > 0 }).Asks
	if err := s.Reply(t.Context(), asks[0].Key, Reply{Action: ActionAccept, Content: jsontext.Value(`{"field":"south"}`)}); err != nil {
		t.Fatal(err)
	}
	for _, call := range []*Call{well, guided} {
		if st := ended(t, call); st.Phase != CallOK {
			t.Fatalf("%+v", st)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return s.log.current()
}

// TestTasksAreReplayed plays calls that became tasks again, in their era and in
// the other one: they become tasks again, their question is answered from the
// recording, and they come to the same end (TASK-02, TSKX-01).
func TestTasksAreReplayed(t *testing.T) {
	targets := demoTargets(t)
	for _, from := range []string{"stdio 2025-11-25", "http 2026-07-28"} {
		recorded := recordTasks(t, targets[from])
		for _, to := range []string{"http 2025-11-25", "stdio 2026-07-28"} {
			t.Run(from+" on "+to, func(t *testing.T) {
				plan, sum, log := replayed(t, recorded, targets[to], replay.RunOptions{})
				for _, r := range sum.Results {
					if r.Outcome.Differs() {
						t.Errorf("%s %s: %s %s %+v", plan.Calls[r.Call].Method, plan.Calls[r.Call].Name, r.Outcome, r.Text, r.Differences)
					}
				}
				if len(sum.Unasked) > 0 || counted(log, protocol.MethodTasksGet) == 0 {
					t.Errorf("%d polls, %v\n%s", counted(log, protocol.MethodTasksGet), sum.Unasked, listResults(plan, sum))
				}
				x := log.Exchanges()
				x.Take(t.Context())
				for i := range x.Len() {
					e := x.At(i)
					if e.Method != protocol.MethodToolsCall {
						continue
					}
					if m, err := log.Message(e.Answer); err != nil || e.State != recorder.ExchangeOK || e.Name == "guided_survey" && !strings.Contains(string(m.Result), "south") {
						t.Errorf("%s ended as %s: %s", e.Name, e.State, m.Raw)
					}
				}
			})
		}
	}
}
