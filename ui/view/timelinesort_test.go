package view

import (
	"slices"
	"testing"
	"time"

	"mcploupe/recorder"
)

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
