package ui

import (
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// askBar says that the server asks, whatever pane is in front. It takes nothing
// away from what the person is doing.
type askBar struct {
	page  *connPage
	root  *fyne.Container
	back  *ground
	count *badgeRow
	text  *widget.Label
	does  *widget.Button
	away  *widget.Button // for what nobody waits for
	shown view.AskBar
	past  uint64 // key of the call whose offer was put away
}

func newAskBar(p *connPage) *askBar {
	b := &askBar{page: p, count: newBadgeRow()}
	b.back = newGround(func() color.Color { return theme.Tint(toneColor(view.Caution)) })
	b.text = widget.NewLabelWithStyle("", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	b.text.Truncation = fyne.TextTruncateEllipsis
	b.does = widget.NewButton("", b.do)
	b.does.Importance = widget.HighImportance
	b.away = quiet("", fynetheme.CancelIcon(), func() {
		b.past = b.shown.Call
		b.refresh()
	})
	b.root = container.NewStack(b.back, widget.Border(nil, nil, container.NewPadded(b.count), container.NewHBox(b.does, b.away), b.text))
	b.root.Hide()
	return b
}

func (b *askBar) object() fyne.CanvasObject { return b.root }

// do leads to what waits, or sends the call again that nobody waits for.
func (b *askBar) do() {
	switch {
	case b.shown.Retry:
		b.past = b.shown.Call
		if tray := b.page.tray(); tray != nil {
			tray.inbox.Take()
			tray.retry(b.shown.Call)
		}
		b.refresh()
	case b.shown.First == 0:
		b.page.showRounds(b.shown.Call)
	default:
		b.page.showAsk(b.shown.First)
	}
}

// refresh shows the bar while something is asked and the tray is not in front.
func (b *askBar) refresh() {
	bar, asks := view.AskBarOf(b.page.conn.State())
	if phase, _ := b.page.conn.Phase(); !phase.Live() {
		asks = false
	}
	if _, tray := b.page.front().(*requestsPane); tray {
		asks = false
	}
	asks = asks && !(bar.Retry && bar.Call == b.past)
	if asks && bar != b.shown {
		b.shown = bar
		word, verb := countedTitle("asks", bar.Count), "Show"
		switch {
		case bar.Retry:
			word, verb = "done", "Send again"
		case bar.First == 0:
			word = countedTitle("waits", bar.Count)
		}
		b.count.set([]view.Badge{{Text: word, Tone: view.Caution}})
		b.does.SetText(verb)
		setHidden(b.away, !bar.Retry)
		b.text.SetText(bar.Text)
	}
	if b.root.Hidden == asks {
		b.root.Hidden = !asks
		b.page.root.Refresh()
	}
}

// front is the pane that is seen, nil while the report covers them.
func (p *connPage) front() Pane {
	if p.reporting || p.at >= len(p.panes) {
		return nil
	}
	return p.panes[p.at]
}

// tray is the pane of the questions, nil for a recording without a server.
func (p *connPage) tray() *requestsPane {
	for _, pane := range p.panes {
		if tray, ok := pane.(*requestsPane); ok {
			return tray
		}
	}
	return nil
}

// showAsk shows a question of the server in the tray.
func (p *connPage) showAsk(key uint64) {
	p.showInTray(func(tray *requestsPane) { tray.ShowAsk(key) })
}

// showRounds shows the rounds of a call in the tray.
func (p *connPage) showRounds(call uint64) {
	p.showInTray(func(tray *requestsPane) { tray.ShowCall(call) })
}

func (p *connPage) showInTray(show func(tray *requestsPane)) {
	tray := p.tray()
	if tray == nil {
		return
	}
	show(tray)
	p.showPane(slices.Index(p.panes, Pane(tray)))
	p.flush()
	tray.focus()
}

// entryShower is a pane that can show one of its entries by name.
type entryShower interface {
	shows(method string) bool
	ShowEntry(name string) bool
}

// showCall shows what a call was made from with the keyboard in its list, and
// reports whether there is such a place.
func (p *connPage) showCall(method, name string) bool {
	for i, pane := range p.panes {
		if s, ok := pane.(entryShower); ok && s.shows(method) {
			p.goTo(i)
			return s.ShowEntry(name)
		}
	}
	if method == protocol.MethodResourcesRead {
		p.readResource(name)
		return true
	}
	return false
}

// callTaker is a pane that can take a call that was sent again as its own.
type callTaker interface {
	entryShower
	TakeCall(call *session.Call) bool
}

// takeCall shows a call that was sent again where calls of its kind are sent.
func (p *connPage) takeCall(call *session.Call) bool {
	method := call.State().Method
	for i, pane := range p.panes {
		if s, ok := pane.(callTaker); ok && s.shows(method) && s.TakeCall(call) {
			p.showPane(i)
			p.panes[i].Refresh()
			return true
		}
	}
	return false
}

// escape dismisses what the pane in front waits with, for Esc where no field
// has the keyboard.
func (p *connPage) escape() {
	if e, ok := p.front().(interface{ Escape() bool }); ok {
		e.Escape()
	}
}

func (p *toolsPane) shows(method string) bool { return method == protocol.MethodToolsCall }

// ShowEntry selects the tool with that name.
func (p *toolsPane) ShowEntry(name string) bool {
	return p.list.showEntry(view.EntryKey(name))
}

func (p *promptsPane) shows(method string) bool { return method == protocol.MethodPromptsGet }

// ShowEntry selects the prompt with that name.
func (p *promptsPane) ShowEntry(name string) bool {
	return p.list.showEntry(view.EntryKey(name))
}

// TakeCall shows a call of a listed tool.
func (p *toolsPane) TakeCall(call *session.Call) bool {
	return p.ShowEntry(call.State().Name) && p.panel.take(call)
}

// TakeCall shows a call of a listed prompt.
func (p *promptsPane) TakeCall(call *session.Call) bool {
	return p.ShowEntry(call.State().Name) && p.panel.take(call)
}

// showEntry selects an entry by its key; a filter that hides it goes.
func (c *catalogueList) showEntry(key string) bool {
	c.model.SelectKey(key)
	e, row, ok := c.model.Selected()
	if !ok {
		return false
	}
	if row < 0 {
		c.filter.SetText("")
		_, row, _ = c.model.Selected()
	}
	c.show()
	c.list.Reveal(row)
	c.onSelect(e, true)
	return true
}
