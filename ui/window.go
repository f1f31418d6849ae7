package ui

import (
	"context"
	"maps"
	"os"
	"slices"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"

	"mcploupe/ui/rows"
	"mcploupe/ui/settings"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// page is what a tab of the window shows.
type page interface {
	tab() stripTab
	object() fyne.CanvasObject
	shown()
	hidden()
	// drop ends the page. It may take as long as a server needs to end and is
	// called off the UI goroutine.
	drop() error
}

// UI is the window. All methods but Close are for the UI goroutine.
type UI struct {
	cfg Config
	app fyne.App
	win fyne.Window

	strip   *tabStrip
	body    *fyne.Container
	side    *sidebar
	notes   *noteLine
	floats  *floatLayer
	top     *fyne.Container
	split   *container.Split
	menus   *menus
	palette *palette
	tour    *tourBar
	start   *startPage
	pages   []page
	active  int

	work    sync.WaitGroup  // pages that are ending, files that are being written
	watches sync.WaitGroup  // what goes on as long as the window
	ctx     context.Context // ends with the window
	end     context.CancelFunc
	dialogs []dialog.Dialog // open ones, the one in front last
	closing bool
	leave   func() // ends the toolkit's loop
	behind  bool   // the window is not in front
	ended   sync.Once
	temp    []string // folders of files that were handed to other programs
	savedTo string   // folder that something was saved to last
	tip     *hoverTip
	trouble *noticeBar
	frame   *fyne.Container // all but what floats
	broken  map[page]bool   // pages whose drawing has failed
	panics  int
	screen  string // what the screen measures, "" when that is not known
}

const (
	defaultWidth  = 1280
	defaultHeight = 800
	sideOffset    = 0.16
)

// New builds the window in app and does not show it yet.
func New(app fyne.App, cfg Config) *UI {
	u := &UI{cfg: cfg.withDefaults(), app: app, leave: app.Quit, active: -1, broken: map[page]bool{}}
	do := u.cfg.Do
	u.cfg.Do = func(f func()) { do(func() { u.guard(nil, "taking in what came", f) }) }
	u.cfg.Open = u.outliving(u.cfg.Open)
	u.ctx, u.end = context.WithCancel(context.Background())
	u.useSettings(u.cfg.Settings.Get())
	u.win = app.NewWindow(Name)
	u.screen = u.cfg.Screen() // which is known once there is a window
	u.strip = newTabStrip(u.activate, u.closeTab)
	u.strip.menu = u.tabMenu
	u.body = container.NewStack()
	u.trouble = newNoticeBar(u.layFrame)
	u.floats = newFloatLayer()
	u.tip = newHoverTip(u)
	u.strip.tip = u.tip
	u.notes = newNoteLine(u.cfg, u.tip)
	rows.OnAnyHover = u.tip.cell
	u.side = newSidebar(u)
	u.tour = newTourBar(u)
	u.palette = newPalette(u)
	u.menus = newMenus(u)
	u.win.SetMainMenu(u.menus.main)
	u.top = u.topBar()
	right := widget.Border(container.NewVBox(u.strip, widget.NewSeparator()), nil, nil, nil, u.body)
	u.split = container.NewHSplit(u.side.object(), right)
	u.split.SetOffset(u.splitOffset("side", sideOffset))
	u.frame = widget.Border(container.NewVBox(u.top, widget.NewSeparator(), u.trouble.root, u.tour.root), nil, nil, nil, u.split)
	u.win.SetContent(container.NewStack(u.frame, u.floats.box))
	u.win.SetPadded(false)
	w := u.layout()
	size := fyne.NewSize(defaultWidth, defaultHeight)
	if w.Width >= 640 && w.Height >= 400 {
		size = fyne.NewSize(w.Width, w.Height)
	}
	u.win.Resize(size)
	u.win.SetCloseIntercept(u.Quit)
	u.cfg.Settings.WriteLate(func(err error) {
		if u.ctx.Err() == nil {
			u.cfg.Do(func() { u.notes.notify("Settings were not saved: " + err.Error()) })
		}
	})
	u.watchFocus()
	u.win.SetOnDropped(u.dropped)
	u.win.Canvas().SetOnTypedKey(u.typedKey)
	u.zoomKeys()
	u.watchImports()
	u.watchSettings()
	u.start = newStartPage(u)
	u.addPage(u.start)
	u.retainDaily()
	return u
}

// Show shows the window and does what Config asks for at the start.
func (u *UI) Show() {
	u.win.Show()
	if err := u.cfg.SettingsErr; err != nil {
		u.fail("The settings could not be read", err)
	}
	u.tellLeft()
	for _, path := range u.cfg.Files {
		u.openRecording(path)
	}
	for _, t := range u.cfg.Servers {
		u.connect(settings.Server{Target: t})
	}
}

// Window is the window, for tests and for main.
func (u *UI) Window() fyne.Window { return u.win }

// setTheme changes the look and keeps the choice.
func (u *UI) setTheme(mode string) {
	u.changeSettings(func(s *settings.Settings) { s.Theme = mode })
}

// update changes the settings; that they could not be kept is said
// in passing, since the change is in force all the same.
func (u *UI) update(change func(*settings.Settings)) {
	if err := u.cfg.Settings.Update(change); err != nil {
		u.notes.notify("Settings were not saved: " + err.Error())
	}
}

// layout is what is kept for a screen such as this one.
func (u *UI) layout() settings.Layout { return u.cfg.Settings.Get().Window.Layout(u.screen) }

func (u *UI) splitOffset(name string, def float64) float64 {
	if at := u.layout().Splits[name]; at > 0.02 && at < 0.98 {
		return at
	}
	return def
}

// addPage adds a tab and shows it.
func (u *UI) addPage(p page) {
	u.pages = append(u.pages, p)
	u.activate(len(u.pages) - 1)
	u.side.refresh()
}

// replacePage puts p where old was, in front if that was.
func (u *UI) replacePage(old, p page) {
	i := slices.Index(u.pages, old)
	if i < 0 {
		u.addPage(p)
		return
	}
	front := i == u.active
	if front {
		old.hidden()
		u.active = -1
	}
	u.pages[i] = p
	u.dropLater(old)
	if front {
		u.activate(i)
	}
	u.refreshTabs()
	u.side.refresh()
}

// activate shows the page of tab i.
func (u *UI) activate(i int) {
	if i < 0 || i >= len(u.pages) {
		return
	}
	if i != u.active {
		if u.active >= 0 && u.active < len(u.pages) {
			u.pages[u.active].hidden()
		}
		u.active = i
		u.tip.out() // what it explains is gone
		u.win.Canvas().Unfocus()
		u.body.Objects = []fyne.CanvasObject{u.pages[i].object()}
		u.body.Refresh()
		u.pages[i].shown()
	}
	u.refreshTabs()
	u.side.refresh()
	u.menus.refresh()
}

// show brings the tab of p to the front.
func (u *UI) show(p page) { u.activate(slices.Index(u.pages, p)) }

// typedKey takes the keys that nothing in the window has a use for: Escape
// closes the dialog in front, or dismisses what the pane in front waits with;
// F5 reads the lists again.
func (u *UI) typedKey(k *fyne.KeyEvent) {
	c := u.currentConn()
	if p := u.currentComparison(); p != nil && p.result != nil && u.win.Canvas().Overlays().Top() == nil && p.body.key(k) {
		return
	}
	if p, ok := u.current().(*doctorPage); ok && u.win.Canvas().Overlays().Top() == nil && scrollKey(p.root, k) {
		return
	}
	if h, ok := u.current().(*helpPage); ok && u.win.Canvas().Overlays().Top() == nil && h.key(k) {
		return
	}
	switch {
	case u.palette.open():
		u.palette.key(k)
	case k.Name == fyne.KeyEscape && len(u.dialogs) > 0:
		u.closeDialog()
	case k.Name == fyne.KeyF1:
		u.helpHere()
	case u.win.Canvas().Overlays().Top() != nil:
	case k.Name == fyne.KeyEscape && u.leaveForm():
	case c == nil || c.conn == nil:
	case k.Name == fyne.KeyEscape:
		c.escape()
	case k.Name == fyne.KeyF3:
		c.time.find.key(k)
	case k.Name == fyne.KeyF5:
		c.reload()
	}
}

// foldTimeline leaves the header line of the timelines, or shows them.
func (u *UI) foldTimeline(on bool) {
	if u.cfg.Settings.Get().Window.Folded == on {
		return
	}
	u.update(func(s *settings.Settings) { s.Window.Folded = on })
	for _, p := range u.pages {
		if c, ok := p.(*connPage); ok {
			if on {
				c.setWhole(false)
			}
			c.layTimeline()
		}
	}
	u.menus.refresh()
}

func (u *UI) toggleTimeline() { u.foldTimeline(!u.cfg.Settings.Get().Window.Folded) }

// current is the page in front.
func (u *UI) current() page {
	if u.active < 0 {
		return nil
	}
	return u.pages[u.active]
}

// currentConn is the connection in front, nil when another page is.
func (u *UI) currentConn() *connPage {
	p, _ := u.current().(*connPage)
	return p
}

func (u *UI) refreshTabs() {
	tabs := make([]stripTab, len(u.pages))
	for i, p := range u.pages {
		tabs[i] = p.tab()
	}
	u.strip.Set(tabs, u.active)
}

// closePage closes the tab of p.
func (u *UI) closePage(p page) { u.closeTab(slices.Index(u.pages, p)) }

// closeTab ends the page of tab i. Its recording is kept.
func (u *UI) closeTab(i int) {
	if i < 0 || i >= len(u.pages) || !u.pages[i].tab().Closes {
		return
	}
	p := u.pages[i]
	if i == u.active {
		p.hidden()
		u.active = -1
	}
	u.pages = slices.Delete(u.pages, i, i+1)
	u.dropLater(p)
	switch {
	case u.active < 0:
		u.activate(max(i-1, 0))
	case u.active > i:
		u.active--
	}
	u.refreshTabs()
	u.side.refresh()
	u.menus.refresh()
}

// closeOthers closes every tab but that of p.
func (u *UI) closeOthers(p page) {
	for _, other := range slices.Clone(u.pages) {
		if other != p {
			u.closePage(other)
		}
	}
}

// dropLater ends a page in the background.
func (u *UI) dropLater(p page) {
	u.work.Go(func() {
		err := p.drop()
		u.cfg.Do(func() {
			if err != nil {
				u.notes.notify("While closing: " + err.Error())
			}
			u.side.forget() // a recording has its size now
			u.side.refresh()
		})
	})
}

func (u *UI) tabMenu(i int) *fyne.Menu {
	if i < 0 || i >= len(u.pages) {
		return nil
	}
	p := u.pages[i]
	others := fyne.NewMenuItem("Close others", func() { u.closeOthers(p) })
	items := []*fyne.MenuItem{others}
	if p.tab().Closes {
		items = append([]*fyne.MenuItem{fyne.NewMenuItem("Close", func() { u.closeTab(slices.Index(u.pages, p)) })}, items...)
	}
	if c, ok := p.(*connPage); ok {
		items = append(items, fyne.NewMenuItemSeparator())
		items = append(items, c.menuItems()...)
	}
	return fyne.NewMenu("", items...)
}

// conns are the connections that have a tab.
func (u *UI) conns() []*view.Conn {
	var out []*view.Conn
	for _, p := range u.pages {
		if c, ok := p.(*connPage); ok && c.conn != nil {
			out = append(out, c.conn)
		}
	}
	return out
}

// pageOf is the tab of a connection, nil if there is none.
func (u *UI) pageOf(c *view.Conn) *connPage {
	for _, p := range u.pages {
		if page, ok := p.(*connPage); ok && page.conn == c {
			return page
		}
	}
	return nil
}

// Quit keeps the layout, ends every connection in its orderly way and then the
// program. A second Quit does nothing.
func (u *UI) Quit() {
	if u.closing {
		return
	}
	u.closing = true
	u.saveLayout()
	u.notes.notify("Ending the servers …")
	go func() {
		u.Close()
		u.cfg.Do(u.leave)
	}()
}

// Close ends every connection and waits for it. It may be called from any
// goroutine once no more is done in the window, and more than once.
func (u *UI) Close() {
	u.ended.Do(func() {
		u.end()
		var all sync.WaitGroup
		for _, p := range slices.Clone(u.pages) {
			all.Go(func() { _ = p.drop() }) // the window is going: nobody is left to tell
		}
		all.Wait()
		for _, dir := range u.temp {
			_ = os.RemoveAll(dir) // what stays is in the system's folder for such files
		}
	})
	u.work.Wait()
	u.watches.Wait()
	u.cfg.Settings.Settle()
}

// saveLayout keeps the size of the window and where its splits stand.
func (u *UI) saveLayout() {
	size := u.win.Canvas().Size()
	u.update(func(s *settings.Settings) {
		kept := s.Window.Layout(u.screen)
		kept.Width, kept.Height, kept.Used = size.Width, size.Height, u.cfg.now()
		kept.Splits = maps.Clone(kept.Splits)
		if kept.Splits == nil {
			kept.Splits = map[string]float64{}
		}
		kept.Splits["side"] = u.split.Offset
		for _, p := range u.pages {
			if c, ok := p.(*connPage); ok {
				c.saveSplits(kept.Splits)
				c.time.saveColumns(s)
			}
			if c, ok := p.(*comparePage); ok {
				c.body.splits.save(kept.Splits)
			}
		}
		if c := u.currentConn(); c != nil && c.everConnected {
			s.Window.Pane = c.at
		}
		s.Window.SetLayout(u.screen, kept)
	})
}
