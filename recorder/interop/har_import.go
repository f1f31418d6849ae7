package interop

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
)

// har reads an HTTP Archive.
func (s *sink) har(r io.Reader) error {
	s.target.Transport = "http"
	d := newValueReader(skipMark(r))
	seen := false
	err := d.object(func(name string) error {
		if name != "log" {
			return d.SkipValue()
		}
		return d.object(func(name string) error {
			if name != "entries" {
				return d.SkipValue()
			}
			seen = true
			return d.elements(s.harEntry)
		})
	})
	if err == nil && !seen {
		err = &brokenError{"log", fmt.Errorf("it has no entries")}
	}
	return s.ended(err)
}

// object calls fn with the name of each member of the object that comes; fn
// reads the value.
func (v *valueReader) object(fn func(name string) error) error {
	v.start()
	if tok, err := v.ReadToken(); err != nil || tok.Kind() != '{' {
		return v.broken(err, "no object")
	}
	for {
		v.start()
		if v.PeekKind() == '}' {
			_, err := v.ReadToken()
			return err
		}
		tok, err := v.ReadToken()
		if err != nil {
			return v.broken(err, "a member")
		}
		name := tok.String()
		if err := fn(name); err != nil {
			var syntax *jsontext.SyntacticError
			if errors.As(err, &syntax) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, errTooLong) {
				return v.broken(err, "member "+strconv.Quote(name))
			}
			return err
		}
	}
}

// exchange is one HTTP exchange of a file.
type exchange struct {
	where                        string
	method, url, proto           string
	headers                      []recorder.HeaderField
	body                         []byte
	status                       int // 0 for none
	reason, answerProto          string
	answerHeaders                []recorder.HeaderField
	mime                         string
	answer                       []byte
	hasAnswer                    bool // answer is the body
	size                         int64
	failure                      string
	events                       []streamEvent // of an event stream, when the file has them
	note                         string
	started, sent, headed, ended time.Time
}

// streamEvent is one event of a stream with its time.
type streamEvent struct {
	at       time.Time
	name, id string
	data     string
}

func (s *sink) harEntry(n int, v jsontext.Value) error {
	x := exchange{where: fmt.Sprintf("entry %d", n)}
	entry := members(v)
	request, response := members(entry["request"]), members(entry["response"])
	if entry["request"] == nil {
		return s.skip(time.Time{}, x.where, "it has no request", slices.Clone(v), nil)
	}
	x.method, x.url, x.proto = text(request["method"]), text(request["url"]), text(request["httpVersion"])
	x.headers = harHeaders(request["headers"])
	post := members(request["postData"])
	if t, ok := protocol.StringValue(post["text"]); ok {
		encoding := text(post["encoding"])
		if encoding == "" {
			encoding = text(post["_encoding"])
		}
		x.body = harBody(t, encoding)
	}
	x.status = int(number(response["status"]))
	x.reason, x.answerProto = text(response["statusText"]), text(response["httpVersion"])
	x.answerHeaders = harHeaders(response["headers"])
	content := members(response["content"])
	x.mime = text(content["mimeType"])
	if t, ok := protocol.StringValue(content["text"]); ok {
		x.answer, x.hasAnswer = harBody(t, text(content["encoding"])), true
	}
	x.size = int64(number(content["size"]))
	for _, name := range []string{"_error", "error"} {
		if x.failure == "" {
			x.failure = text(response[name])
		}
	}
	if x.failure == "" {
		x.failure = text(entry["_error"])
	}
	x.note = text(entry["comment"])
	for _, e := range protocol.Elements(entry["_eventSourceMessages"]) {
		m := members(e)
		at := time.Time{}
		if number(m["time"]) > 0 {
			at = unixTime(m["time"])
		}
		x.events = append(x.events, streamEvent{at, text(m["eventName"]), text(m["eventId"]), text(m["data"])})
	}
	s.harTimes(&x, entry)
	return s.exchange(&x)
}

// harTimes finds when the parts of an exchange were.
func (s *sink) harTimes(x *exchange, entry map[string]jsontext.Value) {
	var err error
	if x.started, err = time.Parse(time.RFC3339Nano, text(entry["startedDateTime"])); err != nil {
		x.started = s.prior
		s.rule("Entries without a readable startedDateTime have the time of what is before them.")
	}
	timings := members(entry["timings"])
	before := time.Duration(0)
	for _, name := range []string{"blocked", "dns", "connect", "send"} {
		before += milliseconds(timings[name])
	}
	wait, receive, total := milliseconds(timings["wait"]), milliseconds(timings["receive"]), milliseconds(entry["time"])
	x.sent = x.started
	x.headed = x.started.Add(before + wait)
	if total == 0 {
		total = before + wait + receive
	}
	x.ended = x.started.Add(max(total, before+wait))
	if x.headed.Equal(x.started) && receive == 0 { // no timings: the head came with the end
		x.headed = x.ended
	}
	s.rule("A request has the time at which its entry starts, the head of an answer that after its wait, a body and what it holds that of the end.")
}

// milliseconds reads a number of milliseconds to the nanosecond; negative ones
// stand for unknown.
func milliseconds(v jsontext.Value) time.Duration {
	d, err := time.ParseDuration(strings.TrimSpace(string(v)) + "ms")
	if err != nil {
		f := number(v) // with an exponent
		if f < 0 || f > 1e12 {
			return 0
		}
		return time.Duration(f * float64(time.Millisecond))
	}
	return max(d, 0)
}

// number reads a number of a file's own fields, never one of a message.
func number(v jsontext.Value) float64 {
	f, err := strconv.ParseFloat(strings.TrimSpace(string(v)), 64)
	if err != nil {
		return 0
	}
	return f
}

// unixTime reads seconds since 1970 with decimals.
func unixTime(v jsontext.Value) time.Time {
	d, err := time.ParseDuration(strings.TrimSpace(string(v)) + "s")
	if err != nil {
		return time.Time{}
	}
	return time.Unix(0, 0).Add(d)
}

func harHeaders(v jsontext.Value) []recorder.HeaderField {
	var out []recorder.HeaderField
	for _, e := range protocol.Elements(v) {
		m := members(e)
		if name := text(m["name"]); name != "" && name[0] != ':' { // HTTP/2 writes its request line as headers
			out = append(out, recorder.HeaderField{Name: name, Value: text(m["value"])})
		}
	}
	slices.SortStableFunc(out, func(a, b recorder.HeaderField) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// harBody is the bytes of a body; what is said to be base64 and is not stays as
// it is.
func harBody(t, encoding string) []byte {
	if encoding == "base64" {
		if b, err := base64.StdEncoding.DecodeString(t); err == nil {
			return b
		}
	}
	return []byte(t)
}

// exchange adds an HTTP exchange as one that this program recorded: the heads
// that name each other, messages, and the end.
func (s *sink) exchange(x *exchange) error {
	if s.target.URL == "" && x.method == "POST" {
		s.target.URL = x.url
	}
	kind := strings.ToLower(x.method)
	if kind == "" {
		kind = "http"
	}
	channel := s.channel(kind)
	head, err := s.add(x.started, recorder.Event{Kind: recorder.KindHTTP, Dir: recorder.Out, Channel: channel, Fields: &recorder.HTTPHead{
		Method: x.method, URL: s.masker.URL(x.url), Proto: x.proto, Headers: s.masked(x.headers),
	}}, nil)
	if err != nil {
		return err
	}
	if x.note != "" {
		if err := s.note(x.started, x.note, head); err != nil {
			return err
		}
	}
	if x.body != nil {
		if _, err := s.add(x.sent, recorder.Event{Kind: messageKind(x.body), Dir: recorder.Out, Channel: channel, Data: x.body}, head); err != nil {
			return err
		}
	}
	end := recorder.HTTPHead{Done: true, Bytes: x.size, Error: string(s.masker.Text([]byte(x.failure)))}
	if x.status == 0 {
		if end.Error == "" {
			end.Error = "the file has no answer"
		}
	} else {
		if head, err = s.add(x.headed, recorder.Event{Kind: recorder.KindHTTP, Dir: recorder.In, Channel: channel, Fields: &recorder.HTTPHead{
			Status: x.status, Reason: x.reason, Proto: x.answerProto, Headers: s.masked(x.answerHeaders),
		}}, head); err != nil {
			return err
		}
		if end.Body, err = s.answer(x, channel, head); err != nil {
			return err
		}
	}
	_, err = s.add(x.ended, recorder.Event{Kind: recorder.KindHTTP, Dir: recorder.In, Channel: channel, Fields: &end}, head)
	return err
}

// masked masks credentials, as in all recordings.
func (s *sink) masked(headers []recorder.HeaderField) []recorder.HeaderField {
	for i, h := range headers {
		headers[i].Value = s.masker.Header(h.Name, h.Value)
		if headers[i].Value != h.Value {
			s.rule("Headers and URLs are masked where they carry credentials; messages are not changed.")
		}
	}
	return headers
}

// bodyText is how much of a body without a message is kept with the end of its
// exchange.
const bodyText = 64 << 10

// answer adds what the body of an answer holds, and returns the text of one
// that holds no message.
func (s *sink) answer(x *exchange, channel string, head *item) (string, error) {
	mime := strings.ToLower(x.mime)
	if mime == "" {
		for _, h := range x.answerHeaders {
			if strings.EqualFold(h.Name, "Content-Type") {
				mime = strings.ToLower(h.Value)
			}
		}
	}
	switch {
	case strings.HasPrefix(mime, "text/event-stream"):
		return "", s.events(x, channel, head)
	case len(x.answer) == 0:
		if x.size > 0 && !x.hasAnswer {
			s.remark(x.where, fmt.Sprintf("the file leaves out the answer's body of %d bytes", x.size))
			return "", s.note(x.ended, fmt.Sprintf("the imported file leaves out this body of %d bytes", x.size), head)
		}
		return "", nil
	case isAsset(mime):
		s.remark(x.where, fmt.Sprintf("a body of %d bytes, %s, is left out", len(x.answer), mime))
		return "", s.note(x.ended, fmt.Sprintf("a body of %d bytes, %s, was not imported", len(x.answer), mime), head)
	case carriesMessage(x.answer):
		_, err := s.add(x.ended, recorder.Event{Kind: recorder.KindMessage, Dir: recorder.In, Channel: channel, Data: x.answer}, head)
		return "", err
	}
	if len(x.answer) <= bodyText && utf8.Valid(x.answer) {
		return string(x.answer), nil
	}
	if len(x.answer) > maxKept {
		s.remark(x.where, fmt.Sprintf("of a body of %d bytes without a message the first %d are kept", len(x.answer), maxKept))
	}
	_, err := s.add(x.ended, recorder.Event{Kind: recorder.KindBad, Dir: recorder.In, Channel: channel, Data: x.answer[:min(len(x.answer), maxKept)]}, head)
	return "", err
}

// isAsset tells pictures and the like of a web page, which hold no message.
func isAsset(mime string) bool {
	for _, kind := range []string{"image/", "font/", "audio/", "video/", "text/css", "text/html", "application/javascript", "text/javascript", "application/font", "application/wasm"} {
		if strings.HasPrefix(mime, kind) {
			return true
		}
	}
	return false
}

// carriesMessage tells a JSON-RPC message from other JSON, such as the errors
// of OAuth.
func carriesMessage(b []byte) bool {
	m := protocol.Parse(b)
	if m.Kind == protocol.Error && m.ID.IsZero() {
		rpc, _ := protocol.DecodeError(m.Error)
		return rpc.Code != ""
	}
	return m.Kind != protocol.Invalid
}

// events adds the events of a stream.
func (s *sink) events(x *exchange, channel string, head *item) error {
	var d protocol.SSEDecoder
	d.Max = maxValue
	blocks := append(d.Feed(x.answer), d.End()...)
	if len(x.answer) == 0 {
		for _, e := range x.events {
			blocks = append(blocks, protocol.SSEBlock{Event: e.name, ID: e.id, HasID: e.id != "", Data: []byte(e.data), HasData: true})
		}
	}
	times := blockTimes(x, blocks)
	for i := range blocks {
		if err := s.block(x, channel, head, &blocks[i], times[i]); err != nil {
			return err
		}
	}
	return nil
}

// blockTimes finds when the events of a stream came: at the time that the file
// has for their data, others with the one after them, the last at the end.
func blockTimes(x *exchange, blocks []protocol.SSEBlock) []time.Time {
	times := make([]time.Time, len(blocks))
	n := 0
	for i, b := range blocks {
		if len(b.Data) == 0 || b.Unfinished {
			continue
		}
		if n < len(x.events) && x.events[n].data == string(b.Data) {
			times[i] = x.events[n].at
		}
		n++
	}
	for _, at := range times {
		if at.After(x.ended) {
			x.ended = at
		}
	}
	next := x.ended
	for i, at := range slices.Backward(times) {
		if at.IsZero() || at.After(next) {
			times[i] = next
		}
		next = times[i]
	}
	return times
}

func (s *sink) block(x *exchange, channel string, head *item, b *protocol.SSEBlock, at time.Time) error {
	if b.Unfinished || b.TooLong {
		return s.skip(at, x.where, "an event of its stream is not complete", b.Raw, head)
	}
	cause := head
	if b.Event != "" || b.HasID || b.Retry != "" || len(b.Comments) > 0 || len(b.Data) == 0 {
		var err error
		if cause, err = s.add(at, recorder.Event{Kind: recorder.KindSSE, Dir: recorder.In, Channel: channel, Fields: &recorder.SSEFields{
			Event: b.Event, ID: b.ID, HasID: b.HasID, RetryMS: b.Retry, Comment: strings.Join(b.Comments, "\n"), Bytes: len(b.Data),
		}}, head); err != nil {
			return err
		}
	}
	if len(b.Fields) > 0 {
		if _, err := s.add(at, recorder.Event{Kind: recorder.KindBad, Dir: recorder.In, Channel: channel, Data: slices.Clone(b.Raw)}, cause); err != nil {
			return err
		}
	}
	if len(b.Data) == 0 {
		return nil
	}
	_, err := s.add(at, recorder.Event{Kind: messageKind(b.Data), Dir: recorder.In, Channel: channel, Data: slices.Clone(b.Data)}, cause)
	return err
}
