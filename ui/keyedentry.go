package ui

import (
	"fyne.io/fyne/v2"

	"mcploupe/ui/widget"
)

// keyedEntry is an entry that gives keys away which an entry has no use for.
// While an entry has the keyboard the window itself gets none.
type keyedEntry struct {
	widget.Entry
	keys func(*fyne.KeyEvent) bool // true if that was all
}

func newKeyedEntry(keys func(*fyne.KeyEvent) bool) *keyedEntry {
	e := &keyedEntry{keys: keys}
	e.ExtendBaseWidget(e)
	return e
}

// TypedKey implements fyne.Focusable.
func (e *keyedEntry) TypedKey(k *fyne.KeyEvent) {
	if !e.keys(k) {
		e.Entry.TypedKey(k)
	}
}
