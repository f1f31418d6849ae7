package recorder

import (
	"errors"
	"os"
	"syscall"
	"unsafe"
)

var lockFileEx = syscall.NewLazyDLL("kernel32.dll").NewProc("LockFileEx")

// lockFile marks a file as being written by this process, for as long as it is
// open, and reports whether another process, or another Log, has marked it
// already. The mark is far behind the end, so that reading stays free.
func lockFile(f *os.File) (taken bool) {
	const exclusive, failAtOnce = 2, 1
	const lockViolation = syscall.Errno(33)
	at := syscall.Overlapped{OffsetHigh: 1 << 30}
	ok, _, err := lockFileEx.Call(f.Fd(), exclusive|failAtOnce, 0, 1, 0, uintptr(unsafe.Pointer(&at)))
	return ok == 0 && errors.Is(err, lockViolation)
}
