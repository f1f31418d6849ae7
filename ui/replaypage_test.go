package ui

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	fynetheme "fyne.io/fyne/v2/theme"
	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/measure"
	"mcploupe/ui/settings"
	"mcploupe/ui/textview"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
)

// record makes a recording of calls of tools and closes its tab.
func (d *desk) record(server settings.Server, tools ...string) string {
	d.t.Helper()
	p := d.open(server, view.Connected)
	d.await("the tools", func() bool { p.conn.Take(); return p.conn.State().Lists[session.Tools].Status == session.ListComplete })
	for _, name := range tools {
		sess := p.conn.Session()
		call, err := sess.Do(d.t.Context(), sess.NewRequest(protocol.MethodToolsCall, jsontext.Value(`{"name":"`+name+`"}`)), session.CallOptions{})
		if err != nil {
			d.t.Fatal(err)
		}
		if _, err := call.Wait(d.t.Context()); err != nil {
			d.t.Fatal(err)
		}
	}
	path := p.conn.Path()
	d.closePage(p)
	d.work.Wait()
	d.queue.run()
	return path
}

// openReplay shows the page for a recording, ready to run against a server.
func (d *desk) openReplay(path string, against settings.Server) *replayPage {
	d.t.Helper()
	d.replayRecording(path)
	p, ok := d.current().(*replayPage)
	if !ok {
		d.t.Fatal("no page for the replay")
	}
	d.await("the recording", func() bool { return p.phase == view.ReplayReady })
	p.setup.offer()
	labels, _ := p.model.Targets()
	for i, l := range labels {
		if strings.HasSuffix(l, ": "+against.Target.Name) {
			p.model.Choose(i)
			p.setup.refresh()
			return p
		}
	}
	d.t.Fatalf("the targets are %q", labels)
	return nil
}

// The whole way with the keyboard: from the recording's tab to the outcome.
func TestReplayPage(t *testing.T) {
	d := newDesk(t)
	server := d.server("peer", sessiontest.Server())
	path := d.record(server, "good", "bad")
	p := d.openReplay(path, server)
	d.shows("Replay", "tools/call good", "tools/list", "initialize", "as recorded", "as fast as answered", "Stop at the first difference")
	if d.win.Canvas().Focused() != fyne.Focusable(p.list.list) {
		t.Errorf("the keyboard is at %T", d.win.Canvas().Focused())
	}
	d.replayRecording(path)
	if d.current() != page(p) || len(d.pages) != 2 {
		t.Errorf("%d tabs after asking for the same replay twice", len(d.pages))
	}
	row := p.model.RowOf(p.model.Row(p.model.Rows() - 1).Call)
	p.list.list.Choose(row)
	space := &fyne.KeyEvent{Name: fyne.KeySpace}
	p.list.list.TypedKey(space)
	if p.model.Row(row).Ticked {
		t.Error("the space bar does not take out the call")
	}
	d.shows("of")
	p.list.list.TypedKey(space)
	d.submitCurrent()
	d.await("the outcome", func() bool {
		return p.phase == view.ReplayEnded && p.live == nil && d.pageOfFile(must(p.model.Outcome())) != nil
	})
	if d.current() != page(p) {
		t.Error("the tab of the new recording came in front")
	}
	d.shows("No difference", "same", "Replay again", "Compare")
	outcome := must(p.model.Outcome())
	if phase, _ := d.pageOfFile(outcome).conn.Phase(); phase != view.File {
		t.Errorf("the new recording is %s", phase.Word())
	}
	p.list.list.Choose(row)
	p.detail.turn(replayNow)
	d.await("the messages", func() bool { return strings.Contains(string(p.detail.now[1].text.Index().Raw()), "fine") })
	if m := p.detail.now[1].text.Mode(); m != textview.Pretty {
		t.Errorf("an answer is laid out as %v", m)
	}
	test.Tap(p.diff)
	if _, ok := d.current().(*comparePage); !ok {
		t.Errorf("Compare shows a %T", d.current())
	}
}

// A run that found no server has played nothing: there is no new recording to
// open or to compare, and the list shows what may be chosen. Why is said in full.
func TestReplayThatNeverBegan(t *testing.T) {
	d := newDesk(t)
	server := d.server("peer", sessiontest.Server())
	path := d.record(server, "good")
	dead := server
	dead.ID, dead.Target.Name, dead.Target.Command = "dead", "dead", filepath.Join(t.TempDir(), strings.Repeat("none", 30))
	d.update(func(s *settings.Settings) { s.Servers = append(s.Servers, dead) })
	p := d.openReplay(path, dead)
	titles := func() (out []string) {
		for _, c := range p.list.list.Columns() {
			out = append(out, c.Title)
		}
		return out
	}
	before := []string{"Event", "Message", "Tool"}
	if got := titles(); !slices.Equal(got, before) {
		t.Errorf("the columns are %q before the run", got)
	}
	d.submitCurrent()
	d.await("the end", func() bool { return p.phase == view.ReplayEnded })
	d.shows("The replay did not begin")
	if p.open.Visible() || p.diff.Visible() || !slices.Equal(titles(), before) {
		t.Errorf("New recording is offered: %v, Compare: %v, the columns are %q", p.open.Visible(), p.diff.Visible(), titles())
	}
	if line := measure.For(theme.Size(fynetheme.SizeNameText), fyne.TextStyle{}).Height(); p.more.Size().Height < 2*line {
		t.Errorf("the reason has the height %v, a line %v", p.more.Size().Height, line)
	}
	labels, _ := p.model.Targets()
	p.model.Choose(slices.IndexFunc(labels, func(l string) bool { return strings.HasSuffix(l, ": "+server.Target.Name) }))
	d.submitCurrent()
	d.await("the outcome", func() bool { return p.phase == view.ReplayEnded && p.live == nil })
	if got := titles(); !slices.Equal(got[len(got)-3:], []string{"Outcome", "Took", "Now"}) || !p.open.Visible() {
		t.Errorf("the columns are %q after a run", got)
	}
}

// A run after another begins afresh, whatever is in sight of the first.
func TestReplayAgainWithDifferencesInSight(t *testing.T) {
	d := newDesk(t)
	script := sessiontest.Server()
	path := d.record(d.server("peer", script), "good", "bad")
	p := d.openReplay(path, d.server("other", script.With("tools/call bad", sessiontest.Reply(`{"content":[{"type":"text","text":"worse"}]}`))))
	run := func() {
		d.submitCurrent()
		d.await("the outcome", func() bool { return p.phase == view.ReplayEnded && p.live == nil })
	}
	run()
	d.shows("1 difference", "different", "Again: only the different")
	p.list.list.Choose(p.model.Rows() - 1)
	d.shows("Differences 1", "worse", "fine")
	p.detail.diffs.Choose(0)
	d.shows("/result/content/0/text")
	place := d.app.Driver().AbsolutePositionForObject
	tabs := place(p.detail.strip)
	if end, at := place(p.detail.line).Y+p.detail.line.Size().Height, place(p.detail.stage).Y; !p.detail.line.Visible() || place(p.detail.line).Y < tabs.Y || at < end {
		t.Errorf("the differences begin at %v, what is said of them ends at %v, the tabs are at %v", at, end, tabs)
	}
	p.detail.show(p.model.Row(p.model.Rows() - 2).Call)
	if gap := place(p.detail.stage).Y - tabs.Y - p.detail.strip.Size().Height; p.detail.line.Visible() || gap > 12 || place(p.detail.strip) != tabs {
		t.Errorf("%v between the tabs and what is below them, which are at %v", gap, place(p.detail.strip))
	}
	test.Tap(p.again)
	d.await("the end", func() bool { return p.phase == view.ReplayEnded && p.live == nil })
	d.shows("1 difference", "skipped")
	d.closePage(p)
	d.work.Wait()
}

// Step by step: the next message stands in an editor, its row is selected, and
// what cannot be sent is said.
func TestReplayStepPage(t *testing.T) {
	d := newDesk(t)
	server := d.server("peer", sessiontest.Server())
	p := d.openReplay(d.record(server, "good"), server)
	p.model.SetPace(view.PaceStep)
	d.submitCurrent()
	next := func(text string) {
		t.Helper()
		d.await("the message "+text, func() bool { return p.detail.step.waits && strings.Contains(p.detail.step.editor.Text(), text) })
	}
	next("tools/list")
	d.shows("Waits before message", "Next message", "As it will be sent: tools/list", "Send and go on", "Skip")
	p.detail.step.editor.SetText("{")
	d.submitCurrent()
	d.shows("Not sent: this is not JSON")
	p.detail.step.editor.SetText(p.model.State().Step.Text)
	d.submitCurrent()
	next(`"good"`)
	if at := p.list.list.Current(); p.model.Row(at).Name != "good" {
		t.Errorf("row %d is selected", at)
	}
	test.Tap(p.pause) // goes on
	d.await("the end", func() bool { return p.phase == view.ReplayEnded && p.live == nil })
	d.shows("No difference")
}

// What the recording has no answer to comes to the tray of the connection, and
// the page of the replay leads there.
func TestReplayQuestionComesToTheTray(t *testing.T) {
	d := newDesk(t)
	path := d.record(d.server("peer", sessiontest.Server()), "good", "bad")
	asks := sessiontest.Line(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{}}}}`)
	p := d.openReplay(path, d.server("curious", sessiontest.Server().With("tools/call good", asks, sessiontest.Reply(sessiontest.CallResult))))
	p.model.SetPace(view.PaceStep)
	d.submitCurrent()
	for sent := 0; ; {
		d.await("the next message", func() bool {
			s := p.model.State().Step
			return s != nil && s.Number > sent && p.detail.step.number == s.Number
		})
		if strings.Contains(p.detail.step.editor.Text(), `"bad"`) {
			break
		}
		sent = p.detail.step.number
		d.submitCurrent()
	}
	d.await("the question", func() bool { return p.asks.Visible() })
	d.shows("The server asks what the recording has no answer to: elicitation/create: Who?", "Answer …")
	p.answer()
	if d.current() != page(p.live) {
		t.Fatalf("the question is shown in %T", d.current())
	}
	d.shows("Who?", "Decline")
	d.show(p)
	test.Tap(p.stop)
	d.await("the end", func() bool { return p.phase == view.ReplayEnded && p.live == nil })
	d.shows("Replay again")
	place := d.app.Driver().AbsolutePositionForObject
	if end, list := place(p.chosen).Y+p.chosen.Size().Height, place(p.list.root).Y; !p.chosen.Visible() || list < end {
		t.Errorf("the list begins at %v, the choices above it end at %v", list, end)
	}
	if p.asks.Visible() || p.tab().Glyph == "?" {
		t.Error("a question of a connection that has ended still waits")
	}
}

func TestServePage(t *testing.T) {
	d := newDesk(t)
	path := d.record(d.server("peer", sessiontest.Server()), "good")
	d.serveRecording(path)
	p, ok := d.current().(*servePage)
	if !ok {
		t.Fatal("no page")
	}
	if d.win.Canvas().Focused() != fyne.Focusable(p.list) {
		t.Errorf("the keyboard is at %T", d.win.Canvas().Focused())
	}
	d.await("the address", func() bool { return p.state.Serving })
	d.shows("Serving what was recorded in 2025-11-25", p.state.URL, "mcploupe serve", "No request has come yet")
	d.connect(settings.Server{Target: session.Target{URL: p.state.URL}})
	client := d.currentConn()
	d.awaitPhase(client, view.Connected)
	d.show(p)
	d.await("the requests", func() bool { return len(p.state.Requests) > 2 })
	d.shows("3 requests, 3 from the recording", "initialize", "tools/list", "answered")
	sess := client.conn.Session()
	call, err := sess.Do(t.Context(), sess.NewRequest(protocol.MethodToolsCall, jsontext.Value(`{"name":"bad"}`)), session.CallOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := call.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.await("the refusal", func() bool { return len(p.state.Remarks) == 1 && len(p.state.Requests) > 3 })
	d.shows("refused", "1 remark")
	p.remarks.Choose(0)
	d.shows("tools/call bad: The recording has no answer to tools/call bad")
	p.list.Choose(slices.IndexFunc(p.state.Requests, func(r view.ServedRow) bool { return r.Word == "answered" }))
	if p.saids.Visible() || p.remarks.Current() >= 0 {
		t.Errorf("a request that was answered is told as %q, remark %d is current", p.said.Text, p.remarks.Current())
	}
	test.Tap(p.copyURL)
	if got := d.app.Clipboard().Content(); got != p.state.URL {
		t.Errorf("copied was %q", got)
	}
	test.Tap(p.stop)
	d.await("the end", func() bool { return !p.state.Serving })
	d.shows("Stopped")
	d.closePage(client)
	d.closePage(p)
	d.work.Wait()
}

// The ways to a replay: the menus of a recording, in its tab and in the sidebar.
func TestReplayIsOffered(t *testing.T) {
	d := newDesk(t)
	path := d.record(d.server("peer", sessiontest.Server()), "good")
	labels := func(items []*fyne.MenuItem) (all []string) {
		for _, i := range items {
			all = append(all, i.Label)
		}
		return all
	}
	d.openRecording(path)
	d.await("the tab", func() bool { return d.currentConn() != nil })
	for where, items := range map[string][]*fyne.MenuItem{
		"tab":     d.currentConn().menuItems(),
		"sidebar": d.fileItems(view.RecordingRow{Path: path}),
	} {
		all := strings.Join(labels(items), "|")
		if !strings.Contains(all, "Replay …") || !strings.Contains(all, "Serve this recording …") {
			t.Errorf("the menu of the %s offers %s", where, all)
		}
	}
	if d.menus.replay.Disabled || d.menus.serve.Disabled {
		t.Error("the main menu does not offer it")
	}
	d.show(d.start)
	if !d.menus.replay.Disabled {
		t.Error("the main menu offers it without a recording")
	}
}

func must(path string, err error) string {
	if err != nil {
		return ""
	}
	return path
}

// With large texts the pages of a recording still fit the window of a small
// screen: what is chosen takes several rows.
func TestReplayAndServeFitASmallWindowWithLargeTexts(t *testing.T) {
	d := newDesk(t)
	server := d.server("peer", sessiontest.Server())
	path := d.record(server, "good", "bad")
	d.large()
	fits := func(what string) {
		t.Helper()
		d.fits(what)
		if least := d.win.Content().MinSize().Width; least > 1278 {
			t.Errorf("%s: the window is at least %v wide", what, least)
		}
	}
	p := d.openReplay(path, server)
	fits("before a replay")
	d.submitCurrent()
	d.await("the outcome", func() bool { return p.phase == view.ReplayEnded && p.live == nil })
	fits("after it")
	d.serveRecording(path)
	fits("serving")
	d.openRecording(path)
	d.await("the recording", func() bool { return d.pageOfFile(path) != nil })
	fits("a recording")
}

// What the recording does not hold of its server is said in whole, in lines of
// its own, and only as long as that server is the target.
func TestReplaySaysWhatTheRecordingDoesNotHold(t *testing.T) {
	d := newDesk(t)
	server := d.server("peer", sessiontest.Server())
	server.Target.Env = append(server.Target.Env, session.EnvVar{Name: "A_TOKEN", Value: "hunter22", Secret: true})
	path := d.record(server, "good")
	d.update(func(s *settings.Settings) { s.Servers = nil })
	d.replayRecording(path)
	p := d.current().(*replayPage)
	d.await("the recording", func() bool { return p.phase == view.ReplayReady })
	if n := p.setup.note; !n.Visible() || n.Truncation != fyne.TextTruncateOff || !strings.Contains(n.Text, "the value of A_TOKEN") {
		t.Errorf("said is %q, shown %v", n.Text, n.Visible())
	}
	labels, _ := p.model.Targets()
	p.model.Choose(len(labels) - 1)
	p.setup.refresh()
	if p.setup.note.Visible() {
		t.Errorf("of another target is said %q", p.setup.note.Text)
	}
}
