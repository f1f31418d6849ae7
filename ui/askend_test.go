package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"mcploupe/session/sessiontest"
)

const strictQuestion = `{"jsonrpc":"2.0","id":"q9","method":"elicitation/create","params":{"message":"Your mail?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"},"mail":{"type":"string","format":"email"}},"required":["mail"]}}}`

// Accept behaves as Call does: the first attempt with what does not fit shows
// what is wrong, the second sends it.
func TestTheFirstAttemptToAcceptShowsWhatIsWrong(t *testing.T) { // ELIC-09
	d, p, tray := asking(t, askServer(strictQuestion), 1)
	p.showAsk(p.asks.shown.First)
	page := tray.shownPage()
	if page.yes.Text != "Accept  Ctrl+Enter" || page.why.Visible() {
		t.Errorf("before an attempt the button says %q, below is %q", page.yes.Text, page.why.Text)
	}
	before := p.conn.Log().Len()
	p.submit()
	if p.conn.Log().Len() != before || len(p.conn.State().Asks) != 1 {
		t.Fatal("the first attempt sent the answer")
	}
	if page.yes.Text != "Accept anyway  Ctrl+Enter" || page.why.Visible() {
		t.Errorf("after it the button says %q, below is %q", page.yes.Text, page.why.Text)
	}
	if on := texts(page.object()); !strings.Contains(on, "is required") {
		t.Errorf("the field is not marked:\n%s", on)
	}
	p.submit()
	d.gone(p, 0)
	if got, want := sent(t, p), `{"jsonrpc":"2.0","id":"q9","result":{"action":"accept","content":{}}}`; got != want {
		t.Errorf("sent %s, want %s", got, want)
	}
}

// Esc is easily pressed: what was filled in is not lost by one.
func TestEscapeTakesTwoWhenSomethingWasFilledIn(t *testing.T) {
	d, p, tray := asking(t, askServer(formQuestion), 1)
	p.showAsk(p.asks.shown.First)
	page := tray.shownPage()
	edit := func(text string) {
		page.draft.Form.Form().Root().Member("name").SetText(text)
		page.body.(*formBody).form.OnChanged()
	}
	edit("Bo")
	tray.Escape()
	if !strings.Contains(page.round.Text, "once more") || page.sent {
		t.Fatalf("after the first it says %q", page.round.Text)
	}
	edit("Bob")
	if page.round.Text != "" {
		t.Errorf("after another edit it still says %q", page.round.Text)
	}
	tray.Escape()
	tray.Escape()
	d.gone(p, 0)
	if got, want := sent(t, p), `{"jsonrpc":"2.0","id":"q1","result":{"action":"cancel"}}`; got != want {
		t.Errorf("sent %s, want %s", got, want)
	}
}

func TestAfterTheAnswerItIsShownByteForByte(t *testing.T) {
	d, p, tray := asking(t, askServer(formQuestion), 1)
	p.showAsk(p.asks.shown.First)
	want := tray.shownPage().last
	p.submit()
	d.gone(p, 0)
	if got := tray.gone.bytes.shown; got != want || !tray.gone.answer.Visible() {
		t.Errorf("it shows %s, sent was %s", got, want)
	}
	if got := tray.gone.title.Text; got != "You accepted this question." {
		t.Errorf("it says %q", got)
	}
	if d.win.Canvas().Focused() != fyne.Focusable(tray.gone.back) {
		t.Errorf("the keyboard is with %T", d.win.Canvas().Focused())
	}
	tray.gone.back.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	tools, ok := p.front().(*toolsPane)
	if !ok || d.win.Canvas().Focused() != fyne.Focusable(tools.list.list) {
		t.Errorf("Enter leads to %T, the keyboard is with %T", p.front(), d.win.Canvas().Focused())
	}
}

func TestAQuestionThatTheServerWithdrewSaysSo(t *testing.T) {
	script := askServer(formQuestion).With("withdraw",
		sessiontest.Line(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q1","reason":"too late"}}`))
	d, p, tray := asking(t, script, 1)
	p.showAsk(p.asks.shown.First)
	if err := p.conn.Session().Write(t.Context(), []byte(`{"jsonrpc":"2.0","method":"withdraw"}`)); err != nil {
		t.Fatal(err)
	}
	d.gone(p, 0)
	if got := tray.gone.title.Text; got != "The server withdrew this question." || tray.gone.answer.Visible() {
		t.Errorf("it says %q, with an answer: %v", got, tray.gone.answer.Visible())
	}
	if d.win.Canvas().Focused() == fyne.Focusable(tray.gone.back) {
		t.Error("what is being typed would press a button")
	}
}

// A tool whose schema names nothing leaves the room to the result; who wants to
// can add an argument all the same.
func TestAToolWithoutArgumentsNeedsNoRoom(t *testing.T) {
	d, p := offered(t, askServer(formQuestion))
	tools := paneOf[*toolsPane](t, d, p)
	tools.list.list.Choose(0)
	d.shows("This tool takes no arguments.", "Add one")
	ask := tools.panel.now.ask.(*toolAsker)
	if !tools.panel.room.slim || !ask.slim() {
		t.Error("the form has the room of one with fields")
	}
	ask.focus()
	if d.win.Canvas().Focused() != fyne.Focusable(tools.panel.send) {
		t.Errorf("the keyboard is with %T", d.win.Canvas().Focused())
	}
	ask.add.OnTapped()
	d.shows("Add a member")
	if tools.panel.room.slim {
		t.Error("the form has no room")
	}
}
