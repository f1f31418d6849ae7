package timeline

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"fyne.io/fyne/v2"

	look "mcploupe/ui/theme"
	"mcploupe/ui/view"
)

// lane is the height of the lanes for errors and marks above the bars and for
// problems below them, and sign the size of what stands in them.
const (
	lane, lowLane = 9, 6
	sign, lowSign = 7, 5
)

// draw makes the picture of the bars: up for what went out, down for what came
// in, a triangle for errors, a diamond for problems, a flag for a mark.
func (s *Strip) draw(w, h int) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	if s.data.Empty() || w == 0 || h == 0 {
		return img
	}
	scale := float32(w) / max(1, s.Size().Width)
	p := painter{img: img, scale: scale, width: float32(w) / scale, height: float32(h) / scale, lane: lane, sign: sign}
	if p.height < Height-1 {
		p.lane, p.sign = lowLane, lowSign
	}
	p.bars(s.data)
	p.signs(s.data)
	return img
}

// painter draws in the units of the canvas.
type painter struct {
	img           *image.NRGBA
	scale         float32
	width, height float32
	lane          float32
	sign          int
}

func (p *painter) fill(x, y, w, h float32, c color.Color) {
	r := image.Rect(p.px(x), p.px(y), max(p.px(x)+1, p.px(x+w)), max(p.px(y)+1, p.px(y+h)))
	draw.Draw(p.img, r, image.NewUniform(c), image.Point{}, draw.Src)
}

func (p *painter) px(v float32) int { return int(math.Round(float64(v * p.scale))) }

// bars draws a bar each way for every bucket. The scale is logarithmic: one
// message stays visible beside ten thousand.
func (p *painter) bars(d view.Density) {
	n := len(d.Buckets)
	most := 0
	for _, b := range d.Buckets {
		most = max(most, b.In, b.Out)
	}
	middle := p.height / 2
	room := middle - p.lane
	full := math.Log1p(float64(max(most, 1)))
	high := func(count int) float32 {
		if count == 0 {
			return 0
		}
		return max(1.5, room*float32(math.Log1p(float64(count))/full))
	}
	step := p.width / float32(n)
	out, in := look.Color(look.ColorOut), look.Color(look.ColorIn)
	for i, b := range d.Buckets {
		x := float32(i) * step
		if up := high(b.Out); up > 0 {
			p.fill(x, middle-up, step-1/p.scale, up, out)
		}
		if down := high(b.In); down > 0 {
			p.fill(x, middle, step-1/p.scale, down, in)
		}
	}
}

// signs draws errors, problems and marks, those that would cover each other as
// one.
func (p *painter) signs(d view.Density) {
	step := p.width / float32(len(d.Buckets))
	failed, odd := look.Color(look.ColorFailed), look.Color(look.ColorWarning)
	apart := float32(p.sign)
	lastError, lastProblem := -apart, -apart
	for i, b := range d.Buckets {
		x := (float32(i) + 0.5) * step
		if b.Errors > 0 && x-lastError >= apart {
			p.triangle(x, 1, failed)
			lastError = x
		}
		if b.Problems > 0 && x-lastProblem >= apart {
			p.diamond(x, p.height-p.lane+1, odd)
			lastProblem = x
		}
	}
	for _, m := range d.Marks {
		x := float32(float64(m.At-d.From) / float64(max(1, d.To-d.From)) * float64(p.width))
		p.flag(min(x, p.width-2), look.Color(MarkColor(m.Color)))
	}
}

// triangle stands on its tip.
func (p *painter) triangle(x, y float32, c color.Color) {
	for i := range p.sign {
		half := float32(p.sign-i) / 2
		p.fill(x-half, y+float32(i), 2*half, 1, c)
	}
}

func (p *painter) diamond(x, y float32, c color.Color) {
	half := float32(p.sign) / 2
	for i := range p.sign {
		wide := half - float32(math.Abs(float64(float32(i)+0.5-half)))
		p.fill(x-wide, y+float32(i), 2*wide, 1, c)
	}
}

func (p *painter) flag(x float32, c color.Color) {
	p.fill(x, 0, 1.5, p.height, c)
	p.fill(x, 0, float32(p.sign), float32(p.sign-2), c)
}

// MarkColor is the colour of a mark by its word, see recorder.MarkColors.
func MarkColor(word string) fyne.ThemeColorName {
	switch word {
	case "red":
		return look.ColorFailed
	case "orange":
		return look.ColorLate
	case "yellow":
		return look.ColorWarning
	case "green":
		return look.ColorOK
	case "blue":
		return look.ColorOut
	case "purple":
		return look.ColorPending
	}
	return look.ColorMuted
}
