package ui

import (
	"testing"

	"fyne.io/fyne/v2"
)

// Down leads from the filter of a list to what it has found.
func TestDownLeavesTheFilterForTheList(t *testing.T) {
	d, p := offered(t, offering())
	tools := paneOf[*toolsPane](t, d, p)
	list := tools.list
	focusOn(list.filter)
	list.filter.SetText("no such tool")
	list.filter.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	if d.win.Canvas().Focused() != fyne.Focusable(list.filter) {
		t.Error("with nothing found the keyboard goes to the empty list")
	}
	list.filter.SetText("")
	list.filter.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	if d.win.Canvas().Focused() != fyne.Focusable(list.list) || tools.panel.now == nil {
		t.Errorf("the keyboard is with %T", d.win.Canvas().Focused())
	}
}
