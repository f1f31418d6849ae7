package textview

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"mcploupe/ui/measure"
	look "mcploupe/ui/theme"
)

// painted are the canvas objects of a row of text.
type painted struct {
	segs   []segment
	texts  []*canvas.Text
	grown  bool
	ground *canvas.Rectangle
	under  []*canvas.Rectangle // selection and hits, behind the text
	over   []*canvas.Rectangle // marks of problems, below it
	nUnder int
	nOver  int

	gutter               *fyne.Container
	gutterGround         *canvas.Rectangle
	number, fold, remark *canvas.Text
}

func newPainted() *painted {
	p := &painted{
		ground: canvas.NewRectangle(nil), gutterGround: canvas.NewRectangle(nil),
		number: &canvas.Text{}, fold: &canvas.Text{}, remark: &canvas.Text{}, grown: true,
	}
	p.gutter = container.NewWithoutLayout(p.gutterGround, p.number, p.fold, p.remark)
	return p
}

// objects returns the row's objects in drawing order.
func (p *painted) objects() []fyne.CanvasObject {
	out := []fyne.CanvasObject{p.ground}
	for _, r := range p.under {
		out = append(out, r)
	}
	for _, t := range p.texts {
		out = append(out, t)
	}
	for _, r := range p.over {
		out = append(out, r)
	}
	return append(out, p.gutter)
}

// paintText draws the segments from x on: neighbours of one colour as one text, runes beyond ASCII by themselves, for
// fonts other than the monospace one may draw them. It returns where the text ends.
func (p *painted) paintText(f *measure.Font, x, height float32) float32 {
	n := 0
	put := func(s string, color fyne.ThemeColorName, at, w float32) {
		if n == len(p.texts) {
			p.texts = append(p.texts, &canvas.Text{})
			p.grown = true
		}
		t := p.texts[n]
		n++
		if color == "" {
			color = theme.ColorNameForeground
		}
		t.Hidden = false
		t.Text, t.TextSize, t.TextStyle, t.Color = s, f.Size(), f.Style(), look.Color(color)
		t.Move(fyne.NewPos(x+at, 0))
		t.Resize(fyne.NewSize(w, height))
	}
	// A run is what is drawn as one text: bytes from..to of segment seg.
	var run struct {
		seg, from, to int
		base          int // bytes of the row before the segment
		x, w          float32
		plain, blank  bool
		color         fyne.ThemeColorName
	}
	flush := func() {
		if run.to > run.from && !run.blank {
			put(p.segs[run.seg].text[run.from:run.to], run.color, run.x, run.w)
		}
		run.to = run.from
	}
	seg, base := 0, 0
	_, end := walk(p.segs, f, func(g *glyph) bool {
		for seg < g.seg {
			base += len(p.segs[seg].text)
			seg++
		}
		at := g.col - base
		if g.mark != "" {
			flush()
			put(g.mark, g.color, g.x, g.w)
			return true
		}
		if run.to > run.from && run.seg == g.seg && run.plain == g.plain && run.to == at {
			run.to = at + g.size
			run.w += g.w
		} else {
			flush()
			run.seg, run.from, run.to, run.x, run.w = g.seg, at, at+g.size, g.x, g.w
			run.plain, run.color, run.blank = g.plain, g.color, true
		}
		run.blank = run.blank && p.segs[g.seg].text[at] == ' '
		return true
	})
	flush()
	for _, t := range p.texts[n:] {
		t.Hidden = true
	}
	return x + end
}

// maxRects bounds the rectangles behind a row; a search for a blank would make hundreds.
const maxRects = 64

// rect puts a rectangle behind or below the row's text.
func (p *painted) rect(list *[]*canvas.Rectangle, n *int, name fyne.ThemeColorName, x, y, w, h float32) *canvas.Rectangle {
	if *n >= maxRects {
		return (*list)[maxRects-1]
	}
	if *n == len(*list) {
		*list = append(*list, canvas.NewRectangle(nil))
		p.grown = true
	}
	r := (*list)[*n]
	*n++
	r.Hidden = false
	r.StrokeWidth = 0
	r.FillColor = look.Color(name)
	r.Move(fyne.NewPos(x, y))
	r.Resize(fyne.NewSize(w, h))
	return r
}

// clearRects hides the rectangles, to be placed anew.
func (p *painted) clearRects() {
	for _, r := range p.under {
		r.Hidden = true
	}
	for _, r := range p.over {
		r.Hidden = true
	}
	p.nUnder, p.nOver = 0, 0
}

func setGutterText(t *canvas.Text, s string, f *measure.Font, color fyne.ThemeColorName, x, height float32) {
	t.Hidden = s == ""
	if t.Hidden {
		return
	}
	t.Text, t.TextSize, t.TextStyle, t.Color = s, f.Size(), f.Style(), look.Color(color)
	t.Move(fyne.NewPos(x, 0))
	t.Resize(fyne.NewSize(f.Width(s), height))
}
