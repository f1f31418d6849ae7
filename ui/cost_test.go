package ui

import (
	"testing"

	"fyne.io/fyne/v2"

	"mcploupe/session/sessiontest"
	"mcploupe/ui/view"
)

// The table lists every definition, is ordered by keys, and leads to the tool.
func TestCostDialogListsDefinitions(t *testing.T) {
	d := newDesk(t)
	page := d.open(d.server("s", sessiontest.Server()), view.Connected)
	d.await("the tools", func() bool { return !page.reporting && page.conn.Lists() != nil && len(page.conn.Lists().Tools()) == 2 })
	c := newCostDialog(page, view.NewCostTable(page.conn.Lists(), ""))
	if c.list.Count() != c.table.Len() || c.table.Len() < 2 || c.note.Text == "" {
		t.Errorf("%d rows of %d, it says %q", c.list.Count(), c.table.Len(), c.note.Text)
	}
	c.list.TypedRune('1')
	if by, _ := c.table.Order(); by != view.CostName || c.list.Count() != c.table.Len() {
		t.Errorf("ordered by %d, %d rows", by, c.list.Count())
	}
	c.open(0)
	if _, ok := page.panes[page.at].(*toolsPane); !ok || d.win.Canvas().Overlays().Top() != nil {
		t.Errorf("tab %d is shown", page.at)
	}
	newCostDialog(page, c.table)
	d.press(fyne.KeyEscape)
	if d.win.Canvas().Overlays().Top() != nil {
		t.Error("Escape does not close it")
	}
}
