package interop

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
)

// inspectorShape is one of the things that the Inspector exports, each an array
// of objects.
type inspectorShape uint8

const (
	inspectorProtocol inspectorShape = iota + 1 // messages, an answer inside of its request
	inspectorNetwork                            // HTTP requests with their answers
	inspectorLogs                               // parameters of log messages
	inspectorConsole                            // lines of stderr
	inspectorHistory                            // pairs of request and response, as text or values
)

// inspectorKind tells what an element is by its members.
func inspectorKind(names map[string]jsontext.Value) inspectorShape {
	has := func(name string) bool { return names[name] != nil }
	switch {
	case has("url") && (has("requestHeaders") || has("responseStatus") || has("category")):
		return inspectorNetwork
	case has("message") && has("direction"):
		return inspectorProtocol
	case has("receivedAt") && has("params"):
		return inspectorLogs
	case has("timestamp") && has("message"):
		return inspectorConsole
	case has("request"):
		return inspectorHistory
	}
	return 0
}

// inspector reads what the official Inspector exports.
func (s *sink) inspector(r io.Reader) error {
	return s.ended(newValueReader(skipMark(r)).elements(func(n int, v jsontext.Value) error {
		where := fmt.Sprintf("entry %d", n)
		entry := members(v)
		switch inspectorKind(entry) {
		case inspectorProtocol:
			return s.inspectorMessage(where, entry)
		case inspectorNetwork:
			return s.inspectorFetch(where, entry)
		case inspectorLogs:
			return s.inspectorLog(entry)
		case inspectorConsole:
			_, err := s.add(inspectorTime(entry["timestamp"]), recorder.Event{Kind: recorder.KindStderr, Dir: recorder.In, Channel: "stdio", Data: []byte(text(entry["message"]))}, nil)
			return err
		case inspectorHistory:
			return s.inspectorPair(n, where, entry)
		}
		return s.skip(time.Time{}, where, "nothing that the Inspector exports", slices.Clone(v), nil)
	}))
}

func inspectorTime(v jsontext.Value) time.Time {
	t, _ := time.Parse(time.RFC3339Nano, text(v))
	return t
}

// inspectorMessage adds a message and the answer inside of it.
func (s *sink) inspectorMessage(where string, entry map[string]jsontext.Value) error {
	at := inspectorTime(entry["timestamp"])
	raw := slices.Clone(s.oneLine(entry["message"]))
	m := protocol.Parse(raw)
	var dir recorder.Direction
	switch text(entry["origin"]) {
	case "client":
		dir = recorder.Out
		s.ask(m, dir)
	case "server":
		dir = recorder.In
		s.ask(m, dir)
	default:
		s.rule(directionRule)
		dir = s.direction(m)
	}
	if m.Kind == protocol.Result || m.Kind == protocol.Error {
		delete(s.asked, m.ID.String())
	}
	asked, err := s.add(at, recorder.Event{Kind: messageKind(raw), Dir: dir, Channel: "stdio", Data: raw}, nil)
	if err != nil {
		return err
	}
	answered := asked
	if response := entry["response"]; response.Kind() == '{' {
		s.rule("An answer has the time of its request and the duration that the file gives.")
		raw := slices.Clone(s.oneLine(response))
		delete(s.asked, m.ID.String())
		if answered, err = s.add(asked.at.Add(milliseconds(entry["duration"])), recorder.Event{
			Kind: messageKind(raw), Dir: recorder.Out + recorder.In - dir, Channel: "stdio", Data: raw,
		}, nil); err != nil {
			return err
		}
	}
	if fault := text(entry["clientError"]); fault != "" {
		return s.note(answered.at, "the client refused this answer: "+fault, answered)
	}
	return nil
}

// inspectorFetch adds an HTTP request with its answer.
func (s *sink) inspectorFetch(where string, entry map[string]jsontext.Value) error {
	s.target.Transport = "http"
	x := exchange{
		where: where, method: text(entry["method"]), url: text(entry["url"]),
		headers: inspectorHeaders(entry["requestHeaders"]), status: int(number(entry["responseStatus"])), reason: text(entry["responseStatusText"]),
		answerHeaders: inspectorHeaders(entry["responseHeaders"]), failure: text(entry["error"]),
	}
	if body, ok := protocol.StringValue(entry["requestBody"]); ok {
		x.body = []byte(body)
	}
	if body, ok := protocol.StringValue(entry["responseBody"]); ok {
		x.answer, x.hasAnswer, x.size = []byte(body), true, int64(len(body))
	}
	x.started = inspectorTime(entry["timestamp"])
	if x.started.IsZero() {
		x.started = s.prior
	}
	x.sent = x.started
	x.ended = x.started.Add(milliseconds(entry["duration"]))
	x.headed = x.ended
	s.rule("A request has the time of its entry, its answer that and the duration that the file gives.")
	return s.exchange(&x)
}

func inspectorHeaders(v jsontext.Value) []recorder.HeaderField {
	var out []recorder.HeaderField
	for name, value := range protocol.Members(v) {
		out = append(out, recorder.HeaderField{Name: name, Value: text(value)})
	}
	slices.SortStableFunc(out, func(a, b recorder.HeaderField) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// inspectorLog adds a log message, of which the file has the parameters.
func (s *sink) inspectorLog(entry map[string]jsontext.Value) error {
	s.rule("The file has the parameters of log messages; the messages around them are made.")
	raw := protocol.NewNotification(protocol.NotificationMessage, slices.Clone(protocol.Compact(entry["params"])))
	_, err := s.add(inspectorTime(entry["receivedAt"]), recorder.Event{Kind: recorder.KindMessage, Dir: recorder.In, Channel: "stdio", Data: raw}, nil)
	return err
}

// inspectorPair adds a request and its response. What is no whole message gets
// an id of its own.
func (s *sink) inspectorPair(n int, where string, entry map[string]jsontext.Value) error {
	s.rule(noTimesRule)
	id := protocol.StringID(fmt.Sprintf("entry-%d", n))
	request, made := s.wholeMessage(entry["request"], func(v jsontext.Value) []byte {
		method := text(members(v)["method"])
		if method == "" {
			return nil
		}
		return protocol.NewRequest(id, method, members(v)["params"])
	})
	if request == nil {
		return s.skip(time.Time{}, where, "its request is no message", slices.Clone(entry["request"]), nil)
	}
	m := protocol.Parse(request)
	dir := s.direction(m)
	if _, err := s.add(time.Time{}, recorder.Event{Kind: messageKind(request), Dir: dir, Channel: "stdio", Data: request}, nil); err != nil {
		return err
	}
	if len(entry["response"]) == 0 {
		return nil
	}
	if !made {
		id = m.ID
	}
	response, _ := s.wholeMessage(entry["response"], func(v jsontext.Value) []byte {
		if v.Kind() != '{' {
			return nil
		}
		return protocol.NewResult(id, v)
	})
	if response == nil {
		return s.skip(time.Time{}, where, "its response is no message", slices.Clone(entry["response"]), nil)
	}
	_, err := s.add(time.Time{}, recorder.Event{Kind: messageKind(response), Dir: recorder.Out + recorder.In - dir, Channel: "stdio", Data: response}, nil)
	return err
}

// wholeMessage takes a message that stands in the file as a value or as text;
// what is less than a message is made one.
func (s *sink) wholeMessage(v jsontext.Value, complete func(jsontext.Value) []byte) (raw []byte, made bool) {
	if t, ok := protocol.StringValue(v); ok {
		v = jsontext.Value(t)
	}
	if !v.IsValid(tolerant...) {
		return nil, false
	}
	raw = slices.Clone(s.oneLine(v))
	if len(members(raw)["jsonrpc"]) > 0 {
		return raw, false
	}
	s.rule("Pairs of request and response that are no whole messages are made into some, with ids of their own.")
	return complete(protocol.Compact(raw)), true
}
