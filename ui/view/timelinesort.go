package view

import (
	"context"
	"slices"
	"sync"

	"mcploupe/recorder"
)

// sorting is the order of the rows other than that of their arrival.
type sorting struct {
	column ColumnKey // "" for the order of arrival
	down   bool
	order  []uint32 // the rows; nil while the order is that of arrival, also before the first sort is done
	sorted int      // of order, how many the sort has put in their place
	taken  int      // of the natural rows, how many are in order; not for the exchanges of a filter
	fresh  []uint32 // exchanges that the filter gave since the sort began
	job    *sortJob // that is running, nil if none
	stale  bool     // rows were added after the sort, behind the others, while a filter was searching
}

// sortJob sorts in the background.
type sortJob struct {
	stop  context.CancelFunc
	count int // natural rows that are sorted

	mu   sync.Mutex
	rows []uint32
	done bool
	err  error
}

func (s *sorting) on() bool { return s.column != "" }

// Sorted is the column that rows are sorted by, "" for the order of arrival.
func (t *Timeline) Sorted() (column ColumnKey, down bool) { return t.sort.column, t.sort.down }

// Sorting reports whether rows are being sorted.
func (t *Timeline) Sorting() bool { return t.sort.job != nil }

// Sort sorts the rows by a column, in the background; "" returns to the order
// of arrival at once. Rows that come later stand behind the sorted ones.
func (t *Timeline) Sort(column ColumnKey, down bool) {
	if !t.sorts(column) {
		column = ""
	}
	if column == t.sort.column && down == t.sort.down {
		return
	}
	sorted := t.sort.order != nil
	t.stopSort()
	t.sort.column, t.sort.down = column, down
	if column == "" {
		t.sort = sorting{}
		if sorted {
			t.changes++
			t.lay()
		}
		return
	}
	t.startSort()
}

// behind is the number of rows that came after the sort and stand behind it.
func (t *Timeline) behind() int {
	if t.sort.order == nil {
		return 0
	}
	return len(t.sort.order) - t.sort.sorted
}

func (t *Timeline) stopSort() {
	if t.sort.job != nil {
		t.sort.job.stop()
		t.sort.job = nil
	}
}

// sorts reports whether the rows of the mode can be sorted by a column.
func (t *Timeline) sorts(column ColumnKey) bool {
	_, ok := sortKeys[column]
	return ok && (t.mode == Exchanges || column != ColumnWaited && column != ColumnEvents)
}

// startOver drops an order that is not that of the rows any more and makes it
// anew, when a filter is at work as soon as that has come to the end.
func (t *Timeline) startOver() {
	t.stopSort()
	t.sort.order, t.sort.fresh, t.sort.taken = nil, nil, 0
	t.sort.stale = false
	if !t.sorts(t.sort.column) { // the column is one of the other mode
		t.sort.column, t.sort.down = "", false
	}
	t.lay()
	if !t.sort.on() {
		return
	}
	if t.filter != nil {
		t.sort.stale = true
		return
	}
	t.startSort()
}

func (t *Timeline) startSort() {
	ctx, stop := context.WithCancel(context.Background())
	job := &sortJob{stop: stop, count: t.natural()}
	t.sort.job, t.sort.fresh, t.sort.stale = job, nil, false
	rows := t.snapshot(job.count)
	order := t.log.Order
	if t.mode == Exchanges {
		order = t.ex.Order
	}
	key, down := sortKeys[t.sort.column], t.sort.down
	t.run(func(owner context.Context) {
		release := context.AfterFunc(owner, stop)
		defer release()
		list := rows()
		err := order(ctx, list, key, down)
		job.mu.Lock()
		job.rows, job.err, job.done = list, err, true
		job.mu.Unlock()
		t.mark()
	})
}

// snapshot returns what lists the first n rows, in any goroutine.
func (t *Timeline) snapshot(n int) func() []uint32 {
	switch {
	case t.mode == Exchanges && t.filter != nil:
		rows := t.exRows[:n:n]
		return func() []uint32 { return slices.Clone(rows) }
	case t.filter != nil:
		seqs := t.seqs[:n:n]
		return func() []uint32 {
			out := make([]uint32, n)
			for i, seq := range seqs {
				out[i] = uint32(seq)
			}
			return out
		}
	}
	first := uint32(1) // events are counted from one, exchanges from zero
	if t.mode == Exchanges {
		first = 0
	}
	return func() []uint32 {
		out := make([]uint32, n)
		for i := range out {
			out[i] = first + uint32(i)
		}
		return out
	}
}

// takeSort takes in a sort that is done, and begins one that is due.
func (t *Timeline) takeSort() {
	if t.sort.stale && t.sort.job == nil && !t.Searching() && (t.mode == Events || t.exTaken == len(t.seqs)) {
		t.startSort()
		return
	}
	job := t.sort.job
	if job == nil {
		return
	}
	job.mu.Lock()
	defer job.mu.Unlock()
	if !job.done {
		return
	}
	t.sort.job = nil
	job.stop()
	if job.err != nil {
		t.problem = line("sort: "+job.err.Error(), 200)
		t.sort = sorting{}
		return
	}
	t.sort.order, t.sort.sorted, t.sort.taken = job.rows, job.count, job.count
	t.changes++
	t.grow()
	t.lay()
}

// grow puts rows that are new behind the sorted ones.
func (t *Timeline) grow() {
	s := &t.sort
	if s.order == nil {
		return
	}
	if t.mode == Exchanges && t.filter != nil {
		s.order = append(s.order, s.fresh...)
		s.fresh = nil
		return
	}
	for n := t.natural(); s.taken < n; s.taken++ {
		s.order = append(s.order, uint32(t.naturalAt(s.taken)))
	}
}

var sortKeys = map[ColumnKey]recorder.SortKey{
	ColumnNumber: recorder.BySeq, ColumnTime: recorder.ByTime, ColumnDirection: recorder.ByDirection,
	ColumnMethod: recorder.ByMethod, ColumnName: recorder.ByName, ColumnChannel: recorder.ByChannel, ColumnID: recorder.ByID,
	ColumnStatus: recorder.ByStatus, ColumnTook: recorder.ByTook, ColumnSize: recorder.BySize,
	ColumnWaited: recorder.ByWaited, ColumnEvents: recorder.ByEvents,
}
