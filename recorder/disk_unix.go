//go:build unix

package recorder

import (
	"errors"
	"os"
	"strconv"
	"syscall"
)

// isReadOnlyDisk reports whether a file could not be opened for writing
// because of the disk it is on.
func isReadOnlyDisk(err error) bool {
	return errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ETXTBSY)
}

// unlinked reports whether an open file has no name any more: it goes when it is
// closed.
func unlinked(f *os.File) bool {
	info, err := f.Stat()
	if err != nil {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Nlink == 0
}

// pathOf is the name that an open file has now, "" where the system does not say.
func pathOf(f *os.File) string {
	path, err := os.Readlink("/proc/self/fd/" + strconv.Itoa(int(f.Fd())))
	if err != nil {
		return ""
	}
	return path
}
