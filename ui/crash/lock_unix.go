//go:build unix && !solaris && !aix

package crash

import (
	"errors"
	"os"
	"syscall"
)

// lock marks the file of a program that runs, for as long as it does.
func lock(f *os.File) {
	// Where the disk has no such marks, a program that runs may be taken for one
	// that did not end in order, which offers a recording too many.
	_ = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// running reports whether the program of a file still runs.
func running(f *os.File) bool {
	return errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK)
}
