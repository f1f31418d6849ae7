package link

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"mcploupe/protocol"
	"mcploupe/recorder"
)

// exchange is one HTTP request with its answer, redirects included.
type exchange struct {
	w        *wire
	channel  string
	method   string
	url      *url.URL
	header   http.Header
	body     []byte // nil for none
	head     uint64 // event of the request head
	sent     uint64 // event of the body
	respHead uint64 // event of the answer's head
	end      uint64 // event of the end
	resp     *http.Response
	answer   *Answer
	bytes    int64
	problems []protocol.Problem
	conn     *tailConn
}

// do sends the request and returns when the answer's head is here. Everything
// is recorded; the error is a *TransportError or the cause of ctx.
func (x *exchange) do(ctx context.Context) error {
	cause := uint64(0)
	for hop := 0; ; hop++ {
		if err := x.send(ctx, cause, hop); err != nil {
			return err
		}
		next := x.redirect()
		if next == nil {
			return nil
		}
		if hop == maxRedirects {
			x.find("http.redirect", protocol.Violation, fmt.Sprintf("more than %d redirects in a row", maxRedirects))
			return nil
		}
		x.discard(ctx)
		x.url, cause = next, x.respHead
	}
}

func (x *exchange) send(ctx context.Context, cause uint64, hop int) error {
	var body io.Reader
	if x.body != nil {
		body = bytes.NewReader(x.body)
	}
	if x.w.target.Trace != nil {
		ctx = httptrace.WithClientTrace(ctx, x.w.target.Trace)
	}
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		x.conn, _ = info.Conn.(*tailConn)
	}})
	req, err := http.NewRequestWithContext(ctx, x.method, x.url.String(), body)
	if err != nil {
		return x.fail(ctx, fmt.Errorf("net/http: invalid request: %w", err))
	}
	req.Header = x.header.Clone()
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host
		req.Header.Del("Host")
	}
	x.head = x.w.log.Append(recorder.Event{Dir: recorder.Out, Kind: recorder.KindHTTP, Channel: x.channel, Cause: cause, Fields: x.requestHead(req)})
	switch {
	case x.body == nil:
	case hop == 0:
		x.sent = x.w.log.Append(recorder.Event{Dir: recorder.Out, Kind: messageKind(x.body), Channel: x.channel, Cause: x.head, Data: x.body})
	default:
		x.w.note(recorder.Out, x.channel, x.head, "the same body was sent again")
	}
	resp, err := x.w.client.Do(req)
	if err != nil {
		return x.fail(ctx, err)
	}
	x.resp = resp
	x.answer = x.newAnswer(resp)
	x.respHead = x.w.log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindHTTP, Channel: x.channel, Cause: x.head, Fields: &recorder.HTTPHead{
		Status: resp.StatusCode, Reason: x.answer.Reason, Proto: resp.Proto, Headers: recorderFields(x.answer.Headers),
	}})
	if enc := resp.Header.Get("Content-Encoding"); enc != "" && !strings.EqualFold(enc, "identity") {
		x.find("http.content-encoding", protocol.Violation, "the body comes in the encoding "+enc+", which was not asked for")
	}
	return nil
}

func (x *exchange) requestHead(req *http.Request) *recorder.HTTPHead {
	host := req.Host
	if host == "" {
		host = x.url.Host
	}
	h := req.Header.Clone()
	h["Host"] = []string{host}
	if x.body != nil || x.method == http.MethodPost {
		h["Content-Length"] = []string{strconv.Itoa(len(x.body))}
	}
	return &recorder.HTTPHead{Method: x.method, URL: x.w.target.Masker.URL(x.url.String()), Headers: recorderFields(x.masked(h))}
}

func (x *exchange) newAnswer(resp *http.Response) *Answer {
	_, reason, _ := strings.Cut(resp.Status, " ")
	return &Answer{
		Status: resp.StatusCode, Reason: reason, ContentType: resp.Header.Get("Content-Type"), Headers: x.masked(resp.Header),
	}
}

// masked lists header lines by name, credentials masked.
func (x *exchange) masked(h http.Header) []protocol.HeaderField {
	var out []protocol.HeaderField
	for name, values := range h {
		for _, v := range values {
			out = append(out, protocol.HeaderField{Name: name, Value: x.w.target.Masker.Header(name, v)})
		}
	}
	slices.SortStableFunc(out, func(a, b protocol.HeaderField) int { return strings.Compare(a.Name, b.Name) })
	return out
}

func recorderFields(fields []protocol.HeaderField) []recorder.HeaderField {
	out := make([]recorder.HeaderField, len(fields))
	for i, f := range fields {
		out[i] = recorder.HeaderField(f)
	}
	return out
}

// redirect returns where a 307 or 308 within the same origin leads. Other
// redirects are answers like any other: following them would drop the body or
// carry credentials to another host.
func (x *exchange) redirect() *url.URL {
	if x.resp.StatusCode/100 != 3 {
		return nil
	}
	location, err := x.resp.Location()
	if err != nil {
		return nil
	}
	location.Fragment = ""
	keeps := x.resp.StatusCode == http.StatusTemporaryRedirect || x.resp.StatusCode == http.StatusPermanentRedirect
	if keeps && sameOrigin(x.url, location) {
		return location
	}
	x.answer.Location = x.w.target.Masker.URL(location.String())
	x.find("http.redirect", protocol.Warning, fmt.Sprintf("a %d redirect to %s was not followed: only 307 and 308 to the same origin are", x.resp.StatusCode, x.answer.Location))
	return nil
}

func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}

// fail records a transport failure.
func (x *exchange) fail(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	} else {
		err = classify(err, x.url.Host)
		x.recordTail(err)
	}
	x.done(err)
	return err
}

// recordTail names an answer that is not one, and records what came on the
// connection.
func (x *exchange) recordTail(err error) {
	var te *TransportError
	if !errors.As(err, &te) {
		return
	}
	switch te.Kind {
	case FailHTTP, FailClosed, FailReset:
	default:
		return
	}
	if x.answer == nil {
		x.find("http.broken", protocol.Violation, te.Text)
	}
	if x.conn == nil || x.url.Scheme != "http" {
		return
	}
	if got := x.conn.received(); len(got) > 0 {
		x.w.note(recorder.In, x.channel, x.head, fmt.Sprintf("bytes received on the connection: %q", got))
	}
}

// done records the end of the exchange.
func (x *exchange) done(err error) {
	head := &recorder.HTTPHead{Done: true, Bytes: x.bytes}
	if err != nil {
		head.Error = string(x.w.target.Masker.Text([]byte(err.Error())))
	}
	if x.answer != nil {
		head.Body = x.answer.Body
	}
	cause := x.respHead
	if cause == 0 {
		cause = x.head
	}
	x.end = x.w.log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindHTTP, Channel: x.channel, Cause: cause, Fields: head})
}

// maxProblems bounds the findings that wait for a message to go with.
const maxProblems = 100

// find keeps a finding until something is handed on, each once.
func (x *exchange) find(rule string, s protocol.Severity, text string) {
	p := problem(rule, s, text)
	if len(x.problems) < maxProblems && !slices.Contains(x.problems, p) {
		x.problems = append(x.problems, p)
	}
}

// takeProblems moves the findings so far to whoever reports them.
func (x *exchange) takeProblems() []protocol.Problem {
	p := x.problems
	x.problems = nil
	return p
}
