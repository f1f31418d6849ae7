package ui

import (
	"net/url"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/assets"
	"mcploupe/ui/rows"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// helpPage is the tab of the user guide: its pages or what a search found on the
// left, the page that is read on the right.
type helpPage struct {
	u     *UI
	guide *view.Help

	root   fyne.CanvasObject
	search *keyedEntry
	list   *rows.View
	count  *widget.Label
	back   *widget.Button
	scroll *container.Scroll
	flow   *helpFlow // of the page that is read
	split  *container.Split

	hits []view.HelpHit // of the search, nil without one
	at   helpPlace
	past []helpPlace // where the person came from
}

// helpPlace is a page and a block of it.
type helpPlace struct{ page, block int }

const (
	helpOffset = 0.26 // share of the list
	helpWidth  = 780  // of a line that can be read
	maxPast    = 50
)

// openHelp shows a page of the guide, and a section of it unless that is "".
func (u *UI) openHelp(key, anchor string) {
	for _, p := range u.pages {
		if h, ok := p.(*helpPage); ok {
			u.show(h)
			h.read(key, anchor)
			return
		}
	}
	guide, err := view.NewHelp(assets.Guide())
	if err != nil {
		u.fail("The guide cannot be read", err)
		return
	}
	h := newHelpPage(u, guide)
	u.addPage(h)
	h.read(key, anchor)
	u.win.Canvas().Focus(h.search)
}

// helpHere opens the page of the guide that fits what is in front.
func (u *UI) helpHere() {
	key, anchor := helpFor(u.current())
	u.openHelp(key, anchor)
}

// helpFor is the page and section of the guide about a page of the window.
func helpFor(p page) (key, anchor string) {
	switch p := p.(type) {
	case *connectPage:
		return "explore", "connect"
	case *comparePage:
		return "compare", ""
	case *doctorPage:
		return "troubleshooting", "check-the-connection"
	case *settingsPage:
		return "settings", ""
	case *importPage, *exportPage:
		return "settings", "servers-of-other-programs"
	case *replayPage:
		return "replay", "replay-against-a-server"
	case *servePage:
		return "replay", "serve-in-the-servers-place"
	case *connPage:
		if phase, _ := p.conn.Phase(); phase == view.File {
			return "recordings", ""
		}
		if p.reporting {
			return "troubleshooting", "connecting"
		}
		switch p.panes[p.at].(type) {
		case *requestsPane:
			return "forms", ""
		case *livePane:
			return "live", ""
		case *tasksPane:
			return "live", "tasks"
		case *overviewPane:
			return "explore", "overview"
		case *resourcesPane, *promptsPane:
			return "explore", "resources-and-prompts"
		case *freePane:
			return "explore", "raw"
		}
		return "explore", "tools"
	}
	return "start", ""
}

func newHelpPage(u *UI, guide *view.Help) *helpPage {
	p := &helpPage{u: u, guide: guide, at: helpPlace{page: -1}}
	p.search = newKeyedEntry(p.searchKey)
	p.search.SetPlaceHolder("Search the guide")
	p.search.SetIcon(fynetheme.SearchIcon())
	p.search.OnChanged = p.find
	p.list = rows.New(p.bind, nil)
	p.list.SetColumns(rows.Column{})
	p.list.SetPlaceholder("No page has all these words")
	p.list.OnSelect = p.choose
	p.list.OnActivate = p.choose
	p.list.OnKey = func(k *fyne.KeyEvent) bool {
		if k.Name == fyne.KeyUp || k.Name == fyne.KeyDown {
			return false
		}
		return p.key(k)
	}
	p.list.OnRune = func(r rune) {
		u.win.Canvas().Focus(p.search)
		p.search.TypedRune(r)
	}
	p.count = caption("")
	p.back = quiet("Back", fynetheme.NavigateBackIcon(), p.goBack)
	p.scroll = container.NewVScroll(container.NewStack())
	left := widget.Border(container.NewVBox(p.search, p.count), nil, nil, nil, p.list)
	right := widget.Border(container.NewHBox(p.back), nil, nil, nil, p.scroll)
	p.split = container.NewHSplit(left, right)
	(&splits{kept: u.splitOffset}).add("help", p.split, helpOffset)
	p.root = p.split
	p.find("")
	return p
}

func (p *helpPage) tab() stripTab {
	return stripTab{Glyph: "?", Tone: view.Muted, Text: "Help", Closes: true}
}

func (p *helpPage) object() fyne.CanvasObject { return p.root }

func (p *helpPage) shown() {}

func (p *helpPage) hidden() {}

func (p *helpPage) drop() error { return nil }

// find lists the places that hold the words, or the pages.
func (p *helpPage) find(query string) {
	p.hits = p.guide.Search(query)
	if p.searching() {
		setText(p.count, view.HelpHitsText(len(p.hits)))
		p.list.Reset(len(p.hits))
		return
	}
	setText(p.count, "Pages of the guide")
	p.list.Reset(len(p.guide.Pages()))
	p.list.Select(p.at.page)
}

func (p *helpPage) searching() bool { return view.HelpSearches(p.search.Text) }

func (p *helpPage) bind(i int, row *rows.Row) {
	if p.searching() {
		h := p.hits[i]
		row.Cells[0] = rows.Cell{Text: h.Head(), Detail: h.Detail()}
		return
	}
	row.Cells[0] = rows.Cell{Text: p.guide.Pages()[i].Title}
	if i == p.at.page {
		row.Cells[0].Bold = true
	}
}

// choose reads what a row stands for.
func (p *helpPage) choose(row int) {
	switch {
	case row < 0:
	case p.searching():
		if row < len(p.hits) {
			p.goTo(helpPlace{p.hits[row].Page, p.hits[row].Block}, true)
		}
	default:
		p.goTo(helpPlace{page: row}, false)
	}
}

// read goes to a page by its key. One that is not there leaves what is shown.
func (p *helpPage) read(key, anchor string) {
	if i := p.guide.Index(key); i >= 0 {
		p.goTo(helpPlace{i, p.guide.Pages()[i].Section(anchor)}, false)
	}
}

// goTo shows a place and remembers the one before; found marks the block.
func (p *helpPage) goTo(to helpPlace, found bool) {
	if p.at.page >= 0 && p.at != to {
		p.past = append(p.past, p.at)
		p.past = p.past[max(0, len(p.past)-maxPast):]
	}
	p.set(to, found)
}

func (p *helpPage) goBack() {
	if n := len(p.past); n > 0 {
		to := p.past[n-1]
		p.past = p.past[:n-1]
		p.set(to, false)
	}
}

func (p *helpPage) set(to helpPlace, found bool) {
	if p.flow == nil || to.page != p.at.page {
		p.flow = newHelpFlow(p.guide.Pages()[to.page], p.follow, p.u.copyText)
		p.flow.grown = p.scroll.Refresh
		p.scroll.Content = container.New(&columnLayout{max: helpWidth}, p.flow.root)
		p.scroll.ScrollToOffset(fyne.Position{})
		p.scroll.Refresh()
	}
	p.at = to
	mark := -1
	if found {
		mark = to.block
	}
	p.flow.mark(mark)
	p.scroll.ScrollToOffset(fyne.NewPos(0, p.flow.top(to.block)))
	if !p.searching() {
		p.list.Select(to.page)
		p.list.Invalidate()
	}
	able(p.back, len(p.past) > 0)
}

// follow goes where a link leads.
func (p *helpPage) follow(s view.HelpSpan) {
	if s.URL != "" {
		if address, err := url.Parse(s.URL); err == nil {
			p.u.openURL(address)
		}
		return
	}
	page := p.at.page
	if s.Page != "" {
		page = p.guide.Index(s.Page)
	}
	if page >= 0 {
		p.goTo(helpPlace{page, p.guide.Pages()[page].Section(s.Anchor)}, false)
	}
}

// searchKey takes the keys that are for the list and the page while the search
// has the keyboard.
func (p *helpPage) searchKey(k *fyne.KeyEvent) bool {
	switch k.Name {
	case fyne.KeyUp, fyne.KeyDown:
		by := 1
		if k.Name == fyne.KeyUp {
			by = -1
		}
		if n := p.list.Count(); n > 0 {
			p.list.Choose(min(max(p.list.Current()+by, 0), n-1))
		}
	case fyne.KeyReturn, fyne.KeyEnter:
		p.choose(max(p.list.Current(), 0))
	case fyne.KeyEscape:
		if p.search.Text == "" {
			p.u.win.Canvas().Focus(p.list)
		} else {
			p.search.SetText("")
		}
	case fyne.KeyPageUp, fyne.KeyPageDown, fyne.KeyF1:
		return p.key(k)
	default:
		return false
	}
	return true
}

// key takes the keys that move through the page, and reports whether k is one.
func (p *helpPage) key(k *fyne.KeyEvent) bool {
	switch k.Name {
	case fyne.KeyBackspace:
		p.goBack()
		return true
	case fyne.KeyF1:
		return true
	}
	return scrollKey(p.scroll, k)
}

// scrollKey scrolls by the keys that move through a page, and reports whether k is
// one.
func scrollKey(s *container.Scroll, k *fyne.KeyEvent) bool {
	const line = 40
	page := max(s.Size().Height-line, line)
	at := s.Offset.Y
	switch k.Name {
	case fyne.KeyPageDown, fyne.KeySpace:
		at += page
	case fyne.KeyPageUp:
		at -= page
	case fyne.KeyDown:
		at += line
	case fyne.KeyUp:
		at -= line
	case fyne.KeyHome:
		at = 0
	case fyne.KeyEnd:
		at = s.Content.MinSize().Height
	default:
		return false
	}
	s.ScrollToOffset(fyne.NewPos(0, max(0, at)))
	return true
}
