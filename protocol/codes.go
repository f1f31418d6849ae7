package protocol

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// The error codes of JSON-RPC and of the protocol. What they mean depends on
// the revision: CodeResourceNotFound and CodeURLElicitationRequired belong to
// older revisions (L-RPC-17), the three before them to 2026-07-28.
const (
	CodeParse                  = -32700
	CodeInvalidRequest         = -32600
	CodeMethodNotFound         = -32601
	CodeInvalidParams          = -32602
	CodeInternal               = -32603
	CodeHeaderMismatch         = -32020
	CodeMissingCapability      = -32021
	CodeUnsupportedVersion     = -32022
	CodeResourceNotFound       = -32002
	CodeURLElicitationRequired = -32042
	CodeRejected               = -1 // the person refused a sampling request
)

var codeNames = map[string]string{
	"-32700": "parse error",
	"-32600": "invalid request",
	"-32601": "method not found",
	"-32602": "invalid params",
	"-32603": "internal error",
	"-32020": "header mismatch",
	"-32021": "missing required client capability",
	"-32022": "unsupported protocol version",
	"-32002": "resource not found",
	"-32042": "URL elicitation required",
	"-1":     "rejected by the user",
}

// CodeName names an error code. It gives no meaning to the codes that peers
// are free to use (BASE-18): "" for those.
func CodeName(code string) string {
	text, ok := integerText(code)
	if !ok {
		return ""
	}
	return codeNames[text]
}

// RPCError is the error member of a response.
type RPCError struct {
	Code    string // JSON text as sent: -32601, or "\"ENOENT\"" of a careless peer; "" when absent
	Message string
	Data    jsontext.Value // nil when absent
}

// HasCode reports whether the code is the integer code, however it is written.
func (e RPCError) HasCode(code int) bool {
	text, ok := integerText(e.Code)
	return ok && text == strconv.Itoa(code)
}

// Error returns code and message in one line.
func (e RPCError) Error() string {
	switch {
	case e.Code == "":
		return e.Message
	case e.Message == "":
		return "error " + e.Code
	}
	return e.Message + " (" + e.Code + ")"
}

// DecodeError decodes the error member of a response (L-RPC-04). Pointers and
// offsets of the problems count from v. An error that is not an object becomes
// the Message as text.
func DecodeError(v jsontext.Value) (RPCError, []Problem) {
	var found findings
	e := decodeError(v, "", 0, &found)
	return e, found.finish()
}

func decodeError(v jsontext.Value, pointer string, base int, found *findings) (e RPCError) {
	add := func(name string, at int, text string) {
		if name != "" {
			name = "/" + name
		}
		if rule := "L-RPC-04"; !found.full(rule) {
			found.add(Problem{rule, Violation, pointer + name, base + at, text})
		}
	}
	at := skipBlanks(v, 0)
	if kindOf(v) != '{' {
		add("", at, "The error is not an object.")
		if text, ok := StringValue(v); ok {
			e.Message = text
		} else {
			e.Message = string(v)
		}
		return e
	}
	var hasMessage bool
	for m := range children(v, 0) {
		value := m.value(v)
		switch {
		case m.named(v, "code"):
			e.Code = string(value)
			if _, integral := integerText(e.Code); !integral {
				add("code", m.at, "The error code is not an integer.")
			}
		case m.named(v, "message"):
			hasMessage = true
			var isString bool
			if e.Message, isString = StringValue(value); !isString {
				e.Message = string(value)
				add("message", m.at, "The error message is not a string.")
			}
		case m.named(v, "data"):
			e.Data = value
		}
	}
	if e.Code == "" {
		add("", at, "The error has no code.")
	}
	if !hasMessage {
		add("", at, "The error has no message.")
	}
	return e
}
