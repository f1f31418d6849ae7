package view

import (
	"testing"

	"mcploupe/session"
)

func TestAskEndSaysHowAndWhatBecameOfTheCall(t *testing.T) {
	ask := session.Ask{Cause: 7, CauseMethod: "tools/call", CauseName: "form"}
	state := func(p session.CallPhase) session.State {
		return session.State{Calls: []session.CallState{{Key: 7, Method: "tools/call", Name: "form", Phase: p}}}
	}
	reply := func(a session.Action) *session.Reply { return &session.Reply{Action: a} }
	for _, tt := range []struct {
		name        string
		sent        *session.Reply
		phase       session.CallPhase
		live        bool
		title, text string
		tone        Tone
	}{
		{"accepted, the call goes on", reply(session.ActionAccept), session.CallPending, true, "You accepted this question.", "tools/call form goes on.", Good},
		{"accepted, a task", reply(session.ActionAccept), session.CallWorking, true, "You accepted this question.", "tools/call form goes on.", Good},
		{"accepted, over", reply(session.ActionAccept), session.CallOK, true, "You accepted this question.", "tools/call form has its result.", Good},
		{"declined, an error", reply(session.ActionDecline), session.CallError, true, "You declined this question.", "tools/call form ended with an error.", Muted},
		{"cancelled, lost", reply(session.ActionCancel), session.CallLost, false, "You cancelled this question.", "tools/call form ended without a result.", Muted},
		{"withdrawn", nil, session.CallPending, true, "The server withdrew this question.", "Nothing was answered.", Caution},
		{"the call was cancelled", nil, session.CallCancelled, true, "The call that this question came with is over.", "Nothing was answered.", Caution},
		{"disconnected", nil, session.CallLost, false, "The connection ended before this question was answered.", "Nothing was answered.", Caution},
	} {
		got := AskEndOf(ask, tt.sent, state(tt.phase), tt.live)
		if got.Title != tt.title || got.Text != tt.text || got.Tone != tt.tone {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
	if got := AskEndOf(session.Ask{}, reply(session.ActionResult), session.State{}, true); got.Title != "You answered this question." || got.Text != "" {
		t.Errorf("without a call: %+v", got)
	}
}

func TestTheLineOfAnOutcomeHasItsVerdictBeforeTheTime(t *testing.T) {
	for _, tt := range []struct{ head, verdict, want string }{
		{"Result · 20 ms · 2.5 kB", "matches its schema", "Result · matches its schema · 20 ms · 2.5 kB"},
		{"Result · 20 ms", "", "Result · 20 ms"},
		{"Cancelled", "", "Cancelled"},
	} {
		if got := (Outcome{Head: tt.head, Verdict: tt.verdict}).Line(); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// Questions of a task are answered to the task, not with the call sent again.
func TestWordsOfAQuestionOfATask(t *testing.T) {
	ask := session.Ask{Kind: session.AskForm, Method: "elicitation/create", InputKey: "field", Task: 3}
	if got := requestWords(ask); got != `elicitation/create, form mode, "field" of the task` {
		t.Errorf("%q", got)
	}
	if got := PreviewNote(ask, "{}"); got != "inputResponses of tasks/update" {
		t.Errorf("%q", got)
	}
}
