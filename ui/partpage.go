package ui

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/textview"
	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// partPage shows one part of a result and offers what can be done with it.
type partPage struct {
	env *Env

	root    *fyne.Container
	actions *fyne.Container // stands where the owner puts it
	shown   *fyne.Container
	text    *textBox
	notes   *widget.Label
	noteBox *fyne.Container
	save    *widget.Button
	open    *widget.Button
	copy    *widget.Button
	follow  *widget.Button

	part view.Part
	here string // URI that was read, "" for none
	turn int    // of showing, so that a late picture is dropped
}

// notesHeight bounds what is said about a part.
const notesHeight = 62

func newPartPage(env *Env) *partPage {
	p := &partPage{env: env}
	p.follow = quiet("Read resource", fynetheme.MailForwardIcon(), func() { env.ReadResource(p.part.URI) })
	p.save = quiet("Save", fynetheme.DocumentSaveIcon(), func() { env.SaveFile(p.part.FileName, p.part.Data) })
	p.open = quiet("Open", fynetheme.FileIcon(), func() { env.OpenFile(p.part.FileName, p.part.Data) })
	p.copy = quiet("Copy", fynetheme.ContentCopyIcon(), func() {
		env.Clipboard.SetContent(string(p.part.Body))
		env.Notify("Copied")
	})
	p.actions = container.NewHBox(p.follow, p.open, p.save, p.copy)
	p.text = newTextBox("", env)
	p.notes = widget.NewLabel("")
	p.notes.Wrapping, p.notes.Importance, p.notes.Selectable = fyne.TextWrapWord, widget.LowImportance, true
	p.noteBox = newClamp(p.notes, notesHeight)
	p.shown = container.NewStack()
	p.root = widget.Border(nil, p.noteBox, nil, nil, p.shown)
	p.clear()
	return p
}

func (p *partPage) object() fyne.CanvasObject { return p.root }

// clear shows nothing.
func (p *partPage) clear() {
	p.turn++
	p.part = view.Part{}
	p.setNotes("")
	for _, b := range []*widget.Button{p.follow, p.save, p.open, p.copy} {
		b.Hide()
	}
	p.put()
	p.text.setBytes(nil, nil)
}

// show shows a part.
func (p *partPage) show(part view.Part) {
	p.turn++
	p.part = part
	p.setNotes(partNotes(part, ""))
	isFile := part.Kind == view.PartImage || part.Kind == view.PartFile
	setHidden(p.save, !isFile)
	setHidden(p.open, !isFile)
	setHidden(p.copy, isFile)
	setHidden(p.follow, part.URI == "" || part.URI == p.here || p.env.ReadResource == nil)
	p.actions.Refresh()
	switch part.Kind {
	case view.PartImage:
		p.showPicture()
	case view.PartFile:
		p.showText(part.Data, textview.Hex)
	case view.PartText:
		p.showText(part.Body, textview.Raw)
	default:
		p.showText(part.Body, textview.Pretty)
	}
}

// partNotes says in one paragraph what is known of a part.
func partNotes(part view.Part, first string) string {
	var words []string
	for _, w := range append([]string{first, part.Detail}, part.Notes...) {
		if w != "" {
			words = append(words, w)
		}
	}
	return strings.Join(words, "  ·  ")
}

func (p *partPage) setNotes(text string) {
	say(p.notes, safe.Text(text, 8<<10))
	p.notes.Show()
	setHidden(p.noteBox, text == "")
}

func (p *partPage) showText(b []byte, mode textview.Mode) {
	p.text.setBytes(b, p.part.Problems)
	p.text.text.SetMode(mode)
	p.put(p.text.view())
}

func (p *partPage) put(o ...fyne.CanvasObject) {
	if len(o) == 1 && len(p.shown.Objects) == 1 && p.shown.Objects[0] == o[0] {
		return
	}
	p.shown.Objects = o
	p.shown.Refresh()
}

// showPicture decodes in the background: a picture may be large.
func (p *partPage) showPicture() {
	turn, data := p.turn, p.part.Data
	wait := widget.NewLabel("Decoding the picture …")
	wait.Importance = widget.LowImportance
	p.put(wait)
	p.env.Go(func(context.Context) {
		picture, about, err := decodePicture(data)
		p.env.Do(func() {
			if turn != p.turn {
				return
			}
			if err != nil {
				p.showText(data, textview.Hex)
				p.setNotes(partNotes(p.part, "This is not a picture that can be drawn: "+err.Error()))
				return
			}
			p.put(drawn(picture))
			p.setNotes(partNotes(p.part, about))
		})
	})
}
