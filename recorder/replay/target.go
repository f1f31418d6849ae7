package replay

import (
	"context"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
)

// Target is a live connection that a recording is played against. It has agreed
// on a revision, records all that crosses the wire, takes part in rounds and
// follows tasks by itself once its questions are answered.
type Target interface {
	// Log is the recording of the connection.
	Log() *recorder.Log
	Revision() *protocol.Revision
	// NextID gives a request id that the connection has not used.
	NextID() protocol.ID
	// Meta is the members of _meta that each request must have in the revision,
	// as an object; nil for none.
	Meta() jsontext.Value
	// Tools are the definitions of the tools, nil when they are not known.
	Tools() []protocol.Tool

	// Send sends a request exactly as it is.
	Send(ctx context.Context, raw []byte) (Request, error)
	// Write sends anything else exactly as it is.
	Write(ctx context.Context, raw []byte) error
	// SetLevel, Subscribe and Unsubscribe do what the revision has for it.
	SetLevel(ctx context.Context, level string) error
	Subscribe(ctx context.Context, w Wanted) error
	Unsubscribe(ctx context.Context, uri string) error

	// Questions are what the server asks and nobody has answered yet.
	Questions() []Question
	// Answer answers a question with a result or, when that is nil, an error
	// object.
	Answer(ctx context.Context, key uint64, result, fault jsontext.Value) error
	// Watch wakes whenever Questions or the state of a Request may have changed.
	Watch() (wake <-chan struct{}, stop func())
}

// Wanted is what to be told of.
type Wanted struct {
	Tools, Prompts, Resources bool // changes of the lists
	URIs                      []string
}

// Request is a request that was sent.
type Request interface {
	Done() <-chan struct{} // closed when it has ended
	State() RequestState
	Cancel(reason string)
}

// RequestState is what is known of a request.
type RequestState struct {
	Key     uint64 // as in Question.Cause
	First   uint64 // event of its first message in Target.Log
	Answer  uint64 // event of its answer, 0 if there is none
	Message protocol.Message
	Err     string // why there is no answer
	Took    time.Duration
}

// Question is something that the server asks.
type Question struct {
	Key    uint64
	Method string
	Params jsontext.Value
	Cause  uint64 // RequestState.Key that it belongs to, 0 if unknown
}
