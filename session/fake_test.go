package session

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session/link"
)

// fakeLink is a link to a server that a test plays: every message that is sent
// goes to serve, in the sender's goroutine.
type fakeLink struct {
	name  string
	log   recorder.Appender
	h     link.Handler
	serve func(l *fakeLink, m protocol.Message, o link.SendOptions)

	mu       sync.Mutex
	sent     []protocol.Message
	options  []link.SendOptions
	sendErr  error
	closed   bool
	ctxs     []context.Context
	exit     *link.Exit
	streams  int
	resets   int
	session  string
	revision *protocol.Revision
}

type server = func(l *fakeLink, m protocol.Message, o link.SendOptions)

func (l *fakeLink) Name() string { return l.name }

func (l *fakeLink) Send(ctx context.Context, raw []byte, o link.SendOptions) error {
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return link.ErrClosed
	}
	m := protocol.Parse(append([]byte(nil), raw...))
	l.sent, l.options, l.ctxs = append(l.sent, m), append(l.options, o), append(l.ctxs, ctx)
	err := l.sendErr
	l.mu.Unlock()
	l.log.Append(recorder.Event{Dir: recorder.Out, Kind: recorder.KindMessage, Channel: l.name, Data: raw})
	if err != nil {
		return err
	}
	if l.serve != nil {
		l.serve(l, m, o)
	}
	return nil
}

func (l *fakeLink) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	return nil
}

func (l *fakeLink) Exit() *link.Exit { return l.exit }

// fakeHTTP adds what only Streamable HTTP has.
type fakeHTTP struct{ *fakeLink }

func (l fakeHTTP) OpenStream(*protocol.Revision)    { l.count(&l.streams) }
func (l fakeHTTP) ResetSession()                    { l.count(&l.resets) }
func (l fakeHTTP) SessionID() string                { return l.session }
func (l fakeHTTP) SetRevision(r *protocol.Revision) { l.revision = r }

func (l *fakeLink) count(n *int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	*n++
}

// methods lists what was sent: methods, or "result" and "error".
func (l *fakeLink) methods() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []string
	for _, m := range l.sent {
		name := m.Method
		switch m.Kind {
		case protocol.Result:
			name = "result"
		case protocol.Error:
			name = "error"
		case protocol.Invalid:
			name = "invalid"
		}
		out = append(out, name)
	}
	return strings.Join(out, " ")
}

// last returns the last message that was sent with the method.
func (l *fakeLink) last(method string) protocol.Message {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := len(l.sent) - 1; i >= 0; i-- {
		if l.sent[i].Method == method {
			return l.sent[i]
		}
	}
	return protocol.Message{}
}

// in delivers a message that belongs to no exchange.
func (l *fakeLink) in(raw string) {
	seq := l.log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindMessage, Channel: l.name, Data: []byte(raw)})
	l.h.Receive(link.Incoming{Seq: seq, Raw: []byte(raw), Channel: l.name})
}

// result and fail answer m.
func (l *fakeLink) result(m protocol.Message, result string) {
	l.answer(m, 200, `{"jsonrpc":"2.0","id":`+m.ID.String()+`,"result":`+result+`}`)
}

func (l *fakeLink) fail(m protocol.Message, code, rest string) {
	l.answer(m, 200, errorText(m, code, rest))
}

func errorText(m protocol.Message, code, rest string) string {
	return `{"jsonrpc":"2.0","id":` + m.ID.String() + `,"error":{"code":` + code + `,"message":"no"` + rest + `}}`
}

// answer delivers the text that answers m, over HTTP with a status.
func (l *fakeLink) answer(m protocol.Message, status int, raw string) {
	if l.name != "http" {
		l.in(raw)
		return
	}
	seq := l.log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindMessage, Channel: "post", Data: []byte(raw)})
	l.h.Receive(link.Incoming{Seq: seq, Raw: []byte(raw), Channel: "post", For: m.ID, Status: status})
	e := link.Ended{Channel: "post", For: m.ID, Answer: &link.Answer{Status: status, ContentType: "application/json"}}
	if k := protocol.Parse([]byte(raw)); k.Kind != protocol.Result && k.Kind != protocol.Error {
		e.Err = link.ErrNoAnswer
	}
	l.h.Ended(e)
}

// page ends the exchange of m with an answer that carries no message.
func (l *fakeLink) page(m protocol.Message, status int, contentType, body string) {
	l.h.Ended(link.Ended{Channel: "post", For: m.ID, Err: link.ErrNoAnswer,
		Answer: &link.Answer{Status: status, ContentType: contentType, Body: body}})
}

// broken ends the exchange of m with a failure of the network.
func (l *fakeLink) broken(m protocol.Message, err error) {
	l.h.Ended(link.Ended{Channel: "post", For: m.ID, Err: err})
}

// die loses the link.
func (l *fakeLink) die(code int) {
	l.exit = &link.Exit{Code: code, After: time.Second}
	l.h.Down(link.Down{Err: errors.New("stdout closed"), Exit: l.exit})
}

// fakes plays servers: each link that is made gets the next one, and the last
// one again.
type fakes struct {
	servers []server
	sseErr  error

	mu    sync.Mutex
	links []*fakeLink
}

func (f *fakes) dial(name string, log recorder.Appender, h link.Handler) *fakeLink {
	f.mu.Lock()
	defer f.mu.Unlock()
	l := &fakeLink{name: name, log: log, h: h, serve: f.servers[min(len(f.links), len(f.servers)-1)]}
	f.links = append(f.links, l)
	return l
}

func (f *fakes) dialers() dialers {
	return dialers{
		stdio: func(_ context.Context, _ link.StdioTarget, log recorder.Appender, h link.Handler) (link.Link, error) {
			return f.dial("stdio", log, h), nil
		},
		http: func(_ link.HTTPTarget, log recorder.Appender, h link.Handler) (link.Link, error) {
			return fakeHTTP{f.dial("http", log, h)}, nil
		},
		sse: func(_ context.Context, _ link.HTTPTarget, log recorder.Appender, h link.Handler) (link.Link, error) {
			if f.sseErr != nil {
				return nil, f.sseErr
			}
			return f.dial("sse", log, h), nil
		},
	}
}

// link is the link that was made last.
func (f *fakes) link() *fakeLink {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.links[len(f.links)-1]
}

// methods lists what all links were sent, with a bar between them.
func (f *fakes) methods() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []string
	for _, l := range f.links {
		out = append(out, l.methods())
	}
	return strings.Join(out, " | ")
}

func newLog(t *testing.T) *recorder.Log {
	t.Helper()
	log, err := recorder.Create(filepath.Join(t.TempDir(), "test.mcp.jsonl"), Target{Command: "srv"}.RecordingHeader("test"))
	if err != nil {
		t.Fatal(err)
	}
	return log
}

// openFake opens a session with played servers. The caller closes it with the
// function, inside the bubble if there is one.
func openFake(t *testing.T, target Target, o Options, servers ...server) (*Session, *fakes, func()) {
	t.Helper()
	f := &fakes{servers: servers}
	log := newLog(t)
	o.Log = log
	s, err := open(context.Background(), target, o, f.dialers())
	if err != nil {
		t.Fatal(err)
	}
	return s, f, func() {
		if err := s.Close(); err != nil {
			t.Errorf("closing the session: %v", err)
		}
		if err := log.Close(); err != nil {
			t.Errorf("closing the log: %v", err)
		}
	}
}

var stdioTarget, httpTarget = Target{Command: "srv"}, Target{URL: "http://127.0.0.1:1/mcp"}

const (
	initResult     = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{},"prompts":{}},"serverInfo":{"name":"fake","version":"1"}}`
	discoverResult = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fake","version":"2"}}}`
)

// legacy is a server of 2025-11-25 that gives what it does not know to next.
func legacy(next server) server {
	return func(l *fakeLink, m protocol.Message, o link.SendOptions) {
		switch m.Method {
		case protocol.MethodDiscover:
			l.fail(m, "-32601", "")
		case protocol.MethodInitialize:
			l.result(m, initResult)
		case protocol.MethodInitialized:
		default:
			if next != nil {
				next(l, m, o)
			}
		}
	}
}

// modern is a server of 2026-07-28.
func modern(next server) server {
	return func(l *fakeLink, m protocol.Message, o link.SendOptions) {
		if m.Method == protocol.MethodDiscover {
			l.result(m, discoverResult)
		} else if next != nil {
			next(l, m, o)
		}
	}
}

// ready opens and negotiates.
func ready(t *testing.T, target Target, o Options, servers ...server) (*Session, *fakes, func()) {
	t.Helper()
	s, f, done := openFake(t, target, o, servers...)
	if err := s.Negotiate(context.Background()); err != nil {
		t.Fatalf("negotiating: %v, steps %+v", err, s.State().Steps)
	}
	return s, f, done
}

// rules lists the rules of the findings.
func rules(st State) string {
	var out []string
	for _, f := range st.Findings {
		out = append(out, f.Rule)
	}
	return strings.Join(out, " ")
}
