package ui

import "mcploupe/ui/view"

// watchSettings takes in what a verb or another window writes while this one is
// in front, such as a recording that has begun.
func (u *UI) watchSettings() {
	u.watches.Go(func() {
		view.WatchSettings(u.ctx, u.cfg.Settings, u.cfg.Clock, func() { u.cfg.Do(u.reloadSettings) })
	})
}
