package session

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mcploupe/protocol"
)

// peersDir holds node_modules and programs of servers that others wrote. These
// tests have no rows without it.
var peersDir = os.Getenv("LOUPE_PEERS")

func module(path string) string { return filepath.Join(peersDir, "node_modules", path) }

// realPeer is a server with what it is known to do.
type realPeer struct {
	name      string
	command   []string // stdio
	serve     []string // HTTP: a program that gets PORT, or {port} in its arguments
	path      string   // HTTP: the endpoint
	revision  string
	transport string
	tools     int    // at least
	call      string // params of tools/call
	answer    string // part of its answer
}

func realPeers() []realPeer {
	if peersDir == "" {
		return nil
	}
	everything := module("@modelcontextprotocol/server-everything/dist/index.js")
	echo := `{"name":"echo","arguments":{"message":"hello there"}}`
	golang := filepath.Join(peersDir, "gosdk-everything")
	text := `{"name":"test_simple_text"}`
	return []realPeer{
		{name: "everything, stdio", command: []string{"node", everything, "stdio"}, revision: "2025-11-25", transport: "stdio", tools: 13, call: echo, answer: "Echo: hello there"},
		{name: "everything, HTTP", serve: []string{"node", everything, "streamableHttp"}, path: "/mcp", revision: "2025-11-25", transport: "http", tools: 13, call: echo, answer: "Echo: hello there"},
		{name: "everything, SSE", serve: []string{"node", everything, "sse"}, path: "/sse", revision: "2025-11-25", transport: "sse", tools: 13, call: echo, answer: "Echo: hello there"},
		{name: "github", command: []string{"node", module("@modelcontextprotocol/server-github/dist/index.js")}, revision: "2024-11-05", transport: "stdio", tools: 20,
			call: `{"name":"get_issue","arguments":{"owner":"o"}}`, answer: "error"},
		{name: "filesystem", command: []string{"node", module("@modelcontextprotocol/server-filesystem/dist/index.js"), os.TempDir()}, revision: "2025-11-25", transport: "stdio", tools: 10,
			call: `{"name":"list_allowed_directories","arguments":{}}`, answer: "Allowed directories"},
		{name: "context7", command: []string{"node", module("@upstash/context7-mcp/dist/index.js"), "--api-key", "x"}, revision: "2026-07-28", transport: "stdio", tools: 2},
		{name: "Go SDK, stdio", command: []string{golang}, revision: "2026-07-28", transport: "stdio", tools: 20, call: text, answer: "text"},
		{name: "Go SDK, stateless HTTP", serve: []string{golang, "-http", "127.0.0.1:{port}"}, revision: "2026-07-28", transport: "http", tools: 20, call: text, answer: "text"},
		{name: "Go SDK, HTTP with sessions", serve: []string{golang, "-http", "127.0.0.1:{port}", "-stateless=false"}, revision: "2025-11-25", transport: "http", tools: 20, call: text, answer: "text"},
	}
}

// target starts the server if it is one of HTTP.
func (p realPeer) target(t *testing.T) Target {
	t.Helper()
	if p.serve == nil {
		return Target{Command: p.command[0], Args: p.command[1:]}
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(free.Addr().String())
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	args := slices.Clone(p.serve[1:])
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "{port}", port)
	}
	cmd := exec.Command(p.serve[0], args...)
	cmd.Env = append(os.Environ(), "PORT="+port)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(30 * time.Second); ; <-tick.C {
		conn, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err == nil {
			_ = conn.Close()
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s does not listen: %v", p.name, err)
		}
	}
	return Target{URL: "http://127.0.0.1:" + port + p.path}
}

func TestPeersConnectListAndCall(t *testing.T) { // accept 1
	for _, p := range realPeers() {
		t.Run(p.name, func(t *testing.T) {
			s := connectReal(t, p.target(t), Options{ProbeTimeout: 20 * time.Second, Capabilities: allCapabilities, Roots: []Root{{URI: "file:///tmp"}}})
			if err := s.RefreshAll(t.Context()); err != nil {
				t.Error(err)
			}
			st := s.State()
			if st.Revision.Name != p.revision || st.Transport != p.transport || st.Server.Name == "" || len(s.Tools()) < p.tools {
				t.Errorf("revision %s, transport %s, server %q, %d tools", st.Revision.Name, st.Transport, st.Server.Name, len(s.Tools()))
			}
			if p.call == "" {
				return
			}
			call := mustCall(t, s, protocol.MethodToolsCall, p.call, CallOptions{})
			if (call.Phase != CallOK && call.Phase != CallError) || !strings.Contains(string(call.Answer.Raw), p.answer) {
				t.Errorf("call %d %s %s", call.Phase, call.Err, call.Answer.Raw)
			}
			if h := s.log.current().Head(1); h.Seq != 1 {
				t.Errorf("the first event is %+v", h)
			}
			t.Logf("%d findings: %s", st.FindingCount, rules(st))
		})
	}
}

func TestPeersAskThePerson(t *testing.T) {
	for _, p := range realPeers() {
		if !strings.HasPrefix(p.name, "everything") {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			s := connectReal(t, p.target(t), Options{Capabilities: allCapabilities})
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			for tool, result := range map[string]string{
				"trigger-elicitation-request": `{"action":"accept","content":{"name":"Ada","check":true}}`,
				"trigger-sampling-request":    `{"role":"assistant","model":"none","content":{"type":"text","text":"an answer by hand"}}`,
			} {
				call, err := s.Do(ctx, s.NewRequest(protocol.MethodToolsCall, []byte(`{"name":"`+tool+`","arguments":{"prompt":"x","maxTokens":5}}`)), CallOptions{})
				if err != nil {
					t.Fatal(err)
				}
				st := until(t, s, "a question", func(st State) bool { return len(st.Peers) > 0 })
				question := st.Peers[0]
				if question.Cause != call.State().Key {
					t.Errorf("%s: caused by %d, want %d", tool, question.Cause, call.State().Key)
				}
				if err := s.Answer(ctx, question.Key, protocol.NewResult(question.Message.ID, []byte(result))); err != nil {
					t.Fatal(err)
				}
				done := ended(t, call)
				if done.Phase != CallOK || done.Waited == 0 {
					t.Errorf("%s: %+v %s", tool, done, done.Answer.Raw)
				}
				if want := "Ada"; tool == "trigger-elicitation-request" && !strings.Contains(string(done.Answer.Raw), want) {
					t.Errorf("%s: %s", tool, done.Answer.Raw)
				}
			}
		})
	}
}

func TestPeersReportProgressAndCanBeCancelled(t *testing.T) {
	for _, p := range realPeers() {
		if !strings.HasPrefix(p.name, "everything") {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			s := connectReal(t, p.target(t), Options{})
			long := func(seconds int) *Call {
				call, err := s.Do(t.Context(), s.NewRequest(protocol.MethodToolsCall,
					fmt.Appendf(nil, `{"name":"trigger-long-running-operation","arguments":{"duration":%d,"steps":%d}}`, seconds, 4*seconds)), CallOptions{Timeout: time.Second})
				if err != nil {
					t.Fatal(err)
				}
				return call
			}
			// Longer than the idle limit: progress keeps it alive (case 130).
			if st := ended(t, long(2)); st.Phase != CallOK || st.Progress.Progress == "" || st.Took < 2*time.Second {
				t.Errorf("%+v", st)
			}
			call := long(60)
			until(t, s, "progress", func(State) bool { return call.State().Progress.Progress != "" })
			call.Cancel("enough")
			if st := ended(t, call); st.Phase != CallCancelled {
				t.Errorf("%+v", st)
			}
			if st := mustCall(t, s, protocol.MethodToolsCall, `{"name":"echo","arguments":{"message":"still here"}}`, CallOptions{}); st.Phase != CallOK {
				t.Errorf("after the cancellation: %+v", st)
			}
		})
	}
}

func TestPeerThatNeverAnswers(t *testing.T) { // accept 3
	if peersDir == "" {
		return
	}
	s, err := openReal(t, Target{Command: "node", Args: []string{module("@stripe/mcp/dist/index.js"), "--api-key=rk_test_x"}},
		Options{ProbeTimeout: time.Second, InitTimeout: 8 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	err = s.Negotiate(t.Context())
	st := s.State()
	if err == nil || !strings.Contains(err.Error(), "not answered within 8 s") || time.Since(began) > 20*time.Second {
		t.Errorf("after %s: %v", time.Since(began), err)
	}
	last := st.Steps[len(st.Steps)-1]
	if !strings.Contains(st.StderrTail, "Stripe MCP Server running on stdio") || last.Status != StepFailed || !strings.Contains(last.Detail, "last words on stderr") {
		t.Errorf("stderr %q, last step %+v", st.StderrTail, last)
	}
}

func TestPeersRunTasks(t *testing.T) { // TASK-02 to TASK-17 against a server that nobody here wrote
	for _, p := range realPeers() {
		if !strings.HasPrefix(p.name, "everything") {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			s := connectReal(t, p.target(t), Options{Capabilities: allCapabilities})
			if err := s.Refresh(t.Context(), Tools); err != nil {
				t.Fatal(err)
			}
			params := []byte(`{"name":"simulate-research-query","arguments":{"topic":"kestrels","ambiguous":true}}`)
			call, err := s.Do(t.Context(), s.NewRequest(protocol.MethodToolsCall, params), CallOptions{Task: &TaskOptions{TTL: time.Minute}})
			if err != nil {
				t.Fatal(err)
			}
			st := until(t, s, "the question of the task", func(st State) bool { return len(st.Asks) > 0 })
			ask := st.Asks[0]
			if ask.Cause != call.State().Key || ask.Task != st.Tasks[0].Key || call.State().Phase != CallWorking {
				t.Errorf("the question belongs to %+v, the task is %+v", ask, st.Tasks)
			}
			if err := s.Reply(t.Context(), ask.Key, Reply{Action: ActionAccept, Content: []byte(`{"interpretation":"the bird"}`)}); err != nil {
				t.Fatal(err)
			}
			end := ended(t, call)
			if end.Phase != CallOK || !strings.Contains(string(end.Answer.Raw), "the bird") || end.Waited == 0 {
				t.Errorf("%+v %s", end, end.Answer.Raw)
			}
			task := s.State().Tasks[0]
			if task.Status != protocol.TaskCompleted || task.Polls < 3 || task.ResultSeq == 0 {
				t.Errorf("%+v", task)
			}
			if err := s.ListTasks(t.Context()); err != nil {
				t.Error(err)
			}
			// One more, given up in the middle.
			call, err = s.Do(t.Context(), s.NewRequest(protocol.MethodToolsCall, []byte(`{"name":"simulate-research-query","arguments":{"topic":"wrens"}}`)), CallOptions{})
			if err != nil {
				t.Fatal(err)
			}
			until(t, s, "the second task", func(State) bool { return call.State().Phase == CallWorking })
			call.Cancel("enough")
			until(t, s, "its end", func(st State) bool { return st.Tasks[1].Over() || st.Tasks[1].Loss != TaskKept })
			checkFolded(t, s, call.State().RequestSeq)
			t.Logf("%d polls; findings: %v", task.Polls, s.State().Findings)
		})
	}
}
