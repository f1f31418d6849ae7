//go:build unix && !linux

package link

import (
	"errors"
	"os"
	"syscall"
)

// endWithParent does nothing here: the child sees its stdin end.
func endWithParent(*syscall.SysProcAttr) {}

// groupAlive reports whether any process of the group is left. The group
// outlives its first process.
func groupAlive(p *os.Process) bool {
	return !errors.Is(syscall.Kill(-p.Pid, 0), syscall.ESRCH)
}
