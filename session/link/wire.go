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
	"sync"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
)

// HTTPTarget says where a server listens and what every request carries.
type HTTPTarget struct {
	URL          string
	Headers      []protocol.HeaderField // replace the link's own of the same name
	Bearer       string                 // token for Authorization, unless Headers has one
	CAFile       string                 // PEM file of further certificate authorities
	Masker       *recorder.Masker       // masks credentials in the log; a new one when nil
	UserAgent    string                 // default "mcploupe"
	MaxBody      int64                  // bytes of a body or of one event that are taken; default DefaultMaxBody
	CloseTimeout time.Duration          // for the DELETE of the session at Close; default 2 s
}

// DefaultMaxBody is the longest body or event that is taken.
const DefaultMaxBody = 256 << 20

const (
	defaultUserAgent    = "mcploupe"
	defaultCloseTimeout = 2 * time.Second
	// bodyText is how much of a body without a message an Answer shows.
	bodyText = 64 << 10
	// maxRedirects bounds 307 and 308 answers in a row.
	maxRedirects = 5
)

// wire is what the HTTP links share: one client, its log and its life.
type wire struct {
	target HTTPTarget
	url    *url.URL
	client *http.Client
	log    recorder.Appender
	h      Handler

	waits waits

	ctx    context.Context // ends with Close, its cause is ErrClosed
	cancel context.CancelCauseFunc
	wg     sync.WaitGroup

	mu      sync.Mutex
	closed  bool
	bearer  string
	numbers map[string]int // of channels by kind
}

// waits are the times that the links choose by themselves.
type waits struct {
	// backoffFirst and backoffMax bound our own waits between connects; the
	// server's retry replaces them.
	backoffFirst, backoffMax time.Duration
	// linger is how long a stream may stay open after the answer that should
	// end it (L-HTTP-14).
	linger time.Duration
}

var defaultWaits = waits{backoffFirst: time.Second, backoffMax: 30 * time.Second, linger: 10 * time.Second}

func newWire(t HTTPTarget, log recorder.Appender, h Handler) (*wire, error) {
	u, err := url.Parse(strings.TrimSpace(t.URL))
	if err != nil {
		return nil, fmt.Errorf("reading the URL: %w", err)
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, fmt.Errorf("%q is not an http or https URL", t.URL)
	}
	u.Fragment = ""
	transport, proxy, err := newTransport(t.CAFile)
	if err != nil {
		return nil, err
	}
	if t.Masker == nil {
		t.Masker = recorder.NewMasker()
	}
	if t.UserAgent == "" {
		t.UserAgent = defaultUserAgent
	}
	if t.MaxBody <= 0 {
		t.MaxBody = DefaultMaxBody
	}
	if t.CloseTimeout <= 0 {
		t.CloseTimeout = defaultCloseTimeout
	}
	if t.Bearer != "" {
		t.Masker.Add(t.Bearer)
	}
	w := &wire{target: t, url: u, log: log, h: h, bearer: t.Bearer, waits: defaultWaits, numbers: map[string]int{}}
	w.client = &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	w.ctx, w.cancel = context.WithCancelCause(context.Background())
	if p, err := proxy(u); err == nil && p != nil {
		w.note(recorder.Out, "", 0, "requests go through the proxy "+p.Redacted())
	}
	return w, nil
}

// SetBearer replaces the token for all later requests.
func (w *wire) SetBearer(token string) {
	if token != "" {
		w.target.Masker.Add(token)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bearer = token
}

// begin counts a goroutine in, unless the link is closed. done counts it out.
func (w *wire) begin() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return false
	}
	w.wg.Add(1)
	return true
}

// end closes the wire for new work. It reports whether it was open.
func (w *wire) end() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	was := !w.closed
	w.closed = true
	return was
}

// finish cancels what runs and waits for it.
func (w *wire) finish() {
	w.cancel(ErrClosed)
	w.wg.Wait()
	w.client.CloseIdleConnections()
}

func (w *wire) channel(kind string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.numbers[kind]++
	return kind + "-" + strconv.Itoa(w.numbers[kind])
}

func (w *wire) note(dir recorder.Direction, channel string, cause uint64, text string) {
	w.log.Append(recorder.Event{Dir: dir, Kind: recorder.KindNote, Channel: channel, Cause: cause, Data: []byte(text)})
}

func (w *wire) state(channel string, s recorder.StateChange) uint64 {
	return w.log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindState, Channel: channel, Fields: &s})
}

// header puts the layers together: own, the target's, those of one exchange.
// Each replaces what the ones before it had under the same name.
func (w *wire) header(own, extra []protocol.HeaderField) http.Header {
	h := http.Header{}
	w.mu.Lock()
	bearer := w.bearer
	w.mu.Unlock()
	base := []protocol.HeaderField{{Name: "User-Agent", Value: w.target.UserAgent}}
	if bearer != "" {
		base = append(base, protocol.HeaderField{Name: "Authorization", Value: "Bearer " + bearer})
	}
	for _, layer := range [][]protocol.HeaderField{base, own, w.target.Headers, extra} {
		set := map[string]bool{}
		for _, f := range layer {
			name := http.CanonicalHeaderKey(strings.TrimSpace(f.Name))
			if !set[name] {
				h.Del(name)
				set[name] = true
			}
			h[name] = append(h[name], f.Value)
		}
	}
	return h
}

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
