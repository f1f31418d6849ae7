//go:build e2e

package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
)

// exists waits for a file that holds text, pressing keys meanwhile.
func (d *desk) exists(path, text string, keys ...string) []byte {
	d.t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		if raw, err := os.ReadFile(path); err == nil && bytes.Contains(raw, []byte(text)) {
			return raw
		}
		if len(keys) > 0 {
			d.key(keys...)
		}
		select {
		case <-tick.C:
		case <-deadline:
			d.shot("failed")
			d.t.Fatalf("no %s with %q within %v\n%s", path, text, patience, d.errs.String())
		}
	}
}

// secretRecording is a recording with a token in it, for the command line.
func secretRecording(t *testing.T, token string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "handed-over"+recorder.Ext)
	log, err := recorder.Create(path, recorder.Header{App: "test", Target: recorder.Target{Name: "handed over", Transport: "stdio", Command: "srv"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []struct {
		dir  recorder.Direction
		text string
	}{
		{recorder.Out, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`},
		{recorder.In, `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"look","inputSchema":{"type":"object","properties":{"at":{"type":"string"}}}}]}}`},
		{recorder.Out, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"look","arguments":{"token":"` + token + `"}}}`},
		{recorder.In, `{"jsonrpc":"2.0","id":2,"result":{"content":[]}}`},
	} {
		log.Append(recorder.Event{Dir: m.dir, Kind: recorder.KindMessage, Channel: "stdio", Data: []byte(m.text)})
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestRecordingsAreDocuments opens a recording from the command line, exports it
// masked, connects to a server, saves the recording of that under a name while it
// is written, and goes on in a new one: with the keyboard alone.
func TestRecordingsAreDocuments(t *testing.T) {
	for _, s := range screens {
		t.Run(s.name, func(t *testing.T) {
			const token = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"
			given := secretRecording(t, token)
			d := newDesk(t, s.width, s.height, s.theme, given)
			d.shot("opened")
			d.key("ctrl+2")
			d.shot("tools")

			d.key("ctrl+shift+e")
			beside := strings.TrimSuffix(given, recorder.Ext) + "-export" + recorder.Ext
			d.shot("export")
			exported := d.exists(beside, "tools/call", "Return")
			if bytes.Contains(exported, []byte(token)) || !bytes.Contains(exported, []byte("‹secret:")) {
				t.Errorf("the export is not masked:\n%s", exported)
			}
			d.steady() // the file is there before the dialog that tells of it
			d.shot("exported")
			d.key("Escape")

			d.connect(binary(t) + " demo")
			d.answered(protocol.MethodPromptsList, "")
			d.key("ctrl+s")
			d.key("ctrl+a")
			named := filepath.Join(d.home, "named"+recorder.Ext)
			d.write(named)
			d.shot("save")
			d.key("Return")
			d.exists(named, "prompts/list")
			if got := d.recordings(); len(got) != 0 {
				t.Errorf("the recording is still at %s", got)
			}
			d.key("ctrl+shift+n")
			d.exists(named, "goes on in")
			fresh := d.until("the new recording", func(h recorder.Head) bool { return h.Kind == recorder.KindNote })
			if fresh.Seq != 1 {
				t.Errorf("the new recording begins with event %d", fresh.Seq)
			}
			d.shot("new")
			d.quit()
			log, err := recorder.Open(named)
			if err != nil {
				t.Fatal(err)
			}
			if last := log.Head(log.Len()); last.Kind != recorder.KindNote || log.Repaired() != "" {
				t.Errorf("the saved recording ends with %+v, repaired %q", last, log.Repaired())
			}
			if err := log.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}
