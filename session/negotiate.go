package session

import (
	"cmp"
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

// maxAttempts bounds the requests of one negotiation, whatever the server says.
const maxAttempts = 8

// negotiation finds the revision to speak, as appendix A of the obligations
// has it.
type negotiation struct {
	s         *Session
	ctx       context.Context
	forced    *protocol.Revision // nil for automatic
	attempts  int
	restarted bool // the process was started again because it had ended
	insisted  bool // a revision that was refused and named was asked for once more
	tried     map[string]bool
	note      string // how the revision came to be, for the last step
	rejoined  bool   // the session was ready before, and is begun again
}

// Negotiate finds the revision to speak; it is to be called once. Every attempt
// is in the log and in State.Steps. When it fails the link is closed and State
// has the checklist, exit code, stderr tail and HTTP answer.
func (s *Session) Negotiate(ctx context.Context) error {
	if !s.begin() {
		return errClosed
	}
	defer s.wg.Done()
	s.mu.Lock()
	if s.negotiated || s.view.phase != Connecting {
		s.mu.Unlock()
		return errors.New("negotiating: it was done already, or there is no connection; open a new session")
	}
	s.negotiated, s.view.phase = true, Negotiating
	s.changed()
	s.mu.Unlock()
	s.note("negotiating", "")

	ctx, cancel := s.joined(ctx)
	defer cancel()
	if err := s.negotiate(ctx); err != nil {
		if ctx.Err() != nil {
			err = fmt.Errorf("negotiating: %w", context.Cause(ctx))
		}
		s.failed(err)
		return errors.Join(err, s.disconnect())
	}
	return nil
}

func (s *Session) negotiate(ctx context.Context) error {
	n := &negotiation{s: s, ctx: ctx, tried: make(map[string]bool)}
	if name := s.target.Revision; name != "" && name != "auto" {
		r, ok := protocol.RevisionByName(name)
		if !ok {
			return fmt.Errorf("there is no revision %q; known are %s", name, strings.Join(revisionNames(nil), ", "))
		}
		n.forced = r
	}
	switch s.transport() {
	case Stdio:
		return n.stdio()
	case SSE:
		return n.sse()
	}
	return n.http()
}

// transport is the one in use.
func (s *Session) transport() Transport {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Transport(s.view.transportNow)
}

// revisionNames are the known revisions, newest first, that pass the filter.
func revisionNames(keep func(*protocol.Revision) bool) []string {
	var out []string
	for _, r := range slices.Backward(protocol.Revisions()) {
		if keep == nil || keep(r) {
			out = append(out, r.Name)
		}
	}
	return out
}

// request sends one request of the negotiation and waits for its end. Its
// Phase is CallPending when ctx ended first.
func (n *negotiation) request(raw []byte, p callParams) (*Call, CallState, error) {
	if n.attempts++; n.attempts > maxAttempts {
		return nil, CallState{}, fmt.Errorf("the server keeps sending the client from one revision to another; stopped after %d requests", maxAttempts)
	}
	p.silent = true
	call, err := n.s.start(n.ctx, protocol.Parse(raw), p)
	if lost, ok := n.s.lostBefore(err); ok {
		return lost, lost.State(), nil
	}
	if err != nil {
		return nil, CallState{}, err
	}
	<-call.done
	if n.ctx.Err() != nil {
		return nil, CallState{}, context.Cause(n.ctx)
	}
	st := call.State()
	if st.Phase == CallLost && n.s.transport() == Stdio {
		n.awaitDown(call.conn)
	}
	return call, st, nil
}

// downPatience is how long the end of a process may come after its pipe broke.
const downPatience = 2 * time.Second

// awaitDown waits until it is known how the process ended: a write may fail
// before that.
func (n *negotiation) awaitDown(c *conn) {
	wake, stop := n.s.Watch()
	defer stop()
	timer := time.NewTimer(downPatience)
	defer timer.Stop()
	for {
		n.s.mu.Lock()
		known := c.down != nil
		n.s.mu.Unlock()
		if known {
			return
		}
		select {
		case <-wake:
		case <-timer.C:
			return
		case <-n.ctx.Done():
			return
		}
	}
}

// verdict is what the answer to server/discover says of the server.
type verdict uint8

const (
	saysModern       verdict = iota // a DiscoverResult
	saysUnsupported                 // -32022: modern, but not this revision
	saysHeaders                     // -32020: modern, headers were altered on the way
	saysCapabilities                // -32021: modern, wants a capability
	saysLegacy                      // anything else that came
	saysNothing                     // no answer in time
	isGone                          // the process ended
	isUndecided                     // HTTP: a failure that tells nothing of the era
	isForeign                       // HTTP: a success that is no MCP answer
)

// probe is the outcome of one server/discover.
type probe struct {
	verdict  verdict
	call     *Call
	st       CallState
	versions []string
	info     protocol.ServerInfo
	detail   string
}

// discover sends server/discover in the revision and judges the answer.
func (n *negotiation) discover(r *protocol.Revision, timeout time.Duration) (probe, *stepHandle, error) {
	s := n.s
	step := s.step(protocol.MethodDiscover)
	s.mu.Lock()
	id := s.newID()
	s.mu.Unlock()
	raw := protocol.NewRequest(id, protocol.MethodDiscover, jsontext.Value(`{"_meta":{}}`))
	for name, value := range protocol.Members(s.metaFor(r)) {
		raw = setMeta(raw, name, value)
	}
	p := callParams{send: link.SendOptions{Revision: r}, probe: true}
	p.Timeout, p.Maximum = timeout, timeout
	n.tried[r.Name] = true
	call, st, err := n.request(raw, p)
	if err != nil {
		step.fail(sentence(err), adviseStopped)
		return probe{}, step, err
	}
	step.at(cmp.Or(st.AnswerSeq, st.RequestSeq))
	out := n.judge(call, st)
	return out, step, nil
}

// judge reads the answer to server/discover, see A.1 step 3 and A.2 step 3.
func (n *negotiation) judge(call *Call, st CallState) probe {
	out := probe{call: call, st: st, verdict: saysLegacy}
	status, answer, failure := call.exchange()
	if status != 0 && undecided(status) {
		out.verdict, out.detail = isUndecided, answerText(st, answer)
		return out
	}
	switch st.Phase {
	case CallOK, CallInvalid:
		if v, _, ok := protocol.Lookup(st.Answer.Result, "/supportedVersions"); ok && v.Kind() == '[' {
			out.verdict = saysModern
			out.info, out.versions = protocol.DecodeDiscover(st.Answer.Result)
			out.detail = "The server speaks " + listOr(out.versions, "no revision that it names") + "."
			return out
		}
		out.detail = "The answer is not that of a server of the new era: " + answerText(st, answer)
	case CallError:
		n.judgeError(&out, st)
	case CallTimedOut:
		out.verdict, out.detail = saysNothing, st.Err
	case CallLost:
		n.judgeLost(&out, st, answer, failure)
	}
	return out
}

func (n *negotiation) judgeError(out *probe, st CallState) {
	e, _ := protocol.DecodeError(st.Answer.Error)
	out.detail = sentence(&refusal{e})
	switch supported, ok := supportedVersions(e); {
	case e.HasCode(protocol.CodeUnsupportedVersion) && ok:
		out.verdict, out.versions = saysUnsupported, supported
	case e.HasCode(protocol.CodeHeaderMismatch):
		out.verdict = saysHeaders
	case e.HasCode(protocol.CodeMissingCapability) && isObject(e.Data, "/requiredCapabilities"):
		out.verdict = saysCapabilities
	}
}

func (n *negotiation) judgeLost(out *probe, st CallState, answer *link.Answer, failure error) {
	out.detail = st.Err
	switch {
	case n.s.transport() == Stdio:
		out.verdict = isGone
	case answer == nil:
		out.verdict = isUndecided
		if failure != nil {
			out.detail = sentence(failure)
		}
	case answer.Status >= 300 && answer.Status < 400 || undecided(answer.Status):
		out.verdict = isUndecided
	case answer.Status < 300 && strings.Contains(strings.ToLower(answer.ContentType), "html"):
		out.verdict = isForeign
	}
}

// undecided reports whether an HTTP status tells nothing of the era (VER-39).
func undecided(status int) bool {
	switch status {
	case 401, 403, 407, 408, 429:
		return true
	}
	return status >= 500
}

// supportedVersions is data.supported of an error.
func supportedVersions(e protocol.RPCError) ([]string, bool) {
	v, _, ok := protocol.Lookup(e.Data, "/supported")
	if !ok || v.Kind() != '[' {
		return nil, false
	}
	var out []string
	for _, item := range protocol.Elements(v) {
		name, ok := protocol.StringValue(item)
		if !ok {
			return nil, false
		}
		out = append(out, name)
	}
	return out, true
}

func isObject(v jsontext.Value, pointer string) bool {
	got, _, ok := protocol.Lookup(v, pointer)
	return ok && got.Kind() == '{'
}

// modernError reports whether an error proves a server of the new era (trap 1).
func modernError(e protocol.RPCError) bool {
	_, list := supportedVersions(e)
	return e.HasCode(protocol.CodeUnsupportedVersion) && list || e.HasCode(protocol.CodeHeaderMismatch) ||
		e.HasCode(protocol.CodeMissingCapability) && isObject(e.Data, "/requiredCapabilities")
}

// exchange is what the HTTP exchange of an ended call brought.
func (c *Call) exchange() (status int, answer *link.Answer, failure error) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	status = c.status
	if status == 0 && c.answer != nil {
		status = c.answer.Status
	}
	return status, c.answer, c.failure
}

// linkDown is how the link in use was lost, nil if it was not.
func (s *Session) linkDown() *link.Down {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		return nil
	}
	return s.conn.down
}

// pick chooses from the server's list: the newest revision that both speak,
// modern before handshake.
func pick(versions []string, modern bool) *protocol.Revision {
	for _, r := range slices.Backward(protocol.Revisions()) {
		if r.Modern == modern && slices.Contains(versions, r.Name) {
			return r
		}
	}
	return nil
}

// noCommon is the error when no revision is common to both.
func noCommon(versions []string) error {
	return fmt.Errorf("no common revision: the server speaks %s, this client %s",
		listOr(versions, "none"), strings.Join(revisionNames(nil), ", "))
}

// becomeModern makes the session ready in a revision without a handshake.
func (n *negotiation) becomeModern(r *protocol.Revision, out probe) {
	s := n.s
	s.mu.Lock()
	v := &s.view
	v.revision, v.server, v.versions = r, out.info, out.versions
	v.serverCaps = protocol.DecodeServerCapabilities(out.info.Capabilities)
	v.clientCaps = r.Capabilities(s.o.Capabilities)
	s.findAll(out.st.AnswerSeq, out.info.Problems)
	s.findAll(out.st.AnswerSeq, v.serverCaps.Problems)
	l := s.conn.link
	s.mu.Unlock()
	if h, ok := l.(interface{ SetRevision(*protocol.Revision) }); ok {
		h.SetRevision(r)
	}
	n.ready(r)
}

// ready ends a negotiation that succeeded.
func (n *negotiation) ready(r *protocol.Revision) {
	s := n.s
	s.mu.Lock()
	if s.conn.down == nil && !s.isClosing && s.view.phase == Negotiating {
		s.view.phase = Ready
	}
	s.changed()
	s.mu.Unlock()
	s.note("ready", strings.TrimSpace(r.Name+" "+n.note))
	s.begun(n.rejoined)
}

// answerText describes an answer in one sentence.
func answerText(st CallState, answer *link.Answer) string {
	switch {
	case st.Phase == CallError:
		e, _ := protocol.DecodeError(st.Answer.Error)
		return sentence(&refusal{e})
	case st.Err != "":
		return st.Err
	case answer != nil:
		return describeAnswer(*answer)
	}
	return "it has no supportedVersions."
}

func listOr(names []string, none string) string {
	if len(names) == 0 {
		return none
	}
	return strings.Join(names, ", ")
}
