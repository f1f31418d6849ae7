package ui

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"mcploupe/ui/textview"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
)

// detailPane shows one event of the timeline.
type detailPane struct {
	page *connPage
	time *timelinePane

	root   *fyne.Container
	title  *widget.Label
	jumpTo *widget.Button
	copy   *widget.Button
	strip  *tabStrip
	at     int
	body   *textBox // pretty, raw and hex
	fields *textBox
	odd    *textBox
	stack  *fyne.Container
	empty  *widget.Label
	head   *fyne.Container

	want   uint64 // the event to show, 0 if none
	detail view.Detail
	loaded bool
}

// The tabs of an event.
const (
	docPretty = iota
	docRaw
	docHex
	docFields
	docProblems
	numDocs
)

// loadNow is the size up to which an event is read at once; bigger ones are
// read in the background.
const loadNow = 64 << 10

func newDetailPane(p *connPage, t *timelinePane) *detailPane {
	d := &detailPane{page: p, time: t}
	d.title = widget.NewLabel("")
	d.title.Truncation = fyne.TextTruncateEllipsis
	d.jumpTo = widget.NewButton("", d.jump)
	d.copy = widget.NewButtonWithIcon("", fynetheme.ContentCopyIcon(), d.copyBody)
	d.copy.Importance, d.jumpTo.Importance = widget.LowImportance, widget.LowImportance
	d.body, d.fields, d.odd = newTextBox("", p.env), newTextBox("", p.env), newTextBox("", p.env)
	d.strip = newTabStrip(d.showDoc, nil)
	d.stack = container.NewStack()
	d.empty = widget.NewLabelWithStyle("Select an event to see it", fyne.TextAlignCenter, fyne.TextStyle{})
	d.empty.Importance, d.empty.Wrapping = widget.LowImportance, fyne.TextWrapWord
	d.head = container.NewVBox(container.NewBorder(nil, nil, nil, container.NewHBox(d.jumpTo, d.copy), d.title), d.strip)
	d.root = container.NewBorder(d.head, nil, nil, nil, d.stack)
	d.clear()
	return d
}

func (d *detailPane) object() fyne.CanvasObject { return d.root }

// clear shows that nothing is selected.
func (d *detailPane) clear() {
	d.want, d.detail, d.loaded = 0, view.Detail{}, false
	for _, doc := range []*textBox{d.body, d.fields, d.odd} {
		doc.set("")
	}
	d.head.Hide()
	d.jumpTo.Hide()
	d.copy.Hide()
	d.stack.Objects = []fyne.CanvasObject{d.empty}
	d.root.Refresh()
}

// show loads an event and shows it.
func (d *detailPane) show(seq uint64) {
	if d.want == seq && d.loaded {
		return
	}
	d.want, d.loaded = seq, false
	d.head.Show()
	log := d.time.line.Log()
	if log.Head(seq).Size <= loadNow {
		d.put(view.LoadDetail(log, seq))
		return
	}
	d.title.SetText("Loading event " + human.Count(seq) + " …")
	d.page.conn.Go(func(context.Context) {
		detail, err := view.LoadDetail(log, seq)
		d.page.env.Do(func() {
			if d.want == seq && d.time.line.Log() == log {
				d.put(detail, err)
			}
		})
	})
}

func (d *detailPane) put(detail view.Detail, err error) {
	d.detail, d.loaded = detail, true
	if err != nil {
		d.title.SetText("This event cannot be read")
		d.body.setBytes([]byte(err.Error()), nil)
		return
	}
	d.title.SetText(detail.Title)
	d.jumpTo.Hidden = detail.Partner == 0
	d.jumpTo.SetText(d.jumpWord())
	d.copy.Show()
	d.body.setBytes(detail.Body, detail.Problems)
	d.fields.set(detail.Fields)
	d.odd.set(view.ProblemText(detail.Problems))
	d.showDoc(d.at)
	d.root.Refresh()
}

// refresh takes in that the answer to the shown request has come.
func (d *detailPane) refresh() {
	if !d.loaded || d.detail.Partner != 0 {
		return
	}
	if d.time.line.Log().Head(d.want).Partner != 0 {
		d.loaded = false
		d.show(d.want)
	}
}

func (d *detailPane) showDoc(i int) {
	d.at = i
	tabs := []stripTab{{Text: "Pretty"}, {Text: "Raw"}, {Text: "Hex"}, {Text: "Headers"}, {Text: "Problems"}}
	if n := len(d.detail.Problems); n > 0 {
		tabs[docProblems].Text += " " + human.Count(n)
		tabs[docProblems].Glyph, tabs[docProblems].Tone = "⚠", view.Caution
	}
	d.strip.Set(tabs, i)
	doc := d.body
	switch i {
	case docPretty:
		d.body.text.SetMode(textview.Pretty)
	case docRaw:
		d.body.text.SetMode(textview.Raw)
	case docHex:
		d.body.text.SetMode(textview.Hex)
	case docFields:
		doc = d.fields
	case docProblems:
		doc = d.odd
	}
	if len(d.stack.Objects) == 1 && d.stack.Objects[0] == doc.view() {
		return
	}
	d.stack.Objects = []fyne.CanvasObject{doc.view()}
	d.stack.Refresh()
}

func (d *detailPane) jumpWord() string {
	if d.detail.Request {
		return "Go to answer"
	}
	return "Go to request"
}

// jump selects the answer of a request, or the request of an answer.
func (d *detailPane) jump() {
	if d.detail.Partner != 0 {
		d.time.show(d.detail.Partner)
	}
}

func (d *detailPane) copyBody() {
	if d.loaded {
		d.page.u.copyText(string(d.detail.Body))
	}
}

// sendRaw puts the message into the free editor.
func (d *detailPane) sendRaw() {
	if d.loaded {
		d.page.sendRaw(string(d.detail.Body))
	}
}
