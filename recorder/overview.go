package recorder

import (
	"sync"
	"time"

	"mcploupe/protocol"
)

// Bucket counts what happened in a span of time.
type Bucket struct {
	In, Out  int // events by direction
	Errors   int // answers that are errors, HTTP errors, failures of the connection
	Problems int // events with a problem
	Marks    int // events that are marked
	Bytes    int64
}

// blockLen is how many events share the sums of an Overview.
const blockLen = 64

// sums count the events before a block. Time is the latest one before it.
type sums struct {
	time, bytes               int64
	in, out, errors, problems uint32
}

// Overview counts the events of a recording by time, at any scale: it keeps the
// sums before every 64th event, less than a byte an event. Where times go back,
// an event counts at the latest time before it. Its methods may be called from
// any goroutine.
type Overview struct {
	log *Log

	mu     sync.RWMutex
	blocks []sums // before each block
	all    sums
	n      uint64 // events that were taken in
	first  int64  // time
}

// NewOverview returns the overview of l. It is empty until Take.
func NewOverview(l *Log) *Overview { return &Overview{log: l} }

// Take takes in the events that are new and reports whether there were any.
func (o *Overview) Take() (changed bool) {
	for {
		o.mu.Lock()
		end := min(o.log.Len(), o.n+takeAtOnce*16)
		if end == o.n {
			o.mu.Unlock()
			return changed
		}
		for changed = true; o.n < end; o.n++ {
			e := o.log.index.at(o.n + 1)
			if o.n == 0 {
				o.first, o.all.time = e.time, e.time
			}
			if o.n%blockLen == 0 {
				o.blocks = append(o.blocks, o.all)
			}
			o.all.add(e, &o.log.tables)
		}
		o.mu.Unlock()
	}
}

func (s *sums) add(e *entry, t *tables) {
	s.time = max(s.time, e.time)
	s.bytes += int64(e.size)
	switch e.dir() {
	case In:
		s.in++
	case Out:
		s.out++
	}
	if e.isError(t) {
		s.errors++
	}
	if e.problems() {
		s.problems++
	}
}

// isError is the isError of a Head, without regard to the partner: a request
// that got an error is none.
func (e *entry) isError(t *tables) bool {
	word := ""
	s := e.status()
	if s > firstStatusWord && s != statusInFile {
		word = t.statuses.word(s - firstStatusWord)
	}
	switch e.kind() {
	case KindMessage:
		return e.msg() == protocol.Error || word == statusToolError
	case KindHTTP:
		return word == "failed" || s >= 400 && s < firstStatusWord
	case KindState:
		return word == "failed" || word == "timeout"
	}
	return false
}

// Span is the time of the first and of the last event.
func (o *Overview) Span() (from, to time.Duration) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return time.Duration(o.first), time.Duration(o.all.time)
}

// Buckets divides the time from..to in n spans of equal length and counts the
// events of each; from belongs to the first, to to the last.
func (o *Overview) Buckets(from, to time.Duration, n int) []Bucket {
	if n <= 0 || to < from {
		return nil
	}
	out := make([]Bucket, n)
	edge := func(i int) int64 {
		if i == n {
			return int64(to) + 1
		}
		span := int64(to-from) + 1
		return int64(from) + span/int64(n)*int64(i) + span%int64(n)*int64(i)/int64(n)
	}
	o.mu.RLock()
	defer o.mu.RUnlock()
	before := o.before(edge(0))
	for i := range out {
		next := o.before(edge(i + 1))
		out[i] = Bucket{
			In: int(next.in - before.in), Out: int(next.out - before.out), Errors: int(next.errors - before.errors),
			Problems: int(next.problems - before.problems), Bytes: next.bytes - before.bytes,
		}
		before = next
	}
	bucket := 0
	for _, m := range o.log.Marks() {
		at, ok := o.timeOf(m.Seq)
		if !ok || at < int64(from) || at > int64(to) {
			continue
		}
		for bucket < n-1 && edge(bucket+1) <= at { // marks come in the order of their events
			bucket++
		}
		out[bucket].Marks++
	}
	return out
}

// timeOf is the time that an event counts at.
func (o *Overview) timeOf(seq uint64) (at int64, ok bool) {
	if seq == 0 || seq > o.n {
		return 0, false
	}
	block := (seq - 1) / blockLen
	at = o.blocks[block].time
	for i := block*blockLen + 1; i <= seq; i++ {
		at = max(at, o.log.index.at(i).time)
	}
	return at, true
}

// before counts the events before a time.
func (o *Overview) before(t int64) sums {
	// The last block before which everything was earlier.
	low, high := 0, len(o.blocks)
	for low < high {
		if mid := (low + high) / 2; o.blocks[mid].time < t {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low == 0 {
		return o.within(0, t)
	}
	return o.within(low-1, t)
}

// within counts the events before a time that lies in a block.
func (o *Overview) within(block int, t int64) sums {
	if block >= len(o.blocks) {
		return o.all
	}
	s := o.blocks[block]
	for seq := uint64(block)*blockLen + 1; seq <= min(o.n, uint64(block+1)*blockLen); seq++ {
		e := o.log.index.at(seq)
		if max(s.time, e.time) >= t {
			return s
		}
		s.add(e, &o.log.tables)
	}
	return s
}

// SeqAt returns the first event at t or later, Len+1 if there is none.
func (l *Log) SeqAt(t time.Duration) uint64 { return l.index.firstAt(int64(t)) }
