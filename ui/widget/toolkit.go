package widget

import (
	"reflect"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// LeftOver does what a key does while a widget of the toolkit itself has the
// keyboard, such as one in its dialog for files or a choice among few: Enter
// presses a button or follows a link, Escape and the function keys go to the window. It reports
// whether it did something; those widgets would do nothing with the key.
func LeftOver(k fyne.KeyName) bool {
	_, o := focused()
	if !toolkits(o) {
		return false
	}
	switch o := o.(type) {
	case *widget.PopUpMenu: // takes all of them
		return false
	case *widget.Hyperlink:
		if k == fyne.KeyReturn || k == fyne.KeyEnter {
			o.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
			return true
		}
	case *widget.Button:
		if (k == fyne.KeyReturn || k == fyne.KeyEnter) && !o.Disabled() {
			o.Tapped(nil)
			return true
		}
	}
	if k != fyne.KeyEscape && !isFunctionKey(k) {
		return false
	}
	Leave(&fyne.KeyEvent{Name: k})
	return true
}

// toolkits reports whether o is a widget as the toolkit has it.
func toolkits(o fyne.CanvasObject) bool {
	return o != nil && reflect.TypeOf(o).Elem().PkgPath() == reflect.TypeFor[widget.Button]().PkgPath()
}

// Tabbed is for after Tab has moved the keyboard: it goes on from a text that can
// be selected with the mouse, which shows no sign of having it, and what has it
// then is scrolled into view. back is the way it came.
func Tabbed(back bool) {
	skipTexts(back)
	RevealFocused()
}

func skipTexts(back bool) {
	var first fyne.CanvasObject
	for {
		c, o := focused()
		if !selectableText(o) {
			return
		}
		if o == first { // there is nothing but texts
			c.Unfocus()
			return
		}
		if first == nil {
			first = o
		}
		if back {
			c.FocusPrevious()
		} else {
			c.FocusNext()
		}
	}
}

func selectableText(o fyne.CanvasObject) bool {
	if _, field := o.(*widget.Entry); field || !toolkits(o) {
		return false
	}
	_, selects := o.(interface{ SelectedText() string })
	return selects
}

// FocusAnswer gives the keyboard to the answer that Enter is to give to the
// question in front, one of the toolkit's with two buttons: to agree, or not to
// where agreeing destroys something.
func FocusAnswer(c fyne.Canvas) {
	c.FocusPrevious() // to the last of what takes the keyboard
	if agree, ok := c.Focused().(*widget.Button); ok && agree.Importance == DangerImportance {
		c.FocusPrevious()
	}
}

// SelectEntry is the toolkit's field with proposals.
type SelectEntry struct {
	widget.SelectEntry
}

var _ fyne.Focusable = (*SelectEntry)(nil)

// NewSelectEntry makes a field with proposals.
func NewSelectEntry(options []string) *SelectEntry {
	e := &SelectEntry{}
	e.ExtendBaseWidget(e)
	e.Wrapping = fyne.TextWrap(fyne.TextTruncateClip)
	e.SetOptions(options)
	return e
}

// FocusGained implements fyne.Focusable.
func (e *SelectEntry) FocusGained() {
	e.SelectEntry.FocusGained()
	RevealFocused()
}

// TypedKey implements fyne.Focusable.
func (e *SelectEntry) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyEscape || isFunctionKey(k.Name) {
		Leave(k)
		return
	}
	e.SelectEntry.TypedKey(k)
}
