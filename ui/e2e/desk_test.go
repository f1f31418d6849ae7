//go:build e2e

package e2e

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"mcploupe/recorder"
)

// patience bounds every wait. It is long because the machine may be busy; no
// wait takes it when things work.
const patience = 60 * time.Second

// desk is a virtual screen with a window manager and one program on it.
type desk struct {
	t       *testing.T
	display string
	frame   string // folder of the screen's memory
	home    string
	window  string
	app     *exec.Cmd
	exited  chan struct{}
	errs    lockedBuffer
}

// root is the checkout.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// binary is the program under test: built without migrated_fynedo, so that the
// toolkit checks which goroutine calls it.
func binary(t *testing.T) string {
	t.Helper()
	path := filepath.Join(root(t), "build", "mcploupe-e2e")
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%v; make e2e builds it", err)
	}
	return path
}

// newDesk starts a screen of the size given and the program with args in a new
// home. theme is light or dark.
func newDesk(t *testing.T, width, height int, theme string, args ...string) *desk {
	t.Helper()
	d := &desk{t: t, home: t.TempDir(), exited: make(chan struct{})}
	d.frame = t.TempDir()
	d.display = startScreen(t, width, height, d.frame)
	d.background("openbox")
	config := filepath.Join(d.home, ".config", "mcploupe")
	if err := os.MkdirAll(config, 0o700); err != nil {
		t.Fatal(err)
	}
	settings := fmt.Sprintf(`{"theme":%q,"window":{"width":%d,"height":%d}}`, theme, width, height)
	if err := os.WriteFile(filepath.Join(config, "settings.json"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	d.app = exec.Command(binary(t), args...)
	// The window manager makes the usual one.
	d.app.Env = append(d.env(), "XDG_CACHE_HOME="+filepath.Join(d.home, "cache"))
	d.app.Dir = d.home
	d.app.Stderr = &d.errs
	if err := d.app.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(d.exited)
		_ = d.app.Wait() // the exit status is read from ProcessState
	}()
	t.Cleanup(d.end)
	out := d.tool("xdotool", "search", "--sync", "--onlyvisible", "--name", "MCP Loupe")
	d.window = strings.Fields(out)[0]
	d.tool("xdotool", "windowactivate", "--sync", d.window)
	d.tool("xdotool", "windowsize", d.window, fmt.Sprint(width), fmt.Sprint(height-20))
	d.tool("xdotool", "windowmove", d.window, "0", "0")
	d.settle()
	return d
}

func (d *desk) env() []string {
	return append(os.Environ(),
		"DISPLAY="+d.display, "HOME="+d.home, "LANG=en_US.UTF-8", "WAYLAND_DISPLAY=",
		"XDG_CONFIG_HOME="+filepath.Join(d.home, ".config"),
		"XDG_DATA_HOME="+filepath.Join(d.home, ".local", "share"),
		"XDG_RUNTIME_DIR="+d.home)
}

// startScreen starts Xvfb on a display number that it chooses itself. Its memory
// is a file in the folder frame.
func startScreen(t *testing.T, width, height int, frame string) string {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	screen := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", width, height), "-nolisten", "tcp", "-fbdir", frame)
	screen.ExtraFiles = []*os.File{write}
	if err := screen.Start(); err != nil {
		t.Fatal(err)
	}
	if err := write.Close(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = screen.Process.Kill() // it may be gone already
		_ = screen.Wait()
		_ = read.Close()
	})
	number, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatalf("Xvfb gave no display number: %v", err)
	}
	return ":" + strings.TrimSpace(number)
}

// background starts a helper that lives as long as the test.
func (d *desk) background(name string, args ...string) {
	d.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = d.env()
	if err := cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may be gone already
		_ = cmd.Wait()
	})
}

// tool runs a command on the screen and returns what it printed.
func (d *desk) tool(name string, args ...string) string {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = d.env()
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		d.shot("failed")
		d.t.Fatalf("%s %s: %v: %s\nstderr of the program:\n%s", name, strings.Join(args, " "), err, errs.String(), d.errs.String())
	}
	return string(out)
}

// key presses keys, e.g. "ctrl+n".
func (d *desk) key(keys ...string) {
	d.t.Helper()
	d.tool("xdotool", append([]string{"key", "--clearmodifiers", "--delay", "30"}, keys...)...)
	d.settle()
}

// write types text.
func (d *desk) write(text string) {
	d.t.Helper()
	d.tool("xdotool", "type", "--clearmodifiers", "--delay", "12", "--", text)
	d.settle()
}

// click clicks at a place of the window.
func (d *desk) click(x, y int) {
	d.t.Helper()
	d.tool("xdotool", "mousemove", "--window", d.window, fmt.Sprint(x), fmt.Sprint(y), "click", "1")
	d.settle()
}

// settle waits until two pictures in a row are the same, or a second has gone
// by: something on the screen may move for good reason.
func (d *desk) settle() {
	d.t.Helper()
	deadline := time.Now().Add(time.Second)
	last := d.pixels()
	for time.Now().Before(deadline) {
		next := d.pixels()
		if bytes.Equal(last, next) {
			return
		}
		last = next
	}
}

// steady waits until the picture has stayed the same for a second.
func (d *desk) steady() {
	d.t.Helper()
	last, since := d.pixels(), time.Now()
	for deadline := since.Add(patience); time.Since(since) < time.Second && time.Now().Before(deadline); {
		if next := d.pixels(); !bytes.Equal(last, next) {
			last, since = next, time.Now()
		}
	}
}

func (d *desk) pixels() []byte {
	d.t.Helper()
	cmd := exec.Command("import", "-silent", "-window", "root", "rgb:-")
	cmd.Env = d.env()
	out, err := cmd.Output()
	if err != nil {
		d.t.Fatalf("take a picture: %v", err)
	}
	return out
}

// shot keeps a picture of the screen.
func (d *desk) shot(name string) {
	d.t.Helper()
	dir := filepath.Join(root(d.t), "build", "e2e")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		d.t.Fatal(err)
	}
	path := filepath.Join(dir, strings.ReplaceAll(d.t.Name(), "/", "-")+"-"+name+".png")
	cmd := exec.Command("import", "-silent", "-window", "root", path)
	cmd.Env = d.env()
	if out, err := cmd.CombinedOutput(); err != nil {
		d.t.Errorf("take a picture: %v: %s", err, out)
	}
}

// recordings are the files that the program has written so far.
func (d *desk) recordings() []string {
	paths, err := filepath.Glob(filepath.Join(d.home, ".local", "share", "mcploupe", "recordings", "*.mcp.jsonl"))
	if err != nil {
		d.t.Fatal(err)
	}
	return paths
}

// heads reads what a list row knows of every event of every recording.
func (d *desk) heads() []recorder.Head {
	d.t.Helper()
	var all []recorder.Head
	d.events(func(h recorder.Head, _ *recorder.Log) { all = append(all, h) })
	return all
}

// sent are the messages of a method that the program has written so far.
func (d *desk) sent(method string) []string {
	d.t.Helper()
	var all []string
	d.events(func(h recorder.Head, log *recorder.Log) {
		if h.Dir != recorder.Out || h.Kind != recorder.KindMessage || h.Method != method {
			return
		}
		e, err := log.Read(h.Seq, 0)
		if err != nil {
			d.t.Fatal(err)
		}
		all = append(all, string(e.Data))
	})
	return all
}

// events visits every event of every recording.
func (d *desk) events(visit func(recorder.Head, *recorder.Log)) {
	d.t.Helper()
	for _, path := range d.recordings() {
		// A copy, because opening a file repairs its end, and the program is still
		// writing this one.
		raw, err := os.ReadFile(path)
		if err != nil {
			d.t.Fatal(err)
		}
		cut := bytes.LastIndexByte(raw, '\n') + 1
		if cut == 0 {
			continue
		}
		whole := filepath.Join(d.t.TempDir(), "copy.mcp.jsonl")
		if err := os.WriteFile(whole, raw[:cut], 0o600); err != nil {
			d.t.Fatal(err)
		}
		log, err := recorder.Open(whole)
		if err != nil {
			d.t.Fatal(err)
		}
		for seq := uint64(1); seq <= log.Len(); seq++ {
			visit(log.Head(seq), log)
		}
		if err := log.Close(); err != nil {
			d.t.Fatal(err)
		}
	}
}

// until waits for an event that the program has recorded.
func (d *desk) until(what string, match func(recorder.Head) bool) recorder.Head {
	d.t.Helper()
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(patience)
	for {
		for _, head := range d.heads() {
			if match(head) {
				return head
			}
		}
		select {
		case <-tick.C:
		case <-d.exited:
			d.t.Fatalf("the program ended while waiting for %s:\n%s", what, d.errs.String())
		case <-deadline:
			d.shot("failed")
			d.t.Fatalf("no %s within %v; %d recordings, %d events\n%s", what, patience, len(d.recordings()), len(d.heads()), d.errs.String())
		}
	}
}

// answered waits for the answer to a request of the method and name given.
func (d *desk) answered(method, name string) recorder.Head {
	d.t.Helper()
	return d.until("answer to "+method+" "+name, func(h recorder.Head) bool {
		return h.Dir == recorder.In && h.Partner != 0 && h.Method == method && (name == "" || h.Name == name)
	})
}

// quit ends the program by its menu and checks that it went in good order.
func (d *desk) quit() {
	d.t.Helper()
	d.key("ctrl+q")
	select {
	case <-d.exited:
	case <-time.After(patience):
		d.shot("failed")
		d.t.Fatal("the program did not quit")
	}
	if code := d.app.ProcessState.ExitCode(); code != 0 {
		d.t.Errorf("exit code %d:\n%s", code, d.errs.String())
	}
}

func (d *desk) end() {
	_ = d.app.Process.Signal(syscall.SIGTERM) // it may have quit
	select {
	case <-d.exited:
	case <-time.After(10 * time.Second):
		_ = d.app.Process.Kill()
		<-d.exited
	}
	if text := d.errs.String(); strings.Contains(text, "call thread") {
		d.t.Errorf("the toolkit was called from a wrong goroutine:\n%s", text)
	}
	if text := d.errs.String(); strings.Contains(text, "cache space") {
		d.t.Errorf("the toolkit has no cache on a new home:\n%s", text)
	}
	if text := d.errs.String(); strings.Contains(text, "panic:") || strings.Contains(text, "DATA RACE") {
		d.t.Errorf("the program reports a fault:\n%s", text)
	}
}

// lockedBuffer takes what the program writes while the test reads it.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
