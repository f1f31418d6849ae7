package ui

import (
	"context"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session"
	"mcploupe/session/demo"
	"mcploupe/ui/settings"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
)

// watching is a connection to the demo in a revision, with its Live tab in
// front.
func watching(t *testing.T, revision string) (*desk, *connPage, *livePane) {
	t.Helper()
	server, err := demo.ListenHTTP("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Errorf("closing the demo: %v", err)
		}
	})
	d := newDesk(t)
	d.win.Resize(fyne.NewSize(1280, 800))
	kept, err := d.store.AddServer(session.Target{Name: "demo", URL: server.URL(), Revision: revision})
	if err != nil {
		t.Fatal(err)
	}
	p := d.open(kept, view.Connected)
	d.await("the lists", func() bool {
		p.flush()
		return p.conn.State().Lists[session.Prompts].Status == session.ListComplete
	})
	return d, p, paneOf[*livePane](t, d, p)
}

func (d *desk) call(p *connPage, params string) {
	d.t.Helper()
	run, err := p.conn.Send(view.Request{Method: protocol.MethodToolsCall, Params: jsontext.Value(params)}, p.env.Changed)
	if err != nil {
		d.t.Fatal(err)
	}
	d.await("the call of "+params, func() bool {
		return run.State().Phase > session.CallPending && run.State().Phase != session.CallWaiting
	})
}

func (d *desk) awaitState(p *connPage, what string, ok func(st session.State) bool) session.State {
	d.t.Helper()
	var st session.State
	d.await(what, func() bool {
		p.flush()
		st = p.conn.State()
		return ok(st)
	})
	return st
}

const clockURI, weatherURI = "kestrel://clock", "kestrel://weather/now"

// One view for both eras (SUB-01, SUB-03, SUB-04, SUB-06, SUB-07, RES-05, RES-06;
// cases 121 to 123).
func TestSubscriptionsOfBothEras(t *testing.T) {
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(revision, func(t *testing.T) {
			d, p, live := watching(t, revision)
			modern := revision == "2026-07-28"
			before := len(p.conn.State().Subscriptions)
			var got session.SubscriptionFilter
			form := view.NewSubForm(p.conn.State())
			dialog := newSubDialog(p.conn, p.env, form, func(f session.SubscriptionFilter) { got = f })
			if modern != form.Tools {
				t.Errorf("list changes are offered: %v", form.Tools)
			}
			dialog.uris.SetText("kestrel://{x}")
			if !dialog.send.Disabled() || !strings.Contains(dialog.says.Text, "braces") {
				t.Errorf("a template can be sent: %q", dialog.says.Text)
			}
			dialog.uris.SetText(clockURI + "\n")
			dialog.send.OnTapped()
			if len(got.URIs) != 1 || got.URIs[0] != clockURI || got.Tools != modern {
				t.Fatalf("the form gave %+v", got)
			}
			p.env.withSession(p.conn, "", func(ctx context.Context, sess *session.Session) error {
				_, err := sess.Subscribe(ctx, got)
				return err
			})
			st := d.awaitState(p, "an open subscription", func(st session.State) bool {
				return len(st.Subscriptions) > before && st.Subscriptions[len(st.Subscriptions)-1].Phase.Live() && st.Subscriptions[len(st.Subscriptions)-1].Count > 0
			})
			key := st.Subscriptions[len(st.Subscriptions)-1].Key
			live.subs.chosen = key
			live.Refresh()
			if live.Title() != countedTitle("Live", view.OpenSubscriptions(st)) || view.OpenSubscriptions(st) == 0 {
				t.Errorf("the tab says %q", live.Title())
			}
			on := texts(live.Object())
			for _, want := range []string{clockURI, "open", "just now", `"resourceSubscriptions"`} {
				if !strings.Contains(on, want) {
					t.Errorf("the tab does not show %q:\n%s", want, on)
				}
			}
			test.Tap(live.subs.events)
			d.await("its events in the timeline", func() bool {
				p.flushRows()
				return p.time.line.Rows() > 0 && p.time.line.Rows() < int(p.conn.Log().Len())
			})
			test.Tap(live.subs.stop)
			d.awaitState(p, "its end", func(st session.State) bool {
				s, ok := view.SubOf(st, key)
				return ok && s.Phase == session.SubEnded && s.End == session.EndByUs
			})
			if row := live.subs.shown[len(live.subs.shown)-1]; row.Glyph != "○" || row.State != "stopped here" {
				t.Errorf("the row says %+v", row)
			}
			test.Tap(live.subs.again)
			d.awaitState(p, "it again", func(st session.State) bool {
				s, _ := view.SubOf(st, key)
				return s.Phase.Live()
			})
		})
	}
}

// A watched resource shows what changed on every update, and those that come
// faster than it is read are folded and counted (case 127, 129).
func TestWatchShowsWhatChanged(t *testing.T) {
	d, p, live := watching(t, "2025-11-25")
	resources := paneOf[*resourcesPane](t, d, p)
	resources.choose(weatherURI)
	resources.panel.refresh()
	if resources.panel.watch.Hidden || resources.panel.watch.Text != "Watch" {
		t.Fatalf("no button to watch: hidden %v, %q", resources.panel.watch.Hidden, resources.panel.watch.Text)
	}
	test.Tap(resources.panel.watch)
	if p.front() != Pane(live) || live.at != liveWatch {
		t.Errorf("watching leads to %T", p.front())
	}
	d.awaitState(p, "the first read", func(st session.State) bool {
		return len(st.Watches) == 1 && len(st.Watches[0].Reads) == 1 && view.OpenSubscriptions(st) > 1
	})
	d.await("what it says", func() bool { return strings.Contains(live.watch.message.Text, "nothing to compare with") })
	d.call(p, `{"name":"raise_wind","arguments":{"per_second":200,"seconds":2}}`)
	st := d.awaitState(p, "all updates", func(st session.State) bool {
		return st.Watches[0].Updates >= 400 && len(st.Watches[0].Reads) > 3
	})
	w := st.Watches[0]
	if w.Folded == 0 || len(w.Reads) < 3 {
		t.Fatalf("%d reads, %d folded", len(w.Reads), w.Folded)
	}
	d.await("the newest change", func() bool {
		p.flush()
		return live.watch.loaded.read >= w.Gone+len(w.Reads)
	})
	on := texts(live.Object())
	for _, want := range []string{"of all: ", " updates, ", " folded"} {
		if !strings.Contains(on, want) {
			t.Errorf("it does not say %q:\n%s", want, on)
		}
	}
	changed := -1
	for i := len(w.Reads) - 1; i > 0 && changed < 0; i-- {
		live.watch.step(w.Gone + i + 1)
		d.await("that read", func() bool {
			p.flush()
			return live.watch.loaded.read == w.Gone+i+1
		})
		if len(live.watch.change.Pairs) > 0 && !live.watch.change.Pairs[0].Same {
			changed = i
		}
	}
	if changed < 0 {
		t.Fatal("no read differs from the one before")
	}
	live.watch.showTab(0)
	if n := len(live.watch.diff.View.Diff().Changes); n == 0 {
		t.Error("the change is not shown")
	}
	live.watch.move(-1)
	if live.watch.newest || live.watch.index() != changed-1 {
		t.Errorf("a step back leads to %d of %d", live.watch.index(), changed)
	}
	p.showPane(2)
	p.flush()
	if resources.panel.watch.Text != "Watched" {
		t.Errorf("the button says %q", resources.panel.watch.Text)
	}
	if e, _, ok := resources.lists[0].model.Selected(); !ok || len(e.Badges) == 0 || e.Badges[0].Text != "◉ watched" {
		t.Errorf("the row is not marked: %+v", e.Badges)
	}
}

// Lists are read again at a switch; what is new, changed or gone is marked until
// seen (RES-10, CACHE-13).
func TestChangedListsAreMarkedUntilSeen(t *testing.T) {
	d, p, live := watching(t, "2025-11-25")
	live.subs.reread.SetChecked(true)
	if kept, _ := d.store.Server("demo"); !kept.Live.Reread {
		t.Error("the switch is not kept")
	}
	tools := paneOf[*toolsPane](t, d, p)
	total := tools.list.model.Total()
	d.call(p, `{"name":"toggle_workshop"}`)
	d.awaitState(p, "the changed list", func(st session.State) bool {
		return len(st.Lists[session.Tools].Changes) == 2 && st.Lists[session.Tools].Status == session.ListComplete
	})
	tools.list.filter.SetText("added")
	d.shows("2 added", "+ added", "Mark as seen", "2 of "+human.Count(total+2))
	tools.list.filter.SetText("")
	if tools.Title() != countedTitle("Tools", total+2)+" ~2" {
		t.Errorf("the tab says %q", tools.Title())
	}
	p.conn.Session().SeenChanges(session.Tools)
	d.awaitState(p, "nothing new", func(st session.State) bool { return len(st.Lists[session.Tools].Changes) == 0 })
	for i := range tools.list.model.Len() {
		if e := tools.list.model.At(i); e.Change != nil {
			t.Errorf("%s was seen and is marked", e.Name)
		}
	}
	if tools.list.news.line.Visible() {
		t.Errorf("the head says %q", tools.list.news.what.Text)
	}
	d.call(p, `{"name":"toggle_workshop"}`)
	d.awaitState(p, "the list as it was", func(st session.State) bool { return len(st.Lists[session.Tools].Changes) == 2 })
	if tools.list.model.Total() != total+2 {
		t.Errorf("%d rows, want %d: what is gone is listed", tools.list.model.Total(), total+2)
	}
	last := tools.list.model.Len() - 1
	tools.list.choose(last)
	p.flush()
	if e := tools.list.model.At(last); e.Index != -1 || e.Badges[0].Text != "− removed" {
		t.Errorf("the last row is %+v", e)
	}
	if tools.panel.now.page != pageDefinition || !tools.panel.send.Disabled() || !strings.Contains(tools.panel.why.Text, "any more") {
		t.Errorf("a removed tool shows %q and can be called: %v, %q", tools.panel.now.page, !tools.panel.send.Disabled(), tools.panel.why.Text)
	}
}

// The log's level is set in the way of the revision (LOG-01, LOG-03), and what
// was set is said (case 126).
func TestLogLevelIsSetAndSaid(t *testing.T) {
	for revision, want := range map[string]string{"2025-11-25": "Asked with logging/setLevel", "2026-07-28": "Each request asks in its _meta"} {
		t.Run(revision, func(t *testing.T) {
			d, p, live := watching(t, revision)
			live.show(liveLogs)
			live.logs.level.SetSelected("from info on")
			d.awaitState(p, "the level", func(st session.State) bool { return st.Logging.Level == "info" })
			if !strings.Contains(live.logs.asked.Text, want) {
				t.Errorf("it says %q", live.logs.asked.Text)
			}
		})
	}
}

// What the last connection had is asked for again (SUB-11), and that is said.
func TestReconnectTakesUp(t *testing.T) {
	d, p, _ := watching(t, "2026-07-28")
	p.env.watch(p.conn, clockURI)
	d.awaitState(p, "the watch", func(st session.State) bool { return len(st.Watches) == 1 && view.OpenSubscriptions(st) == 1 })
	made := p.conn.Made()
	p.conn.Reconnect()
	st := d.awaitState(p, "the same again", func(st session.State) bool {
		return p.conn.Made() > made && len(st.Watches) == 1 && view.OpenSubscriptions(st) == 1 && len(st.Watches[0].Reads) > 0
	})
	if st.Watches[0].URI != clockURI || st.Subscriptions[0].Asked.URIs[0] != clockURI {
		t.Errorf("taken up %+v", st.Watches[0])
	}
	d.shows("Asked for again: 1 subscription, 1 watched resource.")
	p.conn.SetLive(func(l *settings.Live) { l.Forget = true })
	made = p.conn.Made()
	p.conn.Reconnect()
	st = d.awaitState(p, "the lists", func(st session.State) bool {
		return p.conn.Made() > made && st.Lists[session.Prompts].Status == session.ListComplete
	})
	if len(st.Watches)+len(st.Subscriptions) != 0 {
		t.Errorf("taken up although it should not be: %+v", st.Subscriptions)
	}
}

// A thousand updates a second (case 129): all are recorded, the window's
// goroutine is never busy for long, and the screen says how many it folded.
func TestStormOfUpdates(t *testing.T) {
	d, p, live := watching(t, "2025-11-25")
	p.env.watch(p.conn, weatherURI)
	d.awaitState(p, "the watch", func(st session.State) bool { return len(st.Watches) == 1 && len(st.Watches[0].Reads) > 0 })
	const rate, seconds = 1000, 4
	run, err := p.conn.Send(view.Request{Method: protocol.MethodToolsCall, Params: jsontext.Value(`{"name":"raise_wind","arguments":{"per_second":1000,"seconds":4}}`)}, p.env.Changed)
	if err != nil {
		t.Fatal(err)
	}
	var longest, busy time.Duration
	batches, views := 0, []int{liveSubs, liveWatch, liveFeed}
	start := time.Now()
	d.queue.took = func(took time.Duration) { longest, busy = max(longest, took), busy+took }
	d.await("the end of the storm", func() bool {
		live.show(views[batches/20%len(views)])
		batches++
		return run.State().Phase > session.CallPending && p.conn.State().Watches[0].Updates >= rate*seconds
	})
	t.Logf("%d updates in %s: the window's goroutine was busy for %s in all and %s at once; at most %d functions waited for it",
		rate*seconds, time.Since(start).Round(time.Millisecond), busy.Round(time.Millisecond), longest.Round(time.Millisecond), d.queue.longest())
	log, recorded := p.conn.Log(), 0
	for seq := uint64(1); seq <= log.Len(); seq++ {
		if h := log.Head(seq); h.Dir == recorder.In && h.Method == protocol.NotificationResourceUpdated {
			recorded++
		}
	}
	if recorded < rate*seconds { // the wind turns by itself, too
		t.Errorf("%d updates are recorded, want at least %d", recorded, rate*seconds)
	}
	live.show(liveFeed)
	d.await("them in the feed", func() bool {
		live.feed.flush()
		return live.feed.total() >= rate*seconds
	})
	live.show(liveWatch)
	w := d.awaitState(p, "the last read", func(st session.State) bool { return !st.Watches[0].Stale && !st.Watches[0].Reading }).Watches[0]
	if w.Folded < rate*seconds*9/10 || !strings.Contains(texts(live.Object()), " folded") {
		t.Errorf("%d folded; the screen says %s", w.Folded, texts(live.Object()))
	}
	if most := d.queue.longest(); most > 50 {
		t.Errorf("%d functions waited at once", most)
	}
}
