package protocol

import "github.com/go-json-experiment/json/jsontext"

// JSON-RPC error codes of the protocol (part 4.1 of the obligations).
const (
	CodeParse                  = -32700
	CodeInvalidRequest         = -32600
	CodeMethodNotFound         = -32601
	CodeInvalidParams          = -32602
	CodeInternal               = -32603
	CodeResourceNotFound       = -32002
	CodeURLElicitationRequired = -32042
	CodeHeaderMismatch         = -32020
	CodeMissingCapability      = -32021
	CodeUnsupportedVersion     = -32022
	CodeRejected               = -1
)

// RPCError is the error member of a response.
type RPCError struct {
	Code    string // number text, "" when there is none
	Message string
	Data    jsontext.Value // nil when absent
}

// Is reports whether the code is exactly the integer code.
func (e RPCError) Is(code int) bool { return false }

// DecodeError decodes the error member of a response.
func DecodeError(v jsontext.Value) (RPCError, []Problem) { return RPCError{}, nil }

// CodeName names a code, "" for one without a name.
func CodeName(code string) string { return "" }
