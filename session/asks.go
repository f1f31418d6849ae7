package session

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// AskKind is what a server asks the person for.
type AskKind uint8

// The kinds of an Ask.
const (
	AskForm     AskKind = iota // elicitation/create in form mode, also without a mode (ELIC-03)
	AskURL                     // elicitation/create in url mode, or an entry of error -32042
	AskSampling                // sampling/createMessage
	AskRoots                   // roots/list, when Options.AskRoots is set
	AskOther                   // an input request whose method is none of these
)

// AskState is where an Ask is.
type AskState uint8

// The states of an Ask. One whose answer has gone out is not in State.Asks any
// more.
const (
	AskOpen     AskState = iota // waits for the person
	AskAnswered                 // answered but not sent: others of its round are open; Reply may replace the answer
	AskSending                  // the answer is on its way
)

// Ask is something that the server wants of the person: a request of its own in
// the handshake revisions, or one input request of a call that was answered
// with input_required. It is a value; its fields are not changed by anyone.
type Ask struct {
	Key   uint64 // for Reply; unique in the session
	Kind  AskKind
	State AskState
	Seq   uint64    // event in the log that carried it
	At    time.Time // when it came

	Method string
	Params jsontext.Value // nil when absent

	Message       string         // elicitation: why the server asks
	Schema        jsontext.Value // form: requestedSchema, nil when absent
	URL           string         // url: exactly as sent
	ElicitationID string         // url, handshake revisions
	Completed     bool           // url: the server says that it is done (ELIC-31)

	Legacy    bool   // a request of the server, or an entry of error -32042; false for an input request
	FromError bool   // an entry of error -32042: nothing is sent for it, the call is to be retried
	InputKey  string // input request: its key in inputRequests
	Round     int    // input request: index into CallState.Rounds of its call
	Task      uint64 // Task.Key of the task that it belongs to, 0 if none

	Cause       uint64 // CallState.Key of the call that it belongs to, 0 if unknown
	CauseMethod string // of that call
	CauseName   string // of that call

	Reply    *Reply             // what was answered, when State is not AskOpen
	Problems []protocol.Problem // rules that the question breaks; it can be answered all the same
}

// Action is how a person answers an Ask.
type Action string

// The actions. Accept, decline and cancel are for elicitation (ELIC-08).
const (
	ActionAccept  Action = "accept"
	ActionDecline Action = "decline"
	ActionCancel  Action = "cancel"
	ActionResult  Action = "result" // Reply.Result is sent as it is, whatever the kind
	ActionReject  Action = "reject" // an error response; in a round, which has no place for one, the call is given up (MRTR-15)
)

// Reply is the answer to an Ask.
type Reply struct {
	Action  Action
	Content jsontext.Value // of ActionAccept in form mode, sent as the text it is; nil means {}
	Result  jsontext.Value // of ActionResult
	Code    int            // of ActionReject; 0 means the code that the revision names for the kind
	Message string         // of ActionReject; "" means a sentence that says so
}

// Round is one answer input_required of a call, with what was sent after it.
// The request that was sent after the last round is that of the CallState.
type Round struct {
	ID            protocol.ID // of the request that was answered so
	RequestSeq    uint64      // its event in the log
	AnswerSeq     uint64      // event of the answer
	Took          time.Duration
	Asked         time.Time // when the answer came
	InputRequests []protocol.InputRequest
	State         jsontext.Value // requestState as it came, opaque (MRTR-07); nil when absent
	Answers       jsontext.Value // inputResponses as they were sent; nil when there were none
	Sent          time.Time      // when the next request was sent, zero before
	Delay         time.Duration  // waited before sending because the server asked for nothing (MRTR-03)
	Problems      []protocol.Problem
}

// Visit is a URL elicitation with an id, known until the session ends or many
// newer ones have come (ELIC-31 to 33).
type Visit struct {
	ElicitationID string
	URL           string
	Cause         uint64 // CallState.Key, 0 if unknown
	At            time.Time
	Accepted      bool
	Completed     time.Time // zero before the server says so, which it may never do
}
