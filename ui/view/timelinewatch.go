package view

import (
	"context"
	"slices"
	"sync"
	"time"

	"mcploupe/recorder"
)

// watch keeps up with a recording in the background: its exchanges, and what
// the strip over its time shows.
type watch struct {
	nudge chan struct{} // the strip is out of date though the recording has not grown

	mu      sync.Mutex
	seen    uint64   // events whose exchange is known
	want    bool     // touched is wanted
	touched []uint32 // exchanges that got events since the last take, each once or more
	buckets int      // that the strip has room for
	density Density
	drawn   int // counts the densities
}

func newWatch() *watch { return &watch{nudge: make(chan struct{}, 1)} }

// take returns up to which event exchanges are known, and which of them got
// more events.
func (w *watch) take() (seen uint64, touched []uint32) {
	w.mu.Lock()
	defer w.mu.Unlock()
	touched, w.touched = w.touched, nil
	return w.seen, touched
}

func (w *watch) wantTouched(on bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.want = on
	if !on {
		w.touched = nil
	}
}

// poke makes a new density.
func (w *watch) poke() {
	select {
	case w.nudge <- struct{}{}:
	default:
	}
}

// Start follows the recording: without it there are no exchanges and no
// density. It is called once.
func (t *Timeline) Start() {
	ctx, stop := context.WithCancel(context.Background())
	t.stopWatch = stop
	for _, f := range []func(context.Context){t.followExchanges, t.followDensity} {
		t.run(func(owner context.Context) {
			release := context.AfterFunc(owner, stop)
			defer release()
			f(ctx)
		})
	}
}

// followExchanges groups what is there, and then what is added, until ctx
// ends.
func (t *Timeline) followExchanges(ctx context.Context) {
	wake, stop := t.log.Watch()
	defer stop()
	var seen uint64
	for {
		for end := t.log.Len(); seen < end && ctx.Err() == nil; end = t.log.Len() {
			t.ex.Take(ctx)
			t.watch.gather(t.ex, seen+1, end)
			seen = end
			t.mark()
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return
		}
	}
}

// maxTouched is how long the list of exchanges may get before each is kept once
// only.
const maxTouched = 1 << 16

// gather notes what is known of the events from..to.
func (w *watch) gather(x *recorder.Exchanges, from, to uint64) {
	w.mu.Lock()
	want := w.want
	w.mu.Unlock()
	var touched []uint32
	for seq := from; want && seq <= to; seq++ {
		i, ok := x.Of(seq)
		if ok && (len(touched) == 0 || touched[len(touched)-1] != uint32(i)) {
			touched = append(touched, uint32(i))
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen = to
	if w.want {
		w.touched = append(w.touched, touched...)
		if len(w.touched) > maxTouched { // nobody takes them: the page is hidden
			slices.Sort(w.touched)
			w.touched = slices.Compact(w.touched)
		}
	}
}

// densityEvery is the shortest time between two densities.
const densityEvery = 100 * time.Millisecond

// followDensity counts what is there, and then what is added, until ctx ends.
func (t *Timeline) followDensity(ctx context.Context) {
	wake, stop := t.log.Watch()
	defer stop()
	over := recorder.NewOverview(t.log)
	for {
		select {
		case <-wake:
		case <-t.watch.nudge:
		case <-ctx.Done():
			return
		}
		over.Take()
		t.watch.count(t.log, over)
		t.mark()
		pause := time.NewTimer(densityEvery)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return
		}
	}
}

func (w *watch) count(log *recorder.Log, over *recorder.Overview) {
	w.mu.Lock()
	n := w.buckets
	w.mu.Unlock()
	if n == 0 || log.Len() == 0 {
		return
	}
	var d Density
	d.From, d.To = over.Span()
	d.Buckets = over.Buckets(d.From, d.To, n)
	for _, m := range log.Marks() {
		d.Marks = append(d.Marks, MarkAt{m, log.Head(m.Seq).Time})
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.density = d
	w.drawn++
}

// SetBuckets says how many parts of the time there is room for.
func (t *Timeline) SetBuckets(n int) {
	t.watch.mu.Lock()
	changed := t.watch.buckets != n
	t.watch.buckets = n
	t.watch.mu.Unlock()
	if changed {
		t.watch.poke()
	}
}

// Density is what happened when; turn changes with it. Both are as of the last
// word of mark, at most ten times a second.
func (t *Timeline) Density() (d Density, turn int) {
	t.watch.mu.Lock()
	defer t.watch.mu.Unlock()
	return t.watch.density, t.watch.drawn
}
