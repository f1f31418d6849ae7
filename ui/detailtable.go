package ui

import (
	"strings"

	"fyne.io/fyne/v2"

	"mcploupe/ui/rows"
	"mcploupe/ui/textview"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// factTable shows a table of names and values. The value of the selected row
// stands below it in whole.
type factTable struct {
	env   *Env
	list  *rows.View
	value *widget.Label
	box   *fyne.Container
	root  *fyne.Container
	facts view.Table
	show  func(seq uint64) // leads to an event, may be nil
}

// valueHeight bounds the value that is shown in whole.
const valueHeight = 84

func newFactTable(env *Env, show func(seq uint64)) *factTable {
	t := &factTable{env: env, show: show}
	t.list = rows.New(t.bind, nil)
	t.list.SetColumns(rows.Column{Title: "Name", Width: 190, Min: 60}, rows.Column{Title: "Value", Min: 80})
	t.list.ShowHeader(true)
	t.list.OnSelect = t.selected
	t.list.OnActivate = t.follow
	t.list.OnCopy = func() { t.copyValue(t.list.Current()) }
	t.list.OnMenu = t.menu
	t.value = widget.NewLabel("")
	t.value.Wrapping, t.value.Selectable = fyne.TextWrapBreak, true
	t.value.TextStyle.Monospace = true
	t.box = newClamp(t.value, valueHeight)
	t.box.Hide()
	t.root = widget.Border(nil, t.box, nil, nil, t.list)
	return t
}

func (t *factTable) object() fyne.CanvasObject { return t.root }

// set shows a table. The row with the same name as the one that was selected
// stays selected.
func (t *factTable) set(facts view.Table) {
	kept, row := view.TableRow{}, -1
	if i := t.list.Current(); i >= 0 && i < len(t.facts) {
		kept = t.facts[i]
	}
	first, hidden := t.list.Place()
	t.facts = facts
	t.list.Reset(len(facts))
	t.list.Invalidate()
	for i, f := range facts {
		if kept.Name != "" && f.Name == kept.Name {
			row = i
			break
		}
	}
	t.list.Select(row)
	t.list.SetPlace(first, hidden)
	t.selected(row)
}

func (t *factTable) bind(i int, row *rows.Row) {
	f := t.facts[i]
	if f.Section != "" {
		row.Ground = theme.ColorPanel
		row.Cells[0] = rows.Cell{Text: f.Section, Bold: true}
		return
	}
	row.Indent = 8
	row.Cells[0] = rows.Cell{Text: f.Name, Color: theme.ColorMuted}
	cell := rows.Cell{Text: f.Value, Mono: true}
	if f.Tone != view.Plain {
		cell.Color = toneName(f.Tone)
	}
	for _, tag := range f.Secrets {
		cell.Badges = append(cell.Badges, rows.Badge{Text: tag, Color: theme.ColorPending})
	}
	row.Cells[1] = cell
}

// selected shows the value of a row in whole.
func (t *factTable) selected(i int) {
	text := ""
	if i >= 0 && i < len(t.facts) {
		text = safe.Text(t.facts[i].Whole, 8<<10)
	}
	say(t.value, text)
	t.value.Show()
	setHidden(t.box, text == "")
}

// follow leads to the event of a row.
func (t *factTable) follow(i int) {
	if i >= 0 && i < len(t.facts) && t.facts[i].Seq != 0 && t.show != nil {
		t.show(t.facts[i].Seq)
	}
}

func (t *factTable) copyValue(i int) {
	if i >= 0 && i < len(t.facts) && t.facts[i].Section == "" {
		t.copied(t.facts[i].Whole)
	}
}

func (t *factTable) copied(text string) {
	textview.Copied(text)
	t.env.Notify("Copied")
}

func (t *factTable) menu(i int, at fyne.Position) {
	if i < 0 || i >= len(t.facts) {
		return
	}
	f := t.facts[i]
	var items []*fyne.MenuItem
	if f.Section == "" {
		items = append(items, fyne.NewMenuItem("Copy value", func() { t.copyValue(i) }),
			fyne.NewMenuItem("Copy name and value", func() { t.copied(f.Name + ": " + f.Whole) }))
	}
	if f.Seq != 0 && t.show != nil {
		items = append(items, fyne.NewMenuItem("Go to event", func() { t.follow(i) }))
	}
	items = append(items, fyne.NewMenuItem("Copy all", func() { t.copied(strings.TrimSuffix(t.facts.Text(), "\n")) }))
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), t.env.Window.Canvas(), at)
}
