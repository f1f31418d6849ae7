package session

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// Delays between two polls of a task. The server's interval is taken from
// leastPoll to mostPoll (TASK-08, TSKX-05); without one it is defaultPoll. After
// polls that came to nothing it doubles from firstRetry to lastRetry, and is the
// server's interval where that is longer.
const (
	leastPoll   = 200 * time.Millisecond
	defaultPoll = 2 * time.Second
	mostPoll    = time.Hour
	firstRetry  = time.Second
	lastRetry   = time.Minute

	maxPollFailures = 10               // in succession
	taskTimeout     = 30 * time.Second // of requests about tasks that do not block
)

// pollInterval is the delay that a server's interval gives.
func pollInterval(sent string) time.Duration {
	if sent == "" {
		return defaultPoll
	}
	whole, _, _ := strings.Cut(sent, ".")
	ms, err := strconv.ParseInt(whole, 10, 64)
	switch {
	case strings.HasPrefix(sent, "-"):
		return leastPoll
	case err != nil && strings.ContainsAny(sent, "eE"):
		return defaultPoll // an exponent: nobody writes an interval so
	case err != nil || ms > mostPoll.Milliseconds():
		return mostPoll
	}
	return max(time.Duration(ms)*time.Millisecond, leastPoll)
}

// retryDelay is the wait after the n-th poll in succession that came to nothing.
func retryDelay(n int, interval time.Duration) time.Duration {
	return max(min(firstRetry<<min(max(n-1, 0), 10), lastRetry), interval)
}

// pollSoon has a followed task polled as soon as it may be: never more often
// than each leastPoll. mu is held.
func (s *Session) pollSoon(t *task) {
	due := time.Now()
	if soonest := t.LastPoll.Add(leastPoll); soonest.After(due) {
		due = soonest
	}
	if t.Failures > 0 { // what a server says by itself does not shorten a back-off
		return
	}
	if t.NextPoll.IsZero() || due.Before(t.NextPoll) {
		t.NextPoll = due
	}
	s.wakeLive()
	s.changed()
}

// dueTasks adds the tasks to be polled. mu is held.
func (s *Session) dueTasks(a *agenda) {
	for _, t := range s.live.tasks.all {
		if t.follow && !t.Polling && a.take(t.NextPoll, func() { s.pollTask(t) }) {
			t.Polling = true
			s.changed()
		}
	}
}

// taskRequest builds a request about a task. It has no progress token, and the
// extension is declared also when it has been switched off meanwhile (TSKX-01).
func (s *Session) taskRequest(method string, params jsontext.Value) []byte {
	s.mu.Lock()
	id, revision := s.newID(), s.view.revision
	caps := s.o.Capabilities
	lines := s.singleLine()
	s.mu.Unlock()
	if lines {
		params = oneLine(params)
	}
	raw := protocol.NewRequest(id, method, params)
	caps.Tasks = true
	if revision == nil {
		return raw
	}
	for name, value := range protocol.Members(revision.RequestMeta(s.o.Client, caps, "")) {
		raw = setMeta(raw, name, value)
	}
	return raw
}

// askTask sends a request about a task and waits for its end.
func (s *Session) askTask(ctx context.Context, t *task, method string, params jsontext.Value, o CallOptions) (CallState, error) {
	call, err := s.do(ctx, s.taskRequest(method, params), callParams{CallOptions: o, brief: true, about: t})
	if err != nil {
		return CallState{}, err
	}
	<-call.done
	return call.State(), nil
}

// pollTask asks for the status of a task once, or of one that is over for its
// outcome. t.Polling is set.
func (s *Session) pollTask(t *task) {
	s.mu.Lock()
	t.LastPoll, t.NextPoll = time.Now(), time.Time{}
	t.Polls++
	fetch := t.Kind == protocol.TaskCore && t.Over() && t.follow && !t.fetching
	t.fetching = t.fetching || fetch
	s.changed()
	s.mu.Unlock()
	var st CallState
	var err error
	if fetch {
		st, err = s.fetchTask(t)
	} else {
		st, err = s.askTask(s.ctx, t, protocol.MethodTasksGet, protocol.TaskParams(t.ID), CallOptions{Timeout: taskTimeout, Maximum: taskTimeout})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t.Polling = false
	switch {
	case err == nil && st.usable():
		t.Failures, t.Err = 0, ""
	case s.isClosing || !t.follow:
	default:
		s.pollFailed(t, st, err)
	}
	s.nextPoll(t)
	s.changed()
}

// nextPoll says when a followed task is asked for again. mu is held.
func (s *Session) nextPoll(t *task) {
	if !t.follow {
		t.NextPoll = time.Time{}
		return
	}
	if t.fetching && t.Over() {
		return // its answer is all that is missing
	}
	delay := t.Interval
	if t.Failures > 0 {
		delay = retryDelay(t.Failures, t.Interval)
	}
	if next := t.LastPoll.Add(delay); t.NextPoll.IsZero() || t.Failures > 0 && next.After(t.NextPoll) {
		t.NextPoll = next
	}
	s.wakeLive()
}

// pollFailed takes a poll that did not tell the status. mu is held.
func (s *Session) pollFailed(t *task, st CallState, err error) {
	if st.Phase == CallError {
		e, _ := protocol.DecodeError(st.Answer.Error)
		switch {
		case e.HasCode(protocol.CodeInvalidParams) && t.early != nil:
			s.endTask(t, t.early) // it was kept no longer than its result was asked for
			return
		case e.HasCode(protocol.CodeInvalidParams):
			s.loseTask(t, TaskGone, goneText(t, time.Now()))
			return
		case e.HasCode(protocol.CodeMethodNotFound):
			s.loseTask(t, TaskGone, "The server does not know "+st.Method+"; the task cannot be followed.")
			return
		}
		err = &refusal{e}
	}
	if err == nil {
		err = st.failure()
	}
	t.Failures++
	t.Err = sentence(err)
	if t.Failures >= maxPollFailures {
		s.loseTask(t, TaskUnreachable, fmt.Sprintf("%d polls in succession came to nothing; the last one: %s", t.Failures, t.Err))
	}
}

func goneText(t *task, now time.Time) string {
	text := "The server does not know the task " + shorten(t.ID, 100) + " any more"
	switch left, ok := t.Left(now); {
	case !t.Cancelling.IsZero():
		return text + ", which was cancelled."
	case ok && left <= 0:
		return text + fmt.Sprintf("; its ttl of %s ms was over.", t.TTL)
	case ok:
		return text + fmt.Sprintf("; its ttl of %s ms was to last another %s.", t.TTL, spoken(left))
	}
	return text + "."
}
