package session

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session/link"
)

func newLogNamed(t *testing.T, name string) *recorder.Log {
	t.Helper()
	log, err := recorder.Create(filepath.Join(t.TempDir(), name), Target{Command: "srv"}.RecordingHeader("test"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	})
	return log
}

// Every event is in exactly one recording, whenever the recording is changed, and
// numbers only ever rise.
func TestNoEventIsLostOrDoubledOverASwitch(t *testing.T) {
	const writers, events, switches = 4, 3000, 20
	logs := []*recorder.Log{newLogNamed(t, "0.mcp.jsonl")}
	tape := &tape{log: logs[0]}
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			last := uint64(0)
			for i := range events {
				data := fmt.Sprintf(`{"jsonrpc":"2.0","method":"w%d","params":%d}`, w, i)
				seq := tape.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindMessage, Channel: fmt.Sprint(w), Cause: last, Data: []byte(data)})
				if seq <= last {
					t.Errorf("number %d after %d", seq, last)
				}
				last = seq
			}
		})
	}
	for i := range switches {
		next := newLogNamed(t, fmt.Sprintf("%d.mcp.jsonl", i+1))
		if old := tape.swap(next); old != logs[len(logs)-1] {
			t.Fatal("the switch gave back another recording")
		}
		logs = append(logs, next)
	}
	all.Wait()
	next := make([]int, writers)
	for n, log := range logs {
		last := make([]uint64, writers) // event of this recording
		for seq := uint64(1); seq <= log.Len(); seq++ {
			e, err := log.Read(seq, 0)
			if err != nil {
				t.Fatal(err)
			}
			if e.Kind == recorder.KindNote {
				continue
			}
			var w, i int
			if _, err := fmt.Sscanf(string(e.Data), `{"jsonrpc":"2.0","method":"w%d","params":%d}`, &w, &i); err != nil {
				t.Fatal(err)
			}
			if i != next[w] {
				t.Fatalf("recording %d has event %d of writer %d, want %d", n, i, w, next[w])
			}
			if e.Cause != last[w] {
				t.Fatalf("recording %d, event %d: cause %d, want %d", n, seq, e.Cause, last[w])
			}
			next[w]++
			last[w] = seq
		}
	}
	for w, n := range next {
		if n != events {
			t.Errorf("%d events of writer %d, want %d", n, w, events)
		}
	}
}

// A call may begin in one recording and end in the next.
func TestSessionGoesOnInAnotherRecording(t *testing.T) {
	s, f, done := ready(t, stdioTarget, Options{}, legacy(nil))
	first := s.log.current()
	call, err := s.Do(t.Context(), s.NewRequest(protocol.MethodToolsCall, []byte(`{"name":"a"}`)), CallOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f.link().in(`{"jsonrpc":"2.0","id":"never sent","result":{}}`)
	before := s.State()
	if call.State().RequestSeq == 0 || len(before.Findings) == 0 || before.Findings[0].Seq == 0 {
		t.Fatalf("before the switch: %+v", before.Findings)
	}
	next := newLogNamed(t, "next.mcp.jsonl")
	if old := s.SetLog(next); old != first {
		t.Error("the switch gave back another recording")
	}
	events := first.Len()
	st := s.State()
	if got := call.State().RequestSeq; got != 0 {
		t.Errorf("the request is event %d of a recording that does not have it", got)
	}
	for _, step := range st.Steps {
		if step.Seq != 0 {
			t.Errorf("step %q points to event %d", step.Title, step.Seq)
		}
	}
	for _, finding := range st.Findings {
		if finding.Seq != 0 {
			t.Errorf("finding %s points to event %d", finding.Rule, finding.Seq)
		}
	}
	if before.Findings[0].Seq == 0 {
		t.Error("an older snapshot was changed")
	}
	f.link().result(f.link().last(protocol.MethodToolsCall), `{"content":[]}`)
	ended, err := call.Wait(t.Context())
	if err != nil || ended.Phase != CallOK {
		t.Fatalf("%v, %v", ended.Phase, err)
	}
	if h := next.Head(ended.AnswerSeq); h.Message != protocol.Result || h.Dir != recorder.In {
		t.Errorf("the answer is event %d, which is %+v", ended.AnswerSeq, h)
	}
	for log, want := range map[*recorder.Log]string{first: "goes on in next.mcp.jsonl", next: "goes on from event"} {
		seq := uint64(1)
		if log == first {
			seq = first.Len()
		}
		e, err := log.Read(seq, 0)
		if err != nil || e.Kind != recorder.KindNote || !strings.Contains(string(e.Data), want) {
			t.Errorf("event %d: %q, %v; want a note with %q", seq, e.Data, err, want)
		}
	}
	if first.Len() != events {
		t.Error("the old recording grew after the switch")
	}
	done()
	if first.Len() != events || next.Head(next.Len()).Status != "closed" {
		t.Errorf("the end of the session is not in the new recording: %+v", next.Head(next.Len()))
	}
}

// What links keep of an earlier recording is no cause in the next.
func TestCauseOfAnEarlierRecordingIsNone(t *testing.T) {
	s, f, done := ready(t, httpTarget, Options{}, modern(nil))
	defer done()
	head := f.link().log.Append(recorder.Event{Dir: recorder.Out, Kind: recorder.KindHTTP, Channel: "post-9", Fields: &recorder.HTTPHead{Method: "POST"}})
	next := newLogNamed(t, "next.mcp.jsonl")
	s.SetLog(next)
	answer := f.link().log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindHTTP, Channel: "post-9", Cause: head, Fields: &recorder.HTTPHead{Status: 200}})
	body := f.link().log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindMessage, Channel: "post-9", Cause: answer, Data: []byte(`{}`)})
	f.link().h.Receive(link.Incoming{Seq: body, Raw: []byte(`{}`), Channel: "post-9"})
	last := next.Len()
	if h := next.Head(last); h.Cause != last-1 {
		t.Errorf("the body's cause is %d, want %d", h.Cause, last-1)
	}
	if h := next.Head(last - 1); h.Cause != 0 {
		t.Errorf("the answer's cause is %d, which is another event", h.Cause)
	}
	if found := s.State().Findings; len(found) == 0 || found[len(found)-1].Seq != last {
		t.Errorf("the finding points to %+v, want event %d", found, last)
	}
}
