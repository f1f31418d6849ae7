package ui

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"mcploupe/recorder"
	"mcploupe/session"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/view"
)

// offering is a server with one of each kind of entry, good and bad.
func offering() sessiontest.Script {
	return sessiontest.Server().
		With("initialize", sessiontest.Reply(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{},"prompts":{},"completions":{}},"serverInfo":{"name":"offering","version":"1"}}`)).
		With("tools/list", sessiontest.Reply(`{"tools":[`+strings.Join([]string{
			`{"name":"sum","title":"Add up","description":"` + strings.Repeat("Adds numbers. ", 300) + `","inputSchema":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"number"}},"required":["a","b"]},"annotations":{"readOnlyHint":true}}`,
			`{"name":42,"inputSchema":{"type":"object"}}`,
			`{"name":"odd","inputSchema":true}`,
			`{"name":"bare"}`,
			`{"name":"sum","inputSchema":{"type":"object"}}`,
		}, ",")+`]}`)).
		With("tools/call", sessiontest.Reply(`{"content":[{"type":"text","text":"fine"},{"type":"resource_link","uri":"x://a","name":"a"}]}`)).
		With("resources/list", sessiontest.Reply(`{"resources":[{"uri":"x://a","name":"a"},{"uri":"x://b","name":"b"}]}`)).
		With("resources/templates/list", sessiontest.Reply(`{"resourceTemplates":[{"name":"t","uriTemplate":"x://{owner}/{repo}"},{"name":"broken","uriTemplate":"x://{}"}]}`)).
		With("resources/read", sessiontest.Reply(`{"contents":[{"uri":"x://a","mimeType":"text/plain","text":"what it holds"}]}`)).
		With("prompts/list", sessiontest.Reply(`{"prompts":[{"name":"greet","arguments":[{"name":"who","required":true},{"name":"tone"}]},{"name":"plain"}]}`)).
		With("prompts/get", sessiontest.Reply(`{"messages":[{"role":"user","content":{"type":"text","text":"hello there"}}]}`)).
		With("completion/complete", sessiontest.Reply(`{"completion":{"values":["ada","bob"],"total":2}}`))
}

// offered is a connection to such a server, once everything is listed.
func offered(t testing.TB, script sessiontest.Script) (*desk, *connPage) {
	t.Helper()
	d := newDesk(t)
	d.win.Resize(fyne.NewSize(1440, 900))
	p := d.open(d.server("offering", script), view.Connected)
	d.await("the lists", func() bool {
		p.flush()
		for _, l := range p.conn.State().Lists {
			if l.Status == session.ListUnknown || l.Status == session.ListLoading {
				return false
			}
		}
		return true
	})
	return d, p
}

func paneOf[T Pane](t testing.TB, d *desk, p *connPage) T {
	t.Helper()
	for i, pane := range p.panes {
		if found, ok := pane.(T); ok {
			p.showPane(i)
			p.flush()
			return found
		}
	}
	t.Fatal("the page has no such pane")
	panic("unreachable")
}

// sent returns the newest message of ours in the recording that is no
// completion: those go out on their own.
func sent(t *testing.T, p *connPage) string {
	t.Helper()
	log := p.conn.Log()
	for seq := log.Len(); seq > 0; seq-- {
		e, err := log.Read(seq, 1<<20)
		if err == nil && e.Dir == recorder.Out && (e.Kind == recorder.KindMessage || e.Kind == recorder.KindBad) &&
			!strings.Contains(string(e.Data), `"completion/complete"`) {
			return string(e.Data)
		}
	}
	t.Fatal("nothing was sent")
	return ""
}

// finish waits for the result that a panel shows.
func finish(d *desk, p *connPage, panel *requestPanel) {
	d.t.Helper()
	d.await("the result", func() bool { p.flush(); return panel.now.run != nil && panel.now.taken && panel.now.over() })
}

func TestCallAToolFromItsForm(t *testing.T) {
	d, p := offered(t, offering())
	tools := paneOf[*toolsPane](t, d, p)
	if got := tools.Title(); got != "Tools 5" {
		t.Errorf("title %q", got)
	}
	d.shows("Select a tool")
	tools.list.list.Choose(0)
	d.shows("sum", "Add up", "read-only", "Call", "Form", "JSON", "Definition", "The result will be shown here.")
	ask := tools.panel.now.ask.(*toolAsker)
	root := ask.args.Form().Root()
	root.Member("a").SetText("9007199254740993")
	root.Member("b").SetText("1.0")
	ask.form.Refresh()
	tools.panel.edited()
	if tools.panel.send.Text != "Call" || tools.panel.why.Visible() {
		t.Errorf("button %q, why %q", tools.panel.send.Text, tools.panel.why.Text)
	}
	p.submit()
	finish(d, p, tools.panel)
	d.shows("Result", "fine", "9007199254740993")
	if got := sent(t, p); !strings.Contains(got, `"arguments":{"a":9007199254740993,"b":1.0}`) {
		t.Errorf("sent %s", got)
	}
	if n := len(tools.panel.result.outcome.Parts); n != 3 {
		t.Errorf("%d parts, want text, link and answer", n)
	}
	// A link in a result is read where resources are.
	tools.panel.result.showPart(1)
	test.Tap(tools.panel.result.page.follow)
	resources := paneOf[*resourcesPane](t, d, p)
	finish(d, p, resources.panel)
	d.shows("x://a", "what it holds")
	if !strings.Contains(sent(t, p), `"uri":"x://a"`) {
		t.Errorf("sent %s", sent(t, p))
	}
	// Form and result are still there.
	p.showPane(1)
	d.shows("9007199254740993", "resource_link")
}

// F5 reads a list again from its rows and from its filter.
func TestF5InAList(t *testing.T) {
	d, p := offered(t, offering())
	tools := paneOf[*toolsPane](t, d, p)
	for name, press := range map[string]func(*fyne.KeyEvent){"rows": tools.list.list.TypedKey, "filter": tools.list.filter.TypedKey} {
		before := p.conn.State().Lists[session.Tools].Updated
		press(&fyne.KeyEvent{Name: fyne.KeyF5})
		d.await("the list again after F5 in the "+name, func() bool {
			p.flush()
			l := p.conn.State().Lists[session.Tools]
			return l.Updated.After(before) && l.Status == session.ListComplete
		})
	}
}

// The first attempt shows what is missing, the second sends it all the same.
func TestCallAnyway(t *testing.T) { // P16
	d, p := offered(t, offering())
	tools := paneOf[*toolsPane](t, d, p)
	tools.list.list.Choose(0)
	panel := tools.panel
	if panel.send.Text != "Call" {
		t.Errorf("at first the button says %q", panel.send.Text)
	}
	before := p.conn.Log().Len()
	p.submit()
	if n := p.conn.Log().Len(); n != before {
		t.Fatal("sent before anybody could see what is missing")
	}
	if panel.send.Text != "Call anyway" || d.win.Canvas().Focused() == nil {
		t.Errorf("button %q, focus %v", panel.send.Text, d.win.Canvas().Focused())
	}
	p.submit()
	finish(d, p, panel)
	if got := sent(t, p); !strings.Contains(got, `"name":"sum"`) || strings.Contains(got, `"b"`) {
		t.Errorf("sent %s", got)
	}
}

func TestFilesOfAFormAreBounded(t *testing.T) {
	for _, size := range []int{0, maxChosen, maxChosen + 1} {
		data, err := readChosen(t.Context(), io.NopCloser(bytes.NewReader(make([]byte, size))))
		if large := size > maxChosen; large != (err != nil) || !large && len(data) != size {
			t.Errorf("%d bytes of %d, %v", len(data), size, err)
		}
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = writer.Close() }()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := readChosen(ctx, reader); err == nil {
		t.Error("a pipe that nobody fills was read to its end")
	}
}

func TestALongDescriptionLeavesTheButtonInPlace(t *testing.T) {
	d, p := offered(t, offering())
	tools := paneOf[*toolsPane](t, d, p)
	tools.list.list.Choose(0)
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(tools.panel.send)
	if at.Y < 0 || at.Y > 400 {
		t.Errorf("the button is at %v", at)
	}
	if min := d.win.Content().MinSize(); min.Width > 1000 || min.Height > 700 {
		t.Errorf("the window needs %v", min)
	}
	result := fyne.CurrentApp().Driver().AbsolutePositionForObject(tools.panel.result.object())
	if size := tools.panel.result.object().Size(); size.Height < 80 || size.Width < 200 || result.Y > 900 {
		t.Errorf("the result has %v at %v", size, result)
	}
}

func TestDraftsBlockTheCallAndGoToRaw(t *testing.T) { // C59, C60, P16
	d, p := offered(t, offering())
	tools := paneOf[*toolsPane](t, d, p)
	tools.list.list.Choose(0)
	panel := tools.panel
	panel.showPage("JSON")
	ask := panel.now.ask.(*toolAsker)
	before := p.conn.Log().Len()
	focusOn(ask.json)
	ask.json.SelectAll()
	test.Type(ask.json, `{"a": 12x`)
	if !panel.send.Disabled() || panel.why.Text == "" {
		t.Errorf("text %q can be sent, why %q", ask.args.Text(), panel.why.Text)
	}
	p.submit()
	if n := p.conn.Log().Len(); n != before {
		t.Error("a draft was sent")
	}
	panel.showPage("Form")
	d.shows("The JSON cannot be shown as a form", "Mend the JSON")
	panel.showPage("JSON")
	if got := ask.json.Text(); !strings.Contains(got, "12x") {
		t.Errorf("the draft became %q", got)
	}
	test.Tap(panel.toRaw)
	raw := paneOf[*freePane](t, d, p)
	if got := raw.editor.Text(); !strings.Contains(got, `12x`) || !strings.Contains(got, "tools/call") || strings.Contains(got, "draft") {
		t.Errorf("raw has %q", got)
	}
}

func TestOddToolsAreShownWithTheReason(t *testing.T) { // C71, P10
	d, p := offered(t, offering())
	tools := paneOf[*toolsPane](t, d, p)
	tools.list.list.Choose(1)
	d.shows("malformed")
	if !tools.panel.send.Disabled() {
		t.Error("a tool without a name can be called")
	}
	text, ok := tools.panel.build()
	if !ok || !strings.Contains(text, `"name":42`) {
		t.Errorf("as raw: %q", text)
	}
	tools.panel.showPage(pageDefinition)
	d.shows(`42`)
	for i, says := range map[int]string{2: "`true`", 3: "no inputSchema"} {
		tools.list.list.Choose(i)
		d.shows(says)
		if tools.panel.pages[0].title != "JSON" {
			t.Errorf("tool %d begins with %q", i, tools.panel.pages[0].title)
		}
		if tools.panel.send.Disabled() {
			t.Errorf("tool %d cannot be called: %s", i, tools.panel.why.Text)
		}
	}
	d.shows("duplicate 2")
}

func TestEachToolKeepsItsFormAndResult(t *testing.T) { // C74
	d, p := offered(t, offering())
	tools := paneOf[*toolsPane](t, d, p)
	tools.list.list.Choose(0)
	form := tools.panel.now.ask.(*toolAsker).args.Form().Root()
	form.Member("a").SetText("77")
	form.Member("b").SetText("1")
	p.submit()
	finish(d, p, tools.panel)
	first := tools.panel.now
	tools.list.list.Choose(3)
	if tools.panel.now == first {
		t.Fatal("another tool shows the same subject")
	}
	d.shows("The result will be shown here.")
	tools.list.list.Choose(0)
	if tools.panel.now != first {
		t.Error("the tool lost what was filled in")
	}
	d.shows("fine", "77")
	// A list that is read again changes nothing in sight.
	refreshList(p.conn, p.env, session.Tools)
	stamp := tools.seen
	d.await("the new list", func() bool { p.flush(); return tools.seen != stamp && tools.seen.status == session.ListComplete })
	if tools.panel.now != first {
		t.Error("reading the list again lost what was filled in")
	}
	for i := range 3 * maxSubjects {
		tools.kept.put(fmt.Sprint(i), &subject{})
	}
	if len(tools.kept.all) != maxSubjects || len(tools.kept.used) != maxSubjects {
		t.Errorf("%d subjects kept", len(tools.kept.all))
	}
}

func TestPromptsTakeStringsAndResetWithAnother(t *testing.T) {
	d, p := offered(t, offering())
	prompts := paneOf[*promptsPane](t, d, p)
	prompts.list.list.Choose(0)
	d.shows("who *", "required", "not sent", "Get prompt")
	ask := prompts.panel.now.ask.(*fieldsAsker)
	if prompts.panel.send.Text != "Get prompt" || prompts.panel.why.Text != "" {
		t.Errorf("before an attempt the button says %q, below is %q", prompts.panel.send.Text, prompts.panel.why.Text)
	}
	before := sent(t, p)
	prompts.panel.submit() // warns, as that of a tool does
	d.shows("Get prompt anyway", "✗ is required")
	if prompts.panel.why.Text != "" {
		t.Errorf("what the field says is said again below it: %q", prompts.panel.why.Text)
	}
	if got := sent(t, p); got != before || d.win.Canvas().Focused() != fyne.Focusable(ask.rows[0].entry) {
		t.Errorf("the first press sent %s, and the keyboard is with %T", got, d.win.Canvas().Focused())
	}
	test.Tap(ask.rows[1].empty)
	d.shows(`sent as ""`)
	focusOn(ask.rows[0].entry)
	d.await("suggestions", func() bool { p.flush(); return ask.shown != nil })
	d.shows("ada", "bob")
	if q := ask.fields.Subject(0); len(q.Others) != 1 || q.Others[0] != (view.NamedValue{Name: "tone"}) {
		t.Errorf("asked %+v", q)
	}
	ask.rows[0].entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	ask.rows[0].entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	ask.rows[0].entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if ask.rows[0].bad.Visible() {
		t.Error("a field that is filled in is marked")
	}
	if ask.rows[0].entry.Text != "bob" || ask.shown != nil {
		t.Errorf("picked %q, shown %v", ask.rows[0].entry.Text, ask.shown)
	}
	p.submit()
	finish(d, p, prompts.panel)
	d.shows("user: text", "hello there")
	if got := sent(t, p); !strings.Contains(got, `"arguments":{"who":"bob","tone":""}`) {
		t.Errorf("sent %s", got)
	}
	prompts.list.list.Choose(1)
	d.shows("This prompt takes no arguments.", "The result will be shown here.")
	if strings.Contains(texts(d.win.Content()), "hello there") {
		t.Error("the messages of one prompt show for another")
	}
}

func TestTemplatesExpandAsTheyAreFilledIn(t *testing.T) {
	d, p := offered(t, offering())
	resources := paneOf[*resourcesPane](t, d, p)
	resources.showList(1)
	resources.lists[1].list.Choose(0)
	d.shows("owner *", "repo *", "Read")
	ask := resources.panel.now.ask.(*fieldsAsker)
	ask.rows[0].entry.SetText("a/b")
	resources.panel.submit()
	d.shows("Read anyway", "✗ is required")
	if d.win.Canvas().Focused() != fyne.Focusable(ask.rows[1].entry) {
		t.Errorf("the keyboard is with %v", d.win.Canvas().Focused())
	}
	ask.rows[1].entry.SetText("ü")
	d.shows("x://a%2Fb/%C3%BC", "Read")
	p.submit()
	finish(d, p, resources.panel)
	if got := sent(t, p); !strings.Contains(got, `"uri":"x://a%2Fb/%C3%BC"`) {
		t.Errorf("sent %s", got)
	}
	resources.lists[1].list.Choose(1)
	d.shows("malformed")
	if !resources.panel.send.Disabled() {
		t.Error("a malformed template can be read")
	}
	resources.any.SetText("y://anything at all")
	resources.any.OnSubmitted("")
	finish(d, p, resources.panel)
	d.shows("not among the listed resources", "what it holds")
	if got := sent(t, p); !strings.Contains(got, `"uri":"y://anything at all"`) {
		t.Errorf("sent %s", got)
	}
}

func TestRawSendsWhatIsTyped(t *testing.T) { // P16
	d, p := offered(t, offering())
	raw := paneOf[*freePane](t, d, p)
	const ping = `{"jsonrpc":"2.0","id":"my id","method":"ping"}`
	raw.SetText(ping)
	d.shows("request · ping · id")
	p.submit()
	d.await("the answer", func() bool { p.flush(); return raw.run != nil && raw.taken })
	d.shows("Result", "answer")
	if got := sent(t, p); got != ping {
		t.Errorf("sent %s", got)
	}
	const broken = `{"jsonrpc": nonsense, 9007199254740993`
	raw.SetText(broken)
	d.shows("no valid message")
	p.submit()
	d.await("the broken message", func() bool { p.flush(); return sent(t, p) == broken })
	d.await("the note", func() bool { return strings.Contains(raw.result.message.Text, "timeline") })
	raw.SetText("half a thought")
	raw.SetText(ping)
	if n := raw.history.Len(); n != 3 || raw.history.At(0).Text != "half a thought" || !raw.history.At(0).Draft {
		t.Errorf("history %d, newest %+v", n, raw.history.At(0))
	}
	raw.list.Choose(0)
	if raw.editor.Text() != "half a thought" {
		t.Errorf("editor %q", raw.editor.Text())
	}
	p.showPane(0)
	p.sendRaw(ping)
	if raw.editor.Text() != ping || d.win.Canvas().Focused() != fyne.Focusable(raw.editor) {
		t.Errorf("after another text was put in, %T has the keyboard", d.win.Canvas().Focused())
	}
}

func TestACallThatWaitsSaysWhatIsAsked(t *testing.T) {
	modern := sessiontest.Server().
		With("server/discover", sessiontest.Reply(`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}`)).
		With("tools/list", sessiontest.Reply(`{"resultType":"complete","tools":[{"name":"good","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"private"}`)).
		With("tools/call", sessiontest.Reply(`{"resultType":"input_required","requestState":"s","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Who is it?","requestedSchema":{"type":"object"}}}}}`))
	d, p := offered(t, modern)
	tools := paneOf[*toolsPane](t, d, p)
	tools.list.list.Choose(0)
	p.submit()
	d.await("the question", func() bool { p.flush(); return tools.panel.result.asks != "" })
	d.shows("The server asks for input", "Who is it?", "see Requests", "Cancel")
	test.Tap(tools.panel.result.cancel)
	finish(d, p, tools.panel)
	d.shows("Cancelled")
}

func TestListAndFormFitALaptop(t *testing.T) {
	d, p := offered(t, offering())
	tools := paneOf[*toolsPane](t, d, p)
	p.split.SetOffset(0.85)
	if rows := tools.list.list.Page(); rows < 25 {
		t.Errorf("%d tools on the screen", rows)
	}
}
