package interop

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDetectTellsByContent(t *testing.T) {
	for name, want := range map[string]Format{
		"browser.har": HAR, "proxy.har": HAR, "snoop.jsonl": Snoop, "messages.jsonl": Lines, "messages.json": Array,
		"inspector-protocol.json": Inspector, "inspector-network.json": Inspector, "inspector-logs.json": Inspector,
		"inspector-console.json": Inspector, "inspector-history.json": Inspector,
	} {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{string(b), "\xef\xbb\xbf" + string(b), " \r\n" + string(b), string(b[:max(len(b)*2/3, min(len(b), 200))])} {
			if got := Detect([]byte(text)); got != want {
				t.Errorf("%s is taken for %s", name, got)
			}
		}
	}
	for text, want := range map[string]Format{
		`{"format":"mcploupe/1","created":"2026-11-30T03:12:09Z"}`:        Recording,
		`{"created":1,"format":"mcploupe/2"}`:                             Recording,
		`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 1<<17): Lines,
		`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`:                      Array,
		"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]\n{}":        Lines,
		"Server started\n{\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n":        Lines,
		`{"log":{"version":"1.2"`:                                         HAR,
		"":                                                                Unknown, "[]": Unknown, "{}": Unknown, "[1]": Unknown, "null": Unknown, "<html>": Unknown, "\x00\x01": Unknown,
		`{"mcpServers":{}}`: Unknown, `{"name":"x","version":"1"}`: Unknown,
	} {
		if got := Detect([]byte(text)[:min(len(text), detectSize)]); got != want {
			t.Errorf("%.60q is taken for %s, want %s", text, got, want)
		}
	}
}

func TestFormatsAreFoundByEnding(t *testing.T) {
	for name, want := range map[string]string{
		"a.mcp.jsonl": "recording", "A.MCP.JSONL": "recording", "b.jsonl": "jsonl", "b.ndjson": "jsonl", "c.har": "har", "d.md": "markdown",
		"e.mcpsnoop.jsonl": "mcpsnoop",
	} {
		if got, ok := ForExport(name); !ok || got.Key != want {
			t.Errorf("%s is %s", name, got.Key)
		}
	}
	if _, ok := ForExport("x.json"); ok {
		t.Error("an array of messages cannot be written")
	}
	for _, info := range Formats() {
		if got, ok := ByKey(info.Key); !ok || got.Format != info.Format || info.Format.String() != info.Key {
			t.Errorf("%+v is not found by its key", info)
		}
	}
}
