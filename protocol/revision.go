package protocol

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// From is the side that sends a message.
type From uint8

// The two sides.
const (
	FromClient From = iota + 1
	FromServer
)

// Revision is one dated revision of the protocol: a table of what differs.
// Each revision stands in a file of its own. Revisions are shared and must not
// be changed.
type Revision struct {
	Name   string // the date, as in protocolVersion; an opaque label (VER-41)
	Modern bool   // self-contained requests; no handshake, no session

	Batches                    bool // JSON arrays may arrive (BASE-11)
	SessionHeader              bool // Mcp-Session-Id and DELETE (HTTP-52, 55)
	VersionHeader              bool // MCP-Protocol-Version on HTTP (HDR-01, 29, 31)
	MetadataHeaders            bool // Mcp-Method, Mcp-Name, Mcp-Param-* (HDR-02 ...)
	StandaloneStream           bool // GET opens a stream (HTTP-40)
	Resumption                 bool // Last-Event-ID (HTTP-46)
	WaitRetry                  bool // the server's retry must be waited for (HTTP-48)
	Ping                       bool // PING-04
	CancelByNotificationOnHTTP bool // otherwise closing the stream cancels (HTTP-24, 45)
	CompletionContext          bool // completion/complete takes context.arguments (COMP-03)
	ServerRequests             bool // the server may send requests (L-RPC-14)

	ResultType       bool       // results say resultType (BASE-14)
	CacheHints       bool       // lists and reads say ttlMs and cacheScope
	ErrorIDOptional  bool       // an error may have no id (BASE-10)
	ToolAnnotations  bool       // readOnlyHint and its like
	Icons            bool       // pictures on entries
	Structured       Structured // what structuredContent may be (TOOL-09)
	ContentTypes     []string   // types of content blocks (TOOL-16)
	NotFoundCode     int        // of a resource that does not exist (L-RSRC-03)
	ElicitationModes []string   // form, url
	Dialect          string     // JSON Schema dialect of schemas that name none, "" if unspecified (BASE-24)

	Methods    Methods // core vocabulary
	Extensions Methods // vocabulary of official extensions to this revision
	// InputRequired lists the methods that may be answered with input_required
	// (MRTR-01), InputRequests what such an answer may ask for.
	InputRequired, InputRequests []string

	rootsListChanged  bool // roots is {listChanged:true}, not {}
	samplingMembers   bool // sampling has tools and context
	elicitMembers     bool // elicitation has form and url
	clientExtensions  bool // capabilities have extensions
	infoTitle         bool // Implementation has title
	infoDescription   bool // Implementation has description and websiteUrl
	noCompletionsFlag bool // completion exists without a capability (COMP-01)
}

// Structured is what structuredContent may be.
type Structured uint8

// The values of Structured.
const (
	StructuredNone Structured = iota
	StructuredObject
	StructuredAny
)

// Methods is the vocabulary of a revision by sender.
type Methods struct {
	ClientRequests, ServerRequests           []string
	ClientNotifications, ServerNotifications []string
}

func (m *Methods) has(from From, method string) bool {
	switch from {
	case FromClient:
		return slices.Contains(m.ClientRequests, method) || slices.Contains(m.ClientNotifications, method)
	case FromServer:
		return slices.Contains(m.ServerRequests, method) || slices.Contains(m.ServerNotifications, method)
	}
	return false
}

// Implementation names a program. Members that are "" are left out, except
// name and version.
type Implementation struct{ Name, Title, Version, Description, WebsiteURL string }

// ClientCapabilities is what this client offers to the server.
type ClientCapabilities struct {
	Roots           bool
	Sampling        bool
	SamplingTools   bool           // with Sampling
	SamplingContext bool           // with Sampling
	Elicitation     bool           // form mode
	ElicitationURL  bool           // url mode
	Tasks           bool           // the extension for tasks, in the revisions that have it (TSKX-01, TSKX-19)
	Extensions      jsontext.Value // object of extension ids and settings (META-10), nil for none
	Experimental    jsontext.Value // object, nil for none
}

var revisions = []*Revision{&rev20241105, &rev20250326, &rev20250618, &rev20251125, &rev20260728}

// Revisions returns all revisions, oldest first.
func Revisions() []*Revision { return slices.Clone(revisions) }

// RevisionByName finds a revision by its date.
func RevisionByName(name string) (*Revision, bool) {
	for _, r := range revisions {
		if r.Name == name {
			return r, true
		}
	}
	return nil, false
}

// NewestHandshake returns the newest revision that begins with initialize
// (VER-04).
func NewestHandshake() *Revision { return newest(false) }

// NewestModern returns the newest revision without a handshake.
func NewestModern() *Revision { return newest(true) }

func newest(modern bool) *Revision {
	for _, r := range slices.Backward(revisions) {
		if r.Modern == modern {
			return r
		}
	}
	return nil
}

// String returns the date.
func (r *Revision) String() string { return r.Name }

// Knows reports whether a side may send the method in this revision, by the
// core vocabulary or by that of an official extension. Methods with names of
// their own are legal too; they are not known.
func (r *Revision) Knows(from From, method string) bool {
	return r.Methods.has(from, method) || r.Extensions.has(from, method)
}

// SamplingTools reports whether sampling may use tools, which needs a capability
// of the client (SAMP-03).
func (r *Revision) SamplingTools() bool { return r.samplingMembers }

// Needs returns the server capability that a client's request needs as a JSON
// Pointer into the capabilities object, such as "/tools" or
// "/resources/subscribe", "" for none.
func (r *Revision) Needs(method string) string {
	switch method {
	case MethodToolsList, MethodToolsCall:
		return "/tools"
	case MethodPromptsList, MethodPromptsGet:
		return "/prompts"
	case MethodResourcesList, MethodResourceTemplatesList, MethodResourcesRead:
		return "/resources"
	case MethodResourcesSubscribe, MethodResourcesUnsubscribe:
		return "/resources/subscribe"
	case MethodSetLevel:
		return "/logging"
	case MethodComplete:
		if !r.noCompletionsFlag {
			return "/completions"
		}
	case MethodTasksGet, MethodTasksResult, MethodTasksUpdate:
		if r.Modern {
			return "/extensions/io.modelcontextprotocol~1tasks"
		}
		return "/tasks"
	case MethodTasksList:
		return "/tasks/list"
	case MethodTasksCancel:
		if r.Modern {
			return "/extensions/io.modelcontextprotocol~1tasks"
		}
		return "/tasks/cancel"
	}
	return ""
}

// InitializeParams builds the params of initialize (VER-02). It is nil for a
// revision that has no handshake.
func (r *Revision) InitializeParams(info Implementation, caps ClientCapabilities) jsontext.Value {
	if r.Modern {
		return nil
	}
	var o objectBuilder
	o.str("protocolVersion", r.Name)
	o.raw("capabilities", r.Capabilities(caps))
	o.raw("clientInfo", r.info(info))
	return o.done()
}

// Capabilities builds the client's capabilities object as this revision knows
// it (appendix G of the obligations).
func (r *Revision) Capabilities(c ClientCapabilities) jsontext.Value {
	var o objectBuilder
	if c.Roots {
		var roots objectBuilder
		if r.rootsListChanged {
			roots.raw("listChanged", jsontext.Value("true"))
		}
		o.raw("roots", roots.done())
	}
	if c.Sampling {
		var sampling objectBuilder
		sampling.flag("tools", r.samplingMembers && c.SamplingTools)
		sampling.flag("context", r.samplingMembers && c.SamplingContext)
		o.raw("sampling", sampling.done())
	}
	form := c.Elicitation && slices.Contains(r.ElicitationModes, "form")
	url := c.ElicitationURL && slices.Contains(r.ElicitationModes, "url")
	if form || url {
		var elicitation objectBuilder
		elicitation.flag("form", r.elicitMembers && form)
		elicitation.flag("url", url)
		o.raw("elicitation", elicitation.done())
	}
	if c.Experimental != nil {
		o.raw("experimental", c.Experimental)
	}
	extensions := c.Extensions
	if c.Tasks && r.Extensions.has(FromClient, MethodTasksGet) {
		extensions = withTasks(extensions)
	}
	if extensions != nil && r.clientExtensions {
		o.raw("extensions", extensions)
	}
	return o.done()
}

// RequestMeta builds the reserved members of params._meta that every request
// of a modern revision has (META-01 to 04): an object, nil for a revision with
// a handshake. An Implementation without a name leaves clientInfo out, an empty
// logLevel leaves the level out.
func (r *Revision) RequestMeta(info Implementation, caps ClientCapabilities, logLevel string) jsontext.Value {
	if !r.Modern {
		return nil
	}
	var o objectBuilder
	o.str(MetaProtocolVersion, r.Name)
	if info.Name != "" {
		o.raw(MetaClientInfo, r.info(info))
	}
	o.raw(MetaClientCapabilities, r.Capabilities(caps))
	if logLevel != "" {
		o.str(MetaLogLevel, logLevel)
	}
	return o.done()
}

func (r *Revision) info(info Implementation) jsontext.Value {
	var o objectBuilder
	o.str("name", info.Name)
	if r.infoTitle && info.Title != "" {
		o.str("title", info.Title)
	}
	o.str("version", info.Version)
	if r.infoDescription && info.Description != "" {
		o.str("description", info.Description)
	}
	if r.infoDescription && info.WebsiteURL != "" {
		o.str("websiteUrl", info.WebsiteURL)
	}
	return o.done()
}

// objectBuilder writes a JSON object. Its zero value is ready for use.
type objectBuilder struct{ b []byte }

func (o *objectBuilder) raw(name string, value jsontext.Value) {
	sep := byte(',')
	if len(o.b) == 0 {
		sep = '{'
	}
	o.b = append(append(appendQuoted(append(o.b, sep), name), ':'), value...)
}

func (o *objectBuilder) str(name, value string) { o.raw(name, QuoteString(value)) }

func (o *objectBuilder) flag(name string, on bool) {
	if on {
		o.raw(name, jsontext.Value("{}"))
	}
}

func (o *objectBuilder) done() jsontext.Value {
	if len(o.b) == 0 {
		return jsontext.Value("{}")
	}
	return append(o.b, '}')
}
