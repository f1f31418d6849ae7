package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"

	"mcploupe/session/sessiontest"
	"mcploupe/ui/crash"
	"mcploupe/ui/view"
)

// guarded gives a window that keeps reports, and the folder for them.
func guarded(t *testing.T) (*desk, string) {
	t.Helper()
	d := newDesk(t)
	dir := t.TempDir()
	watch, err := crash.Begin(dir, "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := watch.Close(); err != nil {
			t.Error(err)
		}
	})
	d.cfg.Crash = watch
	return d, dir
}

// brokenPane fails whenever it is drawn.
type brokenPane struct {
	Pane
	fails bool
	drawn int
}

func (b *brokenPane) Refresh() {
	b.drawn++
	if b.fails {
		var none []int
		_ = none[len(b.Title())]
	}
	b.Pane.Refresh()
}

// A panic in a view leaves the session, the recording and the window as they are,
// says so, and the view can be loaded again.
func TestPanicInAViewDoesNotEndTheSession(t *testing.T) {
	d, dir := guarded(t)
	p := d.open(d.server("good", sessiontest.Server()), view.Connected)
	d.await("the panes", func() bool { return !p.reporting })
	bad := &brokenPane{Pane: p.panes[p.at], fails: true}
	p.panes[p.at] = bad
	p.soon.Mark()
	d.await("a word of it", func() bool { return d.trouble.root.Visible() })
	d.shows("This view failed; the session goes on.", "Load the view again", "Show the report", "index out of range")
	if phase, _ := p.conn.Phase(); phase != view.Connected || p.conn.Log().Err() != nil {
		t.Errorf("the connection is %s, %v", phase.Word(), p.conn.Log().Err())
	}
	files, err := filepath.Glob(filepath.Join(dir, "panic-*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%d reports, %v", len(files), err)
	}
	if text, err := os.ReadFile(files[0]); err != nil || !strings.Contains(string(text), "brokenPane") {
		t.Errorf("the report does not name the view: %.300s, %v", text, err)
	}

	drawn := bad.drawn
	p.soon.Mark()
	d.await("quiet", func() bool { return d.broken[p] })
	p.u.drawing(p, func() { t.Error("a page that has failed is drawn again") })()
	if bad.drawn != drawn {
		t.Error("it was drawn again")
	}
	d.reloadView(p)
	if d.trouble.root.Visible() || d.broken[p] || p.panes[p.at] == Pane(bad) {
		t.Error("the view was not loaded again")
	}
	d.shows("sessiontest 1", "connected")
	p.soon.Mark()
	d.await("the view", func() bool { return len(p.panes) > 0 })
}

// A panic in what the person does, and in what comes from elsewhere, is told as
// well.
func TestPanicsElsewhere(t *testing.T) {
	d, _ := guarded(t)
	d.Guarded(func() { panic("hunter2") })
	d.shows("This view failed", "a value of type string")
	if strings.Contains(texts(d.win.Content()), "hunter2") {
		t.Error("the value is shown")
	}
	d.reloadView(nil)
	d.shows("Try the demo")
	d.cfg.Do(func() { panic("late") })
	d.await("a word of it", func() bool { return d.trouble.root.Visible() })
	if d.panics != 2 {
		t.Errorf("%d panics were counted", d.panics)
	}
}

// Without a place for reports nothing is kept from ending the program.
func TestPanicsAreNotHiddenFromTests(t *testing.T) {
	d := newDesk(t)
	defer func() {
		if recover() == nil {
			t.Error("a panic was hidden")
		}
	}()
	d.Guarded(func() { panic("seen") })
}

func TestWhatACrashLeftIsOffered(t *testing.T) {
	d := newDesk(t)
	p := d.open(d.server("good", sessiontest.Server()), view.Connected)
	path := p.conn.Path()
	d.closeTab(d.active)
	report := filepath.Join(t.TempDir(), "run-1.txt")
	if err := os.WriteFile(report, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.cfg.Left = []crash.Report{{Path: report, Ended: time.Now(), Recordings: []string{path}, Reason: "panic: runtime error: x", Text: "goroutine 1"}}
	d.tellLeft()
	d.shows("did not end in order the last time", "panic: runtime error: x", "1 recording was being written", "Show the report")
	place := d.app.Driver().AbsolutePositionForObject
	if end, next := place(d.trouble.root).Y+d.trouble.root.Size().Height, place(d.strip).Y; next < end {
		t.Errorf("the tabs begin at %v, below a bar that ends at %v", next, end)
	}
	test.Tap(button(t, d.trouble.buttons, "Open the recording"))
	d.await("the recording", func() bool { c := d.currentConn(); return c != nil && c.conn != nil && c.conn.Path() == path })
	if _, err := os.Stat(report); !os.IsNotExist(err) {
		t.Errorf("the report is still there: %v", err)
	}
	if d.trouble.root.Visible() || place(d.side.object()).Y > place(d.top).Y+d.top.Size().Height+20 {
		t.Error("the bar is still there, or its place")
	}
}
