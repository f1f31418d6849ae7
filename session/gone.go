package session

import (
	"errors"

	"mcploupe/session/link"
)

// goneError says that nothing can be sent: there is no link, or it was lost.
type goneError struct {
	doing string
	conn  *conn // nil when there never was a link
	down  *link.Down
}

// Error tells what became of the link, and what to do.
func (e *goneError) Error() string {
	text := e.doing + ": there is no connection to the server; connect again"
	if e.down != nil {
		text += " (" + lowerFirst(trimStop(describeDown(*e.down))) + ")"
	}
	return text
}

// gone is the error for a link that takes nothing, nil for one that does. mu is
// held.
func (c *conn) gone(doing string) error {
	switch {
	case c == nil || c.link == nil:
		return &goneError{doing: doing}
	case c.down != nil:
		return &goneError{doing: doing, conn: c, down: c.down}
	}
	return nil
}

// lostBefore is a call that could not be sent because the process had ended
// already: how that ended says more than that nothing can be sent. ok is false
// for other errors.
func (s *Session) lostBefore(err error) (call *Call, ok bool) {
	var e *goneError
	if !errors.As(err, &e) || e.conn == nil || s.transport() != Stdio {
		return nil, false
	}
	call = &Call{s: s, conn: e.conn, done: make(chan struct{}), place: -1, failure: err}
	call.st = CallState{Phase: CallLost, Err: describeDown(*e.down)}
	close(call.done)
	return call, true
}
