package session

import "context"

// Session is one connection to a server. Its methods may be called from any
// goroutine.
type Session struct{}

// Open makes the link to t: it starts the process or gets ready to talk HTTP.
// The session is never nil: when Open or Negotiate fails its State tells what
// was tried, and Close is due all the same.
func Open(ctx context.Context, t Target, o Options) (*Session, error) { return &Session{}, errNotOpen }

// Negotiate finds the revision to speak. When it fails the link is closed and
// State has the checklist, exit code, stderr tail and HTTP answer.
func (s *Session) Negotiate(ctx context.Context) error { return errNotOpen }

// State returns what is known now. It is cheap and may be called for each frame.
func (s *Session) State() State { return State{} }

// Watch returns a channel that holds a token whenever State has changed since
// the last receive. stop ends it.
func (s *Session) Watch() (wake <-chan struct{}, stop func()) {
	return make(chan struct{}, 1), func() {}
}

// Close ends the session: open questions of the server are answered with
// cancel, the link is closed in its orderly way, and every goroutine has ended
// when it returns. It is idempotent.
func (s *Session) Close() error { return nil }
