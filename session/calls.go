package session

import (
	"context"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

var errNotOpen = errors.New("the session is not open")

// Call is one request of ours.
type Call struct{ done chan struct{} }

// Done is closed when the call has ended, however it ended.
func (c *Call) Done() <-chan struct{} { return c.done }

// Wait returns the state of the call when it has ended. The error is that of
// ctx only; how the call ended is in CallState.Phase. A ctx that ends does not
// cancel the call.
func (c *Call) Wait(ctx context.Context) (CallState, error) { return CallState{}, ctx.Err() }

// State returns what is known of the call now.
func (c *Call) State() CallState { return CallState{} }

// Cancel gives the call up and tells the server in the way of the revision
// (CAN-03). It does nothing to a call that has ended.
func (c *Call) Cancel(reason string) {}

// NewRequest builds a request with a fresh id, a progress token and, in modern
// mode, the reserved _meta keys. Nothing is sent; the caller may edit the
// bytes before Do.
func (s *Session) NewRequest(method string, params jsontext.Value) []byte { return nil }

// Do sends raw, a request with an id, exactly as it is. The error says why
// nothing was sent; everything that happens later is in the call's state. When
// ctx ends the call is cancelled.
func (s *Session) Do(ctx context.Context, raw []byte, o CallOptions) (*Call, error) {
	return nil, errNotOpen
}

// Write sends raw exactly as it is, valid or not, and pairs nothing with it.
func (s *Session) Write(ctx context.Context, raw []byte) error { return errNotOpen }

// Continue answers a call that ended with the result type input_required by
// sending its request again with answers and the server's state (MRTR-04).
// answers is an object with the keys of the server's inputRequests, nil if
// there were none.
func (s *Session) Continue(ctx context.Context, call *Call, answers jsontext.Value) (*Call, error) {
	return nil, errNotOpen
}

// Answer sends raw, a response, to the peer request with the key of
// State.Peers.
func (s *Session) Answer(ctx context.Context, peer uint64, raw []byte) error { return errNotOpen }

// Refresh loads a listing to its end. A listing that the server does not
// declare is not asked for and no error.
func (s *Session) Refresh(ctx context.Context, k ListKind) error { return errNotOpen }

// RefreshAll loads every listing that the server declares. The error joins
// those of the listings.
func (s *Session) RefreshAll(ctx context.Context) error { return errNotOpen }

// Tools returns the tools that have come so far. The caller must not change
// them; likewise for the other listings.
func (s *Session) Tools() []protocol.Tool { return nil }

// Resources returns the resources that have come so far.
func (s *Session) Resources() []protocol.Resource { return nil }

// ResourceTemplates returns the resource templates that have come so far.
func (s *Session) ResourceTemplates() []protocol.ResourceTemplate { return nil }

// Prompts returns the prompts that have come so far.
func (s *Session) Prompts() []protocol.Prompt { return nil }
