package ui

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/rows"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/widget"
)

// overviewPane says who the server is, how it is reached, what both sides can
// do, how that was negotiated, what the server says beside the protocol, and
// what is odd about it.
type overviewPane struct {
	conn *view.Conn
	env  *Env
	root fyne.CanvasObject

	facts    [3]*factGrid // server, connection, recording
	titles   [3]fyne.CanvasObject
	offers   *capabilityList
	declared *capabilityList
	caps     fyne.CanvasObject
	steps    *stepList
	stepsAt  *widget.Label
	pings    *pingBox

	strip        *tabStrip
	at           int
	side         *fyne.Container
	instructions *proseBox
	console      *textBox
	findings     *rows.View
	found        []view.FindingRow
	whole        *widget.Label // the finding that is selected, uncut
	counts       [3]string
}

// NewOverviewPane makes the overview of a connection or a recording.
func NewOverviewPane(c *view.Conn, env *Env) Pane {
	p := &overviewPane{conn: c, env: env, steps: newStepList(env.ShowEvent), stepsAt: heading("Connecting, step by step")}
	left := container.NewVBox()
	for i, title := range []string{"Server", "Connection", "Recording"} {
		p.facts[i], p.titles[i] = newFactGrid(), heading(title)
		left.Add(p.titles[i])
		left.Add(p.facts[i].box)
		if i == 0 {
			p.offers, p.declared = newCapabilityList("The server offers"), newCapabilityList("This client declared")
			p.caps = container.NewGridWithColumns(2, p.offers.box, p.declared.box)
			left.Add(p.caps)
			if env.cost != nil {
				left.Add(container.NewHBox(quiet("Context cost of what is listed …", fynetheme.DocumentIcon(), env.cost)))
			}
		}
		if i == 1 {
			p.pings = newPingBox(c, env)
			left.Add(p.pings.root)
			left.Add(p.stepsAt)
			left.Add(p.steps.box)
		}
	}
	p.instructions = newProseBox(env)
	p.console = newTextBox("", env)
	p.console.tail = true
	p.findings = rows.New(p.bind, nil)
	p.findings.SetColumns(rows.Column{Title: "Event", Width: 60, Align: fyne.TextAlignTrailing}, rows.Column{Title: "", Width: 80},
		rows.Column{Title: "Rule", Width: 110}, rows.Column{Title: "What is odd", Min: 200})
	p.findings.ShowHeader(true)
	p.findings.SetPlaceholder("Nothing odd was found")
	p.findings.OnSelect = func(i int) {
		p.setFinding(i)
		env.ShowEvent(p.found[i].Seq)
	}
	p.whole = widget.NewLabel("")
	p.whole.Wrapping, p.whole.Selectable = fyne.TextWrapWord, true
	p.whole.Hide()
	p.side = container.NewStack()
	p.strip = newTabStrip(p.showSide, nil)
	right := widget.Border(container.NewVBox(p.strip, widget.NewSeparator()), nil, nil, nil, p.side)
	split := container.NewHSplit(container.NewVScroll(container.NewPadded(left)), right)
	env.splits.add("overview", split, 0.55)
	p.root = split
	p.showSide(0)
	p.Refresh()
	return p
}

// Title implements Pane.
func (p *overviewPane) Title() string { return "Overview" }

// Object implements Pane.
func (p *overviewPane) Object() fyne.CanvasObject { return p.root }

// Shown implements Pane.
func (p *overviewPane) Shown() { p.Refresh() }

// Hidden implements Pane.
func (p *overviewPane) Hidden() {}

// Refresh implements Pane.
func (p *overviewPane) Refresh() {
	o := view.OverviewOf(p.conn)
	for i, facts := range [][]view.Fact{o.Server, o.Connection, o.Recording} {
		p.facts[i].set(facts)
		setHidden(p.titles[i], len(facts) == 0)
	}
	p.offers.set(o.Offers)
	p.declared.set(o.Declared)
	setHidden(p.caps, len(o.Offers)+len(o.Declared) == 0)
	p.pings.refresh()
	p.steps.set(o.Steps)
	setHidden(p.stepsAt, len(o.Steps) == 0)
	p.instructions.set(o.Instructions, "The server gave no instructions.")
	p.console.setOr(o.Stderr, "The server has written nothing to standard error.")
	if !slices.Equal(o.Findings, p.found) {
		p.setFindings(o.Findings)
	}
	counts := [3]string{"Instructions", "Standard error", "Findings"}
	if o.FindingCount > 0 {
		counts[2] += " " + human.Count(o.FindingCount)
	}
	if counts != p.counts {
		p.counts = counts
		p.refreshStrip()
	}
}

// setFindings shows other findings; the newest are first, so the selected one
// moves down by what came.
func (p *overviewPane) setFindings(found []view.FindingRow) {
	added := len(found) - len(p.found)
	prepended := added >= 0 && slices.Equal(found[added:], p.found)
	p.found = found
	if prepended {
		p.findings.Splice(0, 0, added)
		return
	}
	p.findings.Reset(len(found))
	p.setFinding(-1)
}

// setFinding shows the whole of a finding, of none for -1.
func (p *overviewPane) setFinding(i int) {
	text := ""
	if i >= 0 {
		text = p.found[i].Text
		if place := p.found[i].Place; place != "" {
			text += "\nat " + place
		}
	}
	p.whole.SetText(text)
	setHidden(p.whole, text == "")
}

func setHidden(o fyne.CanvasObject, hide bool) {
	if o.Visible() != hide {
		return
	}
	if hide {
		o.Hide()
	} else {
		o.Show()
	}
}

func (p *overviewPane) refreshStrip() {
	tabs := make([]stripTab, len(p.counts))
	for i, text := range p.counts {
		tabs[i] = stripTab{Text: text}
	}
	p.strip.Set(tabs, p.at)
}

func (p *overviewPane) showSide(i int) {
	p.at = i
	p.side.Objects = []fyne.CanvasObject{[]fyne.CanvasObject{p.instructions.root, p.console.view(), widget.Border(nil, p.whole, nil, nil, p.findings)}[i]}
	p.side.Refresh()
	p.refreshStrip()
}

func (p *overviewPane) bind(i int, r *rows.Row) {
	f := p.found[i]
	r.Cells[0] = rows.Cell{Text: f.Number, Color: theme.ColorMuted}
	r.Cells[1] = rows.Cell{Text: f.Word, Color: toneName(f.Tone)}
	r.Cells[2] = rows.Cell{Text: f.Rule, Color: theme.ColorMuted}
	r.Cells[3] = rows.Cell{Text: f.Text, Detail: f.Place}
}

// capabilityList shows what one side declared, with what it did not beside it.
type capabilityList struct {
	box   *fyne.Container
	list  *fyne.Container
	shown []view.Capability
}

func newCapabilityList(title string) *capabilityList {
	l := &capabilityList{list: container.New(&tightLayout{})}
	l.box = widget.Border(heading(title), nil, nil, nil, l.list)
	return l
}

func (l *capabilityList) set(caps []view.Capability) {
	if slices.Equal(caps, l.shown) && len(l.list.Objects) > 0 {
		return
	}
	l.shown = slices.Clone(caps)
	l.list.RemoveAll()
	for _, c := range caps {
		tone, sign := view.Muted, "–"
		if c.On {
			tone, sign = view.Good, "✓"
		}
		text := c.Name
		if c.Detail != "" {
			text += ": " + c.Detail
		}
		if !c.On {
			text += " (not declared)"
		}
		label := widget.NewLabel(text)
		label.Wrapping = fyne.TextWrapWord
		if !c.On {
			label.Importance = widget.LowImportance
		}
		l.list.Add(widget.Border(nil, nil, newGlyph(sign, tone), nil, label))
	}
	if len(caps) == 0 {
		l.list.Add(sideNote("Nothing yet"))
	}
}
