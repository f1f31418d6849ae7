package ui

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/rows"
	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// replaySetup is what is chosen before a run: the target and the ways.
type replaySetup struct {
	page   *replayPage
	root   *fyne.Container
	target *widget.Button
	line   *escEntry
	says   *widget.Label
	note   *widget.Label // what is to be known of the target
	rules  *escEntry
	about  *widget.Label
}

func newReplaySetup(p *replayPage) *replaySetup {
	s := &replaySetup{page: p}
	m := p.model
	s.target = widget.NewButtonWithIcon("", fynetheme.MenuDropDownIcon(), s.choose)
	s.target.Alignment, s.target.IconPlacement = widget.ButtonAlignLeading, widget.ButtonIconTrailingText
	s.line = newEscEntry(p.focusList)
	s.line.SetPlaceHolder("npx -y @modelcontextprotocol/server-everything     or     https://example.com/mcp")
	s.line.OnChanged = func(text string) {
		m.SetLine(text)
		s.refresh()
	}
	s.line.OnSubmitted = func(string) { p.begin() }
	s.says = widget.NewLabel("")
	s.says.Truncation = fyne.TextTruncateEllipsis
	s.note = widget.NewLabel("")
	s.note.Wrapping, s.note.Importance = fyne.TextWrapWord, widget.WarningImportance
	s.note.Hide()
	revision := widget.NewSelect(view.ReplayRevisions(), m.SetRevision)
	revision.Selected = view.RevisionRecorded
	pace := widget.NewSelect(view.ReplayPaces, func(word string) { m.SetPace(view.ReplayPace(max(slices.Index(view.ReplayPaces, word), 0))) })
	pace.Selected = view.ReplayPaces[0]
	stop := widget.NewCheck("Stop at the first difference", m.SetStopAtDifference)
	keep := widget.NewCheck("Keep the connection open", m.SetKeepOpen)
	heads := widget.NewCheck("HTTP heads count", m.SetHeads)
	s.rules = newEscEntry(p.focusList)
	s.rules.SetPlaceHolder("file with rules of what to ignore, none if empty")
	s.rules.OnChanged = func(path string) { m.SetRules(strings.TrimSpace(path)) }
	browse := widget.NewButtonWithIcon("", fynetheme.FolderOpenIcon(), s.browse)
	s.about = caption("")
	where := widget.Border(nil, nil, container.NewHBox(caption("Against"), container.New(&fixedWidth{300}, s.target)), nil, container.NewStack(s.line, s.says))
	// They take the rows that they need: with large texts more than one.
	ways := container.New(&flowLayout{gap: 4}, container.NewHBox(caption("Revision"), container.New(&fixedWidth{150}, revision)),
		container.NewHBox(caption("Pace"), container.New(&fixedWidth{180}, pace)), stop, keep, heads)
	ignore := widget.Border(nil, nil, caption("Ignore"), container.NewHBox(browse, s.about), s.rules)
	s.root = container.NewVBox(where, s.note, ways, ignore)
	return s
}

// offer brings the targets up to date.
func (s *replaySetup) offer() {
	u := s.page.u
	s.page.model.SetTargets(u.cfg.Settings.Get().Servers, u.targetConns())
	s.refresh()
}

// targetConns are the connections whose targets can be played against: those of
// runs are not offered as targets of the next.
func (u *UI) targetConns() (out []*view.Conn) {
	runs := map[page]bool{}
	for _, p := range u.pages {
		if r, ok := p.(*replayPage); ok && r.live != nil {
			runs[r.live] = true
		}
	}
	for _, p := range u.pages {
		if c, ok := p.(*connPage); ok && c.conn != nil && !runs[p] {
			out = append(out, c.conn)
		}
	}
	return out
}

func (s *replaySetup) refresh() {
	labels, at := s.page.model.Targets()
	label := "…"
	typed := false
	if at < len(labels) {
		label, typed = labels[at], labels[at] == view.TypedTarget
	}
	if label = safe.Line(label, 38); s.target.Text != label {
		s.target.SetText(label)
	}
	able(s.target, len(labels) > 0)
	setHidden(s.line, !typed)
	setHidden(s.says, typed)
	_, note, _ := s.page.model.Target()
	setText(s.says, s.page.model.TargetLine())
	if s.note.Text != note {
		say(s.note, note)
		if s.page.root != nil {
			s.page.root.Refresh() // what is below makes room
		}
	}
	words, tone := s.page.model.RulesNote()
	weight := widget.LowImportance
	if tone == view.Bad {
		weight, words = widget.DangerImportance, safe.Line(words, 60)
	}
	if s.about.Importance != weight {
		s.about.Importance = weight
		s.about.Refresh()
	}
	setText(s.about, words)
}

// choose offers the targets in a list that can be searched.
func (s *replaySetup) choose() {
	s.offer()
	labels, at := s.page.model.Targets()
	var d dialog.Dialog
	shown := make([]int, 0, len(labels))
	find := newKeyedEntry(nil)
	list := rows.New(func(i int, row *rows.Row) { row.Cells[0] = rows.Cell{Text: labels[shown[i]]} }, nil)
	list.SetColumns(rows.Column{Title: "Target"})
	list.SetPlaceholder("No target of that name")
	fill := func(text string) {
		shown = shown[:0]
		for i, l := range labels {
			if strings.Contains(strings.ToLower(l), strings.ToLower(strings.TrimSpace(text))) {
				shown = append(shown, i)
			}
		}
		list.Reset(len(shown))
		list.Select(max(slices.Index(shown, at), min(0, len(shown)-1)))
	}
	take := func(i int) {
		if i < 0 || i >= len(shown) {
			return
		}
		s.page.model.Choose(shown[i])
		d.Hide()
		s.refresh()
		if labels[shown[i]] == view.TypedTarget {
			s.page.u.win.Canvas().Focus(s.line)
		}
	}
	list.OnActivate = take
	list.OnSelect = take
	find.keys = func(k *fyne.KeyEvent) bool {
		switch k.Name {
		case fyne.KeyDown:
			list.Select(min(list.Current()+1, len(shown)-1))
		case fyne.KeyUp:
			list.Select(max(list.Current()-1, 0))
		case fyne.KeyReturn, fyne.KeyEnter:
			take(list.Current())
		case fyne.KeyEscape:
			d.Hide()
		default:
			return false
		}
		list.Reveal(max(list.Current(), 0))
		return true
	}
	find.OnChanged = fill
	find.SetPlaceHolder("filter")
	fill("")
	d = dialog.NewCustom("Replay against", "Cancel", widget.Border(find, nil, nil, nil, list), s.page.u.win)
	s.page.u.showDialog(d, fyne.NewSize(min(s.page.u.win.Canvas().Size().Width*0.8, 620), 420))
	s.page.u.win.Canvas().Focus(find)
}

// browse asks for the file of rules.
func (s *replaySetup) browse() {
	d := dialog.NewFileOpen(func(file fyne.URIReadCloser, err error) {
		if err != nil {
			s.page.u.fail("The file cannot be opened", err)
			return
		}
		if file == nil {
			return
		}
		path := file.URI().Path()
		if err := file.Close(); err != nil {
			s.page.u.notes.notify("While closing " + path + ": " + err.Error())
		}
		s.rules.SetText(path)
	}, s.page.u.win)
	d.SetTitleText("Rules of what to ignore")
	d.SetView(dialog.ListView)
	s.page.u.showDialog(d, s.page.u.dialogSize())
}
