package ui

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"mcploupe/ui/settings"
)

// menus is the main menu. Every shortcut of the window sits on an item here,
// because those work whatever has the focus. Keys without Ctrl, such as F5, do
// not come by way of menus; see UI.typedKey.
type menus struct {
	u    *UI
	main *fyne.MainMenu

	connect, disconnect, reload, closeTab, filter, follow, fold, whole, alert *fyne.MenuItem
	save, copy, export, fresh, replay, serve                                  *fyne.MenuItem // of the recording
	themes                                                                    map[string]*fyne.MenuItem
}

func key(name fyne.KeyName, mod fyne.KeyModifier) fyne.Shortcut {
	return &desktop.CustomShortcut{KeyName: name, Modifier: mod}
}

func item(label string, shortcut fyne.Shortcut, do func()) *fyne.MenuItem {
	m := fyne.NewMenuItem(label, do)
	m.Shortcut = shortcut
	return m
}

const ctrl = fyne.KeyModifierShortcutDefault

func newMenus(u *UI) *menus {
	m := &menus{u: u, themes: map[string]*fyne.MenuItem{}}
	conn := func(do func(*connPage)) func() {
		return func() {
			if c := u.currentConn(); c != nil {
				do(c)
			}
		}
	}
	quit := item("Quit", key(fyne.KeyQ, ctrl), u.Quit)
	quit.IsQuit = true
	m.closeTab = item("Close tab", key(fyne.KeyW, ctrl), func() { u.closeTab(u.active) })
	m.save = item("Save recording as …", key(fyne.KeyS, ctrl), conn((*connPage).saveRecording))
	m.copy = item("Save a copy …", key(fyne.KeyS, ctrl|fyne.KeyModifierShift), conn((*connPage).copyRecording))
	m.export = item("Export …", key(fyne.KeyE, ctrl|fyne.KeyModifierShift), conn((*connPage).export))
	m.fresh = item("New recording from here", key(fyne.KeyN, ctrl|fyne.KeyModifierShift), conn((*connPage).newRecording))
	m.replay = item("Replay the recording …", key(fyne.KeyY, ctrl|fyne.KeyModifierShift), conn((*connPage).replay))
	m.serve = item("Serve the recording …", key(fyne.KeyU, ctrl|fyne.KeyModifierShift), conn((*connPage).serve))
	file := fyne.NewMenu("File",
		item("Connect …", key(fyne.KeyN, ctrl), u.newConnection),
		item("Open recording …", key(fyne.KeyO, ctrl), u.chooseRecording),
		item("Try the demo", nil, u.tryDemo),
		fyne.NewMenuItemSeparator(),
		m.save, m.copy, m.export, m.fresh, m.replay, m.serve,
		fyne.NewMenuItemSeparator(),
		m.closeTab,
		fyne.NewMenuItemSeparator(),
		quit)

	m.connect = item("Connect or reconnect", key(fyne.KeyR, ctrl), conn(func(c *connPage) { c.conn.Reconnect() }))
	m.disconnect = item("Disconnect", key(fyne.KeyD, ctrl|fyne.KeyModifierShift), conn(func(c *connPage) { c.conn.Disconnect() }))
	m.reload = item("Refresh the lists", key(fyne.KeyR, ctrl|fyne.KeyModifierShift), conn((*connPage).reload))
	server := fyne.NewMenu("Server", m.connect, m.disconnect, m.reload,
		item("Check the connection", key(fyne.KeyK, ctrl|fyne.KeyModifierShift), conn((*connPage).check)),
		item("Send the request", key(fyne.KeyReturn, ctrl), u.submitCurrent),
		item("Running calls …", key(fyne.KeyPeriod, ctrl), conn(func(c *connPage) { c.running.open(0) })),
		item("Cancel all running calls", key(fyne.KeyPeriod, ctrl|fyne.KeyModifierShift), conn((*connPage).cancelRunning)),
		fyne.NewMenuItemSeparator(),
		item("Edit …", key(fyne.KeyE, ctrl), conn((*connPage).edit)))

	m.filter = item("Filter the timeline", key(fyne.KeyF, ctrl|fyne.KeyModifierShift), conn((*connPage).focusFilter))
	m.follow = item("Follow the newest event", key(fyne.KeyT, ctrl), conn((*connPage).toggleFollow))
	tabs := fyne.NewMenuItem("Go to", nil)
	tabs.ChildMenu = fyne.NewMenu("")
	for i := range 9 {
		tabs.ChildMenu.Items = append(tabs.ChildMenu.Items,
			item(fmt.Sprintf("Tab %d of the connection", i+1), key(fyne.KeyName('1'+rune(i)), ctrl),
				conn(func(c *connPage) { c.showPane(i) })))
	}
	tabs.ChildMenu.Items = append(tabs.ChildMenu.Items,
		item("Next window tab", key(fyne.KeyPageDown, ctrl), func() { u.step(1) }),
		item("Previous window tab", key(fyne.KeyPageUp, ctrl), func() { u.step(-1) }))
	look := fyne.NewMenuItem("Theme", nil)
	look.ChildMenu = fyne.NewMenu("")
	for _, t := range []struct{ mode, label string }{
		{settings.ThemeSystem, "As the system"}, {settings.ThemeLight, "Light"}, {settings.ThemeDark, "Dark"},
	} {
		m.themes[t.mode] = item(t.label, nil, func() { u.setTheme(t.mode) })
		look.ChildMenu.Items = append(look.ChildMenu.Items, m.themes[t.mode])
	}
	m.fold = item("Fold the timeline", key(fyne.KeyJ, ctrl), u.toggleTimeline)
	m.whole = item("Give the timeline the whole page", key(fyne.KeyJ, ctrl|fyne.KeyModifierShift), conn((*connPage).toggleWhole))
	m.alert = item("Tell the desktop when a server asks", nil, u.toggleAlert)
	viewMenu := fyne.NewMenu("View", append([]*fyne.MenuItem{m.filter, m.follow, m.fold, m.whole, tabs, fyne.NewMenuItemSeparator(), m.alert, look},
		u.settingsItems()...)...)
	help := fyne.NewMenu("Help",
		item("Guide", key(fyne.KeyF1, ctrl), func() { u.openHelp("start", "") }),
		item("About what is in front   F1", nil, u.helpHere),
		fyne.NewMenuItemSeparator(),
		item("Filter language", nil, u.filterHelp),
		item("Keyboard", nil, u.keyboardHelp),
		fyne.NewMenuItemSeparator(),
		item("About "+Name, nil, u.about))
	m.main = fyne.NewMainMenu(file, server, viewMenu, u.eventMenu(), u.compareMenu(), help)
	m.refresh()
	return m
}

// refresh marks what is possible and chosen now.
func (m *menus) refresh() {
	c := m.u.currentConn()
	before := m.state()
	none := c == nil || c.conn == nil
	m.filter.Disabled, m.follow.Disabled, m.whole.Disabled = none, none, none
	m.whole.Checked = !none && c.whole
	unrecorded := none || c.conn.Path() == ""
	m.save.Disabled, m.copy.Disabled, m.export.Disabled, m.fresh.Disabled = unrecorded, unrecorded, unrecorded, true
	m.replay.Disabled, m.serve.Disabled = unrecorded, unrecorded
	m.connect.Disabled, m.disconnect.Disabled, m.reload.Disabled = true, true, true
	if !none {
		phase, _ := c.conn.Phase()
		m.connect.Disabled = !c.canConnect() || phase.Busy()
		m.disconnect.Disabled = !phase.Live()
		m.reload.Disabled = !phase.Live()
		m.fresh.Disabled = !phase.Live() || unrecorded
	}
	m.closeTab.Disabled = m.u.active < 0 || !m.u.pages[m.u.active].tab().Closes
	chosen := m.u.cfg.Settings.Get().Theme
	m.fold.Checked = m.u.cfg.Settings.Get().Window.Folded
	m.alert.Checked = m.u.cfg.Settings.Get().Alert
	for mode, entry := range m.themes {
		entry.Checked = mode == chosen
	}
	if m.state() != before {
		m.main.Refresh()
	}
}

// state is what refresh may change.
func (m *menus) state() string {
	text := fmt.Sprint(m.save.Disabled, m.fresh.Disabled, m.filter.Disabled, m.follow.Disabled, m.connect.Disabled, m.disconnect.Disabled, m.reload.Disabled, m.closeTab.Disabled, m.fold.Checked, m.whole.Checked, m.alert.Checked)
	for _, mode := range []string{settings.ThemeSystem, settings.ThemeLight, settings.ThemeDark} {
		text += fmt.Sprint(m.themes[mode].Checked)
	}
	return text
}
