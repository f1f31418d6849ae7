// Package recordertest makes recordings for tests and benchmarks, as big as they are wanted and the same every time.
package recordertest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"mcploupe/recorder"
)

// Create makes a recording of n events at path, see Fill.
func Create(path string, n int) (*recorder.Log, error) {
	log, err := recorder.Create(path, recorder.Header{
		Created: time.Date(2026, 11, 30, 3, 12, 9, 0, time.UTC), App: "recordertest",
		Target: recorder.Target{Name: "busy", Transport: "stdio", Command: "busy-server"},
	})
	if err != nil {
		return nil, err
	}
	Fill(log, n)
	return log, log.Sync()
}

// Fill appends n events like those of a busy session: calls that overlap, with progress and log messages, answers good
// and bad, questions to the person, cancelled calls, standard error, and now and then something that is no message.
func Fill(log *recorder.Log, n int) {
	m := mixer{log: log, rand: rand.New(rand.NewPCG(1, 2)), left: n}
	m.open()
	for m.left > 0 {
		m.step()
	}
}

type mixer struct {
	log  *recorder.Log
	rand *rand.Rand
	left int
	now  time.Duration
	id   int
	asks int
	busy []call
}

// call is a request that is not answered yet.
type call struct {
	id, progress, total int
	tool                string
	asked               int // id of the question that waits, 0 for none
}

var tools = []string{"echo", "get-sum", "search_repositories", "read_file", "list_issues", "long-running"}

// open records how a session begins.
func (m *mixer) open() {
	m.add(recorder.Event{Kind: recorder.KindState, Fields: &recorder.StateChange{State: "started", PID: 4711}}, time.Millisecond)
	m.out(`{"jsonrpc":"2.0","id":"init-1","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"mcploupe","version":"0"}}}`, 2*time.Millisecond)
	m.in(`{"jsonrpc":"2.0","id":"init-1","result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"logging":{}},"serverInfo":{"name":"busy","version":"1.2.3"}}}`, 30*time.Millisecond)
	m.out(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, time.Millisecond)
}

func (m *mixer) add(e recorder.Event, after time.Duration) {
	if m.left == 0 {
		return
	}
	m.left--
	m.now += after
	e.Time = m.now
	if e.Channel == "" && e.Kind != recorder.KindState {
		e.Channel = "stdio"
	}
	m.log.Append(e)
}

func (m *mixer) out(text string, after time.Duration) {
	m.add(recorder.Event{Dir: recorder.Out, Kind: recorder.KindMessage, Data: []byte(text)}, after)
}

func (m *mixer) in(text string, after time.Duration) {
	m.add(recorder.Event{Dir: recorder.In, Kind: recorder.KindMessage, Data: []byte(text)}, after)
}

// pause is a few milliseconds, now and then some seconds in which nobody does
// anything.
func (m *mixer) pause() time.Duration {
	if m.rand.IntN(2000) == 0 {
		return time.Duration(1+m.rand.IntN(20)) * time.Second
	}
	return time.Duration(m.rand.IntN(5000)) * time.Microsecond
}

func (m *mixer) step() {
	switch r := m.rand.IntN(1000); {
	case r < 8:
		m.add(recorder.Event{Dir: recorder.In, Kind: recorder.KindStderr, Data: []byte("worker 3: cache miss, reading again\n")}, m.pause())
	case r < 10:
		m.add(recorder.Event{Dir: recorder.In, Kind: recorder.KindBad, Data: []byte("INFO  pool grew to 12")}, m.pause())
	case r < 200:
		m.in(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":%q,"logger":"db","data":{"rows":%d,"text":%q}}}`,
			[]string{"debug", "info", "warning", "error"}[m.rand.IntN(4)], r, strings.Repeat("select ", 1+r%12)), m.pause())
	case len(m.busy) == 0 || r < 420 && len(m.busy) < m.most():
		m.call()
	default:
		m.advance(m.rand.IntN(len(m.busy)))
	}
}

// most is how many calls are under way at once: for a while many, then one,
// so that what the server asks can belong to that alone.
func (m *mixer) most() int {
	if m.id/100%3 == 0 {
		return 1
	}
	return 12
}

func (m *mixer) call() {
	m.id++
	c := call{id: m.id, tool: tools[m.rand.IntN(len(tools))], total: m.rand.IntN(6)}
	m.busy = append(m.busy, c)
	m.out(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{"n":%d,"query":"open and assigned"},"_meta":{"progressToken":%d}}}`,
		c.id, c.tool, m.rand.IntN(1e6), c.id), m.pause())
}

// advance takes a call one step further.
func (m *mixer) advance(i int) {
	c := &m.busy[i]
	switch r := m.rand.IntN(100); {
	case c.asked != 0:
		m.out(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"action":"accept","content":{"name":"Ada"}}}`, c.asked), time.Duration(r)*10*time.Millisecond)
		c.asked = 0
	case r < 2:
		m.asks++
		c.asked = 1_000_000 + m.asks
		m.in(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":{"message":"Who are you?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}`, c.asked), m.pause())
	case c.progress < c.total:
		c.progress++
		m.in(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%d,"progress":%d,"total":%d}}`, c.id, c.progress, c.total), m.pause())
	case r < 5:
		m.out(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d,"reason":"taking too long"}}`, c.id), m.pause())
		m.drop(i)
	case r < 8:
		m.in(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32602,"message":"unknown repository"}}`, c.id), m.pause())
		m.drop(i)
	case r < 12:
		m.in(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"isError":true,"content":[{"type":"text","text":"quota"}]}}`, c.id), m.pause())
		m.drop(i)
	case r < 13:
		m.in(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":null}`, c.id), m.pause())
		m.drop(i)
	default:
		m.in(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":%q}]}}`, c.id, strings.Repeat("line of text. ", 1+r*r/40)), m.pause())
		m.drop(i)
	}
}

func (m *mixer) drop(i int) { m.busy = append(m.busy[:i], m.busy[i+1:]...) }
