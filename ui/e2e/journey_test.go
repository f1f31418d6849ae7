//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session/demo"
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

// Places at the top of the window at 1280 by 800. Everything else is reached
// by keyboard.
const (
	filterX, filterY = 320, 192  // the tools' filter
	firstX, firstY   = 640, 363  // the first field of a form
	againX, againY   = 1237, 157 // Reconnect, in the bar of a lost connection
)

// choose opens the tools and selects one by name.
func (d *desk) choose(tool string) {
	d.t.Helper()
	d.key("ctrl+2")
	d.click(filterX, filterY)
	d.write(tool)
	d.key("Return")
}

// TestNumbersArriveAsTyped fills in a form by mouse and keyboard.
func TestNumbersArriveAsTyped(t *testing.T) {
	d := newDesk(t, 1280, 800, "light")
	d.connect(binary(t) + " demo")
	d.answered(protocol.MethodPromptsList, "")
	d.choose("count_photons")
	d.click(firstX, firstY)
	d.write("9007199254740993")
	d.key("Tab")
	d.write("1.0")
	d.shot("filled")
	d.key("ctrl+Return")
	d.answered(protocol.MethodToolsCall, "count_photons")
	d.shot("result")
	calls := d.sent(protocol.MethodToolsCall)
	if len(calls) != 1 || !strings.Contains(calls[0], ":9007199254740993") || !strings.Contains(calls[0], ":1.0") {
		t.Errorf("sent %s", calls)
	}
	d.quit()
}

// TestKilledServerKeepsItsTimeline kills the server in the middle of a call,
// and connects again with one click.
func TestKilledServerKeepsItsTimeline(t *testing.T) {
	d := newDesk(t, 1280, 800, "dark")
	d.connect(binary(t) + " demo")
	d.answered(protocol.MethodPromptsList, "")
	d.choose("expose")
	d.key("ctrl+Return")
	d.until("the call", func(h recorder.Head) bool { return h.Dir == recorder.Out && h.Method == protocol.MethodToolsCall })
	before := len(d.heads())
	child := children(t, d.app.Process.Pid)
	if len(child) != 1 {
		t.Fatalf("children %v", child)
	}
	if err := syscall.Kill(child[0], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	d.until("the exit with its signal", func(h recorder.Head) bool {
		return h.Kind == recorder.KindState && strings.Contains(h.Status, "exited")
	})
	d.shot("lost")
	if now := len(d.heads()); now <= before {
		t.Errorf("%d events after the loss, %d before", now, before)
	}
	d.click(againX, againY)
	d.until("the lists of the new process", func(h recorder.Head) bool {
		return int(h.Seq) > before && h.Dir == recorder.In && h.Method == protocol.MethodPromptsList
	})
	d.shot("again")
	d.quit()
}

// TestKilledProgramLosesNothing kills the program itself.
func TestKilledProgramLosesNothing(t *testing.T) {
	d := newDesk(t, 1280, 800, "dark")
	d.connect(binary(t) + " demo")
	d.answered(protocol.MethodPromptsList, "")
	if err := d.app.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-d.exited
	log, err := recorder.Open(d.recordings()[0])
	if err != nil {
		t.Fatal(err)
	}
	listed := false
	for seq := uint64(1); seq <= log.Len(); seq++ {
		h := log.Head(seq)
		listed = listed || h.Dir == recorder.In && h.Method == protocol.MethodPromptsList
	}
	if !listed {
		t.Errorf("the last answer is not among the %d events", log.Len())
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestHTTPServerIsExplored connects by a URL.
func TestHTTPServerIsExplored(t *testing.T) {
	server, err := demo.ListenHTTP("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	d := newDesk(t, 1280, 800, "light")
	d.connect(server.URL())
	d.answered(protocol.MethodPromptsList, "")
	d.key("ctrl+3")
	d.shot("resources")
	d.key("ctrl+4")
	d.shot("prompts")
	d.quit()
}

// children are the processes that a process has started.
func children(t *testing.T, pid int) []int {
	t.Helper()
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		t.Fatal(err)
	}
	var all []int
	for _, task := range tasks {
		raw, err := os.ReadFile(task)
		if err != nil {
			continue // a thread that has ended since
		}
		for _, field := range strings.Fields(string(raw)) {
			n, err := strconv.Atoi(field)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, n)
		}
	}
	return all
}

// TestServerAsksAndIsAnswered answers an elicitation in the tray.
func TestServerAsksAndIsAnswered(t *testing.T) {
	d := newDesk(t, 1280, 800, "dark")
	d.connect(binary(t) + " demo")
	d.answered(protocol.MethodPromptsList, "")
	d.choose("visitor_form")
	d.key("ctrl+Return")
	d.until("the question", func(h recorder.Head) bool { return h.Dir == recorder.In && h.Status == "input_required" })
	d.key("ctrl+7")
	d.key("Tab") // from the name, which has a default
	d.write("ada@example.org")
	d.shot("filled")
	d.key("ctrl+Return")
	d.until("the result", func(h recorder.Head) bool {
		return h.Dir == recorder.In && h.Method == protocol.MethodToolsCall && h.Status == "ok"
	})
	calls := d.sent(protocol.MethodToolsCall)
	if len(calls) != 2 || !strings.Contains(calls[1], `"email":"ada@example.org"`) {
		t.Errorf("sent %s", calls)
	}
	d.key("ctrl+2")
	d.shot("result")
	d.quit()
}
