package session

import (
	"context"
	"fmt"
	"slices"
	"time"

	"mcploupe/protocol"
)

// live is what goes on without a call of the person. Session.mu guards it.
type live struct {
	wake       chan struct{} // capacity 1: something is due earlier than before
	subs       subTable
	watches    []*watch
	nextWatch  uint64
	logging    Logging
	levels     [9]uint64 // of logging, by protocol.LogLevels and other
	levelSince time.Time
	pings      []Ping
	keepAlive  time.Duration
	pingDue    time.Time
	pinging    bool
	missed     int       // pings in succession without an answer
	silent     time.Time // since when
	autoReread bool
	rereads    [numLists]reread
	tasks      taskTable
	often      map[string]int // findings by rule, see findOften
}

// wakeLive has runLive look again. mu is held.
func (s *Session) wakeLive() {
	select {
	case s.live.wake <- struct{}{}:
	default:
	}
}

// runLive starts what is due: listen requests that are sent again, reads,
// listings, pings. Each runs in a goroutine of its own that Close waits for.
func (s *Session) runLive() {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		s.mu.Lock()
		jobs, next := s.dueLive(time.Now())
		s.mu.Unlock()
		for _, job := range jobs {
			s.spawn(job)
		}
		timer.Reset(next)
		select {
		case <-timer.C:
		case <-s.live.wake:
		case <-s.closing:
			return
		}
	}
}

// agenda collects what is due and when to look again.
type agenda struct {
	now  time.Time
	jobs []func()
	next time.Duration
}

// take adds the job if its time has come, and reports whether it has.
func (a *agenda) take(due time.Time, job func()) bool {
	if due.IsZero() {
		return false
	}
	if wait := due.Sub(a.now); wait > 0 {
		a.next = min(a.next, wait)
		return false
	}
	a.jobs = append(a.jobs, job)
	return true
}

// dueLive marks what is due as begun. mu is held.
func (s *Session) dueLive(now time.Time) ([]func(), time.Duration) {
	a := &agenda{now: now, next: time.Hour}
	if s.view.phase != Ready || s.isClosing {
		return nil, a.next
	}
	for _, sub := range s.live.subs.all {
		if sub.Kind != SubListen {
			continue
		}
		call, attempt := sub.call, sub.Attempts
		a.take(sub.ackDue, func() { s.ackMissing(sub, call) })
		if a.take(sub.NextTry, func() { s.relisten(sub, attempt) }) {
			sub.NextTry, sub.Phase = time.Time{}, SubRelistening
			s.changed()
		}
	}
	for _, w := range s.live.watches {
		if !w.Reading && a.take(w.due, func() { s.readWatch(w) }) {
			w.begin()
			s.changed()
		}
	}
	s.dueRereads(a)
	s.dueTasks(a)
	if r := s.view.revision; r != nil && r.Ping && s.live.keepAlive > 0 && !s.live.pinging &&
		a.take(s.live.pingDue, s.keepAlivePing) {
		s.live.pinging = true
	}
	return a.jobs, a.next
}

// begun sets up what goes on by itself in a session that became ready, and
// restores what an old one left. It is called once for each time that the
// session becomes ready, not with mu held.
func (s *Session) begun(again bool) {
	s.mu.Lock()
	r := s.view.revision
	if s.view.phase != Ready || r == nil {
		s.mu.Unlock()
		return
	}
	s.judgeTaskCapability()
	lists := offered(s.view.serverCaps)
	if !r.Modern && !again && !lists.IsEmpty() {
		s.addSub(SubLists, lists).Phase = SubOpen
	}
	if s.live.keepAlive > 0 {
		s.live.pingDue = time.Now().Add(s.live.keepAlive)
	}
	s.wakeLive()
	s.mu.Unlock()
	switch {
	case again:
		s.spawn(func() { s.restoreSession(s.ctx) })
	case s.o.Restore != nil:
		s.spawn(func() { s.restore(s.ctx, *s.o.Restore) })
	case r.Modern && s.o.ListenToLists && !lists.IsEmpty():
		s.spawn(func() {
			if _, err := s.Subscribe(s.ctx, lists); err != nil {
				s.remark("The list changes could not be subscribed to: " + err.Error())
			}
		})
	}
}

// takeLive follows a notification for what State tells of subscriptions,
// watches and logging. mu is held.
func (s *Session) takeLive(c *conn, in incoming) {
	modern := s.view.revision != nil && s.view.revision.Modern
	switch in.m.Method {
	case protocol.NotificationToolsChanged:
		s.takeListChanged(c, in, s.view.serverCaps.ToolsListChanged)
	case protocol.NotificationPromptsChanged:
		s.takeListChanged(c, in, s.view.serverCaps.PromptsListChanged)
	case protocol.NotificationResourcesChanged:
		s.takeListChanged(c, in, s.view.serverCaps.ResourcesListChanged)
	case protocol.NotificationResourceUpdated:
		if modern {
			s.takeSubscribed(c, in)
		} else {
			s.takeUpdated(in)
		}
		s.touchWatches(protocol.NameOf(in.m.Method, in.m.Params), in.Seq)
	case protocol.NotificationSubscriptionAcknowledged:
		if modern {
			s.takeSubscribed(c, in)
		}
	case protocol.NotificationTasks, protocol.NotificationTasksStatus:
		if modern && in.m.Method == protocol.NotificationTasks {
			s.takeSubscribed(c, in)
		}
		s.takeTaskNotified(in)
	case protocol.NotificationMessage:
		if s.strayOfTask(c, in) {
			return
		}
		s.takeLog(c, in)
	case protocol.NotificationProgress:
		if !s.strayOfTask(c, in) && modern {
			s.strayOnListen(c, in, "L-SUB-05")
		}
	}
}

// takeListChanged takes the news that a listing has changed. mu is held.
func (s *Session) takeListChanged(c *conn, in incoming, declared bool) {
	if !declared && s.view.revision != nil {
		s.findOften(in.Seq, warning("L-TOOL-21", in.m.Method+" came, and the server does not declare listChanged for it."))
	}
	if s.view.revision != nil && s.view.revision.Modern {
		s.takeSubscribed(c, in)
		return
	}
	if sub := s.live.subs.ofKind(SubLists); sub != nil {
		s.heardOn(sub, in.Seq)
	}
}

// strayOnListen flags what never belongs on the stream of a subscription
// (SUB-14), and reports whether it was there. mu is held.
func (s *Session) strayOnListen(c *conn, in incoming, rule string) bool {
	carrier := s.calls.inExchange(c, in)
	_, _, tagged := protocol.Lookup(in.m.Params, subscriptionPointer)
	switch {
	case carrier != nil && carrier.sub != nil:
		s.findSub(carrier.sub, in.Seq, violation(rule, in.m.Method+" came on the stream of subscription "+carrier.st.ID.String()+"."))
	case tagged:
		s.findOften(in.Seq, violation(rule, in.m.Method+" carries a subscription id; it belongs to a request, not to a subscription."))
	default:
		return false
	}
	return true
}

// localizeLive is localize for what goes on by itself. t.mu is held.
func (t *tape) localizeLive(st *State) {
	here := func(numbers ...*uint64) {
		for _, n := range numbers {
			*n = t.here(*n)
		}
	}
	for i := range st.Subscriptions {
		sub := &st.Subscriptions[i]
		here(&sub.RequestSeq, &sub.AckSeq, &sub.EndSeq, &sub.LastSeq)
	}
	for i := range st.Watches {
		w := &st.Watches[i]
		here(&w.LastSeq)
		w.Reads = slices.Clone(w.Reads)
		for j := range w.Reads {
			here(&w.Reads[j].RequestSeq, &w.Reads[j].AnswerSeq, &w.Reads[j].Update)
		}
	}
	st.Pings = slices.Clone(st.Pings)
	for i := range st.Pings {
		here(&st.Pings[i].Seq)
	}
	here(&st.Logging.Last)
	for i := range st.Tasks {
		here(&st.Tasks[i].CreatedSeq, &st.Tasks[i].StatusSeq, &st.Tasks[i].ResultSeq)
	}
}

// brief sends a request of the session's own and waits for its end. Few of these
// are kept in State.Calls, so that they do not push out the person's.
func (s *Session) brief(ctx context.Context, raw []byte, o CallOptions) (CallState, error) {
	call, err := s.do(ctx, raw, callParams{CallOptions: o, brief: true})
	if err != nil {
		return CallState{}, err
	}
	<-call.done
	return call.State(), nil
}

// failure is what a call of the session's own came to when that is no result,
// nil if it is one.
func (st CallState) failure() error {
	switch {
	case st.usable():
		return nil
	case st.Phase == CallError:
		e, _ := protocol.DecodeError(st.Answer.Error)
		return &refusal{e}
	}
	return fmt.Errorf("%s", lowerFirst(trimStop(st.Err)))
}
