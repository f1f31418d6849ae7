//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestTextureLimitIsSetInTime checks the order that package fynecache relies
// on: its init runs before the toolkit reads the limit.
func TestTextureLimitIsSetInTime(t *testing.T) {
	cmd := exec.Command(binary(t), "--version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	ours := strings.Index(string(out), "init mcploupe/ui/fynecache ")
	theirs := strings.Index(string(out), "init fyne.io/fyne/v2/internal/cache ")
	if ours < 0 || theirs < 0 || ours > theirs {
		t.Errorf("our init at %d, the toolkit's at %d, of\n%s", ours, theirs, out)
	}
}

// TestWithoutADisplayItSaysSo starts the window where there is no screen.
func TestWithoutADisplayItSaysSo(t *testing.T) {
	cmd := exec.Command(binary(t))
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "DISPLAY=") && !strings.HasPrefix(e, "WAYLAND_DISPLAY=") {
			cmd.Env = append(cmd.Env, e)
		}
	}
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), "no display") {
		t.Errorf("%v, code %d: %s", err, cmd.ProcessState.ExitCode(), out)
	}
}
