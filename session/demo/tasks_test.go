package demo

import (
	"context"
	"strings"
	"testing"
	"time"
)

// A task that is dropped is stopped, whoever comes to drop it.
func TestTasksWhoseTimeIsOverAreStopped(t *testing.T) {
	var js jobs
	started := func(age time.Duration) (*job, context.Context) {
		ctx, stop := context.WithCancel(t.Context())
		return &job{born: time.Now().Add(-age), life: time.Minute, stop: stop, over: make(chan struct{})}, ctx
	}
	old, work := started(time.Hour)
	young, rest := started(0)
	for _, j := range []*job{old, young} {
		if err := js.add(j); err != nil {
			t.Fatal(err)
		}
	}
	if work.Err() == nil || rest.Err() != nil || len(js.all) != 1 || js.all[0] != young {
		t.Errorf("the old one: %v, the young one: %v, %d kept", work.Err(), rest.Err(), len(js.all))
	}
}

// HTTP: a refusal has the status that goes with its code (TSKX-18, L-HTTP-03).
func TestRefusalsAboutTasksOverHTTP(t *testing.T) {
	w := openWeb(t)
	extending := strings.Replace(meta, `"roots":{}`, `"roots":{},"extensions":{"io.modelcontextprotocol/tasks":{}}`, 1)
	for _, c := range []struct {
		method, name, meta, code string
		status                   int
	}{
		{"tasks/result", "x", extending, "-32601", 404},
		{"tasks/result", "x", meta, "-32601", 404},
		{"tasks/list", "", extending, "-32601", 404},
		{"tasks/list", "", meta, "-32601", 404},
		{"tasks/get", "x", extending, "-32602", 400},
		{"tasks/get", "x", meta, "-32021", 400},
		{"tasks/cancel", "x", meta, "-32021", 400},
		{"tasks/update", "x", meta, "-32021", 400},
	} {
		task := ""
		if c.name != "" {
			task = `"taskId":"` + c.name + `",`
		}
		res, body := w.post(`{"jsonrpc":"2.0","id":1,"method":"`+c.method+`","params":{`+task+c.meta+`}}`, modernHeaders(c.method, c.name)...)
		if res.StatusCode != c.status || !strings.Contains(body, c.code) {
			t.Errorf("%s, extension %t: %s %s", c.method, c.meta == extending, res.Status, body)
		}
	}
	res, body := w.post(`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"taskIds":["x"]},`+meta+`}}`, modernHeaders("subscriptions/listen", "")...)
	if res.StatusCode != 400 || !strings.Contains(body, "-32021") {
		t.Errorf("a listen request that names tasks: %s %s", res.Status, body)
	}
}
