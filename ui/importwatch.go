package ui

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"

	"mcploupe/ui/settings"
	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
)

type importedFile = settings.Import

// secretsFor are the secrets of one server.
func secretsFor(all []settings.Secret, id string) []settings.Secret {
	return slices.DeleteFunc(slices.Clone(all), func(s settings.Secret) bool { return s.Key.Server != id })
}

// watchImports tells of changes in the files that are watched, until the window
// closes.
func (u *UI) watchImports() {
	u.watches.Go(func() {
		view.WatchImports(u.ctx, u.cfg.Settings, u.cfg.Clock, func(changes []view.ImportChange) {
			u.cfg.Do(func() { u.side.setChanges(changes) })
		})
	})
}

// setChanges shows which files have changed.
func (s *sidebar) setChanges(changes []view.ImportChange) {
	s.changes = changes
	s.showChanges()
}

// showChanges puts an entry for each file that has changed above the servers.
func (s *sidebar) showChanges() {
	s.news.RemoveAll()
	for _, c := range s.changes {
		item := newSideItem()
		item.tip = s.u.tip
		item.glyph, item.tone, item.title, item.sub = "!", view.Caution, c.Title(), c.Text()
		if c.Trouble != "" {
			item.title = safe.Line(c.Dialect.Title(), 40) + " cannot be read"
		}
		item.onTap = func() { s.u.importFile(c.File) }
		item.menu = func() *fyne.Menu {
			return fyne.NewMenu("",
				fyne.NewMenuItem("Look at the changes …", item.onTap),
				fyne.NewMenuItem("Do not watch this file any more", func() { s.u.unwatch(c.File) }))
		}
		s.news.Add(item)
	}
	setHidden(s.news, len(s.changes) == 0)
}

// dropServers imports a file that was dropped on the window when it is one of
// servers; else it is opened as a recording.
func (u *UI) dropServers(path string) {
	u.work.Go(func() {
		is := view.IsServersFile(path)
		u.cfg.Do(func() {
			switch {
			case u.closing || context.Cause(u.ctx) != nil:
			case is:
				u.importFile(path)
			default:
				u.openRecording(path)
			}
		})
	})
}

// unwatch stops to tell of changes in a file.
func (u *UI) unwatch(file string) {
	u.update(func(s *settings.Settings) {
		for i := range s.Imports {
			if s.Imports[i].File == file {
				s.Imports[i].Watch = false
			}
		}
	})
	u.side.setChanges(slices.DeleteFunc(slices.Clone(u.side.changes), func(c view.ImportChange) bool { return c.File == file }))
}
