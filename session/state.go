package session

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session/link"
)

// Phase is where a session is in its life.
type Phase uint8

// The phases, in the order in which a session meets them. Failed and Closed
// are final.
const (
	Connecting  Phase = iota // the link is being made
	Negotiating              // finding the revision
	Ready                    // requests may be sent
	Closing                  // Close was called
	Closed                   // ended by the person
	Failed                   // never became ready, or was lost
)

// StepStatus is the outcome of one step of connecting.
type StepStatus uint8

// The outcomes of a step.
const (
	StepRunning StepStatus = iota
	StepOK
	StepFailed
	StepSkipped // tried without success, and that is fine: the next step took over
)

// Step is one line of the connection checklist: what was tried, what came of
// it and where to see it in the log.
type Step struct {
	Title  string        // "Start process", "server/discover", "initialize 2025-11-25", ...
	Status StepStatus    //
	Detail string        // what came back, in one sentence
	Advice string        // what to try, when it failed
	Seq    uint64        // event in the log to look at, 0 if none
	Took   time.Duration //
}

// ListKind names a listing that a server offers.
type ListKind uint8

// The listings.
const (
	Tools ListKind = iota
	Resources
	ResourceTemplates
	Prompts
	numLists
)

// ListStatus tells how complete a listing is.
type ListStatus uint8

// The states of a listing.
const (
	ListUnknown     ListStatus = iota // not asked for yet
	ListUnsupported                   // the server does not declare the capability
	ListLoading                       // some pages may be there already
	ListComplete
	ListFailed // Err says why; pages that came are kept
	ListStale  // the server said that it changed
)

// List is the state of one listing.
type List struct {
	Status   ListStatus
	Count    int // entries so far, malformed ones included
	Pages    int
	Err      string
	Problems []protocol.Problem // of the pages, not of the entries
	Updated  time.Time
	TTL      string // ttlMs as sent, "" if none
	Scope    string // cacheScope as sent

	Expires   time.Time    // when the first of its pages is out of date by its ttlMs (CACHE-14); zero when that gives none
	Changes   []ListChange // against the listing as it was at SeenChanges; the caller must not change them
	Rereading bool         // it changed and is being read again by itself
}

// CallPhase is where a call is.
type CallPhase uint8

// The phases of a call.
const (
	CallPending   CallPhase = iota
	CallOK                  // a result came
	CallError               // a JSON-RPC error came
	CallInvalid             // an answer came that is not valid; see Problems
	CallCancelled           // by the person
	CallTimedOut            // by the idle or the hard limit
	CallLost                // the link or its exchange ended before an answer
	CallWaiting             // pending: the server wants input before it goes on; see Rounds and State.Asks
	CallWorking             // pending: it goes on as a task; see CallState.Task and State.Tasks
)

// CallState is a snapshot of one request of ours.
type CallState struct {
	Key          uint64 // unique in the session, also for repeated ids
	ID           protocol.ID
	Method       string
	Name         string // params.name or params.uri
	Phase        CallPhase
	RequestSeq   uint64 // event of the request in the log
	AnswerSeq    uint64 // event of the answer, 0 if none
	Started      time.Time
	Took         time.Duration // work only: time spent waiting for the person is Waited; of a pending call, when the snapshot was made
	Waited       time.Duration
	Progress     protocol.Progress
	Reports      []Finding          // what is odd about its progress, the first ones (PROG-07)
	Answer       protocol.Message   // when an answer came
	Late         bool               // the answer came after cancel or time-out; Answer holds it
	LateBy       time.Duration      // how long after the end; 0 unless Late
	Err          string             // one sentence when there is no answer: limit, elapsed, last progress, ...
	Problems     []protocol.Problem // of the answer and of how it came
	ResultType   string             // modern: "complete", "input_required", ...; "" before a result
	Round        int                // MRTR: 0 for the first request, 1 for its first Continue, ...
	Previous     uint64             // MRTR: Key of the call that this one continues, 0 if none
	Rounds       []Round            // MRTR: answers input_required so far; ID, RequestSeq and Answer are those of the newest request
	Held         bool               // waits for ContinueRound, see CallOptions.HoldRounds
	Relisted     bool               // its headers were refused, and it was sent once more when the tools had been listed again (HDR-26)
	Subscription uint64             // Subscription.Key of a listen request, 0 for others
	Retryable    bool               // error -32042: to be sent again when its pages are done; see RetryCall
	RetryOf      uint64             // Key of the call that this one repeats, 0 if none
	Task         uint64             // Task.Key of the task that it became, 0 if none
	Immediate    string             // what the server has to say while the task runs (TASK-21)
}

// PeerRequest is a request of the server that waits for an answer.
type PeerRequest struct {
	Key     uint64
	Seq     uint64 // event in the log
	Channel string
	Message protocol.Message
	Cause   uint64 // CallState.Key of the call it came with, 0 if unknown
	At      time.Time
}

// Finding is a problem with its place in the log.
type Finding struct {
	Seq uint64
	protocol.Problem
}

// State is an immutable snapshot of a session.
type State struct {
	Phase              Phase
	Err                string // why it failed or was lost
	Target             Target
	Transport          string // "stdio", "http" or "sse": the one in use
	Steps              []Step
	Revision           *protocol.Revision // nil before negotiation is done
	Server             protocol.ServerInfo
	ServerCapabilities protocol.ServerCapabilities
	ClientCapabilities jsontext.Value // as declared in this revision's spelling
	SupportedVersions  []string       // as the server named them, if it did
	SessionID          string         // masked
	PID                int
	Exit               *link.Exit
	StderrTail         string       // last lines of stderr, bounded
	LastAnswer         *link.Answer // last HTTP answer that was not a success
	Lists              [numLists]List
	Calls              []CallState   // pending ones and the most recent finished ones, oldest first, bounded
	Peers              []PeerRequest // requests of the server among Asks, as messages
	Asks               []Ask         // what waits for the person, oldest first
	Visits             []Visit       // URL elicitations with an id, oldest first, bounded
	Roots              []Root
	Capabilities       protocol.ClientCapabilities
	Findings           []Finding // most recent, bounded
	FindingCount       int       // all
	RoundTrip          time.Duration

	Subscriptions []Subscription // oldest first; ended ones are kept, bounded
	Watches       []Watch        // oldest first
	Logging       Logging
	Pings         []Ping        // oldest first, bounded
	KeepAlive     time.Duration // between pings, 0 for none
	Unresponsive  time.Time     // since when pings are not answered (PING-03), zero if they are
	AutoReread    bool          // listings are read again when the server says that they changed

	Tasks            []Task                    // oldest first, bounded
	TaskCapabilities protocol.TaskCapabilities // what the server offers about tasks to this client
}
