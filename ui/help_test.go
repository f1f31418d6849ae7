package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"mcploupe/assets"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// helpOpen is the help page in front.
func (d *desk) helpOpen() *helpPage {
	d.t.Helper()
	p, ok := d.current().(*helpPage)
	if !ok {
		d.t.Fatalf("%T is in front", d.current())
	}
	return p
}

func (p *helpPage) key1(name fyne.KeyName) { p.search.TypedKey(&fyne.KeyEvent{Name: name}) }

func (p *helpPage) reading() string { return p.guide.Pages()[p.at.page].Key }

func TestHelpIsReadAndSearchedWithTheKeyboard(t *testing.T) {
	d := newDesk(t)
	d.typedKey(&fyne.KeyEvent{Name: fyne.KeyF1})
	p := d.helpOpen()
	if p.reading() != "start" || d.win.Canvas().Focused() != fyne.Focusable(p.search) {
		t.Fatalf("%s is read, %v has the keyboard", p.reading(), d.win.Canvas().Focused())
	}
	d.shows("Start here", "Four jobs", "Troubleshooting")
	p.key1(fyne.KeyDown)
	if p.reading() != "explore" {
		t.Errorf("Down leads to %s", p.reading())
	}
	test.Type(p.search, "byte order mark")
	d.shows("1 place", "Damage and repair")
	p.key1(fyne.KeyReturn)
	if p.reading() != "format" || p.at.block == 0 || p.scroll.Offset.Y == 0 || !p.flow.hit.Visible() {
		t.Errorf("Enter leads to block %d of %s, %v down", p.at.block, p.reading(), p.scroll.Offset.Y)
	}
	p.key1(fyne.KeyEscape)
	if p.searching() || p.list.Current() != p.at.page {
		t.Errorf("after Esc the search is %q, row %d is selected", p.search.Text, p.list.Current())
	}
	p.goBack()
	if p.reading() != "explore" || p.flow.hit.Visible() {
		t.Errorf("back leads to %s", p.reading())
	}
	p.goBack()
	if p.reading() != "start" || !p.back.Disabled() {
		t.Errorf("back leads to %s", p.reading())
	}
	before := p.scroll.Offset.Y
	p.key1(fyne.KeyPageDown)
	if p.scroll.Offset.Y <= before {
		t.Error("PageDown does not scroll")
	}
	test.Type(p.search, "zebra")
	d.shows("Nothing found")
}

// F1 opens the page that fits, in the one tab of the guide.
func TestHelpFitsWhatIsInFront(t *testing.T) {
	d := newDesk(t)
	front := func(want string, block bool) {
		t.Helper()
		d.helpHere()
		p := d.helpOpen()
		if p.reading() != want || (p.at.block > 0) != block {
			t.Errorf("block %d of %s is read, want %s", p.at.block, p.reading(), want)
		}
		d.closePage(p)
	}
	front("start", false)
	d.newConnection()
	front("explore", true)
	d.newComparison()
	front("compare", false)
	c := d.open(d.server("peer", sessiontest.Server()), view.Connected)
	d.await("panes of the connection", func() bool { return !c.reporting })
	for name, want := range map[string]string{"Overview": "explore", "Live": "live", "Tasks": "live", "Requests": "forms", "Raw": "explore"} {
		for i, pane := range c.panes {
			if strings.HasPrefix(pane.Title(), name) {
				d.show(c)
				c.showPane(i)
				d.helpHere()
				if p := d.helpOpen(); p.reading() != want {
					t.Errorf("%s: %s is read, want %s", name, p.reading(), want)
				}
			}
		}
	}
	n := 0
	for _, p := range d.pages {
		if _, ok := p.(*helpPage); ok {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d tabs of the guide", n)
	}
}

// Every link of every page can be followed, and back.
func TestHelpLinksAreFollowed(t *testing.T) {
	d := newDesk(t)
	d.openHelp("start", "")
	p := d.helpOpen()
	followed := 0
	for i, page := range p.guide.Pages() {
		for _, b := range page.Blocks {
			for _, s := range b.Spans {
				if s.Page == "" && s.Anchor == "" {
					continue
				}
				p.goTo(helpPlace{page: i}, false)
				p.follow(s)
				if s.Page != "" && p.reading() != s.Page {
					t.Errorf("%s: %q leads to %s", page.Key, s.Text, p.reading())
				}
				p.goBack()
				if p.at.page != i {
					t.Errorf("back from %q leads to %s", s.Text, p.reading())
				}
				followed++
			}
		}
	}
	if followed < 20 || len(p.past) > maxPast {
		t.Errorf("%d links, %d places remembered", followed, len(p.past))
	}
	p.read("no such page", "")
	p.read("forms", "no-such-section")
	if p.reading() != "forms" || p.at.block != 0 {
		t.Errorf("block %d of %s", p.at.block, p.reading())
	}
}

// Blocks do not lie over each other, at any width, and all of a page is reached.
func TestHelpBlocksStandBelowEachOther(t *testing.T) {
	d := newDesk(t)
	d.openHelp("start", "")
	p := d.helpOpen()
	for _, width := range []float32{700, 1280, 1920, 900} {
		d.win.Resize(fyne.NewSize(width, 700))
		for i := range p.guide.Pages() {
			p.goTo(helpPlace{page: i}, false)
			end := float32(0)
			for n, part := range p.flow.parts {
				at, size := part.body.Position(), part.body.Size()
				if at.Y < end-13 || size.Height < part.body.MinSize().Height || at.X+size.Width > p.flow.width+1 {
					t.Errorf("%s at %v: block %d at %v of %v, the one before ends at %v", p.reading(), width, n, at, size, end)
				}
				end = at.Y + size.Height
			}
			if p.flow.height < end || p.scroll.Content.MinSize().Height < end {
				t.Errorf("%s at %v: its end at %v is below %v", p.reading(), width, end, p.flow.height)
			}
		}
	}
}

func TestHelpCodeIsCopied(t *testing.T) {
	d := newDesk(t)
	d.openHelp("replay", "")
	p := d.helpOpen()
	for i, b := range p.guide.Pages()[p.at.page].Blocks {
		if b.Kind != view.HelpCode {
			continue
		}
		for _, o := range test.LaidOutObjects(p.flow.parts[i].body) {
			if button, ok := o.(*widget.Button); ok {
				test.Tap(button)
			}
		}
		if got := d.app.Clipboard().Content(); got != b.Code {
			t.Errorf("the clipboard has %q", got)
		}
	}
}

func BenchmarkHelpPage(b *testing.B) {
	d := newDesk(b)
	d.openHelp("start", "")
	p := d.helpOpen()
	for b.Loop() {
		p.read("format", "")
		p.read("start", "")
	}
}

// The guide names keys and menus that are there.
func TestGuideNamesKeysAndMenusThatExist(t *testing.T) {
	d := newDesk(t)
	keys := map[string]bool{"Ctrl+click": true}
	for _, l := range d.keyLines() {
		for _, k := range strings.Split(l.Keys, ", ") {
			keys[strings.TrimSpace(k)] = true
		}
	}
	items, menus := map[string]bool{}, map[string]bool{}
	d.menus.actions(func(path []string, a *action) {
		label, _, _ := strings.Cut(a.Label, "  ") // the keys stand behind it
		items[strings.Join(append(path, label), " ▸ ")] = true
		items[strings.Join(path, " ▸ ")], menus[path[0]] = true, true
	})
	guide, err := view.NewHelp(assets.Guide())
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, p := range guide.Pages() {
		for _, b := range p.Blocks {
			for _, s := range b.Spans {
				menu, _, path := strings.Cut(s.Text, " ▸ ")
				if path && menus[menu] { // else it is a tab
					found++
					if !items[s.Text] {
						t.Errorf("%s: no menu has %q", p.Key, s.Text)
					}
				}
				if strings.HasPrefix(s.Text, "Ctrl+") {
					found++
					if !keys[s.Text] {
						t.Errorf("%s: no key %q", p.Key, s.Text)
					}
				}
			}
		}
	}
	if found < 40 {
		t.Errorf("%d keys and menus", found)
	}
}
