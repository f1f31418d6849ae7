//go:build e2e

package e2e

import (
	"strings"
	"testing"

	"mcploupe/protocol"
)

// TestPaletteGoesToATool finds a tool by its name and calls it, and closes the
// palette with Escape, after which the window has the keyboard again.
func TestPaletteGoesToATool(t *testing.T) {
	d := newDesk(t, 1280, 800, "light")
	d.connect(binary(t) + " demo")
	d.answered(protocol.MethodPromptsList, "")
	before := d.pixels()
	d.key("ctrl+k")
	if string(d.pixels()) == string(before) {
		t.Error("Ctrl+K shows nothing")
	}
	d.write("nothing of that name")
	d.key("Escape")
	d.key("ctrl+k")
	d.write("describe_client tool")
	d.shot("found")
	d.key("Return")
	d.shot("tool")
	d.key("ctrl+Return")
	d.answered(protocol.MethodToolsCall, "describe_client")
	if calls := d.sent(protocol.MethodToolsCall); len(calls) != 1 || !strings.Contains(calls[0], `"name":"describe_client"`) {
		t.Errorf("sent %s", calls)
	}
	d.quit()
}
