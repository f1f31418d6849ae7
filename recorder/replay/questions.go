package replay

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/protocol/jsonvalue"
	"mcploupe/recorder"
)

// recordedReply is how the recorded client answered a question, wherever in the
// revisions that stood.
type recordedReply struct {
	method        string
	params        string // canonical
	exchange      int32  // that it was asked in, -1 if that is not known
	seq           uint64 // event that asked
	result, fault jsontext.Value
	used          int
}

// answerer answers the questions of a target from the recording.
type answerer struct {
	mu      sync.Mutex
	replies []recordedReply
	missing []string         // questions that the recording has no reply to
	owner   map[uint64]int32 // recorded exchange by key of the request that is played for it
	tell    func(Asked)      // may be nil
	leave   bool             // what the recording has no reply to
}

// Asked is a question of the target and what was replied to it.
type Asked struct {
	Question
	Seq           uint64         // event of the recorded question whose reply was given, 0 for none
	Result, Fault jsontext.Value // the reply
	Open          bool           // it was left to somebody else
}

// newAnswerer collects the recorded replies. Their text is kept: it is what a
// person or a model said.
func newAnswerer(s *script) *answerer {
	a := &answerer{owner: make(map[uint64]int32)}
	for i := range s.legs {
		for _, list := range [][]moment{s.legs[i].in, s.legs[i].after} {
			for _, mom := range list {
				if s.log.Head(mom.seq).Dir == recorder.In {
					a.takeRequest(s, mom)
				}
			}
		}
		a.takeRound(s, i)
	}
	return a
}

func (a *answerer) takeRequest(s *script, mom moment) {
	m := s.message(mom.place)
	switch m.Method {
	case protocol.MethodElicit, protocol.MethodSampling, protocol.MethodRootsList:
	default:
		return
	}
	partner := s.log.Head(mom.seq).Partner
	if m.Kind != protocol.Request || partner == 0 || mom.item >= 0 {
		return
	}
	reply := s.message(place{partner, -1})
	a.add(m.Method, m.Params, mom.exchange, mom.seq, reply.Result, reply.Error)
}

// takeRound takes the input that a round asked for and its retry brought, or
// that a task asked for and an update brought.
func (a *answerer) takeRound(s *script, i int) {
	l := &s.legs[i]
	answer := s.message(l.answer)
	inputs := protocol.DecodeInputRequests(lookup(answer.Result, "/inputRequests"))
	if len(inputs) == 0 {
		return
	}
	var given jsontext.Value
	if n := s.next(i); n >= 0 {
		given = lookup(s.message(s.legs[n].request).Params, "/inputResponses")
	} else {
		last := s.ex.At(int(max(l.exchange, 0))).Last
		for n := i + 1; n < len(s.legs) && s.legs[n].request.seq <= last; n++ {
			if s.groups[s.legs[n].group].method == protocol.MethodTasksUpdate && s.legs[n].exchange == l.exchange {
				given = lookup(s.message(s.legs[n].request).Params, "/inputResponses")
				break
			}
		}
	}
	for _, in := range inputs {
		if reply := lookup(given, jsonvalue.Child("", in.Key)); reply != nil {
			a.add(in.Method, in.Params, l.exchange, l.answer.seq, reply, nil)
		}
	}
}

func (a *answerer) add(method string, params jsontext.Value, exchange int32, seq uint64, result, fault jsontext.Value) {
	a.replies = append(a.replies, recordedReply{method: method, params: questionKey(params), exchange: exchange, seq: seq,
		result: bytes.Clone(result), fault: bytes.Clone(fault)})
}

// questionKey is a text that equal questions share.
func questionKey(params jsontext.Value) string {
	if params == nil {
		return "{}"
	}
	v, err := jsonvalue.Parse(without(params, func(name string) bool { return name == "_meta" || name == "elicitationId" }))
	if err != nil {
		return string(params)
	}
	return v.Key()
}

// played says which recorded exchange a request of the target stands for.
func (a *answerer) played(key uint64, exchange int32) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.owner[key] = exchange
}

// find chooses the reply to a question: one to the same question in the same
// exchange, to another in the same exchange, to the same anywhere, to any of its
// method; of several the one that was used least and came first.
func (a *answerer) find(q Question) *recordedReply {
	a.mu.Lock()
	defer a.mu.Unlock()
	exchange, owned := a.owner[q.Cause]
	params := questionKey(q.Params)
	var best *recordedReply
	bestRank := 0
	for i := range a.replies {
		r := &a.replies[i]
		if r.method != q.Method {
			continue
		}
		here, same := owned && r.exchange == exchange, r.params == params
		rank := 1
		switch {
		case here && same:
			rank = 4
		case here && r.used == 0:
			rank = 3
		case same:
			rank = 2
		}
		if best == nil || rank > bestRank || rank == bestRank && r.used < best.used {
			best, bestRank = r, rank
		}
	}
	if best != nil && bestRank == 1 && a.leave {
		return nil // another question, and nothing says that this stands in its place
	}
	if best != nil {
		best.used++
	}
	return best
}

const maxMissing = 200

// serve answers what the target is asked until ctx ends.
func (a *answerer) serve(ctx context.Context, t Target) {
	wake, stop := t.Watch()
	defer stop()
	seen := map[uint64]bool{}
	for {
		open := map[uint64]bool{}
		for _, q := range t.Questions() {
			open[q.Key] = true
			if !seen[q.Key] {
				a.answer(ctx, t, q)
			}
		}
		seen = open
		select {
		case <-ctx.Done():
			return
		case <-wake:
		}
	}
}

func (a *answerer) answer(ctx context.Context, t Target, q Question) {
	var result, fault jsontext.Value
	asked := Asked{Question: q}
	r := a.find(q)
	switch {
	case r != nil:
		result, fault, asked.Seq = r.result, r.fault, r.seq
	case a.leave:
		asked.Open = true
	case q.Method == protocol.MethodElicit:
		result = jsontext.Value(`{"action":"cancel"}`)
	case q.Method == protocol.MethodRootsList:
		result = jsontext.Value(`{"roots":[]}`)
	default:
		fault = jsontext.Value(fmt.Sprintf(`{"code":%d,"message":"The recording has no reply to this question"}`, protocol.CodeRejected))
	}
	asked.Result, asked.Fault = result, fault
	if a.tell != nil {
		a.tell(asked)
	}
	var err error
	if !asked.Open {
		err = t.Answer(ctx, q.Key, result, fault)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.missing) >= maxMissing {
		return
	}
	if r == nil {
		a.missing = append(a.missing, fmt.Sprintf("The server asked for %s, to which the recording has no reply", q.Method))
	}
	if err != nil && ctx.Err() == nil {
		a.missing = append(a.missing, fmt.Sprintf("A question of the server (%s) could not be answered: %s", q.Method, err))
	}
}
