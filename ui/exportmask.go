package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/rows"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// maskList shows what an export masks, each with its switch, and takes what the
// person wants masked besides.
type maskList struct {
	d        *exportDialog
	on, home *widget.Check
	pointers *escEntry
	words    *escEntry
	problem  *widget.Label
	summary  *widget.Label
	list     *rows.View
	choose   *widget.Button // masks what is current, or not
	root     fyne.CanvasObject

	rows    []view.MaskRow
	waiting bool
}

func newMaskList(d *exportDialog) *maskList {
	m := &maskList{d: d}
	m.on = widget.NewCheck("Mask secrets: tokens, keys, credentials", func(on bool) {
		d.model.Masked = on
		if on {
			m.home.Enable()
		} else {
			m.home.Disable()
		}
		d.search()
	})
	m.home = widget.NewCheck("Home folders too", func(on bool) {
		d.model.Home = on
		d.search()
	})
	m.on.Checked = d.model.Masked
	leave := func() { d.dialog.Hide() }
	m.pointers, m.words = newEscEntry(leave), newEscEntry(leave)
	m.pointers.SetPlaceHolder("/params/arguments/password  /result/content/*/text")
	m.words.SetPlaceHolder("a text to mask wherever it stands")
	m.pointers.OnSubmitted = func(string) { m.own() }
	m.words.OnSubmitted = func(string) { m.own() }
	m.problem = widget.NewLabel("")
	m.problem.Importance, m.problem.Truncation = widget.DangerImportance, fyne.TextTruncateEllipsis
	m.problem.Hide()
	m.summary = widget.NewLabel("")
	m.summary.Truncation = fyne.TextTruncateEllipsis
	m.list = rows.New(m.bind, nil)
	m.list.SetColumns(rows.Column{Title: "Masked", Width: 76}, rows.Column{Title: "What", Width: 170}, rows.Column{Title: "Begins with", Width: 120},
		rows.Column{Title: "How often", Width: 90}, rows.Column{Title: "Where", Min: 160})
	m.list.ShowHeader(true)
	m.list.OnActivate = m.toggle
	m.list.OnKey = func(k *fyne.KeyEvent) bool {
		switch {
		case k.Name == fyne.KeyEscape:
			leave()
		case k.Name == fyne.KeySpace && m.list.Current() >= 0:
			m.toggle(m.list.Current())
		default:
			return false
		}
		return true
	}
	m.choose = quiet("Mask or not", fynetheme.VisibilityOffIcon(), func() { m.toggle(m.list.Current()) })
	more := quiet("Look again", fynetheme.ViewRefreshIcon(), m.own)
	own := container.New(layout.NewFormLayout(), caption("JSON Pointers"), m.pointers, caption("Text"), widget.Border(nil, nil, nil, more, m.words))
	top := container.NewVBox(container.NewHBox(m.on, m.home), own, m.problem, widget.Border(nil, nil, nil, m.choose, m.summary))
	m.root = widget.Border(top, nil, nil, nil, m.list)
	return m
}

// own takes what the person wants masked.
func (m *maskList) own() {
	if err := m.d.model.SetOwn(m.pointers.Text, m.words.Text); err != nil {
		say(m.problem, err.Error())
		return
	}
	say(m.problem, "")
	m.d.search()
}

// wait shows that the secrets are being looked for.
func (m *maskList) wait() {
	m.waiting, m.rows = true, nil
	m.summary.SetText("")
	m.list.SetPlaceholder("Looking for secrets …")
	m.list.Reset(0)
	m.choose.Disable()
}

// show shows what was found.
func (m *maskList) show() {
	m.waiting = false
	at := m.list.Current()
	m.rows = m.d.model.Masks()
	m.list.SetPlaceholder("Nothing is masked")
	m.list.Reset(len(m.rows))
	if at >= 0 && at < len(m.rows) {
		m.list.Select(at)
	}
	if len(m.rows) > 0 {
		m.choose.Enable()
	}
	m.summary.SetText(m.d.model.MaskSummary())
}

func (m *maskList) toggle(i int) {
	if i < 0 || i >= len(m.rows) {
		return
	}
	m.d.model.Toggle(i)
	m.show()
	m.d.try()
}

func (m *maskList) bind(i int, r *rows.Row) {
	row := m.rows[i]
	word := rows.Cell{Glyph: "✓", GlyphColor: theme.ColorOK, Text: "yes"}
	if !row.On {
		word = rows.Cell{Glyph: "–", GlyphColor: theme.ColorWarning, Text: "no", Color: theme.ColorWarning}
	}
	r.Cells[0] = word
	r.Cells[1] = rows.Cell{Text: row.Kind}
	r.Cells[2] = rows.Cell{Text: row.Shown, Mono: true}
	r.Cells[3] = rows.Cell{Text: row.Count, Color: theme.ColorMuted}
	r.Cells[4] = rows.Cell{Text: row.Where, Color: theme.ColorMuted}
}
