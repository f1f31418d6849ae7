package protocol

import (
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// TasksExtension is the id of the extension that brings tasks to 2026-07-28.
const TasksExtension = "io.modelcontextprotocol/tasks"

// tasksPointer is TasksExtension in a JSON Pointer.
const tasksPointer = "io.modelcontextprotocol~1tasks"

// Members of _meta about tasks of 2025-11-25.
const (
	MetaRelatedTask       = "io.modelcontextprotocol/related-task"             // {taskId} (TASK-15)
	MetaImmediateResponse = "io.modelcontextprotocol/model-immediate-response" // a string (TASK-21)
)

// The values of execution.taskSupport of a tool (TASK-04 to TASK-06).
const (
	TaskForbidden = "forbidden"
	TaskOptional  = "optional"
	TaskRequired  = "required"
)

// TaskKind is the shape in which a task crosses the wire.
type TaskKind uint8

// The shapes of tasks; the zero value is none.
const (
	TaskCore      TaskKind = iota + 1 // 2025-11-25: nested, with tasks/result and tasks/list
	TaskExtension                     // io.modelcontextprotocol/tasks: flat, with tasks/update
)

// String is the shape in a word or two.
func (k TaskKind) String() string {
	return [...]string{"none", "core", "extension"}[min(k, TaskExtension)]
}

// TaskStatus is the status of a task as the server says it.
type TaskStatus string

// The statuses of tasks.
const (
	TaskWorking       TaskStatus = "working"
	TaskInputRequired TaskStatus = "input_required"
	TaskCompleted     TaskStatus = "completed"
	TaskFailed        TaskStatus = "failed"
	TaskCancelled     TaskStatus = "cancelled"
)

// Known reports whether it is one of the five.
func (s TaskStatus) Known() bool { return s == TaskWorking || s == TaskInputRequired || s.Over() }

// Over reports whether the task has ended.
func (s TaskStatus) Over() bool { return s == TaskCompleted || s == TaskFailed || s == TaskCancelled }

// TaskMayBecome reports whether a task may go from one status to another
// (TASK-19): only from one that is not the end.
func TaskMayBecome(from, to TaskStatus) bool { return from == to || !from.Over() }

// TaskFrom is the kind of message that tells of a task.
type TaskFrom uint8

// The messages that tell of a task.
const (
	TaskCreated  TaskFrom = iota // the answer to the call that became the task
	TaskGot                      // the answer to tasks/get
	TaskCancel                   // the answer to tasks/cancel (2025-11-25)
	TaskListed                   // an element of the answer to tasks/list
	TaskNotified                 // the params of notifications/tasks/status or notifications/tasks
)

// TaskReport is what one message says of a task. Pointers and offsets of
// problems count from the value that was decoded.
type TaskReport struct {
	ID                   string
	Status               TaskStatus
	Message              string
	CreatedAt, UpdatedAt string    // as sent, "" when absent
	Created, Updated     time.Time // of these, zero when they cannot be read
	TTL                  string    // number text in milliseconds, "null" for unlimited, "" when absent
	PollInterval         string    // number text in milliseconds, "" when absent
	Inputs               []InputRequest
	HasInputs            bool
	Result, Error        jsontext.Value // extension: how it ended; nil when absent
	Meta                 jsontext.Value
	Problems             []Problem
}

// DecodeTask decodes a task. The answer to a call has it in the member task in
// 2025-11-25 (TASK-07), and everywhere else the object itself is the task
// (TSKX-04); it is taken from where it is, and found fault with.
func DecodeTask(v jsontext.Value, kind TaskKind, from TaskFrom) (t TaskReport) {
	d := taskDecoder{kind: kind, from: from, decoder: decoder{rule: taskShapeRule(kind, from)}}
	root := rootNode(v)
	if root.kind() != '{' {
		d.add(root, d.rule, Violation, "The task is "+kindName(root.kind())+" instead of an object.")
		t.Problems = d.problems()
		return t
	}
	task := root
	nested := false
	root.members(func(m *node) {
		switch m.name {
		case "task":
			if m.kind() == '{' {
				task, nested = m, true
			}
		case "_meta":
			d.object(m, &t.Meta)
		case "resultType":
			d.resultType(m)
		}
	})
	switch {
	case nested && (kind == TaskExtension || from != TaskCreated):
		d.add(task, d.rule, Violation, "The task is in the member task; its members belong into the object itself.")
	case !nested && kind == TaskCore && from == TaskCreated:
		d.add(root, "L-TASK-01", Violation, "The task is not in the member task.")
	}
	d.members(task, &t)
	d.judge(task, &t)
	t.Problems = d.problems()
	return t
}

// IsTask reports whether the result of a call is a task of 2025-11-25.
func IsTask(result jsontext.Value) bool {
	v, _, ok := Lookup(result, "/task/taskId")
	return ok && v.Kind() == '"'
}

// taskShapeRule is the rule that a task of the wrong shape breaks.
func taskShapeRule(kind TaskKind, from TaskFrom) string {
	switch {
	case kind == TaskCore && from == TaskCreated:
		return "L-TASK-01"
	case kind == TaskCore:
		return "L-TASK-04"
	case from == TaskNotified:
		return "L-TSKX-14"
	}
	return "L-TSKX-03"
}

type taskDecoder struct {
	decoder
	kind TaskKind
	from TaskFrom
}

func (d *taskDecoder) resultType(m *node) {
	if d.kind != TaskExtension || d.from == TaskCreated || d.from == TaskNotified {
		return
	}
	if name, _ := m.string(); name != ResultComplete {
		d.add(m, "L-TSKX-05", Violation, "resultType is "+clip(string(m.raw()))+` instead of "complete".`)
	}
}

// members reads the members of the task.
func (d *taskDecoder) members(task *node, t *TaskReport) {
	ttl, interval := "ttl", "pollInterval"
	otherTTL, otherInterval := "ttlMs", "pollIntervalMs"
	if d.kind == TaskExtension {
		ttl, interval, otherTTL, otherInterval = otherTTL, otherInterval, ttl, interval
	}
	task.members(func(m *node) {
		switch m.name {
		case "taskId":
			d.string(m, &t.ID)
		case "status":
			var s string
			if d.string(m, &s) {
				t.Status = TaskStatus(s)
			}
		case "statusMessage":
			d.string(m, &t.Message)
		case "createdAt":
			d.time(m, &t.CreatedAt, &t.Created)
		case "lastUpdatedAt":
			d.time(m, &t.UpdatedAt, &t.Updated)
		case ttl:
			t.TTL = d.duration(m, true)
		case interval:
			t.PollInterval = d.duration(m, false)
		case otherTTL, otherInterval:
			d.add(m, d.rule, Warning, m.name+" is of the other kind of tasks; it is not looked at.")
		case "inputRequests":
			t.HasInputs = true
			var v jsontext.Value
			if d.object(m, &v) {
				t.Inputs = DecodeInputRequests(v)
			}
		case "result":
			d.object(m, &t.Result)
		case "error":
			d.object(m, &t.Error)
		}
	})
}

// duration reads a number of milliseconds.
func (d *taskDecoder) duration(m *node, nullable bool) string {
	if nullable && m.kind() == 'n' {
		return "null"
	}
	var text string
	d.number(m, &text)
	if strings.HasPrefix(text, "-") {
		d.add(m, d.rule, Violation, m.name+" is negative.")
	}
	return text
}

// timeLayouts are forms of ISO 8601 that servers write.
var timeLayouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04Z07:00", "20060102T150405Z0700",
	"20060102T150405Z07:00", "2006-01-02T15:04:05.999999999",
}

func (d *taskDecoder) time(m *node, text *string, at *time.Time) {
	if !d.string(m, text) {
		return
	}
	for _, layout := range timeLayouts {
		if when, err := time.Parse(layout, *text); err == nil {
			*at = when
			return
		}
	}
	d.add(m, d.timeRule(), Violation, m.name+" is no time of ISO 8601: "+clip(*text)+".")
}

func (d *taskDecoder) timeRule() string {
	if d.kind == TaskCore {
		return "L-TASK-04"
	}
	return d.rule
}

// judge says what is missing and what does not fit together.
func (d *taskDecoder) judge(n *node, t *TaskReport) {
	missing := func(rule, name string) { d.add(n, rule, Violation, "The task has no usable "+name+".") }
	if t.ID == "" {
		missing(d.rule, "taskId")
	} else if d.from == TaskCreated {
		d.judgeID(n, t.ID)
	}
	switch {
	case t.Status == "":
		missing(d.rule, "status")
	case !t.Status.Known():
		d.add(n, d.rule, Violation, "The status "+clip(string(t.Status))+" is none of the five.")
	}
	if t.CreatedAt == "" {
		missing(d.timeRule(), "createdAt")
	}
	if t.UpdatedAt == "" {
		missing(d.timeRule(), "lastUpdatedAt")
	}
	if !t.Created.IsZero() && !t.Updated.IsZero() && t.Updated.Before(t.Created) {
		rule := "L-TASK-04"
		if d.kind == TaskExtension {
			rule = "L-TSKX-13"
		}
		d.add(n, rule, Violation, "lastUpdatedAt is before createdAt.")
	}
	if d.kind == TaskExtension {
		if t.TTL == "" {
			missing(d.rule, "ttlMs")
		}
		d.judgeParts(n, t)
		return
	}
	if t.TTL == "" && (d.from == TaskGot || d.from == TaskCreated) {
		missing("L-TASK-04", "ttl")
	}
	if d.from == TaskCreated && t.Status != TaskWorking && t.Status.Known() {
		d.add(n, "L-TASK-02", Violation, "The task begins as "+string(t.Status)+" instead of working.")
	}
	if id, ok := RelatedTask(t.Meta); ok && (d.from == TaskGot || d.from == TaskCancel) {
		d.add(n, "L-TASK-08", Warning, "_meta names the related task "+clip(id)+"; this answer is about one anyway.")
	}
	if d.from == TaskCancel && t.Status != TaskCancelled && t.Status.Known() {
		d.add(n, "L-TASK-10", Violation, "The answer to tasks/cancel says "+string(t.Status)+" instead of cancelled.")
	}
}

// judgeParts checks what comes with a status in the extension (TSKX-07).
func (d *taskDecoder) judgeParts(n *node, t *TaskReport) {
	if d.from == TaskCreated {
		return
	}
	for _, part := range []struct {
		name string
		of   TaskStatus
		has  bool
	}{{"result", TaskCompleted, t.Result != nil}, {"error", TaskFailed, t.Error != nil}, {"inputRequests", TaskInputRequired, t.HasInputs}} {
		switch {
		case part.of == t.Status && !part.has:
			d.add(n, "L-TSKX-06", Violation, "The task is "+string(t.Status)+" and has no "+part.name+".")
		case part.of != t.Status && part.has && t.Status.Known():
			d.add(n, "L-TSKX-06", Violation, "The task is "+string(t.Status)+" and has the member "+part.name+".")
		}
	}
	if v, _, _ := Lookup(t.Result, "/isError"); string(v) == "true" && t.Status == TaskFailed {
		d.add(n, "L-TSKX-07", Violation, "The tool failed, and the task says failed; that is for errors of the protocol, and this is completed.")
	}
}

// shortID is the length under which an id of a task can be guessed.
const shortID = 12

// judgeID flags ids that can be guessed (L-TASK-12, L-TSKX-17).
func (d *taskDecoder) judgeID(n *node, id string) {
	rule := "L-TASK-12"
	if d.kind == TaskExtension {
		rule = "L-TSKX-17"
	}
	seen := map[rune]bool{}
	for _, r := range id {
		seen[r] = true
	}
	if len(id) < shortID || len(seen) < 5 {
		d.add(n, rule, Violation, "The task id "+clip(id)+" is easy to guess.")
	}
}

// TaskList is the answer to tasks/list.
type TaskList struct {
	Tasks    []TaskReport
	Next     string // cursor of the next page
	HasNext  bool
	Problems []Problem // those of tasks are in the tasks
}

// DecodeTaskList decodes the result of tasks/list of 2025-11-25.
func DecodeTaskList(result jsontext.Value) (l TaskList) {
	d := decoder{rule: "L-TASK-04"}
	root := rootNode(result)
	has := false
	root.members(func(m *node) {
		switch m.name {
		case "tasks":
			if has = m.kind() == '['; !has {
				d.wrong(m, "an array")
			}
			d.elements(m, func(e *node) { l.Tasks = append(l.Tasks, DecodeTask(e.raw(), TaskCore, TaskListed)) })
		case "nextCursor":
			l.HasNext = d.string(m, &l.Next)
		case "_meta":
			if id, ok := RelatedTask(m.raw()); ok {
				d.add(m, "L-TASK-08", Warning, "_meta names the related task "+clip(id)+"; the answer is about all.")
			}
		}
	})
	if !has {
		d.add(root, "L-TASK-04", Violation, "The answer has no list of tasks.")
	}
	l.Problems = d.problems()
	return l
}

// RelatedTask is the task that a _meta object says its message belongs to.
func RelatedTask(meta jsontext.Value) (id string, ok bool) {
	v, _, _ := Lookup(meta, "/io.modelcontextprotocol~1related-task/taskId")
	return StringValue(v)
}

// RelatedTaskMeta is the value of the member of _meta that names a task.
func RelatedTaskMeta(id string) jsontext.Value {
	return append(append(jsontext.Value(`{"taskId":`), QuoteString(id)...), '}')
}

// TaskParams are the params of a request about a task.
func TaskParams(id string) jsontext.Value { return RelatedTaskMeta(id) }

// TaskUpdateParams are the params of tasks/update; answers is an object by keys
// of inputRequests (TSKX-08).
func TaskUpdateParams(id string, answers jsontext.Value) jsontext.Value {
	b := append(jsontext.Value(`{"taskId":`), QuoteString(id)...)
	return append(append(append(b, `,"inputResponses":`...), answers...), '}')
}

// TaskOutcome is how a task ended as if the call had been answered with it:
// m is the answer to tasks/result of 2025-11-25, or a message of the extension
// that tells of a task that is over. ok is false when it tells of no end.
func TaskOutcome(m Message, kind TaskKind) (outcome Message, ok bool) {
	if kind == TaskCore {
		return m, m.Kind == Result || m.Kind == Error
	}
	from := m.Result
	if m.Kind == Notification {
		from = m.Params
	}
	outcome = Message{Raw: m.Raw, ID: m.ID, Problems: m.Problems}
	if v, _, has := Lookup(from, "/result"); has && v.Kind() == '{' {
		outcome.Kind, outcome.Result = Result, v
		return outcome, true
	}
	if v, _, has := Lookup(from, "/error"); has && v.Kind() == '{' {
		outcome.Kind, outcome.Error = Error, v
		return outcome, true
	}
	return Message{}, false
}

// TaskCapabilities are what a server offers about tasks.
type TaskCapabilities struct {
	Kind   TaskKind // 0 for none at all
	Calls  bool     // tools/call may become a task (TASK-02, TASK-03)
	List   bool     // tasks/list (TASK-18)
	Cancel bool     // tasks/cancel
}

// TaskCapabilities is the view of the server's capabilities about tasks in a
// revision (TSKX-19). In 2026-07-28 both sides declare the extension;
// declared is what the client did.
func (c ServerCapabilities) TaskCapabilities(r *Revision, declared jsontext.Value) TaskCapabilities {
	switch {
	case r == nil:
	case r.Modern:
		if c.ExtendsTasks() && DeclaresTasks(declared) {
			return TaskCapabilities{Kind: TaskExtension, Calls: true, Cancel: true}
		}
	case r.Knows(FromClient, MethodTasksGet) && c.Tasks != nil:
		return TaskCapabilities{Kind: TaskCore, Calls: offers(c.Tasks, "/requests/tools/call"), List: offers(c.Tasks, "/list"), Cancel: offers(c.Tasks, "/cancel")}
	}
	return TaskCapabilities{}
}

// ExtendsTasks reports whether the server declares the extension for tasks.
func (c ServerCapabilities) ExtendsTasks() bool { return offers(c.Extensions, "/"+tasksPointer) }

// offers reports whether a capability is there and neither null nor false.
func offers(v jsontext.Value, pointer string) bool {
	v, _, ok := Lookup(v, pointer)
	return ok && v.Kind() != 'n' && v.Kind() != 'f'
}

// DeclaresTasks reports whether a client's capabilities object has the
// extension (TSKX-01).
func DeclaresTasks(declared jsontext.Value) bool {
	_, _, ok := Lookup(declared, "/extensions/"+tasksPointer)
	return ok
}

// withTasks adds the extension to an object of extensions that does not have it.
func withTasks(extensions jsontext.Value) jsontext.Value {
	if _, _, ok := Lookup(extensions, "/"+tasksPointer); ok {
		return extensions
	}
	var o objectBuilder
	for name, value := range Members(extensions) {
		o.raw(name, value)
	}
	o.flag(TasksExtension, true)
	return o.done()
}
