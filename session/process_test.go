package session

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session/demo"
	"mcploupe/session/sessiontest"
)

// scripted is the target that runs a script in a process of its own.
func scripted(t *testing.T, script sessiontest.Script) Target {
	t.Helper()
	command, args, env := script.Command(t)
	target := Target{Command: command, Args: args}
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		target.Env = append(target.Env, EnvVar{Name: name, Value: value})
	}
	return target
}

// openReal opens a session with a real server and closes it with the test.
func openReal(t *testing.T, target Target, o Options) (*Session, error) {
	t.Helper()
	log, err := recorder.Create(filepath.Join(t.TempDir(), "real.mcp.jsonl"), target.RecordingHeader("test"))
	if err != nil {
		t.Fatal(err)
	}
	o.Log = log
	s, err := Open(t.Context(), target, o)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Logf("closing: %v", err)
		}
		if err := log.Close(); err != nil {
			t.Errorf("closing the log: %v", err)
		}
	})
	return s, err
}

func connectReal(t *testing.T, target Target, o Options) *Session {
	t.Helper()
	if o.ProbeTimeout == 0 {
		o.ProbeTimeout = 30 * time.Second // a process may start slowly where others run
	}
	s, err := openReal(t, target, o)
	if err == nil {
		err = s.Negotiate(t.Context())
	}
	if err != nil {
		t.Fatalf("connecting: %v; steps %+v", err, s.State().Steps)
	}
	return s
}

// until waits for a state.
func until(t *testing.T, s *Session, what string, ok func(State) bool) State {
	t.Helper()
	wake, stop := s.Watch()
	defer stop()
	for {
		st := s.State()
		if ok(st) {
			return st
		}
		select {
		case <-wake:
		case <-time.After(20 * time.Second):
			t.Fatalf("waiting for %s: %+v", what, st)
		}
	}
}

func mustCall(t *testing.T, s *Session, method, params string, o CallOptions) CallState {
	t.Helper()
	call, err := s.Do(t.Context(), s.NewRequest(method, jsontext.Value(params)), o)
	if err != nil {
		t.Fatal(err)
	}
	return ended(t, call)
}

// recorded collects what the log holds of a kind and direction.
func recorded(t *testing.T, log *recorder.Log, d recorder.Direction, kinds ...recorder.EventKind) []string {
	t.Helper()
	var out []string
	for seq := uint64(1); seq <= log.Len(); seq++ {
		if h := log.Head(seq); h.Dir != d || !slices.Contains(kinds, h.Kind) {
			continue
		}
		e, err := log.Read(seq, 1<<30)
		if err != nil {
			t.Fatalf("reading event %d: %v", seq, err)
		}
		out = append(out, string(e.Data))
	}
	return out
}

func TestANoisyProcessIsStillAServer(t *testing.T) { // cases 13, 14, 15
	script := sessiontest.Server()
	script.Steps = []sessiontest.Step{sessiontest.Line("INFO starting"), sessiontest.Stderr("banner\n"), sessiontest.Line("  ready  ")}
	s := connectReal(t, scripted(t, script), Options{})
	if err := s.RefreshAll(t.Context()); err != nil {
		t.Error(err)
	}
	if st := mustCall(t, s, protocol.MethodToolsCall, `{"name":"good"}`, CallOptions{}); st.Phase != CallOK {
		t.Errorf("call %+v", st)
	}
	st := until(t, s, "stderr", func(st State) bool { return st.StderrTail != "" })
	if toolNames(s) != "good bad" || strings.Count(rules(st), "L-STD-01") != 2 || st.StderrTail != "banner\n" || st.PID == 0 {
		t.Errorf("tools %s, findings %s, stderr %q, pid %d", toolNames(s), rules(st), st.StderrTail, st.PID)
	}
	if got := strings.Join(recorded(t, s.log.current(), recorder.In, recorder.KindBad), "|"); !strings.Contains(got, "INFO starting") || !strings.Contains(got, "  ready  ") {
		t.Errorf("bad lines recorded: %q", got)
	}
}

func TestAProcessKilledDuringACall(t *testing.T) { // accept 3, case 17, P8
	script := sessiontest.Server().With("tools/call", sessiontest.Stderr("about to fall over\n"), sessiontest.Kill(9))
	target := scripted(t, script)
	s := connectReal(t, target, Options{})
	call := mustCall(t, s, protocol.MethodToolsCall, `{"name":"bad"}`, CallOptions{})
	if call.Phase != CallLost || !strings.Contains(call.Err, "killed") {
		t.Errorf("call %+v", call)
	}
	st := until(t, s, "the failure", func(st State) bool { return st.Phase == Failed && st.StderrTail != "" })
	if st.Exit == nil || st.Exit.Signal != "killed" || !strings.Contains(st.StderrTail, "about to fall over") || st.Err == "" {
		t.Errorf("exit %+v, stderr %q, error %q", st.Exit, st.StderrTail, st.Err)
	}
	before := s.log.current().Len()
	again := connectReal(t, target, Options{})
	if err := again.Refresh(t.Context(), Tools); err != nil || toolNames(again) != "good bad" {
		t.Errorf("after connecting again: %v, tools %s", err, toolNames(again))
	}
	if s.log.current().Len() < before {
		t.Error("the log of the lost connection shrank")
	}
}

func TestConnectingToWhatIsNoServer(t *testing.T) { // case 1, case 169
	dir := t.TempDir()
	script := filepath.Join(dir, "plain.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		target Target
		want   []string
		silent string // what it says on stderr before it goes on in silence
	}{
		{"not on the PATH", Target{Command: "no-such-program-here"}, []string{"looked up on the PATH"}, ""},
		{"too much quoted", Target{Command: "node server.js"}, []string{"a quote too many"}, ""},
		{"no such path", Target{Command: filepath.Join(dir, "missing")}, []string{"Check the path"}, ""},
		{"not executable", Target{Command: script}, []string{"chmod +x"}, ""},
		{"no such folder", Target{Command: "sh", Dir: filepath.Join(dir, "missing")}, []string{"working directory"}, ""},
		{"exits at once", Target{Command: "sh", Args: []string{"-c", "echo usage: sh >&2; exit 64"}}, []string{"exited with code 64", "usage: sh", "check the arguments"}, ""},
		{"prints to stdout and exits", Target{Command: "sh", Args: []string{"-c", "echo hello"}}, []string{"“hello”", "stdout must carry JSON-RPC only"}, ""},
		{"wants a key", Target{Command: "sh", Args: []string{"-c", "echo 'Error: API_KEY is not set' >&2; exit 1"}}, []string{"Error: API_KEY is not set", "want a credential"}, ""},
		{"command not found in a shell", Target{Command: "sh", Args: []string{"-c", "exit 127"}}, []string{"Code 127"}, ""},
		{"says nothing", Target{Command: "sh", Args: []string{"-c", "echo thinking >&2; cat >/dev/null"}}, []string{"not answered within", "thinking"}, "thinking"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := Options{}
			if c.silent != "" {
				o = Options{ProbeTimeout: 200 * time.Millisecond, InitTimeout: 400 * time.Millisecond}
			}
			s, err := openReal(t, c.target, o)
			if c.silent != "" { // it may start slowly where others run
				until(t, s, "stderr", func(st State) bool { return strings.Contains(st.StderrTail, c.silent) })
			}
			if err == nil {
				err = s.Negotiate(t.Context())
			}
			st := s.State()
			if err == nil || st.Phase != Failed {
				t.Fatalf("error %v, phase %d", err, st.Phase)
			}
			last := st.Steps[len(st.Steps)-1]
			text := st.Err + " " + last.Detail + " " + last.Advice
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("%q is not in %q", want, text)
				}
			}
			if last.Status != StepFailed || last.Advice == "" {
				t.Errorf("last step %+v", last)
			}
		})
	}
}

// A process may end before the first request is sent: what is told is how it
// ended, not that nothing can be sent.
func TestAProcessThatEndedBeforeTheFirstRequest(t *testing.T) {
	for _, revision := range []string{"auto", "2025-11-25", "2026-07-28"} {
		t.Run(revision, func(t *testing.T) {
			s, err := openReal(t, Target{Command: "sh", Args: []string{"-c", "echo gone >&2; exit 127"}, Revision: revision}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			until(t, s, "the end of the process", func(State) bool { return s.linkDown() != nil })
			err = s.Negotiate(t.Context())
			st := s.State()
			last := st.Steps[len(st.Steps)-1]
			if err == nil || st.Phase != Failed || !strings.Contains(last.Detail, "code 127") || !strings.Contains(last.Detail, "gone") ||
				!strings.Contains(last.Advice, "command was not found") {
				t.Errorf("error %v, last step %+v", err, last)
			}
			if _, err := s.Do(t.Context(), s.NewRequest(protocol.MethodPing, nil), CallOptions{}); err == nil {
				t.Error("a request was sent to a process that ended")
			}
		})
	}
}

func TestTheDemoOverStdioTakesNumbersAsTyped(t *testing.T) { // accept 4
	for _, revision := range []string{"2024-11-05", "2025-11-25", "2026-07-28", "auto"} {
		t.Run(revision, func(t *testing.T) {
			t.Parallel()
			exe, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			checkDemo(t, Target{Command: exe, Env: []EnvVar{{Name: demoVar, Value: "1"}}, Revision: revision})
		})
	}
}

func TestTheDemoOverHTTPTakesNumbersAsTyped(t *testing.T) { // accept 4
	server, err := demo.ListenHTTP("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Errorf("closing the demo: %v", err)
		}
	})
	for _, revision := range []string{"2025-06-18", "2025-11-25", "2026-07-28", "auto"} {
		t.Run(revision, func(t *testing.T) { checkDemo(t, Target{URL: server.URL(), Revision: revision}) })
	}
}

func checkDemo(t *testing.T, target Target) {
	t.Helper()
	s := connectReal(t, target, Options{Capabilities: allCapabilities})
	st := s.State()
	if want := target.Revision; want != "auto" && st.Revision.Name != want {
		t.Errorf("speaks %s, want %s", st.Revision.Name, want)
	}
	if err := s.RefreshAll(t.Context()); err != nil {
		t.Error(err)
	}
	if len(s.Tools()) == 0 || len(s.Resources()) == 0 || len(s.ResourceTemplates()) == 0 || len(s.Prompts()) == 0 {
		t.Errorf("%d tools, %d resources, %d templates, %d prompts", len(s.Tools()), len(s.Resources()), len(s.ResourceTemplates()), len(s.Prompts()))
	}
	const arguments = `{"photons":9007199254740993,"flux":1.0}`
	call := mustCall(t, s, protocol.MethodToolsCall, `{"name":"count_photons","arguments":`+arguments+`}`, CallOptions{})
	if call.Phase != CallOK || !strings.Contains(string(call.Answer.Raw), "9007199254740993") || !strings.Contains(string(call.Answer.Raw), "1.0") {
		t.Errorf("answered %+v %s", call.Err, call.Answer.Raw)
	}
	e, err := s.log.current().Read(call.RequestSeq, 1<<20)
	if err != nil || !strings.Contains(string(e.Data), arguments) {
		t.Errorf("recorded %s, %v", e.Data, err)
	}
	for _, f := range s.State().Findings {
		if f.Severity == protocol.Violation {
			t.Errorf("the demo breaks a rule: %+v", f)
		}
	}
}

func TestALostSessionOverRealHTTP(t *testing.T) { // HTTP-52, HTTP-54, cases 23 and 24
	server := sessiontest.NewHTTP(t)
	server.ServeMCP()
	server.On("POST initialize", sessiontest.InTurn(
		sessiontest.Result(sessiontest.InitializeResult, "Mcp-Session-Id: first"),
		sessiontest.Result(sessiontest.InitializeResult, "Mcp-Session-Id: second")))
	server.On("POST tools/call bad", sessiontest.Status(404, "application/json", `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}`))
	s := connectReal(t, Target{URL: server.URL}, Options{})
	old := s.State().SessionID
	st := mustCall(t, s, protocol.MethodToolsCall, `{"name":"bad"}`, CallOptions{})
	if st.Phase != CallError && st.Phase != CallLost {
		t.Errorf("call %+v", st)
	}
	now := until(t, s, "the new session", func(st State) bool { return st.Phase == Ready && st.SessionID != old })
	if !strings.Contains(rules(now), "HTTP-54") || old == "" || strings.Contains(old, "first") {
		t.Errorf("findings %s, session %q", rules(now), old)
	}
	if st := mustCall(t, s, protocol.MethodToolsCall, `{"name":"good"}`, CallOptions{}); st.Phase != CallOK {
		t.Errorf("call in the new session: %+v", st)
	}
	for _, r := range server.Requests() {
		if r.Message.Method == protocol.MethodInitialize && r.Header.Get("Mcp-Session-Id") != "" {
			t.Error("initialize carries an old session id")
		}
	}
	last := server.Requests()[len(server.Requests())-1]
	if got := last.Header.Get("Mcp-Session-Id"); got != "second" {
		t.Errorf("the last request has session id %q", got)
	}
}
