package demo

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestKeepText(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`{"id":1,"method":"ping"}`, `{"id":1,"method":"ping"}`},
		{`{"id":1,"result":{"action":"decline"}}`, `{"id":1,"result":{"action":"decline"}}`},
		{`{"id":1,"result":{"action":"accept","content":{"n":1.0, "s":"ü"}}}`,
			`{"id":1,"result":{"action":"accept","content":{"n":1.0, "s":"ü"},"_meta":{"kestrel-hill.example/answerText":"{\"n\":1.0, \"s\":\"ü\"}"}}}`},
		{`[{"result":{"content":{"n":-0},"_meta":{"a":1},"action":"accept"}}]`,
			`[{"result":{"content":{"n":-0},"_meta":{"a":1,"kestrel-hill.example/answerText":"{\"n\":-0}"},"action":"accept"}}]`},
		{`{"params":{"inputResponses":{"f":{"action":"accept","content":{"n":1e400}},"g":{"roots":[]}},"name":"x"}}`,
			`{"params":{"inputResponses":{"f":{"action":"accept","content":{"n":1e400},"_meta":{"kestrel-hill.example/answerText":"{\"n\":1e400}"}},"g":{"roots":[]}},"name":"x"}}`},
		{`{"result":{"action":7,"content":{}}}`, `{"result":{"action":7,"content":{}}}`},
		{`{"result":"action"}`, `{"result":"action"}`},
		{`{"id":9007199254740993,"method":"subscriptions/listen","params":{"_meta":{}}}`,
			`{"id":9007199254740993,"method":"subscriptions/listen","params":{"_meta":{"kestrel-hill.example/requestId":"9007199254740993"}}}`},
		{`{"method":"subscriptions/listen","params":{}}`, `{"method":"subscriptions/listen","params":{}}`},
		{`{"params":{"_meta":{"progressToken":1.0}}}`, `{"params":{"_meta":{"progressToken":1.0,"kestrel-hill.example/progressToken":"1.0"}}}`},
		{`{"params":{"_meta":{"progressToken":"1"}}}`, `{"params":{"_meta":{"progressToken":"1"}}}`},
		{`{"action":`, `{"action":`},
		{`["action"]`, `["action"]`},
	} {
		if got := string(keepText([]byte(c.in))); got != c.want {
			t.Errorf("%s\n became %s\n not    %s", c.in, got, c.want)
		}
	}
}

// FuzzKeepText checks that whatever a client sends stays JSON, and loses none of its members.
func FuzzKeepText(f *testing.F) {
	f.Add([]byte(`{"id":1,"result":{"action":"accept","content":{"n":1.0}}}`))
	f.Add([]byte(`[{"params":{"inputResponses":{"f":{"action":"accept","content":{"n":1,"n":2}}}}}]`))
	f.Add([]byte("{\"result\":{\"action\":\"\xff\",\"content\":\"\xff\",\"_meta\":{}}}"))
	f.Fuzz(func(t *testing.T, in []byte) {
		out := keepText(in)
		if isJSON(in) != isJSON(out) {
			t.Fatalf("%q became %q", in, out)
		}
		if isJSON(in) && len(compact(t, out)) < len(compact(t, in)) {
			t.Fatalf("%q lost something: %q", in, out)
		}
	})
}

func compact(t *testing.T, v []byte) []byte {
	t.Helper()
	c := jsontext.Value(bytes.Clone(v))
	if err := c.Compact(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		t.Fatal(err)
	}
	return c
}

// FuzzLines checks that a stdio client can send anything without stopping the reader.
func FuzzLines(f *testing.F) {
	f.Add([]byte("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\nINFO\n[]\n\r\n"))
	f.Add([]byte("[{\"jsonrpc\":\"2.0\",\"method\":\"x\"}]"))
	f.Fuzz(func(t *testing.T, in []byte) {
		r := &lineReader{out: &lineWriter{w: discard{}}}
		for line := range bytes.Lines(in) {
			if line = bytes.TrimSpace(line); len(line) == 0 {
				continue
			}
			r.rest = nil
			r.take(line)
			if r.rest != nil && !isJSON(r.rest) {
				t.Fatalf("%q was passed on as %q", line, r.rest)
			}
		}
	})
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Close() error                { return nil }

func TestCountAnswers(t *testing.T) {
	for in, want := range map[string]int{
		`{"jsonrpc":"2.0","id":1,"result":{"method":"x"}}`:   1,
		`{"jsonrpc":"2.0","id":1,"error":{"code":1}}`:        1,
		`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`:     0,
		`{"jsonrpc":"2.0","method":"x","params":{}}`:         0,
		`[{"id":1,"result":{}},{"id":2,"error":{"code":1}}]`: 2,
		`nonsense`: 0,
	} {
		if got := countAnswers([]byte(in)); got != want {
			t.Errorf("%s counts %d", in, got)
		}
	}
}

func TestSeal(t *testing.T) {
	s := newSealer()
	state, err := s.seal("tools/call x", progress{Answers: answers{"a": {Action: "accept", Content: jsontext.Value(`{"n":9007199254740993}`)}}, Round: 1})
	if err != nil {
		t.Fatal(err)
	}
	var got progress
	if err := s.open("tools/call x", state, &got); err != nil || string(got.Answers["a"].Content) != `{"n":9007199254740993}` {
		t.Errorf("%v, %+v", err, got)
	}
	for _, bad := range []string{"", ".", state + "A", "A" + state, strings.Replace(state, ".", "", 1)} {
		if s.open("tools/call x", bad, &got) == nil {
			t.Errorf("%q was opened", bad)
		}
	}
	if s.open("tools/call y", state, &got) == nil || newSealer().open("tools/call x", state, &got) == nil {
		t.Error("a state was opened by another")
	}
}

// The kinds of content that came with a later revision are not sent to an earlier one.
func TestDownshift(t *testing.T) {
	content := []mcp.Content{&mcp.ResourceLink{URI: "kestrel://about", Name: "about"}, &mcp.AudioContent{Data: []byte("x"), MIMEType: "audio/wav"}}
	for version, want := range map[string][2]string{
		"2024-11-05": {"text", "resource"}, "2025-03-26": {"text", "audio"}, "2025-06-18": {"link", "audio"}, "2026-07-28": {"link", "audio"},
	} {
		for i, c := range (peer{version: version}).downshift(content) {
			got := ""
			switch c.(type) {
			case *mcp.TextContent:
				got = "text"
			case *mcp.EmbeddedResource:
				got = "resource"
			case *mcp.ResourceLink:
				got = "link"
			case *mcp.AudioContent:
				got = "audio"
			}
			if got != want[i] {
				t.Errorf("%s gets %s instead of %s", version, got, want[i])
			}
		}
	}
}
