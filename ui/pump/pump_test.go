package pump

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// direct stands for a dispatcher whose goroutine is free.
func direct(f func()) { f() }

// queue is a dispatcher that runs what it was given when told to.
type queue struct {
	mu    sync.Mutex
	items []func()
}

func (q *queue) dispatch(f func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, f)
}

func (q *queue) run() (n int) {
	q.mu.Lock()
	items := q.items
	q.items = nil
	q.mu.Unlock()
	for _, f := range items {
		f()
	}
	return len(items)
}

func TestManyMarksMakeOneFlush(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var q queue
		flushes := 0
		p := New(q.dispatch, Wall{}, FollowTail, func() { flushes++ })
		defer p.Close()
		for range 100_000 {
			p.Mark()
		}
		synctest.Wait()
		if n := q.run(); n != 1 || flushes != 1 {
			t.Errorf("%d functions were queued and %d flushes ran, want one", n, flushes)
		}
		synctest.Wait()
		if n := q.run(); n != 0 {
			t.Errorf("%d more functions were queued without a mark", n)
		}
	})
}

func TestRateIsLimited(t *testing.T) {
	for _, tt := range []struct {
		every    time.Duration
		min, max int
	}{{FollowTail, 9, 11}, {Standing, 28, 31}, {0, 1000, 1000}} {
		synctest.Test(t, func(t *testing.T) {
			flushes := 0
			p := New(direct, Wall{}, tt.every, func() { flushes++ })
			for range 1000 {
				p.Mark()
				time.Sleep(time.Millisecond)
				synctest.Wait()
			}
			p.Close()
			if flushes < tt.min || flushes > tt.max {
				t.Errorf("every %v: %d flushes in a second, want %d to %d", tt.every, flushes, tt.min, tt.max)
			}
		})
	}
}

func TestFirstMarkDoesNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var at []time.Duration
		start := time.Now()
		p := New(direct, Wall{}, FollowTail, func() { at = append(at, time.Since(start)) })
		defer p.Close()
		time.Sleep(time.Second)
		p.Mark()
		synctest.Wait()
		time.Sleep(time.Second)
		p.Mark()
		synctest.Wait()
		if len(at) != 2 || at[0] != time.Second || at[1] != 2*time.Second {
			t.Errorf("flushed at %v, want 1s and 2s", at)
		}
	})
}

func TestUrgentMarkOvertakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		flushes := 0
		p := New(direct, Wall{}, time.Hour, func() { flushes++ })
		defer p.Close()
		p.Mark()
		synctest.Wait()
		p.Mark() // waits for an hour
		synctest.Wait()
		if flushes != 1 {
			t.Fatalf("%d flushes before the interval is over, want 1", flushes)
		}
		p.MarkNow()
		synctest.Wait()
		if flushes != 2 {
			t.Fatalf("%d flushes after an urgent mark, want 2", flushes)
		}
		p.MarkNow()
		synctest.Wait()
		if flushes != 3 {
			t.Errorf("%d flushes after two urgent marks, want 3", flushes)
		}
		p.Mark()
		synctest.Wait()
		if flushes != 3 {
			t.Errorf("a plain mark after an urgent one did not wait")
		}
	})
}

func TestIntervalChangesWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		flushes := 0
		p := New(direct, Wall{}, time.Hour, func() { flushes++ })
		defer p.Close()
		p.Mark()
		synctest.Wait()
		p.Mark()
		synctest.Wait()
		p.SetInterval(Standing)
		time.Sleep(Standing)
		synctest.Wait()
		if flushes != 2 {
			t.Errorf("%d flushes, want 2: the shorter interval holds for the one that waits", flushes)
		}
	})
}

func TestMarkDuringFlushIsNotLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		flushes := 0
		var p *Pump
		p = New(direct, Wall{}, FollowTail, func() {
			if flushes++; flushes == 1 {
				p.Mark()
			}
		})
		defer p.Close()
		p.Mark()
		time.Sleep(time.Second)
		synctest.Wait()
		if flushes != 2 {
			t.Errorf("%d flushes, want 2", flushes)
		}
	})
}

// A screen that is behind gets no second function queued.
func TestOneWaitingFlush(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var q queue
		p := New(q.dispatch, Wall{}, Standing, func() {})
		defer p.Close()
		for range 100 {
			p.Mark()
			p.MarkNow()
			time.Sleep(time.Second)
			synctest.Wait()
		}
		if n := q.run(); n != 1 {
			t.Errorf("%d functions were queued, want 1", n)
		}
	})
}

func TestEveryMarkIsFlushed(t *testing.T) {
	var mu sync.Mutex
	flushed := sync.NewCond(&mu)
	posted, seen := 0, 0
	p := New(direct, Wall{}, 0, func() {
		mu.Lock()
		seen = posted
		mu.Unlock()
		flushed.Broadcast()
	})
	defer p.Close()
	const goroutines, each = 8, 2000
	for range goroutines {
		go func() {
			for range each {
				mu.Lock()
				posted++
				mu.Unlock()
				p.Mark()
			}
		}()
	}
	mu.Lock()
	defer mu.Unlock()
	for seen < goroutines*each { // a lost mark leaves this waiting for ever
		flushed.Wait()
	}
}

func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var q queue
		flushes := 0
		p := New(q.dispatch, Wall{}, FollowTail, func() { flushes++ })
		p.Mark()
		synctest.Wait()
		p.Close() // with a flush in the queue that nobody has run
		p.Close()
		p.Mark()
		p.MarkNow()
		p.SetInterval(0)
		synctest.Wait()
		if n := q.run(); n != 1 || flushes != 0 {
			t.Errorf("%d queued, %d flushes after Close, want 1 and none", n, flushes)
		}
	})
}

func TestCloseWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(direct, Wall{}, time.Hour, func() {})
		p.Mark()
		synctest.Wait()
		p.Mark()
		synctest.Wait()
		start := time.Now()
		p.Close()
		if d := time.Since(start); d != 0 {
			t.Errorf("Close took %v", d)
		}
	})
}

func TestMarkAllocatesNothing(t *testing.T) {
	var q queue
	p := New(q.dispatch, Wall{}, time.Hour, func() {})
	defer p.Close()
	p.Mark()
	if n := testing.AllocsPerRun(1000, func() { p.Mark(); p.MarkNow() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkMark(b *testing.B) {
	var q queue
	p := New(q.dispatch, Wall{}, FollowTail, func() {})
	defer p.Close()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			p.Mark()
		}
	})
}
