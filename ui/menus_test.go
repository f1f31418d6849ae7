package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"mcploupe/ui/settings"
)

func TestShortcutsSitOnTheMenuAndDiffer(t *testing.T) {
	d := newDesk(t)
	seen := map[string]string{}
	var walk func(items []*fyne.MenuItem)
	walk = func(items []*fyne.MenuItem) {
		for _, i := range items {
			if i.Shortcut != nil {
				name := i.Shortcut.ShortcutName()
				if other, taken := seen[name]; taken {
					t.Errorf("%s is on %q and %q", name, other, i.Label)
				}
				seen[name] = i.Label
			}
			if i.ChildMenu != nil {
				walk(i.ChildMenu.Items)
			}
		}
	}
	for _, m := range d.menus.main.Items {
		walk(m.Items)
	}
	for _, want := range []fyne.Shortcut{
		key(fyne.KeyN, ctrl), key(fyne.KeyO, ctrl), key(fyne.KeyF, ctrl), key(fyne.KeyR, ctrl|fyne.KeyModifierShift), key(fyne.Key1, ctrl),
		key(fyne.Key9, ctrl), key(fyne.KeyW, ctrl), key(fyne.KeyJ, ctrl), key(fyne.KeyQ, ctrl),
	} {
		if seen[want.ShortcutName()] == "" {
			t.Errorf("%s is on no menu item", want.ShortcutName())
		}
	}
}

// Keys of the menu of files do nothing behind a dialog: no second one, no tab that
// goes from under it.
func TestKeysOfFilesWaitForTheDialog(t *testing.T) {
	d, _ := recorded(t, 20)
	d.menus.export.Action()
	if len(d.dialogs) != 1 {
		t.Fatalf("%d dialogs", len(d.dialogs))
	}
	pages := len(d.pages)
	for _, x := range d.menus.table[0].ChildMenu.Items {
		if x.Action != nil && !x.IsQuit && x.Shortcut != nil && !x.Disabled {
			if x.Action(); len(d.dialogs) != 1 || len(d.pages) != pages {
				t.Fatalf("%s: %d dialogs, %d tabs", x.Label, len(d.dialogs), len(d.pages))
			}
		}
	}
	d.closeDialog()
	if d.menus.export.Action(); len(d.dialogs) != 1 {
		t.Error("it does not come back")
	}
}

// Keys reach what the menu does not offer, and say why it cannot be done.
func TestKeysSayWhyNot(t *testing.T) {
	d := newDesk(t)
	said := 0
	d.menus.actions(func(_ []string, a *action) {
		if a.Shortcut == nil || a.late || a.cannot() == "" {
			return
		}
		d.notes.label.SetText("")
		if a.Action(); !strings.Contains(d.notes.label.Text, a.cannot()) {
			t.Errorf("%s: it says %q, not %q", a.title, d.notes.label.Text, a.cannot())
		}
		said++
	})
	if said < 10 || len(d.pages) != 1 || len(d.dialogs) > 0 {
		t.Errorf("%d keys, %d tabs, %d dialogs", said, len(d.pages), len(d.dialogs))
	}
}

func TestThemeIsKept(t *testing.T) {
	d := newDesk(t)
	d.setTheme(settings.ThemeLight)
	if !d.menus.themes[settings.ThemeLight].Checked || d.menus.themes[settings.ThemeSystem].Checked {
		t.Error("the menu does not show the theme")
	}
	again, err := settings.Load(d.store.Path())
	if err != nil || again.Get().Theme != settings.ThemeLight {
		t.Errorf("kept %q, %v", again.Get().Theme, err)
	}
}
