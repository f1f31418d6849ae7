package sessiontest

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"mcploupe/protocol"
)

// HTTPServer is an HTTP server that answers with bytes given by the test, from
// the status line on, and remembers what it was asked.
type HTTPServer struct {
	URL string // of the endpoint, path /mcp

	tb   testing.TB
	srv  *httptest.Server
	stop chan struct{}
	busy sync.WaitGroup

	mu       sync.Mutex
	on       map[string]Responder
	requests []Request
	wake     chan struct{} // closed and renewed with each request
}

// Request is one request as it came.
type Request struct {
	Method  string
	Path    string // with the query
	Header  http.Header
	Body    []byte
	Message protocol.Message // of the body
}

// Responder chooses the answer to a request.
type Responder func(r Request) Exchange

// Exchange is an answer: bytes with events between them. {{id}} and {{token}}
// stand for the request's, as in Step. When the pieces are done the connection
// is closed.
type Exchange []Piece

// Piece is a part of an answer: what is set happens in the order of the fields.
type Piece struct {
	Wait  <-chan struct{} // until it can be received from
	Delay time.Duration
	Bytes string
	Hang  bool            // until the client or the test closes the connection
	Gone  chan<- struct{} // closed when the client has ended a Hang
	Reset bool            // abort the connection with RST
}

// NewHTTP starts a server that answers 404 to all that On does not know. It
// ends with the test.
func NewHTTP(tb testing.TB) *HTTPServer { return newHTTP(tb, false) }

// NewHTTPS is NewHTTP with TLS. See CAFile.
func NewHTTPS(tb testing.TB) *HTTPServer { return newHTTP(tb, true) }

func newHTTP(tb testing.TB, secure bool) *HTTPServer {
	tb.Helper()
	s := &HTTPServer{tb: tb, on: map[string]Responder{}, stop: make(chan struct{}), wake: make(chan struct{})}
	s.srv = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	s.srv.Config.ErrorLog = log.New(io.Discard, "", 0) // broken handshakes are what tests are about
	if secure {
		s.srv.TLS = &tls.Config{NextProtos: []string{"http/1.1"}}
		s.srv.StartTLS()
	} else {
		s.srv.Start()
	}
	s.URL = s.srv.URL + "/mcp"
	tb.Cleanup(s.close)
	return s
}

func (s *HTTPServer) close() {
	close(s.stop)
	s.srv.CloseClientConnections()
	s.busy.Wait()
	s.srv.Close()
}

// CAFile writes the certificate of a TLS server to a PEM file.
func (s *HTTPServer) CAFile() string {
	s.tb.Helper()
	path := filepath.Join(s.tb.TempDir(), "ca.pem")
	b := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.srv.Certificate().Raw})
	if err := os.WriteFile(path, b, 0o600); err != nil {
		s.tb.Fatal(err)
	}
	return path
}

// On sets the answer to requests. The key is an HTTP method, or an HTTP method,
// a blank and an MCP method, or these and another blank and params.name or
// params.uri. The longest key that fits is used.
func (s *HTTPServer) On(key string, r Responder) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.on[key] = r
}

// Requests returns what came so far.
func (s *HTTPServer) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Await returns the first n requests that match, as soon as there are so many,
// or what there is when ctx ends.
func (s *HTTPServer) Await(ctx context.Context, n int, match func(Request) bool) []Request {
	for {
		s.mu.Lock()
		var found []Request
		for _, r := range s.requests {
			if match(r) {
				found = append(found, r)
			}
		}
		wake := s.wake
		s.mu.Unlock()
		if len(found) >= n {
			return found[:n]
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return found
		}
	}
}

// Is matches requests with that HTTP method and MCP method; "" is any.
func Is(method, rpc string) func(Request) bool {
	return func(r Request) bool {
		return (method == "" || r.Method == method) && (rpc == "" || r.Message.Method == rpc)
	}
}

func (s *HTTPServer) serve(w http.ResponseWriter, hr *http.Request) {
	s.busy.Add(1)
	defer s.busy.Done()
	body, err := io.ReadAll(hr.Body)
	if err != nil {
		return
	}
	r := Request{Method: hr.Method, Path: hr.URL.RequestURI(), Header: hr.Header, Body: body, Message: protocol.Parse(body)}
	r.Header.Set("Host", hr.Host)
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	defer func() { _ = conn.Close() }()
	for _, p := range s.record(r)(r) {
		if !s.play(conn, r, p) {
			return
		}
	}
}

func (s *HTTPServer) record(r Request) Responder {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
	close(s.wake)
	s.wake = make(chan struct{})
	rpc := r.Method + " " + r.Message.Method
	for _, key := range []string{rpc + " " + protocol.NameOf(r.Message.Method, r.Message.Params), rpc, r.Method} {
		if f, ok := s.on[key]; ok {
			return f
		}
	}
	return Status(404, "text/plain", "no such page")
}

func (s *HTTPServer) play(conn net.Conn, r Request, p Piece) bool {
	if p.Wait != nil {
		select {
		case <-p.Wait:
		case <-s.stop:
			return false
		}
	}
	if p.Delay > 0 {
		select {
		case <-time.After(p.Delay):
		case <-s.stop:
			return false
		}
	}
	if p.Bytes != "" {
		if _, err := conn.Write(fill([]byte(p.Bytes), r.Message, 0)); err != nil {
			return false
		}
	}
	if p.Hang {
		gone := make(chan struct{})
		go func() {
			defer close(gone)
			_, _ = io.Copy(io.Discard, conn)
		}()
		select {
		case <-gone:
			if p.Gone != nil {
				close(p.Gone)
			}
		case <-s.stop:
			_ = conn.Close()
			<-gone
		}
		return false
	}
	if p.Reset {
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
		return false
	}
	return true
}

// RawAnswer answers with bytes from the status line on.
func RawAnswer(bytes string) Responder { return Pieces(Piece{Bytes: bytes}) }

// Pieces answers with the same pieces each time.
func Pieces(pieces ...Piece) Responder {
	return func(Request) Exchange { return pieces }
}

// Status answers with a whole body and its length.
func Status(code int, contentType, body string, headers ...string) Responder {
	return func(r Request) Exchange {
		filled := fill([]byte(body), r.Message, 0)
		return Exchange{{Bytes: Head(code, contentType, append(headers, "Content-Length: "+strconv.Itoa(len(filled)))...) + string(filled)}}
	}
}

// JSON answers 200 with a JSON body.
func JSON(body string, headers ...string) Responder {
	return Status(200, "application/json", body, headers...)
}

// Result answers 200 with a JSON-RPC result for the request's id.
func Result(result string, headers ...string) Responder {
	return JSON(`{"jsonrpc":"2.0","id":{{id}},"result":`+result+`}`, headers...)
}

// Stream answers 200 with an event stream that ends when the pieces do.
func Stream(pieces ...Piece) Responder {
	return Pieces(append([]Piece{{Bytes: Head(200, "text/event-stream")}}, pieces...)...)
}

// Events answers 200 with an event stream of these bytes.
func Events(bytes ...string) Responder { return Stream(Piece{Bytes: strings.Join(bytes, "")}) }

// InTurn answers each request with the next responder, and further ones with
// the last.
func InTurn(rs ...Responder) Responder {
	var mu sync.Mutex
	i := 0
	return func(r Request) Exchange {
		mu.Lock()
		next := rs[min(i, len(rs)-1)]
		i++
		mu.Unlock()
		return next(r)
	}
}

// Head returns a status line and headers, each as "Name: value", with the
// blank line.
func Head(code int, contentType string, headers ...string) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\nConnection: close\r\n", code, http.StatusText(code))
	if contentType != "" {
		fmt.Fprintf(&b, "Content-Type: %s\r\n", contentType)
	}
	for _, h := range headers {
		b.WriteString(h + "\r\n")
	}
	b.WriteString("\r\n")
	return b.String()
}

// ServeMCP makes s a well-behaved Streamable HTTP server of 2025-11-25, as
// Server is for stdio, with the session id "session-1" and no GET stream.
func (s *HTTPServer) ServeMCP() {
	s.On("POST server/discover", Status(400, "application/json", `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: no session"}}`))
	s.On("POST initialize", Result(InitializeResult, "Mcp-Session-Id: session-1"))
	s.On("POST notifications/initialized", Status(202, "", ""))
	s.On("POST notifications/cancelled", Status(202, "", ""))
	s.On("POST ping", Result(`{}`))
	s.On("POST tools/list", Result(ToolsResult))
	s.On("POST tools/call", Result(CallResult))
	s.On("GET", Status(405, "text/plain", "Method Not Allowed"))
	s.On("DELETE", Status(200, "", ""))
}
