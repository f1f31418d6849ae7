//go:build unix && !solaris && !aix

package recorder

import (
	"errors"
	"os"
	"syscall"
)

// lockFile marks a file as being written by this process, for as long as it is
// open, and reports whether another process, or another Log, has marked it
// already. Where the disk has no such marks nobody is taken to have.
func lockFile(f *os.File) (taken bool) {
	return errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK)
}
