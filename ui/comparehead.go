package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// compareHead is the top of a comparison: the sides, what can be done, the
// outcome in words, and the switches.
type compareHead struct {
	p        *comparePage
	root     *fyne.Container
	sides    [2]*widget.Button
	swap     *widget.Button
	again    *widget.Button
	cancel   *widget.Button
	rules    *widget.Button
	save     *widget.Button
	bar      *fyne.Container
	progress *widget.ProgressBar
	summary  *widget.Label
	remarks  *widget.Label
	noted    *fyne.Container // with the remarks
	switches []*chip
	line     *fyne.Container
}

// sideRunes bounds the name of a side on its button.
const sideRunes = 34

func newCompareHead(p *comparePage) *compareHead {
	h := &compareHead{p: p}
	for i := range h.sides {
		h.sides[i] = widget.NewButtonWithIcon("", fynetheme.MenuDropDownIcon(), func() { p.pickOther(i) })
		h.sides[i].IconPlacement = widget.ButtonIconTrailingText
	}
	h.swap = quiet("Swap", fynetheme.ViewRefreshIcon(), p.swap)
	h.swap.Icon = nil
	h.swap.Text = "⇄ Swap"
	h.again = quiet("Read again", fynetheme.ViewRefreshIcon(), p.reload)
	h.cancel = quiet("Cancel", fynetheme.CancelIcon(), func() { p.stop() })
	h.rules = quiet("Rules", fynetheme.ListIcon(), p.openRules)
	h.save = quiet("Save", fynetheme.DocumentSaveIcon(), p.saveMenu)
	h.progress = widget.NewProgressBar()
	h.progress.TextFormatter = func() string { return "" }
	h.bar = container.New(&fixedHeight{4}, h.progress)
	h.summary = widget.NewLabel("")
	h.summary.Wrapping, h.summary.Selectable = fyne.TextWrapWord, true
	h.remarks = widget.NewLabel("")
	h.remarks.Wrapping, h.remarks.Selectable, h.remarks.Importance = fyne.TextWrapWord, true, widget.LowImportance
	h.line = container.New(&flowLayout{gap: 4}, caption("Compare"))
	for _, s := range view.CompareSwitches() {
		flip := func() {
			s.Toggle(&p.options)
			h.showSwitches()
			p.again()
		}
		c := newChip(s.Label, flip, flip)
		h.switches = append(h.switches, c)
		h.line.Add(c)
	}
	top := widget.Border(nil, nil,
		container.NewHBox(caption("A"), h.sides[0], h.swap, caption("B"), h.sides[1]),
		container.NewHBox(h.cancel, h.again, h.rules, h.save))
	h.noted = newTextClamp(h.remarks, 52)
	h.root = container.New(&closeLayout{}, top, h.bar, newTextClamp(h.summary, 72), h.line, h.noted)
	h.refresh()
	return h
}

// refresh shows the state of the page.
func (h *compareHead) refresh() {
	for i, b := range h.sides {
		title := safe.Line(h.p.name(i), sideRunes)
		if title == "" {
			title = "choose …"
		}
		if b.Text != title {
			b.SetText(title)
		}
	}
	setHidden(h.cancel, !h.p.busy)
	setHidden(h.again, h.p.busy)
	setHidden(h.bar, !h.p.busy)
	h.progress.SetValue(0)
	rules := "Rules"
	if n := len(h.p.options.Rules); n > 0 {
		rules += " " + human.Count(n)
	}
	if h.rules.Text != rules {
		h.rules.SetText(rules)
	}
	h.showSwitches()
	r := h.p.result
	if r == nil {
		return
	}
	setOrHide(h.summary, safe.Text(r.Summary(), 2000))
	setOrHide(h.remarks, safe.Text(strings.Join(r.Remarks(), " "), 4000))
	setHidden(h.noted, h.remarks.Text == "")
	setHidden(h.line, r.Result.Conversation == nil)
}

// at shows how far a comparison is that runs while another is shown.
func (h *compareHead) at(share float64) { h.progress.SetValue(share) }

func (h *compareHead) showSwitches() {
	for i, s := range view.CompareSwitches() {
		state := view.ChipOff
		if s.On(h.p.options) {
			state = view.ChipOn
		}
		h.switches[i].set(state)
	}
}

// textClamp is clampLayout for a bound that grows with the text.
type textClamp struct{ clampLayout }

func newTextClamp(o fyne.CanvasObject, max float32) *fyne.Container {
	return container.New(&textClamp{clampLayout{max}}, container.NewVScroll(o))
}

// MinSize implements fyne.Layout.
func (l *textClamp) MinSize(objects []fyne.CanvasObject) fyne.Size {
	scaled := clampLayout{theme.Scaled(l.max)}
	return scaled.MinSize(objects)
}

// closeLayout sets objects below each other without room between them.
type closeLayout struct{}

// Layout implements fyne.Layout.
func (closeLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	var y float32
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		h := o.MinSize().Height
		o.Resize(fyne.NewSize(size.Width, h))
		h = o.MinSize().Height // what wraps knows its height now
		o.Resize(fyne.NewSize(size.Width, h))
		o.Move(fyne.NewPos(0, y))
		y += h
	}
}

// MinSize implements fyne.Layout.
func (closeLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var size fyne.Size
	for _, o := range objects {
		if o.Visible() {
			least := o.MinSize()
			size.Width, size.Height = max(size.Width, least.Width), size.Height+least.Height
		}
	}
	return size
}
