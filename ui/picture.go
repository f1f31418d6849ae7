package ui

import (
	"bytes"
	"fmt"
	"image"
	_ "image/gif"  // decoders of pictures that results hold
	_ "image/jpeg" //
	_ "image/png"  //

	"fyne.io/fyne/v2/canvas"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp" //

	"mcploupe/ui/view/human"
)

const (
	// maxPixels bounds a picture that is decoded: a few bytes can ask for
	// gigabytes.
	maxPixels = 48 << 20
	// maxPicture bounds the bytes of one.
	maxPicture = 64 << 20
	// maxSide bounds what is given to the screen, which takes a picture whole.
	maxSide = 2048
)

// decodePicture decodes a picture of a server, made smaller if it is larger than
// a screen. It is slow: call it away from the drawing goroutine.
func decodePicture(data []byte) (image.Image, string, error) {
	if len(data) > maxPicture {
		return nil, "", fmt.Errorf("the picture has %s, which is too much to draw", human.Bytes(int64(len(data))))
	}
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, "", fmt.Errorf("read the picture's size: %w", err)
	}
	if config.Width <= 0 || config.Height <= 0 || config.Width > maxPixels/config.Height {
		return nil, "", fmt.Errorf("the picture claims %s by %s pixels, which is too large to draw", human.Count(config.Width), human.Count(config.Height))
	}
	picture, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, "", fmt.Errorf("decode the picture: %w", err)
	}
	about := fmt.Sprintf("%s, %s × %s pixels", format, human.Count(config.Width), human.Count(config.Height))
	return fitted(picture), about, nil
}

// fitted makes a picture smaller that is larger than maxSide.
func fitted(picture image.Image) image.Image {
	b := picture.Bounds()
	largest := max(b.Dx(), b.Dy())
	if largest <= maxSide {
		return picture
	}
	small := image.NewRGBA(image.Rect(0, 0, max(1, b.Dx()*maxSide/largest), max(1, b.Dy()*maxSide/largest)))
	draw.ApproxBiLinear.Scale(small, small.Bounds(), picture, b, draw.Src, nil)
	return small
}

// drawn is a picture for the screen, as large as its place allows; the pixels of
// a tiny one stay sharp.
func drawn(picture image.Image) *canvas.Image {
	shown := canvas.NewImageFromImage(picture)
	shown.FillMode = canvas.ImageFillContain
	shown.ScaleMode = canvas.ImageScaleSmooth
	if b := picture.Bounds(); b.Dx() <= 64 && b.Dy() <= 64 {
		shown.ScaleMode = canvas.ImageScalePixels
	}
	return shown
}
