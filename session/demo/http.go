package demo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxBody bounds a request's body, in bytes.
	maxBody = 16 << 20
	// maxSessions bounds the sessions of clients that shake hands; one that leaves without DELETE keeps its place for a day.
	maxSessions    = 64
	sessionTimeout = 24 * time.Hour
	// maxReplay bounds what is kept for clients that come back with Last-Event-ID, in bytes.
	maxReplay = 32 << 20
)

// HTTPServer is the demo over Streamable HTTP. Close it when done.
type HTTPServer struct {
	station *station
	server  *http.Server
	url     string
	end     context.CancelFunc
	served  chan struct{}
	conns   sync.WaitGroup

	closing sync.Once
	err     error
}

// ListenHTTP starts the demo at addr, "host:port", with the endpoint /mcp for all revisions. Without a host it listens on
// 127.0.0.1; port 0 picks a free one. Requests whose Host or Origin is not this server's are refused.
func ListenHTTP(addr string) (*HTTPServer, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("reading the address: %w", err)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, fmt.Errorf("listening: %w", err)
	}
	h := &HTTPServer{served: make(chan struct{})}
	h.url = "http://" + l.Addr().String()
	h.station, err = newStation(func(*visits) (string, error) { return h.url, nil })
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", h.endpoint())
	h.station.visits.routes(mux)
	ctx, end := context.WithCancel(context.Background())
	h.end = end
	h.server = &http.Server{
		Handler:           guard(host, mux),
		ReadHeaderTimeout: 10 * time.Second,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ConnState: func(_ net.Conn, s http.ConnState) {
			switch s {
			case http.StateNew:
				h.conns.Add(1)
			case http.StateClosed, http.StateHijacked:
				h.conns.Done()
			}
		},
	}
	go func() {
		defer close(h.served)
		_ = h.server.Serve(l) // always ErrServerClosed, from Close
	}()
	return h, nil
}

// URL is the address of the endpoint.
func (h *HTTPServer) URL() string { return h.url + "/mcp" }

// Close ends all requests and sessions and waits for every goroutine. It may be called more than once.
func (h *HTTPServer) Close() error {
	h.closing.Do(func() {
		h.end()
		err := h.server.Close()
		<-h.served
		// The handlers see the end of their contexts; a session is closed by the station as soon as it is there.
		first := h.station.close()
		h.conns.Wait()
		h.err = errors.Join(err, first, h.station.close())
	})
	return h.err
}

// endpoint serves both eras in one place: what names the stateless revision goes to a handler without sessions, all else
// to one with sessions and resumable streams.
func (h *HTTPServer) endpoint() http.Handler {
	events := mcp.NewMemoryEventStore(nil)
	events.SetMaxBytes(maxReplay)
	server := func(*http.Request) *mcp.Server { return h.station.server }
	sessions := mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{
		EventStore: events, SessionTimeout: sessionTimeout, MaxRequestBodyBytes: maxBody, DisableLocalhostProtection: true,
	})
	single := mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{
		Stateless: true, PropagateRequestCancellation: true, MaxRequestBodyBytes: maxBody, DisableLocalhostProtection: true,
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w = namingWriter{w}
		modern := r.Header.Get("Mcp-Protocol-Version") >= stateless
		if r.Method != http.MethodPost {
			if modern {
				single.ServeHTTP(w, r) // which says that there is nothing to GET or DELETE
				return
			}
			sessions.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			var tooLarge *http.MaxBytesError
			if errors.As(err, &tooLarge) {
				http.Error(w, fmt.Sprintf("A request has at most %d bytes.", tooLarge.Limit), http.StatusRequestEntityTooLarge)
			}
			return // else the client is gone
		}
		body = keepText(body)
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		switch {
		case modern || r.Header.Get("Mcp-Session-Id") == "" && namesRevision(body):
			single.ServeHTTP(w, r)
		case r.Header.Get("Mcp-Session-Id") == "" && h.full():
			http.Error(w, "Too many sessions are open.", http.StatusServiceUnavailable)
		case polls(body):
			plain := &plainAnswer{header: http.Header{}}
			sessions.ServeHTTP(plain, r)
			plain.flush(w)
		default:
			sessions.ServeHTTP(w, r)
		}
	})
}

func (h *HTTPServer) full() bool {
	n := 0
	for range h.station.server.Sessions() {
		n++
	}
	return n >= maxSessions
}

// namesRevision reports whether a request says in its _meta that it is stateless.
func namesRevision(body []byte) bool {
	if !strings.Contains(string(body), mcp.MetaKeyProtocolVersion) {
		return false
	}
	v := jsontext.Value(body)
	for _, name := range []string{"params", "_meta", mcp.MetaKeyProtocolVersion} {
		fields, _ := members(v)
		v = nil
		for _, f := range fields {
			if f.name == name {
				v = f.value
			}
		}
	}
	return v != nil && v.Kind() == '"' && strings.Trim(string(v), `"`) >= stateless
}
