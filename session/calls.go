package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session/link"
)

var (
	errLinger    = errors.New("no answer came long after the call was given up")
	errGivenUp   = errors.New(recorder.GivenUp)
	errAnswered  = errors.New("the call has its answer")
	errNotARetry = errors.New("only a call that ended with the result type input_required can be continued")
)

// Call is one request of ours. Its methods may be called from any goroutine.
type Call struct {
	s     *Session
	conn  *conn
	raw   []byte
	first []byte      // MRTR: the request of round 0
	token protocol.ID // progress token, zero if none
	p     callParams
	done  chan struct{}

	ctx            context.Context // of the exchange
	cancelExchange context.CancelCauseFunc

	// Guarded by Session.mu.
	st         CallState
	release    func()        // stops listening to the caller's context
	idle       time.Duration // 0 for no limit
	maximum    time.Duration // 0 for no limit
	active     time.Time     // when the idle clock was last set back
	progressAt time.Time     // of the last progress report
	paused     int           // questions of the server that are open
	pausedAt   time.Time
	abandoned  time.Time // when an HTTP call was given up whose exchange is kept open
	due        time.Time
	place      int // in clock.queue, -1 when not in it
	status     int // HTTP status that came with the answer
	answer     *link.Answer
	failure    error                     // of the link
	stray      *incoming                 // something in its exchange that is no answer to it
	roundSent  time.Time                 // when the newest request was sent
	given      map[string]jsontext.Value // answers of the newest round so far, by key
	shed       int                       // rounds in succession that asked for nothing
	kept       int                       // bytes that Rounds keep alive
	sub        *subscription             // of a listen request
	task       *task                     // that it became
	gaveUp     time.Time                 // when this side ended it
	endSeq     uint64                    // event of the end of its exchange
	reports    burst                     // progress reports lately
}

// callParams is what start needs besides the message.
type callParams struct {
	CallOptions
	send     link.SendOptions
	silent   bool // the server is not told when the call is given up (VER-09)
	probe    bool // it is the discover request of the negotiation
	previous *Call
	round    int    // CallState.Round when there is a previous one
	retryOf  uint64 // CallState.RetryOf
	brief    bool   // it is the session's own: few of these are kept
	sub      *subscription
	again    bool  // sub is to be asked for again, unless it was stopped
	about    *task // the session's own request about that task
}

func (c *Call) ended() bool {
	return c.st.Phase != CallPending && c.st.Phase != CallWaiting && c.st.Phase != CallWorking
}

// inFlight reports whether a request waits for its answer. Between two rounds,
// and while it goes on as a task, a call has none.
func (c *Call) inFlight() bool { return c.st.Phase == CallPending }

// Done is closed when the call has ended, however it ended.
func (c *Call) Done() <-chan struct{} { return c.done }

// Wait returns the state of the call when it has ended. The error is that of
// ctx only; how the call ended is in CallState.Phase. A ctx that ends does not
// cancel the call.
func (c *Call) Wait(ctx context.Context) (CallState, error) {
	select {
	case <-c.done:
		return c.State(), nil
	case <-ctx.Done():
		return c.State(), context.Cause(ctx)
	}
}

// State returns what is known of the call now.
func (c *Call) State() CallState {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.snapshot(time.Now())
}

// snapshot is State with mu held.
func (c *Call) snapshot(now time.Time) CallState {
	st := c.st
	if !c.ended() {
		if c.paused > 0 {
			st.Waited += now.Sub(c.pausedAt)
		}
		st.Took = now.Sub(st.Started) - st.Waited
	}
	c.s.log.localizeCall(&st)
	return st
}

// NewRequest builds a request with a fresh id, a progress token and, in modern
// mode, the reserved _meta keys; what params has of them already is kept. The
// call of a tool that requires a task asks for one (TASK-06). Over
// stdio, where a line is a message, line breaks between tokens become blanks.
// Nothing is sent; the caller may edit the bytes before Do.
func (s *Session) NewRequest(method string, params jsontext.Value) []byte {
	s.mu.Lock()
	id := s.newID()
	revision, lines := s.view.revision, s.view.transportNow == string(Stdio)
	s.mu.Unlock()
	if lines {
		params = oneLine(params)
	}
	raw := s.decorate(protocol.NewRequest(id, method, params), id, s.metaFor(revision))
	if s.needsTask(method, params) {
		return s.AsTask(raw, TaskOptions{})
	}
	return raw
}

// decorate adds to _meta what is not there already.
func (s *Session) decorate(raw []byte, id protocol.ID, meta jsontext.Value) []byte {
	raw = setMeta(raw, protocol.MetaProgressToken, jsontext.Value(id.String()))
	for name, value := range protocol.Members(meta) {
		raw = setMeta(raw, name, value)
	}
	return raw
}

// setMeta sets a member of params._meta unless it is there or there is no place
// for it, as in params that are no object.
func setMeta(raw []byte, name string, value jsontext.Value) []byte {
	meta, _, _ := protocol.Lookup(raw, "/params/_meta")
	for present := range protocol.Members(meta) {
		if present == name {
			return raw
		}
	}
	if edited, err := protocol.SetMeta(raw, name, value); err == nil {
		return edited
	}
	return raw
}

// oneLine replaces line breaks between the tokens of a valid JSON text.
func oneLine(v jsontext.Value) jsontext.Value {
	if bytes.IndexByte(v, '\n') < 0 && bytes.IndexByte(v, '\r') < 0 ||
		!v.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		return v
	}
	out := bytes.ReplaceAll(v, []byte{'\n'}, []byte{' '})
	return bytes.ReplaceAll(out, []byte{'\r'}, []byte{' '})
}

// newID returns an id that the session has not used. mu is held.
func (s *Session) newID() protocol.ID {
	s.nextID++
	return protocol.IntID(s.nextID)
}

// Do sends raw, a request with an id, exactly as it is but for what
// CallOptions.Task asks for. The error says why
// nothing was sent; everything that happens later is in the call's state. When
// ctx ends the call is cancelled.
func (s *Session) Do(ctx context.Context, raw []byte, o CallOptions) (*Call, error) {
	return s.do(ctx, raw, callParams{CallOptions: o})
}

func (s *Session) do(ctx context.Context, raw []byte, p callParams) (*Call, error) {
	if p.Task != nil {
		raw = s.AsTask(raw, *p.Task)
	}
	m := protocol.Parse(raw)
	switch {
	case m.Kind != protocol.Request:
		return nil, fmt.Errorf("sending a request: this is %s and no answer could be paired with it; send it with Write", article(m.Kind))
	case m.ID.IsZero():
		return nil, errors.New("sending a request: it has no id that an answer could carry; send it with Write")
	}
	s.mu.Lock()
	lines := s.view.transportNow == string(Stdio)
	p.send.Revision, p.send.Headers = s.view.revision, p.Headers
	p.send.InputSchema = p.InputSchema
	if p.send.InputSchema == nil && m.Method == protocol.MethodToolsCall {
		p.send.InputSchema = s.listed.schemaOf(protocol.NameOf(m.Method, m.Params))
	}
	s.mu.Unlock()
	if lines && bytes.ContainsAny(bytes.TrimRight(raw, "\r\n"), "\r\n") {
		return nil, errors.New("sending a request: it has line breaks, and over stdio each line is a message; put it on one line, or send it with Write")
	}
	return s.start(ctx, m, p)
}

func article(k protocol.Kind) string {
	switch k {
	case protocol.Invalid:
		return "no valid JSON-RPC message"
	case protocol.Error:
		return "an error response"
	}
	return "a " + k.String()
}

// start registers a call and sends it as p says.
func (s *Session) start(ctx context.Context, m protocol.Message, p callParams) (*Call, error) {
	if !s.begin() {
		return nil, errClosed
	}
	defer s.wg.Done()
	c := &Call{s: s, raw: m.Raw, first: m.Raw, p: p, done: make(chan struct{}), place: -1}
	c.idle, c.maximum = s.limits.of(p.CallOptions)
	if m.Method == protocol.MethodSubscriptionsListen {
		c.idle, c.maximum = limit(p.Timeout, 0), limit(p.Maximum, 0)
	}
	c.token = progressToken(m.Params)
	c.ctx, c.cancelExchange = context.WithCancelCause(s.ctx)
	out := leg{m.ID, m.Raw, c.ctx, c.cancelExchange}

	s.mu.Lock()
	c.conn = s.conn
	if err := c.conn.gone("sending a request"); err != nil {
		s.mu.Unlock()
		c.cancelExchange(errGivenUp)
		return nil, err
	}
	if p.again && p.sub.Phase != SubRelistening {
		s.mu.Unlock()
		c.cancelExchange(errGivenUp)
		return nil, errStopped
	}
	now := time.Now()
	s.nextKey++
	c.active, c.roundSent = now, now
	c.st = CallState{RetryOf: p.retryOf, Key: s.nextKey, ID: m.ID, Method: m.Method, Name: protocol.NameOf(m.Method, m.Params), Started: now}
	if p.previous != nil {
		c.first = p.previous.first
		c.st.Round, c.st.Previous = p.round, p.previous.st.Key
	}
	if p.send.Revision != nil && p.send.Revision.Modern {
		c.conn.probed = true
	}
	if p.probe {
		s.probe = c
	}
	s.noteReuse(c)
	s.calls.add(c)
	s.schedule(c)
	if m.Method == protocol.MethodSubscriptionsListen && p.send.Revision != nil && p.send.Revision.Modern {
		s.listening(c, m)
	}
	s.wg.Add(1)
	stop := context.AfterFunc(ctx, func() {
		defer s.wg.Done()
		s.guard(func() { c.giveUp(CallCancelled, "Cancelled: "+context.Cause(ctx).Error(), "") })
	})
	c.release = func() {
		if stop() {
			s.wg.Done()
		}
	}
	s.callsChanged()
	l := c.conn.link
	s.mu.Unlock()

	c.dispatch(l, out)
	return c, nil
}

// leg is one request of a call; a call of several rounds has as many.
type leg struct {
	id     protocol.ID
	raw    []byte
	ctx    context.Context // of the exchange
	cancel context.CancelCauseFunc
}

// dispatch sends a request of the call. The caller keeps Close waiting.
func (c *Call) dispatch(l link.Link, g leg) {
	p := c.conn.expect(g.raw, c)
	send := func() {
		err := l.Send(g.ctx, g.raw, c.p.send)
		c.conn.forget(p)
		c.sent(l, g, err)
	}
	if l.Name() == string(Stdio) {
		send()
	} else {
		c.s.goes(send)
	}
}

// noteReuse flags an id that is in use (BASE-04, BASE-05). mu is held.
func (s *Session) noteReuse(c *Call) {
	for _, other := range s.calls.byID[looseKey(c.st.ID)] {
		if other.st.ID.Equal(c.st.ID) && !other.ended() {
			s.find(0, warning("BASE-05", "The id "+c.st.ID.String()+" is sent while another request with it waits for its answer."))
			return
		}
	}
}

// sent takes what came of sending.
func (c *Call) sent(l link.Link, g leg, err error) {
	if l.Name() == string(Stdio) {
		g.cancel(errAnswered) // it governs the write alone
	}
	if err == nil {
		return
	}
	s := c.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.inFlight() && c.st.ID == g.id {
		c.failure = err
		s.finish(c, CallLost, "The request could not be sent: "+sentence(err))
	}
}

// recorded tells which event the request became.
func (c *Call) recorded(seq uint64) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.st.RequestSeq = seq
	if c.sub != nil && c.sub.call == c {
		c.sub.RequestSeq = seq
	}
	c.s.callsChanged()
}

// limit is the limit of a call: its own, or the session's; negative is none.
func limit(own, common time.Duration) time.Duration {
	if own == 0 {
		own = common
	}
	return max(own, 0)
}

func progressToken(params jsontext.Value) protocol.ID {
	v, _, ok := protocol.Lookup(params, "/_meta/progressToken")
	if !ok {
		return protocol.ID{}
	}
	id, _ := protocol.ParseID(string(v))
	return id
}

// finish ends a call. mu is held.
func (s *Session) finish(c *Call, phase CallPhase, text string) {
	if c.ended() {
		return
	}
	now := time.Now()
	if c.paused > 0 {
		c.st.Waited += now.Sub(c.pausedAt)
	}
	s.unschedule(c)
	c.st.Phase, c.st.Held, c.st.Err = phase, false, text
	c.st.Took = now.Sub(c.st.Started) - c.st.Waited
	c.release()
	if s.probe == c {
		s.probe = nil
	}
	s.calls.finished(c)
	s.dropRound(c)
	s.levelSet(c)
	if c.sub != nil {
		s.listenOver(c)
	}
	close(c.done)
	s.callsChanged()
}

// Write sends raw exactly as it is, valid or not, and pairs nothing with it. ctx
// bounds the sending: what comes back is read whatever becomes of it.
func (s *Session) Write(ctx context.Context, raw []byte) error {
	if !s.begin() {
		return errClosed
	}
	defer s.wg.Done()
	m := protocol.Parse(raw)
	s.mu.Lock()
	c := s.conn
	if err := c.gone("sending a message"); err != nil {
		s.mu.Unlock()
		return err
	}
	l := c.link
	s.calls.written(m.ID)
	for _, item := range m.Items {
		s.calls.written(item.ID)
	}
	s.mu.Unlock()
	ctx, cancel := s.joined(ctx)
	defer cancel()
	o := s.sendOptions()
	o.Unpaired = true
	if err := l.Send(ctx, raw, o); err != nil {
		return fmt.Errorf("sending a message: %w", err)
	}
	return nil
}

// joined returns a context that ends with ctx and with the session.
func (s *Session) joined(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(s.ctx, func() { cancel(context.Cause(s.ctx)) })
	return ctx, func() { stop(); cancel(nil) }
}

// Continue answers a call that ended with the result type input_required by
// sending its request again with answers and the server's state (MRTR-04).
// answers is an object with the keys of the server's inputRequests, nil if
// there were none.
func (s *Session) Continue(ctx context.Context, call *Call, answers jsontext.Value) (*Call, error) {
	s.mu.Lock()
	st := call.st
	id := s.newID()
	s.mu.Unlock()
	if st.Phase != CallOK || st.ResultType != resultInputRequired {
		return nil, errNotARetry
	}
	state, _, _ := protocol.Lookup(st.Answer.Result, "/requestState")
	raw, err := retry(call.first, id, answers, state)
	if err != nil {
		return nil, err
	}
	p := callParams{CallOptions: call.p.CallOptions, previous: call, round: st.Round + 1}
	return s.do(ctx, raw, p)
}

// retry builds the request of a further round (MRTR-04 to 09). It has a
// progress token of its own if the first one had one.
func retry(first []byte, id protocol.ID, answers, state jsontext.Value) ([]byte, error) {
	raw, err := protocol.Retry(first, id, answers, state)
	if err == nil && !progressToken(protocol.Parse(first).Params).IsZero() {
		raw, err = protocol.SetMeta(raw, protocol.MetaProgressToken, jsontext.Value(id.String()))
	}
	if err != nil {
		return nil, fmt.Errorf("building the retry: %w", err)
	}
	return raw, nil
}

// end is when a call that has ended did.
func (st *CallState) end() time.Time { return st.Started.Add(st.Took + st.Waited) }
