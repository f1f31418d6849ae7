package sessiontest

import "strings"

// TaskCase is what a server does with a call that becomes a task, and what is
// wrong with it.
type TaskCase struct {
	Name   string
	Modern bool   // the extension of 2026-07-28; else the tasks of 2025-11-25
	Call   string // name of the tool, "good" when ""
	Plain  bool   // the call does not ask for a task
	Force  bool   // it asks for one whatever the tool says

	Created string   // result of the call; the usual one when ""
	Before  []string // messages right before it
	After   []string // messages right after it
	Gets    []string // results of successive tasks/get; the last one is repeated unless On goes on
	Result  string   // result of tasks/result
	On      map[string][]Step

	Cancel bool     // the person cancels the task
	List   bool     // the person lists the tasks
	Raw    []string // requests that the person writes when the call is over: method, a blank, params

	Rule string // of the finding that names what is wrong, "" if nothing is
	End  TaskEnd
}

// TaskEnd is what becomes of the call.
type TaskEnd uint8

// The ends of a call.
const (
	TaskBrings    TaskEnd = iota // its result
	TaskErrs                     // its error
	TaskCancels                  // nothing: it was cancelled
	TaskInvalid                  // nothing: the answer is no valid one
	TaskVanishes                 // nothing: the server does not know it any more
	TaskGoesOn                   // nothing yet
	TaskIsSkipped                // a result, without a task
)

// TaskID is the id of the task of the cases.
const TaskID = "9f1c2f4e7a6b4c0d8e2a"

const (
	taskTimes     = `"createdAt":"2026-11-30T10:00:00Z","lastUpdatedAt":"2026-11-30T10:00:01Z"`
	related       = `"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"` + TaskID + `"}}`
	relatedResult = `{"content":[{"type":"text","text":"fine"}],` + related + `}`
	question      = `{"method":"elicitation/create","params":{"mode":"form","message":"How many?","requestedSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}}`
	inputs        = `,"inputRequests":{"q1":` + question + `}`
	listenTask    = `{"jsonrpc":"2.0","method":"notifications/tasks","params":{"taskId":"` + TaskID + `","status":"working",` + taskTimes + `,"ttlMs":60000}}`
)

// CoreTask is a task of 2025-11-25.
func CoreTask(status string) string {
	return `{"taskId":"` + TaskID + `","status":"` + status + `",` + taskTimes + `,"ttl":60000,"pollInterval":500}`
}

// ModernTask is a task of the extension as tasks/get has it; rest are further
// members, each with a comma before it.
func ModernTask(status, rest string) string {
	return `{"resultType":"complete","taskId":"` + TaskID + `","status":"` + status + `",` + taskTimes + `,"ttlMs":60000,"pollIntervalMs":500` + rest + `}`
}

// ModernHandle is the answer to a call that becomes a task of the extension.
const ModernHandle = `{"resultType":"task","taskId":"` + TaskID + `","status":"working",` + taskTimes + `,"ttlMs":60000,"pollIntervalMs":500}`

var (
	coreCreated   = `{"task":` + CoreTask("working") + `}`
	modernDone    = ModernTask("completed", `,"result":`+CallResult)
	modernAsks    = ModernTask("input_required", inputs)
	acknowledged  = []Step{Reply(`{"resultType":"complete"}`)}
	modernInvalid = []Step{ReplyError("-32602", "Unknown task")}
)

func coreWith(from, to string) string { return replaceOnce(CoreTask("working"), from, to) }

func handleWith(from, to string) string { return replaceOnce(ModernHandle, from, to) }

// MisbehavingTasks are servers that handle tasks wrongly, and for comparison some
// that do not.
var MisbehavingTasks = []TaskCase{
	// 2025-11-25.
	{Name: "by the rules", Gets: []string{CoreTask("working"), CoreTask("completed")}},
	{Name: "fails by the rules", Gets: []string{CoreTask("failed")}, Result: replaceOnce(relatedResult, `{"content"`, `{"isError":true,"content"`)},
	{Name: "an error of the protocol", Gets: []string{CoreTask("failed")}, On: map[string][]Step{"tasks/result": {ReplyError("-32603", "Out of film")}}, End: TaskErrs},
	{Name: "cancelled by itself", Gets: []string{CoreTask("cancelled")}, End: TaskCancels},
	{Name: "cancelled by the person", Gets: []string{CoreTask("working")}, Cancel: true, End: TaskCancels,
		On: map[string][]Step{"tasks/cancel": {Reply(CoreTask("cancelled"))}}},
	{Name: "the ttl is over", Gets: []string{CoreTask("working")}, On: map[string][]Step{"tasks/get": {ReplyError("-32602", "Task has expired")}}, End: TaskVanishes},
	{Name: "a status notification", After: []string{`{"jsonrpc":"2.0","method":"notifications/tasks/status","params":` + CoreTask("completed") + `}`}, Gets: []string{CoreTask("completed")}},
	{Name: "a status before the task", Before: []string{`{"jsonrpc":"2.0","method":"notifications/tasks/status","params":` + CoreTask("working") + `}`}, Gets: []string{CoreTask("completed")}},
	{Name: "a tool that requires a task", Call: "must", Plain: true, Gets: []string{CoreTask("completed")}},
	{Name: "a tool that forbids one", Call: "bad", Created: CallResult, End: TaskIsSkipped},
	{Name: "a list", List: true, Gets: []string{CoreTask("completed")},
		On: map[string][]Step{"tasks/list": {Reply(`{"tasks":[` + CoreTask("completed") + `]}`)}}},

	{Name: "a result instead of a task", Created: CallResult, Rule: "L-TASK-01", End: TaskIsSkipped},
	{Name: "a task unasked", Plain: true, Gets: []string{CoreTask("completed")}, Rule: "L-TASK-01"},
	{Name: "a task without an id", Created: `{"task":` + coreWith(`"taskId":"`+TaskID+`",`, ``) + `}`, Rule: "L-TASK-01", End: TaskIsSkipped},
	{Name: "begins with another status", Created: `{"task":` + CoreTask("input_required") + `}`, Gets: []string{CoreTask("completed")}, Rule: "L-TASK-02"},
	{Name: "goes on after the end", Gets: []string{CoreTask("completed"), CoreTask("working")}, Raw: []string{`tasks/get {"taskId":"` + TaskID + `"}`}, Rule: "L-TASK-03"},
	{Name: "no times", Gets: []string{coreWith(taskTimes, `"x":1`), CoreTask("completed")}, Rule: "L-TASK-04"},
	{Name: "a time that is none", Gets: []string{coreWith("2026-11-30T10:00:01Z", "yesterday"), CoreTask("completed")}, Rule: "L-TASK-04"},
	{Name: "no ttl", Gets: []string{coreWith(`"ttl":60000,`, ``), CoreTask("completed")}, Rule: "L-TASK-04"},
	{Name: "a status that is none", Gets: []string{CoreTask("thinking"), CoreTask("completed")}, Rule: "L-TASK-04"},
	{Name: "the result before the end", Gets: []string{CoreTask("input_required"), CoreTask("working"), CoreTask("completed")}, Rule: "L-TASK-05"},
	{Name: "a result of another shape", Gets: []string{CoreTask("completed")}, Result: `{"task":` + CoreTask("completed") + `,` + related + `}`, Rule: "L-TASK-05"},
	{Name: "a result that does not name its task", Gets: []string{CoreTask("completed")}, Result: CallResult, Rule: "L-TASK-06"},
	{Name: "progress that does not name its task", Gets: []string{CoreTask("completed")},
		After: []string{`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":{{token}},"progress":1}}`}, Rule: "L-TASK-07"},
	{Name: "a question that does not name its task", Gets: []string{CoreTask("working")},
		After: []string{`{"jsonrpc":"2.0","id":"e1","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}`}, Rule: "L-TASK-07", End: TaskGoesOn},
	{Name: "a status that names its task", Gets: []string{replaceOnce(CoreTask("working"), `"ttl"`, related+`,"ttl"`), CoreTask("completed")}, Rule: "L-TASK-08"},
	{Name: "an unknown id is an internal error", Gets: []string{CoreTask("completed")}, Raw: []string{`tasks/get {"taskId":"nobody"}`},
		On: map[string][]Step{"tasks/get nobody": {ReplyError("-32603", "what?")}}, Rule: "L-TASK-09"},
	{Name: "a bad cursor is an invalid request", Gets: []string{CoreTask("completed")}, Raw: []string{`tasks/list {"cursor":"nonsense"}`},
		On: map[string][]Step{"tasks/list": {ReplyError("-32600", "what?")}}, Rule: "L-TASK-09"},
	{Name: "cancels what is over", Gets: []string{CoreTask("completed")}, Raw: []string{`tasks/cancel {"taskId":"` + TaskID + `"}`},
		On: map[string][]Step{"tasks/cancel": {Reply(CoreTask("cancelled"))}}, Rule: "L-TASK-09"},
	{Name: "says working when it cancels", Gets: []string{CoreTask("working"), CoreTask("cancelled")}, Cancel: true,
		On: map[string][]Step{"tasks/cancel": {Reply(CoreTask("working"))}}, Rule: "L-TASK-10", End: TaskCancels},
	{Name: "comes back from a cancellation", Gets: []string{CoreTask("completed")}, Cancel: true, Raw: []string{`tasks/get {"taskId":"` + TaskID + `"}`},
		On: map[string][]Step{"tasks/cancel": {Reply(CoreTask("cancelled"))}}, Rule: "L-TASK-10", End: TaskCancels},
	{Name: "takes a task of a tool that forbids it", Call: "bad", Force: true, Gets: []string{CoreTask("completed")}, Rule: "L-TASK-11"},
	{Name: "an id that can be guessed", Created: `{"task":` + coreWith(TaskID, "7") + `}`, On: map[string][]Step{"tasks/get": {ReplyError("-32602", "Unknown")}}, Rule: "L-TASK-12", End: TaskVanishes},
	{Name: "not in its list", List: true, Gets: []string{CoreTask("completed")}, On: map[string][]Step{"tasks/list": {Reply(`{"tasks":[]}`)}}, Rule: "L-TASK-13"},
	{Name: "completed with an error of the tool", Gets: []string{CoreTask("completed")}, Result: replaceOnce(relatedResult, `{"content"`, `{"isError":true,"content"`), Rule: "L-TASK-16"},

	// The extension.
	{Name: "by the rules", Modern: true, Gets: []string{ModernTask("working", ""), modernDone}},
	{Name: "completed with an error of the tool", Modern: true, Gets: []string{ModernTask("completed", `,"result":{"content":[],"isError":true}`)}},
	{Name: "an error of the protocol", Modern: true, Gets: []string{ModernTask("failed", `,"error":{"code":-32603,"message":"Out of film"}`)}, End: TaskErrs},
	{Name: "asks by the rules", Modern: true, Gets: []string{modernAsks}, End: TaskGoesOn},
	{Name: "cancelled by the person", Modern: true, Cancel: true, Gets: []string{ModernTask("working", ""), ModernTask("cancelled", "")}, End: TaskCancels},
	{Name: "cancelled in vain", Modern: true, Cancel: true, Gets: []string{ModernTask("working", ""), modernDone}},
	{Name: "the ttl is over", Modern: true, Gets: []string{ModernTask("working", "")}, On: map[string][]Step{"tasks/get": modernInvalid}, End: TaskVanishes},
	{Name: "no limit of its life", Modern: true, Created: handleWith(`"ttlMs":60000`, `"ttlMs":null`), Gets: []string{modernDone}},
	{Name: "without a task", Modern: true, Created: `{"resultType":"complete",` + CallResult[1:], End: TaskIsSkipped},

	{Name: "a task of a list", Modern: true, Gets: []string{modernDone}, Raw: []string{`prompts/list {}`}, On: map[string][]Step{"prompts/list": {Reply(ModernHandle)}}, Rule: "L-TSKX-01"},
	{Name: "nested", Modern: true, Created: `{"resultType":"task","task":` + CoreTask("working") + `}`, Gets: []string{modernDone}, Rule: "L-TSKX-03"},
	{Name: "no times", Modern: true, Created: handleWith(taskTimes, `"x":1`), Gets: []string{modernDone}, Rule: "L-TSKX-03"},
	{Name: "no ttlMs", Modern: true, Created: handleWith(`"ttlMs":60000,`, ``), Gets: []string{modernDone}, Rule: "L-TSKX-03"},
	{Name: "not found at once", Modern: true, On: map[string][]Step{"tasks/get": modernInvalid}, Rule: "L-TSKX-04", End: TaskVanishes},
	{Name: "a status of the result type task", Modern: true, Gets: []string{replaceOnce(ModernTask("working", ""), "complete", "task"), modernDone}, Rule: "L-TSKX-05"},
	{Name: "completed without a result", Modern: true, Gets: []string{ModernTask("completed", "")}, Rule: "L-TSKX-06", End: TaskVanishes},
	{Name: "working with a result", Modern: true, Gets: []string{ModernTask("working", `,"result":{}`), modernDone}, Rule: "L-TSKX-06"},
	{Name: "a result that wants input", Modern: true, Gets: []string{ModernTask("completed", `,"result":{"resultType":"input_required","inputRequests":{}}`)}, Rule: "L-TSKX-06"},
	{Name: "failed with an error of the tool", Modern: true, Gets: []string{ModernTask("failed", `,"result":{"content":[],"isError":true}`)}, Rule: "L-TSKX-07"},
	{Name: "a key used again", Modern: true, Gets: []string{modernAsks, replaceOnce(modernAsks, "How many", "How few")}, Rule: "L-TSKX-08", End: TaskGoesOn},
	{Name: "asks for what was not declared", Modern: true,
		Gets: []string{ModernTask("input_required", `,"inputRequests":{"q1":{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}}`)}, Rule: "L-TSKX-09", End: TaskGoesOn},
	{Name: "a task instead of an acknowledgement", Modern: true, Cancel: true, Gets: []string{ModernTask("working", ""), ModernTask("cancelled", "")},
		On: map[string][]Step{"tasks/cancel": {Reply(ModernTask("cancelled", ""))}}, Rule: "L-TSKX-10", End: TaskCancels},
	{Name: "an unknown id is an internal error", Modern: true, Gets: []string{modernDone}, Raw: []string{`tasks/get {"taskId":"nobody"}`},
		On: map[string][]Step{"tasks/get nobody": {ReplyError("-32603", "what?")}}, Rule: "L-TSKX-11"},
	{Name: "has tasks/result", Modern: true, Gets: []string{modernDone}, Raw: []string{`tasks/result {"taskId":"` + TaskID + `"}`},
		On: map[string][]Step{"tasks/result": {Reply(CallResult)}}, Rule: "L-TSKX-12"},
	{Name: "has tasks/list", Modern: true, Gets: []string{modernDone}, Raw: []string{`tasks/list {}`},
		On: map[string][]Step{"tasks/list": {Reply(`{"resultType":"complete","tasks":[]}`)}}, Rule: "L-TSKX-12"},
	{Name: "refuses params.task", Modern: true, Gets: []string{modernDone}, Raw: []string{`tools/call {"name":"other","task":{}}`},
		On: map[string][]Step{"tools/call other": {ReplyError("-32602", "unexpected member task")}}, Rule: "L-TSKX-12"},
	{Name: "goes on after the end", Modern: true, Gets: []string{modernDone, ModernTask("working", "")}, Raw: []string{`tasks/get {"taskId":"` + TaskID + `"}`}, Rule: "L-TSKX-13"},
	{Name: "times that go back", Modern: true, Gets: []string{replaceOnce(ModernTask("working", ""), "10:00:01Z", "10:00:00Z"), modernDone}, Rule: "L-TSKX-13"},
	{Name: "a notification that nobody asked for", Modern: true, After: []string{listenTask}, Gets: []string{modernDone}, Rule: "L-TSKX-14"},
	{Name: "progress for a task", Modern: true, Gets: []string{modernDone},
		After: []string{`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":{{token}},"progress":1}}`}, Rule: "L-TSKX-15"},
	{Name: "an id that can be guessed", Modern: true, Created: handleWith(TaskID, "task-1"), On: map[string][]Step{"tasks/get": modernInvalid}, Rule: "L-TSKX-17", End: TaskVanishes},
}

// Script is a well-behaved server but for this case.
func (c TaskCase) Script() Script {
	s, created, result := CoreTaskServer(), c.Created, c.Result
	if c.Modern {
		s = ModernTaskServer()
	}
	if created == "" {
		if created = coreCreated; c.Modern {
			created = ModernHandle
		}
	}
	if result == "" {
		result = relatedResult
	}
	var call []Step
	for _, line := range c.Before {
		call = append(call, Line(line))
	}
	call = append(call, Reply(created))
	for _, line := range c.After {
		call = append(call, Line(line))
	}
	s = s.With("tools/call", call...).With("tasks/result", Reply(result))
	for i, get := range c.Gets {
		if _, more := c.On["tasks/get"]; more || i < len(c.Gets)-1 {
			s.Steps = append(s.Steps, Expect("tasks/get"), Reply(get))
			continue
		}
		s = s.With("tasks/get", Reply(get))
	}
	for key, steps := range c.On {
		s = s.With(key, steps...)
	}
	return s
}

// TaskTools are tools of each kind of execution.taskSupport.
const TaskTools = `{"tools":[{"name":"good","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}},` +
	`{"name":"must","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}},` +
	`{"name":"bad","inputSchema":{"type":"object"},"execution":{"taskSupport":"forbidden"}}]}`

// CoreTaskServer is Server with the tasks of 2025-11-25, which are yet to be
// said how they behave.
func CoreTaskServer() Script {
	return Server().With("initialize", Reply(replaceOnce(InitializeResult, `"tools":{}`, `"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}`))).
		With("tools/list", Reply(TaskTools))
}

// ModernTaskServer is ModernServer with the extension for tasks, likewise.
func ModernTaskServer() Script {
	return ModernServer().
		With("server/discover", Reply(replaceOnce(DiscoverResult, `"tools":{"listChanged":true}`, `"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}`))).
		With("tasks/cancel", acknowledged...).
		With("tasks/update", acknowledged...)
}

// replaceOnce is for the tables: what is to be replaced is there.
func replaceOnce(text, from, to string) string {
	before, after, ok := strings.Cut(text, from)
	if !ok {
		panic("sessiontest: " + from + " is not in " + text)
	}
	return before + to + after
}
