package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session/link"
)

const (
	maxPeers     = 256  // open questions of the server
	maxReplies   = 1024 // answers of ours on their way
	replyTimeout = 10 * time.Second
)

// peer is a question of the server that waits for the person.
type peer struct {
	PeerRequest
	conn      *conn
	paused    []*Call // whose clocks stand still because of it
	answering bool
}

// peerTable holds the open questions in the order in which they came.
// Session.mu guards it.
type peerTable struct {
	nextKey uint64
	open    []*peer
	shown   []PeerRequest // snapshot of open, nil when it must be made anew
}

func (t *peerTable) snapshot() []PeerRequest {
	if t.shown == nil && len(t.open) > 0 {
		for _, p := range t.open {
			t.shown = append(t.shown, p.PeerRequest)
		}
	}
	return t.shown
}

// reply is an answer that needs no person.
type reply struct {
	conn *conn
	raw  []byte
	seq  uint64 // of the question
}

// takeRequest handles a request of the server. mu is held.
func (s *Session) takeRequest(c *conn, in incoming) {
	m := in.m
	if r := s.view.revision; r != nil && r.Modern {
		s.find(in.Seq, violation("L-RPC-14", "The server sent the request "+m.Method+"; in this revision servers send none, and it is not answered (BASE-09)."))
		return
	}
	switch m.Method {
	case protocol.MethodPing:
		s.reply(c, in.Seq, protocol.NewResult(m.ID, nil))
		return
	case protocol.MethodRootsList:
		if s.declares("roots") {
			s.reply(c, in.Seq, protocol.NewResult(m.ID, rootsResult(s.o.Roots)))
			return
		}
	case protocol.MethodSampling:
		if s.declares("sampling") {
			s.ask(c, in)
			return
		}
	case protocol.MethodElicit:
		if s.declares("elicitation") {
			s.ask(c, in)
			return
		}
	default:
		s.find(in.Seq, warning("BASE-22", "The server asked for "+m.Method+", which this client does not know; it was answered with -32601."))
		s.reply(c, in.Seq, protocol.NewError(m.ID, protocol.CodeMethodNotFound, "Method not found: "+m.Method, nil))
		return
	}
	s.find(in.Seq, violation("L-RPC-15", "The server asked for "+m.Method+", though the client did not declare the capability; it was answered with -32601."))
	s.reply(c, in.Seq, protocol.NewError(m.ID, protocol.CodeMethodNotFound, "The client did not declare the capability for "+m.Method, nil))
}

// declares reports whether the capability was sent in initialize. mu is held.
func (s *Session) declares(capability string) bool {
	_, _, ok := protocol.Lookup(s.view.clientCaps, "/"+capability)
	return ok
}

// rootsResult is the answer to roots/list (ROOT-03).
func rootsResult(roots []Root) jsontext.Value {
	b := []byte(`{"roots":[`)
	for i, r := range roots {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, `{"uri":`...), protocol.QuoteString(r.URI)...)
		if r.Name != "" {
			b = append(append(b, `,"name":`...), protocol.QuoteString(r.Name)...)
		}
		b = append(b, '}')
	}
	return append(b, "]}"...)
}

// ask puts a question to the person and stops the clock of the call that it
// came with; of all that wait, when it cannot be told which one that is. mu is
// held.
func (s *Session) ask(c *conn, in incoming) {
	if len(s.peers.open) >= maxPeers {
		s.find(in.Seq, violation("BASE-22", fmt.Sprintf("The server has %d open questions; %s was answered with an error.", maxPeers, in.m.Method)))
		s.reply(c, in.Seq, protocol.NewError(in.m.ID, protocol.CodeInternal, "Too many open requests", nil))
		return
	}
	now := time.Now()
	s.peers.nextKey++
	p := &peer{conn: c, PeerRequest: PeerRequest{Key: s.peers.nextKey, Seq: in.Seq, Channel: in.Channel, Message: in.m, At: now}}
	if call := s.cause(c, in); call != nil {
		p.Cause, p.paused = call.st.Key, []*Call{call}
	} else {
		p.paused = s.calls.pending()
	}
	for _, call := range p.paused {
		call.pause(now)
	}
	s.peers.open, s.peers.shown = append(s.peers.open, p), nil
	s.callsChanged()
}

// cause is the call that a question of the server belongs to: that of the HTTP
// exchange, or the only one that waits. mu is held.
func (s *Session) cause(c *conn, in incoming) *Call {
	if call := s.calls.inExchange(c, in); call != nil && !call.ended() {
		return call
	}
	if pending := s.calls.pending(); len(pending) == 1 {
		return pending[0]
	}
	return nil
}

// settlePeer takes a question off the list and lets the clocks run again. mu is
// held.
func (s *Session) settlePeer(p *peer) {
	i := slices.Index(s.peers.open, p)
	if i < 0 {
		return
	}
	s.peers.open, s.peers.shown = slices.Delete(s.peers.open, i, i+1), nil
	now := time.Now()
	for _, call := range p.paused {
		call.resume(now)
	}
	s.callsChanged()
}

// dropPeers takes the questions of a link that is lost off the list. mu is held.
func (s *Session) dropPeers(c *conn) {
	for _, p := range slices.Clone(s.peers.open) {
		if p.conn == c {
			s.settlePeer(p)
		}
	}
}

// takeCancelled handles notifications/cancelled of the server: the question is
// withdrawn and must not be answered (CAN-08); unknown ones are ignored
// (CAN-10). mu is held.
func (s *Session) takeCancelled(c *conn, in incoming) {
	id, reason := protocol.DecodeCancelled(in.m.Params)
	for _, p := range s.peers.open {
		if p.conn == c && p.Message.ID.Equal(id) {
			s.settlePeer(p)
			s.find(in.Seq, information("CAN-11", "The server withdrew its request "+id.String()+". "+reason))
			return
		}
	}
	if call, _ := s.calls.byAnswer(id); call != nil && call.st.Method == protocol.MethodSubscriptionsListen && !call.ended() {
		s.finish(call, CallCancelled, "The server ended the subscription. "+reason)
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
	i := slices.IndexFunc(s.peers.open, func(p *peer) bool { return p.Key == key && !p.answering })
	if i < 0 {
		s.mu.Unlock()
		return errors.New("answering: the question is not open any more; it was answered, or the server withdrew it")
	}
	p := s.peers.open[i]
	p.answering = true
	l := p.conn.link
	s.mu.Unlock()

	ctx, cancel := s.joined(ctx)
	defer cancel()
	err := l.Send(ctx, raw, s.sendOptions())
	s.mu.Lock()
	defer s.mu.Unlock()
	p.answering = false
	if err != nil {
		return fmt.Errorf("answering: %w", err)
	}
	s.settlePeer(p)
	return nil
}

// cancelPeers answers all open questions with cancel, or with the error for a
// refusal where there is no such answer (SAMP-05).
func (s *Session) cancelPeers() {
	s.mu.Lock()
	open := slices.Clone(s.peers.open)
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(s.ctx, replyTimeout/5)
	defer cancel()
	for _, p := range open {
		raw := protocol.NewResult(p.Message.ID, jsontext.Value(`{"action":"cancel"}`))
		if p.Message.Method == protocol.MethodSampling {
			raw = protocol.NewError(p.Message.ID, protocol.CodeRejected, "The user closed the session", nil)
		}
		if err := p.conn.link.Send(ctx, raw, s.sendOptions()); err != nil {
			s.remark("A question of the server could not be answered: " + err.Error())
		}
		s.mu.Lock()
		s.settlePeer(p)
		s.mu.Unlock()
	}
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
