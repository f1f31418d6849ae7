package forms

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"mcploupe/ui/view/fields"
	"mcploupe/ui/view/safe"
)

// fileField takes bytes: as text, or from a file. A text that is too long for an
// entry is shown by its size.
type fileField struct {
	textField
	box    *fyne.Container
	brief  *link
	choose *flat
	name   string // of the file, while its text is the value
	text   string
}

func newFileField(b *box) *fileField {
	f := &fileField{}
	f.textField = *newTextField(b, fields.Entry)
	f.brief = newLink(b, "", "", f.ask)
	f.choose = newFlat("File…", "", theme.ColorNamePrimary, f.ask)
	f.choose.Hidden = b.v.opt.ChooseFile == nil
	f.box = container.New(&fileLayout{withButtons{[]*flat{f.choose}}}, f.entry, f.brief, f.choose)
	f.update()
	return f
}

// ask lets the person choose a file.
func (f *fileField) ask() {
	choose := f.b.v.opt.ChooseFile
	if choose == nil {
		return
	}
	n := f.b.node
	choose(func(name string, data []byte) {
		if n.Detached() {
			return
		}
		f.name, f.text = name, fields.FileText(n.Hints(), name, data)
		n.SetText(f.text)
		f.b.stale = true
		f.b.v.edited(n)
	})
}

func (f *fileField) object() fyne.CanvasObject { return f.box }

// big reports that the text is not for an entry.
func (f *fileField) big() bool { return len(f.b.node.Text()) > fields.EntryBytes || f.named() }

func (f *fileField) named() bool { return f.name != "" && f.text == f.b.node.Text() }

func (f *fileField) stop() fyne.Focusable {
	if f.big() {
		return f.brief
	}
	return f.entry
}

func (f *fileField) update() {
	n := f.b.node
	if !f.big() {
		f.entry.Show()
		f.brief.Hide()
		f.textField.update()
		if f.entry.PlaceHolder == "" {
			f.entry.placeholder(fields.FileEncoding(n.Hints()))
		}
		return
	}
	text := fields.FileBrief(n.Hints(), n.Text())
	if f.named() {
		text = safe.Line(f.name, 60) + " · " + text
	}
	f.brief.set(text)
	f.entry.show("")
	f.entry.Hide()
	f.brief.Show()
}

// fileLayout lays entry and brief into the same place.
type fileLayout struct{ withButtons }

// Layout implements fyne.Layout.
func (l *fileLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.withButtons.Layout(objects[:1], size)
	objects[1].Move(objects[0].Position())
	objects[1].Resize(objects[0].Size())
}
