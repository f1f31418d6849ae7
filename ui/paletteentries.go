package ui

import (
	"slices"

	"mcploupe/assets"
	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// maxPaletteRecordings bounds the recordings that the palette lists.
const maxPaletteRecordings = 200

// paletteLists are all entries of the palette.
func (u *UI) paletteLists(cache *paletteCache) []view.PaletteList {
	var entries []view.PaletteEntry
	u.menus.actions(func(path []string, a *action) {
		e := view.PaletteEntry{Key: a.key(), Title: a.title, Detail: joined(path), Shortcut: widget.KeyText(a.Shortcut), Why: a.cannot(), Do: a.Action}
		if c := u.currentConn(); a.tab > 0 && e.Why == "" {
			e.Kind, e.Title, e.Detail = view.PaletteTab, c.panes[a.tab-1].Title(), c.conn.Title()
		}
		entries = append(entries, e)
	})
	entries = append(entries, u.paletteTabs()...)
	entries = append(entries, u.paletteServers()...)
	entries = append(entries, u.paletteRecordings()...)
	entries = append(entries, u.paletteSettings()...)
	entries = append(entries, cache.guide(u)...)
	lists := []view.PaletteList{view.NewPaletteList(entries)}
	return append(lists, cache.of(u)...)
}

func joined(path []string) string {
	out := ""
	for i, p := range path {
		if i > 0 {
			out += ", "
		}
		out += p
	}
	return out
}

// paletteTabs are the tabs of the window that are not in front.
func (u *UI) paletteTabs() []view.PaletteEntry {
	var entries []view.PaletteEntry
	for i, p := range u.pages {
		if i == u.active {
			continue
		}
		entries = append(entries, view.PaletteEntry{
			Key: "tab\x00" + p.tab().Text, Kind: view.PaletteTab, Title: safe.Line(p.tab().Text, 80), Detail: "tab of the window",
			Do: func() {
				if at := slices.Index(u.pages, p); at >= 0 {
					u.activate(at)
				}
			},
		})
	}
	return entries
}

// paletteServers are the saved servers and the connections to others.
func (u *UI) paletteServers() []view.PaletteEntry {
	var entries []view.PaletteEntry
	for _, row := range view.ServerRows(u.cfg.Settings.Get().Servers, u.conns(), u.cfg.now()) {
		detail := "connects  ·  " + row.Word
		if row.Conn != nil {
			detail = row.Word
		}
		entries = append(entries, view.PaletteEntry{
			Key: "server\x00" + row.ServerID + "\x00" + row.Title, Kind: view.PaletteServer, Title: safe.Line(row.Title, 80), Detail: safe.Line(detail, 120),
			Do: func() {
				if p := u.pageOf(row.Conn); row.Conn != nil && p != nil {
					u.show(p)
					return
				}
				u.connectSaved(row.ServerID)
			},
		})
	}
	return entries
}

// paletteRecordings are the open, recent and saved recordings.
func (u *UI) paletteRecordings() []view.PaletteEntry {
	st := u.cfg.Settings.Get()
	var paths []string
	open := map[string]bool{}
	for _, c := range u.conns() {
		if path := c.Path(); path != "" {
			phase, _ := c.Phase()
			open[path] = phase.Live() || phase.Busy()
			paths = append(paths, path)
		}
	}
	for _, path := range view.RecordingPaths(st.Recent, st.Saved, maxPaletteRecordings) {
		if !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	var entries []view.PaletteEntry
	for _, row := range view.RecordingRows(paths, st.Saved, open, u.side.known, u.cfg.now()) {
		e := view.PaletteEntry{
			Key: "recording\x00" + row.Path, Kind: view.PaletteRecording, Title: safe.Line(row.Title, 80), Detail: row.Sub,
			Do: func() { u.openRecording(row.Path) },
		}
		if row.Gone {
			e.Why = "the file is not there any more"
		}
		entries = append(entries, e)
	}
	return entries
}

// paletteSettings are the settings; one that is chosen is shown on their page.
func (u *UI) paletteSettings() []view.PaletteEntry {
	var entries []view.PaletteEntry
	for _, s := range view.Settings(*u.cfg.Capabilities) {
		detail := s.Group
		if s.About != "" {
			detail += "  ·  " + s.About
		}
		entries = append(entries, view.PaletteEntry{Key: "setting\x00" + s.Key, Kind: view.PaletteSetting, Title: s.Label, Detail: detail,
			Do: func() { u.openSetting(s.Label) }})
	}
	return entries
}

// guide are the pages of the guide, which do not change.
func (c *paletteCache) guide(u *UI) []view.PaletteEntry {
	if c.pages != nil {
		return c.pages
	}
	guide, err := view.NewHelp(assets.Guide())
	if err != nil {
		return nil // the page of the guide says so
	}
	for _, p := range guide.Pages() {
		c.pages = append(c.pages, view.PaletteEntry{Key: "guide\x00" + p.Key, Kind: view.PaletteGuide, Title: p.Title, Detail: p.Lead,
			Do: func() { u.openHelp(p.Key, "") }})
	}
	return c.pages
}

// paletteCache keeps the pages of the guide, and the entries of listings as long
// as the listings do not change: they may be thousands.
type paletteCache struct {
	pages []view.PaletteEntry
	kept  map[*view.Conn]*paletteKept
}

type paletteKept struct {
	stamp [4]listStamp
	title string
	list  view.PaletteList
}

var listKinds = [4]session.ListKind{session.Tools, session.Prompts, session.Resources, session.ResourceTemplates}

// of are the entries of all connections, that in front first.
func (c *paletteCache) of(u *UI) []view.PaletteList {
	var lists []view.PaletteList
	kept := map[*view.Conn]*paletteKept{}
	conns := u.conns()
	if p := u.currentConn(); p != nil && p.conn != nil {
		conns = append([]*view.Conn{p.conn}, slices.DeleteFunc(conns, func(x *view.Conn) bool { return x == p.conn })...)
	}
	for _, conn := range conns {
		all := conn.Lists()
		if all == nil {
			continue
		}
		var stamp [4]listStamp
		for i, kind := range listKinds {
			stamp[i] = stampOf(all, conn.State(), kind)
		}
		k := c.kept[conn]
		if k == nil || k.stamp != stamp || k.title != conn.Title() {
			k = &paletteKept{stamp: stamp, title: conn.Title(), list: view.NewPaletteList(u.paletteListed(conn, all))}
		}
		kept[conn] = k
		lists = append(lists, k.list)
	}
	c.kept = kept
	return lists
}

// paletteListed are the entries of the listings of a connection.
func (u *UI) paletteListed(conn *view.Conn, all view.Lister) []view.PaletteEntry {
	entries := make([]view.PaletteEntry, 0, len(all.Tools())+len(all.Prompts())+len(all.Resources())+len(all.ResourceTemplates()))
	title := conn.Title()
	add := func(kind view.PaletteKind, e view.Entry, show func(p *connPage)) {
		detail := title
		switch {
		case e.Label != "":
			detail += "  ·  " + e.Label
		case e.About != "":
			detail += "  ·  " + e.About
		}
		entry := view.PaletteEntry{
			Key: kind.Word() + "\x00" + title + "\x00" + e.Key, Kind: kind, Title: e.Name, Detail: detail,
			Do: func() {
				if p := u.pageOf(conn); p != nil {
					u.show(p)
					show(p)
				}
			},
		}
		if e.Malformed {
			entry.Detail = detail + "  ·  malformed"
		}
		entries = append(entries, entry)
	}
	for _, e := range view.ToolEntries(all.Tools(), false) {
		add(view.PaletteTool, e, func(p *connPage) { p.showListed(protocol.MethodToolsCall, e.Key) })
	}
	for _, e := range view.PromptEntries(all.Prompts()) {
		add(view.PalettePrompt, e, func(p *connPage) { p.showListed(protocol.MethodPromptsGet, e.Key) })
	}
	for i, e := range view.ResourceEntries(all.Resources()) {
		uri := all.Resources()[i].URI
		add(view.PaletteResource, e, func(p *connPage) { p.showCall(protocol.MethodResourcesRead, uri) })
	}
	for _, e := range view.TemplateEntries(all.ResourceTemplates()) {
		add(view.PaletteTemplate, e, func(p *connPage) { p.showTemplate(e.Key) })
	}
	return entries
}

// showListed shows the entry of a listing by its key and gives the keyboard to it.
func (p *connPage) showListed(method, key string) {
	for i, pane := range p.panes {
		s, ok := pane.(interface {
			entryShower
			showKey(key string) bool
		})
		if ok && s.shows(method) {
			p.goTo(i)
			s.showKey(key)
			return
		}
	}
}

func (p *toolsPane) showKey(key string) bool   { return p.list.showEntry(key) }
func (p *promptsPane) showKey(key string) bool { return p.list.showEntry(key) }

// showTemplate shows a resource template by its key.
func (p *connPage) showTemplate(key string) {
	for i, pane := range p.panes {
		if r, ok := pane.(*resourcesPane); ok {
			p.showPane(i)
			r.take()
			r.showList(1)
			r.lists[1].showEntry(key)
			return
		}
	}
}
