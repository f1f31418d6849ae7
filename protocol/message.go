// Package protocol turns the bytes of the Model Context Protocol into values
// and values into bytes. It is pure: no I/O, no goroutines, no clock.
//
// Nothing here fails on foreign input. What is wrong with a message is kept
// beside it as Problems; the bytes themselves are never changed. Numbers stay
// text from end to end.
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

// Severity grades a finding.
type Severity uint8

// Violation is a broken MUST, Warning a broken SHOULD or an oddity that hurts
// some clients, Info anything worth knowing.
const (
	Info Severity = iota
	Warning
	Violation
)

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

// Problem is a finding about a message: data, not an error.
type Problem struct {
	Rule     string // stable key, e.g. "HTTP-07" or "json.syntax"
	Severity Severity
	Pointer  string // JSON Pointer into the message, "" for the whole
	Offset   int    // byte offset into Raw, -1 when it has no place there
	Text     string // one sentence for a person
}

// Message is one JSON-RPC message as it crossed the wire.
//
// Params, Result and Error are sub-slices of Raw and must not be changed. They
// are nil when absent. Their text is as Parse took it: it may nest deeper or
// hold stranger strings than other JSON readers allow.
//
// A message that is wrong but usable has the Kind that it most plausibly was
// meant to be, and Problems. Of an Invalid one ID and Method are filled when
// they can be made out, see BrokenAnswer.
type Message struct {
	Raw      []byte // as received, never re-encoded
	Kind     Kind
	ID       ID // absent when it is null or of a wrong type
	Method   string
	Params   jsontext.Value
	Result   jsontext.Value
	Error    jsontext.Value
	Items    []Message // the members of a Batch; their offsets and pointers count from the member
	Problems []Problem
}

// BrokenAnswer reports whether the message is not valid but names the request
// that it seems to answer: it has an id and no method.
func (m Message) BrokenAnswer() bool {
	return m.Kind == Invalid && !m.ID.IsZero() && m.Method == ""
}

// Worst returns the highest severity among problems, and false if there are
// none.
func Worst(problems []Problem) (worst Severity, any bool) {
	for _, p := range problems {
		worst = max(worst, p.Severity)
	}
	return worst, len(problems) > 0
}
