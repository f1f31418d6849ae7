package timeline

import (
	"image/color"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"mcploupe/recorder"
	look "mcploupe/ui/theme"
	"mcploupe/ui/view"
)

const width = 600

func newStrip(t testing.TB) *Strip {
	t.Helper()
	test.NewTempApp(t)
	fyne.CurrentApp().Settings().SetTheme(look.New(look.Options{Mode: look.Dark}))
	s := NewStrip()
	w := test.NewTempWindow(t, s)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(width, Height))
	return s
}

// tenSeconds is a recording with something in every second but the last five.
func tenSeconds() view.Density {
	d := view.Density{To: 10 * time.Second, Buckets: make([]recorder.Bucket, 200)}
	for i := range 100 {
		d.Buckets[i] = recorder.Bucket{In: i * i, Out: 1}
	}
	d.Buckets[20].Errors, d.Buckets[60].Problems = 1, 3
	d.Marks = []view.MarkAt{{Mark: recorder.Mark{Seq: 1, Color: "green"}, At: 8 * time.Second}}
	return d
}

func TestClickGoesToATime(t *testing.T) {
	s := newStrip(t)
	var at []time.Duration
	s.OnJump = func(d time.Duration) { at = append(at, d) }
	click := func(x float32) {
		e := &desktop.MouseEvent{Button: desktop.MouseButtonPrimary}
		e.Position = fyne.NewPos(x, 20)
		s.MouseDown(e)
		s.MouseUp(e)
	}
	click(10) // nothing is there yet
	s.Set(tenSeconds())
	click(width / 4)
	if len(at) != 1 || at[0] != 2500*time.Millisecond {
		t.Fatalf("went to %v", at)
	}
	s.SetWindow(4*time.Second, 6*time.Second, true)
	for key, want := range map[fyne.KeyName]time.Duration{
		fyne.KeyLeft: 4750 * time.Millisecond, fyne.KeyRight: 5250 * time.Millisecond, fyne.KeyHome: 0, fyne.KeyEnd: 10 * time.Second,
	} {
		at = nil
		s.TypedKey(&fyne.KeyEvent{Name: key})
		if len(at) != 1 || at[0] != want {
			t.Errorf("%s went to %v, want %v", key, at, want)
		}
	}
}

func TestDragBrushesARange(t *testing.T) {
	s := newStrip(t)
	s.Set(tenSeconds())
	var from, to time.Duration
	s.OnBrush = func(a, b time.Duration) { from, to = a, b }
	s.OnJump = func(time.Duration) { t.Error("a drag is no click") }
	cleared, other := 0, 0
	s.OnClear = func() { cleared++; s.SetBrush(0, 0) }
	s.OnKey = func(*fyne.KeyEvent) { other++ }
	e := &desktop.MouseEvent{Button: desktop.MouseButtonPrimary}
	e.Position = fyne.NewPos(width*3/4, 20)
	s.MouseDown(e)
	for _, x := range []float32{width / 2, width / 4} { // to the left
		drag := &fyne.DragEvent{Dragged: fyne.NewDelta(-width/4, 0)}
		drag.Position = fyne.NewPos(x, 20)
		s.Dragged(drag)
	}
	if s.left.Hidden || s.left.Size().Width != width/4 || s.right.Position().X != width*3/4 {
		t.Errorf("shaded up to %v and from %v", s.left.Size().Width, s.right.Position().X)
	}
	s.MouseUp(e)
	s.DragEnd()
	if from != 2500*time.Millisecond || to != 7500*time.Millisecond {
		t.Errorf("brushed %v to %v", from, to)
	}
	s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if cleared != 1 || other != 0 || !s.left.Hidden {
		t.Errorf("%d cleared, %d keys went on", cleared, other)
	}
	s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape}) // nothing to clear: for the window
	s.DoubleTapped(&fyne.PointEvent{})
	if cleared != 2 || other != 1 {
		t.Errorf("%d cleared, %d keys went on", cleared, other)
	}
}

// Errors, problems and marks differ by shape and place, not only by colour.
func TestSignsHaveShapes(t *testing.T) {
	s := newStrip(t)
	d := tenSeconds()
	s.Set(d)
	img := s.draw(width, Height)
	ground := color.NRGBA{}
	rows := func(x int) (out []int) {
		for y := range Height {
			if color.NRGBAModel.Convert(img.At(x, y)) != ground {
				out = append(out, y)
			}
		}
		return out
	}
	has := func(ys []int, from, to int) bool {
		for _, y := range ys {
			if y >= from && y < to {
				return true
			}
		}
		return false
	}
	failed, odd, plain, mark := rows(61), rows(181), rows(121), rows(480)
	if !has(failed, 0, lane-1) || has(plain, 0, lane-1) {
		t.Errorf("error at %v, nothing at %v", failed, plain)
	}
	if !has(odd, Height-lane+1, Height) || has(plain, Height-lane+1, Height) {
		t.Errorf("problem at %v, nothing at %v", odd, plain)
	}
	if len(mark) < Height-2 {
		t.Errorf("a mark at %v", mark)
	}
	if ys := rows(400); len(ys) != 0 {
		t.Errorf("%v where nothing happened", ys)
	}
}

func TestWindowIsFramed(t *testing.T) {
	s := newStrip(t)
	s.Set(tenSeconds())
	if !s.frame.Hidden {
		t.Error("a frame before the rows said what they show")
	}
	s.SetWindow(5*time.Second, 5*time.Second, true)
	if s.frame.Hidden || s.frame.Size().Width < 4 {
		t.Errorf("a moment is framed %v wide", s.frame.Size().Width)
	}
	s.SetWindow(0, 5*time.Second, true)
	if got := s.frame.Size().Width; got != width/2 {
		t.Errorf("half the time is framed %v wide", got)
	}
	s.SetWindow(0, 0, false)
	if !s.frame.Hidden {
		t.Error("the frame stays")
	}
}

func TestHoverSaysWhatIsThere(t *testing.T) {
	s := newStrip(t)
	s.Set(tenSeconds())
	e := &desktop.MouseEvent{}
	e.Position = fyne.NewPos(61, 10)
	s.MouseIn(e)
	if s.hint.Hidden || s.hint.Text != s.data.HintText(s.at(61)) {
		t.Errorf("%q", s.hint.Text)
	}
	e.Position = fyne.NewPos(width-2, 10)
	s.MouseMoved(e)
	if end := s.hint.Position().X + s.hint.Size().Width; end > width {
		t.Errorf("the text ends at %v", end)
	}
	s.MouseOut()
	if !s.hint.Hidden {
		t.Error("the text stays")
	}
}

// BenchmarkStrip draws the strip of a wide window.
func BenchmarkStrip(b *testing.B) {
	s := newStrip(b)
	d := view.Density{To: time.Hour, Buckets: make([]recorder.Bucket, 1700/barWidth)}
	for i := range d.Buckets {
		d.Buckets[i] = recorder.Bucket{In: i * 37 % 1000, Out: i % 50, Errors: i % 7 / 6, Problems: i % 5 / 4}
	}
	for b.Loop() {
		s.Set(d)
		s.draw(1700, Height)
	}
}
