package protocol

import (
	"iter"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// tolerant makes jsontext take what peers really send: duplicate names and
// strings that are not valid UTF-8.
var tolerant = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

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

// SetMeta sets params._meta.key of a request or notification to value and
// keeps every other byte. It makes params and _meta when they are absent.
func SetMeta(raw []byte, key string, value jsontext.Value) ([]byte, error) { return nil, nil }

// SetParam sets params.name to value and keeps every other byte. It makes
// params when it is absent.
func SetParam(raw []byte, name string, value jsontext.Value) ([]byte, error) { return nil, nil }

// SetID sets the id and keeps every other byte.
func SetID(raw []byte, id ID) ([]byte, error) { return nil, nil }

// Retry builds the next round of a request that was answered with
// input_required.
func Retry(first []byte, id ID, answers, state jsontext.Value) ([]byte, error) { return nil, nil }

// Lookup finds the value at a JSON Pointer.
func Lookup(v jsontext.Value, pointer string) (value jsontext.Value, offset int, ok bool) {
	return nil, -1, false
}

// Members yields the members of an object in order, duplicates included.
// Names are decoded, values are sub-slices of v. It yields nothing for a
// value that is not an object.
func Members(v jsontext.Value) iter.Seq2[string, jsontext.Value] {
	return func(yield func(string, jsontext.Value) bool) {}
}

// Elements yields the elements of an array as sub-slices of v. It yields
// nothing for a value that is not an array.
func Elements(v jsontext.Value) iter.Seq2[int, jsontext.Value] {
	return func(yield func(int, jsontext.Value) bool) {}
}

// StringValue decodes a JSON string.
func StringValue(v jsontext.Value) (string, bool) { return "", false }

// QuoteString encodes s as a JSON string with as few escapes as possible.
func QuoteString(s string) jsontext.Value {
	b, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		return jsontext.Value(b)
	}
	return jsontext.Value(b)
}

// Compact returns v without blanks between tokens.
func Compact(v jsontext.Value) jsontext.Value { return v }

// Indent returns v on several lines.
func Indent(v jsontext.Value) jsontext.Value { return v }
