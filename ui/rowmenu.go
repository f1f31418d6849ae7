package ui

import (
	"context"
	"fmt"

	"fyne.io/fyne/v2"

	"mcploupe/recorder"
	"mcploupe/ui/textview"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// subject is what the actions of a row act on now.
func (t *timelinePane) subject() view.RowSubject {
	if t.line == nil {
		return view.RowSubject{}
	}
	s := view.NewRowSubject(t.line.Log(), t.line.Selected())
	if s.Head.Seq != 0 {
		s.Selected = max(t.list.SelectionCount(), 1)
	}
	phase, _ := t.page.conn.Phase()
	s.Live, s.Others, s.Target = phase.Live(), len(t.targets()), t.page.conn.Server().Target
	return s
}

// targets are the other connections that something can be sent to.
func (t *timelinePane) targets() []*connPage {
	var out []*connPage
	for _, c := range t.page.u.conns() {
		phase, _ := c.Phase()
		if p := t.page.u.pageOf(c); p != t.page && phase.Live() {
			out = append(out, p)
		}
	}
	return out
}

// chosen are the selected events, in order; nil stands for all rows.
func (t *timelinePane) chosen() []uint64 {
	if n := t.list.SelectionCount(); n > 1 && n == t.line.Rows() {
		return nil
	}
	var seqs []uint64
	t.list.Selection(func(row int) bool {
		seqs = append(seqs, t.line.EventsOf(row)...)
		return true
	})
	return seqs
}

// actionItems are the actions as entries of a menu. What is not possible says
// why.
func (t *timelinePane) actionItems() []*fyne.MenuItem {
	s := t.subject()
	var items []*fyne.MenuItem
	groups := map[view.RowGroup]*fyne.MenuItem{}
	last := view.RowGroupGo
	for _, a := range view.RowActions() {
		item := t.actionItem(a, s)
		if a.Group == view.RowGroupCopy || a.Group == view.RowGroupFilter {
			if groups[a.Group] == nil {
				groups[a.Group] = fyne.NewMenuItem(string(a.Group), nil)
				groups[a.Group].ChildMenu = fyne.NewMenu("")
				items = append(items, groups[a.Group])
			}
			groups[a.Group].ChildMenu.Items = append(groups[a.Group].ChildMenu.Items, item)
			continue
		}
		if a.Group != last {
			last = a.Group
			items = append(items, fyne.NewMenuItemSeparator())
		}
		items = append(items, item)
	}
	return items
}

func (t *timelinePane) actionItem(a view.RowAction, s view.RowSubject) *fyne.MenuItem {
	label := a.Label(s)
	if why := a.Why(s); why != "" {
		item := fyne.NewMenuItem(label+": "+why, nil)
		item.Disabled = true
		return item
	}
	if to := t.targets(); (a.ID == view.RowSend || a.ID == view.RowEdit) && !s.Live {
		item := fyne.NewMenuItem(label, nil)
		item.ChildMenu = fyne.NewMenu("")
		for _, p := range to {
			item.ChildMenu.Items = append(item.ChildMenu.Items, fyne.NewMenuItem(p.conn.Title(), func() { t.sendTo(a.ID, p) }))
		}
		return item
	}
	item := fyne.NewMenuItem(label, func() { t.act(a.ID) })
	if a.Key != "" {
		item.Shortcut = widget.Keys(a.Key)
	}
	return item
}

// act does an action with what is selected, or says why it cannot be done.
func (t *timelinePane) act(id view.RowActionID) {
	s := t.subject()
	if why := view.RowActionOf(id).Why(s); why != "" {
		t.page.u.notes.notify(view.RowActionOf(id).Label(s) + ": " + why)
		return
	}
	switch id {
	case view.RowPartner:
		t.show(s.Head.Partner)
	case view.RowSend, view.RowEdit:
		t.send(id, s)
	case view.RowCopyJSON, view.RowCopyCurl, view.RowCopyVerb, view.RowCopyTest:
		t.copyRow(id, s)
	case view.RowExport:
		t.page.exportEvents(t.chosen())
	default:
		t.filter.use(view.RowFilter(id, s, t.filter.text()))
	}
}

// send sends over the connection of the recording, or asks over which other
// one.
func (t *timelinePane) send(id view.RowActionID, s view.RowSubject) {
	switch to := t.targets(); {
	case s.Live:
		t.sendTo(id, t.page)
	case len(to) == 1:
		t.sendTo(id, to[0])
	default:
		items := []*fyne.MenuItem{menuHeading(view.RowActionOf(id).Label(s))}
		for _, p := range to {
			items = append(items, fyne.NewMenuItem(p.conn.Title(), func() { t.sendTo(id, p) }))
		}
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(t.list)
		t.showMenu(items, at.AddXY(40, 40))
	}
}

// sendTo reads the selected event and sends it over the connection of a page,
// or puts it into the free editor there.
func (t *timelinePane) sendTo(id view.RowActionID, p *connPage) {
	log, seq := t.line.Log(), t.line.Selected()
	t.page.conn.Go(func(context.Context) {
		raw, err := view.ReadRow(log, seq)
		t.page.env.Do(func() {
			switch {
			case err != nil:
				t.page.u.fail("The event cannot be read", err)
			case id == view.RowEdit:
				t.page.u.show(p)
				text := string(raw)
				if log.Head(seq).Dir == recorder.Out {
					text, _ = view.WithNewID(p.conn.Session(), text)
				}
				p.sendRaw(text)
			default:
				p.sendAgain(raw)
			}
		})
	})
}

// sendAgain sends the bytes of an event over this connection and shows the
// event that they went out as.
func (p *connPage) sendAgain(raw []byte) {
	shown := false
	var state func() view.SentAgain
	look := func() {
		if state == nil || shown {
			return
		}
		if sent := state(); sent.Seq != 0 {
			shown = true
			p.showEvent(sent.Seq)
		}
	}
	failed := func(err error) { p.env.Do(func() { p.u.fail("It could not be sent", err) }) }
	changed := func() {
		p.soon.Mark()
		p.env.Do(look)
	}
	again, err := p.conn.SendAgain(raw, changed, failed)
	if err != nil {
		p.u.fail("It could not be sent", err)
		return
	}
	state = again
	p.u.show(p)
	p.u.notes.notify(state().Text)
	look()
}

// copyRow copies what is selected in one of the forms.
func (t *timelinePane) copyRow(id view.RowActionID, s view.RowSubject) {
	u := t.page.u
	several := id == view.RowCopyJSON && s.Selected > 1
	var seqs []uint64
	if several {
		seqs = t.chosen()
		if seqs == nil {
			t.page.exportEvents(nil) // everything is no matter for the clipboard
			return
		}
	}
	t.page.conn.Go(func(ctx context.Context) {
		var text string
		var err error
		said := "Copied"
		if several {
			var left int
			text, left, err = view.RowsText(ctx, s.Log, seqs)
			said = "Copied " + human.Plural(len(seqs)-left, "message", "messages") + ", one a line"
			if left > 0 {
				said += fmt.Sprintf("; %s left out, which are no messages", human.Plural(left, "event was", "events were"))
			}
		} else {
			text, err = view.RowText(ctx, id, s)
			said += ": " + view.RowActionOf(id).Label(s)
		}
		t.page.env.Do(func() {
			if err != nil {
				u.fail("Nothing was copied", err)
				return
			}
			u.app.Clipboard().SetContent(text)
			u.notes.notify(safe.Line(said, 200))
		})
	})
}

// detailMenu shows the actions under a button.
func (t *timelinePane) detailMenu(under fyne.CanvasObject) {
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(under)
	t.showMenu(t.actionItems(), at.AddXY(0, under.Size().Height))
}

// eventMenu is the menu of the window for the event that is selected.
func (u *UI) eventMenu() *action {
	conn := func() *connPage {
		if c := u.currentConn(); c != nil && c.conn != nil && c.time != nil {
			return c
		}
		return nil
	}
	act := func(label string, shortcut fyne.Shortcut, id view.RowActionID) *action {
		return item(label, shortcut, func() {
			if c := conn(); c != nil {
				c.time.act(id)
			}
		}).whenDone(func() string {
			if c := conn(); c != nil {
				return view.RowActionOf(id).Why(c.time.subject())
			}
			return noConn
		})
	}
	find := func(do func(*findBar)) func() {
		return func() {
			if c := conn(); c != nil {
				u.foldTimeline(false)
				do(c.time.find)
			}
		}
	}
	mark := func(label string, do func(*timelinePane)) *action {
		return item(label, nil, func() {
			if c := conn(); c != nil {
				do(c.time)
			}
		}).whenDone(func() string {
			switch c := conn(); {
			case c == nil:
				return noConn
			case c.time.subject().Head.Seq == 0:
				return "no event is selected"
			}
			return ""
		})
	}
	return menu("Event",
		item("Find …", key(fyne.KeyF, ctrl), u.textFirst(textview.Finder.AskFind, find((*findBar).focus))).named("Find a text …"),
		item("Find next", key(fyne.KeyG, ctrl), u.textFirst(next(true), find(func(b *findBar) { b.step(1) }))),
		item("Find previous", key(fyne.KeyG, ctrl|shift), u.textFirst(next(false), find(func(b *findBar) { b.step(-1) }))),
		separator(),
		act("Go to answer or request", key(fyne.KeyP, ctrl), view.RowPartner),
		act("Send again", key(fyne.KeyReturn, ctrl|shift), view.RowSend).named("Send the event again"),
		act("Edit and send", key(fyne.KeyM, ctrl|shift), view.RowEdit).named("Edit the event and send it"),
		act("Export what is selected …", key(fyne.KeyX, ctrl|shift), view.RowExport).named("Export the events that are selected …"),
		menu("Copy as",
			act("JSON, exactly as it was", nil, view.RowCopyJSON).named("Copy the event as JSON, exactly as it was"),
			act("curl command", nil, view.RowCopyCurl).named("Copy the event as a curl command"),
			act("mcploupe command", nil, view.RowCopyVerb).named("Copy the event as an mcploupe command"),
			act("Go test", nil, view.RowCopyTest).named("Copy the event as a Go test")),
		menu("Filter",
			act("Only this method", nil, view.RowOnlyMethod).named("Filter: only this method"),
			act("Only this tool, prompt or resource", nil, view.RowOnlyName).named("Filter: only this tool, prompt or resource"),
			act("Only this id", nil, view.RowOnlyID).named("Filter: only this id"),
			act("Only this exchange", nil, view.RowOnlyExchange).named("Filter: only this exchange"),
			act("Only this channel", nil, view.RowOnlyChannel).named("Filter: only this channel"),
			act("Without this method", nil, view.RowWithoutMethod).named("Filter: without this method")),
		menu("Mark",
			mark("Pin, or take the pin away", (*timelinePane).pin).named("Pin the event, or take the pin away"),
			mark("Note …", (*timelinePane).askNote).named("Note at the event …"),
			mark("Next mark", func(t *timelinePane) { t.nextMark(false) }),
			mark("Previous mark", func(t *timelinePane) { t.nextMark(true) })))
}

// moreButton opens the actions of the selected event.
func (t *timelinePane) moreButton(icon fyne.Resource) *widget.Button {
	var b *widget.Button
	b = quiet("", icon, func() { t.detailMenu(b) })
	return b
}
