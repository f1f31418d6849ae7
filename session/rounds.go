package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/protocol/jsonvalue"
)

// Delays before a call goes on that the server put off without asking for
// anything (MRTR-03): they double from the first to the last.
const (
	firstDelay = 500 * time.Millisecond
	lastDelay  = 10 * time.Second
)

// beginRound takes an answer input_required: what it asks for is put to the
// person, and the call waits (MRTR-02, MRTR-16). mu is held.
func (s *Session) beginRound(call *Call, in incoming) {
	now := time.Now()
	requests, at, hasRequests := protocol.Lookup(in.m.Result, "/inputRequests")
	state, _, _ := protocol.Lookup(in.m.Result, "/requestState")
	round := Round{ID: call.st.ID, RequestSeq: call.st.RequestSeq, AnswerSeq: in.Seq, Took: now.Sub(call.roundSent), Asked: now,
		State: state, InputRequests: protocol.DecodeInputRequests(requests)}
	round.Problems = checkRound(requests, hasRequests, state, round.InputRequests)
	for _, p := range round.Problems {
		p.Pointer = "/result" + p.Pointer
		if hasRequests && p.Pointer == "/result/inputRequests" {
			p.Offset = offsetIn(in.m.Raw, "/result/inputRequests", at)
		}
		s.find(in.Seq, p)
	}
	call.kept += len(in.m.Raw)
	call.given = nil
	call.st.Rounds = append(slices.Clip(call.st.Rounds), round)
	call.st.Problems = append(append(call.st.Problems, in.Problems...), in.m.Problems...)
	if why := s.cannotGoOn(call, in, round); why != "" {
		s.answered(call, in)
		s.finish(call, CallInvalid, why)
		return
	}
	call.st.Phase, call.st.Held = CallWaiting, call.p.HoldRounds
	call.pause(now)
	s.callsChanged()
	if len(round.InputRequests) == 0 {
		s.putOff(call)
		return
	}
	call.shed = 0
	s.askRound(call, in)
	s.goOn(call)
}

// offsetIn is the offset of a pointer in raw, or fallback.
func offsetIn(raw []byte, pointer string, fallback int) int {
	if _, at, ok := protocol.Lookup(raw, pointer); ok {
		return at
	}
	return fallback
}

// checkRound checks the shape of an answer input_required.
func checkRound(requests jsontext.Value, hasRequests bool, state jsontext.Value, list []protocol.InputRequest) []protocol.Problem {
	var out []protocol.Problem
	add := func(p protocol.Problem, pointer string) {
		p.Pointer = pointer
		out = append(out, p)
	}
	if len(list) == 0 && state == nil {
		add(violation("L-MRTR-02", "The server wants input and names neither requests nor a state."), "")
	}
	if hasRequests && requests.Kind() != '{' {
		add(violation("L-MRTR-03", "inputRequests is no object."), "/inputRequests")
	}
	if state != nil && state.Kind() != '"' {
		add(violation("L-MRTR-06", "requestState is no string; it is sent back as it is."), "/requestState")
	}
	seen := map[string]bool{}
	for _, q := range list {
		pointer := "/inputRequests/" + jsonvalue.EscapeToken(q.Key)
		if seen[q.Key] {
			add(violation("L-MRTR-05", "The key "+shorten(q.Key, 100)+" is there twice; the last one counts."), pointer)
		}
		seen[q.Key] = true
		for name := range protocol.Members(q.Raw) {
			if name == "id" || name == "jsonrpc" {
				add(warning("L-MRTR-11", "The input request has the member "+name+", which is for messages."), pointer)
			}
		}
		switch q.Method {
		case protocol.MethodElicit, protocol.MethodSampling, protocol.MethodRootsList, "":
		default:
			add(violation("L-MRTR-03", "The server asks for "+shorten(q.Method, 100)+", which cannot be an input request."), pointer)
		}
	}
	return out
}

// declared is what the request of the call said that the client can do: it may
// have been edited (trap 58).
func (c *Call) declared() jsontext.Value {
	caps, _, _ := protocol.Lookup(c.first, "/params/_meta/"+jsonvalue.EscapeToken(protocol.MetaClientCapabilities))
	return caps
}

// cannotGoOn says why a round is not to be answered, "" if it is. mu is held.
func (s *Session) cannotGoOn(call *Call, in incoming, round Round) string {
	if len(round.InputRequests) == 0 && round.State == nil {
		return "An answer came that is not valid: the server wants input and names neither requests nor a state."
	}
	if n := s.o.MaxRounds; n > 0 && len(call.st.Rounds) > n {
		s.find(in.Seq, information("L-MRTR-10", fmt.Sprintf("The server asked for input more than %d times.", n)))
		return fmt.Sprintf("The server asked for input more than %d times in one call; it was stopped there (MRTR-12).", n)
	}
	if s.asks.full(len(round.InputRequests)) {
		s.find(in.Seq, tooManyAsks(call.st.Method))
		return fmt.Sprintf("The server asks for %d things at once, which is more than can be put to anyone.", len(round.InputRequests))
	}
	caps := call.declared()
	var why string
	for _, q := range round.InputRequests {
		if f := undeclared(caps, call.p.send.Revision, q.Method, q.Params); f != nil {
			f.Rule = "L-MRTR-04"
			f.Pointer = "/result/inputRequests/" + jsonvalue.EscapeToken(q.Key)
			f.Offset = offsetIn(in.m.Raw, f.Pointer, -1)
			why = f.Text + ". It is not answered, and the call ends here (MRTR-14)."
			f.Text += "; it was not answered."
			call.st.Problems = append(call.st.Problems, f.Problem)
			s.find(in.Seq, f.Problem)
		}
	}
	return why
}

// askRound puts the input requests of the newest round to the person, and
// answers those for roots. mu is held.
func (s *Session) askRound(call *Call, in incoming) {
	call.given = map[string]jsontext.Value{}
	number := len(call.st.Rounds) - 1
	list := call.st.Rounds[number].InputRequests
	for i, q := range list {
		if slices.ContainsFunc(list[i+1:], func(other protocol.InputRequest) bool { return other.Key == q.Key }) {
			continue
		}
		if q.Method == protocol.MethodRootsList && !s.o.AskRoots {
			call.given[q.Key] = rootsResult(s.o.Roots)
			continue
		}
		a := &ask{conn: call.conn, call: call, Ask: Ask{Seq: in.Seq, Method: q.Method, Params: q.Params, InputKey: q.Key, Round: number, Problems: q.Problems}}
		a.describe(call.p.send.Revision, call.declared())
		at := "/result/inputRequests/" + jsonvalue.EscapeToken(q.Key) + "/params"
		s.findInside(in.Seq, in.m.Raw, at, a.Problems)
		if a.Kind == AskURL {
			s.findInside(in.Seq, in.m.Raw, at+"/url", protocol.InspectURL(a.URL).Problems)
		}
		s.addAsk(a, call)
	}
}

// replyInRound takes the answer to an input request, and sends the round when it
// was the last. It is called with mu held and releases it.
func (s *Session) replyInRound(a *ask, r Reply) error {
	call := a.call
	if r.Action == ActionReject {
		reason := r.Message
		if reason == "" {
			reason = "you rejected " + a.Method
		}
		s.finish(call, CallCancelled, "Given up: "+reason+". An input request has no answer that refuses it (MRTR-15).")
		s.mu.Unlock()
		return nil
	}
	a.State = AskAnswered
	call.given[a.InputKey] = r.result(a.Kind, s.singleLine())
	s.asksChanged()
	complete := s.roundComplete(call) && !call.st.Held
	s.mu.Unlock()
	if complete {
		s.sendRound(call)
	}
	return nil
}

// roundComplete reports whether every input request has its answer. mu is held.
func (s *Session) roundComplete(call *Call) bool {
	return !slices.ContainsFunc(s.asks.open, func(a *ask) bool { return a.call == call && a.State == AskOpen })
}

// goOn sends a round that needs nobody. mu is held.
func (s *Session) goOn(call *Call) {
	if s.roundComplete(call) && !call.st.Held && !s.isClosing {
		s.goes(func() { s.sendRound(call) })
	}
}

// putOff sends the call again after a while. mu is held.
func (s *Session) putOff(call *Call) {
	if call.st.Held {
		return
	}
	delay := min(firstDelay<<min(call.shed, 10), lastDelay)
	call.shed++
	call.editRound(func(r *Round) { r.Delay = delay })
	if s.isClosing {
		return
	}
	s.goes(func() {
		timer := time.NewTimer(delay)
		defer timer.Stop()
		select {
		case <-timer.C:
			s.sendRound(call)
		case <-call.done:
		case <-s.closing:
		}
	})
}

// editRound changes the newest round, which snapshots may share. mu is held.
func (c *Call) editRound(edit func(*Round)) {
	c.st.Rounds = slices.Clone(c.st.Rounds)
	edit(&c.st.Rounds[len(c.st.Rounds)-1])
}

// sendRound sends the request of a call again with the answers of its newest
// round and the state that came with it. The caller keeps Close waiting.
func (s *Session) sendRound(c *Call) {
	s.mu.Lock()
	if c.st.Phase != CallWaiting || s.isClosing {
		s.mu.Unlock()
		return
	}
	s.nextRound(c, c.answers())
}

// answers are the inputResponses of the newest round as far as they are given.
// mu is held.
func (c *Call) answers() jsontext.Value {
	requests := c.st.Rounds[len(c.st.Rounds)-1].InputRequests
	var answers jsontext.Value
	for i, q := range requests {
		// A key that is there twice has its answer once (L-MRTR-05).
		if answer, ok := c.given[q.Key]; ok && !slices.ContainsFunc(requests[:i], func(other protocol.InputRequest) bool { return other.Key == q.Key }) {
			answers = appendEntry(answers, q.Key, answer)
		}
	}
	return answers
}

// nextRound sends the request of a call that waits again. It is called with mu
// held and releases it.
func (s *Session) nextRound(c *Call, answers jsontext.Value) {
	round := c.st.Rounds[len(c.st.Rounds)-1]
	id := s.newID()
	raw, err := retry(c.first, id, answers, round.State)
	if err != nil {
		s.finish(c, CallLost, "The next round could not be made: "+sentence(err))
		s.mu.Unlock()
		return
	}
	now := time.Now()
	c.editRound(func(r *Round) { r.Answers, r.Sent = answers, now })
	c.kept += len(answers)
	s.removeAsks(func(a *ask) bool { return a.call == c })
	out := c.renew(id, raw, now)
	l := c.conn.link
	c.resume(now)
	s.callsChanged()
	s.mu.Unlock()
	c.dispatch(l, out)
}

// renew gives the call its next request. mu is held.
func (c *Call) renew(id protocol.ID, raw []byte, now time.Time) leg {
	t := &c.s.calls
	t.unlink(c)
	c.raw, c.st.ID = raw, id
	if !c.token.IsZero() {
		c.token = id
	}
	t.link(c)
	c.st.Phase, c.st.Held, c.st.RequestSeq, c.st.ResultType = CallPending, false, 0, ""
	c.given, c.stray, c.roundSent = nil, nil, now
	ctx, cancel := context.WithCancelCause(c.s.ctx)
	before := c.cancelExchange
	c.ctx, c.cancelExchange = ctx, func(cause error) {
		cancel(cause)
		before(cause)
	}
	return leg{id, raw, ctx, cancel}
}

var errNotHeld = errors.New("the call does not wait to be continued")

// RoundAnswers are the inputResponses that the newest round of a held call has
// so far; nil when there are none.
func (s *Session) RoundAnswers(call uint64) jsontext.Value {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.calls.byKey(call); c != nil && c.st.Held {
		return c.answers()
	}
	return nil
}

// ContinueRound sends a held call again with the state of its newest round and
// with answers, or without any when they are nil. Answers that the server should
// refuse are taken too, and fewer than it asked for (MRTR-02 is the person's to
// break). What is still open of the round is put away.
func (s *Session) ContinueRound(call uint64, answers jsontext.Value) error {
	if answers != nil && !protocol.Valid(answers) {
		return errors.New("continuing a call: the answers are not JSON")
	}
	if !s.begin() {
		return errClosed
	}
	defer s.wg.Done()
	s.mu.Lock()
	c := s.calls.byKey(call)
	if c == nil || !c.st.Held || c.st.Phase != CallWaiting {
		s.mu.Unlock()
		return fmt.Errorf("continuing a call: %w", errNotHeld)
	}
	if s.singleLine() {
		answers = oneLine(answers)
	}
	s.nextRound(c, answers)
	return nil
}

var errNoCall = errors.New("the call is not kept any more")

// ResendRound sends the request again that followed the round with that index
// of a call, with other answers, as a call of its own. It takes answers that the
// server should refuse too, and calls that are pending or over.
func (s *Session) ResendRound(ctx context.Context, call uint64, round int, answers jsontext.Value) (*Call, error) {
	s.mu.Lock()
	c := s.calls.byKey(call)
	if c == nil || round < 0 || round >= len(c.st.Rounds) {
		s.mu.Unlock()
		return nil, fmt.Errorf("sending a round again: %w", errNoCall)
	}
	id, state := s.newID(), c.st.Rounds[round].State
	p := callParams{CallOptions: c.p.CallOptions, previous: c, round: round + 1}
	if s.singleLine() {
		answers = oneLine(answers)
	}
	s.mu.Unlock()
	raw, err := retry(c.first, id, answers, state)
	if err != nil {
		return nil, fmt.Errorf("sending a round again: %w", err)
	}
	return s.do(ctx, raw, p)
}

// RetryCall sends the request of a call once more as it first was, with a new
// id (ELIC-29, ELIC-33).
func (s *Session) RetryCall(ctx context.Context, call uint64) (*Call, error) {
	s.mu.Lock()
	c := s.calls.byKey(call)
	if c == nil {
		s.mu.Unlock()
		return nil, fmt.Errorf("sending a call again: %w", errNoCall)
	}
	id := s.newID()
	p := callParams{CallOptions: c.p.CallOptions, retryOf: c.st.Key}
	s.mu.Unlock()
	raw, err := protocol.SetID(c.first, id)
	if err == nil && !progressToken(protocol.Parse(raw).Params).IsZero() {
		raw, err = protocol.SetMeta(raw, protocol.MetaProgressToken, jsontext.Value(id.String()))
	}
	if err != nil {
		return nil, fmt.Errorf("sending a call again: %w", err)
	}
	again, err := s.do(ctx, raw, p)
	if err == nil {
		s.mu.Lock()
		c.st.Retryable = false // it was
		s.callsChanged()
		s.mu.Unlock()
	}
	return again, err
}
