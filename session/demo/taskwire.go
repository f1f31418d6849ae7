package demo

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	tasksExtension = "io.modelcontextprotocol/tasks"
	relatedTask    = "io.modelcontextprotocol/related-task"
	// taskKey and taskIDsKey are the _meta members in which params.task and the taskIds of a listen request travel past the
	// SDK, as JSON text.
	taskKey    = "kestrel-hill.example/task"
	taskIDsKey = "kestrel-hill.example/taskIds"
	// withTasks is the revision that has tasks in its core.
	withTasks = "2025-11-25"
	// taskPage is how many tasks one page of tasks/list has.
	taskPage = 10
)

// A textResult is a result that is written as it stands, with what the SDK adds to _meta.
type textResult struct {
	mcp.ResultBase
	text jsontext.Value
}

func (r *textResult) MarshalJSON() ([]byte, error) {
	if len(r.Meta) == 0 {
		return r.text, nil
	}
	meta, err := json.Marshal(map[string]any(r.Meta), json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("writing _meta: %w", err)
	}
	fields, ok := members(r.text)
	if !ok {
		return r.text, nil
	}
	return object(append(fields, member{"_meta", meta})), nil
}

// taskParams are the params of the requests about tasks.
type taskParams struct {
	mcp.ParamsBase
	TaskID         string         `json:"taskId"`
	Cursor         string         `json:"cursor"`
	InputResponses map[string]any `json:"inputResponses"`
}

// asSDK writes a value of the SDK as the SDK itself does: an empty object is not left out.
func asSDK(v any) (jsontext.Value, error) {
	return json.Marshal(v, json.Deterministic(true), jsonv1.OmitEmptyWithLegacySemantics(true))
}

var taskMethods = []string{"tasks/get", "tasks/result", "tasks/list", "tasks/cancel", "tasks/update"}

// addTasks makes the requests about tasks known to the SDK; serveTasks answers them.
func (s *station) addTasks() error {
	for _, method := range taskMethods {
		err := mcp.AddReceivingCustomMethod(s.server, method, func(context.Context, *mcp.ServerSession, *taskParams) (*textResult, error) {
			return nil, noMethod(method)
		})
		if err != nil {
			return fmt.Errorf("adding %s: %w", method, err)
		}
	}
	s.server.AddReceivingMiddleware(s.serveTasks)
	return nil
}

func noMethod(method string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: method + " is not in this revision"}
}

// serveTasks is a receiving middleware that speaks of tasks where the revision has them.
func (s *station) serveTasks(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch r := req.(type) {
		case *mcp.ServerRequest[*taskParams]:
			if r.Params == nil { // the SDK does not look before it asks the params for their _meta
				r.Params = &taskParams{}
			}
			return s.aboutTask(ctx, method, r)
		case *mcp.CallToolRequest:
			return s.callAsTask(ctx, method, r, next)
		}
		res, err := next(ctx, method, req)
		if err != nil {
			return res, err
		}
		switch r := res.(type) {
		case *mcp.InitializeResult:
			return declareTasks(r)
		case *mcp.ListToolsResult:
			if list, ok := req.(*mcp.ListToolsRequest); ok && peerOf(list).version == withTasks {
				return s.nameSupport(r)
			}
		}
		return res, nil
	}
}

// declareTasks puts the capability of 2025-11-25 in the place of the extension of the newest revision.
func declareTasks(res *mcp.InitializeResult) (mcp.Result, error) {
	text, err := asSDK(res)
	if err != nil {
		return nil, fmt.Errorf("writing the capabilities: %w", err)
	}
	fields, _ := members(text)
	for i, f := range fields {
		if f.name != "capabilities" {
			continue
		}
		caps, _ := members(f.value)
		caps = slices.DeleteFunc(caps, func(c member) bool { return c.name == "extensions" })
		if res.ProtocolVersion == withTasks || res.ProtocolVersion >= stateless {
			caps = append(caps, member{"tasks", jsontext.Value(`{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}`)})
		}
		fields[i].value = object(caps)
	}
	return &textResult{text: object(fields)}, nil
}

// nameSupport adds execution.taskSupport to the tools.
func (s *station) nameSupport(res *mcp.ListToolsResult) (mcp.Result, error) {
	text, err := asSDK(res)
	if err != nil {
		return nil, fmt.Errorf("writing the tools: %w", err)
	}
	fields, _ := members(text)
	for i, f := range fields {
		tools, ok := elements(f.value)
		if f.name != "tools" || !ok {
			continue
		}
		for j := range tools {
			if support := s.support[res.Tools[j].Name]; support != "" {
				tool, _ := members(tools[j])
				tools[j] = object(append(tool, member{"execution", jsontext.Value(`{"taskSupport":"` + support + `"}`)}))
			}
		}
		fields[i].value = array(tools)
	}
	return &textResult{text: object(fields)}, nil
}

// extends reports whether the client declares the extension with the request.
func (p peer) extends() bool {
	_, ok := p.caps.Extensions[tasksExtension]
	return ok
}

// callAsTask starts a task if the client and the tool want one, and calls the tool otherwise.
func (s *station) callAsTask(ctx context.Context, method string, req *mcp.CallToolRequest, next mcp.MethodHandler) (mcp.Result, error) {
	p, support := peerOf(req), s.support[req.Params.Name]
	wish, wished := req.Params.Meta[taskKey].(string)
	life := taskLife
	switch {
	case p.modern() && (support == "" || !p.extends()):
		return next(ctx, method, req)
	case p.modern():
	case p.version != withTasks || !wished && support != "required":
		return next(ctx, method, req)
	case !wished:
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: req.Params.Name + " is only to be called as a task"}
	case support == "":
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: req.Params.Name + " is not to be called as a task"}
	default:
		var task struct {
			TTL int64 `json:"ttl"`
		}
		if err := json.Unmarshal([]byte(wish), &task); err != nil {
			return nil, invalidParams("params.task: " + err.Error())
		}
		if task.TTL > 0 {
			life = time.Duration(min(task.TTL, mostLife.Milliseconds())) * time.Millisecond
		}
	}
	j, err := s.start(p, life, func(ctx context.Context) (mcp.Result, error) { return next(ctx, method, req) })
	if err != nil {
		return nil, err
	}
	if p.modern() {
		return &textResult{text: object(append([]member{{"resultType", jsontext.Value(`"task"`)}}, j.handle()...))}, nil
	}
	return &textResult{text: object([]member{{"task", object(j.handle())}})}, nil
}

// handle is the task as it begins, whatever it has come to meanwhile.
func (j *job) handle() []member {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.fields(working, "", j.born)
}

// fields are the members of the task. mu is held.
func (j *job) fields(status, message string, updated time.Time) []member {
	ttl, interval := "ttl", "pollInterval"
	if !j.core {
		ttl, interval = "ttlMs", "pollIntervalMs"
	}
	out := []member{{"taskId", quoted(j.id)}, {"status", quoted(status)}}
	if message != "" {
		out = append(out, member{"statusMessage", quoted(message)})
	}
	number := func(d time.Duration) jsontext.Value { return strconv.AppendInt(nil, d.Milliseconds(), 10) }
	stamp := func(t time.Time) jsontext.Value { return quoted(t.UTC().Format(time.RFC3339Nano)) }
	return append(out, member{"createdAt", stamp(j.born)}, member{"lastUpdatedAt", stamp(updated)},
		member{ttl, number(j.life)}, member{interval, number(pollEvery)})
}

// quoted is text as JSON. What is not valid UTF-8 in it is replaced.
func quoted(text string) jsontext.Value {
	out, _ := jsontext.AppendQuote(nil, strings.ToValidUTF8(text, "\ufffd"))
	return out
}

// whole is the task as it is, in the extension with what it came to or what it asks.
func (j *job) whole() ([]member, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	out := j.fields(j.status, j.message, j.updated)
	switch {
	case j.core:
	case j.status == completed:
		out = append(out, member{"result", j.result})
	case j.status == failedStatus:
		out = append(out, member{"error", errorText(j.failure)})
	case j.status == inputRequired:
		requests := mcp.InputRequestMap{}
		for key, q := range j.open {
			requests[key] = q.params
		}
		text, err := asSDK(requests)
		if err != nil {
			return nil, fmt.Errorf("writing the questions: %w", err)
		}
		out = append(out, member{"inputRequests", text})
	}
	return out, nil
}

func errorText(e *jsonrpc.Error) jsontext.Value {
	return object([]member{{"code", strconv.AppendInt(nil, e.Code, 10)}, {"message", quoted(e.Message)}})
}

// aboutTask answers a request about tasks.
func (s *station) aboutTask(ctx context.Context, method string, req *mcp.ServerRequest[*taskParams]) (mcp.Result, error) {
	p := peerOf(req)
	core := p.version == withTasks
	switch {
	case p.modern() && (method == "tasks/result" || method == "tasks/list"), core && method == "tasks/update", !core && !p.modern():
		return nil, noMethod(method)
	case p.modern() && !p.extends():
		return nil, missingCapability(errUndeclared{"tasks", `{"extensions":{"` + tasksExtension + `":{}}}`})
	case method == "tasks/list":
		return s.listTasks(req.Params.Cursor)
	}
	j, err := s.jobs.find(req.Params.TaskID, core)
	if err != nil {
		return nil, err
	}
	switch method {
	case "tasks/result":
		return j.outcome(ctx, p)
	case "tasks/update":
		if err := j.update(req.Params); err != nil {
			return nil, err
		}
		return acknowledgement(), nil
	case "tasks/cancel":
		if !j.set(cancelled, "The task was cancelled.", nil) && core {
			return nil, invalidParams("the task has ended")
		}
		if !core {
			return acknowledgement(), nil
		}
	}
	fields, err := j.whole()
	if err != nil {
		return nil, err
	}
	if !core {
		fields = append([]member{{"resultType", jsontext.Value(`"complete"`)}}, fields...)
	}
	return &textResult{text: object(fields)}, nil
}

// outcome waits for the end of a task, and carries its questions to the client meanwhile.
func (j *job) outcome(ctx context.Context, p peer) (mcp.Result, error) {
	related := mcp.Meta{relatedTask: map[string]any{"taskId": j.id}}
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case q := <-j.asks:
			a, err := (dialogue{peer: p}).put(ctx, tied(q.params, related))
			switch {
			case err != nil && ctx.Err() != nil:
				q.failed <- err
				return nil, ctx.Err()
			case err != nil: // the client answered with an error, which is an answer, too
				a = answer{Action: "cancel"}
			}
			q.answer <- a
			continue
		case <-j.over:
		}
		j.mu.Lock()
		defer j.mu.Unlock()
		switch {
		case j.failure != nil:
			return nil, j.failure
		case j.result == nil:
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the task was cancelled"}
		}
		res := &textResult{text: j.result}
		res.Meta = related
		return res, nil
	}
}

// tied is a question that says to which task it belongs.
func tied(q mcp.InputRequest, meta mcp.Meta) mcp.InputRequest {
	if form, ok := q.(*mcp.ElicitParams); ok {
		copied := *form
		copied.Meta = meta
		return &copied
	}
	return q
}

// update gives the answers of tasks/update to the task.
func (j *job) update(p *taskParams) error {
	given := map[string]answer{}
	for key, v := range p.InputResponses {
		fields, ok := v.(map[string]any)
		if !ok {
			return invalidParams("inputResponses: " + key + " is no object")
		}
		a := answer{}
		a.Action, _ = fields["action"].(string)
		if meta, ok := fields["_meta"].(map[string]any); ok {
			if kept, ok := meta[answerTextKey].(string); ok {
				a.Content = jsontext.Value(kept)
			}
		}
		given[key] = a
	}
	j.reply(given)
	return nil
}

// acknowledgement is the answer to tasks/update and tasks/cancel of the extension.
func acknowledgement() mcp.Result {
	return &textResult{text: jsontext.Value(`{"resultType":"complete"}`)}
}

// listTasks is a page of tasks/list; the cursor is the id of the last task of the page before.
func (s *station) listTasks(cursor string) (mcp.Result, error) {
	all := s.jobs.kept(true)
	if cursor != "" {
		id, err := base64.RawURLEncoding.DecodeString(cursor)
		i := slices.IndexFunc(all, func(j *job) bool { return j.id == string(id) })
		if err != nil || i < 0 {
			return nil, invalidParams("this cursor is none of this server, or its task has expired")
		}
		all = all[i+1:]
	}
	next := ""
	if len(all) > taskPage {
		all = all[:taskPage]
		next = base64.RawURLEncoding.EncodeToString([]byte(all[taskPage-1].id))
	}
	tasks := []jsontext.Value{}
	for _, j := range all {
		fields, err := j.whole()
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, object(fields))
	}
	fields := []member{{"tasks", array(tasks)}}
	if next != "" {
		fields = append(fields, member{"nextCursor", quoted(next)})
	}
	return &textResult{text: object(fields)}, nil
}
