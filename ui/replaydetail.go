package ui

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"mcploupe/protocol"
	"mcploupe/ui/measure"
	"mcploupe/ui/rows"
	"mcploupe/ui/textview"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// replayDetail shows what came of one call, and what came of the run.
type replayDetail struct {
	page  *replayPage
	root  *fyne.Container
	head  *fyne.Container
	high  float32 // of the head when it was laid out
	sign  *glyph
	title *widget.Label
	line  *widget.Label
	lines *fyne.Container // its place
	strip *tabStrip
	stage *fyne.Container
	at    int // of the parts

	detail    view.ReplayDetail
	questions []view.ReplayQuestion
	more      int
	diffs     *rows.View
	said      *widget.Label // the selected difference
	values    *rows.View
	before    [2]*textBox // request and answer
	now       [2]*textBox
	asked     *rows.View
	facts     *factGrid
	step      *replayStep
	parts     []fyne.CanvasObject
	call      int // that is shown, -1 for none
	read      [2]readSide
	ended     bool
}

// readSide is which messages are in the text views.
type readSide struct {
	call  int
	phase view.ReplayPhase
	word  string // what came of the call then
}

// The parts of the details.
const (
	replayDiffs = iota
	replayValues
	replayBefore
	replayNow
	replayAsked
	replaySummary
	replayNext
)

func newReplayDetail(p *replayPage) *replayDetail {
	d := &replayDetail{page: p, call: -1, sign: newGlyph("", view.Muted), facts: newFactGrid()}
	d.title = widget.NewLabelWithStyle("Select a message", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	d.line = widget.NewLabel("")
	d.title.Truncation, d.line.Wrapping, d.line.Selectable = fyne.TextTruncateEllipsis, fyne.TextWrapWord, true
	d.line.Importance = widget.LowImportance
	d.line.Hide()
	d.strip = newTabStrip(d.turn, nil)
	d.diffs = rows.New(d.bindDiff, nil)
	d.diffs.SetColumns(rows.Column{Title: "Where", Min: 100}, rows.Column{Title: "Recorded", Width: diffWidth}, rows.Column{Title: "Now", Width: diffWidth})
	d.diffs.ShowHeader(true)
	d.diffs.OnSelect = func(int) { d.whole() }
	d.said = widget.NewLabel("")
	d.said.Wrapping, d.said.Selectable = fyne.TextWrapBreak, true
	d.said.Hide()
	d.values = rows.New(d.bindValue, nil)
	d.values.SetColumns(rows.Column{Title: "What", Width: 100}, rows.Column{Title: "Where", Min: 80}, rows.Column{Title: "Recorded", Width: 96}, rows.Column{Title: "Now", Width: 96})
	d.values.ShowHeader(true)
	d.values.SetPlaceholder("No value was replaced")
	d.asked = rows.New(d.bindAsked, nil)
	d.asked.SetColumns(rows.Column{Title: "Asked", Width: 160}, rows.Column{Title: "About", Min: 100}, rows.Column{Title: "Answer", Width: 220})
	d.asked.ShowHeader(true)
	d.asked.SetPlaceholder("The server has asked nothing")
	box := func() (b [2]*textBox) {
		for i := range b {
			b[i] = newTextBox("", p.env)
			b[i].text.SetMode(textview.Pretty)
		}
		return b
	}
	d.before, d.now = box(), box()
	d.step = newReplayStep(p)
	pair := func(name string, b [2]*textBox) fyne.CanvasObject {
		split := container.NewVSplit(widget.Border(caption("Request"), nil, nil, nil, b[0].view()), widget.Border(caption("Answer"), nil, nil, nil, b[1].view()))
		p.env.splits.add(name, split, 0.4)
		return split
	}
	d.parts = []fyne.CanvasObject{widget.Border(nil, newClamp(d.said, 110), nil, nil, d.diffs), d.values, pair("replay before", d.before), pair("replay now", d.now), d.asked, container.NewVScroll(d.facts.box), d.step.root}
	d.stage = container.NewStack(d.parts[0])
	// The line is below the tabs, so that these stay where they are.
	d.lines = newClamp(d.line, valueHeight)
	d.lines.Hide()
	d.head = container.NewVBox(widget.Border(nil, nil, d.sign, nil, d.title), d.strip, widget.NewSeparator(), d.lines)
	d.root = widget.Border(d.head, nil, nil, nil, d.stage)
	d.titles()
	return d
}

// show shows a call.
func (d *replayDetail) show(call int) {
	if call == d.call {
		return
	}
	d.call = call
	if d.at == replayAsked || d.at == replaySummary {
		d.at = replayDiffs
	}
	d.refresh(d.page.model.State())
}

// refresh brings the part in sight up to date.
func (d *replayDetail) refresh(st view.ReplayState) {
	d.detail, _ = d.page.model.Detail(d.call)
	d.questions, d.more = d.page.model.Questions()
	recount(d.diffs, len(d.detail.Differences))
	recount(d.values, len(d.detail.Bindings))
	recount(d.asked, len(d.questions))
	if d.call >= 0 {
		d.sign.set(d.detail.Glyph, d.detail.Tone)
		setText(d.title, d.detail.Title)
	}
	say(d.line, d.detail.Line)
	setHidden(d.lines, d.detail.Line == "")
	switch fresh := d.step.take(st); {
	case fresh:
		d.at = replayNext
		if c := d.page.u.win.Canvas(); c.Focused() == nil {
			c.Focus(d.step.editor)
		}
	case d.at == replayNext && st.Step == nil && !st.Paused:
		d.at = replayDiffs
	case st.Phase == view.ReplayEnded && !d.ended && d.call < 0:
		d.at = replaySummary
	}
	d.ended = st.Phase == view.ReplayEnded
	d.turn(d.at)
	d.diffs.SetPlaceholder(d.detail.None)
	if high := d.head.MinSize().Height; high != d.high {
		d.high = high
		d.root.Refresh() // what is below makes room
	}
}

func (d *replayDetail) titles() {
	tabs := []stripTab{{Text: countedTitle("Differences", len(d.detail.Differences))}, {Text: countedTitle("Values", len(d.detail.Bindings))},
		{Text: "Recorded"}, {Text: "Now"}, {Text: countedTitle("Asked", len(d.questions)+d.more)}, {Text: "Summary"}}
	if d.step.waits {
		tabs = append(tabs, stripTab{Glyph: "‖", Tone: view.Caution, Text: "Next message"})
	}
	d.strip.Set(tabs, min(d.at, len(tabs)-1))
}

// turn shows one of the parts.
func (d *replayDetail) turn(at int) {
	if at == replayNext && !d.step.waits {
		at = replayDiffs
	}
	d.at = at
	d.titles()
	if d.stage.Objects[0] != d.parts[at] {
		d.stage.Objects[0] = d.parts[at]
		d.stage.Refresh()
	}
	switch at {
	case replayDiffs:
		d.whole()
	case replaySummary:
		d.facts.set(d.page.model.SummaryFacts())
	case replayBefore:
		d.load(0, d.before, view.RequestBefore, view.AnswerBefore)
	case replayNow:
		d.load(1, d.now, view.RequestNow, view.AnswerNow)
	}
}

// whole shows all of the selected difference below the list.
func (d *replayDetail) whole() {
	text := ""
	if i := d.diffs.Current(); i >= 0 && i < len(d.detail.Differences) {
		x := d.detail.Differences[i]
		text = x.Path + "\n" + x.Text
	}
	say(d.said, text)
}

// recount draws a list anew, with another number of rows.
func recount(list *rows.View, n int) {
	if list.Count() != n {
		list.Reset(n)
	}
	list.Invalidate()
}

// load reads the messages of the call in the background, unless they are in
// sight already.
func (d *replayDetail) load(side int, boxes [2]*textBox, parts ...view.ReplaySide) {
	want := readSide{call: d.call}
	if side == 1 {
		want.phase, want.word = d.page.phase, d.detail.Title
	}
	if d.call < 0 || d.read[side] == want {
		return
	}
	d.read[side] = want
	call := d.call
	d.page.model.Go(func(ctx context.Context) {
		for i, part := range parts {
			raw, problems, note := d.page.model.Message(ctx, call, part)
			d.page.u.cfg.Do(func() {
				if d.read[side] == want {
					put(boxes[i], raw, problems, note)
				}
			})
		}
	})
}

func put(box *textBox, raw []byte, problems []protocol.Problem, note string) {
	if note != "" {
		box.set(note)
		return
	}
	box.setBytes(raw, problems)
}

// diffWidth is the width of a value that differs, diffLead what a place shares its
// cell with.
const (
	diffWidth = 96
	diffLead  = 34
)

func (d *replayDetail) bindDiff(i int, row *rows.Row) {
	x := d.detail.Differences[i]
	font := measure.For(theme.Size(theme.SizeMono), fyne.TextStyle{Monospace: true})
	room := d.diffs.RowWidth() - 2*theme.Scaled(diffWidth) - theme.Scaled(diffLead)
	row.Cells[0] = rows.Cell{Glyph: x.Glyph, GlyphColor: toneName(x.Tone), Text: view.PathTail(x.Path, int(room/font.Rune('0'))), Mono: true}
	row.Cells[1] = rows.Cell{Text: x.Before, Mono: true}
	row.Cells[2] = rows.Cell{Text: x.After, Mono: true}
}

func (d *replayDetail) bindValue(i int, row *rows.Row) {
	b := d.detail.Bindings[i]
	row.Cells[0] = rows.Cell{Text: b.Kind}
	row.Cells[1] = rows.Cell{Text: b.Where, Mono: true, Color: theme.ColorMuted}
	row.Cells[2] = rows.Cell{Text: b.From, Mono: true}
	row.Cells[3] = rows.Cell{Text: b.To, Mono: true}
}

func (d *replayDetail) bindAsked(i int, row *rows.Row) {
	q := d.questions[i]
	row.Cells[0] = rows.Cell{Glyph: "✓", GlyphColor: toneName(view.Good), Text: q.Method}
	row.Cells[1] = rows.Cell{Text: q.About}
	row.Cells[2] = rows.Cell{Text: q.Answer, Mono: true}
	if q.Answer == "" {
		row.Cells[0].Glyph, row.Cells[0].GlyphColor = "?", toneName(view.Caution)
		row.Cells[2] = rows.Cell{Text: "asked of you: not in the recording"}
	}
}
