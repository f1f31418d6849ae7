// Package pump hands news from any number of goroutines to the one goroutine that draws.
//
// Whoever has news changes its own state, then calls [Pump.Mark]. The pump answers any number of marks with one flush
// on the drawing goroutine, in which the view models pull what is new. Guarantees:
//
//   - every mark is followed by a flush that starts after it, unless the pump is closed first;
//   - at most one flush is waiting in the dispatcher's queue at any time;
//   - Mark and MarkNow never block and allocate nothing;
//   - two flushes are at least the set interval apart, end to start, but for those that MarkNow asks for;
//   - after Close returns no flush starts and no goroutine is left.
package pump

import (
	"sync"
	"sync/atomic"
	"time"
)

// Intervals for bulk data: nobody reads rows that go by faster than ten times a second, while a view that stands
// still should show what arrives without a visible lag.
const (
	FollowTail = 100 * time.Millisecond
	Standing   = time.Second / 30
)

// Clock is where a pump gets its time from.
type Clock interface {
	Now() time.Time
	// NewTimer returns a channel that receives once after d, and a function that releases the timer.
	NewTimer(d time.Duration) (<-chan time.Time, func())
}

// Wall is the clock of the machine.
type Wall struct{}

// Now returns the current time.
func (Wall) Now() time.Time { return time.Now() }

// NewTimer starts a timer of the time package.
func (Wall) NewTimer(d time.Duration) (<-chan time.Time, func()) {
	t := time.NewTimer(d)
	return t.C, func() { t.Stop() }
}

// Pump coalesces marks into flushes. Its methods may be called from any goroutine. Make one with New; who makes it
// closes it.
type Pump struct {
	dispatch func(func())
	flush    func()
	clock    Clock

	every  atomic.Int64 // interval in nanoseconds
	dirty  atomic.Bool  // there are marks no flush has covered
	urgent atomic.Bool  // one of them does not wait for the interval
	closed atomic.Bool
	wake   chan struct{}
	quit   chan struct{}
	once   sync.Once
	done   sync.WaitGroup
}

// New starts a pump. dispatch runs a function on the drawing goroutine, at once or later (fyne.Do in the program, a
// plain call in tests). flush is what it runs; it must not block. every is the shortest time between two flushes, 0
// for a pump without delay.
func New(dispatch func(func()), clock Clock, every time.Duration, flush func()) *Pump {
	p := &Pump{
		dispatch: dispatch, clock: clock, flush: flush,
		wake: make(chan struct{}, 1), quit: make(chan struct{}),
	}
	p.every.Store(int64(every))
	p.done.Go(p.run)
	return p
}

// Mark says that there is something new to show.
func (p *Pump) Mark() {
	if !p.dirty.Swap(true) {
		p.poke()
	}
}

// MarkNow says that there is something new that should be seen without delay, such as a question to the person.
func (p *Pump) MarkNow() {
	p.urgent.Store(true)
	p.dirty.Swap(true)
	p.poke()
}

// SetInterval changes the shortest time between two flushes, for a flush that is already waiting too.
func (p *Pump) SetInterval(every time.Duration) {
	p.every.Store(int64(every))
	p.poke()
}

// Close stops the pump and waits for its goroutine. It may be called more than once, and from a flush when the
// dispatcher has a goroutine of its own. Marks that no flush has covered are dropped. A flush that has begun on the
// dispatcher's goroutine is not waited for.
func (p *Pump) Close() {
	p.once.Do(func() {
		p.closed.Store(true)
		close(p.quit)
	})
	p.done.Wait()
}

func (p *Pump) poke() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

func (p *Pump) run() {
	var last time.Time // end of the last flush
	first := true
	for {
		select {
		case <-p.wake:
		case <-p.quit:
			return
		}
		if !p.dirty.Load() {
			continue
		}
		if !first && !p.await(last) {
			return
		}
		ran := make(chan struct{})
		p.dispatch(func() {
			defer close(ran)
			if p.closed.Load() {
				return
			}
			p.urgent.Store(false)
			p.dirty.Swap(false)
			p.flush()
		})
		select {
		case <-ran:
		case <-p.quit:
			return
		}
		last, first = p.clock.Now(), false
	}
}

// await waits until the interval since last has gone by or the flush has become urgent. It reports false when the
// pump was closed.
func (p *Pump) await(last time.Time) bool {
	for !p.urgent.Load() {
		left := time.Duration(p.every.Load()) - p.clock.Now().Sub(last)
		if left <= 0 {
			return true
		}
		timer, stop := p.clock.NewTimer(left)
		select {
		case <-timer:
		case <-p.wake:
		case <-p.quit:
			stop()
			return false
		}
		stop()
	}
	return true
}
