package demo

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The SDK sends only notifications that it knows. Those about tasks go through it under the name of one that it does, with
// their own name in their params, and get it back on their way out.
const (
	carrier   = "notifications/elicitation/complete"
	methodKey = "kestrel-hill.example/method"

	taskTold   = "notifications/tasks"
	taskStatus = "notifications/tasks/status"
	// taskEvent comes before the id of a task in the events of listeners.
	taskEvent = "task:"
)

// noticeParams are the params of a notification that the SDK does not know.
type noticeParams struct {
	mcp.ParamsBase
	text jsontext.Value
}

func (p *noticeParams) MarshalJSON() ([]byte, error) { return p.text, nil }

// notice is a notification of that name about a task, for one session.
func notice(session *mcp.ServerSession, method string, fields []member, meta mcp.Meta) (mcp.Request, error) {
	fields = append([]member{{methodKey, quoted(method)}}, fields...)
	if meta != nil {
		text, err := json.Marshal(map[string]any(meta), json.Deterministic(true))
		if err != nil {
			return nil, err
		}
		fields = append(fields, member{"_meta", text})
	}
	return &mcp.ServerRequest[*noticeParams]{Session: session, Params: &noticeParams{text: object(fields)}}, nil
}

// named gives the notifications in p, a message, their own names.
func named(p []byte) []byte {
	if !bytes.Contains(p, []byte(methodKey)) {
		return p
	}
	trimmed := bytes.TrimRight(p, "\n")
	fields, ok := members(trimmed)
	if !ok {
		return p
	}
	name := jsontext.Value(nil)
	for i, f := range fields {
		if f.name != "params" {
			continue
		}
		params, _ := members(f.value)
		at := slices.IndexFunc(params, func(m member) bool { return m.name == methodKey })
		if at < 0 {
			return p
		}
		name = params[at].value
		fields[i].value = object(slices.Delete(params, at, at+1))
	}
	for i, f := range fields {
		if f.name == "method" && name != nil {
			fields[i].value = name
		}
	}
	return append(object(fields), p[len(trimmed):]...)
}

// A namingWriter does it for the events of an HTTP answer; the SDK writes each event at once.
type namingWriter struct{ http.ResponseWriter }

func (w namingWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w namingWriter) Write(p []byte) (int, error) {
	if !bytes.Contains(p, []byte(methodKey)) {
		return w.ResponseWriter.Write(p)
	}
	lines := strings.SplitAfter(string(p), "\n")
	for i, line := range lines {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			lines[i] = "data: " + string(named([]byte(data)))
		}
	}
	if _, err := w.ResponseWriter.Write([]byte(strings.Join(lines, ""))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// taskChanged tells of the status of a task: its session in 2025-11-25, and whoever listens for it in the extension.
func (s *station) taskChanged(j *job) {
	if j.expired(time.Now()) {
		return // it is forgotten, and what became of it with it
	}
	if !j.core {
		s.ears.tell(taskEvent+j.id, false)
		return
	}
	fields, err := j.whole()
	if err != nil {
		return
	}
	req, err := notice(j.session, taskStatus, fields, nil)
	if err == nil {
		// A client that cannot be reached polls; it need not be told.
		_, _ = s.ears.send(s.life, carrier, req)
	}
}

// notifyTask tells a listener of a task as it is now.
func (ls *listeners) notifyTask(ctx context.Context, l *listener, id string) error {
	j, err := ls.jobs.find(id, false)
	if err != nil {
		return nil // it has expired
	}
	fields, err := j.whole()
	if err != nil {
		return err
	}
	req, err := notice(l.session, taskTold, fields, l.meta())
	if err != nil {
		return err
	}
	_, err = ls.send(ctx, carrier, req)
	return err
}

// ackParams are those of the acknowledgement, with the tasks that the SDK's own do not have.
type ackParams struct {
	mcp.ParamsBase
	Notifications struct {
		mcp.NotificationSubscriptions
		TaskIDs []string `json:"taskIds,omitempty"`
	} `json:"notifications"`
}

// taskIDs are the tasks that a listen request asks to be told of, as far as they are kept.
func (ls *listeners) taskIDs(req *mcp.SubscriptionsListenRequest) (ids []string, err error) {
	kept, ok := req.Params.Meta[taskIDsKey].(string)
	if !ok {
		return nil, nil
	}
	if !peerOf(req).extends() {
		return nil, missingCapability(errUndeclared{"tasks", `{"extensions":{"` + tasksExtension + `":{}}}`})
	}
	if err := json.Unmarshal([]byte(kept), &ids); err != nil {
		return nil, invalidParams("taskIds: " + err.Error())
	}
	return slices.DeleteFunc(ids, func(id string) bool {
		_, err := ls.jobs.find(id, false)
		return err != nil
	}), nil
}
