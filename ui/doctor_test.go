package ui

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"mcploupe/session"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/settings"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// button finds a button by its label.
func button(t *testing.T, in fyne.CanvasObject, label string) *widget.Button {
	t.Helper()
	for _, o := range test.LaidOutObjects(in) {
		if b, ok := o.(*widget.Button); ok && b.Text == label && b.Visible() {
			return b
		}
	}
	t.Fatalf("there is no button %q", label)
	return nil
}

func (d *desk) awaitCheck() *doctorPage {
	d.t.Helper()
	p, ok := d.current().(*doctorPage)
	if !ok {
		d.t.Fatal("no check is shown")
	}
	d.await("the outcome of the check", func() bool { st := p.model.State(); return st.Over && !st.Running && p.line.Text == st.Line })
	return p
}

// A connection that fails leads to its check, which says where and what to do,
// and hands the report on.
func TestCheckFromTheFailure(t *testing.T) {
	d := newDesk(t)
	script := sessiontest.Script{Steps: []sessiontest.Step{sessiontest.Stderr("NOTES_TOKEN is required\n"), sessiontest.Exit(1)}}
	c := d.open(d.server("notes", script), view.Failed)
	c.flush()
	test.Tap(button(t, c.report.buttons, "Check step by step"))
	p := d.awaitCheck()
	d.shows("Check of notes", "The connection fails at: Environment.", "NOTES_TOKEN", "Likely cause: ", "What to try: ", "not reached")
	test.Tap(p.copy)
	if text := d.app.Clipboard().Content(); !strings.Contains(text, "# Check of the connection to notes") {
		t.Errorf("copied was %.200q", text)
	}
	c.check()
	if n := len(d.pages); n != 3 {
		t.Errorf("a second check of the same server makes %d tabs", n)
	}
	d.awaitCheck()
}

func TestCheckFromTheForm(t *testing.T) {
	d := newDesk(t)
	d.newConnection()
	form := d.current().(*connectPage)
	form.check()
	d.shows("enter a command line or an address")
	form.line.SetText("http://127.0.0.1:1/mcp")
	form.check()
	d.awaitCheck()
	d.shows("The connection fails at: Connection (TCP).", "refused")
	if len(d.store.Get().Servers) != 0 {
		t.Error("a check saves the server")
	}
}

// The page of a check leads back to the form, and connects as the form would.
func TestCheckFromTheFormConnectsByIt(t *testing.T) {
	d := newDesk(t)
	command, args, env := sessiontest.Server().Command(t)
	d.newConnection()
	form := d.current().(*connectPage)
	form.line.SetText(env[0] + " " + command + " " + args[0])
	form.check()
	p := d.awaitCheck()
	p.edit()
	if d.current() != page(form) || len(d.pages) != 3 {
		t.Fatalf("%T is in front of %d tabs", d.current(), len(d.pages))
	}
	d.show(p)
	p.connectNow()
	d.awaitPhase(d.currentConn(), view.Connected)
	if len(d.store.Get().Servers) != 1 {
		t.Error("the server is not saved, as the form says")
	}
}

// A server that was edited since is checked as it is now, in the same tab.
func TestCheckOfAnEditedServer(t *testing.T) {
	d := newDesk(t)
	x := d.server("edited", sessiontest.Script{Steps: []sessiontest.Step{sessiontest.Hang()}})
	x.ID = "7"
	d.UI.check(x, nil)
	pages := len(d.pages)
	d.current().(*doctorPage).model.Stop()
	d.awaitCheck()
	x.Target.Env = append(slices.Clone(x.Target.Env), session.EnvVar{Name: "MODE", Value: "new"})
	d.UI.check(x, nil)
	p := d.current().(*doctorPage)
	if env := p.model.Server().Target.Env; len(env) == 0 || env[len(env)-1].Value != "new" || len(d.pages) != pages {
		t.Errorf("checked with %v in %d tabs", env, len(d.pages))
	}
	p.model.Stop()
	d.awaitCheck()
}

// A check that runs can be stopped, and closing its tab ends it.
func TestCheckIsStopped(t *testing.T) {
	d := newDesk(t)
	d.UI.check(d.server("mute", sessiontest.Script{Steps: []sessiontest.Step{sessiontest.Hang()}}), nil)
	p := d.current().(*doctorPage)
	d.await("a step that runs", func() bool { return strings.Contains(texts(p.steps.box), "Waiting for the first answer") })
	test.Tap(p.stop)
	d.awaitCheck()
	d.shows("The check was stopped.", "It was stopped here.")
	p.begin()
	d.closeTab(d.active)
	d.await("end of the check", func() bool { return !p.model.State().Running })
}

func TestCheckOfAServerThatIsWellConnects(t *testing.T) {
	d := newDesk(t)
	d.UI.check(d.server("good", sessiontest.Server()), nil)
	p := d.awaitCheck()
	d.shows("The connection works.", "2 tools.")
	test.Tap(p.connect)
	c := d.currentConn()
	if c == nil {
		t.Fatal("Connect opens no connection")
	}
	d.awaitPhase(c, view.Connected)
}

// The folder for recordings cannot be made: the session is recorded elsewhere,
// which is said.
func TestFolderForRecordingsThatCannotBeMade(t *testing.T) {
	d := newDesk(t)
	t.Setenv("TMPDIR", t.TempDir())
	if err := d.store.Update(func(s *settings.Settings) { s.RecordingDir = d.store.Path() + "/recordings" }); err != nil {
		t.Fatal(err)
	}
	p := d.open(d.server("good", sessiontest.Server()), view.Connected)
	p.flush()
	d.shows("recorded in a temporary folder", "Save a copy …")
	if p.conn.Log().Len() == 0 {
		t.Error("nothing is recorded")
	}
	t.Setenv("TMPDIR", d.store.Path())
	bad := d.open(settings.Server{Target: session.Target{Command: "true"}}, view.Failed)
	bad.flush()
	d.shows("start the recording", "choose a folder for recordings")
}

// The steps of a check are read with the keyboard, also while a button has it.
func TestCheckIsScrolledByKeys(t *testing.T) {
	d := newDesk(t)
	d.win.Resize(fyne.NewSize(800, 400))
	d.check(d.server("s", sessiontest.Server()), nil)
	p := d.awaitCheck()
	d.win.Resize(fyne.NewSize(800, 420)) // lays out what the last steps have brought
	for _, keyboard := range []fyne.Focusable{nil, p.again} {
		d.win.Canvas().Unfocus()
		if keyboard != nil {
			d.win.Canvas().Focus(keyboard)
		}
		if d.press(fyne.KeyPageDown); p.root.Offset.Y == 0 {
			t.Errorf("Page Down does not scroll while %T has the keyboard", keyboard)
		}
		if d.press(fyne.KeyHome); p.root.Offset.Y != 0 {
			t.Errorf("Home leaves it at %v", p.root.Offset)
		}
	}
}
