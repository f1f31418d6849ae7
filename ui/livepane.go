package ui

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"mcploupe/session"
	"mcploupe/ui/settings"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// livePane shows what changes on the server while one watches: subscriptions,
// watched resources, what the server sends unasked, and its log messages.
type livePane struct {
	conn *view.Conn
	env  *Env
	root fyne.CanvasObject

	strip *tabStrip
	at    int
	stage *fyne.Container
	subs  *subsView
	watch *watchView
	feed  *feedView
	logs  *feedView
	tick  *ticker
}

// The views of the pane.
const (
	liveSubs = iota
	liveWatch
	liveFeed
	liveLogs
)

// NewLivePane makes the pane for what changes on the server of a connection.
func NewLivePane(c *view.Conn, env *Env) Pane {
	p := &livePane{conn: c, env: env, stage: container.NewStack()}
	p.subs = newSubsView(c, env)
	p.watch = newWatchView(c, env)
	p.feed = newFeedView(c, env, false)
	p.logs = newFeedView(c, env, true)
	p.strip = newTabStrip(p.show, nil)
	p.tick = &ticker{env: env, do: p.Refresh}
	p.root = widget.Border(container.NewVBox(p.strip, widget.NewSeparator()), nil, nil, nil, p.stage)
	p.show(liveSubs)
	return p
}

// Title implements Pane.
func (p *livePane) Title() string {
	n := 0
	if phase, _ := p.conn.Phase(); phase.Live() {
		n = view.OpenSubscriptions(p.conn.State())
	}
	return countedTitle("Live", n)
}

// Object implements Pane.
func (p *livePane) Object() fyne.CanvasObject { return p.root }

// Shown implements Pane.
func (p *livePane) Shown() {
	p.feed.follow()
	p.logs.follow()
	p.tick.start()
	p.Refresh()
}

// Hidden implements Pane.
func (p *livePane) Hidden() { p.tick.stop() }

// liveView is one of the views of the pane.
type liveView interface {
	object() fyne.CanvasObject
	refresh()
}

func (p *livePane) view() liveView {
	return []liveView{p.subs, p.watch, p.feed, p.logs}[p.at]
}

// Refresh implements Pane. It is called when something changed, and once a
// second while the pane is seen.
func (p *livePane) Refresh() {
	p.view().refresh()
	p.setStrip()
}

func (p *livePane) setStrip() {
	st := p.conn.State()
	p.strip.Set([]stripTab{
		{Text: countedTitle("Subscriptions", len(st.Subscriptions))}, {Text: countedTitle("Watched", len(st.Watches))},
		{Text: countedTitle("Notifications", p.feed.total())}, {Text: countedTitle("Log", p.logs.total())},
	}, p.at)
}

// show brings a view to the front.
func (p *livePane) show(i int) {
	p.at = i
	p.stage.Objects = []fyne.CanvasObject{p.view().object()}
	p.stage.Refresh()
	p.Refresh()
}

// ShowWatch shows a resource among those that are watched.
func (p *livePane) ShowWatch(uri string) {
	p.watch.choose(view.WatchedURI(p.conn.State(), uri))
	p.show(liveWatch)
}

// watchShower is a pane that shows watched resources.
type watchShower interface{ ShowWatch(uri string) }

// showWatch shows a watched resource in the pane for it.
func (p *connPage) showWatch(uri string) {
	for i, pane := range p.panes {
		if shower, ok := pane.(watchShower); ok {
			p.showPane(i)
			shower.ShowWatch(uri)
			return
		}
	}
}

// filterEvents shows in the timeline what a filter lets through.
func (p *connPage) filterEvents(text string) {
	p.u.foldTimeline(false)
	p.time.filter.setText(text)
}

// withSession does something with the session in the background; what goes wrong
// is shown under title.
func (e *Env) withSession(c *view.Conn, title string, do func(ctx context.Context, sess *session.Session) error) {
	sess := c.Session()
	if phase, _ := c.Phase(); !phase.Live() || sess == nil {
		e.Notify("Not connected")
		return
	}
	e.Go(func(ctx context.Context) {
		err := do(ctx, sess)
		e.Do(func() {
			if err != nil && ctx.Err() == nil {
				e.Fail(title, err)
			}
		})
		e.Changed()
	})
}

// liveSwitch is a check for something that goes on by itself.
func liveSwitch(c *view.Conn, env *Env, label string, of func(l *settings.Live) *bool, inverted bool) *widget.Check {
	check := widget.NewCheck(label, nil)
	live := c.Server().Live
	check.Checked = *of(&live) != inverted
	check.OnChanged = func(on bool) {
		env.keepServer(c.SetLive(func(l *settings.Live) { *of(l) = on != inverted }))
	}
	return check
}

// follow sets a check to what is in force without calling back.
func follow(check *widget.Check, on bool) {
	if check.Checked != on {
		check.Checked = on
		check.Refresh()
	}
}
