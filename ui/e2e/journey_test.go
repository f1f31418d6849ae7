//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcploupe/protocol"
	"mcploupe/recorder"
)

// screens are the sizes and looks that every journey is shown in.
var screens = []struct {
	name          string
	width, height int
	theme         string
}{
	{"1280-dark", 1280, 800, "dark"},
	{"1280-light", 1280, 800, "light"},
	{"1920-dark", 1920, 1080, "dark"},
	{"1920-light", 1920, 1080, "light"},
}

// connect types a command line or a URL into the connect page.
func (d *desk) connect(target string) {
	d.t.Helper()
	d.key("ctrl+n")
	d.write(target)
	d.shot("connect")
	d.key("Return")
}

// TestDemoIsExplored goes from the start page to a called tool, with the
// keyboard alone.
func TestDemoIsExplored(t *testing.T) {
	for _, s := range screens {
		t.Run(s.name, func(t *testing.T) {
			d := newDesk(t, s.width, s.height, s.theme)
			d.shot("start")
			d.connect(binary(t) + " demo")
			d.answered(protocol.MethodPromptsList, "")
			d.shot("overview")
			d.key("ctrl+2")
			d.shot("tools")
			d.quit()
		})
	}
}

// TestFailedConnectIsReported shows what is known of a server that is none.
func TestFailedConnectIsReported(t *testing.T) {
	d := newDesk(t, 1280, 800, "dark")
	script := filepath.Join(d.home, "server.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho 'no token given' >&2\nexit 3\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	d.connect(script)
	exit := d.until("exit of the server", func(h recorder.Head) bool {
		return h.Kind == recorder.KindState && strings.Contains(h.Status, "exited")
	})
	if exit.Seq == 0 {
		t.Fatal("no event")
	}
	d.shot("report")
	d.quit()
}
