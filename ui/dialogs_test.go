package ui

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"mcploupe/ui/settings"
)

func TestDialogsOpen(t *testing.T) {
	d := newDesk(t)
	address, err := url.Parse("https://h.example/a?b=c")
	if err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]func(){
		"open recording": d.chooseRecording,
		"choose a file":  func() { d.chooseFile(func(func(context.Context)) {}, func(string, []byte) {}) },
		"save":           func() { d.saveFile("../a\x00b", []byte("x")) },
		"about":          d.about,
		"filter help":    d.filterHelp,
		"keyboard help":  d.keyboardHelp,
		"address":        func() { d.openURL(address) },
		"refused":        func() { d.openURL(&url.URL{Scheme: "file", Path: "/etc/passwd"}) },
		"remove":         func() { d.removeServer(settings.Server{}) },
		"error":          func() { d.fail(strings.Repeat("W", 500), errors.New(strings.Repeat("word ", 5000))) },
	} {
		open()
		top := d.win.Canvas().Overlays().Top()
		if top == nil {
			t.Errorf("%s: no dialog", name)
			continue
		}
		if size := top.MinSize(); size.Width > 1000 || size.Height > 700 {
			t.Errorf("%s: the dialog needs %v", name, size)
		}
		d.win.Canvas().OnTypedKey()(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if d.win.Canvas().Overlays().Top() != nil {
			t.Errorf("%s: Escape does not close it", name)
			d.win.Canvas().Overlays().Remove(d.win.Canvas().Overlays().Top())
		}
	}
}

func TestFileNameLeadsNowhere(t *testing.T) {
	for in, want := range map[string]string{
		"a.png": "a.png", "../../etc/passwd": "_.._etc_passwd", "": "file", "..": "file", "a\x00b": "a‹NUL›b", "C:\\x": "C__x",
	} {
		if got := fileName(in); got != want {
			t.Errorf("fileName(%q) = %q, want %q", in, got, want)
		}
	}
}
