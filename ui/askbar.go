package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"mcploupe/protocol"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
)

// askBar says that the server asks, whatever pane is in front. It takes nothing
// away from what the person is doing.
type askBar struct {
	page  *connPage
	root  *fyne.Container
	back  *ground
	count *badgeRow
	text  *widget.Label
	shown view.AskBar
}

func newAskBar(p *connPage) *askBar {
	b := &askBar{page: p, count: newBadgeRow()}
	b.back = newGround(func() color.Color { return theme.Tint(toneColor(view.Caution)) })
	b.text = widget.NewLabelWithStyle("", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	b.text.Truncation = fyne.TextTruncateEllipsis
	show := widget.NewButton("Show", func() { p.showAsk(b.shown.First) })
	show.Importance = widget.HighImportance
	b.root = container.NewStack(b.back, container.NewBorder(nil, nil, container.NewPadded(b.count), show, b.text))
	b.root.Hide()
	return b
}

func (b *askBar) object() fyne.CanvasObject { return b.root }

// refresh shows the bar while something is asked and the tray is not in front.
func (b *askBar) refresh() {
	bar, asks := view.AskBarOf(b.page.conn.State())
	if phase, _ := b.page.conn.Phase(); !phase.Live() {
		asks = false
	}
	if _, tray := b.page.front().(*requestsPane); tray {
		asks = false
	}
	if asks && bar != b.shown {
		b.shown = bar
		b.count.set([]view.Badge{{Text: countedTitle("asks", bar.Count), Tone: view.Caution}})
		b.text.SetText(bar.Text)
	}
	if b.root.Hidden == asks {
		b.root.Hidden = !asks
		b.page.root.Refresh()
	}
}

// front is the pane that is seen, nil while the report covers them.
func (p *connPage) front() Pane {
	if p.reporting || p.at >= len(p.panes) {
		return nil
	}
	return p.panes[p.at]
}

// showAsk shows a question of the server in the tray.
func (p *connPage) showAsk(key uint64) {
	for i, pane := range p.panes {
		if tray, ok := pane.(*requestsPane); ok {
			tray.ShowAsk(key)
			p.showPane(i)
			p.flush()
			tray.focus()
			return
		}
	}
}

// entryShower is a pane that can show one of its entries by name.
type entryShower interface {
	shows(method string) bool
	ShowEntry(name string) bool
}

// showCall shows what a call was made from.
func (p *connPage) showCall(method, name string) {
	for i, pane := range p.panes {
		if s, ok := pane.(entryShower); ok && s.shows(method) {
			p.showPane(i)
			s.ShowEntry(name)
			return
		}
	}
	if method == protocol.MethodResourcesRead {
		p.readResource(name)
	}
}

// escape dismisses what the pane in front waits with, for Esc where no field
// has the keyboard.
func (p *connPage) escape() {
	if e, ok := p.front().(interface{ Escape() bool }); ok {
		e.Escape()
	}
}

func (p *toolsPane) shows(method string) bool { return method == protocol.MethodToolsCall }

// ShowEntry selects the tool with that name.
func (p *toolsPane) ShowEntry(name string) bool {
	return p.list.showEntry(view.EntryKey(name))
}

func (p *promptsPane) shows(method string) bool { return method == protocol.MethodPromptsGet }

// ShowEntry selects the prompt with that name.
func (p *promptsPane) ShowEntry(name string) bool {
	return p.list.showEntry(view.EntryKey(name))
}

// showEntry selects an entry by its key; a filter that hides it goes.
func (c *catalogueList) showEntry(key string) bool {
	c.model.SelectKey(key)
	e, row, ok := c.model.Selected()
	if !ok {
		return false
	}
	if row < 0 {
		c.filter.SetText("")
		_, row, _ = c.model.Selected()
	}
	c.show()
	c.list.Reveal(row)
	c.onSelect(e, true)
	return true
}
