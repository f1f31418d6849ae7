package ui

import (
	"context"
	"path/filepath"
	"slices"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/rows"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// importPage is the tab in which servers of other programs are imported: the
// files that there are, and the servers of one of them.
type importPage struct {
	u    *UI
	root *container.Split

	places  []view.ImportPlace
	folders []string // of projects that the person named
	list    *rows.View
	file    *importFilePane

	ctx    context.Context
	cancel context.CancelFunc
	work   sync.WaitGroup
	turn   int // of looking for files
}

// importServers shows the page for importing.
func (u *UI) importServers() { u.importPage() }

// importPage is the page for importing, made when there is none.
func (u *UI) importPage() *importPage {
	for _, p := range u.pages {
		if p, ok := p.(*importPage); ok {
			u.show(p)
			return p
		}
	}
	p := newImportPage(u)
	u.addPage(p)
	u.win.Canvas().Focus(p.list)
	return p
}

// importFile shows what can be imported from a file.
func (u *UI) importFile(path string) {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	u.importPage().file.open(path, "")
}

func newImportPage(u *UI) *importPage {
	p := &importPage{u: u}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	p.list = rows.New(p.bind, nil)
	p.list.SetPlaceholder("Looking …")
	p.list.OnSelect = func(i int) {
		if i >= 0 && p.places[i].There {
			p.file.open(p.places[i].Path, "")
		}
	}
	p.list.OnActivate = p.list.OnSelect
	p.file = newImportFilePane(p)
	other := widget.NewButtonWithIcon("Another file …", fynetheme.FileIcon(), p.chooseFile)
	project := widget.NewButtonWithIcon("A project's folder …", fynetheme.FolderOpenIcon(), p.chooseFolder)
	again := quiet("Look again", fynetheme.ViewRefreshIcon(), p.look)
	note := widget.NewLabel("Or drop a file on the window.")
	note.Importance, note.Wrapping = widget.LowImportance, fyne.TextWrapWord
	left := container.NewBorder(container.NewBorder(nil, nil, nil, again, heading("Files on this machine")),
		container.NewVBox(widget.NewSeparator(), other, project, note), nil, nil, p.list)
	p.root = container.NewHSplit(container.NewPadded(left), container.NewPadded(p.file.root))
	p.root.SetOffset(u.splitOffset("import", 0.34))
	p.look()
	return p
}

func (p *importPage) tab() stripTab {
	return stripTab{Glyph: "⇣", Tone: view.Muted, Text: "Import servers", Closes: true}
}

func (p *importPage) object() fyne.CanvasObject { return p.root }
func (p *importPage) shown()                    { p.file.compare() }
func (p *importPage) hidden()                   {}

func (p *importPage) drop() error {
	p.cancel()
	p.work.Wait()
	return nil
}

// look finds out in the background which files there are.
func (p *importPage) look() {
	p.turn++
	turn, folders := p.turn, slices.Clone(p.folders)
	imports := p.u.cfg.Settings.Get().Imports
	p.work.Go(func() {
		places := view.ScanPlaces(p.ctx, view.ThisMachine(), folders, imports)
		p.u.cfg.Do(func() {
			if turn != p.turn {
				return
			}
			p.places = places
			p.list.SetPlaceholder("No files of other programs")
			p.list.Reset(len(places))
			p.mark()
			if first := slices.IndexFunc(places, func(x view.ImportPlace) bool { return x.There && x.Count > 0 }); p.file.path == "" && first >= 0 {
				p.list.Select(first)
				p.file.open(places[first].Path, "")
			}
		})
	})
}

// mark selects the file that is shown.
func (p *importPage) mark() {
	if i := slices.IndexFunc(p.places, func(x view.ImportPlace) bool { return x.Path == p.file.path }); i >= 0 {
		p.list.Select(i)
	}
	p.list.Invalidate()
}

func (p *importPage) bind(i int, r *rows.Row) {
	x := p.places[i]
	cell := &r.Cells[0]
	cell.Glyph, cell.GlyphColor = "○", theme.ColorMuted
	cell.Text, cell.Detail = safe.Line(x.Title(), 120), safe.Line(x.Path, 300)
	cell.Color = theme.ColorMuted
	if x.There {
		cell.Glyph, cell.GlyphColor, cell.Color = "●", toneName(x.Tone), ""
		cell.Bold = x.Path == p.file.path
	}
	cell.Badges = []rows.Badge{{Text: x.Word, Color: toneName(x.Tone)}}
	if x.Watch {
		cell.Badges = append(cell.Badges, rows.Badge{Text: "watched", Color: theme.ColorOK})
	}
}

func (p *importPage) chooseFile() {
	p.u.choosePath("Import servers from a file", func(path string) { p.file.open(path, "") })
}

func (p *importPage) chooseFolder() {
	p.u.chooseFolder(func(dir string) {
		p.folders = append(p.folders, dir)
		p.look()
	})
}
