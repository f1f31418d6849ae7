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
	if dialog.says.Importance != widget.DangerImportance {
		t.Error("what was emptied is not told")
	}
}
