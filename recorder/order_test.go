package recorder

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// naiveKey is what a row shows in a column: a number or a text, ok if anything.
func naiveKey(h Head, key SortKey) (n int64, s string, ok bool) {
	switch key {
	case BySeq:
		return int64(h.Seq), "", true
	case ByTime:
		return int64(h.Time), "", true
	case BySize:
		return int64(h.Size), "", true
	case ByTook:
		return int64(h.Took), "", h.Partner != 0
	case ByDirection:
		return int64(h.Dir), "", h.Dir != 0
	case ByMethod:
		s = h.Method
	case ByName:
		s = h.Name
	case ByID, ByStatus:
		s = h.ID
		if key == ByStatus {
			s = h.Status
		}
		var v int64
		if _, err := fmt.Sscanf(s, "%d", &v); err == nil && fmt.Sprint(v) == s && v >= 0 {
			return v, "", true
		}
	case ByChannel:
		s = h.Channel
	}
	return 1 << 62, strings.ToLower(s), s != ""
}

func checkOrder(t *testing.T, l *Log, seqs []uint32) {
	t.Helper()
	for key := BySeq; key <= ByDirection; key++ {
		for _, descending := range []bool{false, true} {
			want := slices.Clone(seqs)
			slices.SortStableFunc(want, func(a, b uint32) int {
				n1, s1, ok1 := naiveKey(l.Head(uint64(a)), key)
				n2, s2, ok2 := naiveKey(l.Head(uint64(b)), key)
				switch {
				case ok1 != ok2 && ok1:
					return -1
				case ok1 != ok2:
					return 1
				case !ok1:
					return 0
				}
				c := cmp.Or(cmp.Compare(n1, n2), strings.Compare(s1, s2))
				if descending {
					c = -c
				}
				return c
			})
			got := slices.Clone(seqs)
			if err := l.Order(t.Context(), got, key, descending); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, want) {
				show := func(list []uint32) (out []string) {
					for _, seq := range list {
						n, s, ok := naiveKey(l.Head(uint64(seq)), key)
						out = append(out, fmt.Sprintf("%d:%d%s%v", seq, n, s, ok))
					}
					return out
				}
				t.Errorf("by %s, descending %v:\n got %v\nwant %v", sortKeyNames[key], descending, show(got), show(want))
			}
		}
	}
}

func TestOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	s := newScript(t)
	randomTraffic(s, r, 300)
	for _, tables := range []int{1000, 3} {
		if tables == 3 { // most strings find no room in memory
			s = newScript(t)
			s.l.tables = tables3()
			s.l.coder = newCoder(&s.l.tables)
			randomTraffic(s, r, 300)
		}
		seqs := make([]uint32, s.l.Len())
		for i := range seqs {
			seqs[i] = uint32(i + 1)
		}
		r.Shuffle(len(seqs), func(i, j int) { seqs[i], seqs[j] = seqs[j], seqs[i] })
		checkOrder(t, s.l, seqs)
		checkOrder(t, s.l, seqs[:20])
		checkOrder(t, s.l, nil)
	}
}

func tables3() tables {
	return tables{newWords(3, 1000), newWords(3, 1000), newWords(3, 1000), newWords(1, 1000), newWords(3, 1000)}
}

// Parts that are sorted one by one come together stable.
func TestOrderOfManyRows(t *testing.T) {
	l := newTestLog(t)
	const n = 3*sortPart + 17
	for i := range n {
		l.Append(message(Direction(1+i*7919%2), fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"m%d"}`, i*7919%1000, i%5)))
	}
	seqs := make([]uint32, n)
	for i := range seqs {
		seqs[i] = uint32(i + 1)
	}
	if err := l.Order(t.Context(), seqs, ByID, false); err != nil {
		t.Fatal(err)
	}
	for i := 1; i < n; i++ {
		a, b := (int(seqs[i-1])-1)*7919%1000, (int(seqs[i])-1)*7919%1000
		if a > b || a == b && seqs[i-1] > seqs[i] {
			t.Fatalf("row %d: %d before %d", i, seqs[i-1], seqs[i])
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	before := slices.Clone(seqs)
	if err := l.Order(ctx, seqs, ByMethod, true); !errors.Is(err, context.Canceled) || !slices.Equal(seqs, before) {
		t.Errorf("stopped with %v", err)
	}
}

func TestOrderOfExchanges(t *testing.T) {
	s := newScript(t)
	randomTraffic(s, rand.New(rand.NewPCG(7, 7)), 400)
	x := NewExchanges(s.l)
	x.Take(t.Context())
	key := func(e Exchange, k SortKey) (int64, string, bool) {
		switch k {
		case ByStatus:
			return int64(e.State), "", true
		case BySize:
			return e.Bytes, "", true
		case ByTook:
			return int64(e.Took), "", e.Took > 0
		case ByWaited:
			return int64(e.Waited), "", e.Waited > 0
		case ByEvents:
			return int64(e.Events), "", true
		}
		return naiveKey(s.l.Head(e.Request), k)
	}
	for k := BySeq; k <= ByEvents; k++ {
		rows := make([]uint32, x.Len())
		for i := range rows {
			rows[i] = uint32(len(rows) - 1 - i)
		}
		want := slices.Clone(rows)
		slices.SortStableFunc(want, func(a, b uint32) int {
			n1, s1, ok1 := key(x.At(int(a)), k)
			n2, s2, ok2 := key(x.At(int(b)), k)
			switch {
			case ok1 && ok2:
				return cmp.Or(cmp.Compare(n1, n2), strings.Compare(s1, s2))
			case ok1:
				return -1
			case ok2:
				return 1
			}
			return 0
		})
		if err := x.Order(t.Context(), rows, k, false); err != nil || !slices.Equal(rows, want) {
			t.Errorf("by %s: %v\n got %v\nwant %v", sortKeyNames[k], err, rows, want)
		}
	}
}
