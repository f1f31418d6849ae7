package session

import (
	"context"
	"errors"
	"time"
)

var errNotYet = errors.New("not there yet")

// Offered is a filter for all list changes that the server declares (SUB-16).
func (st State) Offered() SubscriptionFilter {
	caps := st.ServerCapabilities
	return SubscriptionFilter{Tools: caps.ToolsListChanged, Prompts: caps.PromptsListChanged, Resources: caps.ResourcesListChanged}
}

// Subscribe asks to be told of changes: in 2026-07-28 with one
// subscriptions/listen request for the whole filter, which is sent again with
// growing delays when its stream breaks; before that with a resources/subscribe
// for each URI, waiting for the answers. It returns the key of the first
// Subscription. List changes come unasked in the older revisions: a filter of
// these alone gives the key of their Subscription.
func (s *Session) Subscribe(ctx context.Context, f SubscriptionFilter) (key uint64, err error) {
	return 0, errNotYet
}

// EditSubscription asks for another filter in the place of an old one, and under
// the same key, also when that has ended. Filters of open subscriptions cannot
// be changed: the old one is stopped first.
func (s *Session) EditSubscription(ctx context.Context, key uint64, f SubscriptionFilter) error {
	return errNotYet
}

// Unsubscribe stops a subscription in the way of the revision (SUB-07).
func (s *Session) Unsubscribe(ctx context.Context, key uint64) error { return errNotYet }

// Relisten asks at once for a subscription that is broken or has ended.
func (s *Session) Relisten(ctx context.Context, key uint64) error { return errNotYet }

// ForgetSubscription takes one that has ended off State.Subscriptions.
func (s *Session) ForgetSubscription(key uint64) {}

// WatchResource reads a resource now and whenever the server says that it
// changed. It does not subscribe to it. There is one watch for a URI.
func (s *Session) WatchResource(uri string) (key uint64, err error) { return 0, errNotYet }

// ReadWatch reads a watched resource once more.
func (s *Session) ReadWatch(key uint64) error { return errNotYet }

// StopWatch ends a watch.
func (s *Session) StopWatch(key uint64) {}

// SetLogLevel asks for log messages from level on: with logging/setLevel
// (LOG-01), or in 2026-07-28 in the _meta of all further requests (LOG-03), where
// "" asks for none.
func (s *Session) SetLogLevel(ctx context.Context, level string) error { return errNotYet }

// Ping sends a ping and returns the round-trip time. 2026-07-28 has no ping
// (PING-04).
func (s *Session) Ping(ctx context.Context) (time.Duration, error) { return 0, errNotYet }

// SetKeepAlive pings at that interval, at least a second, where the revision has
// pings (PING-02); 0 for not at all.
func (s *Session) SetKeepAlive(every time.Duration) {}

// CancelCall gives up a call that has not ended, with a reason for the server
// (CAN-01). It reports whether there was one.
func (s *Session) CancelCall(key uint64, reason string) bool { return false }

// CancelAll gives up all running calls but subscriptions and what the session
// itself asks, and returns how many.
func (s *Session) CancelAll(reason string) int { return 0 }

// SetAutoReread chooses whether listings are read again by themselves when the
// server says that they changed.
func (s *Session) SetAutoReread(on bool) {}

// SeenChanges takes the listing as it is for what the person has seen: its
// Changes begin anew.
func (s *Session) SeenChanges(k ListKind) {}
