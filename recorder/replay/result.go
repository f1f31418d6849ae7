package replay

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/recorder/diff"
)

// Outcome is what came of a call.
type Outcome uint8

// The outcomes.
const (
	Same      Outcome = iota + 1
	Different         // the answer, or what came with it, is another one
	Missing           // no answer came
	Failed            // an error came where there was none, or nothing could be sent
	Skipped           // it was not chosen
	Unmapped          // the target's revision has nothing like it
	Sent              // there is nothing to compare: a notification
)

// String returns the outcome as a word.
func (o Outcome) String() string {
	if int(o) >= len(outcomes) {
		return ""
	}
	return outcomes[o]
}

var outcomes = [...]string{"", "same", "different", "missing", "error", "skipped", "unmapped", "sent"}

// Differs reports whether the outcome is a difference between the two servers.
func (o Outcome) Differs() bool { return o == Different || o == Missing || o == Failed }

// BindingKind is what a value that was replaced is.
type BindingKind string

// The kinds of values that belong to one connection.
const (
	BindID           BindingKind = "id"
	BindToken        BindingKind = "progress token"
	BindCursor       BindingKind = "cursor"
	BindTask         BindingKind = "task"
	BindState        BindingKind = "request state"
	BindSubscription BindingKind = "subscription"
	BindSession      BindingKind = "session"
	BindCredentials  BindingKind = "credentials"
)

// Binding is a recorded value that was replaced by the target's.
type Binding struct {
	Kind     BindingKind
	From, To string // as JSON text; of sessions and credentials the masked values
	Where    string // JSON Pointer into the message that was sent, or the name of a header
}

// Result is what came of one Call.
type Result struct {
	Call        int // index into Plan.Calls
	Outcome     Outcome
	Text        string // a sentence when there is something to say
	Exchange    int    // in recorder.Exchanges of the new recording, -1 for none
	Request     uint64 // events of the new recording, 0 for none
	Answer      uint64
	Took        time.Duration // recorded and new, without the time that a person was asked
	TookBefore  time.Duration
	Bindings    []Binding
	Differences []diff.Difference // what diff.Pairs found; across revisions Pointers into result or error
}

// Summary is what came of a run.
type Summary struct {
	Results  []Result
	Stopped  string    // why not all was sent, "" if it was
	Unmapped []string  // what has no counterpart in the target's revision, one sentence each
	Unasked  []string  // what the server asked or said besides its answers that it did not before, or no more
	Notices  []string  // how often it said what depends on the clock
	Bindings []Binding // of the connection as a whole
	// Conversation compares the two recordings; nil when the run did not get that far.
	Conversation *diff.Conversation
}

// Count is the number of results with an outcome.
func (s *Summary) Count(o Outcome) int {
	n := 0
	for _, r := range s.Results {
		if r.Outcome == o {
			n++
		}
	}
	return n
}

// Differs reports whether anything was different.
func (s *Summary) Differs() bool {
	for _, r := range s.Results {
		if r.Outcome.Differs() {
			return true
		}
	}
	return len(s.Unasked) > 0
}

// Step is a message that is about to be sent.
type Step struct {
	Call     int // index into Plan.Calls, -1 for what belongs to an earlier call
	Index    int // of this step, from 0
	Of       int
	Seq      uint64 // event of the recorded message
	Method   string
	Raw      []byte // as it will be sent; nil when the connection finds its own words
	Bindings []Binding
}

// Verdict is what to do with a Step.
type Verdict uint8

// The verdicts.
const (
	Go Verdict = iota
	Skip
	Stop
)

// Decision is the answer to a Step. Raw, unless nil, is sent in place of
// Step.Raw; it must keep the id.
type Decision struct {
	Verdict Verdict
	Raw     jsontext.Value
}
