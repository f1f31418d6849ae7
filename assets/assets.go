// Package assets holds the pictures that are part of the program.
package assets

import _ "embed"

// Icon is the program's icon, a PNG of 256 by 256 pixels.
//
//go:embed icon.png
var Icon []byte
