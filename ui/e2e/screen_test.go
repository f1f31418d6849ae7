//go:build e2e

package e2e

import (
	"bufio"
	"bytes"
	bigendian "encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// glass looks at a part of the screen and clicks on it, without starting a
// program for either: both take microseconds.
type glass struct {
	t     *testing.T
	file  *os.File // the screen's memory, as an X window dump
	start int64    // of the pixels
	line  int64    // bytes of a line
	mouse io.WriteCloser
	last  []byte
	now   []byte
	x, y  int // the part that is looked at
	w, h  int
}

// glass opens the screen of the desk. What is looked at is a part of it, in
// pixels.
func (d *desk) glass(x, y, w, h int) *glass {
	d.t.Helper()
	f, err := os.Open(filepath.Join(d.frame, "Xvfb_screen0"))
	if err != nil {
		d.t.Fatal(err)
	}
	head := make([]byte, 100)
	if _, err := io.ReadFull(f, head); err != nil {
		d.t.Fatal(err)
	}
	field := func(n int) int64 { return int64(bigendian.BigEndian.Uint32(head[4*n:])) }
	g := &glass{t: d.t, file: f, start: field(0) + 12*field(19), line: field(12), x: x, y: y, w: w, h: h}
	g.last, g.now = make([]byte, 4*w*h), make([]byte, 4*w*h)
	cmd := exec.Command("xdotool", "-")
	cmd.Env = d.env()
	if g.mouse, err = cmd.StdinPipe(); err != nil {
		d.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() {
		_ = g.mouse.Close()
		_ = cmd.Wait()
		_ = f.Close()
	})
	return g
}

// look reads the part of the screen and reports whether it has changed.
func (g *glass) look() bool {
	g.t.Helper()
	for i := range g.h {
		at := g.start + int64(g.y+i)*g.line + int64(4*g.x)
		if _, err := g.file.ReadAt(g.now[4*g.w*i:4*g.w*(i+1)], at); err != nil {
			g.t.Fatal(err)
		}
	}
	changed := !bytes.Equal(g.last, g.now)
	g.last, g.now = g.now, g.last
	return changed
}

func (g *glass) do(format string, args ...any) {
	g.t.Helper()
	if _, err := fmt.Fprintf(g.mouse, format+"\n", args...); err != nil {
		g.t.Fatal(err)
	}
}

// The times of a click: how long the part has to stand still before it, how
// long it may take to do so, and for how long an answer is waited for.
const (
	still   = 120 * time.Millisecond
	settles = 3 * time.Second
	answers = 10 * time.Second
	looking = time.Millisecond
)

// click goes to a place, waits until nothing changes there any more, clicks and
// returns how long it took until something changed.
func (g *glass) click(x, y int) time.Duration {
	g.t.Helper()
	g.do("mousemove %d %d", x, y)
	tick := time.NewTicker(looking)
	defer tick.Stop()
	since, begin := time.Now(), time.Now()
	for time.Since(since) < still && time.Since(begin) < settles {
		<-tick.C
		if g.look() {
			since = time.Now()
		}
	}
	start := time.Now()
	g.do("click 1")
	for !g.look() {
		if time.Since(start) > answers {
			g.t.Fatalf("a click at %d, %d was not answered within %v", x, y, answers)
		}
		<-tick.C
	}
	return time.Since(start)
}

// times are how long clicks took.
type times []time.Duration

func (t times) String() string {
	if len(t) == 0 {
		return "no clicks"
	}
	s := slices.Sorted(slices.Values(t))
	ms := func(share float64) string {
		return fmt.Sprint(s[min(int(share*float64(len(s))), len(s)-1)].Round(time.Millisecond))
	}
	return fmt.Sprintf("%d clicks: half within %s, nine of ten within %s, the slowest %s", len(s), ms(0.5), ms(0.9), ms(1))
}

// share is within how long that share of the clicks was answered.
func (t times) share(of float64) time.Duration {
	if len(t) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(t))
	return s[min(int(of*float64(len(s))), len(s)-1)]
}

// memory is what the program holds and the most it has held, in MB.
func (d *desk) memory() (now, most int) {
	d.t.Helper()
	f, err := os.Open(fmt.Sprintf("/proc/%d/status", d.app.Process.Pid))
	if err != nil {
		d.t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var kb int
		switch name, value, _ := strings.Cut(lines.Text(), ":"); name {
		case "VmRSS":
			if _, err := fmt.Sscan(value, &kb); err == nil {
				now = kb / 1024
			}
		case "VmHWM":
			if _, err := fmt.Sscan(value, &kb); err == nil {
				most = kb / 1024
			}
		}
	}
	return now, most
}
