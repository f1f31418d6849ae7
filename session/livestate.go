package session

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// SubscriptionKind is by what a server tells of changes.
type SubscriptionKind uint8

// The kinds of a Subscription. The first is that of 2026-07-28, the others are
// those of the revisions before it.
const (
	SubListen   SubscriptionKind = iota // a subscriptions/listen request
	SubResource                         // resources/subscribe of one URI
	SubLists                            // the list changes that the server declares, unasked
	SubStream                           // the GET stream for what the server sends by itself
)

// String is the kind's name in sentences.
func (k SubscriptionKind) String() string {
	return [...]string{"listen request", "resource subscription", "list changes", "stream of the server"}[k]
}

// SubscriptionPhase is where a Subscription is.
type SubscriptionPhase uint8

// The phases of a Subscription.
const (
	SubAsked        SubscriptionPhase = iota // sent, not acknowledged
	SubAcknowledged                          // the server agreed; nothing has come
	SubOpen                                  // something came, or there is nothing to wait for
	SubEnded                                 // for good; End says how
	SubBroken                                // by itself or for want of an acknowledgement, and tried again at NextTry if that is set
	SubRelistening                           // sent again after that, not acknowledged
)

// String is the phase in a word or two.
func (p SubscriptionPhase) String() string {
	return [...]string{"asked", "acknowledged", "open", "ended", "broken", "re-listening"}[p]
}

// Live reports whether messages may come on the subscription.
func (p SubscriptionPhase) Live() bool {
	return p == SubAcknowledged || p == SubOpen
}

// SubscriptionEnd is how a subscription, or its last attempt, ended.
type SubscriptionEnd uint8

// The ends of a Subscription.
const (
	EndNone          SubscriptionEnd = iota // it has not
	EndByUs                                 // stopped by the person
	EndWithResult                           // by the server, with its result (SUB-08)
	EndCancelled                            // by the server, with notifications/cancelled (SUB-10)
	EndWithoutResult                        // the stream closed and brought no result (SUB-09)
	EndRefused                              // answered with an error
	EndSilent                               // no acknowledgement came in time
	EndLost                                 // the connection was lost
	EndClosed                               // the session was closed from this side
)

// String says how it ended.
func (e SubscriptionEnd) String() string {
	return [...]string{"", "stopped here", "ended by the server with its result", "cancelled by the server",
		"the stream ended without a result", "refused", "never acknowledged", "the connection was lost", "ended with the connection"}[e]
}

// SubscriptionFilter is what to be told of, or what a server agreed to tell of.
type SubscriptionFilter struct {
	Tools, Prompts, Resources bool     // changes of the lists
	URIs                      []string // of resources
	TaskIDs                   []string // with the tasks extension (SUB-15)

	// Raw is the filter as it crosses the wire. Subscribe sends it as it is when
	// it is not nil, whatever the other fields say.
	Raw jsontext.Value
}

// IsEmpty reports whether the decoded filter names nothing.
func (f SubscriptionFilter) IsEmpty() bool {
	return !f.Tools && !f.Prompts && !f.Resources && len(f.URIs) == 0 && len(f.TaskIDs) == 0
}

// RateWindow is the time over which Subscription.Rate counts.
const RateWindow = 10 * time.Second

// rateSlots divide RateWindow.
const rateSlots = 10

// rate counts by tenths of the window; nothing else is kept of what came.
type rate struct {
	slot   int64 // number of the newest slot, since 1970
	counts [rateSlots]uint32
}

func slotOf(t time.Time) int64 { return t.UnixNano() / int64(RateWindow/rateSlots) }

func (r *rate) add(now time.Time) {
	n := slotOf(now)
	if n-r.slot >= rateSlots || n < r.slot {
		r.counts = [rateSlots]uint32{}
		r.slot = n
	}
	for r.slot < n {
		r.slot++
		r.counts[r.slot%rateSlots] = 0
	}
	r.counts[n%rateSlots]++
}

// sum is what came in the window before now.
func (r *rate) sum(now time.Time) uint64 {
	n, total := slotOf(now), uint64(0)
	for back := range int64(rateSlots) {
		if slot := r.slot - back; slot > n-rateSlots && slot <= n && slot >= 0 {
			total += uint64(r.counts[slot%rateSlots])
		}
	}
	return total
}

// Subscription is a snapshot of one way in which the server tells of changes.
type Subscription struct {
	Key    uint64 // unique in the session
	Kind   SubscriptionKind
	Asked  SubscriptionFilter
	Agreed SubscriptionFilter // of a listen request what the server acknowledged; Raw is nil before that
	// Missing names what was asked for and not agreed to (SUB-03), as it is
	// spelt in the filter: "toolsListChanged", or a URI.
	Missing []string
	Phase   SubscriptionPhase
	End     SubscriptionEnd
	Err     string // a sentence on the end of it or of the last attempt

	ID         protocol.ID // of the listen request in use: the subscription id (SUB-02)
	Channel    string      // of a stream
	Call       uint64      // CallState.Key of the request in use, 0 if none
	RequestSeq uint64      // event of the newest request, 0 if none
	AckSeq     uint64      // event of its acknowledgement or answer, 0 before it
	EndSeq     uint64      // event that ended it, 0 if there is none

	Since    time.Time // of the first request
	Opened   time.Time // when it was last acknowledged, zero before that
	Count    uint64    // messages so far, the acknowledgement not among them
	Last     time.Time // of the last message
	LastSeq  uint64    // its event
	Attempts int       // requests in succession that came to nothing
	NextTry  time.Time // when it is asked for again, zero if it is not
	Manual   bool      // sent as a raw request: it is not asked for again by itself
	Problems []protocol.Problem

	rate rate
}

// Rate is the messages of the RateWindow before now.
func (s Subscription) Rate(now time.Time) uint64 { return s.rate.sum(now) }

// LogLevelBy is the way in which a level of log messages was asked for.
type LogLevelBy uint8

// The ways. LogUnset leaves it to the server (LOG-02), or in 2026-07-28 means
// that none are wanted.
const (
	LogUnset LogLevelBy = iota
	LogBySetLevel
	LogByMeta
)

// Logging is which log messages are asked for.
type Logging struct {
	Level  string // "" when none was asked for
	By     LogLevelBy
	Count  uint64            // log messages so far
	Levels map[string]uint64 // by level, the eight and "other"; not to be changed
	Last   uint64            // event of the last one
}

// Ping is one ping and what came of it.
type Ping struct {
	Seq  uint64 // event of the request
	At   time.Time
	Took time.Duration
	Err  string // why there was no answer, "" if there was
}

// ListChangeKind is what happened to an entry of a listing.
type ListChangeKind uint8

// The kinds of a ListChange.
const (
	EntryAdded ListChangeKind = iota
	EntryRemoved
	EntryChanged
)

// String is the kind in a word.
func (k ListChangeKind) String() string { return [...]string{"added", "removed", "changed"}[k] }

// ListChange is one entry that differs from the listing as the person last saw
// it.
type ListChange struct {
	Kind          ListChangeKind
	Name          string // name, URI or URI template
	Ordinal       int    // among entries of that name
	Before, After jsontext.Value
}

// Age is how long ago the newest page came.
func (l List) Age(now time.Time) time.Duration {
	if l.Updated.IsZero() {
		return 0
	}
	return now.Sub(l.Updated)
}

// Fresh reports whether the listing may be taken as current (CACHE-05, 06): for
// how long it still is, negative when it has not been since then. hinted is
// false when the server gave no usable ttlMs.
func (l List) Fresh(now time.Time) (left time.Duration, hinted bool) {
	if l.Expires.IsZero() {
		return 0, false
	}
	return l.Expires.Sub(now), true
}

// ttl is the time that a ttlMs gives, 0 for none or one that cannot be used
// (CACHE-06).
func ttl(text string) time.Duration {
	const most = 365 * 24 * time.Hour
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil && strings.Trim(text, "0123456789") == "" && text != "":
		return most
	case err != nil || n <= 0:
		return 0
	case n > most.Milliseconds():
		return most
	}
	return time.Duration(n) * time.Millisecond
}

// Watch is a resource that is read again whenever the server says that it has
// changed.
type Watch struct {
	Key     uint64
	URI     string
	Since   time.Time
	Updates uint64 // notifications that named it or a part of it
	Folded  uint64 // those of them that got no read of their own
	LastSeq uint64 // event of the last of them
	Reading bool
	Stale   bool        // it changed after the last read began, or there was a gap (SUB-13)
	Gone    int         // reads dropped from the front
	Reads   []WatchRead // oldest first, bounded
}

// WatchRead is one read of a Watch. Its contents are in the log.
type WatchRead struct {
	At         time.Time
	RequestSeq uint64
	AnswerSeq  uint64 // event of the answer, 0 if none came
	Update     uint64 // event of the newest update before it, 0 if it was read for another reason
	Updates    uint64 // updates that it answers
	URI        string // that the newest update named, if it was a part of the resource
	Err        string // why there are no contents
}

// Restoration is what a new session needs to go on where an old one ended
// (SUB-11). Give it as Options.Restore.
type Restoration struct {
	Subscriptions []SubscriptionFilter // one for each
	Watches       []string             // URIs
	LogLevel      string
	Roots         []Root
	AutoReread    bool
	KeepAlive     time.Duration
	Tasks         []TaskRef // that were not over (TSKX-06)
}

// IsEmpty reports whether there is nothing to restore but roots.
func (r Restoration) IsEmpty() bool {
	return len(r.Subscriptions) == 0 && len(r.Watches) == 0 && r.LogLevel == "" && !r.AutoReread && r.KeepAlive == 0 && len(r.Tasks) == 0
}

// Restoration gathers what a new session to the same server should ask for
// again: all that the person did not stop.
func (st State) Restoration() Restoration {
	r := Restoration{LogLevel: st.Logging.Level, Roots: slices.Clone(st.Roots), AutoReread: st.AutoReread, KeepAlive: st.KeepAlive}
	for _, sub := range st.Subscriptions {
		switch {
		case sub.Manual || sub.Kind == SubLists || sub.Kind == SubStream:
		case sub.Phase == SubEnded && sub.End != EndLost && sub.End != EndClosed:
		default:
			r.Subscriptions = append(r.Subscriptions, sub.Asked)
		}
	}
	for _, w := range st.Watches {
		r.Watches = append(r.Watches, w.URI)
	}
	for _, t := range st.Tasks {
		if !t.Over() && t.Loss == TaskKept && (t.Origin == TaskOfCall || t.Followed() || t.Origin == TaskRestored) {
			r.Tasks = append(r.Tasks, TaskRef{ID: t.ID, Kind: t.Kind, Tool: t.Tool})
		}
	}
	return r
}
