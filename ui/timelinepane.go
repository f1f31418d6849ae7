package ui

import (
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"mcploupe/ui/pump"
	"mcploupe/ui/rows"
	"mcploupe/ui/settings"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
)

// timelinePane is the list of events below the panes, with the event that is
// selected beside it.
type timelinePane struct {
	page *connPage
	line *view.Timeline // nil before there is a recording

	root   *fyne.Container
	filter *filterBar
	fold   *widget.Button
	follow *widget.Check
	list   *rows.View
	detail *detailPane
	split  *container.Split
	widths []float32 // that the person gave, nil for none
	digits int       // that the first column has room for
}

const detailOffset = 0.64

// columns of the timeline. The one without a width takes the rest.
var timelineColumns = []rows.Column{
	{Title: "#", Width: 46, Align: fyne.TextAlignTrailing},
	{Title: "Time", Width: 68, Align: fyne.TextAlignTrailing},
	{Title: "", Width: 28, Align: fyne.TextAlignCenter},
	{Title: "Event", Min: 160},
	{Title: "Id", Width: 44},
	{Title: "Status", Width: 72},
	{Title: "Took", Width: 62, Align: fyne.TextAlignTrailing},
	{Title: "Size", Width: 60, Align: fyne.TextAlignTrailing},
}

func newTimelinePane(p *connPage) *timelinePane {
	t := &timelinePane{page: p}
	t.filter = newFilterBar(p, t.setFilter, func() { p.u.win.Canvas().Focus(t.list) })
	t.follow = widget.NewCheck("Follow", t.setFollow)
	t.follow.Checked = true
	t.list = rows.New(t.bind, func(i int) uint64 { return t.line.RowKey(i) })
	t.list.SetColumns(t.columns()...)
	t.list.ShowHeader(true)
	t.list.SetPlaceholder("Nothing has been sent or received yet")
	t.list.OnSelect = t.selected
	t.list.OnActivate = func(int) { t.detail.jump() }
	t.list.OnMenu = t.menu
	t.list.OnKey = func(e *fyne.KeyEvent) bool {
		if e.Name == fyne.KeyF5 || e.Name == fyne.KeyEscape {
			p.u.typedKey(e)
			return true
		}
		return false
	}
	t.list.OnCopy = func() { t.detail.copyBody() }
	t.list.OnFollow = t.followed
	t.list.OnColumns = func(cols []rows.Column) {
		t.widths = t.widths[:0]
		for _, c := range cols {
			t.widths = append(t.widths, c.Width)
		}
	}
	t.list.Follow(true)
	t.detail = newDetailPane(p, t)
	t.fold = quiet("Timeline", nil, p.u.toggleTimeline)
	bar := container.NewBorder(nil, nil, t.fold, t.follow, t.filter.object())
	t.split = container.NewHSplit(t.list, t.detail.object())
	p.env.splits.add("detail", t.split, detailOffset)
	t.root = container.NewBorder(container.NewVBox(bar, t.filter.second()), nil, nil, nil, t.split)
	return t
}

func (t *timelinePane) object() fyne.CanvasObject { return t.root }

// columns are the columns with the widths that the person gave them.
func (t *timelinePane) columns() []rows.Column {
	cols := append([]rows.Column(nil), timelineColumns...)
	if kept := t.page.u.cfg.Settings.Get().Window.Timeline; len(kept) == len(cols) {
		for i := range cols {
			if cols[i].Width > 0 && kept[i] > 0 {
				cols[i].Width = min(kept[i], 600)
			}
		}
	}
	return cols
}

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
		t.detail.clear()
		t.line.SetFilter(t.filter.text())
		t.line.Take()
		t.list.Reset(t.line.Rows())
		t.said()
		return
	}
	t.line.Take()
	t.list.SetCount(t.line.Rows())
	t.detail.refresh()
	t.said()
	t.widen()
}

// widen makes room for the number of the newest event.
func (t *timelinePane) widen() {
	const perDigit, smallest = 8, 4
	digits := len(strconv.FormatUint(t.line.Log().Len(), 10))
	if digits <= max(t.digits, smallest) || t.widths != nil {
		return
	}
	t.digits = digits
	cols := t.list.Columns()
	cols[0].Width = max(cols[0].Width, timelineColumns[0].Width+float32(perDigit*(digits-smallest)))
	t.list.SetColumns(cols...)
}

// said brings the counts and the filter's problem up to date.
func (t *timelinePane) said() {
	t.filter.said(t.line)
	if t.line.Rows() == 0 && t.filter.text() != "" {
		t.list.SetPlaceholder("No event passes the filter")
	} else {
		t.list.SetPlaceholder("Nothing has been sent or received yet")
	}
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
	before := t.line.Generation()
	t.line.SetFilter(text)
	if t.line.Generation() != before {
		t.line.Take()
		t.list.Reset(t.line.Rows())
		t.reselect()
	}
	t.said()
}

// reselect marks the selected event in the rows that a filter left.
func (t *timelinePane) reselect() {
	if row, ok := t.line.RowOf(t.line.Selected()); ok {
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
	setHidden(t.split, on)
	setHidden(t.filter.second(), on)
}

func (t *timelinePane) focusFilter() { t.filter.focus() }

// show selects an event and brings it into view, without the filter when that
// hides it.
func (t *timelinePane) show(seq uint64) {
	if t.line == nil || seq == 0 {
		return
	}
	t.line.Take()
	t.list.SetCount(t.line.Rows())
	row, ok := t.line.RowOf(seq)
	if !ok && t.filter.text() != "" {
		t.filter.setText("")
		row, ok = t.line.RowOf(seq)
	}
	if !ok {
		return
	}
	t.list.Pause()
	t.list.Select(row)
	t.list.Center(row)
	t.selected(row)
}

func (t *timelinePane) selected(row int) {
	seq := t.line.Seq(row)
	t.line.Select(seq)
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
	head := t.line.Log().Head(seq)
	d := t.detail
	items := []*fyne.MenuItem{fyne.NewMenuItem("Copy", d.copyBody)}
	if head.Partner != 0 {
		items = append(items, fyne.NewMenuItem(d.jumpWord(), d.jump))
	}
	if head.Method != "" {
		method := head.Method
		items = append(items, fyne.NewMenuItem("Only "+view.ShortMethod(method), func() { t.filter.setText(view.MethodFilter(method)) }))
	}
	if view.Resendable(head) {
		items = append(items, fyne.NewMenuItem("Edit in Raw", d.sendRaw))
	}
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), t.page.u.win.Canvas(), at)
}

// bind fills a row.
func (t *timelinePane) bind(i int, r *rows.Row) {
	row := t.line.Row(t.line.Seq(i))
	text, status := toneName(row.Tone), toneName(row.Tone)
	if row.Tone == view.Good || row.Tone == view.Caution {
		text = ""
	}
	r.Cells[0] = rows.Cell{Text: row.Number, Color: theme.ColorMuted}
	r.Cells[1] = rows.Cell{Text: row.Time, Color: theme.ColorMuted}
	r.Cells[2] = rows.Cell{Text: row.Arrow, Color: arrowColor(row.Arrow)}
	r.Cells[3] = rows.Cell{Text: row.What, Color: text, Detail: row.Name}
	r.Cells[4] = rows.Cell{Text: row.ID, Color: theme.ColorMuted}
	r.Cells[5] = rows.Cell{Text: row.Status, Color: status}
	r.Cells[6] = rows.Cell{Text: row.Took, Color: theme.ColorMuted}
	r.Cells[7] = rows.Cell{Text: row.Size, Color: theme.ColorMuted}
	if row.Tone == view.Bad {
		r.Mark = theme.ColorFailed
	}
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

// saveColumns keeps the widths that the person gave the columns.
func (t *timelinePane) saveColumns(s *settings.Settings) {
	if len(t.widths) > 0 {
		s.Window.Timeline = append([]float32(nil), t.widths...)
	}
}
