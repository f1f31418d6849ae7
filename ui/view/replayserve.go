package view

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"mcploupe/recorder"
	"mcploupe/recorder/replay"
	"mcploupe/ui/view/human"
)

// ServeOptions are what a stand-in server needs of the program.
type ServeOptions struct {
	Command string // this program, for the command line of the stdio server
	Now     func() time.Time
	Changed func() // called from any goroutine, must only mark
}

// Serve lets a recording stand in for its server at an address of this machine.
// Its methods are safe for concurrent use.
type Serve struct {
	path string
	o    ServeOptions
	ctx  context.Context // ends with Close
	end  context.CancelFunc
	work sync.WaitGroup

	mu       sync.Mutex
	closed   bool
	starting bool
	why      string // why it does not serve
	log      *recorder.Log
	server   *replay.Server
	http     *replay.HTTPServer
	began    time.Time
	latency  bool
	nearest  bool
	requests []ServedRow // the newest, within bounds
	dropped  int         // older ones that are not kept
}

// ServedRow is a request that was dealt with.
type ServedRow struct {
	At, Client, Method, Name string
	Glyph, Word              string
	Tone                     Tone
	Took                     string
	Note                     string
}

// maxServed bounds the requests that are kept.
const maxServed = 2000

// NewServe is a stand-in that is not started yet.
func NewServe(path string, o ServeOptions) *Serve {
	s := &Serve{path: path, o: o}
	s.ctx, s.end = context.WithCancel(context.Background())
	return s
}

// Title names the recording, at most 40 runes.
func (s *Serve) Title() string { return TitleOfFile(s.path) }

// SetLatency lets the next start take the time that the recorded server took.
func (s *Serve) SetLatency(recorded bool) {
	s.mu.Lock()
	s.latency = recorded
	s.mu.Unlock()
}

// SetNearest lets the next start give the answer to the most similar arguments
// when none are equal.
func (s *Serve) SetNearest(on bool) {
	s.mu.Lock()
	s.nearest = on
	s.mu.Unlock()
}

// Start serves at addr, "127.0.0.1:0" for a free port.
func (s *Serve) Start(addr string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.starting || s.http != nil {
		return
	}
	s.starting, s.why, s.requests, s.dropped = true, "", nil, 0
	o := replay.ServerOptions{OnRequest: s.dealt, OnRemark: func(replay.Remark) { s.o.Changed() }}
	if s.latency {
		o.Latency = replay.Recorded
	}
	if s.nearest {
		o.Match = replay.Nearest
	}
	s.work.Go(func() { s.start(strings.TrimSpace(addr), o) })
	s.o.Changed()
}

func (s *Serve) start(addr string, o replay.ServerOptions) {
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	log, err := recorder.OpenToRead(s.ctx, s.path, nil)
	var server *replay.Server
	var at *replay.HTTPServer
	if err == nil {
		server, err = replay.NewServer(s.ctx, log, o)
	}
	if err == nil {
		at, err = server.ListenHTTP(addr)
	}
	s.mu.Lock()
	s.starting, s.why = false, ""
	if err == nil && !s.closed {
		s.log, s.server, s.http, s.began = log, server, at, s.o.Now()
		s.mu.Unlock()
		s.o.Changed()
		return
	}
	if err != nil {
		s.why = line(err.Error(), 600)
	}
	s.mu.Unlock()
	_ = shut(at, server, log) // nothing was served, and why is said
	s.o.Changed()
}

func shut(at *replay.HTTPServer, server *replay.Server, log *recorder.Log) error {
	var errs []error
	if at != nil {
		errs = append(errs, at.Close())
	}
	if server != nil {
		server.Close()
	}
	if log != nil {
		errs = append(errs, log.Close())
	}
	return errors.Join(errs...)
}

// Stop ends the serving in the background.
func (s *Serve) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.http == nil {
		return
	}
	s.work.Go(func() { s.halt() })
}

func (s *Serve) halt() {
	s.mu.Lock()
	at, server, log := s.http, s.server, s.log
	s.http = nil
	s.mu.Unlock()
	if at == nil {
		return
	}
	err := at.Close()
	server.Close()
	err = errors.Join(err, log.Close())
	s.mu.Lock()
	if err != nil {
		s.why = line(err.Error(), 300)
	}
	s.mu.Unlock()
	s.o.Changed()
}

// Close ends the serving and waits for it.
func (s *Serve) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.end()
	s.work.Wait()
	s.halt()
	return nil
}

// dealt takes a request that has ended, from many goroutines.
func (s *Serve) dealt(q replay.Served) {
	row := ServedRow{At: human.Clock(s.o.Now()), Client: human.Count(q.Client), Method: line(q.Method, 60), Name: line(q.Name, 120), Took: human.Duration(q.Took)}
	switch {
	case !q.Given:
		row.Glyph, row.Word, row.Tone, row.Note = "–", "given up", Muted, "the client gave it up"
	case q.Refused:
		row.Glyph, row.Word, row.Tone, row.Note = "✕", "refused", Bad, line(q.Fault, 400)
	case q.Fault != "":
		row.Glyph, row.Word, row.Tone, row.Note = "!", "error", Caution, line(q.Fault, 400)
	default:
		row.Glyph, row.Word, row.Tone = "✓", "answered", Good
	}
	s.mu.Lock()
	if len(s.requests) >= maxServed {
		cut := maxServed / 4
		s.requests = append(s.requests[:0:0], s.requests[cut:]...)
		s.dropped += cut
	}
	s.requests = append(s.requests, row)
	s.mu.Unlock()
	s.o.Changed()
}

// ServeRemark is something that was not as recorded.
type ServeRemark struct {
	Glyph string
	Tone  Tone
	Kind  string
	What  string // method and name
	Text  string
	Times string
}

// ServeState is a stand-in at one moment, for the page.
type ServeState struct {
	Serving  bool
	Starting bool
	Why      string
	Line     string
	Detail   string
	Glyph    string
	Tone     Tone
	URL      string // "" when it does not serve
	Requests []ServedRow
	Dropped  int
	Remarks  []ServeRemark
	Left     int // remarks that are not kept
}

// Command is the line that serves the recording over stdio, for the
// configuration of a client.
func (s *Serve) Command() string {
	command := s.o.Command
	if command == "" {
		command = "mcploupe"
	}
	return quoteWord(command) + " serve " + quoteWord(s.path)
}

// quoteWord keeps a word whole in a shell.
func quoteWord(word string) string {
	plain := strings.IndexFunc(word, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:@%,=", r))
	}) < 0
	if plain && word != "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// State is the stand-in as it is now.
func (s *Serve) State() ServeState {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := ServeState{Starting: s.starting, Why: s.why, Requests: s.requests[:len(s.requests):len(s.requests)], Dropped: s.dropped, Glyph: "○", Tone: Muted, Line: "Not serving", Detail: s.why}
	if s.server != nil {
		report := s.server.Report()
		st.Left = report.Left
		for _, r := range report.Remarks {
			st.Remarks = append(st.Remarks, remarkOf(r))
		}
		refused := report.Count(replay.Refused)
		words := fmt.Sprintf("%s, %s, %s from the recording", human.Plural(report.Clients, "client", "clients"), human.Plural(report.Requests, "request", "requests"), human.Count(report.Answered))
		if refused > 0 {
			words += ", " + human.Count(refused) + " refused"
		}
		st.Detail = words
		if s.why != "" {
			st.Detail = s.why
		}
	}
	switch {
	case s.starting:
		st.Glyph, st.Tone, st.Line, st.Detail = "◌", Caution, "Reading the recording …", ""
	case s.http != nil:
		st.Serving, st.URL, st.Glyph, st.Tone, st.Line = true, s.http.URL(), "●", Good, "Serving"
		if v := s.server.Revision(); v != "" {
			st.Line += " what was recorded in " + line(v, 30)
		}
	case s.why != "":
		st.Glyph, st.Tone, st.Line = "✕", Bad, "It cannot be served"
	case s.server != nil:
		st.Glyph, st.Line = "■", "Stopped"
	}
	return st
}

func remarkOf(r replay.Remark) ServeRemark {
	out := ServeRemark{Glyph: "!", Tone: Caution, Kind: string(r.Kind), What: line(strings.TrimSpace(r.Method+" "+r.Name), 120), Text: line(asSentence(r.Text), 500), Times: human.Count(r.Count)}
	switch r.Kind {
	case replay.Refused:
		out.Glyph, out.Tone = "✕", Bad
	case replay.Fitted, replay.Repeated:
		out.Glyph, out.Tone = "i", Muted
	}
	return out
}
