package view

import (
	"strings"
	"testing"
	"time"

	"mcploupe/recorder"
)

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

// The event that sets a mark says what it did, to which event.
func TestEventsThatSetMarksSayWhich(t *testing.T) {
	f := follow(t, twoCalls(t))
	f.settle()
	first := f.log.Len() + 1
	for _, m := range []recorder.Mark{{Seq: 3, Pinned: true, Color: "red", Note: "look"}, {Seq: 3}, {Seq: 2, Note: "here"}} {
		if err := f.SetMark(m); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []string{"#3 pinned, red: look", "#3 no longer marked", "#2 here"} {
		row := rowOf(f.log, first+uint64(i))
		if row.What != "mark" || row.Name != want || row.Size != "" {
			t.Errorf("%+v, want %q", row, want)
		}
		d, err := LoadDetail(f.log, row.Seq)
		if err != nil || !strings.Contains(d.Facts.Text(), want) || strings.Contains(d.Facts.Text(), "size") {
			t.Errorf("%v, the facts are %q", err, d.Facts.Text())
		}
	}
}
