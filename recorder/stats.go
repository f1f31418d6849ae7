package recorder

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"time"

	"mcploupe/protocol"
)

// MethodStats are the figures of one method, or of one tool.
type MethodStats struct {
	Dir           Direction // of the requests or notifications
	Method        string
	Name          string // of the tool; "" for a method
	Count         int    // requests and notifications
	Requests      int    // of them
	Answered      int
	Errors        int // answers that are JSON-RPC errors or tool errors
	P50, P90, P99 time.Duration
	Max           time.Duration
	BytesOut      int64 // of messages to the server, answers included
	BytesIn       int64 // of messages from it
}

// Stats are the figures of a recording.
type Stats struct {
	Methods []MethodStats // by count, the most first
	Tools   []MethodStats // of tools/call, likewise
	Total   MethodStats   // of all messages
	Events  map[EventKind]int
	Others  int // requests and notifications whose methods or tools found no row
}

const (
	maxStatRows    = 10_000
	exactDurations = 1 << 16 // a row; beyond that they are counted in buckets
)

// NewStats counts the events of l that a filter selects; nil selects all. An
// answer counts with its request. The time that a person was asked for is not
// part of a duration. With more than 65,536 answers of a method the
// percentiles are right to half a percent.
func NewStats(ctx context.Context, l *Log, f *Filter, progress Progress) (Stats, error) {
	l.Exchanges().Take(ctx)
	s := statsMaker{log: l, exchanges: l.Exchanges(), methods: map[statKey]*statRow{}, tools: map[statKey]*statRow{}, events: map[EventKind]int{}}
	last := l.Len()
	meter := newMeter(progress, last)
	if f == nil {
		for seq := uint64(1); seq <= last; seq++ {
			if seq%columnChunk == 0 && ctx.Err() != nil {
				return Stats{}, ctx.Err()
			}
			s.take(seq)
			meter.at(seq)
		}
		return s.stats(), ctx.Err()
	}
	err := l.Find(ctx, f, 1, last, func(seqs []uint64) bool {
		for _, seq := range seqs {
			s.take(seq)
			meter.at(seq)
		}
		return true
	})
	return s.stats(), err
}

type statKey struct {
	dir    Direction
	method string
	name   string
}

type statRow struct {
	MethodStats
	times durations
}

type statsMaker struct {
	log       *Log
	exchanges *Exchanges
	methods   map[statKey]*statRow
	tools     map[statKey]*statRow
	events    map[EventKind]int
	total     statRow
	others    int
	head      Head
}

func (s *statsMaker) take(seq uint64) {
	h := &s.head
	*h = Head{}
	s.log.fillHead(h, seq, false)
	s.events[h.Kind]++
	if h.Kind != KindMessage {
		return
	}
	s.total.bytes(h.Dir, h.Size)
	if h.Message != protocol.Request && h.Message != protocol.Notification {
		return
	}
	var answer Head
	if h.Message == protocol.Request && h.Partner != 0 {
		s.log.fillHead(&answer, h.Partner, false)
	}
	took, timed := s.took(h)
	s.total.add(h, &answer, took, timed)
	rows := []*statRow{s.row(s.methods, statKey{h.Dir, h.Method, ""})}
	if h.Method == protocol.MethodToolsCall {
		rows = append(rows, s.row(s.tools, statKey{h.Dir, h.Method, h.Name}))
	}
	for _, r := range rows {
		if r == nil {
			s.others++
			continue
		}
		r.add(h, &answer, took, timed)
		r.bytes(h.Dir, h.Size)
		r.bytes(answer.Dir, answer.Size)
	}
}

func (s *statsMaker) row(rows map[statKey]*statRow, k statKey) *statRow {
	r := rows[k]
	if r == nil && len(rows) < maxStatRows {
		r = &statRow{MethodStats: MethodStats{Dir: k.dir, Method: k.method, Name: k.name}}
		rows[k] = r
	}
	return r
}

func (r *statRow) bytes(d Direction, n int) {
	switch d {
	case Out:
		r.BytesOut += int64(n)
	case In:
		r.BytesIn += int64(n)
	}
}

// took is the duration of the exchange that a request begins, once it has its
// answer; a later round of it has none of its own.
func (s *statsMaker) took(h *Head) (took time.Duration, ok bool) {
	if h.Message != protocol.Request {
		return 0, false
	}
	if i, ok := s.exchanges.Of(h.Seq); ok {
		x := s.exchanges.At(i)
		return x.Took, x.Request == h.Seq && x.Answer != 0
	}
	return h.Took, h.Partner != 0
}

func (r *statRow) add(h, answer *Head, took time.Duration, timed bool) {
	r.Count++
	if h.Message != protocol.Request {
		return
	}
	r.Requests++
	if timed {
		r.times.add(took)
	}
	if answer.Seq == 0 {
		return
	}
	r.Answered++
	if answer.Message == protocol.Error || answer.Status == statusToolError {
		r.Errors++
	}
}

func (s *statsMaker) stats() Stats {
	out := Stats{Events: s.events, Total: s.total.figures(), Others: s.others}
	out.Methods, out.Tools = sortedStats(s.methods), sortedStats(s.tools)
	return out
}

func sortedStats(rows map[statKey]*statRow) []MethodStats {
	out := make([]MethodStats, 0, len(rows))
	for _, r := range rows {
		out = append(out, r.figures())
	}
	slices.SortFunc(out, func(a, b MethodStats) int {
		return cmp.Or(b.Count-a.Count, cmp.Compare(a.Method, b.Method), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Dir, b.Dir))
	})
	return out
}

func (r *statRow) figures() MethodStats {
	m := r.MethodStats
	m.P50, m.P90, m.P99, m.Max = r.times.at(50), r.times.at(90), r.times.at(99), r.times.max
	return m
}

// durations answers what percentiles are: exactly for a bounded number, from
// buckets that grow with the duration beyond that.
type durations struct {
	exact   []time.Duration
	buckets map[int]int
	n       int
	max     time.Duration
}

func (d *durations) add(t time.Duration) {
	t = max(t, 0)
	d.n++
	d.max = max(d.max, t)
	switch {
	case d.buckets != nil:
		d.buckets[bucketOf(t)]++
	case len(d.exact) < exactDurations:
		d.exact = append(d.exact, t)
	default:
		d.buckets = map[int]int{bucketOf(t): 1}
		for _, t := range d.exact {
			d.buckets[bucketOf(t)]++
		}
		d.exact = nil
	}
}

// at is the smallest duration that a share of all, in percent, does not exceed.
func (d *durations) at(percent int) time.Duration {
	if d.n == 0 {
		return 0
	}
	rank := (d.n*percent + 99) / 100
	if d.buckets == nil {
		slices.Sort(d.exact)
		return d.exact[rank-1]
	}
	keys := make([]int, 0, len(d.buckets))
	for k := range d.buckets {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		if rank -= d.buckets[k]; rank <= 0 {
			return min(bucketMiddle(k), d.max)
		}
	}
	return d.max
}

// bucketBits is how many bits of a duration a bucket tells apart.
const bucketBits = 7

func bucketOf(t time.Duration) int {
	n := uint64(t)
	shift := max(0, bits.Len64(n)-bucketBits-1)
	return shift<<(bucketBits+1) | int(n>>shift)
}

func bucketMiddle(k int) time.Duration {
	shift := k >> (bucketBits + 1)
	n := uint64(k & (1<<(bucketBits+1) - 1))
	return time.Duration(n<<shift + 1<<shift/2)
}
