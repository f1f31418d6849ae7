package replay

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"sync"
)

var errStreamOver = errors.New("the stream is over")

// eventWriter writes messages as server-sent events, from many goroutines. The
// stream begins with the first of them, so that a lone answer can be JSON.
type eventWriter struct {
	w http.ResponseWriter

	mu      sync.Mutex
	started bool
	over    bool
}

func newEventWriter(w http.ResponseWriter) *eventWriter { return &eventWriter{w: w} }

// begun reports whether the response is a stream.
func (e *eventWriter) begun() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.started
}

// open begins the stream before there is anything to say.
func (e *eventWriter) open() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.begin()
}

// begin writes the head. mu is held.
func (e *eventWriter) begin() error {
	if e.over {
		return errStreamOver
	}
	if e.started {
		return nil
	}
	e.started = true
	e.w.Header().Set("Content-Type", "text/event-stream")
	e.w.Header().Set("Cache-Control", "no-cache, no-transform")
	e.w.Header().Set("X-Accel-Buffering", "no")
	e.w.WriteHeader(http.StatusOK)
	return e.flush()
}

func (e *eventWriter) flush() error {
	if err := http.NewResponseController(e.w).Flush(); err != nil {
		return fmt.Errorf("sending an event: %w", err)
	}
	return nil
}

// send writes one message as an event.
func (e *eventWriter) send(raw []byte) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.begin(); err != nil {
		return err
	}
	block := []byte("event: message\n")
	for line := range bytes.SplitSeq(raw, []byte{'\n'}) {
		block = append(append(append(block, "data: "...), bytes.TrimSuffix(line, []byte{'\r'})...), '\n')
	}
	if _, err := e.w.Write(append(block, '\n')); err != nil {
		return fmt.Errorf("sending an event: %w", err)
	}
	return e.flush()
}

// answer ends the response with one message as JSON, or as an event when the
// stream has begun meanwhile.
func (e *eventWriter) answer(status int, raw []byte) {
	e.mu.Lock()
	if !e.started && !e.over {
		e.over = true
		writeJSON(e.w, status, raw)
		e.mu.Unlock()
		return
	}
	e.mu.Unlock()
	_ = e.send(raw) // a client that left needs none
}

// close ends the stream: nothing may be written to the response any more.
func (e *eventWriter) close() {
	e.mu.Lock()
	e.over = true
	e.mu.Unlock()
}
