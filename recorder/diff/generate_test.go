package diff

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcploupe/recorder"
)

// act is something that happens between a client and a server, written with
// other ids each time.
type act struct {
	kind string // call, progress, ask, rounds, error, notice, list
	tool string
	n    int    // makes it unlike any other act
	says string // what the answer says
}

// acts makes up a conversation.
func acts(r *rand.Rand, n int) []act {
	kinds := []string{"call", "call", "call", "progress", "ask", "rounds", "error", "notice", "read"}
	tools := []string{"echo", "sum", "search", "issue/list"}
	out := make([]act, n)
	for i := range out {
		out[i] = act{kinds[r.IntN(len(kinds))], tools[r.IntN(len(tools))], 100 + i*7, fmt.Sprintf("answer %c%c", 'a'+r.IntN(26), 'a'+r.IntN(26))}
	}
	return out
}

// stage plays acts into a recording.
type stage struct {
	t    testing.TB
	log  *recorder.Log
	http bool
	id   int
	post int
	now  time.Duration
	slow time.Duration // of each step; a millisecond when zero
	head uint64        // the HTTP request that is under way
}

// record plays acts over a transport; shift makes all ids differ.
func record(t testing.TB, http bool, shift int, all []act) *recorder.Log {
	t.Helper()
	return play(t, http, shift, all).log
}

func play(t testing.TB, http bool, shift int, all []act) *stage {
	t.Helper()
	transport := "stdio"
	if http {
		transport = "http"
	}
	log, err := recorder.Create(filepath.Join(t.TempDir(), fmt.Sprintf("r%d.mcp.jsonl", shift)), recorder.Header{Target: recorder.Target{Transport: transport}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	s := &stage{t: t, log: log, http: http, id: shift}
	s.request(`"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}`)
	s.answer(`"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`)
	for _, a := range all {
		s.play(a)
	}
	return s
}

func (s *stage) add(e recorder.Event) uint64 {
	step := s.slow
	if step == 0 {
		step = time.Millisecond
	}
	s.now += step
	e.Time = s.now
	if e.Channel == "" {
		e.Channel = "stdio"
		if s.http {
			e.Channel = fmt.Sprintf("post-%d", s.post)
		}
	}
	if s.http && e.Cause == 0 && e.Kind == recorder.KindMessage {
		e.Cause = s.head
	}
	return s.log.Append(e)
}

func (s *stage) out(text string) uint64 {
	return s.add(recorder.Event{Dir: recorder.Out, Kind: recorder.KindMessage, Data: []byte(text)})
}

func (s *stage) in(text string) uint64 {
	return s.add(recorder.Event{Dir: recorder.In, Kind: recorder.KindMessage, Data: []byte(text)})
}

// request sends a request with the next id; rest are its members.
func (s *stage) request(rest string) int {
	s.id++
	if s.http {
		s.post++
		s.head = s.add(recorder.Event{Dir: recorder.Out, Kind: recorder.KindHTTP, Fields: &recorder.HTTPHead{
			Method: "POST", URL: fmt.Sprintf("http://127.0.0.1:%d/mcp", 3000+s.id), Headers: []recorder.HeaderField{
				{Name: "Accept", Value: "application/json"}, {Name: "Mcp-Session-Id", Value: fmt.Sprint("session", s.id)}}}})
	}
	s.out(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%s}`, s.id, rest))
	if s.http {
		s.add(recorder.Event{Dir: recorder.In, Kind: recorder.KindHTTP, Cause: s.head, Fields: &recorder.HTTPHead{
			Status: 200, Headers: []recorder.HeaderField{{Name: "Content-Type", Value: "text/event-stream"}, {Name: "Date", Value: fmt.Sprint("day ", s.id)}}}})
	}
	return s.id
}

func (s *stage) answer(rest string) {
	s.in(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%s}`, s.id, rest))
}

func textResult(s string) string {
	return fmt.Sprintf(`"result":{"content":[{"type":"text","text":%q}]}`, s)
}

func (s *stage) play(a act) {
	call := fmt.Sprintf(`"method":"tools/call","params":{"name":%q,"arguments":{"n":%d,"word":"w%d"},"_meta":{"progressToken":%d}`, a.tool, a.n, a.n, s.id+1)
	switch a.kind {
	case "call":
		s.request(call + "}")
		s.answer(textResult(a.says))
	case "error":
		s.request(call + "}")
		s.answer(fmt.Sprintf(`"error":{"code":-32602,"message":%q}`, a.says))
	case "progress":
		id := s.request(call + "}")
		for i := range 3 {
			s.in(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%d,"progress":%d}}`, id, i))
		}
		s.answer(textResult(a.says))
	case "ask":
		s.request(call + "}")
		s.in(fmt.Sprintf(`{"jsonrpc":"2.0","id":"ask-%d","method":"elicitation/create","params":{"message":"Who %d?","requestedSchema":{"type":"object","properties":{}}}}`, s.id, a.n))
		s.out(fmt.Sprintf(`{"jsonrpc":"2.0","id":"ask-%d","result":{"action":"accept","content":{"name":"Ada"}}}`, s.id))
		s.answer(textResult(a.says))
	case "rounds":
		s.request(call + "}")
		s.answer(fmt.Sprintf(`"result":{"resultType":"input_required","inputRequests":{"q":{"method":"roots/list"}},"requestState":"state-%d"}`, s.id))
		s.request(fmt.Sprintf(`%s,"inputResponses":{"q":{"roots":[]}},"requestState":"state-%d"}`, call, s.id))
		s.answer(textResult(a.says))
	case "notice":
		if !s.http {
			s.in(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"r://%d","n":%q}}`, a.n, a.says))
			return
		}
		s.request(fmt.Sprintf(`"method":"ping","params":{"n":%d}`, a.n))
		s.answer(`"result":{}`)
	case "read":
		s.request(fmt.Sprintf(`"method":"resources/read","params":{"uri":"r://%s/%d"}`, strings.Repeat("x", a.n%5+1), a.n))
		s.answer(fmt.Sprintf(`"result":{"contents":[{"uri":"r://","text":%q}]}`, a.says))
	default:
		s.t.Fatalf("no act %q", a.kind)
	}
}

func newRand(n uint64) *rand.Rand { return rand.New(rand.NewPCG(n, n)) }
