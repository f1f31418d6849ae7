package ui

import (
	"strings"
	"testing"

	"mcploupe/session/sessiontest"
	"mcploupe/ui/view"
)

// oddSchemas are tools whose schemas made other inspectors show nothing, or
// something else.
func oddSchemas() sessiontest.Script {
	return sessiontest.Server().With("tools/list", sessiontest.Reply(`{"tools":[`+strings.Join([]string{
		`{"name":"twice","inputSchema":{"type":"object","properties":{"e":{"enum":["a","a"]}}}}`,
		`{"name":"nothing","inputSchema":{"type":"object","properties":{"x":null,"__proto__":{"type":"string"}}}}`,
		`{"name":"text","inputSchema":{"type":"object","properties":{"q":"string","data":true}}}`,
		`{"name":"strict","inputSchema":{"type":"object","properties":{"b":{"type":["null","boolean"]}}},"outputSchema":{"type":"object","properties":{"data":true}}}`,
		`{"name":"list","inputSchema":{"type":"object"},"outputSchema":{"type":"array","items":{"type":"string"}}}`,
		`{"name":"search","inputSchema":{"type":"object","properties":{"q":{"type":"string"}}}}`,
		`{"name":"find","inputSchema":{"type":"object","properties":{"q":{"type":"string"}}}}`,
	}, ",")+`]}`))
}

func TestCasesOfOddSchemas(t *testing.T) { // C71, C72, C76, P10, P15
	d, p := offered(t, oddSchemas())
	tools := paneOf[*toolsPane](t, d, p)
	for i, c := range []struct {
		name   string
		fields []string // that the form has
		says   string   // above the definition
	}{
		{"twice", []string{"e"}, "/inputSchema/properties/e/enum/1"},
		{"nothing", []string{"x", "__proto__"}, "/inputSchema/properties/x"},
		{"text", []string{"q", "data"}, "/inputSchema/properties/q"},
		{"strict", []string{"b"}, "/outputSchema/properties/data is valid JSON Schema"},
		{"list", []string{"Add one"}, "In revision 2025-11-25 the root of an output schema has the type object"},
	} {
		tools.list.list.Choose(i)
		panel := tools.panel
		if panel.now.entry.Name != c.name || panel.send.Disabled() {
			t.Fatalf("tool %d is %q, and its button is off: %v", i, panel.now.entry.Name, panel.send.Disabled())
		}
		if form := panel.now.ask.(*toolAsker).form; form == nil {
			t.Errorf("%s has no form", c.name)
		}
		d.shows(c.fields...)
		panel.showPage(pageDefinition)
		d.await("the findings of "+c.name, func() bool { return strings.Contains(panel.odd.Text, c.says) })
		if !panel.oddAt.Visible() {
			t.Errorf("the findings of %s are not in sight", c.name)
		}
		panel.showPage("Form")
	}
	tools.list.list.Choose(5)
	if tools.panel.odd.Text != "" || tools.panel.oddAt.Visible() {
		t.Errorf("of a plain tool it says %q", tools.panel.odd.Text)
	}
}

func TestCaseSameNameInTwoTools(t *testing.T) { // C74
	d, p := offered(t, oddSchemas())
	tools := paneOf[*toolsPane](t, d, p)
	tools.list.list.Choose(5)
	tools.panel.now.ask.(*toolAsker).args.Form().Root().Member("q").SetText("of search")
	tools.list.list.Choose(6)
	if got := tools.panel.now.ask.(*toolAsker).args.Text(); got != "{}" {
		t.Errorf("another tool starts with %s", got)
	}
	tools.list.list.Choose(5)
	if got := tools.panel.now.ask.(*toolAsker).args.Text(); got != `{"q":"of search"}` {
		t.Errorf("the first one has %s", got)
	}
}

func TestCaseQuestionsLetDisconnect(t *testing.T) { // P17; CAN-08
	d, p, tray := asking(t, askServer(formQuestion, textQuestion), 2)
	p.showAsk(p.asks.shown.First)
	if tray.Title() != "Requests 2" {
		t.Errorf("the queue is called %q", tray.Title())
	}
	p.conn.Disconnect()
	d.awaitPhase(p, view.Disconnected)
	p.flush()
	if len(tray.items) != 1 || tray.Title() != "Requests" {
		t.Errorf("%d rows after the end, %q", len(tray.items), tray.Title())
	}
}

func TestCaseQuestionsInAQueue(t *testing.T) { // E107
	d, p, tray := asking(t, askServer(formQuestion, urlQuestion, textQuestion), 3)
	if bar := p.asks.shown; bar.Count != 3 || !strings.Contains(texts(p.asks.root), "3") {
		t.Errorf("the bar counts %d:\n%s", bar.Count, texts(p.asks.root))
	}
	p.showAsk(p.asks.shown.First)
	page := tray.shownPage()
	if page.cause.Hidden || page.cause.Text != "Go to tools/call ask" {
		t.Errorf("the call that asked: hidden %v, %q", page.cause.Hidden, page.cause.Text)
	}
	page.cause.OnTapped()
	if _, ok := p.front().(*toolsPane); !ok || toolPanel(p).now.entry.Name != "ask" {
		t.Errorf("it leads to %T", p.front())
	}
	for left := 2; left >= 0; left-- {
		p.showAsk(p.conn.State().Asks[0].Key)
		tray.shownPage().dismiss()
		d.gone(p, left)
	}
}

func TestCaseSamplingHidesNothing(t *testing.T) { // F112, F113, P17
	d, p, tray := asking(t, askServer(`{"jsonrpc":"2.0","id":"s","method":"sampling/createMessage","params":{"messages":[`+
		`{"role":"user","content":{"type":"text","text":"What is the weather?"}},{"role":"assistant","content":{"type":"text","text":"Let me see"}}],`+
		`"systemPrompt":"Be brief","tools":[{"name":"x","inputSchema":{"type":"object"}}],"toolChoice":{"mode":"auto"},"maxTokens":9}}`), 1)
	p.showAsk(p.asks.shown.First)
	on := texts(tray.Object())
	for _, want := range []string{"system prompt", "1 user: text", "2 assistant: text", "tool x", `tool choice: {"mode":"auto"}`, "max tokens: 9"} {
		if !strings.Contains(on, want) {
			t.Errorf("the page does not show %q:\n%s", want, on)
		}
	}
	b := tray.shownPage().body.(*samplingBody)
	b.json.SetText(`{"role":"assistant","model":"m","stopReason":"toolUse","content":{"type":"tool_use","id":"1","name":"y","input":{}}}`)
	b.answer.SetText(b.json.Text())
	tray.shownPage().check()
	if why := tray.shownPage().why.Text; !strings.Contains(why, "y") {
		t.Errorf("a use of a tool that is not offered is taken without a word: %q", why)
	}
	p.showAsk(p.conn.State().Asks[0].Key)
	tray.shownPage().dismiss()
	d.gone(p, 0)
}
