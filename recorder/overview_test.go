package recorder

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// Buckets are what counting event by event gives, however the times run.
func TestBucketsAreWhatCountingGives(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 9))
		s := newScript(t)
		backwards := seed%2 == 1
		o := NewOverview(s.l)
		var times []time.Duration // that an event counts at
		for part := range 5 {
			before := s.l.Len()
			randomTraffic(s, r, 100+part)
			if backwards {
				s.now -= min(s.now, 40*time.Millisecond)
			}
			for seq := before + 1; seq <= s.l.Len(); seq++ {
				at := s.l.Head(seq).Time
				if len(times) > 0 {
					at = max(at, times[len(times)-1])
				}
				times = append(times, at)
			}
			if !o.Take() || o.Take() {
				t.Error("Take does not know what is new")
			}
		}
		if !backwards {
			for _, seq := range []uint64{1, 2, 77, 300} {
				if err := s.l.SetMark(Mark{Seq: seq, Pinned: true}); err != nil {
					t.Fatal(err)
				}
			}
		}
		first, last := o.Span()
		if first != times[0] || last != slices.Max(times) {
			t.Errorf("the span is %v to %v", first, last)
		}
		for range 50 {
			from := first + time.Duration(r.Int64N(int64(last-first)))
			to := from + time.Duration(r.Int64N(int64(last-from)+1))
			if r.IntN(4) == 0 {
				from, to = first, last
			}
			n := 1 + r.IntN(40)
			got := o.Buckets(from, to, n)
			var want, sum Bucket
			for i, at := range times {
				if at < from || at > to {
					continue
				}
				h := s.l.Head(uint64(i + 1))
				switch h.Dir {
				case In:
					want.In++
				case Out:
					want.Out++
				}
				if h.Problems {
					want.Problems++
				}
				if isError(&h) && (h.Message.String() != "request" || h.Kind != KindMessage) && (h.Message.String() != "batch" || h.Kind != KindMessage) {
					want.Errors++
				}
				if m, ok := s.l.Mark(h.Seq); ok && m.Pinned {
					want.Marks++
				}
				want.Bytes += int64(h.Size)
			}
			for _, b := range got {
				sum = Bucket{sum.In + b.In, sum.Out + b.Out, sum.Errors + b.Errors, sum.Problems + b.Problems, sum.Marks + b.Marks, sum.Bytes + b.Bytes}
			}
			if sum != want || len(got) != n {
				t.Fatalf("seed %d, %v to %v in %d:\n got %+v\nwant %+v", seed, from, to, n, sum, want)
			}
		}
	}
}

func TestBucketsDivideEvenly(t *testing.T) {
	s := newScript(t)
	s.step = time.Millisecond
	for range 1000 {
		s.in(logged("x"))
	}
	o := NewOverview(s.l)
	if b := o.Buckets(0, time.Second, 4); !slices.Equal(b, make([]Bucket, 4)) {
		t.Errorf("before Take there are %+v", b)
	}
	o.Take()
	for i, b := range o.Buckets(time.Millisecond, 1000*time.Millisecond, 10) {
		if b.In < 99 || b.In > 101 || b.Out != 0 {
			t.Errorf("bucket %d has %+v", i, b)
		}
	}
	if b := o.Buckets(2*time.Millisecond, 2*time.Millisecond, 1); b[0].In != 1 {
		t.Errorf("one moment has %+v", b)
	}
	if o.Buckets(5, 4, 3) != nil || o.Buckets(0, 9, 0) != nil {
		t.Error("there are buckets of nothing")
	}
}

func TestSeqAt(t *testing.T) {
	l := newTestLog(t)
	if got := l.SeqAt(0); got != 1 {
		t.Errorf("an empty recording has event %d", got)
	}
	const n = 3*chunkLen + 5
	for i := range n {
		l.Append(Event{Kind: KindNote, Time: time.Duration(10 * (i + 1)), Data: []byte("x")})
	}
	l.Append(Event{Kind: KindNote, Time: 7, Data: []byte("back in time")})
	l.Append(Event{Kind: KindNote, Time: 10 * (n + 5), Data: []byte("x")})
	for at, want := range map[time.Duration]uint64{
		0: 1, 10: 1, 11: 2, 10 * chunkLen: chunkLen, 10*chunkLen + 1: chunkLen + 1, 10 * (chunkLen + 1): chunkLen + 1,
		10 * n: n, 10*n + 1: n + 2, 10 * (n + 5): n + 2, 10*(n+5) + 1: n + 3,
	} {
		if got := l.SeqAt(at); got != want {
			t.Errorf("the first from %d on is %d, want %d", at, got, want)
		}
	}
}
