package ui

import (
	"fyne.io/fyne/v2"
	fynetheme "fyne.io/fyne/v2/theme"
)

// replayItems are the actions that play the recording at path again.
func (u *UI) replayItems(path string) []*fyne.MenuItem {
	return []*fyne.MenuItem{
		fyne.NewMenuItemWithIcon("Replay …", fynetheme.MediaReplayIcon(), func() { u.replayRecording(path) }),
		fyne.NewMenuItemWithIcon("Serve this recording …", fynetheme.ComputerIcon(), func() { u.serveRecording(path) }),
	}
}

func (p *connPage) replay() {
	if path := p.conn.Path(); path != "" {
		p.u.replayRecording(path)
	}
}

func (p *connPage) serve() {
	if path := p.conn.Path(); path != "" {
		p.u.serveRecording(path)
	}
}

// submitCurrent sends what the page in front has to send.
func (u *UI) submitCurrent() {
	switch p := u.current().(type) {
	case *connPage:
		if p.conn != nil {
			p.submit()
		}
	case submitter:
		p.Submit()
	}
}

// compareRecordings shows two recordings beside each other.
func (u *UI) compareRecordings(a, b string) { u.newComparison(u.sideOfFile(a), u.sideOfFile(b)) }
