package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

var (
	_ fyne.Focusable = (*Button)(nil)
	_ fyne.Focusable = (*Check)(nil)
	_ fyne.Focusable = (*Select)(nil)
	_ fyne.Focusable = (*Entry)(nil)
	_ fyne.Tabbable  = (*Entry)(nil)
)

// Button is the toolkit's button. Enter presses it as the space bar does, and it
// keeps the keyboard unless what it does takes that away.
type Button struct {
	widget.Button
	focused bool
}

// NewButton makes a button with a text.
func NewButton(label string, tapped func()) *Button {
	return NewButtonWithIcon(label, nil, tapped)
}

// NewButtonWithIcon makes a button with an icon and a text, either of which may
// be absent.
func NewButtonWithIcon(label string, icon fyne.Resource, tapped func()) *Button {
	b := &Button{}
	b.Text, b.Icon, b.OnTapped = label, icon, tapped
	b.ExtendBaseWidget(b)
	return b
}

// CreateRenderer implements fyne.Widget.
func (b *Button) CreateRenderer() fyne.WidgetRenderer {
	b.ExtendBaseWidget(b)
	return withRing(b.Button.CreateRenderer(), func() bool { return b.focused }, func() bool {
		return b.Importance != LowImportance && b.Importance != MediumImportance
	})
}

// FocusGained implements fyne.Focusable.
func (b *Button) FocusGained() {
	b.focused = true
	b.Button.FocusGained()
	Reveal(b)
}

// FocusLost implements fyne.Focusable.
func (b *Button) FocusLost() {
	b.focused = false
	b.Button.FocusLost()
}

// TypedKey implements fyne.Focusable.
func (b *Button) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		c := fyne.CurrentApp().Driver().CanvasForObject(b)
		over := overlay(c)
		b.Tapped(nil) // takes the keyboard away, as after a click
		if c != nil && c.Focused() == nil && overlay(c) == over && b.Visible() && !b.Disabled() {
			c.Focus(b) // does nothing when the button has gone
		}
	default:
		Leave(k)
	}
}

func never() bool { return false }

func overlay(c fyne.Canvas) fyne.CanvasObject {
	if c == nil {
		return nil
	}
	return c.Overlays().Top()
}

// Check is the toolkit's check box. The space bar ticks it.
type Check struct {
	widget.Check
	focused bool
}

// NewCheck makes a check box.
func NewCheck(label string, changed func(bool)) *Check {
	c := &Check{}
	c.Text, c.OnChanged = label, changed
	c.ExtendBaseWidget(c)
	return c
}

// CreateRenderer implements fyne.Widget.
func (c *Check) CreateRenderer() fyne.WidgetRenderer {
	c.ExtendBaseWidget(c)
	return withRing(c.Check.CreateRenderer(), func() bool { return c.focused }, never)
}

// FocusGained implements fyne.Focusable.
func (c *Check) FocusGained() {
	c.focused = true
	c.Check.FocusGained()
	Reveal(c)
}

// FocusLost implements fyne.Focusable.
func (c *Check) FocusLost() {
	c.focused = false
	c.Check.FocusLost()
}

// TypedKey implements fyne.Focusable.
func (c *Check) TypedKey(k *fyne.KeyEvent) {
	if k.Name != fyne.KeySpace { // that one comes as a rune too
		Leave(k)
	}
}

// Select is the toolkit's choice of one. Enter opens it as the space bar does.
type Select struct {
	widget.Select
	focused bool
}

// NewSelect makes a choice of one.
func NewSelect(options []string, changed func(string)) *Select {
	s := &Select{}
	s.Options, s.OnChanged = options, changed
	s.ExtendBaseWidget(s)
	return s
}

// CreateRenderer implements fyne.Widget.
func (s *Select) CreateRenderer() fyne.WidgetRenderer {
	s.ExtendBaseWidget(s)
	return withRing(s.Select.CreateRenderer(), func() bool { return s.focused }, never)
}

// FocusGained implements fyne.Focusable.
func (s *Select) FocusGained() {
	s.focused = true
	s.Select.FocusGained()
	Reveal(s)
}

// FocusLost implements fyne.Focusable.
func (s *Select) FocusLost() {
	s.focused = false
	s.Select.FocusLost()
}

// TypedKey implements fyne.Focusable.
func (s *Select) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		s.Select.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	case fyne.KeySpace, fyne.KeyUp, fyne.KeyDown, fyne.KeyLeft, fyne.KeyRight:
		s.Select.TypedKey(k)
	default:
		Leave(k)
	}
}

// RadioGroup is the toolkit's choice among few.
type RadioGroup = widget.RadioGroup

// NewRadioGroup makes a choice among few.
var NewRadioGroup = widget.NewRadioGroup

// Entry is the toolkit's field for text. Tab leaves it, also one of several
// lines: nothing that is entered in this program needs the character.
type Entry struct {
	widget.Entry
}

// NewEntry makes a field of one line.
func NewEntry() *Entry {
	e := &Entry{}
	e.ExtendBaseWidget(e)
	return e
}

// NewMultiLineEntry makes a field of several lines.
func NewMultiLineEntry() *Entry {
	e := &Entry{}
	e.MultiLine, e.Wrapping = true, fyne.TextWrap(fyne.TextTruncateClip)
	e.ExtendBaseWidget(e)
	return e
}

// NewPasswordEntry makes a field whose text is shown when asked for.
func NewPasswordEntry() *Entry {
	e := &Entry{}
	e.Password, e.Wrapping = true, fyne.TextWrap(fyne.TextTruncateClip)
	e.ExtendBaseWidget(e)
	return e
}

// AcceptsTab implements fyne.Tabbable.
func (e *Entry) AcceptsTab() bool { return false }

// FocusGained implements fyne.Focusable.
func (e *Entry) FocusGained() {
	e.Entry.FocusGained()
	RevealFocused()
}

// TypedKey implements fyne.Focusable.
func (e *Entry) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyEscape || isFunctionKey(k.Name) {
		Leave(k)
		return
	}
	e.Entry.TypedKey(k)
}

func isFunctionKey(k fyne.KeyName) bool {
	switch k {
	case fyne.KeyF1, fyne.KeyF2, fyne.KeyF3, fyne.KeyF4, fyne.KeyF5, fyne.KeyF6,
		fyne.KeyF7, fyne.KeyF8, fyne.KeyF9, fyne.KeyF10, fyne.KeyF11, fyne.KeyF12:
		return true
	}
	return false
}
