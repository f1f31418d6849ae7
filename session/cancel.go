package session

import (
	"context"
	"time"

	"mcploupe/protocol"
	"mcploupe/session/link"
)

// Cancel gives the call up and tells the server in the way of the revision
// (CAN-03); one that goes on as a task is asked to be cancelled, and what comes
// of it is late (TASK-17, TSKX-13). It does nothing to a call that has ended.
func (c *Call) Cancel(reason string) {
	text := "Cancelled."
	if reason != "" {
		text = "Cancelled: " + reason
	}
	c.giveUp(CallCancelled, text, reason)
}

// CancelCall gives up a call that has not ended, with a reason for the server
// (CAN-01). It reports whether there was one.
func (s *Session) CancelCall(key uint64, reason string) bool {
	s.mu.Lock()
	c := s.calls.byKey(key)
	running := c != nil && !c.ended()
	s.mu.Unlock()
	if running {
		c.Cancel(reason)
	}
	return running
}

// CancelAll gives up all running calls but subscriptions, what the session
// itself asks, and the negotiation's, and returns how many.
func (s *Session) CancelAll(reason string) int {
	s.mu.Lock()
	running := s.calls.pending()
	s.mu.Unlock()
	n := 0
	for _, c := range running {
		if c.sub != nil || c.p.brief || c.p.silent {
			continue
		}
		c.Cancel(reason)
		n++
	}
	return n
}

// giveUp ends a call that has no answer and tells the server in the way of the
// revision: a notification, or on modern HTTP the end of the stream (CAN-03).
func (c *Call) giveUp(phase CallPhase, text, reason string) {
	s := c.s
	s.mu.Lock()
	if c.ended() {
		s.mu.Unlock()
		return
	}
	inFlight, working := c.inFlight(), c.st.Phase == CallWorking
	c.gaveUp = time.Now()
	s.finish(c, phase, text)
	revision, transport := c.p.send.Revision, s.view.transportNow
	_, _, isTask := protocol.Lookup(c.raw, "/params/task")
	byNotification := inFlight && !c.p.silent && revision != nil && !isTask &&
		(transport != string(HTTP) || revision.CancelByNotificationOnHTTP)
	// The answer to a call that asked for a task names the task to be cancelled
	// (CAN-07).
	keep := (byNotification || inFlight && isTask) && transport == string(HTTP)
	if keep {
		c.abandoned = time.Now()
		s.schedule(c)
	}
	l := c.conn.link
	s.mu.Unlock()
	if phase == CallTimedOut {
		s.note("timeout", c.st.Method+" "+c.st.ID.String()+": "+text)
	}
	if working {
		s.spawn(func() { _ = s.cancelTask(s.ctx, c.task) })
	}
	if !keep {
		c.cancelExchange(errGivenUp)
	}
	if !byNotification {
		return
	}
	params := []byte(`{"requestId":` + c.st.ID.String())
	if reason != "" {
		params = append(append(params, `,"reason":`...), protocol.QuoteString(reason)...)
	}
	raw := protocol.NewNotification(protocol.NotificationCancelled, append(params, '}'))
	s.spawn(func() {
		ctx, cancel := context.WithTimeout(s.ctx, replyTimeout)
		defer cancel()
		if err := l.Send(ctx, raw, link.SendOptions{Revision: revision}); err != nil {
			s.mu.Lock()
			s.find(c.st.RequestSeq, warning("CAN-01", "The server could not be told of the cancellation: "+err.Error()))
			s.mu.Unlock()
		}
	})
}

// loseCalls ends the calls of a link, or all if it is nil, that have no answer.
// mu is held.
func (s *Session) loseCalls(of *conn, why string) {
	for _, c := range s.calls.pending() {
		if of == nil || c.conn == of {
			s.finish(c, CallLost, why)
			c.cancelExchange(errGivenUp)
		}
	}
}
