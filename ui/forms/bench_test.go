package forms

import (
	"testing"

	"fyne.io/fyne/v2"
)

// One key in a form of 300 fields, with everything that follows from it: the
// value, all its checks, the lines and the summary.
func BenchmarkKeyIn300Fields(b *testing.B) {
	d := open(b, big(300), 700, 900)
	d.box("/f6")
	b.ResetTimer()
	for i := range b.N {
		d.typing(string(rune('a' + i%26)))
		if i%40 == 39 {
			b.StopTimer()
			d.node("/f6").SetText("")
			d.v.Refresh()
			b.StartTimer()
		}
	}
}

// The same with every field filled in and an error at each text.
func BenchmarkKeyInFilledForm(b *testing.B) {
	d := open(b, big(300), 700, 900)
	for _, n := range d.f.Root().Children() {
		n.Enable()
	}
	d.v.Refresh()
	d.v.ShowAll(true)
	d.box("/f6")
	b.ResetTimer()
	for i := range b.N {
		d.typing(string(rune('a' + i%26)))
		if i%40 == 39 {
			b.StopTimer()
			d.node("/f6").SetText("")
			d.v.Refresh()
			b.StartTimer()
		}
	}
}

func BenchmarkScroll(b *testing.B) {
	d := open(b, big(300), 700, 900)
	b.ResetTimer()
	step := 60.0
	for range b.N {
		top := d.v.area.top
		d.v.area.scrollBy(step)
		if d.v.area.top == top {
			step = -step
		}
	}
}

// Showing a form that has been read already.
func BenchmarkShowForm(b *testing.B) {
	d := open(b, big(300), 700, 900)
	b.ResetTimer()
	for range b.N {
		d.w.SetContent(New(d.f, Options{}).Object())
	}
}

func BenchmarkOpenListOf5000(b *testing.B) {
	d := open(b, big(300), 700, 900)
	p := d.box("/pick").control.(*choicePick)
	b.ResetTimer()
	for range b.N {
		p.open("")
		d.v.closePopup()
	}
}

func BenchmarkFilterListOf5000(b *testing.B) {
	d := open(b, big(300), 700, 900)
	d.box("/pick")
	d.typing("e")
	b.ResetTimer()
	for range b.N {
		d.typing("4")
		d.key(fyne.KeyBackspace)
	}
}

func BenchmarkChooseFromListOf5000(b *testing.B) {
	d := open(b, big(300), 700, 900)
	d.box("/pick")
	b.ResetTimer()
	for range b.N {
		d.key(fyne.KeyDown)
		d.typing("49")
		d.key(fyne.KeyReturn)
	}
}
