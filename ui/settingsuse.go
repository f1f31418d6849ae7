package ui

import (
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"mcploupe/recorder"
	"mcploupe/ui/settings"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
)

// lookOf is the look that the settings ask for.
func lookOf(s settings.Settings) theme.Options {
	return theme.Options{Mode: theme.ParseMode(s.Theme), Density: theme.ParseDensity(s.Density), Zoom: s.ZoomFactor()}
}

// useSettings puts in force what does not belong to a connection.
func (u *UI) useSettings(s settings.Settings) {
	human.SetTimes(view.TimesOf(s))
	recorder.SetCache(s.Limits.CacheBytes)
	u.app.Settings().SetTheme(theme.New(lookOf(s)))
}

// changeSettings changes the settings and puts the change in force.
func (u *UI) changeSettings(change func(*settings.Settings)) {
	before := u.cfg.Settings.Get()
	u.update(change)
	u.settingsChanged(before)
}

// settingsChanged puts in force what is set now, where it was something else
// before.
func (u *UI) settingsChanged(before settings.Settings) {
	now := u.cfg.Settings.Get()
	clock := before.Clock != now.Clock
	if clock || lookOf(before) != lookOf(now) || before.Limits.CacheBytes != now.Limits.CacheBytes {
		u.useSettings(now)
		u.menus.showKeys()
	}
	for _, p := range u.pages {
		c, ok := p.(*connPage)
		if !ok || c.conn == nil {
			continue
		}
		if before.Limits != now.Limits {
			c.conn.UseLimits()
		}
		if clock {
			c.flush()
			c.flushRows()
		}
	}
	if clock {
		u.side.refresh()
		u.start.refresh()
	}
	for _, p := range u.pages {
		if s, ok := p.(*settingsPage); ok {
			s.refresh()
		}
	}
	u.menus.refresh()
}

// reloadSettings takes in what another window has changed.
func (u *UI) reloadSettings() {
	before := u.cfg.Settings.Get()
	changed, err := u.cfg.Settings.Reload()
	if err != nil {
		u.notes.notify("The settings were not read again: " + err.Error())
	}
	if !changed {
		return
	}
	u.settingsChanged(before)
	u.side.refresh()
	u.start.refresh()
}

// zoomBy makes texts larger or smaller by steps; 0 takes the zoom back.
func (u *UI) zoomBy(steps int) {
	now := u.cfg.Settings.Get().Zoom
	if now == 0 {
		now = 100
	}
	next := min(max(now+steps*settings.ZoomStep, settings.MinZoom), settings.MaxZoom)
	if steps == 0 {
		next = 100
	}
	u.changeSettings(func(s *settings.Settings) { s.Zoom = next })
	u.notes.notify("Text zoom: " + human.Count(next) + " %")
}

// opensText reports whether a file is for a text editor.
func opensText(name string) bool {
	return slices.Contains([]string{".txt", ".json", ".jsonl", ".md", ".csv", ".xml", ".yaml", ".yml", ".log", ".toml", ".html", ".js", ".ts", ".py", ".go", ".sh"},
		strings.ToLower(filepath.Ext(name)))
}

// runProgram starts another program with a value in the place of mark. It is not
// waited for, but for its process to be taken away.
func (u *UI) runProgram(template, mark, value string) error {
	words, err := view.ProgramLine(template, mark, value)
	if err != nil {
		return err
	}
	cmd := exec.Command(words[0], words[1:]...)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // it is the person's program: it may outlive this one
	return nil
}

// editFile opens a file in the editor of the settings, or with what the system
// has for it.
func (u *UI) editFile(path string) {
	editor := u.cfg.Settings.Get().Programs.Editor
	var err error
	if editor != "" {
		err = u.runProgram(editor, "{file}", path)
	} else {
		err = u.app.OpenURL(fileURL(path))
	}
	if err != nil {
		u.fail("The file cannot be opened", err)
	}
}

// browse opens an address that the person has agreed to, in the browser of the
// settings or the system's.
func (u *UI) browse(address *url.URL) error {
	if browser := u.cfg.Settings.Get().Programs.Browser; browser != "" {
		return u.runProgram(browser, "{url}", address.String())
	}
	return u.app.OpenURL(address)
}

func fileURL(path string) *url.URL { return &url.URL{Scheme: "file", Path: filepath.ToSlash(path)} }

// zoomKeys are the keys of zooming that keyboards have beside those of the menu.
func (u *UI) zoomKeys() {
	for _, s := range []fyne.Shortcut{key(fyne.KeyEqual, ctrl|fyne.KeyModifierShift), key(fyne.KeyPlus, ctrl)} {
		u.win.Canvas().AddShortcut(s, func(fyne.Shortcut) { u.zoomBy(1) })
	}
}

// settingsItems are the entries of the menu about the look.
func (u *UI) settingsItems() []*action {
	return []*action{
		separator(),
		item("Larger text", key(fyne.KeyEqual, ctrl), func() { u.zoomBy(1) }),
		item("Smaller text", key(fyne.KeyMinus, ctrl), func() { u.zoomBy(-1) }),
		item("Text as it was", key(fyne.Key0, ctrl), func() { u.zoomBy(0) }),
		separator(),
		item("Settings …", key(fyne.KeyComma, ctrl), u.openSettings),
	}
}
