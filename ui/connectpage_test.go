package ui

import (
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"mcploupe/session/sessiontest"
	"mcploupe/ui/view"
)

func TestConnectFromTheForm(t *testing.T) {
	d := newDesk(t)
	command, args, env := sessiontest.Server().Command(t)
	d.newConnection()
	form, ok := d.current().(*connectPage)
	if !ok {
		t.Fatal("Ctrl+N shows no form")
	}
	test.Type(form.line, env[0]+" "+command+" "+args[0])
	d.shows("Program", command, "Argument 1", args[0])
	form.line.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	p := d.currentConn()
	if p == nil {
		t.Fatal("Enter does not connect")
	}
	d.awaitPhase(p, view.Connected)
	d.await("tools", func() bool { return strings.Contains(strings.Join(view.HeadOf(p.conn).Parts, " "), "2 tools") })
	p.flush()
	d.shows("sessiontest 1", "connected", "2 tools", "Disconnect", "initialize")
	if n := len(d.store.Get().Servers); n != 1 {
		t.Errorf("%d servers saved, want 1", n)
	}
	if len(d.store.Get().Recent) != 1 {
		t.Error("the recording is not among the recent ones")
	}
	d.closeTab(d.active)
	if d.currentConn() != nil {
		t.Error("the tab is still there")
	}
	d.await("end of the server", func() bool { d.work.Wait(); return true })
	if _, err := os.Stat(p.conn.Path()); err != nil {
		t.Errorf("closing the tab took the recording: %v", err)
	}
}

func TestFormSaysWhatIsWrong(t *testing.T) {
	d := newDesk(t)
	d.newConnection()
	form := d.current().(*connectPage)
	form.submit(true)
	d.shows("enter a command line or an address")
	test.Type(form.line, `"unfinished`)
	if form.problem.Hidden {
		t.Error("an unfinished quote is not named while typing")
	}
	form.line.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if d.current() != page(d.start) {
		t.Error("Escape does not close the form")
	}
}
