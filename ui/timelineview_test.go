package ui

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"mcploupe/recorder"
	"mcploupe/recorder/recordertest"
	"mcploupe/ui/rows"
	"mcploupe/ui/settings"
	"mcploupe/ui/view"
)

// recorded opens a recording of n events in a tab of a window of 1440 by 900.
func recorded(t testing.TB, n int) (*desk, *timelinePane) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "busy"+view.RecordingExt)
	log, err := recordertest.Create(path, n)
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	d := newDesk(t)
	d.win.Resize(fyne.NewSize(1440, 900))
	d.openRecording(path)
	d.await("the tab", func() bool { return d.currentConn() != nil })
	p := d.currentConn()
	d.await("the rows", func() bool { return p.time.list.Count() == n })
	return d, p.time
}

// exchanges shows exchanges and waits until all are there.
func (t *timelinePane) exchanges(d *desk) {
	d.t.Helper()
	test.Tap(t.modes[view.Exchanges])
	x := t.line.Log().Exchanges()
	d.await("the exchanges", func() bool { return x.Taken() == t.line.Log().Len() && t.list.Count() == x.Len() })
}

func typeKeys(t *timelinePane, keys ...fyne.KeyName) {
	for _, k := range keys {
		t.list.TypedKey(&fyne.KeyEvent{Name: k})
	}
}

// P18: thirty events on a screen of 1440 by 900, and the way back.
func TestTimelineHasTheWholePage(t *testing.T) {
	d, line := recorded(t, 500)
	p := d.currentConn()
	test.Tap(line.whole)
	if page := line.list.Page() + 1; page < 30 {
		t.Errorf("%d rows", page)
	}
	if p.content.Visible() && slices.Contains(p.room.Objects, fyne.CanvasObject(p.split)) || !d.menus.whole.Checked {
		t.Error("the panes are still there, or the menu does not say so")
	}
	test.Tap(line.whole)
	if !slices.Contains(p.room.Objects, fyne.CanvasObject(p.split)) || !p.strip.Visible() || d.menus.whole.Checked {
		t.Error("the panes are not back")
	}
	test.Tap(line.whole)
	p.showPane(1)
	if p.whole || !p.strip.Visible() {
		t.Error("a pane that is chosen is not shown")
	}
}

func TestSelectedEventStaysAcrossTheSwitch(t *testing.T) {
	d, line := recorded(t, 2000)
	d.currentConn().showEvent(1000)
	for seq := uint64(1000); ; seq++ {
		if h := line.line.Log().Head(seq); h.Method == "tools/call" && h.Partner != 0 {
			d.currentConn().showEvent(seq)
			break
		}
	}
	seq := line.line.Selected()
	line.exchanges(d)
	current := line.list.Current()
	if e, ok := line.line.ExchangeOf(current); !ok || e.Request != seq && e.Answer != seq || line.detail.want != seq {
		t.Fatalf("event %d was selected, row %d of exchange %+v is", seq, current, e)
	}
	if !d.store.Get().Window.Timeline.Exchanges {
		t.Error("the switch is not kept")
	}
	if next := newConnPage(d.UI, settings.Server{}); next.time.mode != view.Exchanges {
		t.Error("a new tab shows events")
	} else if err := next.drop(); err != nil {
		t.Error(err)
	}
	test.Tap(line.modes[view.Events])
	if got := line.line.Seq(line.list.Current()); got != seq {
		t.Errorf("event %d is selected, was %d", got, seq)
	}
}

func TestExchangesOpenByKeyAndStayInPlace(t *testing.T) {
	d, line := recorded(t, 2000)
	line.exchanges(d)
	row := 100
	for ; ; row++ {
		if e, _ := line.line.ExchangeOf(row); e.Events > 3 {
			break
		}
	}
	line.list.Choose(row)
	first, _ := line.list.Place()
	e, _ := line.line.ExchangeOf(row)
	count := line.list.Count()
	typeKeys(line, fyne.KeyRight)
	if got := line.list.Count() - count; got != e.Events || line.list.Current() != row {
		t.Errorf("%d rows came, want %d; row %d is selected", got, e.Events, line.list.Current())
	}
	if now, _ := line.list.Place(); now != first {
		t.Errorf("row %d is the first one, was %d", now, first)
	}
	typeKeys(line, fyne.KeyRight, fyne.KeyDown)
	if id := line.line.ID(line.list.Current()); id.Whole || line.list.Current() != row+2 {
		t.Errorf("row %d, %+v", line.list.Current(), id)
	}
	typeKeys(line, fyne.KeyLeft)
	if line.list.Current() != row {
		t.Errorf("Left went to row %d, not to the exchange at %d", line.list.Current(), row)
	}
	typeKeys(line, fyne.KeyLeft)
	if line.list.Count() != count {
		t.Errorf("%d rows after closing, %d before", line.list.Count(), count)
	}
	line.list.TypedRune('*')
	if line.list.Count() < 2*count {
		t.Errorf("%d rows with all open", line.list.Count())
	}
	if now := line.list.Current(); line.line.ID(now) != (view.RowID{Seq: e.Request, Whole: true}) {
		t.Errorf("%+v is selected", line.line.ID(now))
	}
	line.list.TypedRune('/')
	if line.list.Count() != count {
		t.Errorf("%d rows with all closed", line.list.Count())
	}
	d.currentConn().showEvent(e.Answer) // an event below a closed exchange
	if got := line.line.Seq(line.list.Current()); got != e.Answer {
		t.Errorf("event %d is shown, want %d", got, e.Answer)
	}
	d.currentConn().showEvent(1) // one that belongs to no exchange
	if line.mode != view.Events || line.list.Current() != 0 {
		t.Errorf("mode %v, row %d", line.mode, line.list.Current())
	}
}

func TestColumnsAreSortedChosenAndKept(t *testing.T) {
	d, line := recorded(t, 3000)
	header := func(key view.ColumnKey) {
		for i, c := range line.shown {
			if c.Key == key {
				line.sortBy(i)
				d.await("the order", func() bool { return !line.line.Sorting() })
			}
		}
	}
	header(view.ColumnSize)
	size := func(row int) int { return line.line.Log().Head(line.line.Seq(row)).Size }
	if size(0) > size(1500) || size(1500) > size(2999) || !line.follow.Disabled() || !strings.Contains(line.follow.Text, "sorted") || line.list.Following() {
		t.Errorf("sizes %d, %d, %d; follow says %q", size(0), size(1500), size(2999), line.follow.Text)
	}
	header(view.ColumnSize)
	if size(0) < size(1500) || size(1500) < size(2999) {
		t.Errorf("down: sizes %d, %d, %d", size(0), size(1500), size(2999))
	}
	header(view.ColumnSize)
	if line.sorted() || line.line.Seq(5) != 6 || line.follow.Disabled() || line.follow.Text != "Follow" {
		t.Errorf("the third click leaves %v, event %d", line.sorted(), line.line.Seq(5))
	}
	header(view.ColumnTook)
	typeKeys(line, fyne.KeyEscape)
	if line.sorted() {
		t.Error("Escape leaves the rows sorted")
	}

	line.showColumn(view.ColumnChannel, true)
	line.showColumn(view.ColumnSize, false)
	line.setTimeMode(view.SincePrevious)
	cols := line.list.Columns()
	for i := range cols {
		if line.shown[i].Key == view.ColumnID {
			cols[i].Width = 123
		}
	}
	line.resized(cols)
	next := newConnPage(d.UI, settings.Server{})
	var keys []view.ColumnKey
	for _, c := range next.time.shown {
		keys = append(keys, c.Key)
		if c.Key == view.ColumnID && c.Width != 123 {
			t.Errorf("the id is %v wide", c.Width)
		}
	}
	if !slices.Contains(keys, view.ColumnChannel) || slices.Contains(keys, view.ColumnSize) || next.time.timeMode != view.SincePrevious {
		t.Errorf("a new tab has %v, times %q", keys, next.time.timeMode)
	}
	if err := next.drop(); err != nil {
		t.Error(err)
	}
}

// In a narrow window columns give way rather than that rows have to be scrolled
// sideways, and come back with the room.
func TestColumnsGiveWay(t *testing.T) {
	d, line := recorded(t, 200)
	has := func(key view.ColumnKey) bool { return line.shows(key) }
	d.win.Resize(fyne.NewSize(1280, 800))
	if !has(view.ColumnSize) || !has(view.ColumnID) || len(line.noRoom) > 0 {
		t.Errorf("at 1280 there are %v", line.shown)
	}
	d.win.Resize(fyne.NewSize(900, 780))
	if has(view.ColumnSize) || !has(view.ColumnStatus) || line.list.RowWidth() > line.list.ViewWidth() {
		t.Errorf("at 900 rows are %v wide, there is room for %v: %v", line.list.RowWidth(), line.list.ViewWidth(), line.shown)
	}
	said := false
	for _, item := range line.columnMenu()[0].ChildMenu.Items {
		said = said || item.Checked && item.Label == "Size (no room now)"
	}
	if !said {
		t.Error("the menu does not say that there is no room for the size")
	}
	d.win.Resize(fyne.NewSize(1280, 800))
	if !has(view.ColumnSize) || len(line.noRoom) > 0 {
		t.Errorf("back at 1280 there are %v", line.shown)
	}
}

func TestBrushBecomesAFilter(t *testing.T) {
	d, line := recorded(t, 2000)
	d.await("the density", func() bool { return line.drawn > 0 })
	whole, _ := line.line.Density()
	middle := whole.From + (whole.To-whole.From)/2
	line.filter.setText("kind:request")
	line.strip.OnBrush(whole.From, middle)
	if text := line.filter.text(); !strings.HasPrefix(text, "kind:request after:") || !strings.Contains(text, " before:") {
		t.Errorf("filter %q", text)
	}
	d.await("the rows", func() bool { return !line.line.Searching() && line.list.Count() > 0 })
	if last := line.line.Log().Head(line.line.Seq(line.list.Count() - 1)); last.Time > middle+time.Second {
		t.Errorf("the last row is at %v, brushed up to %v", last.Time, middle)
	}
	line.strip.OnClear()
	if line.filter.text() != "kind:request" {
		t.Errorf("filter %q", line.filter.text())
	}
	line.filter.setText("")
	line.strip.OnJump(middle)
	first, _ := line.list.Place()
	last := first + line.list.Page()
	at := func(row int) time.Duration { return line.line.Log().Head(line.line.Seq(row)).Time }
	if at(first) > middle || at(last) < middle || line.list.Following() {
		t.Errorf("jumped to %v, the rows show %v to %v", middle, at(first), at(last))
	}
}

func TestMarksByKeyAndOnAFileThatCannotBeWritten(t *testing.T) {
	d, line := recorded(t, 500)
	p := d.currentConn()
	p.showEvent(20)
	line.list.TypedRune('m')
	line.list.TypedRune('3')
	p.showEvent(200)
	line.list.TypedRune('1')
	log := line.line.Log()
	if m, _ := log.Mark(20); !m.Pinned || m.Color != recorder.MarkColors[2] {
		t.Errorf("mark %+v", m)
	}
	line.list.TypedRune('[')
	if line.line.Selected() != 20 {
		t.Errorf("[ went to %d", line.line.Selected())
	}
	line.list.TypedRune(']')
	if line.line.Selected() != 200 {
		t.Errorf("] went to %d", line.line.Selected())
	}
	line.list.TypedRune('1')
	if m, ok := log.Mark(200); ok {
		t.Errorf("the same colour again leaves %+v", m)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	line.list.TypedRune('2')
	if m, ok := log.Mark(200); ok || !strings.Contains(texts(d.win.Content()), "ark") {
		t.Errorf("a log that is closed has %+v, and nothing is said", m)
	}
}

func TestHoverMarksPartners(t *testing.T) {
	d, line := recorded(t, 500)
	x := line.line.Log().Exchanges()
	d.await("the exchanges", func() bool { return x.Taken() == 500 })
	of := func(row int) int {
		if i, ok := x.Of(line.line.Seq(row)); ok {
			return i
		}
		return -1
	}
	first, _ := line.list.Place()
	row := first
	for of(row) < 0 {
		row++
	}
	line.hovered(rows.Hover{Row: row})
	for i := first; i < first+line.list.Page(); i++ {
		if got, want := line.list.Related(i), of(i) == of(row); got != want {
			t.Errorf("row %d: related %v, want %v", i, got, want)
		}
	}
	line.hovered(rows.Hover{Row: -1})
	if line.list.Related(row) {
		t.Error("the mark stays when the mouse has gone")
	}
}

// A recording that nobody writes is read from its beginning; there is nothing to
// follow.
func TestRecordingBeginsAtItsBeginning(t *testing.T) {
	_, line := recorded(t, 500)
	if first, _ := line.list.Place(); first != 0 || line.list.Following() || line.follow.Visible() {
		t.Errorf("row %d is the first, following %v, follow visible %v", first, line.list.Following(), line.follow.Visible())
	}
}

// The counts keep their room: the filter beside them does not move as they
// change.
func TestCountsKeepTheirRoom(t *testing.T) {
	_, line := recorded(t, 500)
	wide := line.filter.field.Size().Width
	for _, text := range []string{"500 of 500, searching…", "3 of 500", "500 of 500"} {
		line.filter.counts.SetText(text)
		line.filter.row.Refresh()
		if now := line.filter.field.Size().Width; now != wide {
			t.Errorf("%q: the field is %v wide, was %v", text, now, wide)
		}
	}
}

// Stepping through what was found among exchanges opens the one that holds it,
// and marks the text in the event.
func TestFindOpensExchanges(t *testing.T) {
	d, line := recorded(t, 2000)
	line.exchanges(d)
	line.find.field.SetText("select")
	d.win.Canvas().Focus(line.find.field)
	d.await("the search", func() bool { line.find.refresh(); return line.find.find.Count() > 0 && !line.find.find.Searching() })
	line.find.step(1)
	seq := line.line.Selected()
	if line.mode != view.Exchanges || seq == 0 || !line.find.has(seq) {
		t.Fatalf("event %d, mode %v", seq, line.mode)
	}
	if id := line.line.SelectedID(); id.Whole || !line.line.Open(line.list.Current()) {
		t.Errorf("row %+v, open %v", id, line.line.Open(line.list.Current()))
	}
	d.await("the place in the text", func() bool { n, of := line.detail.body.text.Hit(); return n == 1 && of > 0 })
	line.find.field.SetText("selects none")
	if _, of := line.detail.body.text.Hit(); of != 0 {
		t.Error("the marks of another text stay")
	}
	line.find.field.SetText("")
	if _, of := line.detail.body.text.Hit(); of != 0 {
		t.Error("the marks in the text stay")
	}
}

// The column has room for the times of every mode, to the millisecond.
func TestColumnForTimesIsWideEnough(t *testing.T) {
	_, line := recorded(t, 500)
	const beside = 12 // of the text
	for _, m := range []view.TimeMode{view.TimeOfDay, view.SinceStart, view.SincePrevious} {
		line.setTimeMode(m)
		at := slices.IndexFunc(line.shown, func(c view.Column) bool { return c.Key == view.ColumnTime })
		text := line.line.RowAt(400).Time
		if room, need := line.shown[at].Width-beside, fyne.MeasureText(text, theme.TextSize(), fyne.TextStyle{}).Width; need > room {
			t.Errorf("%s: %q takes %v of %v", m, text, need, room)
		}
	}
}

// The waterfall shows the time of the rows in sight, from when it is shown.
func TestWaterfallShowsTheTimeInSight(t *testing.T) {
	d, line := recorded(t, 5000)
	line.exchanges(d)
	last := line.line.Log().Head(line.line.Log().Len()).Time
	d.await("the whole time", func() bool { line.take(); return line.line.Axis().To == last })
	line.showColumn(view.ColumnWaterfall, true)
	whole, first := line.line.Axis(), line.axis
	if first.To <= first.From || first.To-first.From > (whole.To-whole.From)/4 {
		t.Fatalf("axis %+v of %+v", first, whole)
	}
	line.list.ScrollEnd()
	if line.axis.From <= first.From {
		t.Errorf("at the end the axis is %+v", line.axis)
	}
	line.sort(view.ColumnSize, false)
	d.await("the order", func() bool { line.take(); return !line.line.Sorting() })
	if line.axis != whole {
		t.Errorf("sorted, the axis is %+v, want %+v", line.axis, whole)
	}
}

// A strip that had no room for a while is counted anew when it comes back, also
// when nothing else happens.
func TestStripThatComesBackHasItsParts(t *testing.T) {
	d, line := recorded(t, 500)
	parts := func() int {
		density, _ := line.line.Density()
		return len(density.Buckets)
	}
	d.await("the parts", func() bool { return parts() > 1 })
	low, high := fyne.NewSize(900, 160), fyne.NewSize(900, 600)
	line.root.Resize(low)
	d.await("no strip", func() bool { return parts() == 1 })
	line.root.Resize(high)
	d.await("the parts again", func() bool { return parts() == line.strip.Buckets() && parts() > 1 })
}
