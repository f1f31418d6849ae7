package session

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/protocol/jsonvalue"
)

// takeInputs puts what a task of the extension asks for to the person, each key
// once (TSKX-08 to TSKX-11), and takes back what it does not ask for any more.
// mu is held.
func (s *Session) takeInputs(t *task, r protocol.TaskReport, in incoming) {
	s.dropTaskAsks(t, t.InputKeys)
	if !t.follow || t.givenUp() {
		return
	}
	for i, q := range r.Inputs {
		if slices.ContainsFunc(r.Inputs[i+1:], func(other protocol.InputRequest) bool { return other.Key == q.Key }) {
			continue // the last one of a key counts
		}
		if before, known := t.asked[q.Key]; known {
			if !bytes.Equal(protocol.Compact(before), protocol.Compact(q.Raw)) {
				s.findTask(t, in.Seq, violation("L-TSKX-08", "The key "+shorten(q.Key, 100)+" asks for something else than before; it was put to nobody again."))
			}
			continue
		}
		s.takeInput(t, q, in)
	}
}

// givenUp reports whether the person gave up the call that became the task.
func (t *task) givenUp() bool { return t.call != nil && !t.call.gaveUp.IsZero() }

// takeInput puts one input request of a task to the person. mu is held.
func (s *Session) takeInput(t *task, q protocol.InputRequest, in incoming) {
	if len(t.asked) >= maxTaskKeys || s.asks.full(1) {
		s.findTask(t, in.Seq, tooManyAsks(q.Method))
		return
	}
	if t.asked == nil {
		t.asked, t.answered = make(map[string]jsontext.Value), make(map[string]bool)
	}
	t.asked[q.Key] = bytes.Clone(q.Raw)
	pointer := "/inputRequests/" + jsonvalue.EscapeToken(q.Key)
	if in.m.Kind == protocol.Notification {
		pointer = "/params" + pointer
	} else {
		pointer = "/result" + pointer
	}
	caps := s.view.clientCaps
	if t.call != nil {
		caps = t.call.declared()
	}
	revision := s.view.revision
	if f := undeclared(caps, revision, q.Method, q.Params); f != nil {
		f.Rule, f.Pointer, f.Offset = "L-TSKX-09", pointer, offsetIn(in.m.Raw, pointer, -1)
		f.Text += "; it was not answered."
		s.findTask(t, in.Seq, f.Problem)
		return
	}
	if q.Method == protocol.MethodRootsList && !s.o.AskRoots {
		answer := rootsResult(s.o.Roots)
		if !s.isClosing {
			s.goes(func() {
				if err := s.updateTask(s.ctx, t, q.Key, answer); err != nil && s.ctx.Err() == nil {
					s.remark("The roots could not be given to a task: " + err.Error())
				}
			})
		}
		return
	}
	a := &ask{conn: s.conn, task: t, Ask: Ask{Seq: in.Seq, Method: q.Method, Params: q.Params, InputKey: q.Key, Task: t.Key, Problems: q.Problems}}
	a.describe(revision, caps)
	s.findInside(in.Seq, in.m.Raw, pointer+"/params", a.Problems)
	if a.Kind == AskURL {
		s.findInside(in.Seq, in.m.Raw, pointer+"/params/url", protocol.InspectURL(a.URL).Problems)
	}
	if t.call != nil && !t.call.ended() {
		a.paused = []*Call{t.call}
	}
	s.addAsk(a, t.call)
}

// dropTaskAsks takes the input requests of a task off the list, but those of the
// keys to be kept. Requests of the server stay: they are to be answered. mu is
// held.
func (s *Session) dropTaskAsks(t *task, keep []string) {
	s.removeAsks(func(a *ask) bool {
		return a.task == t && !a.Legacy && a.State != AskSending && !slices.Contains(keep, a.InputKey)
	})
}

// replyToTask answers an input request of a task with tasks/update. It is called
// with mu held and releases it.
func (s *Session) replyToTask(ctx context.Context, a *ask, r Reply) error {
	t := a.task
	if r.Action == ActionReject {
		a.Reply = nil
		s.mu.Unlock()
		if t.call != nil {
			reason := r.Message
			if reason == "" {
				reason = "you rejected " + a.Method
			}
			t.call.giveUp(CallCancelled, "Given up: "+reason+". An input request has no answer that refuses it.", reason)
			return nil
		}
		return s.cancelTask(ctx, t)
	}
	a.State = AskSending
	value := r.result(a.Kind, s.singleLine())
	s.asksChanged()
	s.mu.Unlock()
	err := s.updateTask(ctx, t, a.InputKey, value)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		if slices.Contains(s.asks.open, a) {
			a.State, a.Reply = AskOpen, nil
			s.asksChanged()
		}
		return fmt.Errorf("answering: %w", err)
	}
	s.removeAsk(a)
	return nil
}

// updateTask sends the answer to an input request that is outstanding (TSKX-09).
func (s *Session) updateTask(ctx context.Context, t *task, key string, value jsontext.Value) error {
	if !s.begin() {
		return errClosed
	}
	defer s.wg.Done()
	s.mu.Lock()
	stale := !slices.Contains(t.InputKeys, key) || t.answered[key]
	s.mu.Unlock()
	if stale {
		return errNoAsk
	}
	st, err := s.askTask(ctx, t, protocol.MethodTasksUpdate, protocol.TaskUpdateParams(t.ID, appendEntry(nil, key, value)), CallOptions{Timeout: taskTimeout})
	if err == nil {
		err = st.failure()
	}
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t.answered[key] = true
	t.Answered = append(slices.Clip(t.Answered), key)
	if t.follow {
		s.pollSoon(t)
	}
	s.changed()
	return nil
}

// relatedReply adds to a result that it belongs to a task (TASK-15).
func relatedReply(result jsontext.Value, t *task) jsontext.Value {
	if t == nil || t.Kind != protocol.TaskCore || result.Kind() != '{' {
		return result
	}
	if meta, _, _ := protocol.Lookup(result, "/_meta"); meta != nil {
		if _, ok := protocol.RelatedTask(meta); ok {
			return result
		}
	}
	// SetMeta knows how to change the _meta of params.
	wrapped, err := protocol.SetMeta(append(append([]byte(`{"params":`), result...), '}'), protocol.MetaRelatedTask, protocol.RelatedTaskMeta(t.ID))
	if err != nil {
		return result
	}
	edited, _, _ := protocol.Lookup(wrapped, "/params")
	return edited
}
