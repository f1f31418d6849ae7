package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// demoRecording records two calls of the demo.
func demoRecording(t *testing.T, url string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "demo.mcp.jsonl")
	got := run(t, `{"jsonrpc":"2.0","id":901,"method":"tools/call","params":{"name":"find_target","arguments":{"query":"m51"}}}`+"\n"+
		`{"jsonrpc":"2.0","id":902,"method":"prompts/list"}`+"\n", "raw", url, "--revision", "2025-11-25", "--record", path)
	if got.code != ExitOK {
		t.Fatalf("%+v", got)
	}
	return path
}

func TestServeOnStdioAnswersAndListsRefusals(t *testing.T) {
	path := demoRecording(t, demoURL(t))
	got := run(t, `{"jsonrpc":"2.0","id":"x","method":"prompts/list"}`+"\n"+`{"jsonrpc":"2.0","id":"y","method":"tools/call","params":{"name":"other"}}`+"\n", "serve", path, "--json")
	if got.code != ExitOK || !strings.Contains(got.out, `"id":"x","result":`) && !strings.Contains(got.out, `"id":"x"`) || strings.Count(got.out, "\n") != 2 {
		t.Errorf("%+v", got)
	}
	document := jsontext.Value(got.err[strings.Index(got.err, "{"):])
	if kind, _, _ := protocol.Lookup(document, "/remarks/0/kind"); string(kind) != `"refused"` {
		t.Errorf("%s", got.err)
	}
}

func TestReplayComparesAndFails(t *testing.T) {
	url := demoURL(t)
	path := demoRecording(t, url)
	again := filepath.Join(t.TempDir(), "again.mcp.jsonl")
	got := run(t, "", "replay", path, url, "--record", again)
	if got.code != ExitOK || !strings.Contains(got.out, "tools/call find_target") || !strings.Contains(got.err, " same") {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(again); err != nil {
		t.Error(err)
	}
	got = run(t, "", "replay", path, url, "--only", "prompts/*", "--json")
	if outcome, _, _ := protocol.Lookup(jsontext.Value(got.out), "/calls/1/outcome"); got.code != ExitOK || string(outcome) == "" || !strings.Contains(got.out, `"skipped"`) {
		t.Errorf("%+v", got)
	}
	for _, args := range [][]string{{"replay", path}, {"replay", path, url, "--only", "nothing"}, {"replay", path, url, "--pace", "x"}, {"replay", path, url, "--record", path}, {"replay", filepath.Join(t.TempDir(), "no"), url}} {
		if got := run(t, "", args...); got.code != ExitFailed {
			t.Errorf("%v: %+v", args, got)
		}
	}
}

// TestReplayAgainstAServedRecording plays one recording against another that is
// served in another verb.
func TestReplayAgainstAServedRecording(t *testing.T) {
	path := demoRecording(t, demoURL(t))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := filepath.Join(t.TempDir(), "changed.mcp.jsonl")
	if err := os.WriteFile(changed, []byte(strings.ReplaceAll(string(text), "Whirlpool", "Whirlpoor")), 0o600); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]int{path: ExitOK, changed: ExitFound} {
		ctx, cancel := context.WithCancel(t.Context())
		said, errs := io.Pipe()
		code := make(chan int, 1)
		go func() {
			code <- Run(ctx, []string{"serve", file, "--http", "127.0.0.1:0"}, Env{In: strings.NewReader(""), Out: io.Discard, Err: errs, Version: "test"})
			_ = errs.Close()
		}()
		line := make([]byte, 400)
		n, err := said.Read(line)
		if err != nil {
			t.Fatal(err)
		}
		go func() { _, _ = io.Copy(io.Discard, said) }()
		_, url, _ := strings.Cut(string(line[:n]), " served on ")
		url, _, _ = strings.Cut(url, " ")
		if got := run(t, "", "replay", path, url); got.code != want {
			t.Errorf("%s: want %d: %+v", file, want, got)
		}
		cancel()
		if got := <-code; got != ExitOK {
			t.Errorf("serve ended with %d", got)
		}
	}
}
