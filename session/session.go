// Package session holds one live connection to an MCP server: it negotiates
// the revision, pairs requests with answers, answers what the server asks and
// keeps the listings.
//
// Everything that crosses the wire goes to the recorder's log first; a Session
// never blocks on whoever watches it, and every goroutine it starts has ended
// when Close returns.
package session

import (
	"net/http/httptrace"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
)

// Transport chooses how to reach a server.
type Transport string

// The transports of a Target. Auto follows from Command or URL: an HTTP URL
// is tried as Streamable HTTP and then as HTTP+SSE.
const (
	Auto  Transport = ""
	Stdio Transport = "stdio"
	HTTP  Transport = "http"
	SSE   Transport = "sse"
)

// EnvVar is one environment variable; order is the person's.
type EnvVar struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Secret bool   `json:"secret,omitempty"` // masked on screen and in the log
}

// Target says which server to talk to and how.
type Target struct {
	Name      string                 `json:"name,omitempty"`
	Transport Transport              `json:"transport,omitempty"`
	Command   string                 `json:"command,omitempty"`
	Args      []string               `json:"args,omitempty"`
	Dir       string                 `json:"dir,omitempty"`
	Env       []EnvVar               `json:"env,omitempty"`
	URL       string                 `json:"url,omitempty"`
	Headers   []protocol.HeaderField `json:"headers,omitempty"`
	Bearer    string                 `json:"bearer,omitempty"`
	CAFile    string                 `json:"caFile,omitempty"`
	Revision  string                 `json:"revision,omitempty"` // "" or "auto", or the name of a revision to force
	Secrets   []string               `json:"-"`                  // values that are masked wherever they appear; never written
}

// Options are the parts and limits of a session. Zero values mean the
// defaults named.
type Options struct {
	Log          *recorder.Log // required; the caller closes it after the session
	Client       protocol.Implementation
	Capabilities protocol.ClientCapabilities
	Roots        []Root
	ProbeTimeout time.Duration // for server/discover; default 5 s
	InitTimeout  time.Duration // for initialize; default 30 s
	CallTimeout  time.Duration // idle limit of a call, reset by progress; default 60 s, negative for none
	CallMaximum  time.Duration // hard limit of a call; default 10 min, negative for none
	LogLevel     string        // asked for in each modern request's _meta when not ""
	AskAll       bool          // load listings that the server does not declare too

	AskRoots          bool          // roots/list waits for the person instead of being answered with Roots
	RefuseUnsolicited bool          // a request of the server is answered -32602 while no call is running (BASE-40)
	ListenToLists     bool          // in 2026-07-28 subscribe to the list changes that the server declares, when ready
	AutoReread        bool          // read listings again when the server says that they changed
	KeepAlive         time.Duration // between pings where the revision has them (PING-02); 0 for none
	PingTimeout       time.Duration // default 10 s
	AckTimeout        time.Duration // for the acknowledgement of a subscriptions/listen; default 10 s, negative for none
	Restore           *Restoration  // applied when the session is ready

	// OnFault gets a panic in what the session does by itself; the session ends,
	// and no other. It is called from the goroutine that panicked. nil lets a
	// panic end the program.
	OnFault func(f Fault)

	Trace *httptrace.ClientTrace // sees how each HTTP exchange reaches the server; may be nil

	MaxRounds  int   // of one call (MRTR-12); default 50, negative for none
	MaxMessage int64 // bytes of a line, a body or an event that is taken as one; 0 for link.DefaultMaxLine and link.DefaultMaxBody
}

// Root is a folder that the server may know of (ROOT-03).
type Root struct {
	URI  string `json:"uri"`
	Name string `json:"name,omitempty"`
}

// CallOptions tune one request.
type CallOptions struct {
	Timeout     time.Duration          // overrides Options.CallTimeout when not 0
	Maximum     time.Duration          // overrides Options.CallMaximum when not 0
	InputSchema jsontext.Value         // of the tool called, for Mcp-Param-* headers
	Headers     []protocol.HeaderField // added to the HTTP exchange
	Task        *TaskOptions           // asks for a task; see AsTask

	// ManualRounds ends the call with its first input_required, for Continue.
	// Otherwise the input requests become Asks and the call goes on by itself
	// when they are answered.
	ManualRounds bool

	// HoldRounds makes each round wait for ContinueRound: input requests become
	// Asks, and nothing goes out when they are answered or when the server put
	// the call off (MRTR-19).
	HoldRounds bool
}
