package ui

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// serversHead is the heading of the servers with what can be done to the list.
func (s *sidebar) serversHead() fyne.CanvasObject {
	more := widget.NewButtonWithIcon("", fynetheme.MoreHorizontalIcon(), nil)
	more.Importance = widget.LowImportance
	more.OnTapped = func() {
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(more).AddXY(0, more.Size().Height)
		widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", s.u.serverListItems()...), s.u.win.Canvas(), at)
	}
	return container.NewBorder(nil, nil, nil, more, sideHeading("SERVERS"))
}

// serverListItems are the actions for the list of servers.
func (u *UI) serverListItems() []*fyne.MenuItem {
	return []*fyne.MenuItem{
		fyne.NewMenuItem("Import servers …", u.importServers),
		fyne.NewMenuItem("Export servers …", func() { u.exportServers(nil) }),
		fyne.NewMenuItemSeparator(),
		fyne.NewMenuItem("New group …", func() { u.newGroup("") }),
	}
}

// newGroup asks for a group and puts a server into it, "" for none.
func (u *UI) newGroup(id string) {
	u.askName("New group", "Name", "", "Make", func(name string) {
		u.kept(u.cfg.Settings.AddGroup(name))
		if id != "" {
			u.kept(u.cfg.Settings.MoveServer(id, name, ""))
		}
		u.serversChanged()
	})
}

// findKey leaves the search, or goes to what it found.
func (s *sidebar) findKey(e *fyne.KeyEvent) bool {
	switch e.Name {
	case fyne.KeyEscape:
		if s.find.Text == "" {
			s.u.win.Canvas().Unfocus()
		}
		s.find.SetText("")
	case fyne.KeyDown:
		s.focusItem(max(s.firstServer(), 0))
	case fyne.KeyReturn, fyne.KeyEnter:
		if i := s.firstServer(); i >= 0 {
			s.items[i].onTap()
		}
	default:
		return false
	}
	return true
}

// firstServer is the place of the first server, -1 when there is none.
func (s *sidebar) firstServer() int {
	return slices.IndexFunc(s.entries, func(e view.SideEntry) bool { return !e.Heading })
}

func (s *sidebar) focusItem(i int) {
	if i >= 0 && i < len(s.items) {
		s.u.win.Canvas().Focus(s.items[i])
	}
}

// setServers shows other entries. Items are kept as long as there are as many,
// so that the keyboard stays where it is.
func (s *sidebar) setServers(entries []view.SideEntry, at *view.Conn) {
	had, moved := s.focusedServer()
	s.entries, s.at = entries, at
	keep := len(s.items) == len(entries) && len(entries) > 0
	if !keep {
		s.items = nil
		s.servers.RemoveAll()
	}
	for i, e := range entries {
		if !keep {
			item := newSideItem()
			item.tip = s.u.tip
			s.items = append(s.items, item)
			s.servers.Add(item)
		}
		item := s.items[i]
		if e.Heading {
			s.bindGroup(item, i, e)
		} else {
			s.bindServer(item, i, e, at)
		}
		item.Refresh()
	}
	if moved != "" {
		to := slices.IndexFunc(entries, func(e view.SideEntry) bool { return entryKey(e) == moved })
		if to < 0 { // it is gone
			s.u.win.Canvas().Unfocus()
			to = min(had, len(entries)-1)
		}
		s.focusItem(to)
	}
	switch {
	case len(entries) > 0:
	case s.find.Text != "":
		s.servers.Add(sideNote("Nothing found"))
	default:
		s.servers.Add(sideNote("None saved yet"))
	}
	if keep {
		s.servers.Refresh()
	}
	s.showChanges()
}

// entryKey tells entries apart.
func entryKey(e view.SideEntry) string {
	if e.Heading {
		return "group " + e.Group
	}
	return "server " + e.Server.ServerID
}

// focusedServer is what has the keyboard and its place, "" when none of the
// servers does.
func (s *sidebar) focusedServer() (at int, key string) {
	item, _ := s.u.win.Canvas().Focused().(*sideItem)
	if at = slices.Index(s.items, item); item != nil && at >= 0 && at < len(s.entries) {
		return at, entryKey(s.entries[at])
	}
	return -1, ""
}

func (s *sidebar) bindServer(item *sideItem, i int, e view.SideEntry, at *view.Conn) {
	row := e.Server
	item.heading = false
	item.glyph, item.title, item.sub, item.tone = row.Glyph, row.Title, row.Word, row.Tone
	item.current = row.Conn != nil && row.Conn == at
	item.onTap = func() { s.open(row) }
	item.menu = func() *fyne.Menu { return s.menuOf(row) }
	item.action, item.actionIcon = nil, nil
	if row.Conn == nil {
		item.action, item.actionIcon = func() { s.connect(row) }, fynetheme.MediaPlayIcon()
	}
	id := row.ServerID
	keys := s.keysOf(i, func() { s.u.renameServer(id) }, func() {
		if server, ok := s.u.cfg.Settings.Server(id); ok {
			s.u.removeServer(server)
		}
	})
	item.onKey = func(k *fyne.KeyEvent) bool {
		if enter := k.Name == fyne.KeyReturn || k.Name == fyne.KeyEnter; enter && item.current {
			return s.connectShown()
		}
		return keys(k)
	}
	item.onShortcut = steps(func(down bool) {
		s.u.kept(s.u.cfg.Settings.StepServer(id, down))
		s.refresh()
	})
	item.onDrag, item.onDrop = nil, nil
	if id != "" && s.find.Text == "" {
		item.onDrag = func(at fyne.Position) { s.aim(s.itemUnder(at), i) }
		item.onDrop = func(at fyne.Position) { s.drop(id, i, at) }
	}
}

// connectShown connects the page in front, as the button on it does: Enter opens
// a server, and once more connects it.
func (s *sidebar) connectShown() bool {
	c := s.u.currentConn()
	if c == nil || !c.canConnect() {
		return false
	}
	if phase, _ := c.conn.Phase(); phase.Live() || phase.Busy() {
		return false
	}
	c.connect()
	return true
}

func (s *sidebar) bindGroup(item *sideItem, i int, e view.SideEntry) {
	name := e.Group
	item.heading, item.current = true, false
	item.glyph, item.tone, item.title = "▾", view.Muted, e.GroupTitle()+"  "+e.CountText()
	if e.Folded {
		item.glyph = "▸"
	}
	item.sub = ""
	item.action, item.actionIcon, item.onDrag, item.onDrop, item.onShortcut = nil, nil, nil, nil, nil
	item.onTap = func() {
		if s.find.Text != "" {
			return // what is found is shown, folded or not
		}
		s.u.kept(s.u.cfg.Settings.FoldGroup(name, !e.Folded))
		s.refresh()
	}
	if e.IsUnsaved() {
		item.onTap = func() {}
		item.menu = func() *fyne.Menu {
			return fyne.NewMenu("", fyne.NewMenuItem("New group …", func() { s.u.newGroup("") }))
		}
		item.onKey = s.keysOf(i, nil, nil)
		return
	}
	item.menu = func() *fyne.Menu { return s.groupMenu(name) }
	item.onKey = s.keysOf(i, func() { s.u.renameGroup(name) }, func() { s.u.removeGroup(name) })
	item.onShortcut = steps(func(down bool) {
		s.u.kept(s.u.cfg.Settings.StepGroup(name, down))
		s.refresh()
	})
}

// keysOf are the keys of an entry: up and down go to its neighbours, F2 renames,
// Delete removes.
func (s *sidebar) keysOf(i int, rename, remove func()) func(*fyne.KeyEvent) bool {
	return func(k *fyne.KeyEvent) bool {
		switch {
		case k.Name == fyne.KeyUp && i == 0 && s.find.Visible():
			s.u.win.Canvas().Focus(s.find)
		case k.Name == fyne.KeyUp:
			s.focusItem(i - 1)
		case k.Name == fyne.KeyDown:
			s.focusItem(i + 1)
		case k.Name == fyne.KeyF2 && rename != nil:
			rename()
		case k.Name == fyne.KeyDelete && remove != nil:
			remove()
		case k.Name == fyne.KeyEscape && s.find.Text != "":
			s.u.win.Canvas().Focus(s.find)
			s.find.SetText("")
		default:
			return false
		}
		return true
	}
}

// altKeysHere lets what has the keyboard have Alt with up and down: they move a
// server in the list, or an item in a form. The menus of the window, which have
// them for comparisons, get all keys first.
func (m *menus) altKeysHere() {
	m.actions(func(_ []string, a *action) {
		keys, ok := a.Shortcut.(*desktop.CustomShortcut)
		do := a.Action
		if !ok || keys.Modifier != fyne.KeyModifierAlt || do == nil {
			return
		}
		a.Action = func() {
			focused, ok := m.u.win.Canvas().Focused().(fyne.Shortcutable)
			server, side := focused.(*sideItem)
			if ok && (m.u.currentComparison() == nil || side && server.onShortcut != nil) {
				focused.TypedShortcut(keys)
				return
			}
			do()
		}
	})
}

// steps takes Alt with up and down.
func steps(step func(down bool)) func(fyne.Shortcut) {
	return func(s fyne.Shortcut) {
		c, ok := s.(*desktop.CustomShortcut)
		if !ok || c.Modifier != fyne.KeyModifierAlt {
			return
		}
		switch c.KeyName {
		case fyne.KeyUp:
			step(false)
		case fyne.KeyDown:
			step(true)
		}
	}
}

func (u *UI) renameServer(id string) {
	server, ok := u.cfg.Settings.Server(id)
	if !ok {
		return
	}
	u.askName("Rename server", "Name", view.TitleOf(server.Target), "Rename", func(name string) {
		u.kept(u.cfg.Settings.RenameServer(id, name))
		for _, c := range u.conns() {
			if x := c.Server(); x.ID == id {
				x.Target.Name = name
				c.SetServer(x)
			}
		}
		u.refreshTabs()
		u.serversChanged()
	})
}

func (u *UI) renameGroup(name string) {
	u.askName("Rename group", "Name", name, "Rename", func(to string) {
		u.kept(u.cfg.Settings.RenameGroup(name, to))
		u.serversChanged()
	})
}

func (u *UI) removeGroup(name string) {
	u.kept(u.cfg.Settings.RemoveGroup(name))
	u.notes.notify("The group " + safe.Line(name, 40) + " is gone; its servers are not")
	u.serversChanged()
}
