package view

import (
	"reflect"
	"strings"

	"mcploupe/session"
	"mcploupe/ui/settings"
	"mcploupe/ui/view/human"
)

// restored is what outlives a session: what the next one asks for again
// (SUB-11), and what was taken up.
type restored struct {
	of     session.Target       // the server that has was had from
	has    *session.Restoration // nil for nothing
	asked  *session.Restoration // by the session that is being made
	said   string               // of the last one that became ready
	number int                  // counts them
}

// gather keeps what the session that ends has. One that never became ready has
// nothing, which does not undo what an earlier one had. c.mu is held.
func (c *Conn) gather() {
	if c.sess == nil || c.state.Revision == nil {
		return
	}
	r := c.sess.State().Restoration()
	c.regain.of, c.regain.has = c.state.Target, &r
}

// takeUp is what a new session to server begins with, nil for nothing.
func (c *Conn) takeUp(server settings.Server) *session.Restoration {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.regain.asked = nil
	if server.Live.Forget {
		return nil
	}
	var r session.Restoration
	switch {
	case c.regain.has != nil && reflect.DeepEqual(c.regain.of, server.Target):
		r = *c.regain.has
	case server.Tasks.Of == server.Target.String():
		r.Tasks = server.Tasks.Refs // of an earlier run of the program
	}
	r.Roots, r.AutoReread, r.KeepAlive = nil, false, 0 // what the settings of the server say holds
	if r.IsEmpty() {
		return nil
	}
	c.regain.asked = &r
	return &r
}

// done says what the session that became ready asked for again.
func (r *restored) done() {
	if r.asked == nil {
		return
	}
	if text := restoredText(*r.asked); text != "" {
		r.said = text
		r.number++
	}
	r.asked = nil
}

// restoredText names what a session takes up, "" for nothing that is worth a
// word.
func restoredText(r session.Restoration) string {
	var parts []string
	if n := len(r.Subscriptions); n > 0 {
		parts = append(parts, human.Plural(n, "subscription", "subscriptions"))
	}
	if n := len(r.Watches); n > 0 {
		parts = append(parts, human.Plural(n, "watched resource", "watched resources"))
	}
	if r.LogLevel != "" {
		parts = append(parts, "log level "+line(r.LogLevel, 20))
	}
	if n := len(r.Tasks); n > 0 {
		parts = append(parts, human.Plural(n, "task", "tasks"))
	}
	if len(parts) == 0 {
		return ""
	}
	return "Asked for again: " + strings.Join(parts, ", ") + "."
}

// Restored says what the newest session asked for again of what the one before
// had, "" for nothing. number counts the sessions that did.
func (c *Conn) Restored() (text string, number int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.regain.said, c.regain.number
}

// SetLive changes what goes on by itself, from now on where that is possible.
// It returns the server with the change, for the settings.
func (c *Conn) SetLive(change func(l *settings.Live)) settings.Server {
	s := c.changeServer(func(s *settings.Server) { change(&s.Live) })
	if sess := c.Session(); sess != nil {
		sess.SetAutoReread(s.Live.Reread)
		sess.SetKeepAlive(keepAlive(s))
		c.o.Changed()
	}
	return s
}
