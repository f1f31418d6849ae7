//go:build unix && !solaris && !aix

package recorder

import (
	"os"
	"syscall"
)

// lockFile marks a file as being written by this process, for as long as it is
// open. It fails when another process, or another Log, has marked it.
func lockFile(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
