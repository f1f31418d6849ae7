//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// recordDemo records what the demo says in a revision, with a call of a tool.
func recordDemo(t *testing.T, dir, name, revision, message string) string {
	t.Helper()
	path := filepath.Join(dir, name+".mcp.jsonl")
	cmd := exec.Command(binary(t), "raw", "--revision", revision, "--record", path,
		`{"jsonrpc":"2.0","id":11,"method":"tools/list"}`, message, "--", binary(t), "demo")
	cmd.Env = append(os.Environ(), "HOME="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

// opened waits until the recordings that the program was started with are open:
// the one in front is a side of a comparison only then.
func (d *desk) opened(files ...string) {
	d.t.Helper()
	for _, f := range files {
		d.exists(filepath.Join(d.home, ".config", "mcploupe", "settings.json"), filepath.Base(f))
	}
	d.settle()
}

// TestTwoRecordingsAreCompared opens two recordings, compares them with the
// keyboard alone and goes through the changes.
func TestTwoRecordingsAreCompared(t *testing.T) {
	for _, s := range screens {
		t.Run(s.name, func(t *testing.T) {
			dir := t.TempDir()
			call := func(n string) string {
				return `{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"count_photons","arguments":{"a":` + n + `,"b":1}}}`
			}
			older := recordDemo(t, dir, "older", "2025-06-18", call("1"))
			newer := recordDemo(t, dir, "newer", "2025-11-25", call("2"))
			d := newDesk(t, s.width, s.height, s.theme, newer, older)
			d.opened(newer, older)
			d.key("ctrl+d") // the recording in front is A
			d.shot("choose")
			d.key("Down", "Return")
			d.shot("compared")
			for range 3 {
				d.key("F7")
			}
			d.shot("change")
			d.key("alt+Up")
			d.shot("before")
			d.key("ctrl+w")
			d.key("ctrl+d")
			d.shot("again")
			d.quit()
		})
	}
}
