package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"mcploupe/protocol"
	"mcploupe/session/link"
)

// handshake does initialize with the revision, and with others when the server
// says so (A.1 step 5, A.2 step 4).
func (n *negotiation) handshake(r *protocol.Revision) error {
	s := n.s
	step := s.step("initialize " + r.Name)
	n.tried[r.Name] = true
	s.mu.Lock()
	id := s.newID()
	s.view.clientCaps = r.Capabilities(s.o.Capabilities)
	s.mu.Unlock()
	raw := protocol.NewRequest(id, protocol.MethodInitialize, r.InitializeParams(s.o.Client, s.capabilities()))
	p := callParams{send: link.SendOptions{Initialize: true}}
	p.Timeout, p.Maximum = s.o.InitTimeout, s.o.InitTimeout
	call, st, err := n.request(raw, p)
	if err != nil {
		step.fail(sentence(err), adviseStopped)
		return err
	}
	step.at(cmp.Or(st.AnswerSeq, st.RequestSeq))
	n.reportLateProbe()
	if st.usable() {
		return n.initialized(r, call, st, step)
	}
	switch st.Phase {
	case CallError:
		return n.initializeRefused(call, st, step)
	case CallTimedOut:
		advice := s.adviseSilent()
		if s.transport() != Stdio {
			advice = s.adviseHTTP(nil, context.DeadlineExceeded)
		}
		step.fail(st.Err, advice)
		return fmt.Errorf("initialize was not answered within %s", spoken(s.o.InitTimeout))
	case CallInvalid:
		step.fail(st.Err, "Look at the answer in the timeline; the server's answer to initialize breaks JSON-RPC.")
		return errors.New(trimStop(st.Err))
	}
	return n.initializeLost(r, call, st, step)
}

// reportLateProbe says that the probe was answered after all (trap 7).
func (n *negotiation) reportLateProbe() {
	s := n.s
	s.mu.Lock()
	late := s.lateProbe
	s.mu.Unlock()
	if late.Raw == nil {
		return
	}
	_, versions := protocol.DecodeDiscover(late.Result)
	s.step("server/discover, late answer").skip("The answer came after the probe had been given up: the server speaks " +
		listOr(versions, "no revision that it names") + ". Give the probe more time, or force the revision, to use that.")
}

// initialized takes the result of initialize.
func (n *negotiation) initialized(r *protocol.Revision, call *Call, st CallState, step *stepHandle) error {
	s := n.s
	info := protocol.DecodeInitialize(st.Answer.Result)
	spoken, known := protocol.RevisionByName(info.Revision)
	if !known || spoken.Modern {
		problem := violation("L-INIT-06", fmt.Sprintf("The server answered initialize with the revision %q.", shorten(info.Revision, 100)))
		if info.Revision == "" {
			problem = violation("L-INIT-03", "The answer to initialize has no result.protocolVersion.")
		}
		s.mu.Lock()
		s.findAll(st.AnswerSeq, info.Problems)
		s.find(st.AnswerSeq, problem)
		s.mu.Unlock()
		if n.forced == nil {
			text := problem.Text + problemTexts(info.Problems)
			step.fail(text, "Force a revision to go on in spite of this.")
			return fmt.Errorf("the server's revision is not one that this client speaks: %s", trimStop(text))
		}
		spoken = n.forced
	}
	detail := describeServer(info) + " speaks " + spoken.Name + "."
	switch {
	case !known || spoken.Name != info.Revision:
		detail += " It is forced: the server said " + orNone(info.Revision) + "."
	case spoken != r:
		detail += " Asked for was " + r.Name + "."
	}
	if n.forced != nil && spoken != n.forced {
		s.mu.Lock()
		s.find(st.AnswerSeq, warning("L-INIT-01", "The forced revision "+n.forced.Name+" was answered with "+spoken.Name+"."))
		s.mu.Unlock()
	}
	step.ok(detail)

	s.mu.Lock()
	v := &s.view
	v.revision, v.server = spoken, info
	v.serverCaps = protocol.DecodeServerCapabilities(info.Capabilities)
	s.findAll(st.AnswerSeq, info.Problems)
	s.findAll(st.AnswerSeq, v.serverCaps.Problems)
	l := call.conn.link
	s.mu.Unlock()
	if h, ok := l.(interface{ SetRevision(*protocol.Revision) }); ok {
		h.SetRevision(spoken)
	}
	if h, ok := l.(interface{ SessionID() string }); ok {
		if id := h.SessionID(); id != "" {
			s.mu.Lock()
			v.sessionID = s.masker.Add(id)
			s.changed()
			s.mu.Unlock()
		}
	}
	n.sendInitialized(l, spoken)
	if down := s.linkDown(); down != nil {
		return errors.New(trimStop(describeDown(*down)))
	}
	n.openStream(l, spoken)
	n.ready(spoken)
	return nil
}

// streamPatience is how long the first request waits for the stream that the
// server may want to ask on.
const streamPatience = time.Second

// openStream opens the standalone stream (HTTP-40). It waits a little until the
// server knows it: a question that comes before has no way to the client (case
// 110).
func (n *negotiation) openStream(l link.Link, r *protocol.Revision) {
	h, ok := l.(interface{ OpenStream(*protocol.Revision) })
	if !ok || !r.StandaloneStream {
		return
	}
	h.OpenStream(r)
	w, ok := l.(interface{ StreamAnswered() <-chan struct{} })
	if !ok {
		return
	}
	timer := time.NewTimer(streamPatience)
	defer timer.Stop()
	select {
	case <-w.StreamAnswered():
	case <-timer.C:
	case <-n.ctx.Done():
	}
}

// sendInitialized sends notifications/initialized (VER-06). A server that does
// not take it is flagged and used all the same.
func (n *negotiation) sendInitialized(l link.Link, r *protocol.Revision) {
	s := n.s
	step := s.step(protocol.MethodInitialized)
	ctx, cancel := context.WithTimeout(n.ctx, s.o.InitTimeout)
	defer cancel()
	err := l.Send(ctx, protocol.NewNotification(protocol.MethodInitialized, nil), link.SendOptions{Revision: r})
	if err != nil {
		step.fail(sentence(err), "The connection is used all the same; some servers answer nothing before this notification.")
		s.mu.Lock()
		s.find(0, warning("VER-06", "The notification that initialization is over could not be delivered: "+err.Error()))
		s.mu.Unlock()
		return
	}
	step.ok("Sent.")
}

// initializeRefused handles an error that answers initialize.
func (n *negotiation) initializeRefused(call *Call, st CallState, step *stepHandle) error {
	s := n.s
	e, _ := protocol.DecodeError(st.Answer.Error)
	text := sentence(&refusal{e})
	status, answer, failure := call.exchange()
	if status != 0 && undecided(status) {
		step.fail(text, s.adviseHTTP(answerFor(status, answer), failure))
		return errors.New(trimStop(text))
	}
	s.mu.Lock()
	late := s.lateProbe
	s.mu.Unlock()
	if late.Raw != nil && n.forced == nil {
		// The server took the probe for a modern client and refuses the
		// handshake: it is answered already, so go on with that.
		step.skip(text + " The probe was answered meanwhile; going on with that.")
		out := probe{verdict: saysModern, st: CallState{AnswerSeq: st.AnswerSeq}}
		out.info, out.versions = protocol.DecodeDiscover(late.Result)
		return n.choose(out)
	}
	versions, named := supportedVersions(e)
	if named && n.forced == nil {
		return n.otherRevision(versions, text, step)
	}
	if modernError(e) && n.forced == nil && !n.tried[protocol.NewestModern().Name] {
		step.skip(text + " That is a server of the new era.")
		if s.transport() == Stdio {
			return n.stdio()
		}
		return n.http()
	}
	advice := "The text of the error is the server's."
	if n.forced != nil {
		advice = "Set the revision to automatic: the server does not take " + n.forced.Name + "."
	}
	step.fail(text, advice)
	return fmt.Errorf("initialize was refused: %s", trimStop(text))
}

// otherRevision goes on with a revision that an error named.
func (n *negotiation) otherRevision(versions []string, text string, step *stepHandle) error {
	s := n.s
	stdio := s.transport() == Stdio
	if r := pick(versions, false); r != nil && !n.tried[r.Name] {
		step.skip(text + " Going on with " + r.Name + ".")
		if stdio && s.linkDown() != nil {
			if err := n.restart("The server ended after refusing the revision."); err != nil {
				return err
			}
		}
		return n.handshake(r)
	}
	if r := pick(versions, true); r != nil && s.transport() != SSE {
		step.skip(text + " That is a server of the new era.")
		if stdio {
			if err := n.restart("The era of a process is fixed by its first request: a new process without the handshake."); err != nil {
				return err
			}
		}
		return n.again(r)
	}
	err := noCommon(versions)
	step.fail(text, sentence(err))
	return err
}

// initializeLost handles an initialize whose answer never came because the
// process ended or the HTTP exchange failed.
func (n *negotiation) initializeLost(r *protocol.Revision, call *Call, st CallState, step *stepHandle) error {
	s := n.s
	_, answer, failure := call.exchange()
	switch s.transport() {
	case Stdio:
		if call.conn.wasProbed() && !n.restarted && n.forced == nil {
			n.restarted = true
			step.skip(s.exitText() + " It is started once more, without the probe.")
			if err := n.restart("The server ended after the probe."); err != nil {
				return err
			}
			return n.handshake(r)
		}
		step.fail(s.exitText(), s.adviseExit())
		return fmt.Errorf("initialize was not answered: %s", lowerFirst(trimStop(s.exitText())))
	case HTTP:
		if answer != nil && answer.Status >= 400 && !undecided(answer.Status) {
			step.skip(st.Err + " Trying HTTP+SSE at the same URL.")
			return n.toSSE(trimStop(st.Err))
		}
		step.fail(st.Err, s.adviseHTTP(answer, failure))
	default:
		step.fail(st.Err, s.adviseHTTP(answer, failure))
	}
	return errors.New(trimStop(st.Err))
}

func (c *conn) wasProbed() bool {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.probed
}

func answerFor(status int, answer *link.Answer) *link.Answer {
	if answer != nil {
		return answer
	}
	return &link.Answer{Status: status}
}

// problemTexts joins what is wrong as further sentences.
func problemTexts(problems []protocol.Problem) string {
	var b strings.Builder
	for _, p := range problems {
		b.WriteString(" " + trimStop(p.Text) + ".")
	}
	return b.String()
}

func describeServer(info protocol.ServerInfo) string {
	name := strings.TrimSpace(shorten(info.Name, 100) + " " + shorten(info.Version, 50))
	if name == "" {
		return "The server, which gives no name,"
	}
	return name
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return shorten(text, 100)
}
