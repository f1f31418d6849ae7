package fynecache

import "os"

// Folder makes the folder in which the toolkit keeps one for each program. The
// toolkit makes its own without those above it, and prints an error on a home
// that has no cache yet.
func Folder() error {
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	return os.MkdirAll(cache+string(os.PathSeparator)+"fyne", 0o700)
}
