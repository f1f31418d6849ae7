package textview

import (
	"strings"

	"fyne.io/fyne/v2"
)

// setClipboard puts s on the clipboard. The system's clipboard ends at a NUL and takes UTF-8 only, so NUL becomes its
// picture and broken bytes the replacement character.
func setClipboard(s string) {
	if s == "" {
		return
	}
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\x00", "␀")
	fyne.CurrentApp().Clipboard().SetContent(s)
}

// Copied puts s on the clipboard as the view does.
func Copied(s string) { setClipboard(s) }

func clipboard() string { return fyne.CurrentApp().Clipboard().Content() }
