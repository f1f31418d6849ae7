package difftext

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"

	"mcploupe/ui/measure"
	"mcploupe/ui/rows"
	look "mcploupe/ui/theme"
	"mcploupe/ui/view/textdiff"
	"mcploupe/ui/widget"
)

// context is how many unchanged lines stay around a change.
const context = 3

// KeyHelp says what the keys of a View do, one a line.
const KeyHelp = "N  F8             next change\n" +
	"P  Shift+F8       previous change\n" +
	"U                 side by side, or one column\n" +
	"Enter             open the folded lines, or all with A\n" +
	"Ctrl+C            copy the change that is looked at"

// View shows a textdiff.Diff. Make one with NewView.
type View struct {
	rows.Area

	OnCopy func(text string) // Ctrl+C
	// OnMoved is called when another change is looked at, or the lay-out is
	// another one.
	OnMoved func()

	diff    *textdiff.Diff
	unified bool
	opened  textdiff.Unfold
	all     bool // nothing is folded
	items   []textdiff.Item
	pieces  []piece // lines on the screen
	cols    int     // characters of a side, for which pieces were made
	at      int     // the change that is looked at, -1 for none
	font    *measure.Font
	digits  int
	shift   bool
}

// piece is a line on the screen: a part of an item that is too wide for one.
type piece struct {
	item int32
	part int32
}

var (
	_ fyne.Focusable    = (*View)(nil)
	_ fyne.Tappable     = (*View)(nil)
	_ fyne.Draggable    = (*View)(nil)
	_ desktop.Mouseable = (*View)(nil)
	_ desktop.Keyable   = (*View)(nil)
	_ fyne.Shortcutable = (*View)(nil)
)

// NewView returns a view that shows nothing.
func NewView() *View {
	v := &View{diff: &textdiff.Diff{}, opened: textdiff.Unfold{}, at: -1}
	v.restyle()
	v.Extend(v, v, look.SizeLine)
	return v
}

func (v *View) restyle() {
	v.font = measure.For(look.Size(look.SizeMono), fyne.TextStyle{Monospace: true})
}

// Set shows a diff from its first change on.
func (v *View) Set(d *textdiff.Diff) {
	v.diff, v.opened, v.all, v.at = d, textdiff.Unfold{}, false, -1
	v.digits = 3
	for n := len(d.Rows); n >= 1000; n /= 10 {
		v.digits++
	}
	v.relay()
	v.SetPlace(0, 0)
	if len(d.Changes) > 0 {
		v.look(0)
	}
}

// Diff is what is shown.
func (v *View) Diff() *textdiff.Diff { return v.diff }

// Unified reports whether both texts stand in one column.
func (v *View) Unified() bool { return v.unified }

// SetUnified shows both texts in one column, or side by side.
func (v *View) SetUnified(on bool) {
	if v.unified == on {
		return
	}
	v.unified = on
	v.relay()
	v.look(v.at)
}

// UnfoldAll shows every line.
func (v *View) UnfoldAll() {
	v.all = true
	v.relay()
	v.look(v.at)
}

// At is the change that is looked at, -1 for none.
func (v *View) At() int { return v.at }

// Step goes to the next change, or the one before.
func (v *View) Step(forward bool) {
	n := len(v.diff.Changes)
	if n == 0 {
		return
	}
	at := v.at + 1
	if !forward {
		at = v.at - 1
	}
	v.look(min(max(at, 0), n-1))
}

// ShowChange goes to a change by its number.
func (v *View) ShowChange(at int) {
	if at >= 0 && at < len(v.diff.Changes) {
		v.look(at)
	}
}

// look brings a change into view.
func (v *View) look(at int) {
	v.at = at
	if at >= 0 && at < len(v.diff.Changes) {
		row := v.diff.Changes[at].From
		for i, p := range v.pieces {
			if item := v.items[p.item]; item.Fold == 0 && item.Row >= row {
				v.Center(i)
				break
			}
		}
	}
	v.Decorate()
	if v.OnMoved != nil {
		v.OnMoved()
	}
}

// relay lists anew what stands on the screen.
func (v *View) relay() {
	around := context
	if v.all {
		around = -1
	}
	v.items = v.diff.Items(v.unified, around, v.opened)
	v.lay()
	v.SetCount(len(v.pieces))
	v.Redraw(true)
}

// lay breaks items into lines of the width there is.
func (v *View) lay() {
	v.cols = v.columns()
	v.pieces = v.pieces[:0]
	for i, item := range v.items {
		n := 1
		if item.Fold == 0 {
			row := &v.diff.Rows[item.Row]
			if item.Side != textdiff.Right {
				n = max(n, v.parts(row.Left.Text))
			}
			if item.Side != textdiff.Left {
				n = max(n, v.parts(row.Right.Text))
			}
		}
		for part := range n {
			v.pieces = append(v.pieces, piece{int32(i), int32(part)})
		}
	}
}

// BeforeRows is for the area: it makes the lines for a new width.
func (v *View) BeforeRows() bool {
	if v.columns() == v.cols {
		return false
	}
	first, _ := v.Place()
	item := int32(0)
	if first < len(v.pieces) {
		item = v.pieces[first].item
	}
	v.lay()
	at := 0
	for at < len(v.pieces) && v.pieces[at].item < item {
		at++
	}
	v.Recount(len(v.pieces), at)
	return true
}

// AfterRows is for the area.
func (v *View) AfterRows() {}

// RowKey is for the area: lines change only with a forced pass.
func (v *View) RowKey(int) uint64 { return 0 }

// Refresh is for the toolkit: the theme may be another one.
func (v *View) Refresh() {
	v.restyle()
	v.Area.Refresh()
}

// CreateRenderer is for the toolkit.
func (v *View) CreateRenderer() fyne.WidgetRenderer { return v.Area.CreateRenderer() }

// open shows the lines that an item stands for.
func (v *View) open(i int) {
	if i < 0 || i >= len(v.pieces) {
		return
	}
	item := v.items[v.pieces[i].item]
	if item.Fold == 0 {
		return
	}
	row, hidden := v.Place()
	v.opened[item.Row] = true
	v.relay()
	v.SetPlace(row, hidden)
}

// Tapped opens folded lines.
func (v *View) Tapped(e *fyne.PointEvent) { v.open(v.RowAt(e.Position)) }

// MouseDown takes the keyboard.
func (v *View) MouseDown(e *desktop.MouseEvent) {
	v.Focus()
	v.PressBar(e.Position)
}

// MouseUp does nothing.
func (v *View) MouseUp(*desktop.MouseEvent) {}

// Dragged moves a scroll bar.
func (v *View) Dragged(e *fyne.DragEvent) { v.DragBar(e) }

// DragEnd ends it.
func (v *View) DragEnd() { v.EndDrag() }

// FocusGained is for the toolkit.
func (v *View) FocusGained() { v.SetFocused(true) }

// FocusLost is for the toolkit.
func (v *View) FocusLost() { v.SetFocused(false) }

// KeyDown remembers Shift, which key events do not carry.
func (v *View) KeyDown(e *fyne.KeyEvent) {
	if e.Name == desktop.KeyShiftLeft || e.Name == desktop.KeyShiftRight {
		v.shift = true
	}
}

// KeyUp forgets it.
func (v *View) KeyUp(e *fyne.KeyEvent) {
	if e.Name == desktop.KeyShiftLeft || e.Name == desktop.KeyShiftRight {
		v.shift = false
	}
}

// TypedRune takes the letters of KeyHelp.
func (v *View) TypedRune(r rune) {
	switch r {
	case 'n', 'N':
		v.Step(true)
	case 'p', 'P':
		v.Step(false)
	case 'u', 'U':
		v.SetUnified(!v.unified)
	case 'a', 'A':
		v.UnfoldAll()
	}
}

// TypedKey scrolls, and takes the keys of KeyHelp.
func (v *View) TypedKey(e *fyne.KeyEvent) {
	line := float64(v.RowHeight())
	switch e.Name {
	case fyne.KeyF8:
		v.Step(!v.shift)
	case fyne.KeyDown:
		v.ScrollBy(line)
	case fyne.KeyUp:
		v.ScrollBy(-line)
	case fyne.KeyPageDown:
		v.ScrollBy(line * float64(v.Page()))
	case fyne.KeyPageUp:
		v.ScrollBy(-line * float64(v.Page()))
	case fyne.KeyHome:
		v.ScrollStart()
	case fyne.KeyEnd:
		v.ScrollEnd()
	case fyne.KeyReturn, fyne.KeyEnter:
		first, _ := v.Place()
		for i := first; i < min(first+v.Page()+1, len(v.pieces)); i++ {
			if v.items[v.pieces[i].item].Fold > 0 {
				v.open(i)
				return
			}
		}
	default:
		widget.Leave(e)
	}
}

// TypedShortcut copies; everything else goes to the window.
func (v *View) TypedShortcut(s fyne.Shortcut) {
	if _, ok := s.(*fyne.ShortcutCopy); ok {
		if v.OnCopy != nil {
			v.OnCopy(v.Text())
		}
		return
	}
	v.ForwardShortcut(s)
}

// Text is the change that is looked at, or all changes when there is none, as a
// unified diff is written.
func (v *View) Text() string {
	changes := v.diff.Changes
	if v.at >= 0 && v.at < len(changes) {
		changes = changes[v.at : v.at+1]
	}
	var b []byte
	for _, c := range changes {
		for _, r := range v.diff.Rows[c.From:c.To] {
			if r.Left.Number != 0 {
				b = append(append(append(b, '-'), r.Left.Text...), '\n')
			}
		}
		for _, r := range v.diff.Rows[c.From:c.To] {
			if r.Right.Number != 0 {
				b = append(append(append(b, '+'), r.Right.Text...), '\n')
			}
		}
	}
	return string(b)
}

// slot is what a line on the screen is drawn with.
type slot struct {
	grounds []*canvas.Rectangle
	marks   []*canvas.Rectangle
	texts   []*canvas.Text
	edge    *canvas.Rectangle // of the change that is looked at
	ng      int
	nm      int
	nt      int
}
