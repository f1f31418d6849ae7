package demo

import (
	"bytes"
	"encoding/binary"
	"hash/fnv"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
)

// palettes are the colours in which a picture can be drawn.
var palettes = []string{"natural", "infrared", "mono"}

// skyImage draws t as a PNG of size by size pixels. The same target gives the same picture.
func skyImage(t target, size int, palette string) ([]byte, error) {
	h := fnv.New64a()
	h.Write([]byte(t.Name))
	rng := rand.New(rand.NewPCG(h.Sum64(), 7))
	img := image.NewRGBA(image.Rect(0, 0, size, size))
	mid := float64(size) / 2
	for y := range size {
		for x := range size {
			dx, dy := (float64(x)-mid)/mid, (float64(y)-mid)/mid
			img.SetRGBA(x, y, tint(glow(t.Kind, dx, dy), palette))
		}
	}
	for range size * size / 400 {
		v := 0.4 + 0.6*rng.Float64()
		img.SetRGBA(rng.IntN(size), rng.IntN(size), tint(v, palette))
	}
	var buf bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&buf, img); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

// glow is the brightness, 0 to 1, of a target of this kind at (x, y), each -1 to 1 with the target in the middle.
func glow(kind string, x, y float64) float64 {
	r := math.Hypot(x, y)
	switch kind {
	case "galaxy":
		arms := 0.5 + 0.5*math.Cos(2*math.Atan2(y, x)-9*r)
		return math.Exp(-r*r*30) + 0.7*arms*math.Exp(-r*3)
	case "nebula":
		ring := r - 0.45
		return 0.8*math.Exp(-ring*ring*40) + 0.15*math.Exp(-r*2)
	case "planet":
		if r < 0.4 {
			return 0.65 + 0.25*math.Sin(y*28)
		}
		if band := math.Hypot(x, y*4); band > 0.6 && band < 0.8 {
			return 0.5
		}
		return 0.02
	case "cluster":
		return 0.6 * math.Exp(-r*4) * (0.6 + 0.4*math.Sin(x*80)*math.Sin(y*80))
	default:
		cross := math.Exp(-math.Abs(x)*60)*math.Exp(-math.Abs(y)*4) + math.Exp(-math.Abs(y)*60)*math.Exp(-math.Abs(x)*4)
		return math.Exp(-r*r*200) + 0.5*cross
	}
}

func tint(v float64, palette string) color.RGBA {
	v = min(max(v, 0), 1)
	at := func(scale float64) uint8 { return uint8(min(v*scale, 1) * 255) }
	switch palette {
	case "infrared":
		return color.RGBA{at(1.3), at(0.6), at(0.25), 255}
	case "mono":
		return color.RGBA{at(1), at(1), at(1), 255}
	default:
		return color.RGBA{at(0.9), at(0.85), at(1.2), 255}
	}
}

// pulsarSound is seconds of a pulsar turning hertz times a second, as a WAV file (16 bit, mono, 8 kHz).
func pulsarSound(hertz, seconds float64) []byte {
	const rate = 8000
	n := int(seconds * rate)
	var buf bytes.Buffer
	le := binary.LittleEndian
	header := make([]byte, 44)
	copy(header, "RIFF")
	le.PutUint32(header[4:], uint32(36+2*n))
	copy(header[8:], "WAVEfmt ")
	le.PutUint32(header[16:], 16)
	le.PutUint16(header[20:], 1)
	le.PutUint16(header[22:], 1)
	le.PutUint32(header[24:], rate)
	le.PutUint32(header[28:], rate*2)
	le.PutUint16(header[32:], 2)
	le.PutUint16(header[34:], 16)
	copy(header[36:], "data")
	le.PutUint32(header[40:], uint32(2*n))
	buf.Write(header)
	rng := rand.New(rand.NewPCG(30, 7))
	for i := range n {
		phase := math.Mod(float64(i)/rate*hertz, 1)
		click := math.Exp(-phase*phase*180) * math.Sin(2*math.Pi*640*float64(i)/rate)
		v := 0.75*click + 0.02*(rng.Float64()*2-1)
		buf.Write(le.AppendUint16(nil, uint16(int16(v*math.MaxInt16))))
	}
	return buf.Bytes()
}
