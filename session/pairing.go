package session

import (
	"bytes"
	"fmt"
	"strconv"
	"time"

	"mcploupe/protocol"
	"mcploupe/session/link"
)

// The result types of 2026-07-28.
const (
	resultComplete      = "complete"
	resultInputRequired = "input_required"
	resultTask          = "task"
)

// maxCallProblems bounds what is kept with a call of what a server may do to it
// any number of times.
const maxCallProblems = 50

// incoming is a message with how it came.
type incoming struct {
	link.Incoming
	m     protocol.Message
	batch bool // it came in an array
}

// Receive implements link.Handler.
func (c *conn) Receive(in link.Incoming) {
	m := protocol.Parse(in.Raw)
	s := c.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != c {
		return
	}
	s.findAll(in.Seq, in.Problems)
	s.findAll(in.Seq, m.Problems)
	if m.Kind != protocol.Batch {
		s.take(c, incoming{Incoming: in, m: m})
		return
	}
	if r := s.view.revision; r == nil || !r.Batches {
		s.find(in.Seq, violation("L-RPC-09", "The server sent a batch, which this revision does not have."))
	}
	for _, item := range m.Items {
		s.findAll(in.Seq, item.Problems)
		s.take(c, incoming{Incoming: in, m: item, batch: true})
	}
}

// take handles one message. mu is held.
func (s *Session) take(c *conn, in incoming) {
	s.heardOnStream(in)
	switch in.m.Kind {
	case protocol.Result, protocol.Error:
		s.takeAnswer(c, in)
	case protocol.Request:
		s.takeRequest(c, in)
	case protocol.Notification:
		s.takeNotification(c, in)
	default:
		s.takeInvalid(c, in)
	}
}

// takeAnswer pairs an answer with its request, by direction and id (P7). mu is
// held.
func (s *Session) takeAnswer(c *conn, in incoming) {
	id := in.m.ID
	if id.IsZero() {
		s.takeUnnamed(c, in)
		return
	}
	call, how := s.calls.byAnswer(id)
	switch {
	case call == nil:
		s.takeUnknown(in)
		return
	case how == matchLoose && call.ended():
		// An id that only resembles one of a call that is over says nothing.
		s.takeUnknown(in)
		return
	case how == matchLoose:
		s.find(in.Seq, violation("L-RPC-02", "The answer names the id "+id.String()+", the request had "+call.st.ID.String()+"."))
	}
	if !in.For.IsZero() && !in.For.Equal(call.st.ID) {
		s.find(in.Seq, warning("HTTP-51", "The answer to request "+call.st.ID.String()+" came in the exchange of request "+in.For.String()+"."))
	}
	if !call.inFlight() {
		s.takeRepeated(call, in)
		return
	}
	s.settle(call, in)
}

// takeUnnamed handles an answer without an id: over HTTP it belongs to the
// request of its exchange (trap 24). Elsewhere a result can only be meant for
// the one request that waits, if it is one; an error is left to nobody. mu is
// held.
func (s *Session) takeUnnamed(c *conn, in incoming) {
	if call := s.calls.inExchange(c, in); call != nil && call.inFlight() && in.m.Kind == protocol.Error {
		s.settle(call, in)
		return
	}
	if pending := s.calls.inFlight(); in.m.Kind == protocol.Result && in.For.IsZero() && len(pending) == 1 {
		s.invalid(pending[0], in, "it has no id; this is the only request that waits, so it was taken for its answer")
		return
	}
	s.find(in.Seq, violation("L-RPC-08", "An answer without an id came; no request can be told to be its cause."))
	s.strayAnswer(in)
}

// takeUnknown handles an answer whose id fits no request that is known. mu is
// held.
func (s *Session) takeUnknown(in incoming) {
	id := in.m.ID
	if s.calls.byWrite[id] {
		return
	}
	if s.calls.byRound(id) != nil {
		s.find(in.Seq, violation("L-MRTR-07", "Request "+id.String()+" was answered with input_required before, and is answered once more."))
		return
	}
	text := "An answer came for the id " + id.String() + ", which was never sent."
	if n, err := strconv.ParseUint(id.String(), 10, 64); err == nil && n > 0 && n <= s.nextID {
		text = "An answer came for the old request " + id.String() + ", which was answered or given up long ago."
	}
	s.find(in.Seq, violation("L-RPC-02", text))
	s.strayAnswer(in)
}

// strayAnswer remembers an answer that belongs to nobody: during the probe it
// shows a server of the handshake era, and it may have been meant for the
// request in whose exchange it came. mu is held.
func (s *Session) strayAnswer(in incoming) {
	if s.probe != nil && in.For.IsZero() {
		s.invalid(s.probe, in, "A message that matches no request came instead of an answer")
		return
	}
	if call := s.calls.inExchange(s.conn, in); call != nil && call.inFlight() {
		call.stray = &in
	}
}

// inExchange returns the call whose HTTP exchange carried in.
func (t *callTable) inExchange(c *conn, in incoming) *Call {
	if in.For.IsZero() {
		return nil
	}
	call, _ := t.byAnswer(in.For)
	if call == nil || call.conn != c {
		return nil
	}
	return call
}

// takeRepeated handles an answer to a call that has ended: late, or once more.
// mu is held.
func (s *Session) takeRepeated(call *Call, in incoming) {
	st := &call.st
	if call.st.Phase == CallWaiting {
		s.find(in.Seq, violation("L-MRTR-07", "Request "+st.ID.String()+" was answered with input_required before, and is answered once more."))
		return
	}
	if st.AnswerSeq != 0 || st.Phase == CallWorking || st.Task != 0 {
		s.find(in.Seq, violation("L-RPC-06", "Request "+st.ID.String()+" is answered once more."))
		return
	}
	st.Late, st.AnswerSeq, st.Answer, st.LateBy = true, in.Seq, in.m, time.Since(st.end())
	st.Problems = append(st.Problems, in.m.Problems...)
	s.calls.bytes += len(in.m.Raw)
	if s.lateTask(call, in) {
		return
	}
	s.lateAnswer(call, in)
	if st.Method == protocol.MethodDiscover && in.m.Kind == protocol.Result {
		s.lateProbe = in.m
	}
	call.cancelExchange(errAnswered)
	s.callsChanged()
}

// lateAnswer says that an answer came to a call that was given up, which the
// server should not send once it knows (L-CAN-01). mu is held.
func (s *Session) lateAnswer(call *Call, in incoming) {
	st := &call.st
	if call.sub != nil {
		if call.sub.byServer && call.sub.call == call && in.m.Kind == protocol.Result {
			call.sub.End, call.sub.EndSeq = EndWithResult, in.Seq
			s.judgeListenMeta(call.sub, call)
		}
		return // an orderly end may follow a cancellation from either side (trap 12)
	}
	text := fmt.Sprintf("The answer to request %s came %s after it was sent, when it had been given up.", st.ID, spoken(time.Since(st.Started)))
	if st.Phase == CallCancelled && !call.p.silent && time.Since(call.gaveUp) > raceWindow {
		s.find(in.Seq, warning("L-CAN-01", text+" The server was told "+spoken(time.Since(call.gaveUp))+" before."))
		return
	}
	s.find(in.Seq, information("L-CAN-01", text))
}

// settle ends a call with its answer. mu is held.
func (s *Session) settle(call *Call, in incoming) {
	if in.batch && (call.p.send.Revision == nil || !call.p.send.Revision.Batches) {
		s.invalid(call, in, "The answer came in a batch, which this revision does not have")
		return
	}
	if why := brokenAnswer(in.m); why != "" {
		s.invalid(call, in, why)
		return
	}
	phase := CallOK
	if in.m.Kind == protocol.Error {
		phase = CallError
	} else if why := s.resultType(call, in); why != "" {
		s.invalid(call, in, why)
		return
	}
	s.judgeHints(call, in)
	if phase == CallOK && call.st.ResultType == resultInputRequired && !call.p.ManualRounds {
		s.beginRound(call, in)
		return
	}
	if phase == CallError && s.relist(call, in) || phase == CallOK && s.becomesTask(call, in) {
		return
	}
	s.answered(call, in)
	if phase == CallError {
		s.noteMismatch(call, in)
		s.urlRequired(call, in)
	}
	s.finish(call, phase, "")
	s.judgeNoTask(call, in)
	if taskMethod(call.st.Method) {
		s.takeTaskAnswer(call, in)
	}
	switch call.st.Method {
	case protocol.MethodPing, protocol.MethodToolsList, protocol.MethodResourcesList,
		protocol.MethodResourceTemplatesList, protocol.MethodPromptsList:
		s.view.roundTrip = call.st.Took
	}
}

// brokenAnswer says why a response is not one to rely on, "" if it is (P5).
func brokenAnswer(m protocol.Message) string {
	for _, p := range m.Problems {
		switch p.Rule {
		case "L-RPC-01", "L-RPC-03", "L-RPC-05":
			return trimStop(p.Text)
		}
	}
	if m.Kind == protocol.Error && m.Error.Kind() == 'n' {
		return "the error is null and there is no result"
	}
	return ""
}

// usable reports whether a call brought a result that can be worked with. One
// that is not quite valid will do where nothing better can come.
func (st CallState) usable() bool {
	return st.Phase == CallOK || st.Phase == CallInvalid && st.Answer.Kind == protocol.Result && st.Answer.Result.Kind() == '{'
}

// answered puts the answer into the call. mu is held.
func (s *Session) answered(call *Call, in incoming) {
	call.status = in.Status
	call.st.AnswerSeq, call.st.Answer = in.Seq, in.m
	call.st.Problems = append(append(call.st.Problems, in.Problems...), in.m.Problems...)
}

// invalid ends a call with something that is no valid answer (P5). mu is held.
func (s *Session) invalid(call *Call, in incoming, why string) {
	s.answered(call, in)
	s.finish(call, CallInvalid, "An answer came that is not valid: "+why+".")
}

// resultType checks the result type (BASE-14 to BASE-17) and says what is wrong
// with it. mu is held.
func (s *Session) resultType(call *Call, in incoming) string {
	r := call.p.send.Revision
	if r == nil || !r.Modern {
		return ""
	}
	v, offset, present := protocol.Lookup(in.m.Result, "/resultType")
	name, isString := protocol.StringValue(v)
	switch {
	case !present:
		call.st.ResultType = resultComplete
		return ""
	case !isString:
		call.st.ResultType = string(v)
	default:
		call.st.ResultType = name
	}
	why, rule := "", ""
	switch {
	case !isString:
		rule, why = "L-RES-T02", "resultType is not a string"
	case name == resultComplete:
	case name == resultInputRequired:
		switch call.st.Method {
		case protocol.MethodToolsCall, protocol.MethodPromptsGet, protocol.MethodResourcesRead:
		default:
			rule, why = "L-RES-T02", "the result type input_required is not for "+call.st.Method
		}
	case name == resultTask && call.st.Method != protocol.MethodToolsCall:
		if rule, why = "L-TSKX-01", "the result type task is not for "+call.st.Method; taskMethod(call.st.Method) { // TSKX-03
			rule = "L-TSKX-05"
		}
	case name == resultTask && !protocol.DeclaresTasks(call.declared()):
		rule, why = "L-TSKX-01", "the result type task came, and the request did not declare the extension for it"
	case name == resultTask:
	default:
		rule, why = "L-RES-T02", "the result type "+strconv.Quote(shorten(name, 100))+" is not known"
	}
	if why != "" {
		p := violation(rule, "The answer to "+call.st.Method+": "+why+".")
		p.Pointer, p.Offset = "/result/resultType", offset
		call.st.Problems = append(call.st.Problems, p)
		s.find(in.Seq, p)
	}
	return why
}

// takeInvalid handles what is no JSON-RPC message. mu is held.
func (s *Session) takeInvalid(c *conn, in incoming) {
	trimmed := bytes.TrimSpace(in.Raw)
	looksJSON := len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '[')
	if in.Channel == string(Stdio) && !looksJSON {
		if c.noise++; c.noise == 1 {
			c.sample = []byte(shorten(string(trimmed), 200))
		}
		s.find(in.Seq, violation("L-STD-01", "A line on stdout is no JSON-RPC message: stdout must carry messages only, logs belong on stderr."))
		return
	}
	if in.Status >= 400 {
		return // the HTTP answer as a whole says why; see Ended
	}
	if id := in.m.ID; !id.IsZero() && in.m.Method == "" {
		if call, _ := s.calls.byAnswer(id); call != nil && call.inFlight() {
			s.invalid(call, in, whatIsWrong(in.m))
			return
		}
	}
	if call := s.calls.inExchange(c, in); call != nil && call.inFlight() {
		call.stray = &in
		return
	}
	// On stdio nothing tells whose answer this was meant to be, if there is
	// only one that waits it is worth saying there.
	if pending := s.calls.inFlight(); len(pending) == 1 && in.For.IsZero() {
		call := pending[0]
		keepProblem(&call.st.Problems, maxCallProblems, warning("L-STD-01",
			fmt.Sprintf("While this call waited, something came that is no message (event %d); it may have been the answer.", s.log.local(in.Seq))))
		s.callsChanged()
	}
}

// whatIsWrong is the first violation of a message, as the end of a sentence.
func whatIsWrong(m protocol.Message) string {
	for _, p := range m.Problems {
		if p.Severity == protocol.Violation {
			return trimStop(p.Text)
		}
	}
	return "it is no JSON-RPC response"
}

func trimStop(text string) string {
	return string(bytes.TrimRight([]byte(text), ". "))
}
