package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/protocol/jsonvalue"
)

const (
	maxTasks        = 512  // known at a time
	maxTaskKeys     = 1024 // input requests of one task
	maxTaskProblems = 20   // kept with a task, each once
	maxTaskPages    = 1000 // of tasks/list
)

var (
	errNoTask    = errors.New("there is no such task")
	errManyTasks = fmt.Errorf("%d tasks are known already; forget some first", maxTasks)
)

// task is a Task with what keeps it going. Session.mu guards it.
type task struct {
	Task
	call     *Call  // that became it, nil if none did
	follow   bool   // its status is asked for
	told     bool   // a poll was answered
	fetching bool   // core: tasks/result is under way
	fetch    *Call  // that request
	channel  string // on which its status last came
	early    *outcome
	asked    map[string]jsontext.Value // extension: input requests by key, put to the person or not
	answered map[string]bool
}

// outcome is how a task ended, with where it was told.
type outcome struct {
	m   protocol.Message
	seq uint64
}

// taskTable holds the tasks in the order of their keys. Session.mu guards it.
type taskTable struct {
	nextKey uint64
	all     []*task
	lastID  map[protocol.TaskKind]string // of the newest that a call became
}

// taskStates are the tasks for State. mu is held.
func (s *Session) taskStates() []Task {
	out := make([]Task, len(s.live.tasks.all))
	for i, t := range s.live.tasks.all {
		out[i] = t.Task
		for _, a := range s.asks.open {
			if a.task == t {
				out[i].Waiting++
			}
		}
	}
	return out
}

func (t *taskTable) byKey(key uint64) *task {
	for _, task := range t.all {
		if task.Key == key {
			return task
		}
	}
	return nil
}

// byID is the newest task with that id.
func (t *taskTable) byID(kind protocol.TaskKind, id string) *task {
	for _, task := range slices.Backward(t.all) {
		if task.ID == id && task.Kind == kind {
			return task
		}
	}
	return nil
}

// room drops the oldest task that nobody waits for if there are too many, and
// reports whether there is room for one more.
func (t *taskTable) room() bool {
	if len(t.all) < maxTasks {
		return true
	}
	i := slices.IndexFunc(t.all, func(task *task) bool {
		return !task.follow && (task.call == nil || task.call.ended())
	})
	if i < 0 {
		return false
	}
	t.all = slices.Delete(t.all, i, i+1)
	return true
}

// addTask makes a task known; nil if there are too many. mu is held.
func (s *Session) addTask(kind protocol.TaskKind, id string, origin TaskOrigin) *task {
	t := &s.live.tasks
	if !t.room() {
		return nil
	}
	t.nextKey++
	now := time.Now()
	added := &task{Task: Task{Key: t.nextKey, ID: id, Kind: kind, Origin: origin, Since: now, Changed: now, Interval: defaultPoll}}
	t.all = append(t.all, added)
	s.changed()
	return added
}

// taskKind is the kind of tasks of the revision in use, 0 for none. mu is held.
func (s *Session) taskKind() protocol.TaskKind {
	switch r := s.view.revision; {
	case r == nil:
		return 0
	case r.Modern:
		return protocol.TaskExtension
	case r.Knows(protocol.FromClient, protocol.MethodTasksGet):
		return protocol.TaskCore
	}
	return 0
}

// taskCapabilities are what the server offers about tasks to this client. mu is
// held.
func (s *Session) taskCapabilities() protocol.TaskCapabilities {
	return s.view.serverCaps.TaskCapabilities(s.view.revision, s.view.clientCaps)
}

// becomesTask takes an answer that makes a call a task, and reports whether it
// does (TASK-07, TSKX-02). mu is held.
func (s *Session) becomesTask(call *Call, in incoming) bool {
	kind := s.taskKindOf(call, in.m)
	if kind == 0 {
		return false
	}
	report := s.decodeTask(in, in.m.Result, "/result", kind, protocol.TaskCreated, &call.st.Problems)
	s.judgeCreated(call, in, kind, report.ID)
	if report.ID == "" {
		s.invalid(call, in, "it is a task without an id")
		return true
	}
	t := s.taskOfAnswer(kind, report.ID)
	if t == nil {
		s.answered(call, in)
		s.finish(call, CallLost, "The call became a task, and "+errManyTasks.Error()+".")
		return true
	}
	t.Call, t.Tool, t.CreatedSeq, t.follow = call.st.Key, call.st.Name, in.Seq, true
	t.call, call.task = call, t
	call.st.Task, call.st.Phase = t.Key, CallWorking
	if v, _, ok := protocol.Lookup(in.m.Result, "/_meta/"+jsonvalue.EscapeToken(protocol.MetaImmediateResponse)); ok {
		call.st.Immediate, _ = protocol.StringValue(v)
	}
	call.st.Problems = append(append(call.st.Problems, in.Problems...), in.m.Problems...)
	s.unschedule(call)
	s.note("task", fmt.Sprintf("%s %s became the task %s", call.st.Method, call.st.Name, shorten(t.ID, 100)))
	s.applyTask(t, report, in, protocol.TaskCreated, call)
	if !call.ended() {
		s.schedule(call)
	}
	s.callsChanged()
	return true
}

// taskOfAnswer makes the task known that a call became. Some servers tell of a
// task before they answer the call. mu is held.
func (s *Session) taskOfAnswer(kind protocol.TaskKind, id string) *task {
	if t := s.live.tasks.byID(kind, id); t != nil && t.call == nil && t.Origin == TaskNotified {
		t.Origin = TaskOfCall
		return t
	}
	return s.addTask(kind, id, TaskOfCall)
}

// taskKindOf tells which kind of task a result is, 0 if it is none.
func (s *Session) taskKindOf(call *Call, m protocol.Message) protocol.TaskKind {
	r := call.p.send.Revision
	switch {
	case m.Kind != protocol.Result || call.st.Method != protocol.MethodToolsCall || r == nil:
	case r.Modern:
		v, _, _ := protocol.Lookup(m.Result, "/resultType")
		if name, _ := protocol.StringValue(v); name == resultTask {
			return protocol.TaskExtension
		}
	case r.Knows(protocol.FromClient, protocol.MethodTasksGet) && protocol.IsTask(m.Result):
		return protocol.TaskCore
	}
	return 0
}

// decodeTask decodes what a message tells of a task and adds its problems as
// findings, and to a list. mu is held.
func (s *Session) decodeTask(in incoming, v jsontext.Value, pointer string, kind protocol.TaskKind, from protocol.TaskFrom, to *[]protocol.Problem) protocol.TaskReport {
	report := protocol.DecodeTask(v, kind, from)
	_, at, ok := protocol.Lookup(in.m.Raw, pointer)
	for _, p := range report.Problems {
		p.Pointer = pointer + p.Pointer
		if p.Offset >= 0 && ok {
			p.Offset += at
		}
		s.findOften(in.Seq, p)
		if to != nil {
			*to = append(slices.Clip(*to), p)
		}
	}
	return report
}

// findTask adds a finding about a task. mu is held.
func (s *Session) findTask(t *task, seq uint64, p protocol.Problem) {
	s.findOften(seq, p)
	keepProblem(&t.Problems, maxTaskProblems, p)
}

// endTask takes how a task ended; an outcome that is nil is none. mu is held.
func (s *Session) endTask(t *task, end *outcome) {
	t.follow, t.early = false, nil
	t.NextPoll = time.Time{}
	if end != nil {
		t.ResultSeq = end.seq
	}
	s.dropTaskAsks(t, nil)
	s.note("task", fmt.Sprintf("%s ended: %s", shorten(t.ID, 100), t.Status))
	s.changed()
	call := t.call
	if call == nil {
		return
	}
	if end == nil {
		s.finish(call, CallCancelled, taskText("The task was cancelled", t))
		return
	}
	st := &call.st
	if call.ended() {
		if st.AnswerSeq == 0 {
			st.Late, st.AnswerSeq, st.Answer, st.LateBy = true, end.seq, end.m, time.Since(st.end())
			s.calls.bytes += len(end.m.Raw)
			s.callsChanged()
		}
		return
	}
	st.AnswerSeq, st.Answer = end.seq, end.m
	if t.Kind == protocol.TaskExtension {
		st.ResultType = resultComplete
	}
	s.judgeOutcome(t, end)
	if end.m.Kind == protocol.Error {
		s.finish(call, CallError, "")
		return
	}
	s.finish(call, CallOK, "")
}

// loseTask stops following a task. mu is held.
func (s *Session) loseTask(t *task, how TaskLoss, text string) {
	t.follow, t.Loss, t.Err, t.NextPoll = false, how, text, time.Time{}
	s.dropTaskAsks(t, nil)
	s.note("task", fmt.Sprintf("%s is %s: %s", shorten(t.ID, 100), how, text))
	if t.call != nil {
		phase := CallLost
		if !t.Cancelling.IsZero() && how == TaskGone {
			phase = CallCancelled // cancelled tasks need not be kept (TASK-17)
		}
		s.finish(t.call, phase, text)
	}
	s.changed()
}

func taskText(what string, t *task) string {
	if t.Message == "" {
		return what + "."
	}
	return what + ": " + shorten(t.Message, 500)
}

// pauseTasks puts away the questions of tasks when the link is gone; the tasks
// may go on at the server. mu is held.
func (s *Session) pauseTasks() {
	for _, t := range s.live.tasks.all {
		s.dropTaskAsks(t, nil)
		clear(t.asked)
		t.Polling = false
	}
}

// taskOfMeta is the task of 2025-11-25 that a message says it belongs to
// (TASK-15). mu is held.
func (s *Session) taskOfMeta(m protocol.Message) *task {
	meta, _, _ := protocol.Lookup(m.Params, "/_meta")
	id, ok := protocol.RelatedTask(meta)
	if !ok {
		return nil
	}
	return s.live.tasks.byID(protocol.TaskCore, id)
}

// AddTask makes a task known by its id and follows it, such as one of an older
// session (TSKX-06, TSKX-18).
func (s *Session) AddTask(ref TaskRef) (key uint64, err error) {
	return s.adoptTask(ref, TaskByHand)
}

func (s *Session) adoptTask(ref TaskRef, origin TaskOrigin) (key uint64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	kind := s.taskKind()
	switch {
	case ref.ID == "":
		return 0, errors.New("following a task: it has no id")
	case kind == 0:
		return 0, errors.New("following a task: this revision has none")
	case ref.Kind != 0 && ref.Kind != kind:
		return 0, fmt.Errorf("following a task: it is one of the kind %s, and this revision has the kind %s (TSKX-19)", ref.Kind, kind)
	}
	t := s.live.tasks.byID(kind, ref.ID)
	if t == nil {
		if t = s.addTask(kind, ref.ID, origin); t == nil {
			return 0, fmt.Errorf("following a task: %w", errManyTasks)
		}
		t.Tool = ref.Tool
	}
	s.followTask(t)
	return t.Key, nil
}

// FollowTask chooses whether the status of a task is asked for by itself. A call
// that waits for a task which is not followed any more ends as lost.
func (s *Session) FollowTask(key uint64, on bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.live.tasks.byKey(key)
	switch {
	case t == nil:
		return errNoTask
	case on:
		s.followTask(t)
	case t.follow:
		s.loseTask(t, TaskLeft, "The task is not followed any more; it may go on at the server.")
	}
	return nil
}

// followTask has a task polled from now on. mu is held.
func (s *Session) followTask(t *task) {
	if t.Over() && (t.ResultSeq != 0 || t.Status == protocol.TaskCancelled) {
		return
	}
	t.follow, t.Loss, t.Err, t.Failures = true, TaskKept, "", 0
	s.pollSoon(t)
}

// PollTask asks for the status of a task now.
func (s *Session) PollTask(key uint64) error {
	s.mu.Lock()
	t := s.live.tasks.byKey(key)
	if t == nil {
		s.mu.Unlock()
		return errNoTask
	}
	if t.follow {
		s.pollSoon(t)
		s.mu.Unlock()
		return nil
	}
	begin := !t.Polling
	t.Polling = true
	s.mu.Unlock()
	if begin && !s.spawn(func() { s.pollTask(t) }) {
		return errClosed
	}
	return nil
}

// TaskResult asks for the outcome of a task of 2025-11-25 (TASK-09), also of one
// that is not followed. It waits for the answer, which comes when the task is
// over; Task.ResultSeq tells where it is.
func (s *Session) TaskResult(ctx context.Context, key uint64) error {
	s.mu.Lock()
	t := s.live.tasks.byKey(key)
	s.mu.Unlock()
	if t == nil {
		return errNoTask
	}
	if t.Kind != protocol.TaskCore {
		return errors.New("asking for the result of a task: in this revision it comes with its status (TSKX-18)")
	}
	st, err := s.askTask(ctx, t, protocol.MethodTasksResult, protocol.TaskParams(t.ID), CallOptions{Timeout: -1, Maximum: -1})
	if err == nil && st.Phase != CallError {
		err = st.failure()
	}
	if err != nil {
		return fmt.Errorf("asking for the result of a task: %w", err)
	}
	return nil
}

// CancelTask asks the server to stop a task (TASK-17, TSKX-13). The task, and
// the call that waits for it, is over when the server says so.
func (s *Session) CancelTask(ctx context.Context, key uint64) error {
	s.mu.Lock()
	t := s.live.tasks.byKey(key)
	s.mu.Unlock()
	if t == nil {
		return errNoTask
	}
	return s.cancelTask(ctx, t)
}

func (s *Session) cancelTask(ctx context.Context, t *task) error {
	s.mu.Lock()
	if caps := s.taskCapabilities(); t.Kind == protocol.TaskCore && !caps.Cancel && !s.o.AskAll {
		s.mu.Unlock()
		return errors.New("cancelling a task: the server does not declare tasks.cancel")
	}
	t.Cancelling = time.Now()
	if t.givenUp() {
		s.dropTaskAsks(t, nil)
	}
	s.changed()
	s.mu.Unlock()
	s.note("task", "asked to cancel "+shorten(t.ID, 100))
	st, err := s.askTask(ctx, t, protocol.MethodTasksCancel, protocol.TaskParams(t.ID), CallOptions{Timeout: taskTimeout})
	if err == nil {
		err = st.failure()
	}
	s.mu.Lock()
	if t.follow {
		s.pollSoon(t) // the answer may lag (TSKX-12)
	}
	s.mu.Unlock()
	if err != nil {
		return fmt.Errorf("cancelling a task: %w", err)
	}
	return nil
}

// ForgetTask takes a task that is not followed off State.Tasks.
func (s *Session) ForgetTask(key uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := &s.live.tasks.all
	*all = slices.DeleteFunc(*all, func(t *task) bool { return t.Key == key && !t.follow && !t.Polling })
	s.changed()
}

// ListTasks asks for all pages of tasks/list (TASK-18). Tasks that were not known
// are not followed by themselves: they may be another client's.
func (s *Session) ListTasks(ctx context.Context) error {
	s.mu.Lock()
	caps, all := s.taskCapabilities(), s.o.AskAll
	core := s.taskKind() == protocol.TaskCore
	s.mu.Unlock()
	if !core || !caps.List && !all {
		return errors.New("listing tasks: the server does not declare tasks.list (TASK-18)")
	}
	began := time.Now()
	listed := map[string]bool{}
	guard := newCursorGuard()
	var cursor jsontext.Value
	for range maxTaskPages {
		var params jsontext.Value
		if cursor != nil {
			params = append(append([]byte(`{"cursor":`), cursor...), '}')
		}
		st, err := s.brief(ctx, s.taskRequest(protocol.MethodTasksList, params), CallOptions{Timeout: taskTimeout})
		if err == nil {
			err = st.failure()
		}
		if err != nil {
			return fmt.Errorf("listing tasks: %w", err)
		}
		page := protocol.DecodeTaskList(st.Answer.Result)
		for _, report := range page.Tasks {
			listed[report.ID] = true
		}
		if !page.HasNext {
			s.judgeListed(began, listed, st.AnswerSeq)
			return nil
		}
		cursor = protocol.QuoteString(page.Next)
		if guard.seen(cursor) {
			s.mu.Lock()
			s.find(st.AnswerSeq, violation("L-PAGE-02", "The cursor "+shorten(page.Next, 200)+" of tasks/list came before: the pages go in a circle, reading stopped."))
			s.mu.Unlock()
			return nil
		}
	}
	return fmt.Errorf("listing tasks: there are more than %d pages; what came so far is kept", maxTaskPages)
}
