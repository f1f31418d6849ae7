package textview

import (
	"context"
	"slices"
	"sort"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"mcploupe/protocol"
	"mcploupe/ui/measure"
	"mcploupe/ui/rows"
	look "mcploupe/ui/theme"
)

var (
	_ fyne.Widget            = (*View)(nil)
	_ fyne.Focusable         = (*View)(nil)
	_ fyne.Draggable         = (*View)(nil)
	_ fyne.DoubleTappable    = (*View)(nil)
	_ fyne.SecondaryTappable = (*View)(nil)
	_ fyne.Shortcutable      = (*View)(nil)
	_ desktop.Mouseable      = (*View)(nil)
	_ desktop.Hoverable      = (*View)(nil)
	_ desktop.Keyable        = (*View)(nil)
	_ desktop.Cursorable     = (*View)(nil)
)

// Mode is a way to look at bytes.
type Mode uint8

// The modes.
const (
	Pretty Mode = iota // JSON with a value on a line; for other text the same as Raw
	Raw                // the bytes as they came
	Hex                // a hex dump
)

// String returns the mode's name for a person.
func (m Mode) String() string { return [...]string{"Pretty", "Raw", "Hex"}[m] }

const (
	textPad = 6 // between the gutter and the text
	// piece is how many bytes of a line a row shows when lines are not wrapped.
	piece = 500
	// wrapStep rounds the width at which lines are wrapped, so that not every pixel of a resize makes a new layout.
	wrapStep = 4
	// leastColumns is how narrow a row may get before the text scrolls sideways.
	leastColumns = 20
	// copyLimit bounds what goes to the clipboard, in bytes.
	copyLimit = 64 << 20
)

// View shows an Index, read-only. Make one with New, give it something with SetIndex. Set the callbacks before it is
// shown; any may be nil.
type View struct {
	rows.Area

	// OnMode is called when the person changes the mode by a key or the menu.
	OnMode func(Mode)
	// OnLook is called when the person breaks lines or numbers them, or not any more.
	OnLook func()
	// OnPress is called when the pointer presses the view, before that takes the
	// keyboard, and when it lets go.
	OnPress func(down bool)
	// OnOpen opens what a JSON string holds; without it there are no links.
	OnOpen func(v Value, c Content)
	// OnBack is called for Esc and Backspace, where there is something to go back to.
	OnBack func()
	// OnGoTo is called for Ctrl+L, to ask for a line or a pointer.
	OnGoTo func()
	// OnFind is called for Ctrl+F, to show a FindBar.
	OnFind func()
	// OnHits is called when the hits or the one the search stands on have changed.
	OnHits func()
	// OnProblem is called when the person clicks on a problem's mark.
	OnProblem func(p protocol.Problem)
	// Run, if set, runs work on another goroutine, then show on the drawing goroutine. It is used for what would be
	// felt: searching and copying big texts. Whoever sets it sees to it that both end with the view.
	Run func(work func() (show func()))
	// Menu returns items to add to the menu of the second button, for the value there; Kind is "" for text.
	Menu func(v Value) []*fyne.MenuItem

	index  *Index
	want   Mode
	layout layout
	pretty *prettyLayout // kept while another mode is shown
	plain  *rawLayout    // likewise
	wrap   bool
	cols   int // bytes of a line on a row, as the layout was made

	numbers bool
	foldTo  int // containers of the next text are folded from this depth on
	making  making
	finding making // of the rows of a raw text
	found   func() // to call when that is done

	problems []protocol.Problem // those with a place, in order
	query    string
	hits     Hits
	search   context.CancelFunc // ends the search that is running
	hit      int                // the one the search stands on, -1 for none

	caret, anchor pos
	dragging      bool
	shift         bool
	mouse         fyne.Position
	tip           *tip

	editor *Editor // that the view is a part of, or nil
	ground fyne.ThemeColorName

	font      *measure.Font
	caretRect *canvas.Rectangle
	gutter    float32 // width of line numbers and marks
	wide      float32 // of the widest row seen
	segs      []segment
}

// New returns an empty view, in Pretty mode and wrapped.
func New() *View {
	v := &View{}
	v.init(v)
	return v
}

// init prepares v as a part of self.
func (v *View) init(self fyne.Widget) {
	v.wrap, v.numbers, v.foldTo, v.hit = true, true, unfolded, -1
	v.caretRect, v.ground, v.tip = canvas.NewRectangle(nil), theme.ColorNameBackground, newTip()
	v.index = &Index{err: &SyntaxError{Text: "no text"}, lines: 1}
	v.layout = newRawLayout(nil, piece)
	v.Extend(self, self.(rows.Drawer), look.SizeLine)
	v.restyle()
	v.SetAbove(0, v.caretRect, v.tip.box)
}

// SetGround sets the colour the view stands on, which covers text that scrolls below the line numbers.
func (v *View) SetGround(name fyne.ThemeColorName) {
	v.ground = name
	v.Redraw(true)
}

func (v *View) restyle() {
	v.font = measure.For(look.Size(look.SizeMono), fyne.TextStyle{Monospace: true})
	v.caretRect.FillColor = look.Color(theme.ColorNamePrimary)
}

// Refresh draws what has changed; after a change of theme, everything.
func (v *View) Refresh() {
	v.restyle()
	v.gutter = v.gutterWidth()
	v.Area.Refresh()
}

// SetIndex shows another text from its start, as the person looked at the last one: mode, wrapping, line numbers, the
// depth that is folded and the text that is searched stay. Problems, hits and single folds go.
func (v *View) SetIndex(x *Index) {
	v.stopSearch()
	v.making.stop()
	v.finding.stop()
	query := v.query
	v.index, v.plain, v.found = x, nil, nil
	v.pretty, v.problems, v.hits, v.query, v.hit = nil, nil, Hits{}, "", -1
	v.caret, v.anchor, v.wide = pos{}, pos{}, 0
	v.hover(nil)
	v.relayout(0)
	if v.foldTo != unfolded && v.Mode() == Pretty {
		v.FoldTo(v.foldTo)
	}
	if query != "" {
		v.find(query, false)
	}
}

// smallText is up to which size SetBytes may index on the drawing goroutine: some milliseconds.
const smallText = 256 << 10

// SetBytes shows a text of at most 256 KiB; larger ones have to go through Build on another goroutine and SetIndex.
// It reports whether it did.
func (v *View) SetBytes(raw []byte) bool {
	if len(raw) > smallText {
		return false
	}
	x, err := Build(context.Background(), raw)
	if err != nil {
		return false
	}
	v.SetIndex(x)
	return true
}

// Index returns what is shown.
func (v *View) Index() *Index { return v.index }

// Mode returns the mode that is shown: Raw for Pretty when the text is not JSON.
func (v *View) Mode() Mode {
	if v.want == Pretty && (!v.index.JSON() || v.editor != nil) {
		return Raw
	}
	return v.want
}

// SetMode changes the mode. The first visible value and the caret stay.
func (v *View) SetMode(m Mode) {
	if m == v.want {
		return
	}
	first := v.firstOffset()
	v.want = m
	v.wide = 0
	v.relayout(first)
}

// Wrap reports whether lines are broken at the window's width.
func (v *View) Wrap() bool { return v.wrap }

// SetWrap breaks lines at the window's width or lets them scroll sideways.
func (v *View) SetWrap(on bool) {
	if on == v.wrap {
		return
	}
	first := v.firstOffset()
	v.wrap = on
	v.wide = 0
	v.relayout(first)
}

// Numbers reports whether lines are numbered.
func (v *View) Numbers() bool { return v.numbers }

// SetNumbers numbers the lines or leaves only the marks beside them.
func (v *View) SetNumbers(on bool) {
	if on != v.numbers {
		v.numbers = on
		v.refit(v.firstOffset())
		v.Redraw(true)
	}
}

// firstOffset returns the raw byte with which the window begins.
func (v *View) firstOffset() int {
	first, _ := v.Place()
	return v.layout.offset(min(first, v.layout.rows()-1))
}

// relayout makes the layout anew and shows the raw byte at first on top.
func (v *View) relayout(first int) {
	v.refit(first)
	v.ScrollX(0)
	v.Redraw(true)
}

// columns returns how many bytes of a line fit the window.
func (v *View) columns() int {
	if !v.wrap || v.ViewWidth() <= 0 {
		return piece
	}
	room := v.ViewWidth() - v.textX() - textPad
	return max(leastColumns, int(room/v.font.Rune('0'))/wrapStep*wrapStep)
}

// fit makes the layout for the window's width, with the raw byte at first on top.
func (v *View) fit(first int) {
	v.gutter = v.gutterWidth()
	v.cols = v.columns()
	switch mode := v.Mode(); {
	case v.editor != nil:
		v.layout = newEditLayout(v.editor.buf, v.cols, v.editor.json)
	case mode == Pretty:
		switch {
		case v.pretty == nil && v.slow():
			v.pretty = newPrettyLayout(v.index, piece) // the one that Build has made
		case v.pretty == nil:
			v.pretty = newPrettyLayout(v.index, v.cols)
		case v.pretty.wrap != v.cols && !v.slow():
			v.pretty.wrap = v.cols
			v.pretty.rebuild()
		}
		v.pretty.links = v.OnOpen != nil
		v.layout = v.pretty
		v.rewrap()
	case mode == Raw:
		v.layout = v.plainLayout()
	default:
		v.layout = hexLayout{v.index.raw}
	}
	v.Recount(v.layout.rows(), rowAt(v.layout, first))
}

// refit calls fit and keeps caret and selection.
func (v *View) refit(first int) {
	caret, anchor := v.offsetOf(v.caret), v.offsetOf(v.anchor)
	v.fit(first)
	v.caret, v.anchor = v.placeOf(caret), v.placeOf(anchor)
}

// offsetOf returns the raw byte at a place, -1 when there is none.
func (v *View) offsetOf(p pos) int {
	if p.row >= v.layout.rows() {
		return -1
	}
	v.segs = v.layout.segments(p.row, v.segs[:0])
	if o := rawOf(v.segs, p.col); o >= 0 {
		return o
	}
	return v.layout.offset(p.row)
}

// placeOf returns where the raw byte at offset is shown.
func (v *View) placeOf(offset int) pos {
	if offset < 0 {
		return pos{}
	}
	row := rowAt(v.layout, offset)
	v.segs = v.layout.segments(row, v.segs[:0])
	return pos{row, max(0, colOf(v.segs, offset))}
}

// gutterWidth returns the width of the column of line numbers and marks.
func (v *View) gutterWidth() float32 {
	cell := v.font.Rune('0')
	numbers := v.index.lines
	switch mode := v.Mode(); {
	case v.editor != nil:
		if !v.numbers {
			return 2 * cell
		}
		return cell*float32(max(2, len(strconv.Itoa(len(v.editor.buf.lines))))+2) + textPad
	case mode == Hex:
		return 2 * cell
	case mode == Pretty:
		numbers = v.index.numbers()
	}
	if !v.numbers {
		return 3 * cell
	}
	return cell*float32(max(3, len(strconv.Itoa(numbers)))+4) + textPad
}

// SetProblems marks findings at their byte offsets; those without a place are left out.
func (v *View) SetProblems(problems []protocol.Problem) {
	v.keepProblems(problems)
	v.Redraw(true)
}

func (v *View) keepProblems(problems []protocol.Problem) {
	v.problems = v.problems[:0:0]
	for _, p := range problems {
		if p.Offset >= 0 {
			v.problems = append(v.problems, p)
		}
	}
	sort.SliceStable(v.problems, func(i, j int) bool { return v.problems[i].Offset < v.problems[j].Offset })
	v.hover(nil)
}

// ShowOffset opens what keeps the raw byte at offset from being shown, puts the caret there and scrolls to it. In a big
// text that may take until Run has done it.
func (v *View) ShowOffset(offset int) {
	if v.Mode() == Pretty {
		if hidden, much := v.pretty.hides(offset); hidden {
			v.refold(much, func(p *prettyLayout) { p.reveal(offset) }, func() { v.showPlace(offset) })
			return
		}
	}
	v.whenFound(func() { v.showPlace(offset) })
}

func (v *View) showPlace(offset int) {
	v.caret = v.placeOf(offset)
	v.anchor = v.caret
	v.Center(v.caret.row)
	v.Redraw(true)
}

// unfolded is the depth from which on nothing is folded.
const unfolded = 1 << 30

// FoldTo folds containers at that depth and deeper and opens those above: 0 leaves one line, a large number opens all.
// Long strings stay as they are. Texts shown later are folded to the same depth.
func (v *View) FoldTo(depth int) {
	v.foldTo = depth
	if v.Mode() == Pretty && v.pretty != nil {
		v.refold(v.slow(), func(p *prettyLayout) { p.foldTo(depth) }, nil)
	}
}

// Toggle folds or opens what row shows.
func (v *View) Toggle(row int) {
	if v.Mode() != Pretty || row < 0 || row >= v.layout.rows() {
		return
	}
	n := v.pretty.lines[row].node()
	if v.pretty.foldable(n) {
		v.refold(v.index.much(n), func(p *prettyLayout) { p.toggle(rowOfNode(p, n)) }, func() { v.Reveal(rowOfNode(v.pretty, n)) })
	}
}

// SelectedText returns the selected text as it is copied: exactly the bytes in Raw mode.
func (v *View) SelectedText() string {
	from, to := ordered(v.caret, v.anchor)
	return copyText(v.layout, from, to, copyLimit)
}

// SelectAll selects everything.
func (v *View) SelectAll() { v.whenFound(v.selectAll) }

func (v *View) selectAll() {
	last := v.layout.rows() - 1
	v.segs = v.layout.segments(last, v.segs[:0])
	v.anchor, v.caret = pos{}, pos{last, rowLen(v.segs)}
	v.Redraw(false)
}

// copyRows is from how many rows on text to copy is gathered through Run.
const copyRows = 50_000

// Copy puts the selected text on the clipboard; without a selection it puts the value at the caret there.
func (v *View) Copy() {
	from, to := ordered(v.caret, v.anchor)
	if to.row-from.row > copyRows && v.Run != nil {
		l := v.frozenLayout()
		v.Run(func() func() {
			s := copyText(l, from, to, copyLimit)
			return func() { setClipboard(s) }
		})
		return
	}
	s := v.SelectedText()
	if s == "" {
		if val, ok := v.ValueAtCaret(); ok {
			s = string(v.index.raw[val.Start:val.End])
		}
	}
	setClipboard(s)
}

// frozenLayout returns a layout that stays as it is while the person folds and opens.
func (v *View) frozenLayout() layout {
	if l, ok := v.layout.(*rawLayout); ok {
		return l.frozen()
	}
	if v.Mode() != Pretty {
		return v.layout
	}
	p := *v.pretty
	p.lines, p.flips = slices.Clone(p.lines), slices.Clone(p.flips)
	p.forget()
	return &p
}
