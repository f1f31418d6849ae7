package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/rows"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// catalogueList is the left side of a pane: a filter, how complete the listing
// is, and its entries.
type catalogueList struct {
	model    view.Catalogue
	onSelect func(e view.Entry, ok bool)

	root   *fyne.Container
	filter *keyedEntry
	count  *widget.Label
	note   *widget.Label
	list   *rows.View
	news   *listNews // nil where nothing can change
	head   *fyne.Container
}

// newCatalogueList makes a list. refresh reads it again from the server; it is nil
// when that cannot be done.
func newCatalogueList(what string, refresh func(), onSelect func(e view.Entry, ok bool)) *catalogueList {
	c := &catalogueList{onSelect: onSelect}
	again := func(k *fyne.KeyEvent) bool {
		if k.Name == fyne.KeyF5 && refresh != nil {
			refresh()
		}
		return k.Name == fyne.KeyF5
	}
	c.filter = newKeyedEntry(func(k *fyne.KeyEvent) bool {
		if k.Name == fyne.KeyDown {
			c.filter.OnSubmitted(c.filter.Text)
		}
		return k.Name == fyne.KeyDown || again(k)
	})
	c.filter.SetPlaceHolder("Filter " + what)
	c.filter.OnChanged = func(text string) {
		c.model.SetFilter(text)
		c.show()
	}
	c.filter.OnSubmitted = func(string) {
		if c.model.Len() > 0 {
			best := c.model.Best()
			c.list.Focus()
			c.list.Select(best)
			c.list.Reveal(best)
			c.choose(best)
		}
	}
	c.count, c.note = widget.NewLabel(""), widget.NewLabel("")
	c.count.Importance = widget.LowImportance
	c.note.Wrapping = fyne.TextWrapWord
	c.note.Hide()
	button := widget.NewButtonWithIcon("", fynetheme.ViewRefreshIcon(), refresh)
	button.Importance = widget.LowImportance
	setHidden(button, refresh == nil)
	c.list = rows.New(c.bind, func(i int) uint64 { return c.model.Turn()<<24 | uint64(i) })
	c.list.SetColumns(rows.Column{Title: "", Min: 80})
	c.list.OnSelect = c.choose
	c.list.OnKey = again
	c.list.OnRune = func(r rune) {
		c.filter.SetText(c.filter.Text + string(r))
		if canvas := fyne.CurrentApp().Driver().CanvasForObject(c.filter); canvas != nil {
			canvas.Focus(c.filter)
			c.filter.CursorColumn = len([]rune(c.filter.Text))
			c.filter.Refresh()
		}
	}
	c.head = container.New(&tightLayout{}, widget.Border(nil, nil, nil, container.NewHBox(c.count, button), c.filter), c.note)
	c.root = widget.Border(c.head, nil, nil, nil, c.list)
	return c
}

// follow says in the head how old the listing is and what changed in it.
func (c *catalogueList) follow(n *listNews) {
	c.news = n
	c.head.Add(n.root)
}

func (c *catalogueList) choose(i int) {
	c.model.Select(i)
	e, _, ok := c.model.Selected()
	c.onSelect(e, ok)
}

// set shows other entries; the selection stays where it was.
func (c *catalogueList) set(entries []view.Entry, note string, tone view.Tone) {
	c.model.Set(entries)
	c.note.SetText(note)
	c.note.Importance = widget.LowImportance
	if tone == view.Bad || tone == view.Caution {
		c.note.Importance = widget.WarningImportance
	}
	setHidden(c.note, note == "")
	row, hidden := c.list.Place()
	c.show()
	c.list.SetPlace(row, hidden) // a list that is read again does not jump
}

func (c *catalogueList) show() {
	c.count.SetText(c.model.Count())
	c.list.Reset(c.model.Len())
	_, row, ok := c.model.Selected()
	if ok && row >= 0 {
		c.list.Select(row)
	}
	c.list.SetPlaceholder("")
	if c.model.Total() > 0 && c.model.Len() == 0 {
		c.list.SetPlaceholder("Nothing matches the filter")
	}
}

func (c *catalogueList) bind(i int, row *rows.Row) {
	e := c.model.At(i)
	text, detail := e.Row()
	cell := rows.Cell{Text: text, Detail: detail}
	if e.Malformed {
		cell.Color = theme.ColorFailed
	}
	for _, b := range e.Badges {
		cell.Badges = append(cell.Badges, rows.Badge{Text: b.Text, Color: toneName(b.Tone)})
	}
	row.Cells[0] = cell
}

func (p *toolsPane) keyboard() fyne.Focusable     { return p.list.list }
func (p *promptsPane) keyboard() fyne.Focusable   { return p.list.list }
func (p *resourcesPane) keyboard() fyne.Focusable { return p.lists[p.at].list }
