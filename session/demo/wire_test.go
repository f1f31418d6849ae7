package demo

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.uber.org/goleak"
)

// A pipe is a stdio client that sends exactly what it is told, and reads line by line.
type pipe struct {
	t      *testing.T
	in     *io.PipeWriter
	out    *bufio.Reader
	served chan error
}

func openPipe(t *testing.T) *pipe {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	p := &pipe{t: t, in: inW, out: bufio.NewReader(outR), served: make(chan error, 1)}
	go func() { p.served <- ServeStdio(context.Background(), inR, outW) }()
	t.Cleanup(func() {
		inW.Close()
		outR.Close()
		if err := <-p.served; err != nil {
			t.Errorf("ServeStdio: %v", err)
		}
	})
	return p
}

func (p *pipe) send(line string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Fatal(err)
	}
}

// next is the next line, decoded no further than its members.
func (p *pipe) next() reply {
	p.t.Helper()
	line, err := p.out.ReadString('\n')
	if err != nil {
		p.t.Fatalf("reading: %v", err)
	}
	r := reply{raw: line}
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		p.t.Fatalf("%s: %v", line, err)
	}
	return r
}

type reply struct {
	raw    string
	ID     jsontext.Value `json:"id"`
	Method string         `json:"method"`
	Params jsontext.Value `json:"params"`
	Result struct {
		ResultType        string         `json:"resultType"`
		IsError           bool           `json:"isError"`
		Content           jsontext.Value `json:"content"`
		StructuredContent jsontext.Value `json:"structuredContent"`
		RequestState      string         `json:"requestState"`
		InputRequests     map[string]struct {
			Method string         `json:"method"`
			Params jsontext.Value `json:"params"`
		} `json:"inputRequests"`
	} `json:"result"`
	Error struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// meta is the _meta of a stateless request.
const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"wire","version":"1"},` +
	`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{},"url":{}},"roots":{},"sampling":{}}}`

const (
	initialize = `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25",` +
		`"capabilities":{"elicitation":{"form":{},"url":{}}},"clientInfo":{"name":"wire","version":"1"}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

func (p *pipe) shakeHands() {
	p.t.Helper()
	p.send(initialize)
	p.next()
	p.send(initialized)
}

func TestNumbersComeBackAsText(t *testing.T) {
	p := openPipe(t)
	for photons, flux := range map[string]string{
		"9007199254740993": "1.0", "-0": "1e400", "123456789012345678901234567890": "0.10", "1.0": "-0.0", "1e3": "1E-7",
	} {
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count_photons","arguments":{"photons":%s,"flux":%s},%s}}`, photons, flux, meta))
		got := p.next()
		for _, want := range []string{`"photons":` + photons, `"photonsText":"` + photons + `"`, `"flux":` + flux, `"fluxText":"` + flux + `"`} {
			if !strings.Contains(string(got.Result.StructuredContent), want) {
				t.Errorf("%s lacks %s", got.raw, want)
			}
		}
	}
	p.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"plan_observation","arguments":{"pointing":{"by":"target","name":"vega"},` +
		`"exposures":[{"filter":"L","seconds":30.0,"count":9007199254740993}]},` + meta + `}}`)
	if got := p.next(); !strings.Contains(string(got.Result.StructuredContent), `{"filter":"L","seconds":30.0,"count":9007199254740993}`) {
		t.Errorf("plan_observation: %s", got.raw)
	}
}

func TestProgressTokenComesBackAsText(t *testing.T) {
	p := openPipe(t)
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"expose","arguments":{"seconds":0.01},` +
		strings.TrimSuffix(meta, "}") + `,"progressToken":9007199254740993}}}`)
	for range 4 {
		if got := p.next(); !strings.Contains(string(got.Params), `"progressToken":9007199254740993,`) {
			t.Errorf("progress: %s", got.raw)
		}
	}
	p.next()
	p.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"describe_client",` + strings.TrimSuffix(meta, "}") + `,"progressToken":7}}}`)
	if got := p.next(); !strings.Contains(string(got.Result.StructuredContent), `"progressToken"]`) || strings.Contains(string(got.Result.StructuredContent), "kestrel") {
		t.Errorf("metaNames: %s", got.raw)
	}
}

func TestNumbersThatAreTooLargeAreRefused(t *testing.T) {
	p := openPipe(t)
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count_photons","arguments":{"photons":1e999999999},` + meta + `}}`)
	if got := p.next(); !got.Result.IsError {
		t.Errorf("answer: %s", got.raw)
	}
}

// The answer to a form is reported as it was sent: text of numbers, what was left out, and what breaks the form.
func TestAnswersAreReportedAsSent(t *testing.T) {
	const content = `{"party":9007199254740993.0,"donation":1.0,"name":"A","unknown":null}`
	check := func(t *testing.T, got reply) {
		t.Helper()
		var out struct {
			Action   string         `json:"action"`
			Content  jsontext.Value `json:"content"`
			Fits     bool           `json:"fits"`
			Problems []string       `json:"problems"`
		}
		if err := json.Unmarshal(got.Result.StructuredContent, &out); err != nil {
			t.Fatalf("%s: %v", got.raw, err)
		}
		if string(out.Content) != content || out.Action != "accept" || out.Fits {
			t.Errorf("reported: %+v", out)
		}
		if all := strings.Join(out.Problems, "\n"); !strings.Contains(all, "/name") || !strings.Contains(all, "email") {
			t.Errorf("problems: %q", out.Problems)
		}
	}
	t.Run("2025-11-25", func(t *testing.T) {
		p := openPipe(t)
		p.shakeHands()
		p.send(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"visitor_form"}}`)
		asked := p.next()
		if asked.Method != "elicitation/create" {
			t.Fatalf("asked: %s", asked.raw)
		}
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":%s}}`, asked.ID, content))
		check(t, p.next())
	})
	t.Run("2026-07-28", func(t *testing.T) {
		p := openPipe(t)
		p.send(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"visitor_form",` + meta + `}}`)
		asked := p.next()
		if asked.Result.ResultType != "input_required" || asked.Result.InputRequests["form"].Method != "elicitation/create" || asked.Result.RequestState == "" {
			t.Fatalf("asked: %s", asked.raw)
		}
		if strings.Contains(asked.raw, `"content":null`) {
			t.Errorf("content is null: %s", asked.raw)
		}
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"visitor_form","requestState":%q,"inputResponses":{"form":{"action":"accept","content":%s}},%s}}`,
			asked.Result.RequestState, content, meta))
		check(t, p.next())
	})
}

// L-MRTR-08 and L-MRTR-09, from the server's side.
func TestRequestState(t *testing.T) {
	p := openPipe(t)
	again := func(name, state, inputs string) reply {
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":%q,"requestState":%q,"inputResponses":%s,%s}}`, name, state, inputs, meta))
		return p.next()
	}
	first := again("plan_night", "", "{}")
	state := first.Result.RequestState
	if len(first.Result.InputRequests) != 3 {
		t.Fatalf("first round: %s", first.raw)
	}
	if got := again("plan_night", state[:len(state)-3]+"AAA", "{}"); got.Error.Code != -32602 {
		t.Errorf("a changed state: %s", got.raw)
	}
	if got := again("plan_night", "x", "{}"); got.Error.Code != -32602 {
		t.Errorf("a state that is none: %s", got.raw)
	}
	if got := again("visitor_form", state, "{}"); got.Error.Code != -32602 {
		t.Errorf("the state of another tool: %s", got.raw)
	}
	if got := again("plan_night", state, `{"surplus":{"action":"accept"}}`); got.Result.InputRequests["wishes"].Method != "elicitation/create" {
		t.Errorf("answers missing: %s", got.raw)
	}
	second := again("plan_night", state, `{"wishes":{"action":"accept","content":{"target":"orion"}},"folders":{"roots":[]},"motto":{"role":"assistant","model":"m","content":{"type":"text","text":"Look up."}}}`)
	if len(second.Result.InputRequests) != 1 || !strings.Contains(string(second.Result.InputRequests["details"].Params), "Orion Nebula it is") {
		t.Fatalf("second round: %s", second.raw)
	}
	last := again("plan_night", second.Result.RequestState, `{"details":{"action":"accept","content":{"minutes":15.0,"agreed":true}}}`)
	if last.Result.ResultType != "complete" || !strings.Contains(string(last.Result.Content), "15.0 minutes at Orion Nebula") || !strings.Contains(string(last.Result.Content), "Look up.") {
		t.Errorf("at the end: %s", last.raw)
	}
}

func TestBadLinesAreAnsweredAndSkipped(t *testing.T) {
	p := openPipe(t)
	for line, code := range map[string]int{
		`INFO starting`: -32700, `{"jsonrpc":"2.0",`: -32700, `{}`: -32600, `42`: -32600, `[]`: -32600,
		`{"jsonrpc":"1.0","id":1,"method":"ping"}`: -32600, `[{"jsonrpc":"2.0","id":1,"method":"ping"},7]`: -32600,
	} {
		p.send(line)
		if got := p.next(); got.Error.Code != code || string(got.ID) != "null" {
			t.Errorf("%s: %s", line, got.raw)
		}
	}
	p.send("")
	p.shakeHands()
	p.send(`{"jsonrpc":"2.0","id":9,"method":"ping"}`)
	if got := p.next(); string(got.ID) != "9" || got.Error.Code != 0 {
		t.Errorf("after the bad lines: %s", got.raw)
	}
}

// What is piped in at once is answered, although the input ends before the answers are out.
func TestAnswersAfterEndOfInput(t *testing.T) {
	outR, outW := io.Pipe()
	served := make(chan error, 1)
	script := initialize + "\n" + initialized + "\n" + `{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n" +
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"expose","arguments":{"seconds":0.1}}}`
	go func() { served <- ServeStdio(t.Context(), io.NopCloser(strings.NewReader(script)), outW) }()
	all, err := io.ReadAll(outR)
	if err != nil {
		t.Fatal(err)
	}
	if err := <-served; err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"id":"i"`, `"id":2`, `"id":3`} {
		if !strings.Contains(string(all), want) {
			t.Errorf("no answer with %s in %s", want, all)
		}
	}
}

// An hour of the live resources passes in a moment of the test's own time.
func TestAnHourOfTicks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := openPipe(t)
		p.shakeHands()
		p.send(`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"kestrel://clock"}}`)
		p.next()
		read := func() string {
			p.send(`{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"kestrel://clock"}}`)
			for {
				if got := p.next(); got.Method == "" {
					return got.raw
				}
			}
		}
		before, start := read(), time.Now()
		for n := range 3600 {
			if got := p.next(); got.Method != "notifications/resources/updated" || !strings.Contains(string(got.Params), "kestrel://clock") {
				t.Fatalf("tick %d: %s", n, got.raw)
			}
		}
		if took := time.Since(start).Round(time.Second); took != time.Hour {
			t.Errorf("3,600 updates took %v", took)
		}
		if after := read(); after == before {
			t.Error("the clock shows the same after an hour")
		}
	})
}

// ServeStdio ends with its context, also while a job runs, a stream listens and nobody reads what it writes.
func TestStdioEndsWithItsContext(t *testing.T) {
	before := goleak.IgnoreCurrent()
	ctx, cancel := context.WithCancel(t.Context())
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- ServeStdio(ctx, inR, outW) }()
	out := bufio.NewReader(outR)
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"trip_alarm","arguments":{"how":"silence"},` + meta + `}}`,
		`{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true,"resourceSubscriptions":["kestrel://clock"]},` + meta + `}}`,
	} {
		if _, err := io.WriteString(inW, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the acknowledgement, and a first update
		if line, err := out.ReadString('\n'); err != nil || !strings.Contains(line, "notifications/") {
			t.Fatalf("%s, %v", line, err)
		}
	}
	cancel()
	select {
	case err := <-served:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("ServeStdio: %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("ServeStdio does not end")
	}
	goleak.VerifyNone(t, before)
}
