package demo

import (
	"bytes"
	"net/http"
	"strings"
)

// A plainAnswer is an HTTP answer that the SDK writes as a stream of one event and that goes out as JSON: who asks for the
// status of a task is not to be given a stream (2025-11-25, basic/utilities/tasks). flush writes it.
type plainAnswer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *plainAnswer) Header() http.Header { return a.header }

func (a *plainAnswer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

func (a *plainAnswer) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(p)
}

// flush writes the answer to w, which may be gone.
func (a *plainAnswer) flush(w http.ResponseWriter) {
	body := a.body.Bytes()
	if strings.HasPrefix(a.header.Get("Content-Type"), "text/event-stream") {
		a.header.Set("Content-Type", "application/json")
		a.header.Del("Cache-Control")
		body = nil
		for line := range strings.Lines(a.body.String()) {
			if data, ok := strings.CutPrefix(line, "data: "); ok && strings.TrimSpace(data) != "" {
				body = []byte(strings.TrimRight(data, "\n"))
			}
		}
	}
	for name, values := range a.header {
		w.Header()[name] = values
	}
	if a.status != 0 {
		w.WriteHeader(a.status)
	}
	_, _ = w.Write(body)
}

// polls reports whether a body asks for the status of a task.
func polls(body []byte) bool {
	if !bytes.Contains(body, []byte("tasks/get")) {
		return false
	}
	fields, _ := members(body)
	for _, f := range fields {
		if f.name == "method" {
			return string(f.value) == `"tasks/get"`
		}
	}
	return false
}
