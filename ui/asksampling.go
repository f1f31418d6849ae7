package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	fynetheme "fyne.io/fyne/v2/theme"
	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/ui/rows"
	"mcploupe/ui/textview"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// samplingBody shows what a server wants of a model, and takes the answer of a
// person in its place (SAMP-02).
type samplingBody struct {
	page   *askPage
	ask    view.SamplingRequest
	answer *view.SamplingAnswer

	root   fyne.CanvasObject
	split  *container.Split
	share  float64 // of the list, if the bar was not moved
	list   *rows.View
	part   *partPage
	model  *askEntry
	stop   *widget.SelectEntry
	text   *textview.Editor
	json   *textview.Editor
	find   *textview.FindBar
	over   *widget.Label // why the fields are off
	canned *widget.Button
	fields *fyne.Container

	loaded  string // text of the answer that the editor shows
	setting bool
}

func newSamplingBody(page *askPage) *samplingBody {
	b := &samplingBody{page: page, ask: view.SamplingOf(page.draft.Ask.Params), answer: page.draft.Sampling}
	b.part = newPartPage(page.env)
	b.list = rows.New(b.bind, nil)
	b.list.SetColumns(rows.Column{Title: "", Width: 150, Min: 60}, rows.Column{Title: "", Min: 80})
	b.list.OnSelect = func(i int) {
		if i >= 0 {
			b.part.show(b.ask.Parts[i])
		}
	}
	b.list.SetPlaceholder("The request has no messages")
	b.list.Reset(len(b.ask.Parts))
	if n := len(b.ask.Parts); n > 0 {
		b.list.Select(0)
		b.part.show(b.ask.Parts[0])
	}
	var words []string
	for _, f := range b.ask.Facts {
		words = append(words, f.Label+": "+f.Value)
	}
	facts := widget.NewLabel(strings.Join(words, "   ·   "))
	facts.Wrapping, facts.Selectable, facts.Importance = fyne.TextWrapWord, true, widget.LowImportance
	lower := widget.Border(widget.Border(nil, nil, nil, b.part.actions), nil, nil, nil, b.part.object())
	b.split = container.NewVSplit(b.list, lower)
	b.share = min(0.18+0.06*float64(len(b.ask.Parts)), 0.5)
	b.root = widget.Border(newClamp(facts, askNotesHeight), nil, nil, nil, b.split)

	b.model = &askEntry{focused: func() {}, key: b.key}
	b.model.ExtendBaseWidget(b.model)
	b.model.OnChanged = func(string) { b.typed() }
	b.stop = widget.NewSelectEntry(view.StopReasons)
	b.stop.SetPlaceHolder("not sent")
	b.stop.OnChanged = func(string) { b.typed() }
	b.text = newAskEditor(page, b.typed)
	b.text.SetJSON(false)
	b.text.SetWrap(true)
	b.text.SetPlaceholder("What the model says")
	b.json = newAskEditor(page, func() {
		b.loaded = b.json.Text()
		b.answer.SetText(b.loaded)
		b.page.edited()
	})
	b.find = textview.NewFindBar(&b.json.View)
	b.over = widget.NewLabel("The JSON says more than these fields can. Edit it there, or start over with a canned answer.")
	b.over.Wrapping, b.over.Importance = fyne.TextWrapWord, widget.WarningImportance
	b.canned = widget.NewButtonWithIcon("Canned answers", fynetheme.MenuDropDownIcon(), b.choose)
	b.load()
	return b
}

func (b *samplingBody) key(name fyne.KeyName) bool {
	if name == fyne.KeyEscape {
		b.page.escape()
		return true
	}
	return false
}

func (b *samplingBody) object() fyne.CanvasObject { return b.root }

func (b *samplingBody) bind(i int, row *rows.Row) {
	p := b.ask.Parts[i]
	label, begins := view.PartRow(p)
	row.Cells[0] = rows.Cell{Text: label, Color: toneName(p.Tone)}
	row.Cells[1] = rows.Cell{Text: begins, Color: theme.ColorMuted}
}

func (b *samplingBody) pages() []askTab {
	grid := container.New(layout.NewFormLayout(), caption("Model"), b.model, caption("Stop reason"), b.stop)
	b.fields = widget.Border(container.NewVBox(b.over, grid, caption("Text of the assistant")), container.NewHBox(b.canned), nil, nil, b.text)
	format := quiet("Format", nil, func() { b.json.Format() })
	json := widget.Border(nil, container.NewHBox(format), nil, nil, b.find.Object())
	return []askTab{{title: "Answer", page: b.fields, shown: b.load}, {title: "JSON", page: json, shown: b.load}}
}

// load puts the answer into the fields and the editor.
func (b *samplingBody) load() {
	b.setting = true
	defer func() { b.setting = false }()
	f, simple := b.answer.Fields()
	if simple {
		if b.model.Text != f.Model {
			b.model.SetText(f.Model)
		}
		if b.stop.Text != f.StopReason {
			b.stop.SetText(f.StopReason)
		}
		if b.text.Text() != f.Text {
			b.text.SetText(f.Text)
		}
	}
	b.over.Hidden = simple
	b.text.SetReadOnly(!simple)
	for _, e := range []fyne.Disableable{b.model, b.stop} {
		if simple {
			e.Enable()
		} else {
			e.Disable()
		}
	}
	if text := b.answer.Text(); b.loaded != text { // laid out for the eye; what is sent stays as it is
		b.loaded = text
		b.json.SetText(string(protocol.Indent(jsontext.Value(text))))
	}
	if b.fields != nil {
		b.fields.Refresh()
	}
}

// typed takes what was filled in.
func (b *samplingBody) typed() {
	if b.setting {
		return
	}
	b.answer.SetFields(view.SamplingFields{Model: b.model.Text, StopReason: b.stop.Text, Text: b.text.Text()})
	b.page.edited()
}

// choose offers the canned answers.
func (b *samplingBody) choose() {
	var items []*fyne.MenuItem
	for _, c := range b.answer.Canned() {
		items = append(items, fyne.NewMenuItem(c.Title, func() {
			b.answer.Use(c)
			b.load()
			b.page.edited()
		}))
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(b.canned)
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), b.page.env.Window.Canvas(), at.AddXY(0, b.canned.Size().Height))
}

func (b *samplingBody) refresh() {}

func (b *samplingBody) focus() { b.page.env.Window.Canvas().Focus(b.text) }
