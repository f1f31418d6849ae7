// Package sessiontest provides MCP servers that misbehave on demand, over
// stdio, in-process pipes and HTTP, and tables of malformed input. It is to
// package session what httptest is to net/http.
//
// A stdio peer is the test binary itself, started again: call Main from the
// package's TestMain. Everything a peer writes is given by the test byte for
// byte; nothing is checked or repaired on the way.
package sessiontest

import (
	"time"
)

// Script is what a stdio peer does. It runs Steps in order; whenever a step
// waits for a message, messages that are not waited for run the steps of On.
// After the last step it serves On until its input ends, then exits with 0.
type Script struct {
	Steps []Step            `json:"steps,omitempty"`
	On    map[string][]Step `json:"on,omitempty"` // key: a method, or a method, a blank and params.name or params.uri
}

// Step is one thing that a peer does. Make steps with the functions of this
// package.
//
// In texts {{id}} stands for the JSON text of the id of the last message that
// was waited for or served, {{token}} for its progress token, {{n}} for the
// number of a repetition from 1 on.
type Step struct {
	Do    string        `json:"do"`
	Text  string        `json:"text,omitempty"`
	Bytes []byte        `json:"bytes,omitempty"` // of raw: may be invalid UTF-8
	N     int           `json:"n,omitempty"`
	For   time.Duration `json:"for,omitempty"`
}

// Expect waits for a message with that method, "*" for any message.
func Expect(method string) Step { return Step{Do: "expect", Text: method} }

// Reply writes a response with that result, for the last message's id.
func Reply(result string) Step {
	return Line(`{"jsonrpc":"2.0","id":{{id}},"result":` + result + `}`)
}

// ReplyError writes an error response for the last message's id.
func ReplyError(code, message string) Step {
	return Line(`{"jsonrpc":"2.0","id":{{id}},"error":{"code":` + code + `,"message":"` + message + `"}}`)
}

// Line writes a text and a line feed.
func Line(text string) Step { return Raw(text + "\n") }

// Raw writes bytes as they are, but for the placeholders.
func Raw(bytes string) Step { return Step{Do: "raw", Bytes: []byte(bytes)} }

// Repeat writes a text n times, as one stretch of output.
func Repeat(n int, text string) Step { return Step{Do: "repeat", N: n, Bytes: []byte(text)} }

// Flood writes n notifications with params {"n":1}, {"n":2} and so on.
func Flood(n int) Step {
	return Repeat(n, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":{"n":{{n}}}}}`+"\n")
}

// Stderr writes to standard error.
func Stderr(text string) Step { return Step{Do: "stderr", Text: text} }

// Delay does nothing for a while.
func Delay(d time.Duration) Step { return Step{Do: "delay", For: d} }

// CloseStdout closes standard output and goes on.
func CloseStdout() Step { return Step{Do: "closestdout"} }

// Exit ends the process at once.
func Exit(code int) Step { return Step{Do: "exit", N: code} }

// Kill ends the process by a signal of that number. In-process peers just end.
func Kill(signal int) Step { return Step{Do: "kill", N: signal} }

// IgnoreTerm makes the process deaf to SIGTERM from here on.
func IgnoreTerm() Step { return Step{Do: "ignoreterm"} }

// IgnoreEOF makes the peer stay when its input ends.
func IgnoreEOF() Step { return Step{Do: "ignoreeof"} }

// Hang stops reading and writing for good.
func Hang() Step { return Step{Do: "hang"} }

// Grandchild starts another process that holds standard output and standard
// error open, ignores SIGTERM and never ends by itself. Its process id goes to
// standard error as "grandchild PID\n".
func Grandchild() Step { return Step{Do: "grandchild"} }

// With returns a copy of s with further entries of On; they replace old ones.
func (s Script) With(key string, steps ...Step) Script {
	on := make(map[string][]Step, len(s.On)+1)
	for k, v := range s.On {
		on[k] = v
	}
	on[key] = steps
	s.On = on
	return s
}

// Server is a well-behaved server of 2025-11-25 to build on: it refuses
// server/discover, answers initialize and ping, lists the tools "good" and
// "bad", and answers a call of either with the text "fine".
func Server() Script {
	return Script{On: map[string][]Step{
		"server/discover": {ReplyError("-32601", "Method not found")},
		"initialize":      {Reply(InitializeResult)},
		"ping":            {Reply(`{}`)},
		"tools/list":      {Reply(ToolsResult)},
		"tools/call":      {Reply(CallResult)},
	}}
}

// Results of Server.
const (
	InitializeResult = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"sessiontest","version":"1"}}`
	ToolsResult      = `{"tools":[{"name":"good","inputSchema":{"type":"object"}},{"name":"bad","inputSchema":{"type":"object"}}]}`
	CallResult       = `{"content":[{"type":"text","text":"fine"}]}`
)
