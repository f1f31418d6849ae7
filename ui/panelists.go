package ui

import (
	"context"

	"mcploupe/session"
	"mcploupe/ui/view"
)

// refreshList reads one list again.
func refreshList(c *view.Conn, env *Env, kind session.ListKind) {
	sess := c.Session()
	if phase, _ := c.Phase(); !phase.Live() || sess == nil {
		env.Notify("Not connected")
		return
	}
	env.Go(func(ctx context.Context) {
		// What goes wrong is in the state of the list, which the pane shows.
		_ = sess.Refresh(ctx, kind)
		env.Changed()
	})
}

// focus gives the keyboard to the first thing to fill in.
func (p *requestPanel) focus() {
	if p.now != nil {
		p.now.ask.focus()
	}
}

// submitter is a pane that has something to send.
type submitter interface{ Submit() }

// submit sends what the current pane has to send.
func (p *connPage) submit() {
	if p.reporting {
		return
	}
	if s, ok := p.panes[p.at].(submitter); ok {
		s.Submit()
	}
}
