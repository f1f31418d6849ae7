package view

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session"
)

// shellWords is what a shell makes of a command line, the command included.
func shellWords(t *testing.T, line string) []string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "sh", "-c", `printf '%s\0' `+line).Output()
	if err != nil {
		t.Fatalf("the shell refuses %s: %v", line, err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

func TestShellQuoteSurvivesAShell(t *testing.T) {
	for _, word := range []string{
		"", "plain", "a b", `it's`, `''`, `"`, `\`, `\'`, "$HOME `id` $(id)", "two\nlines\n", "\t", "ü→😀", "~", "*", "!x", "#c", "a=b", "{a,b}",
		"-n", `{"a":9007199254740993,"s":"it's\n\"x\""}`, "<secret>", "a;b&c|d",
	} {
		if got := shellWords(t, ShellQuote(word)); len(got) != 1 || got[0] != word {
			t.Errorf("%q written as %s comes back as %q", word, ShellQuote(word), got)
		}
	}
	for word, want := range map[string]string{"plain": "plain", "http://h:1/a?b": "'http://h:1/a?b'", "it's": `'it'\''s'`, "x=1": "x=1"} {
		if got := ShellQuote(word); got != want {
			t.Errorf("%q is written as %s, want %s", word, got, want)
		}
	}
}

func callOf(arguments string) Request {
	params := `{"name":"get-sum"`
	if arguments != "" {
		params += `,"arguments":` + arguments
	}
	return Request{Method: protocol.MethodToolsCall, Params: jsontext.Value(params + "}")}
}

func TestCommandCall(t *testing.T) {
	const exact = "{\"a\":9007199254740993, \"b\":1.0,\n \"s\":\"it's ü\"}"
	withOptions := callOf("{}")
	withOptions.Meta, withOptions.Timeout = jsontext.Value(`{"a.b/c":{"x":[1e400]},"n":1}`), 90*time.Second
	draft := callOf(Hole)
	draft.Draft = `{"a": 12x`
	for name, c := range map[string]struct {
		target session.Target
		r      Request
		want   []string
	}{
		"a command": {session.Target{Command: "npx", Args: []string{"-y", "a server", "it's"}, Env: []session.EnvVar{{Name: "TOKEN", Value: "s3cret"}}, Dir: "/a b"}, callOf(exact),
			[]string{"mcploupe", "call", "get-sum", "--args", exact, "--cwd", "/a b", "--env", "TOKEN=<secret>", "--", "npx", "-y", "a server", "it's"}},
		"secrets in a command": {session.Target{Command: "x", Args: []string{"--api-key=s3cret", "--token", "s3cret", "--port", "1"}}, callOf(""),
			[]string{"mcploupe", "call", "get-sum", "--", "x", "--api-key=<secret>", "--token", "<secret>", "--port", "1"}},
		"an address": {session.Target{URL: "http://h/mcp?api_key=s3cret&x=1", Bearer: "s3cret", Headers: []protocol.HeaderField{{Name: "X-Key", Value: "s3cret"}}, CAFile: "/ca", Revision: "2025-06-18", Transport: session.HTTP}, callOf("{}"),
			[]string{"mcploupe", "call", "http://h/mcp?api_key=<secret>&x=1", "get-sum", "--args", "{}", "--revision", "2025-06-18", "--transport", "http",
				"--bearer", "<secret>", "--header", "X-Key: <secret>", "--ca", "/ca"}},
		"options": {session.Target{URL: "http://h/"}, withOptions,
			[]string{"mcploupe", "call", "http://h/", "get-sum", "--args", "{}", "--meta", `a.b/c={"x":[1e400]}`, "--meta", "n=1", "--timeout", "1m30s"}},
		"a draft": {session.Target{URL: "http://h/"}, draft, []string{"mcploupe", "call", "http://h/", "get-sum", "--args", `{"a": 12x`}},
	} {
		line, ok := CommandCall(c.target, c.r)
		if got := shellWords(t, line); !ok || strings.Join(got, "\x00") != strings.Join(c.want, "\x00") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	for _, r := range []Request{{Method: protocol.MethodPromptsGet, Params: jsontext.Value(`{"name":"p"}`)}, {Method: protocol.MethodToolsCall, Params: jsontext.Value(`{"name":42}`)}} {
		if line, ok := CommandCall(session.Target{URL: "http://h/"}, r); ok {
			t.Errorf("%s %s became %s", r.Method, r.Params, line)
		}
	}
}

func TestCurl(t *testing.T) {
	modern, legacy := protocol.NewestModern(), protocol.NewestHandshake()
	const body = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"sum","arguments":{"city":"it's ü","n":9007199254740993}}}`
	target := session.Target{URL: "https://h/mcp?token=s3cret", Bearer: "s3cret", Headers: []protocol.HeaderField{{Name: "X-Key", Value: "s3cret"}}}
	line, ok := Curl(target, session.State{Transport: "http", Revision: legacy, SessionID: "•••"}, body, nil)
	want := []string{"curl", "-sS", "-N", "https://h/mcp?token=<secret>",
		"-H", "Accept: application/json, text/event-stream", "-H", "Content-Type: application/json",
		"-H", protocol.HeaderVersion + ": " + legacy.Name, "-H", protocol.HeaderSession + ": <session id>",
		"-H", "Authorization: Bearer <secret>", "-H", "X-Key: <secret>", "--data-raw", body}
	if got := shellWords(t, line); !ok || strings.Join(got, "\x00") != strings.Join(want, "\x00") {
		t.Errorf("legacy: %q, want %q", got, want)
	}
	schema := jsontext.Value(`{"type":"object","properties":{"city":{"type":"string","x-mcp-header":"City"}}}`)
	line, ok = Curl(session.Target{URL: "http://[::1]:1/mcp"}, session.State{Transport: "http", Revision: modern}, body, schema)
	got := strings.Join(shellWords(t, line), "\n")
	for _, part := range []string{"-g", protocol.HeaderVersion + ": " + modern.Name, "Mcp-Method: tools/call", "Mcp-Name: sum", "Mcp-Param-City: " + protocol.EncodeHeaderValue("it's ü"), body} {
		if !ok || !strings.Contains(got, part) {
			t.Errorf("modern: no %q in %s", part, got)
		}
	}
	if strings.Contains(got, protocol.HeaderSession) {
		t.Errorf("a session where there is none: %s", got)
	}
	if _, ok := Curl(session.Target{Command: "x"}, session.State{Transport: "stdio"}, body, nil); ok {
		t.Error("curl for a process")
	}
}
