package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session/link"
)

const (
	maxReplies   = 1024 // answers of ours on their way
	replyTimeout = 10 * time.Second
)

// reply is an answer that needs no person.
type reply struct {
	conn *conn
	raw  []byte
	seq  uint64 // of the question
}

// takeRequest handles a request of the server. mu is held.
func (s *Session) takeRequest(c *conn, in incoming) {
	m := in.m
	r := s.view.revision
	if r != nil && r.Modern {
		s.find(in.Seq, violation("L-RPC-14", "The server sent the request "+m.Method+"; in this revision servers send none, and it is not answered (BASE-09)."))
		return
	}
	switch m.Method {
	case protocol.MethodPing:
		s.reply(c, in.Seq, protocol.NewResult(m.ID, nil))
		return
	case protocol.MethodRootsList, protocol.MethodSampling, protocol.MethodElicit:
	default:
		s.find(in.Seq, warning("BASE-22", "The server asked for "+m.Method+", which this client does not know; it was answered with -32601."))
		s.reply(c, in.Seq, protocol.NewError(m.ID, protocol.CodeMethodNotFound, "Method not found: "+m.Method, nil))
		return
	}
	if fault := undeclared(s.view.clientCaps, r, m.Method, m.Params); fault != nil {
		fault.Text += fmt.Sprintf("; it was answered with %d.", fault.code)
		s.find(in.Seq, fault.Problem)
		s.reply(c, in.Seq, protocol.NewError(m.ID, fault.code, fault.message, nil))
		return
	}
	cause, t := s.cause(c, in)
	unsolicited := cause == nil && len(s.calls.pending()) == 0 && s.view.phase == Ready
	if unsolicited && s.o.RefuseUnsolicited {
		s.find(in.Seq, warning("BASE-40", "The server asked for "+m.Method+" while no request was running; it was answered with -32602."))
		s.reply(c, in.Seq, protocol.NewError(m.ID, protocol.CodeInvalidParams, "No request of this client is running", nil))
		return
	}
	if m.Method == protocol.MethodRootsList && !s.o.AskRoots {
		s.reply(c, in.Seq, protocol.NewResult(m.ID, relatedReply(rootsResult(s.o.Roots), t)))
		return
	}
	if s.asks.full(1) {
		s.find(in.Seq, tooManyAsks(m.Method))
		s.reply(c, in.Seq, protocol.NewError(m.ID, protocol.CodeInternal, "Too many open requests", nil))
		return
	}
	s.askLegacy(c, in, cause, t, unsolicited)
}

// askLegacy puts a request of the server to the person and stops the clock of
// the call that caused it; of all that wait, when it cannot be told which one
// that is. mu is held.
func (s *Session) askLegacy(c *conn, in incoming, cause *Call, t *task, unsolicited bool) {
	m := in.m
	a := &ask{conn: c, message: m, channel: in.Channel, task: t,
		Ask: Ask{Seq: in.Seq, Method: m.Method, Params: m.Params, Legacy: true}}
	a.describe(s.view.revision, s.view.clientCaps)
	s.findInside(in.Seq, m.Raw, "/params", a.Problems)
	if a.Kind == AskURL {
		s.findInside(in.Seq, m.Raw, "/params/url", protocol.InspectURL(a.URL).Problems)
	}
	if unsolicited {
		a.Problems = append(a.Problems, information("BASE-40", "No request was running when the server asked this; the newest advice is to refuse that."))
	}
	if t != nil {
		a.Task = t.Key
	}
	switch {
	case cause != nil:
		a.paused = []*Call{cause}
	case t == nil:
		a.paused = s.calls.pending()
	}
	s.addAsk(a, cause)
}

// cause is the call that a question of the server belongs to: that of the task
// that it names, that of the HTTP exchange, or the only one that waits. t is the
// task that it belongs to, nil for none (TASK-11, TASK-15). mu is held.
func (s *Session) cause(c *conn, in incoming) (cause *Call, t *task) {
	if t = s.taskOfMeta(in.m); t != nil {
		return t.pendingCall(), t
	}
	if call := s.calls.inExchange(c, in); call != nil && !call.ended() {
		if t = call.p.about; t != nil {
			s.findTask(t, in.Seq, notRelated(in.m.Method))
			return t.pendingCall(), t
		}
		return call, nil
	}
	waiting := slices.DeleteFunc(s.calls.pending(), func(call *Call) bool { return call.p.about != nil })
	if len(waiting) != 1 {
		return nil, nil
	}
	// Roots are asked for by servers for their own ends at any time.
	if t = waiting[0].task; t != nil && t.Kind == protocol.TaskCore && in.m.Method != protocol.MethodRootsList {
		s.findTask(t, in.Seq, notRelated(in.m.Method))
		return waiting[0], t
	}
	return waiting[0], nil
}

// takeCancelled handles notifications/cancelled of the server: the question is
// withdrawn and must not be answered (CAN-08); unknown ones are ignored
// (CAN-10). mu is held.
func (s *Session) takeCancelled(c *conn, in incoming) {
	id, reason := protocol.DecodeCancelled(in.m.Params)
	for _, a := range s.asks.open {
		if a.conn == c && a.isRequest() && a.message.ID.Equal(id) {
			s.removeAsk(a)
			s.find(in.Seq, information("CAN-11", "The server withdrew its request "+id.String()+". "+reason))
			return
		}
	}
	if call, _ := s.calls.byAnswer(id); call != nil && call.st.Method == protocol.MethodSubscriptionsListen && !call.ended() {
		if call.sub != nil {
			call.sub.byServer = true
			call.abandoned = time.Now() // its result may still come (trap 12)
			s.schedule(call)
		}
		s.finish(call, CallCancelled, strings.TrimSpace("The server cancelled the subscription. "+reason))
		return
	}
	rule := "L-CAN-02"
	if r := s.view.revision; r != nil && r.Modern {
		rule = "L-CAN-03"
	}
	s.find(in.Seq, warning(rule, "The server cancelled the request "+id.String()+", which is none of its open ones."))
}

// Answer sends raw, a response, to the peer request with the key of
// State.Peers, exactly as it is.
func (s *Session) Answer(ctx context.Context, key uint64, raw []byte) error {
	if !s.begin() {
		return errClosed
	}
	defer s.wg.Done()
	s.mu.Lock()
	a := s.asks.byKey(key)
	if a == nil || !a.isRequest() || a.State != AskOpen {
		s.mu.Unlock()
		return errNoAsk
	}
	return s.respond(ctx, a, raw)
}

// respond sends the response to a request of the server. It is called with mu
// held and releases it.
func (s *Session) respond(ctx context.Context, a *ask, raw []byte) error {
	a.State = AskSending
	l := a.conn.link
	s.asksChanged()
	s.mu.Unlock()

	ctx, cancel := s.joined(ctx)
	defer cancel()
	err := l.Send(ctx, raw, s.sendOptions())
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil && !errors.Is(err, link.ErrUnsure) {
		a.State, a.Reply = AskOpen, nil
		s.asksChanged()
		return fmt.Errorf("answering: %w", err)
	}
	s.removeAsk(a) // also when it may have gone out: a request has one answer
	if err != nil {
		return fmt.Errorf("answering: %w", err)
	}
	return nil
}

// cancelAsks answers all open questions with cancel, or with the error for a
// refusal where there is no such answer (SAMP-05). Input requests go with their
// calls: nobody is obliged to retry (MRTR-19).
func (s *Session) cancelAsks() {
	s.mu.Lock()
	open := slices.Clone(s.asks.open)
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(s.ctx, replyTimeout/5)
	defer cancel()
	for _, a := range open {
		s.mu.Lock()
		if !a.isRequest() || a.State == AskSending || !slices.Contains(s.asks.open, a) {
			s.mu.Unlock()
			continue
		}
		raw := protocol.NewResult(a.message.ID, jsontext.Value(`{"action":"cancel"}`))
		if a.Method != protocol.MethodElicit {
			raw = protocol.NewError(a.message.ID, protocol.CodeRejected, "The user closed the session", nil)
		}
		if err := s.respond(ctx, a, raw); err != nil {
			s.remark("A question of the server could not be answered: " + err.Error())
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.removeAsks(func(*ask) bool { return true })
}

// reply queues an answer that needs no person. mu is held.
func (s *Session) reply(c *conn, seq uint64, raw []byte) {
	select {
	case s.replies <- reply{c, raw, seq}:
	default:
		s.find(seq, warning("PING-01", fmt.Sprintf("The server asks faster than it takes answers: %d are on their way, this one is left out.", maxReplies)))
	}
}

// runReplies sends the queued answers in order.
func (s *Session) runReplies() {
	for {
		select {
		case r := <-s.replies:
			s.sendReply(r)
		case <-s.ctx.Done():
			return
		}
	}
}

func (s *Session) sendReply(r reply) {
	s.mu.Lock()
	l := r.conn.link
	s.mu.Unlock()
	if l == nil {
		return
	}
	ctx, cancel := context.WithTimeout(s.ctx, replyTimeout)
	defer cancel()
	if err := l.Send(ctx, r.raw, s.sendOptions()); err != nil && !errors.Is(err, link.ErrClosed) {
		s.mu.Lock()
		s.find(r.seq, warning("PING-01", "The answer could not be sent: "+err.Error()))
		s.mu.Unlock()
	}
}
