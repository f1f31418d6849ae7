package timeline

import (
	"image/color"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"mcploupe/ui/measure"
	look "mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

var (
	_ fyne.Widget         = (*Strip)(nil)
	_ fyne.Draggable      = (*Strip)(nil)
	_ fyne.DoubleTappable = (*Strip)(nil)
	_ fyne.Focusable      = (*Strip)(nil)
	_ desktop.Mouseable   = (*Strip)(nil)
	_ desktop.Hoverable   = (*Strip)(nil)
	_ desktop.Cursorable  = (*Strip)(nil)
)

// Strip draws when how much went each way, where errors, problems and marks are, and which part of it the rows show. A
// click goes to a time, a drag brushes a range. Set the callbacks before it is shown.
type Strip struct {
	widget.BaseWidget

	OnJump  func(at time.Duration)       // a click, or the arrow keys
	OnBrush func(from, to time.Duration) // the end of a drag
	OnClear func()                       // a double click or Escape
	OnKey   func(*fyne.KeyEvent)         // a key that means nothing here

	data   view.Density
	window span // what the rows show
	brush  span // what the filter lets through

	raster                  *canvas.Raster
	frame                   *canvas.Rectangle // around the window
	left, right             *canvas.Rectangle // shade what the brush leaves out
	edges                   [2]*canvas.Rectangle
	hair                    *canvas.Rectangle
	from, to, hint          *canvas.Text
	fromGround, toGround    *canvas.Rectangle
	hintGround, ring, floor *canvas.Rectangle

	pressed  bool
	dragging bool
	start    float32 // where the drag began
	mouse    float32
	mouseIn  bool
	focused  bool
}

// span is a stretch of time; the zero span is none.
type span struct{ from, to time.Duration }

func (s span) none() bool { return s == span{} }

// Height is the height of a strip, LowHeight that of one where room is scarce.
const (
	Height    = 42
	LowHeight = 26
)

// NewStrip returns a strip that shows nothing yet.
func NewStrip() *Strip {
	s := &Strip{window: span{from: -1, to: -1}}
	s.raster = canvas.NewRaster(s.draw)
	for _, r := range []**canvas.Rectangle{
		&s.frame, &s.left, &s.right, &s.edges[0], &s.edges[1], &s.hair, &s.fromGround, &s.toGround, &s.hintGround, &s.ring, &s.floor,
	} {
		*r = canvas.NewRectangle(nil)
	}
	s.from, s.to, s.hint = &canvas.Text{}, &canvas.Text{}, &canvas.Text{}
	s.ExtendBaseWidget(s)
	s.restyle()
	return s
}

func (s *Strip) restyle() {
	shade := fade(look.Color(theme.ColorNameBackground), 0xb0)
	s.left.FillColor, s.right.FillColor = shade, shade
	for _, e := range s.edges {
		e.FillColor = look.Color(theme.ColorNamePrimary)
	}
	s.frame.FillColor = fade(look.Color(theme.ColorNameForeground), 0x14)
	s.frame.StrokeColor, s.frame.StrokeWidth = look.Color(look.ColorMuted), 1
	s.frame.CornerRadius = 2
	s.hair.FillColor = look.Color(look.ColorMuted)
	s.floor.FillColor = look.Color(look.ColorPanel)
	s.ring.StrokeColor, s.ring.StrokeWidth = look.Color(theme.ColorNamePrimary), 1
	for _, t := range []*canvas.Text{s.from, s.to, s.hint} {
		t.TextSize, t.Color = look.Size(theme.SizeNameCaptionText), look.Color(look.ColorMuted)
	}
	s.hint.Color = look.Color(theme.ColorNameForeground)
	for _, g := range []*canvas.Rectangle{s.fromGround, s.toGround} {
		g.FillColor = fade(look.Color(look.ColorPanel), 0xd0)
	}
	s.hintGround.FillColor = look.Color(theme.ColorNameOverlayBackground)
	s.hintGround.StrokeColor, s.hintGround.StrokeWidth = look.Color(theme.ColorNameSeparator), 1
}

// Buckets is how many parts of the time the strip has room for.
func (s *Strip) Buckets() int { return max(1, int(s.Size().Width)/barWidth) }

// barWidth is the width of a bucket.
const barWidth = 3

// Set shows what happened.
func (s *Strip) Set(d view.Density) {
	s.data = d
	s.place()
	s.raster.Refresh()
}

// SetWindow frames the time that the rows show; no time at all has no frame.
func (s *Strip) SetWindow(from, to time.Duration, on bool) {
	now := span{from, to}
	if !on {
		now = span{from: -1, to: -1}
	}
	if s.window != now {
		s.window = now
		s.place()
	}
}

// SetBrush shades what is not in a range; none is shown for 0 and 0.
func (s *Strip) SetBrush(from, to time.Duration) {
	if now := (span{from, to}); s.brush != now && !s.dragging {
		s.brush = now
		s.place()
	}
}

// length is the time that the strip shows, at least a nanosecond.
func (s *Strip) length() time.Duration { return max(1, s.data.To-s.data.From) }

// x is where a time stands.
func (s *Strip) x(t time.Duration) float32 {
	at := float64(t-s.data.From) / float64(s.length())
	return float32(min(max(0, at), 1)) * s.Size().Width
}

// at is the time at x.
func (s *Strip) at(x float32) time.Duration {
	share := min(max(0, float64(x/max(1, s.Size().Width))), 1)
	return s.data.From + time.Duration(share*float64(s.length()))
}

// place puts what lies over the bars in its place.
func (s *Strip) place() {
	size := s.Size()
	if size.Width <= 0 {
		return
	}
	put := func(r fyne.CanvasObject, x, y, w, h float32) {
		r.Move(fyne.NewPos(x, y))
		r.Resize(fyne.NewSize(max(0, w), max(0, h)))
	}
	empty := s.data.Empty()
	put(s.floor, 0, 0, size.Width, size.Height)
	put(s.raster, 0, 0, size.Width, size.Height)
	put(s.ring, 0, 0, size.Width, size.Height)
	s.ring.Hidden = !s.focused

	s.frame.Hidden = empty || s.window.from < 0
	a, b := s.x(s.window.from), s.x(s.window.to)
	const least = 5
	if b-a < least {
		a = min(max(0, (a+b-least)/2), size.Width-least)
		b = a + least
	}
	put(s.frame, a, 1, b-a, size.Height-2)

	brushed := s.brush
	if s.dragging {
		brushed = s.dragged()
	}
	none := empty || brushed.none()
	for _, o := range []*canvas.Rectangle{s.left, s.right, s.edges[0], s.edges[1]} {
		o.Hidden = none
	}
	a, b = s.x(brushed.from), s.x(brushed.to)
	put(s.left, 0, 0, a, size.Height)
	put(s.right, b, 0, size.Width-b, size.Height)
	put(s.edges[0], a-1, 0, 2, size.Height)
	put(s.edges[1], b-1, 0, 2, size.Height)
	s.placeTexts(empty)
	canvas.Refresh(s.floor) // marks the whole canvas as changed; it is never hidden, so the toolkit knows its canvas
}

// placeTexts puts the ends of the time in the corners and what the mouse is
// over beside it.
func (s *Strip) placeTexts(empty bool) {
	size := s.Size()
	font := measure.For(s.hint.TextSize, fyne.TextStyle{})
	high := font.Height()
	put := func(t *canvas.Text, ground *canvas.Rectangle, text string, x, y float32) {
		t.Text = text
		t.Hidden, ground.Hidden = text == "", text == ""
		w := font.Width(text)
		x = min(max(1, x), size.Width-w-7)
		t.Move(fyne.NewPos(x+3, y))
		t.Resize(fyne.NewSize(w, high))
		ground.Move(fyne.NewPos(x, y))
		ground.Resize(fyne.NewSize(w+6, high))
	}
	from, to, hint := s.data.FromText(), s.data.ToText(), ""
	if empty {
		from, to = "", ""
	}
	if s.mouseIn && !empty {
		hint = s.hintText()
	}
	put(s.from, s.fromGround, from, 1, size.Height-high-1)
	put(s.to, s.toGround, to, size.Width, size.Height-high-1)
	put(s.hint, s.hintGround, hint, s.mouse+8, 1)
	s.hair.Hidden = hint == ""
	s.hair.Move(fyne.NewPos(s.mouse, 0))
	s.hair.Resize(fyne.NewSize(1, size.Height))
}

func (s *Strip) hintText() string {
	if s.dragging {
		d := s.dragged()
		return s.data.RangeText(d.from, d.to)
	}
	return s.data.HintText(s.at(s.mouse))
}

// dragged is the range between where the drag began and where it is.
func (s *Strip) dragged() span {
	return span{s.at(min(s.start, s.mouse)), s.at(max(s.start, s.mouse))}
}

// Refresh takes colours from the theme again.
func (s *Strip) Refresh() {
	s.restyle()
	s.place()
	s.raster.Refresh()
}

// MinSize is for the toolkit.
func (s *Strip) MinSize() fyne.Size { return fyne.NewSize(60, LowHeight) }

// CreateRenderer is for the toolkit.
func (s *Strip) CreateRenderer() fyne.WidgetRenderer {
	return &stripRenderer{s, []fyne.CanvasObject{
		s.floor, s.raster, s.frame, s.left, s.right, s.edges[0], s.edges[1],
		s.fromGround, s.from, s.toGround, s.to, s.hair, s.hintGround, s.hint, s.ring,
	}}
}

type stripRenderer struct {
	s       *Strip
	objects []fyne.CanvasObject
}

func (r *stripRenderer) Layout(fyne.Size) { r.s.place() }

func (r *stripRenderer) MinSize() fyne.Size { return r.s.MinSize() }

func (r *stripRenderer) Refresh() { r.s.Refresh() }

func (r *stripRenderer) Destroy() {}

func (r *stripRenderer) Objects() []fyne.CanvasObject { return r.objects }

// fade is c with an opacity.
func fade(c color.Color, alpha uint8) color.Color {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	n.A = alpha
	return n
}
