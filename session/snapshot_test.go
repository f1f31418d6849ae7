package session

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session/link"
	"mcploupe/session/sessiontest"
)

func TestABurstOfNotificationsIsCheap(t *testing.T) { // P1
	const n = 100_000
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{}, legacy(silent))
		defer done()
		wake, stop := s.Watch()
		defer stop()
		<-wake
		l := f.link()
		for i := range n {
			l.h.Receive(link.Incoming{Seq: uint64(i + 1), Channel: "stdio",
				Raw: fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":-1,"progress":%d}}`, i)})
		}
		<-wake
		select {
		case <-wake:
			t.Error("more than one token waits")
		default:
		}
		st := s.State()
		// All are counted; that many of one rule leave room for others.
		if st.FindingCount != n || len(st.Findings) != maxOften || st.Findings[maxOften-1].Seq != maxOften {
			t.Errorf("%d findings counted, %d kept", st.FindingCount, len(st.Findings))
		}
		if allocs := testing.AllocsPerRun(100, func() { s.State() }); allocs != 0 {
			t.Errorf("an unchanged state costs %v allocations", allocs)
		}
	})
}

func TestSnapshotsDoNotChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{}, legacy(silent))
		defer done()
		call := callTool(t, s, CallOptions{})
		f.link().in(`oops`)
		before := s.State()
		steps, findings, last := len(before.Steps), len(before.Findings), before.Calls[len(before.Calls)-1]
		f.link().result(request(call), `{}`)
		for range 3 * maxFindings {
			f.link().in(`oops`)
		}
		if len(before.Steps) != steps || len(before.Findings) != findings || before.Findings[findings-1].Rule != "L-STD-01" ||
			before.Calls[len(before.Calls)-1].Phase != last.Phase || last.Phase != CallPending {
			t.Error("an old snapshot changed")
		}
		if st := s.State(); st.Calls[len(st.Calls)-1].Phase != CallOK {
			t.Errorf("the new one is old: %+v", st.Calls)
		}
	})
}

// FuzzReceive feeds a session what a server may write. Whatever it is, later
// calls find their answers.
func FuzzReceive(f *testing.F) {
	for _, c := range sessiontest.MalformedStdio {
		f.Add([]byte(strings.ReplaceAll(c.Bytes, "{{id}}", "4")))
	}
	f.Add([]byte(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":4,"progress":1e999999999}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":{"a":1},"method":"elicitation/create"}`))
	f.Add([]byte(`[[[{"jsonrpc":"2.0","id":1e999999999,"result":{}}]]]`))
	fake := &fakes{servers: []server{legacy(silent)}}
	log, err := recorder.Create(filepath.Join(f.TempDir(), "fuzz.mcp.jsonl"), Target{Command: "srv"}.RecordingHeader("test"))
	if err != nil {
		f.Fatal(err)
	}
	s, err := open(context.Background(), stdioTarget, Options{Log: log, Capabilities: allCapabilities}, fake.dialers())
	if err == nil {
		err = s.Negotiate(context.Background())
	}
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		_ = s.Close()
		_ = log.Close()
	})
	l := fake.link()
	l.serve = nil
	f.Fuzz(func(t *testing.T, data []byte) {
		waiting := callTool(t, s, CallOptions{})
		for line := range bytes.SplitSeq(data, []byte("\n")) {
			l.h.Receive(link.Incoming{Seq: 1, Raw: line, Channel: "stdio"})
		}
		call := callTool(t, s, CallOptions{})
		l.h.Receive(link.Incoming{Seq: 2, Channel: "stdio", Raw: protocol.NewResult(call.State().ID, jsontext.Value(`{"n":1}`))})
		if st := call.State(); st.Phase != CallOK && st.AnswerSeq != 1 {
			t.Errorf("after %q: %+v", data, st)
		}
		waiting.Cancel("done")
		if st := s.State(); st.Phase != Ready || len(st.Findings) > maxFindings || len(st.Peers) > maxAsks {
			t.Errorf("phase %d, %d findings, %d peers", st.Phase, len(st.Findings), len(st.Peers))
		}
	})
}

// BenchmarkBurst is a flood of notifications, with somebody who looks at the
// state 60 times in each 1,000.
func BenchmarkBurst(b *testing.B) {
	fake := &fakes{servers: []server{legacy(silent)}}
	log, err := recorder.Create(filepath.Join(b.TempDir(), "bench.mcp.jsonl"), Target{Command: "srv"}.RecordingHeader("test"))
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	s, err := open(context.Background(), stdioTarget, Options{Log: log}, fake.dialers())
	if err == nil {
		err = s.Negotiate(context.Background())
	}
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	raw := []byte(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"something happened"}}`)
	l := fake.link()
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		l.h.Receive(link.Incoming{Seq: uint64(i), Raw: raw, Channel: "stdio"})
		if i%1000 < 60 {
			s.State()
		}
	}
}
