package session

import (
	"context"
	"fmt"
	"slices"
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
		return text + fmt.Sprintf("; its ttl of %s ms was to last another %s.", t.TTL, rounded(left))
	}
	return text + "."
}

// takeTaskAnswer takes the answer to a request about a task, whoever sent it. It
// is called when the call of the request has ended. mu is held.
func (s *Session) takeTaskAnswer(call *Call, in incoming) {
	kind := s.taskKind()
	if kind == 0 {
		return
	}
	s.judgeTaskAnswer(call, in, kind)
	if in.m.Kind != protocol.Result && call.st.Method != protocol.MethodTasksResult {
		return
	}
	if call.st.Method == protocol.MethodTasksList {
		s.takeTaskList(call, in)
		return
	}
	t := call.p.about
	if t == nil {
		t = s.live.tasks.byID(kind, call.st.Name)
	}
	switch {
	case call.st.Method == protocol.MethodTasksGet:
		s.takeTaskReport(t, call, in, kind, protocol.TaskGot)
	case call.st.Method == protocol.MethodTasksCancel && kind == protocol.TaskCore:
		s.takeTaskReport(t, call, in, kind, protocol.TaskCancel)
	case call.st.Method == protocol.MethodTasksResult && kind == protocol.TaskCore && t != nil:
		s.takeTaskResult(t, in)
	}
}

// takeTaskReport takes the status of a task that was asked for. mu is held.
func (s *Session) takeTaskReport(t *task, call *Call, in incoming, kind protocol.TaskKind, from protocol.TaskFrom) {
	var problems []protocol.Problem
	report := s.decodeTask(in, in.m.Result, "/result", kind, from, &problems)
	if t == nil {
		if report.ID == "" || report.ID != call.st.Name {
			return
		}
		if t = s.addTask(kind, report.ID, TaskByHand); t == nil {
			return
		}
		t.CreatedSeq = in.Seq
	}
	for _, p := range problems {
		keepProblem(&t.Problems, maxTaskProblems, p)
	}
	if report.ID != "" && report.ID != t.ID {
		rule := "L-TASK-04"
		if kind == protocol.TaskExtension {
			rule = "L-TSKX-03"
		}
		s.findTask(t, in.Seq, violation(rule, call.st.Method+" of the task "+shorten(t.ID, 100)+" was answered with the task "+shorten(report.ID, 100)+"."))
		return
	}
	t.told = true
	if t.early != nil && !report.Status.Over() && from == protocol.TaskGot && call.st.RequestSeq > t.early.seq {
		s.findTask(t, t.early.seq, violation("L-TASK-05", "tasks/result was answered while the task was "+string(report.Status)+"; it waits until the task is over."))
		t.early = nil
	}
	s.applyTask(t, report, in, from, call)
}

// takeTaskNotified takes notifications/tasks/status and notifications/tasks.
// Nothing depends on the first (TASK-13): it has the task polled. mu is held.
func (s *Session) takeTaskNotified(in incoming) {
	kind := protocol.TaskCore
	if in.m.Method == protocol.NotificationTasks {
		kind = protocol.TaskExtension
	}
	if kind != s.taskKind() {
		s.findOften(in.Seq, violation("L-TSKX-14", in.m.Method+" came, which this revision does not have."))
		return
	}
	report := s.decodeTask(in, in.m.Params, "/params", kind, protocol.TaskNotified, nil)
	if report.ID == "" {
		return
	}
	t := s.live.tasks.byID(kind, report.ID)
	if kind == protocol.TaskExtension {
		s.judgeNotified(t, in, report.ID)
	}
	if t == nil {
		if t = s.addTask(kind, report.ID, TaskNotified); t == nil {
			return
		}
		t.CreatedSeq = in.Seq
	}
	before := t.Status
	s.applyTask(t, report, in, protocol.TaskNotified, nil)
	if t.follow && t.Status != before {
		s.pollSoon(t)
	}
}

// takeTaskList takes a page of tasks/list. mu is held.
func (s *Session) takeTaskList(call *Call, in incoming) {
	page := protocol.DecodeTaskList(in.m.Result)
	s.findInside(in.Seq, in.m.Raw, "/result", page.Problems)
	for i, report := range page.Tasks {
		s.findInside(in.Seq, in.m.Raw, fmt.Sprintf("/result/tasks/%d", i), report.Problems)
		if report.ID == "" {
			continue
		}
		t := s.live.tasks.byID(protocol.TaskCore, report.ID)
		if t == nil {
			if t = s.addTask(protocol.TaskCore, report.ID, TaskListed); t == nil {
				return
			}
			t.CreatedSeq = in.Seq
		}
		s.applyTask(t, report, in, protocol.TaskListed, call)
	}
}

// applyTask takes what a message says of a task. call is the one that it answers,
// nil for a notification. mu is held.
func (s *Session) applyTask(t *task, r protocol.TaskReport, in incoming, from protocol.TaskFrom, call *Call) {
	now := time.Now()
	if s.outdated(t, r, in, call) {
		if from == protocol.TaskCreated {
			s.pollSoon(t) // what is known of it came before the task was followed
		}
		return
	}
	changed := t.Status != r.Status
	if changed {
		if t.Status != "" {
			s.note("task", fmt.Sprintf("%s: %s", shorten(t.ID, 100), r.Status))
		}
		t.Changed = now
	}
	t.Status, t.Message, t.StatusSeq, t.channel = r.Status, r.Message, in.Seq, in.Channel
	if r.CreatedAt != "" {
		t.CreatedAt, t.Created = r.CreatedAt, r.Created
	}
	if r.UpdatedAt != "" {
		t.UpdatedAt, t.Updated = r.UpdatedAt, r.Updated
	}
	t.age(now)
	if r.TTL != "" {
		t.TTL, t.Expires = r.TTL, time.Time{}
		if life := ttl(r.TTL); life > 0 {
			t.Expires = t.Born.Add(life)
		}
	}
	if r.PollInterval != "" || from == protocol.TaskCreated || from == protocol.TaskGot {
		t.PollInterval, t.Interval = r.PollInterval, pollInterval(r.PollInterval)
	}
	if from == protocol.TaskCreated {
		t.NextPoll = now.Add(t.Interval)
		s.wakeLive()
	}
	if t.Kind == protocol.TaskExtension {
		t.InputKeys = keysOf(r.Inputs)
		s.takeInputs(t, r, in)
	}
	switch {
	case t.Status.Over():
		s.taskOver(t, in, from)
	case t.Status == protocol.TaskInputRequired && t.Kind == protocol.TaskCore && t.follow:
		s.startFetch(t) // TASK-10
	}
	s.changed()
}

// outdated judges a change of status, and reports whether it is to be left out.
// What another message overtook on its way is no fault: an answer to what was
// asked before that message came, or a notification on another stream. call is
// as in applyTask. mu is held.
func (s *Session) outdated(t *task, r protocol.TaskReport, in incoming, call *Call) bool {
	back := !t.Updated.IsZero() && !r.Updated.IsZero() && r.Updated.Before(t.Updated)
	reopens := !protocol.TaskMayBecome(t.Status, r.Status)
	overtaken := call != nil && call.st.RequestSeq < t.StatusSeq || call == nil && in.Channel != t.channel
	if overtaken && (back || reopens && !r.Updated.After(t.Updated)) {
		return true
	}
	if back && t.Kind == protocol.TaskExtension {
		s.findTask(t, in.Seq, violation("L-TSKX-13", "lastUpdatedAt went from "+shorten(t.UpdatedAt, 60)+" back to "+shorten(r.UpdatedAt, 60)+"."))
	}
	if !reopens {
		return false
	}
	rule := "L-TASK-03"
	switch {
	case t.Kind == protocol.TaskExtension:
		rule = "L-TSKX-13"
	case t.Status == protocol.TaskCancelled:
		rule = "L-TASK-10"
	}
	s.findTask(t, in.Seq, violation(rule, "The task went from "+string(t.Status)+", which is final, to "+shorten(string(r.Status), 40)+"."))
	return true
}

func keysOf(inputs []protocol.InputRequest) []string {
	var keys []string
	for _, q := range inputs {
		if !slices.Contains(keys, q.Key) {
			keys = append(keys, q.Key)
		}
	}
	return keys
}

// taskOver takes a status that is final. mu is held.
func (s *Session) taskOver(t *task, in incoming, from protocol.TaskFrom) {
	waits := t.follow || t.call != nil && t.ResultSeq == 0
	switch {
	case !waits || t.ResultSeq != 0:
	case t.Status == protocol.TaskCancelled:
		s.endTask(t, nil)
	case t.Kind == protocol.TaskExtension && from == protocol.TaskCreated:
		s.pollSoon(t) // what came of it is told to tasks/get
	case t.Kind == protocol.TaskExtension:
		m, ok := protocol.TaskOutcome(in.m, t.Kind)
		if !ok {
			s.loseTask(t, TaskLeft, "The task is "+string(t.Status)+", and the server does not tell what came of it.")
			return
		}
		s.endTask(t, &outcome{m, in.Seq})
	case t.early != nil:
		s.endTask(t, t.early)
	default:
		s.dropTaskAsks(t, nil)
		s.startFetch(t)
	}
}

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
		s.wg.Go(func() { _, _ = s.fetchTask(t) })
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
