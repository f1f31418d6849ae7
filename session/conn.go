package session

import (
	"bytes"
	"slices"
	"sync"

	"mcploupe/recorder"
	"mcploupe/session/link"
)

// conn is one link with what the session knows of it. It stands between the
// link and the log to learn which event each request became, and takes what the
// link reads.
type conn struct {
	s *Session

	// Guarded by Session.mu.
	link   link.Link // nil while it is being made
	down   *link.Down
	noise  int    // lines on stdout that are no JSON
	sample []byte // the first of them, cut
	probed bool   // a modern request was sent

	mu    sync.Mutex
	sends []*sending
}

// sending is a request on its way to the log.
type sending struct {
	raw  []byte
	call *Call
}

// expect makes the event that records raw known to the call, until forget.
func (c *conn) expect(raw []byte, call *Call) *sending {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := &sending{bytes.TrimRight(raw, "\r\n"), call}
	c.sends = append(c.sends, p)
	return p
}

// forget ends expect.
func (c *conn) forget(p *sending) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.Index(c.sends, p); i >= 0 {
		c.sends = slices.Delete(c.sends, i, i+1)
	}
}

// Append implements recorder.Appender for the link.
func (c *conn) Append(e recorder.Event) uint64 {
	seq := c.s.log.Append(e)
	switch {
	case e.Kind == recorder.KindStderr:
		c.s.stderr(e.Data)
	case e.Kind == recorder.KindMessage && e.Dir == recorder.Out:
		if call := c.take(e.Data); call != nil {
			call.recorded(seq)
		}
	}
	return seq
}

func (c *conn) take(data []byte) *Call {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.sends) == 0 {
		return nil
	}
	data = bytes.TrimRight(data, "\r\n")
	for i, p := range c.sends {
		if bytes.Equal(p.raw, data) {
			c.sends = slices.Delete(c.sends, i, i+1)
			return p.call
		}
	}
	return nil
}

// Down implements link.Handler.
func (c *conn) Down(d link.Down) {
	s := c.s
	s.mu.Lock()
	c.down = &d
	if s.conn != c {
		s.mu.Unlock()
		return
	}
	if d.Exit != nil {
		s.view.exit = d.Exit
	}
	why := describeDown(d)
	s.loseCalls(c, why)
	s.dropAsks(c)
	s.loseSubs(why)
	s.pauseTasks()
	ready := s.view.phase == Ready && !s.isClosing
	if ready {
		s.view.phase, s.view.err = Failed, why
	}
	s.changed()
	s.mu.Unlock()
	if ready {
		s.note("failed", why)
	}
}
