package ui

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/test"

	"mcploupe/session"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// itemOf is the item of a menu that begins with label.
func itemOf(t *testing.T, items []*fyne.MenuItem, label string) *fyne.MenuItem {
	t.Helper()
	i := slices.IndexFunc(items, func(m *fyne.MenuItem) bool { return strings.HasPrefix(m.Label, label) && !m.Disabled })
	if i < 0 {
		t.Fatalf("no item %q", label)
	}
	return items[i]
}

func TestAToolStartsWithWhatWasSentLast(t *testing.T) {
	d, p := offered(t, offering())
	tools := paneOf[*toolsPane](t, d, p)
	tools.list.list.Choose(0)
	panel := tools.panel
	if panel.fromAt.Visible() || !panel.calls.Visible() {
		t.Errorf("a tool that was never called: from %q, calls %v", panel.from.Text, panel.calls.Visible())
	}
	const exact = `{"b":1.0,  "a":9007199254740993}`
	args := func() *view.Arguments { return panel.now.ask.(*toolAsker).args }
	empty := args().Text()
	args().SetText(exact)
	p.submit()
	finish(d, p, panel)
	if err := panel.now.book.Save(args(), "two", d.store.Get().Servers[0].LastUsed); err != nil {
		t.Fatal(err)
	}

	// Another tab of the same server, as after a restart.
	second := d.open(p.conn.Server(), view.Connected)
	second.flush() // the report of the connecting gives way before a pane is chosen
	tools = paneOf[*toolsPane](t, d, second)
	d.await("the tools", func() bool { second.flush(); return tools.list.model.Len() > 0 })
	panel = tools.panel
	tools.list.list.Choose(0)
	if got := args().Text(); got != exact {
		t.Errorf("the form starts with %s", got)
	}
	d.shows("As sent last, just now", "9007199254740993", "Defaults")
	panel.defaults()
	if got := args().Text(); got != empty || panel.fromAt.Visible() {
		t.Errorf("the defaults are %s, from %q", got, panel.from.Text)
	}
	before := second.conn.Log().Len()
	itemOf(t, panel.callItems(), "two").Action()
	d.shows("The saved call “two”", "9007199254740993")
	if got := args().Text(); got != exact {
		t.Errorf("the saved call filled in %s", got)
	}
	if n := second.conn.Log().Len(); n != before {
		t.Error("choosing a saved call sent something")
	}
	args().SetText(`{"a":1}`)
	itemOf(t, panel.callItems(), "just now").Action()
	if got := args().Text(); got != exact {
		t.Errorf("the recent call filled in %s", got)
	}
	itemOf(t, panel.copyItems(), "mcploupe call").Action()
	if got := panel.env.Clipboard.Content(); !strings.HasPrefix(got, "mcploupe call sum --args '"+exact+"'") {
		t.Errorf("copied %s", got)
	}
	itemOf(t, panel.copyItems(), "JSON arguments").Action()
	if got := panel.env.Clipboard.Content(); got != exact {
		t.Errorf("copied %s", got)
	}
	if slices.ContainsFunc(panel.copyItems(), func(m *fyne.MenuItem) bool { return m.Label == "curl" && !m.Disabled }) {
		t.Error("curl is offered for a process")
	}
	itemOf(t, panel.callItems(), "Save").Action()
	name, ok := d.win.Canvas().Focused().(*askEntry)
	if !ok || name.Text != "two" {
		t.Fatalf("the question for a name has not the keyboard: %T", d.win.Canvas().Focused())
	}
	name.SetText("three")
	name.OnSubmitted(name.Text)
	itemOf(t, panel.callItems(), "three")
	if n := len(d.dialogs); n != 0 {
		t.Errorf("%d dialogs are open", n)
	}
	itemOf(t, panel.callItems(), "Save").Action()
	d.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if n := len(d.dialogs); n != 0 {
		t.Errorf("Escape left %d dialogs open", n)
	}
	itemOf(t, itemOf(t, panel.callItems(), "Rename").ChildMenu.Items, "three").Action()
	name = d.win.Canvas().Focused().(*askEntry)
	name.SetText("four")
	name.OnSubmitted(name.Text)
	itemOf(t, panel.callItems(), "four")
	itemOf(t, itemOf(t, panel.callItems(), "Delete").ChildMenu.Items, "four").Action()
	d.dialogs[0].(*dialog.ConfirmDialog).Confirm()
	if slices.ContainsFunc(panel.callItems(), func(m *fyne.MenuItem) bool { return m.Label == "four" }) {
		t.Error("the call is still there")
	}
	// An entry without a name has nothing to remember.
	tools.list.list.Choose(1)
	if panel.calls.Visible() {
		t.Error("calls of an entry without a name are offered")
	}
}

func TestPromptsStartWithWhatWasSentLastUntilTheServerIsRemoved(t *testing.T) {
	d, p := offered(t, offering())
	prompts := paneOf[*promptsPane](t, d, p)
	prompts.list.list.Choose(0)
	ask := prompts.panel.now.ask.(*fieldsAsker)
	ask.rows[0].entry.SetText("Zoë")
	test.Tap(ask.rows[1].empty)
	itemOf(t, prompts.panel.copyItems(), "mcploupe prompt").Action()
	if got := p.env.Clipboard.Content(); !strings.HasPrefix(got, "mcploupe prompt ") || !strings.Contains(got, "Zoë") {
		t.Errorf("copied %s", got)
	}
	p.submit()
	finish(d, p, prompts.panel)

	server := p.conn.Server()
	begin := func() *requestPanel {
		t.Helper()
		page := d.open(server, view.Connected)
		d.await("the prompts", func() bool {
			page.flush()
			return page.conn.State().Lists[session.Prompts].Status == session.ListComplete
		})
		pane := paneOf[*promptsPane](t, d, page)
		pane.Refresh()
		pane.list.list.Choose(0)
		return pane.panel
	}
	again := begin()
	d.shows("As sent last", "Zoë", `sent as ""`)
	if got, _ := again.kept().Keep(); got != `{"who":"Zoë","tone":""}` {
		t.Errorf("filled in %s", got)
	}
	test.Tap(again.fromAt.Objects[1].(*widget.Button))
	if got, _ := again.kept().Keep(); got != "" || again.now.ask.(*fieldsAsker).rows[0].entry.Text != "" {
		t.Errorf("the defaults are %s", got)
	}
	d.removeServer(server)
	d.dialogs[0].(*dialog.ConfirmDialog).Confirm()
	if got, _ := begin().kept().Keep(); got != "" {
		t.Errorf("after the server was removed: %s", got)
	}
}

// The name that is offered for a saved call gives way to what is typed.
func TestTypingReplacesTheNameOfASavedCall(t *testing.T) {
	d, p := offered(t, offering())
	tools := paneOf[*toolsPane](t, d, p)
	tools.list.list.Choose(0)
	tools.panel.now.chosen = "old"
	tools.panel.saveCall()
	entry, ok := d.win.Canvas().Focused().(*askEntry)
	if !ok {
		t.Fatalf("the keyboard is with %T", d.win.Canvas().Focused())
	}
	test.Type(entry, "new")
	if entry.Text != "new" {
		t.Errorf("the name is %q", entry.Text)
	}
	entry.OnSubmitted(entry.Text)
	if tools.panel.now.chosen != "new" {
		t.Errorf("saved as %q", tools.panel.now.chosen)
	}
}
