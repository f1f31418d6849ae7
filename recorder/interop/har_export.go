package interop

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
)

// ErrNoHTTP says that a recording cannot be written as an HTTP Archive.
var ErrNoHTTP = errors.New("an HTTP Archive holds HTTP exchanges, and there are none")

// exportHAR writes the HTTP exchanges of a recording. An exchange is written
// when its request head is selected; what belongs to it comes with it.
func exportHAR(ctx context.Context, w io.Writer, l *recorder.Log, o recorder.ExportOptions) (recorder.ExportReport, error) {
	x, err := recorder.NewExporter(ctx, w, l, o)
	if err != nil {
		return recorder.ExportReport{}, err
	}
	h := harWriter{Exporter: x, created: x.Header().Created}
	if err := h.collect(ctx); err != nil {
		return x.Report(), err
	}
	if len(h.heads) == 0 {
		why := ErrNoHTTP
		if transport := l.Header().Target.Transport; transport == "stdio" {
			why = fmt.Errorf("%w: this recording is of a stdio server; a recording, messages as JSON Lines or a transcript can hold it", ErrNoHTTP)
		}
		return x.Report(), fmt.Errorf("export as HAR: %w", why)
	}
	app := o.App
	if app == "" {
		app = l.Header().App
	}
	name, version, _ := strings.Cut(app, " ")
	h.print(`{"log":{"version":"1.2","creator":{"name":%s,"version":%s},"pages":[],"entries":[`, quote(name), quote(version))
	for i := range h.heads {
		if i > 0 {
			h.print(",")
		}
		h.print("\n")
		if err := h.entry(i); err != nil {
			return x.Report(), err
		}
		if err := x.Did(ctx, uint64(i)*x.Len()/uint64(len(h.heads))); err != nil {
			return x.Report(), err
		}
	}
	h.print("\n]}}\n")
	if h.streams > 0 {
		x.Lose("event stream's own layout (it is put together again from its events)", "event streams' own layouts (they are put together again from their events)", h.streams)
	}
	if x.Len() > 0 {
		if err := x.Did(ctx, x.Len()-1); err != nil {
			return x.Report(), err
		}
	}
	return x.Report(), x.Flush()
}

// harWriter writes entries.
type harWriter struct {
	*recorder.Exporter
	created time.Time
	heads   []uint64 // request heads, in order
	from    []int    // where the parts of a head start in parts, and the end
	parts   []uint64 // events of the exchanges, each after its head
	streams int
}

func (h *harWriter) print(format string, args ...any) { _, _ = fmt.Fprintf(h, format, args...) }

func quote(s string) jsontext.Value { return protocol.QuoteString(s) }

// collect finds which events belong to which request head. In memory that is
// 12 bytes an event.
func (h *harWriter) collect(ctx context.Context) error {
	root := make([]uint32, h.Log.Len()+1) // number of the exchange an event belongs to, from 1
	var members []uint64
	for seq := uint64(1); seq < uint64(len(root)); seq++ {
		if seq&0x3FFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		head := h.Log.Head(seq)
		switch {
		case head.Kind == recorder.KindHTTP && head.Dir == recorder.Out:
			if h.Place(seq) != 0 {
				h.heads = append(h.heads, seq)
				root[seq] = uint32(len(h.heads))
			}
		case head.Cause != 0 && head.Cause < seq && root[head.Cause] != 0:
			root[seq] = root[head.Cause]
			members = append(members, seq)
		case h.Place(seq) != 0:
			h.LoseEvent(head)
		}
	}
	h.from = make([]int, len(h.heads)+2)
	for _, seq := range members {
		h.from[root[seq]]++
	}
	for i := 1; i < len(h.from); i++ {
		h.from[i] += h.from[i-1]
	}
	h.parts = make([]uint64, len(members))
	next := make([]int, len(h.heads)+1)
	copy(next[1:], h.from)
	for _, seq := range members {
		h.parts[next[root[seq]]] = seq
		next[root[seq]]++
	}
	return nil
}

// harParts is what is gathered of one exchange.
type harParts struct {
	request, answer, end *recorder.HTTPHead
	sent                 []byte
	hasSent              bool
	body                 []byte
	bodies               int
	stream               bool
	comments             []byte // that wait for a line before them
	events               []byte // _eventSourceMessages
	started, wrote       time.Duration
	headed, ended        time.Duration
}

func (h *harWriter) entry(i int) error {
	head, err := h.Read(h.heads[i])
	if err != nil {
		return err
	}
	p := harParts{started: head.Time, wrote: head.Time, ended: head.Time}
	p.request, _ = head.Fields.(*recorder.HTTPHead)
	if p.request == nil {
		p.request = &recorder.HTTPHead{}
	}
	h.Wrote(head.Kind)
	var field *recorder.SSEFields
	for _, seq := range h.parts[h.from[i]:h.from[i+1]] {
		e, err := h.Read(seq)
		if err != nil {
			return err
		}
		if h.part(&p, &e, &field) {
			h.Wrote(e.Kind)
		} else {
			h.LoseEvent(h.Log.Head(seq))
		}
	}
	p.endField(&field)
	if p.stream {
		h.streams++
	}
	h.write(&p)
	return nil
}

// part takes one event of an exchange; false if it has no place.
func (h *harWriter) part(p *harParts, e *recorder.Event, field **recorder.SSEFields) bool {
	p.ended = max(p.ended, e.Time)
	switch f := e.Fields.(type) {
	case *recorder.HTTPHead:
		switch {
		case f.Done:
			p.end = f
		case f.Status != 0 && p.answer == nil:
			p.answer, p.headed = f, e.Time
			p.stream = strings.HasPrefix(strings.ToLower(headerOf(f, "Content-Type")), "text/event-stream")
		default:
			return false
		}
		return true
	case *recorder.SSEFields:
		p.endField(field)
		p.stream = true
		if p.streamFields(f); f.Bytes > 0 {
			*field = f // its data comes as an event of its own
		} else {
			p.body = append(p.body, '\n')
		}
		return true
	}
	switch {
	case e.Kind != recorder.KindMessage && e.Kind != recorder.KindBad:
		return false
	case e.Dir == recorder.Out:
		if p.hasSent {
			return false
		}
		p.sent, p.hasSent, p.wrote = e.Data, true, e.Time
	case p.stream && e.Kind == recorder.KindBad && *field == nil:
		p.body = append(append(p.body, e.Data...), '\n') // a line of the stream that is none
	case p.stream:
		p.streamData(e.Data)
		h.streamMessage(p, e, *field)
		*field = nil
	default:
		p.body = append(p.body, e.Data...)
		p.bodies++
	}
	return true
}

func headerOf(f *recorder.HTTPHead, name string) string {
	for _, h := range f.Headers {
		if strings.EqualFold(h.Name, name) {
			return h.Value
		}
	}
	return ""
}

// streamFields writes the lines of an event of a stream besides its data.
// Comments come after another line, as before the first one they would be no
// part of the event.
func (p *harParts) streamFields(f *recorder.SSEFields) {
	before := len(p.body)
	line := func(name, value string) { p.body = append(p.body, name+": "+value+"\n"...) }
	if f.Event != "" {
		line("event", f.Event)
	}
	if f.HasID {
		line("id", f.ID)
	}
	if f.RetryMS != "" {
		line("retry", f.RetryMS)
	}
	if f.Comment == "" {
		return
	}
	for _, text := range strings.Split(f.Comment, "\n") {
		p.comments = append(p.comments, ":"+text+"\n"...)
	}
	if len(p.body) > before || f.Bytes == 0 {
		p.body, p.comments = append(p.body, p.comments...), nil
	}
}

// endField ends an event whose data did not come.
func (p *harParts) endField(field **recorder.SSEFields) {
	if *field != nil {
		p.body, p.comments = append(append(p.body, p.comments...), '\n'), nil
		*field = nil
	}
}

func (p *harParts) streamData(data []byte) {
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		p.body = append(append(append(p.body, "data: "...), line...), '\n')
		p.body, p.comments = append(p.body, p.comments...), nil
	}
	p.body = append(p.body, '\n')
}

// streamMessage lists an event of a stream as browsers do, with its time.
func (h *harWriter) streamMessage(p *harParts, e *recorder.Event, f *recorder.SSEFields) {
	name, id := "message", ""
	if f != nil {
		if f.Event != "" {
			name = f.Event
		}
		id = f.ID
	}
	if p.events != nil {
		p.events = append(p.events, ',')
	}
	at := h.created.Add(e.Time)
	p.events = fmt.Appendf(p.events, `{"time":%d.%09d,"eventName":%s,"eventId":%s,"data":%s}`, at.Unix(), at.Nanosecond(), quote(name), quote(id), quote(string(e.Data)))
}

func (h *harWriter) write(p *harParts) {
	h.print(`{"startedDateTime":%s,"time":%s,`, quote(h.created.Add(p.started).UTC().Format(time.RFC3339Nano)), ms(p.ended-p.started))
	r := p.request
	proto := r.Proto
	if proto == "" {
		proto = "HTTP/1.1"
	}
	h.print(`"request":{"method":%s,"url":%s,"httpVersion":%s,"cookies":[],"headers":%s,"queryString":%s,"headersSize":-1,"bodySize":%d`,
		quote(r.Method), quote(r.URL), quote(proto), headerList(r.Headers), queryList(r.URL), len(p.sent))
	if p.hasSent {
		h.print(`,"postData":{"mimeType":%s,"text":`, quote(headerOf(r, "Content-Type")))
		h.bodyText(p.sent, "_encoding")
		h.print("}")
	}
	h.print(`},"response":`)
	h.response(p)
	h.print(`,"cache":{},"timings":{"send":%s,"wait":%s,"receive":%s}`, ms(p.wrote-p.started), ms(max(p.headed, p.wrote)-p.wrote), ms(p.ended-max(p.headed, p.wrote)))
	if p.events != nil {
		h.print(`,"_eventSourceMessages":[%s]`, p.events)
	}
	h.print("}")
}

func (h *harWriter) response(p *harParts) {
	a := p.answer
	if a == nil {
		a = &recorder.HTTPHead{}
	}
	body, has := p.body, p.bodies > 0 || p.stream
	if !has && p.end != nil && p.end.Body != "" {
		body, has = []byte(p.end.Body), true
	}
	size := int64(len(body))
	if p.end != nil && p.end.Bytes > 0 {
		size = p.end.Bytes
	}
	h.print(`{"status":%d,"statusText":%s,"httpVersion":%s,"cookies":[],"headers":%s,"content":{"size":%d,"mimeType":%s`,
		a.Status, quote(a.Reason), quote(a.Proto), headerList(a.Headers), size, quote(headerOf(a, "Content-Type")))
	if has {
		h.print(`,"text":`)
		h.bodyText(body, "encoding")
	}
	h.print(`},"redirectURL":%s,"headersSize":-1,"bodySize":%d`, quote(headerOf(a, "Location")), size)
	if p.end != nil && p.end.Error != "" {
		h.print(`,"_error":%s`, quote(p.end.Error))
	}
	h.print("}")
}

// bodyText writes a body as text, or in base64 where it is none.
func (h *harWriter) bodyText(b []byte, encoding string) {
	if utf8.Valid(b) {
		h.print("%s", quote(string(b)))
		return
	}
	h.print(`"%s","%s":"base64"`, base64.StdEncoding.EncodeToString(b), encoding)
}

func headerList(headers []recorder.HeaderField) []byte {
	out := []byte("[")
	for i, f := range headers {
		if i > 0 {
			out = append(out, ',')
		}
		out = fmt.Appendf(out, `{"name":%s,"value":%s}`, quote(f.Name), quote(f.Value))
	}
	return append(out, ']')
}

func queryList(u string) []byte {
	_, query, _ := strings.Cut(u, "?")
	query, _, _ = strings.Cut(query, "#")
	var fields []recorder.HeaderField
	for part := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(part, "=")
		if part != "" {
			fields = append(fields, recorder.HeaderField{Name: unescape(name), Value: unescape(value)})
		}
	}
	return headerList(fields)
}

func unescape(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}

// ms writes a duration as milliseconds, to the nanosecond.
func ms(d time.Duration) string {
	s := strconv.FormatInt(int64(d/time.Millisecond), 10)
	if rest := d % time.Millisecond; rest != 0 {
		s += "." + strings.TrimRight(fmt.Sprintf("%06d", rest), "0")
	}
	return s
}
