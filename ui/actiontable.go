package ui

import (
	"strings"

	"fyne.io/fyne/v2"
)

// action is something that the person can do in the window. The menus are made
// of actions, the palette lists them, and the page of shortcuts those that have
// one, so that none of the three can miss what another has.
type action struct {
	*fyne.MenuItem
	title string        // its menu and its name: "Theme: Dark"
	why   func() string // why it cannot be done now, "" when it can; nil when it always can
	late  bool          // why is asked when it is to be done, not for the menu
	on    func() bool   // it is ticked; nil for one that never is
	tab   int           // of the connection in front that it shows, from 1; 0 for none
	items []*action     // of a menu; nil for what is done
}

// item is something to do, with a shortcut or nil.
func item(label string, shortcut fyne.Shortcut, do func()) *action {
	a := &action{MenuItem: fyne.NewMenuItem(label, do), title: label}
	a.Shortcut = shortcut
	return a
}

// when makes an action impossible while why gives a reason.
func (a *action) when(why func() string) *action {
	a.why = why
	return a
}

// whenDone is when for a reason that costs some work to find: the menu offers
// the action, and doing it says why not.
func (a *action) whenDone(why func() string) *action {
	a.why, a.late = why, true
	return a
}

// ticked marks an action while on.
func (a *action) ticked(on func() bool) *action {
	a.on = on
	return a
}

// named gives an action the name that it has outside of its menu.
func (a *action) named(title string) *action {
	a.title = title
	return a
}

// menu is actions under a title: a menu of the window, or one within another.
func menu(title string, items ...*action) *action {
	a := &action{MenuItem: fyne.NewMenuItem(title, nil), title: title, items: items}
	a.ChildMenu = fyne.NewMenu(title)
	for _, i := range items {
		a.ChildMenu.Items = append(a.ChildMenu.Items, i.MenuItem)
	}
	return a
}

// separator is a line between the items of a menu.
func separator() *action { return &action{MenuItem: fyne.NewMenuItemSeparator()} }

// cannot says why an action cannot be done now, "" when it can.
func (a *action) cannot() string {
	if a.why == nil {
		return ""
	}
	return a.why()
}

// tellWhy says why an action cannot be done when its keys are pressed then: they
// reach it although the menu does not offer it.
func (a *action) tellWhy(tell func(text string)) {
	do := a.Action
	if do == nil || a.why == nil || a.late {
		return
	}
	a.Action = func() {
		if why := a.why(); why != "" {
			tell(strings.TrimSuffix(a.title, " …") + ": " + why)
			return
		}
		do()
	}
}

// key tells an action from others, for remembering it.
func (a *action) key() string { return "action\x00" + a.title }

// shows brings the item of the menu up to date and reports whether it changed.
func (a *action) shows() bool {
	disabled, checked := a.Disabled, a.Checked
	if !a.late {
		a.Disabled = a.cannot() != ""
	}
	if a.on != nil {
		a.Checked = a.on()
	}
	return a.Disabled != disabled || a.Checked != checked
}

// leaves calls f with every action below a, and the menus that it lies in.
func (a *action) leaves(path []string, f func(path []string, a *action)) {
	if a.items == nil {
		if !a.IsSeparator {
			f(path, a)
		}
		return
	}
	path = append(path[:len(path):len(path)], a.Label)
	for _, i := range a.items {
		i.leaves(path, f)
	}
}
