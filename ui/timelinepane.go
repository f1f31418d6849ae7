package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/pump"
	"mcploupe/ui/rows"
	"mcploupe/ui/theme"
	"mcploupe/ui/timeline"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// timelinePane is the list of events below the panes, with the event that is
// selected beside it.
type timelinePane struct {
	page *connPage
	line *view.Timeline // nil before there is a recording

	root      *fyne.Container
	filter    *filterBar
	find      *findBar
	fold      *widget.Button
	modes     [2]*widget.Button // by view.Mode
	follow    *widget.Check
	more      *widget.Button
	whole     *widget.Button // gives the timeline the page, or takes it back
	strip     *timeline.Strip
	list      *rows.View
	detail    *detailPane
	split     *container.Split
	mode      view.Mode
	columns   [2][]view.Column // by view.Mode
	shown     []view.Column    // on the screen
	noRoom    []view.ColumnKey // that are wanted and have no room there
	timeMode  view.TimeMode
	noStrip   bool      // the person wants none
	folded    bool      // nothing but the header line is shown
	digits    int       // that the first column has room for
	timeWidth float32   // that the column for times needs
	markWidth float32   // that the column for marks needs
	axis      view.Axis // of the waterfall
	drawn     int       // density that the strip shows
}

const detailOffset = 0.64

func newTimelinePane(p *connPage) *timelinePane {
	t := &timelinePane{page: p}
	t.filter = newFilterBar(p, t.setFilter, func() { p.u.win.Canvas().Focus(t.list) })
	t.follow = widget.NewCheck("Follow", t.setFollow)
	t.follow.Checked = true
	t.find = newFindBar(t)
	t.list = rows.New(t.bind, func(i int) uint64 { return t.line.RowKey(i) })
	t.list.ShowHeader(true)
	t.list.SetPlaceholder("Nothing has been sent or received yet")
	t.list.OnSelect = t.selected
	t.list.OnActivate = func(int) { t.detail.jump() }
	t.list.OnMenu = t.menu
	t.list.OnKey = t.key
	t.list.OnRune = t.rune
	t.list.OnHeader = t.sortBy
	t.list.OnHeaderMenu = func(_ int, at fyne.Position) { t.showMenu(t.columnMenu(), at) }
	t.list.OnFold = t.toggle
	t.list.OnHover = t.hovered
	t.list.Related = func(row int) bool { return t.line != nil && t.line.Related(row) }
	t.list.OnScrolled = t.frame
	t.list.OnCopy = func() { t.act(view.RowCopyJSON) }
	t.list.Multi = true
	t.list.OnFollow = t.followed
	t.list.OnColumns = t.resized
	t.list.Follow(true)
	t.detail = newDetailPane(p, t)
	t.fold = quiet("Timeline", nil, p.u.toggleTimeline)
	t.buildHead()
	bar := widget.Border(nil, nil, container.NewHBox(t.fold, t.modes[view.Events], t.modes[view.Exchanges]),
		container.NewHBox(t.follow, t.more, t.whole), t.filter.object())
	t.split = container.NewHSplit(container.New(columnRoom{t}, t.list), t.detail.object())
	p.env.splits.add("detail", t.split, detailOffset)
	t.root = container.New(&timelineLayout{t}, container.NewVBox(bar, widget.Border(nil, nil, nil, t.find.object(), t.filter.second())), t.strip, t.split)
	return t
}

func (t *timelinePane) object() fyne.CanvasObject { return t.root }

// refresh takes in what the recording gained.
func (t *timelinePane) refresh() {
	log := t.page.conn.Log()
	if log == nil {
		return
	}
	if t.line == nil || t.line.Log() != log {
		if t.line != nil {
			t.line.Close()
		}
		t.line = view.NewTimeline(log, t.page.conn.Go, t.page.bulk.Mark)
		t.line.SetMode(t.mode)
		t.line.SetTimeMode(t.timeMode)
		t.line.Start()
		t.drawn = 0
		t.detail.clear()
		if t.still() { // it is read from its beginning
			t.follow.Checked = false
			t.list.Follow(false)
		}
		t.line.SetFilter(t.filter.text())
		t.line.Take()
		t.list.Reset(t.line.Rows())
		t.said()
		t.widen()
		return
	}
	t.take()
	t.detail.refresh()
	t.said()
	t.widen()
}

// take takes in what is new. The rows in sight and the selected one stay where
// they are.
func (t *timelinePane) take() {
	t.hold(func() { t.line.Take() })
	t.draw()
}

// hold does something to the rows and puts those in sight and the selected one
// back in their place.
func (t *timelinePane) hold(change func()) {
	generation, moved := t.line.Generation(), t.line.Moved()
	first, hidden := t.list.Place()
	top := t.line.ID(first)
	change()
	switch {
	case t.line.Generation() != generation:
		t.list.Reset(t.line.Rows())
		t.reselect()
	case t.line.Moved() != moved:
		following := t.list.Following()
		t.list.Reset(t.line.Rows())
		if row, ok := t.line.RowOfID(t.line.SelectedID()); ok {
			t.list.Select(row)
		}
		if row, ok := t.line.RowOfID(top); ok && !following {
			t.list.SetPlace(row, hidden)
		}
	default:
		t.list.SetCount(t.line.Rows())
		if t.list.Current() < 0 { // the filter may have found it only now
			t.reselect()
		}
	}
}

// said brings the counts and the filter's problem up to date.
func (t *timelinePane) said() {
	t.filter.said(t.line)
	t.find.refresh()
	t.list.SetPlaceholder(t.placeholder())
	t.sayFollow()
}

func (t *timelinePane) placeholder() string {
	switch {
	case t.line.Rows() > 0:
	case t.filter.text() != "" && t.line.Searching():
		return "Nothing found yet"
	case t.filter.text() != "":
		if t.mode == view.Exchanges {
			return "No exchange passes the filter"
		}
		return "No event passes the filter"
	case t.mode == view.Exchanges && t.line.Log().Len() > 0:
		return "There is no request among the events yet"
	}
	return "Nothing has been sent or received yet"
}

// setText avoids the work of setting a label to what it says.
func setText(l *widget.Label, text string) {
	if l.Text != text {
		l.SetText(text)
	}
}

func (t *timelinePane) setFilter(text string) {
	if t.line == nil {
		return
	}
	t.hold(func() { t.line.SetFilter(text) })
	t.draw()
	t.said()
}

// reselect marks the selected event in the rows that a filter left.
func (t *timelinePane) reselect() {
	if row, ok := t.line.RowOfID(t.line.SelectedID()); ok {
		t.list.Select(row)
		t.list.Center(row)
	}
}

func (t *timelinePane) setFollow(on bool) {
	if on {
		t.list.Follow(true)
	} else {
		t.list.Pause()
	}
	t.pace()
}

// followed is told when scrolling ended or resumed the following.
func (t *timelinePane) followed(on bool) {
	if t.follow.Checked != on {
		t.follow.Checked = on
		t.follow.Refresh()
	}
	t.pace()
}

// pace draws less often while rows run by.
func (t *timelinePane) pace() {
	if t.list.Following() {
		t.page.bulk.SetInterval(pump.FollowTail)
	} else {
		t.page.bulk.SetInterval(pump.Standing)
	}
}

func (t *timelinePane) toggleFollow() { t.follow.SetChecked(!t.follow.Checked) }

// setFolded shows the header line alone, or the events as well.
func (t *timelinePane) setFolded(on bool) {
	if on {
		t.fold.SetIcon(fynetheme.MenuExpandIcon())
	} else {
		t.fold.SetIcon(fynetheme.MenuDropDownIcon())
	}
	t.folded = on
	setHidden(t.split, on)
	setHidden(t.filter.second(), on)
	setHidden(t.find.object(), on)
}

func (t *timelinePane) focusFilter() { t.filter.focus() }

// show selects an event and brings it into view, without the filter when that
// hides it.
func (t *timelinePane) show(seq uint64) {
	if t.line == nil || seq == 0 {
		return
	}
	t.take()
	row, ok := t.line.RowOf(seq)
	if !ok && t.filter.text() != "" {
		t.filter.setText("")
		row, ok = t.line.RowOf(seq)
	}
	if !ok && t.mode == view.Exchanges { // it belongs to none
		t.setMode(view.Events)
		row, ok = t.line.RowOf(seq)
	}
	if !ok {
		return
	}
	if t.line.Seq(row) != seq {
		t.setOpen(row, true)
		row, _ = t.line.RowOf(seq)
	}
	t.list.Pause()
	t.list.Select(row)
	t.list.Center(row)
	t.selected(row)
}

func (t *timelinePane) selected(row int) {
	t.line.Select(row)
	seq := t.line.Selected()
	t.list.Decorate()
	if seq == 0 {
		t.detail.clear()
		return
	}
	t.detail.show(seq)
}

func (t *timelinePane) menu(row int, at fyne.Position) {
	seq := t.line.Seq(row)
	if seq == 0 {
		return
	}
	if seq != t.line.Selected() { // of several, the one that was pointed at
		t.selected(row)
	}
	t.showMenu(append(t.actionItems(), t.markItems(row)...), at)
}

// bind fills a row.
func (t *timelinePane) bind(i int, r *rows.Row) {
	row := t.line.RowAt(i)
	for n := range t.shown {
		r.Cells[n] = t.cell(t.shown[n].Key, i, &row)
	}
	if row.Tone == view.Bad {
		r.Mark = theme.ColorFailed
	}
	if t.find.has(row.Seq) {
		r.Ground = theme.ColorHit
	}
}

// memberIndent is how far events stand to the right of their exchange.
const memberIndent = 22

func (t *timelinePane) cell(key view.ColumnKey, i int, row *view.Row) rows.Cell {
	muted := func(text string) rows.Cell { return rows.Cell{Text: text, Color: theme.ColorMuted} }
	switch key {
	case view.ColumnNumber:
		return muted(row.Number)
	case view.ColumnTime:
		return muted(row.Time)
	case view.ColumnDirection:
		return rows.Cell{Text: row.Arrow, Color: arrowColor(row.Arrow)}
	case view.ColumnMethod:
		c := rows.Cell{Text: row.What, Detail: row.Name}
		if row.Tone == view.Bad || row.Tone == view.Muted {
			c.Color = toneName(row.Tone)
		}
		if t.shows(view.ColumnName) {
			c.Detail = ""
		}
		switch {
		case row.Open:
			c.Fold = rows.Opened
		case row.Whole:
			c.Fold = rows.Closed
		case row.Member:
			c.Indent = memberIndent
		}
		return c
	case view.ColumnName:
		return rows.Cell{Text: row.Name}
	case view.ColumnChannel:
		return muted(row.Channel)
	case view.ColumnID:
		return muted(row.ID)
	case view.ColumnStatus:
		return rows.Cell{Glyph: row.Sign, GlyphColor: toneName(row.Tone), Text: row.Status, Color: toneName(row.Tone)}
	case view.ColumnTook:
		return muted(row.Took)
	case view.ColumnWaited:
		return muted(row.Waited)
	case view.ColumnEvents:
		return muted(row.Events)
	case view.ColumnSize:
		return muted(row.Size)
	case view.ColumnMark:
		sign, text := view.MarkSign(row.Mark)
		return rows.Cell{Glyph: sign, GlyphColor: timeline.MarkColor(row.Mark.Color), Text: text}
	case view.ColumnWaterfall:
		return rows.Cell{Bars: t.bars(i, row)}
	}
	return rows.Cell{}
}

// bars are a row's part of the waterfall.
func (t *timelinePane) bars(i int, row *view.Row) []rows.Bar {
	color := toneName(row.Tone)
	if color == "" || color == theme.ColorOK {
		color = arrowColor(row.Arrow)
	}
	var out []rows.Bar
	for _, b := range t.line.Bars(i, t.axis) {
		if b.To >= 0 && b.From <= 1 {
			out = append(out, rows.Bar{From: max(b.From, 0), To: min(b.To, 1), Color: color, Hollow: b.Waits})
		}
	}
	return out
}

func arrowColor(arrow string) fyne.ThemeColorName {
	switch arrow {
	case "→":
		return theme.ColorOut
	case "←":
		return theme.ColorIn
	}
	return theme.ColorMuted
}

// toneName is the colour name of a tone; "" is the foreground.
func toneName(t view.Tone) fyne.ThemeColorName {
	switch t {
	case view.Muted:
		return theme.ColorMuted
	case view.Good:
		return theme.ColorOK
	case view.Caution:
		return theme.ColorWarning
	case view.Bad:
		return theme.ColorFailed
	}
	return ""
}
