package recorder

import (
	"hash/maphash"

	"mcploupe/protocol"
)

// maxWaiting is how many requests may wait for their answer; when there are
// more, the oldest are taken as never answered.
const maxWaiting = 1 << 16

type pairKey struct {
	dir Direction
	id  uint64 // hash
}

type waitingRequest struct {
	key pairKey
	seq uint64
}

// pairs finds the request that a response answers: the latest one that went
// the other way with the same id and is still unanswered.
type pairs struct {
	seed    maphash.Seed
	waiting map[pairKey]uint64
	order   []waitingRequest // oldest first; answered ones stay until swept
}

func newPairs() *pairs {
	return &pairs{seed: maphash.MakeSeed(), waiting: map[pairKey]uint64{}}
}

func (p *pairs) key(dir Direction, id []byte) pairKey {
	if hasBackslash(id) {
		// Escaped or not, it is the same string.
		if s := stringBytes(id); s != nil {
			id = appendString(nil, s)
		}
	}
	if n, ok := plainNumber(id, 1<<62); ok {
		return pairKey{dir, n}
	}
	return pairKey{dir, maphash.Bytes(p.seed, id) | 1<<63}
}

func (p *pairs) ask(dir Direction, id []byte, seq uint64) {
	k := p.key(dir, id)
	p.waiting[k] = seq
	p.order = append(p.order, waitingRequest{k, seq})
	if len(p.order) > 2*maxWaiting {
		p.sweep()
	}
}

// sweep drops answered requests from the order, and the oldest of the others
// beyond the bound.
func (p *pairs) sweep() {
	kept := p.order[:0]
	for _, w := range p.order {
		if p.waiting[w.key] == w.seq {
			kept = append(kept, w)
		}
	}
	if over := len(kept) - maxWaiting; over > 0 {
		for _, w := range kept[:over] {
			delete(p.waiting, w.key)
		}
		kept = kept[:copy(kept, kept[over:])]
	}
	p.order = kept
}

func (p *pairs) answer(dir Direction, id []byte) uint64 {
	k := p.key(dir, id)
	seq := p.waiting[k]
	if seq != 0 {
		delete(p.waiting, k)
	}
	return seq
}

// match enters a message under its number and returns the request that it
// answers, 0 if it is no response or there is none.
func (p *pairs) match(v *envelope, seq uint64) (partner uint64) {
	if v.kind != KindMessage || v.dir == 0 {
		return 0
	}
	if v.msg != protocol.Batch {
		return p.matchOne(v.dir, v.msg, v.id, seq)
	}
	for _, it := range v.items {
		if q := p.matchOne(v.dir, it.kind, it.id, seq); partner == 0 {
			partner = q
		}
	}
	return partner
}

func (p *pairs) matchOne(dir Direction, kind protocol.Kind, id []byte, seq uint64) uint64 {
	if len(id) == 0 {
		return 0
	}
	switch kind {
	case protocol.Request:
		p.ask(dir, id, seq)
	case protocol.Result, protocol.Error:
		return p.answer(Out+In-dir, id)
	}
	return 0
}

// isResponse reports whether a message answers a request, or is a batch with
// such a message.
func (v *envelope) isResponse() bool {
	if v.msg == protocol.Batch {
		for _, it := range v.items {
			if it.kind == protocol.Result || it.kind == protocol.Error {
				return true
			}
		}
	}
	return v.msg == protocol.Result || v.msg == protocol.Error
}
