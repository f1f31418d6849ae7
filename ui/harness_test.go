package ui

import (
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"mcploupe/session"
	"mcploupe/session/secret"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/settings"
	"mcploupe/ui/view"
)

func TestMain(m *testing.M) {
	sessiontest.Main()
	m.Run()
}

// desk is a window on the test driver. What other goroutines dispatch waits
// until the test looks, so nothing runs beside it.
type desk struct {
	*UI
	t     testing.TB
	store *settings.Store
	queue dispatchQueue
}

// dispatchQueue is the dispatcher: a list of what is to run on the test's
// goroutine.
type dispatchQueue struct {
	mu      sync.Mutex
	waiting []func()
	most    int // waiting at once
	total   int
	wake    chan struct{}
	took    func(time.Duration) // told of each function, may be nil
}

func (q *dispatchQueue) do(f func()) {
	q.mu.Lock()
	q.waiting = append(q.waiting, f)
	q.most = max(q.most, len(q.waiting))
	q.total++
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// longest is how many functions waited at once at most.
func (q *dispatchQueue) longest() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.most
}

func (q *dispatchQueue) run() {
	q.mu.Lock()
	batch := q.waiting
	q.waiting = nil
	q.mu.Unlock()
	for _, f := range batch {
		start := time.Now()
		f()
		if q.took != nil {
			q.took(time.Since(start))
		}
	}
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	app := test.NewTempApp(t)
	dir := t.TempDir()
	store, err := settings.Load(filepath.Join(dir, "settings.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Update(func(s *settings.Settings) { s.RecordingDir = filepath.Join(dir, "recordings") }); err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, store: store}
	d.queue.wake = make(chan struct{}, 1)
	d.UI = New(app, Config{Settings: store, Version: "test", Executable: "mcploupe", Do: d.queue.do, Secrets: secret.New(nil, nil)})
	d.win.Show()
	t.Cleanup(func() {
		d.queue.run()
		d.Close()
		d.win.Close()
	})
	return d
}

// await runs what is dispatched until ok.
func (d *desk) await(what string, ok func() bool) {
	d.t.Helper()
	late := time.NewTimer(20 * time.Second)
	defer late.Stop()
	for {
		d.queue.run()
		if ok() {
			return
		}
		select {
		case <-d.queue.wake:
		case <-late.C:
			d.t.Fatalf("no %s", what)
		}
	}
}

// server makes a saved server that runs script.
func (d *desk) server(name string, script sessiontest.Script) settings.Server {
	d.t.Helper()
	command, args, env := script.Command(d.t)
	target := session.Target{Name: name, Transport: session.Stdio, Command: command, Args: args}
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		target.Env = append(target.Env, session.EnvVar{Name: name, Value: value})
	}
	server, err := d.store.AddServer(target)
	if err != nil {
		d.t.Fatal(err)
	}
	d.side.refresh()
	return server
}

// open connects to a server and waits for a phase.
func (d *desk) open(server settings.Server, want view.Phase) *connPage {
	d.t.Helper()
	d.connect(server)
	p := d.currentConn()
	if p == nil {
		d.t.Fatal("connecting opened no tab")
	}
	d.awaitPhase(p, want)
	return p
}

func (d *desk) awaitPhase(p *connPage, want view.Phase) {
	d.t.Helper()
	d.await(want.Word(), func() bool { got, _ := p.conn.Phase(); return got == want })
}

// texts collects every text that is on the canvas.
func texts(o fyne.CanvasObject) string {
	var b strings.Builder
	for _, text := range test.LaidOutObjects(o) {
		if s := textOf(text); s != "" {
			b.WriteString(s + "\n")
		}
	}
	return b.String()
}

func textOf(o fyne.CanvasObject) string {
	if t, ok := o.(*canvas.Text); ok {
		return t.Text
	}
	return ""
}

// shows fails unless every text is somewhere in the window.
func (d *desk) shows(want ...string) {
	d.t.Helper()
	all := strings.ReplaceAll(texts(d.win.Content()), "\n", " ")
	for _, text := range want {
		if !strings.Contains(all, text) {
			d.t.Errorf("the window does not show %q; it shows: %s", text, all)
		}
	}
}
