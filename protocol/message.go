// Package protocol turns the bytes of the Model Context Protocol into values
// and values into bytes. It is pure: no I/O, no goroutines, no clock.
//
// Nothing here fails on foreign input. What is wrong with a message is kept
// beside it as Problems; the bytes themselves are never changed.
package protocol

import "github.com/go-json-experiment/json/jsontext"

// Kind says what a message is by its shape (JSON-RPC 2.0).
type Kind uint8

// The kinds of message. Error is a response that carries an error member.
const (
	Invalid Kind = iota
	Request
	Notification
	Result
	Error
	Batch
)

// Severity grades a finding.
type Severity uint8

// Violation is a broken MUST, Warning a broken SHOULD or an oddity that hurts
// some clients, Info anything worth knowing.
const (
	Info Severity = iota
	Warning
	Violation
)

// Problem is a finding about a message: data, not an error.
type Problem struct {
	Rule     string   // stable key, e.g. "HTTP-07" or "json.syntax"
	Severity Severity //
	Pointer  string   // JSON Pointer into the message, "" for the whole
	Offset   int      // byte offset into Raw, -1 when it has no place there
	Text     string   // one sentence for a person
}

// Message is one JSON-RPC message as it crossed the wire.
//
// Params, Result and Error are sub-slices of Raw and must not be changed.
type Message struct {
	Raw      []byte // as received, never re-encoded
	Kind     Kind
	ID       ID
	Method   string
	Params   jsontext.Value
	Result   jsontext.Value
	Error    jsontext.Value
	Items    []Message // the members of a Batch
	Problems []Problem
}

// String returns the name of the kind in lower case.
func (k Kind) String() string {
	switch k {
	case Request:
		return "request"
	case Notification:
		return "notification"
	case Result:
		return "result"
	case Error:
		return "error"
	case Batch:
		return "batch"
	default:
		return "invalid"
	}
}

// String returns the name of the severity in lower case.
func (s Severity) String() string {
	switch s {
	case Violation:
		return "violation"
	case Warning:
		return "warning"
	default:
		return "info"
	}
}
