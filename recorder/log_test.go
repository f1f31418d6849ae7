package recorder

import (
	"bytes"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"mcploupe/protocol"
)

func newTestLog(t testing.TB) *Log {
	t.Helper()
	l, err := Create(filepath.Join(t.TempDir(), "a"+Ext), Header{App: "test", Target: Target{Transport: "stdio"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// reopen closes a log and opens its file again.
func reopen(t testing.TB, l *Log) *Log {
	t.Helper()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return mustOpen(t, l.Path())
}

func mustOpen(t testing.TB, path string) *Log {
	t.Helper()
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func message(dir Direction, text string) Event {
	return Event{Dir: dir, Kind: KindMessage, Channel: "stdio", Data: []byte(text)}
}

// everyKind is one event of each kind and shape, with the heads they give.
func everyKind() ([]Event, []Head) {
	code := 3
	events := []Event{
		message(Out, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{},"_meta":{"progressToken":"p1"}}}`),
		message(In, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p1","progress":1}}`),
		message(In, `{"jsonrpc":"2.0","id":1,"method":"ping"}`),
		message(In, `{"jsonrpc":"2.0","id":1,"result":{"content":[],"isError":true}}`),
		message(Out, `{"jsonrpc":"2.0","id":"x","method":"resources/read","params":{"uri":"file:///ä"}}`),
		message(In, `{"jsonrpc":"2.0","id":"x","error":{"code":-32002,"message":"no"}}`),
		message(Out, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`),
		message(In, `{"jsonrpc":"2.0","id":99,"result":{}}`),
		message(In, `{"a":1}`),
		{Dir: In, Kind: KindBad, Channel: "stdio", Data: []byte("INFO starting")},
		{Dir: In, Kind: KindBad, Channel: "stdio", Data: []byte("\xff\xfe{}")},
		{Dir: In, Kind: KindStderr, Channel: "stdio", Data: []byte("li\x00stening\r\n")},
		{Dir: Out, Kind: KindHTTP, Channel: "post-3", Fields: &HTTPHead{Method: "POST", URL: "http://h/mcp", Proto: "HTTP/1.1", Headers: []HeaderField{{"Accept", "a <b> & \xff"}}}},
		{Dir: In, Kind: KindHTTP, Channel: "post-3", Cause: 13, Fields: &HTTPHead{Status: 200, Reason: "OK", Body: "\xfe", Bytes: 4, Done: true}},
		{Dir: In, Kind: KindHTTP, Channel: "post-4", Fields: &HTTPHead{Error: "connection refused"}},
		{Dir: In, Kind: KindSSE, Channel: "get-1", Fields: &SSEFields{Event: "message", ID: "", HasID: true, RetryMS: "100", Bytes: 3}},
		{Dir: In, Kind: KindSSE, Channel: "get-1", Fields: &SSEFields{Comment: "keep-alive"}},
		{Kind: KindState, Fields: &StateChange{State: "exited", Detail: "code 3", PID: 5, ExitCode: &code}},
		{Kind: KindNote, Data: []byte("look\nhere")},
		message(In, "{\"jsonrpc\":\"2.0\",\n\"method\":\"notifications/message\"}"),
	}
	heads := []Head{
		{Dir: Out, Kind: KindMessage, Message: protocol.Request, Method: "tools/call", Name: "echo", ID: "1", Ref: `"p1"`, Channel: "stdio", Status: "tool error", Partner: 4},
		{Dir: In, Kind: KindMessage, Message: protocol.Notification, Method: "notifications/progress", Ref: `"p1"`, Channel: "stdio"},
		{Dir: In, Kind: KindMessage, Message: protocol.Request, Method: "ping", ID: "1", Channel: "stdio"},
		{Dir: In, Kind: KindMessage, Message: protocol.Result, Method: "tools/call", Name: "echo", ID: "1", Channel: "stdio", Status: "tool error", Partner: 1},
		{Dir: Out, Kind: KindMessage, Message: protocol.Request, Method: "resources/read", Name: "file:///ä", ID: `"x"`, Channel: "stdio", Status: "-32002", Partner: 6},
		{Dir: In, Kind: KindMessage, Message: protocol.Error, Method: "resources/read", Name: "file:///ä", ID: `"x"`, Channel: "stdio", Status: "-32002", Partner: 5},
		{Dir: Out, Kind: KindMessage, Message: protocol.Notification, Method: "notifications/cancelled", Ref: "7", Channel: "stdio"},
		{Dir: In, Kind: KindMessage, Message: protocol.Result, ID: "99", Channel: "stdio", Status: "ok"},
		{Dir: In, Kind: KindMessage, Message: protocol.Invalid, Channel: "stdio", Problems: true},
		{Dir: In, Kind: KindBad, Channel: "stdio", Problems: true},
		{Dir: In, Kind: KindBad, Channel: "stdio", Problems: true},
		{Dir: In, Kind: KindStderr, Channel: "stdio"},
		{Dir: Out, Kind: KindHTTP, Channel: "post-3", Status: "POST", Name: "http://h/mcp"},
		{Dir: In, Kind: KindHTTP, Channel: "post-3", Status: "200", Name: "OK", Cause: 13},
		{Dir: In, Kind: KindHTTP, Channel: "post-4", Status: "failed", Name: "connection refused", Problems: true},
		{Dir: In, Kind: KindSSE, Channel: "get-1", Status: "message"},
		{Dir: In, Kind: KindSSE, Channel: "get-1", Status: "comment"},
		{Kind: KindState, Status: "exited", Name: "code 3"},
		{Kind: KindNote},
		{Dir: In, Kind: KindMessage, Message: protocol.Notification, Method: "notifications/message", Channel: "stdio"},
	}
	for i := range events {
		events[i].Time = time.Duration(i+1) * time.Millisecond
		heads[i].Seq, heads[i].Time, heads[i].Size = uint64(i+1), events[i].Time, len(events[i].Data)
	}
	heads[0].Took, heads[3].Took = 3*time.Millisecond, 3*time.Millisecond
	heads[4].Took, heads[5].Took = time.Millisecond, time.Millisecond
	return events, heads
}

func TestEveryKindOfEventIsReadBack(t *testing.T) {
	events, heads := everyKind()
	l := newTestLog(t)
	for i, e := range events {
		if seq := l.Append(e); seq != uint64(i+1) {
			t.Fatalf("Append gave %d for event %d", seq, i+1)
		}
	}
	check := func(when string, l *Log) {
		t.Helper()
		if l.Len() != uint64(len(events)) {
			t.Fatalf("%s: %d events, want %d", when, l.Len(), len(events))
		}
		for i, want := range events {
			seq := uint64(i + 1)
			if got := l.Head(seq); got != heads[i] {
				t.Errorf("%s: head %d\n got %+v\nwant %+v", when, seq, got, heads[i])
			}
			got, err := l.Read(seq, 0)
			if err != nil {
				t.Fatalf("%s: %v", when, err)
			}
			want.Seq = seq
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: event %d\n got %+v\nwant %+v", when, seq, got, want)
			}
			body, err := l.Body(seq)
			if err != nil {
				t.Fatalf("%s: %v", when, err)
			}
			var b bytes.Buffer
			if _, err := b.ReadFrom(body); err != nil || !bytes.Equal(b.Bytes(), want.Data) {
				t.Errorf("%s: body %d is %q, %v", when, seq, b.Bytes(), err)
			}
		}
	}
	check("before it is written", l)
	if err := l.Sync(); err != nil {
		t.Fatal(err)
	}
	check("after it is written", l)
	check("opened again", reopen(t, l))
}
