// Package widget is the toolkit's widgets as this program uses them: what can
// have the keyboard shows it with a ring, scrolls into view with it, takes Enter
// where a click does something, and leaves the keys that it has no use for, such
// as F5 and Escape, to the window. What needs nothing of that is the toolkit's
// own under the same name.
package widget

import "fyne.io/fyne/v2/widget"

// What is as the toolkit has it.
type (
	Accordion           = widget.Accordion
	AccordionItem       = widget.AccordionItem
	BaseWidget          = widget.BaseWidget
	Calendar            = widget.Calendar
	DisableableWidget   = widget.DisableableWidget
	HyperlinkSegment    = widget.HyperlinkSegment
	Importance          = widget.Importance
	Label               = widget.Label
	PopUp               = widget.PopUp
	PopUpMenu           = widget.PopUpMenu
	ProgressBar         = widget.ProgressBar
	ProgressBarInfinite = widget.ProgressBarInfinite
	RichText            = widget.RichText
	RichTextSegment     = widget.RichTextSegment
	RichTextStyle       = widget.RichTextStyle
	Separator           = widget.Separator
	Slider              = widget.Slider
	TextSegment         = widget.TextSegment
	ButtonAlign         = widget.ButtonAlign
)

// How much a control or a text stands out, and where a button has what.
const (
	MediumImportance  = widget.MediumImportance
	HighImportance    = widget.HighImportance
	LowImportance     = widget.LowImportance
	DangerImportance  = widget.DangerImportance
	WarningImportance = widget.WarningImportance
	SuccessImportance = widget.SuccessImportance

	ButtonAlignCenter      = widget.ButtonAlignCenter
	ButtonAlignLeading     = widget.ButtonAlignLeading
	ButtonAlignTrailing    = widget.ButtonAlignTrailing
	ButtonIconLeadingText  = widget.ButtonIconLeadingText
	ButtonIconTrailingText = widget.ButtonIconTrailingText
)

// The makers of what is as the toolkit has it.
var (
	NewAccordion           = widget.NewAccordion
	NewAccordionItem       = widget.NewAccordionItem
	NewCalendar            = widget.NewCalendar
	NewLabel               = widget.NewLabel
	NewLabelWithStyle      = widget.NewLabelWithStyle
	NewModalPopUp          = widget.NewModalPopUp
	NewPopUp               = widget.NewPopUp
	NewPopUpMenu           = widget.NewPopUpMenu
	NewProgressBar         = widget.NewProgressBar
	NewProgressBarInfinite = widget.NewProgressBarInfinite
	NewRichText            = widget.NewRichText
	NewSeparator           = widget.NewSeparator
	NewSimpleRenderer      = widget.NewSimpleRenderer
	NewSlider              = widget.NewSlider

	RichTextStyleCodeInline = widget.RichTextStyleCodeInline
	RichTextStyleInline     = widget.RichTextStyleInline
	RichTextStyleStrong     = widget.RichTextStyleStrong
)
