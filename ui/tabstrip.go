package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// stripRunes bounds the text of a tab.
const stripRunes = 26

// stripTab is what a tab shows.
type stripTab struct {
	Glyph  string // monospace, may be ""
	Tone   view.Tone
	Text   string
	Whole  string // all of the text, where Text leaves some out
	Closes bool
}

// tabStrip is a row of tabs that scrolls sideways when it is full. It holds no
// content; its owner shows what belongs to the current tab.
type tabStrip struct {
	widget.BaseWidget
	row     *fyne.Container
	scroll  *container.Scroll
	tabs    []*stripItem
	current int
	focused bool

	onSelect func(i int)
	onClose  func(i int)
	menu     func(i int) *fyne.Menu // nil for none
	tip      *hoverTip              // shows what a tab leaves out
}

func newTabStrip(onSelect, onClose func(i int)) *tabStrip {
	s := &tabStrip{onSelect: onSelect, onClose: onClose, current: -1}
	s.row = container.NewHBox()
	s.scroll = container.NewHScroll(s.row)
	s.ExtendBaseWidget(s)
	return s
}

var (
	_ fyne.Focusable = (*tabStrip)(nil)
)

// FocusGained implements fyne.Focusable: the strip is one stop of the keyboard,
// the arrows go through its tabs.
func (s *tabStrip) FocusGained() { s.setFocused(true) }

// FocusLost implements fyne.Focusable.
func (s *tabStrip) FocusLost() { s.setFocused(false) }

func (s *tabStrip) setFocused(on bool) {
	s.focused = on
	if at := s.ringAt(); at < len(s.tabs) {
		s.tabs[at].Refresh()
	}
}

// ringAt is the tab that shows that the strip has the keyboard.
func (s *tabStrip) ringAt() int { return max(s.current, 0) }

// TypedRune implements fyne.Focusable.
func (s *tabStrip) TypedRune(rune) {}

// TypedKey implements fyne.Focusable.
func (s *tabStrip) TypedKey(k *fyne.KeyEvent) {
	to := s.current
	switch k.Name {
	case fyne.KeyLeft:
		to--
	case fyne.KeyRight:
		to++
	case fyne.KeyHome:
		to = 0
	case fyne.KeyEnd:
		to = len(s.tabs) - 1
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		to = s.ringAt() // as a click does, also where no tab is shown
		s.choose(to)
		return
	case fyne.KeyDelete:
		if at := s.current; at >= 0 && at < len(s.tabs) && s.tabs[at].shows.Closes && s.onClose != nil {
			s.onClose(at)
			s.keep()
		}
		return
	case desktop.KeyMenu:
		if at := s.ringAt(); at < len(s.tabs) {
			i := s.tabs[at]
			i.TappedSecondary(&fyne.PointEvent{AbsolutePosition: fyne.CurrentApp().Driver().AbsolutePositionForObject(i).AddXY(0, i.Size().Height)})
		}
		return
	default:
		widget.Leave(k)
		return
	}
	if to >= 0 && to < len(s.tabs) && to != s.current {
		s.choose(to)
	}
}

// choose shows a tab and keeps the keyboard in the strip: what is shown may take
// it, as it does after a click.
func (s *tabStrip) choose(i int) {
	if i < len(s.tabs) {
		s.onSelect(i)
		s.keep()
	}
}

func (s *tabStrip) keep() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(s); c != nil && s.Visible() {
		c.Focus(s)
	}
}

// CreateRenderer implements fyne.Widget.
func (s *tabStrip) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(s.scroll) }

// Set shows tabs with the one at current marked. Items are kept as far as they
// go, so that the mouse stays on what it is on.
func (s *tabStrip) Set(tabs []stripTab, current int) {
	changed := len(tabs) != len(s.tabs)
	for len(s.tabs) < len(tabs) {
		item := newStripItem(s, len(s.tabs))
		s.tabs = append(s.tabs, item)
		s.row.Objects = append(s.row.Objects, item)
	}
	for i := len(tabs); i < len(s.tabs); i++ {
		s.row.Objects[i] = nil
		s.tabs[i] = nil
	}
	s.tabs = s.tabs[:len(tabs)]
	s.row.Objects = s.row.Objects[:len(tabs)]
	for i, t := range tabs {
		if t.Whole == "" {
			t.Whole = t.Text
		}
		t.Text = safe.Line(t.Text, stripRunes)
		changed = s.tabs[i].set(t, i == current) || changed
	}
	if changed {
		s.row.Refresh()
		s.scroll.Refresh()
	}
	if s.current != current {
		s.current = current
		s.reveal()
	}
}

// Resize implements fyne.Widget: the current tab stays in view.
func (s *tabStrip) Resize(size fyne.Size) {
	s.BaseWidget.Resize(size)
	s.reveal()
}

// reveal scrolls the current tab into view. Before there is room nothing is out
// of sight.
func (s *tabStrip) reveal() {
	if s.current < 0 || s.current >= len(s.tabs) || s.scroll.Size().Width <= 0 {
		return
	}
	item := s.tabs[s.current]
	left, right := item.Position().X, item.Position().X+item.Size().Width
	offset := s.scroll.Offset.X
	switch {
	case left < offset:
		offset = left
	case right > offset+s.scroll.Size().Width:
		offset = right - s.scroll.Size().Width
	default:
		return
	}
	s.scroll.ScrollToOffset(fyne.NewPos(max(offset, 0), 0))
}

// stripItem is one tab.
type stripItem struct {
	widget.BaseWidget
	strip   *tabStrip
	index   int
	shows   stripTab
	current bool
	hovered bool

	back  *canvas.Rectangle
	mark  *canvas.Rectangle
	glyph *canvas.Text
	text  *canvas.Text
	close *stripClose
}

var (
	_ fyne.Tappable          = (*stripItem)(nil)
	_ fyne.SecondaryTappable = (*stripItem)(nil)
	_ desktop.Hoverable      = (*stripItem)(nil)
	_ desktop.Mouseable      = (*stripItem)(nil)
)

func newStripItem(s *tabStrip, index int) *stripItem {
	i := &stripItem{
		strip: s, index: index,
		back: canvas.NewRectangle(color.Transparent), mark: canvas.NewRectangle(color.Transparent),
		glyph: canvas.NewText("", color.Transparent), text: canvas.NewText("", color.Transparent),
	}
	i.glyph.TextStyle.Monospace = true
	i.close = newStripClose(func() {
		if s.onClose != nil {
			s.onClose(i.index)
		}
	})
	i.ExtendBaseWidget(i)
	return i
}

func (i *stripItem) set(t stripTab, current bool) bool {
	if i.shows == t && i.current == current && i.Visible() {
		return false
	}
	i.shows, i.current = t, current
	i.Refresh()
	return true
}

// Tapped implements fyne.Tappable.
func (i *stripItem) Tapped(*fyne.PointEvent) { i.strip.onSelect(i.index) }

// TappedSecondary implements fyne.SecondaryTappable.
func (i *stripItem) TappedSecondary(e *fyne.PointEvent) {
	if i.strip.menu == nil {
		return
	}
	if m := i.strip.menu(i.index); m != nil {
		widget.ShowPopUpMenuAtPosition(m, fyne.CurrentApp().Driver().CanvasForObject(i), e.AbsolutePosition)
	}
}

// MouseDown implements desktop.Mouseable: the middle button closes.
func (i *stripItem) MouseDown(e *desktop.MouseEvent) {
	if e.Button == desktop.MouseButtonTertiary && i.shows.Closes && i.strip.onClose != nil {
		i.strip.onClose(i.index)
	}
}

// MouseUp implements desktop.Mouseable.
func (i *stripItem) MouseUp(*desktop.MouseEvent) {}

// MouseIn implements desktop.Hoverable.
func (i *stripItem) MouseIn(e *desktop.MouseEvent) {
	i.hovered = true
	i.Refresh()
	if i.shows.Whole != i.shows.Text {
		i.strip.tip.over(i.shows.Whole, e.AbsolutePosition)
	}
}

// MouseMoved implements desktop.Hoverable.
func (i *stripItem) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (i *stripItem) MouseOut() {
	i.hovered = false
	i.Refresh()
	i.strip.tip.out()
}

// CreateRenderer implements fyne.Widget.
func (i *stripItem) CreateRenderer() fyne.WidgetRenderer {
	r := &stripRenderer{i: i}
	r.Refresh()
	return r
}

type stripRenderer struct{ i *stripItem }

const (
	stripPad    = 9
	stripGap    = 5
	stripHeight = 28
	stripMark   = 2
)

func (r *stripRenderer) Destroy() {}

func (r *stripRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.i.back, r.i.mark, r.i.glyph, r.i.text, r.i.close}
}

func (r *stripRenderer) MinSize() fyne.Size {
	w := float32(2*stripPad) + r.i.text.MinSize().Width
	if r.i.shows.Glyph != "" {
		w += r.i.glyph.MinSize().Width + stripGap
	}
	if r.i.shows.Closes {
		w += r.i.close.MinSize().Width + stripGap
	}
	return fyne.NewSize(w, theme.Scaled(stripHeight))
}

func (r *stripRenderer) Layout(size fyne.Size) {
	r.i.back.Resize(size)
	r.i.mark.Move(fyne.NewPos(0, size.Height-stripMark))
	r.i.mark.Resize(fyne.NewSize(size.Width, stripMark))
	x := float32(stripPad)
	place := func(o fyne.CanvasObject) {
		min := o.MinSize()
		o.Resize(min)
		o.Move(fyne.NewPos(x, (size.Height-min.Height)/2))
		x += min.Width + stripGap
	}
	if r.i.shows.Glyph != "" {
		place(r.i.glyph)
	}
	place(r.i.text)
	if r.i.shows.Closes {
		place(r.i.close)
	}
}

func (r *stripRenderer) Refresh() {
	i := r.i
	i.glyph.Text, i.text.Text = i.shows.Glyph, i.shows.Text
	i.glyph.TextSize, i.text.TextSize = theme.Size(fynetheme.SizeNameText), theme.Size(fynetheme.SizeNameText)
	i.glyph.Color = toneColor(i.shows.Tone)
	i.text.TextStyle.Bold = i.current
	i.back.StrokeWidth = 0
	if i.strip.focused && i.index == i.strip.ringAt() {
		i.back.StrokeWidth, i.back.StrokeColor = widget.Ring, theme.Color(fynetheme.ColorNamePrimary)
	}
	i.text.Color, i.back.FillColor, i.mark.FillColor = theme.Color(theme.ColorMuted), color.Transparent, color.Transparent
	if i.hovered {
		i.back.FillColor = theme.Color(theme.ColorRowHover)
	}
	if i.current {
		i.text.Color = theme.Color(fynetheme.ColorNameForeground)
		i.mark.FillColor = theme.Color(fynetheme.ColorNamePrimary)
	}
	if i.shows.Closes {
		i.close.Show()
	} else {
		i.close.Hide()
	}
	r.Layout(i.Size())
	for _, o := range []fyne.CanvasObject{i.back, i.mark, i.glyph, i.text} {
		canvas.Refresh(o)
	}
}

// stripClose is the small cross of a tab.
type stripClose struct {
	widget.BaseWidget
	icon *canvas.Image
	back *canvas.Rectangle
	do   func()
}

var (
	_ fyne.Tappable     = (*stripClose)(nil)
	_ desktop.Hoverable = (*stripClose)(nil)
)

func newStripClose(do func()) *stripClose {
	c := &stripClose{do: do, icon: canvas.NewImageFromResource(fynetheme.CancelIcon()), back: canvas.NewRectangle(color.Transparent)}
	c.icon.FillMode = canvas.ImageFillContain
	c.back.CornerRadius = 3
	c.ExtendBaseWidget(c)
	return c
}

// Tapped implements fyne.Tappable.
func (c *stripClose) Tapped(*fyne.PointEvent) { c.do() }

// MouseIn implements desktop.Hoverable.
func (c *stripClose) MouseIn(*desktop.MouseEvent) {
	c.back.FillColor = theme.Color(fynetheme.ColorNameHover)
	canvas.Refresh(c.back)
}

// MouseMoved implements desktop.Hoverable.
func (c *stripClose) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (c *stripClose) MouseOut() {
	c.back.FillColor = color.Transparent
	canvas.Refresh(c.back)
}

// MinSize implements fyne.CanvasObject.
func (c *stripClose) MinSize() fyne.Size {
	return fyne.NewSquareSize(theme.Scaled(theme.SpaceL))
}

// CreateRenderer implements fyne.Widget.
func (c *stripClose) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewStack(c.back, container.NewPadded(c.icon)))
}

// toneColor is the colour of a tone for text and glyphs.
func toneColor(t view.Tone) color.Color {
	switch t {
	case view.Muted:
		return theme.Color(theme.ColorMuted)
	case view.Good:
		return theme.Color(theme.ColorOK)
	case view.Caution:
		return theme.Color(theme.ColorWarning)
	case view.Bad:
		return theme.Color(theme.ColorFailed)
	}
	return theme.Color(fynetheme.ColorNameForeground)
}
