package rows

import (
	"strings"

	"fyne.io/fyne/v2"

	look "mcploupe/ui/theme"
)

// Row is what a list shows in one row. A bind function fills it; it is empty on entry.
type Row struct {
	Cells []Cell // one a column
	// Ground colours the row, "" leaves it plain. Selection and hover go over it.
	Ground fyne.ThemeColorName
	// Mark colours a bar at the row's left edge, "" has none.
	Mark fyne.ThemeColorName
	// Indent moves the first cell to the right, for rows that belong to another.
	Indent float32
}

// Cell is what a row shows in one column, left to right: triangle, icon, glyph, text, detail, badges. What does not fit
// is cut: first the detail, then the text. All strings must have passed package safe.
type Cell struct {
	// Indent moves the cell's content to the right.
	Indent float32
	// Fold shows a triangle that can be clicked, see View.OnFold.
	Fold Fold
	Icon fyne.Resource
	// Glyph is a symbol, drawn in the monospace font, which has most of them.
	Glyph      string
	GlyphColor fyne.ThemeColorName
	Text       string
	Color      fyne.ThemeColorName // "" is the foreground
	Mono, Bold bool
	Italic     bool
	// Detail follows the text in the muted colour.
	Detail string
	Badges []Badge
	// Bars are drawn along the column, the first below the others.
	Bars []Bar
}

// all is what the cell holds, as text.
func (c *Cell) all() string {
	parts := make([]string, 0, 2+len(c.Badges))
	for _, s := range []string{c.Text, c.Detail} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	for _, b := range c.Badges {
		parts = append(parts, b.Text)
	}
	return strings.Join(parts, "   ")
}

// Fold says whether a row stands for others and whether those are shown, or
// whether it is ticked.
type Fold uint8

// The kinds of Fold.
const (
	NoFold Fold = iota
	Closed
	Opened
	Unticked // a box that can be clicked in the same way
	Ticked
)

// Bar is a stretch of a column, on a scale that all rows share: 0 is the column's left end, 1 its right.
type Bar struct {
	From, To float32
	Color    fyne.ThemeColorName
	Hollow   bool // an outline: something that waits
}

// Badge is a short word on a ground of its own colour.
type Badge struct {
	Text  string
	Color fyne.ThemeColorName // "" is muted
}

// Column describes a column.
type Column struct {
	Title string
	// Width in pixels where texts are not zoomed, else as much more or less as they
	// are; 0 for the one column that takes what the others leave.
	Width float32
	// Min is the least width, as Width; 0 for a sensible one.
	Min   float32
	Align fyne.TextAlign
	// Sort shows an arrow in the header: 1 ascending, -1 descending.
	Sort int8
	// End is a second title at the column's right end.
	End string
}

const (
	cellPad  = 6
	minWidth = 28
	flexMin  = 80
)

func (c Column) min() float32 {
	switch {
	case c.Min > 0:
		return c.Min
	case c.Width == 0:
		return flexMin
	}
	return minWidth
}

// place is where a column stands in a row.
type placement struct{ x, w float32 }

// arrange places columns in a row of the given width and returns how wide the row has to be.
func arrange(cols []Column, width float32, into []placement) ([]placement, float32) {
	into = into[:0]
	rest, zoom := width, look.Zoom()
	flex := 0
	for _, c := range cols {
		if c.Width == 0 {
			flex++
			continue
		}
		rest -= max(c.Width, c.min()) * zoom
	}
	var x float32
	for _, c := range cols {
		w := max(c.Width, c.min()) * zoom
		if c.Width == 0 {
			w = max(c.min()*zoom, rest/float32(flex))
		}
		into = append(into, placement{x, w})
		x += w
	}
	return into, x
}
