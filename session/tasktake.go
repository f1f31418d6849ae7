package session

import (
	"fmt"
	"slices"
	"time"

	"mcploupe/protocol"
)

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
