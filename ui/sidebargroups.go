package ui

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/settings"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
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
		s.focusItem(0)
	case fyne.KeyReturn, fyne.KeyEnter:
		for i, e := range s.entries {
			if !e.Heading {
				s.items[i].onTap()
				break
			}
		}
	default:
		return false
	}
	return true
}

func (s *sidebar) focusItem(i int) {
	if i >= 0 && i < len(s.items) {
		s.u.win.Canvas().Focus(s.items[i])
	}
}

// setServers shows other entries. Items are kept as long as there are as many,
// so that the keyboard stays where it is.
func (s *sidebar) setServers(entries []view.SideEntry, at *view.Conn) {
	moved := s.focusedServer()
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
		s.focusItem(slices.IndexFunc(entries, func(e view.SideEntry) bool { return entryKey(e) == moved }))
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

// focusedServer is what has the keyboard, "" when none of the servers does.
func (s *sidebar) focusedServer() string {
	item, _ := s.u.win.Canvas().Focused().(*sideItem)
	if i := slices.Index(s.items, item); item != nil && i >= 0 && i < len(s.entries) {
		return entryKey(s.entries[i])
	}
	return ""
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
	item.onKey = s.keysOf(i, func() { s.u.renameServer(id) }, func() {
		if server, ok := s.u.cfg.Settings.Server(id); ok {
			s.u.removeServer(server)
		}
	})
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

func (s *sidebar) bindGroup(item *sideItem, i int, e view.SideEntry) {
	name := e.Group
	item.heading, item.current = true, false
	item.glyph, item.tone, item.title = "▾", view.Muted, e.GroupTitle()+"  "+human.Count(e.Count)
	if e.Folded {
		item.glyph = "▸"
	}
	item.sub = ""
	item.action, item.actionIcon, item.onDrag, item.onDrop, item.onShortcut = nil, nil, nil, nil, nil
	item.onTap = func() {
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
		default:
			return false
		}
		return true
	}
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

// itemUnder is the entry at a place of the window, -1 for none.
func (s *sidebar) itemUnder(at fyne.Position) int {
	driver := fyne.CurrentApp().Driver()
	return slices.IndexFunc(s.items, func(item *sideItem) bool {
		from, size := driver.AbsolutePositionForObject(item), item.Size()
		return at.X >= from.X && at.Y >= from.Y && at.X < from.X+size.Width && at.Y < from.Y+size.Height
	})
}

// aim marks the entry that a dragged server would take the place of.
func (s *sidebar) aim(over, from int) {
	for i, item := range s.items {
		if aimed := i == over && over != from; item.aimed != aimed {
			item.aimed = aimed
			item.Refresh()
		}
	}
}

// drop puts a server that was dragged where it was dropped: into a group, or
// before another server, or behind it when it came from above.
func (s *sidebar) drop(id string, from int, at fyne.Position) {
	to := s.itemUnder(at)
	s.aim(-1, -1)
	if to < 0 || to == from || s.entries[to].IsUnsaved() {
		return
	}
	e := s.entries[to]
	group, before := e.Group, e.Server.ServerID
	switch {
	case e.Heading:
		before = ""
	case before == "": // a server that is not saved
		return
	case to > from && to+1 < len(s.entries) && !s.entries[to+1].Heading:
		before = s.entries[to+1].Server.ServerID
	case to > from:
		before = ""
	}
	s.u.kept(s.u.cfg.Settings.MoveServer(id, group, before))
	s.refresh()
}

func (s *sidebar) menuOf(row view.ServerRow) *fyne.Menu {
	var items []*fyne.MenuItem
	var over *connPage
	if row.Conn != nil {
		over = s.u.pageOf(row.Conn)
	}
	if p := over; p != nil {
		items = append(items, p.menuItems()...)
	} else {
		items = append(items, fyne.NewMenuItem("Connect", func() { s.connect(row) }))
	}
	if row.ServerID == "" {
		return fyne.NewMenu("", items...)
	}
	id := row.ServerID
	with := func(do func(settings.Server)) func() {
		return func() {
			if server, ok := s.u.cfg.Settings.Server(id); ok {
				do(server)
			}
		}
	}
	group := fyne.NewMenuItem("Group", nil)
	group.ChildMenu = s.groupChoices(id)
	items = append(items, fyne.NewMenuItemSeparator(),
		fyne.NewMenuItem("Edit …", with(func(x settings.Server) { s.u.edit(x, nil) })),
		fyne.NewMenuItem("Check", with(func(x settings.Server) { s.u.check(x, over) })),
		fyne.NewMenuItem("Rename …", func() { s.u.renameServer(id) }),
		fyne.NewMenuItem("Duplicate", with(s.u.duplicate)),
		group,
		fyne.NewMenuItem("Secrets …", with(s.u.secretsOf)),
		fyne.NewMenuItemSeparator(),
		fyne.NewMenuItem("Export to a file of another program …", func() { s.u.exportServers([]string{id}) }),
		fyne.NewMenuItem("Copy command or address", with(func(x settings.Server) { s.u.copyText(x.Target.CommandLine()) })),
		fyne.NewMenuItemSeparator(),
		fyne.NewMenuItem("Move up   Alt+Up", func() { s.u.kept(s.u.cfg.Settings.StepServer(id, false)); s.refresh() }),
		fyne.NewMenuItem("Move down   Alt+Down", func() { s.u.kept(s.u.cfg.Settings.StepServer(id, true)); s.refresh() }),
		fyne.NewMenuItem("Remove …", with(s.u.removeServer)))
	return fyne.NewMenu("", items...)
}

// groupChoices are the groups that a server can be put into.
func (s *sidebar) groupChoices(id string) *fyne.Menu {
	st := s.u.cfg.Settings.Get()
	server, _ := s.u.cfg.Settings.Server(id)
	menu := fyne.NewMenu("")
	choice := func(label, name string) {
		item := fyne.NewMenuItem(label, func() {
			s.u.kept(s.u.cfg.Settings.MoveServer(id, name, ""))
			s.u.serversChanged()
		})
		item.Checked = server.Group == name
		menu.Items = append(menu.Items, item)
	}
	choice("None", "")
	for _, g := range st.AllGroups() {
		choice(safe.Line(g.Name, 40), g.Name)
	}
	menu.Items = append(menu.Items, fyne.NewMenuItemSeparator(), fyne.NewMenuItem("New group …", func() { s.u.newGroup(id) }))
	return menu
}

func (s *sidebar) groupMenu(name string) *fyne.Menu {
	var ids []string
	for _, x := range s.u.cfg.Settings.Get().Servers {
		if x.Group == name {
			ids = append(ids, x.ID)
		}
	}
	export := fyne.NewMenuItem("Export its servers …", func() { s.u.exportServers(ids) })
	export.Disabled = len(ids) == 0
	return fyne.NewMenu("",
		fyne.NewMenuItem("Rename …", func() { s.u.renameGroup(name) }),
		export,
		fyne.NewMenuItem("Move up   Alt+Up", func() { s.u.kept(s.u.cfg.Settings.StepGroup(name, false)); s.refresh() }),
		fyne.NewMenuItem("Move down   Alt+Down", func() { s.u.kept(s.u.cfg.Settings.StepGroup(name, true)); s.refresh() }),
		fyne.NewMenuItemSeparator(),
		fyne.NewMenuItem("Remove the group, keep its servers", func() { s.u.removeGroup(name) }))
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
