package ui

import (
	"image"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/test"

	"mcploupe/session/sessiontest"
	"mcploupe/ui/difftext"
	"mcploupe/ui/textview"
	"mcploupe/ui/timeline"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// drive presses a key as the window does: the toolkit's own widgets are passed
// over where they would do nothing with it.
func (d *desk) drive(k fyne.KeyName) {
	d.t.Helper()
	if !widget.LeftOver(k) {
		d.press(k)
	}
}

// What has no use for F5 and Escape leaves them to the window, whatever it is.
func TestKeysAreLeftToTheWindow(t *testing.T) {
	d := newDesk(t)
	c := d.win.Canvas()
	var got []fyne.KeyName
	c.SetOnTypedKey(func(k *fyne.KeyEvent) { got = append(got, k.Name) })
	strip := timeline.NewStrip()
	strip.OnKey = c.OnTypedKey()
	radio := widget.NewRadioGroup([]string{"a", "b"}, nil)
	picture := newShownPicture(image.NewRGBA(image.Rect(0, 0, 2, 2)), func() {})
	for name, o := range map[string]fyne.CanvasObject{
		"a text": textview.New(), "an editor": textview.NewEditor(), "a comparison of texts": difftext.NewView(), "the strip of the timeline": strip,
		"a field with proposals": widget.NewSelectEntry([]string{"a"}), "a choice among few": radio, "a picture": picture,
		"a button": widget.NewButton("a", func() {}), "a field": widget.NewEntry(), "a check": widget.NewCheck("a", nil),
	} {
		d.body.Objects = []fyne.CanvasObject{o}
		d.body.Refresh()
		c.Unfocus()
		if f, ok := o.(fyne.Focusable); ok {
			c.Focus(f)
		} else {
			c.Focus(firstStop(c, o))
		}
		if c.Focused() == nil {
			t.Fatalf("%s does not take the keyboard", name)
		}
		for _, k := range []fyne.KeyName{fyne.KeyF5, fyne.KeyEscape} {
			if k == fyne.KeyEscape && (o == picture || name == "an editor") {
				continue // they are left by it
			}
			got = nil
			d.drive(k)
			if len(got) != 1 || got[0] != k {
				t.Errorf("%s: the window got %v of %s", name, got, k)
			}
		}
	}
}

// firstStop is the first thing within o that takes the keyboard.
func firstStop(c fyne.Canvas, o fyne.CanvasObject) fyne.Focusable {
	for _, part := range test.WidgetRenderer(o.(fyne.Widget)).Objects() {
		if f, ok := part.(fyne.Focusable); ok {
			return f
		}
	}
	return nil
}

// The dialog for files is the toolkit's: Escape closes it whichever of its parts
// has the keyboard.
func TestEscapeClosesTheFileDialog(t *testing.T) {
	d := newDesk(t)
	c := d.win.Canvas()
	for stop := range 5 {
		d.chooseRecording()
		if c.Overlays().Top() == nil {
			t.Fatal("no dialog")
		}
		for range stop + 1 {
			c.FocusNext()
		}
		if c.Focused() == nil {
			t.Fatalf("stop %d: nothing has the keyboard", stop)
		}
		at := c.Focused()
		if d.drive(fyne.KeyEscape); c.Overlays().Top() != nil {
			t.Fatalf("stop %d, %T: Escape does not close it", stop, at)
		}
	}
}

// Enter agrees to a question, but never to one that destroys something.
func TestEnterAnswersQuestions(t *testing.T) {
	for _, destroy := range []bool{false, true} {
		d := newDesk(t)
		answers := []bool{}
		ask := dialog.NewConfirm("T", "Text", func(yes bool) { answers = append(answers, yes) }, d.win)
		if destroy {
			destroys(ask, "Delete")
		}
		d.showDialog(ask, ask.MinSize())
		if d.drive(fyne.KeyReturn); len(answers) != 1 || answers[0] == destroy {
			t.Errorf("destroys %v: answered %v", destroy, answers)
		}
		if d.win.Canvas().Overlays().Top() != nil {
			t.Error("the question stays")
		}
	}
}

// Questions before something is gone for good do not have Enter agree.
func TestEnterDestroysNothing(t *testing.T) {
	d := newDesk(t)
	page := d.open(d.server("s", sessiontest.Server()), view.Connected)
	path := page.conn.Path()
	copyOf := filepath.Join(t.TempDir(), "other.mcp.jsonl")
	if err := os.WriteFile(copyOf, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := d.store.SaveFilter("mine", "dir:in"); err != nil {
		t.Fatal(err)
	}
	for name, ask := range map[string]func(){
		"remove a server":    func() { d.removeServer(d.store.Get().Servers[0]) },
		"delete a recording": func() { d.deleteRecording(copyOf) },
		"replace a file":     func() { d.withFile(path, func() { t.Error("replaced") }) },
		"delete a filter":    func() { page.time.filter.remove(d.store.Get().Filters.Saved[0]) },
	} {
		ask()
		if d.win.Canvas().Overlays().Top() == nil {
			t.Errorf("%s: no question", name)
			continue
		}
		if d.drive(fyne.KeyReturn); d.win.Canvas().Overlays().Top() != nil {
			t.Errorf("%s: Enter does nothing", name)
		}
	}
	if _, err := os.Stat(copyOf); err != nil || len(d.store.Get().Servers) == 0 || len(d.store.Get().Filters.Saved) == 0 {
		t.Errorf("something is gone: %v", err)
	}
}

// Tab passes over texts that can be selected with the mouse.
func TestTabPassesOverTexts(t *testing.T) {
	d := newDesk(t)
	c := d.win.Canvas()
	text := func() *widget.Label {
		l := widget.NewLabel("a")
		l.Selectable = true
		return l
	}
	one, two := widget.NewButton("1", nil), widget.NewEntry()
	d.win.SetContent(container.NewVBox(one, text(), text(), two, text()))
	for _, step := range []struct {
		back bool
		want fyne.Focusable
	}{{false, one}, {false, two}, {false, one}, {true, two}, {true, one}} {
		if step.back {
			c.FocusPrevious()
		} else {
			c.FocusNext()
		}
		if widget.Tabbed(step.back); c.Focused() != step.want {
			t.Fatalf("the keyboard is at %T, want %T", c.Focused(), step.want)
		}
	}
	d.win.SetContent(container.NewVBox(text(), text()))
	c.FocusNext()
	if widget.Tabbed(false); c.Focused() != nil {
		t.Errorf("a text has the keyboard: %T", c.Focused())
	}
}

// A link of the guide that Tab comes to is scrolled into view, and Enter follows
// it.
func TestTabShowsLinks(t *testing.T) {
	d := newDesk(t)
	c := d.win.Canvas()
	followed := false
	link := &widget.HyperlinkSegment{Text: "there", OnTapped: func() { followed = true }}
	tall := canvas.NewRectangle(nil)
	tall.SetMinSize(fyne.NewSize(10, 3000))
	scroll := container.NewVScroll(container.NewVBox(tall, widget.NewRichText(link)))
	d.win.SetContent(scroll)
	d.win.Resize(fyne.NewSize(400, 300))
	c.FocusNext()
	if widget.Tabbed(false); scroll.Offset.Y < 2700 {
		t.Errorf("scrolled to %v", scroll.Offset)
	}
	if d.drive(fyne.KeyReturn); !followed {
		t.Error("Enter does not follow the link")
	}
}
