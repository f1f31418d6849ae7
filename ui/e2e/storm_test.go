//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session/sessiontest"
)

// Two views of the Live tab at 1280 by 800, and the part of the screen that
// shows whether the first one is chosen; no count there changes.
const (
	subsX, watchedX, viewsY    = 262, 370, 193
	viewX, viewY, viewW, viewH = 209, 182, 96, 30
	anyURIX, anyURIY           = 330, 231
)

// A thousand updates a second on one resource that is watched (case 129): clicks
// are answered within a tenth of a second and every update is recorded.
func TestClicksAreAnsweredInAStormOfUpdates(t *testing.T) {
	const turns, each, every = 800, 10, 10 * time.Millisecond
	storm := []sessiontest.Step{sessiontest.Reply(`{}`), sessiontest.Delay(8 * time.Second)}
	for range turns {
		storm = append(storm, sessiontest.Repeat(each, `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"x://a"}}`+"\n"), sessiontest.Delay(every))
	}
	d := newDesk(t, 1280, 800, "dark")
	command, args, env := sessiontest.Server().
		With("initialize", sessiontest.Reply(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{"subscribe":true}},"serverInfo":{"name":"storm","version":"1"}}`)).
		With("resources/list", sessiontest.Reply(`{"resources":[{"uri":"x://a","name":"a"}]}`)).
		With("resources/templates/list", sessiontest.Reply(`{"resourceTemplates":[]}`)).
		With("resources/read", sessiontest.Reply(`{"contents":[{"uri":"x://a","text":"what it holds"}]}`)).
		With("resources/subscribe", storm...).Command(t)
	script := filepath.Join(d.home, "server.sh")
	text := "#!/bin/sh\nexec env " + strings.Join(env, " ") + " " + command + " " + strings.Join(args, " ") + "\n"
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	d.connect(script)
	d.answered("resources/templates/list", "")
	d.key("ctrl+5")
	d.click(watchedX, viewsY)
	d.click(anyURIX, anyURIY)
	d.write("x://a")
	d.key("Return")
	d.answered("resources/subscribe", "x://a") // the storm begins some seconds later
	g := d.glass(viewX, viewY, viewW, viewH)
	place, other := subsX, watchedX
	click := func() time.Duration {
		took := g.click(place, viewsY)
		place, other = other, place
		return took
	}
	var quiet, busy times
	size := d.size()
	for start := time.Now(); d.size() == size && time.Since(start) < 15*time.Second; {
		quiet = append(quiet, click())
	}
	start, ended := time.Now(), time.Now()
	for size = d.size(); time.Since(ended) < 2*time.Second; {
		busy = append(busy, click())
		if now := d.size(); now != size {
			size, ended = now, time.Now()
		}
	}
	took := ended.Sub(start)
	g.click(place, viewsY)
	g.do("mousemove %d %d click 1", watchedX, viewsY)
	d.settle()
	d.shot("after")
	told := 0
	for _, h := range d.heads() {
		if h.Dir == recorder.In && h.Method == protocol.NotificationResourceUpdated {
			told++
		}
	}
	t.Logf("%d updates in %v", told, took.Round(time.Millisecond))
	t.Logf("before: %v", quiet)
	t.Logf("during: %v", busy)
	if told != turns*each {
		t.Errorf("%d updates are recorded, the server wrote %d", told, turns*each)
	}
	if limit := max(clickBudget, 2*quiet.share(0.9)); busy.share(0.9) > limit {
		t.Errorf("a click in ten took more than %v", limit)
	}
	d.quit()
}
