package forms

import (
	"fyne.io/fyne/v2"

	"mcploupe/ui/view/fields"
	"mcploupe/ui/widget"
)

// showMenu shows what can be done with the field as a whole.
func (b *box) showMenu() {
	c := b.v.canvas()
	if c == nil {
		return
	}
	var items []*fyne.MenuItem
	for _, a := range fields.Actions(b.node) {
		if a.Verb == fields.Separator {
			items = append(items, fyne.NewMenuItemSeparator())
			continue
		}
		item := fyne.NewMenuItem(a.Text, func() { b.do(a) })
		item.Disabled, item.Checked = a.Off, a.On
		items = append(items, item)
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(b.menu)
	menu := widget.NewPopUpMenu(fyne.NewMenu("", items...), c)
	right := b.menu.Size().Width - menu.MinSize().Width
	menu.ShowAtPosition(fyne.NewPos(max(0, at.X+right), at.Y+b.menu.Size().Height))
}

// do does what an entry of the menu says.
func (b *box) do(a fields.Action) {
	n := b.node
	changed := n
	switch a.Verb {
	case fields.NotSent:
		n.Clear()
	case fields.Null:
		n.SetNull()
	case fields.EmptyText:
		n.SetEmpty()
	case fields.SetStart:
		n.Enable()
		b.v.folded[n] = false
	case fields.Default:
		if n.SetJSON(n.Hints().Default) != nil {
			return
		}
	case fields.SetSample:
		if n.SetJSON(n.Hints().Examples[a.Index]) != nil {
			return
		}
	case fields.AsJSON, fields.AsField:
		if !n.EditJSON(a.Verb == fields.AsJSON) {
			return
		}
	case fields.Copy:
		if b.v.opt.Clipboard != nil {
			b.v.opt.Clipboard.SetContent(string(n.JSON()))
		}
		return
	case fields.Up:
		b.move(-1)
		return
	case fields.Down:
		b.move(1)
		return
	case fields.Remove:
		changed = n.Parent()
		n.Remove()
	case fields.AddMember:
		b.v.addMember(n, "")
		return
	}
	at := b.l.at
	b.v.edited(changed)
	switch l := b.v.area.find(n); {
	case l != nil:
		b.v.show(l)
	case len(b.v.area.lines) > 0:
		b.v.show(b.v.area.lines[min(at, len(b.v.area.lines)-1)])
	}
}
