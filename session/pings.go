package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"mcploupe/protocol"
)

// DefaultPingTimeout is how long a ping waits for its answer.
const DefaultPingTimeout = 10 * time.Second

const (
	maxPings     = 240         // kept in State
	minKeepAlive = time.Second // more often would be excessive (PING-02)
)

var errNoPing = errors.New("this revision has no ping (PING-04)")

// Ping sends a ping and returns the round-trip time. 2026-07-28 has no ping
// (PING-04).
func (s *Session) Ping(ctx context.Context) (time.Duration, error) {
	if !s.begin() {
		return 0, errClosed
	}
	defer s.wg.Done()
	s.mu.Lock()
	r, phase := s.view.revision, s.view.phase
	s.mu.Unlock()
	switch {
	case phase != Ready || r == nil:
		return 0, errors.New("sending a ping: the connection is not ready")
	case !r.Ping:
		return 0, fmt.Errorf("sending a ping: %w", errNoPing)
	}
	p := Ping{At: time.Now()}
	st, err := s.brief(ctx, s.NewRequest(protocol.MethodPing, nil), CallOptions{Timeout: s.o.PingTimeout, Maximum: s.o.PingTimeout})
	if err == nil {
		p.Seq, p.Took = st.RequestSeq, st.Took
		err = st.failure()
		if st.Phase == CallError {
			err = nil // an answer all the same
			s.mu.Lock()
			s.findOften(st.AnswerSeq, warning("L-INIT-07", "ping was answered with an error."))
			s.mu.Unlock()
		}
	}
	if err != nil {
		p.Err = sentence(err)
	}
	s.pinged(p, err != nil && ctx.Err() == nil)
	if err != nil {
		return 0, fmt.Errorf("sending a ping: %w", err)
	}
	return p.Took, nil
}

// pinged keeps the outcome of a ping. One without an answer is a failure of the
// connection, and the log says so (PING-03); it is not dropped for that.
func (s *Session) pinged(p Ping, missed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := &s.live
	if len(l.pings) >= 2*maxPings {
		l.pings = slices.Clone(l.pings[len(l.pings)-maxPings:])
	}
	l.pings = append(l.pings, p)
	switch {
	case missed && s.view.phase == Ready:
		if l.missed++; l.missed == 1 {
			l.silent = p.At
			s.note("unresponsive", "a ping was not answered: "+p.Err)
			s.find(p.Seq, warning("PING-03", "A ping was not answered within "+s.o.PingTimeout.String()+": the server or the connection does not respond."))
		}
	case p.Err == "" && l.missed > 0:
		s.note("responsive", fmt.Sprintf("a ping is answered again, %s after the first that was not", spoken(time.Since(l.silent))))
		l.missed, l.silent = 0, time.Time{}
	}
	s.changed()
}

// keepAlivePing is one ping of the keep-alive.
func (s *Session) keepAlivePing() {
	_, err := s.Ping(s.ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live.pinging = false
	s.live.pingDue = time.Now().Add(s.live.keepAlive)
	if err != nil && errors.Is(err, errClosed) {
		return
	}
	s.wakeLive()
}

// SetKeepAlive pings at that interval, at least a second, where the revision has
// pings (PING-02); 0 for not at all.
func (s *Session) SetKeepAlive(every time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live.keepAlive = keepAliveInterval(every)
	s.live.pingDue = time.Now().Add(s.live.keepAlive)
	s.wakeLive()
	s.changed()
}

func keepAliveInterval(every time.Duration) time.Duration {
	if every <= 0 {
		return 0
	}
	return max(every, minKeepAlive)
}
