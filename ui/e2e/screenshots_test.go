//go:build e2e && screenshots

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"mcploupe/protocol"
	"mcploupe/recorder"
)

// picture keeps what the window shows for the README: few colours make the file
// small, and the toolkit uses few.
func (d *desk) picture(name string) {
	d.t.Helper()
	d.tool("xdotool", "mousemove", "1279", "799") // out of the way
	d.settle()
	path := filepath.Join(root(d.t), "assets", "screenshots", name+".png")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		d.t.Fatal(err)
	}
	cmd := exec.Command("import", "-silent", "-window", d.window, "-strip", "-dither", "None", "-colors", "128", "-define", "png:compression-level=9", "png8:"+path)
	cmd.Env = d.env()
	if out, err := cmd.CombinedOutput(); err != nil {
		d.t.Fatalf("take a picture: %v: %s", err, out)
	}
	info, err := os.Stat(path)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Logf("%s: %d kB", path, info.Size()>>10)
}

// named is the program by another name, for pictures that show it.
func (d *desk) named(name string) string {
	d.t.Helper()
	path := filepath.Join(d.home, name)
	if err := os.Symlink(binary(d.t), path); err != nil {
		d.t.Fatal(err)
	}
	return path
}

// TestScreenshots takes the pictures of the README: the demo as a newcomer sees
// it.
func TestScreenshots(t *testing.T) {
	t.Run("explore", func(t *testing.T) {
		d := newDesk(t, 1280, 800, "dark")
		d.connect(d.named("observatory") + " demo")
		d.answered(protocol.MethodPromptsList, "")
		d.choose("count_photons")
		d.click(firstX, firstY)
		d.write("9007199254740993")
		d.key("Tab")
		d.write("1.0")
		d.key("ctrl+Return")
		d.answered(protocol.MethodToolsCall, "count_photons")
		d.picture("explore")
		d.quit()
	})
	t.Run("forms", func(t *testing.T) {
		d := newDesk(t, 1280, 800, "light")
		d.connect(d.named("observatory") + " demo")
		d.answered(protocol.MethodPromptsList, "")
		d.choose("visitor_form")
		d.key("ctrl+Return")
		d.until("the question", func(h recorder.Head) bool { return h.Dir == recorder.In && h.Status == "input_required" })
		d.key("ctrl+7")
		d.key("Tab")
		d.write("ada@example.org")
		d.picture("forms")
		d.quit()
	})
	t.Run("compare", func(t *testing.T) {
		dir := t.TempDir()
		call := func(n string) string {
			return `{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"count_photons","arguments":{"a":` + n + `,"b":1}}}`
		}
		older := recordDemo(t, dir, "monday", "2025-06-18", call("9007199254740992"))
		newer := recordDemo(t, dir, "tuesday", "2025-11-25", call("9007199254740993"))
		d := newDesk(t, 1280, 800, "light", newer, older)
		d.opened(newer, older)
		d.key("ctrl+d") // the recording in front is A
		d.key("Down", "Return")
		for range 3 {
			d.key("F7")
		}
		d.picture("compare")
		d.quit()
	})
}
