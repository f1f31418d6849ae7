package ui

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"

	"mcploupe/protocol"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// keeper is an asker whose arguments can be remembered.
type keeper interface {
	asker
	keeps() view.Keepable // nil while there is nothing yet
	reload()              // show the arguments, which changed
}

// begin fills a new subject in with what was sent last.
func (p *requestPanel) begin(s *subject) {
	k, ok := s.ask.(keeper)
	if s.book == nil || !ok || k.keeps() == nil {
		return
	}
	last, ok := s.book.Last(p.env.Now())
	if !ok {
		return
	}
	before, _ := k.keeps().Keep()
	k.keeps().Use(last.Arguments)
	if after, _ := k.keeps().Keep(); after != before {
		s.from = "As sent last, " + last.Label
	}
	k.reload()
}

// newBook is the book of an entry; nil when calls of it cannot be told apart.
func (p *requestPanel) newBook(method, name string) *view.CallBook {
	calls := p.env.Settings.Calls()
	if err := calls.TakeErr(); err != nil {
		p.env.Fail("The remembered calls cannot be read", err)
	}
	return view.NewCallBook(calls, p.conn.Server(), method, name)
}

// kept is what can be remembered of the subject, nil for nothing.
func (p *requestPanel) kept() view.Keepable {
	if p.now == nil || p.now.book == nil {
		return nil
	}
	if k, ok := p.now.ask.(keeper); ok {
		return k.keeps()
	}
	return nil
}

// remember notes what was just sent.
func (p *requestPanel) remember() {
	if k := p.kept(); k != nil {
		p.now.book.Sent(k, p.env.Now())
		p.write()
	}
}

// write keeps what is remembered, in the background.
func (p *requestPanel) write() {
	book := p.now.book
	p.env.Go(func(context.Context) {
		if err := book.Write(); err != nil {
			p.env.Do(func() { p.env.Notify("The calls are not remembered: " + err.Error()) })
		}
	})
}

// use fills in a remembered call, without sending it.
func (p *requestPanel) use(c view.RememberedCall, from string) {
	p.fill(func(k view.Keepable) { k.Use(c.Arguments) }, from)
}

func (p *requestPanel) useSaved(c view.RememberedCall) {
	p.use(c, "The saved call “"+c.Label+"”")
	p.now.chosen = c.Title
}

func (p *requestPanel) defaults() { p.fill(view.Keepable.Defaults, "") }

func (p *requestPanel) fill(change func(view.Keepable), from string) {
	k := p.kept()
	if k == nil {
		return
	}
	change(k)
	p.now.from = from
	p.now.ask.(keeper).reload()
	p.showFrom()
	p.edited()
	p.showPage(p.now.page)
}

// showFrom says where what is filled in comes from.
func (p *requestPanel) showFrom() {
	say(p.from, p.now.from)
	p.from.Show()
	if p.fromAt.Visible() != (p.now.from != "") {
		setHidden(p.fromAt, p.now.from == "")
		p.form.Refresh()
	}
	if p.calls.Visible() != (p.now.book != nil) {
		setHidden(p.calls, p.now.book == nil)
		p.head.Refresh()
	}
}

// callItems is the menu of the calls of the subject.
func (p *requestPanel) callItems() []*fyne.MenuItem {
	book := p.now.book
	items := []*fyne.MenuItem{
		fyne.NewMenuItem("Save …", p.saveCall),
		fyne.NewMenuItem("Defaults", p.defaults),
	}
	saved := book.Saved()
	rename, remove := fyne.NewMenuItem("Rename", nil), fyne.NewMenuItem("Delete", nil)
	rename.ChildMenu, remove.ChildMenu = fyne.NewMenu(""), fyne.NewMenu("")
	for i, c := range saved {
		if i == 0 {
			items = append(items, fyne.NewMenuItemSeparator(), menuHeading("Saved"))
		}
		items = append(items, fyne.NewMenuItem(c.Label, func() { p.useSaved(c) }))
		rename.ChildMenu.Items = append(rename.ChildMenu.Items, fyne.NewMenuItem(c.Label+" …", func() { p.renameCall(c) }))
		remove.ChildMenu.Items = append(remove.ChildMenu.Items, fyne.NewMenuItem(c.Label+" …", func() { p.deleteCall(c) }))
	}
	if len(saved) > 0 {
		items = append(items, rename, remove)
	}
	for i, c := range book.Recent(p.env.Now()) {
		if i == 0 {
			items = append(items, fyne.NewMenuItemSeparator(), menuHeading("Sent"))
		}
		items = append(items, fyne.NewMenuItem(c.Label, func() { p.use(c, "As sent before") }))
	}
	return items
}

// menuHeading is a line of a menu that names what follows.
func menuHeading(text string) *fyne.MenuItem {
	m := fyne.NewMenuItem(text, nil)
	m.Disabled = true
	return m
}

// dropMenu opens a menu under a button.
func (p *requestPanel) dropMenu(b *widget.Button, items []*fyne.MenuItem) {
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(b)
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), p.env.Window.Canvas(), at.AddXY(0, b.Size().Height))
}

func (p *requestPanel) callMenu() {
	if p.now != nil && p.now.book != nil {
		p.dropMenu(p.calls, p.callItems())
	}
}

func (p *requestPanel) saveCall() {
	s := p.now
	p.askName("Save these arguments", "A call of the same name is replaced.", "Save", s.chosen, func(name string) error {
		k := s.ask.(keeper).keeps()
		if err := s.book.Save(k, name, p.env.Now()); err != nil {
			return err
		}
		s.chosen = name
		return nil
	})
}

func (p *requestPanel) renameCall(c view.RememberedCall) {
	book := p.now.book
	p.askName("Rename the saved call", "", "Rename", c.Title, func(name string) error { return book.Rename(c.Title, name) })
}

func (p *requestPanel) deleteCall(c view.RememberedCall) {
	book := p.now.book
	d := dialog.NewConfirm("Delete the saved call", "Delete “"+c.Label+"”?", func(yes bool) {
		if yes {
			book.Delete(c.Title)
			p.write()
		}
	}, p.env.Window)
	destroys(d, "Delete")
	p.env.Ask(d, d.MinSize())
}

// askName asks for the name of a saved call.
func (p *requestPanel) askName(title, hint, verb, name string, done func(name string) error) {
	var d *dialog.ConfirmDialog
	entry := &askEntry{focused: func() {}, key: func(name fyne.KeyName) bool {
		if name == fyne.KeyEscape {
			d.Dismiss()
		}
		return name == fyne.KeyEscape
	}}
	entry.ExtendBaseWidget(entry)
	entry.SetText(name)
	entry.SetPlaceHolder("Name")
	note := widget.NewLabel(hint)
	note.Importance = widget.LowImportance
	setHidden(note, hint == "")
	finish := func(yes bool) {
		if !yes {
			return
		}
		if err := done(entry.Text); err != nil {
			p.env.Fail("The call was not saved", err)
			return
		}
		p.write()
	}
	d = dialog.NewCustomConfirm(title, verb, "Cancel", container.NewVBox(entry, note), finish, p.env.Window)
	entry.OnSubmitted = func(string) { d.Confirm() }
	p.env.Ask(d, fyne.NewSize(nameWidth, d.MinSize().Height))
	p.env.Window.Canvas().Focus(entry)
	entry.TypedShortcut(&fyne.ShortcutSelectAll{}) // what is typed next is another name
}

// nameWidth is the width of the question for a name.
const nameWidth = 420

// copyItems is the menu of what can be copied of the request.
func (p *requestPanel) copyItems() []*fyne.MenuItem {
	text, ok := p.build()
	if !ok {
		return nil
	}
	r, _, _ := p.request()
	var items []*fyne.MenuItem
	add := func(label, what, text string, ok bool) {
		m := fyne.NewMenuItem(label, func() {
			p.env.Clipboard.SetContent(text)
			p.env.Notify("Copied " + what)
		})
		m.Disabled = !ok
		items = append(items, m)
	}
	add("JSON request", "the request", text, true)
	arguments := r.Arguments()
	add("JSON arguments", "the arguments", arguments, arguments != "")
	target, st := p.conn.Server().Target, p.conn.State()
	line, ok := view.CommandCall(target, r)
	verb := "call"
	if !ok {
		line = view.CommandRaw(target, protocol.Parse([]byte(text)))
		verb = strings.Fields(line)[1]
	}
	add("mcploupe "+verb+" …", "the command line", line, true)
	line, ok = view.Curl(target, st, text, r.InputSchema)
	add("curl", "the command line", line, ok)
	return items
}

func (p *requestPanel) copyMenu() {
	if p.now == nil {
		return
	}
	if items := p.copyItems(); items != nil {
		p.dropMenu(p.copies, items)
	}
}
