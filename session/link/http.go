package link

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

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
// what the answer carries goes to the Handler. ctx ends the exchange, also
// after Send has returned: keep it alive until Handler.Ended.
func (l *HTTPLink) Send(ctx context.Context, raw []byte, o SendOptions) error {
	if !l.begin() {
		seq := l.log.Append(recorder.Event{Dir: recorder.Out, Kind: messageKind(raw), Channel: l.Name(), Data: raw})
		l.note(recorder.Out, l.Name(), seq, "not sent: "+ErrClosed.Error())
		return fmt.Errorf("sending: %w", ErrClosed)
	}
	m := protocol.Parse(raw)
	p := l.newPost(raw, m, o)
	p.ctx, p.stop = l.exchangeContext(ctx)
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
	go func() {
		defer l.wg.Done()
		p.follow()
	}()
	return nil
}

// exchangeContext ends with ctx (as ErrCancelled) and with the link.
func (w *wire) exchangeContext(ctx context.Context) (context.Context, context.CancelFunc) {
	own, cancel := context.WithCancelCause(w.ctx)
	release := context.AfterFunc(ctx, func() { cancel(fmt.Errorf("%w: %w", ErrCancelled, context.Cause(ctx))) })
	return own, func() {
		release()
		cancel(context.Canceled)
	}
}

func (l *HTTPLink) newPost(raw []byte, m protocol.Message, o SendOptions) *post {
	p := &post{l: l, m: m, o: o, pending: l.pending.add(m)}
	own := []protocol.HeaderField{{Name: "Accept", Value: acceptBoth}, {Name: "Content-Type", Value: "application/json"}}
	var found []protocol.Problem
	if o.Revision != nil && !o.Initialize {
		l.SetRevision(o.Revision)
		var fields []protocol.HeaderField
		fields, found = protocol.Headers(o.Revision, m, o.InputSchema)
		own = append(own, fields...)
	}
	session := l.sessionFor(o)
	if session != "" {
		own = append(own, protocol.HeaderField{Name: protocol.HeaderSession, Value: session})
	}
	var id protocol.ID
	if m.Kind == protocol.Request {
		id = m.ID
	}
	p.inSession = session != ""
	p.x = &exchange{
		w: l.wire, channel: l.channel("post"), method: http.MethodPost, url: l.url,
		header: l.header(own, o.Headers), body: append([]byte{}, raw...),
	}
	p.channel, p.found = p.x.channel, found
	p.s = &stream{w: l.wire, id: id, saw: p.saw}
	return p
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

// refusal explains an answer that carries no message and is no success.
func refusal(a *Answer, what string) *AnswerError {
	text := fmt.Sprintf("the server answered %d %s %s", a.Status, a.Reason, what)
	if a.Location != "" {
		text += ", a redirect to " + a.Location
	}
	return &AnswerError{Answer: *a, Text: text}
}

// post is the exchange of one message, with the resumptions of its stream.
type post struct {
	l         *HTTPLink
	m         protocol.Message
	o         SendOptions
	channel   string // of the POST
	sent      uint64 // event of the message
	found     []protocol.Problem
	x         *exchange
	s         *stream
	ctx       context.Context
	stop      context.CancelFunc
	pending   *pending
	inSession bool
	timer     *time.Timer // of linger
}

// saw follows the messages of this exchange: it finds the answers.
func (p *post) saw(m protocol.Message) {
	p.l.pending.answer(m)
	if m.Kind == protocol.Error && m.ID.IsZero() && carriesMessage(m) {
		p.l.pending.answerAll(p.pending) // an error without an id answers what it was sent for
	}
	if p.pending.answered() && p.timer == nil {
		p.timer = time.AfterFunc(p.l.waits.linger, p.stop)
	}
}

// follow reads the answer to its end, resumes it where that is possible, and
// reports.
func (p *post) follow() {
	err := p.s.read(p.ctx, p.x)
	p.closeExchange(err)
	if p.s.form == formEvents && p.resumable() {
		err = p.resume(err)
	}
	p.end(err)
}

// closeExchange records the end of the current HTTP exchange.
func (p *post) closeExchange(err error) {
	if p.pending.answered() && p.timer != nil && p.ctx.Err() != nil {
		p.x.find("L-HTTP-14", protocol.Info, fmt.Sprintf("the stream was still open %v after the answer and was closed", p.l.waits.linger))
		err = nil
	}
	p.x.done(err)
}

// end reports the end of the whole exchange.
func (p *post) end(err error) {
	if p.timer != nil {
		p.timer.Stop()
	}
	err = p.outcome(err)
	p.l.pending.drop(p.pending)
	p.stop()
	p.l.h.Ended(Ended{Seq: p.x.end, Channel: p.channel, For: p.s.id, Answer: p.x.answer, Err: err, Problems: p.x.takeProblems(), Sent: p.sent, SentProblems: p.found})
}

// outcome tells why the message will not be answered, nil if it was or needs
// no answer.
func (p *post) outcome(err error) error {
	answer := p.x.answer
	switch {
	case p.l.lostSession(p.x, p.inSession):
		return fmt.Errorf("%w: %w", ErrSessionLost, refusal(answer, "to a request with a session id"))
	case p.pending.answered() && p.pending.expects:
		return nil
	case err != nil:
		return err
	case answer.Status/100 != 2:
		return refusal(answer, "and no message that answers")
	case !p.pending.expects:
		p.judgeAccepted()
		return nil
	}
	return p.unanswered()
}

// judgeAccepted checks the answer to a message that wants none (HTTP-06).
func (p *post) judgeAccepted() {
	if kind := p.m.Kind; kind != protocol.Notification && kind != protocol.Result && kind != protocol.Error {
		return
	}
	if p.x.answer.Status != http.StatusAccepted || p.x.bytes > 0 {
		p.x.find("L-HTTP-02", protocol.Warning, fmt.Sprintf("a notification or response is answered 202 without a body, not %d with %d bytes", p.x.answer.Status, p.x.bytes))
	}
}

func (p *post) unanswered() error {
	answer := p.x.answer
	switch {
	case answer.Status == http.StatusAccepted:
		p.x.find("HTTP-06", protocol.Violation, "202 is the answer to notifications and responses; this was a request")
		if p.l.streaming() {
			return nil // sloppy servers answer on the standalone stream
		}
		return fmt.Errorf("%w: the server answered 202 as if nothing were to be answered", ErrNoAnswer)
	case p.s.form == formEmpty:
		p.x.find("http.body-empty", protocol.Violation, fmt.Sprintf("an answer %d without a body", answer.Status))
		return fmt.Errorf("%w: %d without a body", ErrNoAnswer, answer.Status)
	case p.s.form == formEvents:
		p.x.find("L-HTTP-19", protocol.Violation, "the event stream ended before the answer")
		return fmt.Errorf("%w: the event stream ended before it", ErrNoAnswer)
	case p.s.form == formText:
		return fmt.Errorf("%w: %w", ErrNoAnswer, &AnswerError{Answer: *answer, Text: fmt.Sprintf("the body (%s) is neither JSON nor an event stream", answer.ContentType)})
	}
	return fmt.Errorf("%w: what came does not answer the request", ErrNoAnswer)
}

// pendingTable knows which requests wait for an answer, over all streams
// (HTTP-51).
type pendingTable struct {
	mu   sync.Mutex
	byID map[protocol.ID]*pending
}

// pending is what one POST waits for.
type pending struct {
	expects bool // it carried a request
	ids     map[protocol.ID]bool
	done    chan struct{} // closed when every id is answered
}

func (p *pending) answered() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

func (t *pendingTable) add(m protocol.Message) *pending {
	p := &pending{ids: map[protocol.ID]bool{}, done: make(chan struct{})}
	for _, m := range append([]protocol.Message{m}, m.Items...) {
		if m.Kind == protocol.Request {
			p.expects = true
			p.ids[m.ID] = true
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byID == nil {
		t.byID = map[protocol.ID]*pending{}
	}
	for id := range p.ids {
		t.byID[id] = p
	}
	return p
}

// answer marks what m answers.
func (t *pendingTable) answer(m protocol.Message) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, m := range append([]protocol.Message{m}, m.Items...) {
		if m.Kind != protocol.Result && m.Kind != protocol.Error {
			continue
		}
		if p := t.byID[m.ID]; p != nil {
			delete(t.byID, m.ID)
			delete(p.ids, m.ID)
			if len(p.ids) == 0 {
				close(p.done)
			}
		}
	}
}

// answerAll marks p as answered.
func (t *pendingTable) answerAll(p *pending) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(p.ids) == 0 {
		return
	}
	t.forget(p)
	clear(p.ids)
	close(p.done)
}

// drop forgets p.
func (t *pendingTable) drop(p *pending) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.forget(p)
}

func (t *pendingTable) forget(p *pending) {
	for id := range p.ids {
		if t.byID[id] == p {
			delete(t.byID, id)
		}
	}
}
