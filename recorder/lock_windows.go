package recorder

import (
	"os"
	"syscall"
	"unsafe"
)

var lockFileEx = syscall.NewLazyDLL("kernel32.dll").NewProc("LockFileEx")

// lockFile marks a file as being written by this process, for as long as it is
// open. It fails when another process, or another Log, has marked it. The mark
// is far behind the end, so that reading stays free.
func lockFile(f *os.File) error {
	const exclusive, failAtOnce = 2, 1
	at := syscall.Overlapped{OffsetHigh: 1 << 30}
	if ok, _, err := lockFileEx.Call(f.Fd(), exclusive|failAtOnce, 0, 1, 0, uintptr(unsafe.Pointer(&at))); ok == 0 {
		return err
	}
	return nil
}
