package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"mcploupe/session"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/view"
)

// What is still being opened, as the recordings of the command line, can be
// chosen already.
func TestRecordingsThatAreBeingOpenedAreOffered(t *testing.T) {
	d := newDesk(t)
	path := d.recordTalk("early", "1", comparedTool, "a")
	if err := d.store.ForgetRecording(path); err != nil {
		t.Fatal(err)
	}
	empty := d.newComparison()
	if len(empty.pick.sides[0].shown) != 0 {
		t.Fatalf("offered: %+v", empty.pick.sides[0].shown)
	}
	d.openRecording(path) // it is read in the background
	p := d.newComparison()
	if p != empty {
		t.Error("the choice that is there is not used")
	}
	if len(p.pick.sides[0].shown) != 1 || p.pick.sides[0].shown[0].Side.Path != path {
		t.Fatalf("offered: %+v", p.pick.sides[0].shown)
	}
	second := d.recordTalk("second", "1", comparedTool, "a")
	if err := d.store.ForgetRecording(second); err != nil {
		t.Fatal(err)
	}
	d.openRecording(second)
	d.show(p)
	d.await("the second", func() bool { return d.pageOfFile(second) != nil })
	d.show(d.pageOfFile(second))
	if d.newComparison() != p || p.sides[0].Path != second {
		t.Errorf("the recording in front is not A: %+v", p.sides)
	}
	d.await("both recordings, with what is told of them", func() bool {
		all := p.pick.sides[0].shown
		return d.pageOfFile(path) != nil && d.pageOfFile(second) != nil && len(all) == 2 && all[0].Sub != "" && all[1].Sub != ""
	})
}

// While sides are read the keyboard is not in the lists that are gone from the
// screen: what they would choose would take the place of what was asked for.
func TestKeysWhileComparingChooseNothing(t *testing.T) {
	d := newDesk(t)
	a, b := d.recordTalk("old", "1", comparedTool), d.recordTalk("new", "2", comparedTool)
	p := d.newComparison()
	p.pick.sides[0].list.TypedRune(' ')
	if p.pick.sides[0].filter.Text != "" {
		t.Errorf("the key that pressed the button typed %q", p.pick.sides[0].filter.Text)
	}
	for i, path := range []string{a, b} {
		list := p.pick.sides[i].list
		d.win.Canvas().Focus(list)
		for n, c := range p.pick.sides[i].shown {
			if c.Side.Path == path {
				p.pick.sides[i].choose(n, true)
			}
		}
	}
	if !p.busy || d.win.Canvas().Focused() != p.wait.buttons.Objects[0].(fyne.Focusable) {
		t.Errorf("busy %t, the keyboard is with %T", p.busy, d.win.Canvas().Focused())
	}
	d.awaitComparison(p)
	if p.result == nil || d.win.Canvas().Focused() != fyne.Focusable(p.body.list) {
		t.Errorf("then with %T", d.win.Canvas().Focused())
	}
}

// Two connections of one title are told apart by what their servers say of
// themselves.
func TestConnectionsOfOneTitleAreToldApart(t *testing.T) {
	d := newDesk(t)
	live := d.open(d.server("live", sessiontest.Server()), view.Connected)
	d.await("what the server says of itself", func() bool {
		live.conn.Take()
		return live.conn.State().Server.Name != ""
	})
	d.newComparison()
	d.shows("sessiontest 1 · live, its lists are read again for a comparison")
}

// A live connection compared with itself is read once, so that nothing differs.
func TestAConnectionIsTheSameAsItself(t *testing.T) {
	d := newDesk(t)
	live := d.open(d.server("live", sessiontest.Server()), view.Connected)
	d.await("the tools", func() bool {
		live.conn.Take()
		return live.conn.State().Lists[session.Tools].Status == session.ListComplete
	})
	side := view.CompareSide{Conn: live.conn}
	p := d.newComparison(side, side)
	d.awaitComparison(p)
	if p.result == nil || !p.result.Equal() {
		t.Fatalf("compared: %s", p.head.summary.Text)
	}
	d.shows("No difference", "Both sides are the same thing.")
	p.reload()
	d.awaitComparison(p)
	if !p.result.Equal() {
		t.Errorf("compared again: %s", p.head.summary.Text)
	}
}

// The selection is that of the change, not of its place: it is kept when the sides
// change places, and begins anew for other sides. The one after a change that a
// rule hides is selected next.
func TestTheSelectedChangeIsFollowed(t *testing.T) {
	d := newDesk(t)
	other := strings.Replace(comparedTool, `"echo"`, `"other"`, 1)
	last := strings.Replace(comparedTool, `"echo"`, `"zulu"`, 1)
	a := d.recordTalk("old", "1", comparedTool+","+other+","+last, "a")
	b := d.recordTalk("new", "2", comparedTool, "a")
	p := d.compared(a, b)
	title := func() string { return p.body.now.list.Row(p.body.list.Current()).Title }
	d.await("text", func() bool { return p.body.text.now.Title == "tool other" })
	p.body.step(true)
	d.await("text", func() bool { return p.body.text.now.Title == "tool zulu" })
	p.swap()
	d.awaitComparison(p)
	if title() != "zulu" {
		t.Errorf("swapped, the change selected is of %s", title())
	}
	p.swap()
	d.awaitComparison(p)
	p.body.step(false)
	d.await("text", func() bool { return p.body.text.now.Title == "tool other" && p.body.text.now.Ignore != nil })
	p.body.text.add(p.body.text.now.Ignore)
	d.awaitComparison(p)
	if title() != "zulu" {
		t.Errorf("after a rule the change selected is of %s", title())
	}
	p.setSide(0, view.CompareSide{Path: d.recordTalk("third", "3", comparedTool2, "a")})
	d.awaitComparison(p)
	if title() != "echo" || p.body.list.Current() != 1 {
		t.Errorf("of other sides the change selected is of %s", title())
	}
}

// The heads of the columns and the tab tell the sides apart where there is little
// room.
func TestSidesAreNamedByWhatDiffers(t *testing.T) {
	d := newDesk(t)
	p := d.compared(d.recordTalk("server-1.0", "1", comparedTool), d.recordTalk("server-2.0", "2", comparedTool))
	if got := p.tab().Text; got != "server 1.0 ⇄ 2.0" {
		t.Errorf("the tab is %q", got)
	}
	d.shows("A  …1.0", "B  …2.0")
}

// A text that one side alone has stands in one column, and without remarks there
// is no room for them.
func TestATextOfOneSideHasOneColumn(t *testing.T) {
	d := newDesk(t)
	p := d.compared(d.recordTalk("old", "1", comparedTool), d.recordTalk("new", "1", ""))
	d.await("text", func() bool { return p.body.text.now.Sentence == "The tool is gone." })
	if !p.body.text.box.View.Unified() {
		t.Error("half of the room is empty")
	}
	if p.head.noted.Visible() != (p.head.remarks.Text != "") {
		t.Errorf("room for remarks: %t, %q", p.head.noted.Visible(), p.head.remarks.Text)
	}
}

func TestTheReportIsCopied(t *testing.T) {
	d := newDesk(t)
	p := d.compared(d.recordTalk("old", "1", comparedTool), d.recordTalk("new", "2", comparedTool2))
	p.copyReport()
	d.await("the report", func() bool { return strings.HasPrefix(d.app.Clipboard().Content(), "# `old` and `new` compared") })
	if !strings.Contains(d.app.Clipboard().Content(), "Argument `page` is new and required.") {
		t.Errorf("copied: %s", d.app.Clipboard().Content())
	}
}
