package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/ui/settings"
)

const secretToken = "ghp_0123456789abcdefghijABCDEFGHIJ012345"

// recordingFile is a small recording of two calls.
func recordingFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "some.mcp.jsonl")
	l := newRecording(t, path)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func newRecording(t *testing.T, path string) *recorder.Log {
	t.Helper()
	l, err := recorder.Create(path, recorder.Header{
		Created: time.Date(2026, 7, 28, 10, 0, 0, 0, time.UTC), App: "test", Target: recorder.Target{Name: "some", Transport: "stdio"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range []recorder.Event{
		{Kind: recorder.KindMessage, Dir: recorder.Out, Data: []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"n":1.0,"password":"pw"}}}`)},
		{Kind: recorder.KindMessage, Dir: recorder.In, Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"key":"` + secretToken + `"}}`)},
		{Kind: recorder.KindStderr, Dir: recorder.In, Data: []byte("warn \x1b[31m\n\xff")},
		{Kind: recorder.KindMessage, Dir: recorder.Out, Data: []byte(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"fail"}}`)},
		{Kind: recorder.KindMessage, Dir: recorder.In, Data: []byte(`{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no"}}`)},
		{Kind: recorder.KindState, Dir: recorder.In, Fields: &recorder.StateChange{State: "exited", Detail: "code 0"}},
	} {
		e.Channel, e.Time = "stdio", time.Duration(i+1)*250*time.Millisecond
		l.Append(e)
	}
	return l
}

func TestShowPrintsRows(t *testing.T) {
	got := run(t, "", "show", recordingFile(t))
	lines := strings.Split(strings.TrimSpace(got.out), "\n")
	if got.code != ExitOK || got.err != "" || len(lines) != 6 {
		t.Fatalf("code %d, %q\n%s", got.code, got.err, got.out)
	}
	for i, want := range []string{"1     +0.250 → tools/call echo", "2     +0.500 ← result · tools/call echo", "3     +0.750 ← stderr", "4     +1.000 → tools/call fail", "5     +1.250 ← error · tools/call fail", "6     +1.500 · exited"} {
		if !strings.HasPrefix(strings.TrimSpace(lines[i]), want) {
			t.Errorf("line %d is %q, want %q", i+1, lines[i], want)
		}
	}
	if !strings.Contains(lines[0], "250 ms") || !strings.Contains(lines[4], "-32601") || strings.Contains(got.out, "\x1b") || strings.Contains(got.out, "\xff") {
		t.Errorf("%q", got.out)
	}
	if got := run(t, "", "show", recordingFile(t), "--filter", "tool:fail"); strings.Count(got.out, "\n") != 2 || got.code != ExitOK {
		t.Errorf("filtered: %s", got.out)
	}
	full := run(t, "", "show", recordingFile(t), "--full").out
	if !strings.Contains(full, "\n          \"method\": \"tools/call\",\n") || !strings.Contains(full, "1.0") || strings.Contains(full, "\x1b") || strings.Contains(full, "\xff") {
		t.Errorf("full:\n%s", full)
	}
}

func TestShowPrintsOneDocument(t *testing.T) {
	path := recordingFile(t)
	got := run(t, "", "show", path, "--json", "--full")
	if got.code != ExitOK || !jsontext.Value(got.out).IsValid() {
		t.Fatalf("code %d: %s %s", got.code, got.out, got.err)
	}
	for pointer, want := range map[string]string{
		"/recording/target/name":            `"some"`,
		"/events/0/data/params/arguments/n": "1.0",
		"/events/0/partner":                 "2",
		"/events/1/tookNs":                  "250000000",
		"/events/1/status":                  `"ok"`,
		"/events/2/base64":                  `"d2FybiAbWzMxbQr/"`,
		"/events/4/status":                  `"-32601"`,
		"/events/5/fields/state":            `"exited"`,
		"/events/5/at":                      `"2026-07-28T10:00:01.5Z"`,
		"/events/3/id":                      "2",
	} {
		if v := at(t, got.out, pointer); v != want {
			t.Errorf("%s is %s, want %s", pointer, v, want)
		}
	}
	none := run(t, "", "show", path, "--json", "--filter", "method:nothing")
	if !jsontext.Value(none.out).IsValid() || strings.Join(strings.Fields(at(t, none.out, "/events")), "") != "[]" {
		t.Errorf("nothing matches: %s", none.out)
	}
}

func TestShowExchanges(t *testing.T) {
	path := recordingFile(t)
	got := run(t, "", "show", path, "--exchanges", "--json")
	if at(t, got.out, "/exchanges/0/state") != `"ok"` || at(t, got.out, "/exchanges/1/state") != `"error"` || at(t, got.out, "/exchanges/1/answer") != "5" || at(t, got.out, "/exchanges/0/tookNs") != "250000000" {
		t.Errorf("%s", got.out)
	}
	rows := run(t, "", "show", path, "--exchanges", "--filter", "tool:fail")
	if strings.Count(rows.out, "\n") != 1 || !strings.Contains(rows.out, "tools/call fail") || !strings.Contains(rows.out, "✕") {
		t.Errorf("%q", rows.out)
	}
	if full := run(t, "", "show", path, "--exchanges", "--full").out; !strings.Contains(full, secretToken) {
		t.Errorf("%s", full)
	}
}

func TestShowStats(t *testing.T) {
	path := recordingFile(t)
	got := run(t, "", "show", path, "--stats", "--json")
	for pointer, want := range map[string]string{
		"/methods/0/method": `"tools/call"`, "/methods/0/count": "2", "/methods/0/errors": "1", "/methods/0/p50Ns": "250000000",
		"/tools/0/name": `"echo"`, "/tools/1/errors": "1", "/total/answered": "2", "/events/stderr": "1",
	} {
		if v := at(t, got.out, pointer); v != want {
			t.Errorf("%s is %s, want %s", pointer, v, want)
		}
	}
	people := run(t, "", "show", path, "--stats").out
	for _, want := range []string{"events: 4 msg, 1 stderr, 1 state", "→ tools/call", "tool echo", "250 ms", "p99"} {
		if !strings.Contains(people, want) {
			t.Errorf("no %q in\n%s", want, people)
		}
	}
}

func TestShowRawIsTheBytes(t *testing.T) {
	path := recordingFile(t)
	if got := run(t, "", "show", path, "--raw", "3"); got.code != ExitOK || got.out != "warn \x1b[31m\n\xff" {
		t.Errorf("code %d, %q", got.code, got.out)
	}
	if got := run(t, "", "show", path, "--raw", "99"); got.code != ExitFailed || got.out != "" || !strings.Contains(got.err, "event 99") {
		t.Errorf("code %d, %q %q", got.code, got.out, got.err)
	}
}

func TestShowTakesWhatCanBeImported(t *testing.T) {
	lines := `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\nINFO\n" + `{"jsonrpc":"2.0","id":1,"result":{}}`
	got := run(t, lines, "show", "-")
	if got.code != ExitOK || strings.Count(got.out, "\n") != 4 || !strings.Contains(got.out, "→ ping") || !strings.Contains(got.err, "line 2: no JSON") || !strings.Contains(got.err, "no times") {
		t.Errorf("code %d\n%s\n%s", got.code, got.out, got.err)
	}
	foreign := filepath.Join(t.TempDir(), "x.txt")
	if err := os.WriteFile(foreign, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"no format that can be imported": {"show", foreign},
		"no such file":                   {"show", foreign + ".none"},
		"name one file":                  {"show"},
		"go alone":                       {"show", foreign, "--stats", "--exchanges"},
		"--from \"x\"":                   {"show", foreign, "--from", "x"},
		"  dur>fast\n      ^":            {"show", foreign, "--filter", "dur>fast"},
	} {
		if got := run(t, "", args...); got.code != ExitFailed || got.out != "" || !strings.Contains(got.err, want) {
			t.Errorf("%v: code %d, %q; want %q", args, got.code, got.err, want)
		}
	}
}

// lineWriter hands on what is written line by line.
type lineWriter struct {
	mu    sync.Mutex
	rest  []byte
	lines chan string
}

func (w *lineWriter) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rest = append(w.rest, b...)
	for {
		line, rest, ok := bytes.Cut(w.rest, []byte("\n"))
		if !ok {
			return len(b), nil
		}
		w.lines <- string(line)
		w.rest = rest
	}
}

// What another process adds is shown as it comes, a document a line.
func TestShowFollows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "live.mcp.jsonl")
	l := newRecording(t, path)
	defer l.Close()
	if err := l.Sync(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	w := &lineWriter{lines: make(chan string, 100)}
	code := make(chan int, 1)
	go func() {
		code <- Run(ctx, []string{"show", path, "--follow", "--json"}, Env{In: strings.NewReader(""), Out: w, Err: io.Discard, Version: "test",
			Settings: func() (*settings.Store, error) { return nil, os.ErrNotExist }})
	}()
	next := func() string {
		select {
		case line := <-w.lines:
			return line
		case c := <-code:
			t.Fatalf("it ended with code %d", c)
		case <-time.After(30 * time.Second):
			t.Fatal("nothing came")
		}
		return ""
	}
	for range 6 {
		next()
	}
	l.Append(recorder.Event{Kind: recorder.KindNote, Data: []byte("more"), Time: 2 * time.Second})
	if err := l.Sync(); err != nil {
		t.Fatal(err)
	}
	if line := next(); at(t, line, "/seq") != "7" || !protocol.Valid([]byte(line)) {
		t.Errorf("%s", line)
	}
	cancel()
	if c := <-code; c != ExitOK {
		t.Errorf("code %d", c)
	}
}

func TestConvertMasksAndTells(t *testing.T) {
	dir := t.TempDir()
	in := recordingFile(t)
	out := filepath.Join(dir, "out.jsonl")
	got := run(t, "", "convert", in, out, "--json")
	b, err := os.ReadFile(out)
	if err != nil || got.code != ExitOK {
		t.Fatal(err, got.err)
	}
	if strings.Contains(string(b), secretToken) || strings.Contains(string(b), `"pw"`) || strings.Count(string(b), "\n") != 4 {
		t.Errorf("%s", b)
	}
	for _, want := range []string{"masked: 2 secrets", "key ghp_… in 1 place, first in event 2, /result/key", "1 connection change", "directions and times"} {
		if !strings.Contains(got.err, want) {
			t.Errorf("no %q in\n%s", want, got.err)
		}
	}
	if at(t, got.out, "/format") != `"jsonl"` || at(t, got.out, "/masked/1/kind") != `"key"` || at(t, got.out, "/lost/0/count") != "1" {
		t.Errorf("%s", got.out)
	}
	if info, err := os.Stat(out); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("%v %v", info.Mode(), err)
	}
	// It is not written over without being told to.
	if got := run(t, "", "convert", in, out, "--no-mask"); got.code != ExitFailed || !strings.Contains(got.err, "--force") {
		t.Errorf("code %d, %s", got.code, got.err)
	}
	if got := run(t, "", "convert", in, out, "--no-mask", "--force", "--filter", "tool:echo"); got.code != ExitOK || strings.Contains(got.err, "masked") {
		t.Errorf("code %d, %s", got.code, got.err)
	}
	b, err = os.ReadFile(out)
	if info, statErr := os.Stat(out); err != nil || statErr != nil || !strings.Contains(string(b), secretToken) || strings.Count(string(b), "\n") != 2 || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("%s %v", b, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".mcploupe-*")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

func TestConvertPointersAndWords(t *testing.T) {
	in := recordingFile(t)
	got := run(t, "", "convert", in, "-", "--to", "recording", "--mask-pointer", "/params/arguments/*", "--mask-word", "fail", "--mask-home")
	if got.code != ExitOK || strings.Contains(got.out, `"n":1.0`) || strings.Contains(got.out, "fail") || !strings.Contains(got.err, "your pointer /params/arguments/* in 2 places") {
		t.Errorf("code %d\n%s\n%s", got.code, got.out, got.err)
	}
	back := run(t, got.out, "show", "-")
	if back.code != ExitOK || strings.Count(back.out, "\n") != 6 {
		t.Errorf("%s %s", back.out, back.err)
	}
}

func TestConvertRefuses(t *testing.T) {
	dir := t.TempDir()
	in := recordingFile(t)
	same, err := os.ReadFile(in)
	if err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"name the file to read": {"convert", in},
		"tells no format":       {"convert", in, filepath.Join(dir, "x.txt")},
		"--to \"pdf\"":          {"convert", in, "x", "--to", "pdf"},
		"--to \"inspector\"":    {"convert", in, "x", "--to", "inspector"},
		"same file":             {"convert", in, in, "--force"},
		"does not go with":      {"convert", in, filepath.Join(dir, "a.md"), "--no-mask", "--mask-word", "x"},
		"starts with /":         {"convert", in, filepath.Join(dir, "b.md"), "--mask-pointer", "params"},
		"holds HTTP exchanges":  {"convert", in, filepath.Join(dir, "c.har")},
		"no such file":          {"convert", in + ".none", filepath.Join(dir, "d.md")},
		"no place":              {"convert", in, "-", "--to", "har", "--json"},
	} {
		if got := run(t, "", args...); got.code != ExitFailed || got.out != "" || !strings.Contains(got.err, want) {
			t.Errorf("%v: code %d, %q; want %q", args, got.code, got.err, want)
		}
	}
	if files, _ := os.ReadDir(dir); len(files) > 0 {
		t.Errorf("files are left: %v", files)
	}
	if now, err := os.ReadFile(in); err != nil || !bytes.Equal(now, same) {
		t.Errorf("the source changed: %v", err)
	}
}

// Ctrl+C ends following in order also while events are being printed.
func TestShowEndsFollowingWhilePrinting(t *testing.T) {
	path := filepath.Join(t.TempDir(), "live.mcp.jsonl")
	l := newRecording(t, path)
	defer l.Close()
	if err := l.Sync(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	out := writerFunc(func(p []byte) (int, error) {
		cancel()
		return len(p), nil
	})
	code := Run(ctx, []string{"show", path, "--follow", "--json"}, Env{In: strings.NewReader(""), Out: out, Err: io.Discard, Version: "test",
		Settings: func() (*settings.Store, error) { return nil, os.ErrNotExist }})
	if code != ExitOK {
		t.Errorf("code %d", code)
	}
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
