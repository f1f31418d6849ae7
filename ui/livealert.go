package ui

import (
	"fyne.io/fyne/v2"

	"mcploupe/ui/settings"
	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
)

// watchFocus keeps whether the window is in front.
func (u *UI) watchFocus() {
	life := u.app.Lifecycle()
	life.SetOnEnteredForeground(func() {
		u.behind = false
		u.reloadSettings()
	})
	life.SetOnExitedForeground(func() { u.behind = true })
}

// toggleAlert chooses whether the desktop is told when a server asks.
func (u *UI) toggleAlert() {
	u.update(func(s *settings.Settings) { s.Alert = !s.Alert })
	u.menus.refresh()
}

// alert tells the desktop of questions that came while the window is not in
// front, if the person wants that.
func (p *connPage) alert() {
	bar, asks := view.AskBarOf(p.conn.State())
	n := 0
	if phase, _ := p.conn.Phase(); asks && phase.Live() && bar.First != 0 {
		n = bar.Count
	}
	more := n > p.asked
	p.asked = n
	if more && p.u.behind && p.u.cfg.Settings.Get().Alert {
		p.u.app.SendNotification(fyne.NewNotification(safe.Line(p.conn.Title()+" asks", 60), safe.Line(bar.Text, 200)))
	}
}
