package ui

import (
	"reflect"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// reportView shows a connection that is not there: not made yet, being made,
// failed, or lost. Everything that could help to mend it is on it.
type reportView struct {
	page *connPage
	root fyne.CanvasObject

	title   *widget.Label
	reason  *widget.Label
	busy    *busyBar
	buttons *fyne.Container
	advice  *widget.Label
	facts   *factGrid
	steps   *stepList
	stepsAt *widget.Label
	stderr  *textBox
	body    *textBox

	shown view.Report
	phase view.Phase
	drawn bool
}

func newReportView(p *connPage) *reportView {
	r := &reportView{page: p, facts: newFactGrid(), steps: newStepList(p.showEvent)}
	r.title = heading("")
	r.reason = widget.NewLabel("")
	r.reason.Wrapping, r.reason.Selectable = fyne.TextWrapWord, true
	r.advice = widget.NewLabel("")
	r.advice.Wrapping, r.advice.Selectable = fyne.TextWrapWord, true
	r.busy = newBusyBar()
	r.buttons = container.NewHBox()
	r.stepsAt = heading("Steps")
	r.stderr = newTextBox("Standard error, last lines", p.env)
	r.body = newTextBox("Body of the answer", p.env)
	column := container.NewVBox(spacer(10), r.title, r.reason, r.busy.box, r.buttons, r.advice, r.facts.box,
		r.stepsAt, r.steps.box, r.stderr.object(), r.body.object(), spacer(20))
	r.root = container.NewVScroll(container.New(&columnLayout{max: 900}, column))
	return r
}

// refresh brings the view up to date.
func (r *reportView) refresh() {
	r.pulse()
	phase, _ := r.page.conn.Phase()
	report := view.ReportOf(r.page.conn)
	if r.drawn && phase == r.phase && reflect.DeepEqual(report, r.shown) {
		return
	}
	if !r.drawn || phase != r.phase {
		r.setButtons(phase)
	}
	r.drawn, r.phase, r.shown = true, phase, report
	r.title.SetText(r.titleFor(phase, report))
	setOrHide(r.reason, reasonFor(phase, report))
	advice := ""
	if phase == view.Failed || phase == view.Lost {
		for _, a := range report.Advice {
			advice += "What to try: " + a + "\n"
		}
	}
	setOrHide(r.advice, advice)
	var facts []view.Fact
	for _, f := range []view.Fact{
		{Label: "Server", Value: report.Target}, {Label: "Folder", Value: report.Dir},
		{Label: "Process", Value: report.Exit}, {Label: "HTTP answer", Value: report.HTTP},
	} {
		if f.Value != "" {
			facts = append(facts, f)
		}
	}
	r.facts.set(facts)
	r.steps.set(stepsWithout(report.Steps, report.Advice))
	r.stepsAt.Hidden = len(report.Steps) == 0
	r.stderr.set(report.Stderr)
	r.body.set(report.Body)
	r.root.Refresh()
}

// pulse lets the bar move while a connection is being made and the person can
// see it.
func (r *reportView) pulse() {
	phase, _ := r.page.conn.Phase()
	r.busy.set(r.page.visible && r.page.reporting && phase == view.Connecting)
}

func (r *reportView) titleFor(phase view.Phase, report view.Report) string {
	switch phase {
	case view.Idle:
		return r.page.conn.Title()
	case view.Connecting:
		return "Connecting to " + r.page.conn.Title()
	case view.Disconnected:
		return "Disconnected from " + r.page.conn.Title()
	case view.Closing:
		return "Ending " + r.page.conn.Title()
	}
	return report.Title
}

// stepsWithout leaves out of the steps the advice that stands above them.
func stepsWithout(steps []view.Step, advice []string) []view.Step {
	out := slices.Clone(steps)
	for i := range out {
		if slices.Contains(advice, out[i].Advice) {
			out[i].Advice = ""
		}
	}
	return out
}

func reasonFor(phase view.Phase, report view.Report) string {
	if phase == view.Idle && report.Reason == "" {
		return "Not connected yet. Nothing has been started or sent."
	}
	return report.Reason
}

func setOrHide(l *widget.Label, text string) {
	l.Hidden = text == ""
	l.SetText(text)
}

func (r *reportView) setButtons(phase view.Phase) {
	p := r.page
	button := func(text string, icon fyne.Resource, do func()) *widget.Button {
		b := widget.NewButtonWithIcon(text, icon, do)
		r.buttons.Add(b)
		return b
	}
	r.buttons.RemoveAll()
	if phase == view.Connecting {
		button("Cancel", fynetheme.CancelIcon(), p.conn.Disconnect)
		return
	}
	if !p.canConnect() {
		return
	}
	label := "Retry"
	if phase == view.Idle {
		label = "Connect"
	}
	button(label, fynetheme.ViewRefreshIcon(), p.connect).Importance = widget.HighImportance
	button("Edit", fynetheme.DocumentCreateIcon(), p.edit)
	if phase == view.Failed || phase == view.Lost {
		button("Check step by step", fynetheme.SearchIcon(), p.check)
		button("Copy report", fynetheme.ContentCopyIcon(), func() { p.u.copyText(view.ReportOf(p.conn).Text()) })
	}
	if p.everConnected {
		button("Back to the tabs", fynetheme.NavigateBackIcon(), func() { p.showReport(false) })
	}
}
