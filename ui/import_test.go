package ui

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/storage"

	"mcploupe/session"
	"mcploupe/session/secret"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/settings"
	"mcploupe/ui/view"
)

// order is the list of servers as it is shown.
func (d *desk) order() string {
	var out []string
	for _, e := range d.side.entries {
		if e.Heading {
			out = append(out, "["+e.Group+"]")
		} else {
			out = append(out, e.Server.Title)
		}
	}
	return strings.Join(out, " ")
}

func TestServersAreImportedAndExportedInTheWindow(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	d := newDesk(t)
	path := filepath.Join(t.TempDir(), "mcp.json")
	if err := os.WriteFile(path, []byte("{\"mcpServers\":{\"one\":{\"command\":\"run\",\"env\":{\"API_KEY\":\"s3cret-value\"}},\"two\":{\"url\":\"https://two.example/mcp\"}}, // c\n}"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.dropped(fyne.Position{}, []fyne.URI{storage.NewFileURI(path)})
	var p *importPage
	d.await("file", func() bool { p, _ = d.current().(*importPage); return p != nil && p.file.file != nil })
	d.shows("2 new", "Import 2 servers", "two.example")
	p.file.toggle(1)
	d.shows("Import 1 server")
	p.file.group.SetText("Team")
	p.file.apply()
	if d.order() != "[Team] one" {
		t.Fatalf("servers %s", d.order())
	}
	d.shows("imported")
	// What is connected to follows the list; what is taken over leaves nothing to do.
	d.side.open(d.side.entries[1].Server)
	tab := d.currentConn()
	if err := os.WriteFile(path, []byte("{\"mcpServers\":{\"one\":{\"command\":\"walk\",\"env\":{\"API_KEY\":\"s3cret-value\"}},\"two\":{\"url\":\"https://two.example/mcp\"}}, // c\n}"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.show(p)
	d.await("change", func() bool { return p.file.take.Text == "Take over 2 changes" })
	p.file.toggle(1)
	d.shows("Until now", "run")
	p.file.apply()
	if got := tab.conn.Server().Target.Command; got != "walk" {
		t.Errorf("the tab would connect to %q", got)
	}
	p.file.toggle(1) // the second is still new
	if p.file.take.Text != "Nothing to import" || !p.file.take.Disabled() {
		t.Errorf("%q can be done: %v", p.file.take.Text, !p.file.take.Disabled())
	}
	p.file.watch.SetChecked(true)
	if p.file.take.Text != "Watch the file" || p.file.take.Disabled() {
		t.Errorf("%q", p.file.take.Text)
	}
	p.file.watch.SetChecked(false)
	raw, err := os.ReadFile(d.store.Path())
	if err != nil || strings.Contains(string(raw), "s3cret") {
		t.Errorf("the secret is in the settings: %v", err)
	}
	d.exportServers(nil)
	e := d.current().(*exportPage)
	e.place.SetText(path)
	e.dialect.SetSelected("Cursor")
	e.place.SetText(path)
	e.look()
	d.await("plan", func() bool { return e.plan != nil })
	d.shows("there is nothing to write")
	if !e.write.Disabled() {
		t.Error("nothing can be written")
	}
	if err := d.store.Update(func(s *settings.Settings) { s.Servers[0].Target.Args = []string{"more"} }); err != nil {
		t.Fatal(err)
	}
	d.closePage(e)
	d.exportServers(nil)
	e = d.current().(*exportPage)
	e.dialect.SetSelected("Cursor")
	e.place.SetText(path)
	e.look()
	d.await("plan", func() bool { return e.plan != nil && e.plan.Path == path })
	e.submit()
	d.await("file", func() bool { text, _ := os.ReadFile(path); return strings.Contains(string(text), "more") })
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), "s3cret-value") || !strings.Contains(string(text), "// c") || !strings.Contains(string(text), "two.example") {
		t.Errorf("%v %s", err, text)
	}
	d.await("word", func() bool { return strings.Contains(d.notes.label.Text, ".bak") })
}

func TestServersAreGroupedWithoutAMouse(t *testing.T) {
	d := newDesk(t)
	for _, name := range []string{"a", "b", "c"} {
		d.UI.save(settings.Server{Target: session.Target{Name: name, Command: name}})
	}
	d.shows("Find a server")
	canvas := d.win.Canvas()
	canvas.Focus(d.side.items[2])
	alt := func(key fyne.KeyName) {
		d.win.Canvas().Focused().(*sideItem).TypedShortcut(&desktop.CustomShortcut{KeyName: key, Modifier: fyne.KeyModifierAlt})
	}
	alt(fyne.KeyUp)
	if d.order() != "a c b" || canvas.Focused() != fyne.Focusable(d.side.items[1]) {
		t.Fatalf("moved: %s", d.order())
	}
	if err := d.store.MoveServer(d.side.entries[1].Server.ServerID, "Work", ""); err != nil {
		t.Fatal(err)
	}
	d.side.refresh()
	if d.order() != "a b [Work] c" {
		t.Fatalf("grouped: %s", d.order())
	}
	d.side.items[2].onTap()
	if d.order() != "a b [Work]" {
		t.Errorf("folded: %s", d.order())
	}
	d.side.find.SetText("c")
	if d.order() != "[Work] c" {
		t.Errorf("found: %s", d.order())
	}
	d.side.find.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if d.order() != "a b [Work]" {
		t.Errorf("afterwards: %s", d.order())
	}
	item := d.side.items[0]
	driver := fyne.CurrentApp().Driver()
	item.onDrag(driver.AbsolutePositionForObject(d.side.items[2]).AddXY(5, 5))
	if d.side.items[2].aimed == dropNone {
		t.Error("the group is not marked while a server is dragged over it")
	}
	item.onDrop(driver.AbsolutePositionForObject(d.side.items[2]).AddXY(5, 5))
	d.side.items[1].onTap()
	if d.order() != "b [Work] c a" {
		t.Errorf("dropped: %s", d.order())
	}
	d.removeGroup("Work")
	if strings.Contains(d.order(), "[") || len(d.store.Get().Servers) != 3 {
		t.Errorf("group removed: %s", d.order())
	}
}

func TestValuesAreAskedForWhenConnecting(t *testing.T) {
	d := newDesk(t)
	server := d.server("asks", sessiontest.Server())
	if err := d.store.Update(func(s *settings.Settings) {
		s.Servers[0].Target.Env = append(s.Servers[0].Target.Env, session.EnvVar{Name: "API_KEY", Secret: true})
	}); err != nil {
		t.Fatal(err)
	}
	server, _ = d.store.Server(server.ID)
	d.connect(server)
	p := d.currentConn()
	d.await("question", func() bool { return len(d.dialogs) == 1 })
	all := texts(d.win.Canvas().Overlays().Top())
	for _, want := range []string{"API_KEY", "no keyring answers", "asks needs a value"} {
		if !strings.Contains(strings.ReplaceAll(all, "\n", " "), want) {
			t.Errorf("the question does not say %q: %s", want, all)
		}
	}
	entry := d.win.Canvas().Focused().(*keyedEntry)
	if !entry.Password {
		t.Error("a secret is typed in the open")
	}
	entry.SetText("s3cret-typed")
	entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	d.awaitPhase(p, view.Connected)
	recorded, err := os.ReadFile(p.conn.Path())
	if err != nil || strings.Contains(string(recorded), "s3cret-typed") {
		t.Errorf("the secret is in the recording: %v", err)
	}
	raw, err := os.ReadFile(d.store.Path())
	if err != nil || strings.Contains(string(raw), "s3cret-typed") {
		t.Errorf("the secret is in the settings: %v", err)
	}
	p.conn.Disconnect()
	d.awaitPhase(p, view.Disconnected)
	p.connect()
	d.awaitPhase(p, view.Connected)
	if len(d.dialogs) != 0 {
		t.Error("it is asked for twice in one run")
	}
}

// Secrets that an older version has written are said where secrets are looked
// after; without a keyring they are not moved, since they would be lost. A token
// that is kept can be taken away in the form.
func TestSecretsOfOldSettingsAndAKeptToken(t *testing.T) {
	d := newDesk(t)
	x, err := d.store.AddServer(session.Target{Name: "old", URL: "http://127.0.0.1:1/mcp", Bearer: "s3cret-old"})
	if err != nil {
		t.Fatal(err)
	}
	d.secretsOf(x)
	top := func() fyne.CanvasObject { return d.win.Canvas().Overlays().Top() }
	d.await("row", func() bool { return strings.Contains(texts(top()), "One of its secrets stands in the settings file") })
	if !strings.Contains(texts(top()), "There is no keyring to move them to") || !button(t, top(), "Move to the keyring").Disabled() {
		t.Errorf("without a keyring: %s", texts(top()))
	}
	button(t, top(), "Close").OnTapped()

	d.edit(x, nil)
	form := d.current().(*connectPage)
	form.submit(false) // the token goes to the vault
	kept, _ := d.store.Server(x.ID)
	if !kept.SecretBearer || kept.Target.Bearer != "" {
		t.Fatalf("%+v", kept)
	}
	d.edit(kept, nil)
	form = d.current().(*connectPage)
	form.clearToken.OnTapped()
	if form.clearToken.Visible() {
		t.Error("what is gone can be taken away")
	}
	form.submit(false)
	if kept, _ := d.store.Server(x.ID); kept.SecretBearer || kept.Target.Bearer != "" {
		t.Errorf("the token is kept: %+v", kept)
	}
	d.work.Wait()
	key := secret.Key{Server: x.ID, Kind: secret.Bearer}
	if v, source, err := d.cfg.Secrets.Get(context.Background(), key); source != secret.Nowhere {
		t.Errorf("the vault has %q (%v, %v)", v, source, err)
	}
}
