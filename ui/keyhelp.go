package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"

	"mcploupe/ui/rows"
	"mcploupe/ui/textview"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/widget"
)

// keyHelp is the page of the keyboard: the shortcuts of the menus, as they are,
// and the keys that parts of the window have beside them.
type keyHelp struct {
	model view.KeyPage
	d     *dialog.CustomDialog
	query *keyedEntry
	list  *rows.View
	count *widget.Label
	turn  uint64
}

// keyboardHelp shows the keys.
func (u *UI) keyboardHelp() { u.openKeyHelp() }

func (u *UI) openKeyHelp() *keyHelp {
	h := &keyHelp{}
	h.model.Set(u.keyLines())
	h.list = rows.New(h.bind, func(i int) uint64 { return h.turn<<16 | uint64(i) })
	h.list.SetColumns(rows.Column{Title: "Where", Width: 170}, rows.Column{Title: "Keys", Width: 230}, rows.Column{Title: "What it does", Min: 240})
	h.list.ShowHeader(true)
	h.list.SetPlaceholder("No key is described like that")
	escape := func(k *fyne.KeyEvent) bool {
		if k.Name == fyne.KeyEscape {
			h.d.Dismiss()
		}
		return k.Name == fyne.KeyEscape
	}
	h.list.OnKey = escape
	h.query = newKeyedEntry(func(k *fyne.KeyEvent) bool {
		switch k.Name {
		case fyne.KeyDown, fyne.KeyUp, fyne.KeyPageDown, fyne.KeyPageUp, fyne.KeyReturn, fyne.KeyEnter:
			h.list.TypedKey(k)
			return true
		}
		return escape(k)
	})
	h.query.SetPlaceHolder("Find a key or what it does")
	h.query.OnChanged = func(text string) {
		h.model.SetQuery(text)
		h.show()
	}
	h.list.OnRune = func(r rune) {
		u.win.Canvas().Focus(h.query)
		h.query.SetText(h.query.Text + string(r))
		h.query.CursorColumn = len([]rune(h.query.Text))
	}
	h.count = widget.NewLabel("")
	h.count.Importance = widget.LowImportance
	top := widget.Border(nil, nil, nil, h.count, h.query)
	h.d = dialog.NewCustom("Keyboard shortcuts", "Close", widget.Border(top, nil, nil, nil, h.list), u.win)
	h.show()
	u.showDialog(h.d, u.dialogSize())
	u.win.Canvas().Focus(h.query)
	return h
}

func (h *keyHelp) show() {
	h.turn++
	text := human.Count(h.model.Len())
	if h.model.Len() != h.model.Total() {
		text += " of " + human.Count(h.model.Total())
	}
	h.count.SetText(text)
	h.list.Reset(h.model.Len())
}

func (h *keyHelp) bind(i int, row *rows.Row) {
	l := h.model.At(i)
	row.Cells[0] = rows.Cell{Text: l.Where, Color: theme.ColorMuted}
	row.Cells[1] = rows.Cell{Text: l.Keys, Bold: true}
	row.Cells[2] = rows.Cell{Text: l.Does}
}

// keyLines are all keys: those of the table of actions, then those of parts of
// the window.
func (u *UI) keyLines() []view.KeyLine {
	var lines []view.KeyLine
	u.menus.actions(func(path []string, a *action) {
		if a.Shortcut != nil {
			lines = append(lines, view.KeyLine{Where: strings.Join(path, ", ") + " menu", Keys: widget.KeyText(a.Shortcut), Does: a.title})
		}
	})
	lines = append(lines, windowKeys...)
	for _, l := range strings.Split(textview.KeyHelp, "\n") {
		at := strings.LastIndex(l, "  ")
		keys := strings.ReplaceAll(strings.TrimSpace(l[:at]), "  ", ", ")
		lines = append(lines, view.KeyLine{Where: "Texts and messages", Keys: keys, Does: strings.TrimSpace(l[at:])})
	}
	return append(lines, partKeys...)
}

// windowKeys are the keys without a menu.
var windowKeys = []view.KeyLine{
	{Where: "Everywhere", Keys: "F5", Does: "Refresh the lists; in a comparison read both sides again"},
	{Where: "Everywhere", Keys: "F3, Shift+F3", Does: "Find the next or the previous place"},
	{Where: "Everywhere", Keys: "Tab, Shift+Tab", Does: "Next or previous thing that takes the keyboard"},
	{Where: "Everywhere", Keys: "Enter, Space", Does: "Press the button that has the keyboard"},
	{Where: "Everywhere", Keys: "Esc", Does: "Close what is in front, or leave what waits"},
	{Where: "Everywhere", Keys: "Alt", Does: "The menus; arrows go through them"},
}

// partKeys are the keys of parts of the window.
var partKeys = []view.KeyLine{
	{Where: "Texts and messages", Keys: "Esc, Backspace", Does: "Back from what a string holds"},
	{Where: "Lists", Keys: "Up, Down, Page Up, Page Down, Home, End", Does: "Move; with Shift extend the selection where several can be selected"},
	{Where: "Lists", Keys: "Enter", Does: "Open, or go to where it is filled in"},
	{Where: "Lists", Keys: "Menu, Shift+F10", Does: "The menu of the row"},
	{Where: "Lists", Keys: "any letter", Does: "Filter, where there is one"},
	{Where: "Tabs", Keys: "Left, Right, Home, End", Does: "Other tab, when the tabs have the keyboard"},
	{Where: "Tabs", Keys: "Delete", Does: "Close the tab"},
	{Where: "Sidebar", Keys: "Enter", Does: "Open"},
	{Where: "Sidebar", Keys: "Right", Does: "Show the menu"},
	{Where: "Filters of the timeline", Keys: "Ctrl+Space", Does: "Offer words"},
	{Where: "Timeline", Keys: "M, N", Does: "Pin the event, take a note"},
	{Where: "Timeline", Keys: "1 ... 6, 0", Does: "Colour the event, take the colour away"},
	{Where: "Timeline", Keys: "], [", Does: "Next or previous mark"},
	{Where: "Timeline of exchanges", Keys: "Right, Left, *, /", Does: "Open, close, open all, close all"},
	{Where: "Editors", Keys: "Ctrl+F, Ctrl+H", Does: "Find, replace"},
	{Where: "Editors", Keys: "Ctrl+L", Does: "Go to a line"},
	{Where: "Editors", Keys: "Ctrl+Shift+I", Does: "Format"},
	{Where: "Editors", Keys: "Shift+Tab, Esc", Does: "Leave"},
	{Where: "Comparison", Keys: "F7, Shift+F7", Does: "Next or previous change"},
	{Where: "Comparison", Keys: "F8, Shift+F8", Does: "Next or previous line that changed"},
	{Where: "Context cost", Keys: "1 ... 8", Does: "Order by that column"},
}
