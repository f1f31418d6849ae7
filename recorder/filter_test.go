package recorder

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// filterCases run on the events of everyKind.
var filterCases = []struct {
	filter string
	want   []uint64
}{
	{"", seqs(1, 20)},
	{"   ", seqs(1, 20)},
	{"method:tools/*", []uint64{1, 4}},
	{"method:TOOLS/call", []uint64{1, 4}},
	{"method:tools/*|ping", []uint64{1, 3, 4}},
	{"method:*/*/*", nil},
	{"method:not*mess*", []uint64{20}},
	{"-method:*", nil},
	{"kind:message -method:?*", []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 20}},
	{"dir:out", []uint64{1, 5, 7, 13}},
	{"dir:out kind:request", []uint64{1, 5}},
	{"kind:notification", []uint64{2, 7, 20}},
	{"kind:response", []uint64{4, 6, 8}},
	{"kind:bad|stderr|note", []uint64{10, 11, 12, 19}},
	{"kind:invalid", []uint64{9}},
	{"kind:http dir:in", []uint64{14, 15}},
	{"status:error", []uint64{1, 4, 5, 6, 15}},
	{"is:error kind:request", []uint64{1, 5}},
	{"status:ok", []uint64{8, 14}},
	{"status:2xx", []uint64{14}},
	{"status:-32002", []uint64{5, 6}},
	{`status:"tool error"`, []uint64{1, 4}},
	{"status:pending", nil}, // the process has ended
	{"is:pending", nil},
	{"kind:request -is:answered -is:pending", []uint64{3}},
	{"is:answered", []uint64{1, 5}},
	{"is:unmatched", []uint64{8}},
	{"is:bad", []uint64{9, 10, 11}},
	{"is:problem", []uint64{9, 10, 11, 15}},
	{"tool:echo", []uint64{1, 4}},
	{"tool:ECH*", []uint64{1, 4}},
	{"tool:other", nil},
	{"uri:file:*", []uint64{5, 6}},
	{"prompt:*", nil},
	{"name:http://*", []uint64{13}},
	{"id:1", []uint64{1, 3, 4}},
	{"id:x", []uint64{5, 6}},
	{"ref:p1", []uint64{1, 2}},
	{"ref:7", []uint64{7}},
	{"channel:post-*", []uint64{13, 14, 15}},
	{"channel:post-3|get-1", []uint64{13, 14, 16, 17}},
	{"dur>2ms", []uint64{1, 4}},
	{"dur:1ms", []uint64{5, 6}},
	{"dur<=1ms", []uint64{5, 6}},
	{"size>110", []uint64{1}},
	{"size:9..12", []uint64{12, 19}},
	{"after:18ms", []uint64{18, 19, 20}},
	{"before:3ms", []uint64{1, 2}},
	{"time>=3ms time<5ms", []uint64{3, 4}},
	{"seq:3", []uint64{3}},
	{"seq:3..5", []uint64{3, 4, 5}},
	{"seq:19..", []uint64{19, 20}},
	{"seq>18 -seq:19", []uint64{20}},
	{"has:progress", []uint64{1, 2}},
	{"has:arguments", []uint64{1}},
	{"has:structuredContent|uri", []uint64{5}},
	{"rule:jsonrpc.*|L-RPC-*", []uint64{9, 11}},
	{"rule:nothing", nil},
	{"starting", []uint64{10}},
	{"info", []uint64{10}},
	{"INFO", []uint64{10}},
	{"Info", nil},
	{"file:///ä", []uint64{5}},
	{"look here", []uint64{19}},
	{"keep-alive", []uint64{17}},
	{"-jsonrpc kind:message", []uint64{9}},
	{`"\"id\":1" dir:in`, []uint64{3, 4}},
	{`text:"\"id\":1"|keep-alive`, []uint64{1, 3, 4, 17}},
	{"stdio", nil},
	{"echo|\"INFO starting\"", []uint64{1, 10}},
	{"connection refused", []uint64{15}},
	{`"connection refused"`, []uint64{15}},
}

func seqs(from, to uint64) (s []uint64) {
	for ; from <= to; from++ {
		s = append(s, from)
	}
	return s
}

func find(t testing.TB, l *Log, text string) []uint64 {
	t.Helper()
	f, err := ParseFilter(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	var found []uint64
	if err := l.Find(context.Background(), f, 0, 0, func(s []uint64) bool { found = append(found, s...); return true }); err != nil {
		t.Fatal(err)
	}
	return found
}

func TestFilterFinds(t *testing.T) {
	l := newTestLog(t)
	events, _ := everyKind()
	for _, e := range events {
		l.Append(e)
	}
	for _, c := range filterCases {
		if got := find(t, l, c.filter); !slices.Equal(got, c.want) {
			t.Errorf("%q found %v, want %v", c.filter, got, c.want)
		}
	}
}

var filterErrors = []struct {
	filter string
	offset int
	text   string
}{
	{"methd:x", 0, "no key"},
	{"dir:in  foo:bar", 8, "no key"},
	{"dir:up", 4, "one of in, out"},
	{"dir:in|up", 7, "one of"},
	{"method:", 7, "missing"},
	{"method:a|", 9, "missing"},
	{"method:|a", 7, "before |"},
	{`"open`, 0, "not closed"},
	{`a "open\"`, 2, "not closed"},
	{"dur>fast", 4, "no duration"},
	{"dur>5", 4, "no duration"},
	{"size>1XB", 5, "no size"},
	{"seq:a", 4, "no number"},
	{"method>x", 6, "method:value"},
	{"after>2s", 5, "after:value"},
	{"kind:req", 5, "one of"},
}

func TestFilterErrorsSayWhere(t *testing.T) {
	for _, c := range filterErrors {
		_, err := ParseFilter(c.filter)
		var fe *FilterError
		if !errors.As(err, &fe) || fe.Offset != c.offset || !strings.Contains(fe.Text, c.text) {
			t.Errorf("%q gave %v, want offset %d and %q", c.filter, err, c.offset, c.text)
		}
	}
}

func TestFindStreamsAndStops(t *testing.T) {
	l := newTestLog(t)
	const n = 5 * columnChunk
	for range n {
		l.Append(message(In, `{"jsonrpc":"2.0","method":"x"}`))
	}
	f, err := ParseFilter("method:x")
	if err != nil {
		t.Fatal(err)
	}
	calls, got := 0, 0
	err = l.Find(t.Context(), f, 0, 0, func(s []uint64) bool { calls++; got += len(s); return calls < 2 })
	if err != nil || calls != 2 || got != 2*columnChunk {
		t.Errorf("stopped by emit: %v after %d calls and %d events", err, calls, got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	calls = 0
	err = l.Find(ctx, f, 0, 0, func([]uint64) bool { calls++; cancel(); return true })
	if !errors.Is(err, context.Canceled) || calls != 1 {
		t.Errorf("stopped by the context: %v after %d calls", err, calls)
	}
	var part []uint64
	if err := l.Find(t.Context(), f, 5, 7, func(s []uint64) bool { part = append(part, s...); return true }); err != nil || !slices.Equal(part, seqs(5, 7)) {
		t.Errorf("5..7 gave %v, %v", part, err)
	}
	if err := l.Find(t.Context(), f, n+1, n+9, func([]uint64) bool { t.Error("found behind the end"); return true }); err != nil {
		t.Error(err)
	}
}

// Text must be found wherever a line lies in the windows that are read, and
// however long it is.
func TestTextIsFoundAcrossWindows(t *testing.T) {
	l := newTestLog(t)
	var want []uint64
	for i := range 300 {
		pad := strings.Repeat("x", i*i%7000)
		if i == 150 {
			pad = strings.Repeat("y", 3*textWindow)
		}
		word := "hay"
		if i%50 == 0 {
			word = "NeeDLE"
			want = append(want, uint64(i+1))
		}
		l.Append(message(In, fmt.Sprintf(`{"jsonrpc":"2.0","method":"m","params":{"a":"%s","b":"%s"}}`, pad, word)))
	}
	for _, text := range []string{"needle", "NeeDLE", "needle -hay", "seq:1..400 needle"} {
		if got := find(t, l, text); !slices.Equal(got, want) {
			t.Errorf("%q before it is written: %v, want %v", text, got, want)
		}
	}
	l = reopen(t, l)
	if got := find(t, l, "needle"); !slices.Equal(got, want) {
		t.Errorf("opened again: %v, want %v", got, want)
	}
}

func TestTextIsFoundAsItWasBeforeEncoding(t *testing.T) {
	l := newTestLog(t)
	l.Append(Event{Kind: KindStderr, Data: []byte("say \"hi\"\\n\tthere\n")})
	l.Append(Event{Kind: KindBad, Data: []byte("\xffbinary \"hi\"")})
	l.Append(message(In, "{\"jsonrpc\":\"2.0\",\"method\":\"\xff\"}"))
	l.Append(message(In, `{"jsonrpc":"2.0","method":"a\"hi\"b"}`))
	for _, c := range []struct {
		filter string
		want   []uint64
	}{
		{"binary", []uint64{2}},
		{"jsonrpc", []uint64{3, 4}},
		{`\n`, []uint64{1}},
		{`"\"hi\""`, []uint64{1, 2}},
		{`"\\\"hi"`, []uint64{4}},
		{`there`, []uint64{1}},
	} {
		if got := find(t, l, c.filter); !slices.Equal(got, c.want) {
			t.Errorf("%q found %v, want %v", c.filter, got, c.want)
		}
	}
}

func TestCompleteFilter(t *testing.T) {
	v := FilterValues{Methods: []string{"tools/call", "tools/list", "ping"}, Names: []string{"echo", "two words", `say "hi"`}, Channels: []string{"post-", "stdio"}, Statuses: []string{"ok", "-32601"}}
	for _, c := range []struct {
		text string
		want string // of the first completion, applied
		n    int
	}{
		{"", "method:", len(filterKeys)},
		{"me", "method:", 1},
		{"dir:in -me", "dir:in -method:", 1},
		{"method:too", "method:tools/call", 2},
		{"method:ping|to", "method:ping|tools/call", 2},
		{"method:list", "method:tools/list", 1},
		{"dir:", "dir:in", 2},
		{"tool:two", `tool:"two words"`, 1},
		{`tool:"two w`, `tool:"two words"`, 1},
		{"channel:po", "channel:post-*", 1},
		{"status:-3", "status:-32601", 1},
		{"is:pen", "is:pending", 1},
		{"du", "dur>", 1},
		{"nokey:x", "", 0},
		{"dir:in", "", 0},
		{`name:say`, `name:"say \"hi\""`, 1},
		{`"open te`, "", 0},
	} {
		got := CompleteFilter(c.text, len(c.text), v)
		if len(got) != c.n {
			t.Errorf("%q: %d completions, want %d: %v", c.text, len(got), c.n, got)
			continue
		}
		if c.n > 0 {
			if applied := c.text[:got[0].Start] + got[0].Text + c.text[got[0].End:]; applied != c.want || got[0].Hint == "" {
				t.Errorf("%q becomes %q, want %q", c.text, applied, c.want)
			}
		}
	}
}
