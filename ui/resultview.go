package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/session"
	"mcploupe/ui/rows"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// resultView shows how a call is going or how it ended: a line that says so,
// the parts of the result as tabs, and the part that is selected.
type resultView struct {
	env *Env

	root    *fyne.Container
	glyph   *glyph
	head    *cutLabel
	cancel  *widget.Button
	reason  *widget.Button // to cancel with a reason
	locate  *widget.Button
	rounds  *widget.Button // to what the server asks while the call waits
	task    *widget.Button // to the task that the call became
	call    uint64
	taskKey uint64
	bar     *shareBar
	body    *fyne.Container // what lies below the head
	parts   *tabStrip
	list    *rows.View // the parts, when they are many
	row     *fyne.Container
	split   *container.Split
	page    *partPage
	message *widget.Label
	top     *fyne.Container // the message above the parts
	whole   *fyne.Container

	outcome view.Outcome
	at      int
	stop    func()
	asks    string // what is said while the call runs
	beat    bool
}

// beats are the signs of a call that waits, by turns: a bar that moves all the
// time would draw the whole window sixty times a second.
var beats = map[bool]string{false: "◌", true: "○"}

// manyParts is from how many parts on they are a list and not tabs.
const manyParts = 9

func newResultView(env *Env) *resultView {
	r := &resultView{env: env, at: -1}
	r.glyph = newGlyph("", view.Muted)
	r.head = newCutLabel(env.tip, "")
	r.head.TextStyle.Bold = true
	r.cancel = widget.NewButtonWithIcon("Cancel", fynetheme.CancelIcon(), func() {
		if r.stop != nil {
			r.stop()
		}
	})
	r.reason = quiet("", fynetheme.MenuDropDownIcon(), func() { env.runs(r.call) })
	r.locate = quiet("In timeline", nil, func() { env.ShowEvent(r.outcome.Seq) })
	r.rounds = quiet("Rounds", fynetheme.NavigateNextIcon(), func() { env.ShowRounds(r.call) })
	r.task = quiet("Task", fynetheme.NavigateNextIcon(), func() { env.ShowTask(r.taskKey) })
	r.bar = newShareBar()

	r.parts = newTabStrip(r.showPart, nil)
	r.parts.tip = env.tip
	r.list = rows.New(r.bind, nil)
	r.list.SetColumns(rows.Column{Title: "Part", Min: 60})
	r.list.OnSelect = r.showPart
	r.page = newPartPage(env)
	r.message = widget.NewLabel("")
	r.message.Wrapping, r.message.Selectable = fyne.TextWrapWord, true
	r.top = container.NewStack()
	r.row = widget.Border(nil, nil, nil, r.page.actions, r.parts)
	r.split = container.NewVSplit(r.list, r.page.object())
	env.splits.add("parts", r.split, 0.3)
	r.whole = container.NewStack()
	r.body = container.NewStack()
	title := widget.Border(nil, nil, r.glyph, container.NewHBox(r.locate, r.rounds, r.task, container.New(layout.NewCustomPaddedHBoxLayout(0), r.cancel, r.reason)), r.head)
	r.root = widget.Border(container.NewVBox(title, r.bar), nil, nil, nil, r.body)
	r.setEmpty("")
	return r
}

// quiet is a button for what is not the main thing.
func quiet(text string, icon fyne.Resource, do func()) *widget.Button {
	b := widget.NewButtonWithIcon(text, icon, do)
	b.Importance = widget.LowImportance
	return b
}

func (r *resultView) object() fyne.CanvasObject { return r.root }

// setEmpty shows that there is no call yet, with what to do.
func (r *resultView) setEmpty(text string) {
	r.reset()
	r.glyph.set("", view.Muted)
	r.head.SetText("")
	r.say(text, true)
}

// setPending shows a call that is going on. stop cancels it.
func (r *resultView) setPending(c session.CallState, stop func()) {
	if r.stop == nil {
		r.reset()
		r.cancel.Show()
		r.reason.Show()
		r.glyph.set(beats[r.beat], view.Caution)
	}
	r.stop = stop
	row := r.env.runOf(c)
	switch {
	case view.Questions(c) != "":
		row.State = "The server asks for input"
	case row.State == "":
		row.State = "Waiting"
	}
	r.call = c.Key
	setHidden(r.rounds, len(c.Rounds) == 0)
	r.taskKey = c.Task
	setHidden(r.task, c.Task == 0)
	if text := r.pendingText(c, row); text != r.asks {
		r.asks = text
		r.say(text, false)
	}
	if head := strings.Join(row.Words(), " · "); head != r.head.Text {
		r.head.SetText(head)
		r.beat = !r.beat
		r.glyph.set(beats[r.beat], view.Caution)
	}
	r.bar.set(row)
}

// setOutcome shows how a call about what is called name ended.
func (r *resultView) setOutcome(o view.Outcome, name string) {
	r.reset()
	r.page.here = name
	r.outcome = o
	tone := o.Tone
	if o.Verdict != "" && !o.Fits && tone == view.Good {
		tone = view.Caution
	}
	r.glyph.set(toneGlyph(tone), tone)
	r.head.SetText(o.Line())
	r.locate.Show()
	if len(o.Parts) == 0 {
		r.say(o.Text, false)
		return
	}
	r.at = 0
	r.showParts()
}

// showParts lays the parts out and shows the one that was selected.
func (r *resultView) showParts() {
	o := r.outcome
	r.top.Objects = nil
	if o.Text != "" {
		r.message.SetText(safe.Text(o.Text, 16<<10))
		r.message.Importance = widget.MediumImportance
		r.top.Objects = []fyne.CanvasObject{newClamp(r.message, 2*aboutHeight)}
	}
	if len(o.Parts) < manyParts {
		r.whole.Objects = []fyne.CanvasObject{widget.Border(container.NewVBox(r.top, r.row), nil, nil, nil, r.page.object())}
	} else {
		r.list.Reset(len(o.Parts))
		r.list.Select(r.at)
		count := caption(human.Plural(len(o.Parts), "part", "parts"))
		r.split.Trailing = widget.Border(widget.Border(nil, nil, nil, r.page.actions, count), nil, nil, nil, r.page.object())
		r.whole.Objects = []fyne.CanvasObject{widget.Border(r.top, nil, nil, nil, r.split)}
	}
	r.body.Objects = []fyne.CanvasObject{r.whole}
	r.body.Refresh()
	r.showPart(r.at)
}

func (r *resultView) reset() {
	r.outcome, r.at, r.stop, r.asks = view.Outcome{}, -1, nil, ""
	r.page.clear()
	for _, b := range []*widget.Button{r.cancel, r.reason, r.locate, r.rounds, r.task} {
		b.Hide()
	}
	r.bar.Hide()
	r.body.Objects = nil
	r.body.Refresh()
}

// say shows a text in place of parts.
func (r *resultView) say(text string, quiet bool) {
	r.message.Importance = widget.MediumImportance
	if quiet {
		r.message.Importance = widget.LowImportance
	}
	r.message.SetText(safe.Text(text, 16<<10))
	r.body.Objects = []fyne.CanvasObject{container.NewVScroll(r.message)}
	r.body.Refresh()
}

func toneGlyph(t view.Tone) string {
	switch t {
	case view.Good:
		return "✓"
	case view.Caution:
		return "!"
	case view.Bad:
		return "✕"
	}
	return "·"
}

func (r *resultView) bind(i int, row *rows.Row) {
	p := r.outcome.Parts[i]
	row.Cells[0] = rows.Cell{Text: p.Label, Color: toneName(p.Tone), Detail: partNotes(p, "")}
}

// showPart shows one part of the result.
func (r *resultView) showPart(i int) {
	if i < 0 || i >= len(r.outcome.Parts) {
		return
	}
	r.at = i
	if len(r.outcome.Parts) < manyParts {
		tabs := make([]stripTab, len(r.outcome.Parts))
		for n, p := range r.outcome.Parts {
			tabs[n] = stripTab{Text: p.Label}
			if p.Kind == view.PartLink {
				tabs[n].Text = "link " + p.Detail
			}
			if p.Tone == view.Caution || p.Tone == view.Bad {
				tabs[n].Glyph, tabs[n].Tone = toneGlyph(p.Tone), p.Tone
			}
		}
		r.parts.Set(tabs, i)
	}
	r.page.show(r.outcome.Parts[i])
}
