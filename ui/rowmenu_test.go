package ui

import (
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// selectEvent selects the first event of a method.
func selectEvent(t *testing.T, p *connPage, method string, kind protocol.Kind) recorder.Head {
	t.Helper()
	log := p.conn.Log()
	for seq := uint64(1); seq <= log.Len(); seq++ {
		if h := log.Head(seq); h.Method == method && h.Message == kind {
			p.time.show(seq)
			return h
		}
	}
	t.Fatalf("no %s of %s", kind, method)
	return recorder.Head{}
}

func entryOf(items []*fyne.MenuItem, prefix string) *fyne.MenuItem {
	for _, item := range items {
		if item.ChildMenu != nil {
			if found := entryOf(item.ChildMenu.Items, prefix); found != nil {
				return found
			}
		}
		if strings.HasPrefix(item.Label, prefix) {
			return item
		}
	}
	return nil
}

func TestRowMenuSendsAgainWithANewID(t *testing.T) {
	d, p := recordedDesk(t)
	head := selectEvent(t, p, protocol.MethodToolsList, protocol.Request)
	item := entryOf(p.time.actionItems(), "Send again, with a new id")
	if item == nil || item.Disabled {
		t.Fatalf("not offered: %+v", item)
	}
	before := p.conn.Log().Len()
	item.Action()
	d.await("the request", func() bool { return p.conn.Log().Len() > before })
	d.await("the answer", func() bool {
		p.flushRows()
		return p.time.line.Selected() > before && p.conn.Log().Head(p.time.line.Selected()).Partner != 0
	})
	again := p.conn.Log().Head(p.time.line.Selected())
	if again.Method != head.Method || again.ID == head.ID {
		t.Errorf("sent %s with id %s, was %s", again.Method, again.ID, head.ID)
	}
	old, _ := view.ReadRow(p.conn.Log(), head.Seq)
	now, _ := view.ReadRow(p.conn.Log(), again.Seq)
	if want := strings.Replace(string(old), `"id":`+head.ID, `"id":`+again.ID, 1); string(now) != want {
		t.Errorf("sent %s\nwant %s", now, want)
	}
}

func TestRowMenuSaysWhyNotAndTheWindowsMenuToo(t *testing.T) {
	d, p := recordedDesk(t)
	p.time.line.Select(-1)
	p.time.act(view.RowSend)
	if !strings.Contains(texts(d.notes.object()), "no event is selected") {
		t.Errorf("said %q", texts(d.notes.object()))
	}
	selectEvent(t, p, protocol.MethodToolsList, protocol.Result)
	if item := entryOf(p.time.actionItems(), "Send again: it is no message to the server"); item == nil || !item.Disabled {
		t.Error("the menu does not say why an answer cannot be sent again")
	}
	for _, a := range view.RowActions() {
		if a.Key == "Enter" || a.Key == "Ctrl+C" {
			continue
		}
		if a.Key != "" && entryOf(d.eventMenu().ChildMenu.Items, strings.Split(a.Label(p.time.subject()), ":")[0][:4]) == nil {
			t.Errorf("%s is not in the window's menu", a.Label(p.time.subject()))
		}
	}
}

func TestRowMenuCopiesAndFilters(t *testing.T) {
	d, p := recordedDesk(t)
	head := selectEvent(t, p, protocol.MethodToolsList, protocol.Request)
	raw, err := view.ReadRow(p.conn.Log(), head.Seq)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[view.RowActionID]string{
		view.RowCopyJSON: string(raw), view.RowCopyTest: "func TestToolsList(", view.RowCopyVerb: "mcploupe raw ",
	} {
		d.app.Clipboard().SetContent("")
		p.time.act(id)
		d.await("the copy", func() bool { return strings.Contains(d.app.Clipboard().Content(), want) })
	}
	p.time.act(view.RowOnlyMethod)
	if p.time.filter.text() != "method:tools/list" {
		t.Errorf("filter %q", p.time.filter.text())
	}
	d.await("the filter", func() bool { p.flushRows(); return p.time.list.Count() == 2 })
	p.time.list.SelectAll()
	if item := entryOf(p.time.actionItems(), "Export the 2 selected events"); item == nil {
		t.Error("what is selected cannot be exported")
	}
	p.time.filter.setText("")
	p.time.list.Choose(0)
	p.time.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	if got := p.time.chosen(); len(got) != 1 || got[0] != 2 {
		t.Errorf("chosen %v", got)
	}
}

// A recording without a server offers the connections that are open.
func TestRecordingSendsToAnOpenConnection(t *testing.T) {
	d, live := recordedDesk(t)
	path := filepath.Join(t.TempDir(), "old"+view.RecordingExt)
	log, err := recorder.Create(path, recorder.Header{Format: recorder.Format, Target: recorder.Target{Transport: "stdio", Command: "gone"}})
	if err != nil {
		t.Fatal(err)
	}
	log.Append(recorder.Event{Dir: recorder.Out, Kind: recorder.KindMessage, Channel: "stdio", Data: []byte(`{"jsonrpc":"2.0","id":"x","method":"ping","params":{"n":1.0}}`)})
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	d.openRecording(path)
	d.await("the recording", func() bool {
		c := d.currentConn()
		return c != nil && c != live && c.conn != nil && c.conn.Log() != nil
	})
	file := d.currentConn()
	file.flushRows()
	file.time.show(1)
	item := entryOf(file.time.actionItems(), "Send with a new id to")
	if item == nil || item.ChildMenu == nil || len(item.ChildMenu.Items) != 1 || item.ChildMenu.Items[0].Label != live.conn.Title() {
		t.Fatalf("offered %+v", item)
	}
	before := live.conn.Log().Len()
	item.ChildMenu.Items[0].Action()
	d.await("the request in the other recording", func() bool { return live.conn.Log().Len() > before })
	d.await("its tab", func() bool { return d.currentConn() == live })
	h := live.conn.Log().Head(before + 1)
	raw, err := view.ReadRow(live.conn.Log(), before+1)
	if err != nil || h.Method != "ping" || h.ID == `"x"` || !strings.Contains(string(raw), `"params":{"n":1.0}`) {
		t.Errorf("sent %s, %v", raw, err)
	}
}

// The keys of a row's menu are its items' shortcuts, which are set at its edge.
func TestKeysOfTheRowMenuAreShortcuts(t *testing.T) {
	_, p := recorded(t, 20)
	p.line.Select(2)
	keys := map[string]bool{}
	for _, item := range append(p.actionItems(), p.markItems(1)...) {
		keys[widget.KeyText(item.Shortcut)] = true
		if strings.Contains(item.Label, "   ") {
			t.Errorf("a key stands in the text %q", item.Label)
		}
	}
	for _, key := range []string{"M", "N", "Ctrl+Shift+X"} {
		if !keys[key] {
			t.Errorf("no item has the key %s", key)
		}
	}
}
