package link

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// endWithParent makes the kernel stop the child when this program is killed.
// The signal is bound to the thread that forks, which must stay until the
// child has ended.
func endWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGTERM }

// alive reports whether any process of the group still runs. The group
// outlives its first process. Where nobody reaps orphans, as in a container
// without an init, dead ones stay in the group for good and do not count.
func (g *group) alive() bool {
	if errors.Is(syscall.Kill(-g.pid, 0), syscall.ESRCH) {
		return false
	}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return true
	}
	for _, e := range entries {
		if _, err := strconv.Atoi(e.Name()); err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err == nil && runsInGroup(string(stat), g.pid) {
			return true
		}
	}
	return false
}

// runsInGroup reads a line of /proc/PID/stat: pid (name) state ppid pgrp ...
func runsInGroup(stat string, group int) bool {
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	return len(fields) > 2 && fields[2] == strconv.Itoa(group) && fields[0] != "Z" && fields[0] != "X"
}
