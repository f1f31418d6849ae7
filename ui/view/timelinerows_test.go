package view

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"mcploupe/recorder"
	"mcploupe/recorder/recordertest"
)

// following is a timeline that follows its log, and what runs for it.
type following struct {
	*Timeline
	*searching
	t   *testing.T
	log *recorder.Log
}

func follow(t *testing.T, log *recorder.Log) *following {
	s := newSearching(t)
	f := &following{Timeline: NewTimeline(log, s.run, s.mark), searching: s, t: t, log: log}
	f.Start()
	t.Cleanup(f.Close)
	return f
}

// settle waits until everything of the log is taken in.
func (f *following) settle() {
	f.t.Helper()
	f.await(f.t, f.Timeline, func() bool {
		f.watch.mu.Lock()
		seen := f.watch.seen
		f.watch.mu.Unlock()
		f.Take()
		return seen == f.log.Len() && (f.filter == nil || f.looked == seen) && !f.Searching() && !f.Sorting() && !f.sort.stale && (f.mode == Events || f.filter == nil || f.exTaken == len(f.seqs))
	})
}

// whats lists the rows, those below an exchange with a dot before them.
func (f *following) whats() (out []string) {
	for i := range f.Rows() {
		r := f.RowAt(i)
		text := r.What + " " + r.ID
		if r.Member {
			text = "· " + text
		}
		out = append(out, text)
	}
	return out
}

func (f *following) want(what string, want ...string) {
	f.t.Helper()
	if got := f.whats(); !slices.Equal(got, want) {
		f.t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

// twoCalls is a log with two calls that overlap, and a line of standard error.
func twoCalls(t *testing.T) *recorder.Log {
	log := newLog(t)
	message(log, recorder.Out, 1*time.Millisecond, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","_meta":{"progressToken":"p"}}}`)
	log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindStderr, Channel: "stdio", Time: 2 * time.Millisecond, Data: []byte("busy\n")})
	message(log, recorder.Out, 3*time.Millisecond, `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	message(log, recorder.In, 4*time.Millisecond, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}`)
	message(log, recorder.In, 5*time.Millisecond, `{"jsonrpc":"2.0","id":2,"result":{}}`)
	message(log, recorder.In, 9*time.Millisecond, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}`)
	return log
}

func TestExchangesAreRowsWithTheirEventsBelow(t *testing.T) {
	f := follow(t, twoCalls(t))
	f.SetMode(Exchanges)
	f.settle()
	f.want("closed", "tools/call 1", "ping 2")
	r := f.RowAt(0)
	if !r.Whole || r.Open || r.Name != "slow" || r.Sign != "✕" || r.Status != "-32602" || r.Tone != Bad || r.Took != "8 ms" || r.Events != "3" || r.Number != "1" {
		t.Errorf("row %+v", r)
	}
	if !f.SetOpen(0, true) || f.SetOpen(0, true) {
		t.Error("opening says nothing, or says it twice")
	}
	f.want("the first open", "tools/call 1", "· tools/call 1", "· notifications/progress ", "· error · tools/call 1", "ping 2")
	for _, c := range []struct {
		id  RowID
		row int
	}{{RowID{1, true}, 0}, {RowID{Seq: 1}, 1}, {RowID{Seq: 4}, 2}, {RowID{Seq: 6}, 3}, {RowID{3, true}, 4}, {RowID{Seq: 5}, 4}} {
		if row, ok := f.RowOfID(c.id); !ok || row != c.row {
			t.Errorf("%+v is at row %d, %v, want %d", c.id, row, ok, c.row)
		}
		if c.id.Seq != 5 && f.ID(c.row) != c.id {
			t.Errorf("row %d is %+v, want %+v", c.row, f.ID(c.row), c.id)
		}
	}
	if _, ok := f.RowOf(2); ok {
		t.Error("standard error has a row among the exchanges")
	}
	if !f.OpenAll() || f.Rows() != 2+3+2 {
		t.Errorf("%d rows with all open", f.Rows())
	}
	f.CloseAll()
	f.want("closed again", "tools/call 1", "ping 2")
	if id := f.ID(7); id != (RowID{}) {
		t.Errorf("row 7 is %+v", id)
	}
}

// A request that gets no answer any more is not shown as one that waits.
func TestRowsOfRequestsWithoutAnAnswer(t *testing.T) {
	log := newLog(t)
	message(log, recorder.Out, 1, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}`)
	message(log, recorder.In, 2, `{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{}}`)
	message(log, recorder.Out, 3, `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	f := follow(t, log)
	f.settle()
	want := func(words ...string) {
		t.Helper()
		for row, word := range words {
			if r := f.RowAt(row); r.Status != word {
				t.Errorf("row %d is %q (%s), want %q", row, r.Status, r.Sign, word)
			}
		}
	}
	want("pending", "pending", "pending")
	key := f.RowKey(0)
	message(log, recorder.Out, 4, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	f.settle()
	want("cancelled", "no answer", "pending")
	if f.RowKey(0) == key {
		t.Error("the row is not drawn anew")
	}
	log.Append(recorder.Event{Kind: recorder.KindState, Time: 5, Fields: &recorder.StateChange{State: "closed"}})
	f.settle()
	want("cancelled", "no answer", "lost")
}

// An answer that breaks JSON-RPC is told in the same word, whether it is looked at
// as an event or with its exchange.
func TestRowsOfAnAnswerThatIsNone(t *testing.T) { // L-RPC-03
	log := newLog(t)
	message(log, recorder.Out, 1, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	f := follow(t, log)
	f.settle()
	key := f.RowKey(0)
	message(log, recorder.In, 2, `{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"both"}}`)
	f.settle()
	if f.RowKey(0) == key {
		t.Error("the row of the request is not drawn anew")
	}
	for row := range 2 {
		if r := f.RowAt(row); r.Status != "invalid" || r.Sign != "✕" || r.Tone != Bad {
			t.Errorf("event %d is %s %q", row+1, r.Sign, r.Status)
		}
	}
	f.SetMode(Exchanges)
	f.settle()
	if r := f.RowAt(0); r.Status != "invalid" || r.Sign != "✕" {
		t.Errorf("the exchange is %s %q", r.Sign, r.Status)
	}
}

// A call that goes on as a task has not worked for no time at all.
func TestRowOfATaskThatGoesOn(t *testing.T) {
	log := newLog(t)
	message(log, recorder.Out, 1, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}`)
	message(log, recorder.In, 2, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"t","status":"working","createdAt":"2026-11-30T03:12:09Z","lastUpdatedAt":"2026-11-30T03:12:09Z","ttlMs":1000}}`)
	f := follow(t, log)
	f.SetMode(Exchanges)
	f.settle()
	if r := f.RowAt(0); r.Status != "pending" || r.Took != "" {
		t.Errorf("%q took %q", r.Status, r.Took)
	}
}

func TestSelectionStaysWhenRowsBecomeExchanges(t *testing.T) {
	f := follow(t, twoCalls(t))
	f.settle()
	f.Select(3) // progress of the first call
	f.SetMode(Exchanges)
	f.settle()
	if row, ok := f.RowOfID(f.SelectedID()); !ok || row != 0 || f.Selected() != 4 {
		t.Errorf("event %d at row %d, %v", f.Selected(), row, ok)
	}
	f.SetOpen(0, true)
	if row, _ := f.RowOfID(f.SelectedID()); row != 2 {
		t.Errorf("at row %d", row)
	}
	f.SetMode(Events)
	if row, ok := f.RowOfID(f.SelectedID()); !ok || row != 3 {
		t.Errorf("event %d at row %d, %v", f.Selected(), row, ok)
	}
}

func TestOpenExchangesGrow(t *testing.T) {
	f := follow(t, newLog(t))
	message(f.log, recorder.Out, 1, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","_meta":{"progressToken":"p"}}}`)
	message(f.log, recorder.Out, 2, `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	f.SetMode(Exchanges)
	f.settle()
	f.SetOpen(0, true)
	moved, key := f.Moved(), f.RowKey(0)
	message(f.log, recorder.In, 3, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}`)
	message(f.log, recorder.In, 4, `{"jsonrpc":"2.0","id":1,"result":{}}`)
	f.settle()
	f.want("grown", "tools/call 1", "· tools/call 1", "· notifications/progress ", "· result · tools/call 1", "ping 2")
	if f.Moved() == moved {
		t.Error("that a row moved is not said")
	}
	if f.RowKey(0) == key {
		t.Error("the row of the exchange does not show that it was answered")
	}
	f.OpenAll()
	message(f.log, recorder.Out, 5, `{"jsonrpc":"2.0","id":3,"method":"ping"}`)
	f.settle()
	if rows := f.Rows(); rows != 3+3+1+1 || !f.Open(rows-1) {
		t.Errorf("%d rows, the last one open: %v", rows, f.Open(rows-1))
	}
}

// A filter shows the exchanges of the events that it lets through, in their
// own order, also when an event is found after one of a later exchange.
func TestFilterShowsExchanges(t *testing.T) {
	log := newLog(t)
	const n = 300
	for i := range n {
		message(log, recorder.Out, time.Duration(i), fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, i))
	}
	f := follow(t, log)
	f.SetMode(Exchanges)
	f.SetFilter("kind:result")
	f.settle()
	f.want("nothing is answered")
	for i := n - 1; i >= 0; i -= 3 {
		message(log, recorder.In, n, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`, i))
		if i%2 == 0 {
			f.settle()
		}
	}
	f.settle()
	if f.Rows() != n/3 {
		t.Fatalf("%d rows", f.Rows())
	}
	for row := range f.Rows() {
		if want := uint64(3*row + 2 + 1); f.Seq(row) != want {
			t.Fatalf("row %d is event %d, want %d", row, f.Seq(row), want)
		}
	}
	if f.Counts() != fmt.Sprintf("%d of %d", n/3, n) {
		t.Errorf("%q", f.Counts())
	}
	f.SetFilter("")
	f.settle()
	if f.Rows() != n {
		t.Errorf("%d rows without a filter", f.Rows())
	}
}

func TestRelatedRows(t *testing.T) {
	f := follow(t, twoCalls(t))
	f.settle()
	related := func() (out []int) {
		for i := range f.Rows() {
			if f.Related(i) {
				out = append(out, i)
			}
		}
		return out
	}
	if got := related(); got != nil {
		t.Errorf("related to nothing: %v", got)
	}
	f.Select(0)
	if got := related(); !slices.Equal(got, []int{0, 3, 5}) {
		t.Errorf("related to the first call: %v", got)
	}
	if !f.Relate(4) || f.Relate(4) {
		t.Error("hovering says nothing, or says it twice")
	}
	if got := related(); !slices.Equal(got, []int{0, 2, 3, 4, 5}) {
		t.Errorf("related to both: %v", got)
	}
	f.Select(-1)
	f.Relate(1) // standard error
	if got := related(); got != nil {
		t.Errorf("related to standard error: %v", got)
	}
	if e, ok := f.ExchangeOf(3); !ok || e.Request != 1 {
		t.Errorf("exchange %+v, %v", e, ok)
	}
}

// Every row is found again by its identity, whatever is open.
func TestRowsOfABusyRecordingAreFoundAgain(t *testing.T) {
	log, err := recordertest.Create(filepath.Join(t.TempDir(), "x"+RecordingExt), 5000)
	if err != nil {
		t.Fatal(err)
	}
	f := follow(t, log)
	f.SetMode(Exchanges)
	f.settle()
	for row := f.Rows() - 1; row >= 0; row -= 3 {
		f.SetOpen(row, true)
	}
	members := 0
	for row := range f.Rows() {
		id := f.ID(row)
		if got, ok := f.RowOfID(id); !ok || got != row {
			t.Fatalf("row %d is %+v, which is found at %d, %v", row, id, got, ok)
		}
		if !id.Whole {
			members++
		}
	}
	if members < 500 {
		t.Errorf("only %d rows are below others", members)
	}
	f.Close()
	f.end()
	f.work.Wait()
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
}

// What a hidden page does not take stays short: each exchange is kept once.
func TestTouchedExchangesStayFew(t *testing.T) {
	log := newLog(t)
	for id := range 2 {
		message(log, recorder.Out, 1, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":%d}}}`, id, id))
	}
	for i := range 1000 {
		message(log, recorder.In, 2, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%d,"progress":%d}}`, i%2, i))
	}
	all := log.Exchanges()
	all.Take(t.Context())
	w := newWatch()
	w.wantTouched(true)
	for range 3 * maxTouched / 1000 {
		w.gather(all, 1, log.Len())
	}
	seen, touched := w.take()
	slices.Sort(touched)
	if seen != log.Len() || len(touched) > maxTouched || !slices.Equal(slices.Compact(touched), []uint32{0, 1}) {
		t.Errorf("%d of %d events, %d exchanges", seen, log.Len(), len(touched))
	}
}
