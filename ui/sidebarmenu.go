package ui

import (
	"fyne.io/fyne/v2"

	"mcploupe/ui/settings"
	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// menuOf are the actions for a server in the list.
func (s *sidebar) menuOf(row view.ServerRow) *fyne.Menu {
	var over *connPage
	if row.Conn != nil {
		over = s.u.pageOf(row.Conn)
	}
	if row.ServerID == "" && over != nil {
		return fyne.NewMenu("", over.menuItems()...)
	}
	id := row.ServerID
	with := func(do func(settings.Server)) func() {
		return func() {
			if server, ok := s.u.cfg.Settings.Server(id); ok {
				do(server)
			}
		}
	}
	link := []*fyne.MenuItem{fyne.NewMenuItem("Connect", func() { s.connect(row) })}
	var recording []*fyne.MenuItem
	if over != nil {
		link = over.linkItems()
		recording = append(over.compareItems(), submenu("Recording", over.recordingItems())...)
	}
	group := fyne.NewMenuItem("Group", nil)
	group.ChildMenu = s.groupChoices(id)
	return fyne.NewMenu("", joinItems(link, []*fyne.MenuItem{
		fyne.NewMenuItem("Edit …", with(func(x settings.Server) { s.u.edit(x, over) })),
		fyne.NewMenuItem("Check", with(func(x settings.Server) { s.u.check(x, over) })),
	}, recording, []*fyne.MenuItem{
		keyed("Rename …", "F2", func() { s.u.renameServer(id) }),
		fyne.NewMenuItem("Duplicate", with(s.u.duplicate)),
		group,
		fyne.NewMenuItem("Secrets …", with(s.u.secretsOf)),
	}, []*fyne.MenuItem{
		fyne.NewMenuItem("Export to a file of another program …", func() { s.u.exportServers([]string{id}) }),
		fyne.NewMenuItem("Copy command or address", with(func(x settings.Server) { s.u.copyText(x.Target.CommandLine()) })),
		fyne.NewMenuItem("Copy command that records another client", with(func(x settings.Server) { s.u.copyText(view.RecordCommand(s.u.cfg.Executable, s.u.cfg.Settings, x)) })),
	}, []*fyne.MenuItem{
		keyed("Move up", "Alt+Up", func() { s.u.kept(s.u.cfg.Settings.StepServer(id, false)); s.refresh() }),
		keyed("Move down", "Alt+Down", func() { s.u.kept(s.u.cfg.Settings.StepServer(id, true)); s.refresh() }),
		keyed("Remove …", "Delete", with(s.u.removeServer)),
	})...)
}

// keyed is an item of a menu whose keys are those of the entry.
func keyed(label, keys string, do func()) *fyne.MenuItem {
	item := fyne.NewMenuItem(label, do)
	item.Shortcut = widget.Keys(keys)
	return item
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
		keyed("Rename …", "F2", func() { s.u.renameGroup(name) }),
		export,
		keyed("Move up", "Alt+Up", func() { s.u.kept(s.u.cfg.Settings.StepGroup(name, false)); s.refresh() }),
		keyed("Move down", "Alt+Down", func() { s.u.kept(s.u.cfg.Settings.StepGroup(name, true)); s.refresh() }),
		fyne.NewMenuItemSeparator(),
		keyed("Remove the group, keep its servers", "Delete", func() { s.u.removeGroup(name) }))
}
