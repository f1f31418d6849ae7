package ui

import (
	"testing"

	"fyne.io/fyne/v2"

	"mcploupe/session/sessiontest"
	"mcploupe/ui/settings"
	"mcploupe/ui/view"
)

func TestSidebarWithoutAMouse(t *testing.T) {
	d := newDesk(t)
	d.server("one", sessiontest.Server())
	item := d.side.items[0]
	d.win.Canvas().Focus(item)
	if !item.focused {
		t.Fatal("the server does not take the keyboard")
	}
	item.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	if d.win.Canvas().Overlays().Top() == nil {
		t.Error("no menu")
	}
	d.win.Canvas().Overlays().Remove(d.win.Canvas().Overlays().Top())
	item.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if d.currentConn() == nil {
		t.Error("Enter opens nothing")
	}
}

func TestServersCanBeDuplicatedAndRemoved(t *testing.T) {
	d := newDesk(t)
	server := d.server("one", sessiontest.Server())
	d.duplicate(server)
	if got := d.store.Get().Servers; len(got) != 2 || got[1].Target.Name != "one copy" || got[1].ID == server.ID {
		t.Fatalf("servers %+v", got)
	}
	d.shows("one copy", "never connected")
	if again := d.UI.save(settings.Server{Target: server.Target}); again.ID != server.ID || len(d.store.Get().Servers) != 2 {
		t.Errorf("the same server is kept twice: %+v", d.store.Get().Servers)
	}
	d.side.open(d.side.entries[1].Server)
	p := d.currentConn()
	if p == nil {
		t.Fatal("a click opened nothing")
	}
	if phase, _ := p.conn.Phase(); phase != view.Idle || p.conn.Log() != nil {
		t.Errorf("a click on a server made it %s", phase.Word())
	}
	d.shows("Nothing has been started or sent")
}
