package interop

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
)

func record(t testing.TB, transport string, events []recorder.Event) *recorder.Log {
	t.Helper()
	l, err := recorder.Create(filepath.Join(t.TempDir(), "x"+recorder.Ext), recorder.Header{
		Created: time.Date(2026, 7, 28, 10, 0, 0, 123456789, time.UTC), App: "mcploupe 0",
		Target: recorder.Target{Name: "it", Transport: transport, URL: "http://h/mcp"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	for i, e := range events {
		e.Time = time.Duration(i+1) * 1234567 * time.Nanosecond
		l.Append(e)
	}
	if err := l.Sync(); err != nil {
		t.Fatal(err)
	}
	return l
}

// texts are messages that a careless reader changes.
var texts = []string{
	`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":9007199254740993,"b":1.0,"c":1e400,"d":-0,"e":null,"f":""}}}`,
	`{"id":1,"jsonrpc":"2.0","result" : {"content":[{"type":"text","text":"\u0041\ud83d\ude00 😀 <&> \/ \u2028"}]}}`,
	`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.10,"progress":0.20}}`,
	`{"jsonrpc":"2.0","id":"1","method":"ping"}`,
	`{"jsonrpc":"2.0","id":"1","result":{}}`,
	`[{"jsonrpc":"2.0","id":7,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"}]`,
	`{"neither":"this","nor":["that"]}`,
}

var ways = []recorder.Direction{recorder.Out, recorder.In, recorder.In, recorder.Out, recorder.In, recorder.Out, recorder.In}

func stdioLog(t testing.TB) *recorder.Log {
	events := []recorder.Event{{Kind: recorder.KindState, Dir: recorder.Out, Channel: "stdio", Fields: &recorder.StateChange{State: "starting"}}}
	for i, text := range texts {
		events = append(events, recorder.Event{Kind: recorder.KindMessage, Dir: ways[i], Channel: "stdio", Data: []byte(text)})
	}
	return record(t, "stdio", append(events,
		recorder.Event{Kind: recorder.KindStderr, Dir: recorder.In, Channel: "stdio", Data: []byte("warn\n")},
		recorder.Event{Kind: recorder.KindBad, Dir: recorder.In, Channel: "stdio", Data: []byte("INFO hello")},
	))
}

// httpLog has the exchanges of a session over HTTP as the link records them: a
// body that is JSON, an event stream with fields, a pretty body, a redirect, a
// failure, a body that is no message, one that is no text.
func httpLog(t testing.TB) *recorder.Log {
	var events []recorder.Event
	add := func(e recorder.Event) uint64 {
		events = append(events, e)
		return uint64(len(events))
	}
	channel := ""
	n := 0
	request := func(method, text string) uint64 {
		n++
		channel = fmt.Sprintf("%s-%d", strings.ToLower(method), n)
		head := add(recorder.Event{Kind: recorder.KindHTTP, Dir: recorder.Out, Channel: channel, Fields: &recorder.HTTPHead{
			Method: method, URL: "http://h/mcp?a=b%20c", Headers: []recorder.HeaderField{{Name: "Accept", Value: "*/*"}, {Name: "Content-Type", Value: "application/json"}},
		}})
		if text != "" {
			add(recorder.Event{Kind: recorder.KindMessage, Dir: recorder.Out, Channel: channel, Cause: head, Data: []byte(text)})
		}
		return head
	}
	answer := func(head uint64, status int, mime string) uint64 {
		return add(recorder.Event{Kind: recorder.KindHTTP, Dir: recorder.In, Channel: channel, Cause: head, Fields: &recorder.HTTPHead{
			Status: status, Reason: "Fine", Proto: "HTTP/1.1", Headers: []recorder.HeaderField{{Name: "Content-Type", Value: mime}},
		}})
	}
	in := func(cause uint64, kind recorder.EventKind, text string) {
		add(recorder.Event{Kind: kind, Dir: recorder.In, Channel: channel, Cause: cause, Data: []byte(text)})
	}
	done := func(cause uint64, bytes int64, body, failure string) {
		add(recorder.Event{Kind: recorder.KindHTTP, Dir: recorder.In, Channel: channel, Cause: cause, Fields: &recorder.HTTPHead{Done: true, Bytes: bytes, Body: body, Error: failure}})
	}
	h := answer(request("POST", texts[0]), 200, "application/json; charset=utf-8")
	in(h, recorder.KindMessage, texts[1])
	done(h, int64(len(texts[1])), "", "")

	h = answer(request("POST", texts[3]), 200, "text/event-stream")
	sse := add(recorder.Event{Kind: recorder.KindSSE, Dir: recorder.In, Channel: channel, Cause: h, Fields: &recorder.SSEFields{Event: "message", ID: "a:1", HasID: true, RetryMS: "50", Comment: "c1\n c2", Bytes: len(texts[2])}})
	in(sse, recorder.KindMessage, texts[2])
	add(recorder.Event{Kind: recorder.KindSSE, Dir: recorder.In, Channel: channel, Cause: h, Fields: &recorder.SSEFields{Comment: "keep"}})
	in(h, recorder.KindMessage, "{\"jsonrpc\":\"2.0\",\n \"id\":\"1\",\n\"result\":{}}")
	done(h, 400, "", "")

	h = answer(request("POST", texts[5]), 200, "application/json")
	in(h, recorder.KindMessage, "{\r\n  \"jsonrpc\": \"2.0\", \"id\": 7, \"result\": {} }\n")
	done(h, 47, "", "")

	h = answer(request("GET", ""), 405, "text/plain")
	done(h, 7, "no <GET>", "")

	h = answer(request("POST", `{"jsonrpc":"2.0","id":9,"method":"ping"}`), 200, "application/octet-stream")
	in(h, recorder.KindBad, "\xff\xfe\x00")
	done(h, 3, "", "")

	done(request("DELETE", ""), 0, "", "connection refused")
	return record(t, "http", events)
}

// messages are the bytes of the messages with their way, in order.
func messages(t testing.TB, l *recorder.Log, ways bool) []string {
	t.Helper()
	var out []string
	for seq := uint64(1); seq <= l.Len(); seq++ {
		if h := l.Head(seq); h.Kind == recorder.KindMessage {
			e, err := l.Read(seq, 0)
			if err != nil {
				t.Fatal(err)
			}
			text := string(e.Data)
			if ways {
				text = h.Dir.String() + " " + text
			}
			out = append(out, text)
		}
	}
	return out
}

func exportText(t testing.TB, l *recorder.Log, f Format) (string, recorder.ExportReport) {
	t.Helper()
	var b bytes.Buffer
	r, err := Export(context.Background(), &b, l, f, recorder.ExportOptions{App: "mcploupe 1"})
	if err != nil {
		t.Fatalf("%s: %v", f, err)
	}
	return b.String(), r
}

// Record, export, import, convert: messages are byte for byte the same in every
// format that reads and writes, and what a format cannot carry is said.
func TestRoundTrip(t *testing.T) { // cases 144, 153
	for _, c := range []struct {
		name   string
		log    *recorder.Log
		format Format
		lost   string
		ways   bool // directions come back
		times  bool // and times, to the nanosecond
		lines  bool // messages come back on one line
	}{
		{"stdio recording", stdioLog(t), Recording, "", true, true, false},
		{"http recording", httpLog(t), Recording, "", true, true, false},
		{"stdio lines", stdioLog(t), Lines, "1 connection change, 1 piece of stderr, 1 piece of bytes that are no message and 7 directions and times of messages are not in this format", false, false, false},
		{"http lines", httpLog(t), Lines, "17 HTTP heads, 2 event stream events' own fields, 5 line breaks inside of messages, 1 piece of bytes that are no message and 8 directions and times of messages are not in this format", false, false, true},
		{"stdio mcpsnoop", stdioLog(t), Snoop, "1 connection change is not in this format", true, true, false},
		{"http mcpsnoop", httpLog(t), Snoop, "17 HTTP heads, 2 event stream events' own fields, 2 messages' own layouts and 1 piece of bytes that are no message are not in this format", true, true, true},
		{"http HAR", httpLog(t), HAR, "1 event stream's own layout (it is put together again from its events) is not in this format", true, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, r := exportText(t, c.log, c.format)
			if r.Losses() != c.lost {
				t.Errorf("lost: %s\nwant  %s", r.Losses(), c.lost)
			}
			if got := Detect([]byte(text)[:min(len(text), detectSize)]); got != c.format {
				t.Errorf("taken for %s", got)
			}
			back, report := importText(t, text)
			want := messages(t, c.log, c.ways)
			if c.lines {
				for i := range want {
					if strings.ContainsAny(want[i], "\r\n") {
						want[i] = string(protocol.Compact([]byte(want[i][strings.IndexAny(want[i], "{["):])))
					}
				}
			}
			got := messages(t, back, c.ways)
			if c.lines {
				for i := range got {
					if !slices.Contains(want, got[i]) {
						got[i] = string(protocol.Compact([]byte(got[i][strings.IndexAny(got[i], "{["):])))
					}
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("came back as\n%s\nwere\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			if c.format != Lines && report.SkippedN != 0 {
				t.Errorf("skipped %v", report.Skipped)
			}
			if c.times {
				compareTimes(t, c.log, back)
			}
			// And on into a recording, which carries all of it.
			again, r2 := exportText(t, back, Recording)
			twice, _ := importText(t, again)
			if !slices.Equal(messages(t, twice, true), messages(t, back, true)) || r2.Losses() != "" {
				t.Errorf("converted to a recording it changed: %s", r2.Losses())
			}
		})
	}
}

// compareTimes compares the times of messages.
func compareTimes(t *testing.T, a, b *recorder.Log) {
	t.Helper()
	at := func(l *recorder.Log) (out []time.Time) {
		for seq := uint64(1); seq <= l.Len(); seq++ {
			if h := l.Head(seq); h.Kind == recorder.KindMessage {
				out = append(out, l.Header().Created.Add(h.Time))
			}
		}
		return out
	}
	x, y := at(a), at(b)
	for i := range x {
		if d := y[i].Sub(x[i]); d < 0 || d > 1 { // the first event has a nanosecond at least
			t.Errorf("message %d is %s later", i, d)
		}
	}
}

// What HTTP was comes back from an archive: heads, headers, fields of streams,
// bodies without messages, failures, pairs and causes; times to the part of
// the exchange.
func TestHARKeepsHTTP(t *testing.T) {
	l := httpLog(t)
	text, _ := exportText(t, l, HAR)
	back, _ := importText(t, text)
	if back.Len() != l.Len() {
		t.Fatalf("%d events of %d\n%s", back.Len(), l.Len(), strings.Join(rows(t, back), "\n"))
	}
	shape := func(l *recorder.Log) (out []string) {
		for _, row := range rows(t, l) {
			out = append(out, strings.Join(slices.Delete(strings.SplitN(row, " ", 6), 1, 2), " "))
		}
		return out
	}
	a, b := shape(l), shape(back)
	for i := range a {
		// The channels count from the methods.
		one := strings.SplitN(a[i], " ", 5)
		two := strings.SplitN(b[i], " ", 5)
		if !slices.Equal(slices.Delete(one, 3, 4), slices.Delete(two, 3, 4)) {
			t.Errorf("event %d was\n%s, is\n%s", i+1, a[i], b[i])
		}
	}
	for seq := uint64(1); seq <= l.Len(); seq++ {
		x, _ := l.Read(seq, 0)
		y, _ := back.Read(seq, 0)
		f, ok := x.Fields.(*recorder.HTTPHead)
		if g, same := y.Fields.(*recorder.HTTPHead); ok && (!same || !slices.Equal(f.Headers, g.Headers) || f.Reason != g.Reason || f.Bytes != g.Bytes) {
			t.Errorf("event %d: %+v became %+v", seq, f, g)
		}
		if l.Head(seq).Partner != back.Head(seq).Partner {
			t.Errorf("event %d: partner %d became %d", seq, l.Head(seq).Partner, back.Head(seq).Partner)
		}
	}
}

func TestHARIsHAR(t *testing.T) {
	text, r := exportText(t, httpLog(t), HAR)
	lookup := func(pointer string) string {
		v, _, ok := protocol.Lookup([]byte(text), pointer)
		if !ok {
			t.Errorf("no %s", pointer)
		}
		return string(v)
	}
	for pointer, want := range map[string]string{
		"/log/version":                                  `"1.2"`,
		"/log/creator/name":                             `"mcploupe"`,
		"/log/creator/version":                          `"1"`,
		"/log/entries/0/startedDateTime":                `"2026-07-28T10:00:00.124691356Z"`,
		"/log/entries/0/time":                           "4.938268",
		"/log/entries/0/timings/send":                   "1.234567",
		"/log/entries/0/timings/wait":                   "1.234567",
		"/log/entries/0/timings/receive":                "2.469134",
		"/log/entries/0/request/queryString/0/value":    `"b c"`,
		"/log/entries/0/request/postData/mimeType":      `"application/json"`,
		"/log/entries/0/request/httpVersion":            `"HTTP/1.1"`,
		"/log/entries/1/response/content/mimeType":      `"text/event-stream"`,
		"/log/entries/1/_eventSourceMessages/0/eventId": `"a:1"`,
		"/log/entries/1/_eventSourceMessages/0/time":    `1785232800.135802459`,
		"/log/entries/4/response/content/encoding":      `"base64"`,
		"/log/entries/4/response/content/text":          `"//4A"`,
		"/log/entries/5/response/status":                "0",
		"/log/entries/5/response/_error":                `"connection refused"`,
		"/log/entries/3/response/content/text":          `"no <GET>"`,
		"/log/entries/5/cache":                          "{}",
		"/log/entries/5/response/redirectURL":           `""`,
		"/log/entries/5/request/cookies":                "[]",
		"/log/entries/0/response/headers/0/name":        `"Content-Type"`,
		"/log/entries/1/response/content/size":          "400",
		"/log/entries/0/request/bodySize":               fmt.Sprint(len(texts[0])),
		"/log/entries/0/response/headersSize":           "-1",
	} {
		if got := lookup(pointer); got != want {
			t.Errorf("%s is %s, want %s", pointer, got, want)
		}
	}
	stream, _ := protocol.StringValue([]byte(lookup("/log/entries/1/response/content/text")))
	want := "event: message\nid: a:1\nretry: 50\n:c1\n: c2\ndata: " + texts[2] + "\n\n:keep\n\ndata: {\"jsonrpc\":\"2.0\",\ndata:  \"id\":\"1\",\ndata: \"result\":{}}\n\n"
	if stream != want {
		t.Errorf("stream\n%s\nwant\n%s", stream, want)
	}
	if r.Messages != 8 {
		t.Errorf("%+v", r)
	}
}

// A filter selects exchanges by their request heads.
func TestHARTakesWhatBelongsToSelectedRequests(t *testing.T) {
	f, err := recorder.ParseFilter("POST")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	r, err := Export(context.Background(), &b, httpLog(t), HAR, recorder.ExportOptions{Selection: recorder.Selection{Filter: f}})
	if err != nil || r.Messages != 8 {
		t.Errorf("%+v %v", r, err)
	}
	if strings.Count(b.String(), `"startedDateTime"`) != 4 {
		t.Errorf("entries: %s", b.String())
	}
}

func TestAnArchiveOfStdioIsRefusedAndToldWhy(t *testing.T) {
	_, err := Export(context.Background(), io.Discard, stdioLog(t), HAR, recorder.ExportOptions{})
	if !errors.Is(err, ErrNoHTTP) || !strings.Contains(err.Error(), "stdio") {
		t.Errorf("%v", err)
	}
	if _, err := Export(context.Background(), io.Discard, stdioLog(t), Inspector, recorder.ExportOptions{}); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("%v", err)
	}
}

// Secrets are masked in every format, in streams put together again too.
func TestSecretsAreMaskedInEveryFormat(t *testing.T) {
	const secret = "hunter22/+é"
	head := recorder.Event{Kind: recorder.KindHTTP, Dir: recorder.Out, Channel: "post-1", Fields: &recorder.HTTPHead{
		Method: "POST", URL: "http://h/?token=hunter22%2F%2B%C3%A9", Headers: []recorder.HeaderField{{Name: "X-Api-Key", Value: secret}},
	}}
	l := record(t, "http", []recorder.Event{
		head,
		{Kind: recorder.KindMessage, Dir: recorder.Out, Channel: "post-1", Cause: 1, Data: []byte(`{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"hunter22\/+\u00e9"}}`)},
		{Kind: recorder.KindHTTP, Dir: recorder.In, Channel: "post-1", Cause: 1, Fields: &recorder.HTTPHead{Status: 200, Headers: []recorder.HeaderField{{Name: "Content-Type", Value: "text/event-stream"}}}},
		{Kind: recorder.KindSSE, Dir: recorder.In, Channel: "post-1", Cause: 3, Fields: &recorder.SSEFields{ID: secret, HasID: true, Bytes: 60}},
		{Kind: recorder.KindMessage, Dir: recorder.In, Channel: "post-1", Cause: 4, Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"b":"` + secret + `"}}`)},
	})
	plan, err := recorder.PlanMask(context.Background(), l, recorder.MaskOptions{Tokens: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range Formats() {
		if !info.Export {
			continue
		}
		var b bytes.Buffer
		r, err := Export(context.Background(), &b, l, info.Format, recorder.ExportOptions{Mask: plan})
		if err != nil || r.Masked == 0 {
			t.Errorf("%s: %+v %v", info.Key, r, err)
		}
		if strings.Contains(b.String(), "hunter22") {
			t.Errorf("%s: %s", info.Key, b.String())
		}
	}
}
