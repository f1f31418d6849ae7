package ui

import (
	"bytes"
	"fmt"
	"image"
	_ "image/gif"  // decoders of pictures that results hold
	_ "image/jpeg" //
	_ "image/png"  //

	_ "golang.org/x/image/webp" //

	"mcploupe/ui/view/human"
)

// maxPixels bounds a picture that is decoded: a few bytes can ask for
// gigabytes.
const maxPixels = 64 << 20

// decodePicture decodes a picture of a server. It is slow: call it away from
// the drawing goroutine.
func decodePicture(data []byte) (image.Image, string, error) {
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
	return picture, fmt.Sprintf("%s, %s × %s pixels", format, human.Count(config.Width), human.Count(config.Height)), nil
}
