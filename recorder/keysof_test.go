package recorder

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"
)

// Terms about exchanges and marks.
func TestFilterFindsExchangesAndMarks(t *testing.T) {
	s := newScript(t)
	s.out(call(1, "a")) // 1
	s.in(ok(1))
	s.out(call(2, "b")) // 3, late
	s.out(cancel("2"))
	s.in(ok(2))
	s.out(call(3, "c")) // 6, a round and 2 s of a person
	s.in(`{"jsonrpc":"2.0","id":3,"result":{"resultType":"input_required","requestState":"s"}}`)
	s.step = 2 * time.Second
	s.out(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"c","requestState":"s"}}`)
	s.in(ok(4))
	s.out(call(5, "d")) // 10, pending
	s.state("timeout", "tools/call 99: nobody's")
	for _, m := range []Mark{{Seq: 2, Pinned: true}, {Seq: 3, Color: "red", Note: "Why so late?"}, {Seq: 6, Note: "a*b"}} {
		if err := s.l.SetMark(m); err != nil { // 12, 13, 14
			t.Fatal(err)
		}
	}
	for filter, want := range map[string][]uint64{
		"state:ok":                        {1, 2, 6, 7, 8, 9},
		"state:late":                      {3, 4, 5},
		"state:pending|late":              {3, 4, 5, 10},
		`state:"timed out"`:               nil,
		"state:timedout":                  nil,
		"-state:* kind:message":           nil,
		"rounds>0":                        {6, 7, 8, 9},
		"rounds:0 kind:request":           {1, 3, 10},
		"waited>1s":                       {6, 7, 8, 9},
		"of:4":                            {3, 4, 5},
		"of:2|10":                         {1, 2, 10},
		"of:11":                           nil,
		"of:9 kind:response":              {7, 9},
		"is:marked":                       {2, 3, 6},
		"is:pinned":                       {2},
		"is:marked -is:pinned":            {3, 6},
		"color:red":                       {3},
		"color:*":                         {3},
		"color:blue":                      nil,
		"note:late":                       {3},
		`note:"WHY so"`:                   {3},
		"note:why*late":                   {3},
		`note:"a*b"`:                      {6},
		"note:x|a":                        {3, 6},
		"status:mark":                     {12, 13, 14},
		"kind:note note:why":              nil,
		"ch:stdio kind:request":           {1, 3, 6, 8, 10},
		"ch:post-*":                       nil,
		"after:3ms before:6ms -kind:note": {3, 4, 5},
		"state:late after:4ms":            {4, 5},
		"state:late requestId":            {4},
		"-state:ok method:tools*":         {3, 5, 10},
	} {
		if got := find(t, s.l, filter); !slices.Equal(got, want) {
			t.Errorf("%q found %v, want %v", filter, got, want)
		}
		f, err := ParseFilter(filter)
		if err != nil {
			t.Fatal(err)
		}
		for seq := uint64(1); seq <= s.l.Len(); seq++ {
			if f.Match(s.l, s.l.Head(seq)) != slices.Contains(want, seq) {
				t.Errorf("%q is wrong about event %d alone", filter, seq)
			}
		}
	}
	// The exchanges that a filter uses go on with the recording.
	s.in(ok(5))
	if got := find(t, s.l, "state:pending"); got != nil {
		t.Errorf("pending are %v", got)
	}
	for filter, offset := range map[string]int{"state:new": 6, "color:mauve": 6, "of:x": 3, "waited>x": 7, "state>ok": 5, "note>x": 4} {
		_, err := ParseFilter(filter)
		var fault *FilterError
		if !errors.As(err, &fault) || fault.Offset != offset {
			t.Errorf("%q gives %v", filter, err)
		}
	}
}

// A request that was cancelled, or whose connection has ended, waits for nothing.
func TestFilterForWhatIsPending(t *testing.T) {
	s := newScript(t)
	s.out(call(1, "a"))
	s.out(cancel("1"))
	s.out(call(2, "b"))
	s.out(call(3, "c"))
	s.in(ok(3))
	pending := func(want ...uint64) {
		t.Helper()
		for _, filter := range []string{"is:pending", "status:pending", "kind:request -is:answered is:pend*"} {
			if got := find(t, s.l, filter); !slices.Equal(got, want) {
				t.Errorf("%q found %v, want %v", filter, got, want)
			}
		}
	}
	pending(3)
	s.state("closed", "")
	pending()
}

// Every key of the language does something, and says so in a few words.
func TestFilterKeysAreNamed(t *testing.T) {
	for _, name := range []string{"method", "dir", "kind", "status", "tool", "id", "is", "rule", "dur", "size", "after", "before", "has", "state", "ch", "color", "note"} {
		if k := filterKeyOf(name); k == nil || k.hint == "" {
			t.Errorf("there is no key %s", name)
		}
	}
}

func TestFindBack(t *testing.T) {
	l := newTestLog(t)
	const n = 2*columnChunk + textChunk + 3
	for i := range n {
		l.Append(Event{Kind: KindNote, Data: fmt.Appendf(nil, "%d", i%7)})
	}
	for _, text := range []string{"", "3", "seq:5..20000", "absent"} {
		f, err := ParseFilter(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, span := range [][2]uint64{{0, 0}, {10, 40}, {1, 1}, {textChunk, 3 * textChunk}, {n, 0}} {
			var forth, back []uint64
			err := l.Find(t.Context(), f, span[0], span[1], func(s []uint64) bool { forth = append(forth, s...); return true })
			if e := l.FindBack(t.Context(), f, span[0], span[1], func(s []uint64) bool { back = append(back, s...); return true }); err != nil || e != nil {
				t.Fatal(err, e)
			}
			slices.Reverse(forth)
			if !slices.Equal(forth, back) {
				t.Errorf("%q in %v: %d found back, %d forth", text, span, len(back), len(forth))
			}
		}
	}
	f, err := ParseFilter("3")
	if err != nil {
		t.Fatal(err)
	}
	var last uint64
	if err := l.FindBack(t.Context(), f, 0, 100, func(s []uint64) bool { last = s[0]; return false }); err != nil || last != 95 {
		t.Errorf("the last before 100 is %d, %v", last, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.FindBack(ctx, f, 0, 0, func([]uint64) bool { return true }); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped with %v", err)
	}
}

// Strings that have no room in memory are found like others, however far the
// lines are apart.
func TestFilterFindsLongTails(t *testing.T) {
	s := newScript(t)
	s.l.tables = tables3()
	s.l.coder = newCoder(&s.l.tables)
	const n = 2500
	for i := range n {
		s.out(fmt.Sprintf(`{"jsonrpc":"2.0","id":"i%d","method":"prompts/get","params":{"name":"n%d"}}`, i, i))
	}
	pad := make([]byte, 300)
	for i := range pad {
		pad[i] = 'x'
	}
	for i := range n { // answers far from their requests
		s.in(fmt.Sprintf(`{"jsonrpc":"2.0","id":"i%d","error":{"code":-%d,"message":"%s"}}`, i, i+1, pad))
	}
	for filter, want := range map[string][]uint64{
		"prompt:n2000":               {2001, n + 2001},
		"id:i7":                      {8, n + 8},
		"status:-100":                {100, n + 100},
		"name:n2499 dir:in":          {2 * n},
		"id:i1234|i2345 dir:out":     {1235, 2346},
		"name:n3 status:-4 dir:out":  {4},
		"name:n3 -status:-4 dir:out": nil,
	} {
		if got := find(t, s.l, filter); !slices.Equal(got, want) {
			t.Errorf("%q found %v, want %v", filter, got, want)
		}
	}
}
