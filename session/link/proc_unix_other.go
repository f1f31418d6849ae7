//go:build unix && !linux

package link

import (
	"errors"
	"syscall"
)

// endWithParent does nothing here: the child sees its stdin end.
func endWithParent(*syscall.SysProcAttr) {}

// alive reports whether any process of the group is left. The group
// outlives its first process.
func (g *group) alive() bool {
	return !errors.Is(syscall.Kill(-g.pid, 0), syscall.ESRCH)
}
