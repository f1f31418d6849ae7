// Package fynecache bounds how long the toolkit keeps the texture of a drawn
// text. The toolkit reads the limit while it starts, so this package imports
// next to nothing: that puts its init before the toolkit's.
package fynecache

import "os"

func init() {
	if _, set := os.LookupEnv("FYNE_CACHE"); !set {
		// A timeline that follows a burst draws thousands of distinct texts a
		// minute; the default of one minute lets them take a gigabyte. With ten
		// seconds or less the toolkit walks all of an idle window each frame.
		_ = os.Setenv("FYNE_CACHE", "12s") // fails for malformed names only
	}
}
