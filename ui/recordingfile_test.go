package ui

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"mcploupe/session"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/view"
)

// confirm presses the confirming button of the question in front.
func (d *desk) confirm() {
	d.t.Helper()
	if len(d.dialogs) == 0 {
		d.t.Fatal("no question")
	}
	d.dialogs[len(d.dialogs)-1].(interface{ Confirm() }).Confirm()
}

// labelsOf are the entries of a menu.
func labelsOf(items []*fyne.MenuItem) []string {
	var out []string
	for _, i := range items {
		out = append(out, i.Label)
	}
	return out
}

// A live recording that is saved under a name goes on there; the tab, the list
// and the mark know it. What is there already is asked about.
func TestLiveRecordingIsSavedUnderAName(t *testing.T) {
	d := newDesk(t)
	p := d.open(d.server("peer", sessiontest.Server()), view.Connected)
	from, to := p.conn.Path(), filepath.Join(t.TempDir(), "kept"+view.RecordingExt)
	if err := os.WriteFile(to, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.saveTo(from, to)
	if len(d.dialogs) == 0 || p.conn.Path() != from {
		t.Fatal("a file was replaced without a question")
	}
	d.confirm()
	d.await("the mark", func() bool { return slices.Contains(d.store.Get().Saved, to) })
	st := d.store.Get()
	if p.conn.Path() != to || slices.Contains(st.Recent, from) || st.Recent[0] != to {
		t.Errorf("at %s, recent %q", p.conn.Path(), st.Recent)
	}
	before := p.conn.Log().Len()
	if err := p.conn.Session().Write(t.Context(), []byte(`{"jsonrpc":"2.0","method":"x"}`)); err != nil {
		t.Fatal(err)
	}
	d.await("another event", func() bool { return p.conn.Log().Len() > before })
	d.await("the row", func() bool {
		d.side.refresh()
		return len(d.side.shown) == 1 && strings.Contains(d.side.shown[0].Sub, "saved · recording")
	})
	d.shows(view.SavedGlyph, "kept")
	d.closeTab(d.active)
	d.work.Wait()
	d.openRecording(to)
	d.await("the tab", func() bool { return d.currentConn() != nil })
	if n := d.currentConn().conn.Log().Len(); n <= before {
		t.Errorf("%d events were saved, want more than %d", n, before)
	}
}

func TestNewRecordingInTheWindow(t *testing.T) {
	d := newDesk(t)
	p := d.open(d.server("peer", sessiontest.Server()), view.Connected)
	p.flushRows()
	first, rows := p.conn.Path(), p.time.list.Count()
	d.await("an offer in the menu", func() bool { return !d.menus.fresh.Disabled })
	p.newRecording()
	d.await("another file", func() bool { return p.conn.Path() != first && p.remembered == p.conn.Path() })
	if recent := d.store.Get().Recent; len(recent) != 2 || recent[0] != p.conn.Path() || recent[1] != first {
		t.Errorf("recent %q", recent)
	}
	d.await("the new timeline", func() bool { p.flushRows(); n := p.time.list.Count(); return n > 0 && n < rows })
	d.openRecording(first)
	d.await("the old one", func() bool { return d.pageOfFile(first) != nil })
	if d.pageOfFile(first) == p {
		t.Error("the old recording is still the connection's")
	}
}

func TestRecordingsAreRenamedAndDeleted(t *testing.T) {
	d := newDesk(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "a"+view.RecordingExt)
	writeRecording(t, path, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	d.openRecording(path)
	d.await("the tab", func() bool { return d.currentConn() != nil })
	d.saveRecordingMark(path, true)
	to := filepath.Join(dir, "b"+view.RecordingExt)
	d.rename(path, to)
	st := d.store.Get()
	if !slices.Equal(st.Saved, []string{to}) || !slices.Equal(st.Recent, []string{to}) || d.pageOfFile(to) == nil {
		t.Fatalf("saved %q, recent %q", st.Saved, st.Recent)
	}
	if tab := d.currentConn().tab(); tab.Text != "b" {
		t.Errorf("the tab is called %q", tab.Text)
	}
	d.await("a look at the file", func() bool { return !d.side.busy })
	if got := labelsOf(d.fileItems(d.side.shown[0])); !slices.Contains(got, "Delete …") || !slices.Contains(got, "Not saved any more") {
		t.Errorf("menu %q", got)
	}
	d.deleteRecording(to)
	if _, err := os.Stat(to); err != nil {
		t.Error("it was deleted without a question")
	}
	d.confirm()
	if _, err := os.Stat(to); !os.IsNotExist(err) || d.currentConn() != nil {
		t.Errorf("the file: %v, tab %v", err, d.currentConn())
	}
	if st := d.store.Get(); len(st.Saved)+len(st.Recent) != 0 {
		t.Errorf("saved %q, recent %q", st.Saved, st.Recent)
	}
	p := d.open(d.server("peer", sessiontest.Server()), view.Connected)
	d.deleteRecording(p.conn.Path())
	d.await("a refusal", func() bool { return d.win.Canvas().Overlays().Top() != nil })
	if _, err := os.Stat(p.conn.Path()); err != nil {
		t.Error("the recording of a connection was deleted")
	}
}

// Tools of a recorded server can be looked at and filled in; calling them is
// left to a connection, which a button leads to.
func TestRecordedToolsCannotBeCalled(t *testing.T) {
	d := newDesk(t)
	p := d.open(d.server("peer", sessiontest.Server()), view.Connected)
	d.await("tools", func() bool { return p.conn.State().Lists[session.Tools].Status == session.ListComplete })
	path := p.conn.Path()
	d.closeTab(d.active)
	d.work.Wait()
	d.openRecording(path)
	d.await("the tab", func() bool { return d.currentConn() != nil })
	p = d.currentConn()
	d.await("the lists", func() bool { p.flush(); return p.conn.Lists() != nil })
	p.showPane(1)
	tools := p.panes[1].(*toolsPane)
	if tools.Title() != "Tools 2" || tools.list.model.Total() != 2 {
		t.Fatalf("%s, %d tools", tools.Title(), tools.list.model.Total())
	}
	tools.list.choose(0)
	tools.Refresh()
	d.shows("As recorded.", "Recorded: connect to send it.", "good")
	if !tools.panel.send.Disabled() || tools.panel.toRaw.Visible() {
		t.Error("a recorded tool can be called")
	}
	before := len(d.pages)
	tools.panel.submit()
	text, ok := tools.panel.build()
	if !ok || !strings.Contains(text, `"name":"good"`) {
		t.Errorf("the request to copy is %q", text)
	}
	test.Tap(p.head.action)
	form, ok := d.current().(*connectPage)
	if !ok || len(d.pages) != before+1 || form.form.Line == "" {
		t.Error("the button does not lead to the server")
	}
}

// A recording whose folder is moved while it is written goes on there: it is
// said, and the lists name it, saved as it was.
func TestMovedRecordingIsKnownWhereItIs(t *testing.T) {
	if runtime.GOOS != "linux" {
		return // elsewhere it is put back where it was
	}
	d := newDesk(t)
	p := d.open(d.server("peer", sessiontest.Server()), view.Connected)
	from := p.conn.Path()
	d.saveRecordingMark(from, true)
	to := filepath.Join(t.TempDir(), filepath.Base(from))
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
	d.await("the new place", func() bool { return p.remembered != from })
	st := d.store.Get()
	if p.conn.Path() != to || slices.Contains(st.Recent, from) || !slices.Contains(st.Saved, to) || st.Recent[0] != to {
		t.Errorf("at %s, recent %q, saved %q", p.conn.Path(), st.Recent, st.Saved)
	}
	if text, _ := p.conn.Recovered(); !strings.Contains(text, "moved by something else") || !strings.HasSuffix(text, " "+filepath.Dir(to)) || view.BarOf(p.conn) != nil {
		t.Errorf("said is %q, the bar is %+v", text, view.BarOf(p.conn))
	}
}
