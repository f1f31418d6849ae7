package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/rows"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// fieldsAsker fills in plain strings, with what the server suggests for them.
type fieldsAsker struct {
	panel     *requestPanel
	title     string
	fields    *view.TextFields
	completer *view.Completer

	rows    []*fieldRow
	page    *fyne.Container
	preview *widget.Label
	list    *rows.View // of suggestions
	note    *widget.Label
	drop    *fyne.Container // list and note
	shown   *view.Suggestions
	at      int // field that suggestions are for, -1 for none
	picked  int // suggestion that the keyboard stands on
	setting bool
	told    bool // what is missing was said, after an attempt to send
}

// fieldRow is one argument.
type fieldRow struct {
	entry *askEntry
	empty *widget.Button
	bad   *widget.Label   // what is wrong with it
	host  *fyne.Container // for the suggestions
}

// askEntry is an entry that says when it is focused and gives away the keys
// that choose among suggestions.
type askEntry struct {
	widget.Entry
	focused func()
	key     func(name fyne.KeyName) bool
}

// FocusGained implements fyne.Focusable.
func (e *askEntry) FocusGained() {
	e.Entry.FocusGained()
	e.focused()
}

// TypedKey implements fyne.Focusable.
func (e *askEntry) TypedKey(ev *fyne.KeyEvent) {
	if !e.key(ev.Name) {
		e.Entry.TypedKey(ev)
	}
}

func newFieldsAsker(panel *requestPanel, title, none string, fields *view.TextFields) *fieldsAsker {
	a := &fieldsAsker{panel: panel, title: title, fields: fields, at: -1, picked: -1}
	a.completer = view.NewCompleter(panel.conn, panel.env.Changed)
	a.list = rows.New(func(i int, r *rows.Row) {
		r.Cells[0] = rows.Cell{Text: safe.Line(a.shown.Values[i], 200)}
	}, nil)
	a.list.OnSelect = func(i int) { a.pick(i, true) }
	a.note = widget.NewLabel("")
	a.note.Importance, a.note.Truncation = widget.LowImportance, fyne.TextTruncateEllipsis
	a.drop = container.NewStack()
	a.preview = widget.NewLabel("")
	a.preview.Wrapping, a.preview.Selectable = fyne.TextWrapBreak, true
	a.preview.TextStyle.Monospace = true
	box := container.NewVBox()
	if why := fields.Broken(); why != "" {
		l := widget.NewLabel(why)
		l.Wrapping, l.Importance = fyne.TextWrapWord, widget.WarningImportance
		box.Add(l)
	} else if len(fields.Fields) == 0 {
		l := widget.NewLabel(none)
		l.Importance = widget.LowImportance
		box.Add(l)
	}
	grid := container.New(&factLayout{max: 190})
	for i, f := range fields.Fields {
		row := a.newRow(i, f)
		a.rows = append(a.rows, row)
		label := f.Label
		if f.Required {
			label += " *"
		}
		name := widget.NewLabel(label)
		name.Truncation = fyne.TextTruncateEllipsis
		grid.Add(container.New(&nameLayout{text: name}, name))
		notes := container.New(&tightLayout{})
		if f.About != "" {
			notes.Add(newNote(f.About, widget.LowImportance))
		}
		notes.Add(row.bad)
		cell := container.New(layout.NewCustomPaddedVBoxLayout(0), widget.Border(nil, nil, nil, row.empty, row.entry), row.host, notes)
		cell.Add(spacer(2 * factTuck())) // or it would stand nearer to the next field than to its own
		grid.Add(cell)
	}
	box.Add(grid)
	box.Add(a.preview)
	a.page = container.NewStack(container.NewVScroll(box))
	a.showPreview()
	return a
}

// nameLayout gives the name of a field a width that does not depend on being
// cut.
type nameLayout struct{ text *widget.Label }

// Layout implements fyne.Layout.
func (l *nameLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.NewPos(0, 0))
		o.Resize(size)
	}
}

// MinSize implements fyne.Layout.
func (l *nameLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	min := l.text.MinSize()
	width := fyne.MeasureText(l.text.Text, theme.Size("text"), l.text.TextStyle).Width
	return fyne.NewSize(width+24, min.Height)
}

func (a *fieldsAsker) newRow(i int, f view.TextField) *fieldRow {
	r := &fieldRow{host: container.NewStack(), bad: newNote("", widget.DangerImportance)}
	r.bad.Hide()
	r.entry = &askEntry{focused: func() { a.want(i) }, key: func(name fyne.KeyName) bool { return a.key(i, name) }}
	r.entry.ExtendBaseWidget(r.entry)
	r.entry.SetText(f.Value)
	r.entry.OnChanged = func(text string) {
		a.fields.Fields[i].Value = text
		if !a.setting {
			a.want(i)
		}
		a.edited(i)
	}
	r.entry.OnSubmitted = func(string) { a.panel.submit() }
	r.empty = quiet(`Send ""`, nil, func() {
		a.fields.Fields[i].Empty = !a.fields.Fields[i].Empty
		a.edited(i)
	})
	a.style(r, f)
	return r
}

// style says whether an entry without text is sent as "" or not at all.
func (a *fieldsAsker) style(r *fieldRow, f view.TextField) {
	holder, importance := "not sent", widget.LowImportance
	switch {
	case f.Empty:
		holder, importance = `sent as ""`, widget.HighImportance
	case f.Required:
		holder = "required"
	}
	r.entry.SetPlaceHolder(holder)
	if r.empty.Importance != importance {
		r.empty.Importance = importance
		r.empty.Refresh()
	}
	setHidden(r.empty, f.Value != "")
}

func (a *fieldsAsker) edited(i int) {
	a.style(a.rows[i], a.fields.Fields[i])
	a.mark()
	a.showPreview()
	a.panel.edited()
}

// newNote is a line of small print below a field.
func newNote(text string, importance widget.Importance) *widget.Label {
	l := widget.NewLabel(text)
	l.Importance, l.Truncation, l.SizeName = importance, fyne.TextTruncateEllipsis, fynetheme.SizeNameCaptionText
	return l
}

// mark says at the fields what they lack, after an attempt to send.
func (a *fieldsAsker) mark() {
	if !a.told {
		return
	}
	first, changed := a.fields.Missing(), false
	for i, r := range a.rows {
		f, text := a.fields.Fields[i], ""
		switch {
		case f.Required && !f.Set():
			text = "✗ is required"
		case i == first:
			text = "✗ needs a value"
		}
		changed = changed || r.bad.Visible() != (text != "")
		say(r.bad, text)
	}
	if changed {
		a.page.Refresh()
	}
}

func (a *fieldsAsker) showPreview() { say(a.preview, a.fields.Preview()) }

// want asks the server for suggestions for a field.
func (a *fieldsAsker) want(i int) {
	if a.at != i {
		a.hide()
	}
	a.at = i
	if len(a.fields.Ref) > 0 && a.panel.conn.Completes() {
		a.completer.Want(a.fields.Subject(i))
	}
}

// hide takes the suggestions away.
func (a *fieldsAsker) hide() {
	a.completer.Drop()
	a.shown, a.picked = nil, -1
	if a.at >= 0 && len(a.rows[a.at].host.Objects) > 0 {
		a.rows[a.at].host.Objects = nil
		a.rows[a.at].host.Refresh()
		a.page.Refresh()
	}
}

// suggestRows is how many suggestions are visible at once.
const suggestRows = 5

// refresh implements asker: it shows suggestions that have come.
func (a *fieldsAsker) refresh() {
	got := a.completer.Suggestions()
	if got == nil || got == a.shown || a.at < 0 || got.Argument != a.fields.Fields[a.at].Name {
		return
	}
	a.shown, a.picked = got, -1
	a.list.Reset(len(got.Values))
	note := got.More
	switch {
	case got.Err != "":
		note = "No suggestions: " + got.Err
	case len(got.Values) == 0:
		note = "The server suggests nothing"
	}
	say(a.note, note)
	height := float32(min(len(got.Values), suggestRows)) * theme.Size(theme.SizeRow)
	a.list.SetFrame(theme.ColorPanel)
	objects := []fyne.CanvasObject{}
	if len(got.Values) > 0 {
		objects = append(objects, container.New(&fixedHeight{height + 4}, a.list))
	}
	if note != "" {
		objects = append(objects, a.note)
	}
	a.drop = container.NewVBox(append(objects, spacer(factTuck()))...)
	a.rows[a.at].host.Objects = []fyne.CanvasObject{a.drop}
	a.rows[a.at].host.Refresh()
	a.page.Refresh()
}

// key handles the keys that choose among suggestions.
func (a *fieldsAsker) key(i int, name fyne.KeyName) bool {
	if a.shown == nil || a.at != i {
		return false
	}
	n := len(a.shown.Values)
	switch name {
	case fyne.KeyDown, fyne.KeyUp:
		if n == 0 {
			return false
		}
		step := 1
		if name == fyne.KeyUp {
			step = n - 1
		}
		if a.picked < 0 && name == fyne.KeyUp {
			a.picked = 0
		}
		a.picked = (a.picked + step) % n
		a.list.Select(a.picked)
		a.list.Reveal(a.picked)
		return true
	case fyne.KeyReturn, fyne.KeyEnter:
		if a.picked < 0 {
			return false
		}
		a.pick(a.picked, false)
		return true
	case fyne.KeyEscape:
		a.hide()
		return true
	}
	return false
}

// pick takes a suggestion into its field.
func (a *fieldsAsker) pick(i int, mouse bool) {
	if a.shown == nil || i < 0 || i >= len(a.shown.Values) {
		return
	}
	value, row := a.shown.Values[i], a.rows[a.at]
	a.setting = true
	row.entry.SetText(value)
	a.setting = false
	a.hide()
	row.entry.CursorColumn = len([]rune(value))
	row.entry.Refresh()
	if mouse {
		row.entry.focused = func() {} // returning to it is no new question
		focusOn(row.entry)
		at := a.at
		row.entry.focused = func() { a.want(at) }
	}
}

// keeps implements keeper.
func (a *fieldsAsker) keeps() view.Keepable { return a.fields }

// reload implements keeper.
func (a *fieldsAsker) reload() {
	a.setting = true
	for i, r := range a.rows {
		empty := a.fields.Fields[i].Empty
		r.entry.SetText(a.fields.Fields[i].Value)
		a.fields.Fields[i].Empty = empty
		a.style(r, a.fields.Fields[i])
	}
	a.setting = false
	a.hide()
	a.showPreview()
}

// pages implements asker.
func (a *fieldsAsker) pages() []formPage {
	return []formPage{{title: a.title, page: a.page}}
}

// slim implements asker.
func (a *fieldsAsker) slim() bool {
	return len(a.rows) == 0 || len(a.rows) == 1 && len(a.fields.Ref) == 0
}

// explains implements asker: the fields say what they lack.
func (a *fieldsAsker) explains() bool {
	return a.hides() || a.told && a.fields.Missing() >= 0 && a.panel.now.page == a.title
}

// hides implements asker: what is not filled in yet is no fault before an
// attempt to send.
func (a *fieldsAsker) hides() bool {
	f := a.fields.Filling()
	return !a.told && f.Reason != "" && f.Sendable
}

// reveal implements asker.
func (a *fieldsAsker) reveal() {
	a.told = true
	a.mark()
	if i := a.fields.Missing(); i >= 0 {
		focusOn(a.rows[i].entry)
	}
}

// filling implements asker.
func (a *fieldsAsker) filling() view.Filling { return a.fields.Filling() }

// focus implements asker.
func (a *fieldsAsker) focus() {
	if len(a.rows) > 0 {
		focusOn(a.rows[0].entry)
	}
}
