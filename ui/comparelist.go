package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"mcploupe/ui/rows"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/widget"
)

// newList makes the left part.
func (b *compareBody) newList() fyne.CanvasObject {
	b.strip = container.New(&flowLayout{gap: 4})
	for _, w := range view.ChangeWeights {
		flip := func() {
			b.now.list.Toggle(w)
			b.relist()
		}
		b.chips[w] = newChip(w.Title(), flip, flip)
		b.strip.Add(b.chips[w])
	}
	b.filter = newKeyedEntry(func(k *fyne.KeyEvent) bool {
		switch k.Name {
		case fyne.KeyDown:
			b.list.Focus()
		case fyne.KeyEscape:
			if b.filter.Text == "" {
				b.list.Focus()
			}
			b.filter.SetText("")
		default:
			return b.key(k)
		}
		return true
	})
	b.filter.SetPlaceHolder("Filter changes")
	b.filter.OnChanged = func(text string) {
		if b.now != nil {
			b.now.list.SetFilter(text)
			b.relist()
		}
	}
	b.filter.OnSubmitted = func(string) {
		b.list.Focus()
		b.step(true)
	}
	var areas []string
	for _, a := range view.CompareAreas {
		areas = append(areas, a.Title())
	}
	b.area = widget.NewSelect(areas, func(title string) {
		for _, a := range view.CompareAreas {
			if a.Title() == title && b.now != nil {
				b.now.list.SetArea(a)
				b.relist()
			}
		}
	})
	b.area.Selected = areas[0]
	b.list = rows.New(b.bind, nil)
	b.list.OnSelect = b.choose
	b.list.OnActivate = func(i int) {
		if i >= 0 && b.now.list.Row(i).Heading {
			b.fold(i)
			return
		}
		b.text.focus()
	}
	b.list.OnFold = b.fold
	b.list.OnKey = b.key
	b.list.OnRune = b.typed
	b.list.OnMenu = func(i int, at fyne.Position) { b.text.ruleMenu(b.now.list.Row(i).Ref, at) }
	b.noneOf = widget.NewLabel("")
	b.noneOf.Wrapping, b.noneOf.Alignment, b.noneOf.Importance = fyne.TextWrapWord, fyne.TextAlignCenter, widget.LowImportance
	sign := widget.NewLabelWithStyle("✓  No difference", fyne.TextAlignCenter, fyne.TextStyle{Bold: true})
	sign.Importance = widget.SuccessImportance
	b.none = container.NewVBox(spacer(30), sign, b.noneOf)
	b.none.Hide()
	head := container.NewVBox(b.strip, widget.Border(nil, nil, nil, b.area, b.filter))
	return widget.Border(head, nil, nil, nil, container.NewStack(b.list, b.none))
}

// mark selects a row of the list and brings it into view, with its heading when
// that is the row above it.
func (b *compareBody) mark(at int) {
	b.list.Select(at)
	if at > 0 && b.now.list.Row(at-1).Heading {
		b.list.Reveal(at - 1)
	}
	b.list.Reveal(at)
	if at == 1 {
		b.list.SetPlace(0, 0)
	}
}

// relist brings the left list up to date.
func (b *compareBody) relist() {
	for _, w := range view.ChangeWeights {
		c := b.chips[w]
		label := w.Title() + " " + human.Count(b.now.list.Count(w))
		if c.label != label {
			c.label = label
			c.Refresh()
		}
		state := view.ChipOff
		if b.now.list.Shown(w) {
			state = view.ChipOn
		}
		c.set(state)
		setHidden(c, b.now.list.Count(w) == 0)
	}
	b.strip.Refresh()
	b.list.Reset(b.now.list.Len())
	if at := b.now.list.Find(b.text.ref); at >= 0 {
		b.mark(at)
	}
}

func (b *compareBody) bind(i int, row *rows.Row) {
	r := b.now.list.Row(i)
	if r.Heading {
		row.Ground = theme.ColorPanel
		row.Cells[0] = rows.Cell{Fold: rows.Opened, Glyph: r.Glyph, GlyphColor: toneName(r.Tone), Text: r.Title, Bold: true}
		if r.Folded {
			row.Cells[0].Fold = rows.Closed
		}
		return
	}
	row.Cells[0] = rows.Cell{Indent: 10, Glyph: r.Glyph, GlyphColor: toneName(r.Tone), Text: r.Title, Detail: r.Text}
}

func (b *compareBody) fold(i int) {
	w := b.now.list.Row(i).Weight
	b.now.list.Fold(w)
	b.relist()
	for i := range b.now.list.Len() {
		if r := b.now.list.Row(i); r.Heading && r.Weight == w {
			b.list.Select(i)
		}
	}
}

// step goes to the next change of the list, or the one before.
func (b *compareBody) step(forward bool) {
	if b.now == nil {
		return
	}
	at := b.now.list.Step(b.list.Current(), forward)
	if at < 0 {
		return
	}
	b.mark(at)
	b.choose(at)
}

// typed puts what is typed in a list into the filter.
func (b *compareBody) typed(r rune) {
	b.filter.SetText(b.filter.Text + string(r))
	b.p.u.win.Canvas().Focus(b.filter)
	b.filter.CursorColumn = len([]rune(b.filter.Text))
	b.filter.Refresh()
}
