package ui

import (
	"context"
	"fmt"
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/pump"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/widget"
)

// replayPage plays a recording again. It is a tab of the window and no pane of
// the recording's: it is about two recordings, goes on while the person looks at
// either of them, and needs the whole width.
type replayPage struct {
	u     *UI
	model *view.Replay
	env   *Env
	marks *pump.Pump
	tick  ticker

	root   fyne.CanvasObject
	head   *fyne.Container
	high   float32 // of the head when it was laid out
	setup  *replaySetup
	chosen *fyne.Container // its place
	sign   *glyph
	line   *widget.Label
	since  *widget.Label
	more   *widget.Label
	mores  *fyne.Container // its place
	bar    *widget.ProgressBar
	start  *widget.Button
	pause  *widget.Button
	stop   *widget.Button
	again  *widget.Button // only the different ones
	diff   *widget.Button
	open   *widget.Button
	asks   *fyne.Container
	asking *widget.Label
	list   *replayCalls
	detail *replayDetail
	split  *container.Split

	visible bool
	phase   view.ReplayPhase
	live    *connPage // of the last run, nil when there is none
}

// replayRecording shows the page that replays the recording at path.
func (u *UI) replayRecording(path string) {
	for _, p := range u.pages {
		if r, ok := p.(*replayPage); ok && view.SameFile(r.model.Path(), path) {
			u.show(r)
			return
		}
	}
	p := newReplayPage(u, path)
	u.addPage(p)
	u.keyboardTo(p, p.list.list)
}

func newReplayPage(u *UI, path string) *replayPage {
	p := &replayPage{u: u}
	p.marks = pump.New(u.cfg.Do, u.cfg.Clock, pump.FollowTail, p.flush)
	p.model = view.NewReplay(path, view.ReplayOptions{Program: u.cfg.Executable, Now: u.cfg.now, Changed: p.marks.Mark})
	p.env = u.pageEnv(p.model.Go)
	p.tick = ticker{env: p.env, do: p.flush}
	p.setup = newReplaySetup(p)
	p.list = newReplayCalls(p)
	p.detail = newReplayDetail(p)
	p.root = p.build()
	p.phase = view.ReplayLoading
	p.flush()
	return p
}

// pageEnv is what text views and tickers of a page without a connection need.
func (u *UI) pageEnv(work func(f func(ctx context.Context))) *Env {
	return &Env{Window: u.win, Do: u.cfg.Do, Now: u.cfg.now, Clock: u.cfg.Clock, Clipboard: u.app.Clipboard(), Settings: u.cfg.Settings,
		Ask: u.showDialog, Go: work, Notify: u.notes.notify, Fail: u.fail, OpenFile: u.openFile, SaveFile: u.saveFile, splits: &splits{kept: u.splitOffset}}
}

func (p *replayPage) build() fyne.CanvasObject {
	p.sign = newGlyph("", view.Muted)
	p.line = widget.NewLabelWithStyle("", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	p.line.Truncation = fyne.TextTruncateEllipsis
	p.since = caption("")
	p.more = widget.NewLabel("")
	p.more.Wrapping, p.more.Selectable = fyne.TextWrapWord, true
	p.mores = newClamp(p.more, valueHeight)
	p.bar = widget.NewProgressBar()
	p.bar.TextFormatter = func() string { return "" }
	p.start = widget.NewButtonWithIcon("Replay", fynetheme.MediaPlayIcon(), p.begin)
	p.start.Importance = widget.HighImportance
	p.pause = widget.NewButtonWithIcon("Pause", fynetheme.MediaPauseIcon(), p.togglePause)
	p.stop = widget.NewButtonWithIcon("Stop", fynetheme.MediaStopIcon(), func() { p.model.Stop(); p.flush() })
	p.again = widget.NewButton("Again: only the different", p.onlyDifferent)
	p.diff = widget.NewButton("Compare", p.compare)
	p.open = widget.NewButtonWithIcon("New recording", fynetheme.FolderOpenIcon(), p.openOutcome)
	buttons := container.NewHBox(p.since, p.open, p.diff, p.again, p.pause, p.stop, p.start)
	p.asking = widget.NewLabelWithStyle("", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	p.asking.Truncation = fyne.TextTruncateEllipsis
	answer := widget.NewButton("Answer …", p.answer)
	answer.Importance = widget.HighImportance
	p.asks = container.NewStack(newGround(func() color.Color { return theme.Tint(toneColor(view.Caution)) }),
		widget.Border(nil, nil, newGlyph("?", view.Caution), answer, p.asking))
	p.asks.Hide()
	p.chosen = container.NewPadded(p.setup.root)
	p.head = container.NewVBox(
		container.NewPadded(widget.Border(nil, nil, p.sign, buttons, p.line)),
		container.New(&fixedHeight{4}, p.bar),
		p.mores, p.asks, p.chosen, widget.NewSeparator())
	p.split = container.NewHSplit(p.list.root, p.detail.root)
	p.env.splits.add("replay", p.split, 0.58)
	return newYield(p.head, p.split, container.NewWithoutLayout(), pageLeast)
}

func (p *replayPage) object() fyne.CanvasObject { return p.root }

func (p *replayPage) tab() stripTab {
	st := p.model.State()
	tab := stripTab{Glyph: st.Glyph, Tone: st.Tone, Text: "Replay " + p.model.Title(), Closes: true}
	if _, waits := p.model.OpenQuestion(); waits > 0 {
		tab.Glyph, tab.Tone = "?", view.Caution
	}
	return tab
}

func (p *replayPage) shown() {
	p.visible = true
	p.setup.offer()
	p.flush()
}

func (p *replayPage) hidden() {
	p.visible = false
	p.tick.stop()
}

func (p *replayPage) drop() error {
	err := p.model.Close()
	p.marks.Close()
	return err
}

// flush takes in what changed.
func (p *replayPage) flush() {
	p.model.Take()
	st := p.model.State()
	if was := p.phase; st.Phase != was {
		p.phase = st.Phase
		p.changed(was, st)
		st = p.model.State()
	}
	p.u.refreshTabs()
	if !p.visible {
		return
	}
	p.show(st)
	if st.Phase.Busy() && st.Step == nil {
		p.tick.start()
	} else {
		p.tick.stop()
	}
}

// changed does what a new phase asks for.
func (p *replayPage) changed(was view.ReplayPhase, st view.ReplayState) {
	if was == view.ReplayLoading && st.Phase == view.ReplayReady {
		p.setup.offer()
		p.list.fill()
	}
	if st.Phase == view.ReplayEnded {
		p.settle(st)
	}
}

// show draws the page.
func (p *replayPage) show(st view.ReplayState) {
	p.sign.set(st.Glyph, st.Tone)
	setText(p.line, st.Line)
	setText(p.since, st.Elapsed)
	say(p.more, st.Detail)
	setHidden(p.mores, st.Detail == "")
	setHidden(p.bar, !st.Phase.Busy() && st.Phase != view.ReplayLoading)
	if p.bar.Value != st.Share {
		p.bar.SetValue(st.Share)
	}
	busy := st.Phase.Busy()
	ended := st.Phase == view.ReplayEnded
	setHidden(p.start, busy)
	able(p.start, (st.Phase == view.ReplayReady || ended) && !st.Unread)
	label := "Replay"
	if ended {
		label = "Replay again"
	}
	if p.start.Text != label {
		p.start.SetText(label)
	}
	setHidden(p.stop, !busy)
	setHidden(p.pause, st.Phase != view.ReplayRunning)
	word, icon := "Pause", fynetheme.MediaPauseIcon()
	if st.Paused {
		word, icon = "Go on", fynetheme.MediaPlayIcon()
	}
	if p.pause.Text != word {
		p.pause.SetIcon(icon)
		p.pause.SetText(word)
	}
	setHidden(p.again, !ended || st.Different == 0)
	outcome := ended && st.Began && st.Outcome != ""
	setHidden(p.diff, !outcome)
	setHidden(p.open, !outcome)
	setHidden(p.chosen, busy)
	q, waits := p.model.OpenQuestion()
	setHidden(p.asks, waits == 0)
	if waits > 0 {
		text := "The server asks what the recording has no answer to: " + q.Method
		if q.About != "" {
			text += ": " + q.About
		}
		if waits > 1 {
			text += fmt.Sprintf(" (and %s more)", human.Count(waits-1))
		}
		setText(p.asking, text)
	}
	p.setup.refresh()
	p.list.refresh(st)
	p.detail.refresh(st)
	if high := p.head.MinSize().Height; high != p.high {
		p.high = high
		p.root.Refresh() // what is below makes room
	}
}

// begin connects to the target, in a tab of its own behind this one, and plays.
func (p *replayPage) begin() {
	if p.model.State().Phase.Busy() {
		return
	}
	shell := newConnShell(p.u)
	server, options, err := p.model.Begin(shell.options())
	if err != nil {
		p.u.dropLater(shell)
		p.u.fail("The replay cannot begin", err)
		return
	}
	changed := options.Changed
	options.Changed = func() { changed(); p.marks.Mark() }
	shell.build(view.NewConn(server, options), livePanes())
	shell.reporting = true
	shell.layout()
	p.forget()
	p.live = shell
	p.model.Started(shell.conn)
	p.u.addBehind(shell, p)
	shell.connect()
	p.flush()
}

// addBehind adds a tab after that of another page and leaves that one in front.
func (u *UI) addBehind(p, after page) {
	at := slices.Index(u.pages, after) + 1
	u.pages = slices.Insert(u.pages, at, p)
	if u.active >= at {
		u.active++
	}
	u.refreshTabs()
	u.side.refresh()
}

// forget closes the tab of an earlier run that never came to a recording.
func (p *replayPage) forget() {
	if p.live != nil && slices.Contains(p.u.pages, page(p.live)) {
		if phase, _ := p.live.conn.Phase(); phase == view.Failed {
			p.u.closePage(p.live)
		}
	}
	p.live = nil
}

// settle ends the connection of a run that is over and puts its recording in the
// place of its tab, unless it is to stay open or never came to be.
func (p *replayPage) settle(st view.ReplayState) {
	live := p.live
	if live == nil || st.Outcome == "" || st.Keep {
		return
	}
	if phase, _ := live.conn.Phase(); phase == view.Failed {
		return // its tab says why
	}
	p.live = nil
	if !slices.Contains(p.u.pages, page(live)) {
		p.model.Go(func(context.Context) { p.settled() })
		return
	}
	opening := newOpeningPage(p.u, st.Outcome)
	opening.mu.Lock()
	opening.busy = true // until the connection has ended
	opening.mu.Unlock()
	p.u.swapPage(live, opening, func() {
		p.settled()
		p.u.cfg.Do(func() {
			if slices.Contains(p.u.pages, page(opening)) {
				opening.open()
			}
		})
	})
}

// settled takes the new recording for reading; it is not called on the UI
// goroutine.
func (p *replayPage) settled() {
	if err := p.model.Settle(); err != nil {
		p.u.cfg.Do(func() { p.u.notes.notify(err.Error()) })
	}
}

// swapPage puts a page in the place of another, which ends in the background
// before then is called, off the UI goroutine.
func (u *UI) swapPage(old, fresh page, then func()) {
	i := slices.Index(u.pages, old)
	if i == u.active {
		old.hidden()
		u.active = -1
	}
	u.pages[i] = fresh
	if u.active < 0 {
		u.activate(i)
	}
	u.work.Go(func() {
		if err := old.drop(); err != nil {
			u.cfg.Do(func() { u.notes.notify("While closing: " + err.Error()) })
		}
		then()
		u.cfg.Do(func() {
			u.side.forget() // the recording has its size now
			u.side.refresh()
		})
	})
	u.refreshTabs()
	u.side.refresh()
}

func (p *replayPage) togglePause() {
	st := p.model.State()
	switch {
	case !st.Paused:
		p.model.Pause()
	case st.Step != nil:
		p.detail.step.send(p.model.Resume)
	default:
		if err := p.model.Resume(""); err != nil {
			p.u.fail("It cannot go on", err)
		}
	}
	p.flush()
}

// onlyDifferent plays once more what was different, and nothing else.
func (p *replayPage) onlyDifferent() {
	if p.model.TickDifferent() > 0 {
		p.begin()
	}
}

// compare shows the recording beside the new one.
func (p *replayPage) compare() {
	outcome, err := p.model.Outcome()
	if err != nil {
		p.u.fail("There is nothing to compare", err)
		return
	}
	p.u.compareRecordings(p.model.Path(), outcome)
}

func (p *replayPage) openOutcome() {
	outcome, err := p.model.Outcome()
	if err != nil {
		p.u.fail("There is no new recording", err)
		return
	}
	p.u.openRecording(outcome)
}

// answer leads to the question that the server asks the person.
func (p *replayPage) answer() {
	q, waits := p.model.OpenQuestion()
	if waits == 0 || p.live == nil || !slices.Contains(p.u.pages, page(p.live)) {
		return
	}
	p.u.show(p.live)
	p.live.showAsk(q.Key)
}

// Submit sends the message that waits, or begins.
func (p *replayPage) Submit() {
	if st := p.model.State(); st.Step != nil {
		p.detail.step.send(p.model.Send)
	} else {
		p.begin()
	}
}
