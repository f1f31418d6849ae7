package view

import (
	"strings"
	"testing"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
)

func TestDetailOfAMessage(t *testing.T) {
	log := newLog(t)
	text := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"n","arguments":{"a":9007199254740993,"b":1.0}}}`
	call := message(log, recorder.Out, time.Second, text)
	answer := message(log, recorder.In, 2*time.Second, `{"jsonrpc":"2.0","id":7,"result":{},"error":{}}`)
	d, err := LoadDetail(log, call)
	if err != nil {
		t.Fatal(err)
	}
	if string(d.Body) != text || !d.JSON || d.Partner != answer || !d.Request {
		t.Errorf("detail %+v", d)
	}
	for _, want := range []string{"direction: to the server", "method: tools/call", "name: n", "id: 7", "answer: event 2 after 1"} {
		if !strings.Contains(d.Facts.Text(), want) {
			t.Errorf("fields lack %q:\n%s", want, d.Facts.Text())
		}
	}
	d, err = LoadDetail(log, answer)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Problems) == 0 || len(d.Findings) != len(d.Problems) || d.Findings[0].Tone != Bad {
		t.Errorf("result and error together: problems %+v", d.Problems)
	}
	if _, err := LoadDetail(log, 99); err == nil {
		t.Error("an event that is not there has details")
	}
}

func TestDetailOfAnExchange(t *testing.T) {
	log := newLog(t)
	body := log.Append(recorder.Event{Dir: recorder.Out, Kind: recorder.KindMessage, Channel: "post-1", Data: []byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)})
	request := log.Append(recorder.Event{Dir: recorder.Out, Kind: recorder.KindHTTP, Channel: "post-1", Cause: body, Fields: &recorder.HTTPHead{
		Method: "POST", URL: "http://h/mcp", Headers: []recorder.HeaderField{{Name: "Mcp-Method", Value: "ping"}}}})
	response := log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindHTTP, Channel: "post-1", Cause: request, Fields: &recorder.HTTPHead{
		Status: 200, Reason: "OK", Headers: []recorder.HeaderField{{Name: "X-Evil", Value: "a\u202eb"}}}})
	answer := log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindMessage, Channel: "post-1", Cause: response, Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{}}`)})
	d, err := LoadDetail(log, answer)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"200 OK", "X-Evil: a‹U+202E›b", "POST http://h/mcp", "Mcp-Method: ping"} {
		if !strings.Contains(d.Facts.Text(), want) {
			t.Errorf("fields lack %q:\n%s", want, d.Facts.Text())
		}
	}
	if d, err = LoadDetail(log, body); err != nil || !strings.Contains(d.Facts.Text(), "Mcp-Method: ping") {
		t.Errorf("the request's body does not show its head: %v\n%s", err, d.Facts.Text())
	}
}

// A masked secret is shown as its tag, and copied as it is recorded.
func TestSecretsInATable(t *testing.T) {
	var table Table
	table.add("Authorization", "Bearer ‹secret:1a2b3c4d›")
	r := table[0]
	if r.Value != "Bearer "+maskedAs || len(r.Secrets) != 1 || r.Secrets[0] != "secret 1a2b3c4d" || r.Whole != "Bearer ‹secret:1a2b3c4d›" {
		t.Errorf("%+v", r)
	}
}

func TestFieldsOfAServerSentEvent(t *testing.T) {
	log := newLog(t)
	sse := log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindSSE, Channel: "get-1", Fields: &recorder.SSEFields{Event: "message", HasID: true, RetryMS: "0100"}})
	seq := log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindMessage, Channel: "get-1", Cause: sse, Data: []byte(`{"jsonrpc":"2.0","method":"x"}`)})
	for _, event := range []uint64{sse, seq} {
		d, err := LoadDetail(log, event)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"Server-sent event\n", "event: message\n", "id: \n", "retry: 0100\n"} {
			if !strings.Contains(d.Facts.Text(), want) {
				t.Errorf("event %d lacks %q:\n%s", event, want, d.Facts.Text())
			}
		}
	}
}

func TestPlacesOfProblems(t *testing.T) {
	body := []byte("{\n  \"é\": 1,\n  x}")
	got := problemRows(body, []protocol.Problem{
		{Rule: "a", Offset: 15, Severity: protocol.Violation}, {Rule: "b", Offset: 9, Severity: protocol.Warning},
		{Rule: "c", Offset: -1, Pointer: "/é"}, {Rule: "d", Offset: 999},
	})
	want := []string{"line 3, column 3", "line 2, column 7", "/é", ""}
	for i, r := range got {
		if r.Where != want[i] {
			t.Errorf("%s is at %q, want %q", r.Rule, r.Where, want[i])
		}
	}
	if got[0].Tone != Bad || got[1].Tone != Caution || got[3].Offset != -1 {
		t.Errorf("%+v", got)
	}
}

func TestTimingOfAnExchange(t *testing.T) {
	log := newLog(t)
	at := func(ms int) time.Duration { return time.Duration(ms) * time.Millisecond }
	reqHead := log.Append(recorder.Event{Time: at(999), Dir: recorder.Out, Kind: recorder.KindHTTP, Channel: "post-1", Fields: &recorder.HTTPHead{Method: "POST", URL: "http://h/mcp"}})
	log.Append(recorder.Event{Time: at(1000), Dir: recorder.Out, Kind: recorder.KindMessage, Channel: "post-1", Cause: reqHead, Data: []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","_meta":{"progressToken":1}}}`)})
	respHead := log.Append(recorder.Event{Time: at(1100), Dir: recorder.In, Kind: recorder.KindHTTP, Channel: "post-1", Cause: reqHead, Fields: &recorder.HTTPHead{Status: 200}})
	sse := log.Append(recorder.Event{Time: at(1150), Dir: recorder.In, Kind: recorder.KindSSE, Channel: "post-1", Cause: respHead, Fields: &recorder.SSEFields{Event: "message"}})
	log.Append(recorder.Event{Time: at(1150), Dir: recorder.In, Kind: recorder.KindMessage, Channel: "post-1", Cause: sse, Data: []byte(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}`)})
	answer := log.Append(recorder.Event{Time: at(1400), Dir: recorder.In, Kind: recorder.KindMessage, Channel: "post-1", Cause: respHead, Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{}}`)})
	log.Append(recorder.Event{Time: at(1500), Dir: recorder.In, Kind: recorder.KindHTTP, Channel: "post-1", Cause: respHead, Fields: &recorder.HTTPHead{Done: true, Bytes: 80}})
	timing := LoadTiming(t.Context(), log, answer)
	for _, want := range []string{"since the request: 400 ms", "HTTP request head: at once", "HTTP response head: after 100 ms", "first byte of the answer: after 150 ms",
		"progress messages: 1", "answer: after 400 ms", "HTTP end: after 500 ms", "work of the server: 400 ms"} {
		if !strings.Contains(timing.Rows.Text(), want) {
			t.Errorf("timing lacks %q:\n%s", want, timing.Rows.Text())
		}
	}
	if timing.Total != 500*time.Millisecond || len(timing.Ticks) != 2 {
		t.Errorf("total %v, %d ticks", timing.Total, len(timing.Ticks))
	}
	var now time.Duration
	for _, p := range timing.Parts { // without gaps, from the request to the end
		if p.From != now {
			t.Errorf("%s begins at %v, want %v", p.Name, p.From, now)
		}
		now = p.To
	}
	if now != timing.Total {
		t.Errorf("the parts end at %v", now)
	}
}
