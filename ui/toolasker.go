package ui

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/protocol"
	"mcploupe/protocol/schema"
	"mcploupe/ui/forms"
	"mcploupe/ui/textview"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// toolAsker fills in the arguments of a tool: as a form and as JSON, two views
// of one value.
type toolAsker struct {
	panel *requestPanel
	tool  protocol.Tool
	args  *view.Arguments // nil while the schema is compiled

	form  *forms.View
	none  fyne.CanvasObject // stands in the place of a form without a field
	add   *widget.Button
	shown *fyne.Container // the form, or what stands in its place
	json  *textview.Editor
	opens bool // the form is shown though the schema names nothing to fill in
	shows bool // the form marks what is wrong at every field
	why   *widget.Label
	whyAt *fyne.Container
	page  *fyne.Container // of the JSON
	ready func()          // what to do when the schema is compiled
}

// newToolAsker makes the asker of a tool. What was filled in for an earlier
// definition of it is taken over from old.
func newToolAsker(panel *requestPanel, t protocol.Tool, old *view.Arguments) *toolAsker {
	a := &toolAsker{panel: panel, tool: t, shown: container.NewStack()}
	a.why = widget.NewLabel("")
	a.why.Wrapping, a.why.Importance = fyne.TextWrapWord, widget.WarningImportance
	a.whyAt = newClamp(a.why, aboutHeight)
	a.json = textview.NewEditor()
	a.json.Run = panel.env.run
	panel.env.keepLook(&a.json.View)
	a.json.SetPlaceholder("No arguments are sent")
	a.json.OnChanged = func() {
		if a.args != nil {
			a.args.SetText(a.json.Text())
			a.edited()
		}
	}
	format := quiet("Format", nil, func() { a.json.Format() })
	reset := quiet("Reset", fynetheme.ContentUndoIcon(), func() {
		if a.args != nil {
			a.args.Reset()
			a.load()
			a.edited()
		}
	})
	finder := textview.NewFindBar(&a.json.View)
	a.page = widget.Border(a.whyAt, widget.Border(nil, nil, nil, container.NewHBox(reset, format)), nil, nil, finder.Object())
	if len(t.InputSchema) < view.SlowSchema {
		a.take(view.CompileInput(t), old)
		return a
	}
	wait := widget.NewLabel("Reading the schema …")
	wait.Importance = widget.LowImportance
	a.shown.Objects = []fyne.CanvasObject{wait}
	panel.env.Go(func(context.Context) {
		compiled := view.CompileInput(t)
		panel.env.Do(func() {
			a.take(compiled, old)
			if s := panel.now; s != nil && s.ask == asker(a) {
				panel.layPages()
				panel.refresh()
			}
		})
	})
	return a
}

// whenReady calls do as soon as there are arguments to fill in.
func (a *toolAsker) whenReady(do func()) {
	if a.args != nil {
		do()
		return
	}
	a.ready = do
}

// keeps implements keeper.
func (a *toolAsker) keeps() view.Keepable {
	if a.args == nil {
		return nil
	}
	return a.args
}

// reload implements keeper.
func (a *toolAsker) reload() { a.load() }

// take makes the form.
func (a *toolAsker) take(compiled *schema.Schema, old *view.Arguments) {
	a.args = view.NewArguments(a.tool, compiled)
	a.args.Adopt(old)
	if f := a.args.Form(); f != nil {
		env := a.panel.env
		a.form = forms.New(f, forms.Options{Clipboard: env.Clipboard, ChooseFile: env.ChooseFile, Now: env.Now, Run: env.run, Root: "arguments"})
		a.form.OnChanged = a.edited
		a.form.OnSubmit = a.panel.submit
		a.none = a.newNone()
	}
	text := a.args.Why()
	if text == "" {
		text = a.args.SchemaNote()
	}
	say(a.why, text)
	a.why.Show()
	setHidden(a.whyAt, text == "")
	a.load()
	if a.ready != nil {
		a.ready()
	}
}

func (a *toolAsker) edited() {
	a.json.SetProblems(a.args.MarksIn(a.json.Text()))
	a.panel.edited()
}

// load puts the JSON into its editor.
func (a *toolAsker) load() {
	if text := a.args.Laid(); a.json.Text() != text {
		a.json.SetText(text)
	}
	a.json.SetProblems(a.args.MarksIn(a.json.Text()))
}

// pages implements asker.
func (a *toolAsker) pages() []formPage {
	json := formPage{title: "JSON", page: a.page, shown: a.showJSON}
	if a.args != nil && a.form == nil {
		return []formPage{json}
	}
	return []formPage{{title: "Form", page: a.shown, shown: a.showForm}, json}
}

func (a *toolAsker) showJSON() {
	if a.args != nil {
		a.load()
	}
}

// showForm shows the form, unless the JSON holds what the form cannot show:
// nothing of that is thrown away unasked.
func (a *toolAsker) showForm() {
	if a.args == nil {
		return
	}
	if broken := a.args.Broken(); broken != "" {
		text := widget.NewLabel("The JSON cannot be shown as a form: " + broken)
		text.Wrapping, text.Importance = fyne.TextWrapWord, widget.WarningImportance
		back := widget.NewButton("Mend the JSON", func() { a.panel.showPage("JSON") })
		drop := widget.NewButton("Discard what was written in the JSON", func() {
			a.args.DropText()
			a.edited()
			a.showForm()
		})
		a.put(container.NewVBox(text, container.NewHBox(back, drop)))
		return
	}
	if a.takesNothing() {
		if len(a.shown.Objects) != 1 || a.shown.Objects[0] != a.none {
			a.put(a.none)
		}
		return
	}
	a.form.Refresh()
	a.put(a.form.Object())
}

func (a *toolAsker) put(o fyne.CanvasObject) {
	if len(a.shown.Objects) == 1 && a.shown.Objects[0] == o {
		return
	}
	a.shown.Objects = []fyne.CanvasObject{o}
	a.shown.Refresh()
}

// newNone stands in the place of a form without a field.
func (a *toolAsker) newNone() fyne.CanvasObject {
	none := widget.NewLabel("This tool takes no arguments.")
	none.Importance, none.Truncation = widget.LowImportance, fyne.TextTruncateEllipsis
	a.add = quiet("Add one", fynetheme.ContentAddIcon(), func() {
		a.opens = true
		a.panel.showPage("Form")
		a.form.FocusFirst()
	})
	setHidden(a.add, !a.args.Form().Root().CanAdd())
	return container.NewVBox(widget.Border(nil, nil, nil, a.add, none))
}

// takesNothing reports that there is nothing to fill in, and that nobody wants to
// add something.
func (a *toolAsker) takesNothing() bool { return a.args != nil && !a.opens && a.args.TakesNothing() }

// slim implements asker.
func (a *toolAsker) slim() bool { return a.takesNothing() && a.args.Broken() == "" }

// explains implements asker: the form marks its own fields.
func (a *toolAsker) explains() bool {
	return a.form != nil && a.panel.now.page == "Form" && a.args.Broken() == "" && !a.tool.Malformed && !a.takesNothing() &&
		a.panel.more.fine()
}

// hides implements asker: fields that were not touched are marked after an
// attempt to send.
func (a *toolAsker) hides() bool { return !a.shows && a.explains() }

// reveal implements asker.
func (a *toolAsker) reveal() {
	a.shows = true
	a.form.ShowAll(true)
	a.form.Reveal(a.args.FirstProblem())
}

// filling implements asker.
func (a *toolAsker) filling() view.Filling {
	if a.args == nil {
		return view.Filling{Reason: "The schema is still being read."}
	}
	return a.args.Filling()
}

// refresh implements asker.
func (a *toolAsker) refresh() {}

// focus implements asker.
func (a *toolAsker) focus() {
	switch {
	case a.args == nil:
	case a.takesNothing() && a.panel.now.page != "JSON":
		focusOn(a.panel.send)
	case a.form != nil && a.panel.now.page != "JSON":
		a.form.FocusFirst()
	default:
		focusOn(a.json)
	}
}

// focusOn gives an object the keyboard, where it is on a window.
func focusOn(o interface {
	fyne.CanvasObject
	fyne.Focusable
}) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(o); c != nil {
		c.Focus(o)
	}
}
