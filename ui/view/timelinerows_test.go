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

func TestSortedRows(t *testing.T) {
	log := newLog(t)
	for i, size := range []int{30, 10, 20, 10} {
		log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindStderr, Time: time.Duration(i + 1), Data: make([]byte, size)})
	}
	f := follow(t, log)
	f.settle()
	seqs := func() (out []uint64) {
		for i := range f.Rows() {
			out = append(out, f.Seq(i))
		}
		return out
	}
	f.Sort(ColumnSize, false)
	if !f.Sorting() || !slices.Equal(seqs(), []uint64{1, 2, 3, 4}) {
		t.Errorf("while sorting: %v, rows %v", f.Sorting(), seqs())
	}
	f.settle()
	if got := seqs(); !slices.Equal(got, []uint64{2, 4, 3, 1}) {
		t.Errorf("by size %v", got)
	}
	if row, ok := f.RowOf(1); !ok || row != 3 {
		t.Errorf("the biggest is at row %d, %v", row, ok)
	}
	log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindStderr, Time: 9, Data: make([]byte, 5)})
	f.settle()
	if got := seqs(); !slices.Equal(got, []uint64{2, 4, 3, 1, 5}) {
		t.Errorf("what came later stands at %v", got)
	}
	if got := f.Counts(); got != "5 of 5, 1 new below" {
		t.Errorf("counts %q", got)
	}
	f.Sort(ColumnSize, true)
	f.settle()
	if got := seqs(); !slices.Equal(got, []uint64{1, 3, 2, 4, 5}) || f.Counts() != "5 of 5" {
		t.Errorf("by size, down: %v, counts %q", got, f.Counts())
	}
	f.SetFilter("size<25")
	f.settle()
	if got := seqs(); !slices.Equal(got, []uint64{3, 2, 4, 5}) {
		t.Errorf("filtered: %v", got)
	}
	f.Sort("", false)
	if got := seqs(); !slices.Equal(got, []uint64{2, 3, 4, 5}) {
		t.Errorf("as they came: %v", got)
	}
	f.Sort(ColumnMark, false)
	if by, _ := f.Sorted(); by != "" {
		t.Errorf("sorted by %s, which has no order", by)
	}
}

func TestSortedExchangesKeepTheirEvents(t *testing.T) {
	f := follow(t, twoCalls(t))
	f.SetMode(Exchanges)
	f.settle()
	f.SetOpen(0, true)
	f.Sort(ColumnTook, false)
	f.settle()
	f.want("by duration", "ping 2", "tools/call 1", "· tools/call 1", "· notifications/progress ", "· error · tools/call 1")
	if row, _ := f.RowOf(4); row != 3 {
		t.Errorf("progress is at row %d", row)
	}
	f.Sort(ColumnEvents, false)
	f.settle()
	if got := f.whats()[0]; got != "ping 2" {
		t.Errorf("the one with the fewest events is %s", got)
	}
	f.Sort(ColumnEvents, true)
	f.settle()
	if got := f.whats()[0]; got != "tools/call 1" {
		t.Errorf("the one with the most events is %s", got)
	}
	f.SetMode(Events)
	f.settle()
	if by, _ := f.Sorted(); by != "" {
		t.Errorf("events are sorted by %q", by)
	}
	f.SetMode(Exchanges)
	f.Sort(ColumnTook, false)
	f.SetMode(Events)
	f.settle()
	if by, _ := f.Sorted(); by != ColumnTook || f.Seq(0) != 3 {
		t.Errorf("events by %q, first %d", by, f.Seq(0))
	}
}

func TestTimesCountFromSomething(t *testing.T) {
	f := follow(t, twoCalls(t))
	f.settle()
	for mode, want := range map[TimeMode]string{
		SinceStart: "+0.004", SincePrevious: "+0.001", SinceMark: "",
		TimeOfDay: f.log.Header().Created.Add(4 * time.Millisecond).Local().Format("15:04:05.000"),
	} {
		f.SetTimeMode(mode)
		if got := f.RowAt(3).Time; got != want {
			t.Errorf("%s: %q, want %q", mode.Title(), got, want)
		}
	}
	f.SetTimeMode(SinceMark)
	key := f.RowKey(3)
	if err := f.SetMark(recorder.Mark{Seq: 1, Pinned: true}); err != nil {
		t.Fatal(err)
	}
	if got := f.RowAt(3).Time; got != "+0.003" || f.RowKey(3) == key {
		t.Errorf("since the mark %q, another key: %v", got, f.RowKey(3) != key)
	}
	f.SetTimeMode(SincePrevious)
	if got := f.RowAt(0).Time; got != "" {
		t.Errorf("the first row is %q after another", got)
	}
}

func TestMarksAreSetFoundAndRefused(t *testing.T) {
	f := follow(t, twoCalls(t))
	f.settle()
	key := f.RowKey(2)
	for _, m := range []recorder.Mark{{Seq: 3, Color: "red"}, {Seq: 5, Pinned: true, Note: "look\u202e here"}} {
		if err := f.SetMark(m); err != nil {
			t.Fatal(err)
		}
	}
	if f.RowKey(2) == key || f.RowAt(2).Mark.Color != "red" {
		t.Errorf("mark %+v", f.RowAt(2).Mark)
	}
	sign, text := MarkSign(f.RowAt(4).Mark)
	if sign != "◆" || text != "look‹U+202E› here" {
		t.Errorf("%q %q", sign, text)
	}
	if sign, text := MarkSign(f.RowAt(2).Mark); sign != "■" || text != "red" {
		t.Errorf("%q %q: a colour needs its word", sign, text)
	}
	for _, c := range []struct {
		from uint64
		back bool
		want uint64
	}{{0, false, 3}, {3, false, 5}, {5, false, 0}, {4, true, 3}, {5, true, 3}, {3, true, 0}} {
		if got := f.NextMark(c.from, c.back); got != c.want {
			t.Errorf("from %d, back %v: %d, want %d", c.from, c.back, got, c.want)
		}
	}
	f.SetFilter("id:2 kind:result")
	f.settle()
	if got := f.NextMark(0, false); got != 5 {
		t.Errorf("with a filter the first mark is %d", got)
	}
	path := f.log.Path()
	if err := f.log.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := recorder.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := again.Close(); err != nil {
			t.Error(err)
		}
	}()
	line := NewTimeline(again, nil, nil)
	if m := line.Mark(5); !m.Pinned || line.NextMark(0, false) != 3 {
		t.Errorf("read again: %+v", m)
	}
}

func TestDensityIsCounted(t *testing.T) {
	f := follow(t, twoCalls(t))
	f.SetBuckets(4)
	var d Density
	f.await(t, f.Timeline, func() bool { d, _ = f.Density(); return !d.Empty() })
	total := 0
	for _, b := range d.Buckets {
		total += b.In + b.Out
	}
	if len(d.Buckets) != 4 || total != 6 || d.From != time.Millisecond || d.To != 9*time.Millisecond {
		t.Errorf("%d events in %d buckets from %v to %v", total, len(d.Buckets), d.From, d.To)
	}
	if err := f.SetMark(recorder.Mark{Seq: 3, Pinned: true}); err != nil {
		t.Fatal(err)
	}
	f.await(t, f.Timeline, func() bool { d, _ = f.Density(); return len(d.Marks) == 1 })
	if d.Marks[0].At != 3*time.Millisecond {
		t.Errorf("mark at %v", d.Marks[0].At)
	}
}

func TestWaterfall(t *testing.T) {
	log := newLog(t)
	ms := time.Millisecond
	message(log, recorder.Out, 1, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask"}}`)
	message(log, recorder.In, 20*ms, `{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{}}`)
	message(log, recorder.Out, 60*ms, `{"jsonrpc":"2.0","id":"q","result":{"action":"decline"}}`)
	message(log, recorder.In, 80*ms, `{"jsonrpc":"2.0","id":1,"result":{}}`)
	message(log, recorder.Out, 90*ms, `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	message(log, recorder.In, 100*ms, `{"jsonrpc":"2.0","method":"x"}`)
	f := follow(t, log)
	f.SetBuckets(1)
	f.SetMode(Exchanges)
	f.settle()
	f.await(t, f.Timeline, func() bool { d, _ := f.Density(); return d.To == 100*ms })
	a := f.Axis()
	if a.From != 1 || a.To != 100*ms {
		t.Fatalf("axis %+v", a)
	}
	near := func(got AxisPart, from, to float32, waits bool) bool {
		return got.From > from-0.01 && got.From < from+0.01 && got.To > to-0.01 && got.To < to+0.01 && got.Waits == waits
	}
	bars := f.Bars(0, a)
	if len(bars) != 2 || !near(bars[0], 0, 0.8, false) || !near(bars[1], 0.2, 0.6, true) {
		t.Errorf("the call: %+v", bars)
	}
	if r := f.RowAt(0); r.Took != "40 ms" || r.Waited != "40 ms" {
		t.Errorf("worked %s, waited %s", r.Took, r.Waited)
	}
	last := f.Rows() - 1
	if bars := f.Bars(last, a); len(bars) != 1 || !near(bars[0], 0.9, 1, false) {
		t.Errorf("one that is pending: %+v", bars)
	}
	for _, seen := range []struct {
		first, last int
		from, to    time.Duration
	}{{0, 0, 1, 80 * ms}, {last, last, 90 * ms, 90*ms + 1}, {0, last, 1, 90 * ms}, {0, last + 1, 1, 100 * ms}} {
		if a := f.AxisOf(seen.first, seen.last); a.From != seen.from || a.To != seen.to {
			t.Errorf("rows %d to %d: %v to %v", seen.first, seen.last, a.From, a.To)
		}
	}
	// The time of the events is that of the work as well.
	f.SetMode(Events)
	for row, want := range map[int]string{0: "40 ms", 3: "40 ms", 1: "40 ms", 4: ""} {
		if r := f.RowAt(row); r.Took != want {
			t.Errorf("event %d took %q, want %q", row+1, r.Took, want)
		}
	}
	if r := f.RowAt(3); r.Waited != "40 ms" || f.RowAt(1).Waited != "" {
		t.Errorf("waited %q and %q", r.Waited, f.RowAt(1).Waited)
	}
	f.SetMode(Exchanges)
	f.SetFilter("after:20ms before:60ms")
	f.settle()
	if a := f.Axis(); a.From != 20*ms || a.To != 60*ms {
		t.Errorf("the axis of a brush is %+v", a)
	}
}

func TestRowNearATime(t *testing.T) {
	f := follow(t, twoCalls(t))
	f.settle()
	for at, want := range map[time.Duration]int{0: 0, 3 * time.Millisecond: 2, 6 * time.Millisecond: 5, time.Second: 5} {
		if row, ok := f.RowNear(at); !ok || row != want {
			t.Errorf("%v is at row %d, %v, want %d", at, row, ok, want)
		}
	}
	f.SetMode(Exchanges)
	f.settle()
	if row, ok := f.RowNear(2 * time.Millisecond); !ok || row != 1 {
		t.Errorf("the exchange is at row %d, %v", row, ok)
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
