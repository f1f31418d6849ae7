//go:build unix

package recorder

import (
	"errors"
	"syscall"
)

// isReadOnlyDisk reports whether a file could not be opened for writing
// because of the disk it is on.
func isReadOnlyDisk(err error) bool {
	return errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ETXTBSY)
}
