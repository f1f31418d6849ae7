//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session/sessiontest"
)

func TestMain(m *testing.M) {
	sessiontest.Main()
	os.Exit(m.Run())
}

// Two tabs of the page at 1280 by 800, and the part of the screen that shows
// which one is chosen.
const (
	tabX, otherX, tabY         = 274, 341, 154
	tabsX, tabsY, tabsW, tabsH = 236, 140, 190, 32
)

// The budgets: a click is answered within a tenth of a second, and memory does
// not grow with what streams by. A machine that takes longer for a click when
// nothing happens is given the same again.
const (
	clickBudget  = 100 * time.Millisecond
	memoryBudget = 900 // MB
)

// burst connects to a server that says something after its list of tools,
// clicks until count notifications are recorded and checks that all are.
func burst(t *testing.T, count int, says ...sessiontest.Step) {
	d := newDesk(t, 1280, 800, "dark")
	steps := append([]sessiontest.Step{sessiontest.Reply(sessiontest.ToolsResult), sessiontest.Delay(4 * time.Second)}, says...)
	command, args, env := sessiontest.Server().With("tools/list", steps...).Command(t)
	script := filepath.Join(d.home, "server.sh")
	text := "#!/bin/sh\nexec env " + strings.Join(env, " ") + " " + command + " " + strings.Join(args, " ") + "\n"
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	d.connect(script)
	d.until("the tools", func(h recorder.Head) bool { return h.Dir == recorder.In && h.Method == protocol.MethodToolsList })

	g := d.glass(tabsX, tabsY, tabsW, tabsH)
	place, other := tabX, otherX
	click := func() time.Duration {
		place, other = other, place
		return g.click(place, tabY)
	}
	before, _ := d.memory()
	var quiet, busy times
	size := d.size()
	for d.size() == size { // what the server says has not begun
		quiet = append(quiet, click())
	}
	start := time.Now()
	ended := time.Now()
	for size = d.size(); time.Since(ended) < 2*time.Second; {
		busy = append(busy, click())
		if now := d.size(); now != size {
			size, ended = now, time.Now()
		}
	}
	took := ended.Sub(start)
	var idle times
	for range 10 {
		idle = append(idle, click())
	}
	after, most := d.memory()
	d.shot("after")
	said := 0
	for _, h := range d.heads() {
		if h.Method == protocol.NotificationMessage {
			said++
		}
	}
	t.Logf("%d of %d notifications in %v", said, count, took.Round(time.Millisecond))
	t.Logf("before: %v", quiet)
	t.Logf("during: %v", busy)
	t.Logf("after: %v", idle)
	t.Logf("memory %d MB before, %d MB after, %d MB at most", before, after, most)
	if said != count {
		t.Errorf("%d notifications are recorded, the server wrote %d", said, count)
	}
	if limit := max(clickBudget, 2*quiet.share(0.9), 2*idle.share(0.9)); busy.share(0.9) > limit {
		t.Errorf("a click in ten took more than %v", limit)
	}
	if most > memoryBudget {
		t.Errorf("%d MB of memory, the budget is %d", most, memoryBudget)
	}
	d.quit()
}

// size is how much has been recorded, in bytes.
func (d *desk) size() (all int64) {
	for _, path := range d.recordings() {
		if info, err := os.Stat(path); err == nil {
			all += info.Size()
		}
	}
	return all
}

// P1, P2: a hundred thousand notifications at once.
func TestClicksAreAnsweredInABurst(t *testing.T) {
	const count = 100_000
	burst(t, count, sessiontest.Flood(count))
}

// Two thousand notifications a second, for ten seconds or as long as
// LOUPE_E2E_STREAM says.
func TestClicksAreAnsweredInAStream(t *testing.T) {
	length := 10 * time.Second
	if text := os.Getenv("LOUPE_E2E_STREAM"); text != "" {
		var err error
		if length, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	const every, each = 10 * time.Millisecond, 20
	var says []sessiontest.Step
	turns := int(length / every)
	for i := range turns {
		says = append(says, sessiontest.Repeat(each, fmt.Sprintf(
			`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"stream","data":{"turn":%d,"n":{{n}}}}}`+"\n", i)),
			sessiontest.Delay(every))
	}
	burst(t, turns*each, says...)
}
