// Package assets holds the pictures and the guide that are part of the program.
package assets

import (
	"embed"
	"io/fs"
)

// Icon is the program's icon, a PNG of 256 by 256 pixels.
//
//go:embed icon.png
var Icon []byte

//go:embed docs/*.md
var docs embed.FS

// Guide is the folder of the user guide: a Markdown file a page.
func Guide() fs.FS {
	guide, err := fs.Sub(docs, "docs")
	if err != nil {
		panic(err) // the name of the folder is a valid one
	}
	return guide
}
