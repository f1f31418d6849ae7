package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// filterEntry is the field for the filter. While offers are open, Up and Down
// choose, Tab and a chosen Enter take one, and Escape closes them. Otherwise
// Escape empties the field and then leaves it, Enter and Down go to the rows,
// and Ctrl+Space opens the offers.
type filterEntry struct {
	widget.Entry
	model *view.FilterBar

	changed func()               // the text or the offers became others
	leave   func(submitted bool) // the keyboard goes to the rows
	other   func(*fyne.KeyEvent) // keys that mean nothing here
	quiet   bool                 // the text is being set, nobody types
}

func newFilterEntry(model *view.FilterBar) *filterEntry {
	e := &filterEntry{model: model}
	e.ExtendBaseWidget(e)
	e.SetPlaceHolder(filterHints[0])
	e.SetIcon(fynetheme.SearchIcon())
	e.OnChanged = func(text string) {
		if e.quiet {
			return
		}
		model.Typed(text, e.caret())
		e.changed()
	}
	e.OnSubmitted = func(string) { e.leave(true) }
	return e
}

// filterHints are what the empty field says, by the room that there is.
var filterHints = []string{"Filter: method:tools/*  status:error  dur>100ms  or any text", "Filter: status:error  or any text", "Filter …", ""}

// Resize implements fyne.CanvasObject: a hint that has no room would be drawn with
// a scroll bar over it.
func (e *filterEntry) Resize(size fyne.Size) {
	left, pad := e.left()
	for _, hint := range filterHints {
		if w := fyne.MeasureText(hint, theme.Size(fynetheme.SizeNameText), e.TextStyle).Width; left+2*pad+w < size.Width || hint == "" {
			if e.PlaceHolder != hint {
				e.SetPlaceHolder(hint)
			}
			break
		}
	}
	e.Entry.Resize(size)
}

// left is what the icon takes at the left, pad what is free beside the text.
func (e *filterEntry) left() (left, pad float32) {
	return theme.Size(fynetheme.SizeNameInlineIcon) + theme.Size(fynetheme.SizeNameLineSpacing), theme.Size(fynetheme.SizeNameInnerPadding)
}

// caret is where the caret stands, as a byte offset.
func (e *filterEntry) caret() int {
	n := 0
	for i := range e.Text {
		if n == e.CursorColumn {
			return i
		}
		n++
	}
	return len(e.Text)
}

// put shows a text with the caret at a byte offset of it, as nobody typed it.
func (e *filterEntry) put(text string, caret int) {
	e.quiet = true
	e.SetText(text)
	e.quiet = false
	e.CursorColumn = len([]rune(text[:caret]))
	e.Refresh()
}

// AcceptsTab implements fyne.Tabbable: Tab takes an offer while there are any.
func (e *filterEntry) AcceptsTab() bool { return e.model.Open() }

// TypedKey implements fyne.Focusable.
func (e *filterEntry) TypedKey(k *fyne.KeyEvent) {
	if e.model.Open() && e.offered(k.Name) {
		e.changed()
		return
	}
	switch k.Name {
	case fyne.KeyEscape:
		if e.Text == "" {
			e.leave(false)
		} else {
			e.SetText("")
		}
	case fyne.KeyDown:
		e.leave(true)
	case fyne.KeyUp, fyne.KeyTab:
	case fyne.KeyF3, fyne.KeyF5:
		e.other(k)
	default:
		e.Entry.TypedKey(k)
		if open := e.model.Open(); open {
			e.model.Moved(e.caret())
			if !e.model.Open() {
				e.changed()
			}
		}
	}
}

// offered takes a key for the offers and reports whether it was one.
func (e *filterEntry) offered(k fyne.KeyName) bool {
	switch k {
	case fyne.KeyDown:
		e.model.Move(1)
	case fyne.KeyUp:
		e.model.Move(-1)
	case fyne.KeyEscape:
		e.model.Close()
	case fyne.KeyTab:
		e.accept(-1)
	case fyne.KeyReturn, fyne.KeyEnter:
		if e.model.Chosen() < 0 {
			e.model.Close()
			e.changed()
			return false
		}
		e.accept(-1)
	default:
		return false
	}
	return true
}

// accept takes an offer into the text.
func (e *filterEntry) accept(i int) {
	if e.model.Accept(i) {
		e.put(e.model.Text(), e.model.Cursor())
	}
}

// TypedShortcut implements fyne.Shortcutable: Ctrl+Space opens the offers.
func (e *filterEntry) TypedShortcut(s fyne.Shortcut) {
	if c, ok := s.(*desktop.CustomShortcut); ok && c.KeyName == fyne.KeySpace && c.Modifier == fyne.KeyModifierControl {
		e.model.Moved(e.caret())
		e.model.Ask()
		e.changed()
		return
	}
	e.Entry.TypedShortcut(s)
}

// FocusLost implements fyne.Focusable.
func (e *filterEntry) FocusLost() {
	e.Entry.FocusLost()
	if e.model.Open() {
		e.model.Close()
		e.changed()
	}
}

// place is where a byte offset of the text stands in the field; ok is false
// when the text is wider than the field and may have been scrolled.
func (e *filterEntry) place(offset int) (x float32, ok bool) {
	size := theme.Size(fynetheme.SizeNameText)
	left, pad := e.left()
	measure := func(s string) float32 { return fyne.MeasureText(s, size, e.TextStyle).Width }
	return left + pad + measure(e.Text[:offset]), left+2*pad+measure(e.Text) < e.Size().Width
}
