package sessiontest

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"mcploupe/protocol"
)

func TestMain(m *testing.M) {
	Main()
	goleak.VerifyTestMain(m)
}

func TestScriptInProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := Server().With("tools/call bad", Delay(time.Minute), Raw("{{id}}|{{token}}\n"))
		s.Steps = []Step{Line("hello"), Expect("go"), Repeat(3, "{{n}} "), Raw("\n")}
		r, w := s.Pipe(t)
		out := bufio.NewReader(r)
		read := func() string {
			t.Helper()
			line, err := out.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			return strings.TrimSuffix(line, "\n")
		}
		write := func(text string) {
			t.Helper()
			if _, err := io.WriteString(w, text+"\n"); err != nil {
				t.Fatal(err)
			}
		}
		if got := read(); got != "hello" {
			t.Errorf("got %q", got)
		}
		write(`{"jsonrpc":"2.0","id":1.50,"method":"ping"}`) // served while "go" is waited for
		if got := read(); got != `{"jsonrpc":"2.0","id":1.50,"result":{}}` {
			t.Errorf("got %q", got)
		}
		write(`{"jsonrpc":"2.0","method":"go"}`)
		if got := read(); got != "1 2 3 " {
			t.Errorf("got %q", got)
		}
		write(`{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"good"}}`)
		if got := read(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":"x","result":{"content"`) {
			t.Errorf("got %q", got)
		}
		began := time.Now()
		write(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"bad","_meta":{"progressToken":"p"}}}`)
		if got := read(); got != `2|"p"` || time.Since(began) != time.Minute {
			t.Errorf("got %q after %v", got, time.Since(began))
		}
		write("not a message")
		write(`{"jsonrpc":"2.0","id":3,"method":"unknown"}`) // nothing is said to either
		write(`{"jsonrpc":"2.0","id":4,"method":"ping"}`)
		if got := read(); got != `{"jsonrpc":"2.0","id":4,"result":{}}` {
			t.Errorf("got %q", got)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.ReadByte(); err != io.EOF {
			t.Errorf("after the input's end: %v", err)
		}
	})
}

func TestScriptInAProcess(t *testing.T) {
	command, args, env := Script{Steps: []Step{Expect("*"), Stderr("err {{id}}"), Raw("\xff\x00"), Exit(7)}}.Command(t)
	cmd := exec.Command(command, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":5,"method":"x"}` + "\n")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if string(out) != "\xff\x00" || stderr.String() != "err 5" || cmd.ProcessState.ExitCode() != 7 {
		t.Errorf("out %q, stderr %q, %v", out, stderr.String(), err)
	}
}

func TestHTTPServerChoosesTheLongestKey(t *testing.T) {
	s := NewHTTP(t)
	s.On("POST", Status(200, "text/plain", "any"))
	s.On("POST tools/call", Status(200, "text/plain", "call {{id}}"))
	s.On("POST tools/call x y", InTurn(Status(200, "text/plain", "first"), Status(200, "text/plain", "then")))
	post := func(body string) string {
		t.Helper()
		resp, err := http.Post(s.URL, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = resp.Body.Close() }()
		b, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	named := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x y"}}`
	for i, tc := range []struct{ body, want string }{
		{"nonsense", "any"}, {`{"jsonrpc":"2.0","id":"a","method":"tools/call"}`, `call "a"`}, {named, "first"}, {named, "then"}, {named, "then"},
	} {
		if got := post(tc.body); got != tc.want {
			t.Errorf("%d: %q, want %q", i, got, tc.want)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if r := s.Await(ctx, 4, Is("POST", "tools/call")); len(r) != 4 || string(r[1].Body) != named || r[1].Header.Get("Content-Type") != "application/json" {
		t.Errorf("requests %+v", r)
	}
	if got := len(s.Requests()); got != 5 {
		t.Errorf("%d requests", got)
	}
	resp, err := http.Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != 404 {
		t.Errorf("status %d", resp.StatusCode)
	}
	http.DefaultClient.CloseIdleConnections()
}

// The tables name each case once, and protocol finds what it can find alone.
func TestTables(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range MalformedStdio {
		if seen[c.Name] || c.Rule == "" || c.Bytes == "" {
			t.Errorf("%+v", c)
		}
		seen[c.Name] = true
		found := c.Session
		for _, line := range strings.Split(strings.TrimSuffix(c.Bytes, "\n"), "\n") {
			for _, p := range protocol.Parse([]byte(strings.ReplaceAll(line, "{{id}}", "1"))).Problems {
				found = found || p.Rule == c.Rule
			}
		}
		if !found {
			t.Errorf("%s: no line breaks %s", c.Name, c.Rule)
		}
	}
	clear(seen)
	for _, c := range MalformedHTTP {
		if seen[c.Name] || c.Rule == "" {
			t.Errorf("%+v", c)
		}
		seen[c.Name] = true
	}
}
