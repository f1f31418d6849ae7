package ui

import (
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/layout"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/session"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// refresher reads a listing again; nil for that of a recording, which is what it
// is.
func refresher(c *view.Conn, env *Env, kind session.ListKind) func() {
	if phase, _ := c.Phase(); phase == view.File {
		return nil
	}
	return func() { refreshList(c, env, kind) }
}

// details tells more of what the bar says: how the connection ended, or what an
// import could not read.
func (p *connPage) details() {
	r := p.conn.Imported()
	if r == nil {
		p.showReport(true)
		return
	}
	text := newTextBox("", p.env)
	text.text.OnLook = nil // that it has no line numbers is not the person's choice
	text.text.SetNumbers(false)
	text.text.SetGround(fynetheme.ColorNameOverlayBackground)
	text.set(r.Text())
	d := dialog.NewCustom("Import", "Close", text.view(), p.u.win)
	p.u.showDialog(d, p.u.dialogSize())
}

// whyNot says why nothing can be sent.
func whyNot(phase view.Phase) string {
	if phase == view.File {
		return "Recorded: connect to send it."
	}
	return "Not connected."
}

// recorded fits the panel to a recording: there is nothing to send, so there is
// a button to connect to the server instead of the editor for raw messages.
func (p *requestPanel) recorded() {
	if phase, _ := p.conn.Phase(); phase != view.File {
		return
	}
	p.toRaw.Hide()
	p.empty.SetText("Select an entry to see what was recorded of it.")
	p.idle = "This is a recording. What was sent and answered is in the timeline."
	if p.env.ConnectRecorded == nil {
		return
	}
	connect := widget.NewButton("Connect …", p.env.ConnectRecorded)
	connect.Importance = widget.HighImportance
	p.below.Add(connect)
	p.below.Layout = layout.NewBorderLayout(nil, nil, nil, connect)
}
