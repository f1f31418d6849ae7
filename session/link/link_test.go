package link

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session/sessiontest"
)

// asHost turns the test binary into another program when its environment says
// so, where there is one.
var asHost = func() {}

func TestMain(m *testing.M) {
	sessiontest.Main()
	asHost()
	code := m.Run()
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// testTimeout bounds waits that should take no time at all.
const testTimeout = 20 * time.Second

// witness is a log and a handler that remembers everything.
type witness struct {
	mu     sync.Mutex
	events []recorder.Event
	ins    []Incoming
	ended  []Ended
	downs  []Down
	wake   chan struct{}
	slow   func(Incoming)
}

func newWitness() *witness { return &witness{wake: make(chan struct{})} }

func (w *witness) change(f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f()
	close(w.wake)
	w.wake = make(chan struct{})
}

func (w *witness) Append(e recorder.Event) (seq uint64) {
	e.Data = bytes.Clone(e.Data)
	w.change(func() {
		seq = uint64(len(w.events) + 1)
		e.Seq = seq
		w.events = append(w.events, e)
	})
	return seq
}

func (w *witness) Receive(in Incoming) {
	w.change(func() { w.ins = append(w.ins, in) })
	if w.slow != nil {
		w.slow(in)
	}
}
func (w *witness) Ended(e Ended) { w.change(func() { w.ended = append(w.ended, e) }) }
func (w *witness) Down(d Down)   { w.change(func() { w.downs = append(w.downs, d) }) }

// await waits until cond, called under the lock, holds.
func (w *witness) await(t testing.TB, what string, cond func() bool) {
	t.Helper()
	limit := time.After(testTimeout)
	for {
		w.mu.Lock()
		ok, wake := cond(), w.wake
		w.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-wake:
		case <-limit:
			w.mu.Lock()
			defer w.mu.Unlock()
			t.Fatalf("waiting for %s; got %d events, %d in, ended %+v, down %+v\n%s", what, len(w.events), len(w.ins), w.ended, w.downs, w.dump())
		}
	}
}

// in, ends, down and log return copies of what there is now.
func (w *witness) in() []Incoming { w.mu.Lock(); defer w.mu.Unlock(); return slices.Clone(w.ins) }
func (w *witness) ends() []Ended  { w.mu.Lock(); defer w.mu.Unlock(); return slices.Clone(w.ended) }
func (w *witness) down() []Down   { w.mu.Lock(); defer w.mu.Unlock(); return slices.Clone(w.downs) }
func (w *witness) log() []recorder.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.events)
}

func (w *witness) dump() string {
	var b strings.Builder
	for _, e := range w.events[max(0, len(w.events)-40):] {
		fmt.Fprintf(&b, "%d dir=%d kind=%d %s cause=%d %.200q %+v\n", e.Seq, e.Dir, e.Kind, e.Channel, e.Cause, e.Data, e.Fields)
	}
	return b.String()
}

// answerTo waits for a message with that id and returns it.
func (w *witness) answerTo(t testing.TB, id uint64) Incoming {
	t.Helper()
	var found Incoming
	w.await(t, fmt.Sprintf("the answer to %d", id), func() bool {
		for _, in := range w.ins {
			if m := protocol.Parse(in.Raw); m.ID == protocol.IntID(id) && (m.Kind == protocol.Result || m.Kind == protocol.Error) {
				found = in
				return true
			}
		}
		return false
	})
	return found
}

func (w *witness) states(name string) []*recorder.StateChange {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []*recorder.StateChange
	for _, e := range w.events {
		if s, ok := e.Fields.(*recorder.StateChange); ok && s.State == name {
			out = append(out, s)
		}
	}
	return out
}

func (w *witness) notes() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []string
	for _, e := range w.events {
		if e.Kind == recorder.KindNote {
			out = append(out, string(e.Data))
		}
	}
	return out
}

func (w *witness) stderr() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var b strings.Builder
	for _, e := range w.events {
		if e.Kind == recorder.KindStderr {
			b.Write(e.Data)
		}
	}
	return b.String()
}

// output puts the bytes that a stdio server wrote together again, from the log
// alone.
func (w *witness) output() string { return w.wrote(recorder.In) }

// wrote is output for either side.
func (w *witness) wrote(dir recorder.Direction) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	end := map[uint64]string{} // line end by event, where a note speaks of it
	for _, e := range w.events {
		if e.Kind != recorder.KindNote || e.Dir != dir {
			continue
		}
		switch text := string(e.Data); {
		case strings.HasPrefix(text, "lines end with CR LF"):
			end[e.Cause] = "\r\n"
		case strings.HasPrefix(text, "lines end with LF"):
			end[e.Cause] = "\n"
		case strings.HasSuffix(text, "without a line feed"):
			end[e.Cause] = ""
		}
	}
	var b strings.Builder
	usual, last, open := "\n", "", false
	for _, e := range w.events {
		if e.Dir != dir || (e.Kind != recorder.KindMessage && e.Kind != recorder.KindBad) {
			continue
		}
		if open && e.Cause == 0 {
			b.WriteString(last)
		}
		b.Write(e.Data)
		if e.Cause == 0 {
			last = usual
			if s, ok := end[e.Seq]; ok {
				last = s
				if s != "" {
					usual = s
				}
			}
		}
		open = true
	}
	if open {
		b.WriteString(last)
	}
	return b.String()
}

func ctxFor(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), testTimeout)
	t.Cleanup(cancel)
	return ctx
}

func request(id uint64, method, params string) []byte {
	return protocol.NewRequest(protocol.IntID(id), method, []byte(params))
}

func call(id uint64, tool string) []byte {
	return request(id, "tools/call", `{"name":"`+tool+`"}`)
}
