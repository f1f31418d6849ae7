package ui

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/protocol"
	"mcploupe/ui/textview"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/widget"
)

// detailPane shows one event of the timeline. What the person chose stays when
// another event is shown: the tab, how the text is laid out and folded, what is
// searched.
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
	facts  *factTable
	timing *timingView
	odd    *problemList
	stack  *fyne.Container
	empty  *widget.Label
	head   *fyne.Container

	want   uint64 // the event to show, 0 if none
	detail view.Detail
	loaded bool
	timed  uint64 // the event whose timing is shown or asked for
}

// The tabs of an event.
const (
	docPretty = iota
	docRaw
	docHex
	docFields
	docTiming
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
	d.body = newTextBox("", p.env)
	d.body.text.SetMode(textview.Pretty)
	d.body.text.OnMode = func(m textview.Mode) { d.showDoc(int(m)) }
	d.body.text.OnProblem = func(problem protocol.Problem) {
		d.showDoc(docProblems)
		d.odd.selectAt(problem.Offset)
	}
	d.facts = newFactTable(p.env, t.show)
	d.timing = newTimingView(p.env, t.show)
	d.odd = newProblemList(p.env, d.body)
	d.strip = newTabStrip(d.choose, nil)
	d.stack = container.NewStack()
	d.empty = widget.NewLabelWithStyle("Select an event to see it", fyne.TextAlignCenter, fyne.TextStyle{})
	d.empty.Importance, d.empty.Wrapping = widget.LowImportance, fyne.TextWrapWord
	d.head = container.NewVBox(widget.Border(nil, nil, nil, container.NewHBox(d.jumpTo, d.copy, t.moreButton(fynetheme.MoreVerticalIcon())), d.title), d.strip)
	d.root = widget.Border(d.head, nil, nil, nil, d.stack)
	d.clear()
	return d
}

func (d *detailPane) object() fyne.CanvasObject { return d.root }

// clear shows that nothing is selected.
func (d *detailPane) clear() {
	d.want, d.detail, d.loaded, d.timed = 0, view.Detail{}, false, 0
	d.body.set("")
	d.facts.set(nil)
	d.timing.set(view.Timing{})
	d.odd.set(nil)
	d.head.Hide()
	d.jumpTo.Hide()
	d.copy.Hide()
	d.stack.Objects = []fyne.CanvasObject{d.empty}
	d.root.Refresh()
}

// show loads an event and shows it. Of a big one its beginning is shown at once,
// and the whole when it has been read and indexed in the background.
func (d *detailPane) show(seq uint64) {
	if d.want == seq && d.loaded {
		return
	}
	d.want, d.loaded, d.timed = seq, false, 0
	d.head.Show()
	log := d.time.line.Log()
	if log.Head(seq).Size <= loadNow {
		d.put(view.LoadDetail(log, seq))
		return
	}
	d.title.SetText("Loading event " + human.Count(seq) + " …")
	if first, ok := log.Beginning(seq, firstLook); ok {
		d.body.peek(first.Data)
		d.showDoc(d.at)
	}
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
		d.facts.set(nil)
		d.odd.set(nil)
		d.showDoc(d.at)
		return
	}
	d.title.SetText(detail.Title)
	d.jumpTo.Hidden = detail.Partner == 0
	d.jumpTo.SetText(d.jumpWord())
	d.copy.Show()
	d.body.setBytes(detail.Body, detail.Problems)
	d.facts.set(detail.Facts)
	d.odd.set(detail.Findings)
	d.showDoc(d.at)
	d.root.Refresh()
}

// marked takes in what was noted of the event; of a big one that is read when it
// is shown again.
func (d *detailPane) marked(seq uint64) {
	log := d.time.line.Log()
	if d.want != seq || !d.loaded || log.Head(seq).Size > loadNow {
		return
	}
	if detail, err := view.LoadDetail(log, seq); err == nil {
		d.detail.Facts = detail.Facts
		d.facts.set(detail.Facts)
	}
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

// choose shows a tab as the person does: another layout of the text is one of the
// message, not of what was opened from it.
func (d *detailPane) choose(i int) {
	if i <= docHex && d.at <= docHex {
		d.body.closeInner(0)
	}
	d.showDoc(i)
}

func (d *detailPane) showDoc(i int) {
	d.at = i
	d.strip.Set([]stripTab{{Text: "Pretty"}, {Text: "Raw"}, {Text: "Hex"}, {Text: "Headers"}, {Text: "Timing"}, d.odd.tabOf()}, i)
	doc := d.body.view()
	switch i {
	case docPretty, docRaw, docHex:
		d.body.text.SetMode(textview.Mode(i))
	case docFields:
		doc = d.facts.object()
	case docTiming:
		doc = d.timing.object()
		d.loadTiming()
	case docProblems:
		doc = d.odd.split
	}
	if len(d.stack.Objects) != 1 || d.stack.Objects[0] != doc {
		if i == docProblems {
			d.odd.object()
		}
		d.stack.Objects = []fyne.CanvasObject{doc}
		d.stack.Refresh()
	}
	if i == docProblems && d.loaded {
		d.odd.reveal()
	}
}

// loadTiming finds out in the background how the time of the event's exchange
// went, once the event is shown.
func (d *detailPane) loadTiming() {
	if !d.loaded || d.timed == d.want {
		return
	}
	seq, log := d.want, d.time.line.Log()
	d.timed = seq
	d.page.conn.Go(func(ctx context.Context) {
		timing := view.LoadTiming(ctx, log, seq)
		d.page.env.Do(func() {
			if d.timed == seq && d.time.line.Log() == log {
				d.timing.set(timing)
			}
		})
	})
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
