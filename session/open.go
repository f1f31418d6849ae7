package session

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session/link"
)

// Defaults of Options.
const (
	DefaultProbeTimeout = 5 * time.Second
	DefaultInitTimeout  = 30 * time.Second
	DefaultCallTimeout  = 60 * time.Second
	DefaultCallMaximum  = 10 * time.Minute
	DefaultMaxRounds    = 50
	DefaultAckTimeout   = 10 * time.Second
)

var (
	errClosed = errors.New("the session is closed")
	errNoLog  = errors.New("opening a session: Options.Log is nil")
)

// Session is one connection to a server. Its methods may be called from any
// goroutine.
//
// No method of a link is called while mu is held: links call back.
type Session struct {
	target  Target
	o       Options
	log     *tape
	masker  *recorder.Masker
	dial    dialers
	ctx     context.Context // ends when Close has answered the peers
	cancel  context.CancelCauseFunc
	wg      sync.WaitGroup
	replies chan reply
	clock   clock
	limits  callLimits

	closing  chan struct{} // closed when Close begins
	closed   chan struct{} // closed when Close is done
	closeErr error         // valid after closed

	mu         stateMutex
	isClosing  bool
	negotiated bool // Negotiate was called
	conn       *conn
	nextID     uint64
	nextKey    uint64
	listed     listings
	calls      callTable
	asks       askTable
	probe      *Call // the discover request while it waits: anything that does not match ends it
	lateProbe  protocol.Message
	restarting bool // a lost HTTP session is being replaced

	view view // what State shows
	live live // what goes on by itself
}

// dialers make links; tests put their own in place.
type dialers struct {
	stdio func(context.Context, link.StdioTarget, recorder.Appender, link.Handler) (link.Link, error)
	http  func(link.HTTPTarget, recorder.Appender, link.Handler) (link.Link, error)
	sse   func(context.Context, link.HTTPTarget, recorder.Appender, link.Handler) (link.Link, error)
}

var realDialers = dialers{stdio: link.StartStdio, http: link.DialHTTP, sse: link.DialSSE}

// Open makes the link to t: it starts the process, opens the HTTP+SSE stream,
// or gets ready to talk HTTP. ctx bounds that only.
//
// The session is never nil: when Open or Negotiate fails its State tells what
// was tried, and Close is due all the same.
func Open(ctx context.Context, t Target, o Options) (*Session, error) {
	return open(ctx, t, o, realDialers)
}

func open(ctx context.Context, t Target, o Options, d dialers) (*Session, error) {
	s := &Session{target: t, o: withDefaults(o), log: &tape{log: o.Log}, masker: t.masker(), dial: d,
		replies: make(chan reply, maxReplies), closing: make(chan struct{}), closed: make(chan struct{})}
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	s.SetCallLimits(s.o.CallTimeout, s.o.CallMaximum)
	s.view.start(t)
	s.calls.init()
	s.prepare()
	s.clock.wake = make(chan struct{}, 1)
	if o.Log == nil {
		s.failed(errNoLog)
		return s, errNoLog
	}
	s.goes(s.runClock)
	s.goes(s.runReplies)
	s.goes(s.runLive)
	if err := s.connect(ctx, t.transport()); err != nil {
		s.failed(err)
		return s, err
	}
	return s, nil
}

func withDefaults(o Options) Options {
	for _, d := range []struct {
		field *time.Duration
		value time.Duration
	}{
		{&o.ProbeTimeout, DefaultProbeTimeout},
		{&o.InitTimeout, DefaultInitTimeout},
		{&o.CallTimeout, DefaultCallTimeout},
		{&o.CallMaximum, DefaultCallMaximum},
		{&o.PingTimeout, DefaultPingTimeout},
		{&o.AckTimeout, DefaultAckTimeout},
	} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	if o.MaxRounds == 0 {
		o.MaxRounds = DefaultMaxRounds
	}
	if o.Client.Name == "" {
		o.Client.Name, o.Client.Version = "mcploupe", "0"
	}
	return o
}

// connect makes the link of a transport and puts it in the place of an older
// one, which must be closed.
func (s *Session) connect(ctx context.Context, transport Transport) error {
	c := &conn{s: s}
	s.mu.Lock()
	if s.isClosing {
		s.mu.Unlock()
		return errClosed
	}
	s.conn = c
	s.view.transport(string(transport))
	s.changed()
	s.mu.Unlock()

	step := s.step(connectTitle(transport))
	l, err := s.dialLink(ctx, transport, c)
	if err != nil {
		err = fmt.Errorf("%s: %w", connectVerb(transport), err)
		var answer *link.AnswerError
		if errors.As(err, &answer) {
			s.noteAnswer(answer.Answer)
		}
		step.fail(sentence(err), s.adviseDial(transport, err))
		return err
	}
	pid := 0
	if p, ok := l.(interface{ PID() int }); ok {
		pid = p.PID()
	}
	s.mu.Lock()
	c.link = l
	orphan := s.isClosing
	s.view.pid(pid)
	s.changed()
	s.mu.Unlock()
	if orphan {
		step.fail("The session was closed meanwhile.", "")
		return errors.Join(errClosed, l.Close())
	}
	step.ok(connectDetail(transport, s.target, pid))
	return nil
}

func (s *Session) dialLink(ctx context.Context, transport Transport, c *conn) (link.Link, error) {
	switch transport {
	case Stdio:
		t := s.target.stdio()
		t.MaxLine = int(s.o.MaxMessage)
		return s.dial.stdio(ctx, t, c, c)
	case HTTP, SSE:
		t := s.target.http(s.masker)
		t.MaxBody, t.Trace = s.o.MaxMessage, s.o.Trace
		if transport == HTTP {
			return s.dial.http(t, c, c)
		}
		ctx, cancel := context.WithTimeoutCause(ctx, s.o.InitTimeout,
			fmt.Errorf("no endpoint event within %s", spoken(s.o.InitTimeout)))
		defer cancel()
		return s.dial.sse(ctx, t, c, c)
	}
	return nil, fmt.Errorf("there is no transport %q: it is stdio, http or sse", transport)
}

// disconnect closes the link in use, if there is one, and takes over how the
// process ended.
func (s *Session) disconnect() error {
	s.mu.Lock()
	c := s.conn
	var l link.Link
	if c != nil {
		l = c.link
	}
	s.mu.Unlock()
	if l == nil {
		return nil
	}
	err := l.Close()
	s.mu.Lock()
	s.loseCalls(c, "The connection was closed before an answer came.")
	if p, ok := l.(interface{ Exit() *link.Exit }); ok && s.view.exit == nil {
		if e := p.Exit(); e != nil {
			s.view.exit = e
		}
	}
	s.changed()
	s.mu.Unlock()
	return err
}

// Close ends the session: open questions of the server are answered with
// cancel, the link is closed in its orderly way, and every goroutine has ended
// when it returns. It is idempotent.
func (s *Session) Close() error {
	s.mu.Lock()
	if s.isClosing {
		s.mu.Unlock()
		<-s.closed
		return s.closeErr
	}
	s.isClosing = true
	close(s.closing)
	if s.view.phase != Failed {
		s.view.phase = Closing
	}
	s.changed()
	s.mu.Unlock()

	s.note("closing", "")
	s.cancelAsks()
	s.mu.Lock()
	s.loseCalls(nil, "The session was closed before an answer came.")
	s.loseSubs("The session was closed.")
	s.mu.Unlock()
	s.cancel(errClosed)
	s.closeErr = s.disconnect()
	s.wg.Wait()

	s.mu.Lock()
	if s.view.phase != Failed {
		s.view.phase = Closed
	}
	s.changed()
	s.mu.Unlock()
	s.note("closed", "")
	close(s.closed)
	return s.closeErr
}

// begin counts the caller's goroutine as one that Close waits for. It reports
// false when Close has begun.
func (s *Session) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isClosing {
		return false
	}
	s.wg.Add(1)
	return true
}

// spawn runs f in a goroutine that Close waits for. It must not be called with
// mu held.
func (s *Session) spawn(f func()) bool {
	if !s.begin() {
		return false
	}
	go func() {
		defer s.wg.Done()
		s.guard(f)
	}()
	return true
}

// failed ends a session that is not Closed or closing.
func (s *Session) failed(err error) {
	s.mu.Lock()
	if s.isClosing || s.view.phase == Failed {
		s.mu.Unlock()
		return
	}
	s.view.phase, s.view.err = Failed, sentence(err)
	s.changed()
	s.mu.Unlock()
	s.note("failed", sentence(err))
}

// note records a change of the session's state.
func (s *Session) note(state, detail string) uint64 {
	if s.log.current() == nil {
		return 0
	}
	return s.log.Append(recorder.Event{Dir: recorder.Out, Kind: recorder.KindState,
		Fields: &recorder.StateChange{State: state, Detail: detail}})
}

// remark records a sentence of the program.
func (s *Session) remark(text string) {
	s.log.Append(recorder.Event{Dir: recorder.Out, Kind: recorder.KindNote, Data: []byte(text)})
}

// sendOptions are those of a message that is no request of a tool.
func (s *Session) sendOptions() link.SendOptions {
	s.mu.Lock()
	defer s.mu.Unlock()
	return link.SendOptions{Revision: s.view.revision}
}

// metaFor is the value of params._meta that the revision wants, nil if none. It
// must not be called with mu held.
func (s *Session) metaFor(r *protocol.Revision) jsontext.Value {
	if r == nil || !r.Modern {
		return nil
	}
	return r.RequestMeta(s.o.Client, s.capabilities(), s.o.LogLevel)
}
