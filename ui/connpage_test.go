package ui

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"

	"mcploupe/session/sessiontest"
	"mcploupe/ui/view"
)

func TestFailedConnectIsAPage(t *testing.T) {
	d := newDesk(t)
	p := d.open(d.server("broken", sessiontest.Script{Steps: []sessiontest.Step{
		sessiontest.Stderr("cannot open database\n"), sessiontest.Exit(3),
	}}), view.Failed)
	p.flush()
	d.shows("Could not connect to broken", "exit code 3", "Retry", "Edit", "Copy report", "What to try", "failed")
	if got := view.ReportOf(p.conn).Text(); !strings.Contains(got, "cannot open database") {
		t.Errorf("report:\n%s", got)
	}
	rows := view.ServerRows(d.store.Get().Servers, d.conns(), time.Now())
	if len(rows) != 1 || rows[0].Word != "failed" {
		t.Errorf("sidebar %+v", rows)
	}
}

func TestLostConnectionIsABar(t *testing.T) {
	d := newDesk(t)
	p := d.open(d.server("fragile", sessiontest.Server().With("ping", sessiontest.Stderr("out of memory\n"), sessiontest.Exit(9))), view.Connected)
	sess := p.conn.Session()
	if err := sess.Write(t.Context(), []byte(`{"jsonrpc":"2.0","id":"x","method":"ping"}`)); err != nil {
		t.Fatal(err)
	}
	d.awaitPhase(p, view.Lost)
	d.await("last words", func() bool { p.flush(); return p.bar.shown != nil && p.bar.shown.Detail != "" })
	d.shows("Connection lost", "exit code 9", "out of memory", "Overview")
	events := p.time.list.Count()
	if events == 0 {
		t.Fatal("the timeline is gone")
	}
	test.Tap(p.bar.action)
	d.awaitPhase(p, view.Connected)
	p.flush()
	if p.bar.root.Visible() {
		t.Error("the bar stays after reconnecting")
	}
	p.flushRows()
	if p.time.list.Count() <= events {
		t.Error("the timeline did not go on")
	}
}

// Between two looks of the window a connection may come and go.
func TestConnectionLostBeforeTheWindowLooksIsABar(t *testing.T) {
	d := newDesk(t)
	script := sessiontest.Server().With("tools/list", sessiontest.Stderr("no licence\n"), sessiontest.Exit(9))
	d.connect(d.server("fragile", script))
	p := d.currentConn()
	d.queue.run()
	late := time.Now().Add(20 * time.Second)
	for phase := view.Connecting; phase != view.Lost; phase, _ = p.conn.Phase() {
		if time.Now().After(late) {
			t.Fatal("the connection is not lost")
		}
		if p.conn.Made() > 0 {
			p.conn.Take()
		}
		runtime.Gosched()
	}
	d.await("last words", func() bool { p.flush(); return p.bar.shown != nil && p.bar.shown.Detail != "" })
	d.shows("Connection lost", "exit code 9", "no licence", "Overview")
}
