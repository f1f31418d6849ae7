package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"mcploupe/protocol"
)

// http negotiates over Streamable HTTP and falls back to HTTP+SSE (A.2).
func (n *negotiation) http() error {
	if n.forced != nil && !n.forced.Modern {
		n.s.step(protocol.MethodDiscover).skip("Left out: revision " + n.forced.Name + " is forced.")
		return n.handshake(n.forced)
	}
	out, step, err := n.probeHTTP()
	if err != nil {
		return err
	}
	switch out.verdict {
	case saysModern:
		step.ok(out.detail)
		return n.choose(out)
	case saysUnsupported:
		step.skip(out.detail)
		return n.choose(out)
	case saysHeaders, saysCapabilities:
		return n.modernRefusal(n.modern(), out, step)
	case saysNothing, isUndecided, isGone:
		_, answer, failure := out.call.exchange()
		step.fail(out.detail, n.s.adviseHTTP(answer, failure))
		return errors.New(trimStop(out.detail))
	case isForeign:
		_, answer, failure := out.call.exchange()
		err := fmt.Errorf("this is not an MCP endpoint: %s", trimStop(out.detail))
		step.fail(sentence(err), n.s.adviseHTTP(answer, failure))
		return err
	}
	if n.forced != nil {
		err := fmt.Errorf("the server does not speak %s: %s", n.forced.Name, trimStop(out.detail))
		step.fail(out.detail, adviseLegacy)
		return err
	}
	step.skip(out.detail + " That is a server of the handshake era.")
	return n.handshake(protocol.NewestHandshake())
}

// probeHTTP sends server/discover, and once more with patience when nothing
// came: a server that is asleep may need longer than the probe may take.
func (n *negotiation) probeHTTP() (probe, *stepHandle, error) {
	s := n.s
	out, step, err := n.discover(n.modern(), s.o.ProbeTimeout)
	if err != nil || out.verdict != saysNothing || s.o.InitTimeout <= s.o.ProbeTimeout {
		return out, step, err
	}
	step.skip(fmt.Sprintf("No answer within %s; over HTTP that tells nothing. Asking once more and waiting up to %s.",
		spoken(s.o.ProbeTimeout), spoken(s.o.InitTimeout)))
	return n.discover(n.modern(), s.o.InitTimeout)
}

// sse negotiates over HTTP+SSE, which has the handshake only.
func (n *negotiation) sse() error {
	if n.forced != nil && n.forced.Modern {
		err := fmt.Errorf("revision %s cannot be spoken over HTTP+SSE", n.forced.Name)
		n.s.step("Choose revision").fail(sentence(err), "Set the transport to automatic, or the revision.")
		return err
	}
	if n.forced != nil {
		return n.handshake(n.forced)
	}
	return n.handshake(protocol.NewestHandshake())
}

// toSSE tries the transport of 2024-11-05 at the same URL (A.2 step 5).
func (n *negotiation) toSSE(because string) error {
	s := n.s
	if s.target.Transport == HTTP {
		return fmt.Errorf("the server does not speak Streamable HTTP at this URL: %s", because)
	}
	if err := s.disconnect(); err != nil {
		s.remark("Closing the connection: " + err.Error())
	}
	if err := s.connect(n.ctx, SSE); err != nil {
		return fmt.Errorf("neither Streamable HTTP nor HTTP+SSE is spoken at this URL: %s; then: %w", because, err)
	}
	s.mu.Lock()
	s.find(0, information("L-SSE-05", "The server speaks HTTP+SSE, the transport of 2024-11-05, which is deprecated since 2025-03-26."))
	s.mu.Unlock()
	return n.sse()
}

// sessionRestart is the limit for starting again after a lost HTTP session.
const sessionRestart = 2 * time.Minute

// restartSession begins a new HTTP session after the server forgot the old one
// (HTTP-54). What waited is lost; the listings are to be loaded again.
func (s *Session) restartSession() {
	s.mu.Lock()
	const why = "The server does not know the session any more (404); it was begun again."
	s.loseCalls(s.conn, why)
	s.dropAsks(s.conn)
	l, r := s.conn.link, s.view.revision
	s.view.phase = Negotiating
	s.find(0, warning("HTTP-54", "The server does not know the session any more. It was begun again; whatever the old one held (subscriptions, log level) is gone."))
	for k := range numLists {
		s.listed.stale(k)
	}
	s.mu.Unlock()
	s.note("session", why)
	if h, ok := l.(interface{ ResetSession() }); ok {
		h.ResetSession()
	}
	ctx, cancel := context.WithTimeout(s.ctx, sessionRestart)
	defer cancel()
	n := &negotiation{s: s, ctx: ctx, forced: r, rejoined: true, tried: make(map[string]bool)}
	err := n.handshake(r)
	s.mu.Lock()
	s.restarting = false
	s.mu.Unlock()
	if err != nil {
		s.failed(errors.Join(fmt.Errorf("starting a new session: %w", err), s.disconnect()))
	}
}
