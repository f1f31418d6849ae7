package session

import (
	"errors"
	"fmt"
	"strings"

	"mcploupe/protocol"
)

// stdio negotiates with a process (A.1).
func (n *negotiation) stdio() error {
	if n.forced != nil && !n.forced.Modern {
		n.s.step(protocol.MethodDiscover).skip("Left out: revision " + n.forced.Name + " is forced, and some servers take no handshake after the probe.")
		return n.handshake(n.forced)
	}
	s, modern := n.s, n.modern()
	out, step, err := n.discover(modern, s.o.ProbeTimeout)
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
		return n.modernRefusal(modern, out, step)
	case isGone:
		return n.afterExit(out, step)
	}
	if n.forced != nil {
		err := fmt.Errorf("the server does not speak %s: %s", n.forced.Name, trimStop(out.detail))
		step.fail(out.detail, adviseLegacy)
		return err
	}
	if out.verdict == saysNothing {
		step.skip(fmt.Sprintf("No answer within %s; going on with the handshake of older servers.", spoken(s.o.ProbeTimeout)))
	} else {
		step.skip(out.detail + " That is a server of the handshake era.")
	}
	return n.handshake(protocol.NewestHandshake())
}

// modern is the revision to probe with.
func (n *negotiation) modern() *protocol.Revision {
	if n.forced != nil {
		return n.forced
	}
	return protocol.NewestModern()
}

// choose takes a revision from the server's list (A.1 step 4).
func (n *negotiation) choose(out probe) error {
	r := pick(out.versions, true)
	switch {
	case n.forced != nil && (r == nil || r != n.forced):
		step := n.s.step("Choose revision")
		err := fmt.Errorf("the server does not speak %s, which is forced; it names %s", n.forced.Name, listOr(out.versions, "none"))
		step.fail(sentence(err), "Set the revision to automatic, or to one that the server names.")
		return err
	case r != nil && out.verdict == saysModern:
		n.note = "by server/discover"
		n.becomeModern(r, out)
		return nil
	case r != nil && n.tried[r.Name] && !n.insisted:
		// What is named as supported is to be tried, even though it is what was
		// refused (VER-22).
		n.insisted = true
		return n.again(r)
	case r != nil && n.tried[r.Name]:
		step := n.s.step("Choose revision")
		err := fmt.Errorf("the server refuses %s and names it as supported in the same answer", r.Name)
		step.fail(sentence(err), "This is a fault of the server. Force an older revision to try its handshake.")
		return err
	case r != nil:
		return n.again(r)
	}
	// Only handshake revisions are common: a deliberate fallback (trap 3).
	r = pick(out.versions, false)
	step := n.s.step("Choose revision")
	if r == nil {
		err := noCommon(out.versions)
		step.fail(sentence(err), "Update the server, or look for a version of it that speaks one of these revisions.")
		return err
	}
	step.ok("The server names " + listOr(out.versions, "none") + "; " + r.Name + " is the newest that both speak, and it begins with initialize.")
	if n.s.transport() == Stdio {
		if err := n.restart("The era of a process is fixed by its first request: a new process for the handshake."); err != nil {
			return err
		}
	}
	return n.handshake(r)
}

// again repeats the probe with a revision of the server's list (VER-22).
func (n *negotiation) again(r *protocol.Revision) error {
	out, step, err := n.discover(r, n.s.o.ProbeTimeout)
	if err != nil {
		return err
	}
	if out.verdict != saysModern {
		err := fmt.Errorf("the server named %s and then did not accept it: %s", r.Name, trimStop(out.detail))
		step.fail(sentence(err), adviseStopped)
		return err
	}
	step.ok(out.detail)
	return n.choose(out)
}

// modernRefusal handles errors that prove a modern server and say that
// something else was wrong.
func (n *negotiation) modernRefusal(r *protocol.Revision, out probe, step *stepHandle) error {
	s := n.s
	stdio := s.transport() == Stdio
	if out.verdict == saysHeaders && !stdio {
		err := fmt.Errorf("the server says that the HTTP headers do not fit the message: %s", trimStop(out.detail))
		step.fail(sentence(err), "Something between this program and the server changes or removes headers (Mcp-Method, Mcp-Protocol-Version); look at the proxy.")
		return err
	}
	s.mu.Lock()
	if out.verdict == saysHeaders {
		s.find(out.st.AnswerSeq, violation("L-RPC-16", "The error -32020 speaks of HTTP headers, which stdio does not have."))
	} else {
		s.find(out.st.AnswerSeq, violation("L-DISC-09", "The server wants capabilities before it tells what it speaks: "+out.detail))
	}
	s.mu.Unlock()
	step.ok(out.detail + " That is a server of the new era; what it offers is not known.")
	n.note = "by an error of the new era"
	n.becomeModern(r, out)
	return nil
}

// afterExit goes on when the process ended during the probe: one new process,
// and the handshake at once (trap 8).
func (n *negotiation) afterExit(out probe, step *stepHandle) error {
	down := n.s.exitText()
	if n.forced != nil {
		err := errors.New(trimStop(down))
		step.fail(down, n.s.adviseExit())
		return err
	}
	step.skip(down + " It is started once more, without the probe.")
	if err := n.restart("Some servers end at a request that they do not know."); err != nil {
		return err
	}
	n.restarted = true
	return n.handshake(protocol.NewestHandshake())
}

// restart replaces the process.
func (n *negotiation) restart(why string) error {
	s := n.s
	if err := s.disconnect(); err != nil {
		s.remark("Closing the connection: " + err.Error())
	}
	s.remark(why)
	return s.connect(n.ctx, Stdio)
}

// exitText says how the process in use ended, with its last words.
func (s *Session) exitText() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	if s.conn != nil && s.conn.down != nil {
		b.WriteString(describeDown(*s.conn.down))
	}
	if text := lastWords(s.view.stderr); text != "" {
		b.WriteString(" Its last words on stderr: " + text)
	}
	return b.String()
}
