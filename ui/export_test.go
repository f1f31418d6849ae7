package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// The dialog shows what is masked before anything is written, says what will be
// in the file, and asks before it replaces one.
func TestExportDialog(t *testing.T) {
	d := newDesk(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "a"+view.RecordingExt)
	const token = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"
	writeRecording(t, path, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"token":"`+token+`"}}}`,
		`{"jsonrpc":"2.0","method":"x"}`)
	d.openRecording(path)
	d.await("the tab", func() bool { return d.currentConn() != nil })
	p := d.currentConn()
	dialog := newExportDialog(p, view.NewExport(p.conn.Log(), "test", "", []uint64{1}))
	dialog.show()
	d.await("the trial", func() bool { return !dialog.button.Disabled() })
	if len(dialog.mask.rows) != 1 || !strings.Contains(dialog.mask.summary.Text, "1 secret in 1 place") || !strings.Contains(dialog.forecast.Text, "1 event") {
		t.Fatalf("masks %+v, %q, %q", dialog.mask.rows, dialog.mask.summary.Text, dialog.forecast.Text)
	}
	if size := d.win.Canvas().Overlays().Top().MinSize(); size.Width > 1000 || size.Height > 700 {
		t.Errorf("the dialog needs %v", size)
	}
	dialog.scope.SetSelected(dialog.scope.Options[0])
	d.await("the trial", func() bool { return !dialog.button.Disabled() })
	if !strings.Contains(dialog.forecast.Text, "2 events") {
		t.Errorf("all: %q", dialog.forecast.Text)
	}
	before := filepath.Base(dialog.path.entry.Text)
	dialog.format.SetSelectedIndex(1)
	if after := filepath.Base(dialog.path.entry.Text); after == before || !strings.HasPrefix(after, "a-export") {
		t.Errorf("another format is written to %s, the first to %s", after, before)
	}
	dialog.format.SetSelectedIndex(0)
	d.await("the trial", func() bool { return !dialog.button.Disabled() })
	out := filepath.Join(dir, "out"+view.RecordingExt)
	if err := os.WriteFile(out, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	dialog.path.entry.SetText(out)
	test.Tap(dialog.button)
	if raw, err := os.ReadFile(out); err != nil || string(raw) != "mine" {
		t.Fatal("a file was replaced without a question")
	}
	d.confirm()
	d.await("the file", func() bool {
		raw, err := os.ReadFile(out)
		return err == nil && string(raw) != "mine" && len(d.dialogs) == 1
	})
	raw, err := os.ReadFile(out)
	if err != nil || strings.Contains(string(raw), token) || !strings.Contains(string(raw), "‹secret:") {
		t.Errorf("written: %s, %v", raw, err)
	}
	d.win.Canvas().OnTypedKey()(&fyne.KeyEvent{Name: fyne.KeyEscape})
	// The file of the recording itself is never written to.
	dialog = newExportDialog(p, view.NewExport(p.conn.Log(), "test", "", nil))
	dialog.show()
	d.await("the trial", func() bool { return !dialog.button.Disabled() })
	dialog.path.entry.SetText(path)
	test.Tap(dialog.button)
	if raw, err := os.ReadFile(path); err != nil || !strings.Contains(string(raw), token) {
		t.Error("the recording itself was replaced")
	}
}

// Events that are selected are offered by the menu as well; several are
// proposed.
func TestMenuExportsWhatIsSelected(t *testing.T) {
	d := newDesk(t)
	path := filepath.Join(t.TempDir(), "a"+view.RecordingExt)
	writeRecording(t, path, `{"jsonrpc":"2.0","method":"a"}`, `{"jsonrpc":"2.0","method":"b"}`, `{"jsonrpc":"2.0","method":"c"}`)
	d.openRecording(path)
	d.await("the tab", func() bool { return d.currentConn() != nil })
	p := d.currentConn()
	d.await("the rows", func() bool { return p.time.list.Count() == 3 })
	chosen := func() string {
		t.Helper()
		d.menus.export.Action()
		var radio *widget.RadioGroup
		for _, o := range test.LaidOutObjects(d.win.Canvas().Overlays().Top()) {
			if r, ok := o.(*widget.RadioGroup); ok {
				radio = r
			}
		}
		if radio == nil {
			t.Fatal("no dialog")
		}
		defer d.closeDialog()
		return radio.Selected + " of " + strings.Join(radio.Options, ", ")
	}
	for _, tc := range []struct {
		rows []int
		want string
	}{
		{nil, "All 3 events of All 3 events"},
		{[]int{1}, "All 3 events of All 3 events, The selected event"},
		{[]int{0, 1}, "The 2 selected events of All 3 events, The 2 selected events"},
	} {
		for i, row := range tc.rows {
			if i == 0 {
				p.time.list.Choose(row)
			} else {
				p.time.list.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
				p.time.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
				p.time.list.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
			}
		}
		if got := chosen(); got != tc.want {
			t.Errorf("rows %v: %q", tc.rows, got)
		}
	}
}
