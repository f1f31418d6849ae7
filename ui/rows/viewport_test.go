package rows

import (
	"math/rand/v2"
	"testing"
)

const million = 1_000_000

func viewport(count int) *Viewport {
	v := &Viewport{}
	v.SetRowHeight(21)
	v.SetHeight(630)
	v.SetCount(count)
	return v
}

// A float32 offset stops moving past a million rows; ours counts every pixel.
func TestEveryPixelCountsAtTenMillionRows(t *testing.T) {
	v := viewport(10 * million)
	v.ScrollTo(v.MaxTop())
	if want := float64(10*million)*21 - 630; v.Top() != want {
		t.Fatalf("the end is at %v, want %v", v.Top(), want)
	}
	start := v.Top()
	for range 210 {
		if !v.ScrollBy(-1) {
			t.Fatal("a pixel did not move")
		}
	}
	if got := start - v.Top(); got != 210 {
		t.Errorf("210 pixels moved %v", got)
	}
	if i, y := v.First(); i != 10*million-30-10 || y != 0 {
		t.Errorf("first row %d at %v", i, y)
	}
	v.ScrollBy(0.25)
	if _, y := v.First(); y != -0.25 {
		t.Errorf("a quarter of a pixel moved %v", y)
	}
	for _, i := range []int{0, 1, 4_999_999, 9_999_998, 9_999_999} {
		v.Reveal(i)
		if y := float64(i)*21 - v.Top(); y < 0 || y+21 > 630 {
			t.Errorf("row %d is at %v", i, y)
		}
		if got := v.RowAt(float64(i)*21 - v.Top() + 20.5); got != i {
			t.Errorf("row at row %d is %d", i, got)
		}
	}
}

func TestFollowing(t *testing.T) {
	v := viewport(0)
	v.Follow(true)
	for n := 1; n < 100; n++ {
		v.SetCount(n)
		if !v.AtEnd() {
			t.Fatalf("with %d rows the end is not visible", n)
		}
	}
	v.ScrollBy(-50)
	at := v.Top()
	v.SetCount(1000)
	if v.Following() || v.Top() != at {
		t.Errorf("after the person scrolled the place moved from %v to %v", at, v.Top())
	}
	v.Follow(true)
	v.SetHeight(300)
	if !v.AtEnd() {
		t.Error("a smaller window leaves the end")
	}
}

func TestSpliceKeepsThePlace(t *testing.T) {
	for _, tt := range []struct {
		name               string
		at, removed, added int
		move               int // rows the first visible row, 100, has moved by
	}{
		{"insert above", 10, 0, 5, 5},
		{"insert at the first visible row", 100, 0, 3, 3},
		{"insert inside", 105, 0, 5, 0},
		{"insert below", 900, 0, 5, 0},
		{"remove above", 10, 5, 0, -5},
		{"remove inside", 105, 5, 0, 0},
		{"replace above", 0, 100, 40, -60},
		{"append", 1000, 0, 10, 0},
	} {
		v := viewport(1000)
		v.ScrollTo(100*21 + 7)
		v.Splice(tt.at, tt.removed, tt.added)
		if i, y := v.First(); i != 100+tt.move || y != -7 {
			t.Errorf("%s: first row %d at %v, want %d at -7", tt.name, i, y, 100+tt.move)
		}
		if v.Count() != 1000-tt.removed+tt.added {
			t.Errorf("%s: %d rows", tt.name, v.Count())
		}
	}
	v := viewport(1000)
	v.ScrollTo(100 * 21)
	v.Splice(50, 100, 0) // the first visible row itself goes
	if i, _ := v.First(); i != 50 {
		t.Errorf("first row %d, want 50", i)
	}
}

// Whatever is done, the window stays inside the rows and its parts agree with one another.
func TestViewportInvariants(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	v := viewport(100)
	for step := range 20_000 {
		switch r.IntN(9) {
		case 0:
			v.SetCount(r.IntN(2 * million))
		case 1:
			v.SetHeight(r.Float64() * 2000)
		case 2:
			v.SetRowHeight(10 + r.Float64()*30)
		case 3:
			v.Splice(r.IntN(v.Count()+10)-5, r.IntN(1000)-5, r.IntN(1000)-5)
		case 4:
			v.ScrollBy(r.Float64()*1e6 - 5e5)
		case 5:
			v.Reveal(r.IntN(v.Count() + 1))
		case 6:
			v.Follow(r.IntN(2) == 0)
		case 7:
			v.DragThumb(500, r.Float64()*600-50)
		case 8:
			v.Center(r.IntN(v.Count() + 1))
		}
		if v.Top() < 0 || v.Top() > v.MaxTop() {
			t.Fatalf("step %d: top %v of %v", step, v.Top(), v.MaxTop())
		}
		if v.Following() && !v.AtEnd() {
			t.Fatalf("step %d: follows but is not at the end", step)
		}
		first, y := v.First()
		if y > 0 || y <= -v.RowHeight()-1e-6 {
			t.Fatalf("step %d: first row at %v", step, y)
		}
		if last := first + v.Slots(); v.Count() > 0 && v.Height() > 0 {
			if end := y + float64(last-first)*v.RowHeight(); end < v.Height() {
				t.Fatalf("step %d: the slots end at %v of %v", step, end, v.Height())
			}
		}
		if pos, length := v.Thumb(500); pos < 0 || pos+length > 500.000001 {
			t.Fatalf("step %d: thumb from %v to %v", step, pos, pos+length)
		}
		if i := v.RowNear(r.Float64()*4000 - 1000); i < -1 || i >= v.Count() {
			t.Fatalf("step %d: row near is %d of %d", step, i, v.Count())
		}
	}
}

func TestThumb(t *testing.T) {
	v := viewport(10)
	if _, length := v.Thumb(630); length != 0 {
		t.Error("a thumb is shown although all rows are visible")
	}
	v.SetCount(10 * million)
	if _, length := v.Thumb(630); length != minThumb {
		t.Errorf("thumb of %v, want the smallest", length)
	}
	v.DragThumb(630, 630-minThumb)
	if !v.AtEnd() {
		t.Error("the thumb's end is not the end of the rows")
	}
	v.DragThumb(630, -10)
	if v.Top() != 0 {
		t.Error("the thumb's start is not the first row")
	}
	v.DragThumb(630, 303)
	if pos, _ := v.Thumb(630); pos < 302.99 || pos > 303.01 {
		t.Errorf("the thumb is at %v, want where it was dragged to", pos)
	}
}

func TestEmptyViewport(t *testing.T) {
	v := &Viewport{}
	v.SetHeight(100)
	v.ScrollBy(10)
	v.Splice(0, 3, 0)
	if v.RowAt(0) != -1 || v.RowNear(0) != -1 || v.Page() != 1 || v.Slots() != 0 {
		t.Error("an empty viewport has rows")
	}
}
