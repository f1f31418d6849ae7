package ui

import (
	"net/url"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/view"
)

// askServer is a server of a handshake revision that answers a call with questions
// of its own.
func askServer(questions ...string) sessiontest.Script {
	var steps []sessiontest.Step
	for _, q := range questions {
		steps = append(steps, sessiontest.Line(q))
	}
	return sessiontest.Server().
		With("initialize", sessiontest.Reply(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"asker","version":"2"}}`)).
		With("tools/list", sessiontest.Reply(`{"tools":[{"name":"ask","inputSchema":{"type":"object"}}]}`)).
		With("tools/call", steps...)
}

const (
	formQuestion = `{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"Who are you?\nhttps://evil.example","requestedSchema":{"type":"object","properties":{"name":{"type":"string","default":"Ada"},"n":{"type":"integer"}}}}}`
	urlQuestion  = `{"jsonrpc":"2.0","id":"q2","method":"elicitation/create","params":{"mode":"url","message":"Go there","url":"https://a.example/x?y=1","elicitationId":"e1"}}`
	textQuestion = `{"jsonrpc":"2.0","id":"q3","method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"Say something"}}],"systemPrompt":"Be brief","maxTokens":5}}`
)

// asking calls the tool and waits for n questions. The tray is not in front.
func asking(t *testing.T, script sessiontest.Script, n int) (*desk, *connPage, *requestsPane) {
	t.Helper()
	d, p := offered(t, script)
	if _, err := p.conn.Send(view.Request{Method: protocol.MethodToolsCall, Params: jsontext.Value(`{"name":"ask"}`)}, p.env.Changed); err != nil {
		t.Fatal(err)
	}
	d.await("the questions", func() bool {
		p.flush()
		return len(p.conn.State().Asks) == n
	})
	for _, pane := range p.panes {
		if tray, ok := pane.(*requestsPane); ok {
			return d, p, tray
		}
	}
	t.Fatal("no tray")
	return nil, nil, nil
}

// gone waits until a question has been answered.
func (d *desk) gone(p *connPage, left int) {
	d.t.Helper()
	d.await("the answer", func() bool {
		p.flush()
		return len(p.conn.State().Asks) == left
	})
}

func TestTrayIsNeverModal(t *testing.T) { // P17, case 107
	d, p, tray := asking(t, askServer(formQuestion), 1)
	if p.asks.root.Hidden || !strings.Contains(p.asks.text.Text, "Who are you?") {
		t.Errorf("the bar is hidden %v and says %q", p.asks.root.Hidden, p.asks.text.Text)
	}
	if tray.Title() != "Requests 1" || !strings.Contains(p.tab().Text, "asks 1") {
		t.Errorf("tabs %q and %q", tray.Title(), p.tab().Text)
	}
	if d.win.Canvas().Overlays().Top() != nil {
		t.Error("something lies over the window")
	}
	p.showAsk(p.asks.shown.First)
	if p.front() != Pane(tray) || !p.asks.root.Hidden {
		t.Errorf("Show leads to %T, the bar is hidden %v", p.front(), p.asks.root.Hidden)
	}
	on := texts(tray.Object())
	for _, want := range []string{"asker 2 · revision 2025-11-25", "Who are you?", "tools/call ask", "Accept  Ctrl+Enter", "Decline", "Cancel  Esc"} {
		if !strings.Contains(on, want) {
			t.Errorf("the tray does not show %q:\n%s", want, on)
		}
	}
}

func TestAnswerIsWhatThePreviewShows(t *testing.T) {
	d, p, tray := asking(t, askServer(formQuestion), 1)
	p.showAsk(p.asks.shown.First)
	page := tray.shownPage()
	page.draft.Form.Form().Root().Member("n").SetText("9007199254740993")
	page.check()
	preview := page.last
	if want := `{"jsonrpc":"2.0","id":"q1","result":{"action":"accept","content":{"name":"Ada","n":9007199254740993}}}`; preview != want {
		t.Errorf("preview %s, want %s", preview, want)
	}
	p.submit()
	d.gone(p, 0)
	if got := sent(t, p); got != preview {
		t.Errorf("sent %s, shown %s", got, preview)
	}
	if tray.at.kind != itemGone || tray.Title() != "Requests" {
		t.Errorf("after the answer: %v, %q", tray.at, tray.Title())
	}
}

func TestEscapeCancelsWithoutContent(t *testing.T) { // ELIC-08; P17
	d, p, _ := asking(t, askServer(formQuestion), 1)
	p.showAsk(p.asks.shown.First)
	d.win.Canvas().Unfocus()
	d.win.Canvas().OnTypedKey()(&fyne.KeyEvent{Name: fyne.KeyEscape})
	d.gone(p, 0)
	if got, want := sent(t, p), `{"jsonrpc":"2.0","id":"q1","result":{"action":"cancel"}}`; got != want {
		t.Errorf("sent %s, want %s", got, want)
	}
}

func TestDraftsOutliveThePanel(t *testing.T) {
	d, p, tray := asking(t, askServer(formQuestion, urlQuestion, textQuestion), 3)
	p.showAsk(p.asks.shown.First)
	form := tray.shownPage()
	form.body.(*formBody).json.SetText(`{"name": `)
	form.draft.Form.SetText(`{"name": `)
	form.check()
	if !form.yes.Disabled() {
		t.Error("half a JSON text can be accepted")
	}
	tray.show(requestItem{itemAsk, tray.inbox.Asks()[2].Key})
	tray.shownPage().draft.Sampling.SetFields(view.SamplingFields{Model: "m", Text: "kept"})
	p.showPane(0)
	p.showAsk(tray.inbox.Asks()[2].Key)
	if f, _ := tray.shownPage().draft.Sampling.Fields(); f.Text != "kept" {
		t.Errorf("the model's answer became %+v", f)
	}
	p.showAsk(tray.inbox.Asks()[0].Key)
	if got := tray.shownPage().draft.Form.Text(); got != `{"name": ` {
		t.Errorf("the form's JSON became %q", got)
	}
	tray.shownPage().send(tray.shownPage().draft.Decline())
	d.gone(p, 2)
	if got, want := sent(t, p), `{"jsonrpc":"2.0","id":"q1","result":{"action":"decline"}}`; got != want {
		t.Errorf("sent %s, want %s", got, want)
	}
	if tray.at != (requestItem{itemAsk, tray.inbox.Asks()[0].Key}) {
		t.Errorf("the next question is not shown, but %v", tray.at)
	}
}

func TestAddressIsOpenedOnlyByItsButton(t *testing.T) { // ELIC-21 to 24, 28; E102
	d, p, tray := asking(t, askServer(urlQuestion), 1)
	var opened []string
	p.env.OpenURL = func(u *url.URL) { opened = append(opened, u.String()) }
	p.showAsk(p.asks.shown.First)
	on := texts(tray.Object())
	if strings.Index(on, "Host") > strings.Index(on, "/x?y=1") {
		t.Errorf("the host is not before the address:\n%s", on)
	}
	if !strings.Contains(on, "a.example") || !strings.Contains(on, "/x?y=1") || !strings.Contains(on, "Open in browser") {
		t.Errorf("the address is not whole:\n%s", on)
	}
	if body := tray.shownPage().body.(*addressBody); d.win.Canvas().Focused() != fyne.Focusable(body.open) {
		t.Errorf("the keyboard is with %T", d.win.Canvas().Focused())
	}
	p.submit()
	d.gone(p, 0)
	if got, want := sent(t, p), `{"jsonrpc":"2.0","id":"q2","result":{"action":"accept"}}`; got != want || len(opened) != 0 {
		t.Errorf("sent %s, want %s; opened %v", got, want, opened)
	}
	if !tray.has(requestItem{kind: itemVisits}) {
		t.Error("the address is forgotten")
	}
	tray.show(requestItem{kind: itemVisits})
	if on := texts(tray.Object()); !strings.Contains(on, "https://a.example/x?y=1") || !strings.Contains(on, "accepted") {
		t.Errorf("addresses:\n%s", on)
	}
}

func TestModelIsPlayedByThePerson(t *testing.T) { // SAMP-02, SAMP-05; F111, P17
	d, p, tray := asking(t, askServer(textQuestion), 1)
	p.showAsk(p.asks.shown.First)
	if on := texts(tray.Object()); !strings.Contains(on, "Be brief") || !strings.Contains(on, "Say something") || !strings.Contains(on, "max tokens: 5") {
		t.Errorf("something is hidden:\n%s", on)
	}
	b := tray.shownPage().body.(*samplingBody)
	b.text.SetText("Hi")
	b.typed()
	preview := tray.shownPage().last
	p.submit()
	d.gone(p, 0)
	if got := sent(t, p); got != preview || !strings.Contains(got, `"text":"Hi"`) {
		t.Errorf("sent %s, shown %s", got, preview)
	}
}

func TestRoundsAreAnsweredTogether(t *testing.T) { // MRTR-02, MRTR-05, MRTR-06
	script := sessiontest.Server().
		With("server/discover", sessiontest.Reply(`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}`)).
		With("tools/list", sessiontest.Reply(`{"resultType":"complete","tools":[{"name":"ask","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"private"}`)).
		With("tools/call", sessiontest.Reply(`{"resultType":"input_required","requestState":"s 1","inputRequests":{`+
			`"who":{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}},`+
			`"say":{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":9}}}}`))
	d, p, tray := asking(t, script, 2)
	p.showAsk(p.asks.shown.First)
	first := tray.at.key
	p.submit()
	d.await("the next question", func() bool { p.flush(); return tray.at.kind == itemAsk && tray.at.key != first })
	if a, ok := tray.inbox.Ask(first); !ok || view.AskRowOf(a, p.env.Now()).State != "answered" {
		t.Errorf("the first answer: %+v %v", a, ok)
	}
	if got := tray.shownPage().round.Text; !strings.Contains(got, "last answer") {
		t.Errorf("of the round it says %q", got)
	}
	before := p.conn.Log().Len()
	p.submit()
	d.await("the retry", func() bool { p.flush(); return p.conn.Log().Len() > before })
	got := sent(t, p)
	for _, want := range []string{`"requestState":"s 1"`, `"who":{"action":"accept","content":{}}`, `"say":{"role":"assistant"`} {
		if !strings.Contains(got, want) {
			t.Errorf("the retry lacks %s: %s", want, got)
		}
	}
}

func TestSwitchesAndRootsAreKept(t *testing.T) { // ROOT-02
	d, p, tray := asking(t, askServer(formQuestion), 1)
	p.showAsk(p.asks.shown.First)
	tray.chosen = true
	tray.show(requestItem{kind: itemClient})
	tray.client.checks["sampling"].SetChecked(false)
	if !strings.Contains(tray.client.note.Text, "Reconnect") {
		t.Errorf("the note says %q", tray.client.note.Text)
	}
	dir := t.TempDir()
	p.env.ChooseFolder = func(done func(string)) { done(dir) }
	tray.client.roots.pick()
	saved, _ := d.store.Server(p.conn.Server().ID)
	if len(saved.Off) != 1 || len(saved.Roots) != 1 || saved.Roots[0].URI != view.FolderURI(dir) {
		t.Errorf("saved %+v", saved)
	}
	d.await("the notice", func() bool { return strings.Contains(sent(t, p), "notifications/roots/list_changed") })
	if next := p.conn.Server(); len(next.Off) != 1 {
		t.Errorf("the next connection declares all: %+v", next)
	}
}
