package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/recorder/loopback"
)

// line is a message of a recording: "> " from the client, "< " from the server,
// and how much later than the one before it came.
type line struct {
	text  string
	after time.Duration
}

// recordingOf makes a recording of messages; each is a millisecond later.
func recordingOf(t testing.TB, lines ...string) *recorder.Log {
	timed := make([]line, len(lines))
	for i, text := range lines {
		timed[i] = line{text, time.Millisecond}
	}
	return timedRecording(t, timed...)
}

func timedRecording(t testing.TB, lines ...line) *recorder.Log {
	t.Helper()
	l, err := recorder.Create(filepath.Join(t.TempDir(), "r"+recorder.Ext), recorder.Header{Target: recorder.Target{Transport: "stdio", Command: "x"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	at := time.Duration(0)
	for _, line := range lines {
		at += line.after
		dir := recorder.Out
		if line.text[0] == '<' {
			dir = recorder.In
		}
		l.Append(recorder.Event{Time: at, Dir: dir, Kind: recorder.KindMessage, Channel: "stdio", Data: []byte(line.text[2:])})
	}
	return l
}

const (
	hello = `> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{},"roots":{}},"clientInfo":{"name":"c","version":"1"}}}`
	world = `< {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"},"x":1.0}}`
	ready = `> {"jsonrpc":"2.0","method":"notifications/initialized"}`
)

func call(id int, tool, arguments string) string {
	return fmt.Sprintf(`> {"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, arguments)
}

func answer(id int, text string) string {
	return fmt.Sprintf(`< {"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":%q}]}}`, id, text)
}

// peer is a client over pipes that a test plays line by line.
type peer struct {
	t      testing.TB
	in     io.WriteCloser
	lines  chan string
	served chan error
}

// serve starts a server over pipes.
func serve(t testing.TB, l *recorder.Log, o ServerOptions) (*Server, *peer) {
	t.Helper()
	s, err := NewServer(context.Background(), l, o)
	if err != nil {
		t.Fatal(err)
	}
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	p := &peer{t: t, in: toServer, lines: make(chan string, 10_000), served: make(chan error, 1)}
	go func() { p.served <- s.ServeStdio(context.Background(), fromClient, toClient) }()
	var reading sync.WaitGroup
	reading.Go(func() {
		defer close(p.lines)
		_ = readLines(fromServer, func(b []byte) error { p.lines <- string(b); return nil })
	})
	t.Cleanup(func() {
		_ = toServer.Close()
		if err := <-p.served; err != nil {
			t.Error(err)
		}
		s.Close()
		reading.Wait()
	})
	return s, p
}

func (p *peer) send(text string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, strings.TrimPrefix(text, "> ")+"\n"); err != nil {
		p.t.Fatal(err)
	}
}

// want reads the next line and checks that it holds all parts.
func (p *peer) want(parts ...string) string {
	p.t.Helper()
	got, ok := <-p.lines
	if !ok {
		p.t.Fatal("the server has left")
	}
	for _, part := range parts {
		if !strings.Contains(got, part) {
			p.t.Errorf("%s does not hold %s", got, part)
		}
	}
	return got
}

func TestServerGivesTheBytesInTurnUnderTheClientsIDs(t *testing.T) { // cases 144, 147, 148
	_, p := serve(t, recordingOf(t, hello, world, ready,
		call(2, "a", `{"x":1}`), answer(2, "first"), call(3, "a", `{"x":1}`), answer(3, "second"), call(4, "a", `{"x":2}`), answer(4, "other")), ServerOptions{})
	p.send(strings.Replace(hello, `"id":1`, `"id":"mine"`, 1))
	if got := p.want(`"id":"mine"`); !strings.Contains(got, `"x":1.0}`) {
		t.Errorf("%s is not the recorded answer", got)
	}
	p.send(ready)
	for i, want := range []string{"first", "second", "second"} { // the last again when all were given
		p.send(call(900+i, "a", `{ "x" : 1.0 }`))
		p.want(fmt.Sprintf(`"id":%d`, 900+i), want)
	}
	p.send(call(1, "a", `{"x":2}`))
	p.want(`"id":1`, "other")
}

func TestServerRefusesAndNamesTheNearest(t *testing.T) { // case 146
	s, p := serve(t, recordingOf(t, hello, world, call(2, "add", `{"a":1,"b":{"c":[1,2]}}`), answer(2, "1"), call(3, "add", `{"z":0}`), answer(3, "2")), ServerOptions{})
	p.send(call(7, "add", `{"a":1,"b":{"c":[1,3]}}`))
	p.want(`"id":7`, `"code":-32602`, `"nearest":{"event":3,"method":"tools/call"`, `"pointer":"/params/arguments/b/c/1","recorded":2,"sent":3`)
	p.send(call(8, "ad", `{}`))
	p.want(`"pointer":"/params/name"`, `"recorded":"add","sent":"ad"`)
	p.send(`{"jsonrpc":"2.0","id":9,"method":"prompts/get","params":{"name":"p"}}`)
	p.want(`"code":-32601`)
	p.send(`{"jsonrpc":"2.0","id":10,"method":`)
	p.want(`"code":-32700`)
	r := s.Report()
	if r.Requests != 3 || r.Answered != 0 || r.Count(Refused) != 3 || r.Remarks[0].Nearest != 3 {
		t.Errorf("%+v", r)
	}
}

func TestServerTakesTheNearestWhenTold(t *testing.T) {
	s, p := serve(t, recordingOf(t, hello, world, call(2, "add", `{"a":1,"b":2}`), answer(2, "near"), call(3, "add", `{"z":0}`), answer(3, "far")), ServerOptions{Match: Nearest})
	p.send(call(7, "add", `{"a":1,"b":3}`))
	p.want("near")
	if s.Report().Count(Approx) != 1 {
		t.Errorf("%+v", s.Report())
	}
}

func TestServerKeepsWhatStoodAroundAnAnswer(t *testing.T) { // progress, log messages, a question, what came after
	_, p := serve(t, recordingOf(t, hello, world, ready,
		`> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":"old"}}}`,
		`< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"old","progress":1.50}}`,
		`< {"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"Sure?"}}`,
		`> {"jsonrpc":"2.0","id":"q","result":{"action":"accept"}}`,
		`< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"d"}}`,
		answer(2, "done"),
		`< {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`), ServerOptions{})
	p.send(hello)
	p.want(`"id":1`)
	p.send(`{"jsonrpc":"2.0","id":50,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":77}}}`)
	p.want("notifications/progress", `"progressToken":77`, `"progress":1.50`)
	asked := protocol.Parse([]byte(p.want("elicitation/create", "Sure?")))
	p.send(`{"jsonrpc":"2.0","id":` + asked.ID.String() + `,"result":{"action":"decline"}}`)
	p.want("notifications/message")
	p.want(`"id":50`, "done")
	p.want("list_changed")
}

func TestServerAsksInRoundsWhereTheClientsRevisionHasNoRequests(t *testing.T) { // MRTR-02 to 09
	s, p := serve(t, recordingOf(t, hello, world, call(2, "a", `{}`),
		`< {"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"Sure?"}}`,
		`> {"jsonrpc":"2.0","id":"q","result":{"action":"accept"}}`, answer(2, "done")), ServerOptions{})
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`
	p.send(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"a",` + meta + `}}`)
	m := protocol.Parse([]byte(p.want(`"id":5`, `"resultType":"input_required"`, "Sure?")))
	inputs := protocol.DecodeInputRequests(lookup(m.Result, "/inputRequests"))
	state := lookup(m.Result, "/requestState")
	p.send(`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"a","inputResponses":{"` + inputs[0].Key + `":{"action":"accept"}},"requestState":` + string(state) + `,` + meta + `}}`)
	p.want(`"id":6`, "done", `"resultType":"complete"`)
	if r := s.Report(); r.Count(Fitted) != 1 || r.Count(OtherWise) != 0 {
		t.Errorf("%+v", r)
	}
}

func TestServerAsksByRequestsWhereTheClientsRevisionHasNoRounds(t *testing.T) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`
	_, p := serve(t, recordingOf(t,
		`> {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{`+meta+`}}`,
		`< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}}`,
		`> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a",`+meta+`}}`,
		`< {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","requestState":"st","inputRequests":{"k":{"method":"elicitation/create","params":{"message":"Sure?"}}}}}`,
		`> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a","requestState":"st","inputResponses":{"k":{"action":"accept"}},`+meta+`}}`,
		`< {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","content":[]}}`), ServerOptions{})
	p.send(hello)
	p.want(`"protocolVersion":"2025-11-25"`)
	p.send(call(9, "a", `{}`))
	asked := protocol.Parse([]byte(p.want("elicitation/create", "Sure?")))
	p.send(`{"jsonrpc":"2.0","id":` + asked.ID.String() + `,"result":{"action":"accept"}}`)
	p.want(`"id":9`, `"content":[]`)
}

func TestServerKeepsATaskFromEndingBeforeItHasItsInput(t *testing.T) { // TSKX-08
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}`
	task := func(id int, status string) string {
		return fmt.Sprintf(`< {"jsonrpc":"2.0","id":%d,"result":{"resultType":"task","taskId":"t","status":%q}}`, id, status)
	}
	request := func(id int, method, params string) string {
		return fmt.Sprintf(`> {"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s,%s}}`, id, method, params, meta)
	}
	_, p := serve(t, recordingOf(t,
		request(2, "tools/call", `"name":"slow"`), task(2, "working"),
		request(3, "tasks/get", `"taskId":"t"`), task(3, "input_required"),
		request(4, "tasks/update", `"taskId":"t","inputResponses":{"k":{}}`), `< {"jsonrpc":"2.0","id":4,"result":{"resultType":"complete"}}`,
		request(5, "tasks/get", `"taskId":"t"`), task(5, "completed")), ServerOptions{})
	for range 2 { // each call begins a task anew
		p.send(request(12, "tools/call", `"name":"slow"`))
		p.want(`"working"`)
		for range 3 {
			p.send(request(13, "tasks/get", `"taskId":"t"`))
			p.want(`"input_required"`)
		}
		p.send(request(14, "tasks/update", `"taskId":"t","inputResponses":{"k":{}}`))
		p.want(`"id":14`)
		p.send(request(15, "tasks/get", `"taskId":"t"`))
		p.want(`"completed"`)
	}
}

func TestServerTellsSubscriptionsWhatTheRecordingHas(t *testing.T) { // SUB-01 to 08
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`
	note := func(method, id string) string {
		return fmt.Sprintf(`< {"jsonrpc":"2.0","method":%q,"params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%s}}}`, method, id)
	}
	_, p := serve(t, recordingOf(t,
		`> {"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},`+meta+`}}`,
		note("notifications/subscriptions/acknowledged", "2"),
		`> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a",`+meta+`}}`,
		note("notifications/tools/list_changed", "2"),
		`< {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","content":[]}}`,
		`< {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":2}}}`), ServerOptions{})
	p.send(`{"jsonrpc":"2.0","id":"L","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` + meta + `}}`)
	p.want("acknowledged", `subscriptionId":"L"`)
	p.send(`{"jsonrpc":"2.0","id":30,"method":"tools/call","params":{"name":"a",` + meta + `}}`)
	p.want("tools/list_changed", `subscriptionId":"L"`)
	p.want(`"id":30`)
	p.want(`"id":"L"`, `subscriptionId":"L"`)
}

func TestServerTakesAsLongAsTheRecordedOneWithoutThePerson(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, p := serve(t, timedRecording(t, line{hello, 0}, line{world, 0}, line{call(2, "a", `{}`), time.Second},
			line{`< {"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{}}`, 2 * time.Second},
			line{`> {"jsonrpc":"2.0","id":"q","result":{"action":"accept"}}`, time.Hour}, line{answer(2, "done"), 3 * time.Second}), ServerOptions{Latency: Recorded})
		p.send(hello)
		p.want(`"id":1`)
		began := time.Now()
		p.send(call(5, "a", `{}`))
		asked := protocol.Parse([]byte(p.want("elicitation/create")))
		if took := time.Since(began); took != 2*time.Second {
			t.Errorf("the question came after %s", took)
		}
		time.Sleep(time.Minute)
		p.send(`{"jsonrpc":"2.0","id":` + asked.ID.String() + `,"result":{"action":"accept"}}`)
		p.want("done")
		if took := time.Since(began); took != time.Minute+5*time.Second {
			t.Errorf("the answer came after %s", took)
		}
	})
}

func TestServerDropsWhatIsCancelled(t *testing.T) { // CAN-01
	synctest.Test(t, func(t *testing.T) {
		_, p := serve(t, timedRecording(t, line{call(2, "a", `{}`), 0}, line{answer(2, "slow"), time.Hour}, line{call(3, "b", `{}`), 0}, line{answer(3, "quick"), 0}), ServerOptions{Latency: Recorded})
		p.send(call(7, "a", `{}`))
		synctest.Wait()
		p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
		p.send(call(8, "b", `{}`))
		p.want(`"id":8`)
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		if len(p.lines) != 0 {
			t.Errorf("the cancelled request was answered: %s", <-p.lines)
		}
	})
}

func TestServerNegotiates(t *testing.T) { // VER-02, VER-04
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`
	discover := `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}`
	probe := []string{`> ` + discover, `< {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}`}
	for _, c := range []struct {
		name     string
		recorded []string
		o        ServerOptions
		send     string
		want     string
		fitted   int
	}{
		{"newer client", []string{hello, world}, ServerOptions{}, strings.Replace(hello, "2025-11-25", "2099-01-01", 1), `"protocolVersion":"2025-11-25"`, 0},
		{"older client", []string{hello, world}, ServerOptions{}, strings.Replace(hello, "2025-11-25", "2024-11-05", 1), `"protocolVersion":"2024-11-05"`, 1},
		{"no handshake recorded", []string{call(2, "a", `{}`), answer(2, "x")}, ServerOptions{}, hello, `"capabilities":{"tools":{}}`, 1},
		{"probe as recorded", append(probe, hello, world), ServerOptions{}, discover, `"code":-32601`, 0},
		{"probe made to fit", append(probe, hello, world), ServerOptions{Modern: true}, discover, `"supportedVersions":["2026-07-28","2025-11-25"]`, 1},
		{"tasks are an extension", []string{hello, strings.Replace(world, `{"tools":{}}`, `{"tasks":{"list":{}},"tools":{}}`, 1)}, ServerOptions{Modern: true}, discover, `"capabilities":{"tools":{}}`, 1}, // L-TSKX-16
		{"unknown revision", []string{hello, world}, ServerOptions{}, strings.Replace(discover, "2026-07-28", "2031-01-01", 1), `"code":-32022`, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, p := serve(t, recordingOf(t, c.recorded...), c.o)
			p.send(c.send)
			p.want(c.want)
			if got := s.Report().Count(Fitted); got != c.fitted {
				t.Errorf("%d remarks that something was made to fit", got)
			}
		})
	}
}

func TestServerListensOnLoopbackOnly(t *testing.T) { // L-HTTP-17, 18
	s, err := NewServer(t.Context(), recordingOf(t, hello, world), ServerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, addr := range []string{"0.0.0.0:0", "[::]:0", "192.0.2.1:0", "example.com:80"} {
		if h, err := s.ListenHTTP(addr); !errors.Is(err, loopback.ErrElsewhere) {
			t.Errorf("%s: %v %v", addr, h, err)
		}
	}
}

func TestNothingToServe(t *testing.T) {
	if _, err := NewServer(t.Context(), recordingOf(t), ServerOptions{}); !errors.Is(err, errEmpty) {
		t.Error(err)
	}
}
