package replay

import (
	"context"
	"sort"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
)

// notes counts the notifications that came, so that the run does not get ahead
// of a server that has more to say.
type notes struct {
	r         *run
	next, now uint64 // first events not looked at yet, recorded and new
	need      map[groupKey]int
	have      map[groupKey]int
	late      map[groupKey]bool // did not come in time once: not waited for again
	dueBy     time.Duration     // recorded time of the last that is needed
	level     string
}

func newNotes(r *run) *notes {
	return &notes{r: r, next: 1, now: 1, need: make(map[groupKey]int), have: make(map[groupKey]int), late: make(map[groupKey]bool)}
}

// counts reports whether an event is a notification that is waited for.
func (n *notes) counts(h recorder.Head) bool {
	if h.Dir != recorder.In || h.Kind != recorder.KindMessage || h.Message != protocol.Notification {
		return false
	}
	switch h.Method {
	case protocol.NotificationProgress, protocol.NotificationCancelled, protocol.NotificationTasks, protocol.NotificationTasksStatus:
		return false // which go with an answer
	}
	return !n.r.cross || n.r.was.Knows(protocol.FromServer, h.Method) && n.r.is.Knows(protocol.FromServer, h.Method)
}

// await waits until what was recorded before an event has come, but no longer
// than it took then and some patience.
func (n *notes) await(ctx context.Context, before uint64) error {
	start := time.Duration(0)
	for ; n.next < before && n.next <= n.r.s.log.Len(); n.next++ {
		h := n.r.s.log.Head(n.next)
		if !n.counts(h) || n.skipped(h) {
			if h.Dir == recorder.Out {
				start = h.Time
			}
			continue
		}
		n.need[groupKey{h.Method, h.Name}]++
		n.dueBy = h.Time
	}
	if n.r.o.Patience < 0 {
		return ctx.Err()
	}
	limit := time.NewTimer(min(max(n.dueBy-start, 0), maxGap) + n.r.o.Patience)
	defer limit.Stop()
	wake, stop := n.r.t.Log().Watch()
	defer stop()
	for {
		for log := n.r.t.Log(); n.now <= log.Len(); n.now++ {
			if h := log.Head(n.now); n.counts(h) {
				n.have[groupKey{h.Method, h.Name}]++
			}
		}
		if !n.lacking(nil) {
			return ctx.Err()
		}
		select {
		case <-wake:
		case s := <-n.r.done:
			n.r.ended(s)
		case <-limit.C:
			n.lacking(n.late)
			return ctx.Err()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// lacking reports whether something is still to come, and notes what.
func (n *notes) lacking(note map[groupKey]bool) (any bool) {
	for key, need := range n.need {
		if n.have[key] < need && !n.late[key] {
			any = true
			if note != nil {
				note[key] = true
			}
		}
	}
	return any
}

// skipped reports whether a notification goes with a call that is not sent.
func (n *notes) skipped(h recorder.Head) bool {
	i, ok := n.r.s.ex.Of(h.Seq)
	if !ok {
		return false
	}
	request := n.r.s.ex.At(i).Request
	calls := n.r.p.Calls
	at := sort.Search(len(calls), func(i int) bool { return calls[i].Seq >= request })
	return at < len(calls) && calls[at].Seq == request && !calls[at].Chosen && !calls[at].Negotiation
}
