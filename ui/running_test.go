package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"mcploupe/protocol"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/view"

	"github.com/go-json-experiment/json/jsontext"
)

// workingServer reports progress on a call and never answers it.
func workingServer() sessiontest.Script {
	return sessiontest.Server().With("tools/call",
		sessiontest.Line(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":{{token}},"progress":1,"total":4,"message":"first\u202e part"}}`),
		sessiontest.Line(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":{{token}},"progress":0.5,"total":4,"message":"back"}}`))
}

// startCalls sends calls and waits until the strip shows as many.
func startCalls(t *testing.T, d *desk, p *connPage, n int) {
	t.Helper()
	for range n {
		if _, err := p.conn.Send(view.Request{Method: protocol.MethodToolsCall, Params: jsontext.Value(`{"name":"good"}`)}, p.env.Changed); err != nil {
			t.Fatal(err)
		}
	}
	d.await("the strip", func() bool {
		rows := p.running.runs.Rows()
		return p.running.root.Visible() && len(rows) == n && rows[n-1].Odd != ""
	})
}

func TestTheStripOfRunningCalls(t *testing.T) { // PROG-07, CAN-03, CAN-11
	d, p := offered(t, workingServer())
	top := p.room.Position()
	if p.running.root.Visible() {
		t.Error("a strip though nothing runs")
	}
	startCalls(t, d, p, 2)
	d.shows("2 running", "good", "0.5 of 4", "progress went back")
	if p.room.Position() != top {
		t.Errorf("the panes moved from %v to %v", top, p.room.Position())
	}
	if !p.running.share.Visible() || p.running.share.share != 0.125 {
		t.Errorf("the bar shows %v", p.running.share.share)
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject
	p.running.share.set(view.RunRow{}) // a first report comes only after a while
	p.running.line.Refresh()
	p.running.refresh()
	if end, words := at(p.running.share).X+p.running.share.Size().Width, at(p.running.words).X; end > words || p.running.share.Size().Width < 40 {
		t.Errorf("the bar ends at %v, the words begin at %v", end, words)
	}
	test.Tap(p.running.more)
	board := p.running.board
	if !board.pop.Visible() || board.list.Count() != 2 {
		t.Fatalf("the board has %d rows", board.list.Count())
	}
	if !strings.Contains(board.way.Text, "notifications/cancelled") || board.reason.Disabled() {
		t.Errorf("it says %q", board.way.Text)
	}
	board.reason.SetText("took too long")
	board.list.Choose(1)
	test.Tap(board.stop)
	d.await("one call", func() bool { p.flush(); return len(p.running.runs.Rows()) == 1 })
	d.await("the reason", func() bool { return strings.Contains(sent(t, p), `"reason":"took too long"`) })
	if board.list.Count() != 1 || board.all.Visible() {
		t.Errorf("the board has %d rows", board.list.Count())
	}
	test.Tap(p.running.stop)
	d.await("no call", func() bool { p.flush(); return !p.running.root.Visible() })
	if board.pop.Visible() {
		t.Error("the board of nothing is open")
	}
	if got := d.store.Get().CancelReason; got != "took too long" {
		t.Errorf("the reason kept is %q", got)
	}
	startCalls(t, d, p, 3)
	test.Tap(p.running.more)
	board.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDelete})
	d.await("two calls", func() bool { p.flush(); return len(p.running.runs.Rows()) == 2 })
	p.cancelRunning()
	d.await("no call", func() bool { p.flush(); return !p.running.root.Visible() })
}

func TestARunningCallLeadsToItsPlace(t *testing.T) {
	d, p := offered(t, workingServer())
	startCalls(t, d, p, 1)
	test.Tap(p.running.title)
	tools, ok := p.front().(*toolsPane)
	if !ok || tools.panel.now == nil || tools.panel.now.entry.Name != "good" {
		t.Errorf("it leads to %T", p.front())
	}
	p.submit()
	d.await("the progress in the place of the result", func() bool { p.flush(); return strings.Contains(tools.panel.result.head.Text, "0.5 of 4") })
	result := tools.panel.result
	if !result.bar.Visible() || !strings.Contains(result.message.Text, "L-PROG-02") {
		t.Errorf("it says %q below %q", result.message.Text, result.head.Text)
	}
	test.Tap(result.reason)
	if board := p.running.board; board == nil || !board.pop.Visible() {
		t.Error("no board to give a reason")
	}
}

func TestALateAnswerComesToThePanel(t *testing.T) { // CAN-05, CAN-06, case 135
	d, p := offered(t, sessiontest.Server().With("tools/call", sessiontest.Delay(300_000_000), sessiontest.Reply(sessiontest.CallResult)))
	tools := paneOf[*toolsPane](t, d, p)
	tools.list.list.Choose(0)
	p.submit()
	test.Tap(tools.panel.result.cancel)
	finish(d, p, tools.panel)
	d.shows("Cancelled")
	d.await("the late answer", func() bool {
		p.flush()
		return strings.Contains(tools.panel.result.head.Text, "after it was cancelled")
	})
	if parts := tools.panel.result.outcome.Parts; string(parts[0].Body) != "fine" {
		t.Errorf("it shows %s", parts[0].Body)
	}
}

// The keys for what runs say so when nothing does.
func TestNothingRunning(t *testing.T) {
	d := newDesk(t)
	p := d.open(d.server("peer", sessiontest.Server()), view.Connected)
	for _, do := range []func(){p.showRunning, p.cancelRunning} {
		d.notes.label.SetText("")
		if do(); d.notes.label.Text != "No call is running on this connection" {
			t.Errorf("it says %q", d.notes.label.Text)
		}
	}
}
