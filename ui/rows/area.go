package rows

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	look "mcploupe/ui/theme"
	"mcploupe/ui/widget"
)

// Slot is a visible row's place among the canvas objects. A slot shows different rows as the person scrolls.
type Slot struct {
	Box  *fyne.Container // holds what the drawer puts there; positions are relative to the row
	Data any             // the drawer's own, to find its objects again

	row int
	key uint64
}

// Row returns the row that the slot shows, or -1.
func (s *Slot) Row() int { return s.row }

// Drawer fills rows.
type Drawer interface {
	// BeforeRows is called before a pass over the visible rows, AfterRows after it. BeforeRows reports whether all of
	// them have to be drawn anew; it may call SetContentWidth.
	BeforeRows() bool
	AfterRows()
	// RowKey returns a value that differs whenever row i would be drawn differently. It is asked for every visible
	// row on every scroll.
	RowKey(i int) uint64
	// DrawRow makes slot s show row i.
	DrawRow(s *Slot, i int)
	// DecorateRow sets what changes without the entry: grounds for selection, hover, found text. It is called for
	// every visible row on every pass and must be cheap.
	DecorateRow(s *Slot, i int)
}

// Area is a widget that shows the visible ones of many rows. It scrolls by wheel and scroll bars; widgets that embed
// it add the rest. Call Extend before use.
type Area struct {
	widget.BaseWidget

	// OnScrolled is called after the window has moved, whoever moved it.
	OnScrolled func()
	// OnFollow is called when following the last row begins or ends.
	OnFollow func(on bool)

	self   fyne.Widget
	drawer Drawer
	vp     Viewport
	slots  []*Slot

	rowSize      fyne.ThemeSizeName
	head         float32 // room above the rows
	contentWidth float32 // 0: as wide as the window
	x            float32 // what is scrolled away at the left
	tailable     bool
	focused      bool
	mouse        fyne.Position
	mouseIn      bool

	vtrack, vthumb, htrack, hthumb, ground *canvas.Rectangle
	ring                                   [4]*canvas.Rectangle // the focus ring's sides
	touch                                  *canvas.Rectangle    // draws nothing, see Decorate

	framed fyne.ThemeColorName // ground of a framed area

	above   []fyne.CanvasObject // drawn over the rows: a header
	objects []fyne.CanvasObject

	look       signature
	drag       dragging
	dragOffset float32
}

// signature tells whether a Refresh is due to another look. A theme that is not ours need not be comparable.
type signature struct {
	ours    *look.Theme
	variant fyne.ThemeVariant
	ground  [4]uint32
	text    float32
}

func newSignature() (s signature) {
	settings := fyne.CurrentApp().Settings()
	s.ours, _ = settings.Theme().(*look.Theme)
	s.variant = settings.ThemeVariant()
	s.ground[0], s.ground[1], s.ground[2], s.ground[3] = look.Color(theme.ColorNameBackground).RGBA()
	s.text = look.Size(theme.SizeNameText)
	return s
}

type dragging uint8

const (
	dragNone dragging = iota
	dragVertical
	dragHorizontal
)

// barWidth is the room of a scroll bar, and barInset what its thumb leaves free of it.
const (
	barWidth = 12
	barInset = 3
)

// Extend prepares an area: self is the widget that embeds it, rowSize the theme's size for a row's height.
func (a *Area) Extend(self fyne.Widget, drawer Drawer, rowSize fyne.ThemeSizeName) {
	a.self, a.drawer, a.rowSize = self, drawer, rowSize
	for _, r := range []**canvas.Rectangle{&a.vtrack, &a.vthumb, &a.htrack, &a.hthumb, &a.ground, &a.touch, &a.ring[0], &a.ring[1], &a.ring[2], &a.ring[3]} {
		*r = canvas.NewRectangle(nil)
	}
	a.ground.Hidden = true
	a.ExtendBaseWidget(self)
	a.restyle()
}

// Widget returns the widget that embeds the area.
func (a *Area) Widget() fyne.Widget { return a.self }

// restyle takes colours and sizes from the theme and reports whether the look has changed.
func (a *Area) restyle() bool {
	now := newSignature()
	changed := now != a.look
	a.look = now
	a.vp.SetRowHeight(float64(look.Size(a.rowSize)))
	for _, track := range []*canvas.Rectangle{a.vtrack, a.htrack} {
		track.FillColor = look.Color(theme.ColorNameScrollBarBackground)
	}
	for _, thumb := range []*canvas.Rectangle{a.vthumb, a.hthumb} {
		thumb.FillColor = look.Color(theme.ColorNameScrollBar)
		thumb.CornerRadius = (barWidth - 2*barInset) / 2
	}
	a.styleFrame()
	return changed
}

// styleFrame colours the focus ring, which a framed area shows without the focus too.
func (a *Area) styleFrame() {
	name := theme.ColorNamePrimary
	if !a.focused {
		name = theme.ColorNameInputBorder
	}
	for _, side := range a.ring {
		side.FillColor = look.Color(name)
		side.Hidden = !a.focused && a.framed == ""
	}
	if a.framed != "" {
		a.ground.Hidden = false
		a.ground.FillColor = look.Color(a.framed)
	}
}

// SetFrame draws a border around the area and a ground below its rows, as input fields have.
func (a *Area) SetFrame(ground fyne.ThemeColorName) {
	a.framed = ground
	a.styleFrame()
	a.Redraw(true)
}

// SetAbove sets what is drawn over the rows and how much room they leave for it at the top.
func (a *Area) SetAbove(height float32, objects ...fyne.CanvasObject) {
	a.head, a.above = height, objects
	a.objects = nil
	a.Redraw(true)
}

// SetContentWidth sets how wide rows are; what exceeds the window scrolls. 0 makes them as wide as the window. It
// counts from the next pass on.
func (a *Area) SetContentWidth(w float32) { a.contentWidth = w }

// RowWidth returns the width in which rows are drawn.
func (a *Area) RowWidth() float32 { return max(a.contentWidth, a.viewWidth()) }

// ViewWidth returns the width of the window that shows rows.
func (a *Area) ViewWidth() float32 { return a.viewWidth() }

func (a *Area) viewWidth() float32 { return max(0, a.Size().Width-barWidth) }

// viewHeight is the height of the window that shows rows.
func (a *Area) viewHeight() float32 {
	h := a.Size().Height - a.head
	if _, length := a.horizontalThumb(); length > 0 {
		h -= barWidth
	}
	return h
}

// OffsetX returns how much of the rows is scrolled away at the left.
func (a *Area) OffsetX() float32 { return a.x }

// ScrollX scrolls sideways to x.
func (a *Area) ScrollX(x float32) {
	x = min(max(0, x), max(0, a.contentWidth-a.viewWidth()))
	if x == a.x {
		return
	}
	a.x = x
	a.Redraw(false)
	a.scrolled()
}

// Count returns the number of rows.
func (a *Area) Count() int { return a.vp.Count() }

// RowHeight returns the height of a row.
func (a *Area) RowHeight() float32 { return float32(a.vp.RowHeight()) }

// SetCount changes the number of rows at the end and draws what is new. What is visible stays in place.
func (a *Area) SetCount(n int) {
	a.vp.SetCount(n)
	a.Redraw(false)
}

// Modifiers returns the modifier keys that are down, as far as the driver knows.
func Modifiers() fyne.KeyModifier {
	if d, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok {
		return d.CurrentKeyModifiers()
	}
	return 0
}

// RowAt returns the row at a position in the widget, or -1 where there is none.
func (a *Area) RowAt(pos fyne.Position) int {
	if pos.Y < a.head || pos.X < 0 || pos.X >= a.viewWidth() {
		return -1
	}
	return a.vp.RowAt(float64(pos.Y - a.head))
}

// RowNear returns the row nearest to a position, also one outside the widget, or -1 when there are no rows.
func (a *Area) RowNear(pos fyne.Position) int { return a.vp.RowNear(float64(pos.Y - a.head)) }

// RowTop returns where row i begins in the widget; it may lie outside.
func (a *Area) RowTop(i int) float32 {
	return a.head + float32(float64(i)*a.vp.RowHeight()-a.vp.Top())
}

// InWindow reports whether a position is over rows, neither header nor scroll bars.
func (a *Area) InWindow(pos fyne.Position) bool {
	return pos.Y >= a.head && pos.Y < a.Size().Height && pos.X >= 0 && pos.X < a.viewWidth() && !a.overHorizontal(pos)
}

// SetFocused draws the focus ring or takes it away.
func (a *Area) SetFocused(on bool) {
	a.focused = on
	a.styleFrame()
	a.Redraw(false)
}

// Focused reports whether the widget has the keyboard.
func (a *Area) Focused() bool { return a.focused }

// Focus gives the keyboard to the widget.
func (a *Area) Focus() {
	f, ok := a.self.(fyne.Focusable)
	if c := fyne.CurrentApp().Driver().CanvasForObject(a.self); ok && c != nil {
		c.Focus(f)
	}
}

// ForwardShortcut gives a shortcut that the focused widget has no use for to the window, which would not get it.
func (a *Area) ForwardShortcut(s fyne.Shortcut) {
	if c, ok := fyne.CurrentApp().Driver().CanvasForObject(a.self).(fyne.Shortcutable); ok {
		c.TypedShortcut(s)
	}
}

// Redraw brings the visible rows up to date: rows whose key has changed are drawn, all of them when force is set.
func (a *Area) Redraw(force bool) {
	size := a.Size()
	if a.self == nil || size.Width <= 0 || size.Height <= 0 {
		return
	}
	a.vp.SetHeight(float64(max(0, a.viewHeight())))
	force = a.drawer.BeforeRows() || force
	a.vp.SetHeight(float64(max(0, a.viewHeight()))) // a scroll bar may have come
	a.x = min(a.x, max(0, a.contentWidth-a.viewWidth()))
	force = a.needSlots(a.vp.Slots()) || force
	width, height := a.RowWidth(), float32(a.vp.RowHeight())
	first, y := a.vp.First()
	for i := range a.slots {
		row := first + i
		s := a.slots[row%len(a.slots)]
		top := float32(y + float64(i)*a.vp.RowHeight())
		if row >= a.vp.Count() || top >= float32(a.vp.Height()) {
			s.row = -1
			s.Box.Hidden = true
			continue
		}
		s.Box.Hidden = false
		if key := a.drawer.RowKey(row); force || s.row != row || s.key != key {
			s.row, s.key = row, key
			s.Box.Resize(fyne.NewSize(width, height))
			a.drawer.DrawRow(s, row)
		}
		s.Box.Move(fyne.NewPos(-a.x, a.head+top))
	}
	a.Decorate()
	a.placeBars()
	a.drawer.AfterRows()
}

// Decorate brings the grounds of the visible rows up to date.
func (a *Area) Decorate() {
	for _, s := range a.slots {
		if s.row >= 0 {
			a.drawer.DecorateRow(s, s.row)
		}
	}
	// One small object marks the whole canvas as changed. It is never hidden: the toolkit knows only of objects that it
	// has drawn to which canvas they belong.
	canvas.Refresh(a.touch)
}

// needSlots makes n slots and reports whether their number has changed.
func (a *Area) needSlots(n int) bool {
	if n == len(a.slots) {
		return false
	}
	for len(a.slots) < n {
		a.slots = append(a.slots, &Slot{Box: container.NewWithoutLayout(), row: -1})
	}
	clear(a.slots[n:])
	a.slots = a.slots[:n]
	a.objects = nil
	return true
}

// Refresh draws what has changed; after a change of theme, everything.
func (a *Area) Refresh() { a.Redraw(a.restyle()) }

// CreateRenderer is for the toolkit.
func (a *Area) CreateRenderer() fyne.WidgetRenderer { return &renderer{a} }

// MinSize is small: rows scroll.
func (a *Area) MinSize() fyne.Size {
	return fyne.NewSize(4*barWidth, a.head+2*float32(a.vp.RowHeight()))
}

type renderer struct{ a *Area }

func (r *renderer) Layout(fyne.Size) { r.a.Redraw(true) }

func (r *renderer) MinSize() fyne.Size { return r.a.self.MinSize() }

func (r *renderer) Refresh() { r.a.self.Refresh() }

func (r *renderer) Destroy() {}

func (r *renderer) Objects() []fyne.CanvasObject {
	a := r.a
	if a.objects == nil {
		a.objects = append(a.objects, a.ground)
		for _, s := range a.slots {
			a.objects = append(a.objects, s.Box)
		}
		a.objects = append(a.objects, a.above...)
		a.objects = append(a.objects, a.vtrack, a.htrack, a.vthumb, a.hthumb, a.touch)
		for _, side := range a.ring {
			a.objects = append(a.objects, side)
		}
	}
	return a.objects
}
