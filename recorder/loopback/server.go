package loopback

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// Server serves HTTP to this machine alone.
type Server struct {
	server http.Server
	origin string
	failed chan error
	served chan struct{}
	conns  sync.WaitGroup
	once   sync.Once
	err    error
}

// Listen serves h at addr, see Address and Guard; port 0 picks a free one. The
// contexts of requests end with ctx.
func Listen(ctx context.Context, addr string, h http.Handler) (*Server, error) {
	addr, err := Address(addr)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listening: %w", err)
	}
	s := &Server{origin: "http://" + l.Addr().String(), failed: make(chan error, 1), served: make(chan struct{})}
	s.server = http.Server{Handler: Guard(h), ReadHeaderTimeout: 10 * time.Second,
		BaseContext: func(net.Listener) context.Context { return ctx },
		ConnState: func(_ net.Conn, state http.ConnState) {
			switch state {
			case http.StateNew:
				s.conns.Add(1)
			case http.StateClosed, http.StateHijacked:
				s.conns.Done()
			}
		},
	}
	go func() {
		defer close(s.served)
		if err := s.server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			s.failed <- fmt.Errorf("listening: %w", err)
		}
	}()
	return s, nil
}

// Origin is where the server is reached, without a path: "http://127.0.0.1:7310".
func (s *Server) Origin() string { return s.origin }

// Failed says why the server does not listen any more, unless it was closed.
func (s *Server) Failed() <-chan error { return s.failed }

// Close ends all requests and waits for every goroutine. It is idempotent.
func (s *Server) Close() error {
	s.once.Do(func() {
		s.err = s.server.Close()
		<-s.served
		s.conns.Wait()
	})
	return s.err
}
