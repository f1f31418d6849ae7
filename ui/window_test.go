package ui

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"mcploupe/recorder"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/settings"
	"mcploupe/ui/view"
)

func textOf(o fyne.CanvasObject) string {
	if t, ok := o.(*canvas.Text); ok {
		return t.Text
	}
	return ""
}

// shows fails unless every text is somewhere in the window.
func (d *desk) shows(want ...string) {
	d.t.Helper()
	all := strings.ReplaceAll(texts(d.win.Content()), "\n", " ")
	for _, text := range want {
		if !strings.Contains(all, text) {
			d.t.Errorf("the window does not show %q; it shows: %s", text, all)
		}
	}
}

func TestStartPageIsAUsefulFirstScreen(t *testing.T) {
	d := newDesk(t)
	d.shows("Try the demo", "Connect", "Open recording", "Recent servers", "SERVERS")
	if size := d.win.Content().MinSize(); size.Width > 1000 || size.Height > 600 {
		t.Errorf("the window needs %v", size)
	}
}

func TestConnectFromTheForm(t *testing.T) {
	d := newDesk(t)
	command, args, env := sessiontest.Server().Command(t)
	d.newConnection()
	form, ok := d.current().(*connectPage)
	if !ok {
		t.Fatal("Ctrl+N shows no form")
	}
	test.Type(form.line, env[0]+" "+command+" "+args[0])
	d.shows("Program", command, "Argument 1", args[0])
	form.line.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	p := d.currentConn()
	if p == nil {
		t.Fatal("Enter does not connect")
	}
	d.awaitPhase(p, view.Connected)
	d.await("tools", func() bool { return strings.Contains(strings.Join(view.HeadOf(p.conn).Parts, " "), "2 tools") })
	p.flush()
	d.shows("sessiontest 1", "connected", "2 tools", "Disconnect", "initialize")
	if n := len(d.store.Get().Servers); n != 1 {
		t.Errorf("%d servers saved, want 1", n)
	}
	if len(d.store.Get().Recent) != 1 {
		t.Error("the recording is not among the recent ones")
	}
	d.closeTab(d.active)
	if d.currentConn() != nil {
		t.Error("the tab is still there")
	}
	d.await("end of the server", func() bool { d.work.Wait(); return true })
	if _, err := os.Stat(p.conn.Path()); err != nil {
		t.Errorf("closing the tab took the recording: %v", err)
	}
}

func TestFormSaysWhatIsWrong(t *testing.T) {
	d := newDesk(t)
	d.newConnection()
	form := d.current().(*connectPage)
	form.submit(true)
	d.shows("enter a command line or an address")
	test.Type(form.line, `"unfinished`)
	if form.problem.Hidden {
		t.Error("an unfinished quote is not named while typing")
	}
	form.line.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if d.current() != page(d.start) {
		t.Error("Escape does not close the form")
	}
}

func TestFailedConnectIsAPage(t *testing.T) {
	d := newDesk(t)
	p := d.open(d.server("broken", sessiontest.Script{Steps: []sessiontest.Step{
		sessiontest.Stderr("cannot open database\n"), sessiontest.Exit(3),
	}}), view.Failed)
	p.flush()
	d.shows("Could not connect to broken", "exit code 3", "Retry", "Edit", "Copy report", "What to try", "failed")
	if got := view.ReportOf(p.conn).Text(); !strings.Contains(got, "cannot open database") {
		t.Errorf("report:\n%s", got)
	}
	rows := view.ServerRows(d.store.Get().Servers, d.conns(), time.Now())
	if len(rows) != 1 || rows[0].Word != "failed" {
		t.Errorf("sidebar %+v", rows)
	}
}

func TestLostConnectionIsABar(t *testing.T) {
	d := newDesk(t)
	p := d.open(d.server("fragile", sessiontest.Server().With("ping", sessiontest.Stderr("out of memory\n"), sessiontest.Exit(9))), view.Connected)
	sess := p.conn.Session()
	if err := sess.Write(t.Context(), []byte(`{"jsonrpc":"2.0","id":"x","method":"ping"}`)); err != nil {
		t.Fatal(err)
	}
	d.awaitPhase(p, view.Lost)
	d.await("last words", func() bool { p.flush(); return p.bar.shown != nil && p.bar.shown.Detail != "" })
	d.shows("Connection lost", "exit code 9", "out of memory", "Overview")
	events := p.time.list.Count()
	if events == 0 {
		t.Fatal("the timeline is gone")
	}
	test.Tap(p.bar.action)
	d.awaitPhase(p, view.Connected)
	p.flush()
	if p.bar.root.Visible() {
		t.Error("the bar stays after reconnecting")
	}
	p.flushRows()
	if p.time.list.Count() <= events {
		t.Error("the timeline did not go on")
	}
}

// Between two looks of the window a connection may come and go.
func TestConnectionLostBeforeTheWindowLooksIsABar(t *testing.T) {
	d := newDesk(t)
	script := sessiontest.Server().With("tools/list", sessiontest.Stderr("no licence\n"), sessiontest.Exit(9))
	d.connect(d.server("fragile", script))
	p := d.currentConn()
	d.queue.run()
	late := time.Now().Add(20 * time.Second)
	for phase := view.Connecting; phase != view.Lost; phase, _ = p.conn.Phase() {
		if time.Now().After(late) {
			t.Fatal("the connection is not lost")
		}
		if p.conn.Made() > 0 {
			p.conn.Take()
		}
		runtime.Gosched()
	}
	d.await("last words", func() bool { p.flush(); return p.bar.shown != nil && p.bar.shown.Detail != "" })
	d.shows("Connection lost", "exit code 9", "no licence", "Overview")
}

func TestRecordingOpensWithoutAServer(t *testing.T) {
	d := newDesk(t)
	p := d.open(d.server("peer", sessiontest.Server()), view.Connected)
	path := p.conn.Path()
	d.closeTab(d.active)
	d.work.Wait()
	d.openRecording(path)
	d.await("the tab", func() bool { return d.currentConn() != nil })
	p = d.currentConn()
	d.shows("recording", "initialize", "Events", filepath.Base(path))
	if p.time.list.Count() == 0 {
		t.Error("the timeline is empty")
	}
	d.openRecording(path)
	if len(d.pages) != 2 {
		t.Errorf("%d tabs after opening the file twice", len(d.pages))
	}
}

func TestRecordingThatIsNone(t *testing.T) {
	d := newDesk(t)
	path := filepath.Join(t.TempDir(), "x"+view.RecordingExt)
	if err := os.WriteFile(path, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.openRecording(path)
	d.await("a dialog", func() bool { return d.win.Canvas().Overlays().Top() != nil })
	if len(d.pages) != 1 {
		t.Error("a tab for a file that is no recording")
	}
}

// UI rule: what a server says never makes the window need more room.
func TestHostileTextDoesNotGrowTheWindow(t *testing.T) {
	d := newDesk(t)
	before := d.win.Content().MinSize()
	long := strings.Repeat("W", 20000)
	evil := "\\u202e\\u0000" + long
	init := fmt.Sprintf(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"%s":{"%s":true}},"serverInfo":{"name":"%s","title":"%s","version":"%s"},"instructions":"%s %s"}`,
		long, long, evil, evil, evil, evil, strings.Repeat("line\\n", 3000))
	script := sessiontest.Server().With("initialize", sessiontest.Stderr(long+"\n"+strings.Repeat("x\n", 5000)), sessiontest.Reply(init)).
		With("tools/list", sessiontest.Line(`{"jsonrpc":"2.0","method":"`+long+`"}`), sessiontest.ReplyError("-1", long))
	server := d.server(long, script)
	p := d.open(server, view.Connected)
	d.await("the flood", func() bool { return p.conn.Log().Len() > 12 })
	p.flush()
	p.flushRows()
	for seq := uint64(1); seq <= p.conn.Log().Len(); seq++ {
		p.showEvent(seq)
		for i := range numDocs {
			p.time.detail.showDoc(i)
		}
	}
	p.showReport(true)
	d.notes.notify(long)
	after := d.win.Content().MinSize()
	if after.Width > before.Width+700 || after.Width > 1200 || after.Height > 700 {
		t.Errorf("the window needs %v after %v", after, before)
	}
	if strings.Contains(texts(d.win.Content()), "\u202e") {
		t.Error("a character that reorders text is drawn")
	}
}

// A burst is drawn in few flushes, of which at most one waits for each pump.
func TestBurstIsCoalesced(t *testing.T) {
	d := newDesk(t)
	p := d.open(d.server("peer", sessiontest.Server()), view.Connected)
	d.await("quiet", func() bool { return p.conn.Log().Len() > 5 })
	log := p.conn.Log()
	d.queue.run()
	d.queue.mu.Lock()
	d.queue.most, d.queue.total = 0, 0
	d.queue.mu.Unlock()
	const burst = 100_000
	before := log.Len()
	start := time.Now()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range burst {
			log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindMessage, Channel: "stdio",
				Data: fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":%d}}`, i)})
		}
	}()
	d.await("all rows", func() bool { return p.time.list.Count() >= int(before)+burst })
	<-done
	took := time.Since(start)
	d.queue.mu.Lock()
	most, total := d.queue.most, d.queue.total
	d.queue.mu.Unlock()
	if most > 2 {
		t.Errorf("%d functions waited for the UI goroutine at once, want at most one a pump", most)
	}
	if limit := int(took/soonEvery)*2 + 10; total > limit {
		t.Errorf("%d flushes in %v, want at most %d", total, took, limit)
	}
	t.Logf("%d events in %v: %d flushes, at most %d waiting", burst, took, total, most)
}

// Rows keep their place while others arrive.
func TestSelectedRowStays(t *testing.T) {
	d := newDesk(t)
	p := d.open(d.server("peer", sessiontest.Server()), view.Connected)
	d.await("quiet", func() bool { return p.conn.Log().Len() > 5 })
	p.flushRows()
	p.showEvent(3)
	if p.time.list.Current() != 2 || p.time.list.Following() || p.time.follow.Checked {
		t.Fatalf("row %d selected, following %v", p.time.list.Current(), p.time.list.Following())
	}
	place, _ := p.time.list.Place()
	for range 500 {
		p.conn.Log().Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindMessage, Channel: "stdio", Data: []byte(`{"jsonrpc":"2.0","method":"x"}`)})
	}
	p.flushRows()
	if now, _ := p.time.list.Place(); now != place || p.time.list.Current() != 2 {
		t.Errorf("row %d is first and %d is selected, were %d and 2", now, p.time.list.Current(), place)
	}
	test.Type(p.time.filter.field, "method:initialize")
	d.await("the filter", func() bool { return p.time.list.Count() == 2 })
	p.showEvent(1) // hidden by the filter
	if p.time.filter.text() != "" || p.time.list.Current() != 0 {
		t.Errorf("filter %q, row %d", p.time.filter.text(), p.time.list.Current())
	}
}

func TestFilterProblemIsShownAtThePlace(t *testing.T) {
	d := newDesk(t)
	p := d.open(d.server("peer", sessiontest.Server()), view.Connected)
	p.flushRows()
	rows := p.time.list.Count()
	p.time.filter.setText("dur>fast")
	if p.time.line.Problem() == "" || p.time.list.Count() < rows {
		t.Errorf("problem %q, %d rows", p.time.line.Problem(), p.time.list.Count())
	}
	p.time.filter.field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if p.time.line.Problem() != "" || p.time.filter.text() != "" {
		t.Errorf("after Escape: %q, %q", p.time.filter.text(), p.time.line.Problem())
	}
}

func TestShortcutsSitOnTheMenuAndDiffer(t *testing.T) {
	d := newDesk(t)
	seen := map[string]string{}
	var walk func(items []*fyne.MenuItem)
	walk = func(items []*fyne.MenuItem) {
		for _, i := range items {
			if i.Shortcut != nil {
				name := i.Shortcut.ShortcutName()
				if other, taken := seen[name]; taken {
					t.Errorf("%s is on %q and %q", name, other, i.Label)
				}
				seen[name] = i.Label
			}
			if i.ChildMenu != nil {
				walk(i.ChildMenu.Items)
			}
		}
	}
	for _, m := range d.menus.main.Items {
		walk(m.Items)
	}
	for _, want := range []fyne.Shortcut{
		key(fyne.KeyN, ctrl), key(fyne.KeyO, ctrl), key(fyne.KeyF, ctrl), key(fyne.KeyR, ctrl|fyne.KeyModifierShift), key(fyne.Key1, ctrl),
		key(fyne.Key9, ctrl), key(fyne.KeyW, ctrl), key(fyne.KeyJ, ctrl), key(fyne.KeyQ, ctrl),
	} {
		if seen[want.ShortcutName()] == "" {
			t.Errorf("%s is on no menu item", want.ShortcutName())
		}
	}
}

func TestThemeIsKept(t *testing.T) {
	d := newDesk(t)
	d.setTheme(settings.ThemeLight)
	if !d.menus.themes[settings.ThemeLight].Checked || d.menus.themes[settings.ThemeSystem].Checked {
		t.Error("the menu does not show the theme")
	}
	again, err := settings.Load(d.store.Path())
	if err != nil || again.Get().Theme != settings.ThemeLight {
		t.Errorf("kept %q, %v", again.Get().Theme, err)
	}
}

func TestDialogsOpen(t *testing.T) {
	d := newDesk(t)
	address, err := url.Parse("https://h.example/a?b=c")
	if err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]func(){
		"open recording": d.chooseRecording,
		"choose a file":  func() { d.chooseFile(func(func(context.Context)) {}, func(string, []byte) {}) },
		"save":           func() { d.saveFile("../a\x00b", []byte("x")) },
		"about":          d.about,
		"filter help":    d.filterHelp,
		"keyboard help":  d.keyboardHelp,
		"address":        func() { d.openURL(address) },
		"refused":        func() { d.openURL(&url.URL{Scheme: "file", Path: "/etc/passwd"}) },
		"remove":         func() { d.removeServer(settings.Server{}) },
		"error":          func() { d.fail(strings.Repeat("W", 500), errors.New(strings.Repeat("word ", 5000))) },
	} {
		open()
		top := d.win.Canvas().Overlays().Top()
		if top == nil {
			t.Errorf("%s: no dialog", name)
			continue
		}
		if size := top.MinSize(); size.Width > 1000 || size.Height > 700 {
			t.Errorf("%s: the dialog needs %v", name, size)
		}
		d.win.Canvas().OnTypedKey()(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if d.win.Canvas().Overlays().Top() != nil {
			t.Errorf("%s: Escape does not close it", name)
			d.win.Canvas().Overlays().Remove(d.win.Canvas().Overlays().Top())
		}
	}
}

func TestFileNameLeadsNowhere(t *testing.T) {
	for in, want := range map[string]string{
		"a.png": "a.png", "../../etc/passwd": "_.._etc_passwd", "": "file", "..": "file", "a\x00b": "a‹NUL›b", "C:\\x": "C__x",
	} {
		if got := fileName(in); got != want {
			t.Errorf("fileName(%q) = %q, want %q", in, got, want)
		}
	}
}

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

func TestTimelineFoldsToALine(t *testing.T) {
	d := newDesk(t)
	p := d.open(d.server("peer", sessiontest.Server()), view.Connected)
	p.flushRows()
	before := p.content.Size().Height
	test.Tap(p.time.fold)
	if p.time.split.Visible() || !d.menus.fold.Checked || !d.store.Get().Window.Folded {
		t.Error("the timeline is not folded, or that is not kept")
	}
	if now := p.content.Size().Height; now < before+100 || now+60 < p.room.Size().Height {
		t.Errorf("the panes have %v of %v, had %v", now, p.room.Size().Height, before)
	}
	next := newConnPage(d.UI, settings.Server{})
	if next.time.split.Visible() {
		t.Error("a new tab shows its timeline")
	}
	if err := next.drop(); err != nil {
		t.Error(err)
	}
	p.showEvent(1) // what leads to an event shows the events
	if !p.time.split.Visible() || p.content.Size().Height != before || d.menus.fold.Checked {
		t.Errorf("the timeline is not back: the panes have %v, had %v", p.content.Size().Height, before)
	}
}

func TestSidebarWithoutAMouse(t *testing.T) {
	d := newDesk(t)
	d.server("one", sessiontest.Server())
	item := d.side.items[0]
	d.win.Canvas().Focus(item)
	if !item.focused {
		t.Fatal("the server does not take the keyboard")
	}
	item.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	if d.win.Canvas().Overlays().Top() == nil {
		t.Error("no menu")
	}
	d.win.Canvas().Overlays().Remove(d.win.Canvas().Overlays().Top())
	item.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if d.currentConn() == nil {
		t.Error("Enter opens nothing")
	}
}

func TestServersCanBeDuplicatedAndRemoved(t *testing.T) {
	d := newDesk(t)
	server := d.server("one", sessiontest.Server())
	d.duplicate(server)
	if got := d.store.Get().Servers; len(got) != 2 || got[1].Target.Name != "one copy" || got[1].ID == server.ID {
		t.Fatalf("servers %+v", got)
	}
	d.shows("one copy", "never connected")
	if again := d.save(settings.Server{Target: server.Target}); again.ID != server.ID || len(d.store.Get().Servers) != 2 {
		t.Errorf("the same server is kept twice: %+v", d.store.Get().Servers)
	}
	d.side.open(d.side.rows[1])
	p := d.currentConn()
	if p == nil {
		t.Fatal("a click opened nothing")
	}
	if phase, _ := p.conn.Phase(); phase != view.Idle || p.conn.Log() != nil {
		t.Errorf("a click on a server made it %s", phase.Word())
	}
	d.shows("Nothing has been started or sent")
}
