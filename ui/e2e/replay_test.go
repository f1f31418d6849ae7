//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcploupe/protocol"
	"mcploupe/recorder"
)

// TestRecordingIsReplayed records the demo, plays the recording against the demo
// again and closes the window: with the keyboard alone. What crossed the wire the
// second time is what crossed it the first time.
func TestRecordingIsReplayed(t *testing.T) {
	for _, s := range screens {
		t.Run(s.name, func(t *testing.T) {
			first := newDesk(t, s.width, s.height, s.theme)
			first.connect(binary(t) + " demo")
			first.answered(protocol.MethodPromptsList, "")
			first.quit()
			files := first.recordings()
			if len(files) != 1 {
				t.Fatalf("the recordings are %q", files)
			}
			raw, err := os.ReadFile(files[0])
			if err != nil {
				t.Fatal(err)
			}
			given := filepath.Join(t.TempDir(), "given"+recorder.Ext)
			if err := os.WriteFile(given, raw, 0o600); err != nil {
				t.Fatal(err)
			}

			d := newDesk(t, s.width, s.height, s.theme, given)
			d.key("ctrl+shift+y")
			d.shot("choose")
			d.key("ctrl+Return")
			d.answered(protocol.MethodPromptsList, "")
			d.until("the end of the connection", func(h recorder.Head) bool {
				return h.Kind == recorder.KindState && h.Status == "closed"
			})
			d.shot("outcome")
			want, got := methods(first), methods(d)
			if len(got) < 4 || !slices.Equal(want, got) {
				t.Errorf("recorded was %s\nreplayed was %s", strings.Join(want, " "), strings.Join(got, " "))
			}
			d.quit()
		})
	}
}

// methods are the requests that the program has written so far, sorted: the
// lists are asked for side by side.
func methods(d *desk) (all []string) {
	for _, h := range d.heads() {
		if h.Dir == recorder.Out && h.Kind == recorder.KindMessage && h.Message == protocol.Request {
			all = append(all, h.Method)
		}
	}
	slices.Sort(all)
	return all
}
