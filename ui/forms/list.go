package forms

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"mcploupe/ui/rows"
	look "mcploupe/ui/theme"
	"mcploupe/ui/view/human"
	"mcploupe/ui/widget"
)

// option is an entry of a list to choose from.
type option struct {
	title, detail string
	on            bool
	lower         string // title and detail in small letters, made when first searched
}

// listOf is a list to open.
type listOf struct {
	options []option
	several bool
	typed   string        // the filter to begin with
	pick    func(i int)   // chosen, or turned on or off
	note    func() string // beside the count
}

// chooser is an open list.
type chooser struct {
	listOf
	v      *View
	from   *pick
	list   *rows.View
	filter *searchEntry
	count  *canvas.Text
	shown  []int // options that match the filter
	turn   uint64
}

const (
	searchFrom = 12 // options from which on there is a filter
	listRows   = 14
	listWidth  = 260
)

// openList opens a list below a widget.
func (v *View) openList(from *pick, l listOf) {
	c := v.canvas()
	if c == nil || len(l.options) == 0 {
		return
	}
	ch := &chooser{listOf: l, v: v, from: from, count: &canvas.Text{}}
	ch.list = rows.New(ch.bind, func(i int) uint64 { return ch.turn<<32 | uint64(ch.shown[i]) })
	ch.list.OnActivate = ch.chosen
	ch.list.OnKey = ch.key
	var top fyne.CanvasObject
	rowCount := min(len(l.options), listRows)
	height := float32(rowCount)*look.Size(look.SizeRow) + 4
	if len(l.options) > searchFrom {
		ch.filter = newSearchEntry(ch)
		ch.filter.SetPlaceHolder("Filter")
		ch.filter.OnChanged = ch.search
		top = ch.filter
		height += fonts().control + 4
	}
	setText(ch.count, " ", fonts().caption, lookMuted)
	height += fonts().captionLine + 10
	clicks := &rowHit{ch: ch}
	clicks.ExtendBaseWidget(clicks)
	content := widget.Border(top, ch.count, nil, nil, container.New(beside{}, ch.list, clicks))
	v.closePopup()
	v.popup = widget.NewPopUp(content, c)
	width := max(from.Size().Width, listWidth)
	for _, o := range l.options[:min(len(l.options), 200)] {
		width = max(width, min(520, fonts().plain.Width(o.title)+fonts().caption.Width(o.detail)+60))
	}
	v.place(from, fyne.NewSize(width, height))
	ch.search(l.typed)
	for row, i := range ch.shown {
		if l.options[i].on {
			ch.point(row)
			break
		}
	}
	if ch.filter == nil {
		v.give(ch.list)
		return
	}
	v.give(ch.filter)
	if l.typed != "" {
		ch.filter.SetText(l.typed)
		ch.filter.CursorColumn = len([]rune(l.typed))
		ch.filter.Refresh()
	}
}

// place shows the popup at a widget, inside the window.
func (v *View) place(at fyne.CanvasObject, want fyne.Size) {
	c := v.canvas()
	room := c.Size()
	pad := 2 * theme.Padding()
	size := fyne.NewSize(min(want.Width, room.Width-2*pad), min(want.Height, room.Height-2*pad))
	pos := fyne.CurrentApp().Driver().AbsolutePositionForObject(at)
	x := max(0, min(pos.X, room.Width-size.Width-pad))
	y := pos.Y + at.Size().Height
	if y+size.Height+pad > room.Height {
		if above := pos.Y - size.Height - pad; above >= 0 {
			y = above
		} else {
			y = max(0, room.Height-size.Height-pad)
		}
	}
	v.popup.ShowAtPosition(fyne.NewPos(x, y))
	v.popup.Resize(size)
}

func (v *View) closePopup() {
	if v.popup != nil {
		v.popup.Hide()
		v.popup = nil
	}
}

func (ch *chooser) bind(i int, r *rows.Row) {
	o := &ch.options[ch.shown[i]]
	glyph := ""
	switch {
	case ch.several && o.on:
		glyph = "☑"
	case ch.several:
		glyph = "☐"
	case o.on:
		glyph = "✓"
	}
	if glyph == "" {
		glyph = " "
	}
	r.Cells[0] = rows.Cell{Glyph: glyph, GlyphColor: theme.ColorNamePrimary, Text: o.title, Detail: o.detail}
}

// search shows the options that hold a text.
func (ch *chooser) search(text string) {
	text = strings.ToLower(strings.TrimSpace(text))
	ch.shown = ch.shown[:0]
	for i := range ch.options {
		o := &ch.options[i]
		if text != "" {
			if o.lower == "" {
				o.lower = strings.ToLower(o.title + "\n" + o.detail)
			}
			if !strings.Contains(o.lower, text) {
				continue
			}
		}
		ch.shown = append(ch.shown, i)
	}
	ch.turn++
	ch.list.Reset(len(ch.shown))
	if len(ch.shown) == 0 {
		ch.list.SetPlaceholder("None has this in it.")
	} else {
		ch.point(0)
	}
	ch.tell()
}

func (ch *chooser) tell() {
	text := human.Count(len(ch.shown)) + " of " + human.Count(len(ch.options))
	if len(ch.shown) == len(ch.options) {
		text = human.Plural(len(ch.options), "choice", "choices")
	}
	if ch.note != nil {
		text = ch.note() + "  ·  " + text
	}
	ch.count.Text = text
	ch.count.Refresh()
}

// point moves the cursor of the list without choosing.
func (ch *chooser) point(row int) {
	ch.list.Select(row)
	ch.list.Center(row)
}

// key takes the keys of the open list; the others move through it.
func (ch *chooser) key(e *fyne.KeyEvent) bool {
	switch e.Name {
	case fyne.KeyEscape:
		ch.close()
	case fyne.KeySpace:
		ch.chosen(ch.list.Current())
	default:
		return false
	}
	return true
}

// close closes the list and gives the keyboard back.
func (ch *chooser) close() {
	ch.v.closePopup()
	ch.v.give(ch.from)
}

// chosen takes the option in a row.
func (ch *chooser) chosen(row int) {
	if row < 0 || row >= len(ch.shown) {
		return
	}
	i := ch.shown[row]
	if !ch.several {
		ch.close()
		ch.pick(i)
		return
	}
	ch.options[i].on = !ch.options[i].on
	ch.turn++
	ch.pick(i)
	ch.list.Redraw(false)
	ch.tell()
}

// rowHit lies over the rows of an open list and takes clicks when the button is
// let go, so that what is below the list is not clicked.
type rowHit struct {
	widget.BaseWidget
	ch *chooser
}

// CreateRenderer is for the toolkit.
func (h *rowHit) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(newRect()) }

// Tapped chooses the row under the mouse.
func (h *rowHit) Tapped(e *fyne.PointEvent) {
	row := h.ch.list.RowAt(e.Position)
	if row >= 0 {
		h.ch.list.Select(row)
	}
	h.ch.chosen(row)
}

// beside lays the second object over the first, but for the scroll bar.
type beside struct{}

// Layout implements fyne.Layout.
func (beside) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	put(objects[0], 0, 0, size.Width, size.Height)
	put(objects[1], 0, 0, max(0, size.Width-barWidth), size.Height)
}

// MinSize implements fyne.Layout.
func (beside) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }

// searchEntry filters an open list. Keys that move go to the list.
type searchEntry struct {
	widget.Entry
	ch *chooser
}

func newSearchEntry(ch *chooser) *searchEntry {
	e := &searchEntry{ch: ch}
	e.Wrapping = fyne.TextWrap(fyne.TextTruncateClip)
	e.ExtendBaseWidget(e)
	return e
}

// TypedKey edits the filter or moves through the list.
func (e *searchEntry) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeyUp, fyne.KeyDown, fyne.KeyPageUp, fyne.KeyPageDown:
		e.ch.list.TypedKey(k)
	case fyne.KeyReturn, fyne.KeyEnter:
		e.ch.chosen(e.ch.list.Current())
	case fyne.KeyEscape:
		e.ch.close()
	default:
		e.Entry.TypedKey(k)
	}
}
