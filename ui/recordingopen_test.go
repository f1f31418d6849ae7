package ui

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"

	"mcploupe/recorder"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

func TestRecordingOpensWithoutAServer(t *testing.T) {
	d := newDesk(t)
	p := d.open(d.server("peer", sessiontest.Server()), view.Connected)
	path := p.conn.Path()
	d.closeTab(d.active)
	d.work.Wait()
	d.openRecording(path)
	d.await("the tab", func() bool { return d.currentConn() != nil })
	p = d.currentConn()
	d.shows("recording", "Events", view.TitleOfFile(path))
	d.await("the rows", func() bool { p.flushRows(); return p.time.list.Count() > 0 })
	d.shows("tools/list")
	d.openRecording(path)
	if len(d.pages) != 2 {
		t.Errorf("%d tabs after opening the file twice", len(d.pages))
	}
}

// cut, corrupt and foreign files say what is wrong, and show what is readable.
func TestFileThatIsNoRecordingSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"hello", "hello\nworld\n", []string{"This is not a recording", "Line 1", "“hello”", "What is in the file", "Try again"}},
		{"empty", "", []string{"The file is empty", "Open another file"}},
		{"none", "-", []string{"There is no such file", "moved"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDesk(t)
			path := filepath.Join(t.TempDir(), "x"+view.RecordingExt)
			if c.text != "-" {
				if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			d.openRecording(path)
			p, ok := d.current().(*openingPage)
			if !ok {
				t.Fatal("no tab for the file")
			}
			d.await("what is wrong", func() bool { return p.failed != nil })
			d.shows(c.want...)
			if len(d.store.Get().Recent) != 0 {
				t.Error("a file that is no recording is among the recent ones")
			}
			d.closeTab(d.active)
			if d.current() != page(d.start) {
				t.Error("the tab cannot be closed")
			}
		})
	}
}

// What was mended meanwhile opens when the person asks again, in the same tab.
func TestFileIsOpenedAgain(t *testing.T) {
	d := newDesk(t)
	path := filepath.Join(t.TempDir(), "x"+view.RecordingExt)
	d.openRecording(path)
	p := d.current().(*openingPage)
	d.await("what is wrong", func() bool { return p.failed != nil })
	writeRecording(t, path, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	d.openRecording(path)
	d.await("the tab", func() bool { return d.currentConn() != nil })
	if len(d.pages) != 2 {
		t.Errorf("%d tabs", len(d.pages))
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	d.openRecording(link)
	if len(d.pages) != 2 || d.currentConn() == nil {
		t.Errorf("%d tabs after opening the same file by another name", len(d.pages))
	}
}

// writeRecording makes a recording of messages of a server.
func writeRecording(t *testing.T, path string, messages ...string) {
	t.Helper()
	log, err := recorder.Create(path, recorder.Header{App: "test", Target: recorder.Target{Name: "written", Transport: "stdio", Command: "srv"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range messages {
		log.Append(recorder.Event{Dir: recorder.Out, Kind: recorder.KindMessage, Channel: "stdio", Data: []byte(m)})
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
}

// Several files open at once, each in its tab, and a damaged one says so.
func TestSeveralFilesAndADamagedOne(t *testing.T) {
	d := newDesk(t)
	dir := t.TempDir()
	whole, cut := filepath.Join(dir, "whole"+view.RecordingExt), filepath.Join(dir, "cut"+view.RecordingExt)
	writeRecording(t, whole, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	writeRecording(t, cut, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	raw, err := os.ReadFile(cut)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cut, raw[:len(raw)-20], 0o600); err != nil {
		t.Fatal(err)
	}
	d.dropped(fyne.Position{}, []fyne.URI{storage.NewFileURI(whole), storage.NewFileURI(cut)})
	d.await("both tabs", func() bool { return d.pageOfFile(whole) != nil && d.pageOfFile(cut) != nil })
	d.show(d.pageOfFile(cut))
	d.shows("This recording is damaged", "the last line was cut", "Everything else is shown")
	d.show(d.pageOfFile(whole))
	if d.pageOfFile(whole).bar.root.Visible() {
		t.Error("a whole recording has a bar")
	}
}

// Opening can be cancelled, and closing its tab is as good.
func TestOpeningIsCancelled(t *testing.T) {
	d := newDesk(t)
	p := newOpeningPage(d.UI, filepath.Join(t.TempDir(), "big"+view.RecordingExt))
	d.addPage(p)
	began := make(chan struct{})
	work := func(ctx context.Context, _ view.ConnOptions) (*view.Conn, error) {
		p.at(1<<20, 4<<20)
		close(began)
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}
	p.attempt("Opening big", work)
	<-began
	d.await("progress", func() bool { return p.bar.Value == 0.25 })
	d.shows("Opening big", "1.0 MB of 4.2 MB", "Cancel")
	test.Tap(p.buttons.Objects[0].(*widget.Button))
	d.await("the end", func() bool { return !p.isBusy() })
	d.shows("Cancelled", "Try again")
	began = make(chan struct{})
	p.attempt("Opening big", work)
	<-began
	d.closePage(p)
	d.work.Wait()
	d.queue.run()
	if d.currentConn() != nil || len(d.pages) != 1 {
		t.Error("a tab that was closed came back")
	}
}

// The dialog looks beside the recording in front; else where recordings are kept.
func TestWhereRecordingsAreLookedFor(t *testing.T) {
	d := newDesk(t)
	if at := d.openDir(); at != nil {
		t.Errorf("without a folder: %v", at)
	}
	path := filepath.Join(t.TempDir(), "a"+view.RecordingExt)
	writeRecording(t, path, `{"jsonrpc":"2.0","method":"a"}`)
	d.openRecording(path)
	d.await("the tab", func() bool { return d.currentConn() != nil })
	if at := d.openDir(); at == nil || at.Path() != filepath.Dir(path) {
		t.Errorf("beside a recording: %v", at)
	}
}

// A recording that was opened has the keyboard in its rows, and takes it from
// nobody.
func TestOpenedRecordingGetsTheKeyboard(t *testing.T) {
	d, line := openEvents(t, httpCall()...)
	if got := d.win.Canvas().Focused(); got != fyne.Focusable(line.list) {
		t.Errorf("the keyboard is at %T", got)
	}
	line.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	if line.line.Selected() != 6 {
		t.Errorf("End selects event %d", line.line.Selected())
	}
	d.win.Canvas().Focus(d.strip)
	d.keyboardTo(d.current(), line.list)
	if got := d.win.Canvas().Focused(); got != fyne.Focusable(d.strip) {
		t.Errorf("it was taken by %T", got)
	}
}

// What explains a cut text goes with the page that has it.
func TestWordsBesideTheMouseGoWithTheirPage(t *testing.T) {
	d, _ := openEvents(t, httpCall()...)
	d.tip.show("all of it", fyne.NewPos(10, 10))
	if d.tip.shown == "" {
		t.Fatal("nothing is shown")
	}
	d.show(d.start)
	if d.tip.shown != "" {
		t.Errorf("%q is shown over another page", d.tip.shown)
	}
}
