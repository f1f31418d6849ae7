package protocol

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// HeaderField is one HTTP header line.
type HeaderField struct{ Name, Value string }

// The names of the protocol's headers.
const (
	HeaderVersion     = "MCP-Protocol-Version"
	HeaderMethod      = "Mcp-Method"
	HeaderName        = "Mcp-Name"
	HeaderParamPrefix = "Mcp-Param-"
	HeaderSession     = "Mcp-Session-Id"
)

// Headers builds the headers that describe message m in an HTTP POST, by the
// table of revision r; a nil r stands for the time before negotiation and gives
// none. Session, credentials and content negotiation belong to the transport.
//
// inputSchema is the newest one seen of the tool that m calls, nil if none
// (HDR-25). Problems tell which headers could not be built and why; pointers
// and offsets are those of m, those of HDR-18 to 21 are of the schema.
func Headers(r *Revision, m Message, inputSchema jsontext.Value) ([]HeaderField, []Problem) {
	if r == nil || !r.VersionHeader {
		return nil, nil
	}
	if !r.Modern {
		if m.Method == MethodInitialize {
			return nil, nil // trap 14
		}
		return []HeaderField{{HeaderVersion, r.Name}}, nil
	}
	b := headerBuilder{m: m}
	b.version(r)
	if !r.MetadataHeaders || m.Method == "" {
		return b.fields, b.problems
	}
	// For notifications the header is not required; a server that looks for it
	// finds it (HDR-07).
	b.add(HeaderMethod, m.Method)
	switch m.Method {
	case MethodToolsCall, MethodPromptsGet:
		b.name("/name")
	case MethodResourcesRead:
		b.name("/uri")
	case MethodTasksGet, MethodTasksUpdate, MethodTasksCancel:
		b.name("/taskId")
	}
	if m.Method == MethodToolsCall && inputSchema != nil {
		b.params(inputSchema)
	}
	return b.fields, b.problems
}

type headerBuilder struct {
	m        Message
	fields   []HeaderField
	problems []Problem
}

func (b *headerBuilder) add(name, value string) {
	b.fields = append(b.fields, HeaderField{name, EncodeHeaderValue(value)})
}

func (b *headerBuilder) problem(rule string, severity Severity, pointer string, at int, format string, args ...any) {
	b.problems = append(b.problems, Problem{rule, severity, pointer, at, fmt.Sprintf(format, args...)})
}

// place turns an offset into params into one into the message.
func (b *headerBuilder) place(offset int) int {
	at, err := objectAt(b.m.Raw)
	if err != nil {
		return -1
	}
	params, ok := child(b.m.Raw, at, "params")
	if !ok {
		return -1
	}
	return params.at + offset
}

// version says the version that the body says (HDR-01), so that a person who
// edits _meta sends two equal values.
func (b *headerBuilder) version(r *Revision) {
	v, _, ok := Lookup(b.m.Params, "/_meta/io.modelcontextprotocol~1protocolVersion")
	if !ok {
		if b.m.Kind == Request {
			b.problem("META-01", Warning, "/params/_meta", -1, "The request does not say its protocol version in _meta.")
		}
		b.add(HeaderVersion, r.Name)
		return
	}
	name, isString := StringValue(v)
	if !isString {
		b.problem("META-01", Warning, "/params/_meta/io.modelcontextprotocol~1protocolVersion", -1, "The protocol version in _meta is not a string.")
		name = r.Name
	}
	b.add(HeaderVersion, name)
}

// name adds Mcp-Name (HDR-03, 04).
func (b *headerBuilder) name(pointer string) {
	v, at, ok := Lookup(b.m.Params, pointer)
	if !ok {
		b.problem("HDR-03", Warning, "/params"+pointer, -1, "%s cannot be sent: params have no %s.", HeaderName, pointer[1:])
		return
	}
	name, isString := StringValue(v)
	if !isString {
		b.problem("HDR-03", Warning, "/params"+pointer, b.place(at), "%s cannot be sent: %s is not a string.", HeaderName, pointer[1:])
		return
	}
	b.add(HeaderName, name)
}

// params adds Mcp-Param-* for the annotated arguments that are present
// (HDR-09 to 12, 16, 17).
func (b *headerBuilder) params(inputSchema jsontext.Value) {
	annotations, problems := HeaderAnnotations(inputSchema)
	b.problems = append(b.problems, problems...)
	for _, a := range annotations {
		pointer := []byte("/arguments")
		for _, step := range a.Path {
			pointer = appendPointer(pointer, step)
		}
		v, at, ok := Lookup(b.m.Params, string(pointer))
		if !ok {
			continue
		}
		name := HeaderParamPrefix + a.Header
		switch kindOf(v) {
		case 'n':
		case '"':
			text, _ := StringValue(v)
			b.add(name, text)
		case 't', 'f':
			b.add(name, string(v))
		case '0':
			// Trap 27: 42.0 and 1e3 are integers and are sent as such.
			text, integral := integerText(string(v))
			switch {
			case !integral:
				b.problem("HDR-12", Warning, "/params"+string(pointer), b.place(at), "%s cannot be sent: %s is not an integer.", name, v)
			case !isSafeInteger(text):
				b.problem("HDR-20", Warning, "/params"+string(pointer), b.place(at), "%s cannot be sent: %s is beyond 2^53-1.", name, v)
			default:
				b.add(name, text)
			}
		default:
			b.problem("HDR-12", Warning, "/params"+string(pointer), b.place(at), "%s cannot be sent: the value is an object or an array.", name)
		}
	}
}

// isSafeInteger reports whether plain decimal text is within ±(2^53-1).
func isSafeInteger(text string) bool {
	const most = "9007199254740991"
	text = strings.TrimPrefix(text, "-")
	return len(text) < len(most) || len(text) == len(most) && text <= most
}

const sentinelHead, sentinelTail = "=?base64?", "?="

// EncodeHeaderValue gives the form in which a value goes into Mcp-Name and
// Mcp-Param-* (HDR-06, 13 to 15): as it is when it is printable ASCII without
// blanks at its ends, else in Base64 between markers.
func EncodeHeaderValue(s string) string {
	safe := s == strings.Trim(s, " ") && !isSentinel(s)
	for i := 0; safe && i < len(s); i++ {
		safe = s[i] >= ' ' && s[i] <= '~'
	}
	if safe {
		return s
	}
	return sentinelHead + base64.StdEncoding.EncodeToString([]byte(s)) + sentinelTail
}

// DecodeHeaderValue undoes EncodeHeaderValue. It gives h itself and false when
// h is marked as Base64 but is none, or does not hold UTF-8.
func DecodeHeaderValue(h string) (string, bool) {
	if !isSentinel(h) {
		return h, true
	}
	text, err := base64.StdEncoding.Strict().DecodeString(h[len(sentinelHead) : len(h)-len(sentinelTail)])
	if err != nil || !utf8.Valid(text) {
		return h, false
	}
	return string(text), true
}

func isSentinel(s string) bool {
	return len(s) >= len(sentinelHead)+len(sentinelTail) && strings.HasPrefix(s, sentinelHead) && strings.HasSuffix(s, sentinelTail)
}

// IsSecretHeader reports whether a header may carry credentials, so that its
// value is masked wherever it is kept: authorization, cookies, API keys,
// tokens, session ids (HTTP-53).
func IsSecretHeader(name string) bool {
	name = strings.ToLower(name)
	switch name {
	case "www-authenticate", "proxy-authenticate", "idempotency-key", "access-control-allow-credentials":
		return false
	case "mcp-session-id", "key":
		return true
	}
	if strings.HasSuffix(name, "-key") || strings.HasSuffix(name, "_key") {
		return true
	}
	for _, part := range [...]string{"auth", "cookie", "token", "secret", "passw", "credential", "apikey", "api-key", "session", "signature", "private", "assertion", "jwt"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}
