package ui

import (
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/rows"
	"mcploupe/ui/settings"
	"mcploupe/ui/theme"
	"mcploupe/ui/timeline"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// buildHead makes what stands above the rows, as the settings have it.
func (t *timelinePane) buildHead() {
	kept := t.page.u.cfg.Settings.Get().Window.Timeline
	t.timeMode = view.TimeMode(kept.Time)
	for _, m := range []view.Mode{view.Events, view.Exchanges} {
		t.columns[m] = view.Columns(m, kept.Columns)
		t.modes[m] = widget.NewButton([]string{"Events", "Exchanges"}[m], func() { t.chooseMode(m) })
	}
	if kept.Exchanges {
		t.mode = view.Exchanges
	}
	t.more = quiet("", fynetheme.MoreVerticalIcon(), func() {
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(t.more)
		t.showMenu(t.columnMenu(), at.AddXY(0, t.more.Size().Height))
	})
	t.whole = quiet("", fynetheme.ViewFullScreenIcon(), t.page.toggleWhole)
	t.strip = timeline.NewStrip()
	t.strip.OnJump, t.strip.OnBrush = t.jumpTo, t.brush
	t.strip.OnClear = func() { t.brush(0, 0) }
	t.strip.OnKey = t.page.u.typedKey
	t.noStrip = kept.NoStrip
	t.showModes()
	t.layColumns()
}

func (t *timelinePane) showModes() {
	for m, b := range t.modes {
		b.Importance = widget.LowImportance
		if view.Mode(m) == t.mode {
			b.Importance = widget.MediumImportance
		}
		b.Refresh()
	}
}

// chooseMode shows events or exchanges, and keeps that.
func (t *timelinePane) chooseMode(m view.Mode) {
	t.page.u.update(func(s *settings.Settings) { s.Window.Timeline.Exchanges = m == view.Exchanges })
	t.setMode(m)
}

// setMode shows events or exchanges. The selected event stays selected.
func (t *timelinePane) setMode(m view.Mode) {
	t.mode = m
	t.showModes()
	if t.line == nil {
		t.layColumns()
		return
	}
	t.hold(func() { t.line.SetMode(m) })
	t.layColumns()
	t.reselect()
	t.draw()
	t.said()
}

// layColumns puts the columns of the mode on the screen, as far as there is room
// for them.
func (t *timelinePane) layColumns() {
	var wanted []view.Column
	for _, c := range t.columns[t.mode] {
		if !c.Shown || c.Key == view.ColumnMark && t.markWidth == 0 {
			continue
		}
		switch c.Key {
		case view.ColumnTime:
			c.Title, c.Width = t.timeMode.Title(), max(c.Width, t.timeWidth)
		case view.ColumnNumber:
			c.Width = max(c.Width, t.numberWidth())
		case view.ColumnMark:
			c.Width = max(c.Width, t.markWidth)
		}
		wanted = append(wanted, c)
	}
	t.shown, t.noRoom = wanted, nil
	if room := t.list.ViewWidth(); room > 0 {
		t.shown, t.noRoom = view.Fitting(wanted, room/theme.Zoom())
	}
	var out []rows.Column
	for _, c := range t.shown {
		col := rows.Column{Title: c.Title, Width: c.Width, Min: c.Min}
		switch c.Key {
		case view.ColumnWaterfall:
			col.Title, col.End = t.axis.Texts()
		case view.ColumnDirection:
			col.Align = fyne.TextAlignCenter
		}
		if c.Flex {
			col.Width = 0
		}
		if c.Right {
			col.Align = fyne.TextAlignTrailing
		}
		if t.line != nil {
			if by, down := t.line.Sorted(); by == c.Key {
				col.Sort = 1
				if down {
					col.Sort = -1
				}
			}
		}
		out = append(out, col)
	}
	t.list.SetColumns(out...)
}

// columnRoom gives the rows their size, and columns back that there is room for
// again, or takes them.
type columnRoom struct{ t *timelinePane }

// Layout implements fyne.Layout.
func (l columnRoom) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	before := l.t.list.ViewWidth()
	objects[0].Resize(size)
	if l.t.list.ViewWidth() != before {
		l.t.layColumns()
	}
}

// MinSize implements fyne.Layout.
func (columnRoom) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }

// numberWidth is the room for the number of the newest event.
func (t *timelinePane) numberWidth() float32 {
	const perDigit, smallest = 8, 4
	return float32(perDigit*max(0, t.digits-smallest)) + view.NumberWidth
}

// widen makes room for the number and the time of the newest event, and for
// marks once there are any.
func (t *timelinePane) widen() {
	digits, width, marks := len(strconv.FormatUint(t.line.Log().Len(), 10)), t.line.TimeWidth(), t.line.MarkWidth()
	if digits != t.digits || width != t.timeWidth || marks != t.markWidth {
		t.digits, t.timeWidth, t.markWidth = digits, width, marks
		t.layColumns()
	}
}

func (t *timelinePane) shows(key view.ColumnKey) bool {
	for _, c := range t.shown {
		if c.Key == key {
			return true
		}
	}
	return false
}

// resized takes the widths that the person gave the columns.
func (t *timelinePane) resized(cols []rows.Column) {
	for n, c := range cols {
		for i := range t.columns[t.mode] {
			if own := &t.columns[t.mode][i]; own.Key == t.shown[n].Key && !own.Flex {
				own.Width = c.Width
			}
		}
	}
	t.keepColumns()
}

func (t *timelinePane) keepColumns() {
	t.page.u.update(func(s *settings.Settings) { view.KeepColumns(t.mode, t.columns[t.mode], &s.Window.Timeline) })
}

// showColumn shows a column of the mode or hides it.
func (t *timelinePane) showColumn(key view.ColumnKey, on bool) {
	for i := range t.columns[t.mode] {
		if c := &t.columns[t.mode][i]; c.Key == key {
			c.Shown = on
		}
	}
	t.keepColumns()
	t.layColumns()
	if key == view.ColumnWaterfall && on && t.split.Offset < roomyOffset {
		t.split.SetOffset(roomyOffset)
	}
	t.frame()
}

// roomyOffset is how much of the width the rows get for the waterfall.
const roomyOffset = 0.8

// sortBy sorts by a column that was clicked: up, then down, then as it came.
func (t *timelinePane) sortBy(col int) {
	if t.line == nil || !t.shown[col].Sorts {
		return
	}
	key := t.shown[col].Key
	switch by, down := t.line.Sorted(); {
	case by != key:
		t.sort(key, false)
	case !down:
		t.sort(key, true)
	default:
		t.sort("", false)
	}
}

// sort sorts by a column; "" is the order of arrival.
func (t *timelinePane) sort(key view.ColumnKey, down bool) {
	if key != "" {
		t.list.Follow(false)
	}
	t.hold(func() { t.line.Sort(key, down) })
	if key == "" && t.follow.Checked {
		t.list.Follow(true)
	}
	t.layColumns()
	t.draw()
	t.said()
}

func (t *timelinePane) sorted() bool {
	if t.line == nil {
		return false
	}
	by, _ := t.line.Sorted()
	return by != ""
}

// still reports whether no events come any more: nobody writes the recording.
func (t *timelinePane) still() bool {
	phase, _ := t.page.conn.Phase()
	return phase == view.File && !t.page.conn.Followed()
}

// sayFollow says why nothing is followed while the rows are sorted. Where
// nothing comes there is nothing to follow.
func (t *timelinePane) sayFollow() {
	setHidden(t.follow, t.still())
	text := "Follow"
	if t.sorted() {
		text = "Follow (off while sorted)"
	}
	if t.follow.Text != text {
		t.follow.SetText(text)
		if t.sorted() {
			t.follow.Disable()
		} else {
			t.follow.Enable()
		}
	}
}

func (t *timelinePane) showMenu(items []*fyne.MenuItem, at fyne.Position) {
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), t.page.u.win.Canvas(), at)
}

// columnMenu is the menu of the header.
func (t *timelinePane) columnMenu() []*fyne.MenuItem {
	checked := func(label string, on bool, do func()) *fyne.MenuItem {
		m := fyne.NewMenuItem(label, do)
		m.Checked = on
		return m
	}
	sub := func(label string, items []*fyne.MenuItem) *fyne.MenuItem {
		m := fyne.NewMenuItem(label, nil)
		m.ChildMenu = fyne.NewMenu("", items...)
		return m
	}
	var columns, times, orders []*fyne.MenuItem
	orders = append(orders, checked("As they came", !t.sorted(), func() { t.sort("", false) }))
	for _, c := range t.columns[t.mode] {
		if !c.Flex {
			word := c.Word
			if slices.Contains(t.noRoom, c.Key) {
				word += " (no room now)"
			}
			columns = append(columns, checked(word, c.Shown, func() { t.showColumn(c.Key, !c.Shown) }))
		}
		if c.Sorts && t.line != nil {
			by, down := t.line.Sorted()
			orders = append(orders,
				checked(c.Word+", up", by == c.Key && !down, func() { t.sort(c.Key, false) }),
				checked(c.Word+", down", by == c.Key && down, func() { t.sort(c.Key, true) }))
		}
	}
	for _, m := range view.TimeModes() {
		times = append(times, checked(m.Label, string(t.timeMode) == m.Value, func() { t.setTimeMode(view.TimeMode(m.Value)) }))
	}
	items := []*fyne.MenuItem{sub("Columns", columns), sub("Time", times), sub("Sort by", orders)}
	if t.mode == view.Exchanges {
		items = append(items, fyne.NewMenuItem("Open all exchanges   *", t.openAll), fyne.NewMenuItem("Close all exchanges   /", t.closeAll))
	}
	return append(items, fyne.NewMenuItemSeparator(),
		checked("Overview of the time", !t.noStrip, t.toggleStrip),
		fyne.NewMenuItem("Next mark   ]", func() { t.nextMark(false) }),
		fyne.NewMenuItem("Previous mark   [", func() { t.nextMark(true) }))
}

func (t *timelinePane) setTimeMode(m view.TimeMode) {
	t.timeMode = m
	t.page.u.update(func(s *settings.Settings) { s.Window.Timeline.Time = string(m) })
	if t.line != nil {
		t.line.SetTimeMode(m)
		t.widen()
	}
	t.layColumns()
}

func (t *timelinePane) toggleStrip() {
	t.noStrip = !t.noStrip
	t.page.u.update(func(s *settings.Settings) { s.Window.Timeline.NoStrip = t.noStrip })
	t.root.Refresh()
	if t.line != nil {
		t.draw()
	}
}

// saveColumns keeps the widths that the person gave the columns.
func (t *timelinePane) saveColumns(s *settings.Settings) {
	for _, m := range []view.Mode{view.Events, view.Exchanges} {
		view.KeepColumns(m, t.columns[m], &s.Window.Timeline)
	}
}

// title is a word with a capital letter.
func title(word string) string { return strings.ToUpper(word[:1]) + word[1:] }
