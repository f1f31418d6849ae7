package ui

import (
	"fyne.io/fyne/v2"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// filterEntry is the field for the filter: Escape empties it and then leaves
// it, Down goes to the rows.
type filterEntry struct {
	widget.Entry
	leave func()
	other func(*fyne.KeyEvent) // keys that mean nothing here
}

func newFilterEntry(changed func(string), leave func()) *filterEntry {
	e := &filterEntry{leave: leave}
	e.ExtendBaseWidget(e)
	e.SetPlaceHolder("Filter: method:tools/*  status:error  dur>100ms  or any text")
	e.SetIcon(fynetheme.SearchIcon())
	e.OnChanged = changed
	e.OnSubmitted = func(string) { leave() }
	e.AlwaysShowValidationError = true
	return e
}

// TypedKey implements fyne.Focusable.
func (e *filterEntry) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeyEscape:
		if e.Text == "" {
			e.leave()
		} else {
			e.SetText("")
		}
	case fyne.KeyDown:
		e.leave()
	case fyne.KeyF5:
		e.other(k)
	default:
		e.Entry.TypedKey(k)
	}
}
