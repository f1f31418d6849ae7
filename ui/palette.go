package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/settings"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/widget"
)

// palette finds everything in the window by its name: one field and what it
// matches below, above the rest of the window. The keyboard stays in the field.
type palette struct {
	u     *UI
	model view.Palette
	cache paletteCache

	pop   *widget.PopUp // nil while it is closed
	query *keyedEntry
	list  *paletteRows
	none  *fyne.Container // over the list while it is empty
	note  *widget.Label
}

// The size of the palette, in a window that has room for it.
const (
	paletteWidth  = 760
	paletteHeight = 460
	paletteTop    = 64 // below the field that opens it
	paletteField  = 230
)

func newPalette(u *UI) *palette {
	p := &palette{u: u}
	p.query = newKeyedEntry(p.key)
	p.query.SetPlaceHolder("An action, server, tool, resource, prompt, recording, tab, setting or page of the guide")
	p.query.OnChanged = func(text string) {
		p.model.SetQuery(text)
		p.show()
	}
	p.list = newPaletteRows(&p.model, p.take)
	p.list.onMove = p.tell
	none := widget.NewLabel("Nothing is called like that")
	none.Importance = widget.LowImportance
	p.none = container.NewCenter(none)
	p.note = widget.NewLabel("")
	p.note.Truncation, p.note.Importance = fyne.TextTruncateEllipsis, widget.LowImportance
	return p
}

// toggle opens the palette, or closes it.
func (p *palette) toggle() {
	if p.pop != nil {
		p.close()
		return
	}
	if len(p.u.dialogs) > 0 {
		return // what it would do lies behind the dialog
	}
	p.model = view.Palette{}
	p.model.Set(p.u.cfg.Settings.Get().Chosen, p.u.paletteLists(&p.cache)...)
	content := widget.Border(p.query, p.note, nil, nil, p.list, p.none)
	c := p.u.win.Canvas()
	p.pop = widget.NewPopUp(container.NewPadded(content), c)
	p.query.SetText("")
	p.place()
	p.show()
	c.Focus(p.query)
}

// place fits the palette into the window.
func (p *palette) place() {
	if p.pop == nil {
		return
	}
	room := p.u.win.Canvas().Size()
	top := theme.Scaled(paletteTop)
	size := fyne.NewSize(min(theme.Scaled(paletteWidth), room.Width-2*fynetheme.Padding()), min(theme.Scaled(paletteHeight), room.Height-top-2*fynetheme.Padding()))
	p.pop.ShowAtPosition(fyne.NewPos((room.Width-size.Width)/2, top))
	p.pop.Resize(size)
}

// close gives the keyboard back to what had it.
func (p *palette) close() {
	if p.pop != nil {
		p.pop.Hide()
		p.pop = nil
		p.model = view.Palette{} // what it lists may go
		p.list.reset()
	}
}

// open reports whether the palette is shown.
func (p *palette) open() bool { return p.pop != nil && p.pop.Visible() }

// show brings rows and note up to date with what is typed.
func (p *palette) show() {
	p.list.reset()
	p.tell()
}

// tell says how much there is, or why the entry that is chosen cannot be taken.
func (p *palette) tell() {
	text := human.Count(p.model.Len()) + " of " + human.Count(p.model.Total())
	if p.model.Query() == "" {
		text = human.Plural(p.model.Total(), "entry", "entries")
	}
	text += "   ·   arrows choose, Enter takes, Esc closes"
	at := p.model.Chosen()
	if at >= 0 && p.model.At(at).Why != "" {
		text = "Not now: " + p.model.At(at).Why
	}
	setText(p.note, text)
	setHidden(p.none, at >= 0)
}

// key takes the keys of the field.
func (p *palette) key(k *fyne.KeyEvent) bool {
	switch k.Name {
	case fyne.KeyEscape:
		p.close()
	case fyne.KeyReturn, fyne.KeyEnter:
		p.take(p.model.Chosen())
	case fyne.KeyDown:
		p.move(1)
	case fyne.KeyUp:
		p.move(-1)
	case fyne.KeyPageDown:
		p.move(p.list.Page())
	case fyne.KeyPageUp:
		p.move(-p.list.Page())
	default:
		return false
	}
	return true
}

func (p *palette) move(by int) {
	p.model.Move(by)
	p.list.follow()
	p.tell()
}

// take does what the i-th entry stands for, or says why it cannot.
func (p *palette) take(i int) {
	if i < 0 || i >= p.model.Len() {
		return
	}
	e := p.model.At(i)
	if e.Why != "" {
		p.model.Choose(i)
		p.list.follow()
		p.tell()
		return
	}
	p.close()
	p.u.update(func(s *settings.Settings) { s.Chosen = view.RecentChoices(s.Chosen, e.Key) })
	e.Do()
}
