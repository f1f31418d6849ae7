package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"mcploupe/recorder"
	"mcploupe/session"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/settings"
	"mcploupe/ui/view"
)

// recordTalk makes a recording: a list of tools and a call of each word.
func (d *desk) recordTalk(name, version, tools string, words ...string) string {
	d.t.Helper()
	path := filepath.Join(d.t.TempDir(), name+recorder.Ext)
	log, err := recorder.Create(path, recorder.Header{Target: recorder.Target{Transport: "stdio", Command: "x"}})
	if err != nil {
		d.t.Fatal(err)
	}
	id := 0
	ask := func(rest, result string) {
		id++
		for i, text := range []string{fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%s}`, id, rest), fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, id, result)} {
			dir := []recorder.Direction{recorder.Out, recorder.In}[i]
			log.Append(recorder.Event{Time: time.Duration(2*id+i) * time.Millisecond, Dir: dir, Kind: recorder.KindMessage, Channel: "stdio", Data: []byte(text)})
		}
	}
	ask(`"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}`,
		`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"`+version+`"}}`)
	ask(`"method":"tools/list"`, `{"tools":[`+tools+`]}`)
	for _, w := range words {
		ask(`"method":"tools/call","params":{"name":"echo","arguments":{"word":"`+w+`"}}`, `{"content":[{"type":"text","text":"`+w+` `+version+`"}]}`)
	}
	if err := log.Close(); err != nil {
		d.t.Fatal(err)
	}
	if err := d.store.Remember(path); err != nil {
		d.t.Fatal(err)
	}
	return path
}

const (
	comparedTool  = `{"name":"echo","inputSchema":{"type":"object","properties":{"word":{"type":"string"}}}}`
	comparedTool2 = `{"name":"echo","inputSchema":{"type":"object","properties":{"word":{"type":"string"},"page":{"type":"integer"}},"required":["page"]}}`
)

// compared opens a comparison of two recordings and waits for it.
func (d *desk) compared(a, b string) *comparePage {
	d.t.Helper()
	p := d.newComparison(view.CompareSide{Path: a}, view.CompareSide{Path: b})
	d.awaitComparison(p)
	return p
}

func (d *desk) awaitComparison(p *comparePage) {
	d.t.Helper()
	d.await("comparison", func() bool { return !p.busy })
}

func TestComparisonShowsChangesPairsAndTexts(t *testing.T) {
	d := newDesk(t)
	p := d.compared(d.recordTalk("old", "1", comparedTool, "a", "b"), d.recordTalk("new", "2", comparedTool2, "a", "b"))
	d.await("text", func() bool { return p.body.text.now.Title == "tool echo" })
	d.shows("Breaking 1", "Differences", "Argument `page` is new and required.", "old", "new", "Ignore this path")
	if got := p.tab().Text; got != "old ⇄ new" {
		t.Errorf("the tab is %q", got)
	}
	// The switches take the rows that they need, and no more width than a small window with large texts has.
	if least := p.head.line.MinSize().Width; least > 200 || !p.head.line.Visible() {
		t.Errorf("the switches need %v", least)
	}
	if end, next := p.head.line.Position().Y+p.head.line.Size().Height, p.head.root.Size().Height; end > next {
		t.Errorf("the switches end at %v of %v", end, next)
	}
	// F7 goes on to a difference of the conversation, which comes in the middle.
	p.body.key(&fyne.KeyEvent{Name: fyne.KeyF7})
	d.await("difference", func() bool { return p.body.text.ref.Row >= 0 && p.body.text.now.Ref == p.body.text.ref })
	if !p.body.talk || p.body.source() != p.body.text.ref.Row {
		t.Errorf("the middle shows the conversation: %t, row %d of %d", p.body.talk, p.body.source(), p.body.text.ref.Row)
	}
	// A pair that is chosen selects its first change.
	last := p.body.aligned().Len() - 1
	p.body.choosePair(last)
	if got := p.body.now.list.Row(p.body.list.Current()); got.Ref.Row != p.body.aligned().Row(last).Source {
		t.Errorf("the change selected is %+v", got)
	}
}

// The middle goes from many rows to few and back, and so does the list.
func TestShortAndLongAlignmentsFollowEachOther(t *testing.T) {
	d := newDesk(t)
	var before, after []string
	for i := range 40 {
		before = append(before, fmt.Sprintf(`{"name":"tool%d","inputSchema":{"type":"object"}}`, i))
		after = append(after, fmt.Sprintf(`{"name":"tool%d","description":"new","inputSchema":{"type":"object"}}`, i))
	}
	p := d.compared(d.recordTalk("old", "1", strings.Join(before, ","), "a"), d.recordTalk("new", "1", strings.Join(after, ","), "a"))
	for range 2 {
		p.body.showTalk(false)
		p.body.pairs.Select(p.body.aligned().Len() - 1)
		p.body.showTalk(true)
		if p.body.pairs.Count() != p.body.now.talk.Len() {
			t.Errorf("%d rows of %d", p.body.pairs.Count(), p.body.now.talk.Len())
		}
	}
	p.body.showTalk(false)
	p.setSide(1, p.sides[0])
	d.awaitComparison(p)
	if p.body.list.Count() != 0 {
		t.Errorf("%d changes are listed of none", p.body.list.Count())
	}
	p.setSide(1, view.CompareSide{Path: d.recordTalk("few", "1", before[0])})
	d.awaitComparison(p)
	d.shows("The tool is gone.")
}

// Case 149: what does not matter is put aside by a rule made from the change.
func TestRuleFromAChangeHidesIt(t *testing.T) {
	d := newDesk(t)
	p := d.compared(d.recordTalk("old", "1", comparedTool, "a", "b"), d.recordTalk("new", "2", comparedTool, "a", "b"))
	p.body.filter.SetText("/result/content")
	if n := p.body.now.list.Count(view.DifferenceChange); n != 2 {
		t.Fatalf("%d differences of the answers", n)
	}
	p.body.step(true)
	d.await("text", func() bool { return p.body.text.now.Ignore != nil })
	test.Tap(p.body.text.ignore)
	d.awaitComparison(p)
	if len(p.options.Rules) != 1 || p.options.Rules[0].Count != 2 || p.body.now.list.Count(view.DifferenceChange) != 0 {
		t.Errorf("the rules are %+v, %d differences are left", p.options.Rules, p.body.now.list.Count(view.DifferenceChange))
	}
	p.openRules()
	d.queue.run()
	all := texts(d.win.Canvas().Overlays().Top())
	for _, want := range []string{"/result/content/*/text", "hid 2", "tools/call echo"} {
		if !strings.Contains(all, want) {
			t.Errorf("the dialog does not show %q: %s", want, all)
		}
	}
	d.closeDialog()
	p.options.Rules[0].On = false
	p.again()
	d.awaitComparison(p)
	if n := p.body.now.list.Count(view.DifferenceChange); n != 2 {
		t.Errorf("with the rule off %d differences are listed", n)
	}
}

func TestEqualSidesSaySo(t *testing.T) {
	d := newDesk(t)
	path := d.recordTalk("one", "1", comparedTool, "a")
	p := d.compared(path, path)
	d.shows("No difference", "Both offer the same, and the same was said.")
	if !p.result.Equal() {
		t.Errorf("it differs: %s", p.result.Summary())
	}
}

func TestComparisonThatFailsSaysWhy(t *testing.T) {
	d := newDesk(t)
	other := filepath.Join(t.TempDir(), "package.json")
	if err := os.WriteFile(other, []byte(`{"name":"x"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	p := d.compared(d.recordTalk("one", "1", comparedTool), other)
	d.shows("The comparison failed", "neither a recording nor a saved catalogue", "Try again", "Choose others")
	p.choose()
	d.shows("A, the older", "B, the newer")
	if p.tab().Tone == view.Good {
		t.Error("the tab looks well")
	}
}

func TestSidesAreSwappedAndChanged(t *testing.T) {
	d := newDesk(t)
	a, b := d.recordTalk("old", "1", comparedTool), d.recordTalk("new", "2", comparedTool2)
	p := d.compared(a, b)
	if p.result.A.Name != "old" || p.result.B.Name != "new" {
		t.Errorf("sides %s and %s", p.result.A.Name, p.result.B.Name)
	}
	pair := p.pair
	p.swap()
	d.awaitComparison(p)
	if p.result.A.Name != "new" || p.result.B.Name != "old" || p.pair != pair {
		t.Errorf("swapped: A is %s, B is %s, read again: %t", p.result.A.Name, p.result.B.Name, p.pair != pair)
	}
	for _, ch := range p.result.Result.Interface.Changes {
		if ch.Rule == "property.added.required" {
			t.Errorf("swapped, it still says: %s", ch.Text)
		}
	}
	p.setSide(0, view.CompareSide{Path: a})
	d.awaitComparison(p)
	if p.result.A.Name != "old" || p.result.B.Name != "old" {
		t.Errorf("sides %s and %s", p.result.A.Name, p.result.B.Name)
	}
}

// Leaving a page in the middle of its work leaves nothing behind.
func TestComparisonIsClosedWhileItWorks(t *testing.T) {
	d := newDesk(t)
	a, b := d.recordTalk("old", "1", comparedTool), d.recordTalk("new", "2", comparedTool2)
	p := d.newComparison(view.CompareSide{Path: a}, view.CompareSide{Path: b})
	d.closePage(p)
	d.UI.work.Wait()
	d.queue.run()
	if p.pair != nil || len(p.came) > 1 {
		t.Errorf("it kept %v", p.came)
	}
}

func TestTwoRecordingsOfTheSidebarAreCompared(t *testing.T) {
	d := newDesk(t)
	a, b := d.recordTalk("old", "1", comparedTool), d.recordTalk("new", "2", comparedTool2)
	d.side.refresh()
	d.side.pickOther(a)
	d.shows("picked: Ctrl+click another")
	d.side.pickOther(a)
	if d.side.picked != "" {
		t.Error("a second click does not take the pick back")
	}
	d.side.pickOther(a)
	d.side.pickOther(b)
	p := d.currentComparison()
	if p == nil || p.sides[0].Path != a || p.sides[1].Path != b || d.side.picked != "" {
		t.Fatalf("compared: %+v", p)
	}
	d.awaitComparison(p)
}

func TestRecordingIsDraggedOnAnother(t *testing.T) {
	d := newDesk(t)
	a, b := d.recordTalk("old", "1", comparedTool), d.recordTalk("new", "2", comparedTool2)
	d.side.refresh()
	place := func(path string) (*sideItem, fyne.Position) {
		for i, row := range d.side.shown {
			if row.Path == path {
				item := d.side.files.Objects[i].(*sideItem)
				return item, fyne.CurrentApp().Driver().AbsolutePositionForObject(item).AddXY(10, 10)
			}
		}
		t.Fatal("the recording is not listed")
		return nil, fyne.Position{}
	}
	from, own := place(b)
	onto, at := place(a)
	drag := func(to fyne.Position) {
		from.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{AbsolutePosition: to}})
	}
	drag(own)
	if from.aimed != dropNone {
		t.Error("it aims at itself")
	}
	drag(at)
	if onto.aimed != dropInto {
		t.Error("the one below is not marked")
	}
	from.DragEnd()
	p := d.currentComparison()
	if p == nil || p.sides[0].Path != a || p.sides[1].Path != b || onto.aimed != dropNone {
		t.Fatalf("compared: %+v", p)
	}
	d.awaitComparison(p)
	d.closePage(p)
	drag(fyne.NewPos(900, 10))
	from.DragEnd()
	if d.currentComparison() != nil {
		t.Error("dropped beside the list it compares")
	}
}

// A server in two versions is started twice, listed and compared; both
// recordings are kept.
func TestServerVersionsAreStartedAndCompared(t *testing.T) {
	d := newDesk(t)
	script := func(tools string) sessiontest.Script {
		return sessiontest.Server().With("tools/list", sessiontest.Reply(`{"tools":[`+tools+`]}`))
	}
	var runs [2]view.VersionRun
	for i, tools := range []string{comparedTool, comparedTool2} {
		runs[i].Server = d.server(fmt.Sprintf("v%d", i+1), script(tools))
	}
	p := newComparePage(d.UI)
	d.addPage(p)
	p.startVersions(runs)
	d.shows("Starting two servers", "Cancel")
	d.await("comparison", func() bool { return p.result != nil || p.wait.failed })
	if p.result == nil {
		t.Fatalf("it failed: %s", p.wait.why.Text)
	}
	if p.result.Result.Interface.Count(2) != 1 {
		t.Errorf("it says %s", p.result.Summary())
	}
	for _, s := range p.sides {
		if _, err := os.Stat(s.Path); err != nil {
			t.Errorf("a recording is not kept: %v", err)
		}
	}
}

func TestVersionThatDoesNotStartSaysWhy(t *testing.T) {
	d := newDesk(t)
	p := newComparePage(d.UI)
	d.addPage(p)
	missing := view.VersionRun{Server: settings.Server{Target: session.Target{Command: filepath.Join(t.TempDir(), "missing")}}}
	p.startVersions([2]view.VersionRun{missing, missing})
	d.await("failure", func() bool { return p.wait.failed })
	d.shows("The comparison failed", "start missing")
}

func TestVersionsDialogIsFilledFromTheServer(t *testing.T) {
	d := newDesk(t)
	d.compareVersions(nil)
	all := texts(d.win.Canvas().Overlays().Top())
	for _, want := range []string{"A, the older", "B, the newer", "Start and compare", "no recording: only list what they offer"} {
		if !strings.Contains(all, want) {
			t.Errorf("the dialog does not show %q", want)
		}
	}
	d.closeDialog()
	if len(d.dialogs) != 0 {
		t.Error("Escape does not close it")
	}
}
