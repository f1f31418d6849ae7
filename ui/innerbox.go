package ui

import (
	"context"
	"image"
	"net/url"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/textview"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// maxInner bounds how many strings are opened one from another: JSON in a string
// of JSON in a string ends somewhere.
const maxInner = 16

// innerBox shows what a JSON string holds in the place of the text that it
// stands in: JSON and text as such, a picture, other bytes as hex.
type innerBox struct {
	box    *textBox
	text   *textview.View
	finder *textview.FindBar
	shown  *fyne.Container
	root   *fyne.Container
	about  *widget.Label
	copy   *widget.Button
	save   *widget.Button
	open   *widget.Button

	keys  bool   // the keyboard was in the text that it was opened from
	kind  string // what the string seems to be
	where string // its pointer
	data  []byte
}

// open shows what the string v of a text holds.
func (b *textBox) open(from *textview.View, v textview.Value, what textview.Content) {
	index := from.Index()
	if what.Inside == textview.Address {
		b.openAddress(index, v, what)
		return
	}
	if len(b.inner) >= maxInner {
		b.env.Notify("No deeper: so many strings in strings are open")
		return
	}
	level := len(b.inner)
	in := newInnerBox(b, v, what)
	c := b.env.Window.Canvas()
	if _, in.keys = c.Focused().(*textview.View); in.keys {
		c.Unfocus() // until there is something to give it to
	}
	b.inner = append(b.inner, in)
	b.showInner()
	turn := b.turn
	b.env.Go(func(context.Context) {
		data, err := index.Decode(v, what)
		var picture image.Image
		about := ""
		if err == nil && what.Inside == textview.Image {
			var bad error
			if picture, about, bad = decodePicture(data); bad != nil {
				about = "cannot be drawn: " + bad.Error()
			}
		}
		var built *textview.Index
		if err == nil && picture == nil {
			built, err = textview.Build(context.Background(), data)
		}
		b.env.Do(func() {
			if turn != b.turn || level >= len(b.inner) || b.inner[level] != in {
				return
			}
			if err != nil {
				in.say(err.Error())
				return
			}
			in.put(what, data, picture, built, about)
		})
	})
}

func (b *textBox) openAddress(index *textview.Index, v textview.Value, c textview.Content) {
	text, err := index.Decode(v, c)
	if err == nil {
		var address *url.URL
		if address, err = url.Parse(string(text)); err == nil {
			b.env.OpenURL(address)
			return
		}
	}
	b.env.Notify("This is not an address: " + safe.Line(err.Error(), 200))
}

// closeInner goes back until n strings are open.
func (b *textBox) closeInner(n int) {
	if len(b.inner) > n {
		clear(b.inner[n:])
		b.inner = b.inner[:n]
		b.showInner()
	}
}

// showInner shows the string that was opened last, or the text, and gives it the
// keyboard when the other had it.
func (b *textBox) showInner() {
	top, view := b.finder.Object(), b.text
	if n := len(b.inner); n > 0 {
		top, view = b.inner[n-1].root, b.inner[n-1].text
	}
	c := b.env.Window.Canvas()
	keys := false
	switch c.Focused().(type) {
	case *textview.View, *shownPicture:
		keys = true
	}
	b.stage.Objects = []fyne.CanvasObject{top}
	b.stage.Refresh()
	if keys {
		c.Focus(view)
	}
}

// shownPicture is a picture that takes the keyboard, for the keys that lead back.
type shownPicture struct {
	widget.BaseWidget
	picture fyne.CanvasObject
	back    func()
}

func newShownPicture(picture image.Image, back func()) *shownPicture {
	p := &shownPicture{picture: drawn(picture), back: back}
	p.ExtendBaseWidget(p)
	return p
}

// CreateRenderer implements fyne.Widget.
func (p *shownPicture) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(p.picture)
}

// TypedKey implements fyne.Focusable.
func (p *shownPicture) TypedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeyEscape || e.Name == fyne.KeyBackspace {
		p.back()
		return
	}
	widget.Leave(e)
}

// TypedRune implements fyne.Focusable.
func (p *shownPicture) TypedRune(rune) {}

// FocusGained implements fyne.Focusable.
func (p *shownPicture) FocusGained() {}

// FocusLost implements fyne.Focusable.
func (p *shownPicture) FocusLost() {}

func newInnerBox(b *textBox, v textview.Value, c textview.Content) *innerBox {
	level := len(b.inner)
	in := &innerBox{box: b, text: textview.New()}
	in.text.Run = b.env.run
	in.text.OnOpen = func(v textview.Value, c textview.Content) { b.open(in.text, v, c) }
	in.text.OnBack = func() { b.closeInner(level) }
	in.text.SetWrap(b.text.Wrap())
	in.text.SetNumbers(b.text.Numbers())
	in.text.OnLook = func() {
		b.text.SetWrap(in.text.Wrap())
		b.text.SetNumbers(in.text.Numbers())
		if b.text.OnLook != nil {
			b.text.OnLook()
		}
	}
	in.finder = textview.NewFindBar(in.text)
	name := c.FileName(v.Pointer)
	in.about = widget.NewLabel("")
	in.about.Truncation = fyne.TextTruncateEllipsis
	in.copy = quiet("Copy", fynetheme.ContentCopyIcon(), func() {
		textview.Copied(string(in.data))
		b.env.Notify("Copied")
	})
	in.save = quiet("Save", fynetheme.DocumentSaveIcon(), func() { b.env.SaveFile(name, in.data) })
	in.open = quiet("Open", fynetheme.FileIcon(), func() { b.env.OpenFile(name, in.data) })
	for _, button := range []*widget.Button{in.copy, in.save, in.open} {
		button.Hide()
	}
	back := quiet("Back", fynetheme.NavigateBackIcon(), func() { b.closeInner(level) })
	in.shown = container.NewStack()
	in.kind, in.where = c.Name, safe.Line(v.Pointer, 200)
	in.tell("")
	bar := widget.Border(nil, nil, back, container.NewHBox(in.open, in.save, in.copy), in.about)
	in.root = widget.Border(bar, nil, nil, nil, in.shown)
	in.say("Decoding …")
	return in
}

// tell says what is shown and where it stands.
func (in *innerBox) tell(facts string) {
	words := in.kind + facts
	if in.where != "" {
		words += "  ·  " + in.where
	}
	in.about.SetText(safe.Line(words, 400))
}

// say shows a sentence where the content would be.
func (in *innerBox) say(text string) {
	label := widget.NewLabel(safe.Text(text, 2<<10))
	label.Wrapping, label.Importance = fyne.TextWrapWord, widget.LowImportance
	in.shown.Objects = []fyne.CanvasObject{label}
	in.shown.Refresh()
}

// put shows what was decoded.
func (in *innerBox) put(c textview.Content, data []byte, picture image.Image, index *textview.Index, about string) {
	in.data = data
	words := "  ·  " + human.Bytes(int64(len(data)))
	if about != "" {
		words += "  ·  " + about
	}
	in.save.Show()
	bytes := c.Inside == textview.Image || c.Inside == textview.Audio || c.Inside == textview.Binary
	setHidden(in.open, !bytes)
	var keys fyne.Focusable = in.text
	switch {
	case picture != nil:
		p := newShownPicture(picture, in.text.OnBack)
		in.shown.Objects, keys = []fyne.CanvasObject{p}, p
	case bytes && !index.Text():
		in.text.SetMode(textview.Hex)
	default:
		in.copy.Show()
		if c.Inside == textview.Document && !index.JSON() {
			words += "  ·  not JSON: " + safe.Line(index.Err().Error(), 120)
		}
		if !index.JSON() {
			in.text.SetMode(textview.Raw)
		}
	}
	if picture == nil {
		in.text.SetIndex(index)
		in.shown.Objects = []fyne.CanvasObject{in.finder.Object()}
	}
	in.tell(words)
	in.root.Refresh()
	if c := in.box.env.Window.Canvas(); in.keys && c.Focused() == nil {
		c.Focus(keys)
	}
}
