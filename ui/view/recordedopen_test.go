package view

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcploupe/recorder/interop"
	"mcploupe/session"
)

func openFails(t *testing.T, path string) *OpenError {
	t.Helper()
	c, err := OpenRecording(t.Context(), path, nil, ConnOptions{})
	var wrong *OpenError
	if !errors.As(err, &wrong) {
		if c != nil {
			t.Error(c.Close())
		}
		t.Fatalf("%s: %v", path, err)
	}
	return wrong
}

// A file that cannot be opened says what is wrong, where, and what to do.
func TestWhatIsWrongWithAFile(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct {
		text, title, why string
		format           interop.Format
	}{
		"foreign":  {"hello\nworld\n", "This is not a recording", "“hello”", interop.Unknown},
		"binary":   {"\x00\x01\x02\n", "This is not a recording", "bytes that are no text", interop.Unknown},
		"no line":  {"hello", "This is not a recording", "no JSON object", interop.Unknown},
		"empty":    {"", "The file is empty", "not one line", interop.Unknown},
		"messages": {`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n" + `{"jsonrpc":"2.0","id":1,"result":{}}` + "\n", "This is a file of another program", "", interop.Lines},
		"har":      {`{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[]}}`, "This is a file of another program", "HAR", interop.HAR},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		wrong := openFails(t, path)
		if wrong.Title != c.title || !strings.Contains(wrong.Why, c.why) || wrong.Advice == "" || wrong.Format != c.format {
			t.Errorf("%s: %+v", name, wrong)
		}
		if string(wrong.Head) != c.text {
			t.Errorf("%s: what is readable is %q", name, wrong.Head)
		}
	}
	if wrong := openFails(t, filepath.Join(dir, "none")); wrong.Title != "There is no such file" {
		t.Errorf("%+v", wrong)
	}
	if wrong := openFails(t, dir); wrong.Title != "This is a folder" {
		t.Errorf("%+v", wrong)
	}
}

// A file of another program becomes a recording of its own, with a report of
// what could not be read; the file stays as it was.
func TestImportMakesARecording(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "talk.jsonl")
	text := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\nnot a message\n" +
		`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"one","inputSchema":{}}]}}` + "\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var done, total int64
	changed := make(chan struct{}, 1)
	o := ConnOptions{RecordingDir: filepath.Join(dir, "recordings"), App: "test", Changed: func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}}
	c, err := ImportRecording(t.Context(), path, func(d, all int64) { done, total = d, all }, o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}()
	if done != int64(len(text)) || total != done {
		t.Errorf("progress %d of %d", done, total)
	}
	if filepath.Dir(c.Path()) != o.RecordingDir || !strings.HasPrefix(filepath.Base(c.Path()), "talk") {
		t.Errorf("the recording is %s", c.Path())
	}
	for c.Lists() == nil {
		<-changed
	}
	if tools := c.Lists().Tools(); len(tools) != 1 || tools[0].Name != "one" || c.State().Lists[session.Tools].Count != 1 {
		t.Errorf("tools %+v", tools)
	}
	bar := BarOf(c)
	if bar == nil || !bar.Report || !strings.Contains(bar.Text, "talk.jsonl") || !strings.Contains(bar.Text, "2 messages; 1 part of the file could not be read") {
		t.Errorf("bar %+v", bar)
	}
	if report := c.Imported().Text(); !strings.Contains(report, "line 2") {
		t.Errorf("the report does not say where:\n%s", report)
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != text {
		t.Errorf("the file was changed: %q, %v", now, err)
	}
	// One that is cancelled leaves nothing.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ImportRecording(ctx, path, nil, o); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if entries, err := os.ReadDir(o.RecordingDir); err != nil || len(entries) != 1 {
		t.Errorf("%d files in the folder for recordings, %v", len(entries), err)
	}
}
