package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/test"

	"mcploupe/session"
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

// actionOf is the action of the window's menus with a name.
func (d *desk) actionOf(title string) (found *action) {
	d.t.Helper()
	d.menus.actions(func(_ []string, a *action) {
		if a.title == title {
			found = a
		}
	})
	if found == nil {
		d.t.Fatalf("no action %q", title)
	}
	return found
}

// The menus of the window get shortcuts first: Alt with down is one of theirs,
// and moves the server that has the keyboard all the same.
func TestServersAreMovedByKeysThatAMenuHas(t *testing.T) {
	d := newDesk(t)
	for _, name := range []string{"a", "b"} {
		d.UI.save(settings.Server{Target: session.Target{Name: name, Command: name}})
	}
	test.Tap(d.side.items[0])
	if !d.side.items[0].focused {
		t.Fatal("a click does not give the keyboard to the server")
	}
	d.actionOf("Next change").Action()
	if d.order() != "b a" {
		t.Errorf("the order is %s", d.order())
	}
}

func TestEnterOpensAServerAndConnects(t *testing.T) {
	d := newDesk(t)
	d.server("one", sessiontest.Server())
	enter := &fyne.KeyEvent{Name: fyne.KeyReturn}
	d.side.items[0].TypedKey(enter)
	p := d.currentConn()
	if phase, _ := p.conn.Phase(); phase != view.Idle {
		t.Fatalf("a look at a server made it %s", phase.Word())
	}
	d.side.items[0].TypedKey(enter)
	d.awaitPhase(p, view.Connected)
	d.side.items[0].TypedKey(enter)
	if phase, _ := p.conn.Phase(); phase != view.Connected {
		t.Errorf("Enter at a server that is connected made it %s", phase.Word())
	}
}

func TestEscapeLeavesTheSearchForAServer(t *testing.T) {
	d := newDesk(t)
	for _, name := range []string{"a", "b"} {
		d.UI.save(settings.Server{Target: session.Target{Name: name, Command: name}, Group: "Work"})
	}
	d.side.find.SetText("b")
	d.shows("Work  1 of 2")
	d.side.find.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	if !d.side.items[1].focused {
		t.Fatal("down does not go to the server that was found")
	}
	d.side.items[0].onTap()
	if strings.Contains(d.order(), "(folded)") || d.store.Get().Groups[0].Folded {
		t.Error("a group is folded while a server is looked for, which nobody sees")
	}
	d.side.items[1].TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if d.side.find.Text != "" || d.win.Canvas().Focused() != fyne.Focusable(d.side.find) {
		t.Error("Escape does not end the search")
	}
}

// A server that is removed leaves the keyboard to the one that takes its place.
func TestKeyboardAfterAServerIsRemoved(t *testing.T) {
	d := newDesk(t)
	for _, name := range []string{"a", "b", "c"} {
		d.UI.save(settings.Server{Target: session.Target{Name: name, Command: name}})
	}
	for _, want := range []string{"c", "a", ""} {
		at := min(1, len(d.side.items)-1)
		d.win.Canvas().Focus(d.side.items[at])
		d.side.items[at].TypedKey(&fyne.KeyEvent{Name: fyne.KeyDelete})
		d.dialogs[0].(*dialog.ConfirmDialog).Confirm()
		item, _ := d.win.Canvas().Focused().(*sideItem)
		if want != "" && (item == nil || item.title != want) || want == "" && item != nil {
			t.Errorf("the keyboard is with %+v, want %q; left are %s", item, want, d.order())
		}
	}
}

// A dragged server shows whether it goes before or behind the one below it.
func TestPlaceOfADraggedServer(t *testing.T) {
	d := newDesk(t)
	for _, name := range []string{"a", "b", "c"} {
		d.UI.save(settings.Server{Target: session.Target{Name: name, Command: name}})
	}
	at := func(i int) fyne.Position {
		return fyne.CurrentApp().Driver().AbsolutePositionForObject(d.side.items[i]).AddXY(5, 5)
	}
	d.side.items[0].onDrag(at(1))
	if d.side.items[1].aimed != dropBehind || d.side.items[1].mark.Hidden || d.side.items[2].aimed != dropNone {
		t.Errorf("from above: %d, %d", d.side.items[1].aimed, d.side.items[2].aimed)
	}
	d.side.items[0].onDrop(at(1))
	if d.order() != "b a c" || !d.side.items[1].mark.Hidden {
		t.Errorf("the order is %s", d.order())
	}
	d.side.items[2].onDrag(at(0))
	if d.side.items[0].aimed != dropBefore {
		t.Errorf("from below: %d", d.side.items[0].aimed)
	}
	d.side.items[2].onDrop(at(0))
	if d.order() != "c b a" {
		t.Errorf("the order is %s", d.order())
	}
}

// The menu of a server names each action once.
func TestMenuOfAConnectedServer(t *testing.T) {
	d := newDesk(t)
	d.open(d.server("one", sessiontest.Server()), view.Connected)
	d.side.refresh()
	seen := map[string]bool{}
	for _, i := range d.side.menuOf(d.side.entries[0].Server).Items {
		if i.IsSeparator {
			continue
		}
		if seen[i.Label] {
			t.Errorf("%s is there twice", i.Label)
		}
		seen[i.Label] = true
	}
	if !seen["Recording"] || !seen["Disconnect"] || !seen["Edit …"] || len(seen) > 20 {
		t.Errorf("%d items: %v", len(seen), seen)
	}
}

// The recordings follow the servers closely, also when there are fewer than
// before.
func TestSidebarLeavesNoGap(t *testing.T) {
	d := newDesk(t)
	d.server("one", sessiontest.Server())
	d.server("two", sessiontest.Server())
	d.side.refresh()
	before := d.side.servers.Size().Height
	d.update(func(s *settings.Settings) { s.Servers = s.Servers[:1] })
	d.side.refresh()
	if now := d.side.servers.Size().Height; now >= before || now != d.side.servers.MinSize().Height {
		t.Errorf("the servers have the height %v, before %v; they need %v", now, before, d.side.servers.MinSize().Height)
	}
}
