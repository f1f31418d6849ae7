package replay

import (
	"context"
	"fmt"
	"sync"
	"time"

	"mcploupe/recorder"
)

// Latency says when a Server answers.
type Latency uint8

// The latencies: at once, or after the time that the recorded server took. The
// time for which a person was asked is never waited for.
const (
	None Latency = iota
	Recorded
)

// ServerOptions tune a Server. The zero value is fine.
type ServerOptions struct {
	Latency Latency
	Match   Match
	// Modern offers 2026-07-28 also where the recorded server does not know
	// server/discover.
	Modern bool
	// OnRemark is told of each new remark, from many goroutines.
	OnRemark func(Remark)
	// OnRequest is told of each request that has ended, pings left out, from many
	// goroutines.
	OnRequest func(Served)
}

// Served is a request that a Server has dealt with.
type Served struct {
	Client  int // that sent it, from 1
	Method  string
	Name    string
	Took    time.Duration
	Given   bool   // an answer was given; not when the client gave up
	Fault   string // of an answer that is an error
	Refused bool   // the recording has no answer: the error is the server's own
}

// Server stands in for a recorded server. Its methods may be called from any
// goroutine.
type Server struct {
	script *script
	o      ServerOptions
	book   book
	ctx    context.Context // ends with Close
	end    context.CancelFunc
	wg     sync.WaitGroup

	mu     sync.Mutex
	closed bool
}

// NewServer prepares a recording to be served. The caller closes the Server
// before the log.
func NewServer(ctx context.Context, l *recorder.Log, o ServerOptions) (*Server, error) {
	sc, err := load(ctx, l)
	if err != nil {
		return nil, fmt.Errorf("preparing the recording: %w", err)
	}
	s := &Server{script: sc, o: o, book: book{tell: o.OnRemark}}
	s.ctx, s.end = context.WithCancel(context.Background())
	return s, nil
}

// Report says what was done so far.
func (s *Server) Report() Report { return s.book.snapshot() }

// Revision is the revision that the recording speaks, "" if it is unknown.
func (s *Server) Revision() string { return s.script.cat.Revision }

// Requests is how many requests of a client the recording has.
func (s *Server) Requests() int { return len(s.script.legs) }

// Close ends what is being answered and waits for it. It is idempotent.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.end()
	s.wg.Wait()
}

// spawn runs f in a goroutine that Close waits for.
func (s *Server) spawn(f func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.wg.Add(1)
	go func() {
		defer s.wg.Done()
		f()
	}()
	return true
}
