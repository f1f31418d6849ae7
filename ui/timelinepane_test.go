package ui

import (
	"fmt"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"mcploupe/recorder"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/settings"
	"mcploupe/ui/view"
)

// A burst is drawn in few flushes, of which at most one waits for each pump.
func TestBurstIsCoalesced(t *testing.T) {
	d := newDesk(t)
	p := d.open(d.server("peer", sessiontest.Server()), view.Connected)
	d.await("quiet", func() bool { return p.conn.Log().Len() > 5 })
	log := p.conn.Log()
	d.queue.run()
	d.queue.mu.Lock()
	d.queue.most, d.queue.total = 0, 0
	d.queue.mu.Unlock()
	const burst = 100_000
	before := log.Len()
	start := time.Now()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range burst {
			log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindMessage, Channel: "stdio",
				Data: fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":%d}}`, i)})
		}
	}()
	d.await("all rows", func() bool { return p.time.list.Count() >= int(before)+burst })
	<-done
	took := time.Since(start)
	d.queue.mu.Lock()
	most, total := d.queue.most, d.queue.total
	d.queue.mu.Unlock()
	if most > 2 {
		t.Errorf("%d functions waited for the UI goroutine at once, want at most one a pump", most)
	}
	if limit := int(took/soonEvery)*2 + 10; total > limit {
		t.Errorf("%d flushes in %v, want at most %d", total, took, limit)
	}
	t.Logf("%d events in %v: %d flushes, at most %d waiting", burst, took, total, most)
}

// Rows keep their place while others arrive.
func TestSelectedRowStays(t *testing.T) {
	d := newDesk(t)
	p := d.open(d.server("peer", sessiontest.Server()), view.Connected)
	d.await("quiet", func() bool { return p.conn.Log().Len() > 5 })
	p.flushRows()
	p.showEvent(3)
	if p.time.list.Current() != 2 || p.time.list.Following() || p.time.follow.Checked {
		t.Fatalf("row %d selected, following %v", p.time.list.Current(), p.time.list.Following())
	}
	place, _ := p.time.list.Place()
	for range 500 {
		p.conn.Log().Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindMessage, Channel: "stdio", Data: []byte(`{"jsonrpc":"2.0","method":"x"}`)})
	}
	p.flushRows()
	if now, _ := p.time.list.Place(); now != place || p.time.list.Current() != 2 {
		t.Errorf("row %d is first and %d is selected, were %d and 2", now, p.time.list.Current(), place)
	}
	test.Type(p.time.filter.field, "method:initialize")
	d.await("the filter", func() bool { return p.time.list.Count() == 2 })
	p.showEvent(1) // hidden by the filter
	if p.time.filter.text() != "" || p.time.list.Current() != 0 {
		t.Errorf("filter %q, row %d", p.time.filter.text(), p.time.list.Current())
	}
}

func TestFilterProblemIsShownAtThePlace(t *testing.T) {
	d := newDesk(t)
	p := d.open(d.server("peer", sessiontest.Server()), view.Connected)
	p.flushRows()
	rows := p.time.list.Count()
	p.time.filter.setText("dur>fast")
	if p.time.line.Problem() == "" || p.time.list.Count() < rows {
		t.Errorf("problem %q, %d rows", p.time.line.Problem(), p.time.list.Count())
	}
	p.time.filter.field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if p.time.line.Problem() != "" || p.time.filter.text() != "" {
		t.Errorf("after Escape: %q, %q", p.time.filter.text(), p.time.line.Problem())
	}
}

func TestTimelineFoldsToALine(t *testing.T) {
	d := newDesk(t)
	p := d.open(d.server("peer", sessiontest.Server()), view.Connected)
	p.flushRows()
	before := p.content.Size().Height
	test.Tap(p.time.fold)
	if p.time.split.Visible() || !d.menus.fold.Checked || !d.store.Get().Window.Folded {
		t.Error("the timeline is not folded, or that is not kept")
	}
	if now := p.content.Size().Height; now < before+100 || now+60 < p.room.Size().Height {
		t.Errorf("the panes have %v of %v, had %v", now, p.room.Size().Height, before)
	}
	next := newConnPage(d.UI, settings.Server{})
	if next.time.split.Visible() {
		t.Error("a new tab shows its timeline")
	}
	if err := next.drop(); err != nil {
		t.Error(err)
	}
	p.showEvent(1) // what leads to an event shows the events
	if !p.time.split.Visible() || p.content.Size().Height != before || d.menus.fold.Checked {
		t.Errorf("the timeline is not back: the panes have %v, had %v", p.content.Size().Height, before)
	}
}
