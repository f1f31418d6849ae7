package ui

import (
	"image/color"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// sidebar lists the saved servers with their state, the connections to others,
// and the recent recordings.
type sidebar struct {
	u       *UI
	servers *fyne.Container
	files   *fyne.Container
	root    fyne.CanvasObject

	find    *keyedEntry
	list    *fyne.Container // of all of it
	news    *fyne.Container // of files that are watched
	changes []view.ImportChange
	entries []view.SideEntry
	items   []*sideItem
	shown   []view.RecordingRow
	at      *view.Conn // the one in front when the rows were drawn
	file    string     // the recording in front when the rows were drawn
	drawn   bool

	known  map[string]view.RecordingInfo // of the files that are listed
	looked time.Time                     // when they were last looked at, zero to look again
	busy   bool                          // somebody looks at them now
	picked string                        // the recording that waits for another to be compared with, "" for none
}

// sideFiles bounds the recordings that are listed.
const sideFiles = 12

// lookEvery is the shortest time between two looks at the files.
const lookEvery = 5 * time.Second

func newSidebar(u *UI) *sidebar {
	s := &sidebar{u: u, news: container.NewVBox(), servers: container.NewVBox(), files: container.NewVBox()}
	s.find = newKeyedEntry(s.findKey)
	s.find.SetPlaceHolder("Find a server")
	s.find.OnChanged = func(string) { s.refresh() }
	s.list = container.NewVBox(s.serversHead(), s.news, s.find, s.servers, sideHeading("RECORDINGS"), s.files)
	s.root = container.NewStack(newGround(func() color.Color { return theme.Color(theme.ColorPanel) }), container.NewVScroll(s.list))
	return s
}

func (s *sidebar) object() fyne.CanvasObject { return s.root }

func sideHeading(text string) fyne.CanvasObject {
	label := widget.NewLabelWithStyle(text, fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	label.SizeName = fynetheme.SizeNameCaptionText
	label.Importance = widget.LowImportance
	return label
}

// refresh brings the list up to date; it does nothing when nothing changed.
func (s *sidebar) refresh() {
	st := s.u.cfg.Settings.Get()
	entries := view.ServerEntries(st, s.u.conns(), s.u.cfg.now(), s.find.Text)
	setHidden(s.find, len(st.Servers) < 2 && s.find.Text == "")
	var at *view.Conn
	if c := s.u.currentConn(); c != nil {
		at = c.conn
	}
	if !s.drawn || !slices.Equal(entries, s.entries) || at != s.at {
		s.setServers(entries, at)
		// Of two parts that change at once the toolkit may forget the first: it
		// would keep the room that it had.
		defer s.list.Refresh()
	}
	paths := view.RecordingPaths(st.Recent, st.Saved, sideFiles)
	open := map[string]bool{}
	for _, c := range s.u.conns() {
		phase, _ := c.Phase()
		open[c.Path()] = phase.Live() || phase.Busy()
	}
	file := ""
	if at != nil {
		file = at.Path()
	}
	files := view.RecordingRows(paths, st.Saved, open, s.known, s.u.cfg.now())
	if !s.drawn || file != s.file || !slices.Equal(files, s.shown) {
		s.setFiles(files, file)
		s.u.filesChanged()
	}
	s.drawn = true
	s.look(paths)
}

// forget makes the next refresh look at the files again.
func (s *sidebar) forget() { s.looked = time.Time{} }

// look finds out in the background what is to be told of the files.
func (s *sidebar) look(paths []string) {
	now := s.u.cfg.now()
	news := slices.ContainsFunc(paths, func(p string) bool { _, ok := s.known[p]; return !ok })
	if s.busy || s.u.closing || len(paths) == 0 || !news && now.Sub(s.looked) < lookEvery {
		return
	}
	s.busy, s.looked = true, now
	s.u.work.Go(func() {
		known := make(map[string]view.RecordingInfo, len(paths))
		for _, p := range paths {
			known[p] = view.LookAtRecording(p)
		}
		s.u.cfg.Do(func() {
			s.busy = false
			changed := !maps.Equal(known, s.known)
			s.known = known
			if changed || s.looked.IsZero() { // or there was more to see meanwhile
				s.refresh()
				s.u.start.refresh()
			}
		})
	})
}

func (s *sidebar) setFiles(rows []view.RecordingRow, file string) {
	s.shown, s.file = rows, file
	s.files.RemoveAll()
	for _, row := range rows {
		item := s.u.fileItem(row)
		item.current = file != "" && row.Path == file
		s.comparable(item, row)
		s.files.Add(item)
	}
	if len(rows) == 0 {
		s.files.Add(sideNote("None yet"))
	}
}

// fileItem is the entry of a recording in a list.
func (u *UI) fileItem(row view.RecordingRow) *sideItem {
	item := newSideItem()
	item.tip = u.tip
	item.glyph, item.tone, item.title, item.sub = row.Glyph, row.Tone, row.Title, row.Sub
	item.onTap = func() { u.openRecording(row.Path) }
	item.menu = func() *fyne.Menu { return fyne.NewMenu("", u.fileItems(row)...) }
	return item
}

// fileItems are the actions for a recording in a list.
func (u *UI) fileItems(row view.RecordingRow) []*fyne.MenuItem {
	path := row.Path
	mark := fyne.NewMenuItem("Mark as saved", func() { u.saveRecordingMark(path, true) })
	if row.Saved {
		mark = fyne.NewMenuItem("Not saved any more", func() { u.saveRecordingMark(path, false) })
	}
	off := fyne.NewMenuItem("Remove from this list", func() {
		u.kept(u.cfg.Settings.ForgetRecording(path))
		u.recordingsChanged()
	})
	if row.Gone {
		return []*fyne.MenuItem{off, fyne.NewMenuItem("Copy path", func() { u.copyText(path) })}
	}
	items := append([]*fyne.MenuItem{fyne.NewMenuItem("Open", func() { u.openRecording(path) })}, u.replayItems(path)...)
	items = append(items,
		fyne.NewMenuItem("Open in the editor", func() { u.editFile(path) }),
		fyne.NewMenuItem("Show in folder", func() { u.openFolder(filepath.Dir(path)) }),
		fyne.NewMenuItem("Copy path", func() { u.copyText(path) }),
		fyne.NewMenuItemSeparator(),
	)
	items = append(items, u.compareItems(u.sideOfFile(path))...)
	return append(items,
		fyne.NewMenuItemSeparator(),
		mark,
		fyne.NewMenuItem("Rename …", func() { u.renameRecording(path) }),
		off,
		fyne.NewMenuItem("Delete …", func() { u.deleteRecording(path) }))
}

func sideNote(text string) fyne.CanvasObject {
	label := widget.NewLabel(text)
	label.Importance = widget.LowImportance
	label.Truncation = fyne.TextTruncateEllipsis
	return label
}

// open shows the tab of a row, made when there is none. It does not connect. The
// keyboard stays with the row, whose keys are for the server.
func (s *sidebar) open(row view.ServerRow) {
	if p := s.u.pageOf(row.Conn); row.Conn != nil && p != nil {
		s.u.show(p)
	} else if server, ok := s.u.cfg.Settings.Server(row.ServerID); ok {
		s.u.addPage(newConnPage(s.u, server))
	}
	s.focusItem(slices.IndexFunc(s.entries, func(e view.SideEntry) bool {
		return !e.Heading && e.Server.ServerID == row.ServerID && (row.ServerID != "" || e.Server.Conn == row.Conn)
	}))
}

func (s *sidebar) connect(row view.ServerRow) {
	if server, ok := s.u.cfg.Settings.Server(row.ServerID); ok {
		s.u.connect(server)
	}
}

// sideItem is a row of the sidebar: glyph, title, and a word below it.
type sideItem struct {
	widget.BaseWidget
	glyph, title, sub string
	tone              view.Tone
	current           bool
	onTap             func()
	menu              func() *fyne.Menu
	action            func() // of the button at the right end
	actionIcon        fyne.Resource
	onDrag, onDrop    func(at fyne.Position) // in the window; nil when it cannot be dragged
	onKey             func(*fyne.KeyEvent) bool
	onShortcut        func(fyne.Shortcut)
	heading           bool // of a group

	dragged fyne.Position
	aimed   dropPlace // of what is dragged over it
	hovered bool
	focused bool
	back    *canvas.Rectangle
	mark    *canvas.Rectangle // where a dragged server would go
	sign    *canvas.Text
	label   *widget.Label
	under   *widget.Label
	button  *widget.Button
	tip     *hoverTip // shows what is cut, nil for nothing
}

var (
	_ fyne.Tappable          = (*sideItem)(nil)
	_ fyne.SecondaryTappable = (*sideItem)(nil)
	_ desktop.Hoverable      = (*sideItem)(nil)
	_ fyne.Focusable         = (*sideItem)(nil)
	_ fyne.Draggable         = (*sideItem)(nil)
	_ fyne.Shortcutable      = (*sideItem)(nil)
)

func newSideItem() *sideItem {
	i := &sideItem{
		back: canvas.NewRectangle(color.Transparent), mark: canvas.NewRectangle(color.Transparent), sign: canvas.NewText("", color.Transparent),
		label: widget.NewLabel(""), under: widget.NewLabel(""),
	}
	i.sign.TextStyle.Monospace = true
	i.label.Truncation, i.under.Truncation = fyne.TextTruncateEllipsis, fyne.TextTruncateEllipsis
	i.under.SizeName, i.under.Importance = fynetheme.SizeNameCaptionText, widget.LowImportance
	i.button = widget.NewButtonWithIcon("", nil, func() {
		if i.action != nil {
			i.action()
		}
	})
	i.button.Importance = widget.LowImportance
	i.ExtendBaseWidget(i)
	return i
}

// Tapped implements fyne.Tappable.
func (i *sideItem) Tapped(*fyne.PointEvent) { i.onTap() }

// TappedSecondary implements fyne.SecondaryTappable.
func (i *sideItem) TappedSecondary(e *fyne.PointEvent) { i.showMenu(e.AbsolutePosition) }

func (i *sideItem) showMenu(at fyne.Position) {
	widget.ShowPopUpMenuAtPosition(i.menu(), fyne.CurrentApp().Driver().CanvasForObject(i), at)
}

// FocusGained implements fyne.Focusable.
func (i *sideItem) FocusGained() {
	i.focused = true
	i.Refresh()
	widget.Reveal(i)
}

// FocusLost implements fyne.Focusable.
func (i *sideItem) FocusLost() { i.focused = false; i.Refresh() }

// TypedRune implements fyne.Focusable.
func (i *sideItem) TypedRune(rune) {}

// TypedKey implements fyne.Focusable: Enter and the space bar open, the right
// arrow shows the menu.
func (i *sideItem) TypedKey(k *fyne.KeyEvent) {
	if i.onKey != nil && i.onKey(k) {
		return
	}
	switch k.Name {
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		i.onTap()
	case fyne.KeyRight:
		i.showMenu(fyne.CurrentApp().Driver().AbsolutePositionForObject(i).AddXY(i.Size().Width, 0))
	default:
		widget.Leave(k)
	}
}

// TypedShortcut implements fyne.Shortcutable.
func (i *sideItem) TypedShortcut(s fyne.Shortcut) {
	if i.onShortcut != nil {
		i.onShortcut(s)
	}
}

// MouseIn implements desktop.Hoverable.
func (i *sideItem) MouseIn(e *desktop.MouseEvent) {
	i.hovered = true
	i.Refresh()
	if i.tip != nil && (isCut(i.label) || isCut(i.under)) {
		i.tip.over(i.title+"\n"+i.sub, e.AbsolutePosition)
	}
}

// MouseMoved implements desktop.Hoverable.
func (i *sideItem) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (i *sideItem) MouseOut() {
	i.hovered = false
	i.Refresh()
	if i.tip != nil {
		i.tip.out()
	}
}

// CreateRenderer implements fyne.Widget.
func (i *sideItem) CreateRenderer() fyne.WidgetRenderer {
	r := &sideRenderer{i}
	r.Refresh()
	return r
}

type sideRenderer struct{ i *sideItem }

const (
	sideLine    = 20
	sideSubLine = 16
	sidePad     = 4
	sideSign    = 24
	sideButton  = 26
)

func (r *sideRenderer) Destroy() {}

func (r *sideRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.i.back, r.i.sign, r.i.label, r.i.under, r.i.button, r.i.mark}
}

func (r *sideRenderer) MinSize() fyne.Size {
	h := theme.Scaled(sideLine) + 2*sidePad
	if r.i.sub != "" {
		h += theme.Scaled(sideSubLine)
	}
	return fyne.NewSize(100, h)
}

func (r *sideRenderer) Layout(size fyne.Size) {
	i := r.i
	line, subLine, sign, button := theme.Scaled(sideLine), theme.Scaled(sideSubLine), theme.Scaled(sideSign), theme.Scaled(sideButton)
	i.back.Resize(size)
	i.mark.Resize(fyne.NewSize(size.Width, widget.Ring))
	i.mark.Move(fyne.NewPos(0, 0))
	if i.aimed == dropBehind {
		i.mark.Move(fyne.NewPos(0, size.Height-widget.Ring))
	}
	right := size.Width
	if i.action != nil {
		right -= button
		i.button.Resize(fyne.NewSize(button, button))
		i.button.Move(fyne.NewPos(right, (size.Height-button)/2))
	}
	min := i.sign.MinSize()
	i.sign.Resize(min)
	i.sign.Move(fyne.NewPos(sidePad+4, sidePad+(line-min.Height)/2))
	// Labels bring padding of their own on all sides.
	pad := theme.Size(fynetheme.SizeNameInnerPadding)
	place := func(l *widget.Label, y, height float32) {
		own := l.MinSize().Height
		l.Resize(fyne.NewSize(right-sign+pad, own))
		l.Move(fyne.NewPos(sign-pad, y+(height-own)/2))
	}
	place(i.label, sidePad, line)
	place(i.under, sidePad+line, subLine)
}

func (r *sideRenderer) Refresh() {
	i := r.i
	i.back.FillColor = color.Transparent
	if i.hovered || i.aimed == dropInto {
		i.back.FillColor = theme.Color(theme.ColorRowHover)
	}
	if i.current {
		i.back.FillColor = theme.Color(theme.ColorRowSelected)
	}
	i.back.StrokeWidth = 0
	if i.focused || i.aimed == dropInto {
		i.back.StrokeColor, i.back.StrokeWidth = theme.Color(fynetheme.ColorNamePrimary), widget.Ring
	}
	i.sign.Text, i.sign.Color, i.sign.TextSize = i.glyph, toneColor(i.tone), theme.Size(fynetheme.SizeNameText)
	i.label.TextStyle.Bold = i.current || i.heading
	i.label.SetText(i.title)
	i.under.SetText(i.sub)
	i.under.Hidden = i.sub == ""
	i.button.Hidden = i.action == nil
	if i.actionIcon != nil {
		i.button.SetIcon(i.actionIcon)
	}
	i.mark.FillColor = theme.Color(fynetheme.ColorNamePrimary)
	i.mark.Hidden = i.aimed != dropBefore && i.aimed != dropBehind
	r.Layout(i.Size())
	canvas.Refresh(i.back)
	canvas.Refresh(i.mark)
	canvas.Refresh(i.sign)
}
