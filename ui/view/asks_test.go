package view

import (
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session"
)

func formAsk(schema string) session.Ask {
	return session.Ask{
		Key: 1, Kind: session.AskForm, Method: protocol.MethodElicit, Message: "Who are you?\nSecond line", Legacy: true,
		Schema: jsontext.Value(schema), Cause: 7, CauseMethod: protocol.MethodToolsCall, CauseName: "visitor_form",
	}
}

func draftOf(t *testing.T, a session.Ask) *AskDraft {
	t.Helper()
	return newAskDraft(a, session.State{})
}

func TestOptionalFormIsAcceptedEmpty(t *testing.T) { // ELIC-06, case 97
	d := draftOf(t, formAsk(`{"type":"object","properties":{"note":{"type":"string"}}}`))
	c := d.Accept()
	if !c.Sendable || c.Reason != "" || c.Verb != "Accept" || string(c.Reply.Content) != "{}" || c.Reply.Action != session.ActionAccept {
		t.Errorf("choice %+v, content %s", c, c.Reply.Content)
	}
	d.Form.Form().Root().Clear()
	if c := d.Accept(); string(c.Reply.Content) != "{}" {
		t.Errorf("content of nothing at all: %s", c.Reply.Content)
	}
}

func TestDefaultsAreSentUntouched(t *testing.T) { // ELIC-10, case 99
	d := draftOf(t, formAsk(`{"type":"object","properties":{"n":{"type":"integer","default":9007199254740993},"b":{"type":"boolean","default":true},"c":{"type":"string","enum":["one","two"],"default":"one"}}}`))
	if got, want := string(d.Accept().Reply.Content), `{"n":9007199254740993,"b":true,"c":"one"}`; got != want {
		t.Errorf("content %s, want %s", got, want)
	}
}

func TestWrongAnswersAreSentOnPurpose(t *testing.T) { // ELIC-09
	d := draftOf(t, formAsk(`{"type":"object","properties":{"mail":{"type":"string","format":"email"},"n":{"type":"integer"}},"required":["mail"]}`))
	if c := d.Accept(); c.Verb != "Accept anyway" || !c.Sendable || !strings.Contains(c.Reason, "mail") {
		t.Errorf("required: %+v", c)
	}
	root := d.Form.Form().Root()
	root.Member("mail").SetText("nobody")
	if c := d.Accept(); c.Verb != "Accept anyway" || string(c.Reply.Content) != `{"mail":"nobody"}` {
		t.Errorf("format: %+v %s", c, c.Reply.Content)
	}
	root.Member("mail").SetText("a@b.example")
	if c := d.Accept(); c.Verb != "Accept" || c.Reason != "" {
		t.Errorf("fits: %+v", c)
	}
	root.Member("n").SetText("1x")
	if c := d.Accept(); c.Sendable || c.Reason == "" {
		t.Errorf("a draft that is no JSON: %+v", c)
	}
	d.Form.SetText(`["mail"]`)
	if c := d.Accept(); !c.Sendable || c.Verb != "Accept anyway" || string(c.Reply.Content) != `["mail"]` {
		t.Errorf("content that is a list: %+v", c)
	}
	d.Form.SetText(`{"mail": `)
	if c := d.Accept(); c.Sendable || !strings.Contains(c.Reason, "JSON") {
		t.Errorf("broken JSON: %+v", c)
	}
}

func TestRefusalsByKind(t *testing.T) { // ELIC-05, ELIC-08, SAMP-05, MRTR-15
	for _, c := range []struct {
		name     string
		ask      session.Ask
		declines bool
		verb     string
		action   session.Action
	}{
		{"form", formAsk(`{}`), true, "Cancel", session.ActionCancel},
		{"url", session.Ask{Kind: session.AskURL, Legacy: true}, true, "Cancel", session.ActionCancel},
		{"url of an error", session.Ask{Kind: session.AskURL, Legacy: true, FromError: true}, false, "Dismiss", session.ActionCancel},
		{"sampling", session.Ask{Kind: session.AskSampling, Legacy: true}, false, "Reject", session.ActionReject},
		{"sampling in a round", session.Ask{Kind: session.AskSampling}, false, "Give the call up", session.ActionReject},
		{"roots", session.Ask{Kind: session.AskRoots, Legacy: true}, false, "Reject", session.ActionReject},
	} {
		d := draftOf(t, c.ask)
		if verb, _ := d.DismissVerb(); d.Declines() != c.declines || verb != c.verb || d.Dismiss().Action != c.action {
			t.Errorf("%s: declines %v, %q, %+v", c.name, d.Declines(), verb, d.Dismiss())
		}
		if r := d.Dismiss(); len(r.Content) > 0 || len(r.Result) > 0 {
			t.Errorf("%s: a refusal carries content: %+v", c.name, r)
		}
	}
}

func TestAskRowAndHead(t *testing.T) {
	now := time.Unix(1000, 0)
	a := formAsk(`{}`)
	a.At = now.Add(-2 * time.Minute)
	a.Message = "Please\u202e pay\nmore"
	r := AskRowOf(a, now)
	if strings.ContainsRune(r.Text, '\u202e') || strings.Contains(r.Text, "more") || r.Cause != "tools/call visitor_form" || r.Age == "" || r.State != "" {
		t.Errorf("row %+v", r)
	}
	a.State = session.AskAnswered
	if r := AskRowOf(a, now); r.State != "answered" || r.Tone != Good {
		t.Errorf("answered row %+v", r)
	}
	rev, _ := protocol.RevisionByName("2025-11-25")
	a.Problems = []protocol.Problem{{Rule: "L-ELIC-03", Severity: protocol.Violation, Text: "nested"}}
	st := session.State{Revision: rev, Server: protocol.ServerInfo{Name: "obs", Version: "1"}}
	h := AskHeadOf(a, st)
	if h.Facts[0].Value != "obs 1 · revision 2025-11-25" || !strings.Contains(h.Facts[1].Value, "form mode") || h.Facts[2].Value != "tools/call visitor_form" {
		t.Errorf("facts %v", h.Facts)
	}
	if len(h.Notes) != 1 || h.Notes[0].Rule != "L-ELIC-03" {
		t.Errorf("notes %v", h.Notes)
	}
}

func TestBarCountsWhatIsOpen(t *testing.T) {
	open, done := formAsk(`{}`), formAsk(`{}`)
	done.Key, done.State = 2, session.AskAnswered
	late := session.Ask{Key: 3, Kind: session.AskRoots}
	bar, ok := AskBarOf(session.State{Asks: []session.Ask{done, open, late}})
	if !ok || bar.Count != 2 || bar.First != 1 || !strings.Contains(bar.Text, "Who are you?") {
		t.Errorf("bar %+v %v", bar, ok)
	}
	if _, ok := AskBarOf(session.State{Asks: []session.Ask{done}}); ok {
		t.Error("a bar for a question that is answered")
	}
}

func TestRoundSaysWhatItWaitsFor(t *testing.T) { // MRTR-02
	ask := func(key uint64, s session.AskState) session.Ask {
		return session.Ask{Key: key, Cause: 4, Round: 1, State: s}
	}
	other := session.Ask{Key: 9, Cause: 4, Round: 0}
	legacy := session.Ask{Key: 10, Cause: 4, Round: 1, Legacy: true}
	open, answered := session.AskOpen, session.AskAnswered
	for _, c := range []struct {
		asks []session.Ask
		want string
	}{
		{[]session.Ask{ask(1, open), other, legacy}, ""},
		{[]session.Ask{ask(1, open), ask(2, open), ask(3, answered)}, "2 questions"},
		{[]session.Ask{ask(1, answered), ask(2, open), ask(3, open)}, "Waiting for 2 more answers"},
		{[]session.Ask{ask(1, open), ask(2, answered)}, "last answer"},
		{[]session.Ask{ask(1, answered), ask(2, answered)}, "are being sent"},
	} {
		got := RoundProgress(c.asks[0], c.asks, false)
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%v: %q, want %q", c.asks, got, c.want)
		}
	}
	if got := RoundProgress(legacy, []session.Ask{legacy, ask(1, open)}, false); got != "" {
		t.Errorf("a request of its own is in a round: %q", got)
	}
}

func TestDraftsLiveAsLongAsTheirQuestions(t *testing.T) { // closing the panel loses nothing
	c := &Conn{phase: Connected}
	b := NewInbox(c)
	first, second := formAsk(`{"type":"object","properties":{"n":{"type":"string"}}}`), formAsk(`{}`)
	second.Key = 2
	c.state.Asks = []session.Ask{first, second}
	b.Take()
	b.Draft(1).Form.Form().Root().Member("n").SetText("kept")
	c.state.Asks = []session.Ask{first}
	b.Take()
	if got := string(b.Draft(1).Accept().Reply.Content); got != `{"n":"kept"}` {
		t.Errorf("after another was answered the draft is %s", got)
	}
	if b.Draft(2) != nil || len(b.Asks()) != 1 {
		t.Errorf("a gone question has a draft, or %d are open", len(b.Asks()))
	}
	c.phase = Lost
	b.Take()
	if len(b.Asks()) != 0 {
		t.Error("a lost connection still asks")
	}
}

func TestLargeSchemasAreReadInTheBackground(t *testing.T) { // ELIC-09
	changed := make(chan struct{}, 1)
	c := newConn(ConnOptions{Changed: func() { changed <- struct{}{} }})
	defer func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}()
	b := NewInbox(c)
	a := formAsk(`{"type":"object","description":"` + strings.Repeat("x", SlowSchema) + `","properties":{"n":{"type":"string"}}}`)
	d := b.newDraft(a)
	if d.Form != nil || d.Accept().Sendable || d.Accept().Reason == "" {
		t.Errorf("before it has been read %+v", d.Accept())
	}
	<-changed
	if d.take(); d.Form == nil || d.Form.Form() == nil || string(d.Accept().Reply.Content) != "{}" {
		t.Errorf("after it has been read %+v", d)
	}
	if small := b.newDraft(formAsk(`{"type":"object"}`)); small.Form == nil {
		t.Error("a small schema is read in the background")
	}
}

func TestBarNamesTheCallThatWaits(t *testing.T) { // MRTR-19, ELIC-31 to 33
	held := session.CallState{Key: 4, Method: "tools/call", Name: "x", Phase: session.CallWaiting, Held: true}
	open := session.Ask{Key: 1, Cause: 4, Kind: session.AskForm}
	if bar, ok := AskBarOf(session.State{Calls: []session.CallState{held}}); !ok || bar.Count != 1 || bar.Call != 4 || bar.First != 0 {
		t.Errorf("held %+v %v", bar, ok)
	}
	if bar, _ := AskBarOf(session.State{Calls: []session.CallState{held}, Asks: []session.Ask{open}}); bar.Count != 1 || bar.First != 1 {
		t.Errorf("asked %+v", bar)
	}
	failed := session.CallState{Key: 5, Method: "tools/call", Name: "x", Phase: session.CallError, Retryable: true}
	visits := []session.Visit{{Cause: 5, Completed: time.Now()}, {Cause: 5}}
	if _, ok := AskBarOf(session.State{Calls: []session.CallState{failed}, Visits: visits}); ok {
		t.Error("an offer while a page is not done")
	}
	visits[1].Completed = time.Now()
	if bar, ok := AskBarOf(session.State{Calls: []session.CallState{failed}, Visits: visits}); !ok || !bar.Retry || bar.Call != 5 || bar.Count != 0 {
		t.Errorf("done %+v %v", bar, ok)
	}
}

func TestWhatCannotReachUsIsSaid(t *testing.T) { // HTTP-42; F110
	refused := session.Subscription{Kind: session.SubStream, Phase: session.SubEnded, End: session.EndRefused}
	if got := ReachNote(session.State{Subscriptions: []session.Subscription{refused}}); !strings.Contains(got, "cannot reach us") {
		t.Errorf("the note says %q", got)
	}
	open := session.Subscription{Kind: session.SubStream, Phase: session.SubAcknowledged}
	other := session.Subscription{Kind: session.SubLists, Phase: session.SubEnded, End: session.EndRefused}
	if got := ReachNote(session.State{Subscriptions: []session.Subscription{open, other}}); got != "" {
		t.Errorf("with a stream the note says %q", got)
	}
}
