package link

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
)

// SSELink is a link over HTTP+SSE of 2024-11-05: messages are posted to an
// endpoint that the server names, answers come on one long event stream.
type SSELink struct {
	*wire
	x      *exchange
	s      *stream
	ctx    context.Context // of the stream
	stop   context.CancelFunc
	closes sync.Once
	closed chan struct{}

	found    chan struct{} // closed when endpoint or refused is set
	endpoint *url.URL
	refused  error
}

// DialSSE opens the stream and waits for its endpoint event (SSE-01). ctx
// bounds that wait only. A refusal by the server is an *AnswerError. The Link is
// an *SSELink.
func DialSSE(ctx context.Context, t HTTPTarget, log recorder.Appender, h Handler) (Link, error) {
	w, err := newWire(t, log, h)
	if err != nil {
		return nil, err
	}
	l := &SSELink{wire: w, found: make(chan struct{}), closed: make(chan struct{})}
	l.ctx, l.stop = context.WithCancel(w.ctx)
	l.s = &stream{w: w, saw: func(protocol.Message) {}, event: l.takeEndpoint}
	l.x = &exchange{w: w, channel: w.channel("sse"), method: http.MethodGet, url: w.url,
		header: w.header([]protocol.HeaderField{{Name: "Accept", Value: acceptEvents}}, nil)}
	release := context.AfterFunc(ctx, l.stop)
	err = l.open(ctx)
	if !release() && err == nil {
		err = fmt.Errorf("opening the event stream: %w", context.Cause(ctx))
	}
	if err != nil {
		_ = l.Close()
		return nil, err
	}
	return l, nil
}

// open gets the stream and waits for the endpoint.
func (l *SSELink) open(ctx context.Context) error {
	if err := l.x.do(l.ctx); err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return fmt.Errorf("opening the event stream: %w", err)
	}
	if l.x.answer.Status != http.StatusOK {
		err := l.s.read(l.ctx, l.x)
		l.x.done(err)
		return refusal(l.x.answer, "to the GET for an event stream")
	}
	ended := make(chan struct{})
	l.begin()
	go func() {
		defer l.wg.Done()
		defer close(ended)
		guarded(l.h, l.follow)
	}()
	select {
	case <-l.found:
		if l.refused != nil {
			return l.refused
		}
		return nil
	case <-ended:
		return &AnswerError{Answer: *l.x.answer, Text: "the server answered the GET but named no endpoint: this is not HTTP+SSE"}
	case <-ctx.Done():
		return fmt.Errorf("waiting for the endpoint event: %w", context.Cause(ctx))
	}
}

// follow reads the stream to its end, and with it the session's (SSE-06).
func (l *SSELink) follow() {
	err := l.s.read(l.ctx, l.x)
	l.x.done(err)
	if l.ctx.Err() != nil || l.Endpoint() == "" {
		return
	}
	l.stop()
	if err == nil {
		err = errors.New("the server closed the event stream")
	}
	l.h.Down(Down{Err: err})
}

// takeEndpoint handles events that are no messages. It is called from follow.
func (l *SSELink) takeEndpoint(b protocol.SSEBlock) bool {
	if b.Event != "endpoint" {
		return false
	}
	select {
	case <-l.found:
		l.x.find("L-SSE-01", protocol.Warning, "a second endpoint event; the first stays in force")
		return true
	default:
	}
	if l.s.lines > 1 {
		l.x.find("L-SSE-01", protocol.Info, "the endpoint event was not the first of the stream")
	}
	l.endpoint, l.refused = l.resolve(string(b.Data))
	close(l.found)
	return true
}

// resolve makes an absolute URL of endpoint data (SSE-04).
func (l *SSELink) resolve(data string) (*url.URL, error) {
	text := strings.TrimSpace(data)
	if s, ok := protocol.StringValue(jsontext.Value(text)); ok {
		l.x.find("L-SSE-01", protocol.Warning, "the endpoint is a JSON string, not a bare URI")
		text = s
	}
	u, err := url.Parse(text)
	if err != nil || text == "" || strings.HasPrefix(text, "{") {
		return nil, fmt.Errorf("the endpoint event does not hold a URI: %q", cutText([]byte(data)))
	}
	u = l.url.ResolveReference(u)
	if !sameOrigin(l.url, u) {
		l.x.find("L-SSE-02", protocol.Violation, "the endpoint is at another origin")
		return nil, fmt.Errorf("the server named an endpoint at another origin (%s), which is refused", l.target.Masker.URL(u.String()))
	}
	return u, nil
}

// Name is "sse".
func (l *SSELink) Name() string { return "sse" }

// Endpoint is the URL that messages are posted to, "" before it is known.
func (l *SSELink) Endpoint() string {
	select {
	case <-l.found:
		if l.endpoint != nil {
			return l.endpoint.String()
		}
	default:
	}
	return ""
}

// Send posts one message to the endpoint. The answer comes on the stream
// (SSE-05); what the POST itself is answered is recorded, and handed on when it
// holds a message.
func (l *SSELink) Send(ctx context.Context, raw []byte, o SendOptions) error {
	if l.ctx.Err() != nil || !l.begin() {
		seq := l.log.Append(recorder.Event{Dir: recorder.Out, Kind: messageKind(raw), Channel: l.Name(), Data: raw})
		l.note(recorder.Out, l.Name(), seq, "not sent: "+ErrClosed.Error())
		return fmt.Errorf("sending: %w", ErrClosed)
	}
	m := protocol.Parse(raw)
	own := []protocol.HeaderField{{Name: "Accept", Value: acceptBoth}, {Name: "Content-Type", Value: "application/json"}}
	var found []protocol.Problem
	if o.Revision != nil && !o.Initialize {
		var fields []protocol.HeaderField
		fields, found = protocol.Headers(o.Revision, m, o.InputSchema)
		own = append(own, fields...)
	}
	p := &ssePost{l: l, found: found, s: &stream{w: l.wire}, x: &exchange{
		w: l.wire, channel: l.channel("post"), method: http.MethodPost, url: l.endpoint,
		header: l.header(own, o.Headers), body: append([]byte{}, raw...),
	}}
	if m.Kind == protocol.Request {
		p.s.id = m.ID
	}
	p.s.saw = p.saw
	p.lifetime = l.newLifetime(ctx)
	if err := p.x.do(p.ctx); err != nil {
		defer l.wg.Done()
		p.end(err)
		return fmt.Errorf("sending to %s: %w", l.url.Host, err)
	}
	// What the POST is answered does not matter much any more: it may take
	// longer than the caller's interest, but not for ever.
	p.release()
	timer := time.AfterFunc(l.waits.linger, func() { p.cancel(errLinger) })
	go func() {
		defer l.wg.Done()
		defer timer.Stop()
		guarded(l.h, p.follow)
	}()
	return nil
}

// ssePost is the exchange that takes one message to the server.
type ssePost struct {
	l *SSELink
	x *exchange
	s *stream
	*lifetime

	found []protocol.Problem
}

// follow reads what the server answers to the message.
func (p *ssePost) follow() {
	err := p.s.read(p.ctx, p.x)
	if errors.Is(err, errLinger) {
		err = nil
	}
	p.x.done(err)
	if p.x.answer.Status/100 != 2 {
		err = refusal(p.x.answer, "to the message")
	}
	p.end(err)
}

func (p *ssePost) saw(m protocol.Message) {
	if m.Kind == protocol.Result || m.Kind == protocol.Error {
		p.x.find("L-SSE-04", protocol.Warning, "an answer in the body of the POST; it belongs on the event stream")
	}
}

// end reports the exchange. What is left of it in the body of a success means
// nothing.
func (p *ssePost) end(err error) {
	p.lifetime.end()
	problems := p.x.takeProblems()
	if err == nil {
		problems = without(problems, "L-HTTP-01")
	}
	p.l.h.Ended(Ended{Seq: p.x.end, Channel: p.x.channel, For: p.s.id, Answer: p.x.answer, Err: err, Problems: problems, Sent: p.x.sent, SentProblems: p.found})
}

func without(problems []protocol.Problem, rule string) []protocol.Problem {
	var out []protocol.Problem
	for _, p := range problems {
		if p.Rule != rule {
			out = append(out, p)
		}
	}
	return out
}

// Close ends the stream, and the session with it (SSE-06).
func (l *SSELink) Close() error {
	l.closes.Do(func() {
		defer close(l.closed)
		l.wire.end()
		l.finish()
		l.stop()
	})
	<-l.closed
	return nil
}
