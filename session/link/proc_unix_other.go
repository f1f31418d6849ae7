//go:build unix && !linux

package link

import "syscall"

// endWithParent does nothing here: the child sees its stdin end.
func endWithParent(*syscall.SysProcAttr) {}
