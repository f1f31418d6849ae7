//go:build !unix || solaris || aix

package crash

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

func lock(*os.File) {}

// running reports whether there is a process of the number in the file's name.
func running(f *os.File) bool {
	name := strings.TrimSuffix(filepath.Base(f.Name()), suffix)
	pid, err := strconv.Atoi(name[strings.LastIndexByte(name, '-')+1:])
	if err != nil {
		return false
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = p.Release() // it was only looked for
	return true
}
