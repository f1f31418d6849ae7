package demo

import (
	"bytes"
	"encoding/binary"
	"image/png"
	"testing"
	"time"
)

func TestSky(t *testing.T) {
	// The first of January 2000 at noon: 18.697 h at Greenwich, 0.759 h later on the hill.
	if got := round(siderealHours(time.Date(2000, 1, 1, 12, 0, 0, 0, time.UTC)), 2); got != 19.46 {
		t.Errorf("sidereal time %v", got)
	}
	polaris, _ := findTarget("polaris")
	vela, _ := findTarget("vela-pulsar")
	for h := range 24 {
		at := time.Date(2027, 1, 9, h, 0, 0, 0, time.UTC)
		if alt := polaris.altitude(at); alt < 46 || alt > 48.5 {
			t.Errorf("Polaris stands at %v°", alt)
		}
		if vela.altitude(at) > 0 {
			t.Error("the Vela Pulsar has risen")
		}
	}
}

func TestWeatherIsOfItsTime(t *testing.T) {
	at := time.Date(2027, 1, 9, 20, 0, 0, 0, time.UTC)
	if measure("lake", at) != measure("lake", at) || measure("lake", at) == measure("lake", at.Add(time.Second)) {
		t.Error("the weather is not that of the second")
	}
	for s := range 86400 / 60 {
		r := measure("summit", at.Add(time.Duration(s)*time.Minute))
		if r.Humidity < 0 || r.Humidity > 100 || r.Cloud < 0 || r.Cloud > 100 || r.Gust < r.Wind {
			t.Fatalf("%+v", r)
		}
	}
}

func TestPicturesAndSounds(t *testing.T) {
	for _, target := range catalogue {
		for _, palette := range palettes {
			data, err := skyImage(target, 24, palette)
			if err != nil {
				t.Fatal(err)
			}
			img, err := png.Decode(bytes.NewReader(data))
			if err != nil || img.Bounds().Dx() != 24 {
				t.Fatalf("%s in %s: %v", target.Name, palette, err)
			}
		}
	}
	wav := pulsarSound(30, 0.5)
	if len(wav) != 44+8000 || string(wav[:4]) != "RIFF" || binary.LittleEndian.Uint32(wav[40:]) != 8000 {
		t.Errorf("%d bytes: %x", len(wav), wav[:44])
	}
}
