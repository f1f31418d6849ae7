package ui

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/rows"
	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// sidePicker is a list of what can be compared.
type sidePicker struct {
	u      *UI
	root   fyne.CanvasObject
	title  *widget.Label
	filter *keyedEntry
	list   *rows.View
	all    []view.CompareChoice
	shown  []view.CompareChoice
	chosen view.CompareSide
	other  view.CompareSide                    // what this one is compared with; it comes last
	picked func(s view.CompareSide, done bool) // done: Enter or a double click
	escape func()
}

// newSidePicker makes a list under a title.
func newSidePicker(u *UI, title string, picked func(s view.CompareSide, done bool), escape func()) *sidePicker {
	s := &sidePicker{u: u, picked: picked, escape: escape, title: heading(title)}
	s.filter = newKeyedEntry(func(k *fyne.KeyEvent) bool {
		switch k.Name {
		case fyne.KeyDown:
			s.toList()
		case fyne.KeyEscape:
			s.escape()
		default:
			return false
		}
		return true
	})
	s.filter.SetPlaceHolder("Filter by name, server or time")
	s.filter.OnChanged = func(string) { s.show() }
	s.filter.OnSubmitted = func(string) { s.toList() }
	s.list = rows.New(s.bind, nil)
	s.list.SetColumns(rows.Column{})
	s.list.SetFrame(fynetheme.ColorNameInputBackground)
	s.list.SetPlaceholder("Nothing to choose from: connect to a server, or open a file")
	s.list.OnSelect = func(i int) { s.choose(i, false) }
	s.list.OnActivate = func(i int) { s.choose(i, true) }
	s.list.OnRune = func(r rune) {
		if r == ' ' && s.filter.Text == "" {
			return // the key that pressed the button which led here
		}
		s.filter.SetText(s.filter.Text + string(r))
		u.win.Canvas().Focus(s.filter)
		s.filter.CursorColumn = len([]rune(s.filter.Text))
		s.filter.Refresh()
	}
	s.list.OnKey = func(k *fyne.KeyEvent) bool {
		if k.Name == fyne.KeyEscape {
			s.escape()
		}
		return k.Name == fyne.KeyEscape
	}
	file := quiet("File …", fynetheme.FolderOpenIcon(), s.openFile)
	s.root = widget.Border(container.NewVBox(s.title, widget.Border(nil, nil, nil, file, s.filter)), nil, nil, nil, s.list)
	return s
}

// refresh lists what there is now, with the side that is chosen and the one it
// is compared with.
func (s *sidePicker) refresh(chosen, other view.CompareSide) {
	st := s.u.cfg.Settings.Get()
	paths := s.u.filesOfTabs()
	for _, p := range view.RecordingPaths(st.Recent, st.Saved, maxSides) {
		if !slices.Contains(paths, p) {
			paths = append(paths, p)
		}
	}
	s.all = view.CompareChoices(s.u.conns(), view.RecordingRows(paths, st.Saved, nil, s.u.side.known, s.u.cfg.now()))
	s.chosen, s.other = chosen, other
	if i := slices.IndexFunc(s.all, func(c view.CompareChoice) bool { return !other.IsZero() && c.Side.Same(other) }); i >= 0 {
		last := s.all[i]
		last.Sub = strings.TrimSuffix("the other side · "+last.Sub, " · ")
		s.all = append(slices.Delete(s.all, i, i+1), last)
	}
	s.show()
}

// filesOfTabs are the recordings that are open or being opened: at the start
// those of the command line are not among the recent ones yet.
func (u *UI) filesOfTabs() (paths []string) {
	for _, p := range u.pages {
		switch p := p.(type) {
		case *openingPage:
			if p.failed == nil {
				paths = append(paths, p.path)
			}
		case *connPage:
			if p.conn == nil {
				continue
			}
			if phase, _ := p.conn.Phase(); phase == view.File {
				paths = append(paths, p.conn.Path())
			}
		}
	}
	return paths
}

// filesChanged lists anew what can be compared, where that is being chosen.
func (u *UI) filesChanged() {
	for _, p := range u.pages {
		if c, ok := p.(*comparePage); ok && c.choosing() {
			c.pick.refresh()
		}
	}
}

// maxSides bounds the recordings that are offered.
const maxSides = 100

func (s *sidePicker) show() {
	s.shown = view.FilterChoices(s.all, s.filter.Text)
	known := s.chosen.IsZero()
	for _, c := range s.all {
		known = known || c.Side.Same(s.chosen)
	}
	if !known {
		s.shown = append([]view.CompareChoice{{Side: s.chosen, Glyph: view.File.Glyph(), Title: s.chosen.Title(), Sub: safe.Line(s.chosen.Path, 200)}}, s.shown...)
	}
	s.list.Reset(len(s.shown))
	for i, c := range s.shown {
		if !s.chosen.IsZero() && c.Side.Same(s.chosen) {
			s.list.Select(i)
			s.list.Reveal(i)
		}
	}
}

func (s *sidePicker) bind(i int, row *rows.Row) {
	c := s.shown[i]
	row.Cells[0] = rows.Cell{Glyph: c.Glyph, GlyphColor: toneName(c.Tone), Text: c.Title, Detail: c.Sub}
}

// toList goes to the list, on its first row when none is selected.
func (s *sidePicker) toList() {
	s.u.win.Canvas().Focus(s.list)
	if s.list.Current() < 0 && len(s.shown) > 0 {
		s.list.Choose(0)
	}
}

func (s *sidePicker) choose(i int, done bool) {
	if i < 0 {
		return
	}
	s.chosen = s.shown[i].Side
	s.picked(s.chosen, done)
}

// openFile asks for a recording or a saved catalogue.
func (s *sidePicker) openFile() {
	d := dialog.NewFileOpen(func(file fyne.URIReadCloser, err error) {
		if err != nil {
			s.u.fail("The file cannot be opened", err)
			return
		}
		if file == nil {
			return
		}
		path := file.URI().Path()
		if err := file.Close(); err != nil {
			s.u.notes.notify("While closing " + path + ": " + err.Error())
		}
		s.chosen = view.CompareSide{Path: path}
		s.show()
		s.picked(s.chosen, false)
	}, s.u.win)
	d.SetTitleText("Open a recording or a saved catalogue")
	d.SetView(dialog.ListView)
	d.SetFilter(storage.NewExtensionFileFilter([]string{".jsonl", ".json"}))
	if dir, err := s.u.cfg.Settings.RecordingDir(); err == nil {
		if lister, err := storage.ListerForURI(storage.NewFileURI(dir)); err == nil {
			d.SetLocation(lister)
		}
	}
	s.u.showDialog(d, s.u.dialogSize())
}

// comparePick is the choice of both sides.
type comparePick struct {
	p     *comparePage
	root  fyne.CanvasObject
	sides [2]*sidePicker
	note  *widget.Label
	start *widget.Button
}

func newComparePick(p *comparePage) *comparePick {
	c := &comparePick{p: p}
	title := heading("Compare")
	c.note = widget.NewLabel("")
	c.note.Importance, c.note.Truncation = widget.LowImportance, fyne.TextTruncateEllipsis
	for i, name := range []string{"A, the older", "B, the newer"} {
		c.sides[i] = newSidePicker(p.u, name, func(s view.CompareSide, done bool) { c.picked(i, s, done) }, func() { p.u.closePage(p) })
	}
	c.start = widget.NewButtonWithIcon("Compare", fynetheme.MediaPlayIcon(), p.start)
	c.start.Importance = widget.HighImportance
	swap := widget.NewButton("⇄ Swap", p.swap)
	versions := widget.NewButtonWithIcon("Compare server versions …", fynetheme.ComputerIcon(), func() { p.u.compareVersions(nil) })
	sub := widget.NewLabel("Two recordings, connections or saved catalogues: what the interface gained, lost or changed, and where the conversations part.")
	sub.Wrapping, sub.Importance = fyne.TextWrapWord, widget.LowImportance
	lists := container.NewGridWithColumns(2, c.sides[0].root, c.sides[1].root)
	buttons := widget.Border(nil, nil, container.NewHBox(c.start, swap), versions, c.note)
	c.root = container.New(&columnLayout{max: 1200}, widget.Border(container.NewVBox(spacer(6), title, sub), container.NewVBox(buttons, spacer(8)), nil, nil, lists))
	return c
}

// refresh lists what can be compared now.
func (c *comparePick) refresh() {
	for i, s := range c.sides {
		s.refresh(c.p.sides[i], c.p.sides[1-i])
	}
	c.tell()
}

func (c *comparePick) focus() {
	for i, s := range c.sides {
		if c.p.sides[i].IsZero() {
			c.p.u.win.Canvas().Focus(s.list) // it may not have been drawn yet
			return
		}
	}
	c.p.u.win.Canvas().Focus(c.start)
}

// picked takes a side. Enter goes on to the other one, or compares.
func (c *comparePick) picked(i int, s view.CompareSide, done bool) {
	c.p.sides[i] = s
	c.sides[1-i].refresh(c.p.sides[1-i], s)
	c.tell()
	c.p.u.refreshTabs()
	switch {
	case !done:
	case c.p.sides[1-i].IsZero():
		c.sides[1-i].toList()
	default:
		c.p.start()
	}
}

// tell says whether both sides are chosen.
func (c *comparePick) tell() {
	a, b := c.p.sides[0], c.p.sides[1]
	words, ok := "", true
	switch {
	case a.IsZero() && b.IsZero():
		words, ok = "Choose both sides", false
	case a.IsZero():
		words, ok = "Choose A", false
	case b.IsZero():
		words, ok = "Choose B", false
	case a.Same(b):
		words = "Both sides are the same thing"
	}
	setText(c.note, words)
	if ok {
		c.start.Enable()
	} else {
		c.start.Disable()
	}
}

// pickOther asks for another side in the place of one.
func (p *comparePage) pickOther(i int) {
	var d *dialog.CustomDialog
	var s *sidePicker
	take := func() {
		d.Hide()
		if !s.chosen.IsZero() && !s.chosen.Same(p.sides[i]) {
			p.setSide(i, s.chosen)
		}
	}
	s = newSidePicker(p.u, "Side "+string(rune('A'+i)), func(_ view.CompareSide, done bool) {
		if done {
			take()
		}
	}, func() { d.Hide() })
	s.refresh(p.sides[i], p.sides[1-i])
	ok := widget.NewButton("Compare", take)
	ok.Importance = widget.HighImportance
	d = dialog.NewCustomWithoutButtons("Choose another side", s.root, p.u.win)
	d.SetButtons([]fyne.CanvasObject{widget.NewButton("Cancel", func() { d.Hide() }), ok})
	p.u.showDialog(d, p.u.dialogSize())
	p.u.win.Canvas().Focus(s.list)
}
