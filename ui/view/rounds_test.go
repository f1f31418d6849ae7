package view

import (
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session"
)

func TestRoundsStepByStep(t *testing.T) { // MRTR-05, 06, 11
	at := time.Unix(100, 0)
	requests := protocol.DecodeInputRequests(jsontext.Value(`{"who":{"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{"n":{"type":"string"}},"required":["n"]}}},"dirs":{"method":"roots/list"}}`))
	c := session.CallState{Key: 3, Method: protocol.MethodToolsCall, Name: "plan", Phase: session.CallWaiting, Rounds: []session.Round{
		{InputRequests: requests, State: jsontext.Value(`"s1"`), Answers: jsontext.Value(`{"who":{"action":"decline"},"dirs":{"roots":[]}}`), Asked: at, Sent: at.Add(4 * time.Second)},
		{State: jsontext.Value(`"s2"`), Asked: at, Sent: at.Add(time.Second), Delay: time.Second},
		{InputRequests: requests[:1], Asked: at, AnswerSeq: 12},
	}}
	rows := RoundRows(c)
	if len(rows) != 3 {
		t.Fatalf("%d rows", len(rows))
	}
	if r := rows[0]; !strings.Contains(r.Asked, "who (elicitation/create), dirs (roots/list)") || !strings.Contains(r.Answered, "answered") || !strings.Contains(r.State, "4 B") {
		t.Errorf("first round %+v", r)
	}
	if r := rows[1]; !strings.Contains(r.Answered, "sent again") {
		t.Errorf("a round without questions %+v", r)
	}
	if r := rows[2]; r.Answered != "waits for answers" || r.State != "no requestState" || r.Seq != 12 {
		t.Errorf("open round %+v", r)
	}
	for _, r := range rows {
		if !protocol.Valid(jsontext.Value(r.Body)) {
			t.Errorf("the body is no JSON: %s", r.Body)
		}
	}
	if got := string(protocol.Compact(jsontext.Value(AnswersToResend(c, 0, nil)))); got != string(c.Rounds[0].Answers) {
		t.Errorf("answers to change: %s", got)
	}
	if got := AnswersToResend(c, 2, nil); !strings.Contains(got, `"who"`) || !strings.Contains(got, `"accept"`) {
		t.Errorf("answers to begin with: %s", got)
	}
	c.Phase = session.CallCancelled
	if r := RoundRows(c)[2]; r.Answered != "not answered" {
		t.Errorf("a round of a call that is over %+v", r)
	}
	rows2 := AskedRows(session.State{Calls: []session.CallState{{Key: 1}, c, {Key: 5, Retryable: true, Phase: session.CallError}}})
	if len(rows2) != 2 || rows2[0].Key != 5 || rows2[1].State != "3 rounds" {
		t.Errorf("calls that were asked %+v", rows2)
	}
}
