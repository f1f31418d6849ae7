package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"mcploupe/session"
	"mcploupe/ui/rows"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
)

// requestsPane is the tray for what the server asks. It is never modal: what is
// filled in stays while something else is looked at.
type requestsPane struct {
	conn *view.Conn
	env  *Env
	root fyne.CanvasObject

	inbox *view.Inbox
	list  *rows.View
	right *fyne.Container
	items []requestItem
	at    requestItem // what is shown
	// chosen says that the person chose it: then no question takes its place.
	chosen bool

	pages  map[uint64]*askPage // of the questions that wait
	client *clientPage
	calls  *callPage
	visits *visitPage
	gone   *askEndPage
	sess   *session.Session
	seen   bool // the pane is visible

	bars struct{ page, rounds, sampling *sharedSplit } // between the parts of what is shown
}

// requestItem is a row of the list: a question, this client, a call that was
// asked in rounds, or the addresses.
type requestItem struct {
	kind requestKind
	key  uint64
}

type requestKind uint8

const (
	itemAsk requestKind = iota
	itemClient
	itemCall
	itemVisits
	itemGone // not in the list: the question that was shown is answered
)

// NewRequestsPane makes the pane for what the server of a connection asks.
func NewRequestsPane(c *view.Conn, env *Env) Pane {
	p := &requestsPane{conn: c, env: env, inbox: view.NewInbox(c), pages: map[uint64]*askPage{}, at: requestItem{kind: itemClient}}
	p.list = rows.New(p.bind, nil)
	p.list.SetColumns(rows.Column{Title: "", Min: 80}, rows.Column{Title: "", Width: 76, Min: 60})
	p.list.OnSelect = func(i int) {
		if i >= 0 {
			p.chosen = true
			p.show(p.items[i])
		}
	}
	p.list.OnActivate = func(int) { p.focus() }
	p.list.OnKey = func(e *fyne.KeyEvent) bool {
		if e.Name == fyne.KeyEscape {
			return p.Escape()
		}
		return false
	}
	p.bars.page, p.bars.rounds, p.bars.sampling = env.splits.share("ask"), env.splits.share("rounds"), env.splits.share("sampling")
	p.client = newClientPage(c, env)
	p.calls = newCallPage(p)
	p.visits = newVisitPage(p)
	p.gone = newAskEndPage(p)
	p.right = container.NewStack(p.client.object())
	split := container.NewHSplit(p.list, p.right)
	env.splits.add("requests", split, 0.24)
	p.root = split
	return p
}

// Title implements Pane.
func (p *requestsPane) Title() string {
	n := 0
	if phase, _ := p.conn.Phase(); phase.Live() {
		bar, _ := view.AskBarOf(p.conn.State())
		n = bar.Count
	}
	return countedTitle("Requests", n)
}

// Object implements Pane.
func (p *requestsPane) Object() fyne.CanvasObject { return p.root }

// Shown implements Pane.
func (p *requestsPane) Shown() {
	p.seen = true
	p.Refresh()
}

// Hidden implements Pane.
func (p *requestsPane) Hidden() { p.seen, p.chosen = false, false }

// Refresh implements Pane.
func (p *requestsPane) Refresh() {
	p.inbox.Take()
	if sess := p.conn.Session(); sess != p.sess {
		p.sess = sess
		clear(p.pages)
	}
	st := p.conn.State()
	p.items = p.items[:0]
	for _, a := range p.inbox.Asks() {
		p.items = append(p.items, requestItem{itemAsk, a.Key})
	}
	p.items = append(p.items, requestItem{kind: itemClient})
	if len(st.Visits) > 0 {
		p.items = append(p.items, requestItem{kind: itemVisits})
	}
	for _, r := range view.AskedRows(st) {
		p.items = append(p.items, requestItem{itemCall, r.Key})
	}
	p.follow()
	for key := range p.pages {
		if _, ok := p.inbox.Ask(key); !ok {
			delete(p.pages, key)
		}
	}
	if p.list.Count() != len(p.items) {
		p.list.Reset(len(p.items))
	} else {
		p.list.Invalidate()
	}
	p.mark()
	p.refreshPage()
}

// follow decides what is shown when the list has changed: a question that was
// looked at stays, until it is answered; then comes the next one.
func (p *requestsPane) follow() {
	switch {
	case p.at.kind == itemAsk && !p.has(p.at):
		p.gone.set(p.pages[p.at.key])
		p.chosen = false
		p.at = p.next(requestItem{kind: itemGone}, p.gone.ask.Cause)
	case p.at.kind == itemCall && !p.has(p.at):
		p.chosen = false
		p.at = requestItem{kind: itemClient}
	}
	if p.at.kind != itemAsk && !p.chosen {
		p.at = p.next(p.at, 0)
	}
}

// next is the oldest question without an answer, one of the call with that key
// before others, or what is given when there is none.
func (p *requestsPane) next(otherwise requestItem, cause uint64) requestItem {
	found := otherwise
	for _, a := range p.inbox.Asks() {
		if a.State != session.AskOpen {
			continue
		}
		if a.Cause == cause {
			return requestItem{itemAsk, a.Key}
		}
		if found == otherwise {
			found = requestItem{itemAsk, a.Key}
		}
	}
	return found
}

// answered takes in that a question got its answer. One that waits for the rest
// of its round makes room for the next.
func (p *requestsPane) answered(key uint64, ok bool) {
	p.conn.Take()
	p.inbox.Take()
	if a, waits := p.inbox.Ask(key); ok && waits && p.at == (requestItem{itemAsk, key}) {
		p.at = p.next(p.at, a.Cause)
		if p.at == (requestItem{itemAsk, key}) && p.held(a) { // the last answer of a round
			p.at, p.chosen = requestItem{itemCall, a.Cause}, true
		}
	}
	p.Refresh()
}

func (p *requestsPane) has(item requestItem) bool {
	for _, x := range p.items {
		if x == item {
			return true
		}
	}
	return false
}

// mark selects the row of what is shown.
func (p *requestsPane) mark() {
	for i, x := range p.items {
		if x == p.at {
			if p.list.Current() != i {
				p.list.Select(i)
			}
			return
		}
	}
	p.list.Select(-1)
}

func (p *requestsPane) bind(i int, row *rows.Row) {
	item, st := p.items[i], p.conn.State()
	switch item.kind {
	case itemAsk:
		a, ok := p.inbox.Ask(item.key)
		if !ok {
			return
		}
		r := view.AskRowOf(a, p.env.Now())
		row.Mark = toneName(r.Tone)
		row.Cells[0] = rows.Cell{Glyph: r.Glyph, GlyphColor: toneName(r.Tone), Text: r.Text, Bold: r.State == "", Detail: r.Cause}
		row.Cells[1] = rows.Cell{Text: r.Age, Color: theme.ColorMuted}
		if r.State != "" {
			row.Cells[1].Text = r.State
		}
	case itemClient:
		row.Cells[0] = rows.Cell{Glyph: "⚙", GlyphColor: theme.ColorMuted, Text: "This client", Detail: "what it declares, and its roots"}
	case itemVisits:
		row.Cells[0] = rows.Cell{Glyph: "↗", GlyphColor: theme.ColorMuted, Text: "Addresses", Detail: human.Plural(len(st.Visits), "address", "addresses")}
	case itemCall:
		for _, r := range view.AskedRows(st) {
			if r.Key == item.key {
				row.Cells[0] = rows.Cell{Glyph: r.Glyph, GlyphColor: toneName(r.Tone), Text: r.Text, Detail: r.ID}
				row.Cells[1] = rows.Cell{Text: r.State, Color: theme.ColorMuted}
			}
		}
	}
}

// show shows an item on the right.
func (p *requestsPane) show(item requestItem) {
	p.at = item
	p.refreshPage()
}

// refreshPage brings what is shown up to date.
func (p *requestsPane) refreshPage() {
	st := p.conn.State()
	var o fyne.CanvasObject
	switch p.at.kind {
	case itemAsk:
		page := p.page(p.at.key)
		if page == nil {
			return
		}
		page.refresh()
		o = page.object()
	case itemCall:
		c, ok := view.CallOf(st, p.at.key)
		if !ok {
			return
		}
		p.calls.set(c)
		o = p.calls.object()
	case itemVisits:
		p.visits.refresh()
		o = p.visits.object()
	case itemGone:
		p.gone.refresh()
		o = p.gone.object()
	default:
		p.client.refresh()
		o = p.client.object()
	}
	if p.right.Objects[0] != o {
		if page := p.shownPage(); page != nil {
			page.place()
		} else if p.at.kind == itemCall {
			p.calls.rounds.place()
		}
		p.right.Objects[0] = o
		p.right.Refresh()
		if p.at.kind == itemAsk || p.at.kind == itemGone {
			p.focus()
		}
	}
}

// page is the page of a question that waits.
func (p *requestsPane) page(key uint64) *askPage {
	if page := p.pages[key]; page != nil && !page.stale() {
		return page
	}
	draft := p.inbox.Draft(key)
	if draft == nil {
		return nil
	}
	page := newAskPage(p, draft)
	p.pages[key] = page
	return page
}

// held reports whether the call that a question belongs to waits to be
// continued by hand.
func (p *requestsPane) held(a session.Ask) bool {
	c, ok := view.CallOf(p.conn.State(), a.Cause)
	return ok && c.Held && !a.Legacy
}

// shownPage is the page of the question that is shown, nil when none is.
func (p *requestsPane) shownPage() *askPage {
	if p.at.kind != itemAsk {
		return nil
	}
	return p.pages[p.at.key]
}

// ShowAsk shows a question; it is for the bar of the connection.
func (p *requestsPane) ShowAsk(key uint64) {
	p.inbox.Take()
	if _, ok := p.inbox.Ask(key); ok {
		p.at = requestItem{itemAsk, key}
	}
	p.Refresh()
}

// ShowCall shows the rounds of a call.
func (p *requestsPane) ShowCall(key uint64) {
	p.inbox.Take()
	p.at, p.chosen = requestItem{itemCall, key}, true
	p.Refresh()
}

// focus gives the keyboard to the first thing to fill in, or to the way back to
// the call, if the pane is seen.
func (p *requestsPane) focus() {
	if !p.seen {
		return
	}
	if page := p.shownPage(); page != nil {
		page.focus()
	} else if p.at.kind == itemGone {
		p.gone.focus()
	}
}

// Submit accepts what is filled in, for the shortcut.
func (p *requestsPane) Submit() {
	if page := p.shownPage(); page != nil {
		page.accept()
	}
}

// Escape dismisses the question that is shown; it reports whether there is one.
func (p *requestsPane) Escape() bool {
	page := p.shownPage()
	if page != nil {
		page.escape()
	}
	return page != nil
}
