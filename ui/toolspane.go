package ui

import (
	"bytes"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
)

// toolsPane lists the tools of a server and calls them.
type toolsPane struct {
	conn *view.Conn
	env  *Env
	root fyne.CanvasObject

	list  *catalogueList
	panel *requestPanel
	tools []protocol.Tool
	seen  listStamp
	kept  subjects
}

// listStamp says which reading of a list is shown.
type listStamp struct {
	lists   view.Lister
	count   int
	pages   int
	status  session.ListStatus
	updated time.Time
	http    bool
	changes int
	watched uint64 // says which resources are
}

func stampOf(lists view.Lister, st session.State, kind session.ListKind) listStamp {
	l := st.Lists[kind]
	return listStamp{
		lists: lists, count: l.Count, pages: l.Pages, status: l.Status, updated: l.Updated, changes: len(l.Changes),
		http: st.Transport == string(session.HTTP) && st.Revision != nil && st.Revision.MetadataHeaders,
	}
}

// listOffset is the share of a pane that its list takes.
const listOffset = 0.27

// NewToolsPane makes the pane of the tools of a connection.
func NewToolsPane(c *view.Conn, env *Env) Pane {
	p := &toolsPane{conn: c, env: env}
	p.panel = newRequestPanel(c, env, "Select a tool to see what it takes and to call it.")
	p.list = newCatalogueList("tools", refresher(c, env, session.Tools), p.selected)
	p.list.list.OnActivate = func(int) { p.panel.focus() }
	news := newListNews(c, env, session.Tools)
	if env.cost != nil {
		news.beside(quiet("Cost …", fynetheme.DocumentIcon(), env.cost))
	}
	p.list.follow(news)
	split := container.NewHSplit(p.list.root, p.panel.object())
	env.splits.add("tools", split, listOffset)
	p.root = split
	return p
}

// Title implements Pane.
func (p *toolsPane) Title() string {
	l := p.conn.State().Lists[session.Tools]
	return changesTitle(countedTitle("Tools", l.Count), l)
}

func countedTitle(title string, n int) string {
	if n == 0 {
		return title
	}
	return title + " " + human.Count(n)
}

// Object implements Pane.
func (p *toolsPane) Object() fyne.CanvasObject { return p.root }

// Shown implements Pane.
func (p *toolsPane) Shown() {
	p.list.news.shown()
	p.Refresh()
}

// Hidden implements Pane.
func (p *toolsPane) Hidden() { p.list.news.hidden() }

// Refresh implements Pane.
func (p *toolsPane) Refresh() {
	lists, st := p.conn.Lists(), p.conn.State()
	if stamp := stampOf(lists, st, session.Tools); lists != nil && stamp != p.seen {
		p.seen = stamp
		p.tools = lists.Tools()
		note, tone := p.conn.ListNote(session.Tools)
		p.list.set(view.MarkChanges(view.ToolEntries(p.tools, stamp.http), st.Lists[session.Tools].Changes), note, tone)
		p.reselect()
	}
	p.list.news.refresh()
	p.panel.refresh()
}

// Submit sends what is filled in, for the shortcut.
func (p *toolsPane) Submit() { p.panel.submit() }

// reselect shows the selected tool again when its definition has changed.
func (p *toolsPane) reselect() {
	if e, _, ok := p.list.model.Selected(); ok {
		p.selected(e, true)
	}
}

func (p *toolsPane) selected(e view.Entry, ok bool) {
	if !ok {
		return // the filter took it out of sight; what is filled in stays
	}
	p.panel.show(p.subject(e))
}

// subject is what was kept for a tool, brought up to date with its definition.
func (p *toolsPane) subject(e view.Entry) *subject {
	if e.Index < 0 {
		return removedSubject(&p.kept, e, protocol.MethodToolsCall, "Call")
	}
	t := p.tools[e.Index]
	s := p.kept.get(e.Key)
	if s != nil && bytes.Equal(s.definition, t.Raw) {
		s.entry = e
		return s
	}
	fresh := &subject{
		entry: e, about: t.Description, method: protocol.MethodToolsCall, verb: "Call", definition: t.Raw,
		input: t.InputSchema, output: t.OutputSchema, tool: &t,
	}
	var old *view.Arguments
	if s != nil {
		old = s.ask.(*toolAsker).args
		fresh.run, fresh.page, fresh.metaText, fresh.timeout = s.run, s.page, s.metaText, s.timeout
		fresh.from, fresh.chosen = s.from, s.chosen
		fresh.asTask, fresh.taskTTL = s.asTask, s.taskTTL
	}
	if !t.Malformed {
		fresh.book = p.panel.newBook(protocol.MethodToolsCall, t.Name)
	}
	ask := newToolAsker(p.panel, t, old)
	fresh.ask = ask
	if s == nil {
		ask.whenReady(func() { p.panel.begin(fresh) })
	}
	p.kept.put(e.Key, fresh)
	return fresh
}
