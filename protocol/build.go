package protocol

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// NewRequest builds a request. params is spliced as it is; nil leaves the
// member out.
func NewRequest(id ID, method string, params jsontext.Value) []byte {
	b := append([]byte(`{"jsonrpc":"2.0","id":`), id.text...)
	b = append(b, `,"method":`...)
	b = append(b, QuoteString(method)...)
	if params != nil {
		b = append(append(b, `,"params":`...), params...)
	}
	return append(b, '}')
}

// NewNotification builds a notification. params is spliced as it is; nil
// leaves the member out.
func NewNotification(method string, params jsontext.Value) []byte {
	b := append([]byte(`{"jsonrpc":"2.0","method":`), QuoteString(method)...)
	if params != nil {
		b = append(append(b, `,"params":`...), params...)
	}
	return append(b, '}')
}

// NewResult builds a response with a result (BASE-08). A nil result becomes {}.
func NewResult(id ID, result jsontext.Value) []byte {
	if result == nil {
		result = jsontext.Value("{}")
	}
	b := append([]byte(`{"jsonrpc":"2.0","id":`), idText(id)...)
	b = append(append(b, `,"result":`...), result...)
	return append(b, '}')
}

// NewError builds an error response (BASE-08). An absent id becomes null, nil
// data leaves the member out.
func NewError(id ID, code int, message string, data jsontext.Value) []byte {
	b := append([]byte(`{"jsonrpc":"2.0","id":`), idText(id)...)
	b = append(b, `,"error":{"code":`...)
	b = strconv.AppendInt(b, int64(code), 10)
	b = append(append(b, `,"message":`...), QuoteString(message)...)
	if data != nil {
		b = append(append(b, `,"data":`...), data...)
	}
	return append(b, '}', '}')
}

func idText(id ID) string {
	if id.IsZero() {
		return "null"
	}
	return id.text
}
