package ui

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"mcploupe/ui/settings"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// menus is the main menu. Every shortcut of the window sits on an item here,
// because those work whatever has the focus. Keys without Ctrl, such as F5, do
// not come by way of menus; see UI.typedKey.
type menus struct {
	u     *UI
	main  *fyne.MainMenu
	table []*action // the menus

	fold, whole, export, fresh, replay, serve *action
	themes                                    map[string]*action
}

func key(name fyne.KeyName, mod fyne.KeyModifier) fyne.Shortcut {
	return &desktop.CustomShortcut{KeyName: name, Modifier: mod}
}

// paletteKey opens the palette.
var paletteKey = key(fyne.KeyK, ctrl)

const (
	ctrl  = fyne.KeyModifierShortcutDefault
	shift = fyne.KeyModifierShift
)

func newMenus(u *UI) *menus {
	m := &menus{u: u, themes: map[string]*action{}}
	m.table = []*action{m.file(), m.server(), m.view(), u.eventMenu(), u.compareMenu(), m.help()}
	var all []*fyne.Menu
	for _, top := range m.table {
		all = append(all, top.ChildMenu)
	}
	m.main = fyne.NewMainMenu(all...)
	m.actions(func(_ []string, a *action) { a.tellWhy(func(text string) { u.notes.notify(text) }) })
	m.altKeysHere()
	m.refresh()
	m.showKeys()
	return m
}

// showKeys writes the keys beside the texts of the menus, for the size that
// texts have now. The menus of macOS are the system's, which can do that.
func (m *menus) showKeys() {
	if runtime.GOOS == "darwin" {
		return
	}
	for _, top := range m.main.Items {
		widget.ShowKeys(top)
	}
	m.main.Refresh()
}

// conn makes an action of something that is done with the connection in front.
func (m *menus) conn(label string, shortcut fyne.Shortcut, do func(*connPage), why func(*connPage) string) *action {
	return item(label, shortcut, func() {
		if c := m.u.currentConn(); c != nil && c.conn != nil {
			do(c)
		}
	}).when(func() string {
		c := m.u.currentConn()
		switch {
		case c == nil || c.conn == nil:
			return noConn
		case why != nil:
			return why(c)
		}
		return ""
	})
}

// Why something cannot be done with a connection.
const noConn = "no connection and no recording is in front"

func unrecorded(c *connPage) string {
	if c.conn.Path() == "" {
		return "nothing is recorded here yet"
	}
	return ""
}

func notLive(c *connPage) string {
	switch phase, _ := c.conn.Phase(); {
	case phase == view.File:
		return "this is a recording without a server"
	case !phase.Live():
		return "it is not connected"
	}
	return ""
}

func notServer(c *connPage) string {
	if !c.canConnect() {
		return "this is a recording without a server"
	}
	return ""
}

func (m *menus) file() *action {
	u := m.u
	m.export = m.conn("Export …", key(fyne.KeyE, ctrl|shift), (*connPage).export, unrecorded)
	m.fresh = m.conn("New recording from here", key(fyne.KeyN, ctrl|shift), (*connPage).newRecording, func(c *connPage) string {
		if why := notLive(c); why != "" {
			return why
		}
		return unrecorded(c)
	})
	m.replay = m.conn("Replay the recording …", key(fyne.KeyY, ctrl|shift), (*connPage).replay, unrecorded)
	m.serve = m.conn("Serve the recording …", key(fyne.KeyU, ctrl|shift), (*connPage).serve, unrecorded)
	quit := item("Quit", key(fyne.KeyQ, ctrl), u.Quit)
	quit.IsQuit = true
	all := menu("File",
		item("Connect …", key(fyne.KeyN, ctrl), u.newConnection).named("Connect to a server …"),
		item("Open recording …", key(fyne.KeyO, ctrl), u.chooseRecording),
		item("Try the demo", nil, u.tryDemo),
		item("Import servers …", key(fyne.KeyI, ctrl), u.importServers),
		item("Export servers …", nil, func() { u.exportServers(nil) }),
		separator(),
		m.conn("Save recording as …", key(fyne.KeyS, ctrl), (*connPage).saveRecording, unrecorded),
		m.conn("Save a copy …", key(fyne.KeyS, ctrl|shift), (*connPage).copyRecording, unrecorded).named("Save a copy of the recording …"),
		m.export.named("Export the recording …"), m.fresh, m.replay, m.serve,
		m.recording(),
		separator(),
		item("Close tab", key(fyne.KeyW, ctrl), func() { u.closeTab(u.active) }).when(func() string {
			if u.active < 0 || !u.pages[u.active].tab().Closes {
				return "the start page stays"
			}
			return ""
		}),
		item("Close other tabs", nil, func() { u.closeOthers(u.current()) }).when(func() string {
			for i, p := range u.pages {
				if i != u.active && p.tab().Closes {
					return ""
				}
			}
			return "there are no others"
		}),
		separator(),
		quit)
	for _, x := range all.ChildMenu.Items {
		if do := x.Action; do != nil && !x.IsQuit {
			x.Action = func() {
				if len(u.dialogs) == 0 { // keys reach the menu past a dialog
					do()
				}
			}
		}
	}
	return all
}

// recording is what can be done with the file of the recording in front.
func (m *menus) recording() *action {
	u := m.u
	file := func(label, title string, do func(path string)) *action {
		return m.conn(label, nil, func(c *connPage) { do(c.conn.Path()) }, unrecorded).named(title)
	}
	saved := func() bool {
		c := u.currentConn()
		return c != nil && c.conn != nil && slices.Contains(u.cfg.Settings.Get().Saved, c.conn.Path())
	}
	return menu("Recording in front",
		file("Rename …", "Rename the recording …", u.renameRecording),
		file("Saved", "Mark the recording as saved, or no longer", func(path string) { u.saveRecordingMark(path, !saved()) }).ticked(saved),
		file("Open in the editor", "Open the recording in the editor", u.editFile),
		file("Show in folder", "Show the recording in its folder", func(path string) { u.openFolder(filepath.Dir(path)) }),
		file("Copy path", "Copy the path of the recording", u.copyText),
		m.conn("Delete …", nil, func(c *connPage) { u.deleteRecording(c.conn.Path()) }, func(c *connPage) string {
			if phase, _ := c.conn.Phase(); phase != view.File {
				return "it is the one of an open connection"
			}
			return unrecorded(c)
		}).named("Delete the recording …"))
}

// kept makes an action of something that is done with the saved server of the
// connection in front.
func (m *menus) kept(label, title string, do func(settings.Server)) *action {
	find := func(c *connPage) (settings.Server, bool) { return m.u.cfg.Settings.Server(c.conn.Server().ID) }
	return m.conn(label, nil, func(c *connPage) {
		if s, ok := find(c); ok {
			do(s)
		}
	}, func(c *connPage) string {
		if _, ok := find(c); !ok {
			return "it is not in the list of servers"
		}
		return ""
	}).named(title)
}

func (m *menus) server() *action {
	return menu("Server",
		m.conn("Connect or reconnect", key(fyne.KeyR, ctrl), func(c *connPage) { c.conn.Reconnect() }, func(c *connPage) string {
			if phase, _ := c.conn.Phase(); phase.Busy() {
				return "it is " + phase.Word()
			}
			return notServer(c)
		}),
		m.conn("Disconnect", key(fyne.KeyD, ctrl|shift), func(c *connPage) { c.conn.Disconnect() }, notLive),
		m.conn("Check the connection", key(fyne.KeyK, ctrl|shift), (*connPage).check, notServer),
		m.conn("Refresh the lists", key(fyne.KeyR, ctrl|shift), (*connPage).reload, notLive),
		item("Send the request", key(fyne.KeyReturn, ctrl), m.u.submitCurrent).named("Send what is filled in"),
		m.conn("Context cost …", nil, (*connPage).showCost, whyNoCost).named("Context cost of what the server lists …"),
		m.conn("Running calls …", key(fyne.KeyPeriod, ctrl), (*connPage).showRunning, notServer),
		m.conn("Cancel all running calls", key(fyne.KeyPeriod, ctrl|shift), (*connPage).cancelRunning, notLive),
		separator(),
		m.conn("Edit …", key(fyne.KeyE, ctrl), (*connPage).edit, notServer).named("Edit the server …"),
		m.kept("Rename …", "Rename the server …", func(s settings.Server) { m.u.renameServer(s.ID) }),
		m.kept("Duplicate", "Duplicate the server", m.u.duplicate),
		m.kept("Secrets …", "Secrets of the server …", m.u.secretsOf),
		m.kept("Copy command or address", "Copy the command or address of the server", func(s settings.Server) { m.u.copyText(s.Target.CommandLine()) }),
		m.kept("Copy command that records another client", "Copy the command that records another client of the server", func(s settings.Server) { m.u.copyText(view.RecordCommand(m.u.cfg.Executable, m.u.cfg.Settings, s)) }),
		m.kept("Remove …", "Remove the server from the list …", m.u.removeServer),
		item("New group …", nil, func() { m.u.newGroup("") }).named("New group of servers …"))
}

func (m *menus) view() *action {
	u := m.u
	var tabs []*action
	for i := range 9 {
		tab := m.conn(fmt.Sprintf("Tab %d of the connection", i+1), key(fyne.KeyName('1'+rune(i)), ctrl),
			func(c *connPage) { c.goTo(i) }, func(c *connPage) string {
				if i >= len(c.panes) {
					return "there are not so many tabs"
				}
				return ""
			})
		tab.tab = i + 1
		tabs = append(tabs, tab)
	}
	tabs = append(tabs,
		item("Next window tab", key(fyne.KeyPageDown, ctrl), func() { u.step(1) }),
		item("Previous window tab", key(fyne.KeyPageUp, ctrl), func() { u.step(-1) }))
	var looks []*action
	for _, t := range []struct{ mode, label string }{
		{settings.ThemeSystem, "As the system"}, {settings.ThemeLight, "Light"}, {settings.ThemeDark, "Dark"},
	} {
		m.themes[t.mode] = item(t.label, nil, func() { u.setTheme(t.mode) }).named("Theme: " + t.label).
			ticked(func() bool { return u.cfg.Settings.Get().Theme == t.mode })
		looks = append(looks, m.themes[t.mode])
	}
	m.fold = item("Fold the timeline", key(fyne.KeyJ, ctrl), u.toggleTimeline).
		ticked(func() bool { return u.cfg.Settings.Get().Window.Folded })
	m.whole = m.conn("Give the timeline the whole page", key(fyne.KeyJ, ctrl|shift), (*connPage).toggleWhole, nil).
		ticked(func() bool { c := u.currentConn(); return c != nil && c.whole })
	return menu("View", append([]*action{
		item("Find anything …", paletteKey, func() { u.palette.toggle() }),
		separator(),
		m.conn("Filter the timeline", key(fyne.KeyF, ctrl|shift), (*connPage).focusFilter, nil),
		m.conn("Follow the newest event", key(fyne.KeyT, ctrl), (*connPage).toggleFollow, nil),
		m.fold, m.whole,
		menu("Go to", tabs...),
		separator(),
		item("Tell the desktop when a server asks", nil, u.toggleAlert).ticked(func() bool { return u.cfg.Settings.Get().Alert }),
		menu("Theme", looks...),
	}, u.settingsItems()...)...)
}

func (m *menus) help() *action {
	return menu("Help",
		item("Guide", key(fyne.KeyF1, ctrl), func() { m.u.openHelp("start", "") }),
		item("About what is in front", widget.Keys("F1"), m.u.helpHere).named("The page of the guide about what is in front"),
		item("First steps", nil, m.u.tour.start),
		separator(),
		item("Filter language", nil, m.u.filterHelp),
		item("Keyboard shortcuts", nil, m.u.keyboardHelp),
		separator(),
		item("About "+Name, nil, m.u.about))
}

// actions calls f with every action and the menus that it lies in.
func (m *menus) actions(f func(path []string, a *action)) {
	for _, top := range m.table {
		top.leaves(nil, f)
	}
}

// refresh marks what is possible and chosen now.
func (m *menus) refresh() {
	changed := false
	m.actions(func(_ []string, a *action) { changed = a.shows() || changed })
	if changed {
		m.main.Refresh()
	}
}
