package link

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"

	"mcploupe/protocol"
	"mcploupe/recorder"
)

// form is what a body turned out to be.
type form uint8

const (
	formEmpty form = iota
	formJSON
	formEvents
	formText
)

// readChunk is how much of a body is asked for at once.
const readChunk = 32 << 10

// sniff decides what a body is by its content type and its first bytes
// (HTTP-04). Where they disagree the bytes win, and rule names the fault.
func sniff(contentType string, first []byte) (f form, fault string) {
	media, _, _ := strings.Cut(contentType, ";")
	media = strings.ToLower(strings.TrimSpace(media))
	start := bytes.TrimLeft(bytes.TrimPrefix(first, []byte("\ufeff")), " \t\r\n")
	looksJSON := len(start) > 0 && (start[0] == '{' || start[0] == '[')
	looksEvents := false
	for _, field := range []string{"data:", "event:", "id:", "retry:", ":"} {
		looksEvents = looksEvents || bytes.HasPrefix(start, []byte(field))
	}
	said := "the content type " + media
	if media == "" {
		said = "no content type"
	}
	switch {
	case len(first) == 0:
		return formEmpty, ""
	case media == "text/event-stream" && looksJSON:
		return formJSON, "a JSON body came with " + said
	case media == "text/event-stream":
		return formEvents, ""
	case looksEvents:
		return formEvents, "an event stream came with " + said
	case media == "application/json" || strings.HasSuffix(media, "+json"):
		return formJSON, ""
	case looksJSON:
		return formJSON, "a JSON body came with " + said
	}
	return formText, "a body that is neither JSON nor an event stream came with " + said
}

// stream is one logical stream of messages: the answer to a POST or a
// standalone stream, over as many HTTP exchanges as it takes.
type stream struct {
	w     *wire
	id    protocol.ID                  // Incoming.For
	saw   func(protocol.Message)       // told of each message before the Handler
	event func(protocol.SSEBlock) bool // takes events that are no messages; may be nil
	form  form                         // of the last body
	last  string                       // id of the last event that had one
	retry string                       // the last retry, digits as sent
	lines int                          // events and comments since the last connect
}

// read takes the body of an answer to its end and hands on what it carries.
// The error says why it broke off.
func (s *stream) read(ctx context.Context, x *exchange) error {
	defer func() { _ = x.resp.Body.Close() }()
	s.lines = 0
	if x.resp.StatusCode == http.StatusSwitchingProtocols {
		x.find("http.upgrade", protocol.Violation, "the server switched to another protocol, which was not asked for")
		return nil
	}
	first := make([]byte, readChunk)
	n, err := x.resp.Body.Read(first)
	for n == 0 && err == nil {
		n, err = x.resp.Body.Read(first)
	}
	x.bytes += int64(n)
	var fault string
	s.form, fault = sniff(x.answer.ContentType, first[:n])
	if fault != "" && x.answer.Status/100 == 2 {
		x.find("L-HTTP-01", protocol.Violation, fault)
	}
	switch s.form {
	case formEvents:
		err = s.readEvents(ctx, x, first[:n], err)
	case formEmpty:
		err = x.bodyError(ctx, err)
	default:
		err = s.readWhole(ctx, x, first[:n], err)
	}
	return err
}

// bodyError turns the error that ended a body into one for people, nil for the
// proper end.
func (x *exchange) bodyError(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	err = classify(err, x.url.Host)
	x.recordTail(err)
	return err
}

// readWhole takes a body that is one text.
func (s *stream) readWhole(ctx context.Context, x *exchange, first []byte, err error) error {
	body := bytes.NewBuffer(first)
	limit := s.w.target.MaxBody
	if size := x.resp.ContentLength; size > int64(len(first)) && size <= min(limit, 64<<20) {
		body.Grow(int(size) - len(first) + bytes.MinRead)
	}
	if err == nil {
		var n int64
		n, err = body.ReadFrom(io.LimitReader(x.resp.Body, limit+1-int64(body.Len())))
		x.bytes += n
		if err == nil {
			err = io.EOF
		}
	}
	if int64(body.Len()) > limit {
		s.tooLong(x, body.Bytes())
		return nil
	}
	err = x.bodyError(ctx, err)
	if err != nil {
		x.find("http.body-cut", protocol.Violation, fmt.Sprintf("the body broke off after %d bytes: %v", x.bytes, err))
	}
	s.whole(ctx, x, body.Bytes())
	return err
}

// whole hands a body on, or keeps it as text when it holds no message.
func (s *stream) whole(ctx context.Context, x *exchange, body []byte) {
	kind := messageKind(body)
	switch {
	case s.form == formJSON && (kind == recorder.KindMessage || x.answer.Status/100 == 2) && ctx.Err() == nil:
		s.deliver(x, x.respHead, kind, body)
	default:
		s.keepText(x, body)
	}
}

// keepText keeps a body without a message: as text with the end of the
// exchange, and as bytes of its own where the text would not be exact.
func (s *stream) keepText(x *exchange, body []byte) {
	x.answer.Body = cutText(body)
	if x.answer.Body != string(body) {
		s.pieces(x, body)
	}
}

func (s *stream) tooLong(x *exchange, body []byte) {
	x.find("http.body-size", protocol.Violation, fmt.Sprintf("the body is longer than %d bytes; the rest was not read", s.w.target.MaxBody))
	x.answer.Body = cutText(body)
	seq := s.pieces(x, body)
	s.w.h.Receive(Incoming{
		Seq: seq, Raw: bytes.Clone(body[:min(len(body), cutRaw)]), Cut: true,
		Channel: x.channel, For: s.id, Status: x.answer.Status, Problems: x.takeProblems(),
	})
}

// pieces records bytes that are no message in bounded events; the later ones
// name the first as their cause.
func (s *stream) pieces(x *exchange, body []byte) (first uint64) {
	for cause := x.respHead; len(body) > 0; {
		n := min(len(body), longPiece)
		seq := s.w.log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindBad, Channel: x.channel, Cause: cause, Data: body[:n]})
		if first == 0 {
			first, cause = seq, seq
		}
		body = body[n:]
	}
	return first
}

// deliver records a message and hands it on with the findings so far.
func (s *stream) deliver(x *exchange, cause uint64, kind recorder.EventKind, raw []byte) {
	m := protocol.Parse(raw)
	seq := s.w.log.Append(recorder.Event{Dir: recorder.In, Kind: kind, Channel: x.channel, Cause: cause, Data: raw})
	if !carriesMessage(m) && s.form != formEvents {
		x.answer.Body = cutText(raw)
	}
	s.saw(m)
	s.w.h.Receive(Incoming{
		Seq: seq, Raw: raw, Channel: x.channel, For: s.id, Status: x.answer.Status, Problems: x.takeProblems(),
	})
}

// carriesMessage tells a JSON-RPC message from other JSON, such as the errors
// of OAuth.
func carriesMessage(m protocol.Message) bool {
	if m.Kind == protocol.Error && m.ID.IsZero() {
		rpc, _ := protocol.DecodeError(m.Error)
		return rpc.Code != ""
	}
	return m.Kind != protocol.Invalid
}

// discard takes the body of a redirect that is followed.
func (x *exchange) discard(ctx context.Context) {
	body, err := io.ReadAll(io.LimitReader(x.resp.Body, bodyText))
	_ = x.resp.Body.Close()
	x.bytes = int64(len(body))
	x.answer.Body = cutText(body)
	if err != nil {
		err = x.bodyError(ctx, err)
	}
	x.done(err)
	x.bytes = 0
}

// cutText makes text of at most bodyText bytes, cut between characters.
func cutText(b []byte) string {
	if len(b) > bodyText {
		n := bodyText
		for n > bodyText-utf8.UTFMax && !utf8.RuneStart(b[n]) {
			n--
		}
		b = b[:n]
	}
	return strings.ToValidUTF8(string(b), "\uFFFD")
}
