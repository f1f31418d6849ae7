package link

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"mcploupe/protocol"
	"mcploupe/recorder"
)

const (
	acceptBoth   = "application/json, text/event-stream"
	acceptEvents = "text/event-stream"
)

// HTTPLink is a link over Streamable HTTP, in both of its shapes: with
// sessions, a standalone stream and resumption up to 2025-11-25, stateless from
// 2026-07-28 on. Which one follows from SendOptions.Revision.
type HTTPLink struct {
	*wire
	pending pendingTable

	state      sync.Mutex
	session    string
	revision   *protocol.Revision
	stream     *standalone // the open one, nil if none
	closeOnce  sync.Once
	closeEnded chan struct{}
}

// DialHTTP prepares a link. There is no traffic before the first Send. The
// Link is an *HTTPLink.
func DialHTTP(t HTTPTarget, log recorder.Appender, h Handler) (Link, error) {
	w, err := newWire(t, log, h)
	if err != nil {
		return nil, err
	}
	return &HTTPLink{wire: w, closeEnded: make(chan struct{})}, nil
}

// Name is "http".
func (l *HTTPLink) Name() string { return "http" }

// SessionID is the id that the server gave on initialize, "" if none.
func (l *HTTPLink) SessionID() string {
	l.state.Lock()
	defer l.state.Unlock()
	return l.session
}

// SetRevision sets the revision for requests that carry no message: GET,
// DELETE, and resumption. Send sets it too, but for initialize.
func (l *HTTPLink) SetRevision(r *protocol.Revision) {
	l.state.Lock()
	defer l.state.Unlock()
	l.revision = r
}

// ResetSession forgets the session id and ends the standalone stream, so that
// a new initialize can start over (HTTP-54).
func (l *HTTPLink) ResetSession() {
	l.state.Lock()
	l.session = ""
	s := l.stream
	l.state.Unlock()
	if s != nil {
		s.stop()
	}
}

// Send posts one message (HTTP-01). It returns when the answer's head is here;
// what the answer carries goes to the Handler. ctx ends the exchange of a request
// also after Send has returned: keep it alive until Handler.Ended.
func (l *HTTPLink) Send(ctx context.Context, raw []byte, o SendOptions) error {
	if !l.begin() {
		seq := l.log.Append(recorder.Event{Dir: recorder.Out, Kind: messageKind(raw), Channel: l.Name(), Data: raw})
		l.note(recorder.Out, l.Name(), seq, "not sent: "+ErrClosed.Error())
		return fmt.Errorf("sending: %w", ErrClosed)
	}
	m := protocol.Parse(raw)
	p := l.newPost(raw, m, o)
	p.lifetime = l.newLifetime(ctx)
	err := p.x.do(p.ctx)
	p.sent = p.x.sent
	if err != nil {
		defer l.wg.Done()
		p.end(err)
		return fmt.Errorf("sending to %s: %w", l.url.Host, err)
	}
	if o.Initialize {
		l.takeSession(p.x)
	} else {
		l.checkSession(p.x)
	}
	if o.Unpaired {
		p.release()
	}
	if m.Kind == protocol.Notification || m.Kind == protocol.Result || m.Kind == protocol.Error {
		p.release()
		p.lingers()
	}
	go func() {
		defer l.wg.Done()
		guarded(l.h, p.follow)
	}()
	return nil
}

// sessionFor returns the session id that a message goes with (HTTP-25,
// HTTP-52).
func (l *HTTPLink) sessionFor(o SendOptions) string {
	if o.Initialize || (o.Revision != nil && !o.Revision.SessionHeader) {
		return ""
	}
	return l.SessionID()
}

// takeSession keeps the session id of an answer to initialize.
func (l *HTTPLink) takeSession(x *exchange) {
	id := x.resp.Header.Get(protocol.HeaderSession)
	if x.answer.Status/100 != 2 {
		id = ""
	}
	l.state.Lock()
	l.session = id
	l.state.Unlock()
	if id == "" {
		return
	}
	masked := l.target.Masker.Add(id)
	l.wire.state(x.channel, recorder.StateChange{State: "session", Detail: "the server opened session " + masked})
	for _, c := range []byte(id) {
		if c < 0x21 || c > 0x7e {
			x.find("L-SES-01", protocol.Violation, "the session id has characters other than visible ASCII")
			return
		}
	}
}

// checkSession notices a session id where none belongs.
func (l *HTTPLink) checkSession(x *exchange) {
	if id := x.resp.Header.Get(protocol.HeaderSession); id != "" && id != l.SessionID() {
		x.find("L-SES-05", protocol.Warning, "the answer names a session id that initialize did not give; it is not used")
	}
}

// lostSession reports whether an answer says that the session is gone, and
// puts that into the log.
func (l *HTTPLink) lostSession(x *exchange, inSession bool) bool {
	if !inSession || x.answer == nil || x.answer.Status != http.StatusNotFound {
		return false
	}
	l.wire.state(x.channel, recorder.StateChange{State: "session", Detail: "lost: the server answered 404 to a request with the session id"})
	return true
}

// Close ends the session with DELETE if there is one (HTTP-55), ends all
// streams, and waits for them.
func (l *HTTPLink) Close() error {
	l.closeOnce.Do(func() {
		defer close(l.closeEnded)
		l.wire.end()
		l.deleteSession()
		l.finish()
	})
	<-l.closeEnded
	return nil
}

func (l *HTTPLink) deleteSession() {
	l.state.Lock()
	session, r := l.session, l.revision
	l.session = ""
	l.state.Unlock()
	if session == "" || (r != nil && !r.SessionHeader) {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), l.target.CloseTimeout)
	defer cancel()
	x := &exchange{w: l.wire, channel: l.channel("delete"), method: http.MethodDelete, url: l.url, header: l.header(l.bareHeader(r, session), nil)}
	if x.do(ctx) != nil {
		return // in the log; the session ends by itself some day
	}
	x.discard(ctx)
}

// bareHeader is what a request without a message carries.
func (l *HTTPLink) bareHeader(r *protocol.Revision, session string) []protocol.HeaderField {
	var own []protocol.HeaderField
	if session != "" {
		own = append(own, protocol.HeaderField{Name: protocol.HeaderSession, Value: session})
	}
	if r != nil && r.VersionHeader {
		own = append(own, protocol.HeaderField{Name: protocol.HeaderVersion, Value: r.Name})
	}
	return own
}

// newGet prepares a GET for a stream, from an event on if last is not "".
func (l *HTTPLink) newGet(r *protocol.Revision, last string) (x *exchange, inSession bool) {
	session := l.SessionID()
	own := append([]protocol.HeaderField{{Name: "Accept", Value: acceptEvents}}, l.bareHeader(r, session)...)
	if last != "" {
		own = append(own, protocol.HeaderField{Name: "Last-Event-Id", Value: last})
	}
	return &exchange{w: l.wire, channel: l.channel("get"), method: http.MethodGet, url: l.url, header: l.header(own, nil)}, session != ""
}
