package ui

import (
	"bytes"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/ui/view"
)

// promptsPane lists the prompts of a server and renders them.
type promptsPane struct {
	conn *view.Conn
	env  *Env
	root fyne.CanvasObject

	list    *catalogueList
	panel   *requestPanel
	prompts []protocol.Prompt
	seen    listStamp
	kept    subjects
}

// NewPromptsPane makes the pane of the prompts of a connection.
func NewPromptsPane(c *view.Conn, env *Env) Pane {
	p := &promptsPane{conn: c, env: env}
	p.panel = newRequestPanel(c, env, "Select a prompt to fill in its arguments and to get its messages.")
	p.list = newCatalogueList("prompts", refresher(c, env, session.Prompts), p.selected)
	p.list.list.OnActivate = func(int) { p.panel.focus() }
	p.list.follow(newListNews(c, env, session.Prompts))
	split := container.NewHSplit(p.list.root, p.panel.object())
	env.splits.add("prompts", split, listOffset)
	p.root = split
	return p
}

// Title implements Pane.
func (p *promptsPane) Title() string {
	l := p.conn.State().Lists[session.Prompts]
	return changesTitle(countedTitle("Prompts", l.Count), l)
}

// Object implements Pane.
func (p *promptsPane) Object() fyne.CanvasObject { return p.root }

// Shown implements Pane.
func (p *promptsPane) Shown() {
	p.list.news.shown()
	p.Refresh()
}

// Hidden implements Pane.
func (p *promptsPane) Hidden() { p.list.news.hidden() }

// Refresh implements Pane.
func (p *promptsPane) Refresh() {
	lists, st := p.conn.Lists(), p.conn.State()
	if stamp := stampOf(lists, st, session.Prompts); lists != nil && stamp != p.seen {
		p.seen = stamp
		p.prompts = lists.Prompts()
		note, tone := p.conn.ListNote(session.Prompts)
		p.list.set(view.MarkChanges(view.PromptEntries(p.prompts), st.Lists[session.Prompts].Changes), note, tone)
		if e, _, ok := p.list.model.Selected(); ok {
			p.selected(e, true)
		}
	}
	p.list.news.refresh()
	p.panel.refresh()
}

// Submit sends what is filled in, for the shortcut.
func (p *promptsPane) Submit() { p.panel.submit() }

func (p *promptsPane) selected(e view.Entry, ok bool) {
	if ok {
		p.panel.show(p.subject(e))
	}
}

func (p *promptsPane) subject(e view.Entry) *subject {
	if e.Index < 0 {
		return removedSubject(&p.kept, e, protocol.MethodPromptsGet, "Get prompt")
	}
	prompt := p.prompts[e.Index]
	s := p.kept.get(e.Key)
	if s != nil && bytes.Equal(s.definition, prompt.Raw) {
		s.entry = e
		return s
	}
	fresh := &subject{entry: e, about: prompt.Description, method: protocol.MethodPromptsGet, verb: "Get prompt", definition: prompt.Raw}
	fields := view.PromptFields(prompt)
	if s != nil {
		fields.Adopt(s.ask.(*fieldsAsker).fields)
		fresh.run, fresh.page, fresh.metaText, fresh.timeout = s.run, s.page, s.metaText, s.timeout
		fresh.from, fresh.chosen = s.from, s.chosen
	}
	if !prompt.Malformed && len(fields.Fields) > 0 {
		fresh.book = p.panel.newBook(protocol.MethodPromptsGet, prompt.Name)
	}
	fresh.ask = newFieldsAsker(p.panel, "Arguments", "This prompt takes no arguments.", fields)
	if s == nil {
		p.panel.begin(fresh)
	}
	p.kept.put(e.Key, fresh)
	return fresh
}
