package ui

import (
	"bytes"
	"context"
	"encoding/base64"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"mcploupe/ui/textview"
	"mcploupe/ui/view/human"
)

// boxOn puts a text box on the desk's window.
func boxOn(d *desk) *textBox {
	env := &Env{
		Window: d.win, Do: d.cfg.Do, Clipboard: d.app.Clipboard(), SaveFile: d.saveFile, OpenFile: d.openFile, OpenURL: d.openURL,
		Go: func(f func(context.Context)) { d.work.Go(func() { f(d.t.Context()) }) }, Notify: d.notes.notify,
	}
	b := newTextBox("", env)
	b.text.SetMode(textview.Pretty)
	d.win.SetContent(b.view())
	d.win.Resize(fyne.NewSize(800, 600))
	return b
}

func picturePNG(t *testing.T, w, h int) string {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	m.Set(0, 0, color.White)
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// openAt opens the string at a pointer as the person does, by a key.
func (d *desk) openAt(v *textview.View, pointer string) {
	d.t.Helper()
	d.win.Canvas().Focus(v)
	if err := v.GoTo(pointer); err != nil {
		d.t.Fatalf("%s: %v", pointer, err)
	}
	v.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
}

// D79, D87, D93: what strings of a result hold is shown for what it is, one in another, with a way back.
func TestStringsOpenInTheirPlace(t *testing.T) {
	d := newDesk(t)
	b := boxOn(d)
	deep := `{"deeper":` + strconv.Quote(`{"n":9007199254740993,"t":"a\nb"}`) + `}`
	raw := `{"json":` + strconv.Quote(deep) + `,"image":{"data":"` + picturePNG(t, 40, 30) + `","mimeType":"image/png"},` +
		`"bad":{"data":"iVBORw0KGgoAAAA=","mimeType":"image/png"},"audio":{"data":"UklGRgAAAABXQVZFZm10IA==","mimeType":"audio/wav"}}`
	b.setBytes([]byte(raw), nil)
	d.openAt(b.text, "/json")
	d.await("the JSON", func() bool { return len(b.inner) == 1 && b.inner[0].data != nil })
	if in := b.inner[0]; string(in.data) != deep || in.text.Mode() != textview.Pretty || d.win.Canvas().Focused() != in.text {
		t.Errorf("shown %q as %s", in.data, in.text.Mode())
	}
	d.openAt(b.inner[0].text, "/deeper")
	d.await("the JSON inside", func() bool { return len(b.inner) == 2 && b.inner[1].data != nil })
	if s := texts(d.win.Content()); !strings.Contains(s, "9007199254740993") {
		t.Errorf("the number is not shown as sent:\n%s", s)
	}
	for left := 1; left >= 0; left-- {
		d.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if len(b.inner) != left {
			t.Fatalf("%d strings are open after Escape, want %d", len(b.inner), left)
		}
	}
	if d.win.Canvas().Focused() != b.text {
		t.Error("the keyboard is not back in the text")
	}

	d.openAt(b.text, "/image/data")
	d.await("the picture", func() bool { return len(b.inner) == 1 && b.inner[0].data != nil })
	if _, ok := b.inner[0].shown.Objects[0].(*shownPicture); !ok || !strings.Contains(b.inner[0].about.Text, "40 × 30") {
		t.Errorf("%q shows %T", b.inner[0].about.Text, b.inner[0].shown.Objects[0])
	}
	d.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if len(b.inner) != 0 {
		t.Error("Escape leads not back from a picture")
	}

	for _, pointer := range []string{"/bad/data", "/audio/data"} {
		d.openAt(b.text, pointer)
		d.await("the bytes", func() bool { return len(b.inner) == 1 && b.inner[0].data != nil })
		if in := b.inner[0]; in.text.Mode() != textview.Hex || in.save.Hidden || in.open.Hidden {
			t.Errorf("%s is shown as %s", pointer, in.text.Mode())
		}
		b.closeInner(0)
	}

	d.openAt(b.text, "/json")
	b.setBytes([]byte(`{"another":1}`), nil)
	d.queue.run()
	if len(b.inner) != 0 || b.stage.Objects[0] != b.finder.Object() {
		t.Error("a string of another text stays open")
	}
}

// A picture that claims to be larger than memory is not decoded; one larger than the screen is made smaller.
func TestPicturesAreBounded(t *testing.T) {
	data, err := base64.StdEncoding.DecodeString(picturePNG(t, 3000, 10))
	if err != nil {
		t.Fatal(err)
	}
	picture, about, err := decodePicture(data)
	if err != nil || picture.Bounds().Dx() != maxSide || !strings.Contains(about, human.Count(3000)+" × 10") {
		t.Errorf("%v %q %v", picture.Bounds(), about, err)
	}
	huge := bytes.Clone(data)
	copy(huge[16:24], []byte{0, 1, 0, 0, 0, 1, 0, 0}) // 65,536 by 65,536
	if _, _, err := decodePicture(huge); err == nil {
		t.Error("a picture of four thousand million pixels was decoded")
	}
}

func TestSaveDialog(t *testing.T) {
	d := newDesk(t)
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "there.txt"), []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.savedTo = dir
	var got string
	open := func() *saveDialog {
		s := d.askWhere("Save", "new.txt", func(path string) { got = path })
		d.await("the folder", func() bool { return len(s.found) > 0 })
		return s
	}
	s := open()
	if d.win.Canvas().Focused() != s.name {
		t.Fatal("the name has not got the keyboard")
	}
	d.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if d.win.Canvas().Overlays().Top() != nil || got != "" || len(d.dialogs) != 0 {
		t.Error("Escape in the name does not close the dialog")
	}

	s = open()
	if len(s.found) != 2 || !s.found[0].folder {
		t.Fatalf("found %+v", s.found)
	}
	for name, can := range map[string]bool{"": false, "a/b": false, "..": false, "sub": false, "there.txt": true, "x.txt": true} {
		if s.name.SetText(name); s.save.Disabled() == can {
			t.Errorf("%q can be saved: %v", name, !can)
		}
	}
	s.name.SetText("there.txt")
	if !strings.Contains(s.note.Text, "replaced") {
		t.Errorf("nothing is said about a file that is there: %q", s.note.Text)
	}
	s.activate(0)
	d.await("the folder in it", func() bool { return s.dir == filepath.Join(dir, "sub") && len(s.found) == 0 })
	s.name.SetText("x.txt")
	s.name.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if got != filepath.Join(dir, "sub", "x.txt") || d.win.Canvas().Overlays().Top() != nil {
		t.Errorf("saved to %q", got)
	}

	d.savedTo = dir
	d.saveFile("there.txt", []byte("new"))
	d.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	d.await("the file", func() bool {
		b, err := os.ReadFile(filepath.Join(dir, "there.txt"))
		return err == nil && string(b) == "new"
	})
	if left, _ := filepath.Glob(filepath.Join(dir, ".mcploupe-*")); len(left) != 0 {
		t.Errorf("left behind: %q", left)
	}
}

// How texts are broken and numbered is kept for those shown later.
func TestLookOfTextsIsKept(t *testing.T) {
	d := newDesk(t)
	env := &Env{Settings: d.store, Notify: func(string) {}}
	first := newTextBox("", env)
	first.text.TypedRune('w')
	first.text.TypedRune('n')
	if kept := d.store.Get().Window.Text; !kept.NoWrap || !kept.NoNumbers {
		t.Errorf("kept %+v", kept)
	}
	if next := newTextBox("", env); next.text.Wrap() || next.text.Numbers() {
		t.Error("the next text is shown otherwise")
	}
}
