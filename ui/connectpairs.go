package ui

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// pairRows edits a list of names and values. A row is its Pair, whatever is
// typed into it.
type pairRows struct {
	p           *connectPage
	pairs       *[]*view.Pair
	name, value string
	env         bool
	box         *fyne.Container
	rows        *fyne.Container
	more        *widget.Button
	shown       []*pairRow
}

// pairRow is the widgets of one pair.
type pairRow struct {
	pair   *view.Pair
	root   *fyne.Container
	name   *escEntry
	value  *escEntry
	secret *widget.Check
}

func newPairRows(page *connectPage, pairs *[]*view.Pair, name, value string, env bool) *pairRows {
	r := &pairRows{p: page, pairs: pairs, name: name, value: value, env: env, rows: container.NewVBox()}
	r.more = widget.NewButtonWithIcon("Add", fynetheme.ContentAddIcon(), func() {
		p := &view.Pair{}
		*r.pairs = append(*r.pairs, p)
		page.u.win.Canvas().Focus(r.add(p).name)
	})
	r.more.Importance = widget.LowImportance
	r.box = container.NewVBox(r.rows, container.NewHBox(r.more))
	for _, p := range *pairs {
		r.add(p)
	}
	return r
}

// add shows a row.
func (r *pairRows) add(p *view.Pair) *pairRow {
	row := &pairRow{pair: p, name: newEscEntry(r.p.close), value: newEscEntry(r.p.close)}
	row.name.SetPlaceHolder(r.name)
	row.value.SetPlaceHolder(r.value)
	if r.p.form.Kept(p) {
		row.value.SetPlaceHolder(keptHint)
	}
	row.name.Text, row.value.Text = p.Name, p.Value
	row.value.Password = p.Secret
	row.value.OnChanged = func(s string) { p.Value = s }
	row.name.OnChanged = func(s string) { r.named(row, s) }
	for _, e := range []*escEntry{row.name, row.value} {
		e.OnSubmitted = func(string) { r.p.submit(true) }
	}
	row.secret = widget.NewCheck("secret", func(on bool) {
		if on != p.Secret {
			p.Mark(on)
			row.hide()
		}
	})
	row.secret.Checked = p.Secret
	remove := widget.NewButtonWithIcon("", fynetheme.DeleteIcon(), func() { r.remove(row) })
	remove.Importance = widget.LowImportance
	row.root = widget.Border(nil, nil, nil, container.NewHBox(row.secret, remove), container.NewGridWithColumns(2, row.name, row.value))
	r.rows.Add(row.root)
	r.shown = append(r.shown, row)
	return row
}

// named takes what was typed as the name of a row.
func (r *pairRows) named(row *pairRow, text string) {
	take := row.pair.SetHeaderName
	if r.env {
		take = row.pair.SetEnvName
	}
	split := take(text)
	row.secret.SetChecked(row.pair.Secret)
	row.hide()
	if split {
		row.name.SetText(row.pair.Name)
		row.value.SetText(row.pair.Value)
		r.p.u.win.Canvas().Focus(row.value)
	}
}

// hide shows a value as dots when it is secret.
func (row *pairRow) hide() {
	if row.value.Password != row.pair.Secret {
		row.value.Password = row.pair.Secret
		row.value.Refresh()
	}
}

// remove takes a row away. The keyboard goes to the one that takes its place, or
// to the button below.
func (r *pairRows) remove(row *pairRow) {
	*r.pairs = slices.DeleteFunc(*r.pairs, func(x *view.Pair) bool { return x == row.pair })
	at := slices.Index(r.shown, row)
	r.shown = slices.Delete(r.shown, at, at+1)
	r.rows.Remove(row.root)
	var next fyne.Focusable = r.more
	if len(r.shown) > 0 {
		next = r.shown[min(at, len(r.shown)-1)].name
	}
	r.p.u.win.Canvas().Focus(next)
}
