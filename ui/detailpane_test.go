package ui

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"mcploupe/recorder"
	"mcploupe/ui/textview"
	"mcploupe/ui/view"
)

// openEvents opens a recording of events in a tab.
func openEvents(t testing.TB, events ...recorder.Event) (*desk, *timelinePane) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "events"+view.RecordingExt)
	log, err := recorder.Create(path, recorder.Header{Format: recorder.Format, Created: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		log.Append(e)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	d := newDesk(t)
	d.win.Resize(fyne.NewSize(1440, 900))
	d.openRecording(path)
	d.await("the tab", func() bool { return d.currentConn() != nil })
	p := d.currentConn()
	d.await("the rows", func() bool { return p.time.list.Count() == len(events) })
	return d, p.time
}

// httpCall is a call over HTTP with a problem in its answer.
func httpCall() []recorder.Event {
	at := func(ms int) time.Duration { return time.Duration(ms) * time.Millisecond }
	return []recorder.Event{
		{Time: at(1), Dir: recorder.Out, Kind: recorder.KindHTTP, Channel: "post-1", Fields: &recorder.HTTPHead{Method: "POST", URL: "http://h/mcp",
			Headers: []recorder.HeaderField{{Name: "Authorization", Value: "Bearer ‹secret:1a2b3c4d›"}}}},
		{Time: at(2), Dir: recorder.Out, Kind: recorder.KindMessage, Channel: "post-1", Cause: 1, Data: []byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)},
		{Time: at(52), Dir: recorder.In, Kind: recorder.KindHTTP, Channel: "post-1", Cause: 1, Fields: &recorder.HTTPHead{Status: 200, Headers: []recorder.HeaderField{{Name: "X-Evil", Value: "a\u202eb"}}}},
		{Time: at(102), Dir: recorder.In, Kind: recorder.KindMessage, Channel: "post-1", Cause: 3, Data: []byte(`{"jsonrpc":"1.0","id":1,"result":{"a":{"b":{"c":1}}}}`)},
		{Time: at(152), Dir: recorder.In, Kind: recorder.KindHTTP, Channel: "post-1", Cause: 3, Fields: &recorder.HTTPHead{Done: true}},
		{Time: at(160), Dir: recorder.In, Kind: recorder.KindMessage, Channel: "stdio", Data: []byte(`{"jsonrpc":"2.0","method":"x","params":{"a":{"b":{"c":2}}}}`)},
	}
}

func TestHeadersAndTimingAreTables(t *testing.T) {
	d, line := openEvents(t, httpCall()...)
	test.Tap(line.whole)
	line.show(4)
	pane := line.detail
	pane.choose(docFields)
	s := texts(d.win.Content())
	for _, want := range []string{"HTTP response", "HTTP request", "X-Evil", "a‹U+202E›b", "Authorization", "Bearer •••", "secret 1a2b3c4d"} {
		if !strings.Contains(s, want+"\n") {
			t.Errorf("the table lacks %q:\n%s", want, s)
		}
	}
	for i, f := range pane.facts.facts {
		if f.Name == "Authorization" {
			pane.facts.list.Choose(i)
			pane.facts.list.OnCopy()
		}
	}
	if got := d.app.Clipboard().Content(); got != "Bearer ‹secret:1a2b3c4d›" {
		t.Errorf("copied %q", got)
	}
	pane.choose(docTiming)
	d.await("the timing", func() bool { return len(pane.timing.table.facts) > 4 })
	s = texts(d.win.Content())
	for _, want := range []string{"until the HTTP response", "until the first byte", "until the HTTP end", "HTTP response head", "after 50 ms", "work of the server"} {
		if !strings.Contains(s, want+"\n") {
			t.Errorf("the timing lacks %q:\n%s", want, s)
		}
	}
	if bars := pane.timing.bars; len(bars.timing.Parts) != 3 || len(bars.box.Objects) != 4*3+len(bars.timing.Ticks) {
		t.Errorf("%d objects for %+v", len(bars.box.Objects), bars.timing.Parts)
	}
}

func TestAProblemLeadsToItsPlace(t *testing.T) {
	_, line := openEvents(t, httpCall()...)
	line.show(4)
	pane := line.detail
	pane.body.text.FoldTo(0)
	pane.choose(docProblems)
	if len(pane.odd.found) == 0 {
		t.Fatal("no problem was found")
	}
	if pane.odd.list.Current() != 0 || !pane.odd.box.Visible() || !strings.Contains(pane.odd.words.Text, "jsonrpc") {
		t.Errorf("before a click row %d is current, and said is %q", pane.odd.list.Current(), pane.odd.words.Text)
	}
	if v, ok := pane.body.text.ValueAtCaret(); !ok || v.Pointer != "/jsonrpc" {
		t.Errorf("the text is at %+v, not at the problem", v)
	}
	pane.choose(docPretty)
	pane.body.text.OnProblem(pane.detail.Problems[0])
	if pane.at != docProblems || pane.odd.list.Current() != 0 {
		t.Errorf("a click on the mark shows tab %d, row %d", pane.at, pane.odd.list.Current())
	}
}

// What the person chose stays from event to event.
func TestLookStaysFromEventToEvent(t *testing.T) {
	_, line := openEvents(t, httpCall()...)
	line.show(4)
	v := line.detail.body.text
	for _, r := range "nw2" {
		v.TypedRune(r)
	}
	line.show(6)
	if v.Numbers() || v.Wrap() || v.Count() != 7 {
		t.Errorf("numbers %v, wrap %v, %d rows", v.Numbers(), v.Wrap(), v.Count())
	}
	v.TypedRune('r')
	line.show(4)
	if v.Mode() != textview.Raw || line.detail.at != docRaw {
		t.Errorf("mode %s, tab %d", v.Mode(), line.detail.at)
	}
	line.detail.choose(docFields)
	line.show(6)
	if line.detail.at != docFields {
		t.Errorf("tab %d", line.detail.at)
	}
}

// bigEvents are a result of 20 MB of JSON and one with a string of 5 MB on one line.
func bigEvents() []recorder.Event {
	var b strings.Builder
	b.WriteString(`{"jsonrpc":"2.0","id":1,"result":{"items":[`)
	for i := 0; b.Len() < 20_000_000; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":%d,"name":"item %d","tags":["a","b"],"ok":true}`, i, i)
	}
	b.WriteString(`]}}`)
	line := `{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"` + strings.Repeat("0123456789 ", 460_000) + `"}]}}`
	return []recorder.Event{
		{Time: 1, Dir: recorder.In, Kind: recorder.KindMessage, Channel: "stdio", Data: []byte(b.String())},
		{Time: 2, Dir: recorder.In, Kind: recorder.KindMessage, Channel: "stdio", Data: []byte(line)},
	}
}

// P3: a big event is shown, first its beginning.
func TestBigEventsAreShown(t *testing.T) {
	d, line := openEvents(t, bigEvents()...)
	for seq := uint64(1); seq <= 2; seq++ {
		line.show(seq)
		pane := line.detail
		d.await("the beginning", func() bool { return len(pane.body.text.Index().Raw()) >= firstLook })
		d.await("the event", func() bool {
			return pane.loaded && pane.body.text.Index().JSON() && len(pane.body.text.Index().Raw()) > 5_000_000
		})
		if s := texts(d.win.Content()); !strings.Contains(s, `"jsonrpc"`) {
			t.Errorf("event %d shows\n%s", seq, s)
		}
	}
}

// BenchmarkBigEvent prints, for the pane of an event, after how long the first lines and the whole event are shown, and
// the longest that the drawing goroutine was busy at once. Budgets: 200 ms, and 50 ms.
func BenchmarkBigEvent(b *testing.B) {
	d, line := openEvents(b, bigEvents()...)
	for seq, name := range []string{"JSON_20MB", "string_5MB"} {
		b.Run(name, func(b *testing.B) {
			var first, whole, longest time.Duration
			for b.Loop() {
				line.detail.clear()
				start := time.Now()
				busy := func(f func()) {
					from := time.Now()
					f()
					longest = max(longest, time.Since(from))
				}
				busy(func() { line.detail.show(uint64(seq) + 1) })
				shown := false
				for text := line.detail.body.text; ; {
					busy(d.queue.run)
					if !shown && len(text.Index().Raw()) > 0 {
						shown = true
						first = max(first, time.Since(start))
					}
					if line.detail.loaded && text.Index().JSON() {
						break
					}
					<-d.queue.wake
				}
				busy(func() { d.win.Canvas().Refresh(line.detail.body.text) })
				whole = max(whole, time.Since(start))
			}
			b.ReportMetric(float64(first.Milliseconds()), "ms-first")
			b.ReportMetric(float64(whole.Milliseconds()), "ms-whole")
			b.ReportMetric(float64(longest.Microseconds())/1000, "ms-busy")
		})
	}
}

// What is selected stays selected in the rows that a filter finds, which it does
// in the background.
func TestSelectedRowIsFoundAgainByAFilter(t *testing.T) {
	d, line := openEvents(t, httpCall()...)
	line.show(4)
	line.filter.setText("has:nothing")
	d.await("no row", func() bool { return !line.line.Searching() && line.list.Count() == 0 })
	if got := line.placeholder(); got != "No event passes the filter" {
		t.Errorf("%q", got)
	}
	line.filter.setText("kind:result")
	d.await("the row", func() bool { return line.list.Count() == 1 })
	if line.list.Current() != 0 || line.line.Selected() != 4 || line.detail.want != 4 {
		t.Errorf("row %d is current, event %d, shown is %d", line.list.Current(), line.line.Selected(), line.detail.want)
	}
	line.setMode(view.Exchanges)
	line.filter.setText("has:nothing")
	d.await("no row", func() bool { return !line.line.Searching() && line.list.Count() == 0 })
	if got := line.placeholder(); got != "No exchange passes the filter" {
		t.Errorf("%q", got)
	}
}
