package ui

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/view"
)

const (
	roundOfTwo = `{"resultType":"input_required","requestState":"s 1","inputRequests":{` +
		`"who":{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}},` +
		`"say":{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":9}}}}`
)

// modernAsker is a server of 2026-07-28 whose tool answers with steps.
func modernAsker(steps ...sessiontest.Step) sessiontest.Script {
	return sessiontest.Server().
		With("server/discover", sessiontest.Reply(`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}`)).
		With("tools/list", sessiontest.Reply(`{"resultType":"complete","tools":[{"name":"ask","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"private"}`)).
		With("tools/call", steps...)
}

// toolPanel is the panel of the tools of a page.
func toolPanel(p *connPage) *requestPanel {
	for _, pane := range p.panes {
		if tools, ok := pane.(*toolsPane); ok {
			return tools.panel
		}
	}
	return nil
}

// called selects the tool and calls it from its panel.
func called(t *testing.T, d *desk, p *connPage) *requestPanel {
	t.Helper()
	p.showCall(protocol.MethodToolsCall, "ask")
	panel := toolPanel(p)
	panel.submit()
	if panel.now == nil || panel.now.run == nil {
		t.Fatal("the tool was not called")
	}
	return panel
}

func TestRoundsGoByHand(t *testing.T) { // MRTR-02, MRTR-19; case 108
	d, p := offered(t, modernAsker(sessiontest.Reply(roundOfTwo)))
	tray := p.tray()
	tray.client.refresh()
	tray.client.checks[view.HoldRounds].SetChecked(true)
	if saved, _ := d.store.Server(p.conn.Server().ID); !saved.HoldRounds {
		t.Error("the switch is not kept")
	}
	panel := called(t, d, p)
	panel.more.refresh(p.conn, panel.now, panel.request)
	if !panel.more.byHand.Checked {
		t.Error("the options of a request do not show the switch")
	}
	d.await("the questions", func() bool { p.flush(); return len(p.conn.State().Asks) == 2 })
	before := p.conn.Log().Len()
	p.showAsk(p.asks.shown.First)
	p.submit()
	key := tray.at.key
	d.await("the next question", func() bool { p.flush(); return tray.at.kind == itemAsk && tray.at.key != key })
	p.submit()
	d.await("the rounds", func() bool { p.flush(); return tray.at.kind == itemCall })
	if n := p.conn.Log().Len(); n != before {
		t.Fatalf("%d events without a word", n-before)
	}
	if on := texts(tray.Object()); !strings.Contains(on, "Continue") || !strings.Contains(on, "waits to be continued") {
		t.Errorf("the rounds:\n%s", on)
	}
	if bar, ok := view.AskBarOf(p.conn.State()); !ok || bar.Call == 0 || !strings.Contains(bar.Text, "waits for you to continue it") {
		t.Errorf("the bar %+v", bar)
	}
	p.showPane(0)
	p.flush()
	p.asks.do()
	rounds := tray.calls.rounds
	rounds.start()
	if got := rounds.edit.Text(); !strings.Contains(got, `"accept"`) || !strings.Contains(got, `"assistant"`) {
		t.Errorf("the answers to edit are %s", got)
	}
	rounds.edit.SetText(`{"who":{"action":"decline"}}`)
	rounds.resend()
	d.await("the next round", func() bool { p.flush(); return rounds.at == 1 && rounds.goOn.Visible() })
	if got := lastCall(t, p); !strings.Contains(got, `"inputResponses":{"who":{"action":"decline"}},"requestState":"s 1"`) {
		t.Errorf("sent %s", got)
	}
	if rounds.goOn.Text != "Continue without 2 answers" {
		t.Errorf("the button says %q", rounds.goOn.Text)
	}
	rounds.resume("")
	d.await("the third round", func() bool { p.flush(); return len(p.conn.State().Calls[len(p.conn.State().Calls)-1].Rounds) == 3 })
	if got := lastCall(t, p); strings.Contains(got, "inputResponses") {
		t.Errorf("sent %s", got)
	}
}

// lastCall is the newest request tools/call in the recording.
func lastCall(t *testing.T, p *connPage) string {
	t.Helper()
	log := p.conn.Log()
	for seq := uint64(log.Len()); seq > 0; seq-- {
		e, err := log.Read(seq, 1<<16)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(e.Data), `"method":"tools/call"`) {
			return string(e.Data)
		}
	}
	t.Fatal("no call was sent")
	return ""
}

func TestRootsAreAskedFor(t *testing.T) { // ROOT-07
	d, p, tray := asking(t, askServer(`{"jsonrpc":"2.0","id":"r0","method":"roots/list"}`, formQuestion), 1)
	tray.client.refresh()
	tray.client.checks[view.AskForRoots].SetChecked(true)
	if saved, _ := d.store.Server(p.conn.Server().ID); !saved.AskRoots {
		t.Error("the switch is not kept")
	}
	if _, err := p.conn.Send(view.Request{Method: protocol.MethodToolsCall, Params: jsontext.Value(`{"name":"ask"}`)}, p.env.Changed); err != nil {
		t.Fatal(err)
	}
	d.await("the question for roots", func() bool { p.flush(); return len(p.conn.State().Asks) == 3 })
	p.showAsk(p.conn.State().Asks[1].Key)
	if got := tray.shownPage().last; !strings.Contains(got, `"id":"r0"`) || !strings.Contains(got, `"roots":`) {
		t.Errorf("the answer to roots/list would be %s", got)
	}
}

func TestAnsweredAgainShowsItsResultInThePanel(t *testing.T) { // MRTR-04
	d, p := offered(t, modernAsker(sessiontest.Reply(`{"resultType":"input_required","requestState":"s"}`)))
	tray := p.tray()
	p.conn.SetManner(view.HoldRounds, true)
	panel := called(t, d, p)
	d.await("the round", func() bool { p.flush(); return panel.now.run.State().Held })
	first := panel.now.run
	first.Cancel("")
	d.await("the end", func() bool { p.flush(); _, over := first.Outcome(); return over })
	p.showRounds(first.State().Key)
	tray.calls.rounds.start()
	tray.calls.rounds.resend()
	d.await("the new call in the panel", func() bool { p.flush(); return panel.now.run != first })
	if again := panel.now.run.State(); again.Previous != first.State().Key || p.front() != p.panes[p.at] {
		t.Errorf("the panel has %+v", again)
	}
	if _, tools := p.front().(*toolsPane); !tools {
		t.Errorf("%T is in front", p.front())
	}
}

const pageError = `{"jsonrpc":"2.0","id":{{id}},"error":{"code":-32042,"message":"visit","data":{"elicitations":[{"mode":"url","message":"Go","url":"https://a.example/","elicitationId":"e9"}]}}}`

func TestRetryIsOfferedWhenThePageIsDone(t *testing.T) { // ELIC-29, ELIC-31, ELIC-32, ELIC-33; case 102
	d, p := offered(t, askServer(pageError).
		With("ping", sessiontest.Line(`{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e9"}}`), sessiontest.Reply(`{}`)))
	panel := called(t, d, p)
	first := panel.now.run
	d.await("the address", func() bool { p.flush(); return len(p.conn.State().Asks) == 1 })
	p.showAsk(p.asks.shown.First)
	p.submit()
	d.gone(p, 0)
	p.showPane(0)
	p.flush()
	if !p.asks.root.Hidden {
		t.Errorf("before the page is done the bar says %q", p.asks.text.Text)
	}
	if _, err := p.conn.Send(view.Request{Method: protocol.MethodPing}, p.env.Changed); err != nil {
		t.Fatal(err)
	}
	d.await("the offer", func() bool { p.flush(); return !p.asks.root.Hidden })
	if !p.asks.shown.Retry || p.asks.does.Text != "Send again" || !p.asks.away.Visible() {
		t.Errorf("the bar %+v says %q", p.asks.shown, p.asks.does.Text)
	}
	p.asks.do()
	d.await("the new call in the panel", func() bool { p.flush(); return panel.now.run != first })
	if again := panel.now.run.State(); again.RetryOf != first.State().Key {
		t.Errorf("the panel has %+v", again)
	}
	if c, _ := view.CallOf(p.conn.State(), first.State().Key); c.Retryable {
		t.Error("the first call is still to be sent again")
	}
}

func TestLargeRequestedSchemaIsReadInTheBackground(t *testing.T) { // the window never waits
	schema := `{"type":"object","description":"` + strings.Repeat("x", view.SlowSchema) + `","properties":{"name":{"type":"string"}}}`
	d, p, tray := asking(t, askServer(`{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"?","requestedSchema":`+schema+`}}`), 1)
	tray.inbox.Take()
	page := newAskPage(tray, &view.AskDraft{Ask: tray.inbox.Asks()[0]}) // as it is made before the schema has been read
	tray.pages[tray.inbox.Asks()[0].Key] = page
	if _, reading := page.body.(*readingBody); !reading || !page.yes.Disabled() {
		t.Errorf("without a form the page has %T", page.body)
	}
	p.showAsk(p.asks.shown.First)
	d.await("the form", func() bool { p.flush(); return tray.shownPage().draft.Form != nil })
	form, ok := tray.shownPage().body.(*formBody)
	if !ok || form.form == nil || !strings.Contains(texts(tray.Object()), "name") {
		t.Fatalf("the page has %T", tray.shownPage().body)
	}
	p.submit()
	d.gone(p, 0)
	if got := sent(t, p); got != `{"jsonrpc":"2.0","id":"q1","result":{"action":"accept","content":{}}}` {
		t.Errorf("sent %s", got)
	}
}
