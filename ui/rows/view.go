package rows

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	look "mcploupe/ui/theme"
)

var (
	_ fyne.Widget            = (*View)(nil)
	_ fyne.Focusable         = (*View)(nil)
	_ fyne.Scrollable        = (*View)(nil)
	_ fyne.Draggable         = (*View)(nil)
	_ fyne.Tappable          = (*View)(nil)
	_ fyne.DoubleTappable    = (*View)(nil)
	_ fyne.SecondaryTappable = (*View)(nil)
	_ fyne.Shortcutable      = (*View)(nil)
	_ desktop.Mouseable      = (*View)(nil)
	_ desktop.Hoverable      = (*View)(nil)
	_ desktop.Keyable        = (*View)(nil)
	_ desktop.Cursorable     = (*View)(nil)
)

// Hover says what is under the mouse.
type Hover struct {
	Row, Col int           // -1 where there is none
	Cut      bool          // the cell shows less than it holds
	At       fyne.Position // in the window
}

// OnAnyHover is told of all lists of the process what OnHover is told of one: the
// window sets it, to show what cells leave out. It may be nil and is for the UI
// goroutine.
var OnAnyHover func(v *View, h Hover)

// View is a list with columns. Set the callbacks before it is shown; any may be nil. Callbacks report what the person
// does; what the program does through methods is not reported back.
type View struct {
	Area

	OnSelect     func(row int)                   // another row is selected, -1 for none
	OnSelection  func()                          // the set of selected rows has changed, in a view with Multi
	OnActivate   func(row int)                   // Enter or a double click
	OnMenu       func(row int, at fyne.Position) // a click of the second button; the row is selected already
	OnHover      func(Hover)                     // the mouse moved to another cell or out
	OnRune       func(r rune)                    // typed while the list has the keyboard: for a filter next to it
	OnKey        func(e *fyne.KeyEvent) bool     // a key, before the list takes it; true if that was all
	OnCopy       func()                          // Ctrl+C
	OnHeader     func(col int)                   // a click on a column's title
	OnHeaderMenu func(col int, at fyne.Position) // a click of the second button on it; -1 beside all of them
	OnFold       func(row int)                   // a click on a row's triangle
	OnColumns    func([]Column)                  // the person resized a column
	OnFocus      func(focused bool)              // the list got or lost the keyboard

	// Multi allows more than one selected row.
	Multi bool
	// Zebra gives every other row a ground.
	Zebra bool
	// Related reports whether a row belongs to the one in question, which a dot and a ground show. It is asked for
	// every visible row on every pass.
	Related func(row int) bool

	bind func(i int, r *Row)
	key  func(i int) uint64

	cols   []Column
	places []placement
	fonts  fonts
	header *header

	current int     // the row the keyboard stands on, -1 for none
	height  float64 // of the window when it was drawn last
	anchor  int     // where a range began
	picked  selection
	hover   Hover

	placeholder *canvas.Text
	shift       bool
	pressed     bool // a press of the mouse has been taken, the tap that follows is not news
	resizing    int  // boundary of columns being dragged, or -1
}

// New returns a list. bind fills the row for entry i. key, if not nil, returns a value that changes whenever entry i
// would look different, and spares binding entries that are on the screen already.
func New(bind func(i int, r *Row), key func(i int) uint64) *View {
	v := &View{bind: bind, key: key, current: -1, anchor: -1, resizing: -1, cols: []Column{{}}}
	v.hover = Hover{Row: -1, Col: -1}
	v.placeholder = &canvas.Text{Alignment: fyne.TextAlignCenter}
	v.placeholder.Hidden = true
	v.Extend(v, v, look.SizeRow)
	v.restyleView()
	v.SetAbove(0, v.placeholder)
	return v
}

func (v *View) restyleView() {
	v.fonts = newFonts()
	v.placeholder.Color = look.Color(look.ColorMuted)
	v.placeholder.TextSize = look.Size(theme.SizeNameText)
	if v.header != nil {
		v.header.restyle()
	}
}

// SetColumns sets the columns; a list without has one that takes all the width.
func (v *View) SetColumns(cols ...Column) {
	v.cols = append([]Column(nil), cols...)
	if len(cols) == 0 {
		v.cols = []Column{{}}
	}
	v.Invalidate()
}

// Columns returns the columns with the widths the person gave them.
func (v *View) Columns() []Column { return append([]Column(nil), v.cols...) }

// ShowHeader shows the columns' titles above the rows.
func (v *View) ShowHeader(on bool) {
	switch {
	case on && v.header == nil:
		v.header = newHeader(v)
		v.SetAbove(v.header.height(), v.header.box, v.placeholder)
	case !on && v.header != nil:
		v.header = nil
		v.SetAbove(0, v.placeholder)
	}
}

// SetPlaceholder sets the line shown when there are no rows.
func (v *View) SetPlaceholder(s string) {
	v.placeholder.Text = s
	v.Redraw(false)
}

// CellText is all that a visible cell holds, as text; "" for one that is not
// visible.
func (v *View) CellText(row, col int) string {
	for _, s := range v.slots {
		if o, ok := s.Data.(*rowObjects); ok && s.row == row && col >= 0 && col < len(o.row.Cells) {
			return o.row.Cells[col].all()
		}
	}
	return ""
}

// Invalidate draws every visible row anew, whatever its key.
func (v *View) Invalidate() { v.Redraw(true) }

// Refresh draws the rows that have changed; after a change of theme, all.
func (v *View) Refresh() {
	changed := v.restyle()
	v.restyleView()
	v.Redraw(changed)
}

// SetCount changes the number of rows at the end. Selection and place stay, or the end when following.
func (v *View) SetCount(n int) {
	if v.current >= n {
		v.current, v.anchor = -1, -1
	}
	v.picked.limit(n)
	v.vp.SetCount(n)
	v.Redraw(false)
}

// Splice takes in that at row `at`, removed rows went and added rows came: selection and what is visible stay with
// their entries.
func (v *View) Splice(at, removed, added int) {
	v.vp.Splice(at, removed, added)
	v.picked.splice(at, removed, added)
	move := func(i int) int {
		switch {
		case i < at:
			return i
		case i < at+removed:
			return -1
		}
		return i + added - removed
	}
	v.current, v.anchor = move(v.current), move(v.anchor)
	v.Redraw(false)
}

// Reset shows n other rows, for a new filter or order: nothing is selected, the window stands at the start, or at the
// end when following. Use Select and SetPlace to return to an entry.
func (v *View) Reset(n int) {
	v.current, v.anchor = -1, -1
	v.picked.clear()
	following := v.vp.Following()
	v.vp.SetCount(n)
	if !following {
		v.vp.ScrollTo(0)
	}
	v.Redraw(true)
}

// BeforeRows is for the area: it places the columns.
func (v *View) BeforeRows() bool {
	v.keepCurrent()
	var wide float32
	v.places, wide = arrange(v.cols, v.viewWidth(), v.places)
	if wide <= v.viewWidth()+0.5 {
		wide = 0
	}
	v.SetContentWidth(wide)
	return false
}

// keepCurrent keeps the row of the keyboard in view where the list became lower.
func (v *View) keepCurrent() {
	before := v.height
	v.height = v.vp.Height()
	if v.height >= before || v.current < 0 || v.vp.Following() {
		return
	}
	if y := float64(v.current) * v.vp.RowHeight(); y >= v.vp.Top() && y+v.vp.RowHeight() <= v.vp.Top()+before {
		v.vp.Reveal(v.current)
	}
}

// AfterRows is for the area: it places what stands around the rows.
func (v *View) AfterRows() {
	v.placeholder.Hidden = v.Count() > 0 || v.placeholder.Text == ""
	v.placeholder.Move(fyne.NewPos(0, v.head))
	v.placeholder.Resize(fyne.NewSize(v.viewWidth(), max(0, min(120, v.Size().Height-v.head))))
	if v.header != nil {
		v.header.arrange()
	}
	v.moveHover()
}

// RowKey is for the area.
func (v *View) RowKey(i int) uint64 {
	if v.key == nil {
		return 0
	}
	return v.key(i)
}

// DrawRow is for the area.
func (v *View) DrawRow(s *Slot, i int) {
	o, _ := s.Data.(*rowObjects)
	if o == nil {
		o = newRowObjects()
		s.Data = o
	}
	if len(o.cells) != len(v.cols) {
		o.cells = make([]cellObjects, len(v.cols))
		o.row.Cells = make([]Cell, len(v.cols))
		o.grown = true
	}
	clear(o.row.Cells)
	o.row = Row{Cells: o.row.Cells}
	v.bind(i, &o.row)
	h := v.RowHeight()
	place(o.ground, 0, 0, v.RowWidth(), h)
	place(o.mark, 0, 0, markW, h)
	place(o.link, 1, (h-linkW)/2, linkW, linkW)
	for n := range v.cols {
		p := v.places[n]
		if n == 0 {
			p.x += o.row.Indent
			p.w -= o.row.Indent
		}
		o.draw(n, &o.row.Cells[n], p, v.cols[n].Align, h, &v.fonts)
	}
	if o.grown {
		s.Box.Objects = o.list()
		o.grown = false
	}
}

// DecorateRow is for the area.
func (v *View) DecorateRow(s *Slot, i int) {
	o := s.Data.(*rowObjects)
	ground, mark := o.row.Ground, o.row.Mark
	related := v.Related != nil && i != v.current && v.Related(i)
	switch {
	case ground != "": // the row's own
	case related:
		ground = look.ColorRowMarked
	case v.Zebra && i%2 == 1:
		ground = look.ColorZebra
	}
	o.link.Hidden = !related
	if related {
		o.link.FillColor = look.Color(theme.ColorNamePrimary)
	}
	switch {
	case v.Selected(i) && v.Focused():
		ground = look.ColorRowSelected
	case v.Selected(i):
		ground = look.ColorRowChosen
	case i == v.hover.Row:
		ground = look.ColorRowHover
	}
	if i == v.current && mark == "" {
		mark = theme.ColorNamePrimary
	}
	o.ground.Hidden = ground == ""
	if ground != "" {
		o.ground.FillColor = look.Color(ground)
	}
	o.mark.Hidden = mark == ""
	if mark != "" {
		o.mark.FillColor = look.Color(mark)
	}
}
