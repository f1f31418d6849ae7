package protocol

import (
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// rulesOf lists the rules of problems, each once.
func rulesOf(problems []Problem) string {
	var out []string
	for _, p := range problems {
		if len(out) == 0 || out[len(out)-1] != p.Rule {
			out = append(out, p.Rule)
		}
	}
	return strings.Join(out, " ")
}

func TestDecodeTask(t *testing.T) { // TASK-07, TSKX-04, TSKX-07, L-TASK-01 to 04, 08, 10, 12, L-TSKX-03, 05 to 07, 13, 14, 17
	const (
		id    = `"taskId":"9f1c2f4e7a6b4c0d8e2a"`
		times = `"createdAt":"2026-11-30T10:00:00Z","lastUpdatedAt":"2026-11-30T10:00:01.5+01:00"`
		late  = `"createdAt":"2026-11-30T10:00:00Z","lastUpdatedAt":"2026-11-30T10:00:01Z"`
		core  = id + `,` + late + `,"ttl":null`
		flat  = id + `,` + late + `,"ttlMs":60000`
	)
	for _, c := range []struct {
		name, text string
		kind       TaskKind
		from       TaskFrom
		want       string
	}{
		{"core, created", `{"task":{` + core + `,"status":"working"}}`, TaskCore, TaskCreated, ""},
		{"core, got", `{` + core + `,"status":"completed"}`, TaskCore, TaskGot, ""},
		{"core, listed without a ttl", `{` + id + `,` + late + `,"status":"failed"}`, TaskCore, TaskListed, ""},
		{"core, notified", `{` + core + `,"status":"input_required"}`, TaskCore, TaskNotified, ""},
		{"core, flat", `{` + core + `,"status":"working"}`, TaskCore, TaskCreated, "L-TASK-01"},
		{"core, begins at its end", `{"task":{` + core + `,"status":"completed"}}`, TaskCore, TaskCreated, "L-TASK-02"},
		{"core, nested when got", `{"task":{` + core + `,"status":"working"}}`, TaskCore, TaskGot, "L-TASK-04"},
		{"core, no ttl", `{` + id + `,` + late + `,"status":"working"}`, TaskCore, TaskGot, "L-TASK-04"},
		{"core, a time that goes back", `{` + id + `,` + times + `,"ttl":1,"status":"working"}`, TaskCore, TaskGot, "L-TASK-04"},
		{"core, a ttl as text", `{` + id + `,` + late + `,"ttl":"1","status":"working"}`, TaskCore, TaskGot, "L-TASK-04"},
		{"core, a negative interval", `{` + core + `,"status":"working","pollInterval":-1}`, TaskCore, TaskGot, "L-TASK-04"},
		{"core, a member of the extension", `{` + core + `,"status":"working","ttlMs":1}`, TaskCore, TaskGot, "L-TASK-04"},
		{"core, a related task", `{` + core + `,"status":"working","_meta":{"io.modelcontextprotocol/related-task":{"taskId":"x"}}}`, TaskCore, TaskGot, "L-TASK-08"},
		{"core, not cancelled", `{` + core + `,"status":"working"}`, TaskCore, TaskCancel, "L-TASK-10"},
		{"core, a short id", `{"task":{"taskId":"17",` + late + `,"ttl":1,"status":"working"}}`, TaskCore, TaskCreated, "L-TASK-12"},
		{"core, an id of one letter", `{"task":{"taskId":"aaaaaaaaaaaaaaaaaaaa",` + late + `,"ttl":1,"status":"working"}}`, TaskCore, TaskCreated, "L-TASK-12"},

		{"extension, created", `{"resultType":"task",` + flat + `,"status":"working"}`, TaskExtension, TaskCreated, ""},
		{"extension, created over", `{"resultType":"task",` + flat + `,"status":"completed"}`, TaskExtension, TaskCreated, ""},
		{"extension, no limit", `{"resultType":"complete",` + id + `,` + late + `,"ttlMs":null,"status":"working"}`, TaskExtension, TaskGot, ""},
		{"extension, completed", `{` + flat + `,"status":"completed","result":{"isError":true}}`, TaskExtension, TaskNotified, ""},
		{"extension, nested", `{"resultType":"task","task":{` + flat + `,"status":"working"}}`, TaskExtension, TaskCreated, "L-TSKX-03"},
		{"extension, nothing", `{}`, TaskExtension, TaskGot, "L-TSKX-03"},
		{"extension, no object", `[]`, TaskExtension, TaskGot, "L-TSKX-03"},
		{"extension, the wrong result type", `{"resultType":"task",` + flat + `,"status":"working"}`, TaskExtension, TaskGot, "L-TSKX-05"},
		{"extension, no result", `{` + flat + `,"status":"completed"}`, TaskExtension, TaskGot, "L-TSKX-06"},
		{"extension, no error", `{` + flat + `,"status":"failed"}`, TaskExtension, TaskGot, "L-TSKX-06"},
		{"extension, no requests", `{` + flat + `,"status":"input_required"}`, TaskExtension, TaskGot, "L-TSKX-06"},
		{"extension, requests when working", `{` + flat + `,"status":"working","inputRequests":{}}`, TaskExtension, TaskGot, "L-TSKX-06"},
		{"extension, failed by the tool", `{` + flat + `,"status":"failed","error":{"code":1,"message":""},"result":{"isError":true}}`, TaskExtension, TaskGot, "L-TSKX-06 L-TSKX-07"},
		{"extension, a time that goes back", `{` + id + `,` + times + `,"ttlMs":1,"status":"working"}`, TaskExtension, TaskGot, "L-TSKX-13"},
		{"extension, half a notification", `{` + id + `,"status":"working"}`, TaskExtension, TaskNotified, "L-TSKX-14"},
		{"extension, a short id", `{"taskId":"7",` + late + `,"ttlMs":1,"status":"working"}`, TaskExtension, TaskCreated, "L-TSKX-17"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := DecodeTask(jsontext.Value(c.text), c.kind, c.from)
			if rules := rulesOf(got.Problems); rules != c.want {
				t.Errorf("rules %q, want %q: %v", rules, c.want, got.Problems)
			}
			for _, p := range got.Problems {
				if p.Offset < 0 || p.Offset > len(c.text) {
					t.Errorf("%s is at %d", p.Rule, p.Offset)
				}
			}
		})
	}
	full := DecodeTask(jsontext.Value(`{`+flat+`,"status":"input_required","statusMessage":"m","pollIntervalMs":1e3,"inputRequests":{"k":{"method":"roots/list"}}}`), TaskExtension, TaskGot)
	if full.ID != "9f1c2f4e7a6b4c0d8e2a" || full.Message != "m" || full.TTL != "60000" || full.PollInterval != "1e3" || len(full.Inputs) != 1 ||
		!full.Created.Equal(time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v", full)
	}
}

func TestTaskStatuses(t *testing.T) { // TASK-19, L-TASK-03
	all := []TaskStatus{TaskWorking, TaskInputRequired, TaskCompleted, TaskFailed, TaskCancelled}
	for _, from := range all {
		for _, to := range all {
			want := from == to || from == TaskWorking || from == TaskInputRequired
			if TaskMayBecome(from, to) != want {
				t.Errorf("%s to %s: %v", from, to, !want)
			}
		}
	}
	if TaskStatus("thinking").Known() || TaskStatus("thinking").Over() {
		t.Error("a status that is none")
	}
}

func TestTaskCapabilities(t *testing.T) { // TASK-02, TASK-03, TASK-18, TSKX-01, TSKX-19
	core, _ := RevisionByName("2025-11-25")
	older, _ := RevisionByName("2025-06-18")
	modern := NewestModern()
	const both = `{"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}},"extensions":{"io.modelcontextprotocol/tasks":{}}}`
	with := modern.Capabilities(ClientCapabilities{Tasks: true})
	for _, c := range []struct {
		caps     string
		r        *Revision
		declared jsontext.Value
		want     TaskCapabilities
	}{
		{both, core, nil, TaskCapabilities{TaskCore, true, true, true}},
		{`{"tasks":{}}`, core, nil, TaskCapabilities{Kind: TaskCore}},
		{`{"tasks":{"requests":{"tools":{}},"list":null}}`, core, nil, TaskCapabilities{Kind: TaskCore}},
		{`{}`, core, nil, TaskCapabilities{}},
		{both, older, nil, TaskCapabilities{}},
		{both, modern, with, TaskCapabilities{Kind: TaskExtension, Calls: true, Cancel: true}},
		{both, modern, modern.Capabilities(ClientCapabilities{}), TaskCapabilities{}},
		{`{"tasks":{}}`, modern, with, TaskCapabilities{}},
		{both, nil, with, TaskCapabilities{}},
	} {
		if got := DecodeServerCapabilities(jsontext.Value(c.caps)).TaskCapabilities(c.r, c.declared); got != c.want {
			t.Errorf("%s in %v: %+v, want %+v", c.caps, c.r, got, c.want)
		}
	}
	for _, r := range Revisions() {
		got := string(r.Capabilities(ClientCapabilities{Tasks: true, Extensions: jsontext.Value(`{"a/b":{"x":1.0}}`)}))
		want := `{}`
		switch {
		case r.Modern:
			want = `{"extensions":{"a/b":{"x":1.0},"io.modelcontextprotocol/tasks":{}}}`
		case r.clientExtensions:
			want = `{"extensions":{"a/b":{"x":1.0}}}`
		}
		if got != want { // TASK-01: tasks of this side are declared nowhere
			t.Errorf("%s declares %s, want %s", r, got, want)
		}
	}
	if got := string(modern.Capabilities(ClientCapabilities{Tasks: true, Extensions: jsontext.Value(`{"io.modelcontextprotocol/tasks":{"own":1}}`)})); got != `{"extensions":{"io.modelcontextprotocol/tasks":{"own":1}}}` {
		t.Errorf("declared twice: %s", got)
	}
}

func TestDecodeTaskList(t *testing.T) { // TASK-18, L-TASK-08
	l := DecodeTaskList(jsontext.Value(`{"tasks":[{"taskId":"a"},3],"nextCursor":"","_meta":{"io.modelcontextprotocol/related-task":{"taskId":"x"}}}`))
	if len(l.Tasks) != 2 || l.Tasks[0].ID != "a" || !l.HasNext || l.Next != "" || rulesOf(l.Problems) != "L-TASK-08" || len(l.Tasks[1].Problems) == 0 {
		t.Errorf("%+v", l)
	}
	if l := DecodeTaskList(jsontext.Value(`{}`)); rulesOf(l.Problems) != "L-TASK-04" {
		t.Errorf("%+v", l)
	}
}

func TestTaskOutcome(t *testing.T) { // TASK-09, TSKX-07
	for _, c := range []struct {
		raw    string
		kind   TaskKind
		ok     bool
		as     Kind
		inside string
	}{
		{`{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`, TaskCore, true, Result, `{"content":[]}`},
		{`{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"x"}}`, TaskCore, true, Error, `{"code":-1,"message":"x"}`},
		{`{"jsonrpc":"2.0","id":1,"result":{"result":{"n":1.0}}}`, TaskExtension, true, Result, `{"n":1.0}`},
		{`{"jsonrpc":"2.0","method":"notifications/tasks","params":{"error":{"code":1}}}`, TaskExtension, true, Error, `{"code":1}`},
		{`{"jsonrpc":"2.0","id":1,"result":{"status":"cancelled"}}`, TaskExtension, false, 0, ``},
	} {
		m, ok := TaskOutcome(Parse([]byte(c.raw)), c.kind)
		if ok != c.ok || ok && m.Kind != c.as || string(m.Result)+string(m.Error) != c.inside {
			t.Errorf("%s: %v %+v", c.raw, ok, m)
		}
	}
}

func FuzzDecodeTask(f *testing.F) {
	f.Add([]byte(`{"task":{"taskId":"x","status":"working","createdAt":"2026-11-30T10:00:00Z","ttl":null,"inputRequests":{"a":{}}}}`), byte(1), byte(0))
	f.Add([]byte(`{"tasks":[{"taskId":1,"_meta":[]}],"result":{"isError":true},"status":"failed"}`), byte(2), byte(1))
	f.Fuzz(func(t *testing.T, raw []byte, kind, from byte) {
		report := DecodeTask(raw, TaskKind(kind%3), TaskFrom(from%5))
		for _, p := range report.Problems {
			if p.Offset > len(raw) {
				t.Errorf("%s at %d of %d", p.Rule, p.Offset, len(raw))
			}
		}
		DecodeTaskList(raw)
		TaskOutcome(Parse(raw), TaskKind(kind%3))
	})
}
