package protocol

import (
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Progress is the content of notifications/progress. Pointers and offsets of
// problems count from params.
type Progress struct {
	Token           ID     // absent when it is missing or of a wrong type
	Progress, Total string // number text, "" when absent; may be fractional (PROG-02)
	Message         string
	Problems        []Problem
}

// DecodeProgress decodes the params of notifications/progress.
func DecodeProgress(params jsontext.Value) (p Progress) {
	d := decoder{rule: "notification.shape"}
	n := rootNode(params)
	n.members(func(m *node) {
		switch m.name {
		case "progressToken":
			p.Token = d.id(m)
		case "progress":
			d.number(m, &p.Progress)
		case "total":
			d.number(m, &p.Total)
		case "message":
			d.string(m, &p.Message)
		}
	})
	if p.Token.IsZero() {
		d.add(n, d.rule, Violation, "The progress has no usable progressToken.")
	}
	if p.Progress == "" {
		d.add(n, d.rule, Violation, "The progress has no usable progress.")
	}
	p.Problems = d.problems()
	return p
}

// id reads a member that is a request id or a progress token.
func (d *decoder) id(m *node) ID {
	id, ok := ParseID(string(m.raw()))
	if !ok {
		d.wrong(m, "a string or an integer")
	}
	return id
}

// LogLevels are the levels of log messages, the least severe first (LOG-01).
var LogLevels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// LogEntry is the content of notifications/message.
type LogEntry struct {
	Level, Logger string
	Data          jsontext.Value // any JSON (LOG-05); nil when absent
	Problems      []Problem      // pointers and offsets count from params
}

// DecodeLog decodes the params of notifications/message.
func DecodeLog(params jsontext.Value) (l LogEntry) {
	const rule = "L-LOG-07"
	d := decoder{rule: rule}
	n := rootNode(params)
	n.members(func(m *node) {
		switch m.name {
		case "level":
			if d.string(m, &l.Level) && !slices.Contains(LogLevels, l.Level) {
				d.add(m, rule, Violation, "The level "+strconv.Quote(clip(l.Level))+" is none of the eight.")
			}
		case "logger":
			d.string(m, &l.Logger)
		case "data":
			l.Data = m.raw()
		}
	})
	if l.Level == "" {
		d.add(n, rule, Violation, "The log message has no level.")
	}
	if l.Data == nil {
		d.add(n, "notification.shape", Violation, "The log message has no data.")
	}
	l.Problems = d.problems()
	return l
}

// DecodeCancelled decodes the params of notifications/cancelled. The id is
// absent when it is missing or of a wrong type; such a cancellation is to be
// ignored (CAN-10).
func DecodeCancelled(params jsontext.Value) (requestID ID, reason string) {
	rootNode(params).members(func(m *node) {
		switch m.name {
		case "requestId":
			requestID, _ = ParseID(string(m.raw()))
		case "reason":
			reason, _ = m.string()
		}
	})
	return requestID, reason
}
