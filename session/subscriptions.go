package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"mcploupe/protocol"
)

const (
	maxSubscriptions = 256    // that have not ended
	maxEndedSubs     = 64     // kept after their end
	maxSubProblems   = 20     // kept with a subscription, each once
	maxFilterTexts   = 10_000 // URIs or task ids read of a filter
)

var (
	errNoSubscription = errors.New("there is no such subscription")
	errTooManySubs    = fmt.Errorf("there are %d subscriptions already; stop some first", maxSubscriptions)
)

// subscription is a Subscription with what keeps it going. Session.mu guards it.
type subscription struct {
	Subscription
	call     *Call     // its newest request
	acked    bool      // that was acknowledged
	heard    bool      // something came for it
	silent   bool      // it was given up because no acknowledgement came
	byServer bool      // the server cancelled it
	stopped  time.Time // when the person stopped it
	gap      bool      // changes may have been missed since it was last open (SUB-13)
	ackDue   time.Time // zero when it is not waited for
}

// subTable holds the subscriptions in the order of their keys. Session.mu
// guards it.
type subTable struct {
	nextKey uint64
	all     []*subscription
}

func (t *subTable) snapshot() []Subscription {
	out := make([]Subscription, len(t.all))
	for i, sub := range t.all {
		out[i] = sub.Subscription
	}
	return out
}

func (t *subTable) byKey(key uint64) *subscription {
	for _, sub := range t.all {
		if sub.Key == key {
			return sub
		}
	}
	return nil
}

// ofKind returns the first of a kind that has not ended.
func (t *subTable) ofKind(k SubscriptionKind) *subscription {
	for _, sub := range t.all {
		if sub.Kind == k && sub.Phase != SubEnded {
			return sub
		}
	}
	return nil
}

// full reports whether n more would be too many.
func (t *subTable) full(n int) bool {
	for _, sub := range t.all {
		if sub.Phase != SubEnded {
			n++
		}
	}
	return n > maxSubscriptions
}

// addSub makes a subscription. mu is held.
func (s *Session) addSub(kind SubscriptionKind, asked SubscriptionFilter) *subscription {
	t := &s.live.subs
	t.nextKey++
	sub := &subscription{Subscription: Subscription{Key: t.nextKey, Kind: kind, Asked: asked, Since: time.Now()}}
	t.all = append(t.all, sub)
	ended := 0
	for i := len(t.all) - 1; i >= 0; i-- {
		if t.all[i].Phase != SubEnded {
			continue
		}
		if ended++; ended > maxEndedSubs {
			t.all = slices.Delete(t.all, i, i+1)
		}
	}
	s.changed()
	return sub
}

// findSub adds a finding about what came on a subscription, which may be nil.
// mu is held.
func (s *Session) findSub(sub *subscription, seq uint64, p protocol.Problem) {
	s.findOften(seq, p)
	if sub != nil {
		keepProblem(&sub.Problems, maxSubProblems, p)
	}
}

// keepProblem adds a problem to a list that snapshots share, unless it is there
// already or the list has as many as it may have.
func keepProblem(list *[]protocol.Problem, most int, p protocol.Problem) {
	if len(*list) < most && !slices.ContainsFunc(*list, func(old protocol.Problem) bool { return old.Rule == p.Rule && old.Text == p.Text }) {
		*list = append(slices.Clip(*list), p)
	}
}

// maxOften is how many findings of one rule are kept that each notification may
// bring.
const maxOften = 50

// findOften is find for what a server may do a thousand times a second: the
// findings are counted all, and after the first ones kept no more, so that they
// leave room for others. mu is held.
func (s *Session) findOften(seq uint64, p protocol.Problem) {
	if s.live.often == nil {
		s.live.often = make(map[string]int)
	}
	s.live.often[p.Rule]++
	switch n := s.live.often[p.Rule]; {
	case n < maxOften:
		s.find(seq, p)
	case n == maxOften:
		p.Text += " Further findings of this rule are only counted."
		s.find(seq, p)
	default:
		s.view.findingCount++
		s.changed()
	}
}

// heardOn counts a message. mu is held.
func (s *Session) heardOn(sub *subscription, seq uint64) {
	now := time.Now()
	sub.Count++
	sub.Last, sub.LastSeq, sub.heard = now, seq, true
	sub.rate.add(now)
	if sub.Phase == SubAcknowledged {
		sub.Phase = SubOpen
	}
	s.changed()
}

// Subscribe asks to be told of changes: in 2026-07-28 with one
// subscriptions/listen request for the whole filter, which is sent again with
// growing delays when its stream breaks; before that with a resources/subscribe
// for each URI, waiting for the answers. It returns the key of the first
// Subscription. List changes come unasked in the older revisions: a filter of
// these alone gives the key of their Subscription.
func (s *Session) Subscribe(ctx context.Context, f SubscriptionFilter) (key uint64, err error) {
	if !s.begin() {
		return 0, errClosed
	}
	defer s.wg.Done()
	if f.Raw != nil {
		if f.Raw.Kind() != '{' || !protocol.Valid(f.Raw) {
			return 0, errors.New("subscribing: the filter is no JSON object")
		}
		f, _ = DecodeFilter(f.Raw)
	}
	s.mu.Lock()
	modern, err := s.canSubscribe(max(1, len(f.URIs)))
	if err != nil {
		s.mu.Unlock()
		return 0, fmt.Errorf("subscribing: %w", err)
	}
	if modern {
		sub := s.addSub(SubListen, f)
		s.mu.Unlock()
		return sub.Key, s.listen(sub, false)
	}
	if len(f.URIs) == 0 {
		lists := s.live.subs.ofKind(SubLists)
		s.mu.Unlock()
		if lists == nil {
			return 0, errors.New("subscribing: the server does not declare that it tells of list changes, and this revision has no way to ask for them")
		}
		return lists.Key, nil
	}
	declared := s.view.serverCaps.ResourcesSubscribe || s.o.AskAll
	var subs []*subscription
	if declared {
		for _, uri := range f.URIs {
			subs = append(subs, s.addSub(SubResource, SubscriptionFilter{URIs: []string{uri}}))
		}
	}
	s.mu.Unlock()
	if !declared {
		return 0, errors.New("subscribing: the server does not declare resources.subscribe (RES-05)")
	}
	var errs []error
	for _, sub := range subs {
		errs = append(errs, s.subscribeResource(ctx, sub))
	}
	return subs[0].Key, errors.Join(errs...)
}

// canSubscribe tells which way there is for n more subscriptions. mu is held.
func (s *Session) canSubscribe(n int) (modern bool, err error) {
	switch {
	case s.view.phase != Ready || s.view.revision == nil:
		return false, errors.New("the connection is not ready")
	case s.live.subs.full(n):
		return false, errTooManySubs
	}
	return s.view.revision.Modern, nil
}

// EditSubscription asks for another filter in the place of an old one, and under
// the same key, also when that has ended. Filters of open subscriptions cannot
// be changed: the old one is stopped first.
func (s *Session) EditSubscription(ctx context.Context, key uint64, f SubscriptionFilter) error {
	if f.Raw != nil {
		if f.Raw.Kind() != '{' || !protocol.Valid(f.Raw) {
			return errors.New("changing a subscription: the filter is no JSON object")
		}
		f, _ = DecodeFilter(f.Raw)
	}
	return s.askAgain(ctx, key, &f)
}

// Relisten asks at once for a subscription that is broken or has ended.
func (s *Session) Relisten(ctx context.Context, key uint64) error {
	return s.askAgain(ctx, key, nil)
}

// askAgain asks for a subscription once more, with another filter if that is not
// nil.
func (s *Session) askAgain(ctx context.Context, key uint64, f *SubscriptionFilter) error {
	if !s.begin() {
		return errClosed
	}
	defer s.wg.Done()
	s.mu.Lock()
	sub := s.live.subs.byKey(key)
	if sub == nil {
		s.mu.Unlock()
		return errNoSubscription
	}
	if _, err := s.canSubscribe(0); err != nil {
		s.mu.Unlock()
		return fmt.Errorf("asking for a subscription again: %w", err)
	}
	other := f != nil && sub.Kind == SubResource && len(f.URIs) == 1 && f.URIs[0] != sub.Asked.URIs[0]
	s.mu.Unlock()
	switch sub.Kind {
	case SubListen:
		s.stopListen(sub, "The subscription is asked for anew")
	case SubResource:
		if f != nil && len(f.URIs) != 1 {
			return errors.New("changing a subscription: in this revision one subscription is for one URI")
		}
		if other {
			_ = s.unsubscribeResource(ctx, sub) // what went wrong is in its row
		}
	case SubLists:
		return errors.New("list changes come unasked in this revision; there is nothing to change")
	case SubStream:
		if f != nil {
			return errors.New("a stream has no filter")
		}
		return s.reopenStream()
	}
	s.mu.Lock()
	if f != nil {
		sub.Asked = *f
	}
	sub.Attempts, sub.NextTry = 0, time.Time{}
	sub.Agreed, sub.Missing, sub.Manual = SubscriptionFilter{}, nil, false
	s.changed()
	s.mu.Unlock()
	if sub.Kind == SubListen {
		return s.listen(sub, false)
	}
	return s.subscribeResource(ctx, sub)
}

// Unsubscribe stops a subscription in the way of the revision (SUB-07). It is
// over for this side even when the error says that the server was not told.
func (s *Session) Unsubscribe(ctx context.Context, key uint64) error {
	if !s.begin() {
		return errClosed
	}
	defer s.wg.Done()
	s.mu.Lock()
	sub := s.live.subs.byKey(key)
	s.mu.Unlock()
	if sub == nil {
		return errNoSubscription
	}
	switch sub.Kind {
	case SubListen:
		s.stopListen(sub, "The subscription was stopped")
	case SubResource:
		return s.unsubscribeResource(ctx, sub)
	case SubLists:
		return errors.New("the server tells of list changes unasked in this revision; that cannot be stopped")
	case SubStream:
		return s.closeStream()
	}
	return nil
}

// ForgetSubscription takes one that has ended off State.Subscriptions.
func (s *Session) ForgetSubscription(key uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := &s.live.subs
	t.all = slices.DeleteFunc(t.all, func(sub *subscription) bool { return sub.Key == key && sub.Phase == SubEnded })
	s.changed()
}

// endSub ends a subscription for good. mu is held.
func (s *Session) endSub(sub *subscription, how SubscriptionEnd, text string) {
	if how == EndLost && s.isClosing {
		how, text = EndClosed, "The session was closed."
	}
	sub.Phase, sub.End, sub.Err = SubEnded, how, text
	sub.ackDue, sub.NextTry = time.Time{}, time.Time{}
	s.changed()
}

// loseSubs ends all subscriptions because the connection is gone. mu is held.
func (s *Session) loseSubs(why string) {
	for _, sub := range s.live.subs.all {
		if sub.Phase != SubEnded {
			s.endSub(sub, EndLost, why)
		}
	}
}
