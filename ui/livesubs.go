package ui

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/session"
	"mcploupe/ui/rows"
	"mcploupe/ui/settings"
	"mcploupe/ui/textview"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// subsView is the list of subscriptions, one for all revisions, with what there
// is to know of the selected one.
type subsView struct {
	conn *view.Conn
	env  *Env
	root fyne.CanvasObject

	list   *rows.View
	shown  []view.SubRow
	chosen uint64 // key, 0 for none

	add, edit, stop, again, forget *widget.Button

	listen, reread, keep *widget.Check
	detail               *fyne.Container
	empty                fyne.CanvasObject
	page                 fyne.CanvasObject
	facts                *factGrid
	json                 *textBox
	events, request, ack *widget.Button
	last, end            *widget.Button
}

func newSubsView(c *view.Conn, env *Env) *subsView {
	v := &subsView{conn: c, env: env, facts: newFactGrid(), json: newTextBox("", env)}
	v.list = rows.New(v.bind, nil)
	v.list.SetColumns(rows.Column{Title: "State", Width: 268, Min: 90}, rows.Column{Title: "Asked for", Min: 160}, rows.Column{Title: "Agreed", Width: 120},
		rows.Column{Title: "Count", Width: 74, Align: fyne.TextAlignTrailing}, rows.Column{Title: "Rate", Width: 70, Align: fyne.TextAlignTrailing},
		rows.Column{Title: "Last", Width: 92}, rows.Column{Title: "Odd", Width: 84})
	v.list.ShowHeader(true)
	v.list.SetPlaceholder("No subscription. Subscribe to be told when lists or resources change.")
	v.list.OnSelect = func(i int) { v.choose(i) }
	v.list.OnActivate = func(int) { v.toEdit() }
	v.list.OnKey = func(k *fyne.KeyEvent) bool {
		if k.Name == fyne.KeyDelete {
			v.toStop()
		}
		return k.Name == fyne.KeyDelete
	}
	v.add = widget.NewButtonWithIcon("Subscribe …", fynetheme.ContentAddIcon(), func() { v.open(nil) })
	v.add.Importance = widget.HighImportance
	v.edit = quiet("Edit …", fynetheme.DocumentCreateIcon(), v.toEdit)
	v.stop = quiet("Stop", fynetheme.MediaStopIcon(), v.toStop)
	v.again = quiet("Listen again now", fynetheme.ViewRefreshIcon(), v.toListen)
	v.forget = quiet("Take off the list", fynetheme.ContentClearIcon(), func() {
		if sess := v.conn.Session(); sess != nil {
			sess.ForgetSubscription(v.chosen)
			v.env.Changed()
		}
	})
	v.listen = liveSwitch(c, env, "Listen to list changes when connecting", func(l *settings.Live) *bool { return &l.Listen }, false)
	v.reread = liveSwitch(c, env, "Read lists again when they change", func(l *settings.Live) *bool { return &l.Reread }, false)
	v.keep = liveSwitch(c, env, "Restore on reconnect", func(l *settings.Live) *bool { return &l.Forget }, true)
	bar := container.NewHBox(v.add, v.edit, v.stop, v.again, v.forget)
	switches := container.NewHBox(v.reread, v.keep, v.listen)

	v.events = quiet("Show in timeline", fynetheme.SearchIcon(), func() {
		if s, ok := v.current(); ok {
			env.FilterEvents(view.SubEvents(s))
		}
	})
	jump := func(text string, of func(s session.Subscription) uint64) *widget.Button {
		return quiet(text, nil, func() {
			if s, ok := v.current(); ok {
				env.ShowEvent(of(s))
			}
		})
	}
	v.request = jump("Request", func(s session.Subscription) uint64 { return s.RequestSeq })
	v.ack = jump("Acknowledgement", func(s session.Subscription) uint64 { return s.AckSeq })
	v.last = jump("Last message", func(s session.Subscription) uint64 { return s.LastSeq })
	v.end = jump("End", func(s session.Subscription) uint64 { return s.EndSeq })
	v.json.text.SetMode(textview.Pretty)
	split := container.NewHSplit(container.NewVScroll(v.facts.box), v.json.view())
	env.splits.add("subscription", split, 0.5)
	v.page = widget.Border(container.NewHBox(v.events, v.request, v.ack, v.last, v.end), nil, nil, nil, split)
	hint := widget.NewLabel("Select a subscription to see what was asked and what the server agreed to.")
	hint.Importance = widget.LowImportance
	v.empty = container.NewCenter(hint)
	v.detail = container.NewStack(v.empty)
	body := container.NewVSplit(v.list, v.detail)
	env.splits.add("subscriptions", body, 0.45)
	v.root = widget.Border(container.NewVBox(bar, switches), nil, nil, nil, body)
	return v
}

func (v *subsView) object() fyne.CanvasObject { return v.root }

func (v *subsView) current() (session.Subscription, bool) {
	return view.SubOf(v.conn.State(), v.chosen)
}

// refresh brings rows and detail up to date.
func (v *subsView) refresh() {
	st := v.conn.State()
	v.shown = view.SubRows(st, v.env.Now())
	if v.list.Count() != len(v.shown) {
		v.list.Reset(len(v.shown))
	} else {
		v.list.Invalidate()
	}
	at := -1
	for i, r := range v.shown {
		if r.Key == v.chosen {
			at = i
		}
	}
	if at < 0 {
		v.chosen = 0
		if len(v.shown) > 0 {
			at, v.chosen = 0, v.shown[0].Key
		}
	}
	if v.list.Current() != at {
		v.list.Select(at)
	}
	live := v.conn.Server().Live
	follow(v.listen, live.Listen)
	follow(v.reread, live.Reread)
	follow(v.keep, !live.Forget)
	setHidden(v.listen, st.Revision != nil && !st.Revision.Modern)
	v.refreshDetail()
}

func (v *subsView) choose(i int) {
	v.chosen = 0
	if i >= 0 && i < len(v.shown) {
		v.chosen = v.shown[i].Key
	}
	v.refreshDetail()
}

// refreshDetail shows the selected subscription.
func (v *subsView) refreshDetail() {
	s, ok := v.current()
	phase, _ := v.conn.Phase()
	live := phase.Live()
	ours := ok && (s.Kind == session.SubListen || s.Kind == session.SubResource)
	ended := s.Phase == session.SubEnded
	setEnabled(v.add, live)
	setEnabled(v.edit, live && ours)
	setEnabled(v.stop, live && ok && !ended && s.Kind != session.SubLists)
	setEnabled(v.again, live && ok && (ended || s.Phase == session.SubBroken) && s.Kind != session.SubLists)
	setEnabled(v.forget, ok && ended)
	shows := v.page
	if !ok {
		shows = v.empty
	} else {
		v.facts.set(view.SubFacts(s, v.env.Now()))
		asked, agreed := view.SubJSON(s)
		if agreed == nil {
			agreed = []byte("null")
		}
		v.json.set(`{"asked":` + string(asked) + `,"acknowledged":` + string(agreed) + `}`)
		setEnabled(v.request, s.RequestSeq != 0)
		setEnabled(v.ack, s.AckSeq != 0)
		setEnabled(v.last, s.LastSeq != 0)
		setEnabled(v.end, s.EndSeq != 0)
	}
	if v.detail.Objects[0] != shows {
		v.detail.Objects = []fyne.CanvasObject{shows}
		v.detail.Refresh()
	}
}

func (v *subsView) bind(i int, row *rows.Row) {
	r := v.shown[i]
	row.Mark = toneName(r.Tone)
	row.Cells[0] = rows.Cell{Glyph: r.Glyph, GlyphColor: toneName(r.Tone), Text: r.State, Bold: r.Open}
	row.Cells[1] = rows.Cell{Text: r.What, Detail: r.Kind}
	row.Cells[2] = rows.Cell{Text: r.Agreed}
	if r.Lacks {
		row.Cells[2].Color = theme.ColorWarning
	}
	row.Cells[3] = rows.Cell{Text: r.Count}
	row.Cells[4] = rows.Cell{Text: r.Rate, Color: theme.ColorMuted}
	row.Cells[5] = rows.Cell{Text: r.Last, Color: theme.ColorMuted}
	row.Cells[6] = rows.Cell{Text: r.Problems, Color: theme.ColorWarning}
}

func (v *subsView) toEdit() {
	if s, ok := v.current(); ok && !v.edit.Disabled() {
		v.open(&s)
	}
}

func (v *subsView) toStop() {
	if key := v.chosen; !v.stop.Disabled() {
		v.env.withSession(v.conn, "The subscription was not stopped in order", func(ctx context.Context, sess *session.Session) error {
			return sess.Unsubscribe(ctx, key)
		})
	}
}

func (v *subsView) toListen() {
	if key := v.chosen; !v.again.Disabled() {
		v.env.withSession(v.conn, "The subscription was not asked for again", func(ctx context.Context, sess *session.Session) error {
			return sess.Relisten(ctx, key)
		})
	}
}

// open asks what to subscribe to: for a new subscription, or for another filter
// in the place of one.
func (v *subsView) open(s *session.Subscription) {
	if phase, _ := v.conn.Phase(); !phase.Live() {
		v.env.Notify("Not connected")
		return
	}
	form := view.NewSubForm(v.conn.State())
	if s != nil {
		form = view.EditSubForm(*s)
	}
	newSubDialog(v.conn, v.env, form, func(f session.SubscriptionFilter) {
		v.env.withSession(v.conn, "The server did not take the subscription", func(ctx context.Context, sess *session.Session) error {
			if form.Key != 0 {
				return sess.EditSubscription(ctx, form.Key, f)
			}
			key, err := sess.Subscribe(ctx, f)
			v.env.Do(func() {
				if key != 0 {
					v.chosen = key
				}
			})
			return err
		})
	})
}
