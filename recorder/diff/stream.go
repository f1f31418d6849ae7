package diff

import (
	"slices"
	"strconv"
	"strings"

	"mcploupe/protocol/jsonvalue"
	"mcploupe/recorder"
)

// sseEvent is the server-sent event that brought a message.
type sseEvent struct {
	seq uint64 // 0 when it had nothing but data
	recorder.SSEFields
}

// sseEvent returns what brought a message; ok is false for what came in another
// way.
func (v *voice) sseEvent(h recorder.Head) (e sseEvent, ok bool, err error) {
	if h.Dir != recorder.In || h.Cause == 0 {
		return e, false, nil
	}
	switch v.log.Head(h.Cause).Kind {
	case recorder.KindSSE:
		fields, err := v.sseFields(h.Cause)
		return sseEvent{h.Cause, fields}, err == nil, err
	case recorder.KindHTTP:
		head, err := v.head(h.Cause)
		return e, err == nil && isEventStream(head.Headers), err
	}
	return e, false, nil
}

func (v *voice) sseFields(seq uint64) (recorder.SSEFields, error) {
	e, err := v.log.Read(seq, 0)
	if err != nil {
		return recorder.SSEFields{}, err
	}
	if f, ok := e.Fields.(*recorder.SSEFields); ok {
		return *f, nil
	}
	return recorder.SSEFields{}, nil
}

func isEventStream(headers []recorder.HeaderField) bool {
	return slices.ContainsFunc(headers, func(f recorder.HeaderField) bool {
		return canonical(f.Name) == "content-type" && strings.HasPrefix(canonical(f.Value), "text/event-stream")
	})
}

// sse compares the fields of the events that brought two messages. That only
// one came in a stream is a matter of the heads.
func (t *talk) sse(r *Row, x, y recorder.Head) error {
	if t.o.Without&EventStream != 0 {
		return nil
	}
	a, ok, err := t.a.sseEvent(x)
	if err != nil || !ok {
		return err
	}
	b, ok, err := t.b.sseEvent(y)
	if err != nil || !ok {
		return err
	}
	m := &messages{t: t, row: r, class: EventStream, seqA: a.seq, seqB: b.seq, fromServer: true}
	m.word("/event", eventType(a.Event), eventType(b.Event))
	m.word("/retry", a.RetryMS, b.RetryMS)
	at := spot{a: "/id", b: "/id"}
	switch {
	case a.HasID && b.HasID:
		if a.ID != b.ID {
			t.hide(hiddenIDs)
		}
	case b.HasID:
		m.add(Difference{Severity: Differs, Kind: Added, Text: "is there now"}, nil, jsonvalue.String(b.ID), at)
	case a.HasID:
		m.add(Difference{Severity: Differs, Kind: Removed, Text: "is gone"}, jsonvalue.String(a.ID), nil, at)
	}
	return nil
}

// eventType is the type of an event; one without has the type message.
func eventType(name string) string {
	if name == "message" {
		return ""
	}
	return name
}

// addFields takes what an event said besides a message as lines: its comments,
// and all that it has when it brought none.
func (v *voice) addFields(seq uint64) {
	fields, err := v.sseFields(seq)
	if err != nil {
		return // a fault of the file, which the recording itself tells of
	}
	for _, line := range EventLines(&fields) {
		v.addText(&v.texts[EventLane], seq, line+"\n")
	}
}

// EventLines are the lines of the EventLane that an event makes: its comments,
// and what else it has when it brought no message. Ids are left out.
func EventLines(f *recorder.SSEFields) (lines []string) {
	if f.Comment != "" {
		for _, text := range strings.Split(f.Comment, "\n") {
			lines = append(lines, ": "+text)
		}
	}
	if f.Bytes > 0 {
		return lines
	}
	if f.Event != "" {
		lines = append(lines, "event: "+f.Event)
	}
	if f.RetryMS != "" {
		lines = append(lines, "retry: "+f.RetryMS)
	}
	if f.HasID {
		lines = append(lines, "id")
	}
	return lines
}

// ExitLine is the line of the ExitLane that a change of the connection makes, ""
// for none.
func ExitLine(s *recorder.StateChange) string {
	switch {
	case s.State != "exited":
	case s.Signal != "":
		return "process ended: signal " + s.Signal
	case s.ExitCode != nil:
		return "process ended: exit code " + strconv.Itoa(*s.ExitCode)
	}
	return ""
}

func (v *voice) addExit(seq uint64) {
	e, err := v.log.Read(seq, 0)
	if err != nil {
		return // a fault of the file, which the recording itself tells of
	}
	if s, ok := e.Fields.(*recorder.StateChange); ok {
		if line := ExitLine(s); line != "" {
			v.addText(&v.texts[ExitLane], seq, line+"\n")
		}
	}
}

// distinct leaves each line once, but for what varies: how often a server says
// something to keep a stream open depends on the clock.
func (t *talk) distinct(l lineLane) lineLane {
	out, seen := lineLane{size: l.size}, map[string]bool{}
	for i, line := range t.stripped(l.lines) {
		if !seen[line] {
			seen[line] = true
			out.lines, out.seq = append(out.lines, l.lines[i]), append(out.seq, l.seq[i])
		}
	}
	return out
}
