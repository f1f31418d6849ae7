package link

import (
	"context"
	"errors"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
)

// HTTPTarget says where a server listens and what every request carries.
type HTTPTarget struct {
	URL          string
	Headers      []protocol.HeaderField // replace the link's own of the same name
	Bearer       string                 // token for Authorization, unless Headers has one
	CAFile       string                 // PEM file of further certificate authorities
	Masker       *recorder.Masker       // masks credentials in the log; a new one when nil
	UserAgent    string                 // default "mcploupe"
	MaxBody      int64                  // bytes of a body or SSE event that are taken; default 256 MiB
	CloseTimeout time.Duration          // for the DELETE of the session at Close; default 2 s
}

// HTTPLink is a link over Streamable HTTP, in both of its shapes: with
// sessions, a standalone stream and resumption up to 2025-11-25, stateless from
// 2026-07-28 on. Which one follows from SendOptions.Revision.
type HTTPLink struct{}

// DialHTTP prepares a link. There is no traffic before the first Send.
func DialHTTP(t HTTPTarget, log recorder.Appender, h Handler) (Link, error) {
	return nil, errors.New("not connected")
}

// Name is "http".
func (l *HTTPLink) Name() string { return "http" }

// Send posts one message. See Link.
func (l *HTTPLink) Send(ctx context.Context, raw []byte, o SendOptions) error { return ErrClosed }

// Close ends the session with DELETE if there is one, ends all streams, and
// waits for them.
func (l *HTTPLink) Close() error { return nil }

// OpenStream opens the standalone stream of revisions that have one and keeps
// it open (HTTP-40..44). It returns at once; Handler.Ended tells when it is
// given up. A second call while one is open does nothing.
func (l *HTTPLink) OpenStream(r *protocol.Revision) {}

// SessionID is the id that the server gave on initialize, "" if none.
func (l *HTTPLink) SessionID() string { return "" }

// ResetSession forgets the session id and ends the standalone stream, so that
// a new initialize can start over (HTTP-54).
func (l *HTTPLink) ResetSession() {}

// SetRevision sets the revision for requests that carry no message: GET,
// DELETE, and resumption.
func (l *HTTPLink) SetRevision(r *protocol.Revision) {}

// SetBearer replaces the token for all later requests.
func (l *HTTPLink) SetBearer(token string) {}
