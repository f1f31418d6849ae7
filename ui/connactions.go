package ui

import (
	"context"

	"fyne.io/fyne/v2"

	"mcploupe/session"
	"mcploupe/ui/view"
)

// connect makes the connection, or makes it again.
func (p *connPage) connect() {
	if !p.everConnected {
		p.showReport(true)
	}
	p.conn.Reconnect()
	p.flush()
}

func (p *connPage) canConnect() bool {
	phase, _ := p.conn.Phase()
	return phase != view.File
}

// edit shows the connect page for this connection's server.
func (p *connPage) edit() {
	if p.canConnect() {
		p.u.edit(p.conn.Server(), p)
	}
}

// check looks step by step how far one gets on the way to the server.
func (p *connPage) check() {
	if p.canConnect() {
		p.u.check(p.conn.Server(), p)
	}
}

// reload asks for the lists again.
func (p *connPage) reload() {
	sess := p.conn.Session()
	if phase, _ := p.conn.Phase(); !phase.Live() || sess == nil {
		return
	}
	p.conn.Go(func(ctx context.Context) {
		// What went wrong with a list is in its state.
		_ = sess.RefreshAll(ctx)
		p.soon.Mark()
	})
}

// rawPane is a pane that takes text to send.
type rawPane interface {
	SetText(text string)
	Focus()
}

// sendRaw puts text into the free editor.
func (p *connPage) sendRaw(text string) {
	for i, pane := range p.panes {
		if raw, ok := pane.(rawPane); ok {
			raw.SetText(text)
			p.showPane(i)
			raw.Focus()
			return
		}
	}
}

// resourceReader is a pane that reads resources.
type resourceReader interface{ ReadURI(uri string) }

// readResource reads a resource in the pane for it.
func (p *connPage) readResource(uri string) {
	for i, pane := range p.panes {
		if reader, ok := pane.(resourceReader); ok {
			p.showPane(i)
			reader.ReadURI(uri)
			return
		}
	}
}

// menuItems are the actions for this connection.
func (p *connPage) menuItems() []*fyne.MenuItem {
	phase, _ := p.conn.Phase()
	items := p.linkItems()
	if phase != view.File {
		items = append(items, fyne.NewMenuItem("Edit …", p.edit), fyne.NewMenuItem("Check the connection", p.check))
		if p.conn.Server().ID == "" && !p.u.isDemo(p.conn.Server().Target) {
			items = append(items, fyne.NewMenuItem("Save in the list of servers", func() {
				p.conn.SetServer(p.u.save(p.conn.Server()))
				p.flush()
			}))
		}
	}
	return joinItems(items, p.compareItems(), p.recordingItems())
}

// linkItems are those that make the connection and end it.
func (p *connPage) linkItems() []*fyne.MenuItem {
	phase, _ := p.conn.Phase()
	_, recorded := p.u.recordedServer(p.conn.Server().Target)
	switch {
	case phase == view.File && recorded:
		return []*fyne.MenuItem{fyne.NewMenuItem("Connect to its server …", p.connectRecorded)}
	case phase == view.File, phase == view.Closing:
		return nil
	case phase.Live():
		return []*fyne.MenuItem{fyne.NewMenuItem("Disconnect", p.conn.Disconnect), fyne.NewMenuItem("Reconnect", p.connect),
			fyne.NewMenuItem("Refresh the lists", p.reload)}
	case phase == view.Connecting:
		return []*fyne.MenuItem{fyne.NewMenuItem("Cancel", p.conn.Disconnect)}
	}
	return []*fyne.MenuItem{fyne.NewMenuItem("Connect", p.connect)}
}

// joinItems makes one menu of parts, with lines between them.
func joinItems(parts ...[]*fyne.MenuItem) (items []*fyne.MenuItem) {
	for _, part := range parts {
		if len(items) > 0 && len(part) > 0 {
			items = append(items, fyne.NewMenuItemSeparator())
		}
		items = append(items, part...)
	}
	return items
}

// submenu is a menu within another, as a part of it; nothing when it is empty.
func submenu(title string, items []*fyne.MenuItem) []*fyne.MenuItem {
	if len(items) == 0 {
		return nil
	}
	item := fyne.NewMenuItem(title, nil)
	item.ChildMenu = fyne.NewMenu("", items...)
	return []*fyne.MenuItem{item}
}

// isDemo tells the demo, which is not worth saving, from other servers.
func (u *UI) isDemo(t session.Target) bool { return t.Command == u.cfg.Executable && t.Name == "demo" }
