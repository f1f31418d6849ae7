package widget

import (
	"math"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"mcploupe/ui/theme"
)

func keyed(label string, s fyne.Shortcut) *fyne.MenuItem {
	i := fyne.NewMenuItem(label, func() {})
	i.Shortcut = s
	return i
}

func ctrl(name fyne.KeyName) fyne.Shortcut {
	return &desktop.CustomShortcut{KeyName: name, Modifier: fyne.KeyModifierControl}
}

// texts are what a menu draws.
func texts(o fyne.CanvasObject) []*canvas.Text {
	var out []*canvas.Text
	switch o := o.(type) {
	case *canvas.Text:
		return []*canvas.Text{o}
	case *fyne.Container:
		for _, child := range o.Objects {
			out = append(out, texts(child)...)
		}
	case fyne.Widget:
		for _, child := range test.WidgetRenderer(o).Objects() {
			out = append(out, texts(child)...)
		}
	}
	return out
}

// The keys of a menu are drawn in the colour of its texts, whose contrast is
// measured with the theme.
func TestKeysOfMenusCanBeRead(t *testing.T) {
	test.NewTempApp(t)
	for _, mode := range []theme.Mode{theme.Light, theme.Dark} {
		test.ApplyTheme(t, theme.New(theme.Options{Mode: mode}))
		m := fyne.NewMenu("", keyed("Connect …", ctrl(fyne.KeyN)), fyne.NewMenuItem("Demo", nil))
		ShowKeys(m)
		drawn := texts(widget.NewMenu(m))
		if len(drawn) != 2 || !strings.HasSuffix(drawn[0].Text, "Ctrl+N") {
			t.Fatalf("%s: %d texts", mode, len(drawn))
		}
		for _, text := range drawn {
			if text.Color != theme.Color(fynetheme.ColorNameForeground) {
				t.Errorf("%s: %q is drawn in %v", mode, text.Text, text.Color)
			}
		}
	}
}

// Keys end at one edge, behind the longest text, in menus within others too, and
// still when texts have another size.
func TestKeysOfMenusEndAtOneEdge(t *testing.T) {
	test.NewTempApp(t)
	inner := fyne.NewMenuItem("Inner", nil)
	inner.ChildMenu = fyne.NewMenu("", keyed("A", ctrl(fyne.KeyPageUp)), keyed("Something long", Keys("F1")))
	m := fyne.NewMenu("", keyed("Connect …", ctrl(fyne.KeyN)), fyne.NewMenuItemSeparator(),
		keyed("Fold the timeline, all of it", ctrl(fyne.KeyReturn)), inner, fyne.NewMenuItem("Quite long, and without a key", nil))
	for _, zoom := range []float32{1, 1.5, 0.8} {
		test.ApplyTheme(t, theme.New(theme.Options{Zoom: zoom}))
		ShowKeys(m)
		ShowKeys(m)
		for _, items := range [][]*fyne.MenuItem{{m.Items[0], m.Items[2]}, inner.ChildMenu.Items} {
			a, b := menuText(items[0].Label), menuText(items[1].Label)
			if math.Abs(float64(a-b)) > float64(theme.Scaled(2)) {
				t.Errorf("zoom %v: %q ends at %v, %q at %v", zoom, items[0].Label, a, items[1].Label, b)
			}
		}
		if longest := menuText(m.Items[4].Label); menuText(m.Items[2].Label) < longest-2 {
			t.Errorf("zoom %v: keys end before a text does", zoom)
		}
	}
	if got := inner.ChildMenu.Items[1].Label; strings.Count(got, "F1") != 1 || !strings.HasPrefix(got, "Something long ") {
		t.Errorf("the text is %q", got)
	}
}

// The menu of the window finds a shortcut by its name, and what lists the
// shortcuts by what it was.
func TestShownKeysAreStillShortcuts(t *testing.T) {
	test.NewTempApp(t)
	m := fyne.NewMenu("", keyed("Connect …", ctrl(fyne.KeyN)))
	ShowKeys(m)
	s := m.Items[0].Shortcut
	if s.ShortcutName() != ctrl(fyne.KeyN).ShortcutName() || KeyText(s) != "Ctrl+N" {
		t.Errorf("it is %q, %q", s.ShortcutName(), KeyText(s))
	}
	m.Items[0].Label = "Connect again …"
	ShowKeys(m)
	if got := m.Items[0].Label; !strings.HasPrefix(got, "Connect again …") || strings.Count(got, "Ctrl") != 1 {
		t.Errorf("a text that was changed is %q", got)
	}
}
