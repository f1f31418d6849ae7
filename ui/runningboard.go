package ui

import (
	"cmp"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/rows"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// runBoard lists all running calls in a pop-up below the strip, with a reason
// for giving them up.
type runBoard struct {
	strip  *runStrip
	pop    *widget.PopUp
	list   *rows.View
	reason *keyedEntry
	way    *widget.Label
	show   *widget.Button
	locate *widget.Button
	stop   *widget.Button
	all    *widget.Button
	rows   []view.RunRow
	at     uint64 // key of the call that is selected
}

const (
	boardWidth = 760
	boardRows  = 8
)

func newRunBoard(s *runStrip) *runBoard {
	b := &runBoard{strip: s}
	b.list = rows.New(b.bind, nil)
	b.list.SetColumns(rows.Column{Title: "Call", Min: 120}, rows.Column{Title: "", Width: 90}, rows.Column{Title: "Progress", Width: 110}, rows.Column{Title: "Rate", Width: 80},
		rows.Column{Title: "Elapsed", Width: 86}, rows.Column{Title: "State", Width: 150})
	b.list.ShowHeader(true)
	b.list.OnSelect = func(i int) {
		if i >= 0 {
			b.at = b.rows[i].Key
			b.follow()
		}
	}
	b.list.OnActivate = func(int) { b.showSelected() }
	b.list.OnKey = func(e *fyne.KeyEvent) bool {
		if e.Name == fyne.KeyDelete {
			b.cancel(b.at)
			return true
		}
		return b.key(e)
	}
	b.reason = newKeyedEntry(b.key)
	b.reason.SetPlaceHolder("Reason, optional")
	b.reason.OnChanged = func(text string) { s.page.keepReason(safe.Line(text, 300)) }
	b.reason.OnSubmitted = func(string) { b.cancel(b.at) }
	b.way = widget.NewLabel("")
	b.way.Importance, b.way.Wrapping = widget.LowImportance, fyne.TextWrapWord
	b.show = quiet("Show the call", nil, b.showSelected)
	b.locate = quiet("In timeline", nil, func() {
		if r, ok := b.selected(); ok {
			b.hide()
			s.page.showEvent(r.Seq)
		}
	})
	b.stop = widget.NewButtonWithIcon("Cancel", fynetheme.CancelIcon(), func() { b.cancel(b.at) })
	b.all = widget.NewButton("Cancel all", func() {
		b.hide()
		s.page.cancelRunning()
	})
	foot := container.NewVBox(
		widget.Border(nil, nil, nil, container.NewHBox(b.stop, b.all), b.reason),
		widget.Border(nil, nil, nil, container.NewHBox(b.locate, b.show), b.way))
	b.pop = widget.NewPopUp(widget.Border(nil, foot, nil, nil, b.list), s.page.u.win.Canvas())
	b.pop.Hide()
	return b
}

// key closes the board on Escape.
func (b *runBoard) key(e *fyne.KeyEvent) bool {
	if e.Name == fyne.KeyEscape {
		b.hide()
		return true
	}
	return false
}

// open shows the board below the strip with a call selected, 0 for the oldest.
func (b *runBoard) open(key uint64) {
	rows := b.strip.runs.Rows()
	if len(rows) == 0 {
		return
	}
	b.reason.SetText(b.strip.page.u.cfg.Settings.Get().CancelReason)
	b.at = cmp.Or(key, rows[0].Key)
	c := b.strip.page.u.win.Canvas()
	height := b.list.RowHeight()*float32(min(max(len(rows), 3), boardRows)+1) + b.pop.Content.MinSize().Height
	size := fyne.NewSize(min(boardWidth, c.Size().Width-16), min(height, c.Size().Height/2))
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(b.strip.root)
	at.Y += b.strip.root.Size().Height
	at.X = max(8, min(at.X+b.strip.root.Size().Width-size.Width, c.Size().Width-size.Width-8))
	b.pop.Resize(size)
	b.pop.ShowAtPosition(at)
	b.refresh(rows)
	c.Focus(b.list)
}

func (b *runBoard) hide() { b.pop.Hide() }

// refresh shows the calls that run now; without any it closes.
func (b *runBoard) refresh(all []view.RunRow) {
	if !b.pop.Visible() {
		return
	}
	if len(all) == 0 {
		b.hide()
		return
	}
	b.rows = all
	if b.list.Count() != len(all) {
		b.list.Reset(len(all))
	} else {
		b.list.Invalidate()
	}
	at := 0
	for i, r := range all {
		if r.Key == b.at {
			at = i
		}
	}
	b.at = all[at].Key
	if b.list.Current() != at {
		b.list.Select(at)
	}
	b.follow()
}

// follow says what can be done with the call that is selected.
func (b *runBoard) follow() {
	r, ok := b.selected()
	if !ok {
		return
	}
	setText(b.way, r.Way)
	if b.reason.Disabled() == r.Reason {
		if r.Reason {
			b.reason.Enable()
		} else {
			b.reason.Disable()
		}
	}
	if all := "Cancel all " + human.Count(len(b.rows)); b.all.Text != all {
		b.all.SetText(all)
	}
	setHidden(b.all, len(b.rows) < 2)
}

func (b *runBoard) selected() (view.RunRow, bool) {
	for _, r := range b.rows {
		if r.Key == b.at {
			return r, true
		}
	}
	return view.RunRow{}, false
}

func (b *runBoard) showSelected() {
	if r, ok := b.selected(); ok {
		b.hide()
		b.strip.show(r)
	}
}

func (b *runBoard) cancel(key uint64) { b.strip.page.cancelCalls(key) }

func (b *runBoard) bind(i int, row *rows.Row) {
	r := b.rows[i]
	row.Mark = toneName(r.Tone)
	row.Cells[0] = rows.Cell{Glyph: r.Glyph, GlyphColor: toneName(r.Tone), Text: r.Title, Detail: r.Message}
	if r.Total {
		row.Cells[1].Bars = []rows.Bar{
			{From: 0, To: 1, Color: fynetheme.ColorNameInputBorder}, {From: 0, To: float32(r.Share), Color: fynetheme.ColorNamePrimary},
		}
	}
	row.Cells[2] = rows.Cell{Text: r.Count}
	row.Cells[3] = rows.Cell{Text: r.Rate, Color: theme.ColorMuted}
	row.Cells[4] = rows.Cell{Text: r.Elapsed}
	row.Cells[5] = rows.Cell{Text: cmp.Or(r.State, "running")}
	if r.Odd != "" {
		row.Cells[5].Badges = []rows.Badge{{Text: r.Odd, Color: toneName(view.Bad)}}
	}
}
