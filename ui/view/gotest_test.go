package view

import (
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session"
	"mcploupe/session/demo"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/settings"
)

// runGoTest runs a generated test in a module of its own, with variables beside
// those of this process, and gives what it prints.
func runGoTest(t *testing.T, source string, env ...string) (string, error) {
	t.Helper()
	formatted, err := format.Source([]byte(source))
	if err != nil {
		t.Fatalf("it does not parse: %v\n%s", err, source)
	}
	if string(formatted) != source {
		t.Errorf("it is not formatted:\n%s\nwant\n%s", source, formatted)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module mcp\n\ngo 1.24\n", "recorded_test.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", "test", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), append([]string{"GOWORK=off", "GOFLAGS=", "CGO_ENABLED=0", "GOPROXY=off"}, env...)...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// subject is the subject for the event that the last request went out as.
func (h *harness) subject(run *Running) RowSubject {
	s := NewRowSubject(h.Log(), run.State().RequestSeq)
	s.Target = h.Server().Target
	return s
}

func (h *harness) call(t *testing.T, r Request) RowSubject {
	t.Helper()
	run, err := h.Send(r, h.Conn.o.Changed)
	if err != nil {
		t.Fatal(err)
	}
	h.end(run)
	return h.subject(run)
}

func rowText(t *testing.T, id RowActionID, s RowSubject) string {
	t.Helper()
	if why := RowActionOf(id).Why(s); why != "" {
		t.Fatalf("not possible: %s", why)
	}
	text, err := RowText(t.Context(), id, s)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// The test is run against a real server: it passes as recorded, and fails when
// the server answers with something else.
func TestGoTestOverStdio(t *testing.T) {
	server := peer(t, sessiontest.Server())
	h := newHarness(t, server)
	h.connected(t)
	s := h.call(t, Request{Method: protocol.MethodToolsCall, Params: jsontext.Value("{\"name\":\"good\",\"arguments\":{\"a\":9007199254740993,\"s\":\"`quoted` \\\"ü\\\"\"}}")})
	source := rowText(t, RowCopyTest, s)
	var env []string
	for _, v := range server.Target.Env {
		env = append(env, v.Name+"="+v.Value)
		if v.Value != "" && strings.Contains(source, v.Value) {
			t.Errorf("the value of %s is in the source", v.Name)
		}
	}
	if !strings.Contains(source, "func TestToolsCallGood(") || !strings.Contains(source, "9007199254740993") {
		t.Errorf("source:\n%s", source)
	}
	if out, err := runGoTest(t, source, env...); err != nil {
		t.Errorf("%v\n%s\n%s", err, out, source)
	}
	other := strings.Replace(source, `"fine"`, `"different"`, 1)
	if out, err := runGoTest(t, other, env...); err == nil || !strings.Contains(out, "answered with") {
		t.Errorf("another answer is not noticed: %v\n%s", err, out)
	}
	answer := NewRowSubject(h.Log(), s.Log.Head(s.Head.Seq).Partner)
	answer.Target = s.Target
	if rowText(t, RowCopyTest, answer) != source {
		t.Error("the answer gives another test than its request")
	}
}

func TestGoTestOverHTTP(t *testing.T) {
	server, err := demo.ListenHTTP("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		h := newHarness(t, settings.Server{ID: "1", Target: session.Target{
			URL: server.URL(), Transport: session.HTTP, Revision: revision, Bearer: "top-secret",
			Headers: []protocol.HeaderField{{Name: "X-Api.Key", Value: "top-secret"}},
		}})
		h.connected(t)
		s := h.call(t, Request{Method: protocol.MethodPromptsList})
		source := rowText(t, RowCopyTest, s)
		for _, want := range []string{`os.Getenv("MCP_BEARER")`, `os.Getenv("MCP_HEADER_X_API_KEY")`, revision} {
			if !strings.Contains(source, want) {
				t.Errorf("%s: no %s in\n%s", revision, want, source)
			}
		}
		if strings.Contains(source, "top-secret") {
			t.Errorf("%s: a secret is in the source", revision)
		}
		if out, err := runGoTest(t, source); err != nil {
			t.Errorf("%s: %v\n%s\n%s", revision, err, out, source)
		}
		curl := rowText(t, RowCopyCurl, s)
		for _, want := range []string{"Mcp-Protocol-Version: " + revision, "Bearer " + Secret, string(mustRead(t, s))} {
			if !strings.Contains(curl, want) {
				t.Errorf("%s: no %s in %s", revision, want, curl)
			}
		}
	}
}

func mustRead(t *testing.T, s RowSubject) []byte {
	t.Helper()
	e, err := s.Log.Read(s.Head.Seq, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return e.Data
}

// Without an answer, and with one that is too big to be shown, the test asks
// only that there is a result.
func TestGoTestWithoutARecordedAnswer(t *testing.T) {
	log := newLog(t)
	seq := message(log, recorder.Out, 1, `{"jsonrpc":"2.0","id":"x","method":"ping"}`)
	s := NewRowSubject(log, seq)
	s.Target = session.Target{Command: "server", Args: []string{"--token", "s3cret", `a "b"`}, Dir: "/d"}
	source := rowText(t, RowCopyTest, s)
	if strings.Contains(source, "s3cret") || !strings.Contains(source, `os.Getenv("MCP_SECRET")`) || !strings.Contains(source, "m.Error != nil") ||
		strings.Contains(source, `"reflect"`) || !strings.Contains(source, "cmd.Dir = \"/d\"") {
		t.Errorf("source:\n%s", source)
	}
	if out, err := runGoTest(t, source); err == nil || !strings.Contains(out, "executable file not found") && !strings.Contains(out, "no such file") {
		t.Errorf("it did not get as far as the command: %v\n%s", err, out)
	}
}

func TestTestName(t *testing.T) {
	for raw, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get-sum"}}`:   "TestToolsCallGetSum",
		`{"jsonrpc":"2.0","id":1,"method":"ünï/日本"}`:                                   "TestN",
		`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("long", 30) + `"}`:       "TestLong" + strings.Repeat("long", 13),
		`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"a\n}\"//"}}`: "TestPromptsGetA",
	} {
		if got := testName(protocol.Parse([]byte(raw))); got != want {
			t.Errorf("%s: %s, want %s", raw, got, want)
		}
	}
}
