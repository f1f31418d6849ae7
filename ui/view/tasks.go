package view

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
)

// TaskRow is one task on the board.
type TaskRow struct {
	Key     uint64
	Glyph   string
	Tone    Tone
	State   string
	Tool    string
	ID      string // short
	Message string
	Age     string
	Life    string // what is left of its ttl
	Polls   string // how many, and when the next one is due
	Updated string
	Mark    string // "not ours" and the like, "" for a task of a call of this session
	Odd     string // findings
}

// TaskRows are the tasks of a session, newest first.
func TaskRows(st session.State, now time.Time) []TaskRow {
	rows := make([]TaskRow, 0, len(st.Tasks))
	for i := len(st.Tasks) - 1; i >= 0; i-- {
		rows = append(rows, TaskRowOf(st.Tasks[i], now))
	}
	return rows
}

// TaskRowOf makes the row of a task.
func TaskRowOf(t session.Task, now time.Time) TaskRow {
	r := TaskRow{
		Key: t.Key, State: taskWord(t), Tool: line(cmp.Or(t.Tool, "unknown tool"), 60), ID: ShortID(t.ID),
		Message: line(t.Message, 160), Age: human.Ticking(max(t.Age(now), 0)),
		Life: lifeOf(t, now), Polls: pollsShort(t, now), Updated: human.Ago(t.Changed, now), Mark: taskMark(t.Origin),
	}
	r.Glyph, r.Tone = taskSign(t)
	if n := len(t.Problems); n > 0 {
		r.Odd = human.Plural(n, "finding", "findings")
	}
	return r
}

// RunningTasks counts the tasks that are not over and not lost.
func RunningTasks(st session.State) int {
	n := 0
	for _, t := range st.Tasks {
		if !t.Over() && t.Loss == session.TaskKept {
			n++
		}
	}
	return n
}

// TaskOf is the task with that key; ok is false when it is not known any more.
func TaskOf(st session.State, key uint64) (t session.Task, ok bool) {
	for _, t := range st.Tasks {
		if t.Key == key {
			return t, true
		}
	}
	return session.Task{}, false
}

// ShortID is enough of an id to tell it from others: its first characters.
func ShortID(id string) string {
	const shown = 8
	if runes := []rune(id); len(runes) > shown+4 {
		return line(string(runes[:shown]), shown) + "…"
	}
	return line(id, shown+4)
}

// taskWord is the status in a word or two.
func taskWord(t session.Task) string {
	switch {
	case t.Loss != session.TaskKept:
		return t.Loss.String()
	case t.Status == "":
		return "not told yet"
	case t.Status == protocol.TaskInputRequired:
		return "asks for input"
	case !t.Over() && !t.Cancelling.IsZero():
		return "cancel asked"
	}
	return line(string(t.Status), 24)
}

// taskSign is the shape of a status; nothing is told by its colour alone.
func taskSign(t session.Task) (string, Tone) {
	switch {
	case t.Loss != session.TaskKept:
		return "!", Caution
	case t.Status == protocol.TaskCompleted:
		return "✓", Good
	case t.Status == protocol.TaskFailed:
		return "✕", Bad
	case t.Status == protocol.TaskCancelled:
		return "■", Muted
	case t.Status == protocol.TaskInputRequired:
		return "?", Caution
	case t.Status.Known():
		return "◌", Caution
	}
	return "·", Muted
}

func taskMark(o session.TaskOrigin) string {
	if o == session.TaskOfCall {
		return ""
	}
	return o.String()
}

// lifeOf says how long the ttl lasts.
func lifeOf(t session.Task, now time.Time) string {
	switch left, ok := t.Left(now); {
	case t.TTL == "":
		return "not told"
	case t.TTL == "null":
		return "unlimited"
	case !ok:
		return line(t.TTL, 20) + " ms"
	case t.Over() && left <= 0:
		return "over"
	case left <= 0:
		return "over for " + human.Ticking(-left)
	default:
		return human.Ticking(left)
	}
}

func pollsOf(t session.Task, now time.Time) string {
	text := human.Count(t.Polls)
	switch {
	case t.Polling:
		text += ", asking"
	case !t.NextPoll.IsZero():
		text += ", next " + inTime(t.NextPoll.Sub(now))
	}
	if t.Failures > 0 {
		text += ", " + human.Count(t.Failures) + " failed"
	}
	return text
}

// pollsShort is pollsOf for a narrow column.
func pollsShort(t session.Task, now time.Time) string {
	switch {
	case t.Polling:
		return human.Count(t.Polls) + " · now"
	case !t.NextPoll.IsZero():
		return human.Count(t.Polls) + " · " + inTime(t.NextPoll.Sub(now))
	}
	return human.Count(t.Polls)
}

// inTime is when something is to come.
func inTime(d time.Duration) string {
	if d < time.Second {
		return "soon"
	}
	return "in " + human.Ticking(d)
}

// TaskPhase says for the place of a call's result how its task is going.
func TaskPhase(t session.Task, now time.Time) []Fact {
	var f facts
	f.add("Task", t.ID)
	f.add("Status", strings.TrimSuffix(taskWord(t)+": "+line(t.Message, 400), ": "))
	f.add("Polls", pollsOf(t, now))
	f.add("Kept for", lifeOf(t, now))
	f.add("Last error", t.Err)
	return f
}

// TaskDetail is all that is known of a task.
type TaskDetail struct {
	Title    string
	Glyph    string
	Tone     Tone
	Facts    []Fact
	Findings []FindingRow
	Seq      uint64 // event to look at in the timeline
	Told     uint64 // event that told its status last, for its JSON
	Result   uint64 // event that told its outcome, 0 before
	NoResult string // why there is no outcome
	Cancel   bool   // can be asked to be cancelled
	Poll     bool   // its status can be asked for
	Fetch    bool   // its outcome can be asked for by hand
	Follow   bool   // it is not followed and could be
	Asks     int    // questions of it that wait for the person
	Ask      uint64 // key of the first of them
}

// TaskDetailOf makes the details of a task.
func TaskDetailOf(st session.State, t session.Task, now time.Time) TaskDetail {
	r := TaskRowOf(t, now)
	d := TaskDetail{
		Title: r.State + "  ·  " + r.Tool, Glyph: r.Glyph, Tone: r.Tone, Told: t.StatusSeq, Result: t.ResultSeq,
		Seq: cmp.Or(t.ResultSeq, t.StatusSeq, t.CreatedSeq), Asks: t.Waiting,
		Cancel: !t.Over() && t.Loss != session.TaskGone, Poll: t.Loss != session.TaskGone,
		Follow: !t.Followed() && !t.Over(),
		Fetch:  t.Kind == protocol.TaskCore && t.ResultSeq == 0 && !t.Followed() && t.Status != protocol.TaskCancelled,
	}
	for _, a := range st.Asks {
		if a.Task == t.Key && a.State == session.AskOpen {
			d.Ask = a.Key
			break
		}
	}
	for _, p := range t.Problems {
		d.Findings = append(d.Findings, FindingOf(d.Seq, p))
	}
	d.NoResult = noResult(t)
	d.Facts = taskFacts(st, t, r, now)
	return d
}

func noResult(t session.Task) string {
	switch {
	case t.ResultSeq != 0:
		return ""
	case t.Loss != session.TaskKept:
		return safe.Text(cmp.Or(t.Err, "The task is "+t.Loss.String()+"."), 2<<10)
	case t.Status == protocol.TaskCancelled:
		return "The task was cancelled: it has no result."
	case t.Over():
		return "The task is over. Its result has not been asked for."
	case t.Status == protocol.TaskInputRequired:
		return "The task waits for an answer to what the server asks (see Requests)."
	}
	return "The task is not over yet."
}

func taskFacts(st session.State, t session.Task, r TaskRow, now time.Time) []Fact {
	var f facts
	f.add("Id", t.ID)
	f.add("Message", line(t.Message, 1000))
	f.add("Known as", t.Origin.String())
	if c, ok := CallOf(st, t.Call); ok {
		f.add("Call", CallWord(c)+", id "+line(c.ID.String(), 24))
		f.add("Meanwhile", line(c.Immediate, 2000))
	}
	f.add("Shape", map[protocol.TaskKind]string{protocol.TaskCore: "2025-11-25", protocol.TaskExtension: protocol.TasksExtension}[t.Kind])
	f.add("Made", sentTime(t.CreatedAt, t.Created, now))
	f.add("Updated", sentTime(t.UpdatedAt, t.Updated, now))
	f.add("Status since", r.Updated)
	f.add("Kept for", strings.TrimSpace(ttlWords(t)+"  "+r.Life))
	f.add("Poll interval", intervalWords(t))
	f.add("Polls", pollsOf(t, now))
	if t.Err != "" {
		f.add("Last error", t.Err)
	}
	if len(t.InputKeys) > 0 {
		f.add("Asks for", line(strings.Join(t.InputKeys, ", "), 400))
	}
	if len(t.Answered) > 0 {
		f.add("Answered", line(strings.Join(t.Answered, ", "), 400))
	}
	if !t.Cancelling.IsZero() {
		f.add("Cancel asked", human.Ago(t.Cancelling, now))
	}
	return f
}

// sentTime shows a time as the server wrote it, and how long ago that is by
// its clock.
func sentTime(text string, at, now time.Time) string {
	if text == "" || at.IsZero() {
		return line(text, 60)
	}
	return line(text, 60) + "  (" + human.Ago(at, now) + ")"
}

func ttlWords(t session.Task) string {
	if t.TTL == "" || t.TTL == "null" {
		return ""
	}
	return line(t.TTL, 24) + " ms,"
}

func intervalWords(t session.Task) string {
	used := human.Duration(t.Interval)
	if t.PollInterval == "" {
		return "not told; asked each " + used
	}
	if strconv.FormatInt(t.Interval.Milliseconds(), 10) == t.PollInterval {
		return line(t.PollInterval, 24) + " ms"
	}
	return line(t.PollInterval, 24) + " ms; asked each " + used
}

// TasksNote says what the server offers about tasks.
func TasksNote(st session.State) string {
	c := st.TaskCapabilities
	switch {
	case st.Revision == nil:
		return ""
	case c.Kind == protocol.TaskExtension:
		return "The server decides with each tools/call whether it becomes a task (TSKX-02)."
	case c.Kind == protocol.TaskCore:
		var can []string
		for _, w := range []struct {
			has  bool
			word string
		}{{c.Calls, "tools/call as a task"}, {c.List, "tasks/list"}, {c.Cancel, "tasks/cancel"}} {
			if w.has {
				can = append(can, w.word)
			}
		}
		if len(can) == 0 {
			return "The server declares tasks, but nothing that can be done with them."
		}
		return "The server offers " + strings.Join(can, ", ") + "."
	}
	return whyNoTasks(st)
}

// whyNoTasks says why the connection has no tasks.
func whyNoTasks(st session.State) string {
	switch {
	case st.Revision == nil:
		return "There is no connection."
	case st.Revision.Modern && !protocol.DeclaresTasks(st.ClientCapabilities):
		return "This client does not declare the extension " + protocol.TasksExtension + " (see Requests, This client)."
	case st.Revision.Modern:
		return "The server does not declare the extension " + protocol.TasksExtension + "."
	case !st.Revision.Knows(protocol.FromClient, protocol.MethodTasksGet):
		return "Revision " + st.Revision.Name + " has no tasks."
	}
	return "The server does not declare tasks."
}

// CanListTasks reports whether the tasks of the server can be listed (TASK-18),
// and why not.
func CanListTasks(st session.State) (ok bool, why string) {
	switch c := st.TaskCapabilities; {
	case c.Kind == protocol.TaskCore && c.List:
		return true, ""
	case c.Kind == protocol.TaskCore:
		return false, "The server does not declare tasks.list (TASK-18)."
	case c.Kind == protocol.TaskExtension:
		return false, "The extension has no tasks/list (TSKX-18)."
	}
	return false, whyNoTasks(st)
}

// TaskOffer is what a panel offers about calling a tool as a task.
type TaskOffer struct {
	Can   bool   // the person chooses
	On    bool   // what it is, unless the person chooses
	Force bool   // choosing it breaks a rule, which Why names
	TTL   bool   // a ttl can be asked for
	Why   string // why it cannot be chosen, or should not
}

// TaskOfferOf tells what can be chosen for a tool (TASK-02 to TASK-06, TSKX-02).
func TaskOfferOf(st session.State, taskSupport string) TaskOffer {
	switch st.TaskChoice(taskSupport) {
	case session.TaskFree:
		return TaskOffer{Can: true, TTL: true}
	case session.TaskAlways:
		return TaskOffer{On: true, TTL: true, Why: "The tool requires it (TASK-06)."}
	case session.TaskByServer:
		return TaskOffer{Why: "The server decides with each call; nothing is asked for (TSKX-02)."}
	}
	c := st.TaskCapabilities
	core := st.Revision != nil && !st.Revision.Modern && st.Revision.Knows(protocol.FromClient, protocol.MethodTasksGet)
	switch {
	case !core:
		return TaskOffer{Why: whyNoTasks(st)}
	case c.Kind != protocol.TaskCore || !c.Calls:
		return TaskOffer{Can: true, Force: true, TTL: true, Why: "The server does not declare tasks.requests.tools.call (TASK-03)."}
	case taskSupport == "":
		return TaskOffer{Can: true, Force: true, TTL: true, Why: "The tool has no execution.taskSupport (TASK-04)."}
	}
	return TaskOffer{Can: true, Force: true, TTL: true, Why: fmt.Sprintf("The tool says taskSupport %q (TASK-04).", line(taskSupport, 24))}
}

// TaskOutcome makes the outcome of a task from the message that told it. It may
// take long for a long one.
func TaskOutcome(t session.Task, m protocol.Message, outputSchema []byte) (Outcome, bool) {
	end, ok := protocol.TaskOutcome(m, t.Kind)
	if !ok {
		return Outcome{}, false
	}
	c := session.CallState{
		Method: protocol.MethodToolsCall, Name: t.Tool, Phase: session.CallOK, AnswerSeq: t.ResultSeq, Answer: end,
		Started: t.Since, Took: t.Changed.Sub(t.Since),
	}
	if end.Kind == protocol.Error {
		c.Phase = session.CallError
	}
	return OutcomeOf(c, outputSchema), true
}
