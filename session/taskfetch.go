package session

import (
	"time"

	"mcploupe/protocol"
)

// startFetch asks for the outcome of a task of 2025-11-25, unless that is under
// way. mu is held.
func (s *Session) startFetch(t *task) {
	switch {
	case t.fetching:
		if t.Over() && t.fetch != nil { // it is to come at once
			t.fetch.idle, t.fetch.active = taskTimeout, time.Now()
			s.schedule(t.fetch)
		}
	case t.Over():
		// By the agenda, so that a failure is tried again with growing delays.
		s.pollSoon(t)
	case t.early == nil && !s.isClosing:
		t.fetching = true
		s.goes(func() { _, _ = s.fetchTask(t) })
	}
}

// fetchTask asks for the outcome of a task; the answer comes when it is over and
// is taken by takeTaskResult. t.fetching is set.
func (s *Session) fetchTask(t *task) (CallState, error) {
	s.mu.Lock()
	o := CallOptions{Timeout: -1, Maximum: -1}
	if t.Over() {
		o.Timeout = taskTimeout
	}
	s.mu.Unlock()
	call, err := s.do(s.ctx, s.taskRequest(protocol.MethodTasksResult, protocol.TaskParams(t.ID)), callParams{CallOptions: o, brief: true, about: t})
	if err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		t.fetching = false
		return CallState{}, err
	}
	s.mu.Lock()
	t.fetch = call
	if t.Over() && !call.ended() { // it ended meanwhile
		call.idle, call.active = taskTimeout, time.Now()
		s.schedule(call)
	}
	s.mu.Unlock()
	<-call.done
	st := call.State()
	s.mu.Lock()
	defer s.mu.Unlock()
	t.fetch, t.fetching = nil, false
	if st.Phase == CallError && (!t.follow || t.early != nil) {
		st.Phase, st.Answer = CallOK, protocol.Message{} // the error is the outcome
	}
	if !t.Polling {
		s.nextPoll(t)
	}
	return st, nil
}

// takeTaskResult takes the answer to tasks/result. One that comes before the
// task is known to be over is kept until a poll says whether it is. mu is held.
func (s *Session) takeTaskResult(t *task, in incoming) {
	m, ok := protocol.TaskOutcome(in.m, protocol.TaskCore)
	if !ok {
		return
	}
	end := &outcome{m, in.Seq}
	switch {
	case t.ResultSeq != 0:
	case t.Over():
		s.endTask(t, end)
	case t.follow:
		t.early = end
		s.pollSoon(t)
	default:
		t.ResultSeq = in.Seq
		s.changed()
	}
}
