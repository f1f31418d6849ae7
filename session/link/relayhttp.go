package link

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/recorder/loopback"
)

// HTTPRelay stands between clients and a server that speaks Streamable HTTP or
// HTTP+SSE. It records what goes by as a link of a client would, and hands on
// requests, answers and the events of streams as they come.
//
// Every path leads to the same path of the server, so that endpoints and
// authorization pages are reached too. What is changed on the way: the Host
// header; headers that belong to one hop; Accept-Encoding, which is left out so
// that bodies come as they are; and addresses of the server's origin in
// redirects and endpoint events, which would lead past the relay.
type HTTPRelay struct {
	*wire
	server *loopback.Server
}

// ListenRelay serves at addr, "host:port", for this machine alone; port 0 picks
// a free one. The headers of t go with every request and replace the client's of
// the same name.
func ListenRelay(addr string, t HTTPTarget, log recorder.Appender) (*HTTPRelay, error) {
	w, err := newWire(t, log, nil)
	if err != nil {
		return nil, err
	}
	w.h = noting{w}
	r := &HTTPRelay{wire: w}
	if r.server, err = loopback.Listen(w.ctx, addr, http.HandlerFunc(r.relay)); err != nil {
		return nil, err
	}
	return r, nil
}

// URL is the address for clients: the relay's origin with the path of the
// server.
func (r *HTTPRelay) URL() string { return r.server.Origin() + r.url.RequestURI() }

// Failed says why the relay does not listen any more, unless it was closed.
func (r *HTTPRelay) Failed() <-chan error { return r.server.Failed() }

// Close ends all exchanges and waits for them. It is idempotent.
func (r *HTTPRelay) Close() error {
	r.end()
	r.cancel(ErrClosed)
	err := r.server.Close()
	r.finish()
	return err
}

// relay is one exchange of a client with the server.
func (r *HTTPRelay) relay(w http.ResponseWriter, req *http.Request) {
	if !r.begin() {
		return
	}
	defer r.wg.Done()
	x := &exchange{w: r.wire, channel: r.channel(strings.ToLower(req.Method)), method: req.Method, url: r.serverURL(req.URL), header: r.onward(req.Header)}
	if err := x.takeBody(w, req); err != nil {
		r.note(recorder.Out, x.channel, 0, fmt.Sprintf("%s %s was not handed on: reading its body: %v", req.Method, req.URL.Path, err))
		status := http.StatusBadRequest
		if tooLong := new(http.MaxBytesError); errors.As(err, &tooLong) {
			status = http.StatusRequestEntityTooLarge
		}
		http.Error(w, fmt.Sprintf("The request was not handed on: %v.", err), status)
		return
	}
	life := r.newLifetime(req.Context())
	defer life.end()
	if err := x.send(life.ctx, 0, 0); err != nil {
		if req.Context().Err() == nil {
			http.Error(w, fmt.Sprintf("The server was not reached: %v.", err), http.StatusBadGateway)
		}
		return
	}
	defer func(body io.Closer) { _ = body.Close() }(x.resp.Body)
	r.answerHead(w, x)
	if r.answerBody(life.ctx, w, x) != nil {
		panic(http.ErrAbortHandler) // the client is to see that the answer broke off
	}
}

// answerBody hands the body of an answer on and records it.
func (r *HTTPRelay) answerBody(life context.Context, w http.ResponseWriter, x *exchange) error {
	ctx, stop := context.WithCancelCause(context.WithoutCancel(life))
	defer stop(nil)
	on := &handOn{r: &cutShort{r: x.resp.Body, life: life, stop: stop}, w: &flushed{w: w, c: http.NewResponseController(w), rewrite: r.endpoint(x)}}
	x.resp.Body = io.NopCloser(on)
	s := &stream{w: r.wire, saw: func(protocol.Message) {}, event: func(b protocol.SSEBlock) bool { return b.Event == "endpoint" }}
	err := s.read(ctx, x)
	if err == nil { // a body that was too long to record goes on all the same
		_, err = io.Copy(io.Discard, on)
	}
	x.done(err)
	if x.answer.Status == http.StatusAccepted {
		x.problems = without(x.problems, "L-HTTP-01") // its body means nothing
	}
	r.h.Receive(Incoming{Channel: x.channel, Seq: x.respHead, Problems: x.takeProblems()})
	return err
}

// cutShort is a body whose context ends with it when the exchange is ended
// within it. A client that leaves once it has the whole ends nothing.
type cutShort struct {
	r    io.Reader
	life context.Context
	stop context.CancelCauseFunc
}

func (c *cutShort) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	if err != nil && !errors.Is(err, io.EOF) && c.life.Err() != nil {
		c.stop(context.Cause(c.life))
	}
	return n, err
}

// noting is the Handler of a relay: it has what was found noted.
type noting struct{ *wire }

func (n noting) Receive(in Incoming) {
	for _, p := range in.Problems {
		n.note(recorder.In, in.Channel, in.Seq, p.Rule+": "+p.Text)
	}
}
func (noting) Ended(Ended) {}
func (noting) Down(Down)   {}

// takeBody reads the body of a client's request, nil if there is none.
func (x *exchange) takeBody(w http.ResponseWriter, req *http.Request) error {
	if req.ContentLength == 0 && req.Method != http.MethodPost {
		return nil
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, x.w.target.MaxBody))
	x.body = append([]byte{}, body...)
	return err
}

// serverURL is where a request of a client leads.
func (r *HTTPRelay) serverURL(asked *url.URL) *url.URL {
	u := *r.url
	u.Path, u.RawPath, u.RawQuery, u.ForceQuery = asked.Path, asked.RawPath, asked.RawQuery, asked.ForceQuery
	return &u
}

// hopHeaders belong to one connection (RFC 9110, section 7.6.1).
var hopHeaders = []string{"Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade"}

func withoutHop(h http.Header) http.Header {
	out := h.Clone()
	for _, list := range h["Connection"] {
		for name := range strings.SplitSeq(list, ",") {
			out.Del(strings.TrimSpace(name))
		}
	}
	for _, name := range hopHeaders {
		out.Del(name)
	}
	return out
}

// onward is a client's header as the server gets it.
func (r *HTTPRelay) onward(client http.Header) http.Header {
	h := withoutHop(client)
	h.Del("Accept-Encoding")
	h.Del("Content-Length") // of the body, which is known
	if _, ok := h["User-Agent"]; !ok {
		h["User-Agent"] = nil // or net/http would add its own
	}
	own := r.header(nil, nil)
	own.Del("User-Agent")
	for _, f := range r.target.Headers {
		if name := http.CanonicalHeaderKey(strings.TrimSpace(f.Name)); name == "User-Agent" {
			own[name] = append(own[name], f.Value)
		}
	}
	for name, values := range own {
		h[name] = values
	}
	return h
}

// answerHead hands the head of an answer on.
func (r *HTTPRelay) answerHead(w http.ResponseWriter, x *exchange) {
	h := w.Header()
	for name, values := range withoutHop(x.resp.Header) {
		h[name] = slices.Clone(values)
	}
	if location, err := x.resp.Location(); err == nil && sameOrigin(location, r.url) && strings.Contains(h.Get("Location"), "://") {
		h.Set("Location", r.server.Origin()+location.RequestURI())
		r.note(recorder.In, x.channel, x.respHead, "the address of the redirect was changed to lead through here")
	}
	if _, ok := h["Date"]; !ok {
		h["Date"] = nil // what the server did not send is not added
	}
	if _, ok := h["Content-Type"]; !ok {
		h["Content-Type"] = nil
	}
	status := x.resp.StatusCode
	if status == http.StatusSwitchingProtocols {
		status = http.StatusBadGateway // nothing here could speak it
	}
	w.WriteHeader(status)
	_ = http.NewResponseController(w).Flush() // a writer that cannot is found out by the body
}

var endpointEvent = regexp.MustCompile(`(?m)^event: ?endpoint\s*$`)

// endpoint changes the address in the endpoint event of HTTP+SSE (SSE-04) where
// it is absolute: it is the first that such a stream says.
func (r *HTTPRelay) endpoint(x *exchange) func([]byte) []byte {
	if x.method != http.MethodGet || !strings.HasPrefix(x.answer.ContentType, "text/event-stream") {
		return nil
	}
	from := []byte(r.url.Scheme + "://" + r.url.Host + "/")
	first := true
	return func(b []byte) []byte {
		if !first || !endpointEvent.Match(b) || !bytes.Contains(b, from) {
			first = false
			return b
		}
		first = false
		r.note(recorder.In, x.channel, x.respHead, "the address of the endpoint was changed to lead through here")
		return bytes.Replace(b, from, []byte(r.server.Origin()+"/"), 1)
	}
}

// flushed writes an answer without delay.
type flushed struct {
	w       io.Writer
	c       *http.ResponseController
	rewrite func([]byte) []byte // may be nil
}

func (f *flushed) Write(b []byte) (int, error) {
	out := b
	if f.rewrite != nil {
		out = f.rewrite(b)
	}
	if _, err := f.w.Write(out); err != nil {
		return 0, err
	}
	return len(b), f.c.Flush()
}
