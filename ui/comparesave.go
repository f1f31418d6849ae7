package ui

import (
	"fmt"
	"io"
	"strings"

	"fyne.io/fyne/v2"

	"mcploupe/recorder/diff"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/widget"
)

// saveMenu shows what can be saved below its button.
func (p *comparePage) saveMenu() {
	if p.result == nil {
		return
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(p.head.save).AddXY(0, p.head.save.Size().Height)
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", p.saveItems()...), p.u.win.Canvas(), at)
}

// saveItems offers what can be saved of a comparison.
func (p *comparePage) saveItems() []*fyne.MenuItem {
	name := view.CompareName(p.result)
	items := []*fyne.MenuItem{
		fyne.NewMenuItem("Report as Markdown …", func() {
			p.saveReport(name+".md", p.result.Result.WriteMarkdown)
		}),
		fyne.NewMenuItem("Report as JSON …", func() {
			r := p.result.Result
			p.saveReport(name+".json", func(w io.Writer) error {
				_, err := w.Write(append(r.JSON(), '\n'))
				return err
			})
		}),
		fyne.NewMenuItem("Copy the report as Markdown", p.copyReport),
		fyne.NewMenuItem("Copy the summary", func() { p.u.copyText(p.result.Summary()) }),
	}
	rules := fyne.NewMenuItem("Rules as a file …", func() { p.u.saveFile(view.RulesName(), p.options.RulesText()) })
	rules.Disabled = len(p.options.Rules) == 0
	items = append(items, rules, fyne.NewMenuItemSeparator())
	for i, side := range []*view.ComparedSide{p.result.A, p.result.B} {
		items = append(items, fyne.NewMenuItem("Catalogue of "+string(rune('A'+i))+" …", func() {
			p.saveReport(side.Name+diff.SnapshotExt, func(w io.Writer) error { return side.WriteCatalogue(p.u.ctx, w) })
		}))
	}
	return items
}

// copyReport puts the report on the clipboard, as Markdown for a review.
func (p *comparePage) copyReport() {
	result := p.result.Result
	p.u.work.Go(func() {
		var text strings.Builder
		err := result.WriteMarkdown(&text)
		p.u.cfg.Do(func() {
			switch {
			case err != nil:
				p.u.fail("The report was not copied", err)
			case text.Len() > maxCopied:
				p.u.fail("The report was not copied", fmt.Errorf("it has %s; save it as a file", human.Bytes(int64(text.Len()))))
			default:
				p.u.copyText(text.String())
			}
		})
	})
}

// maxCopied bounds a report on the clipboard, which whoever pastes it has to take.
const maxCopied = 4 << 20

// saveReport asks where to and writes there in the background.
func (p *comparePage) saveReport(name string, write func(w io.Writer) error) {
	p.u.askWhere("Save", fileName(name), func(path string) {
		p.u.work.Go(func() {
			err := view.WriteFile(path, write)
			p.u.cfg.Do(func() {
				if err != nil {
					p.u.fail("The file was not saved", fmt.Errorf("save a comparison: %w", err))
					return
				}
				p.u.notes.notify("Saved to " + path)
			})
		})
	})
}
