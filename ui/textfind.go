package ui

import "mcploupe/ui/textview"

// textFirst is a command of the menu that is for the text which has the
// keyboard, if it takes it: the window has the keys of its menu before any
// widget.
func (u *UI) textFirst(ask func(textview.Finder) bool, otherwise func()) func() {
	return func() {
		if f, ok := u.win.Canvas().Focused().(textview.Finder); ok && ask(f) {
			return
		}
		otherwise()
	}
}

// next goes to another place that was found in a text.
func next(forward bool) func(textview.Finder) bool {
	return func(f textview.Finder) bool { return f.FindNext(forward) }
}
