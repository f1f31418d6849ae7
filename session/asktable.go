package session

import (
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

const (
	maxAsks   = 256 // open questions of the server
	maxVisits = 256
)

// ask is an Ask with what the session needs to answer it.
type ask struct {
	Ask
	conn    *conn
	message protocol.Message // the request of the server; empty for others
	channel string           // of message
	paused  []*Call          // whose clocks stand still because of it
	call    *Call            // that an input request belongs to
	task    *task            // that it belongs to
}

// isRequest reports whether it is a request of the server, to be answered with
// a response.
func (a *ask) isRequest() bool { return a.Legacy && !a.FromError }

// askTable holds what waits for the person in the order in which it came.
// Session.mu guards it.
type askTable struct {
	nextKey uint64
	open    []*ask
	visits  []Visit // the newest

	fresh bool // the snapshots below are of open
	shown []Ask
	peers []PeerRequest
}

func (t *askTable) snapshot() ([]Ask, []PeerRequest) {
	if !t.fresh {
		t.shown, t.peers, t.fresh = nil, nil, true
		for _, a := range t.open {
			t.shown = append(t.shown, a.Ask)
			if a.isRequest() {
				t.peers = append(t.peers, PeerRequest{Key: a.Key, Seq: a.Seq, Channel: a.channel, Message: a.message, Cause: a.Cause, At: a.At})
			}
		}
	}
	return t.shown, t.peers
}

func (t *askTable) byKey(key uint64) *ask {
	for _, a := range t.open {
		if a.Key == key {
			return a
		}
	}
	return nil
}

// full reports whether n more would be too many.
func (t *askTable) full(n int) bool { return len(t.open)+n > maxAsks }

// asksChanged is changed for the asks. mu is held.
func (s *Session) asksChanged() {
	s.asks.fresh = false
	s.callsChanged()
}

// addAsk puts a question to the person. mu is held.
func (s *Session) addAsk(a *ask, cause *Call) {
	s.asks.nextKey++
	a.Key, a.At = s.asks.nextKey, time.Now()
	if cause != nil {
		a.Cause, a.CauseMethod, a.CauseName = cause.st.Key, cause.st.Method, cause.st.Name
	}
	for _, call := range a.paused {
		call.pause(a.At)
	}
	if a.Kind == AskURL && a.ElicitationID != "" {
		if len(s.asks.visits) == maxVisits {
			s.asks.visits = s.asks.visits[1:]
		}
		s.asks.visits = append(slices.Clip(s.asks.visits), Visit{ElicitationID: a.ElicitationID, URL: a.URL, Cause: a.Cause, At: a.At})
	}
	s.asks.open = append(s.asks.open, a)
	s.asksChanged()
}

// removeAsk takes a question off the list and lets the clocks run again. mu is
// held.
func (s *Session) removeAsk(a *ask) {
	i := slices.Index(s.asks.open, a)
	if i < 0 {
		return
	}
	s.asks.open = slices.Delete(s.asks.open, i, i+1)
	now := time.Now()
	for _, call := range a.paused {
		call.resume(now)
	}
	s.asksChanged()
}

// removeAsks takes those off the list that are chosen. mu is held.
func (s *Session) removeAsks(chosen func(*ask) bool) {
	for _, a := range slices.Clone(s.asks.open) {
		if chosen(a) {
			s.removeAsk(a)
		}
	}
}

// dropAsks takes the requests of a link that is lost off the list. mu is held.
func (s *Session) dropAsks(c *conn) {
	s.removeAsks(func(a *ask) bool { return a.conn == c && a.isRequest() })
}

// dropRound takes the input requests of a call that has ended off the list. mu
// is held.
func (s *Session) dropRound(c *Call) {
	if len(c.st.Rounds) > 0 {
		s.removeAsks(func(a *ask) bool { return a.call == c })
	}
}

// describe fills in what the params of a question say and checks them. r is the
// revision that they came in, caps what the client had declared.
func (a *ask) describe(r *protocol.Revision, caps jsontext.Value) {
	switch a.Method {
	case protocol.MethodElicit:
		e := protocol.DecodeElicitation(a.Params, r)
		a.Message, a.Schema, a.URL, a.ElicitationID = e.Message, e.Schema, e.URL, e.ID
		a.Problems = append(a.Problems, e.Problems...)
		if a.Kind = AskForm; e.Mode == protocol.ElicitURL {
			a.Kind = AskURL
		}
	case protocol.MethodSampling:
		a.Kind = AskSampling
		a.Problems = append(a.Problems, protocol.DecodeSampling(a.Params).Problems...)
		a.Problems = append(a.Problems, undeclaredContext(caps, r, a.Params)...)
	case protocol.MethodRootsList:
		a.Kind = AskRoots
	default:
		a.Kind = AskOther
	}
}

// findInside adds the problems of a part of a message, whose places count from
// that part, as findings. mu is held.
func (s *Session) findInside(seq uint64, raw []byte, pointer string, problems []protocol.Problem) {
	_, at, ok := protocol.Lookup(raw, pointer)
	for _, p := range problems {
		p.Pointer = pointer + p.Pointer
		if p.Offset >= 0 && ok {
			p.Offset += at
		}
		s.find(seq, p)
	}
}

func tooManyAsks(method string) protocol.Problem {
	return violation("BASE-22", fmt.Sprintf("The server has %d open questions; %s was not put to anyone.", maxAsks, method))
}
