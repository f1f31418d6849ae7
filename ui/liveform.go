package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"

	"mcploupe/session"
	"mcploupe/ui/rows"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// subDialog asks what to subscribe to.
type subDialog struct {
	form  *view.SubForm
	offer view.SubOffer
	uris  *widget.Entry
	tasks *widget.Entry
	says  *widget.Label
	send  *widget.Button
	pick  *rows.View
	find  *keyedEntry // filters pick
	typed bool        // something was filled in or taken out
}

// walk moves the selection of a list by a key without telling of it, and takes
// Space for Enter. It reports whether the key was for that.
func walk(l *rows.View, k *fyne.KeyEvent) bool {
	const page = 8
	at, last := l.Current(), l.Count()-1
	switch k.Name {
	case fyne.KeyUp:
		at--
	case fyne.KeyDown:
		at++
	case fyne.KeyPageUp:
		at -= page
	case fyne.KeyPageDown:
		at += page
	case fyne.KeyHome:
		at = 0
	case fyne.KeyEnd:
		at = last
	case fyne.KeySpace:
		if at >= 0 {
			l.OnActivate(at)
		}
		return true
	default:
		return false
	}
	if last >= 0 {
		at = min(max(at, 0), last)
		l.Select(at)
		l.Reveal(at)
	}
	return true
}

// newSubDialog opens the form; done gets the filter that the person sends.
func newSubDialog(c *view.Conn, env *Env, form *view.SubForm, done func(session.SubscriptionFilter)) *subDialog {
	d := &subDialog{form: form, offer: view.SubOfferOf(c.State())}
	d.says = widget.NewLabel("")
	d.says.Wrapping = fyne.TextWrapWord
	box := container.NewVBox()
	if d.offer.Modern {
		box.Add(caption("Changes of the lists of"))
		check := func(label string, to *bool, declared bool) *widget.Check {
			if !declared {
				label += " (not declared)"
			}
			check := widget.NewCheck(label, func(on bool) {
				*to = on
				d.check()
			})
			check.Checked = *to
			return check
		}
		box.Add(container.NewHBox(check("tools", &form.Tools, d.offer.Tools), check("resources", &form.Resources, d.offer.Resources), check("prompts", &form.Prompts, d.offer.Prompts)))
	} else {
		note := widget.NewLabel("In this revision a server tells of changed lists unasked; only resources are subscribed to.")
		note.Importance, note.Wrapping = widget.LowImportance, fyne.TextWrapWord
		box.Add(note)
	}
	entry := func(text string, to *string) *widget.Entry {
		e := widget.NewMultiLineEntry()
		e.Wrapping, e.Scroll = fyne.TextWrapOff, container.ScrollBoth
		e.SetText(text)
		e.OnChanged = func(text string) {
			*to = text
			d.typed = true
			d.check()
		}
		return e
	}
	d.uris = entry(form.URIs, &form.URIs)
	d.uris.SetMinRowsVisible(4)
	d.uris.SetPlaceHolder("URIs of resources, one a line")
	box.Add(caption("Updates of resources"))
	box.Add(d.uris)
	if d.offer.Tasks {
		d.tasks = entry(form.TaskIDs, &form.TaskIDs)
		d.tasks.SetMinRowsVisible(2)
		d.tasks.SetPlaceHolder("Ids of tasks, one a line")
		title := "State of tasks"
		if !d.offer.Extension {
			title += " (not declared)"
		}
		box.Add(caption(title))
		box.Add(d.tasks)
	}
	pick := d.picker(c)
	d.send = widget.NewButton("Subscribe", nil)
	if form.Key != 0 {
		d.send.SetText("Ask for this instead")
	}
	d.send.Importance = widget.HighImportance
	cancel := widget.NewButton("Cancel", nil)
	content := widget.Border(nil, widget.Border(nil, nil, nil, container.NewHBox(cancel, d.send), d.says), nil, nil,
		widget.Border(box, nil, nil, nil, pick))
	title := "Subscribe"
	if form.Key != 0 {
		title = "Edit the subscription"
	}
	window := dialog.NewCustomWithoutButtons(title, content, env.Window)
	cancel.OnTapped = window.Hide
	d.send.OnTapped = func() {
		filter, problem, _ := form.Filter(d.offer)
		if problem != "" {
			return
		}
		window.Hide()
		done(filter)
	}
	d.check()
	env.Ask(window, fyne.NewSize(theme.Scaled(640), theme.Scaled(560)))
	env.Window.Canvas().Focus(d.find)
	return d
}

// dropSpace takes the space off an entry that holds nothing else: the key that
// pressed the button of a dialog types into the entry that gets the keyboard.
func dropSpace(e *widget.Entry, text string) bool {
	if text == " " {
		e.SetText("")
	}
	return text == " "
}

// picker lists the resources and templates of the server; a click or Enter takes
// one, and going through them takes none.
func (d *subDialog) picker(c *view.Conn) fyne.CanvasObject {
	var entries []view.Entry
	var uris []string
	if lists := c.Lists(); lists != nil {
		resources, templates := lists.Resources(), lists.ResourceTemplates()
		entries = view.ResourceEntries(resources)
		for _, r := range resources {
			uris = append(uris, r.URI)
		}
		for i, e := range view.TemplateEntries(templates) {
			e.Badges = append(e.Badges, view.Badge{Text: "template", Tone: view.Muted})
			entries = append(entries, e)
			uris = append(uris, templates[i].URITemplate)
		}
	}
	for i := range entries {
		entries[i].Index = i
	}
	list := newCatalogueList("resources to add", nil, func(e view.Entry, ok bool) {
		if ok {
			d.form.AddURI(uris[e.Index])
			d.uris.SetText(d.form.URIs)
		}
	})
	list.set(entries, "", view.Plain)
	list.list.SetPlaceholder("The server lists no resources")
	list.list.OnActivate = list.choose
	list.list.OnKey = func(k *fyne.KeyEvent) bool { return walk(list.list, k) }
	list.filter.keys = func(k *fyne.KeyEvent) bool {
		if k.Name == fyne.KeyDown {
			list.list.Focus()
			walk(list.list, &fyne.KeyEvent{Name: fyne.KeyHome})
		}
		return k.Name == fyne.KeyDown
	}
	filter := list.filter.OnChanged
	list.filter.OnChanged = func(text string) {
		if !dropSpace(&list.filter.Entry, text) {
			filter(text)
		}
	}
	list.filter.OnSubmitted = func(string) { // the keyboard stays for the next one
		if list.model.Len() > 0 {
			best := list.model.Best()
			list.list.Select(best)
			list.choose(best)
		}
	}
	d.pick, d.find = list.list, list.filter
	return list.root
}

// check says what is wrong or odd about what is filled in.
func (d *subDialog) check() {
	_, problem, note := d.form.Filter(d.offer)
	d.says.Importance = widget.LowImportance
	switch {
	case problem != "" && d.typed:
		d.says.Importance = widget.DangerImportance
		note = problem
	case problem != "": // an empty form is to be filled in
		note = problem
	case note != "":
		d.says.Importance = widget.WarningImportance
	}
	if d.send != nil {
		setEnabled(d.send, problem == "")
	}
	d.says.SetText(note)
}
