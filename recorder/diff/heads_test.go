package diff

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mcploupe/recorder"
)

func TestHTTPHeads(t *testing.T) {
	side := func(status int, kind, id string) *recorder.Log {
		log, err := recorder.Create(filepath.Join(t.TempDir(), "h.mcp.jsonl"), recorder.Header{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = log.Close() })
		head := log.Append(recorder.Event{Dir: recorder.Out, Kind: recorder.KindHTTP, Channel: "post-1", Fields: &recorder.HTTPHead{Method: "POST", URL: "http://127.0.0.1:1" + id + "/mcp"}})
		log.Append(recorder.Event{Dir: recorder.Out, Kind: recorder.KindMessage, Channel: "post-1", Cause: head, Data: []byte(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`)})
		log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindHTTP, Channel: "post-1", Cause: head, Fields: &recorder.HTTPHead{Status: status, Headers: []recorder.HeaderField{
			{Name: "Content-Type", Value: kind}, {Name: "Date", Value: id}, {Name: "Mcp-Session-Id", Value: id}}}})
		log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindMessage, Channel: "post-1", Cause: head, Data: []byte(`{"jsonrpc":"2.0","id":` + id + `,"result":{}}`)})
		return log
	}
	a, b := side(200, "application/json", "1"), side(202, "text/event-stream", "2")
	for _, c := range []struct {
		o    Options
		want []string
	}{
		{Options{}, []string{"difference changed /headers/content-type", "difference changed /status"}},
		{Options{Without: Status}, []string{"difference changed /headers/content-type"}},
		{Options{Without: Headers}, []string{"difference changed /status"}},
		{Options{Count: VaryingHeaders, Without: Status}, []string{"difference changed /headers/content-type", "difference changed /headers/date"}},
	} {
		if f := found(compare(t, a, b, c.o)); !slices.Equal(f, c.want) {
			t.Errorf("%+v: %q, want %q", c.o, f, c.want)
		}
	}
	// With a process on one side there are no heads to compare.
	c := compare(t, a, script(t, `> {"jsonrpc":"2.0","id":1,"method":"ping"}`, `< {"jsonrpc":"2.0","id":1,"result":{}}`), Options{})
	if f := found(c); f != nil || len(c.Remarks) == 0 {
		t.Errorf("%q, %q", f, c.Remarks)
	}
}

// streamed records calls that are answered in an event stream with the fields
// given, one after the other, then what the stream says besides messages.
func streamed(t *testing.T, first int, fields []recorder.SSEFields, bare ...recorder.SSEFields) *recorder.Log {
	t.Helper()
	log, err := recorder.Create(filepath.Join(t.TempDir(), "e.mcp.jsonl"), recorder.Header{Target: recorder.Target{Transport: "http"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	for i, f := range fields {
		id, channel := strconv.Itoa(first+i), "post-"+strconv.Itoa(i+1)
		asked := log.Append(recorder.Event{Dir: recorder.Out, Kind: recorder.KindHTTP, Channel: channel, Fields: &recorder.HTTPHead{Method: "POST", URL: "http://127.0.0.1:1/mcp"}})
		log.Append(recorder.Event{Dir: recorder.Out, Kind: recorder.KindMessage, Channel: channel, Cause: asked, Data: []byte(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`)})
		cause := log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindHTTP, Channel: channel, Cause: asked, Fields: &recorder.HTTPHead{
			Status: 200, Headers: []recorder.HeaderField{{Name: "Content-Type", Value: "text/event-stream"}}}})
		answer := []byte(`{"jsonrpc":"2.0","id":` + id + `,"result":{}}`)
		if f.Event != "" || f.HasID || f.RetryMS != "" {
			f.Bytes = len(answer)
			cause = log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindSSE, Channel: channel, Cause: cause, Fields: &f})
		}
		log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindMessage, Channel: channel, Cause: cause, Data: answer})
	}
	for _, f := range bare {
		log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindSSE, Channel: "get-1", Fields: &f})
	}
	return log
}

// The fields of server-sent events take part at a switch of their own. Ids name
// places in one stream and never count, but that there are some does; an event
// without a type has the type message.
func TestServerSentEvents(t *testing.T) {
	type fields = []recorder.SSEFields
	for name, c := range map[string]struct {
		a, b fields
		want []string
	}{
		"the same":       {fields{{Event: "message", ID: "1", HasID: true}}, fields{{ID: "9", HasID: true}}, nil},
		"another type":   {fields{{}}, fields{{Event: "error"}}, []string{"difference added /event"}},
		"no ids now":     {fields{{ID: "1", HasID: true}}, fields{{Event: "message"}}, []string{"difference removed /id"}},
		"an id of \"\"":  {fields{{}}, fields{{HasID: true}}, []string{"difference added /id"}},
		"another retry":  {fields{{RetryMS: "500"}}, fields{{RetryMS: "1000"}}, []string{"difference changed /retry"}},
		"only the first": {fields{{Event: "x"}, {}}, fields{{}, {}}, []string{"difference removed /event"}},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := streamed(t, 1, c.a), streamed(t, 40, c.b)
			if f := found(compare(t, a, b, Options{})); !slices.Equal(f, c.want) {
				t.Errorf("%q, want %q", f, c.want)
			}
			if f := found(compare(t, a, b, Options{Without: EventStream})); f != nil {
				t.Errorf("at the switch: %q", f)
			}
			if f := found(compare(t, a, b, Options{Without: AllClasses &^ EventStream})); !slices.Equal(f, c.want) {
				t.Errorf("alone: %q, want %q", f, c.want)
			}
		})
	}
}

// What keeps a stream open comes as often as the clock wants: it is compared by
// what is said, not by how often.
func TestEventStreamsBesidesMessages(t *testing.T) {
	one := []recorder.SSEFields{{}}
	ping := func(text string) recorder.SSEFields { return recorder.SSEFields{Comment: text} }
	a := streamed(t, 1, one, ping("ping 2026-11-30T10:00:00Z"), ping("ping 2026-11-30T10:00:15Z"), recorder.SSEFields{RetryMS: "100"})
	b := streamed(t, 1, one, ping("ping 2026-11-30T11:00:00Z"), recorder.SSEFields{RetryMS: "100"}, recorder.SSEFields{ID: "7", HasID: true})
	c := compare(t, a, b, Options{})
	last := c.Rows[len(c.Rows)-1]
	if f := found(c); !slices.Equal(f, []string{"difference added "}) || last.Lane != EventLane || last.Differences[0].After != `"id"` {
		t.Errorf("%q in %+v", f, last)
	}
	if f := found(compare(t, a, b, Options{Count: Timestamps})); len(f) < 2 {
		t.Errorf("when times count: %q", f)
	}
	if f := found(compare(t, a, b, Options{Without: EventStream})); f != nil {
		t.Errorf("at the switch: %q", f)
	}
	// With a process on one side there is no stream to compare.
	if c := compare(t, a, script(t, `> {"jsonrpc":"2.0","id":1,"method":"ping"}`, `< {"jsonrpc":"2.0","id":1,"result":{}}`), Options{}); found(c) != nil || len(c.Remarks) == 0 {
		t.Errorf("%q, %q", found(c), c.Remarks)
	}
}

// Standard error and stray lines are compared by lines, wherever they were cut.
func TestStandardErrorByLines(t *testing.T) {
	a := script(t, `! start`, `! 12:00:01 listening on 3000`, `! warn: x is deprecated`, `! bye`)
	b := script(t, `! start`, `! bye`, `! 12:10:07 listening on 3000`, `! error: y`)
	c := compare(t, a, b, Options{})
	var got []string
	for _, d := range c.Rows[0].Differences {
		got = append(got, d.Kind.String()+" "+d.Before+d.After)
	}
	if want := []string{`removed "warn: x is deprecated"`, `added "error: y"`}; !slices.Equal(got, want) || hiddenBy(c) != "timestamps 1" {
		t.Errorf("%q, %s", got, hiddenBy(c))
	}
}

// How the process ended takes part at a switch: the exit code or the signal, for
// every end. What has not ended yet is not compared.
func TestEndsOfTheProcess(t *testing.T) {
	side := func(ends ...recorder.StateChange) *recorder.Log {
		log := script(t, `> {"jsonrpc":"2.0","id":1,"method":"ping"}`, `< {"jsonrpc":"2.0","id":1,"result":{}}`)
		log.Append(recorder.Event{Dir: recorder.Out, Kind: recorder.KindState, Fields: &recorder.StateChange{State: "closing"}})
		for _, e := range ends {
			e.State, e.PID, e.Detail = "exited", len(log.Path()), "after some time"
			log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindState, Fields: &e})
		}
		return log
	}
	code := func(n int) recorder.StateChange { return recorder.StateChange{ExitCode: &n} }
	killed := recorder.StateChange{Signal: "killed"}
	for name, c := range map[string]struct {
		a, b *recorder.Log
		want []string
	}{
		"the same":     {side(code(0)), side(code(0)), nil},
		"another code": {side(code(0)), side(code(1)), []string{"The end of the process is \"process ended: exit code 1\", before \"process ended: exit code 0\"."}},
		"a signal":     {side(code(0)), side(killed), []string{"The end of the process is \"process ended: signal killed\", before \"process ended: exit code 0\"."}},
		"one more":     {side(code(0)), side(code(1), code(0)), []string{"The end of the process is there now."}},
		"not yet":      {side(), side(code(1)), nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := compare(t, c.a, c.b, Options{})
			var says []string
			for _, r := range got.Rows {
				for _, d := range r.Differences {
					says = append(says, d.Text)
				}
			}
			if !slices.Equal(says, c.want) || got.Equal() != (c.want == nil) {
				t.Errorf("%q, want %q", says, c.want)
			}
			if f := found(compare(t, c.a, c.b, Options{Without: Exit})); f != nil {
				t.Errorf("at the switch: %q", f)
			}
		})
	}
}

// A line that comes in many pieces is one, and a recording of such costs no more
// than its bytes.
func TestLinesInPieces(t *testing.T) {
	log, err := recorder.Create(filepath.Join(t.TempDir(), "p.mcp.jsonl"), recorder.Header{Target: recorder.Target{Transport: "stdio"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	for _, text := range []string{"one", "", " two", "\nthree\n", "fo", "ur"} {
		log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindStderr, Channel: "stdio", Data: []byte(text)})
	}
	v := &voice{}
	if err := v.listen(t.Context(), log); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(v.texts[StderrLane].lines, "|"); got != "one two|three|four" {
		t.Errorf("%q", got)
	}
}
