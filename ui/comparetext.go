package ui

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/recorder/diff"
	"mcploupe/ui/difftext"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/view/textdiff"
	"mcploupe/ui/widget"
)

// compareTextPane is the right part of a comparison: what is said of the
// selected change, what can be done about it, and both texts.
type compareTextPane struct {
	p    *comparePage
	root *fyne.Container

	sign     *glyph
	word     *widget.Label
	title    *widget.Label
	sentence *widget.Label
	where    *widget.Label
	ignore   *widget.Button
	vary     *widget.Button
	order    *widget.Button
	buttons  *fyne.Container
	box      *difftext.Box
	page     fyne.CanvasObject
	hint     fyne.CanvasObject

	ref    view.ChangeRef // selected, NoChange for none or an entry
	now    view.CompareText
	cancel context.CancelFunc // of the texts that are being compared
	auto   bool               // one column was chosen for want of room
	chosen bool               // the person chose another lay-out of the texts
}

func newCompareTextPane(p *comparePage) *compareTextPane {
	t := &compareTextPane{p: p, ref: view.NoChange, cancel: func() {}, sign: newGlyph("", view.Muted), box: difftext.NewBox()}
	t.word = widget.NewLabelWithStyle("", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	t.title = widget.NewLabel("")
	t.title.Truncation = fyne.TextTruncateEllipsis
	t.sentence, t.where = widget.NewLabel(""), widget.NewLabel("")
	t.sentence.Wrapping, t.sentence.Selectable = fyne.TextWrapWord, true
	t.where.Truncation, t.where.Importance = fyne.TextTruncateEllipsis, widget.LowImportance
	t.where.TextStyle.Monospace = true
	t.ignore = quiet("Ignore this path", fynetheme.VisibilityOffIcon(), func() { t.add(t.now.Ignore) })
	t.vary = quiet("Treat as volatile", nil, func() { t.add(t.now.Vary) })
	t.order = quiet("Treat as unordered", nil, func() { t.add(t.now.Unordered) })
	t.buttons = container.New(&flowLayout{gap: 4}, t.ignore, t.vary, t.order)
	t.box.View.OnCopy = func(text string) {
		p.u.app.Clipboard().SetContent(text)
		p.u.notes.notify("Copied")
	}
	moved := t.box.View.OnMoved
	t.box.View.OnMoved = func() {
		t.chosen = t.chosen || t.box.View.Unified() != t.auto
		moved()
	}
	head := container.NewVBox(widget.Border(nil, nil, container.NewHBox(t.sign, t.word), nil, t.title),
		newTextClamp(t.sentence, 90), t.where, t.buttons, widget.NewSeparator())
	t.page = widget.Border(head, nil, nil, nil, t.box.Object())
	hint := widget.NewLabel("Select a change or a pair: both texts appear here.\n\nF7 and Shift+F7 go through the changes, F8 and Shift+F8 through the lines.")
	hint.Importance, hint.Alignment, hint.Wrapping = widget.LowImportance, fyne.TextAlignCenter, fyne.TextWrapWord
	t.hint = container.NewVBox(spacer(30), hint)
	t.root = container.NewStack(t.hint)
	return t
}

// sideBySide is the width from which two texts stand beside each other.
const sideBySide = 620

// stop gives up the texts that are being compared.
func (t *compareTextPane) stop() {
	t.cancel()
	t.cancel = func() {}
}

// clear shows nothing.
func (t *compareTextPane) clear() {
	t.stop()
	t.ref, t.now = view.NoChange, view.CompareText{}
	t.set(t.hint)
}

func (t *compareTextPane) set(o fyne.CanvasObject) {
	if t.root.Objects[0] != o {
		t.root.Objects = []fyne.CanvasObject{o}
		t.root.Refresh()
	}
}

func (t *compareTextPane) focus() {
	if t.root.Objects[0] == t.page {
		t.p.u.win.Canvas().Focus(t.box.View)
	}
}

// show shows a change.
func (t *compareTextPane) show(ref view.ChangeRef) {
	c := t.p.result
	t.ref = ref
	t.load(func(ctx context.Context) (view.CompareText, error) { return c.Text(ctx, ref) })
}

// showEntry shows the definitions of an entry.
func (t *compareTextPane) showEntry(e view.CompareEntry) {
	c := t.p.result
	t.ref = view.NoChange
	if len(e.Changes) > 0 {
		t.ref.Change = e.Changes[0]
	}
	t.load(func(context.Context) (view.CompareText, error) { return c.EntryText(e), nil })
}

// load compares two texts in the background and shows them.
func (t *compareTextPane) load(work func(ctx context.Context) (view.CompareText, error)) {
	t.stop()
	ctx, cancel := context.WithCancel(t.p.ctx)
	t.cancel = cancel
	t.p.readText(ctx, work, func(text view.CompareText, err error) {
		if err != nil {
			text = view.CompareText{Glyph: "✕", Word: "failed", Tone: view.Bad, Title: text.Title, Sentence: safe.Text(err.Error(), 2000), Diff: &textdiff.Diff{}}
		}
		t.fill(text)
	})
}

func (t *compareTextPane) fill(text view.CompareText) {
	t.now = text
	t.sign.set(text.Glyph, text.Tone)
	setText(t.word, text.Word)
	setText(t.title, text.Title)
	setOrHide(t.sentence, text.Sentence)
	setOrHide(t.where, text.Where)
	setHidden(t.ignore, text.Ignore == nil)
	setHidden(t.vary, text.Vary == nil)
	setHidden(t.order, text.Unordered == nil)
	setHidden(t.buttons, text.Ignore == nil && text.Vary == nil && text.Unordered == nil)
	t.set(t.page)
	if !t.chosen {
		width := t.root.Size().Width
		t.auto = width > 0 && (width < theme.Scaled(sideBySide) || text.Diff.OneSided())
		t.box.View.SetUnified(t.auto)
	}
	t.box.Set("", text.Diff)
	t.box.View.ShowChange(text.At)
	t.page.Refresh()
}

// add adds a rule and compares again.
func (t *compareTextPane) add(rule *diff.IgnoreRule) {
	if rule == nil {
		return
	}
	t.p.options.AddRule(*rule)
	t.p.u.notes.notify("Added: " + safe.Line(rule.String(), 160))
	t.p.again()
}

// ruleMenu offers the rules that would hide a change.
func (t *compareTextPane) ruleMenu(ref view.ChangeRef, at fyne.Position) {
	ignore, vary, order := t.p.result.Rules(ref)
	var items []*fyne.MenuItem
	for _, x := range []struct {
		text string
		rule *diff.IgnoreRule
	}{{"Ignore this path", ignore}, {"Treat as volatile", vary}, {"Treat as unordered", order}} {
		if x.rule != nil {
			items = append(items, fyne.NewMenuItem(x.text, func() { t.add(x.rule) }))
		}
	}
	if len(items) > 0 {
		widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), t.p.u.win.Canvas(), at)
	}
}

// readText compares texts in the background; show follows on the UI goroutine.
func (p *comparePage) readText(ctx context.Context, work func(ctx context.Context) (view.CompareText, error), show func(view.CompareText, error)) {
	pair := p.pair
	pair.users.Add(1)
	p.work.Go(func() {
		defer pair.users.Done()
		t, err := work(ctx)
		p.u.cfg.Do(func() {
			if ctx.Err() == nil {
				show(t, err)
			}
		})
	})
}
