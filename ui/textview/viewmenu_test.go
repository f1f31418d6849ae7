package textview

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

func TestMenu(t *testing.T) {
	v := newView(t, small)
	var asked Value
	v.Menu = func(val Value) []*fyne.MenuItem {
		asked = val
		return []*fyne.MenuItem{fyne.NewMenuItem("Open", nil)}
	}
	v.press(v.at(1, 12), 0)
	m := v.menu()
	if asked.Pointer != "/name" || m.Items[len(m.Items)-1].Label != "Open" {
		t.Errorf("menu for %+v", asked)
	}
	for _, item := range m.Items {
		if item.Label == "Copy pointer" {
			item.Action()
		}
	}
	if got := fyne.CurrentApp().Clipboard().Content(); got != "/name" {
		t.Errorf("clipboard holds %q", got)
	}
}

func TestMenuByKey(t *testing.T) {
	v := newView(t, small)
	c := fyne.CurrentApp().Driver().CanvasForObject(v)
	v.Focus()
	keys(v, desktop.KeyMenu)
	if c.Overlays().Top() == nil {
		t.Fatal("the menu key shows no menu")
	}
	c.Overlays().Remove(c.Overlays().Top())
	withShift(v, fyne.KeyF10)
	if c.Overlays().Top() == nil {
		t.Error("Shift+F10 shows no menu")
	}
}

func TestLookIsTold(t *testing.T) {
	v := newView(t, `{"a":1}`)
	told := 0
	v.OnLook = func() { told++ }
	v.SetWrap(false)
	v.SetNumbers(false)
	if told != 0 {
		t.Error("what the program does is told as the person's doing")
	}
	v.TypedRune('w')
	v.TypedRune('n')
	if told != 2 || !v.Wrap() || !v.Numbers() {
		t.Errorf("told %d times, wraps %v, numbers %v", told, v.Wrap(), v.Numbers())
	}
}
