package recorder

import (
	"context"
	"sync"
	"time"
)

// ExchangeState says how an exchange stands.
type ExchangeState uint8

// The states of an exchange. Only ExchangePending and ExchangeCancelled,
// ExchangeTimedOut, ExchangeLost ever change into another.
const (
	ExchangePending   ExchangeState = iota + 1 // no answer yet
	ExchangeOK                                 // a result
	ExchangeToolError                          // a result with isError
	ExchangeError                              // a JSON-RPC error
	ExchangeCancelled                          // cancelled, no answer
	ExchangeTimedOut                           // given up for lack of an answer
	ExchangeLate                               // answered after it was cancelled or given up
	ExchangeLost                               // the connection or HTTP exchange ended without an answer
	ExchangeInvalid                            // answered with what is no valid response
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
	Request, Answer uint64    // Seq; Answer is the last one, 0 if none
	Dir             Direction // of the request
	Method          string
	Name            string
	ID              string // JSON text of the first request's id
	State           ExchangeState
	Status          string        // Head.Status of the answer
	Start           time.Duration // of the request, since the start of the recording
	Took            time.Duration // between request and answer without Waited; 0 without an answer
	Waited          time.Duration // while a person was asked
	Events          int           // members
	Bytes           int64         // of the Data of the members
	Problems        bool          // some member has one
	Rounds          int           // input_required answers
	First, Last     uint64        // Seq of the first and the last member
}

// Exchanges are the exchanges of a recording, in the order of their requests.
// Its methods may be called from any goroutine.
type Exchanges struct {
	log *Log
	mu  sync.RWMutex
}

// NewExchanges returns the exchanges of l. They are empty until Take.
func NewExchanges(l *Log) *Exchanges { return &Exchanges{log: l} }

// Take takes in the events that are new and reports whether there were any. The
// exchanges may be read meanwhile. When ctx ends, what was taken in stays.
func (x *Exchanges) Take(ctx context.Context) (changed bool) { return false }

// Len is the number of exchanges.
func (x *Exchanges) Len() int { return 0 }

// At returns exchange i, from 0 to Len-1.
func (x *Exchanges) At(i int) Exchange { return Exchange{} }

// Of returns the exchange that an event belongs to.
func (x *Exchanges) Of(seq uint64) (i int, ok bool) { return 0, false }

// Members returns the events of exchange i, ascending.
func (x *Exchanges) Members(i int) []uint64 { return nil }

// ByStart returns the first exchange whose request came at t or later, Len if
// there is none.
func (x *Exchanges) ByStart(t time.Duration) int { return 0 }

// Overlapping calls yield with the exchanges that were under way between two
// times, in order, until it returns false: the rows of a waterfall.
func (x *Exchanges) Overlapping(from, to time.Duration, yield func(i int) bool) {}

// Order sorts exchanges by a key; equal ones keep their order.
func (x *Exchanges) Order(ctx context.Context, rows []uint32, key SortKey, descending bool) error {
	return ctx.Err()
}

// Find gives the exchanges that have a member which matches f, in order, as
// Log.Find does.
func (x *Exchanges) Find(ctx context.Context, f *Filter, emit func(rows []int) bool) error {
	return ctx.Err()
}

// Exchanges returns the exchanges that filters use, those of everybody. They
// are empty until Take.
func (l *Log) Exchanges() *Exchanges { return nil }
