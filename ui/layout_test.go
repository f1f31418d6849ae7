package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"mcploupe/session/sessiontest"
	"mcploupe/ui/settings"
	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
)

func TestLayoutIsKept(t *testing.T) {
	d := newDesk(t)
	p := d.open(d.server("peer", sessiontest.Server()), view.Connected)
	d.split.SetOffset(0.3)
	p.split.SetOffset(0.4)
	p.time.split.SetOffset(0.7)
	tools, ok := p.panes[1].(*toolsPane)
	if !ok {
		t.Fatal("no tools")
	}
	tools.root.(*container.Split).SetOffset(0.35)
	room := tools.panel.room
	room.split.SetOffset(0.6)
	room.setSlim(true)
	room.split.SetOffset(0.2)
	d.saveLayout()
	splits := d.store.Get().Window.Splits
	if splits["side"] != 0.3 || splits["timeline"] != 0.4 || splits["detail"] != 0.7 || splits["tools"] != 0.35 || splits["form"] != 0.6 || splits["form slim"] != 0.2 {
		t.Errorf("kept %v", splits)
	}
	next := newConnPage(d.UI, settings.Server{})
	defer func() {
		if err := next.drop(); err != nil {
			t.Error(err)
		}
	}()
	if next.split.Offset != 0.4 || next.time.split.Offset != 0.7 {
		t.Errorf("a new tab has %v and %v", next.split.Offset, next.time.split.Offset)
	}
}

// A bar that moves draws the window all the time: there is none but while a
// connection is being made in sight.
func TestNothingMovesInAnIdleWindow(t *testing.T) {
	d := newDesk(t)
	d.connect(d.server("slow", sessiontest.Script{Steps: []sessiontest.Step{sessiontest.Hang()}}))
	p := d.currentConn()
	bar := p.report.busy.bar
	if bar == nil {
		t.Fatal("no bar while connecting")
	}
	d.show(d.start)
	if p.report.busy.bar != nil || bar.Running() {
		t.Error("the bar moves behind another tab")
	}
	d.show(p)
	bar = p.report.busy.bar
	if bar == nil {
		t.Fatal("no bar after coming back")
	}
	p.conn.Disconnect()
	d.awaitPhase(p, view.Disconnected)
	p.flush()
	if p.report.busy.bar != nil || bar.Running() {
		t.Error("the bar moves after the end")
	}
}

// The current tab is in sight however late the strip gets its room.
func TestCurrentTabIsInSight(t *testing.T) {
	test.NewTempApp(t)
	s := newTabStrip(func(int) {}, nil)
	var tabs []stripTab
	for _, text := range []string{"Pretty", "Raw", "Hex", "Headers", "Timing", "Problems"} {
		tabs = append(tabs, stripTab{Text: text})
	}
	s.Set(tabs, 0)
	w := test.NewTempWindow(t, s)
	inSight := func(width float32) {
		t.Helper()
		w.Resize(fyne.NewSize(width, 60))
		item := s.tabs[s.current]
		if left := item.Position().X - s.scroll.Offset.X; left < 0 || left+item.Size().Width > s.scroll.Size().Width {
			t.Errorf("%v wide: tab %d stands at %v of %v", width, s.current, left, s.scroll.Size().Width)
		}
	}
	inSight(200)
	s.Set(tabs, 5)
	inSight(200)
	inSight(120)
	inSight(600)
}

// What a tab of the window leaves out is shown under the mouse, and how many
// questions wait is never left out.
func TestTabsThatAreCutShowAllOfTheirText(t *testing.T) {
	d := newDesk(t)
	d.strip.Set([]stripTab{{Text: "short"}, {Text: "a name that is longer than a tab may be"}}, 0)
	d.strip.tabs[0].MouseIn(&desktop.MouseEvent{})
	turn := d.tip.turn
	d.strip.tabs[1].MouseIn(&desktop.MouseEvent{})
	if d.tip.turn == turn {
		t.Error("a tab that is cut tells nothing")
	}
	d.strip.tabs[1].MouseOut()
	turn = d.tip.turn
	d.strip.tabs[0].MouseIn(&desktop.MouseEvent{})
	if d.tip.turn != turn {
		t.Error("a tab that is whole tells itself twice")
	}
	d.notes.notify(strings.Repeat("a line that goes on ", 30))
	d.notes.label.MouseIn(&desktop.MouseEvent{})
	if d.tip.turn == turn {
		t.Error("a note that is cut tells nothing")
	}
}

func TestTabOfALongNameSaysThatItAsks(t *testing.T) {
	_, p, _ := asking(t, askServer(formQuestion), 1)
	server := p.conn.Server()
	server.Target.Name = "a server with a name longer than a tab"
	p.conn.SetServer(server)
	tab := p.tab()
	if !strings.HasSuffix(safe.Line(tab.Text, stripRunes), " asks 1") || !strings.Contains(tab.Whole, "longer than a tab asks 1") {
		t.Errorf("it says %q of %q", tab.Text, tab.Whole)
	}
}

// No page asks for more width than a small screen has, with large texts too: the
// window would grow beyond its edge.
func TestNoPageMakesTheWindowWiderThanTheScreen(t *testing.T) {
	const screen = 1278
	d := newDesk(t)
	d.win.Resize(fyne.NewSize(screen, 747))
	d.changeSettings(func(s *settings.Settings) { s.Zoom = 150 })
	p := d.open(d.server("peer", sessiontest.Server()), view.Connected)
	d.await("panes of the connection", func() bool { return !p.reporting })
	fits := func(what string) {
		t.Helper()
		if least := d.win.Content().MinSize().Width; least > screen {
			t.Errorf("%s: the window is at least %v wide", what, least)
		}
	}
	for i, pane := range p.panes {
		p.showPane(i)
		fits(pane.Title())
		if tasks, ok := pane.(*tasksPane); ok {
			if text, room := tasks.page.empty.Size().Width, tasks.page.root.Size().Width; text < room/2 {
				t.Errorf("what says that there are no tasks has %v of %v to wrap in", text, room)
			}
		}
	}
	for _, show := range []func(){d.newConnection, func() { d.newComparison() }, d.openSettings, d.importServers, d.helpHere, p.replay, p.serve, p.check} {
		show()
		fits(d.current().tab().Text)
	}
}
