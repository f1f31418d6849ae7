package session

import (
	"errors"
	"strings"

	"mcploupe/protocol"
	"mcploupe/session/link"
)

// Ended implements link.Handler.
func (c *conn) Ended(e link.Ended) {
	s := c.s
	s.mu.Lock()
	if s.conn != c {
		s.mu.Unlock()
		return
	}
	s.findAll(e.Seq, e.Problems)
	s.findAll(e.Sent, e.SentProblems)
	if e.Answer != nil && e.Answer.Status >= 300 && !e.For.IsZero() {
		s.view.answer = e.Answer
		s.changed()
	}
	// A GET that is answered 404 may only mean that there is no such stream.
	ofMessage := !e.For.IsZero() || e.Sent != 0
	lost := ofMessage && errors.Is(e.Err, link.ErrSessionLost) && s.view.phase == Ready && !s.restarting && !s.isClosing
	if lost {
		s.restarting = true
	}
	call, _ := s.calls.byAnswer(e.For)
	switch {
	case !e.For.IsZero():
		if call != nil && call.conn == c {
			s.exchangeOver(call, e)
		}
	case e.Err == nil || lost || errors.Is(e.Err, link.ErrCancelled):
	case ofMessage:
		s.find(e.Seq, warning("HTTP-06", "A message of this client was not accepted: "+describeEnd(e)))
	default:
		s.find(e.Seq, warning("HTTP-43", "The stream for what the server sends by itself has ended: "+describeEnd(e)))
	}
	s.mu.Unlock()
	if lost && !s.spawn(s.restartSession) {
		s.mu.Lock()
		s.restarting = false
		s.mu.Unlock()
	}
}

// exchangeOver ends the call of an exchange if no answer can come any more. mu
// is held.
func (s *Session) exchangeOver(call *Call, e link.Ended) {
	call.answer, call.endSeq = e.Answer, e.Seq
	if e.Answer != nil && call.st.Method == protocol.MethodTasksGet && s.taskKind() == protocol.TaskCore &&
		strings.HasPrefix(strings.ToLower(e.Answer.ContentType), "text/event-stream") {
		s.findOften(e.Seq, warning("L-TASK-15", "tasks/get was answered with a stream; whoever polls wants an answer only."))
	}
	call.st.Problems = append(call.st.Problems, e.SentProblems...)
	defer call.cancelExchange(errAnswered)
	if !call.inFlight() {
		return
	}
	if call.stray != nil && (e.Answer == nil || e.Answer.Status < 400) {
		s.invalid(call, *call.stray, strayText(call, *call.stray))
		return
	}
	if e.Err == nil {
		if s.view.transportNow == string(HTTP) {
			s.finish(call, CallLost, "The exchange ended, and what came in it was no answer to this request.")
		}
		return
	}
	if e.Answer != nil && e.Answer.Status == 202 && s.view.revision != nil && s.view.revision.StandaloneStream {
		call.st.Problems = append(call.st.Problems, violation("HTTP-06",
			"The server accepted the request with 202 instead of answering it; the answer may come on another stream."))
		s.callsChanged()
		return
	}
	call.failure = e.Err
	call.st.Problems = append(call.st.Problems, e.Problems...)
	s.finish(call, CallLost, describeEnd(e))
}

func strayText(call *Call, in incoming) string {
	switch {
	case in.m.Kind == protocol.Invalid:
		return whatIsWrong(in.m)
	case in.m.ID.IsZero():
		return "it has no id"
	}
	return "it names the id " + in.m.ID.String() + ", the request had " + call.st.ID.String()
}
