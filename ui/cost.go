package ui

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/protocol"
	"mcploupe/ui/rows"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// costDialog shows what the definitions of a server cost the context of a model.
type costDialog struct {
	page  *connPage
	table *view.CostTable
	d     *dialog.CustomDialog
	list  *rows.View
	turn  uint64 // of orders
	note  *widget.Label
}

// whyNoCost says why there is nothing to weigh.
func whyNoCost(c *connPage) string {
	if c.conn.Lists() == nil {
		return "there are no listings yet"
	}
	return ""
}

// showCost weighs the listings in the background and shows the outcome.
func (p *connPage) showCost() {
	lists := p.conn.Lists()
	if lists == nil {
		p.u.notes.notify("Context cost: " + whyNoCost(p))
		return
	}
	instructions := p.conn.State().Server.Instructions
	p.conn.Go(func(context.Context) {
		table := view.NewCostTable(lists, instructions)
		p.env.Do(func() { newCostDialog(p, table) })
	})
}

func newCostDialog(p *connPage, table *view.CostTable) *costDialog {
	c := &costDialog{page: p, table: table}
	c.list = rows.New(c.bind, func(i int) uint64 { return c.turn<<32 | uint64(i) })
	c.columns()
	c.list.ShowHeader(true)
	c.list.SetPlaceholder("Nothing is listed")
	c.list.Zebra = true
	c.list.Reset(table.Len())
	c.list.OnHeader = func(col int) { c.sort(view.CostColumn(col)) }
	c.list.OnActivate = c.open
	c.list.OnSelect = c.tell
	c.list.OnRune = func(r rune) {
		if i := int(r - '1'); i >= 0 && i < len(view.CostTitles) {
			c.sort(view.CostColumn(i))
		}
	}
	c.list.OnKey = func(k *fyne.KeyEvent) bool {
		if k.Name == fyne.KeyEscape {
			c.d.Dismiss()
			return true
		}
		return false
	}
	c.list.OnCopy = func() { p.u.copyText(table.Markdown()) }
	summary := widget.NewLabelWithStyle(table.Summary(), fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	summary.Wrapping = fyne.TextWrapWord
	c.note = widget.NewLabel("")
	c.note.Truncation = fyne.TextTruncateEllipsis
	method := widget.NewLabel(view.CostMethod)
	method.Wrapping, method.Importance = fyne.TextWrapWord, widget.LowImportance
	method.SizeName = fynetheme.SizeNameCaptionText
	below := container.New(&tightLayout{}, c.note, method)
	c.d = dialog.NewCustomWithoutButtons(safe.Line("Context cost of "+p.conn.Title(), 60), widget.Border(summary, below, nil, nil, c.list), p.u.win)
	c.d.SetButtons([]fyne.CanvasObject{
		widget.NewButtonWithIcon("Copy as Markdown", fynetheme.ContentCopyIcon(), func() { p.u.copyText(table.Markdown()) }),
		widget.NewButtonWithIcon("Copy as CSV", fynetheme.ContentCopyIcon(), func() { p.u.copyText(table.CSV()) }),
		widget.NewButton("Close", c.d.Dismiss),
	})
	size := p.u.win.Canvas().Size()
	p.u.showDialog(c.d, fyne.NewSize(min(size.Width*0.92, 1200), size.Height*0.86))
	p.u.win.Canvas().Focus(c.list)
	if table.Len() > 0 {
		c.list.Choose(0)
	}
	return c
}

// columns names the columns and marks the one that orders them.
func (c *costDialog) columns() {
	widths := [...]float32{0, 150, 90, 100, 110, 120, 80, 80}
	cols := make([]rows.Column, len(view.CostTitles))
	order, up := c.table.Order()
	for i, title := range view.CostTitles {
		cols[i] = rows.Column{Title: title, Width: widths[i], Align: fyne.TextAlignTrailing}
		if view.CostColumn(i) == order {
			cols[i].Sort = -1
			if up {
				cols[i].Sort = 1
			}
		}
	}
	cols[view.CostName].Align, cols[view.CostName].Min = fyne.TextAlignLeading, 220
	cols[view.CostShare].Align = fyne.TextAlignLeading
	c.list.SetColumns(cols...)
}

func (c *costDialog) sort(by view.CostColumn) {
	c.table.Sort(by)
	c.turn++
	c.columns()
	c.list.Reset(c.table.Len())
	if c.table.Len() > 0 {
		c.list.Choose(0)
	}
}

func (c *costDialog) bind(i int, row *rows.Row) {
	r := c.table.At(i)
	for col := range row.Cells {
		row.Cells[col] = rows.Cell{Text: r.Cell(view.CostColumn(col))}
	}
	if r.Kind != view.CostTool {
		row.Cells[view.CostName].Detail = r.Kind.Word()
	}
	if r.Share > 0 {
		row.Cells[view.CostShare].Bars = []rows.Bar{{From: 0, To: float32(r.Share / c.table.MostShare()), Color: fynetheme.ColorNamePrimary}}
	}
	for _, col := range []view.CostColumn{view.CostDescription, view.CostInput, view.CostOutput, view.CostOther} {
		row.Cells[col].Color = theme.ColorMuted
	}
}

// tell says what makes the selected definition heavy.
func (c *costDialog) tell(i int) {
	if i < 0 {
		setText(c.note, "")
		return
	}
	setText(c.note, c.table.At(i).Line())
}

// open shows the definition in its listing.
func (c *costDialog) open(i int) {
	r := c.table.At(i)
	c.d.Dismiss()
	switch r.Kind {
	case view.CostTool:
		c.page.showListed(protocol.MethodToolsCall, r.Key)
	case view.CostPrompt:
		c.page.showListed(protocol.MethodPromptsGet, r.Key)
	case view.CostResource:
		c.page.showCall(protocol.MethodResourcesRead, r.Call)
	case view.CostTemplate:
		c.page.showTemplate(r.Key)
	case view.CostInstructions:
		c.page.showPane(0)
	}
}
