package protocol

import "github.com/go-json-experiment/json/jsontext"

// From is the side that sends a message.
type From uint8

// The two sides.
const (
	FromClient From = iota + 1
	FromServer
)

// Revision is one dated revision of the protocol.
type Revision struct {
	Name   string // the date, as in protocolVersion
	Modern bool   // self-contained requests; no handshake, no session

	Batches                    bool // JSON arrays may arrive
	SessionHeader              bool // Mcp-Session-Id, DELETE
	VersionHeader              bool // MCP-Protocol-Version on each HTTP request after the handshake
	MetadataHeaders            bool // Mcp-Method, Mcp-Name, Mcp-Param-*
	StandaloneStream           bool // GET opens a stream
	Resumption                 bool // Last-Event-ID
	WaitRetry                  bool // the server's retry must be waited for
	Ping                       bool
	CancelByNotificationOnHTTP bool // otherwise closing the stream cancels
	CompletionContext          bool // completion/complete takes context.arguments
	ServerRequests             bool // the server sends requests
}

// Implementation names a program.
type Implementation struct{ Name, Title, Version, Description, WebsiteURL string }

// ClientCapabilities is what this client offers.
type ClientCapabilities struct {
	Roots, Sampling, SamplingTools, SamplingContext, Elicitation, ElicitationURL bool
	Extensions, Experimental                                                     jsontext.Value
}

// Revisions returns all revisions, oldest first.
func Revisions() []*Revision { return revisions }

var revisions = []*Revision{{Name: "2024-11-05"}, {Name: "2025-03-26"}, {Name: "2025-06-18"}, {Name: "2025-11-25"}, {Name: "2026-07-28", Modern: true}}

// RevisionByName finds a revision by its date.
func RevisionByName(name string) (*Revision, bool) {
	for _, r := range revisions {
		if r.Name == name {
			return r, true
		}
	}
	return nil, false
}

// NewestHandshake returns the newest revision that begins with initialize.
func NewestHandshake() *Revision { return revisions[3] }

// NewestModern returns the newest revision without a handshake.
func NewestModern() *Revision { return revisions[4] }

// InitializeParams builds the params of initialize.
func (r *Revision) InitializeParams(info Implementation, caps ClientCapabilities) jsontext.Value {
	return nil
}

// Capabilities builds the capabilities object.
func (r *Revision) Capabilities(c ClientCapabilities) jsontext.Value { return nil }

// RequestMeta builds the reserved members of params._meta.
func (r *Revision) RequestMeta(info Implementation, caps ClientCapabilities, logLevel string) jsontext.Value {
	return nil
}

// Knows reports whether the side may send the method in this revision.
func (r *Revision) Knows(dir From, method string) bool { return false }
