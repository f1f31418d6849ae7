package recorder

import (
	"fmt"
	"sync"
	"testing"
	"unsafe"

	"mcploupe/protocol"
)

func TestAnEventCostsAtMost48BytesOfIndex(t *testing.T) {
	if n := unsafe.Sizeof(entry{}); n > 48 {
		t.Errorf("an entry has %d bytes", n)
	}
}

// Names, ids, channels, methods and words beyond the tables' room are read
// from the file, and the tables do not grow.
func TestStringsBeyondTheTablesAreRead(t *testing.T) {
	l := newTestLog(t)
	l.tables = tables{newWords(2, 1000), newWords(2, 1000), newWords(2, 1000), newWords(2, 1000), newWords(2, 1000)}
	l.coder = newCoder(&l.tables)
	const n = 20
	for i := range n {
		e := message(Out, fmt.Sprintf(`{"jsonrpc":"2.0","id":"id%d","method":"prompts/get","params":{"name":"n%d","_meta":{"progressToken":"t%d"}}}`, i, i, i))
		e.Channel = fmt.Sprintf("c%dx", i)
		l.Append(e)
		l.Append(message(In, fmt.Sprintf(`{"jsonrpc":"2.0","id":"id%d","error":{"code":-%d,"message":""}}`, i, i+1)))
		l.Append(message(In, fmt.Sprintf(`{"jsonrpc":"2.0","method":"m%d"}`, i)))
	}
	for i := range n {
		seq := uint64(3*i + 1)
		got := l.Head(seq)
		want := Head{Seq: seq, Time: got.Time, Dir: Out, Kind: KindMessage, Message: protocol.Request, Method: "prompts/get",
			Name: fmt.Sprintf("n%d", i), ID: fmt.Sprintf(`"id%d"`, i), Ref: fmt.Sprintf(`"t%d"`, i), Channel: fmt.Sprintf("c%dx", i),
			Size: got.Size, Status: fmt.Sprintf("-%d", i+1), Partner: seq + 1, Took: got.Took}
		if got != want {
			t.Fatalf("head %d\n got %+v\nwant %+v", seq, got, want)
		}
		if h := l.Head(seq + 1); h.Name != want.Name || h.Method != want.Method || h.Status != want.Status || h.ID != want.ID {
			t.Fatalf("head %d is %+v", seq+1, h)
		}
		if h := l.Head(seq + 2); h.Method != fmt.Sprintf("m%d", i) {
			t.Fatalf("head %d is %+v", seq+2, h)
		}
	}
	if got := find(t, l, "name:n17 channel:c17x"); len(got) != 1 || got[0] != 52 {
		t.Errorf("found %v", got)
	}
	for _, w := range []*words{l.tables.methods, l.tables.names, l.tables.ids, l.tables.channels, l.tables.statuses} {
		if len(w.all()) > 2 {
			t.Errorf("a table of 2 has %q", w.all())
		}
	}
}

func TestIDsKeepTheirText(t *testing.T) {
	l := newTestLog(t)
	ids := []string{"0", "1", "1.0", `"1"`, "9007199254740993", "-5", "1e3", "70368744177663", "70368744177664", "18446744073709551616", `"a\u0062"`, `""`, "007"}
	for _, id := range ids {
		l.Append(message(Out, `{"jsonrpc":"2.0","id":`+id+`,"method":"ping"}`))
	}
	for i, id := range ids {
		if got := l.Head(uint64(i + 1)).ID; got != id && id != "007" {
			t.Errorf("id %s is %s", id, got)
		}
	}
	if h := l.Head(uint64(len(ids))); h.Message != protocol.Invalid {
		t.Errorf("007 is %v", h.Message)
	}
}

// A response answers the latest unanswered request of its id that went the
// other way (cases.md P7).
func TestPairing(t *testing.T) {
	request := func(d Direction, id string) Event {
		return message(d, `{"jsonrpc":"2.0","id":`+id+`,"method":"ping"}`)
	}
	result := func(d Direction, id string) Event { return message(d, `{"jsonrpc":"2.0","id":`+id+`,"result":{}}`) }
	steps := []struct {
		event   Event
		partner uint64
	}{
		{request(Out, "1"), 5},
		{request(In, "1"), 4},
		{result(In, "2"), 0},
		{result(Out, "1"), 2},
		{result(In, "1"), 1},
		{result(In, "1"), 0}, // a second answer
		{request(Out, "7"), 0},
		{request(Out, "7"), 9},
		{result(In, "7"), 8},
		{request(Out, "1.0"), 0},
		{result(In, "1"), 0},
		{request(Out, `"a\u0062"`), 13},
		{result(In, `"ab"`), 12},
		{message(In, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":""}}`), 0},
		{message(Out, `[{"jsonrpc":"2.0","id":20,"method":"ping"},{"jsonrpc":"2.0","id":21,"method":"ping"}]`), 16},
		{result(In, "21"), 15},
		{request(Out, "22"), 18},
		{message(In, `[{"jsonrpc":"2.0","id":20,"result":{}},{"jsonrpc":"2.0","id":22,"result":{}}]`), 15},
	}
	steps[16].partner = 0 // a batch is tied to the first that it answers
	l := newTestLog(t)
	for _, s := range steps {
		l.Append(s.event)
	}
	check := func(when string, l *Log) {
		t.Helper()
		for i, s := range steps {
			if got := l.Head(uint64(i + 1)).Partner; got != s.partner {
				t.Errorf("%s: event %d has partner %d, want %d", when, i+1, got, s.partner)
			}
		}
	}
	check("live", l)
	l = reopen(t, l)
	check("opened", l)
	for seq := range l.Len() {
		l.index.at(seq + 1).setAnswer(0)
	}
	x := newIndexer(l)
	x.unpaired = true
	if err := x.link(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("paired again", l)
}

func TestUnansweredRequestsAreBounded(t *testing.T) {
	p := newPairs()
	for i := range uint64(3 * maxWaiting) {
		p.ask(Out, []byte(fmt.Sprint(i)), i+1)
	}
	if len(p.waiting) > 2*maxWaiting || len(p.order) > 2*maxWaiting {
		t.Errorf("%d and %d are kept", len(p.waiting), len(p.order))
	}
	if got := p.answer(Out, []byte(fmt.Sprint(3*maxWaiting-1))); got != 3*maxWaiting {
		t.Errorf("the newest request is %d", got)
	}
	if got := p.answer(Out, []byte("0")); got != 0 {
		t.Errorf("the oldest request is still known as %d", got)
	}
	for i := range uint64(4 * maxWaiting) { // answered ones do not pile up
		p.ask(In, []byte("1"), i+1)
		p.answer(In, []byte("1"))
	}
	if len(p.order) > 2*maxWaiting {
		t.Errorf("%d answered requests are kept", len(p.order))
	}
}

func TestMessageCacheIsBounded(t *testing.T) {
	var c messageCache
	big := protocol.Message{Raw: make([]byte, DefaultCache/10)}
	for seq := range uint64(100) {
		c.put(seq, big)
		c.put(seq, big)
		if _, ok := c.get(0); seq < 5 && !ok {
			t.Fatalf("event 0 was dropped at %d", seq)
		}
	}
	if c.bytes > DefaultCache || c.order.Len() != len(c.bySeq) || c.order.Len() > 10 {
		t.Errorf("%d messages of %d bytes are kept", c.order.Len(), c.bytes)
	}
	if _, ok := c.get(99); !ok {
		t.Error("the newest is not kept")
	}
	c.put(200, protocol.Message{Raw: make([]byte, 2*DefaultCache)})
	if _, ok := c.get(200); !ok || c.order.Len() != 1 {
		t.Error("a message larger than the cache is not kept alone")
	}
}

func TestMessageIsParsedOnce(t *testing.T) {
	l := newTestLog(t)
	l.Append(message(In, `{"jsonrpc":"2.0","method":"m"}`))
	l.Append(Event{Kind: KindNote, Data: []byte("n")})
	a, err := l.Message(1)
	if err != nil || a.Method != "m" {
		t.Fatalf("%+v, %v", a, err)
	}
	if b, err := l.Message(1); err != nil || &a.Raw[0] != &b.Raw[0] {
		t.Errorf("the message was read again, %v", err)
	}
	for _, seq := range []uint64{0, 2, 3} {
		if m, err := l.Message(seq); err == nil {
			t.Errorf("event %d gave %+v", seq, m)
		}
	}
}

// Writers, readers, watchers and filters at once, and Close in the middle.
func TestEverythingAtOnce(t *testing.T) {
	l := newTestLog(t)
	const writers, each = 4, 3000
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			for i := range each {
				id := w*each + i
				l.Append(message(Out, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"t%d"}}`, id, w)))
				l.Append(message(In, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`, id)))
			}
		})
	}
	var readers sync.WaitGroup
	stopped := make(chan struct{})
	for range 2 {
		readers.Go(func() {
			wake, stop := l.Watch()
			defer stop()
			last := uint64(0)
			for {
				select {
				case <-wake:
				case <-stopped:
					return
				}
				n := l.Len()
				if n < last {
					t.Errorf("Len went from %d to %d", last, n)
				}
				for seq := last + 1; seq <= n; seq += 100 {
					h := l.Head(seq)
					e, err := l.Read(seq, 0)
					if err != nil || e.Seq != h.Seq || len(e.Data) != h.Size {
						t.Errorf("event %d: %v", seq, err)
						return
					}
				}
				last = n
			}
		})
	}
	readers.Go(func() {
		for {
			select {
			case <-stopped:
				return
			default:
				find(t, l, "tool:t1 status:ok")
				find(t, l, "t3")
			}
		}
	})
	group.Wait()
	if err := l.Sync(); err != nil {
		t.Error(err)
	}
	close(stopped)
	readers.Wait()
	if l.Len() != 2*writers*each {
		t.Errorf("%d events", l.Len())
	}
	l = reopen(t, l)
	for w := range writers {
		if got := find(t, l, fmt.Sprintf("tool:t%d kind:request is:answered", w)); len(got) != each {
			t.Errorf("writer %d has %d answered requests", w, len(got))
		}
	}
}

func TestWatchWakesAndStops(t *testing.T) {
	l := newTestLog(t)
	wake, stop := l.Watch()
	<-wake // to begin with
	select {
	case <-wake:
		t.Error("woken without news")
	default:
	}
	l.Append(Event{Kind: KindNote})
	l.Append(Event{Kind: KindNote})
	<-wake
	select {
	case <-wake:
		t.Error("two wake-ups were kept")
	default:
	}
	stop()
	stop()
	l.Append(Event{Kind: KindNote})
	select {
	case <-wake:
		t.Error("woken after stop")
	default:
	}
	other, stop := l.Watch()
	defer stop()
	<-other
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	<-other
	if seq := l.Append(Event{Kind: KindNote}); seq != 0 || l.Len() != 3 {
		t.Errorf("appended event %d to a closed log of %d", seq, l.Len())
	}
	if h := l.Head(3); h.Seq != 3 {
		t.Error("no heads after Close")
	}
	if err := l.Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
}
