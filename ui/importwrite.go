package ui

import (
	"context"
	"slices"
	"strings"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/session/mcpjson"
	"mcploupe/ui/difftext"
	"mcploupe/ui/rows"
	"mcploupe/ui/settings"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/view/textdiff"
	"mcploupe/ui/widget"
)

// exportPage is the tab in which servers are written into the file of another
// program: what is written, where to, and what that would change.
type exportPage struct {
	u    *UI
	root *container.Split

	servers []settings.Server
	ticked  map[string]bool // by id
	plan    *view.ServersExport
	turn    int

	list    *rows.View
	dialect *widget.Select
	place   *escEntry
	summary *widget.Label
	notes   *widget.Label
	box     *difftext.Box
	write   *widget.Button

	ctx    context.Context
	cancel context.CancelFunc
	work   sync.WaitGroup
}

// exportServers shows the page for writing servers; ids are those to write, nil
// for all.
func (u *UI) exportServers(ids []string) {
	p := newExportPage(u, ids)
	u.addPage(p)
	u.win.Canvas().Focus(p.list)
}

func newExportPage(u *UI, ids []string) *exportPage {
	p := &exportPage{u: u, ticked: map[string]bool{}}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	st := u.cfg.Settings.Get()
	for _, i := range st.Order() {
		x := st.Servers[i]
		p.servers = append(p.servers, x)
		p.ticked[x.ID] = ids == nil || slices.Contains(ids, x.ID)
	}
	p.list = rows.New(p.bind, nil)
	p.list.SetPlaceholder("No servers are saved")
	p.list.OnFold, p.list.OnActivate = p.toggle, p.toggle
	p.list.OnKey = func(k *fyne.KeyEvent) bool {
		if k.Name != fyne.KeySpace {
			return false
		}
		p.toggle(p.list.Current())
		return true
	}
	p.list.Reset(len(p.servers))
	var titles []string
	for _, d := range mcpjson.Dialects() {
		titles = append(titles, d.Title())
	}
	p.place = newEscEntry(func() { u.closePage(p) })
	p.place.OnSubmitted = func(string) { p.look() }
	p.dialect = widget.NewSelect(titles, func(string) {
		if places := view.ExportPlaces(p.chosen(), u.cfg.Settings.Get()); len(places) > 0 {
			p.place.SetText(places[0])
		}
		p.look()
	})
	folder := widget.NewButtonWithIcon("", fynetheme.FolderOpenIcon(), func() {
		u.askWhere("Write servers to", baseName(p.place.Text), func(path string) {
			p.place.SetText(path)
			p.look()
		})
	})
	look := widget.NewButtonWithIcon("Show the changes", fynetheme.SearchIcon(), p.look)
	p.write = widget.NewButtonWithIcon("Write", fynetheme.DocumentSaveIcon(), p.submit)
	p.write.Importance = widget.HighImportance
	p.summary, p.notes = widget.NewLabel(""), widget.NewLabel("")
	p.summary.Wrapping = fyne.TextWrapWord
	p.notes.Wrapping, p.notes.Selectable, p.notes.Importance = fyne.TextWrapWord, true, widget.WarningImportance
	p.box = difftext.NewBox()
	p.box.View.OnCopy = u.copyText
	p.box.View.SetUnified(true)
	all := quiet("All", nil, func() { p.tickAll(true) })
	none := quiet("None", nil, func() { p.tickAll(false) })
	left := container.NewBorder(container.NewBorder(nil, nil, nil, container.NewHBox(all, none), heading("Servers")), nil, nil, nil, p.list)
	top := container.NewVBox(
		container.NewBorder(nil, nil, container.NewHBox(caption("For"), container.NewGridWrap(fyne.NewSize(150, p.dialect.MinSize().Height), p.dialect), caption("in")), container.NewHBox(folder, look), p.place),
		p.summary, newClamp(p.notes, 130))
	note := widget.NewLabel("Secrets are not written, and hidden here. What was in the file before is kept in a copy beside it.")
	note.Wrapping, note.Importance = fyne.TextWrapWord, widget.LowImportance
	foot := container.NewBorder(nil, nil, nil, p.write, note)
	right := container.NewBorder(top, foot, nil, nil, p.box.Object())
	p.root = container.NewHSplit(container.NewPadded(left), container.NewPadded(right))
	p.root.SetOffset(u.splitOffset("export", 0.28))
	p.dialect.SetSelected(mcpjson.ClaudeDesktop.Title())
	return p
}

func baseName(path string) string {
	if i := strings.LastIndexAny(path, `/\`); i >= 0 {
		path = path[i+1:]
	}
	if path == "" {
		return "mcp.json"
	}
	return path
}

func (p *exportPage) tab() stripTab {
	return stripTab{Glyph: "⇡", Tone: view.Muted, Text: "Export servers", Closes: true}
}

func (p *exportPage) object() fyne.CanvasObject { return p.root }
func (p *exportPage) shown()                    {}
func (p *exportPage) hidden()                   {}

func (p *exportPage) drop() error {
	p.cancel()
	p.work.Wait()
	return nil
}

func (p *exportPage) chosen() mcpjson.Dialect { return mcpjson.DialectByTitle(p.dialect.Selected) }

func (p *exportPage) bind(i int, r *rows.Row) {
	x := p.servers[i]
	r.Cells[0] = rows.Cell{Fold: rows.Unticked, Text: view.TitleOf(x.Target), Detail: safe.Line(x.Group, 40)}
	if p.ticked[x.ID] {
		r.Cells[0].Fold = rows.Ticked
	}
}

func (p *exportPage) toggle(i int) {
	if i >= 0 {
		id := p.servers[i].ID
		p.ticked[id] = !p.ticked[id]
		p.list.Invalidate()
		p.look()
	}
}

func (p *exportPage) tickAll(on bool) {
	for _, x := range p.servers {
		p.ticked[x.ID] = on
	}
	p.list.Invalidate()
	p.look()
}

// look works out in the background what would be written.
func (p *exportPage) look() {
	p.turn++
	turn, d, path := p.turn, p.chosen(), strings.TrimSpace(p.place.Text)
	var chosen []settings.Server
	for _, x := range p.servers {
		if p.ticked[x.ID] {
			chosen = append(chosen, x)
		}
	}
	p.plan = nil
	p.write.Disable()
	switch {
	case path == "":
		p.tell("Say which file to write.", "", &textdiff.Diff{})
		return
	case len(chosen) == 0:
		p.tell("Tick the servers to write.", "", &textdiff.Diff{})
		return
	}
	p.work.Go(func() {
		plan, err := view.PlanExport(path, d, chosen)
		p.u.cfg.Do(func() {
			if turn == p.turn {
				p.show(plan, err)
			}
		})
	})
}

func (p *exportPage) show(plan *view.ServersExport, err error) {
	if err != nil {
		p.tell("Nothing can be written.", safe.Text(err.Error(), 2000), &textdiff.Diff{})
		return
	}
	p.plan = plan
	p.tell(safe.Line(plan.Summary(), 300), safe.Text(strings.Join(plan.Written.Notes, "\n"), 8<<10), plan.Diff)
	if plan.Unchanged() {
		p.tell("The file says all of it already: there is nothing to write.", safe.Text(strings.Join(plan.Written.Notes, "\n"), 8<<10), plan.Diff)
	} else if len(plan.Written.Added)+len(plan.Written.Changed) > 0 {
		p.write.Enable()
	}
}

func (p *exportPage) tell(summary, notes string, d *textdiff.Diff) {
	p.summary.SetText(summary)
	setOrHide(p.notes, notes)
	p.box.Set("What changes in the file", d)
	p.root.Refresh()
}

// submit writes what is shown.
func (p *exportPage) submit() {
	plan := p.plan
	if plan == nil {
		return
	}
	p.write.Disable()
	now := p.u.cfg.now()
	p.work.Go(func() {
		backup, err := plan.Write(now)
		var noted error
		if err == nil {
			noted = plan.Note(p.u.cfg.Settings)
		}
		p.u.cfg.Do(func() {
			p.u.kept(noted)
			if err != nil {
				p.u.fail("The servers were not written", err)
				p.look()
				return
			}
			text := human.Plural(len(plan.Written.Added)+len(plan.Written.Changed), "server", "servers") + " written to " + plan.Path
			if backup != "" {
				text += "; the file as it was is " + baseName(backup)
			}
			p.u.notes.notify(text)
			p.look()
		})
	})
}
