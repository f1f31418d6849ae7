package recorder

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func export(t testing.TB, l *Log, o ExportOptions) (string, ExportReport) {
	t.Helper()
	var b bytes.Buffer
	r, err := Export(context.Background(), &b, l, o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Bytes != int64(b.Len()) {
		t.Errorf("the report says %d bytes, there are %d", r.Bytes, b.Len())
	}
	return b.String(), r
}

func openText(t testing.TB, text string) *Log {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x"+Ext)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return mustOpen(t, path)
}

func mustFilter(t testing.TB, s string) *Filter {
	t.Helper()
	f, err := ParseFilter(s)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Everything that a recording holds comes back from an export of it, byte for
// byte: unknown members, unknown kinds and lines that are no events too.
func TestRecordingExportIsTheRecording(t *testing.T) { // cases 142, 153
	text := testHeader +
		`{"q":1,"t":5,"d":"out","k":"msg","c":"stdio","y":"request","m":"tools/call","i":1,"n":"echo","s":75,"msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}}
{"q":2,"t":6,"d":"in","k":"msg","c":"stdio","y":"result","i":1,"a":1,"w":"ok","s":43,"seen":{"by":"me"},"msg":{"jsonrpc":"2.0","id":1,"result":{"a":1.0}}}
{"q":3,"t":7,"d":"in","k":"stderr","c":"stdio","r":1,"s":10,"text":"listening\n"}
{"q":4,"t":8,"k":"state","w":"ready","state":{"state":"ready","mood":"good"}}
{"q":5,"t":9,"k":"hologram","hologram":{"x":1}}
{"q":6,"t":10,"d":"in","k":"bad","p":true,"s":2,"b64":"//4="}
`
	l := openText(t, text)
	got, r := export(t, l, ExportOptions{Format: ExportRecording})
	if header, rest, _ := strings.Cut(got, "\n"); !strings.Contains(header, `"later":[1,2.50]`) || rest != text[len(testHeader):] {
		t.Errorf("exported\n%s\nfrom\n%s", got, text)
	}
	if r.Events != 6 || r.Messages != 2 || r.Losses() != "" {
		t.Errorf("report %+v", r)
	}
	// A plan that finds nothing changes nothing.
	plan, err := PlanMask(context.Background(), l, MaskOptions{Tokens: true, Home: true})
	if err != nil || len(plan.Entries) != 0 {
		t.Fatal(plan, err)
	}
	if again, _ := export(t, l, ExportOptions{Format: ExportRecording, Mask: plan}); again != got {
		t.Errorf("masked\n%s\nfrom\n%s", again, got)
	}
}

func TestForeignLinesAreExportedSoThatTheyReadTheSame(t *testing.T) {
	l := openText(t, testHeader+`{"msg":{"jsonrpc":"2.0","id":1,"method":"ping"},"c":"stdio","k":"msg","d":"out","t":41,"q":1}
not JSON
{"k":"msg","d":"in","t":50,"msg":{"jsonrpc":"2.0","id":1,"result":{}},"mine":7}
`)
	got, _ := export(t, l, ExportOptions{Format: ExportRecording})
	m := openText(t, got)
	for seq := uint64(1); seq <= 3; seq++ {
		a, errA := l.Read(seq, 0)
		b, errB := m.Read(seq, 0)
		if errA != nil || errB != nil || string(a.Data) != string(b.Data) || a.Time != b.Time || l.Head(seq).Partner != m.Head(seq).Partner {
			t.Errorf("event %d: %+v %v\nbecame %+v %v", seq, a, errA, b, errB)
		}
	}
	if e, _ := m.Read(3, 0); string(e.Extra) != `{"mine":7}` {
		t.Errorf("extra %s", e.Extra)
	}
}

// mixed is a recording in which the same id is asked three times, once without
// an answer.
func mixed(t testing.TB) *Log {
	l := newTestLog(t)
	for i, e := range []Event{
		message(Out, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"lost"}}`), // 1: never answered
		message(Out, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`),                          // 2
		{Kind: KindHTTP, Dir: Out, Channel: "post-1", Fields: &HTTPHead{Method: "POST", URL: "http://h/"}},
		{Kind: KindSSE, Dir: In, Channel: "post-1", Cause: 3, Fields: &SSEFields{ID: "7", HasID: true}},
		{Kind: KindMessage, Dir: In, Channel: "post-1", Cause: 4, Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`)}, // 5 answers 2
		{Kind: KindStderr, Dir: In, Data: []byte("warn\n")},
		message(Out, `{"jsonrpc":"2.0","id":2,"method":"ping"}`), // 7
		message(In, `{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no"}}`),
		{Kind: KindBad, Dir: In, Data: []byte("INFO hello")},
	} {
		e.Time = time.Duration(i+1) * time.Millisecond
		l.Append(e)
	}
	return reopen(t, l)
}

// Numbers change when events are left out; what they name does not.
func TestFilteredRecordingNamesTheSameEvents(t *testing.T) {
	l := mixed(t)
	for _, c := range []struct {
		name     string
		sel      Selection
		partners []uint64
		causes   []uint64
	}{
		{"all", Selection{}, []uint64{0, 5, 0, 0, 2, 0, 8, 7, 0}, []uint64{0, 0, 0, 3, 4, 0, 0, 0, 0}},
		{"messages", Selection{Filter: mustFilter(t, "kind:request|response")}, []uint64{0, 3, 2, 5, 4}, []uint64{0, 0, 0, 0, 0}},
		{"the unanswered request and the answer to the other", Selection{Seqs: []uint64{1, 5}}, []uint64{0, 0}, []uint64{0, 0}},
		{"a range", Selection{From: 3, To: 5}, []uint64{0, 0, 0}, []uint64{0, 1, 2}},
		{"nothing", Selection{Filter: mustFilter(t, "method:none")}, nil, nil},
		{"beyond the end", Selection{From: 20}, nil, nil},
	} {
		text, r := export(t, l, ExportOptions{Format: ExportRecording, Selection: c.sel})
		m := openText(t, text)
		if m.Repaired() != "" || m.Len() != uint64(len(c.partners)) || r.Events != len(c.partners) {
			t.Errorf("%s: %d events, report %+v, repaired %q", c.name, m.Len(), r, m.Repaired())
			continue
		}
		for i := range c.partners {
			if h := m.Head(uint64(i + 1)); h.Partner != c.partners[i] || h.Cause != c.causes[i] {
				t.Errorf("%s: event %d has partner %d and cause %d, want %d and %d", c.name, i+1, h.Partner, h.Cause, c.partners[i], c.causes[i])
			}
		}
	}
	if _, err := Export(context.Background(), &bytes.Buffer{}, l, ExportOptions{Format: ExportRecording, Selection: Selection{Seqs: []uint64{3, 2}}}); !errors.Is(err, ErrNoEvent) {
		t.Errorf("events out of order: %v", err)
	}
}

// Marks go with what they mark, also when the events that set them are not
// selected.
func TestMarksAreKept(t *testing.T) {
	l := mixed(t)
	for _, m := range []Mark{{Seq: 2, Pinned: true}, {Seq: 7, Color: "red", Note: "why? token=hunter22"}, {Seq: 9, Note: "gone"}, {Seq: 2, Pinned: true, Note: "later"}, {Seq: 9}} {
		if err := l.SetMark(m); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Sync(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		sel  Selection
		want []Mark
	}{
		{Selection{}, []Mark{{Seq: 2, Pinned: true, Note: "later"}, {Seq: 7, Color: "red", Note: "why? token=hunter22"}}},
		{Selection{From: 2, To: 11}, []Mark{{Seq: 1, Pinned: true, Note: "later"}, {Seq: 6, Color: "red", Note: "why? token=hunter22"}}},
		{Selection{Filter: mustFilter(t, "method:ping")}, []Mark{{Seq: 1, Color: "red", Note: "why? token=hunter22"}}},
		{Selection{Seqs: []uint64{9, 12}}, nil},
	} {
		text, r := export(t, l, ExportOptions{Format: ExportRecording, Selection: c.sel})
		m := openText(t, text)
		if got := m.Marks(); !slices.Equal(got, c.want) {
			t.Errorf("%+v\nhas marks %+v\nwant      %+v\n%s", c.sel, got, c.want, text)
		}
		// What sets them is not counted with what was selected.
		if selected := len(find(t, l, "kind:*")); c.sel.Seqs != nil && r.Events != len(c.sel.Seqs) || c.sel.From == 2 && r.Events != 10 ||
			reflect.ValueOf(c.sel).IsZero() && r.Events != selected || r.Events+r.Marks != int(m.Len()) {
			t.Errorf("%+v: %d events and %d marks besides, of %d", c.sel, r.Events, r.Marks, m.Len())
		}
	}
	p := plan(t, l, MaskOptions{Tokens: true})
	for _, f := range []ExportFormat{ExportRecording, ExportMarkdown} {
		text, _ := export(t, l, ExportOptions{Format: f, Mask: p, Selection: Selection{To: 9}})
		if strings.Contains(text, "hunter22") || !strings.Contains(text, "why? token=") {
			t.Errorf("masked:\n%s", text)
		}
	}
}

func TestMessagesExportIsTheBytesOfTheMessages(t *testing.T) {
	l := mixed(t)
	e := message(In, "{\"jsonrpc\":\"2.0\",\r\n \"method\":\"a b\"}")
	l.Append(e)
	text, r := export(t, l, ExportOptions{Format: ExportMessages})
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	var want []string
	for seq := uint64(1); seq <= l.Len(); seq++ {
		if l.Head(seq).Kind == KindMessage {
			e, _ := l.Read(seq, 0)
			want = append(want, strings.NewReplacer("\r", " ", "\n", " ").Replace(string(e.Data)))
		}
	}
	if !slices.Equal(lines, want) {
		t.Errorf("exported %q, want %q", lines, want)
	}
	if got, want := r.Losses(), "1 HTTP head, 1 event stream event's own fields, 1 piece of stderr, 1 piece of bytes that are no message, "+
		"2 line breaks inside of messages and 6 directions and times of messages are not in this format"; got != want {
		t.Errorf("lost: %s\nwant  %s", got, want)
	}
}

func TestMarkdownShowsExchangesAndCannotBeBrokenOutOf(t *testing.T) {
	l := newTestLog(t)
	attack := "```\\n# Free\\n````\\n<script>alert(1)</script>\\u202e\\u001b[31m"
	for i, e := range []Event{
		message(Out, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a`+"`` | x"+`","arguments":{"n":9007199254740993,"s":"`+attack+`"}}}`),
		{Kind: KindStderr, Dir: In, Data: []byte("````\n# out\n\x1b[0m\x00")},
		message(In, `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"`+attack+`"}],"isError":true}}`),
		message(In, `{"jsonrpc":"1.0","method":"notifications/x"}`),
		message(Out, `{"jsonrpc":"2.0","id":2,"method":"ping"}`),
		{Kind: KindState, Dir: In, Fields: &StateChange{State: "exited", Detail: "code 1"}},
	} {
		e.Time = time.Duration(i+1) * 1500 * time.Microsecond
		l.Append(e)
	}
	text, r := export(t, reopen(t, l), ExportOptions{Format: ExportMarkdown})
	for _, want := range []string{"9007199254740993", "after 3ms", "`tool error`", "stderr", "connection: exited", "**No answer.**", "- violation `"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	// Outside of the fences there is nothing of the server's but in code spans.
	fence := ""
	for _, line := range strings.Split(text, "\n") {
		ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence == "" && len(ticks) >= 3:
			fence = ticks
		case fence != "" && line == fence:
			fence = ""
		case fence == "" && (strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "# Recording") || strings.HasPrefix(line, "<")):
			t.Errorf("broken out: %q", line)
		}
	}
	if fence != "" {
		t.Error("a fence is not closed")
	}
	if strings.ContainsAny(text, "\x00\x1b\u202e") {
		t.Error("a character that steers is in the transcript")
	}
	if r.Events != 6 || r.Losses() != "" {
		t.Errorf("report %+v", r)
	}
}

func TestLongBodiesAreCutInATranscriptAndItIsSaid(t *testing.T) {
	l := newTestLog(t)
	l.Append(Event{Kind: KindStderr, Dir: In, Time: 1, Data: []byte(strings.Repeat("é", maxTranscriptBody))})
	text, r := export(t, reopen(t, l), ExportOptions{Format: ExportMarkdown})
	if len(text) > maxTranscriptBody+2000 || !strings.Contains(text, "65536 bytes more are left out") || r.Losses() != "65536 bytes of long bodies are not in this format" {
		t.Errorf("%d bytes, lost %q", len(text), r.Losses())
	}
}

func TestExportIsCancelledAndTellsHowFarItIs(t *testing.T) {
	l := newTestLog(t)
	for range 5000 {
		l.Append(message(Out, `{"jsonrpc":"2.0","method":"x"}`))
	}
	l = reopen(t, l)
	ctx, cancel := context.WithCancel(context.Background())
	var told []uint64
	r, err := Export(ctx, &bytes.Buffer{}, l, ExportOptions{Format: ExportRecording, Progress: func(done, total uint64) {
		told = append(told, done)
		if total != 5000 {
			t.Errorf("of %d", total)
		}
		if done > 1000 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || r.Events < 1000 || r.Events > 2000 {
		t.Errorf("%d events, %v", r.Events, err)
	}
	if len(told) > 100 || !slices.IsSorted(told) {
		t.Errorf("progress %v", told)
	}
	if _, err := Export(context.Background(), failingWriter{}, l, ExportOptions{Format: ExportMessages}); !errors.Is(err, errFull) {
		t.Errorf("a full disk gives %v", err)
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errFull }

func TestStatsCountByMethodAndTool(t *testing.T) {
	l := newTestLog(t)
	id := 0
	call := func(method, params, answer string, took time.Duration) {
		id++
		at := time.Duration(id) * time.Second
		l.Append(Event{Kind: KindMessage, Dir: Out, Time: at, Data: []byte(strings.Replace(`{"jsonrpc":"2.0","id":ID,"method":"`+method+`","params":`+params+`}`, "ID", string(rune('0'+id/10))+string(rune('0'+id%10)), 1))})
		if answer != "" {
			l.Append(Event{Kind: KindMessage, Dir: In, Time: at + took, Data: []byte(strings.Replace(answer, "ID", string(rune('0'+id/10))+string(rune('0'+id%10)), 1))})
		}
	}
	id = 10
	for i := range 10 {
		call("tools/call", `{"name":"echo"}`, `{"jsonrpc":"2.0","id":ID,"result":{}}`, time.Duration(i+1)*time.Millisecond)
	}
	call("tools/call", `{"name":"bad"}`, `{"jsonrpc":"2.0","id":ID,"result":{"isError":true}}`, time.Millisecond)
	call("tools/call", `{"name":"bad"}`, `{"jsonrpc":"2.0","id":ID,"error":{"code":1,"message":"x"}}`, time.Millisecond)
	call("ping", `{}`, "", 0)
	l.Append(message(In, `{"jsonrpc":"2.0","method":"notifications/x"}`))
	l.Append(Event{Kind: KindStderr, Dir: In, Data: []byte("x")})
	l = reopen(t, l)
	s, err := NewStats(context.Background(), l, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Methods) != 3 || len(s.Tools) != 2 {
		t.Fatalf("%+v", s)
	}
	m := s.Methods[0]
	if m.Method != "tools/call" || m.Count != 12 || m.Answered != 12 || m.Errors != 2 || m.P50 != 4*time.Millisecond || m.P90 != 9*time.Millisecond || m.P99 != 10*time.Millisecond || m.Max != 10*time.Millisecond {
		t.Errorf("%+v", m)
	}
	if echo := s.Tools[0]; echo.Name != "echo" || echo.Count != 10 || echo.P50 != 5*time.Millisecond || echo.BytesOut != 10*72 || echo.BytesIn != 10*37 {
		t.Errorf("%+v", echo)
	}
	if ping := s.Methods[2]; ping.Method != "ping" || ping.Answered != 0 || ping.P50 != 0 {
		t.Errorf("%+v", ping)
	}
	if want := map[EventKind]int{KindMessage: 26, KindStderr: 1}; !reflect.DeepEqual(s.Events, want) || s.Total.Count != 14 {
		t.Errorf("%+v, total %+v", s.Events, s.Total)
	}
	filtered, err := NewStats(context.Background(), l, mustFilter(t, "tool:bad"), nil)
	if err != nil || len(filtered.Tools) != 1 || filtered.Tools[0].Count != 2 {
		t.Errorf("%+v, %v", filtered, err)
	}
}

func TestPercentilesOfManyDurations(t *testing.T) {
	var d durations
	const n = 300_000
	for i := 1; i <= n; i++ {
		d.add(time.Duration(i) * time.Microsecond)
	}
	if d.exact != nil || len(d.buckets) > 10_000 {
		t.Errorf("%d kept, %d buckets", len(d.exact), len(d.buckets))
	}
	for _, percent := range []int{1, 50, 90, 99} {
		want := time.Duration(percent) * n / 100 * time.Microsecond
		if got := d.at(percent); got < want*995/1000 || got > want*1005/1000 {
			t.Errorf("p%d is %s, want %s", percent, got, want)
		}
	}
}
