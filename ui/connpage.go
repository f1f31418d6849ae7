package ui

import (
	"fmt"
	"net/url"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"mcploupe/session"
	"mcploupe/ui/pump"
	"mcploupe/ui/settings"
	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// connPage is the tab of a connection or of a recording: its head line, a bar
// when something happened, the panes, and the timeline below.
type connPage struct {
	u    *UI
	conn *view.Conn
	env  *Env

	soon *pump.Pump // state, answers, questions
	bulk *pump.Pump // rows of the timeline

	root    *fyne.Container
	head    *headLine
	bar     *statusBar
	asks    *askBar
	running *runStrip
	strip   *tabStrip
	panes   []Pane
	at      int
	content *fyne.Container
	stage   *fyne.Container // the panes, which scroll where there is little room
	report  *reportView
	time    *timelinePane
	split   *container.Split
	room    *fyne.Container // the panes and the timeline, between them the bar unless that is folded

	visible       bool
	whole         bool // the timeline has the page, the panes are out of sight
	reporting     bool // the report covers the panes
	everConnected bool
	made          int // connections that the page knows of
	remembered    string
	restored      int        // number of the restoration that was told of
	recovered     int        // turn for the better of the recording that was told of
	asked         int        // questions that the desktop was told of
	unfinished    *pump.Pump // keeps the tasks that are not over
}

// soonEvery is the shortest time between two flushes of state: an answer is
// seen at once, a storm of changes thirty times a second.
const soonEvery = time.Second / 30

// The share of the panes, of a recording without a server less: its events are
// what is read.
const timelineOffset, recordedOffset = 0.64, 0.45

// newConnShell is a page whose connection is still to be made, with the pumps
// that the connection marks.
func newConnShell(u *UI) *connPage {
	p := &connPage{u: u}
	p.soon = pump.New(u.cfg.Do, u.cfg.Clock, soonEvery, u.drawing(p, p.flush))
	p.bulk = pump.New(u.cfg.Do, u.cfg.Clock, pump.FollowTail, u.drawing(p, p.flushRows))
	p.unfinished = pump.New(u.cfg.Do, u.cfg.Clock, keepTasksEvery, p.keepTasks)
	return p
}

// newConnPage is the page of a server that is not connected to yet.
func newConnPage(u *UI, server settings.Server) *connPage {
	if server.ID == "" {
		server = u.cfg.Settings.Get().NewServers.Of(server)
	}
	p := newConnShell(u)
	p.build(view.NewConn(server, p.options()), livePanes())
	if at := u.cfg.Settings.Get().Window.Pane; at > 0 && at < len(p.panes) {
		p.at = at
	}
	p.reporting = true
	p.layout()
	return p
}

// options are what a connection of this page needs.
func (p *connPage) options() view.ConnOptions {
	return view.ConnOptions{
		RecordingDir: p.u.recordingDir(), App: p.u.cfg.app(), Client: p.u.cfg.Client, Capabilities: *p.u.cfg.Capabilities,
		Limits: p.u.cfg.Settings.Get().Limits, Now: p.u.cfg.now, Open: p.u.cfg.Open, Resolve: p.u.resolve,
		Changed: p.soon.Mark, Grown: p.bulk.Mark,
		Fresh: func() (string, settings.Limits) { return p.u.recordingDir(), p.u.cfg.Settings.Get().Limits },
	}
}

// build makes the widgets for conn.
func (p *connPage) build(conn *view.Conn, makers []PaneMaker) {
	p.conn = conn
	p.env = p.newEnv()
	p.head = newHeadLine(p)
	p.bar = newStatusBar(p)
	p.asks = newAskBar(p)
	p.running = newRunStrip(p)
	p.strip = newTabStrip(p.showPane, nil)
	p.content = container.NewStack()
	p.time = newTimelinePane(p)
	p.report = newReportView(p)
	for _, maker := range makers {
		p.panes = append(p.panes, maker(conn, p.env))
	}
	p.stage = newFit(p.content, panesLeast)
	p.split = container.NewVSplit(p.stage, container.New(&fitLayout{timelineLeast}, p.time.object()))
	if phase, _ := conn.Phase(); phase == view.File {
		p.env.splits.add("recorded timeline", p.split, recordedOffset)
	} else {
		p.env.splits.add("timeline", p.split, timelineOffset)
	}
	p.room = container.New(&fitLayout{pageLeast})
	p.root = widget.Border(container.NewVBox(p.head.object(), p.bar.object(), p.asks.object(), widget.Border(nil, nil, nil, p.running.object(), p.strip), widget.NewSeparator()), nil, nil, nil, p.room)
	p.layTimeline()
}

func (p *connPage) newEnv() *Env {
	u := p.u
	var connect func()
	if _, ok := u.recordedServer(p.conn.Server().Target); ok {
		connect = p.connectRecorded
	}
	return &Env{
		ConnectRecorded: connect,
		Window:          u.win, Do: u.cfg.Do, Now: u.cfg.now, Clock: u.cfg.Clock, Clipboard: u.app.Clipboard(), Settings: u.cfg.Settings, Ask: u.showDialog,
		Go: p.conn.Go, Changed: p.soon.Mark, ShowEvent: p.showEvent, ShowCall: func(method, name string) { p.showCall(method, name) }, ShowRounds: p.showRounds, TakeCall: p.takeCall,
		OpenURL:      func(address *url.URL) { u.openURL(address) },
		ReadResource: p.readResource, FilterEvents: p.filterEvents, ShowWatch: p.showWatch,
		OpenFile: u.openFile, SaveFile: u.saveFile, ChooseFolder: u.chooseFolder,
		ChooseFile: func(done func(string, []byte)) { u.chooseFile(p.conn.Go, done) }, splits: &splits{kept: u.splitOffset}, tip: u.tip,
		cost: p.showCost, state: p.conn.State, runOf: func(c session.CallState) view.RunRow { return p.running.row(c) }, runs: func(key uint64) { p.running.open(key) }, ShowAsk: p.showAsk, ShowTask: p.showTask,
		Notify: u.notes.notify, Fail: u.fail, SendRaw: p.sendRaw,
	}
}

func (p *connPage) object() fyne.CanvasObject { return p.root }

func (p *connPage) tab() stripTab {
	phase, _ := p.conn.Phase()
	tab := stripTab{Glyph: phase.Glyph(), Tone: phase.Tone(), Text: p.conn.Title(), Closes: true}
	if bar, asks := view.AskBarOf(p.conn.State()); asks && phase.Live() {
		tab.Glyph, tab.Tone = "?", view.Caution
		asks := fmt.Sprintf(" asks %d", bar.Count)
		tab.Whole = tab.Text + asks
		tab.Text = safe.Line(tab.Text, stripRunes-len(asks)) + asks
	}
	return tab
}

func (p *connPage) shown() {
	p.visible = true
	p.flush()
	p.flushRows()
	if !p.reporting {
		p.panes[p.at].Shown()
	}
}

func (p *connPage) hidden() {
	if !p.reporting {
		p.panes[p.at].Hidden()
	}
	p.visible = false
	p.report.pulse()
}

// drop ends the connection and closes its recording.
func (p *connPage) drop() error {
	var err error
	if p.conn != nil { // nil when it never came to one
		p.conn.Take()
		p.keepTasks()
		err = p.conn.Close()
	}
	p.soon.Close()
	p.bulk.Close()
	p.unfinished.Close()
	if p.conn != nil {
		p.u.cfg.Crash.Closed(p.conn.Path())
	}
	return err
}

// rebuild makes the widgets of the page anew; the connection stays as it is.
func (p *connPage) rebuild() {
	if p.conn == nil {
		return
	}
	makers := livePanes()
	if phase, _ := p.conn.Phase(); phase == view.File {
		makers = recordingPanes()
	}
	p.panes, p.at = nil, 0
	p.build(p.conn, makers)
	p.layout()
}

// flush takes in what changed in the session.
func (p *connPage) flush() {
	if p.conn == nil {
		return
	}
	p.conn.Take()
	p.running.take()
	p.followPhase()
	p.alert()
	p.markTasks()
	p.remember()
	if p.visible {
		p.head.refresh()
		p.bar.refresh()
		p.asks.refresh()
		p.running.refresh()
		p.refreshStrip()
		if p.reporting {
			p.report.refresh()
		} else {
			p.panes[p.at].Refresh()
		}
	}
	p.u.tour.look()
	p.u.refreshTabs()
	p.u.side.refresh()
	p.u.menus.refresh()
}

// followPhase shows the panes once there is something to see in them.
func (p *connPage) followPhase() {
	phase, _ := p.conn.Phase()
	if made := p.conn.Made(); made != p.made {
		p.made, p.everConnected = made, true
		p.showReport(false)
		p.markUsed()
	}
	if text, n := p.conn.Restored(); n != p.restored {
		p.restored = n
		p.u.notes.notify(text)
	}
	if text, n := p.conn.Recovered(); n != p.recovered {
		p.recovered = n
		if n > 0 {
			p.u.notes.notify(text)
		}
	}
	if phase == view.File && p.reporting {
		p.showReport(false)
	}
}

// flushRows takes in what the recording gained.
func (p *connPage) flushRows() {
	if p.conn == nil {
		return
	}
	p.remember()
	if p.visible {
		p.time.refresh()
	}
}

// remember puts the recording among the recent ones once it exists.
func (p *connPage) remember() {
	path := p.conn.Path()
	if path == "" || path == p.remembered {
		return
	}
	p.u.cfg.Crash.Closed(p.remembered)
	p.u.cfg.Crash.Recording(path)
	p.listed(path)
}

// markUsed notes when a saved server was last connected to.
func (p *connPage) markUsed() {
	id := p.conn.Server().ID
	if id == "" {
		return
	}
	now := p.u.cfg.now()
	p.u.update(func(s *settings.Settings) {
		for i := range s.Servers {
			if s.Servers[i].ID == id {
				s.Servers[i].LastUsed = now
			}
		}
	})
}

// showReport covers the panes with the report, or uncovers them.
func (p *connPage) showReport(on bool) {
	if p.reporting == on {
		return
	}
	if on && p.visible {
		p.panes[p.at].Hidden()
	}
	p.reporting = on
	p.layout()
	if !on && p.visible {
		p.panes[p.at].Shown()
	}
	if on {
		p.report.refresh()
	}
	p.report.pulse()
}

// layout puts the report or the current pane in place.
func (p *connPage) layout() {
	p.strip.Hidden = p.whole || p.reporting && !p.everConnected
	shows := p.report.root
	if !p.reporting {
		shows = p.panes[p.at].Object()
	}
	p.content.Objects = []fyne.CanvasObject{shows}
	p.content.Refresh()
	p.refreshStrip()
	p.root.Refresh()
}

func (p *connPage) refreshStrip() {
	tabs := make([]stripTab, len(p.panes))
	for i, pane := range p.panes {
		tabs[i] = stripTab{Text: pane.Title()}
	}
	at := p.at
	if p.reporting {
		at = -1
	}
	p.strip.Set(tabs, at)
}

// showPane brings a pane to the front.
func (p *connPage) showPane(i int) {
	if i < 0 || i >= len(p.panes) || p.reporting && !p.everConnected {
		return
	}
	p.setWhole(false)
	if p.reporting {
		p.at = i
		p.showReport(false)
		return
	}
	if i == p.at {
		return
	}
	p.panes[p.at].Hidden()
	p.at = i
	p.layout()
	p.panes[i].Shown()
	p.asks.refresh()
}

// goTo brings a pane to the front and gives the keyboard to its list, or to the
// tabs where it has none.
func (p *connPage) goTo(i int) {
	p.showPane(i)
	if p.reporting {
		return
	}
	if tray, ok := p.front().(*requestsPane); ok && tray.shownPage() != nil {
		p.flush()
		tray.focus() // what waits is to be filled in
		return
	}
	to := fyne.Focusable(p.strip)
	if l, ok := p.front().(interface{ keyboard() fyne.Focusable }); ok {
		to = l.keyboard()
	}
	p.u.win.Canvas().Focus(to) // by the window: a pane that was never drawn does not know it yet
}

// layTimeline gives the timeline its place: half the page, or a line.
func (p *connPage) layTimeline() {
	folded := p.u.cfg.Settings.Get().Window.Folded
	p.time.setFolded(folded)
	shows := fyne.CanvasObject(p.split)
	if p.whole {
		shows = p.time.object()
	} else if folded {
		shows = widget.Border(nil, container.NewVBox(widget.NewSeparator(), p.time.object()), nil, nil, p.stage)
	}
	p.room.Objects = []fyne.CanvasObject{shows}
	p.room.Refresh()
	if !folded && !p.whole {
		p.split.Refresh()
	}
}

func (p *connPage) showEvent(seq uint64) {
	p.u.foldTimeline(false)
	p.time.show(seq)
}

func (p *connPage) focusFilter() {
	p.u.foldTimeline(false)
	p.time.focusFilter()
}

func (p *connPage) toggleFollow() { p.time.toggleFollow() }

func (p *connPage) saveSplits(into map[string]float64) {
	p.env.splits.save(into)
}
