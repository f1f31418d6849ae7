package ui

import (
	"image/color"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// helpFlow draws the blocks of a page of the guide below each other. Texts that
// wrap know their height only once they have their width, so it lays them out
// itself.
type helpFlow struct {
	root  *fyne.Container
	parts []helpPart
	hit   *ground
	found int // part that is marked, -1 for none

	follow func(view.HelpSpan)
	grown  func() // the height has changed

	width, size float32 // that the tops are for: of a line, and of its text
	tops        []float32
	height      float32
}

// helpPart is a block on the screen.
type helpPart struct {
	mark   fyne.CanvasObject // of an item, beside the body; nil for none
	body   fyne.CanvasObject
	indent float32
	above  float32 // room before it, less than 0 to take some away
}

const (
	helpIndent   = 26
	helpSection  = 12
	helpLabelMax = 230 // of the first column of a table
	helpTop      = 6   // above what is gone to, so that it does not stick to the edge
)

func newHelpFlow(p view.HelpPage, follow func(view.HelpSpan), copyText func(string)) *helpFlow {
	f := &helpFlow{found: -1, follow: follow, hit: newGround(func() color.Color { return theme.Color(theme.ColorHit) })}
	f.hit.Hide()
	objects := []fyne.CanvasObject{f.hit}
	for _, b := range p.Blocks {
		part := f.part(b, copyText)
		f.parts = append(f.parts, part)
		if part.mark != nil {
			objects = append(objects, part.mark)
		}
		objects = append(objects, part.body)
	}
	f.tops = make([]float32, len(f.parts))
	f.root = container.New(f, objects...)
	return f
}

func (f *helpFlow) part(b view.HelpBlock, copyText func(string)) helpPart {
	switch b.Kind {
	case view.HelpTitle:
		title := widget.NewLabelWithStyle(b.Plain(), fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
		title.SizeName, title.Wrapping = fynetheme.SizeNameHeadingText, fyne.TextWrapWord
		return helpPart{body: title}
	case view.HelpSection:
		title := heading(b.Plain())
		title.Truncation, title.Wrapping = fyne.TextTruncateOff, fyne.TextWrapWord
		return helpPart{body: title, above: helpSection}
	case view.HelpItem:
		return helpPart{mark: widget.NewLabel("•"), body: f.rich(b.Spans, true), indent: helpIndent, above: -fynetheme.InnerPadding()}
	case view.HelpStep:
		return helpPart{mark: widget.NewLabel(strconv.Itoa(b.Number) + "."), body: f.rich(b.Spans, true), indent: helpIndent, above: -fynetheme.InnerPadding()}
	case view.HelpCode:
		text := widget.NewLabelWithStyle(b.Code, fyne.TextAlignLeading, fyne.TextStyle{Monospace: true})
		text.Wrapping, text.Selectable = fyne.TextWrapBreak, true
		text.SizeName = theme.SizeMono
		copyIt := quiet("", fynetheme.ContentCopyIcon(), func() { copyText(b.Code) })
		return helpPart{body: container.NewStack(newGround(func() color.Color { return theme.Color(theme.ColorPanel) }),
			container.New(&codeLayout{}, text, copyIt)), above: fynetheme.Padding()}
	case view.HelpFacts:
		var cells []fyne.CanvasObject
		for i, row := range b.Facts {
			left, right := f.rich(row[0], false), f.rich(row[1], true)
			if i == 0 {
				left, right = headCell(row[0]), headCell(row[1])
			}
			cells = append(cells, left, right)
		}
		return helpPart{body: container.New(&factLayout{max: helpLabelMax}, cells...)}
	}
	return helpPart{body: f.rich(b.Spans, true)}
}

func headCell(spans []view.HelpSpan) fyne.CanvasObject {
	l := caption(view.HelpBlock{Spans: spans}.Plain())
	l.TextStyle.Bold = true
	return l
}

// rich sets spans as a text, which wraps or, in the first column of a table, is
// as wide as it is.
func (f *helpFlow) rich(spans []view.HelpSpan, wrap bool) fyne.CanvasObject {
	var segments []widget.RichTextSegment
	for _, s := range spans {
		if s.Page != "" || s.Anchor != "" || s.URL != "" {
			segments = append(segments, &widget.HyperlinkSegment{Text: s.Text, OnTapped: func() { f.follow(s) }})
			continue
		}
		style := widget.RichTextStyleInline
		style.TextStyle = fyne.TextStyle{Bold: s.Bold, Italic: s.Italic, Monospace: s.Code}
		if s.Code {
			style.SizeName, style.ColorName = theme.SizeMono, theme.ColorString
		}
		segments = append(segments, &widget.TextSegment{Text: s.Text, Style: style})
	}
	t := widget.NewRichText(segments...)
	if wrap {
		t.Wrapping = fyne.TextWrapWord
	}
	return t
}

// mark gives the ground of one block another colour, -1 of none.
func (f *helpFlow) mark(block int) {
	f.found = block
	setHidden(f.hit, block < 0)
	f.place()
}

// top is where a block begins.
func (f *helpFlow) top(block int) float32 {
	if block <= 0 || block >= len(f.tops) {
		return 0
	}
	return max(0, f.tops[block]-helpTop)
}

// Layout implements fyne.Layout.
func (f *helpFlow) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	text := fynetheme.TextSize()
	if size.Width == f.width && text == f.size {
		return
	}
	f.width, f.size = size.Width, text
	y, before := float32(0), f.height
	for i, p := range f.parts {
		y = max(0, y+p.above)
		f.tops[i] = y
		if p.mark != nil {
			p.mark.Resize(p.mark.MinSize())
			p.mark.Move(fyne.NewPos(0, y))
		}
		p.body.Move(fyne.NewPos(p.indent, y))
		width := max(size.Width-p.indent, 1)
		p.body.Resize(fyne.NewSize(width, p.body.MinSize().Height))
		height := p.body.MinSize().Height
		p.body.Resize(fyne.NewSize(width, height))
		y += height
	}
	f.height = y + helpIndent
	f.place()
	if f.height != before && f.grown != nil {
		f.grown()
	}
}

// place puts the ground of what was found behind its block.
func (f *helpFlow) place() {
	if f.found < 0 || f.found >= len(f.parts) {
		return
	}
	end := f.height
	if f.found+1 < len(f.tops) {
		end = f.tops[f.found+1] - f.parts[f.found+1].above
	}
	f.hit.Move(fyne.NewPos(0, f.tops[f.found]))
	f.hit.Resize(fyne.NewSize(f.width, max(end-f.tops[f.found], 1)))
}

// MinSize implements fyne.Layout.
func (f *helpFlow) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(200, f.height) }

// codeLayout sets a text and, over its upper right corner, a button.
type codeLayout struct{}

// Layout implements fyne.Layout.
func (*codeLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	button := objects[1].MinSize()
	objects[0].Move(fyne.NewPos(0, 0))
	objects[0].Resize(fyne.NewSize(max(size.Width-button.Width, 1), size.Height))
	objects[1].Move(fyne.NewPos(size.Width-button.Width, 0))
	objects[1].Resize(button)
}

// MinSize implements fyne.Layout.
func (*codeLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	text, button := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(text.Width+button.Width, max(text.Height, button.Height))
}
