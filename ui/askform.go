package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/ui/forms"
	"mcploupe/ui/textview"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// formBody fills in the form of an elicitation, with its JSON beside it: two
// views of one value.
type formBody struct {
	page   *askPage
	value  *view.FormValue
	form   *forms.View
	json   *textview.Editor
	find   *textview.FindBar
	loaded string // text of the value that the editor shows
	note   *widget.Label
	drop   *widget.Button
	bar    *fyne.Container // over the form when the JSON cannot be shown as one
	root   *fyne.Container
}

func newFormBody(page *askPage) *formBody {
	b := &formBody{page: page, value: page.draft.Form}
	b.json = newAskEditor(page, func() {
		b.loaded = b.json.Text()
		b.value.SetText(b.loaded)
		if b.form != nil {
			b.form.Refresh()
		}
		b.edited()
	})
	b.find = textview.NewFindBar(&b.json.View)
	b.note = widget.NewLabel("")
	b.note.Wrapping, b.note.Importance = fyne.TextWrapWord, widget.WarningImportance
	b.drop = quiet("Discard what was written in the JSON", nil, func() {
		b.value.DropText()
		b.form.Refresh()
		b.load()
		b.edited()
	})
	b.bar = container.NewVBox(newClamp(b.note, aboutHeight), container.NewHBox(b.drop))
	if f := b.value.Form(); f != nil {
		b.form = forms.New(f, forms.Options{Clipboard: page.env.Clipboard, ChooseFile: page.env.ChooseFile, Now: page.env.Now, Run: page.env.run, Root: "answer"})
		b.form.OnChanged = func() {
			if page.tabShown("JSON") {
				b.load()
			}
			b.edited()
		}
		b.form.OnSubmit, b.form.OnEscape = page.accept, page.escape
		b.root = widget.Border(b.bar, nil, nil, nil, b.form.Object())
	} else {
		b.root = widget.Border(b.bar, nil, nil, nil, b.find.Object())
		b.load()
	}
	b.tell()
	return b
}

// newAskEditor is an editor whose Ctrl+Enter and Esc are those of the page.
func newAskEditor(page *askPage, edited func()) *textview.Editor {
	e := textview.NewEditor()
	e.Run = page.env.run
	page.env.keepLook(&e.View)
	e.OnChanged = edited
	e.OnEscape = page.escape
	return e
}

func (b *formBody) object() fyne.CanvasObject { return b.root }

func (b *formBody) pages() []askTab {
	if b.form == nil {
		return nil
	}
	format := quiet("Format", nil, func() { b.json.Format() })
	reset := quiet("Reset", fynetheme.ContentUndoIcon(), func() {
		b.value.Reset()
		b.form.Refresh()
		b.load()
		b.edited()
	})
	page := widget.Border(nil, container.NewHBox(reset, format), nil, nil, b.find.Object())
	return []askTab{{title: "JSON", page: page, shown: b.load}}
}

// load puts the value into the editor, laid out for the eye when it comes from
// the form. That is no edit: what is sent stays as it is.
func (b *formBody) load() {
	if text := b.value.Text(); b.loaded != text {
		b.loaded = text
		if b.form != nil && b.value.Broken() == "" {
			text = string(protocol.Indent(jsontext.Value(text)))
		}
		b.json.SetText(text)
	}
	b.mark()
}

// mark marks what is wrong in the JSON.
func (b *formBody) mark() { b.json.SetProblems(b.value.MarksIn(b.json.Text())) }

func (b *formBody) edited() {
	b.mark()
	b.tell()
	b.page.edited()
}

// tell says over the form why it does not show what would be sent.
func (b *formBody) tell() {
	text := b.value.Why()
	if broken := b.value.Broken(); broken != "" {
		text = "The JSON cannot be shown as a form: " + broken
	}
	setHidden(b.drop, b.value.Broken() == "")
	say(b.note, text)
	b.note.Show()
	if b.bar.Hidden == (text != "") {
		setHidden(b.bar, text == "")
		if b.root != nil {
			b.root.Refresh()
		}
	}
}

func (b *formBody) refresh() {}

// marks reports whether the form marks what is wrong at its fields.
func (b *formBody) marks() bool { return b.form != nil && b.value.Broken() == "" }

// reveal marks all that is wrong and goes to the first of it.
func (b *formBody) reveal() {
	b.form.ShowAll(true)
	b.form.Reveal(b.value.FirstProblem())
}

func (b *formBody) focus() {
	if b.form != nil {
		b.form.FocusFirst()
		return
	}
	b.page.env.Window.Canvas().Focus(b.json)
}

// readingBody stands in the place of a form whose schema is still being read.
type readingBody struct{ root fyne.CanvasObject }

func newReadingBody() *readingBody {
	return &readingBody{container.NewVBox(caption("Reading the schema …"))}
}

func (b *readingBody) object() fyne.CanvasObject { return b.root }
func (b *readingBody) pages() []askTab           { return nil }
func (b *readingBody) refresh()                  {}
func (b *readingBody) focus()                    {}

// jsonBody answers with JSON: for what has no form.
type jsonBody struct {
	page *askPage
	json *textview.Editor
	root fyne.CanvasObject
}

func newJSONBody(page *askPage) *jsonBody {
	b := &jsonBody{page: page}
	b.json = newAskEditor(page, func() {
		page.draft.Raw.Set(b.json.Text())
		page.edited()
	})
	b.json.SetText(page.draft.Raw.Text())
	finder := textview.NewFindBar(&b.json.View)
	b.root = widget.Border(caption("The result to answer with"), nil, nil, nil, finder.Object())
	return b
}

func (b *jsonBody) object() fyne.CanvasObject { return b.root }

func (b *jsonBody) pages() []askTab { return []askTab{paramsTab(b.page)} }

func (b *jsonBody) refresh() {}

func (b *jsonBody) focus() { b.page.env.Window.Canvas().Focus(b.json) }
