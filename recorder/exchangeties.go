package recorder

// recentLimit bounds each of the tables by which events find their exchange:
// the latest 32768 to 65536 of a kind are remembered.
const recentLimit = 1 << 15

// recent is a map that forgets what was put in long ago.
type recent[K comparable, V any] struct {
	newer, older map[K]V
	forget       func(V) // told what is forgotten; may be nil
}

func (r *recent[K, V]) empty() bool { return len(r.newer)+len(r.older) == 0 }

func (r *recent[K, V]) get(k K) (V, bool) {
	if v, ok := r.newer[k]; ok {
		return v, true
	}
	v, ok := r.older[k]
	return v, ok
}

func (r *recent[K, V]) put(k K, v V) {
	if r.newer == nil {
		r.newer = map[K]V{}
	}
	delete(r.older, k)
	r.newer[k] = v
	if len(r.newer) < recentLimit {
		return
	}
	if r.forget != nil {
		for _, v := range r.older {
			r.forget(v)
		}
	}
	r.newer, r.older = map[K]V{}, r.newer
}

func (r *recent[K, V]) delete(k K) {
	delete(r.newer, k)
	delete(r.older, k)
}

func (r *recent[K, V]) all(yield func(V)) {
	for _, v := range r.older {
		yield(v)
	}
	for _, v := range r.newer {
		yield(v)
	}
}

// idKey is an id or token and the side that made it up. The code is that of
// entry.id: equal codes are equal texts, or are taken for such with a chance of
// one in 2^46.
type idKey struct {
	dir  Direction
	code uint64
}

// ties are what events find their exchange by.
type ties struct {
	class    []methodClass         // by code of the method
	ids      recent[idKey, uint32] // the request of an id
	tokens   recent[idKey, uint32] // the exchange of a progress token
	tasks    recent[string, uint32]
	channels recent[uint32, *channelTie]
	live     recent[uint32, *liveExchange]
	working  [3]openSet // by direction: what is being worked on
	rounds   []uint32   // exchanges that wait for their next round, oldest first
	creators []uint32   // answers that may have started a task and were not looked at
}

// openSet counts numbers and can name the only one.
type openSet struct {
	n   int
	xor uint32
}

func (s *openSet) add(n uint32) {
	s.n++
	s.xor ^= n
}

func (s *openSet) remove(n uint32) {
	s.n--
	s.xor ^= n
}

// channelTie is an HTTP exchange.
type channelTie struct {
	owner   uint32    // exchange plus one, 0 while it is not known
	request uint32    // the request that was posted in it, 0 if it was none
	status  uint32    // HTTP status
	bad     uint32    // what came that is no message, or answers nothing
	early   [4]uint32 // events before the owner was known
}

// liveExchange is what an exchange that has not ended needs.
type liveExchange struct {
	n       uint32 // the exchange
	dir     Direction
	current uint32 // the request of this round
	working bool   // counted in ties.working
	round   bool   // waits for the next round
	asked   bool   // the task waits for input
	rest    int    // requests of a batch without an answer
	worst   ExchangeState
	asks    []uint32 // open questions of the other side
	since   int64    // when the first of what is waited for began
}

// maxAsks is how many open questions of one exchange are told apart.
const maxAsks = 256

func (v *liveExchange) waiting() bool { return v.round || v.asked || len(v.asks) > 0 }

// begins is called before something begins that is waited for.
func (v *liveExchange) begins(at int64) {
	if !v.waiting() {
		v.since = at
	}
}

// waitEnds is called after something has ended that was waited for; was says
// whether anything was before.
func (x *Exchanges) waitEnds(v *liveExchange, was bool, at int64) {
	if was && !v.waiting() {
		x.list[v.n].waited += max(0, at-v.since)
	}
}

// open makes an exchange one that has not ended.
func (x *Exchanges) open(n uint32, current uint32, working bool) *liveExchange {
	v := &liveExchange{n: n, dir: x.log.index.at(uint64(current)).dir(), current: current, working: working}
	if working {
		x.tie.working[v.dir].add(n)
	}
	x.tie.live.forget = x.tie.forgotten
	x.tie.live.put(n, v)
	return v
}

func (t *ties) forgotten(v *liveExchange) { t.rest(v) }

// rest takes an exchange out of those that are worked on.
func (t *ties) rest(v *liveExchange) {
	if v.working {
		t.working[v.dir].remove(v.n)
		v.working = false
	}
}

// close ends an exchange at a time.
func (x *Exchanges) close(n uint32, at int64) {
	v, ok := x.tie.live.get(n)
	if !ok {
		return
	}
	was := v.waiting()
	v.round, v.asked, v.asks = false, false, nil
	x.waitEnds(v, was, at)
	x.tie.rest(v)
	x.tie.live.delete(n)
}

// sole is the only exchange that a side's request started and that is being
// worked on.
func (t *ties) sole(dir Direction) (n uint32, ok bool) {
	if dir == 0 || t.working[dir].n != 1 {
		return 0, false
	}
	return t.working[dir].xor, true
}

// classOf is the class of the method of an event.
func (x *Exchanges) classOf(e *entry) methodClass {
	code := e.id >> 48
	if code == 0 || code == wordInFile {
		return classOther
	}
	for uint64(len(x.tie.class)) <= code {
		x.tie.class = append(x.tie.class, classOf(x.log.tables.methods.word(uint32(len(x.tie.class)))))
	}
	return x.tie.class[code]
}

func (e *entry) idCode() uint64  { return e.id & idMask }
func (e *entry) refCode() uint64 { return e.ref & idMask }

// statusWord is the status of an event, "" for one that is only in the file.
func (x *Exchanges) statusWord(e *entry) string {
	switch s := e.status(); {
	case s == 0 || s == statusInFile:
		return ""
	case s > firstStatusWord:
		return x.log.tables.statuses.word(s - firstStatusWord)
	default:
		return statusNumbers[s]
	}
}
