package ui

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/settings"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/widget"
)

// startPage is the first tab: what to do next, and where one was before.
type startPage struct {
	u       *UI
	root    fyne.CanvasObject
	servers *fyne.Container
	files   *fyne.Container
	tour    *fyne.Container // the offer to be led through the first steps
	begin   *widget.Button
}

// startEntries bounds each list of the start page.
const startEntries = 8

func newStartPage(u *UI) *startPage {
	p := &startPage{u: u, servers: container.NewVBox(), files: container.NewVBox()}
	title := widget.NewLabelWithStyle(Name, fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	title.SizeName = fynetheme.SizeNameHeadingText
	sub := widget.NewLabel("Look into servers of the Model Context Protocol: what they offer, and every byte that goes by.")
	sub.Wrapping = fyne.TextWrapWord
	choices := container.NewGridWithColumns(4,
		startChoice("Try the demo", fynetheme.MediaPlayIcon(), widget.HighImportance,
			"A server that comes with the program, with tools, resources and prompts to play with.", u.tryDemo),
		startChoice("Connect", fynetheme.ContentAddIcon(), widget.MediumImportance,
			"To your own server: a command line or an address.  Ctrl+N", u.newConnection),
		startChoice("Open recording", fynetheme.FolderOpenIcon(), widget.MediumImportance,
			"A session from before, without the server, or what another program recorded.  Ctrl+O", u.chooseRecording),
		startChoice("Import mcp.json", fynetheme.DownloadIcon(), widget.MediumImportance,
			"The servers that Claude, Cursor, VS Code, Cline, Windsurf or Zed have.  Ctrl+I", u.importServers))
	lists := container.NewGridWithColumns(2,
		widget.Border(heading("Recent servers"), nil, nil, nil, p.servers),
		widget.Border(heading("Recent recordings"), nil, nil, nil, p.files))
	p.begin = widget.NewButtonWithIcon("", fynetheme.NavigateNextIcon(), func() { u.tour.start() })
	p.tour = container.NewHBox(widget.NewLabel("New here? Connect, call, answer, watch and compare, in five minutes:"), p.begin,
		quiet("No, thanks", nil, func() { u.tour.stop() }))
	column := container.New(&columnLayout{max: 900}, container.NewVBox(spacer(18), title, sub, spacer(8), choices, spacer(8), p.tour, spacer(8), lists))
	p.root = container.NewVScroll(column)
	p.refresh()
	return p
}

func startChoice(label string, icon fyne.Resource, importance widget.Importance, text string, do func()) fyne.CanvasObject {
	button := widget.NewButtonWithIcon(label, icon, do)
	button.Importance = importance
	note := widget.NewLabel(text)
	note.Wrapping = fyne.TextWrapWord
	note.Importance = widget.LowImportance
	return widget.Border(button, nil, nil, nil, note)
}

func (p *startPage) tab() stripTab { return stripTab{Glyph: "⌂", Tone: view.Muted, Text: "Start"} }

func (p *startPage) object() fyne.CanvasObject { return p.root }

func (p *startPage) shown() { p.refresh() }

func (p *startPage) hidden() {}

func (p *startPage) drop() error { return nil }

// refresh lists the recent servers and recordings again.
func (p *startPage) refresh() {
	st := p.u.cfg.Settings.Get()
	setHidden(p.tour, st.Tour == settings.TourOver || p.u.tour.on)
	text := "Take the first steps"
	if strings.HasPrefix(st.Tour, settings.TourRunning) {
		text = "Go on with the first steps"
	}
	p.begin.SetText(text)
	servers := slices.Clone(st.Servers)
	slices.SortStableFunc(servers, func(a, b settings.Server) int { return b.LastUsed.Compare(a.LastUsed) })
	p.servers.RemoveAll()
	for _, s := range servers[:min(len(servers), startEntries)] {
		item := newSideItem()
		item.tip = p.u.tip
		item.glyph, item.title, item.tone = view.Idle.Glyph(), view.TitleOf(s.Target), view.Muted
		item.sub = human.Ago(s.LastUsed, p.u.cfg.now())
		item.onTap = func() { p.u.connectSaved(s.ID) }
		item.menu = func() *fyne.Menu {
			return fyne.NewMenu("",
				fyne.NewMenuItem("Connect", func() { p.u.connectSaved(s.ID) }),
				fyne.NewMenuItem("Edit …", func() { p.u.edit(s, nil) }))
		}
		item.action, item.actionIcon = item.onTap, fynetheme.MediaPlayIcon()
		p.servers.Add(item)
	}
	if len(servers) == 0 {
		p.servers.Add(sideNote("Servers that you save appear here."))
	}
	p.files.RemoveAll()
	paths := view.RecordingPaths(st.Recent, st.Saved, startEntries)
	for _, row := range view.RecordingRows(paths, st.Saved, nil, p.u.side.known, p.u.cfg.now()) {
		p.files.Add(p.u.fileItem(row))
	}
	if len(st.Recent) == 0 {
		p.files.Add(sideNote("Every session is recorded; find it here afterwards."))
	}
}

// connectSaved connects to a saved server, in its tab when it has one.
func (u *UI) connectSaved(id string) {
	for _, p := range u.pages {
		if c, ok := p.(*connPage); ok && c.conn != nil && c.conn.Server().ID == id {
			u.show(c)
			c.connect()
			return
		}
	}
	if server, ok := u.cfg.Settings.Server(id); ok {
		u.connect(server)
	}
}
