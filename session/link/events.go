package link

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"mcploupe/protocol"
	"mcploupe/recorder"
)

// readEvents takes an event stream to its end (HTTP-12, appendix C).
func (s *stream) readEvents(ctx context.Context, x *exchange, first []byte, err error) error {
	limit := int(min(s.w.target.MaxBody, 1<<30))
	d := protocol.SSEDecoder{Max: limit}
	s.blocks(x, d.Feed(first))
	buf := make([]byte, readChunk)
	for err == nil {
		var n int
		n, err = x.resp.Body.Read(buf)
		x.bytes += int64(n)
		s.blocks(x, d.Feed(buf[:n]))
	}
	s.blocks(x, d.End())
	err = x.bodyError(ctx, err)
	if err != nil && ctx.Err() == nil && !errors.Is(err, io.EOF) {
		x.find("http.stream-cut", protocol.Warning, "the event stream broke off: "+err.Error())
	}
	return err
}

func (s *stream) blocks(x *exchange, blocks []protocol.SSEBlock) {
	for _, b := range blocks {
		s.block(x, b)
	}
}

// block records an event and hands its data on if it is a message.
func (s *stream) block(x *exchange, b protocol.SSEBlock) {
	s.lines++
	cause := s.recordFields(x, b)
	if !s.usable(x, cause, b) {
		return
	}
	if b.HasID {
		s.last = b.ID
	}
	if b.Retry != "" {
		s.retry = b.Retry
	}
	if len(b.Data) == 0 { // primes the id at most (HTTP-50)
		return
	}
	kind := messageKind(b.Data)
	switch {
	case b.Event == "" || b.Event == "message":
	case s.event != nil && s.event(b):
		s.w.log.Append(recorder.Event{Dir: recorder.In, Kind: kind, Channel: x.channel, Cause: cause, Data: b.Data})
		return
	default:
		x.find("L-SSE-03", protocol.Violation, fmt.Sprintf("an event of type %q; messages come as \"message\"", b.Event))
		if protocol.Parse(b.Data).Kind == protocol.Invalid {
			s.w.log.Append(recorder.Event{Dir: recorder.In, Kind: kind, Channel: x.channel, Cause: cause, Data: b.Data})
			return
		}
	}
	s.deliver(x, cause, kind, b.Data)
}

// recordFields records what an event has besides its data, and the bytes of
// lines that mean nothing. It returns the event that the data belongs to.
func (s *stream) recordFields(x *exchange, b protocol.SSEBlock) uint64 {
	cause := x.respHead
	if b.Event != "" || b.HasID || b.Retry != "" || len(b.Comments) > 0 || len(b.Data) == 0 {
		cause = s.w.log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindSSE, Channel: x.channel, Cause: cause, Fields: &recorder.SSEFields{
			Event: b.Event, ID: b.ID, HasID: b.HasID, RetryMS: b.Retry,
			Comment: strings.Join(b.Comments, "\n"), Bytes: len(b.Data),
		}})
	}
	if len(b.Fields) > 0 && !b.Unfinished && !b.TooLong {
		s.w.log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindBad, Channel: x.channel, Cause: cause, Data: b.Raw})
		x.find("sse.field", protocol.Warning, fmt.Sprintf("a line of the event stream that is no field: %q", cutLine(b.Fields[0])))
	}
	return cause
}

func cutLine(f protocol.SSEField) string {
	text := f.Name
	if f.Value != "" {
		text += ": " + f.Value
	}
	if len(text) > 80 {
		text = text[:80] + "..."
	}
	return text
}

// usable tells whether an event counts. What does not is in the log as it came.
func (s *stream) usable(x *exchange, cause uint64, b protocol.SSEBlock) bool {
	switch {
	case b.TooLong:
		text := fmt.Sprintf("an event of more than %d bytes", s.w.target.MaxBody)
		x.find("sse.event-size", protocol.Violation, text)
		seq := s.pieces(x, b.Raw)
		s.w.h.Receive(Incoming{
			Seq: seq, Raw: append([]byte(nil), b.Data[:min(len(b.Data), cutRaw)]...), Cut: true,
			Channel: x.channel, For: s.id, Status: x.answer.Status, Problems: x.takeProblems(),
		})
	case b.Unfinished:
		if len(b.Raw) > 0 {
			s.w.log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindBad, Channel: x.channel, Cause: cause, Data: b.Raw})
		}
		x.find("sse.unfinished", protocol.Violation, "the stream ended within an event, before its blank line: the event does not count")
	default:
		return true
	}
	return false
}
