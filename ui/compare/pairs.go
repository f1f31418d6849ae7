package compare

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/rows"
	"mcploupe/ui/theme"
)

// Link is how the two sides of a row hang together.
type Link uint8

// The links.
const (
	None    Link = iota // a title, or a fold: the row has no sides
	Same                // a line through
	Changed             // a line with a sign in it
	OnlyLeft
	OnlyRight
	Moved // the other half is in another row: the line bends to it
	Unread
)

// Side is what a column shows in a row.
type Side struct {
	Text   string // "" is a gap
	Glyph  string
	Note   string // muted, behind the text
	Indent bool
	Color  fyne.ThemeColorName
}

// Pair is a row. All strings must have passed package safe.
type Pair struct {
	Left, Right Side
	Link        Link
	Sign        string // stands in the connector
	Color       fyne.ThemeColorName
	Word        string // what became of it
	Other       int    // row of the other half of what moved, -1 for none
	// Title makes the row a heading, Fold one that stands for rows that are folded;
	// both show Left.Text across.
	Title, Fold bool
}

// Pairs is the list of rows. Set the callbacks before it is shown.
type Pairs struct {
	OnSelect   func(row int)
	OnActivate func(row int)
	OnOpen     func(row int) // a click or Enter on a fold
	OnMenu     func(row int, at fyne.Position)
	OnKey      func(e *fyne.KeyEvent) bool
	OnRune     func(r rune)

	bind   func(i int) Pair
	list   *rows.View
	links  *connectors
	titles [2]string
	root   *fyne.Container
}

// linkWidth is the width of the column between the sides, wordWidth of the one
// that says what became of a row.
const (
	linkWidth = 58
	wordWidth = 150
	wordLeast = 560 // with less width there is no column for words
)

// New returns a list of rows that bind describes.
func New(bind func(i int) Pair) *Pairs {
	p := &Pairs{bind: bind}
	p.list = rows.New(p.row, nil)
	p.list.ShowHeader(true)
	p.list.OnSelect = func(i int) {
		if p.OnSelect != nil {
			p.OnSelect(i)
		}
		p.links.Refresh()
	}
	p.list.OnActivate = func(i int) {
		if p.open(i) || p.OnActivate == nil {
			return
		}
		p.OnActivate(i)
	}
	p.list.OnFold = func(i int) { p.open(i) }
	p.list.OnMenu = func(i int, at fyne.Position) {
		if p.OnMenu != nil {
			p.OnMenu(i, at)
		}
	}
	p.list.OnKey = func(e *fyne.KeyEvent) bool {
		if e.Name == fyne.KeyRight && p.open(p.list.Current()) {
			return true
		}
		return p.OnKey != nil && p.OnKey(e)
	}
	p.list.OnRune = func(r rune) {
		if p.OnRune != nil {
			p.OnRune(r)
		}
	}
	p.list.Related = func(i int) bool {
		at := p.list.Current()
		return at >= 0 && at < p.list.Count() && p.bind(at).Other == i
	}
	p.links = newConnectors(p)
	p.list.OnScrolled = p.links.Refresh
	p.root = container.New(&pairsLayout{p}, p.list, p.links)
	p.SetTitles("A", "B")
	return p
}

func (p *Pairs) open(i int) bool {
	if i < 0 || i >= p.list.Count() || !p.bind(i).Fold {
		return false
	}
	if p.OnOpen != nil {
		p.OnOpen(i)
	}
	return true
}

// Object is the list.
func (p *Pairs) Object() fyne.CanvasObject { return p.root }

// SetTitles names the sides.
func (p *Pairs) SetTitles(left, right string) {
	p.titles = [2]string{left, right}
	p.columns()
}

// SetPlaceholder sets the line shown when there are no rows.
func (p *Pairs) SetPlaceholder(s string) { p.list.SetPlaceholder(s) }

// Reset shows n other rows.
func (p *Pairs) Reset(n int) {
	p.list.Reset(n)
	p.links.Refresh()
}

// Update shows n rows in place of what there was, with the selected row and the
// place on the screen as they were, moved by rows that came above.
func (p *Pairs) Update(at, removed, added int) {
	p.list.Splice(at, removed, added)
	p.list.Invalidate()
	p.links.Refresh()
}

// Select selects a row and brings it into view, -1 for none. It does not call
// back.
func (p *Pairs) Select(i int) {
	p.list.Select(i)
	if i >= 0 {
		p.list.Center(i)
	}
	p.links.Refresh()
}

// Current is the selected row, -1 for none.
func (p *Pairs) Current() int { return p.list.Current() }

// Count is the number of rows.
func (p *Pairs) Count() int { return p.list.Count() }

// Focus gives the keyboard to the list.
func (p *Pairs) Focus() { p.list.Focus() }

// columns sets the columns for the width there is.
func (p *Pairs) columns() {
	cols := []rows.Column{{Title: p.titles[0], Min: 60}, {Width: linkWidth}, {Title: p.titles[1], Min: 60}}
	if p.list.Size().Width >= wordLeast {
		cols = append(cols, rows.Column{Width: wordWidth})
	}
	p.list.SetColumns(cols...)
}

// row fills a row of the list; the connectors are drawn over it.
func (p *Pairs) row(i int, r *rows.Row) {
	x := p.bind(i)
	if x.Title || x.Fold {
		c := rows.Cell{Text: x.Left.Text, Bold: x.Title}
		if x.Fold {
			c.Fold, c.Color = rows.Closed, theme.ColorMuted
		} else {
			r.Ground = theme.ColorPanel
		}
		r.Cells[0] = c
		return
	}
	for n, s := range map[int]Side{0: x.Left, 2: x.Right} {
		c := rows.Cell{Text: s.Text, Glyph: s.Glyph, Detail: s.Note, Color: s.Color}
		if s.Text == "" {
			c = rows.Cell{Text: gapText, Mono: true, Color: fynetheme.ColorNameSeparator}
		}
		if s.Indent {
			c.Indent = indent
		}
		r.Cells[n] = c
	}
	switch x.Link {
	case Changed, Moved:
		r.Mark = x.Color
	case OnlyLeft, OnlyRight:
		r.Mark = x.Color
	}
	if len(r.Cells) > 3 {
		r.Cells[3] = rows.Cell{Text: x.Word, Color: x.Color}
	}
}

// gapText fills the side that has nothing.
const gapText = "╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱"

const indent = 14

// pairsLayout gives both parts all the room and the columns their widths.
type pairsLayout struct{ p *Pairs }

// Layout implements fyne.Layout.
func (l *pairsLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	wide := l.p.list.Size().Width >= wordLeast
	for _, o := range objects {
		o.Move(fyne.NewPos(0, 0))
		o.Resize(size)
	}
	if wide != (size.Width >= wordLeast) {
		l.p.columns()
	}
	l.p.links.Refresh()
}

// MinSize implements fyne.Layout.
func (l *pairsLayout) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }
