package recorder

import (
	"bytes"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// The words that Head.Status has for a result.
const (
	statusOK        = "ok"
	statusToolError = "tool error"
	resultComplete  = "complete"
)

var (
	okWord        = []byte(statusOK)
	toolErrorWord = []byte(statusToolError)
)

// description is what the envelope says about a message.
type description struct {
	verbatim bool // it may be written as msg
	problems bool
	kind     protocol.Kind
	method   []byte
	id       []byte // JSON text
	name     []byte
	ref      []byte // JSON text
	status   []byte
	items    []batchItem
}

// describeMessage finds what the index needs to know of a message.
func describeMessage(b []byte) description {
	s := scanMessage(b)
	if !s.clean {
		return describeParsed(protocol.Parse(b), s.valid)
	}
	d := description{verbatim: true, kind: s.kind, id: s.id}
	switch s.kind {
	case protocol.Result:
		d.status = resultStatus(stringBytes(s.resultType), s.toolError)
		return d
	case protocol.Request:
		d.ref = s.metaToken
	case protocol.Notification:
		d.ref = notificationRef(s.token, s.request, s.metaSub)
	}
	d.method = stringBytes(s.method)
	d.name = cutWord(s.nameOf(d.method))
	d.method = cutWord(d.method)
	return d
}

// nameOf is protocol.NameOf, without a second look for the common methods.
func (s *scan) nameOf(method []byte) []byte {
	switch string(method) {
	case protocol.MethodToolsCall, protocol.MethodPromptsGet:
		return stringBytes(s.name)
	case protocol.MethodResourcesRead, protocol.NotificationResourceUpdated:
		return stringBytes(s.uri)
	case protocol.NotificationMessage, protocol.NotificationProgress:
		return nil
	}
	return []byte(protocol.NameOf(string(method), s.params))
}

// describeParsed does the same for a message that is not plain.
func describeParsed(m protocol.Message, verbatim bool) description {
	d := description{
		verbatim: verbatim,
		kind:     m.Kind,
		problems: len(m.Problems) > 0,
		id:       []byte(m.ID.String()),
		method:   cutWord([]byte(m.Method)),
	}
	if m.Method != "" {
		d.name = cutWord([]byte(protocol.NameOf(m.Method, m.Params)))
	}
	switch m.Kind {
	case protocol.Request:
		d.ref = idMember(m.Params, "/_meta/"+protocol.MetaProgressToken)
	case protocol.Notification:
		d.ref = notificationRef(
			idMember(m.Params, "/progressToken"), idMember(m.Params, "/requestId"),
			idMember(m.Params, "/_meta/"+subscriptionStep))
	case protocol.Result:
		kind, _, _ := protocol.Lookup(m.Result, "/resultType")
		failed, _, _ := protocol.Lookup(m.Result, "/isError")
		word, _ := protocol.StringValue(kind)
		d.status = resultStatus([]byte(word), string(failed) == "true")
	case protocol.Error:
		d.status = errorStatus(m.Error)
	case protocol.Batch:
		d.items = []batchItem{}
		for _, it := range m.Items {
			d.items = append(d.items, batchItem{kind: it.Kind, id: []byte(it.ID.String())})
		}
	case protocol.Invalid:
		d.problems = true
	}
	return d
}

// subscriptionStep is protocol.MetaSubscriptionID as a step of a JSON Pointer.
const subscriptionStep = "io.modelcontextprotocol~1subscriptionId"

// idMember returns the JSON text of a member that is a string or a number, nil
// if there is none.
func idMember(v jsontext.Value, pointer string) []byte {
	value, _, ok := protocol.Lookup(v, pointer)
	if !ok {
		return nil
	}
	value = bytes.TrimSpace(value)
	if _, ok := protocol.ParseID(string(value)); !ok {
		return nil
	}
	return value
}

func notificationRef(token, request, subscription []byte) []byte {
	switch {
	case len(token) > 0:
		return token
	case len(request) > 0:
		return request
	}
	return subscription
}

func resultStatus(resultType []byte, toolError bool) []byte {
	switch {
	case toolError:
		return toolErrorWord
	case len(resultType) > 0 && string(resultType) != resultComplete:
		return cutWord(resultType)
	}
	return okWord
}

func errorStatus(v jsontext.Value) []byte {
	code, _, _ := protocol.Lookup(v, "/code")
	if len(code) == 0 || len(code) > 32 || code.Kind() != '0' {
		return []byte("error")
	}
	return bytes.TrimSpace(code)
}

// describe fills an envelope from an event, all but its number and time, and
// says how the data is to be written.
func (v *envelope) describe(e *Event) form {
	*v = envelope{
		time: int64(e.Time), dir: e.Dir, kind: e.Kind, channel: []byte(e.Channel), cause: e.Cause, size: -1,
	}
	f := formNone
	switch e.Kind {
	case KindMessage:
		d := describeMessage(e.Data)
		v.hasMsg, v.msg, v.problems = true, d.kind, d.problems
		v.method, v.id, v.name, v.ref, v.status, v.items = d.method, d.id, d.name, d.ref, d.status, d.items
		if d.verbatim {
			v.size = int64(len(e.Data))
			return formMessage
		}
	case KindBad:
		v.problems = true
	case KindHTTP:
		if h, ok := e.Fields.(*HTTPHead); ok {
			v.describeHTTP(h)
		}
	case KindSSE:
		if s, ok := e.Fields.(*SSEFields); ok {
			v.describeSSE(s)
		}
	case KindState:
		if s, ok := e.Fields.(*StateChange); ok {
			v.status, v.name = cutWord([]byte(s.State)), cutWord([]byte(s.Detail))
		}
	}
	if m, ok := e.Fields.(*Mark); ok && e.Kind == KindNote {
		v.describeMark(m)
	}
	if e.Data != nil {
		v.size = int64(len(e.Data))
		f = textForm(e.Data)
	}
	return f
}

func (v *envelope) describeMark(m *Mark) {
	if m == nil {
		return
	}
	v.status, v.name = []byte(statusMark), cutWord([]byte(m.Note))
	if v.cause == 0 {
		v.cause = m.Seq
	}
}

func (v *envelope) describeHTTP(h *HTTPHead) {
	switch {
	case h.Error != "":
		v.status, v.name, v.problems = []byte("failed"), []byte(h.Error), true
	case h.Status != 0:
		v.status, v.name = strconv.AppendInt(nil, int64(h.Status), 10), []byte(h.Reason)
	case h.Method != "":
		v.status, v.name = []byte(h.Method), []byte(h.URL)
	case h.Done:
		v.status = []byte("done")
	}
	v.status, v.name = cutWord(v.status), cutWord(v.name)
}

func (v *envelope) describeSSE(s *SSEFields) {
	switch {
	case s.Event != "":
		v.status = []byte(s.Event)
	case s.Comment != "":
		v.status = []byte("comment")
	case s.RetryMS != "":
		v.status = []byte("retry")
	case s.HasID:
		v.status = []byte("id")
	}
	v.status = cutWord(v.status)
}
