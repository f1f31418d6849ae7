package ui

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/rows"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// replayCalls is the list of what the recorded client did, with a box to tick for
// each and what came of it.
type replayCalls struct {
	page   *replayPage
	root   fyne.CanvasObject
	filter *keyedEntry
	list   *rows.View
	count  *widget.Label
	ticks  [3]*widget.Button
	at     int  // call that is shown
	drawn  int  // rows
	ran    bool // there is an outcome, or will be
	shown  []replayColumn
	call   int // under way when the list was drawn
	step   int // number of the message that waited then
}

func newReplayCalls(p *replayPage) *replayCalls {
	l := &replayCalls{page: p, at: -1, call: -1}
	l.filter = newKeyedEntry(l.filterKey)
	l.filter.SetPlaceHolder("filter: tools/call echo, -destructive, different …")
	l.filter.OnChanged = func(text string) {
		p.model.SetFilter(text)
		l.fill()
	}
	tick := func(do func()) func() {
		return func() {
			do()
			l.redraw()
		}
	}
	l.ticks = [3]*widget.Button{
		quiet("All", nil, tick(func() { p.model.TickAll(true) })),
		quiet("None", nil, tick(func() { p.model.TickAll(false) })),
		quiet("Usual", nil, tick(p.model.TickUsual)),
	}
	l.count = widget.NewLabel("")
	l.count.Importance, l.count.Truncation = widget.LowImportance, fyne.TextTruncateEllipsis
	l.list = rows.New(l.bind, nil)
	l.arrange()
	l.list.ShowHeader(true)
	l.list.SetPlaceholder("Nothing to show")
	l.list.OnSelect = func(i int) {
		if i >= 0 {
			l.at = p.model.Row(i).Call
			p.detail.show(l.at)
		}
	}
	l.list.OnFold = l.toggle
	l.list.OnActivate = l.toggle
	l.list.OnKey = func(k *fyne.KeyEvent) bool {
		if k.Name != fyne.KeySpace {
			return false
		}
		l.toggle(l.list.Current())
		return true
	}
	l.list.OnRune = func(r rune) {
		if r != ' ' {
			p.u.win.Canvas().Focus(l.filter)
			l.filter.TypedRune(r)
		}
	}
	head := widget.Border(nil, nil, nil, container.NewHBox(l.ticks[0], l.ticks[1], l.ticks[2]), l.filter)
	note := widget.NewLabel(view.FollowNote)
	note.Wrapping, note.Importance, note.SizeName = fyne.TextWrapWord, widget.LowImportance, fynetheme.SizeNameCaptionText
	l.root = widget.Border(container.NewVBox(head, l.count), note, nil, nil, container.New(replayRoom{l}, l.list))
	return l
}

// replayRoom gives the list its size, and the columns that there is room for.
type replayRoom struct{ l *replayCalls }

// Layout implements fyne.Layout.
func (r replayRoom) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Resize(size)
	r.l.arrange()
}

// MinSize implements fyne.Layout.
func (replayRoom) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }

// replayColumn is a column of the list.
type replayColumn uint8

// The columns.
const (
	replayEvent replayColumn = iota
	replayMessage
	replayTool
	replayOutcome
	replayTook
	replayTookNow
)

var replayColumns = []rows.Column{
	replayEvent: {Title: "Event", Width: 66}, replayMessage: {Title: "Message", Min: 110}, replayTool: {Title: "Tool", Width: 84}, replayOutcome: {Title: "Outcome", Width: 94},
	replayTook: {Title: "Took", Width: 60, Align: fyne.TextAlignTrailing}, replayTookNow: {Title: "Now", Width: 60, Align: fyne.TextAlignTrailing},
}

// roomForAll is the width from which on all columns are shown after a run.
const roomForAll = 820

// arrange shows the columns that say something: before a run what a tool may do,
// from then on what came of each message. The rest of the width is for what there
// is to know of it.
func (l *replayCalls) arrange() {
	shown := []replayColumn{replayEvent, replayMessage, replayTool}
	switch {
	case l.ran && l.list.ViewWidth() >= theme.Scaled(roomForAll):
		shown = append(shown, replayOutcome, replayTook, replayTookNow)
	case l.ran:
		shown = []replayColumn{replayEvent, replayMessage, replayOutcome, replayTook, replayTookNow}
	}
	if slices.Equal(shown, l.shown) {
		return
	}
	l.shown = shown
	columns := make([]rows.Column, len(shown))
	for i, c := range shown {
		columns[i] = replayColumns[c]
	}
	l.list.SetColumns(columns...)
}

func (l *replayCalls) filterKey(k *fyne.KeyEvent) bool {
	switch k.Name {
	case fyne.KeyDown, fyne.KeyReturn, fyne.KeyEnter:
		l.page.focusList()
	case fyne.KeyEscape:
		l.filter.SetText("")
		l.page.focusList()
	default:
		return false
	}
	return true
}

// focusList gives the keyboard to the list.
func (p *replayPage) focusList() { p.u.win.Canvas().Focus(p.list.list) }

func (l *replayCalls) toggle(row int) {
	if row >= 0 {
		l.page.model.Toggle(l.page.model.Row(row).Call)
		l.redraw()
	}
}

func (l *replayCalls) redraw() {
	l.list.Invalidate()
	setText(l.count, l.page.model.ChosenText())
}

// fill shows other rows.
func (l *replayCalls) fill() {
	l.drawn = l.page.model.Rows()
	l.list.Reset(l.drawn)
	if at := l.page.model.RowOf(l.at); at >= 0 {
		l.list.Select(at)
	}
	l.redraw()
}

// refresh brings the rows up to date and keeps the one under way in sight.
func (l *replayCalls) refresh(st view.ReplayState) {
	l.ran = st.Began
	l.arrange()
	busy := st.Phase.Busy()
	for _, b := range l.ticks {
		able(b, !busy)
	}
	if n := l.page.model.Rows(); n != l.drawn {
		l.fill()
	} else {
		l.redraw()
	}
	if st.Phase == view.ReplayRunning && st.Call >= 0 && st.Call != l.call {
		l.call = st.Call
		if at := l.page.model.RowOf(st.Call); at >= 0 {
			l.list.Reveal(at)
		}
	}
	if st.Step != nil && st.Step.Number != l.step {
		l.step = st.Step.Number
		if at := l.page.model.RowOf(st.Call); at >= 0 {
			l.list.Choose(at)
		}
	}
}

func (l *replayCalls) bind(i int, row *rows.Row) {
	r := l.page.model.Row(i)
	box := rows.Unticked
	switch {
	case r.Fixed:
		box = rows.NoFold
	case r.Ticked:
		box = rows.Ticked
	}
	color := fyne.ThemeColorName("")
	if !r.Ticked {
		color = theme.ColorMuted
	}
	row.Mark = toneName(r.Tone)
	if r.Glyph == "" {
		row.Mark = ""
	}
	for n, c := range l.shown {
		row.Cells[n] = l.cell(c, &r, box, color)
	}
}

// boxRoom is what a box to tick takes of its cell.
const boxRoom = 14

func (l *replayCalls) cell(c replayColumn, r *view.ReplayRow, box rows.Fold, color fyne.ThemeColorName) rows.Cell {
	switch c {
	case replayEvent:
		cell := rows.Cell{Fold: box, Text: r.Number, Color: theme.ColorMuted}
		if box == rows.NoFold {
			cell.Indent = theme.Scaled(boxRoom)
		}
		return cell
	case replayMessage:
		return rows.Cell{Text: strings.TrimSpace(r.Method + " " + r.Name), Color: color, Detail: r.Note}
	case replayTool:
		return rows.Cell{Text: r.Hint, Color: toneName(r.HintTone)}
	case replayOutcome:
		return rows.Cell{Glyph: r.Glyph, GlyphColor: toneName(r.Tone), Text: r.Word}
	case replayTook:
		return rows.Cell{Text: r.Before, Color: theme.ColorMuted}
	}
	return rows.Cell{Text: r.Now}
}
