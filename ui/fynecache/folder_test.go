package fynecache

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// The folder is there also on a home that is new, and twice is once.
func TestFolderOnANewHome(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("LocalAppData", home)
	for range 2 {
		if err := Folder(); err != nil {
			t.Fatal(err)
		}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(cache, "fyne"))
	if err != nil || !info.IsDir() {
		t.Fatalf("%v, %v", info, err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("others may read it: %v", info.Mode())
	}
}
