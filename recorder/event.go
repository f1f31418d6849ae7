package recorder

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// Direction is which way an event went, seen from the client.
type Direction uint8

// Out goes to the server, In comes from it.
const (
	Out Direction = iota + 1
	In
)

// EventKind says what an event records.
type EventKind uint8

// The event kinds and their keys in the file: msg, bad, stderr, http, sse,
// state, note.
const (
	KindMessage EventKind = iota + 1 // a JSON text on one line, verbatim
	KindBad                          // bytes where a message was due that are not one
	KindStderr                       // bytes of the server's standard error
	KindHTTP                         // a request or response head, see HTTPHead
	KindSSE                          // fields of a server-sent event that are not its data, see SSEFields
	KindState                        // a connection change, see StateChange
	KindNote                         // a remark of the person or of the program
)

// Header is the first line of a recording.
type Header struct {
	Format  string    `json:"format"` // always Format
	Created time.Time `json:"created"`
	Target  Target    `json:"target"`
	App     string    `json:"app"` // program and version
	// Continues says what came before, when the recording began in the middle of a connection.
	Continues *Continues     `json:"continues,omitempty"`
	Extra     jsontext.Value `json:"-"` // members that this program does not know, as an object; nil if none
}

// Format is the value of Header.Format that this program writes.
const Format = "mcploupe/1"

// Target describes the server of a recording. Environment values and headers
// that carry credentials are masked before they get here.
type Target struct {
	Name      string            `json:"name,omitempty"`
	Transport string            `json:"transport"` // stdio, http or sse
	Command   string            `json:"command,omitempty"`
	Args      []string          `json:"args,omitempty"`
	Dir       string            `json:"dir,omitempty"`
	Env       map[string]string `json:"env,omitempty"`
	URL       string            `json:"url,omitempty"`
	Extra     jsontext.Value    `json:"-"` // members that this program does not know
}

// Event is one thing that happened.
type Event struct {
	Seq     uint64        // 1 for the first; set by Append
	Time    time.Duration // since Header.Created; set by Append when zero
	Dir     Direction
	Kind    EventKind
	Channel string         // "stdio", "post-3", "get-1", "sse-1": the stream that carried it
	Cause   uint64         // Seq of the event this belongs to (an answer head to its request head, a body to its head), 0 if none
	Data    []byte         // message, bad line, stderr or note bytes, exactly as they were
	Fields  any            // *HTTPHead, *SSEFields or *StateChange for their kinds, else nil
	Extra   jsontext.Value // members that this program does not know, as an object; nil if none
}

// HTTPHead is a request line or a status line with its headers, in the order
// of their names. Values of headers that carry credentials are masked.
type HTTPHead struct {
	Method  string         `json:"method,omitempty"` // of a request
	URL     string         `json:"url,omitempty"`    // of a request
	Status  int            `json:"status,omitempty"` // of a response
	Reason  string         `json:"reason,omitempty"`
	Proto   string         `json:"proto,omitempty"`
	Headers []HeaderField  `json:"headers,omitempty"`
	Error   string         `json:"error,omitempty"` // transport failure: DNS, connect, TLS, reset
	Body    string         `json:"body,omitempty"`  // text of a body that carries no message, cut at 64 KiB
	Done    bool           `json:"done,omitempty"`  // the exchange ended here
	Bytes   int64          `json:"bytes,omitempty"` // body bytes by the end
	Extra   jsontext.Value `json:"-"`               // members that this program does not know
}

// HeaderField is one header line.
type HeaderField struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// SSEFields is what a server-sent event or comment said besides its data.
type SSEFields struct {
	Event   string         `json:"event,omitempty"`
	ID      string         `json:"id,omitempty"`
	HasID   bool           `json:"hasId,omitempty"`
	RetryMS string         `json:"retry,omitempty"` // digits as sent
	Comment string         `json:"comment,omitempty"`
	Bytes   int            `json:"bytes,omitempty"` // length of the data that follows as a message
	Extra   jsontext.Value `json:"-"`               // members that this program does not know
}

// StateChange is a step of the connection's life.
type StateChange struct {
	State    string         `json:"state"` // starting, started, negotiating, ready, closing, exited, closed, failed, resumed, session, timeout, broken, relistening, relisting, restored, unresponsive, responsive
	Detail   string         `json:"detail,omitempty"`
	PID      int            `json:"pid,omitempty"`
	ExitCode *int           `json:"exitCode,omitempty"`
	Signal   string         `json:"signal,omitempty"`
	Extra    jsontext.Value `json:"-"` // members that this program does not know
}

// Head is what a list row needs of an event; reading one costs no I/O.
type Head struct {
	Seq      uint64
	Time     time.Duration
	Dir      Direction
	Kind     EventKind
	Message  protocol.Kind // of a KindMessage event
	Method   string        // of a request or notification; of the request that a response answers
	Name     string        // params.name or params.uri of a request; of the partner for a response
	ID       string        // JSON text, "" if absent
	Channel  string
	Size     int           // bytes of Data
	Status   string        // short word: "POST", "200", "exited"; of a response "ok", "tool error", "input_required" or the error code; of an answered request the same
	Partner  uint64        // Seq of the request this answers, or of the answer to this request; 0 if none yet
	Took     time.Duration // between a request and its response, on both; 0 without a partner
	Problems bool          // parsing found something
	Cause    uint64        // as Event.Cause
	Ref      string        // JSON text of the progress token of a request or progress notification, of the id that a cancellation names, or of the subscription of a notification
}

// Appender takes events. *Log is one; links and sessions need no more.
type Appender interface {
	// Append stores e and returns its sequence number. It never blocks on a
	// reader and never fails: the first disk error is kept in Log.Err. The
	// caller keeps ownership of e.Data.
	Append(e Event) uint64
}
