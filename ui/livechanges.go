package ui

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/ui/difftext"
	"mcploupe/ui/view"
	"mcploupe/ui/view/textdiff"
	"mcploupe/ui/widget"
)

// listNews is what the head of a list says of its age and of what changed in it
// since the person last saw it.
type listNews struct {
	conn *view.Conn
	kind session.ListKind
	root *fyne.Container
	age  *widget.Label
	what *widget.Label
	line *fyne.Container
	tick *ticker
}

// newListNews makes the lines for a listing of c.
func newListNews(c *view.Conn, env *Env, kind session.ListKind) *listNews {
	n := &listNews{conn: c, kind: kind, age: widget.NewLabel(""), what: widget.NewLabel("")}
	n.age.Importance, n.age.Truncation = widget.LowImportance, fyne.TextTruncateEllipsis
	n.what.Importance, n.what.Truncation = widget.WarningImportance, fyne.TextTruncateEllipsis
	seen := quiet("Mark as seen", fynetheme.ConfirmIcon(), func() {
		if sess := c.Session(); sess != nil {
			sess.SeenChanges(kind)
			env.Changed()
		}
	})
	n.line = widget.Border(nil, nil, nil, seen, n.what)
	n.root = container.NewVBox(n.age, n.line)
	n.tick = &ticker{env: env, do: n.refresh}
	n.refresh()
	return n
}

// beside puts something at the end of the line that says how old the listing is.
func (n *listNews) beside(o fyne.CanvasObject) {
	n.root.Objects[0] = widget.Border(nil, nil, nil, o, n.age)
}

// refresh says how old the listing is now.
func (n *listNews) refresh() {
	l := n.conn.State().Lists[n.kind]
	text, tone := view.AgeNote(l, n.tick.env.Now())
	importance := widget.LowImportance
	if tone == view.Caution {
		importance = widget.WarningImportance
	}
	if n.age.Importance != importance {
		n.age.Importance = importance
		n.age.Refresh()
	}
	say(n.age, text)
	say(n.what, view.ChangesNote(l.Changes))
	setHidden(n.line, n.what.Text == "")
}

// shown and hidden follow whether the list is seen.
func (n *listNews) shown() {
	n.refresh()
	n.tick.start()
}

func (n *listNews) hidden() { n.tick.stop() }

// changesTitle is the title of a pane whose list has changes that were not seen.
func changesTitle(title string, l session.List) string {
	if len(l.Changes) > 0 {
		return title + " ~" + countedTitle("", len(l.Changes))[1:]
	}
	return title
}

// changesPage shows the definition of an entry before and after.
type changesPage struct {
	env   *Env
	box   *difftext.Box
	shown *view.EntryChange
}

func newChangesPage(env *Env) *changesPage {
	p := &changesPage{env: env, box: difftext.NewBox()}
	p.box.View.OnCopy = func(text string) {
		env.Clipboard.SetContent(text)
		env.Notify("Copied")
	}
	return p
}

// show compares the definitions in the background.
func (p *changesPage) show(c *view.EntryChange) {
	if p.shown == c {
		return
	}
	p.shown = c
	p.box.Set("Comparing …", &textdiff.Diff{})
	p.env.Go(func(context.Context) {
		diff := c.Diff()
		p.env.Do(func() {
			if p.shown == c {
				p.box.Set(c.Title(), diff)
			}
		})
	})
}

// removedAsker stands where the form of an entry would be that the server does
// not list any more.
type removedAsker struct{}

func (removedAsker) pages() []formPage { return nil }
func (removedAsker) filling() view.Filling {
	return view.Filling{Reason: "The server does not list this entry any more."}
}
func (removedAsker) slim() bool     { return false }
func (removedAsker) explains() bool { return false }
func (removedAsker) hides() bool    { return false }
func (removedAsker) reveal()        {}
func (removedAsker) refresh()       {}
func (removedAsker) focus()         {}

// removedSubject is an entry that the server does not list any more, with its
// last definition.
func removedSubject(kept *subjects, e view.Entry, method, verb string) *subject {
	if s := kept.get(e.Key); s != nil {
		s.entry = e
		return s
	}
	s := &subject{entry: e, method: method, verb: verb, definition: e.Change.Before, ask: removedAsker{}, page: pageDefinition}
	kept.put(e.Key, s)
	return s
}

// watchURI is the resource that the panel would read now, "" when it reads none.
func (p *requestPanel) watchURI() string {
	if p.now == nil || p.now.method != protocol.MethodResourcesRead {
		return ""
	}
	f := p.now.ask.filling()
	v, _, ok := protocol.Lookup(f.Params, "/uri")
	if !ok || !f.Sendable {
		return ""
	}
	uri, _ := protocol.StringValue(v)
	return uri
}

// showWatch says what the button for watching would do.
func (p *requestPanel) showWatch() {
	uri := p.watchURI()
	phase, _ := p.conn.Phase()
	setHidden(p.watch, uri == "" || !phase.Live())
	word := "Watch"
	if uri != "" && view.WatchedURI(p.conn.State(), uri) != 0 {
		word = "Watched"
	}
	if p.watch.Text != word {
		p.watch.SetText(word)
	}
}

// toWatch watches the resource, or shows what is known of it.
func (p *requestPanel) toWatch() {
	uri := p.watchURI()
	if uri == "" {
		return
	}
	if view.WatchedURI(p.conn.State(), uri) == 0 {
		p.env.watch(p.conn, uri)
	}
	p.env.ShowWatch(uri)
}
