package session

import (
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session/link"
)

const (
	maxFindings   = 500      // kept in State
	maxStderrTail = 16 << 10 // bytes kept in State
)

// view holds what State shows besides calls, peers and listings, the snapshot
// made of it, and who wants to know. Session.mu guards it.
type view struct {
	phase        Phase
	err          string
	target       Target
	transportNow string
	steps        []Step
	stepsGone    int // steps dropped from the front
	revision     *protocol.Revision
	server       protocol.ServerInfo
	serverCaps   protocol.ServerCapabilities
	clientCaps   jsontext.Value
	versions     []string
	sessionID    string
	process      int
	exit         *link.Exit
	stderr       []byte
	answer       *link.Answer
	findings     []Finding // append-only between trims: snapshots share the array
	findingCount int
	roundTrip    time.Duration

	dirty      bool
	callsDirty bool
	snapshot   State
	watchers   []chan struct{}
}

func (v *view) start(t Target) {
	v.target, v.dirty, v.callsDirty = t, true, true
}

func (v *view) transport(name string) {
	v.transportNow, v.process, v.exit, v.stderr = name, 0, nil, nil
}

func (v *view) pid(n int) { v.process = n }

// changed marks the snapshot as old and wakes the watchers. mu is held.
func (s *Session) changed() {
	s.view.dirty = true
	for _, w := range s.view.watchers {
		select {
		case w <- struct{}{}:
		default:
		}
	}
}

// callsChanged is changed for the calls. mu is held.
func (s *Session) callsChanged() {
	s.view.callsDirty = true
	s.changed()
}

// Watch returns a channel that holds a token whenever State has changed since
// the last receive. stop ends it.
func (s *Session) Watch() (wake <-chan struct{}, stop func()) {
	w := make(chan struct{}, 1)
	w <- struct{}{}
	s.mu.Lock()
	s.view.watchers = append(s.view.watchers, w)
	s.mu.Unlock()
	return w, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.view.watchers = slices.DeleteFunc(slices.Clone(s.view.watchers), func(other chan struct{}) bool { return other == w })
	}
}

// State returns what is known now. It is made anew only when something changed,
// and may be called for each frame.
func (s *Session) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := &s.view
	if !v.dirty {
		return v.snapshot
	}
	st := State{
		Phase: v.phase, Err: v.err, Target: v.target, Transport: v.transportNow,
		Steps: slices.Clone(v.steps), Revision: v.revision, Server: v.server,
		ServerCapabilities: v.serverCaps, ClientCapabilities: v.clientCaps,
		SupportedVersions: v.versions, SessionID: v.sessionID, PID: v.process, Exit: v.exit,
		StderrTail: tail(v.stderr), LastAnswer: v.answer, Lists: s.listed.states(),
		Calls: v.snapshot.Calls, Roots: s.o.Roots, Capabilities: s.o.Capabilities, Visits: slices.Clone(s.asks.visits),
		Findings: slices.Clip(v.findings[max(0, len(v.findings)-maxFindings):]), FindingCount: v.findingCount,
		RoundTrip:     v.roundTrip,
		Subscriptions: s.live.subs.snapshot(), Watches: s.watchStates(), Logging: s.loggingState(),
		Pings: slices.Clip(s.live.pings[max(0, len(s.live.pings)-maxPings):]), KeepAlive: s.live.keepAlive,
		Unresponsive: s.live.silent, AutoReread: s.live.autoReread,
		Tasks: s.taskStates(), TaskCapabilities: s.taskCapabilities(),
	}
	st.Asks, st.Peers = s.asks.snapshot()
	if v.callsDirty {
		st.Calls = s.calls.snapshot()
	}
	s.log.localize(&st)
	v.snapshot, v.dirty, v.callsDirty = st, false, false
	return st
}

// find adds a finding. mu is held.
func (s *Session) find(seq uint64, p protocol.Problem) {
	v := &s.view
	if len(v.findings) >= 2*maxFindings {
		v.findings = slices.Clone(v.findings[len(v.findings)-maxFindings+1:])
	}
	v.findings = append(v.findings, Finding{Seq: seq, Problem: p})
	v.findingCount++
	s.changed()
}

// findAll adds the findings that are more than information. mu is held.
func (s *Session) findAll(seq uint64, problems []protocol.Problem) {
	for _, p := range problems {
		if p.Severity != protocol.Info {
			s.find(seq, p)
		}
	}
}

// noteAnswer keeps an HTTP answer that was not a success.
func (s *Session) noteAnswer(a link.Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.view.answer = &a
	s.changed()
}

// stderr keeps the end of what the server wrote to its standard error.
func (s *Session) stderr(data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := &s.view
	v.stderr = append(v.stderr, data...)
	if len(v.stderr) > 2*maxStderrTail {
		v.stderr = append(v.stderr[:0], v.stderr[len(v.stderr)-maxStderrTail:]...)
	}
	s.changed()
}

// tail is the end of b in whole lines.
func tail(b []byte) string {
	if len(b) <= maxStderrTail {
		return string(b)
	}
	text := string(b[len(b)-maxStderrTail:])
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		text = text[i+1:]
	}
	return text
}

func warning(rule, text string) protocol.Problem {
	return protocol.Problem{Rule: rule, Severity: protocol.Warning, Offset: -1, Text: text}
}

func violation(rule, text string) protocol.Problem {
	return protocol.Problem{Rule: rule, Severity: protocol.Violation, Offset: -1, Text: text}
}

func information(rule, text string) protocol.Problem {
	return protocol.Problem{Rule: rule, Severity: protocol.Info, Offset: -1, Text: text}
}
