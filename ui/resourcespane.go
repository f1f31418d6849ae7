package ui

import (
	"bytes"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// resourcesPane lists the resources and the resource templates of a server and
// reads them, and any other URI.
type resourcesPane struct {
	conn *view.Conn
	env  *Env
	root fyne.CanvasObject

	any       *widget.Entry
	strip     *tabStrip
	at        int // 0 resources, 1 templates
	lists     [2]*catalogueList
	shown     *fyne.Container
	panel     *requestPanel
	resources []protocol.Resource
	templates []protocol.ResourceTemplate
	seen      [2]listStamp
	kept      subjects
	front     bool // the pane is seen
}

var resourceLists = [2]session.ListKind{session.Resources, session.ResourceTemplates}

// NewResourcesPane makes the pane of the resources of a connection.
func NewResourcesPane(c *view.Conn, env *Env) Pane {
	p := &resourcesPane{conn: c, env: env, shown: container.NewStack()}
	p.panel = newRequestPanel(c, env, "Select a resource or a template, or enter any URI, to read it.")
	p.any = widget.NewEntry()
	p.any.SetPlaceHolder("Read any URI")
	p.any.OnSubmitted = func(string) { p.readAny() }
	read := quiet("", fynetheme.NavigateNextIcon(), p.readAny)
	for i, what := range []string{"resources", "templates"} {
		p.lists[i] = newCatalogueList(what, refresher(c, env, resourceLists[i]), func(e view.Entry, ok bool) { p.selected(i, e, ok) })
		p.lists[i].list.OnActivate = func(int) { p.panel.focus() }
		p.lists[i].follow(newListNews(c, env, resourceLists[i]))
	}
	p.strip = newTabStrip(p.showList, nil)
	line := widget.Border(nil, nil, nil, read, p.any)
	if phase, _ := c.Phase(); phase == view.File {
		line.Hide() // there is nobody to read from
	}
	left := widget.Border(container.NewVBox(line, p.strip), nil, nil, nil, p.shown)
	split := container.NewHSplit(left, p.panel.object())
	env.splits.add("resources", split, listOffset)
	p.root = split
	p.showList(0)
	return p
}

// Title implements Pane.
func (p *resourcesPane) Title() string {
	l := p.conn.State().Lists[session.Resources]
	return changesTitle(countedTitle("Resources", l.Count), l)
}

// Object implements Pane.
func (p *resourcesPane) Object() fyne.CanvasObject { return p.root }

// Shown implements Pane.
func (p *resourcesPane) Shown() {
	p.front = true
	p.lists[p.at].news.shown()
	p.Refresh()
}

// Hidden implements Pane.
func (p *resourcesPane) Hidden() {
	p.front = false
	for _, list := range p.lists {
		list.news.hidden()
	}
}

// Submit sends what is filled in, for the shortcut.
func (p *resourcesPane) Submit() { p.panel.submit() }

// Refresh implements Pane.
func (p *resourcesPane) Refresh() {
	p.take()
	p.lists[p.at].news.refresh()
	p.panel.refresh()
}

// take takes the lists in when they have changed.
func (p *resourcesPane) take() {
	lists, st := p.conn.Lists(), p.conn.State()
	if lists == nil {
		return
	}
	for i, kind := range resourceLists {
		stamp := stampOf(lists, st, kind)
		stamp.watched = view.WatchedStamp(st)
		if stamp == p.seen[i] {
			continue
		}
		p.seen[i] = stamp
		var entries []view.Entry
		if kind == session.Resources {
			p.resources = lists.Resources()
			entries = view.MarkWatched(view.ResourceEntries(p.resources), p.resources, st)
		} else {
			p.templates = lists.ResourceTemplates()
			entries = view.TemplateEntries(p.templates)
		}
		note, tone := p.conn.ListNote(kind)
		p.lists[i].set(view.MarkChanges(entries, st.Lists[kind].Changes), note, tone)
		if e, _, ok := p.lists[i].model.Selected(); ok && i == p.at {
			p.selected(i, e, true)
		}
	}
	p.setStrip()
}

func (p *resourcesPane) setStrip() {
	p.strip.Set([]stripTab{{Text: countedTitle("Resources", len(p.resources))}, {Text: countedTitle("Templates", len(p.templates))}}, p.at)
}

// showList switches between resources and templates.
func (p *resourcesPane) showList(i int) {
	p.lists[p.at].news.hidden()
	p.at = i
	if p.front {
		p.lists[i].news.shown()
	}
	p.setStrip()
	p.shown.Objects = []fyne.CanvasObject{p.lists[i].root}
	p.shown.Refresh()
	if e, _, ok := p.lists[i].model.Selected(); ok {
		p.selected(i, e, true)
	}
}

func (p *resourcesPane) selected(list int, e view.Entry, ok bool) {
	switch {
	case !ok:
	case e.Index < 0:
		p.panel.show(removedSubject(&p.kept, e, protocol.MethodResourcesRead, "Read"))
	case list == 0:
		p.panel.show(p.resource(e))
	default:
		p.panel.show(p.template(e))
	}
}

func (p *resourcesPane) resource(e view.Entry) *subject {
	r := p.resources[e.Index]
	key := "resource\x00" + e.Key
	s := p.kept.get(key)
	if s != nil && bytes.Equal(s.definition, r.Raw) {
		s.entry = e
		return s
	}
	return p.keep(key, s, &subject{entry: e, about: r.Description, definition: r.Raw}, "URI", view.URIFields(r.URI))
}

func (p *resourcesPane) template(e view.Entry) *subject {
	t := p.templates[e.Index]
	key := "template\x00" + e.Key
	s := p.kept.get(key)
	if s != nil && bytes.Equal(s.definition, t.Raw) {
		s.entry = e
		return s
	}
	fields := view.TemplateFields(t)
	if s != nil {
		fields.Adopt(s.ask.(*fieldsAsker).fields)
	}
	return p.keep(key, s, &subject{entry: e, about: t.Description, definition: t.Raw}, "Variables", fields)
}

// keep remembers a subject, with what was done with an earlier definition.
func (p *resourcesPane) keep(key string, old, fresh *subject, title string, fields *view.TextFields) *subject {
	fresh.method, fresh.verb = protocol.MethodResourcesRead, "Read"
	if old != nil {
		fresh.run, fresh.page, fresh.metaText, fresh.timeout = old.run, old.page, old.metaText, old.timeout
	}
	fresh.ask = newFieldsAsker(p.panel, title, "This template has no variables.", fields)
	p.kept.put(key, fresh)
	return fresh
}

func (p *resourcesPane) readAny() {
	if p.any.Text != "" {
		p.ReadURI(p.any.Text)
	}
}

func (p *resourcesPane) shows(method string) bool { return method == protocol.MethodResourcesRead }

// ShowEntry selects the resource at a URI, listed or not.
func (p *resourcesPane) ShowEntry(uri string) bool {
	p.choose(uri)
	return true
}

// TakeCall shows a reading of a resource.
func (p *resourcesPane) TakeCall(call *session.Call) bool {
	return p.ShowEntry(call.State().Name) && p.panel.take(call)
}

// ReadURI reads a resource at once, listed or not.
func (p *resourcesPane) ReadURI(uri string) {
	p.choose(uri)
	p.panel.submit()
}

// choose shows a resource, listed or not.
func (p *resourcesPane) choose(uri string) {
	p.take()
	if i := slices.IndexFunc(p.resources, func(r protocol.Resource) bool { return r.URI == uri }); i >= 0 {
		list := p.lists[0]
		list.filter.SetText("")
		list.choose(i)
		p.showList(0)
		list.list.Select(i)
		list.list.Reveal(i)
	} else {
		p.any.SetText(uri)
		key := "any\x00" + uri
		s := p.kept.get(key)
		if s == nil {
			s = p.keep(key, nil, &subject{
				entry: view.Entry{Key: key, Name: safe.Line(uri, 120)}, about: "This URI is not among the listed resources.",
			}, "URI", view.URIFields(uri))
		}
		p.lists[p.at].choose(-1)
		p.lists[p.at].list.Select(-1)
		p.panel.show(s)
	}
}
