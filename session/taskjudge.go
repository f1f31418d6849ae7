package session

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcploupe/protocol"
)

// taskMethod reports whether a request is about tasks.
func taskMethod(method string) bool {
	switch method {
	case protocol.MethodTasksGet, protocol.MethodTasksResult, protocol.MethodTasksList, protocol.MethodTasksCancel, protocol.MethodTasksUpdate:
		return true
	}
	return false
}

func notRelated(method string) protocol.Problem {
	return violation("L-TASK-07", method+" came for a task, and its _meta does not say so.")
}

// pendingCall is the call that waits for the task, nil if none does.
func (t *task) pendingCall() *Call {
	if t.call == nil || t.call.ended() {
		return nil
	}
	return t.call
}

// augmented reports whether the request of a call asked for a task.
func (c *Call) augmented() bool {
	_, _, ok := protocol.Lookup(c.raw, "/params/task")
	return ok
}

// judgeCreated judges the answer that makes a call a task. mu is held.
func (s *Session) judgeCreated(call *Call, in incoming, kind protocol.TaskKind, id string) {
	found := func(p protocol.Problem) {
		call.st.Problems = append(call.st.Problems, p)
		s.find(in.Seq, p)
	}
	if kind == protocol.TaskCore && !call.augmented() {
		found(violation("L-TASK-01", "The call did not ask for a task, and was answered with one."))
	}
	if kind == protocol.TaskCore && s.listed.taskSupport(call.st.Name) == protocol.TaskForbidden {
		found(warning("L-TASK-11", "The tool "+shorten(call.st.Name, 100)+" forbids tasks, and its call became one."))
	}
	if kind == protocol.TaskExtension && s.taskCapabilities().Kind != kind {
		found(violation("L-TSKX-02", "The call became a task, and the server does not declare the extension "+protocol.TasksExtension+"."))
	}
	if id == "" {
		return
	}
	rule := "L-TASK-12"
	if kind == protocol.TaskExtension {
		rule = "L-TSKX-17"
	}
	if t := s.live.tasks.byID(kind, id); t != nil && (t.call != nil || t.Origin == TaskRestored) {
		found(violation(rule, "The task id "+shorten(id, 100)+" was given before."))
	}
	if s.live.tasks.lastID == nil {
		s.live.tasks.lastID = map[protocol.TaskKind]string{}
	}
	if last := s.live.tasks.lastID[kind]; follows(last, id) {
		found(violation(rule, "The task id "+shorten(id, 100)+" counts on from "+shorten(last, 100)+": whoever has one can guess the next."))
	}
	s.live.tasks.lastID[kind] = id
}

// follows reports whether two ids are the same but for a number at their end,
// which is the next one.
func follows(last, id string) bool {
	split := func(s string) (string, uint64, bool) {
		head := strings.TrimRight(s, "0123456789")
		n, err := strconv.ParseUint(s[len(head):], 10, 64)
		return head, n, err == nil
	}
	a, n, ok := split(last)
	b, m, also := split(id)
	return ok && also && a == b && m == n+1
}

// judgeNoTask judges the answer to a tool's call that did not become a task
// (L-TASK-01, L-TASK-11). mu is held.
func (s *Session) judgeNoTask(call *Call, in incoming) {
	r := call.p.send.Revision
	if call.st.Method != protocol.MethodToolsCall || r == nil || call.st.Task != 0 {
		return
	}
	if r.Modern {
		if call.augmented() && in.m.Kind == protocol.Error && strings.Contains(strings.ToLower(string(in.m.Error)), "task") {
			s.find(in.Seq, violation("L-TSKX-12", "A call with params.task was refused; in this revision the server ignores it."))
		}
		return
	}
	if s.taskKind() != protocol.TaskCore || !s.taskCapabilities().Calls {
		return
	}
	support := s.listed.taskSupport(call.st.Name)
	code := ""
	if in.m.Kind == protocol.Error {
		e, _ := protocol.DecodeError(in.m.Error)
		code = e.Code
	}
	refused := code == "-32601" || code == "-32600" // trap 74
	switch {
	case call.augmented() && support != protocol.TaskOptional && support != protocol.TaskRequired:
		if !refused && support != "" { // what a tool that says nothing does is its own affair
			s.find(in.Seq, warning("L-TASK-11", "The tool "+shorten(call.st.Name, 100)+" was called as a task, which it forbids, and the answer is not -32601."))
		}
	case call.augmented() && in.m.Kind == protocol.Result:
		s.find(in.Seq, violation("L-TASK-01", "The call asked for a task, and was answered with a result of its own."))
	case !call.augmented() && support == protocol.TaskRequired && !refused:
		s.find(in.Seq, violation("L-TASK-11", "The tool "+shorten(call.st.Name, 100)+" requires a task, was called without, and the answer is not -32601."))
	}
}

// lateTask takes a task that a call became after it was given up: it is asked to
// be cancelled (CAN-07). mu is held.
func (s *Session) lateTask(call *Call, in incoming) bool {
	kind := s.taskKindOf(call, in.m)
	if kind == 0 {
		return false
	}
	report := s.decodeTask(in, in.m.Result, "/result", kind, protocol.TaskCreated, &call.st.Problems)
	if report.ID == "" {
		return false
	}
	t := s.taskOfAnswer(kind, report.ID)
	if t == nil {
		return false
	}
	call.st.Late, call.st.AnswerSeq, call.st.Answer, call.st.LateBy = false, 0, protocol.Message{}, 0
	s.calls.bytes -= len(in.m.Raw)
	t.Call, t.Tool, t.CreatedSeq, t.follow, t.call = call.st.Key, call.st.Name, in.Seq, true, call
	call.task, call.st.Task = t, t.Key
	s.applyTask(t, report, in, protocol.TaskCreated, call)
	call.cancelExchange(errAnswered)
	s.callsChanged()
	if !s.isClosing {
		s.goes(func() { _ = s.cancelTask(s.ctx, t) })
	}
	return true
}

// judgeTaskAnswer judges the answer to a request about tasks, whoever sent it.
// mu is held.
func (s *Session) judgeTaskAnswer(call *Call, in incoming, kind protocol.TaskKind) {
	t := call.p.about
	if t == nil {
		t = s.live.tasks.byID(kind, call.st.Name)
	}
	find := func(p protocol.Problem) {
		if t != nil {
			s.findTask(t, in.Seq, p)
			return
		}
		s.findOften(in.Seq, p)
	}
	code := ""
	if in.m.Kind == protocol.Error {
		e, _ := protocol.DecodeError(in.m.Error)
		code = e.Code
	}
	if kind == protocol.TaskCore {
		s.judgeCoreAnswer(call, in, t, code, find)
		return
	}
	what := call.st.Method + " of the task " + shorten(call.st.Name, 100)
	extends := s.view.serverCaps.ExtendsTasks() // else its codes are its own
	switch {
	case call.st.Method == protocol.MethodTasksResult || call.st.Method == protocol.MethodTasksList:
		if code != "-32601" {
			find(violation("L-TSKX-12", call.st.Method+" was not answered with -32601; the extension does not have it."))
		}
		return
	case !protocol.DeclaresTasks(call.declared()):
		if extends && code != "-32021" {
			find(violation("L-TSKX-11", what+" did not declare the extension, and was not answered with -32021."))
		}
		return
	case code == "-32602" && call.st.Method == protocol.MethodTasksGet && t != nil && t.Origin == TaskOfCall && !t.told && t.Cancelling.IsZero():
		if left, ok := t.Left(time.Now()); !ok || left > 0 {
			find(violation("L-TSKX-04", "The server gave the task "+shorten(t.ID, 100)+" out and does not know it when it is first asked for."))
		}
	case extends && code != "" && t == nil && call.st.Method == protocol.MethodTasksGet && code != "-32602":
		find(violation("L-TSKX-11", what+", which is not known, was answered with "+code+" instead of -32602."))
	case extends && code != "" && t == nil && code != "-32602":
		find(warning("L-TSKX-11", what+", which is not known, was answered with "+code+" instead of -32602."))
	}
	if in.m.Kind != protocol.Result || call.st.Method == protocol.MethodTasksGet {
		return
	}
	for name := range protocol.Members(in.m.Result) {
		if name != "resultType" && name != "_meta" {
			find(violation("L-TSKX-10", "The answer to "+call.st.Method+" has the member "+shorten(name, 60)+"; it is a bare acknowledgement."))
			return
		}
	}
}

// judgeCoreAnswer is judgeTaskAnswer for 2025-11-25. mu is held.
func (s *Session) judgeCoreAnswer(call *Call, in incoming, t *task, code string, find func(protocol.Problem)) {
	what := call.st.Method + " of the task " + shorten(call.st.Name, 100)
	over := t != nil && t.Over()
	switch {
	case call.st.Method == protocol.MethodTasksList && code != "":
		if _, _, paged := protocol.Lookup(call.raw, "/params/cursor"); paged && code != "-32602" && code != "-32603" {
			find(violation("L-TASK-09", "tasks/list with a cursor was refused with "+code+" instead of -32602."))
		}
	case call.st.Method == protocol.MethodTasksCancel && over && t.StatusSeq < in.Seq && t.Changed.Before(call.st.Started):
		if code != "-32602" {
			find(violation("L-TASK-09", what+", which is "+string(t.Status)+", was not refused with -32602."))
		}
	case (call.st.Method == protocol.MethodTasksGet || call.st.Method == protocol.MethodTasksCancel || call.st.Method == protocol.MethodTasksResult && t == nil) &&
		(t == nil || t.Loss == TaskGone) && code != "" && code != "-32602":
		find(violation("L-TASK-09", what+", which is not known, was answered with "+code+" instead of -32602."))
	case call.st.Method == protocol.MethodTasksResult && in.m.Kind == protocol.Result:
		meta, _, _ := protocol.Lookup(in.m.Result, "/_meta")
		if id, _ := protocol.RelatedTask(meta); id != call.st.Name {
			find(violation("L-TASK-06", "The _meta of the answer to tasks/result does not name the task."))
		}
	}
}

// judgeOutcome judges the result of a task as that of its call. mu is held.
func (s *Session) judgeOutcome(t *task, end *outcome) {
	if end.m.Kind != protocol.Result {
		if t.Kind == protocol.TaskCore && t.Status == protocol.TaskCompleted {
			s.findTask(t, end.seq, violation("L-TASK-05", "The task is completed, and tasks/result brings an error."))
		}
		return
	}
	v, _, _ := protocol.Lookup(end.m.Result, "/isError")
	isError := string(v) == "true"
	if t.Kind == protocol.TaskExtension {
		if kind, _, ok := protocol.Lookup(end.m.Result, "/resultType"); ok && string(kind) != `"complete"` {
			s.findTask(t, end.seq, violation("L-TSKX-06", "The result of the task has the resultType "+shorten(string(kind), 60)+"; from a task there is no way back (TSKX-20)."))
		}
		return
	}
	if isError && t.Status == protocol.TaskCompleted {
		s.findTask(t, end.seq, warning("L-TASK-16", "The tool failed, and the task says completed; in this revision it says failed."))
	}
	if content, _, ok := protocol.Lookup(end.m.Result, "/content"); !ok || content.Kind() != '[' {
		s.findTask(t, end.seq, violation("L-TASK-05", "What tasks/result brings is not what the call would have been answered with: it has no content."))
	}
}

// judgeNotified judges notifications/tasks: only tasks that an acknowledged
// subscription names are told of. mu is held.
func (s *Session) judgeNotified(t *task, in incoming, id string) {
	for _, sub := range s.live.subs.all {
		if sub.Kind == SubListen && sub.acked && slices.Contains(sub.Agreed.TaskIDs, id) {
			return
		}
	}
	p := violation("L-TSKX-14", "notifications/tasks tells of the task "+shorten(id, 100)+", which no acknowledged subscription names.")
	if t != nil {
		s.findTask(t, in.Seq, p)
		return
	}
	s.findOften(in.Seq, p)
}

// judgeTaskFilter checks that a server with the extension refuses a listen
// request that names tasks and does not declare it (L-TSKX-11); code is that of
// the refusal, "" if it was acknowledged. mu is held.
func (s *Session) judgeTaskFilter(sub *subscription, seq uint64, code string) {
	if len(sub.Asked.TaskIDs) == 0 || code == "-32021" || !s.view.serverCaps.ExtendsTasks() || protocol.DeclaresTasks(sub.call.declared()) {
		return
	}
	became := "acknowledged"
	if code != "" {
		became = "refused with " + code
	}
	s.findSub(sub, seq, violation("L-TSKX-11", "Subscription "+sub.ID.String()+" names tasks without declaring the extension, and was "+became+" instead of refused with -32021."))
}

// judgeListed checks a complete listing: a task that the server knows is in it
// (L-TASK-13).
func (s *Session) judgeListed(began time.Time, listed map[string]bool, seq uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.live.tasks.all {
		left, limited := t.Left(time.Now())
		if t.Kind == protocol.TaskCore && t.told && t.Loss == TaskKept && t.Status != protocol.TaskCancelled && t.Since.Before(began) &&
			(!limited || left > 0) && !listed[t.ID] {
			s.findTask(t, seq, violation("L-TASK-13", "The task "+shorten(t.ID, 100)+" is known to tasks/get and is not in tasks/list."))
		}
	}
}

// strayOfTask flags progress and log messages of a call that has become a task
// (L-TSKX-15), or of a task of 2025-11-25 that do not name it (L-TASK-07), and
// reports whether it was a stray one. mu is held.
func (s *Session) strayOfTask(c *conn, in incoming) bool {
	call := s.calls.inExchange(c, in)
	if in.m.Method == protocol.NotificationProgress {
		call, _ = s.calls.byProgress(protocol.DecodeProgress(in.m.Params).Token)
	}
	if call == nil || call.task == nil {
		return false
	}
	if call.task.Kind == protocol.TaskCore {
		if s.taskOfMeta(in.m) == nil {
			s.findTask(call.task, in.Seq, notRelated(in.m.Method))
		}
		return false
	}
	s.findTask(call.task, in.Seq, violation("L-TSKX-15", in.m.Method+" came for a call after it had become a task."))
	return true
}

// judgeTaskCapability checks what the server declares when the revision is
// known (L-TSKX-16). mu is held.
func (s *Session) judgeTaskCapability() {
	if r := s.view.revision; r != nil && r.Modern && s.view.serverCaps.Tasks != nil {
		s.find(0, violation("L-TSKX-16", "The server declares the capability tasks, which this revision does not have; tasks are an extension there."))
	}
}

// judgeTaskSupport notes tools that speak of tasks where the server does not
// (L-TASK-14). mu is held.
func (s *Session) judgeTaskSupport(tools []protocol.Tool, seq uint64) {
	if s.taskKind() != protocol.TaskCore || s.taskCapabilities().Calls {
		return
	}
	for _, tool := range tools {
		if tool.TaskSupport == protocol.TaskOptional || tool.TaskSupport == protocol.TaskRequired {
			s.findOften(seq, information("L-TASK-14", fmt.Sprintf("The tool %s has taskSupport %s, and the server does not declare tasks.requests.tools.call: it is never called as a task (TASK-03).",
				shorten(tool.Name, 100), tool.TaskSupport)))
		}
	}
}
