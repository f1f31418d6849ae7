package ui

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"mcploupe/protocol"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/rows"
	"mcploupe/ui/settings"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// openPalette presses what opens the palette and types.
func (d *desk) openPalette(query string) *palette {
	d.t.Helper()
	d.palette.toggle()
	if !d.palette.open() {
		d.t.Fatal("the palette did not open")
	}
	test.Type(d.palette.query, query)
	return d.palette
}

func (d *desk) press(k fyne.KeyName) {
	d.t.Helper()
	e := &fyne.KeyEvent{Name: k}
	if f := d.win.Canvas().Focused(); f != nil {
		f.TypedKey(e)
	} else {
		d.win.Canvas().OnTypedKey()(e)
	}
}

// find is the entry of a kind and title, ok is false when there is none.
func (p *palette) find(kind view.PaletteKind, title string) (e view.PaletteEntry, ok bool) {
	for i := range p.model.Len() {
		if e := p.model.At(i); e.Kind == kind && e.Title == title {
			return e, true
		}
	}
	return view.PaletteEntry{}, false
}

// Every item of every menu is in the palette, with its shortcut, and does the
// same; and there is no other.
func TestMenuItemsAreInThePalette(t *testing.T) {
	d := newDesk(t)
	p := d.openPalette("")
	shortcuts := map[string]int{}
	var walk func(items []*fyne.MenuItem) int
	walk = func(items []*fyne.MenuItem) (n int) {
		for _, i := range items {
			switch {
			case i.IsSeparator:
			case i.ChildMenu != nil:
				n += walk(i.ChildMenu.Items)
			default:
				n++
				shortcuts[widget.KeyText(i.Shortcut)]++
			}
		}
		return n
	}
	items := 0
	for _, m := range d.menus.main.Items {
		items += walk(m.Items)
	}
	listed := 0
	keys := map[string]bool{}
	for i := range p.model.Len() {
		e := p.model.At(i)
		if !strings.HasPrefix(e.Key, "action\x00") {
			continue
		}
		listed++
		if keys[e.Key] {
			t.Errorf("two actions are called %q", e.Title)
		}
		keys[e.Key] = true
		shortcuts[e.Shortcut]--
		if e.Do == nil {
			t.Errorf("%q does nothing", e.Title)
		}
	}
	if items == 0 || items != listed {
		t.Errorf("%d items in the menus, %d actions in the palette", items, listed)
	}
	for s, n := range shortcuts {
		if n != 0 {
			t.Errorf("%q is %d times more in the menus than in the palette", s, n)
		}
	}
}

func TestPaletteRunsActions(t *testing.T) {
	d := newDesk(t)
	p := d.openPalette("theme light")
	d.press(fyne.KeyReturn)
	if got := d.store.Get().Theme; got != "light" {
		t.Errorf("the theme is %q", got)
	}
	if p.open() {
		t.Error("the palette stays open")
	}
	p = d.openPalette("")
	if e := p.model.At(0); e.Title != "Theme: Light" {
		t.Errorf("the first entry is %q, not what was chosen last", e.Title)
	}
}

func TestPaletteSaysWhyNot(t *testing.T) {
	d := newDesk(t)
	p := d.openPalette("Disconnect")
	e := p.model.At(0)
	if e.Title != "Disconnect" || e.Why == "" {
		t.Fatalf("the first entry is %q: %q", e.Title, e.Why)
	}
	d.press(fyne.KeyReturn)
	if !p.open() || !strings.Contains(p.note.Text, e.Why) {
		t.Errorf("open %v, it says %q", p.open(), p.note.Text)
	}
}

// Escape closes the palette and gives the keyboard back, whether the field has
// the keyboard or a click took it away.
func TestEscapeClosesThePalette(t *testing.T) {
	d := newDesk(t)
	before := newKeyedEntry(func(*fyne.KeyEvent) bool { return false })
	d.body.Objects = append(d.body.Objects, before)
	d.win.Canvas().Focus(before)
	p := d.openPalette("x")
	d.press(fyne.KeyEscape)
	if p.open() || d.win.Canvas().Focused() != before {
		t.Errorf("open %v, the keyboard is at %v", p.open(), d.win.Canvas().Focused())
	}
	p = d.openPalette("x")
	d.win.Canvas().Unfocus()
	d.press(fyne.KeyEscape)
	if p.open() {
		t.Error("without the keyboard it stays open")
	}
	p.toggle()
	p.toggle()
	if p.open() {
		t.Error("its shortcut does not close it")
	}
}

func TestPaletteGoesToTools(t *testing.T) {
	d := newDesk(t)
	page := d.open(d.server("lens", sessiontest.Server().With("tools/list", sessiontest.Reply(
		`{"tools":[{"name":"alpha","inputSchema":{"type":"object"}},{"name":"be\u202eta","description":"the second","inputSchema":{"type":"object"}}]}`))), view.Connected)
	d.await("the tools", func() bool { return page.conn.Lists() != nil && len(page.conn.Lists().Tools()) == 2 })
	d.activate(0)
	p := d.openPalette("tool lens second")
	if p.model.Len() == 0 {
		t.Fatal("the tool is not found")
	}
	e := p.model.At(0)
	if e.Kind != view.PaletteTool || strings.ContainsRune(e.Title, '\u202e') || !strings.Contains(e.Detail, "lens") {
		t.Fatalf("%+v", e)
	}
	d.press(fyne.KeyReturn)
	if d.currentConn() != page {
		t.Fatal("another tab is in front")
	}
	tools, ok := page.panes[page.at].(*toolsPane)
	if !ok {
		t.Fatalf("tab %d is in front", page.at)
	}
	if s, _, ok := tools.list.model.Selected(); !ok || s.Index != 1 {
		t.Errorf("selected is %+v", s)
	}
	if !slices.ContainsFunc(tools.tools, func(x protocol.Tool) bool { return x.Description == "the second" }) {
		t.Error("the pane has no tools")
	}
}

func TestPaletteListsServersRecordingsAndTabs(t *testing.T) {
	d := newDesk(t)
	server := d.server("kept", sessiontest.Server())
	page := d.open(server, view.Connected)
	d.await("the recording", func() bool { return page.conn.Path() != "" && len(d.store.Get().Recent) > 0 })
	d.activate(0)
	p := d.openPalette("")
	if _, ok := p.find(view.PaletteServer, "kept"); !ok {
		t.Error("the server is not listed")
	}
	if _, ok := p.find(view.PaletteTab, "kept"); !ok {
		t.Error("its tab is not listed")
	}
	e, ok := p.find(view.PaletteRecording, recordingTitle(page.conn.Path()))
	if !ok {
		t.Fatal("its recording is not listed")
	}
	p.close()
	e.Do()
	if d.currentConn() != page {
		t.Error("the recording of an open connection is opened once more")
	}
	d.activate(0)
	d.openPalette("server kept")
	d.press(fyne.KeyReturn)
	if d.currentConn() != page || len(d.pages) != 2 {
		t.Errorf("%d tabs; choosing a connected server shows it", len(d.pages))
	}
}

// A setting leads to its place among the settings, a page of the guide to itself.
func TestPaletteFindsSettingsAndTheGuide(t *testing.T) {
	d := newDesk(t)
	p := d.openPalette("density")
	if e := p.model.At(0); e.Kind != view.PaletteSetting || e.Title != "Density" {
		t.Fatalf("it finds %+v", e)
	}
	d.press(fyne.KeyReturn)
	s, ok := d.current().(*settingsPage)
	if !ok || s.search.Text != "Density" || d.win.Canvas().Focused() != fyne.Focusable(s.search) {
		t.Fatalf("%T is in front", d.current())
	}
	d.shows("How close rows and fields stand.")
	if test.Type(s.search, "zone"); s.search.Text != "zone" {
		t.Errorf("another search is %q", s.search.Text)
	}
	p = d.openPalette("troubleshooting")
	if e := p.model.At(0); e.Kind != view.PaletteGuide {
		t.Fatalf("it finds %+v", e)
	}
	d.press(fyne.KeyReturn)
	if h := d.helpOpen(); h.reading() != "troubleshooting" {
		t.Errorf("%s is read", h.reading())
	}
	p = d.openPalette("")
	for _, x := range view.Settings(*d.cfg.Capabilities) {
		if _, ok := p.find(view.PaletteSetting, x.Label); !ok {
			t.Errorf("the setting %q is not listed", x.Label)
		}
	}
}

func TestKeyboardPageShowsTheTable(t *testing.T) {
	d := newDesk(t)
	lines := d.keyLines()
	d.menus.actions(func(_ []string, a *action) {
		if a.Shortcut == nil {
			return
		}
		if !slices.ContainsFunc(lines, func(l view.KeyLine) bool { return l.Keys == widget.KeyText(a.Shortcut) && l.Does == a.title }) {
			t.Errorf("%s, %s is not on the page", a.title, widget.KeyText(a.Shortcut))
		}
	})
	for _, l := range lines {
		if l.Keys == "" || l.Does == "" || l.Where == "" {
			t.Errorf("%+v", l)
		}
	}
	h := d.openKeyHelp()
	test.Type(h.query, "ctrl+k")
	if h.model.Len() != 1 || h.model.At(0).Does != "Find anything …" || h.list.Count() != 1 {
		t.Errorf("%d lines, the first is %+v", h.model.Len(), h.model.At(0))
	}
	d.press(fyne.KeyEscape)
	if d.win.Canvas().Overlays().Top() != nil {
		t.Error("Escape does not close it")
	}
}

func recordingTitle(path string) string {
	title, _ := view.RecordingName(path)
	return title
}

// What the menus of tabs, of recordings and of servers do is in the palette too.
func TestPaletteHasWhatPopUpMenusDo(t *testing.T) {
	d := newDesk(t)
	first := d.open(d.server("one", sessiontest.Server()), view.Connected)
	d.open(d.server("two", sessiontest.Server()), view.Connected)
	do := func(title string) {
		t.Helper()
		p := d.openPalette(title)
		e := p.model.At(0)
		if e.Title != title || e.Why != "" {
			t.Fatalf("%q finds %q, which cannot be done because %q", title, e.Title, e.Why)
		}
		d.press(fyne.KeyReturn)
	}
	do("Mark the recording as saved, or no longer")
	if saved := d.store.Get().Saved; !slices.Contains(saved, d.currentConn().conn.Path()) {
		t.Errorf("saved are %v", saved)
	}
	do("Duplicate the server")
	if n := len(d.store.Get().Servers); n != 3 {
		t.Errorf("%d servers", n)
	}
	do("Rename the recording …")
	d.closeDialog()
	do("Remove the server from the list …")
	d.closeDialog()
	if p := d.openPalette("Delete the recording …"); p.model.At(0).Why == "" {
		t.Error("the recording of an open connection can be deleted")
	}
	d.press(fyne.KeyEscape)
	do("Close other tabs")
	if len(d.pages) != 2 || slices.Contains(d.pages, page(first)) {
		t.Errorf("%d tabs are left", len(d.pages))
	}
}

// In a window whose texts are zoomed the palette stays below the field that opens
// it, and a dialog grows with its texts.
func TestPaletteAndDialogsGrowWithTheText(t *testing.T) {
	d := newDesk(t)
	d.win.Resize(fyne.NewSize(1280, 800))
	dialog := d.dialogSize()
	d.changeSettings(func(s *settings.Settings) { s.Zoom = 150 })
	p := d.openPalette("")
	below := d.app.Driver().AbsolutePositionForObject(d.top).Y + d.top.Size().Height
	if at := d.app.Driver().AbsolutePositionForObject(p.query); at.Y < below {
		t.Errorf("the palette begins at %v, what is above it ends at %v", at.Y, below)
	}
	if note := d.noteSize(560, 320); note.Width != 840 || note.Height != 480 {
		t.Errorf("a note has %v", note)
	}
	if now := d.dialogSize(); now.Width <= dialog.Width {
		t.Errorf("a dialog has %v, %v without zoom", now, dialog)
	}
}

// What an entry is does not run into its name, however large texts are.
func TestPaletteKeepsRoomForTheKind(t *testing.T) {
	d := newDesk(t)
	d.changeSettings(func(s *settings.Settings) { s.Zoom = 200 })
	p := d.openPalette("troubleshooting") // a page of the guide
	slot := &rows.Slot{Box: container.NewWithoutLayout()}
	slot.Box.Resize(fyne.NewSize(900, 40))
	p.list.BeforeRows()
	p.list.DrawRow(slot, 0)
	texts := slot.Data.(*paletteRow).texts
	if len(texts) < 2 || texts[0].Text != "guide" {
		t.Fatalf("%d texts", len(texts))
	}
	longest := fyne.MeasureText("recording", texts[0].TextSize, texts[0].TextStyle).Width
	if end, name := texts[0].Position().X+longest, texts[1].Position().X; end > name {
		t.Errorf("the longest kind would end at %v, the name begins at %v", end, name)
	}
}
