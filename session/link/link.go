// Package link moves bytes between a client and an MCP server over stdio,
// Streamable HTTP and HTTP+SSE. A link records everything it sees before it
// hands anything on, and gives no meaning to messages beyond what the
// transport itself needs.
package link

import (
	"context"
	"errors"
	"time"

	"mcploupe/protocol"
)

// Link is one connection to a server.
//
// Close is idempotent and returns when every goroutine of the link has ended,
// when a child process is reaped, and when no Handler method will be called
// any more.
type Link interface {
	// Send writes one message exactly as it is. For HTTP it returns when the
	// answer's head has arrived or the exchange failed; the body is read in the
	// background. The message is in the log in any case. ctx ends the exchange:
	// for Streamable HTTP cancelling it closes the answer stream, see Unpaired.
	Send(ctx context.Context, raw []byte, o SendOptions) error
	// Close ends the connection in the transport's orderly way (stdio: close
	// stdin, wait, SIGTERM, SIGKILL; HTTP: DELETE of the session, closing of
	// streams).
	Close() error
	// Name is "stdio", "http" or "sse".
	Name() string
}

// SendOptions is what a message needs besides its bytes.
type SendOptions struct {
	// Revision in force, nil before negotiation. HTTP links choose headers,
	// session handling and resumption by it.
	Revision *protocol.Revision
	// InputSchema of the tool called, for Mcp-Param-* headers; may be nil.
	InputSchema []byte
	// Initialize marks the legacy handshake request: no session id is sent and
	// the answer's session id is kept.
	Initialize bool
	// Headers are added to this one HTTP exchange, after all others.
	Headers []protocol.HeaderField
	// Unpaired says that nobody waits for an answer: once the head of one has
	// arrived, the exchange goes on to its end whatever becomes of the context.
	Unpaired bool
}

// Incoming is one piece of input where a message was due.
type Incoming struct {
	Seq      uint64             // of its event in the log
	Raw      []byte             // owned by the receiver
	Cut      bool               // Raw is only the beginning: the whole was over a limit and is in the log in pieces
	Channel  string             // stream that carried it
	For      protocol.ID        // id of the request whose HTTP exchange carried it; zero on stdio and on standalone streams
	Status   int                // HTTP status of that exchange, 0 elsewhere
	Problems []protocol.Problem // what is wrong with how it came (content type, framing, size), not with the message itself
}

// Handler receives what a link reads. Methods are called from the link's
// reading goroutines, one at a time for each channel; they must not block for
// long and must not call Close.
type Handler interface {
	// Receive gets every line, body or SSE data that may be a message, valid or
	// not.
	Receive(in Incoming)
	// Ended says that an exchange or stream is over. It is called once for each
	// Send that got as far as the network (also when Send returned an error),
	// after the last Receive of that exchange, and once for each standalone
	// stream that is given up. It is not called on stdio.
	Ended(e Ended)
	// Down says that the link as a whole cannot be used any more. It is called
	// at most once, and not because of Close.
	Down(d Down)
}

// Guard is a Handler that runs what the goroutines of a link do, so that a panic
// in one of them need not end the program. A link of which one panicked is to be
// closed.
type Guard interface {
	Handler
	Guard(f func())
}

// guarded runs f by the handler, if that guards.
func guarded(h Handler, f func()) {
	if g, ok := h.(Guard); ok {
		g.Guard(f)
		return
	}
	f()
}

// StreamHandler is a Handler that also wants to know how the standalone stream
// does. Stream is called like the methods of Handler.
type StreamHandler interface {
	Handler
	Stream(e StreamChange)
}

// StreamState is what happened to a standalone stream.
type StreamState uint8

// The states of a standalone stream.
const (
	StreamConnecting StreamState = iota // a GET was sent
	StreamOpen                          // the server answered with an event stream
	StreamBroken                        // it ended; another GET follows after Retry
	StreamRefused                       // the server has no such stream, or does not give it
	StreamGivenUp                       // closed from this side, or broken too often
)

// StreamChange is a step in the life of the standalone stream.
type StreamChange struct {
	State   StreamState
	Seq     uint64 // event of the request's or the answer's head, or of the end
	Channel string
	Resumed bool          // with StreamOpen: from the last event on (HTTP-46)
	Retry   time.Duration // with StreamBroken
	Err     error         // why it broke, was refused or was given up
}

// Ended describes the end of one HTTP exchange or stream.
//
// Err is nil when the answer has come or can still come by another way
// (HTTP+SSE); otherwise it says why no answer will come: ErrSessionLost,
// ErrNoAnswer, ErrCancelled or a transport failure, wrapped.
type Ended struct {
	Seq      uint64      // of the event that records the end
	Channel  string      //
	For      protocol.ID // zero for standalone streams and non-requests
	Answer   *Answer     // HTTP answer if there was one
	Err      error
	Problems []protocol.Problem // what was wrong with the exchange and belongs to no message

	Sent         uint64             // event of the message that began the exchange, 0 for none
	SentProblems []protocol.Problem // what kept that message's headers from being built in full
}

// Answer is what is known of an HTTP answer, for people and for negotiation.
type Answer struct {
	Status      int
	Reason      string
	ContentType string
	Headers     []protocol.HeaderField // credentials masked
	Body        string                 // text of a body that carried no message, cut at 64 KiB
	Location    string                 // target of a redirect that was not followed, resolved
}

// Down describes how a link was lost.
type Down struct {
	Err  error
	Exit *Exit // stdio only
}

// Exit is how a child process ended.
type Exit struct {
	Code   int    // -1 when ended by a signal
	Signal string // "killed", "terminated", ... or ""
	After  time.Duration
}

// Errors that Send, Ended.Err and Down.Err wrap.
var (
	// ErrClosed is returned by Send after Close or when the link is down.
	ErrClosed = errors.New("the connection is closed")
	// ErrSessionLost says that the server does not know the session any more
	// (HTTP-54): initialize again, without a session id.
	ErrSessionLost = errors.New("the server does not know the session any more")
	// ErrNoAnswer says that an exchange ended in order but carried no answer.
	ErrNoAnswer = errors.New("the exchange ended without an answer")
	// ErrUnsure says that Send gave up while the message was being written: it
	// may have gone out, or still go.
	ErrUnsure = errors.New("the message may have gone out")
	// ErrCancelled says that the context given to Send ended the exchange.
	ErrCancelled = errors.New("the exchange was cancelled")
)

// AnswerError is a failure that an HTTP answer explains. Use errors.As.
type AnswerError struct {
	Answer Answer
	Text   string // what was expected and what came
}

// Error describes the answer in one sentence.
func (e *AnswerError) Error() string { return e.Text }
