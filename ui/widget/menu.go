package widget

import (
	"runtime"
	"strings"

	"fyne.io/fyne/v2"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"mcploupe/ui/theme"
)

// Keys is the shortcut of a menu item whose keys come by another way than the
// menu: it is shown and matches nothing.
type Keys string

// ShortcutName implements fyne.Shortcut.
func (k Keys) ShortcutName() string { return "shown:" + string(k) }

// shown is a shortcut whose keys stand in the text of its item. The menu of the
// window still finds it by its name; the toolkit sees no keys to draw.
type shown struct {
	fyne.Shortcut
	label, text string // the text of the item without and with the keys
}

// ShowKeys writes the keys of a menu's items into their texts, at its right edge:
// the toolkit would draw them with a fifth of the colour of texts, which cannot
// be read. It is called again when texts have another size.
func ShowKeys(m *fyne.Menu) {
	var edge float32
	for _, i := range m.Items {
		if i.ChildMenu != nil {
			ShowKeys(i.ChildMenu)
		}
		if s, ok := i.Shortcut.(shown); ok && i.Label == s.text {
			i.Label = s.label
		}
		width := menuText(i.Label)
		if keys := KeyText(i.Shortcut); keys != "" {
			width += menuText(keys) + theme.Scaled(theme.SpaceXL)
		}
		edge = max(edge, width)
	}
	for _, i := range m.Items {
		keys := KeyText(i.Shortcut)
		if keys == "" {
			continue
		}
		s := shown{Shortcut: i.Shortcut, label: i.Label}
		if before, ok := i.Shortcut.(shown); ok {
			s.Shortcut = before.Shortcut
		}
		s.text = i.Label + blanks(edge-menuText(i.Label)-menuText(keys)) + keys
		i.Label, i.Shortcut = s.text, s
	}
}

func menuText(text string) float32 {
	return fyne.MeasureText(text, theme.Size(fynetheme.SizeNameText), fyne.TextStyle{}).Width
}

// blanks is nearly as wide as asked for: spaces, and the narrowest ones for what
// is left.
func blanks(width float32) string {
	text := ""
	for _, blank := range []string{" ", "\u200a"} {
		one := menuText("a"+strings.Repeat(blank, 16)+"a") - menuText("aa")
		n := max(int((width)*16/one), 0)
		text += strings.Repeat(blank, n)
		width -= float32(n) * one / 16
	}
	return text
}

// ShowPopUpMenuAtPosition shows a menu whose keys can be read.
func ShowPopUpMenuAtPosition(m *fyne.Menu, c fyne.Canvas, at fyne.Position) {
	ShowKeys(m)
	widget.ShowPopUpMenuAtPosition(m, c, at)
}

// KeyText writes a shortcut for a person: Ctrl+Shift+N. It is "" for none.
func KeyText(s fyne.Shortcut) string {
	if within, ok := s.(shown); ok {
		s = within.Shortcut
	}
	if keys, ok := s.(Keys); ok {
		return string(keys)
	}
	k, ok := s.(fyne.KeyboardShortcut)
	if !ok {
		return ""
	}
	var parts []string
	for _, m := range []struct {
		mod  fyne.KeyModifier
		name string
	}{
		{fyne.KeyModifierControl, "Ctrl"}, {fyne.KeyModifierAlt, "Alt"}, {fyne.KeyModifierShift, "Shift"}, {fyne.KeyModifierSuper, superKey},
	} {
		if k.Mod()&m.mod != 0 {
			parts = append(parts, m.name)
		}
	}
	name := string(k.Key())
	if said, ok := keyNames[k.Key()]; ok {
		name = said
	}
	return strings.Join(append(parts, name), "+")
}

var superKey = map[bool]string{true: "Cmd", false: "Super"}[runtime.GOOS == "darwin"]

var keyNames = map[fyne.KeyName]string{
	fyne.KeyReturn: "Enter", fyne.KeyEnter: "Enter", fyne.KeyPageUp: "Page Up", fyne.KeyPageDown: "Page Down",
	fyne.KeyUp: "Up", fyne.KeyDown: "Down", fyne.KeyLeft: "Left", fyne.KeyRight: "Right", fyne.KeyEscape: "Esc",
}
