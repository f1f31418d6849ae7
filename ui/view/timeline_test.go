package view

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mcploupe/recorder"
)

func TestRowsSayWhatHappened(t *testing.T) {
	log := newLog(t)
	code := 3
	call := message(log, recorder.Out, 17*time.Millisecond, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"get-sum"}}`)
	lone := message(log, recorder.Out, 18*time.Millisecond, `{"jsonrpc":"2.0","id":8,"method":"ping"}`)
	message(log, recorder.In, 21*time.Millisecond, `{"jsonrpc":"2.0","id":7,"result":{}}`)
	message(log, recorder.In, 22*time.Millisecond, `{"jsonrpc":"2.0","id":99,"error":{"code":-32601,"message":"no"}}`)
	message(log, recorder.In, 23*time.Millisecond, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"db","data":{"n":1}}}`)
	log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindBad, Channel: "stdio", Data: []byte("INFO \x1b[31mstarting\x1b]\n")})
	log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindStderr, Channel: "stdio", Data: []byte("listening\n")})
	log.Append(recorder.Event{Kind: recorder.KindState, Fields: &recorder.StateChange{State: "exited", ExitCode: &code}})
	log.Append(recorder.Event{Dir: recorder.Out, Kind: recorder.KindHTTP, Channel: "post-1", Fields: &recorder.HTTPHead{Method: "POST", URL: "http://h/mcp?x=1"}})
	log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindHTTP, Channel: "post-1", Fields: &recorder.HTTPHead{Status: 404, Reason: "Not Found"}})
	for _, want := range []Row{
		{Seq: call, Arrow: "→", What: "tools/call", Name: "get-sum", ID: "7", Status: "ok", Took: "4 ms", Tone: Good},
		{Seq: lone, Arrow: "→", What: "ping", ID: "8", Status: "pending"},
		{Seq: 3, Arrow: "←", What: "result · tools/call", Name: "get-sum", ID: "7", Status: "ok", Took: "4 ms", Tone: Good},
		{Seq: 4, Arrow: "←", What: "error", Name: "no", ID: "99", Status: "no request", Tone: Caution},
		{Seq: 5, Arrow: "←", What: "notifications/message", Name: "info db {\"n\":1}"},
		{Seq: 6, Arrow: "←", What: "not a message", Name: "INFO starting‹ESC›]", Status: "bad", Tone: Bad},
		{Seq: 7, Arrow: "←", What: "stderr", Name: "listening"},
		{Seq: 8, Arrow: "·", What: "exited", Name: "exit code 3", Tone: Caution},
		{Seq: 9, Arrow: "→", What: "http POST", Name: "/mcp?x=1", Tone: Muted},
		{Seq: 10, Arrow: "←", What: "http 404", Name: "Not Found", Status: "refused", Tone: Caution},
	} {
		got := rowOf(log, want.Seq)
		got.Number, got.Time, got.Size = "", "", ""
		if got != want {
			t.Errorf("row %d:\n got %+v\nwant %+v", want.Seq, got, want)
		}
	}
}

// Lines of a file that are no events, or events of a kind to come, have rows too.
func TestRowsOfWhatIsNoEvent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x"+recorder.Ext)
	text := `{"format":"mcploupe/1","created":"2026-11-30T03:12:09Z","target":{"transport":"stdio"}}
Segmentation fault
{"q":2,"t":9,"k":"hologram","hologram":{"x":1}}
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := recorder.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	}()
	for seq, want := range map[uint64]string{1: "not an event, Segmentation fault, bad", 2: "event of an unknown kind, , odd"} {
		if r := rowOf(log, seq); r.What+", "+r.Name+", "+r.Status != want {
			t.Errorf("row %d: %+v", seq, r)
		}
		if d, err := LoadDetail(log, seq); err != nil || !strings.Contains(d.Facts.Text(), "not an event") {
			t.Errorf("event %d: %v\n%s", seq, err, d.Facts.Text())
		}
	}
}

func TestRowsGiveTheGistOfNotifications(t *testing.T) {
	log := newLog(t)
	for params, want := range map[string]string{
		`{"progressToken":1,"progress":3,"total":10,"message":"half\u202e way"}`:              "3 of 10 half‹U+202E› way",
		`{"progressToken":1,"progress":0.50}`:                                                 "0.50",
		`{"progressToken":1,"progress":1,"message":"` + strings.Repeat("x", gistBytes) + `"}`: "",
	} {
		seq := message(log, recorder.In, 1, `{"jsonrpc":"2.0","method":"notifications/progress","params":`+params+`}`)
		if got := rowOf(log, seq).Name; got != want {
			t.Errorf("%.60s: %q, want %q", params, got, want)
		}
	}
}

func TestRowsSayHowARequestEnded(t *testing.T) {
	log := newLog(t)
	for i, answer := range []string{
		`"result":{"isError":true,"content":[]}`, `"error":{"code":-32602,"message":"m"}`, `"result":{"resultType":"input_required"}`,
	} {
		method := "tools/call"
		message(log, recorder.Out, 1, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"%s","params":{"name":"n"}}`, i, method))
		message(log, recorder.In, 2, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%s}`, i, answer))
	}
	for i, want := range []Row{{Status: "tool error", Tone: Bad}, {Status: "-32602", Tone: Bad}, {Status: "asks", Tone: Caution}} {
		for _, seq := range []uint64{uint64(2*i + 1), uint64(2*i + 2)} {
			if got := rowOf(log, seq); got.Status != want.Status || got.Tone != want.Tone {
				t.Errorf("event %d: status %q tone %d, want %q %d", seq, got.Status, got.Tone, want.Status, want.Tone)
			}
		}
	}
}

func TestRowKeyChangesWithTheAnswer(t *testing.T) {
	log := newLog(t)
	message(log, recorder.Out, 1, `{"jsonrpc":"2.0","id":7,"method":"ping"}`)
	line := NewTimeline(log, nil, nil)
	before := line.RowKey(0)
	if line.Take() || line.RowKey(0) != before {
		t.Error("news although nothing happened")
	}
	message(log, recorder.In, 2, `{"jsonrpc":"2.0","id":7,"result":{}}`)
	if !line.Take() || line.RowKey(0) == before {
		t.Error("the row of a request does not show that its answer came")
	}
}

// searching runs the searches of a timeline and waits for their news.
type searching struct {
	work sync.WaitGroup
	ctx  context.Context
	end  context.CancelFunc
	news chan struct{}
}

func newSearching(t *testing.T) *searching {
	s := &searching{news: make(chan struct{}, 1)}
	s.ctx, s.end = context.WithCancel(context.Background())
	t.Cleanup(func() { s.end(); s.work.Wait() })
	return s
}

func (s *searching) run(f func(context.Context)) { s.work.Go(func() { f(s.ctx) }) }

func (s *searching) mark() {
	select {
	case s.news <- struct{}{}:
	default:
	}
}

func (s *searching) await(t *testing.T, line *Timeline, ok func() bool) {
	t.Helper()
	late := time.NewTimer(20 * time.Second)
	defer late.Stop()
	for {
		line.Take()
		if ok() {
			return
		}
		select {
		case <-s.news:
		case <-late.C:
			t.Fatalf("the search did not get there: %s, %s", line.Counts(), line.Problem())
		}
	}
}

func TestFilterStreamsAndGoesOn(t *testing.T) {
	log := newLog(t)
	for i := range 1000 {
		method := "a"
		if i%10 == 0 {
			method = "b"
		}
		message(log, recorder.Out, 1, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/%s"}`, method))
	}
	s := newSearching(t)
	line := NewTimeline(log, s.run, s.mark)
	line.Take()
	if line.Rows() != 1000 {
		t.Fatalf("%d rows without a filter", line.Rows())
	}
	line.SetFilter("method:notifications/b")
	s.await(t, line, func() bool { return line.Rows() == 100 && !line.Searching() })
	if got := line.Counts(); !strings.HasPrefix(got, "100 of 1") {
		t.Errorf("counts %q", got)
	}
	if line.Seq(1) != 11 {
		t.Errorf("row 1 is event %d, want 11", line.Seq(1))
	}
	if row, ok := line.RowOf(21); !ok || row != 2 {
		t.Errorf("event 21 is row %d, %v", row, ok)
	}
	if _, ok := line.RowOf(22); ok {
		t.Error("a row for an event that the filter hides")
	}
	message(log, recorder.Out, 1, `{"jsonrpc":"2.0","method":"notifications/b"}`)
	s.await(t, line, func() bool { return line.Rows() == 101 })
	if line.Seq(100) != 1001 {
		t.Errorf("the newest row is event %d", line.Seq(100))
	}
	line.SetFilter("")
	if line.Rows() != 1001 || line.Searching() {
		t.Errorf("%d rows after the filter was emptied", line.Rows())
	}
}

func TestFilterThatIsNone(t *testing.T) {
	log := newLog(t)
	message(log, recorder.Out, 1, `{"jsonrpc":"2.0","method":"x"}`)
	s := newSearching(t)
	line := NewTimeline(log, s.run, s.mark)
	before := line.Generation()
	line.SetFilter("dur>fast")
	if line.Problem() == "" || line.Rows() != 1 || line.Generation() != before {
		t.Errorf("problem %q, %d rows", line.Problem(), line.Rows())
	}
	line.SetFilter("")
	if line.Problem() != "" {
		t.Errorf("problem %q stays", line.Problem())
	}
}

func TestRecordingName(t *testing.T) {
	for path, want := range map[string][2]string{
		"/r/a-b-20261130-060242.mcp.jsonl": {"a-b", "2026-11-30 06:02"},
		"/r/a-20261130-060242-2.mcp.jsonl": {"a", "2026-11-30 06:02 no. 2"},
		"/r/mine.mcp.jsonl":                {"mine", ""},
		"/r/20261130-060242.mcp.jsonl":     {"20261130-060242", ""},
		"/r/x-20269999-060242.mcp.jsonl":   {"x-20269999-060242", ""},
		"/r/other-20261130-060242.json":    {"other-20261130-060242.json", ""},
	} {
		if title, when := RecordingName(path); title != want[0] || when != want[1] {
			t.Errorf("RecordingName(%q) = %q, %q, want %q", path, title, when, want)
		}
	}
}

func BenchmarkRow(b *testing.B) {
	log, err := recorder.Create(b.TempDir()+"/x"+RecordingExt, recorder.Header{Format: recorder.Format, Created: time.Now()})
	if err != nil {
		b.Fatal(err)
	}
	for i := range 1000 {
		message(log, recorder.In, 1, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/message","params":{"data":%d}}`, i))
	}
	line := NewTimeline(log, nil, nil)
	b.ResetTimer()
	for i := 0; b.Loop(); i++ {
		line.RowAt(i % 1000)
	}
	b.StopTimer()
	if err := log.Close(); err != nil {
		b.Fatal(err)
	}
}

// Columns give way in an order of their own, and only as many as it takes.
func TestFittingColumns(t *testing.T) {
	all := Columns(Events, nil)
	all = slices.DeleteFunc(all, func(c Column) bool { return !c.Shown })
	for width, without := range map[float32][]ColumnKey{
		1000: nil, 520: {ColumnSize}, 470: {ColumnSize, ColumnID}, 0: {ColumnSize, ColumnID, ColumnTook},
	} {
		fit, left := Fitting(all, width)
		if !slices.Equal(left, without) || len(fit)+len(left) != len(all) || len(all) != 9 {
			t.Errorf("in %v there is no room for %v, want %v; %d of %d are left", width, left, without, len(fit), len(all))
		}
	}
}
