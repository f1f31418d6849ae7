package recorder

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// randomTraffic writes n events of a busy and faulty session: any of the shapes
// that exchanges tie, in any order, with ids, tokens, tasks and channels that
// meet by chance.
func randomTraffic(s *script, r *rand.Rand, n int) {
	id := func() string {
		if r.IntN(4) == 0 {
			return fmt.Sprintf(`"i%d"`, r.IntN(6))
		}
		return fmt.Sprint(r.IntN(12))
	}
	methods := []string{"tools/call", "ping", "elicitation/create", "sampling/createMessage", "tasks/get", "tasks/result", "tasks/update", "subscriptions/listen", "tools/list"}
	results := []string{`{}`, `{"isError":true}`, `{"resultType":"input_required","requestState":"s"}`, `{"resultType":"input_required"}`,
		`{"resultType":"task","taskId":"T%d","status":"working"}`, `{"task":{"taskId":"T%d"}}`, `{"taskId":"T%d","status":"completed"}`,
		`{"taskId":"T%d","status":"input_required","inputRequests":{}}`, `{"resultType":"other"}`}
	message := func() string {
		switch r.IntN(8) {
		case 0, 1, 2:
			extra := ""
			if r.IntN(4) == 0 {
				extra = `,"requestState":"s","inputResponses":{}`
			}
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":{"name":"n%d","taskId":"T%d","_meta":{"progressToken":%s}%s}}`,
				id(), methods[r.IntN(len(methods))], r.IntN(2), r.IntN(3), id(), extra)
		case 3, 4:
			result := results[r.IntN(len(results))]
			if slices.Contains([]byte(result), '%') {
				result = fmt.Sprintf(result, r.IntN(3))
			}
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id(), result)
		case 5:
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-%d,"message":""}}`, id(), r.IntN(9))
		case 6:
			return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/%s","params":{"requestId":%s,"progressToken":%[2]s,"taskId":"T%d","status":"failed"}}`,
				[]string{"progress", "cancelled", "message", "tasks/status"}[r.IntN(4)], id(), r.IntN(3))
		}
		return []string{fmt.Sprintf(`{"id":%s}`, id()), `{"jsonrpc":"2.0","id":null,"result":{}}`,
			fmt.Sprintf(`[{"jsonrpc":"2.0","id":%s,"method":"ping"},{"jsonrpc":"2.0","id":%s,"method":"ping"}]`, id(), id()),
			fmt.Sprintf(`[{"jsonrpc":"2.0","id":%s,"result":{}},{"jsonrpc":"2.0","id":%s,"result":{}}]`, id(), id())}[r.IntN(4)]
	}
	for range n {
		e := Event{Dir: Direction(1 + r.IntN(2)), Channel: "stdio", Cause: max(0, s.l.Len()-min(s.l.Len(), uint64(r.IntN(6))))}
		if r.IntN(2) == 0 {
			e.Channel = fmt.Sprintf("post-%d", r.IntN(5))
		}
		if r.IntN(3) == 0 {
			e.Cause = 0
		}
		switch r.IntN(12) {
		case 0:
			e.Kind, e.Fields = KindHTTP, []any{&HTTPHead{Method: "POST"}, &HTTPHead{Status: 200}, &HTTPHead{Status: 202}, &HTTPHead{Done: true}, &HTTPHead{Done: true, Error: GivenUp}, &HTTPHead{Error: "x"}}[r.IntN(6)]
		case 1:
			e.Kind, e.Fields = KindSSE, &SSEFields{ID: "1"}
		case 2:
			e.Kind, e.Fields = KindState, []any{&StateChange{State: "timeout", Detail: "tools/call " + id() + ": over"},
				&StateChange{State: "resumed", Detail: "the answer to request " + id() + " after event 1"}, &StateChange{State: "ready"}, &StateChange{State: "exited"}}[r.IntN(4)]
		case 3:
			e.Kind, e.Data = []EventKind{KindBad, KindNote, KindStderr}[r.IntN(3)], []byte("text")
		default:
			e.Kind, e.Data = KindMessage, []byte(message())
		}
		s.step = time.Duration(r.IntN(3)) * time.Millisecond
		s.add(e)
	}
}

func TestExchangesOfRandomTraffic(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 4))
		s := newScript(t)
		x := NewExchanges(s.l)
		for range 1 + r.IntN(5) {
			randomTraffic(s, r, r.IntN(80))
			x.Take(t.Context())
			checkExchanges(t, x)
		}
		whole := NewExchanges(s.l)
		whole.Take(t.Context())
		if !slices.Equal(summary(x), summary(whole)) {
			t.Errorf("seed %d: taken in parts\n got %q\nwant %q", seed, summary(x), summary(whole))
		}
		checkSameLater(t, s.l, whole)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// The tables are bounded, and exchanges that they forget keep what they have.
func TestExchangesForgetInTime(t *testing.T) {
	s := newScript(t)
	const n = 3 * recentLimit
	for i := range n {
		s.out(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, i))
	}
	s.in(ok(n - 1))
	s.in(ok(n - maxWaiting + 10))
	x := NewExchanges(s.l)
	x.Take(t.Context())
	for name, size := range map[string]int{
		"live": len(x.tie.live.newer) + len(x.tie.live.older), "ids": len(x.tie.ids.newer) + len(x.tie.ids.older),
	} {
		if size > 2*recentLimit {
			t.Errorf("%s has %d entries", name, size)
		}
	}
	live := 0
	x.tie.live.all(func(*liveExchange) { live++ })
	if x.tie.working[Out].n != live {
		t.Errorf("%d are worked on, %d are live", x.tie.working[Out].n, live)
	}
	if x.Len() != n || x.At(n-1).State != ExchangeOK || x.At(n-maxWaiting+10).State != ExchangeOK || x.At(5).State != ExchangePending {
		t.Errorf("%d exchanges, the last is %v", x.Len(), x.At(n-1).State)
	}
	if got, want := x.ByRequest(100), 99; got != want {
		t.Errorf("exchange %d has request 100", got)
	}
}

func TestExchangesByStart(t *testing.T) {
	s := newScript(t)
	for i := range 500 {
		s.now = time.Duration(i) * 10 * time.Millisecond
		s.out(call(i, "a"))
		s.in(ok(i))
	}
	x := NewExchanges(s.l)
	x.Take(t.Context())
	for at, want := range map[time.Duration]int{0: 0, 31 * time.Millisecond: 3, 32 * time.Millisecond: 4, time.Hour: 500} {
		if got := x.ByStart(at); got != want {
			t.Errorf("the first from %v on is %d, want %d", at, got, want)
		}
	}
}

// FuzzExchanges plays event lists that are made of bytes.
func FuzzExchanges(f *testing.F) {
	f.Add(uint64(1), uint16(50))
	f.Add(uint64(99), uint16(400))
	f.Fuzz(func(t *testing.T, seed uint64, n uint16) {
		s := newScript(t)
		randomTraffic(s, rand.New(rand.NewPCG(seed, 1)), int(n%500))
		x := NewExchanges(s.l)
		x.Take(t.Context())
		checkExchanges(t, x)
		checkSameLater(t, s.l, x)
	})
}

// Readers do not wait for many big messages to be looked into.
func TestReadersOfExchangesWaitForLittle(t *testing.T) {
	s := newScript(t)
	long := strings.Repeat("x", 100<<10)
	for id := range 8 {
		s.out(`[{"jsonrpc":"2.0","id":` + strconv.Itoa(id) + `,"method":"a","params":{"text":"` + long + `"}}]`)
	}
	x := NewExchanges(s.l)
	if x.takeSome(s.l.Len()); x.Taken() < 1 || x.Taken() > 3 {
		t.Errorf("%d batches of 100 KiB are taken in while readers wait", x.Taken())
	}
	if !x.Take(t.Context()) || x.Len() != 8 || x.Take(t.Context()) {
		t.Errorf("%d exchanges", x.Len())
	}
}
