package link

import (
	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
)

// messageKind tells what can be read as JSON or as a message, if only with
// findings, from other bytes.
func messageKind(b []byte) recorder.EventKind {
	if jsontext.Value(b).IsValid(jsontext.AllowDuplicateNames(true)) || protocol.Parse(b).Kind != protocol.Invalid {
		return recorder.KindMessage
	}
	return recorder.KindBad
}

// problem is a finding about how bytes came, not about a place in them.
func problem(rule string, s protocol.Severity, text string) protocol.Problem {
	return protocol.Problem{Rule: rule, Severity: s, Offset: -1, Text: text}
}
