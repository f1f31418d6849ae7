package recorder

import (
	"context"
	"slices"
	"sort"
	"sync"
	"time"

	"mcploupe/protocol"
)

// ExchangeState says how an exchange stands.
type ExchangeState uint8

// The states of an exchange. Pending ends in one of the others; Lost ends when
// an answer comes after all, Cancelled and TimedOut become Late then. What
// started a task is pending again until the task is over.
const (
	ExchangePending   ExchangeState = iota + 1 // no answer yet
	ExchangeOK                                 // a result
	ExchangeToolError                          // a result with isError
	ExchangeError                              // a JSON-RPC error
	ExchangeCancelled                          // cancelled without an answer
	ExchangeTimedOut                           // given up because no answer came in time
	ExchangeLate                               // answered after it was cancelled or given up
	ExchangeLost                               // the HTTP exchange or the connection ended without an answer
	ExchangeInvalid                            // what came in place of an answer is no valid one
)

var exchangeStates = [...]string{
	ExchangePending: "pending", ExchangeOK: "ok", ExchangeToolError: "tool error", ExchangeError: "error",
	ExchangeCancelled: "cancelled", ExchangeTimedOut: "timed out", ExchangeLate: "late", ExchangeLost: "lost",
	ExchangeInvalid: "invalid",
}

// String returns the word for the state, "" for none.
func (s ExchangeState) String() string {
	if int(s) < len(exchangeStates) {
		return exchangeStates[s]
	}
	return ""
}

// Exchange is a request with all that belongs to it.
type Exchange struct {
	Request, Answer uint64    // Seq; Answer is the latest that counts, 0 if none
	Dir             Direction // of the request
	Method          string    // "" of a batch
	Name            string
	ID              string // JSON text of the first request's id
	State           ExchangeState
	Status          string        // Head.Status of the answer
	Start           time.Duration // of the request, since the start of the recording
	Took            time.Duration // from the request to the answer without Waited; 0 while it is pending or without an answer
	Waited          time.Duration // while a person was asked
	Events          int           // members
	Bytes           int64         // of the Data of the members
	Problems        bool          // some member has one
	Rounds          int           // answers that asked for input
	First, Last     uint64        // Seq of the first and of the last member
}

// exchangeEntry is what is kept of an exchange.
type exchangeEntry struct {
	bytes   int64
	waited  int64
	request uint32
	answer  uint32
	newest  uint32 // member; Exchanges.next leads to the others
	first   uint32
	last    uint32
	events  uint32
	rounds  uint16
	state   ExchangeState
	flags   exchangeFlags
}

type exchangeFlags uint8

const (
	flagProblems exchangeFlags = 1 << iota
	flagTask                   // its answer was a task
	flagTaskOver               // which has ended
	flagBatch
)

// Exchanges are the exchanges of a recording, in the order of their requests.
// Its methods may be called from any goroutine.
//
// It costs 8 bytes an event and 48 an exchange, and tables of bounded size for
// what is under way.
//
// See the package's description for what belongs to an exchange.
type Exchanges struct {
	log    *Log
	taking sync.Mutex // held by Take
	tie    ties       // belongs to whoever holds taking, like the next
	read   int        // bytes that were looked into since readers waited last

	mu    sync.RWMutex
	list  []exchangeEntry
	owner []uint32 // by event: its exchange plus one
	next  []uint32 // by event: another member of its exchange, 0 at the end
}

// NewExchanges returns the exchanges of l. They are empty until Take.
func NewExchanges(l *Log) *Exchanges { return &Exchanges{log: l} }

// Exchanges returns the exchanges of l that its filters use. They are empty
// until Take.
func (l *Log) Exchanges() *Exchanges {
	l.exchangesOnce.Do(func() { l.exchanges = NewExchanges(l) })
	return l.exchanges
}

const (
	// takeAtOnce is how many events are taken in while readers wait.
	takeAtOnce = 1024
	// readAtOnce is about how many bytes of messages are looked into meanwhile.
	readAtOnce = 256 << 10
)

// Take takes in the events that are new and reports whether there were any.
// What is there can be read meanwhile. When ctx ends, what was taken in stays,
// and a later Take goes on.
func (x *Exchanges) Take(ctx context.Context) (changed bool) {
	x.taking.Lock()
	defer x.taking.Unlock()
	end := x.log.Len()
	for first := true; uint64(len(x.owner)) < end && ctx.Err() == nil; first = false {
		x.mu.Lock()
		if first {
			more := int(end) - len(x.owner)
			x.owner, x.next = slices.Grow(x.owner, more), slices.Grow(x.next, more)
		}
		x.takeSome(end)
		x.mu.Unlock()
		changed = true
	}
	return changed
}

// takeSome takes in as many events up to end as readers may wait for.
func (x *Exchanges) takeSome(end uint64) {
	x.read = 0
	for n := min(takeAtOnce, end-uint64(len(x.owner))); n > 0 && x.read < readAtOnce; n-- {
		x.owner, x.next = append(x.owner, 0), append(x.next, 0)
		x.take(uint64(len(x.owner)))
	}
}

// Taken is the number of events that were taken in.
func (x *Exchanges) Taken() uint64 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return uint64(len(x.owner))
}

// Len is the number of exchanges.
func (x *Exchanges) Len() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return len(x.list)
}

// At returns exchange i, from 0 to Len-1; the zero Exchange for another i.
func (x *Exchanges) At(i int) Exchange {
	x.mu.RLock()
	if i < 0 || i >= len(x.list) {
		x.mu.RUnlock()
		return Exchange{}
	}
	e := x.list[i]
	x.mu.RUnlock()
	h := x.log.Head(uint64(e.request))
	out := Exchange{
		Request: uint64(e.request), Answer: uint64(e.answer), Dir: h.Dir, Method: h.Method, Name: h.Name, ID: h.ID,
		State: e.state, Start: h.Time, Waited: time.Duration(e.waited), Events: int(e.events), Bytes: e.bytes,
		Problems: e.flags&flagProblems != 0, Rounds: int(e.rounds), First: uint64(e.first), Last: uint64(e.last),
		Took: x.took(&e),
	}
	if e.answer != 0 {
		out.Status = x.log.Head(uint64(e.answer)).Status
	}
	return out
}

func (x *Exchanges) took(e *exchangeEntry) time.Duration {
	if e.answer == 0 || e.state == ExchangePending {
		return 0
	}
	ix := &x.log.index
	return time.Duration(max(0, ix.at(uint64(e.answer)).time-ix.at(uint64(e.request)).time-e.waited))
}

// Of returns the exchange that an event belongs to.
func (x *Exchanges) Of(seq uint64) (i int, ok bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if seq == 0 || seq > uint64(len(x.owner)) || x.owner[seq-1] == 0 {
		return 0, false
	}
	return int(x.owner[seq-1] - 1), true
}

// Members returns the events of exchange i, ascending.
func (x *Exchanges) Members(i int) []uint64 {
	x.mu.RLock()
	if i < 0 || i >= len(x.list) {
		x.mu.RUnlock()
		return nil
	}
	members := make([]uint64, 0, x.list[i].events)
	for seq := x.list[i].newest; seq != 0; seq = x.next[seq-1] {
		members = append(members, uint64(seq))
	}
	x.mu.RUnlock()
	slices.Sort(members)
	return members
}

// ByStart returns the first exchange whose request came at t or later, Len if
// there is none.
func (x *Exchanges) ByStart(t time.Duration) int { return x.ByRequest(x.log.SeqAt(t)) }

// ByRequest returns the first exchange whose request is an event from seq on,
// Len if there is none.
func (x *Exchanges) ByRequest(seq uint64) int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return sort.Search(len(x.list), func(i int) bool { return uint64(x.list[i].request) >= seq })
}

// create starts an exchange with its request.
func (x *Exchanges) create(seq uint64) uint32 {
	n := uint32(len(x.list))
	x.list = append(x.list, exchangeEntry{request: uint32(seq), state: ExchangePending})
	x.attach(n, seq)
	return n
}

// attach makes an event a member of an exchange, unless it is one of another.
func (x *Exchanges) attach(n uint32, seq uint64) {
	if x.owner[seq-1] != 0 {
		return
	}
	ex, e := &x.list[n], x.log.index.at(seq)
	x.owner[seq-1], x.next[seq-1] = n+1, ex.newest
	ex.newest = uint32(seq)
	ex.last = max(ex.last, uint32(seq))
	if ex.first == 0 || uint32(seq) < ex.first {
		ex.first = uint32(seq)
	}
	ex.events++
	ex.bytes += int64(e.size)
	if e.problems() {
		ex.flags |= flagProblems
	}
}

// entryOf is the exchange of an event.
func (x *Exchanges) entryOf(seq uint64) (ex exchangeEntry, ok bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if seq == 0 || seq > uint64(len(x.owner)) || x.owner[seq-1] == 0 {
		return exchangeEntry{}, false
	}
	return x.list[x.owner[seq-1]-1], true
}

// methodClass is what the methods mean to exchanges.
type methodClass uint8

const (
	classOther methodClass = iota
	classProgress
	classCancelled
	classLog
	classTaskStatus
	classListen
	classTaskGet    // tasks/get, tasks/cancel
	classTaskResult // tasks/result
	classTaskUpdate // tasks/update
	classAsk        // a question to the client
	classCall       // tools/call, which may become a task
)

func classOf(method string) methodClass {
	switch method {
	case protocol.NotificationProgress:
		return classProgress
	case protocol.NotificationCancelled:
		return classCancelled
	case protocol.NotificationMessage:
		return classLog
	case protocol.NotificationTasksStatus, protocol.NotificationTasks:
		return classTaskStatus
	case protocol.MethodSubscriptionsListen:
		return classListen
	case protocol.MethodTasksGet, protocol.MethodTasksCancel:
		return classTaskGet
	case protocol.MethodTasksResult:
		return classTaskResult
	case protocol.MethodTasksUpdate:
		return classTaskUpdate
	case protocol.MethodElicit, protocol.MethodSampling, protocol.MethodRootsList:
		return classAsk
	case protocol.MethodToolsCall:
		return classCall
	}
	return classOther
}
