package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"mcploupe/session"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// Going through the resources of the form takes none; Enter and Space take the
// one that is selected.
func TestResourcesToSubscribeToAreTakenOneByOne(t *testing.T) {
	d, p, _ := watching(t, "2025-11-25")
	d.awaitState(p, "the resources", func(st session.State) bool { return st.Lists[session.Resources].Status == session.ListComplete })
	form := view.NewSubForm(p.conn.State())
	dialog := newSubDialog(p.conn, p.env, form, func(session.SubscriptionFilter) {})
	if dialog.says.Text == "" || dialog.says.Importance == widget.DangerImportance {
		t.Errorf("an empty form is faulty: %q", dialog.says.Text)
	}
	if d.win.Canvas().Focused() != fyne.Focusable(dialog.find) {
		t.Errorf("the keyboard is with %T", d.win.Canvas().Focused())
	}
	key := func(names ...fyne.KeyName) {
		for _, n := range names {
			dialog.pick.TypedKey(&fyne.KeyEvent{Name: n})
		}
	}
	key(fyne.KeyDown, fyne.KeyDown, fyne.KeyPageDown, fyne.KeyEnd, fyne.KeyHome, fyne.KeyUp, fyne.KeyDown)
	if form.URIs != "" || dialog.pick.Current() != 1 {
		t.Fatalf("going through them took %q, at %d", form.URIs, dialog.pick.Current())
	}
	key(fyne.KeyReturn, fyne.KeyDown, fyne.KeyDown, fyne.KeySpace, fyne.KeySpace)
	if got := strings.Fields(form.URIs); len(got) != 2 || dialog.uris.Text != form.URIs {
		t.Errorf("taken %q", got)
	}
	dialog.uris.SetText("")
	dialog.find.TypedRune(' ')
	if dialog.find.Text != "" {
		t.Errorf("the key that opened the form typed %q", dialog.find.Text)
	}
	dialog.find.SetText("clock")
	dialog.find.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if strings.TrimSpace(form.URIs) != clockURI || d.win.Canvas().Focused() != fyne.Focusable(dialog.find) {
		t.Errorf("found and taken: %q", form.URIs)
	}
	dialog.find.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	if strings.TrimSpace(form.URIs) != clockURI || d.win.Canvas().Focused() != fyne.Focusable(dialog.pick) {
		t.Errorf("going to the list took %q", form.URIs)
	}
	dialog.uris.SetText("")
	if dialog.says.Importance != widget.DangerImportance {
		t.Error("what was emptied is not told")
	}
}
