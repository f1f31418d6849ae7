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

// A variable whose name sounds secret is kept as one, without a word; a row that
// is taken away leaves the keyboard in the list.
func TestRowsOfTheEnvironment(t *testing.T) {
	d := newDesk(t)
	d.newConnection()
	form := d.current().(*connectPage)
	form.more.Open(1)
	for range 2 {
		test.Tap(form.env.more)
	}
	first := form.env.shown[0]
	first.name.SetText("API_TOKEN=s3cret")
	if !first.secret.Checked || !first.value.Password || first.value.Text != "s3cret" {
		t.Errorf("secret %v, hidden %v, value %q", first.secret.Checked, first.value.Password, first.value.Text)
	}
	first.secret.SetChecked(false)
	first.name.SetText("API_TOKEN2")
	if first.secret.Checked || first.value.Password {
		t.Error("the name wins over the person")
	}
	focused := d.win.Canvas().Focused
	form.env.remove(first)
	if focused() != fyne.Focusable(form.env.shown[0].name) || len(form.form.Env) != 1 {
		t.Errorf("%d rows are left, the keyboard is at %T", len(form.form.Env), focused())
	}
	form.env.remove(form.env.shown[0])
	if focused() != fyne.Focusable(form.env.more) {
		t.Errorf("the keyboard is at %T", focused())
	}
}

// Escape and Ctrl+Enter mean the form also while a button has the keyboard, or
// nothing has.
func TestKeysOfTheForm(t *testing.T) {
	d := newDesk(t)
	escape := &fyne.KeyEvent{Name: fyne.KeyEscape}
	d.newConnection()
	d.win.Canvas().Focus(d.current().(*connectPage).env.more)
	d.win.Canvas().Focused().TypedKey(escape)
	if d.current() != page(d.start) {
		t.Fatal("Escape at a button does not close the form")
	}
	d.newConnection()
	d.win.Canvas().Unfocus()
	d.typedKey(escape)
	if d.current() != page(d.start) {
		t.Fatal("Escape does not close the form")
	}
	d.newConnection()
	d.win.Canvas().Unfocus()
	d.actionOf("Send what is filled in").Action()
	d.shows("enter a command line or an address")
}
