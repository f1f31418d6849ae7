package ui

import (
	"testing"

	"fyne.io/fyne/v2"

	"mcploupe/session/sessiontest"
	"mcploupe/ui/view"
)

// The strip of tabs is one stop of the keyboard; the arrows go through the tabs
// and the keyboard stays.
func TestTabsTakeTheKeyboard(t *testing.T) {
	d := newDesk(t)
	page := d.open(d.server("s", sessiontest.Server()), view.Connected)
	d.await("the panes", func() bool { return !page.reporting })
	c := d.win.Canvas()
	c.Focus(page.strip)
	for _, step := range []struct {
		key  fyne.KeyName
		want int
	}{{fyne.KeyRight, 1}, {fyne.KeyRight, 2}, {fyne.KeyLeft, 1}, {fyne.KeyEnd, len(page.panes) - 1}, {fyne.KeyRight, len(page.panes) - 1}, {fyne.KeyHome, 0}} {
		if d.press(step.key); page.at != step.want || c.Focused() != page.strip {
			t.Errorf("after %s tab %d is shown, want %d; the keyboard is at %T", step.key, page.at, step.want, c.Focused())
		}
	}
	c.Focus(d.strip)
	if d.press(fyne.KeyLeft); d.active != 0 || c.Focused() != d.strip {
		t.Errorf("tab %d of the window, the keyboard is at %T", d.active, c.Focused())
	}
	if d.press(fyne.KeyDelete); len(d.pages) != 2 {
		t.Error("the start page was closed")
	}
}

// Tab comes to everything once, in the order in which it is read: what is above
// comes before what is below, and in a line what is left before what is right.
func TestTabGoesInReadingOrder(t *testing.T) {
	d := newDesk(t)
	d.win.Resize(fyne.NewSize(1280, 800))
	page := d.open(d.server("s", sessiontest.Server()), view.Connected)
	d.await("the panes", func() bool { return !page.reporting })
	for i := range page.panes {
		page.showPane(i)
		d.win.Canvas().Unfocus()
		var stops []fyne.CanvasObject
		seen := map[fyne.Focusable]bool{}
		for range 400 {
			d.win.Canvas().FocusNext()
			f := d.win.Canvas().Focused()
			if f == nil || seen[f] {
				break
			}
			seen[f] = true
			stops = append(stops, f.(fyne.CanvasObject))
		}
		if len(stops) < 10 || len(stops) >= 400 {
			t.Errorf("%s: %d stops", page.panes[i].Title(), len(stops))
		}
		at := func(o fyne.CanvasObject) int {
			for n, s := range stops {
				if s == o {
					return n
				}
			}
			return -1
		}
		list := at(page.time.list)
		if strip := at(page.strip); strip < 0 || list < strip || strip < at(page.head.action) {
			t.Errorf("%s: head %d, tabs %d, timeline %d", page.panes[i].Title(), at(page.head.action), strip, list)
		}
		if tools, ok := page.panes[i].(*toolsPane); ok {
			if filter, rows := at(tools.list.filter), at(tools.list.list); filter < 0 || rows < filter || list < rows {
				t.Errorf("filter %d, list %d, timeline %d", filter, rows, list)
			}
		}
	}
}

// The key of a tab leads to what the tab lists, so that arrows and letters go on
// from there.
func TestTheKeyOfATabLeadsToItsList(t *testing.T) {
	d, p := offered(t, sessiontest.Server())
	tools := paneOf[*toolsPane](t, d, p)
	p.goTo(0)
	if d.win.Canvas().Focused() != fyne.Focusable(p.strip) {
		t.Errorf("the first tab leads to %T", d.win.Canvas().Focused())
	}
	p.goTo(1)
	if d.press(fyne.KeyDown); tools.panel.now == nil {
		t.Errorf("the arrow chooses no tool, the keyboard is at %T", d.win.Canvas().Focused())
	}
	p.goTo(2)
	if res := paneOf[*resourcesPane](t, d, p); d.win.Canvas().Focused() != fyne.Focusable(res.lists[0].list) {
		t.Errorf("the key of the resources leads to %T", d.win.Canvas().Focused())
	}
}
