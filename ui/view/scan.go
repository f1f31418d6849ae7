package view

import (
	"cmp"
	"context"
	"slices"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session"
)

// Bounds of what a recording is searched for.
const (
	scanFindings = 500
	scanStderr   = 64 << 10
)

// scan finds in a recording what a session would have known: who the server
// said it was, what both sides declared, what was odd, and the last of its
// standard error.
func (c *Conn) scan(ctx context.Context) {
	s := &scanner{log: c.Log()}
	steps := []struct {
		filter string
		take   func(seq uint64)
	}{
		{"method:initialize|server/discover kind:request|result", s.handshake},
		{"kind:bad", s.finding},
		{"is:problem -kind:bad", s.finding},
		{"kind:stderr", s.stderr},
	}
	for _, step := range steps {
		filter, err := recorder.ParseFilter(step.filter)
		if err != nil {
			return // a filter of ours: its test fails
		}
		err = s.log.Find(ctx, filter, 0, 0, func(seqs []uint64) bool {
			for _, seq := range seqs {
				step.take(seq)
			}
			return ctx.Err() == nil
		})
		if err != nil {
			return
		}
	}
	slices.SortStableFunc(s.state.Findings, func(a, b session.Finding) int { return cmp.Compare(a.Seq, b.Seq) })
	c.mu.Lock()
	s.state.Target = c.server.Target
	c.state = s.state
	c.mu.Unlock()
	c.o.Changed()
}

type scanner struct {
	log   *recorder.Log
	state session.State
}

// handshake takes what both sides said of themselves; the last word counts.
func (s *scanner) handshake(seq uint64) {
	m, err := s.log.Message(seq)
	if err != nil {
		return
	}
	head := s.log.Head(seq)
	switch {
	case m.Kind == protocol.Request && head.Method == protocol.MethodInitialize:
		if v, _, ok := protocol.Lookup(m.Params, "/capabilities"); ok {
			s.state.ClientCapabilities = v
		}
	case m.Kind == protocol.Request:
		if v, _, ok := protocol.Lookup(m.Params, "/_meta/io.modelcontextprotocol~1clientCapabilities"); ok {
			s.state.ClientCapabilities = v
		}
	case m.Kind == protocol.Result && head.Method == protocol.MethodInitialize:
		s.state.Server = protocol.DecodeInitialize(m.Result)
		s.state.Revision, _ = protocol.RevisionByName(s.state.Server.Revision)
	case m.Kind == protocol.Result:
		s.state.Server, s.state.SupportedVersions = protocol.DecodeDiscover(m.Result)
		s.state.Revision = protocol.NewestModern()
	}
	s.state.ServerCapabilities = protocol.DecodeServerCapabilities(s.state.Server.Capabilities)
}

func (s *scanner) finding(seq uint64) {
	var problems []protocol.Problem
	if s.log.Head(seq).Kind == recorder.KindBad {
		if e, err := s.log.Read(seq, previewBytes); err == nil {
			problems = badProblems(e)
		}
	} else if m, err := s.log.Message(seq); err == nil {
		problems = m.Problems
	}
	s.state.FindingCount += len(problems)
	if len(s.state.Findings) >= scanFindings {
		return
	}
	for _, p := range problems {
		s.state.Findings = append(s.state.Findings, session.Finding{Seq: seq, Problem: p})
	}
}

func (s *scanner) stderr(seq uint64) {
	e, err := s.log.Read(seq, scanStderr)
	if err != nil {
		return
	}
	tail := s.state.StderrTail + string(e.Data)
	s.state.StderrTail = tail[max(0, len(tail)-scanStderr):]
}
