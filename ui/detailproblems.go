package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"mcploupe/ui/rows"
	"mcploupe/ui/textview"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// problemList lists the findings of an event above the text that they are
// about; selecting one goes to its place.
type problemList struct {
	env   *Env
	body  *textBox
	list  *rows.View
	words *widget.Label
	box   *fyne.Container
	split *container.Split
	found []view.ProblemRow
	fresh bool // the place of none was shown yet
}

func newProblemList(env *Env, body *textBox) *problemList {
	p := &problemList{env: env, body: body}
	p.list = rows.New(p.bind, nil)
	p.list.SetColumns(rows.Column{Title: "Rule", Width: 150, Min: 50}, rows.Column{Title: "Problem", Min: 80}, rows.Column{Title: "Where", Width: 100, Min: 50})
	p.list.ShowHeader(true)
	p.list.SetPlaceholder("No problems found in this event")
	p.list.OnSelect = p.selected
	p.list.OnActivate = func(i int) {
		p.selected(i)
		focusOn(p.body.text)
	}
	p.list.OnCopy = p.copy
	p.words = widget.NewLabel("")
	p.words.Wrapping, p.words.Selectable = fyne.TextWrapWord, true
	p.box = newClamp(p.words, valueHeight)
	p.box.Hide()
	p.split = container.NewVSplit(widget.Border(nil, p.box, nil, nil, p.list), container.NewStack())
	p.split.SetOffset(0.45)
	return p
}

// object is the list with the text below it, which is taken from where it was.
func (p *problemList) object() fyne.CanvasObject {
	p.split.Trailing = p.body.view()
	p.split.Refresh()
	return p.split
}

func (p *problemList) set(found []view.ProblemRow) {
	p.found = found
	p.list.Reset(len(found))
	p.list.Invalidate()
	if len(found) > 0 { // what is wrong is read without a click
		p.list.Select(0)
	}
	p.tell(p.list.Current())
	p.fresh = true
}

// reveal shows the place of the current problem, once for each event.
func (p *problemList) reveal() {
	if p.fresh {
		p.fresh = false
		p.selected(p.list.Current())
	}
}

func (p *problemList) bind(i int, row *rows.Row) {
	f := p.found[i]
	row.Cells[0] = rows.Cell{Glyph: toneGlyph(f.Tone), GlyphColor: toneName(f.Tone), Text: f.Rule, Mono: true}
	row.Cells[1] = rows.Cell{Text: f.Text}
	row.Cells[2] = rows.Cell{Text: f.Where, Mono: true, Color: theme.ColorMuted}
}

// tell says all of a problem.
func (p *problemList) tell(i int) {
	words := ""
	if i >= 0 && i < len(p.found) {
		f := p.found[i]
		if words = f.Text; f.Where != "" {
			words += "\n" + f.Where
		}
	}
	p.words.SetText(safe.Text(words, 2<<10))
	setHidden(p.box, words == "")
}

// selected says all of a problem and shows its place.
func (p *problemList) selected(i int) {
	p.tell(i)
	if i < 0 || i >= len(p.found) {
		return
	}
	f := p.found[i]
	p.body.closeInner(0)
	switch {
	case f.Offset >= 0:
		p.body.text.ShowOffset(f.Offset)
	case f.Pointer != "":
		if err := p.body.text.GoTo(f.Pointer); err != nil {
			p.env.Notify("The place " + safe.Line(f.Pointer, 100) + " is not in the text")
		}
	}
}

// selectAt selects the first problem at a place.
func (p *problemList) selectAt(offset int) {
	for i, f := range p.found {
		if f.Offset == offset {
			p.list.Choose(i)
			return
		}
	}
}

func (p *problemList) copy() {
	if i := p.list.Current(); i >= 0 && i < len(p.found) {
		f := p.found[i]
		textview.Copied(f.Rule + "  " + f.Where + "  " + f.Text)
		p.env.Notify("Copied")
	}
}

// tabOf is the tab of the list, with how many there are.
func (p *problemList) tabOf() stripTab {
	t := stripTab{Text: "Problems"}
	if n := len(p.found); n > 0 {
		t.Text += " " + human.Count(n)
		t.Glyph, t.Tone = "⚠", view.Caution
	}
	return t
}
