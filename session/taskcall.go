package session

import (
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// TaskChoice is whether a tool is called as a task.
type TaskChoice uint8

// The choices.
const (
	TaskNever    TaskChoice = iota // the revision, the server or the tool has none (TASK-02 to TASK-04)
	TaskFree                       // as the person likes (TASK-05)
	TaskAlways                     // the tool requires it (TASK-06)
	TaskByServer                   // the extension: the server decides with each call (TSKX-02)
)

// TaskChoice tells whether the tool with that execution.taskSupport is called as
// a task.
func (st State) TaskChoice(taskSupport string) TaskChoice {
	return taskChoice(st.TaskCapabilities, taskSupport)
}

func taskChoice(caps protocol.TaskCapabilities, support string) TaskChoice {
	switch {
	case caps.Kind == protocol.TaskExtension:
		return TaskByServer
	case caps.Kind != protocol.TaskCore || !caps.Calls:
		return TaskNever
	case support == protocol.TaskRequired:
		return TaskAlways
	case support == protocol.TaskOptional:
		return TaskFree
	}
	return TaskNever
}

// AsTask is the request as Do sends it with CallOptions.Task: a tools/call gets
// the member task where the server and the tool allow it, or where the person
// forces it in a revision that has it. What the member says already stays, and so
// does any other request.
func (s *Session) AsTask(raw []byte, o TaskOptions) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := protocol.Parse(raw)
	if m.Method != protocol.MethodToolsCall || s.taskKind() != protocol.TaskCore {
		return raw // in 2026-07-28 there is no such member (TSKX-02)
	}
	asked, _, has := protocol.Lookup(m.Params, "/task")
	if has && (o.TTL < time.Millisecond || string(asked) != "{}") {
		return raw
	}
	choice := taskChoice(s.taskCapabilities(), s.listed.taskSupport(protocol.NameOf(m.Method, m.Params)))
	if choice == TaskNever && !o.Force && !has {
		return raw
	}
	value := jsontext.Value("{}")
	if ms := o.TTL.Milliseconds(); ms > 0 {
		value = append(strconv.AppendInt(jsontext.Value(`{"ttl":`), ms, 10), '}')
	}
	edited, err := protocol.SetParam(raw, "task", value)
	if err != nil {
		return raw // params that are no object: sent as they are
	}
	return edited
}

// needsTask reports whether a request is the call of a tool that requires a task.
func (s *Session) needsTask(method string, params jsontext.Value) bool {
	if method != protocol.MethodToolsCall {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return taskChoice(s.taskCapabilities(), s.listed.taskSupport(protocol.NameOf(method, params))) == TaskAlways
}

// taskSupport is execution.taskSupport of a tool in the newest listing, "" if it
// says nothing. mu is held.
func (l *listings) taskSupport(tool string) string {
	for i := range l.tools {
		if l.tools[i].Name == tool {
			return l.tools[i].TaskSupport
		}
	}
	return ""
}
