package replay

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"sort"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
)

// place is where a message stands: an event, or an item of a batch.
type place struct {
	seq  uint64
	item int32 // -1 for the whole message
}

func (p place) zero() bool { return p.seq == 0 }

// moment is what the server sent, or what the client replied to it, around an
// answer.
type moment struct {
	place
	exchange int32 // that it belongs to, -1 for none
	end      bool  // the answer that ended a subscription
}

// leg is one request of the recorded client: the first of an exchange, the
// retry of a round, a poll.
type leg struct {
	request, answer place
	exchange        int32
	group           int32
	retry           bool
	args            uint64   // hash of what tells requests of a group apart
	in              []moment // before its answer, in order
	after           []moment // after it and before the next request
}

// groupKey is by what a request is matched first.
type groupKey struct{ method, name string }

// group is the requests of one method and identity, in order.
type group struct {
	groupKey
	legs []int32
}

// script is a recording prepared to be played. It does not change.
type script struct {
	log      *recorder.Log
	ex       *recorder.Exchanges
	cat      recorder.Catalogue
	revision *protocol.Revision // spoken, nil if unknown
	legs     []leg
	groups   []group
	byKey    map[groupKey]int32
	seed     maphash.Seed
	unplaced int // messages of the server before the first request
}

var errEmpty = errors.New("the recording has no request of a client")

// load reads the recording once. It costs its index and about 200 bytes a
// request; messages are read again when they are played.
func load(ctx context.Context, l *recorder.Log) (*script, error) {
	s := &script{log: l, ex: l.Exchanges(), byKey: make(map[groupKey]int32), seed: maphash.MakeSeed()}
	s.ex.Take(ctx)
	cat, err := l.Catalogue(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading the catalogue of the recording: %w", err)
	}
	s.cat = cat
	s.revision, _ = protocol.RevisionByName(cat.Revision)
	for seq := uint64(1); seq <= l.Len(); seq++ {
		if seq%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if h := l.Head(seq); h.Kind == recorder.KindMessage {
			s.take(h)
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if len(s.legs) == 0 {
		return nil, errEmpty
	}
	return s, nil
}

func (s *script) take(h recorder.Head) {
	whole := place{h.Seq, -1}
	switch {
	case h.Message == protocol.Batch:
		m, err := s.log.Message(h.Seq)
		if err != nil {
			return
		}
		for i, item := range m.Items {
			s.takeItem(h, item, place{h.Seq, int32(i)})
		}
	case h.Dir == recorder.Out && h.Message == protocol.Request:
		if m, err := s.log.Message(h.Seq); err == nil {
			s.addLeg(m, whole)
		}
	case h.Dir == recorder.In && (h.Message == protocol.Result || h.Message == protocol.Error):
		if i := s.legAt(h.Partner); i >= 0 {
			s.answer(i, whole)
		}
	case h.Dir == recorder.In && (h.Message == protocol.Notification || h.Message == protocol.Request),
		h.Dir == recorder.Out && (h.Message == protocol.Result || h.Message == protocol.Error) && h.Partner != 0:
		s.put(whole)
	}
}

func (s *script) takeItem(h recorder.Head, m protocol.Message, at place) {
	switch m.Kind {
	case protocol.Request:
		if h.Dir == recorder.Out {
			s.addLeg(m, at)
			return
		}
		s.put(at)
	case protocol.Notification:
		if h.Dir == recorder.In {
			s.put(at)
		}
	case protocol.Result, protocol.Error:
		if h.Dir == recorder.Out {
			s.put(at)
			return
		}
		for i := len(s.legs) - 1; i >= 0 && i >= len(s.legs)-1000; i-- {
			if q := s.message(s.legs[i].request); s.legs[i].answer.zero() && q.ID.Equal(m.ID) {
				s.answer(i, at)
				return
			}
		}
	}
}

func (s *script) addLeg(m protocol.Message, at place) {
	key := groupKey{m.Method, protocol.NameOf(m.Method, m.Params)}
	g, ok := s.byKey[key]
	if !ok {
		g = int32(len(s.groups))
		s.byKey[key] = g
		s.groups = append(s.groups, group{groupKey: key})
	}
	l := leg{request: at, exchange: -1, group: g, args: maphash.Bytes(s.seed, argumentsKey(m.Method, m.Params))}
	if i, ok := s.ex.Of(at.seq); ok {
		l.exchange = int32(i)
		_, _, state := protocol.Lookup(m.Params, "/requestState")
		_, _, answers := protocol.Lookup(m.Params, "/inputResponses")
		l.retry = s.ex.At(i).Request < at.seq && (state || answers) && s.ex.At(i).Method == m.Method
	}
	if !l.retry {
		s.groups[g].legs = append(s.groups[g].legs, int32(len(s.legs)))
	}
	s.legs = append(s.legs, l)
}

// answer puts an answer with its request; that of a subscription is a moment of
// the request after which it came.
func (s *script) answer(i int, at place) {
	l := &s.legs[i]
	if !l.answer.zero() {
		return
	}
	l.answer = at
	if s.groups[l.group].method == protocol.MethodSubscriptionsListen && i != len(s.legs)-1 {
		last := &s.legs[len(s.legs)-1]
		last.put(moment{at, l.exchange, true})
	}
}

// put places a message of the server, or a reply to it, around the answer that
// it belongs to: that of its own exchange while this is open, else of the
// request before it.
func (s *script) put(at place) {
	if len(s.legs) == 0 {
		s.unplaced++
		return
	}
	m := moment{place: at, exchange: -1}
	target := len(s.legs) - 1
	if i, ok := s.ex.Of(at.seq); ok && s.ex.At(i).Dir == recorder.Out {
		m.exchange = int32(i)
		// A subscription lives on while other requests make things happen.
		if s.ex.At(i).Method != protocol.MethodSubscriptionsListen {
			if open := s.openLeg(int32(i), at.seq); open >= 0 {
				target = open
			}
		}
	}
	s.legs[target].put(m)
}

func (l *leg) put(m moment) {
	if l.answer.zero() {
		l.in = append(l.in, m)
		return
	}
	l.after = append(l.after, m)
}

// openLeg is the request of an exchange that waits for its answer and carried
// an event, -1 if there is none. A poll does so only by its channel.
func (s *script) openLeg(exchange int32, seq uint64) int {
	channel, found := s.log.Head(seq).Channel, -1
	for i := len(s.legs) - 1; i >= 0 && i >= len(s.legs)-1000; i-- {
		l := &s.legs[i]
		if l.exchange != exchange || !l.answer.zero() {
			continue
		}
		if s.groups[l.group].method != protocol.MethodTasksGet {
			found = i
		} else if found < 0 && channel == s.log.Head(l.request.seq).Channel {
			found = i
		}
	}
	return found
}

// legAt is the leg whose request is that event, -1 if there is none.
func (s *script) legAt(seq uint64) int {
	if seq == 0 {
		return -1
	}
	i := sort.Search(len(s.legs), func(i int) bool { return s.legs[i].request.seq >= seq })
	if i < len(s.legs) && s.legs[i].request.seq == seq {
		return i
	}
	return -1
}

// next is the retry that followed a leg in its exchange, -1 if there was none.
func (s *script) next(i int) int {
	if s.legs[i].exchange < 0 {
		return -1
	}
	last := s.ex.At(int(s.legs[i].exchange)).Last
	for n := i + 1; n < len(s.legs) && s.legs[n].request.seq <= last; n++ {
		if s.legs[n].exchange == s.legs[i].exchange && s.legs[n].retry {
			return n
		}
	}
	return -1
}

// message reads a message; the zero Message when it cannot be read.
func (s *script) message(p place) protocol.Message {
	if p.zero() {
		return protocol.Message{}
	}
	m, err := s.log.Message(p.seq)
	if err != nil || p.item < 0 {
		return m
	}
	if int(p.item) < len(m.Items) {
		return m.Items[p.item]
	}
	return protocol.Message{}
}

func (s *script) time(p place) time.Duration { return s.log.Head(p.seq).Time }
